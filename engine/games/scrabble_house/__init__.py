"""Scrabble House (rules SH-1 to SH-31)."""
