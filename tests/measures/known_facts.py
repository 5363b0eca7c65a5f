"""Numbers outside of parameter classes, where pictures are read and judged, and why each is a fact.

Whatever steers what is read or decided belongs into its stage's class. `tests/test_sensitivity.py`
fails for a number that is in neither.
"""

from __future__ import annotations

READING = (
    "vision",
    "calibration",
    "engine/tracking",
    "app/cameras",
    "app/reading",
    "app/observers",
)
"""Folders in which every number is one or the other."""

FACTS: dict[str, str] = {
    "what networks were trained on: the size and place of what they see, what they answer": """
        calibration/any_size.SMALL_PX
        calibration/board_finder.GLANCE_PX
        calibration/lattice.CELLS
        calibration/lattice.INPUT_PX
        calibration/lattice.MARGIN
        calibration/lattice.SQUARE_PX
        calibration/outline.CELL_PX
        calibration/outline.HALF_CELL
        calibration/outline.INNER_SQUARES
        vision/boards/letters/close_look.ASIDE_PX
        vision/boards/letters/close_look.LEFT_AND_RIGHT
        vision/boards/letters/close_look.UP_AND_DOWN
        vision/boards/letters/close_look._STEPS
        vision/boards/letters/marks.SQUARE_PX
        vision/boards/letters/marks.UP_AND_DOWN
        vision/boards/letters/signs.KEYS
        vision/boards/letters/signs.SEEN
        vision/boards/letters/together.LARGE_FEATURES
        vision/boards/letters/together.SMALL_FEATURES
        vision/boards/reader.AROUND
        vision/boards/reader.SQUARE_PX
        vision/boards/squares.CUT_PX
        vision/boards/squares.SQUARE_PX
        vision/loose/finder.CELL_PX
        vision/loose/finder.LONGEST_PX
        vision/loose/finder.SIDE_PX
        vision/loose/finder.STEP_PX
        vision/loose/mosaic.TILE_SHARE
    """,
    "how large pictures and squares are where they are worked on, and where on them things lie": """
        calibration/board_geometry.FINER
        calibration/board_geometry.STEP_PX
        calibration/comb.COLOUR_PX
        calibration/comb.FLAT_MARGIN
        calibration/comb.FLAT_PX
        calibration/comb.LEANS_IN
        calibration/comb.LINE_PX
        calibration/framing.AROUND
        calibration/quality.SQUARE_PX
        vision/boards/noise.SEEN_PX
        calibration/size_rule.UNITS
        calibration/size_rule.UNIT_PX
        vision/boards/blur.AROUND
        vision/boards/blur.OF_LINES
        vision/boards/blur.PART_PX
        vision/boards/board_print.THIN
        vision/boards/colours/bare_board.BINS
        vision/boards/colours/bare_board.CUT
        vision/boards/colours/burnt.RIM
        vision/boards/letters/own_letters.FACE_PX
        vision/boards/letters/own_letters.LOOKED_AT_PX
        vision/boards/letters/own_letters.REACH_PX
        vision/boards/letters/taught.RIM_PX
        vision/boards/squares.NODES
        vision/loose/askew.SEEN_PX
        vision/loose/askew.SOFT_PX
        vision/loose/glare.EDGE_PX
        vision/loose/glare._PLACES
        vision/loose/letters.EDGE_PX
        vision/loose/letters.EVERY_PX
        vision/loose/letters._EDGE_PX
        vision/stream/loose_series.SPARSE
        vision/stream/changed.BLUR_PX
        vision/stream/changed.SMALL_PX
    """,
    "the board, its lattice, and what rules and sets say": """
        calibration/board_geometry.CORNERS
        calibration/board_geometry._ROLLED
        calibration/comb.STRIPS
        calibration/cut_off.ENDS
        calibration/cut_off.NODES
        calibration/patch_finder.REACH
        calibration/size_rule.FEWEST
        calibration/size_rule.MOST
        engine/tracking/evidence/expected.NORTH_TURN
        engine/tracking/evidence/interpretation._STEPS
        engine/tracking/evidence/priors.LETTERS
        vision/boards/colours/blanks.BLANKS_OF_A_SET
        vision/boards/colours/ship_cards.STEPS
        vision/boards/letters/taught.TURNS
        vision/locating.MOST_TILES
    """,
    "names and formats: kinds, codes of files, markers, colours": """
        app/reading/teaching.FORMAT
        calibration/markers.CELLS
        calibration/markers.CORNER_IDS
        calibration/markers.MARKER_MM
        vision/boards/letters/close_look._GREY
        vision/frame._FRAMES
        vision/frame._ON_ITS_SIDE
        vision/frame._SCAN
        vision/readings.COVERED_KIND
        vision/readings.EMPTY_KIND
        vision/readings.MARKER_KIND
        vision/readings.TILE_KIND
        vision/stream/hand_side.BESIDE
        vision/stream/hand_side.FURTHER
        vision/stream/hand_side.WITHIN
        vision/stream/video.USUAL_RATE
    """,
    "mathematics: what follows of the normal distribution, and a filter's own numbers": """
        vision/boards/noise.APART
        vision/boards/noise.TO_SPREAD
    """,
    "how something is shown, asked for or measured": """
        app/cameras/film.DEVICE_SIZE
        app/cameras/load.WINDOW_S
        app/observers/one_square.AROUND
        app/observers/one_square.BOARD_PX
        app/observers/one_square.SIDE_PX
        app/reading/teaching.IN_A_ROW
        vision/overlay.LABEL
        vision/overlay._LINE_SHARE
        vision/overlay._TILE_LIGHT
    """,
    "as good as nothing or never, evens, or where rounding begins": """
        app/cameras/settling.CLOCK
        calibration/board_geometry.COMES_BACK
        calibration/lattice.SETTLED
        engine/tracking/evidence/changes.TINY
        engine/tracking/evidence/interpretation.HIDDEN
        vision/boards/colours/blanks.FAR
        vision/boards/letters/marks.NEVER
        vision/boards/reader.HIDDEN
        vision/loose/askew.FAINT
        vision/stream/settling._CLOCK
    """,
    "how finely or how long something is searched for: more would only take time": """
        calibration/board_geometry.AT_ONCE
        calibration/lattice.STEPS
        vision/boards/blur.DIRECTIONS
        vision/boards/blur.DISCS
        vision/boards/blur.FINER
        vision/boards/blur.FINEST_WAVES
        vision/boards/blur.LINES
        vision/boards/colours/blanks.SAMPLE
        vision/boards/letters/own_letters.MOST_TWINS
        vision/boards/reader.EACH_LOOK
        vision/boards/square_logs.SHORT
        vision/boards/squares.WORTH_A_CHANNEL
        vision/loose/askew.DIRECTIONS
        vision/loose/askew.ROUNDS
        vision/stream/series.FREED_BYTES
        vision/stream/series.KEPT
    """,
}
"""Why, and which."""
