"""Where things are in a picture: boards, lattices, lenses, tables."""
