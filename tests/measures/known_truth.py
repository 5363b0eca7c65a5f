"""Pictures, drawn boards and games of which the truth is known, each with what is read wrongly."""

from __future__ import annotations

import dataclasses
import importlib
import re
import sys
import tempfile
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from kibitz.vision.pipeline import BoardNotFound, Reader
from kibitz.vision.request import ReadRequest

SHARED = Path(__file__).resolve().parents[3] / "shared"
PARTS = ("photos", "renders", "drawn", "games", "films")
WRONG = (
    "boards_lost",
    "boards_not_exact",
    "tiles_wrong",
    "tiles_unseen",
    "false_tiles",
    "turns_wrong",
    "row_a_wrong",
    "cards_wrong",
    "loose_wrong",
    "loose_extra",
    "words_wrong",
    "invented",
    "lines_of_games_wrong",
    "films_wrong",
)
"""What is counted; all of it is better small."""
LOOSE = {"loose_tiles", "grab", "grabscrab", "loose"}
LANGUAGES = {"de", "ro", "fr", "fi", "pl"}
DRAWN_SEED = 7


@dataclasses.dataclass(frozen=True)
class Case:
    """Something with a known truth.

    Attributes:
        part: one of `PARTS`.
        name: which one.
        wrong: reads it and counts what is wrong, by the names in `WRONG`.
    """

    part: str
    name: str
    wrong: Callable[[], Counter[str]]


class PictureReader(Reader):
    """Reads one picture again and again; where its boards lie is looked for once."""

    def __init__(self) -> None:
        super().__init__()
        self.afresh = True
        self._where: dict[int, Any] = {}
        self.letters = tuple(x for x in self.squares.first.facts.labels if x != "?")
        self._locate, self.locator.locate = self.locator.locate, self.locate  # type: ignore[method-assign]

    def forget(self) -> None:
        """Another picture comes."""
        self._where = {}

    def locate(self, picture: Any, request: ReadRequest) -> Any:
        """See `Locator.locate`."""
        key = hash((request.squares, request.top, request.part))
        if self.afresh or key not in self._where:
            try:
                found: Any = self._locate(picture, request)
            except BoardNotFound as error:
                found = error
            if self.afresh:
                self._where.setdefault(key, found)
        else:
            found = self._where[key]
        if isinstance(found, BoardNotFound):
            raise found
        return found


def labelled(part: str, most: int, reader: PictureReader) -> Iterator[Case]:
    """Labelled pictures of a folder, from all its sources alike."""
    folder = SHARED / part
    if not folder.is_dir():
        print(f"{part}: skipped, the labelled pictures are not at {folder}", file=sys.stderr)
        return
    if (tools := str(SHARED / "tools")) not in sys.path:
        sys.path.insert(0, tools)
    import score_read  # lies beside the photographs

    known = [
        (path, truth)
        for path, truth in score_read.load_truth(str(folder))
        if truth.get("kind") not in ("rack", "franken_part")
        and (
            score_read.truth_boards(truth)
            or truth.get("tiles")
            or truth.get("loose_tiles")
            or truth.get("kind") == "none"
        )
    ]
    for path, truth in _spread(known, most):
        yield Case(part, "/".join(Path(path).parts[-2:]), _label(path, truth, reader))


def _spread(known: list[Any], most: int) -> list[Any]:
    """At most so many of them, of every source in turn one."""
    by_source: dict[str, list[Any]] = {}
    for one in known:
        by_source.setdefault(one[1]["_source"], []).append(one)
    in_turn = sorted(
        (k / len(items), source, k)
        for source, items in by_source.items()
        for k in range(len(items))
    )
    # A source with few pictures is seen as often as one with many, while it lasts.
    in_turn.sort(key=lambda x: x[2])
    return [by_source[source][k] for _, source, k in in_turn[:most]]


def _label(path: str, truth: dict[str, Any], reader: PictureReader) -> Callable[[], Counter[str]]:
    """Reads a labelled picture, which is decoded once."""
    import score_read

    from kibitz.app.common.materials.named import load_tile_set
    from kibitz.app.reading.lines import read_line
    from kibitz.vision.frame import load_picture

    kind = truth.get("kind", "board")
    squares: Any = 15
    if kind in LOOSE:
        squares = "loose"
    elif kind.startswith("franken") and any(
        len(b["board"]) == 45 for b in score_read.truth_boards(truth)
    ):
        squares = 45
    language = truth.get("language")
    letters = tuple(load_tile_set(language if language in LANGUAGES else "en").letters)
    request = ReadRequest(squares=squares, letters=letters)
    decoded: list[Any] = []

    def wrong() -> Counter[str]:
        if not decoded:
            reader.forget()
            decoded.append(load_picture(path)[0])
        try:
            line = read_line(path, reader.read(decoded[0], request))
        except BoardNotFound as error:
            line = read_line(path, None, code="board_not_found", message=str(error))
        count: Any = Counter()
        count.update({"corner_err": [], "ms": []})
        score_read.score_picture(truth, line, count, [])
        return Counter(
            {
                "boards_lost": count["boards"] - count["located"],
                "boards_not_exact": count["boards"] - count["exact"],
                "tiles_wrong": count["tiles_wrong"],
                "tiles_unseen": count["unseen"],
                "false_tiles": count["false_tiles"],
                "turns_wrong": count["turns_wrong"],
                "row_a_wrong": count["top_wrong"],
                "cards_wrong": count["ships"] - count["ships_right"] + count["ships_extra"],
                "loose_wrong": count["loose"] - count["loose_right"],
                "loose_extra": count["loose_extra"],
                "words_wrong": count["words"] - count["words_right"],
                "invented": count["invented"],
            }
        )

    return wrong


