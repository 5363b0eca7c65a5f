"""How many small changes of the program its tests notice.

    python tests/mutations.py [--seed 1] [--count 40] [--limit 300] [--only PATH ...]

Constants and conditions are chosen by chance, from a seed, in what reads, decides and keeps games.
A constant is halved or doubled within its bounds (of a probability its distance to 0 or 1); in a
condition a comparison becomes another one, `and` becomes `or`, a `not` goes. Each change is made
alone in a scratch copy. There the tests run that the module's name leads to and those that import
it, then those of its room, then those that import what imports it. A change is noticed when a
test fails that passes without it. The limit is the processor's time, so that a busy machine judges
as an idle one does; a change whose tests reach it before one fails is not judged and counts as
unnoticed.

A change that nobody could notice (how a log line is rounded) counts as unnoticed: read the list.

General tools for this (mutmut, cosmic-ray) run one fixed set of tests for every change, and add 1
to every constant, which parameters with bounds refuse at once.
"""

from __future__ import annotations

import argparse
import ast
import contextlib
import math
import os
import random
import re
import resource
import shutil
import signal
import subprocess
import sys
import tempfile
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
from tests.nearest import tests_for

ROOT = Path(__file__).resolve().parents[1]
FOLDERS = (
    "engine",
    "vision",
    "calibration",
    "app/reading",
    "app/observers",
    "app/tables",
    "app/cameras",
)
"""Where changes are made."""

KINDS = ("constants", "conditions")
FACTORS = (0.5, 2.0)
PLAIN = (0.0, 1.0, 2.0, 0.5)
"""Floats that stand for nothing, all, both or half."""
OTHERS: tuple[tuple[tuple[type[ast.cmpop], str], ...], ...] = (
    ((ast.Lt, "<"), (ast.LtE, "<="), (ast.Gt, ">"), (ast.GtE, ">=")),
    ((ast.Eq, "=="), (ast.NotEq, "!=")),
    ((ast.In, "in"), (ast.NotIn, "not in")),
    ((ast.Is, "is"), (ast.IsNot, "is not")),
)
"""Comparisons that can stand for each other."""


@dataclass(frozen=True)
class Change:
    """One change of one file.

    Attributes:
        path: the file, from the project's root.
        line: where it is, from 1.
        start: the first byte that is replaced.
        end: the byte after the last that is.
        before: what stands there.
        after: what comes instead.
    """

    path: str
    line: int
    start: int
    end: int
    before: str
    after: str

    def __str__(self) -> str:
        return f"{self.path}:{self.line}: {self.before} -> {self.after}"

    def made_in(self, source: bytes) -> bytes:
        """The file's bytes with the change."""
        return source[: self.start] + self.after.encode() + source[self.end :]


def changes_of(path: str, source: bytes, rng: random.Random) -> dict[str, list[Change]]:
    """Every place of a file that can be changed, by kind, each with one change."""
    tree = ast.parse(source)
    begins = [0]
    for line in source.splitlines(keepends=True):
        begins.append(begins[-1] + len(line))

    def change(node: ast.expr, after: str) -> Change:
        start = begins[node.lineno - 1] + node.col_offset
        end = begins[(node.end_lineno or node.lineno) - 1] + (node.end_col_offset or 0)
        return Change(path, node.lineno, start, end, source[start:end].decode(), after)

    constants = [
        change(node, repr(scaled(ast.literal_eval(node), rng.choice(FACTORS), *bounds)))
        for node, bounds in _constants(tree)
    ]
    conditions = [change(node, after) for node, after in _conditions(tree, source.decode(), rng)]
    return dict(zip(KINDS, (constants, conditions), strict=True))


def scaled(value: float, by: float, unit: str, low: float, high: float) -> float:
    """A number made smaller or larger, another one in any case; within its bounds if it can be."""
    near_one = unit in ("probability", "part") and value > 0.5
    new = 1 - (1 - value) * by if near_one else value * by
    new = type(value)(min(max(new, low), high))
    if new == value:  # at a bound, nothing, or the least whole number
        new = type(value)(value + 1 if value < high else value / 2)
    return new


