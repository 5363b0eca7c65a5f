"""Drawing what a camera sees: surfaces, typefaces, tiles, boards, what lies over them, the lens."""
