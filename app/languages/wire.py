"""Translates documents: phrases inside them, or keeps phrases through JSON.

A document is what becomes JSON: dictionaries, lists and values. Phrases in it are translated just
before it leaves; where it is kept, what they were made of is kept beside them, so that a game can
be shown in any language later.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, TypeVar, cast

from kibitz.app.languages.catalogues import language
from kibitz.engine.phrases import Catalogue, Notation, Translatable, from_parts, in_language

ANSWERS = "choices"
"""Field whose texts stay English, as an answer sends one back; `labels` beside it are shown."""
LABELS = "labels"
KEPT = "_phrases"
"""The field of a kept document that holds what its phrases were made of, by their place."""


AnyDocument = TypeVar("AnyDocument")


def say(text: str, code: str, notation: Notation = "A1") -> str:
    """A text in a language, with squares named as a game's records do."""
    spoken = language(code, notation)
    return str.__str__(text) if spoken is None else in_language(text, spoken)


def localized(document: AnyDocument, code: str, notation: Notation = "A1") -> AnyDocument:
    """A document with every phrase translated; unchanged for English with the rules' squares.

    Choices of a question stay as they are, since an answer sends one of them back; their names in
    the language stand beside them as `labels`.
    """
    spoken = language(code, notation)
    # texts change, not the form
    return document if spoken is None else cast("AnyDocument", _localized(document, spoken))


def _localized(value: Any, spoken: Catalogue) -> Any:
    if isinstance(value, str):
        return in_language(value, spoken)
    if isinstance(value, Mapping):
        out = {key: x if key == ANSWERS else _localized(x, spoken) for key, x in value.items()}
        offered = value.get(ANSWERS)
        if isinstance(offered, (list, tuple)) and any(
            isinstance(x, Translatable) for x in offered
        ):
            out[LABELS] = [_localized(x, spoken) for x in offered]
        return out
    if isinstance(value, (list, tuple)):
        return [_localized(x, spoken) for x in value]
    return value


# --- kept ---------------------------------------------------------------------------------------


def with_phrases(document: Mapping[str, Any]) -> dict[str, Any]:
    """A document as JSON, together with the templates of its phrases."""
    found: list[list[Any]] = []
    _gather(document, [], found)
    return {**document, KEPT: found} if found else dict(document)


def _gather(value: Any, path: list[Any], found: list[list[Any]]) -> None:
    if isinstance(value, Translatable):
        found.append([list(path), value.parts()])
    elif isinstance(value, Mapping):
        for key, inner in value.items():
            _gather(inner, [*path, key], found)
    elif isinstance(value, (list, tuple)):
        for index, inner in enumerate(value):
            _gather(inner, [*path, index], found)


def phrases_back(document: Mapping[str, Any]) -> dict[str, Any]:
    """A document with its phrases rebuilt; unchanged if they do not match its texts."""
    out = dict(document)
    kept = out.pop(KEPT, None)
    for one in kept if isinstance(kept, list) else ():
        try:
            path, parts = one
            *way, last = path
            place: Any = out
            for step in way:
                place = place[step]
            text = from_parts(parts)
            if place[last] == text:
                place[last] = text
        except (KeyError, IndexError, TypeError, ValueError):
            continue  # the English text stands there
    return out
