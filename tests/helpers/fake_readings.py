"""Readings made from labelled truth, with the errors that a real reader makes.

A stand-in for the camera: it turns the truth beside a photograph into a `PhotoReading` with
soft probabilities, so that everything after the reading can be tried without a model.
"""

from __future__ import annotations

import json
import random
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from kibitz.app.reading.pictures import FileReading, PathProblem
from kibitz.vision.readings import GridReading, LooseTile, LooseWord, Marker, PhotoReading
from kibitz.vision.request import ReadRequest

CONFUSED = {"O": "Q", "Q": "O", "I": "T", "T": "I", "E": "F", "F": "E", "B": "R", "R": "B"}


@dataclass(frozen=True)
class Noise:
    """Error rates of a pretended reader: per tile, per square and per photograph."""

    wrong_letter: float = 0.0
    missed_tile: float = 0.0
    false_tile: float = 0.0
    covered_photo: float = 0.0
    sure: float = 0.985
    seed: int = 1


@dataclass(frozen=True)
class FakeReader:
    """Reads the `.json` beside a photograph instead of the photograph."""

    noise: Noise = Noise()

    def __call__(
        self,
        source: str | PathProblem,
        _reader: object,
        request: ReadRequest,
        _hint: tuple[Any, ...] = (),
    ) -> FileReading:
        """The reading of one file; a seed always gives the same."""
        if isinstance(source, PathProblem):
            return FileReading(source.path, code=source.code, message=source.message)
        truth = json.loads(Path(source).with_suffix(".json").read_text(encoding="utf-8"))
        rng = random.Random(f"{self.noise.seed}{Path(source).name}")
        reading = reading_from_truth(truth, request, self.noise, rng)
        return FileReading(source, reading, None, 1.0)


def reading_from_truth(
    truth: Mapping[str, Any], request: ReadRequest, noise: Noise, rng: random.Random
) -> PhotoReading:
    """Reading of a labelled photograph with such errors."""
    if request.squares == "loose":
        return _loose(truth, request, noise, rng)
    board = truth["board"]
    return PhotoReading(1000, 1000, (_grid(board, truth, request, noise, rng),))


def reading_of_rows(rows: list[str], letters: str, **facts: Any) -> PhotoReading:
    """A faultless reading of a board drawn as text."""
    truth = {"board": rows, **facts}
    return reading_from_truth(truth, ReadRequest(15, tuple(letters)), Noise(), random.Random(1))


def _grid(
    rows: list[str],
    truth: Mapping[str, Any],
    request: ReadRequest,
    noise: Noise,
    rng: random.Random,
) -> GridReading:
    n = len(rows)
    labels = (*request.letters, "?")
    kind = np.full((n, n, 4), 0.001)
    letter = np.full((n, n, len(labels)), (1 - noise.sure) / len(labels))
    turn = np.full((n, n, 4), 0.02)
    colours = np.full((n, n), ".", dtype="<U1")
    cards = [tuple(map(tuple, s["cells"])) for s in truth.get("ships") or []]
    on_card = {s for card in cards for s in card}
    hidden = {tuple(s) for s in truth.get("hidden_by_ship") or [] if isinstance(s, list)}
    covered = {tuple(x) for x in truth.get("occluded") or []} | _hand(n, noise, rng)
    rotation = truth.get("rotation")
    for r in range(n):
        for c in range(n):
            char = "." if (r, c) in hidden else rows[r][c]
            seen = _seen(char, labels, noise, rng)
            which = 3 if (r, c) in covered else 1 if seen != "." else int((r, c) in on_card) * 2
            kind[r, c, which] = 0.99
            if seen != ".":
                letter[r, c, labels.index(seen)] = noise.sure * rng.uniform(0.9, 1)
                quarters = int(rotation[r][c]) // 90 % 4 if rotation and char != "." else 0
                turn[r, c, quarters] = 0.95
                colours[r, c] = "a"
    return GridReading(
        corners_px=np.array(truth.get("corners_px") or [[0, 0], [1, 0], [1, 1], [0, 1]], float),
        kind_log_prob=_logs(kind),
        labels=labels,
        letter_log_prob=_logs(letter),
        turn_log_prob=_logs(turn),
        tile_sets=colours,
        markers=tuple(Marker("ship", card) for card in cards),
        square_px=60.0,
    )


def _seen(char: str, labels: tuple[str, ...], noise: Noise, rng: random.Random) -> str:
    if char == ".":
        return rng.choice(labels) if rng.random() < noise.false_tile else "."
    shown = "?" if char == "?" or char.islower() else char
    if rng.random() < noise.missed_tile:
        return "."
    if rng.random() < noise.wrong_letter:
        other = CONFUSED.get(shown) or rng.choice([x for x in labels if x != shown])
        return other if other in labels else shown
    return shown


def _hand(n: int, noise: Noise, rng: random.Random) -> set[tuple[int, int]]:
    """Squares covered by a hand, in some photographs."""
    if rng.random() >= noise.covered_photo:
        return set()
    top, left = rng.randrange(n - 4), rng.randrange(n - 4)
    return {(r, c) for r in range(top, top + 5) for c in range(left, left + 5)}


def _logs(values: Any) -> Any:
    return np.log(values / values.sum(-1, keepdims=True)).astype(np.float32)


def _loose(
    truth: Mapping[str, Any], request: ReadRequest, noise: Noise, rng: random.Random
) -> PhotoReading:
    labels = (*request.letters, "?")
    tiles, place = [], {}
    for index, tile in enumerate(truth["loose_tiles"]):
        if tile.get("occluded"):
            continue
        up = tile["face_up"]
        seen = _seen(tile.get("letter") or "?", labels, noise, rng) if up else "?"
        probabilities = np.full(len(labels), (1 - noise.sure) / len(labels))
        probabilities[labels.index(seen if seen != "." else "?")] = noise.sure
        place[index] = len(tiles)
        tiles.append(
            LooseTile(
                letter=seen,
                face_up=up,
                centre_px=(tile["centre_px"][0], tile["centre_px"][1]),
                angle_deg=tile["angle_deg"],
                size_px=tile.get("px", 50),
                confidence=0.98,
                letter_log_prob=np.log(probabilities).astype(np.float32),
            )
        )
    words = []
    for word in truth.get("words") or []:
        if all(i in place for i in word["tiles"]):
            indexes = tuple(place[i] for i in word["tiles"])
            text = "".join(tiles[i].letter for i in indexes)
            words.append(LooseWord(text, indexes, float(word["reading_deg"])))
    return PhotoReading(1600, 1200, (), tuple(tiles), tuple(words))
