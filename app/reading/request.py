"""Options of `read` and `replay` that say what to look for in a picture."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from kibitz.app.common.errors import Option, UsageError
from kibitz.engine.table import FEWEST_SQUARES, JOINED_SIDE, MOST_SQUARES, SIDE
from kibitz.vision.request import Corners, Edge, ReadRequest, Squares

if TYPE_CHECKING:
    from kibitz.engine.rules import GameInfo
    from kibitz.vision.boards.letters.taught import Taught


ON_SINGLE_BOARDS: Final = (
    Option("profile"),
    ": tiles that were taught are read on single boards",
)
"""Why what was taught is refused elsewhere."""


def game_slug(name: str) -> str:
    """Slug of a game, from its slug, alias or MODULE:NAME.

    Raises:
        UsageError: there is no such game.
    """
    from kibitz.app.common.materials.own_games import info_of

    return info_of(name).slug


def squares_of(info: GameInfo) -> Squares:
    """Kinds of boards to look for in pictures of a game.

    Raises:
        UsageError: boards of such a size cannot be read.
    """
    surface = info.surface
    if surface.kind == "loose":
        return "loose"
    if surface.rows == surface.cols and _can_be_read(surface.rows):
        return surface.rows
    raise UsageError(
        f"{info.title}: square boards of {FEWEST_SQUARES} to {MOST_SQUARES} squares a side and "
        f"of 45 can be read, not {surface.rows}x{surface.cols}"
    )


def request_of_table(
    info: GameInfo, players: int, tiles: str, taught: Taught | None = None
) -> ReadRequest:
    """Request for reading pictures of a table, wherever its boards lie.

    Args:
        info: the game that is played there.
        players: how many play it.
        tiles: the tile set.
        taught: the look of the tiles, where it was taught.

    Raises:
        UsageError: boards of such a size cannot be read, or there is no such tile set.
    """
    from kibitz.app.common.materials.named import can_be_read, letters_if_known

    return ReadRequest(
        squares_of(info),
        letters_if_known(tiles),
        boards=len(info.surfaces(players)),
        known=can_be_read(tiles),
        taught=taught,
    )


def _can_be_read(squares: int) -> bool:
    return FEWEST_SQUARES <= squares <= MOST_SQUARES or squares == JOINED_SIDE


def parse_squares(text: str | None, game: str | None) -> Squares:
    """Boards that `--squares` and `--game` ask for; 15 squares a side without either.

    Raises:
        UsageError: another value.
    """
    if text is not None:
        if text == "loose":
            return "loose"
        if text == "auto":
            return "auto"
        if not text.isdecimal() or not _can_be_read(int(text)):
            raise UsageError(
                Option("squares"),
                f": expected 15, 45, another number from {FEWEST_SQUARES} to "
                f"{MOST_SQUARES}, auto or loose, got {text!r}",
            )
        return int(text)
    if not game:
        return SIDE
    # only now: a photograph of a board is read without asking what games there are
    from kibitz.app.common.materials.own_games import info_of

    return squares_of(info_of(game))


def parse_top(text: str | None) -> Edge | None:
    """Parse the edge of the picture that row A is nearest to.

    Raises:
        UsageError: another word.
    """
    if text is None:
        return None
    for edge in ("top", "right", "bottom", "left"):
        if text == edge:
            return edge
    raise UsageError(Option("top"), f": expected top, right, bottom or left, got {text!r}")


def parse_corners(text: str | None) -> Corners | None:
    """Parse four corners as `x,y,x,y,x,y,x,y`, row A column 1 first.

    Raises:
        UsageError: not eight numbers, or no four-sided figure.
    """
    if text is None:
        return None
    try:
        values = [float(part) for part in text.replace(" ", ",").split(",") if part]
    except ValueError as error:
        raise UsageError(Option("corners"), f": expected eight numbers, got {text!r}") from error
    if len(values) != 8:
        raise UsageError(
            Option("corners"),
            f": expected eight numbers x,y,x,y,x,y,x,y, got {len(values)} in {text!r}",
        )
    points = tuple(zip(values[::2], values[1::2], strict=True))
    if not is_convex(points):
        raise UsageError(
            Option("corners"),
            ": the four points make no four-sided figure; go round the board from "
            "row A column 1 to row A's last column, the last row's last column, the last row's "
            "column 1",
        )
    return points


def is_convex(points: Corners) -> bool:
    """True if four corners, in either direction, form a convex quadrilateral."""
    turns = [_turn(points[i - 2], points[i - 1], points[i]) for i in range(4)]
    return all(t > 0 for t in turns) or all(t < 0 for t in turns)


def _turn(a: tuple[float, float], b: tuple[float, float], c: tuple[float, float]) -> float:
    return (b[0] - a[0]) * (c[1] - b[1]) - (b[1] - a[1]) * (c[0] - b[0])
