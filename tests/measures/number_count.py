"""How many numbers there are, in parameter classes and outside of them."""

from __future__ import annotations

import ast
from collections import Counter
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
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
        for x in cls.body
        if isinstance(x, ast.AnnAssign)
        and _numbers_in(x.value)
        and cls.name not in FITTED
        and (_is_parameters(cls) or "number(" in ast.unparse(x.value))
    )
    for node in tree.body:
        value = node.value if isinstance(node, ast.Assign | ast.AnnAssign) else None
        final = isinstance(node, ast.AnnAssign) and "Final" in ast.unparse(node.annotation)
        count["final" if final else "constants"] += _numeric_targets(node, value)
    assigned = (x for x in tree.body if isinstance(x, ast.Assign | ast.AnnAssign))
    counted = inside | {id(y) for x in assigned for y in ast.walk(x)}
    quantiles = {
        id(y)
        for call in ast.walk(tree)
        if isinstance(call, ast.Call) and ast.unparse(call.func) in QUANTILES
        for x in call.args[1:2]
        for y in ast.walk(x)
    }
    count["inline"] = sum(
        isinstance(node, ast.Constant)
        and type(node.value) in ((int, float) if id(node) in quantiles else (float,))
        and abs(node.value) not in PLAIN
        and abs(node.value) > NOTHING
        and id(node) not in counted
        for node in ast.walk(tree)
    )
    return count


def _field(node: ast.stmt) -> bool:
    return isinstance(node, ast.AnnAssign | ast.Assign)


QUANTILES = ("np.percentile", "np.quantile")
"""What is asked for of these steers like a float, also where it is a whole number."""
FITTED = {"FrameWeights"}
"""Classes of weights that were fitted to drawn boards, all at once, as a network's are."""
KINDS = ("Parameters", "Rules", "Rule", "Priors", "Limits", "Patience")
"""How the names of parameter classes end."""


def _is_parameters(cls: ast.ClassDef) -> bool:
    named = any(cls.name.endswith(x) for x in KINDS)
    return named or any("Parameters" in ast.unparse(base) for base in cls.bases)


def facts(folders: tuple[str, ...]) -> set[str]:
    """Module constants that are marked `Final` and made of numbers, as `folder/module.NAME`."""
    found = set()
    for folder in folders:
        for path in sorted((ROOT / folder).rglob("*.py")):
            module = path.relative_to(ROOT).with_suffix("").as_posix()
            for node in ast.parse(path.read_text(encoding="utf-8")).body:
                final = isinstance(node, ast.AnnAssign) and "Final" in ast.unparse(node.annotation)
                if final and _numeric_targets(node, node.value):
                    found.add(f"{module}.{ast.unparse(node.target)}")
    return found


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
        return isinstance(value.value, int | float) and not isinstance(value.value, bool)
    if isinstance(value, ast.UnaryOp):
        return _numbers_in(value.operand)
    if isinstance(value, ast.BinOp):
        return _numbers_in(value.left) or _numbers_in(value.right)
    if isinstance(value, ast.Tuple | ast.List):
        return any(_numbers_in(x) for x in value.elts)
    if isinstance(value, ast.Call):
        # a column of a table or an error's status is no array of numbers
        made_of = ast.unparse(value.func).startswith(("np.", "range", "number", "field"))
        return made_of and any(_numbers_in(x) for x in value.args)
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
