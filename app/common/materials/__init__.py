"""Tile sets, words, games and positions, loaded by name or from a user's file."""
