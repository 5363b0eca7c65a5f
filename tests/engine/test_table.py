"""Squares, tiles and grids: how they are named, read, written and looked up."""

from __future__ import annotations

import pytest

from kibitz.engine.table import (
    BOARDS,
    JOINED_SIDE,
    MOST_SQUARES,
    SIDE,
    Grid,
    Square,
    SurfaceSpec,
    Tile,
    TileRun,
    corner_of,
    grid_from_rows,
    parse_square,
    side_of,
    square_named,
    tile_from_text,
)

ROWS = ("....", ".CaT", "..X.", ".?..")


@pytest.mark.parametrize(
    ("text", "square"),
    [
        ("A1", Square(0, 0)),
        ("H8", Square(7, 7)),
        (" o15 ", Square(14, 14)),
        ("1:A1", Square(0, 0)),
        ("4:B8", Square(16, 7)),
        ("9:O15", Square(44, 44)),
    ],
)
def test_a_square_is_read_by_row_and_column(text, square):
    """With its board before it on nine joined ones (rules 0.1, FS-3)."""
    assert square == parse_square(text)


@pytest.mark.parametrize("text", ["", "A", "8H", "P1", "A16", "A0", "A-1", "AA1", "A1B", "H٨x"])
def test_what_is_no_square_is_told(text):
    """The message says which squares there are."""
    with pytest.raises(ValueError, match=r"expected a square as 'H8' \(A-O, 1-15\)"):
        parse_square(text)


@pytest.mark.parametrize("text", ["0:A1", "10:A1", "x:A1", "-1:A1"])
def test_there_are_nine_boards(text):
    """From 1 to 9."""
    with pytest.raises(ValueError, match="expected a board 1-9 before ':'"):
        parse_square(text)


def test_every_square_of_joined_boards_is_read_back():
    """By its board's name; of a single board without one."""
    joined = [Square(r, c) for r in range(JOINED_SIDE) for c in range(JOINED_SIDE)]
    single = [Square(r, c) for r in range(SIDE) for c in range(SIDE)]

    assert joined == [parse_square(s.name_on(JOINED_SIDE)) for s in joined]
    assert single == [parse_square(s.name_on(SIDE)) for s in single]


def test_larger_boards_have_squares_of_their_own():
    """Up to 24 rows, where a game has agreed on such a board."""
    last = Square(MOST_SQUARES - 1, MOST_SQUARES - 1)

    assert "X24" == last.name
    assert last == square_named("X24") == parse_square("X24", MOST_SQUARES)


def test_joined_boards_begin_where_the_one_before_ends():
    """Three in a row, numbered as one reads."""
    corners = [corner_of(board) for board in range(1, BOARDS + 1)]

    assert [(15 * r, 15 * c) for r in range(3) for c in range(3)] == corners
    assert list(range(1, 10)) == [corner.panel for corner in corners]
    assert ("4:A1", "A1") == (corners[3].panel_name, corners[0].name)


@pytest.mark.parametrize(
    ("char", "tile"),
    [
        ("A", Tile("A")),
        ("a", Tile("A", blank=True)),
        ("?", Tile("?", blank=True)),
        ("Ä", Tile("Ä")),
    ],
)
def test_a_tile_is_one_character(char, tile):
    """A capital, a small letter for a blank, or a blank that nobody has named (rule 0.2)."""
    assert tile == tile_from_text(char)
    assert char == tile.text


@pytest.mark.parametrize("rows", [(), ("...",), ROWS])
def test_a_grid_is_written_as_it_was_read(rows):
    """Also one without squares."""
    assert rows == grid_from_rows(rows).text_rows()


@pytest.mark.parametrize(
    ("rows", "said"),
    [
        (("...", ".."), "expected 3 characters in row 2, got 2"),
        (("..1",), "expected a letter, '[?]' or '[.]', got '1' in row 1"),
    ],
)
def test_rows_that_are_no_board_are_told(rows, said):
    """With the row that is wrong."""
    with pytest.raises(ValueError, match=said):
        grid_from_rows(rows)


def test_runs_are_unbroken_and_of_two_at_least():
    """Across first, in reading order (rule 0.3)."""
    across = TileRun("across", (Square(1, 1), Square(1, 2), Square(1, 3)))
    down = TileRun("down", (Square(1, 2), Square(2, 2)))
    grid = grid_from_rows(ROWS)

    assert [across, down] == list(grid.runs())
    assert across == grid.run_through(Square(1, 3), "across")
    assert TileRun("down", (Square(3, 1),)) == grid.run_through(Square(3, 1), "down")


def test_a_grid_is_never_changed_in_place():
    """Tiles that are laid, replaced or lifted make another one."""
    grid = grid_from_rows(ROWS)
    more = grid.with_tiles({Square(0, 0): Tile("B"), Square(2, 2): Tile("Y")})
    fewer = more.without([Square(1, 1), Square(3, 3)])

    assert ROWS == grid.text_rows()
    assert ("B...", ".CaT", "..Y.", ".?..") == more.text_rows()
    assert ("B...", "..aT", "..Y.", ".?..") == fewer.text_rows()


def test_squares_beside_the_board_are_none_of_it():
    """Steps and neighbours may lie there."""
    grid, corner = Grid(3, 4), Square(0, 0)
    near = {s: grid.on_board(s) for s in corner.neighbours()}

    assert {(-1, 0): False, (1, 0): True, (0, -1): False, (0, 1): True} == near
    assert (Square(0, 2), Square(-1, 0)) == (corner.step("across", 2), corner.step("down", -1))
    assert [False, True] == [grid.on_board(Square(2, c)) for c in (4, 3)]


@pytest.mark.parametrize(
    ("spec", "side", "joined"),
    [
        (SurfaceSpec(), 15, False),
        (SurfaceSpec(rows=21, cols=21), 21, False),
        (SurfaceSpec(rows=45, cols=45), 15, True),
        (SurfaceSpec(kind="loose", rows=45), 15, False),
    ],
)
def test_45_rows_are_joined_boards(spec, side, joined):
    """Of 15 squares a side each (FS-1); a bare table has none."""
    assert (side, joined) == (spec.side, spec.joined)
    assert side == side_of(spec.rows)
