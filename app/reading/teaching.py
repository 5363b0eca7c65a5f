"""Taught tiles: their layout on a board, where they are read, and their file."""

from __future__ import annotations

import base64
import binascii
import json
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Final

import numpy as np
from numpy.typing import NDArray

from kibitz.app.common.errors import CommandError, Option, UsageError
from kibitz.app.common.files import read_json, write_private
from kibitz.app.common.materials.named import load_tile_set
from kibitz.app.reading.request import squares_of
from kibitz.engine.rules import GameInfo
from kibitz.engine.table import JOINED_SIDE, UNKNOWN_BLANK
from kibitz.vision.frame import PictureError, decode_picture

if TYPE_CHECKING:
    from kibitz.vision.boards.letters.taught import Taught

IN_A_ROW: Final = 10
"""Tiles in a row of the order that is shown."""
FORMAT: Final = 1
KIND = "taught tiles"


def order_of(tiles: str, order: str | None) -> tuple[str, ...]:
    """Tiles in the order in which they are to be laid.

    Args:
        tiles: the tile set.
        order: what lies there row by row; None: the set's letters, then a blank.

    Raises:
        ValueError: one of them is none of the set's, or there are not two different ones.
    """
    known = (*load_tile_set(tiles).letters, UNKNOWN_BLANK)
    if order is None:
        return known
    given = tuple(x.upper() for x in order if not x.isspace() and x != ",")
    if odd := [x for x in given if x not in known]:
        raise ValueError(f"expected letters of {tiles}: {''.join(known)}, got {odd[0]!r}")
    if len(set(given)) < 2:
        raise ValueError(f"expected two different tiles or more, got {order!r}")
    return given


def rows_of(order: Sequence[str], prints: Mapping[str, str]) -> list[str]:
    """The order in rows, each tile as it is printed."""
    words = [prints.get(x, x) for x in order]
    return [" ".join(words[k : k + IN_A_ROW]) for k in range(0, len(words), IN_A_ROW)]


def reads_taught(info: GameInfo, players: int) -> bool:
    """True if taught tiles are read with so many players: on single boards."""
    try:
        alone = len(info.surfaces(players)) == 1
        return alone and squares_of(info) not in (JOINED_SIDE, "loose")
    except UsageError:
        return False


def write_taught(path: Path, taught: Taught, tiles: str, models: Path | None = None) -> None:
    """Write taught tiles to a file.

    Args:
        path: the file.
        taught: the look of the tiles.
        tiles: the name of their set.
        models: a folder with the network that looked at them, if not the bundled one.

    Raises:
        CommandError: it cannot be written.
    """
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        write_private(path, format_taught(taught, tiles, models))
    except OSError as error:
        raise CommandError(f"cannot keep what was taught in {path}: {error.strerror}") from error


def format_taught(taught: Taught, tiles: str, models: Path | None = None) -> str:
    """Taught tiles as JSON; see `write_taught`."""
    facts = {
        "kind": KIND,
        "format": FORMAT,
        "tiles": tiles,
        "model": _network_checksum(models),
        "labels": list(taught.labels),
        "middle": _packed(taught.middle),
        "means": _packed(taught.means),
        "pictures": [base64.b64encode(x).decode("ascii") for x in taught.pictures],
        "places": taught.places.astype(float).round(4).tolist(),
        "printed": taught.printed,
    }
    return json.dumps(facts, ensure_ascii=False)


def parse_taught(text: str) -> Taught | None:
    """Taught tiles from JSON; None if they were learnt with another network."""
    try:
        return _taught(json.loads(text), _network_checksum(None))
    except (ValueError, KeyError, TypeError):
        return None


def load_taught(name: str, models: Path | None = None) -> Taught:
    """Load taught tiles from a file.

    Raises:
        UsageError: there is none, it is something else, or another network looked at the tiles.
    """
    try:
        return _taught(read_json(Path(name)), _network_checksum(models))
    except FileNotFoundError as error:
        raise UsageError(
            Option("profile"),
            f": there is no file {name!r}; make it with "
            f"'kibitz calibrate --teach tiles.jpg --out {name}'",
        ) from error
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise UsageError(
            Option("profile"),
            f": {name} does not hold taught tiles ({error}); make it anew with "
            f"'kibitz calibrate --teach tiles.jpg --out {name}'",
        ) from error


def _network_checksum(models: Path | None) -> str:
    """Checksum of the network that taught tiles are compared by, or of one that sees the same."""
    from kibitz.models.session import WEIGHTS, read_facts

    return read_facts("glyph", WEIGHTS if models is None else models).sees_as


def _taught(facts: object, model: str) -> Taught:
    from kibitz.vision.boards.letters.taught import TURNS, Taught

    if not isinstance(facts, Mapping) or facts.get("kind") != KIND:
        raise ValueError(f'expected "kind": "{KIND}"')
    if facts["format"] != FORMAT:
        raise ValueError(f"expected format {FORMAT}, got {facts['format']!r}")
    if facts["model"] != model:
        raise ValueError("it was made with networks of another version")
    labels = tuple(str(x) for x in facts["labels"])
    middle = _unpacked(facts["middle"])
    shape = len(labels), TURNS, len(middle)
    means = _unpacked(facts["means"])
    if means.size != np.prod(shape) or not np.isfinite(means).all():
        raise ValueError(f"expected {shape} numbers, got {means.size}")
    pictures = tuple(_picture(x) for x in facts.get("pictures", ()))
    places = np.array(facts.get("places", ()), np.float32)
    if pictures and not len(pictures) == len(places) == len(labels):
        raise ValueError(f"expected {len(labels)} pictures and places")
    printed = facts.get("printed") is True  # not in what earlier versions wrote
    taught = Taught(labels, middle, means.reshape(shape), printed=printed)
    if not pictures:
        return taught
    return replace(taught, pictures=pictures, places=places.reshape(-1, 4, 2))


def _packed(values: NDArray[np.float32]) -> str:
    """Numbers as base64: little-endian, four bytes each."""
    return base64.b64encode(values.astype("<f4").tobytes()).decode("ascii")


def _picture(text: str) -> bytes:
    data = _decoded(text)
    try:
        decode_picture(data, "one of its pictures")
    except PictureError as error:
        raise ValueError(error.message) from error
    return data


def _decoded(text: str) -> bytes:
    try:
        return base64.b64decode(text, validate=True)
    except binascii.Error as error:
        raise ValueError(f"expected base64: {error}") from error


def _unpacked(text: str) -> NDArray[np.float32]:
    return np.frombuffer(_decoded(text), "<f4").astype(np.float32)
