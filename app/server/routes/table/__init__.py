"""Routes of one table: set up, play, correct, review."""
