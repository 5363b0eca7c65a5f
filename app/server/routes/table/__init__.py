"""The calls of one table: set up, play, correct, look back."""
