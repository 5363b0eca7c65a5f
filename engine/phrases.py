"""Translatable texts: English strings that remember template and values.

A phrase is a `str`: it prints, compares and is written as JSON as the English sentence. Beside
that it keeps its template and its values, from which a catalogue makes the same sentence in
another language, with that language's order of words, plurals and numbers. The rules make phrases
and know no language but English; catalogues are given from outside (`kibitz.app.languages`).
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Final, Literal, Protocol, TypeAlias

NUMERALS: Final = (
    "zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten",
    "eleven", "twelve", "thirteen", "fourteen", "fifteen",
)  # fmt: skip
"""Small numbers as English announcements spell them; other languages' voices read digits well."""

Notation: TypeAlias = Literal["A1", "1A"]
"""Names of squares, row first: `A1` letters the rows (rule 0.1), `1A` the columns, as clubs do."""
NOTATIONS: Final[tuple[Notation, ...]] = ("A1", "1A")


class Catalogue(Protocol):
    """Sentences of one language."""

    def sentence(self, template: str) -> str:
        """Translation of a template; the template itself if there is none."""
        ...

    def counted(self, one: str, many: str, count: int) -> str:
        """Translation in the form for a number; English if there is none."""
        ...

    def number(self, value: float) -> str:
        """A number as this language writes it."""
        ...

    def numeral(self, numeral: Numeral) -> str:
        """A small number as this language's announcements say it."""
        ...

    def listed(self, parts: Sequence[str]) -> str:
        """The parts as a list in this language: `A, B and C`."""
        ...

    @property
    def notation(self) -> Notation | None:
        """The way in which squares are written; None where they are named as they are spoken."""
        ...


class Translatable(str):
    """A text that can be translated into other languages."""

    __slots__ = ()

    def __str__(self) -> str:
        """Return the text itself: `str(error)` must not lose its template and values."""
        return self

    def translated(self, catalogue: Catalogue) -> str:
        """Translate the text."""
        raise NotImplementedError

    def parts(self) -> dict[str, Any]:
        """Template and values as JSON; `from_parts` reads them back."""
        raise NotImplementedError

    def __reduce__(self) -> tuple[Any, ...]:
        """Pickle template and values, as phrases travel between processes."""
        return from_parts, (self.parts(),)


class Phrase(Translatable):
    """A template with its values: `{player} passes.`."""

    __slots__ = ("template", "values")
    template: str
    values: Mapping[str, Any]

    def __new__(cls, template: str, /, **values: Any) -> Phrase:
        """Fill in the template."""
        self = super().__new__(cls, template.format(**values) if values else template)
        self.template, self.values = template, values
        return self

    def filled(self, **values: Any) -> Phrase:
        """The same template with other values."""
        return Phrase(self.template, **values)

    def translated(self, catalogue: Catalogue) -> str:
        """Translate the sentence."""
        return _filled(catalogue.sentence(self.template), self.values, catalogue)

    def parts(self) -> dict[str, Any]:
        """Template and values as JSON."""
        return {"say": self.template, **_with_values(self.values)}


class Counted(Translatable):
    """A singular and a plural template, with the number that chooses between them."""

    __slots__ = ("many", "number", "one", "values")
    one: str
    many: str
    number: int
    values: Mapping[str, Any]

    def __new__(cls, one: str, many: str, /, count: int, **values: Any) -> Counted:
        """Choose a template and fill it in; `count` is one of its values."""
        template = one if abs(count) == 1 else many
        self = super().__new__(cls, template.format(count=count, **values))
        self.one, self.many, self.number, self.values = one, many, count, values
        return self

    def translated(self, catalogue: Catalogue) -> str:
        """Translate the sentence, in the plural form for the number."""
        template = catalogue.counted(self.one, self.many, abs(self.number))
        return _filled(template, {**self.values, "count": self.number}, catalogue)

    def parts(self) -> dict[str, Any]:
        """Templates, number and other values as JSON."""
        out = {"one": self.one, "many": self.many, "count": self.number}
        return {**out, **_with_values(self.values)}


class Listed(Translatable):
    """A list in a sentence: `A, B and C`, or with another separator."""

    __slots__ = ("between", "items")
    items: tuple[str, ...]
    between: str | None

    def __new__(cls, items: Iterable[str], between: str | None = None) -> Listed:
        """Join the items; without `between` the last two are joined by `and`."""
        listed = tuple(items)
        if between is not None:
            text = between.join(listed)
        elif len(listed) > 1:
            text = f"{', '.join(listed[:-1])} and {listed[-1]}"
        else:
            text = "".join(listed)
        self = super().__new__(cls, text)
        self.items, self.between = listed, between
        return self

    def translated(self, catalogue: Catalogue) -> str:
        """Translate the list."""
        items = [_value(x, catalogue) for x in self.items]
        if self.between is None or self.between == " and ":
            return catalogue.listed(items)
        return self.between.join(items)

    def parts(self) -> dict[str, Any]:
        """Items and separator as JSON."""
        return {"list": [_kept(x) for x in self.items], "between": self.between}


