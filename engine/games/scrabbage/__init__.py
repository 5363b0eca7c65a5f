"""Scrabbage (rules SB-1 to SB-34)."""
