"""Pictures, drawn boards and games of which the truth is known, each with what is read wrongly."""

from __future__ import annotations

import dataclasses
import hashlib
import importlib
import json
import random
import re
import sys
import tempfile
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from kibitz.app.common.storage.tables import Storage
from kibitz.app.reading.frames import FrameReader
from kibitz.app.server.session import Session
from kibitz.app.tables.registry import Tables
from kibitz.vision.pipeline import BoardNotFound, Reader
from kibitz.vision.request import ReadRequest

SHARED = Path(__file__).resolve().parents[3] / "shared"
PARTS = ("photos", "renders", "drawn", "games", "films")
USUAL = (25, 8, 10, 2, 2)
"""How many cases of each part are tried where nothing else is asked for."""
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
    "plays_wrong",
    "withdrawn",
    "asked",
    "waited_s",
)
"""What is counted; all of it is better small."""
LOOSE = {"loose_tiles", "grab", "grabscrab", "loose"}
LANGUAGES = {"de", "ro", "fr", "fi", "pl"}
DRAWN_SEED = 7
FILMS_SEED = 3
FILM_PLAYS = 4


@dataclasses.dataclass(frozen=True)
class Found:
    """What was read once.

    Attributes:
        wrong: how much is wrong, by the names in `WRONG`.
        told: all that is told, also how surely, in few bytes: alike where nothing at all differs.
    """

    wrong: Counter[str]
    told: str


@dataclasses.dataclass(frozen=True)
class Case:
    """Something with a known truth.

    Attributes:
        part: one of `PARTS`.
        name: which one.
        look: reads it and compares.
    """

    part: str
    name: str
    look: Callable[[], Found]


def _brief(told: object) -> str:
    """The same for what is told alike; numbers differ from the fourth place on without a meaning."""
    text = json.dumps(_rounded(told), sort_keys=True, default=str)
    return hashlib.blake2b(text.encode(), digest_size=8).hexdigest()


def _rounded(told: object) -> object:
    if isinstance(told, float):
        return round(told, 3)
    if isinstance(told, Mapping):
        return {str(k): _rounded(v) for k, v in told.items()}
    if isinstance(told, list | tuple):
        return [_rounded(v) for v in told]
    return told


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


def _label(path: str, truth: dict[str, Any], reader: PictureReader) -> Callable[[], Found]:
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

    def look() -> Found:
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
        wrong = Counter(
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
        return Found(wrong, _brief({k: v for k, v in line.items() if k != "ms"}))

    return look


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


def _draw(k: int, reader: PictureReader) -> Callable[[], Found]:
    from kibitz.models.training.sampling import samples
    from kibitz.vision.square_reader import pyramid_of

    labels = reader.letters
    made: list[Any] = []

    def look() -> Found:
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
        sure = (board.kind_log_prob, board.letter_log_prob, board.turn_log_prob)
        return Found(count, _brief([np.exp(x).round(3).tolist() for x in sure]))

    return look


def ALL_LABELS() -> Sequence[str]:  # noqa: N802
    """The letters by the numbers that drawn boards have for them."""
    from kibitz.models.training.drawing import glyphs

    return glyphs.LABELS


def games(most: int) -> Iterator[Case]:
    """The bundled games as a replay tells them: lines that differ from the written story."""
    from tests.helpers import pictured_games

    def case(slug: str) -> Case:
        def look() -> Found:
            told = pictured_games.story_of(slug, pictured_games.photographed(slug)).splitlines()
            written = (pictured_games.WRITTEN / f"{slug}.txt").read_text(encoding="utf-8")
            differ = Counter(told)
            differ.subtract(Counter(written.splitlines()))
            wrong = Counter({"lines_of_games_wrong": sum(abs(n) for n in differ.values())})
            return Found(wrong, _brief(told))

        return Case("games", slug, look)

    for slug in pictured_games.SLUGS[::-1][:most]:  # joined boards, which take longest, last
        yield case(slug)


def films(most: int) -> Iterator[Case]:
    """Films of people at a table, spread over games and incidents, before a live table."""
    from tests import films as people

    # joined boards take ten times as long
    played = [game for game in people.GAMES if game != "frankenscrabbards"]
    every = list(people.titles(played, (), None, FILMS_SEED))
    random.Random(FILMS_SEED).shuffle(every)
    for title in every[:most]:
        yield Case("films", str(title), _film(title))


def _film(title: Any) -> Callable[[], Found]:
    """Shows a film, which is drawn once."""
    from tests import films as people
    from tests.filming.judging import judged

    staged: list[Any] = []

    def look() -> Found:
        if not staged:
            order, shots = people.staged(title, FILM_PLAYS)
            staged.extend((order, list(shots)))
        order, shots = staged
        with tempfile.TemporaryDirectory() as place:
            session = Session(Tables(Storage(place)), FrameReader())
            try:
                verdict = judged(session, order, str(title), shots)
            finally:
                session.close()
        # what looking took differs from run to run
        waited = [w - c for w, c in zip(verdict.waits, verdict.costs, strict=True)]
        count = Counter(
            plays_wrong=verdict.plays - verdict.right + verdict.extra,
            withdrawn=len(verdict.withdrawn),
            asked=len(verdict.questions),
            waited_s=round(sum(waited)),
        )
        told = (verdict.wrong, verdict.withdrawn, verdict.questions, verdict.blanks, waited)
        return Found(count, _brief(told))

    return look


def the_cases(parts: Mapping[str, int], reader: PictureReader, like: str = "") -> Iterator[Case]:
    """What is measured on; a picture is in memory only while it is at hand.

    Args:
        parts: at most how many cases of which of `PARTS`. Those of fewer are also among more.
        reader: reads pictures.
        like: a pattern; only cases whose part:name has such a piece.
    """
    every = (case for part, most in parts.items() for case in _cases_of(part, most, reader))
    return (case for case in every if re.search(like, f"{case.part}:{case.name}"))


def _cases_of(part: str, most: int, reader: PictureReader) -> Iterator[Case]:
    if part == "drawn":
        return drawn(most, reader)
    if part in ("games", "films"):
        return games(most) if part == "games" else films(most)
    return labelled(part, most, reader)
