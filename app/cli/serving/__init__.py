"""Commands that start a server: for play, or for a demonstration."""
