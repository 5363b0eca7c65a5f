"""What every parameter is worth: what halving and doubling it does to pictures with known truth.

    python tests/sensitivity.py [--parts photos renders drawn games films] [--photos N] [--drawn N]
                                [--stages NAME ...] [--only FIELD ...]
    python tests/sensitivity.py --count

`photos` and `renders` are the labelled pictures that lie beside the project, `drawn` are boards
drawn with a fixed seed (needs the extra `train`), `games` the bundled photographed games as a
replay tells them, `films` the same as a live table sees them. One line for each parameter: how
much more (+) or less (-) is wrong with it halved, and doubled. Of a probability the distance to 0
or 1 is halved and doubled, whichever is nearer. `-` stands for nothing at all.

A parameter that a picture's reading never asks for is not tried on it, and what networks say of
the same input is remembered: the whole takes minutes, not days. `--count` tells how many numbers
there are, in parameter classes and outside of them.
"""

from __future__ import annotations

import argparse
import ast
import dataclasses
import gc
import hashlib
import importlib
import re
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any

import cv2
import numpy as np

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "shared" / "tools"))

from kibitz.models.session import Model
from kibitz.vision.pipeline import BoardNotFound, Reader
from kibitz.vision.request import ReadRequest

ROOT = Path(__file__).resolve().parents[1]
SHARED = ROOT.parent / "shared"
STAGES: tuple[tuple[str, str], ...] = (
    ("kibitz.vision.readings", "SureParameters"),
    ("kibitz.vision.locating", "BoardRules"),
    ("kibitz.vision.boards.square_logs", "FacingParameters"),
    ("kibitz.vision.boards.blur", "BlurRules"),
    ("kibitz.vision.boards.mirror", "MirrorRules"),
    ("kibitz.vision.boards.letters.close_look", "LookParameters"),
    ("kibitz.vision.boards.letters.marks", "MarkParameters"),
    ("kibitz.vision.boards.letters.own_letters", "OwnLetterParameters"),
    ("kibitz.vision.boards.colours.blanks", "BlankRules"),
    ("kibitz.vision.boards.colours.tile_colours", "ColourParameters"),
    ("kibitz.vision.boards.colours.bare_board", "BareRules"),
    ("kibitz.vision.boards.colours.burnt", "BurntRules"),
    ("kibitz.vision.boards.colours.ship_cards", "CardRules"),
    ("kibitz.vision.boards.board_print", "PrintRules"),
    ("kibitz.vision.loose.finder", "FindParameters"),
    ("kibitz.vision.loose.faces", "FaceRules"),
    ("kibitz.vision.loose.glare", "GlareRules"),
    ("kibitz.vision.loose.letters", "LooseLetterParameters"),
    ("kibitz.vision.loose.tiles", "LooseTileParameters"),
    ("kibitz.vision.loose.words", "WordRules"),
    ("kibitz.vision.stream.series", "ChangeRule"),
    ("kibitz.vision.stream.series", "SeriesRule"),
    ("kibitz.vision.stream.fusing", "FusingRule"),
    ("kibitz.vision.stream.hand_side", "SideRule"),
    ("kibitz.vision.stream.stillness", "StillnessRule"),
    ("kibitz.calibration.outline", "OutlineRule"),
    ("kibitz.calibration.lattice", "LatticeRule"),
    ("kibitz.calibration.comb", "CombRule"),
    ("kibitz.calibration.board_finder", "FinderRule"),
    ("kibitz.calibration.cut_off", "CutRule"),
    ("kibitz.calibration.board_finder", "JoinedRule"),
    ("kibitz.calibration.patch_finder", "PatchRule"),
    ("kibitz.calibration.quality", "ViewRule"),
    ("kibitz.app.reading.steady", "SteadyRule"),
    ("kibitz.app.observers.board_views", "RowARules"),
    ("kibitz.app.observers.panel_places", "PlaceRules"),
    ("kibitz.app.observers.two_boards", "TwoPlaceRules"),
    ("kibitz.app.observers.loose", "SeatRules"),
    ("kibitz.app.cameras.settling", "RestRule"),
    ("kibitz.engine.tracking.evidence.priors", "ReadingPriors"),
    ("kibitz.engine.tracking.evidence.priors", "HandPriors"),
    ("kibitz.engine.tracking.evidence.priors", "PlayPriors"),
    ("kibitz.engine.tracking.evidence.priors", "SearchLimits"),
    ("kibitz.engine.tracking.evidence.priors", "LetterPriors"),
    ("kibitz.engine.tracking.evidence.priors", "LoosePriors"),
)
"""Every parameter class, by module and name; those that do not exist yet are passed over."""

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


