"""Colours as evidence for squares: bare, blank, card, burnt out, and which tile set."""
