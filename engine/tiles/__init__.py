"""Tiles: a language's set, the tiles not yet seen, racks and what is left on them."""
