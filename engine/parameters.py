"""Parameters: numbers that steer reading or deciding, each with unit, bounds and description.

A stage keeps its numbers in one frozen dataclass; a group of them may be a frozen dataclass of
its own inside it:

    @dataclass(frozen=True, slots=True)
    class Settling:
        \"\"\"When a picture counts as settled.\"\"\"

        still_s: float = number(0.4, "s", 0.0, 5.0, "how long nothing may have moved")

        def __post_init__(self) -> None:
            checked(self)
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field, fields, is_dataclass, replace
from typing import Any, TypeVar, cast

N = TypeVar("N", int, float)
P = TypeVar("P")


@dataclass(frozen=True, slots=True)
class Number:
    """A parameter with its path, unit, bounds and description.

    Attributes:
        path: its name, with the group it is in: `comb.near`.
        value: what it is.
        unit: what it counts or measures: `nats`, `probability`, `count`, `px`, `s`.
        low: the least it may be.
        high: the most it may be.
        what: what it says, in one sentence.
    """

    path: str
    value: float
    unit: str
    low: float
    high: float
    what: str

    @property
    def whole(self) -> bool:
        """True if it is a whole number."""
        return isinstance(self.value, int)


def number(default: N, unit: str, low: float, high: float, what: str) -> N:
    """Dataclass field for a parameter.

    Args:
        default: its usual value; a whole number where only whole numbers make sense.
        unit: `nats`, `probability`, `count`, `px`, `s` ...
        low: the least it may be.
        high: the most it may be.
        what: what it says, in one sentence.

    Raises:
        ValueError: the default is out of bounds.
    """
    if not low <= default <= high:
        raise ValueError(f"expected a default from {low:g} to {high:g}, got {default!r}: {what}")
    facts = {"unit": unit, "low": low, "high": high, "what": what}
    return field(default=default, metadata=facts)


def as_in(parameters: object, name: str) -> Any:
    """Dataclass field that takes over a parameter of another class, with unit and bounds.

    Args:
        parameters: what has the number.
        name: what it is called there.

    Raises:
        ValueError: there is no such number.
    """
    for part in _fields_of(parameters):
        if part.name == name and "unit" in part.metadata:
            return field(default=getattr(parameters, name), metadata=part.metadata)
    raise ValueError(f"{type(parameters).__name__} has no number {name!r}")


def checked(parameters: object) -> None:
    """Check every parameter against its bounds; call it in `__post_init__`.

    Raises:
        ValueError: one is no number, is not whole where it has to be, or is out of bounds.
    """
    for part in _fields_of(parameters):
        facts, value = part.metadata, getattr(parameters, part.name)
        if "unit" not in facts:
            continue
        name = f"{type(parameters).__name__}.{part.name}"
        if isinstance(value, bool) or not isinstance(value, (int, float)):
            raise ValueError(f"{name}: expected a number in {facts['unit']}, got {value!r}")
        if isinstance(part.default, int) and not isinstance(value, int):
            raise ValueError(f"{name}: expected a whole number, got {value!r}")
        if not facts["low"] <= value <= facts["high"]:
            raise ValueError(
                f"{name}: expected {facts['low']:g} to {facts['high']:g} {facts['unit']}, "
                f"got {value!r}"
            )


def numbers(parameters: object, within: str = "") -> Iterator[Number]:
    """Yield every parameter, those of nested groups as `group.name`."""
    for part in _fields_of(parameters):
        facts, value = part.metadata, getattr(parameters, part.name)
        path = f"{within}{part.name}"
        if "unit" in facts:
            yield Number(path, value, facts["unit"], facts["low"], facts["high"], facts["what"])
        elif is_dataclass(value):
            yield from numbers(value, f"{path}.")


def with_number(parameters: P, path: str, value: float) -> P:
    """A copy with one parameter changed.

    Args:
        parameters: a stage's parameters.
        path: the number's name, as `numbers` gives it.
        value: what it becomes.

    Raises:
        ValueError: there is no such number, or the value is out of bounds.
    """
    name, dot, rest = path.partition(".")
    if name not in {part.name for part in _fields_of(parameters)}:
        raise ValueError(f"{type(parameters).__name__} has no number {path!r}")
    inner = with_number(getattr(parameters, name), rest, value) if dot else value
    return cast("P", replace(cast("Any", parameters), **{name: inner}))


def _fields_of(parameters: object) -> tuple[Any, ...]:
    if not is_dataclass(parameters) or isinstance(parameters, type):
        raise ValueError(f"expected a dataclass with numbers, got {parameters!r}")
    return fields(parameters)