def _constants(tree: ast.Module) -> Iterator[tuple[ast.expr, tuple[str, float, float]]]:
    """Numbers of modules and classes, and floats in code, with unit and bounds."""
    free = ("", -float("inf"), float("inf"))
    stated = [
        x.value
        for body in [tree.body, *(c.body for c in ast.walk(tree) if isinstance(c, ast.ClassDef))]
        for x in body
        if isinstance(x, ast.Assign | ast.AnnAssign) and x.value is not None
    ]
    inside = {id(y) for x in stated for y in ast.walk(x)}
    for value in stated:
        if isinstance(value, ast.Call) and ast.unparse(value.func) == "number":
            try:
                unit, low, high = (ast.literal_eval(x) for x in value.args[1:4])
            except ValueError:  # a bound that is worked out
                unit, low, high = free
            yield from ((x, (unit, low, high)) for x in _numbers(value.args[0]))
        else:
            yield from ((x, free) for x in _numbers(value))
    for node in ast.walk(tree):
        if not isinstance(node, ast.Constant) or type(node.value) is not float:
            continue
        if id(node) not in inside and node.value not in PLAIN:
            yield node, free


def _numbers(value: ast.expr) -> Iterator[ast.expr]:
    """Numbers that an expression is made of, with their signs."""
    bare = value.operand if isinstance(value, ast.UnaryOp) else value
    if isinstance(bare, ast.Constant):
        if type(bare.value) in (int, float):
            yield value
    elif isinstance(value, ast.UnaryOp | ast.BinOp | ast.Tuple | ast.List):
        for part in ast.iter_child_nodes(value):
            if isinstance(part, ast.expr):
                yield from _numbers(part)


def _conditions(
    tree: ast.Module, source: str, rng: random.Random
) -> Iterator[tuple[ast.expr, str]]:
    """Comparisons, `and`, `or` and `not`, each with what comes instead."""
    told = {id(y) for x in ast.walk(tree) if isinstance(x, ast.JoinedStr) for y in ast.walk(x)}
    for node in ast.walk(tree):
        if id(node) in told or not isinstance(node, ast.Compare | ast.BoolOp | ast.UnaryOp):
            continue
        if isinstance(node, ast.Compare):
            parts = [node.left, *node.comparators]
            signs = [_sign(x) for x in node.ops]
            at = rng.randrange(len(signs))
            group = next(g for g in OTHERS if any(isinstance(node.ops[at], x) for x, _ in g))
            signs[at] = rng.choice([s for _, s in group if s != signs[at]])
            told_parts = [_segment(source, x) for x in parts]
            after = told_parts[0] + "".join(
                f" {s} {p}" for s, p in zip(signs, told_parts[1:], strict=True)
            )
        elif isinstance(node, ast.BoolOp):
            other = " or " if isinstance(node.op, ast.And) else " and "
            after = "(" + other.join(_segment(source, x) for x in node.values) + ")"
        elif isinstance(node.op, ast.Not):
            after = _segment(source, node.operand)
        else:
            continue
        yield node, after


def _sign(op: ast.cmpop) -> str:
    return next(s for group in OTHERS for x, s in group if isinstance(op, x))


def _segment(source: str, node: ast.expr) -> str:
    """An expression as it is written, in brackets where it could fall apart."""
    text = ast.get_source_segment(source, node) or ast.unparse(node)
    plain = isinstance(node, ast.Name | ast.Constant | ast.Attribute | ast.Call | ast.Subscript)
    return text if plain else f"({text})"


def chosen(seed: int, count: int, only: Sequence[str] = ()) -> list[Change]:
    """So many changes, by turns of a constant and of a condition; every place is as likely."""
    rng = random.Random(seed)
    every: dict[str, list[Change]] = {kind: [] for kind in KINDS}
    for folder in FOLDERS:
        for file in sorted((ROOT / folder).rglob("*.py")):
            path = file.relative_to(ROOT).as_posix()
            if only and not any(path.startswith(x) for x in only):
                continue
            for kind, found in changes_of(path, file.read_bytes(), rng).items():
                every[kind] += found
    halves = (count + 1) // 2, count // 2
    taken = [
        rng.sample(every[kind], min(n, len(every[kind])))
        for kind, n in zip(KINDS, halves, strict=True)
    ]
    return [x for group in taken for x in group]


