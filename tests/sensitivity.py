"""What every parameter is worth: what halving and doubling it does to pictures with known truth.

    python tests/sensitivity.py [--photos 25] [--renders 8] [--drawn 10] [--games 2] [--films 2]
                                [--enough 2] [--results FILE] [--stages NAME ...] [--only FIELD ...]
    python tests/sensitivity.py --count

`photos` and `renders` are the labelled pictures that lie beside the project, `drawn` are boards
drawn with a fixed seed (needs the extra `train`), `games` the bundled photographed games as a
replay tells them, `films` people at a table as a live table sees them. One line for each
parameter: in how many cases anything is told otherwise with it halved, and doubled, how surely
included, and how much more (+) or less (-) is wrong. Of a probability the distance to 0 or 1 is
halved and doubled, whichever is nearer. `-` stands for nothing at all.

A parameter that a case never asks for is not tried on it, what networks say of the same input is
remembered, films are drawn once, and a change that has made something wrong or right in `--enough`
cases is not tried on others. With `--results` every case is written down when it is done; begun
again with the same file, it goes on from there, also with more cases. Ctrl-C ends it with what is
known by then. `--count` tells how many numbers there are, in parameter classes and outside of
them.
"""

from __future__ import annotations

import argparse
import dataclasses
import gc
import hashlib
import importlib
import json
import sys
import time
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

import cv2
import numpy as np

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from kibitz.models.session import Model
from tests.measures.known_truth import PARTS, USUAL, Case, Found, PictureReader, the_cases
from tests.measures.number_count import ROOT, print_count

FOLDERS = (
    "vision",
    "calibration",
    "engine/tracking",
    "app/reading",
    "app/observers",
    "app/cameras",
)
"""Where parameter classes are looked for: what reads pictures and says what they mean."""


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


def stages() -> list[type]:
    """Every parameter class: a dataclass that has numbers with a unit."""
    out = []
    for folder in FOLDERS:
        for path in sorted((ROOT / folder).rglob("*.py")):
            if "= number(" not in path.read_text(encoding="utf-8"):
                continue
            name = "kibitz." + ".".join(path.relative_to(ROOT).with_suffix("").parts)
            its = [x for x in vars(importlib.import_module(name)).values() if isinstance(x, type)]
            out += [x for x in its if x.__module__ == name and dataclasses.is_dataclass(x)]
    return [x for x in out if any("unit" in f.metadata for f in dataclasses.fields(x))]


def parameters(classes: Iterable[type]) -> list[Parameter]:
    """Every number of parameter classes."""
    out = []
    for cls in classes:
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


@dataclasses.dataclass
class Worth:
    """What is known of one parameter, summed over cases.

    Attributes:
        asked: cases that asked for it.
        tried: for it halved and doubled each, on how many cases it was tried.
        told: likewise, in how many of them anything was told otherwise.
        moved: in how many anything was more or less wrong.
        wrong: what was, and how much more.
    """

    asked: int = 0
    tried: list[int] = dataclasses.field(default_factory=lambda: [0, 0])
    told: list[int] = dataclasses.field(default_factory=lambda: [0, 0])
    moved: list[int] = dataclasses.field(default_factory=lambda: [0, 0])
    wrong: tuple[Counter[str], Counter[str]] = dataclasses.field(
        default_factory=lambda: (Counter(), Counter())
    )

    def add(self, effect: Sequence[Effect]) -> None:
        """One more case asked for it."""
        self.asked += 1
        for side, one in enumerate(effect):
            if one is None:
                continue
            self.tried[side] += 1
            self.told[side] += one["told"]
            self.moved[side] += bool(one["wrong"])
            self.wrong[side].update(one["wrong"])

    def __str__(self) -> str:
        sides = zip(self.tried, self.told, self.wrong, strict=True)
        said = [f"told otherwise {told}/{tried}, {_said(wrong)}" for tried, told, wrong in sides]
        return f"asked for by {self.asked}; halved: {said[0]}; doubled: {said[1]}"


