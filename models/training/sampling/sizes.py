"""Sizes of the networks' input pictures, in pixels, as at run time; known without loading torch."""

from kibitz.calibration import lattice
from kibitz.vision.boards import reader, squares

READER_SQUARE_PX = reader.SQUARE_PX
READER_PX = 17 * READER_SQUARE_PX
"""The reader sees the board with one square of surround on each side."""
GLYPH_SQUARE_PX = squares.SQUARE_PX
GLYPH_PX = squares.CUT_PX
"""The glyph net sees a square and a fifth of its neighbours on each side."""
MARK_PX = 80
"""Marks are looked for in a square and an eighth of its neighbours on each side."""
LATTICE_SQUARE_PX = lattice.SQUARE_PX
LATTICE_PX = lattice.INPUT_PX
FINDER_PX = 320
LOOSE_PX = 384
"""Side of a training crop; at run time any multiple of 16 will do."""
