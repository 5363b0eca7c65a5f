"""Base classes of shapes: frozen, with texts that can still be translated."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Annotated, Any, Final, Literal, TypeAlias

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, GetPydanticSchema
from pydantic_core import core_schema

from kibitz.app.common.limits import LIMITS

LARGEST_NUMBER: Final = 2**53
"""Larger whole numbers are not kept exactly where JSON's numbers are floats."""

Cell = Annotated[int, Field(ge=0, le=48)]
Layout: TypeAlias = Mapping[
    Literal["board", "scores", "play", "clock", "camera", "sheet", "unseen"],
    Annotated[tuple[Cell, ...], Field(min_length=4, max_length=4)],
]
"""Where parts of an overlay lie: left, top, width and height on a grid of 48 columns, 27 rows."""
Fields: TypeAlias = Mapping[str, Any]
"""A part whose fields depend on the game."""
Said = Annotated[
    str,
    GetPydanticSchema(
        lambda _kind, _handler: core_schema.json_or_python_schema(
            core_schema.str_schema(), core_schema.is_instance_schema(str)
        )
    ),
]
"""A sentence for people; one that is a phrase stays one."""


class Shape(BaseModel):
    """A shape that is sent or received; unknown fields of newer servers are ignored."""

    model_config = ConfigDict(frozen=True, extra="ignore")

    def to_json(self) -> dict[str, Any]:
        """The shape as JSON, without fields that were not set."""
        return self.model_dump(exclude_unset=True)

    def to_text(self) -> str:
        """The shape as JSON text, in English."""
        return self.model_dump_json(exclude_unset=True)


class Body(BaseModel):
    """A request; unknown fields are refused."""

    model_config = ConfigDict(extra="forbid")


def plain_json(value: Any) -> Any:
    """Refuse what not every JSON reader takes: special numbers, lone surrogates, deep nesting.

    Raises:
        ValueError: what is wrong.
    """
    todo = [(value, 0)]
    while todo:
        item, depth = todo.pop()
        if depth > LIMITS.depth:
            raise ValueError(f"at most {LIMITS.depth} levels are taken")
        if isinstance(item, str):
            _check_text(item)
        elif isinstance(item, float) and not math.isfinite(item):
            raise ValueError("numbers must be finite")
        elif isinstance(item, int) and abs(item) > LARGEST_NUMBER:
            raise ValueError(f"numbers must lie within {LARGEST_NUMBER}")
        elif isinstance(item, dict):
            todo += [(k, depth + 1) for k in item] + [(v, depth + 1) for v in item.values()]
        elif isinstance(item, list):
            todo += [(v, depth + 1) for v in item]
    return value


def _check_text(text: str) -> None:
    if "\0" in text or any(0xD800 <= ord(c) <= 0xDFFF for c in text):
        raise ValueError("text must be whole Unicode characters without NUL")


Plain = Annotated[dict[str, Any], AfterValidator(plain_json)]
Text = Annotated[str, AfterValidator(plain_json)]
Name = Annotated[str, Field(min_length=1, max_length=60), AfterValidator(plain_json)]