Effect = dict[str, Any] | None
"""Whether anything was `told` otherwise, and what was more or less `wrong`; nothing: not tried."""


def measure(
    cases: Iterable[Case],
    wanted: Sequence[Parameter],
    reader: PictureReader,
    enough: int,
    results: Path | None = None,
) -> tuple[Counter[str], dict[str, Worth]]:
    """What is wrong with all as it is, and what every parameter is worth by its name.

    Args:
        cases: what to try it on.
        wanted: the parameters.
        reader: the one that the cases read with.
        enough: a change that moved what is wrong in so many cases is not tried on others.
        results: where each case is written down; those in it already are not looked at again.
    """
    base: Counter[str] = Counter()
    worth = {p.name: Worth() for p in wanted}
    done = set()

    def add(case: dict[str, Any]) -> None:
        done.add(case["case"])
        base.update(case["wrong"])
        for name, effect in case["effects"].items():
            if name in worth:
                worth[name].add(effect)

    if results and results.exists():
        for line in results.read_text(encoding="utf-8").splitlines():
            add(json.loads(line))
    began = time.monotonic()
    with suppress(KeyboardInterrupt):  # what is known by then is told
        for case in cases:
            name = f"{case.part}:{case.name}"
            if name in done:
                continue
            line = {"case": name, **_tried(case, wanted, reader, enough, worth)}
            add(line)
            if results:
                with results.open("a", encoding="utf-8") as file:
                    file.write(json.dumps(line) + "\n")
            print(f"{name}: {time.monotonic() - began:.0f} s", file=sys.stderr, flush=True)
    return base, worth


def _tried(
    case: Case,
    wanted: Sequence[Parameter],
    reader: PictureReader,
    enough: int,
    worth: Mapping[str, Worth],
) -> dict[str, Any]:
    """What is wrong with one case, and the effects of every parameter that it asks for."""
    classes = list({p.cls for p in wanted})
    effects: dict[str, list[Effect]] = {}
    with remembered():
        reader.afresh = True
        with asked_for(classes) as seen:
            before = case.look()
        instances = instances_of(classes)
        for p in wanted:
            if (p.cls, p.field) not in seen:
                continue
            reader.afresh = ".calibration." in p.cls.__module__
            effects[p.name] = [
                _effect(case, before, p, value, instances)
                if worth[p.name].moved[side] < enough
                else None
                for side, value in enumerate(p.values())
            ]
    return {"wrong": +before.wrong, "effects": effects}


def _effect(
    case: Case, before: Found, p: Parameter, value: Any, instances: Sequence[object]
) -> Effect:
    with changed(p, value, instances):
        try:
            now = case.look()
        except (ValueError, ArithmeticError, LookupError, cv2.error):
            # nothing can be read with such a value; the others are still tried
            return {"told": True, "wrong": {"crashes": 1}}
    more = Counter(now.wrong)
    more.subtract(before.wrong)
    return {"told": now.told != before.told, "wrong": {k: n for k, n in more.items() if n}}


def _said(count: Counter[str]) -> str:
    return " ".join(f"{k}{n:+d}" for k, n in count.items() if n) or "-"


def main() -> None:
    """Measure, or count."""
    ap = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    for part, usual in zip(PARTS, USUAL, strict=True):
        ap.add_argument(f"--{part}", type=int, default=usual, help="at most so many")
    ap.add_argument("--enough", type=int, default=2, help="cases that show what a change does")
    ap.add_argument("--results", type=Path, help="where to write down what is known, and go on")
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
        for p in parameters(stages())
        if (not a.stages or p.cls.__name__ in a.stages) and (not a.only or p.field in a.only)
    ]
    parts = {part: getattr(a, part) for part in PARTS}
    base, worth = measure(the_cases(parts, reader, a.like), wanted, reader, a.enough, a.results)
    print("as it is:", _said(base))
    for p in wanted:
        low, high = p.values()
        print(f"{p.name} = {p.default} {p.unit} ({low}, {high}): {worth[p.name]}")


if __name__ == "__main__":
    cv2.setNumThreads(1)
    main()
