"""Sizes of the networks' input pictures, in pixels; known without loading torch."""

READER_SQUARE_PX = 24
READER_PX = 17 * READER_SQUARE_PX
"""The reader sees the board with one square of surround on each side."""
GLYPH_SQUARE_PX = 42
GLYPH_PX = 60
"""The glyph net sees a square and a fifth of its neighbours on each side."""
MARK_PX = 80
"""Marks are looked for in a square and an eighth of its neighbours on each side."""
LATTICE_SQUARE_PX = 13
LATTICE_PX = 256
FINDER_PX = 320
LOOSE_PX = 384
"""Side of a training crop; at run time any multiple of 16 will do."""