# ---------------------------------------------------------------- pictures with a known truth


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


# ---------------------------------------------------------------- networks asked only once


@contextmanager
def remembered() -> Iterator[None]:
    """What networks said of the same input is not worked out again."""
    known: dict[bytes, Any] = {}
    run = Model.run

    def run_once(self: Model, pictures: Any, whole: Any = None) -> Any:
        base = self.facts.sha256.encode()
        if whole is not None:
            base += hashlib.blake2b(np.ascontiguousarray(whole).data, digest_size=16).digest()
        keys = [
            hashlib.blake2b(np.ascontiguousarray(one).data, digest_size=16).digest()
            + base
            + bytes(str(one.shape), "ascii")
            for one in pictures
        ]
        new = [k for k, key in enumerate(keys) if key not in known]
        if new:
            for k, answer in zip(new, run(self, pictures[new], whole), strict=True):
                known[keys[k]] = answer
        if not keys:
            return run(self, pictures, whole)
        return np.stack([known[key] for key in keys])

    Model.run = run_once  # type: ignore[method-assign]
    try:
        yield
    finally:
        Model.run = run  # type: ignore[method-assign]


# ---------------------------------------------------------------- parameters and their changes


@dataclasses.dataclass(frozen=True)
class Parameter:
    """A number in a parameter class."""

    cls: type
    field: str
    default: Any
    unit: str
    low: float
    high: float

    @property
    def name(self) -> str:
        """Class and field."""
        return f"{self.cls.__name__}.{self.field}"

    def values(self) -> tuple[Any, Any]:
        """Halved and doubled, within its bounds."""
        return self._scaled(0.5), self._scaled(2.0)

    def _scaled(self, by: float) -> Any:
        value = self.default
        if isinstance(value, tuple):
            return tuple(_scaled(x, by, self.unit, self.low, self.high) for x in value)
        return _scaled(value, by, self.unit, self.low, self.high)


def _scaled(value: float, by: float, unit: str, low: float, high: float) -> float:
    if unit in ("probability", "part") and value > 0.5:
        new: float = 1 - (1 - value) * by
    else:
        new = value * by
    if isinstance(value, int):
        new = round(new)
        if new == value:
            new += 1 if by > 1 else -1
    return type(value)(min(max(new, low), high))


def parameters(stages: Sequence[tuple[str, str]] = STAGES) -> list[Parameter]:
    """Every number of the parameter classes that exist."""
    out = []
    for module, name in stages:
        try:
            cls = getattr(importlib.import_module(module), name)
        except (ImportError, AttributeError) as error:
            print(f"{module}.{name}: not there ({error})", file=sys.stderr)
            continue
        for field in dataclasses.fields(cls):
            value = field.default
            several = isinstance(value, tuple) and all(_is_number(x) for x in value)
            if _is_number(value) or several:
                facts = field.metadata
                low, high = facts.get("low", -np.inf), facts.get("high", np.inf)
                out.append(Parameter(cls, field.name, value, facts.get("unit", ""), low, high))
    return out


def _is_number(value: object) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)


@contextmanager
def asked_for(classes: Sequence[type]) -> Iterator[set[tuple[type, str]]]:
    """Which parameters are asked for meanwhile."""
    seen: set[tuple[type, str]] = set()

    def watch(cls: type) -> None:
        def look(self: object, name: str) -> Any:
            seen.add((cls, name))
            return object.__getattribute__(self, name)

        cls.__getattribute__ = look  # type: ignore[assignment]

    for cls in classes:
        watch(cls)
    try:
        yield seen
    finally:
        for cls in classes:
            del cls.__getattribute__