class _OneScene:
    """A pool of one scene."""

    def __init__(self, rng: np.random.Generator) -> None:
        from kibitz.models.training.drawing.scene import make_scene

        scene = make_scene(rng)
        self.kinds, self.letters, self.turns = (
            x[None] for x in (scene.kinds, scene.letters, scene.turns)
        )
        self._image = scene.image

    def __len__(self) -> int:
        return 1

    def image(self, _: int) -> Any:
        return self._image


def drawn(most: int, reader: PictureReader) -> Iterator[Case]:
    """Boards drawn and photographed as for training, from a fixed seed."""
    try:
        importlib.import_module("kibitz.models.training.sampling.samples")
    except ImportError as error:
        print(f"drawn: skipped, drawing needs the extra `train` ({error})", file=sys.stderr)
        return
    for k in range(most):
        yield Case("drawn", f"board {k}", _draw(k, reader))


def _draw(k: int, reader: PictureReader) -> Callable[[], Counter[str]]:
    from kibitz.models.training.sampling import samples
    from kibitz.vision.square_reader import pyramid_of

    labels = reader.letters
    made: list[Any] = []

    def wrong() -> Counter[str]:
        if not made:
            rng = np.random.default_rng([DRAWN_SEED, k])
            picture, g, *truth = samples.board_photograph(rng, _OneScene(rng), 18, 44)  # type: ignore[arg-type]
            made.extend((pyramid_of(picture), g, truth))
        pyramid, g, (kinds, letters, turns) = made
        request = ReadRequest(letters=labels, corners=np.zeros((4, 2)))
        board = reader.tell(g, *reader.squares.see(pyramid, g, request), request)
        kind = board.kind_log_prob.argmax(-1)
        kind = np.where(board.unreadable, 3, kind)
        letter, turn = board.letter_log_prob.argmax(-1), board.turn_log_prob.argmax(-1)
        at = np.array([board.labels.index(x) if x in board.labels else -1 for x in ALL_LABELS()])
        true = np.where(letters < 255, at[np.minimum(letters, len(at) - 1)], -1)
        tile, bare = kinds == 1, kinds == 0
        misread = tile & (kind == 1) & (true >= 0) & (letter != true)
        turned = (
            tile & (kind == 1) & (true >= 0) & (letter == true) & (turns < 4) & (turn != turns)
        )
        count = Counter(
            {
                "tiles_wrong": int((misread | (tile & ((kind == 0) | (kind == 2)))).sum()),
                "tiles_unseen": int(((tile | bare) & (kind == 3)).sum()),
                "false_tiles": int((bare & (kind == 1)).sum()),
                "turns_wrong": int(turned.sum()),
                "cards_wrong": int(((kinds == 2) & (kind != 2) | (bare & (kind == 2))).sum()),
            }
        )
        count["boards_not_exact"] = int(any(count.values()))
        return count

    return wrong


def ALL_LABELS() -> Sequence[str]:  # noqa: N802
    """The letters by the numbers that drawn boards have for them."""
    from kibitz.models.training.drawing import glyphs

    return glyphs.LABELS


def games() -> Iterator[Case]:
    """The bundled games as a replay tells them: lines that differ from the written story."""
    from tests.helpers import pictured_games

    def case(slug: str) -> Case:
        def wrong() -> Counter[str]:
            told = pictured_games.story_of(slug, pictured_games.photographed(slug)).splitlines()
            written = (pictured_games.WRITTEN / f"{slug}.txt").read_text(encoding="utf-8")
            differ = Counter(told)
            differ.subtract(Counter(written.splitlines()))
            return Counter({"lines_of_games_wrong": sum(abs(n) for n in differ.values())})

        return Case("games", slug, wrong)

    for slug in pictured_games.SLUGS:
        yield case(slug)


def films() -> Iterator[Case]:
    """The bundled games before a live table: what it knows that a replay does not, or not it."""
    from kibitz.app.cli.serving.demo import DEMOS
    from tests.helpers import pictured_games
    from tests.measures import live_photos

    def case(slug: str) -> Case:
        def wrong() -> Counter[str]:
            with tempfile.TemporaryDirectory() as place:
                seen = live_photos.filmed(DEMOS / slug, Path(place))
                told = live_photos.replayed(DEMOS / slug)
                return Counter({"films_wrong": len(live_photos.differences(told, seen))})

        return Case("films", slug, wrong)

    for slug in pictured_games.SLUGS:
        yield case(slug)


def the_cases(
    parts: Sequence[str], photos: int, boards: int, reader: PictureReader, like: str = ""
) -> Iterator[Case]:
    """What is measured on; a picture is in memory only while it is at hand."""
    every = _every_case(parts, photos, boards, reader)
    return (case for case in every if re.search(like, f"{case.part}:{case.name}"))


def _every_case(
    parts: Sequence[str], photos: int, boards: int, reader: PictureReader
) -> Iterator[Case]:
    for part in parts:
        if part in ("photos", "renders"):
            yield from labelled(part, photos, reader)
        elif part == "drawn":
            yield from drawn(boards, reader)
        else:
            yield from games() if part == "games" else films()
