"""Tiles: the set of a language, those not yet seen, those left on racks."""