@contextmanager
def changed(parameter: Parameter, value: Any, instances: Sequence[object]) -> Iterator[None]:
    """A parameter with another value, in instances that there are and in those made meanwhile."""
    cls, field = parameter.cls, parameter.field
    mine = [x for x in instances if type(x) is cls and getattr(x, field) == parameter.default]
    init: Any = cls.__init__
    names = init.__code__.co_varnames[1 : init.__code__.co_argcount]
    before = init.__defaults__
    after = list(before or ())
    if field in names:
        after[names.index(field) - (len(names) - len(after))] = value
    init.__defaults__ = tuple(after)
    for one in mine:
        object.__setattr__(one, field, value)
    try:
        yield
    finally:
        init.__defaults__ = before
        for one in mine:
            object.__setattr__(one, field, parameter.default)


# ---------------------------------------------------------------- measuring


def instances_of(classes: Sequence[type]) -> list[object]:
    """All that there are."""
    return [x for x in gc.get_objects() if type(x) in classes]


def measure(
    cases: Iterable[Case], wanted: Sequence[Parameter], reader: PictureReader
) -> tuple[Counter[str], dict[tuple[str, int], Counter[str]], Counter[str]]:
    """What is wrong with all as it is, what more is with each changed, and how many asked for it."""
    base: Counter[str] = Counter()
    effect: dict[tuple[str, int], Counter[str]] = {}
    asked: Counter[str] = Counter()
    classes = list({p.cls for p in wanted})
    began = time.monotonic()
    for number, case in enumerate(cases):
        with remembered():
            reader.afresh = True
            with asked_for(classes) as seen:
                before = case.wrong()
            base.update(before)
            instances = instances_of(classes)
            for p in wanted:
                if (p.cls, p.field) not in seen:
                    continue
                asked[p.name] += 1
                reader.afresh = ".calibration." in p.cls.__module__
                for side, value in enumerate(p.values()):
                    with changed(p, value, instances):
                        try:
                            more = case.wrong()
                        except (ValueError, ArithmeticError, LookupError, cv2.error):
                            # nothing can be read with such a value; the others are still tried
                            more = before + Counter(crashes=1)
                    more.subtract(before)
                    told = effect.setdefault((p.name, side), Counter())
                    told["cases"] += any(more.values())
                    told.update({k: n for k, n in more.items() if n})
        if number % 20 == 19:
            print(f"{number + 1} cases, {time.monotonic() - began:.0f} s", file=sys.stderr)
    return base, effect, asked


def _told(count: Counter[str] | None) -> str:
    some = {k: n for k, n in (count or Counter()).items() if n}
    return " ".join(f"{k}{n:+d}" for k, n in some.items()) or "-"


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


# ---------------------------------------------------------------- counting


COUNTED = ("app", "vision", "calibration", "engine/tracking")
PLAIN = {0.0, 1.0, 2.0, 0.5, 90.0, 180.0, 360.0, 1e3}
"""Floats that stand for nothing, all, both or half, for degrees of a turn or for milliseconds."""
NOTHING = 1e-5
"""Smaller ones only keep something from being divided by zero."""


def count_numbers() -> dict[str, Counter[str]]:
    """Numeric module constants, inline floats and parameters of each folder."""
    out = {}
    for folder in COUNTED:
        count: Counter[str] = Counter()
        for path in sorted((ROOT / folder).rglob("*.py")):
            count += count_in(ast.parse(path.read_text(encoding="utf-8")))
        out[folder] = count
    return out


