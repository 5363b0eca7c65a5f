"""Profiles of `kibitz calibrate`: where a table's board lies, and who sits at which edge."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from kibitz.app.common.errors import Option, UsageError
from kibitz.app.common.files import named_path, read_json
from kibitz.app.reading.request import parse_top
from kibitz.engine.table import SIDE
from kibitz.vision.request import Corners, Edge, ReadRequest

OPPOSITE: Mapping[Edge, Edge] = {
    "top": "bottom",
    "bottom": "top",
    "left": "right",
    "right": "left",
}


@dataclass(frozen=True, slots=True)
class Profile:
    """A table as seen by a camera that does not move.

    Attributes:
        name: what it is kept under.
        width, height: of the picture, in pixels.
        corners: outer corners of its only board, row A first; None with several boards.
        squares: of that board along a side.
        top: the edge of the picture that row A is nearest to, where people said so.
        seats: the edge that each player sits at.
    """

    name: str
    width: int
    height: int
    corners: Corners | None = None
    squares: int = SIDE
    top: Edge | None = None
    seats: Mapping[str, Edge] = field(default_factory=dict)

    def top_for(self, players: Sequence[str]) -> Edge | None:
        """The edge that row A is nearest to: the first player is South and sits across (SH-3)."""
        for number, player in enumerate(players):
            if player in self.seats:
                seat = self.seats[player]
                return seat if number % 2 else OPPOSITE[seat]
        return self.top

    def placed(self, request: ReadRequest, players: Sequence[str] = ()) -> ReadRequest:
        """The request with the profile's corners and edge; values given by hand win."""
        top = request.top or self.top_for(players)
        known = self.corners if request.squares == self.squares and not request.part else None
        corners = request.corners or (known if top in (None, self.top) else None)
        return replace(request, corners=corners, top=top)

    def relative(self, request: ReadRequest) -> ReadRequest:
        """The request with corners relative to the picture's size, as cameras want it."""
        if request.corners is None:
            return request
        corners = tuple((x / self.width, y / self.height) for x, y in request.corners)
        return replace(request, corners=corners)


def parse_seats(text: str | None) -> dict[str, Edge]:
    """Parse seats (`Ann=bottom,Bob=top`): which edge of the picture each player sits at.

    Raises:
        UsageError: something else, or two at one edge.
    """
    seats: dict[str, Edge] = {}
    for part in (text or "").split(","):
        if not part.strip():
            continue
        name, sign, edge = part.partition("=")
        top = parse_edge(edge.strip()) if sign else None
        if not name.strip() or top is None:
            raise UsageError(Option("seats"), f": expected Ann=bottom,Bob=top, got {text!r}")
        seats[name.strip()] = top
    if len(set(seats.values())) != len(seats):
        raise UsageError(Option("seats"), f": expected each edge once, got {text!r}")
    return seats


def parse_edge(text: str) -> Edge | None:
    """Parse an edge of the picture; None for another word."""
    return next((edge for edge in OPPOSITE if edge == text), None)


def profile_path(name: str, data: str | None) -> Path:
    """Path of a table's profile.

    Raises:
        UsageError: that is no plain name.
    """
    from kibitz.app.common.storage.tables import default_data

    if not name or any(char in name for char in "/\\\0") or name.startswith("."):
        raise UsageError(Option("table"), f": expected a plain name, got {name!r}")
    where = data or default_data()
    if "://" in where:
        where = default_data()  # a camera's place belongs to this machine, not to the database
    return named_path(where) / "calibration" / f"{name}.json"


def load_profile(name: str, data: str | None = None) -> Profile:
    """Load a kept profile, by its table's name or from a file.

    Raises:
        UsageError: there is none, or it is no profile; the message says what to do.
    """
    path = Path(name) if name.endswith(".json") else profile_path(name, data)
    try:
        facts = read_json(path)
        return _profile(path.stem, facts)
    except FileNotFoundError as error:
        raise UsageError(
            Option("calibration"),
            f": there is none of {name!r} in {path.parent}; make it with "
            f"'kibitz calibrate SOURCE --table {path.stem}'",
        ) from error
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise UsageError(Option("calibration"), f": {path} is no calibration: {error}") from error


def _profile(name: str, facts: Mapping[str, Any]) -> Profile:
    boards = facts["boards"]
    only = boards[0] if len(boards) == 1 else None
    seats = {str(p): parse_edge(str(e)) for p, e in (facts.get("seats") or {}).items()}
    return Profile(
        name,
        int(facts["width"]),
        int(facts["height"]),
        None if only is None else tuple((float(x), float(y)) for x, y in only["corners_px"]),
        SIDE if only is None else int(only["size"]),
        parse_top(facts.get("top")),
        {p: e for p, e in seats.items() if e is not None},
    )