class Numeral(Translatable):
    """A small number that English spells and other languages write in digits."""

    __slots__ = ("capital", "number")
    number: int
    capital: bool

    def __new__(cls, number: int, *, capital: bool = False) -> Numeral:
        """Spell a number from 0 to 15, others are written in digits; `capital` begins a line."""
        spelled = NUMERALS[number] if 0 <= number < len(NUMERALS) else str(number)
        self = super().__new__(cls, spelled.capitalize() if capital else spelled)
        self.number, self.capital = number, capital
        return self

    def translated(self, catalogue: Catalogue) -> str:
        """The number in digits."""
        return catalogue.numeral(self)

    def parts(self) -> dict[str, Any]:
        """The number as JSON."""
        return {"numeral": self.number, **({"capital": True} if self.capital else {})}


class SquareName(Translatable):
    """A square in a sentence, by its name: `H8`, or `H eight` as it is spoken."""

    __slots__ = ("name", "spoken")
    name: str
    spoken: bool

    def __new__(cls, name: str, *, spoken: bool = False) -> SquareName:
        """Name a square as the rules do."""
        _, row, column = name_parts(name)
        self = super().__new__(cls, f"{row} {Numeral(int(column))}" if spoken else name)
        self.name, self.spoken = name, spoken
        return self

    def translated(self, catalogue: Catalogue) -> str:
        """Name the square as the game's records do, or as it is spoken in this language."""
        written = catalogue.notation
        board, *both = name_parts(self.name, written or "A1")
        if written is not None or not self.spoken:
            return "".join((board, *both))
        return " ".join(catalogue.numeral(Numeral(int(x))) if x.isdecimal() else x for x in both)

    def parts(self) -> dict[str, Any]:
        """The name as JSON."""
        return {"square": self.name, **({"spoken": True} if self.spoken else {})}


def name_parts(name: str, notation: Notation = "A1") -> tuple[str, str, str]:
    """Board, row and column of `H8` or `4:B8`, as a notation names them."""
    board, colon, square = name.rpartition(":")
    row, column = square[0], square[1:]
    if notation == "1A":
        row, column = str(ord(row) - 64), chr(64 + int(column))
    return board + colon, row, column


phrase, counted, listed = Phrase, Counted, Listed


def several(*texts: str) -> Listed:
    """Join sentences with spaces, leaving out empty ones."""
    return Listed([text for text in texts if text], " ")


def in_language(text: str, catalogue: Catalogue) -> str:
    """Translate a text; plain strings stay as they are."""
    return text.translated(catalogue) if isinstance(text, Translatable) else text


def _value(value: Any, catalogue: Catalogue) -> str:
    if isinstance(value, Translatable):
        return value.translated(catalogue)
    if isinstance(value, (int, float)) and not isinstance(value, bool):
        return catalogue.number(value)
    return str(value)


def _filled(template: str, values: Mapping[str, Any], catalogue: Catalogue) -> str:
    if not values:
        return template
    return template.format(**{name: _value(x, catalogue) for name, x in values.items()})


# --- as JSON ------------------------------------------------------------------------------------


def _kept(value: Any) -> Any:
    if isinstance(value, Translatable):
        return value.parts()
    return value if isinstance(value, (int, float)) else str(value)


def _with_values(values: Mapping[str, Any]) -> dict[str, Any]:
    return {"with": {name: _kept(x) for name, x in values.items()}} if values else {}


def from_parts(parts: Any) -> Any:
    """Rebuild a phrase from its JSON; plain values stay as they are.

    Raises:
        ValueError: these are no phrase's parts.
    """
    if not isinstance(parts, Mapping):
        return parts
    try:
        if "numeral" in parts:
            return Numeral(int(parts["numeral"]), capital=bool(parts.get("capital")))
        if "square" in parts:
            return SquareName(str(parts["square"]), spoken=bool(parts.get("spoken")))
        if "list" in parts:
            return Listed([from_parts(x) for x in parts["list"]], parts.get("between"))
        values = {str(k): from_parts(x) for k, x in (parts.get("with") or {}).items()}
        if "say" in parts:
            return Phrase(str(parts["say"]), **values)
        return Counted(str(parts["one"]), str(parts["many"]), int(parts["count"]), **values)
    except (KeyError, TypeError, IndexError, ValueError) as error:
        raise ValueError(f"expected what a phrase is made of, got {dict(parts)!r:.80}") from error