def count_in(tree: ast.Module) -> Counter[str]:
    """The same of one module."""
    count: Counter[str] = Counter()
    classes = [x for x in ast.walk(tree) if isinstance(x, ast.ClassDef)]
    inside = {id(y) for cls in classes for x in cls.body if _field(x) for y in ast.walk(x)}
    count["fields"] = sum(
        1
        for cls in classes
        if _is_parameters(cls)
        for x in cls.body
        if isinstance(x, ast.AnnAssign) and _numbers_in(x.value)
    )
    for node in tree.body:
        value = node.value if isinstance(node, ast.Assign | ast.AnnAssign) else None
        final = isinstance(node, ast.AnnAssign) and "Final" in ast.unparse(node.annotation)
        count["final" if final else "constants"] += _numeric_targets(node, value)
    assigned = (x for x in tree.body if isinstance(x, ast.Assign | ast.AnnAssign))
    counted = inside | {id(y) for x in assigned for y in ast.walk(x)}
    count["inline"] = sum(
        isinstance(node, ast.Constant)
        and type(node.value) is float
        and abs(node.value) not in PLAIN
        and abs(node.value) > NOTHING
        and id(node) not in counted
        for node in ast.walk(tree)
    )
    return count


def _field(node: ast.stmt) -> bool:
    return isinstance(node, ast.AnnAssign | ast.Assign)


KINDS = ("Parameters", "Rules", "Rule", "Priors", "Limits", "Patience")
"""How the names of parameter classes end."""


def _is_parameters(cls: ast.ClassDef) -> bool:
    named = any(cls.name.endswith(x) for x in KINDS)
    return named or any("Parameters" in ast.unparse(base) for base in cls.bases)


def _numeric_targets(node: ast.stmt, value: ast.expr | None) -> int:
    """How many names a statement gives numbers to."""
    if value is None or not _numbers_in(value):
        return 0
    target = node.targets[0] if isinstance(node, ast.Assign) else node.target  # type: ignore[attr-defined]
    return len(target.elts) if isinstance(target, ast.Tuple) else 1


def _numbers_in(value: ast.expr | None) -> bool:
    """Whether an expression is made of numbers: one, some in a tuple, or an array of them."""
    if value is None:
        return False
    if isinstance(value, ast.Constant):
        return _is_number(value.value)
    if isinstance(value, ast.UnaryOp):
        return _numbers_in(value.operand)
    if isinstance(value, ast.BinOp):
        return _numbers_in(value.left) or _numbers_in(value.right)
    if isinstance(value, ast.Tuple | ast.List):
        return any(_numbers_in(x) for x in value.elts)
    if isinstance(value, ast.Call):
        return any(_numbers_in(x) for x in value.args)
    return False


def print_count() -> None:
    """The numbers of every folder."""
    total: Counter[str] = Counter()
    for folder, count in count_numbers().items():
        total += count
        print(f"{folder:16}", _row(count))
    print(f"{'all':16}", _row(total))


def _row(count: Counter[str]) -> str:
    steering = count["constants"] + count["inline"]
    return (
        f"{count['constants']} module constants, {count['inline']} inline floats "
        f"({steering} outside classes), {count['fields']} fields of parameter classes; "
        f"{count['final']} facts marked Final"
    )


def main() -> None:
    """Measure, or count."""
    ap = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    ap.add_argument("--parts", nargs="+", choices=PARTS, default=PARTS[:3])
    ap.add_argument("--photos", type=int, default=60, help="at most so many of photos and renders")
    ap.add_argument("--drawn", type=int, default=40, help="how many boards are drawn")
    ap.add_argument("--stages", nargs="+", default=[], help="only classes with such names")
    ap.add_argument("--only", nargs="+", default=[], help="only fields with such names")
    ap.add_argument("--like", default="", help="only cases whose part:name has such a piece")
    ap.add_argument("--count", action="store_true", help="count numbers instead")
    a = ap.parse_args()
    if a.count:
        print_count()
        return
    reader = PictureReader()
    wanted = [
        p
        for p in parameters()
        if (not a.stages or p.cls.__name__ in a.stages) and (not a.only or p.field in a.only)
    ]
    cases = the_cases(a.parts, a.photos, a.drawn, reader, a.like)
    base, effect, asked = measure(cases, wanted, reader)
    print("as it is:", _told(base))
    for p in wanted:
        half, double = (effect.get((p.name, side)) for side in (0, 1))
        low, high = p.values()
        print(
            f"{p.name} = {p.default} {p.unit}; asked for by {asked[p.name]}; "
            f"{low}: {_told(half)}; {high}: {_told(double)}"
        )


if __name__ == "__main__":
    with ExitStack():
        cv2.setNumThreads(1)
        main()
