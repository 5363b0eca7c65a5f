"""Tile sets, words, games and positions, by name or from a person's own file."""