def notice(change: Change, copy: Path, limit: float, broken: set[str]) -> str:
    """The test that notices a change; nothing where none does.

    Args:
        change: what is changed.
        copy: the project's files.
        limit: seconds of the processor that its tests may take.
        broken: tests that fail without any change; those that are met are added.

    Raises:
        TimeUp: none did so far, and its tests took so long.
    """
    file = copy / change.path
    before = file.read_bytes()
    ended = _spent() + limit
    for tests in tests_for(change.path):
        while True:
            file.write_bytes(change.made_in(before))
            try:
                failing = _failing(tests, copy, ended - _spent(), broken, "-x")
            finally:
                file.write_bytes(before)
            if not failing:
                break
            if not _failing(failing, copy, limit):
                return failing[0]
            broken |= {*failing, *_failing(tests, copy, limit, broken)}
    return ""


class TimeUp(Exception):
    """The tests of a change took longer than they may."""


def _spent() -> float:
    """Seconds of the processor that tests took so far."""
    told = resource.getrusage(resource.RUSAGE_CHILDREN)
    return told.ru_utime + told.ru_stime


def _failing(
    tests: Sequence[str], copy: Path, limit: float, broken: Iterable[str] = (), *more: str
) -> list[str]:
    """The tests that fail, beside those known to be broken.

    Raises:
        TimeUp: none did within so many seconds of the processor.
    """
    if limit <= 0:
        raise TimeUp
    most = math.ceil(limit)
    command = [
        sys.executable,
        "-m",
        "pytest",
        *more,
        "-q",
        "-m",
        "not slow",
        "--timeout",
        "300",
        "-p",
        "no:cacheprovider",
    ]
    environment = {**os.environ, "PYTHONPATH": str(copy), "PYTHONDONTWRITEBYTECODE": "1"}
    command += [f"--deselect={x}" for x in broken]
    with tempfile.TemporaryFile("w+") as told:
        # what a test started is ended with it, and must not keep a pipe open
        running = subprocess.Popen(
            [*command, *tests], cwd=copy, env=environment, stdout=told, stderr=subprocess.STDOUT,
            start_new_session=True,
            preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_CPU, (most, most + 5)),
        )  # fmt: skip
        try:
            code = running.wait()
        finally:
            with contextlib.suppress(ProcessLookupError):
                os.killpg(running.pid, signal.SIGKILL)
            running.wait()
        told.seek(0)
        said = told.read()
    if code in (-signal.SIGXCPU, -signal.SIGKILL):
        raise TimeUp
    if code in (0, 5):
        return []
    return failed_in(said) or list(tests[:1])


def failed_in(said: str) -> list[str]:
    """The tests that failed by what pytest says at its end; their names may have blanks in them."""
    return re.findall(r"^(?:FAILED|ERROR) (\S+?(?:\[.*?\])?)(?: - .*)?$", said, re.MULTILINE)


def copied(to: Path) -> None:
    """The project's files, as they are, in another folder."""
    listed = subprocess.run(
        ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=True,
    ).stdout
    for name in filter(None, listed.split("\0")):
        if not (ROOT / name).is_symlink() and not (ROOT / name).is_file():
            continue
        (to / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy2(ROOT / name, to / name, follow_symlinks=False)


def main() -> None:
    """Make changes one by one and say which are noticed."""
    ap = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    ap.add_argument("--seed", type=int, default=1, help="other seeds choose other changes")
    ap.add_argument("--count", type=int, default=40, help="how many changes")
    ap.add_argument(
        "--limit", type=float, default=300, help="seconds of the processor for a change"
    )
    ap.add_argument("--only", nargs="+", default=[], help="only files whose path begins so")
    a = ap.parse_args()
    unnoticed = []
    broken: set[str] = set()
    changes = chosen(a.seed, a.count, a.only)
    with tempfile.TemporaryDirectory() as place:
        copy = Path(place)
        copied(copy)
        for change in changes:
            try:
                by = notice(change, copy, a.limit, broken)
                unnoticed += [] if by else [change]
                print(f"{change}: {by or 'UNNOTICED'}", flush=True)
            except TimeUp:
                unnoticed.append(change)
                print(f"{change}: NOT JUDGED within {a.limit:g} s", flush=True)
    print(f"seed {a.seed}: {len(changes) - len(unnoticed)} of {len(changes)} noticed")
    for change in unnoticed:
        print("unnoticed:", change)
    for test in sorted(broken):
        print("fails without any change:", test)


if __name__ == "__main__":
    main()
