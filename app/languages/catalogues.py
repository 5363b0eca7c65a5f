"""Catalogues of the languages that Kibitz speaks, and the language of this process.

English is what the rules write; each other language is one gettext catalogue, a `.po` file
(docs/languages.md). Plurals follow its own rule, numbers and lists the language's conventions
(CLDR, by Babel).
"""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, TypeVar, cast

from kibitz.engine.phrases import (
    Catalogue,
    Listed,
    Notation,
    Numeral,
    Translatable,
    from_parts,
    in_language,
)

if TYPE_CHECKING:  # loaded only where another language than English is spoken
    from babel import Locale
    from babel.messages.catalog import Catalog


LOCALES = Path(__file__).resolve().parent / "locale"
ENGLISH: Final = "en"
LANGUAGES: Final[Mapping[str, str]] = {
    "en": "English",
    "de": "Deutsch",
    "fr": "Français",
    "es": "Español",
    "it": "Italiano",
    "nl": "Nederlands",
    "pl": "Polski",
    "ro": "Română",
    "fi": "Suomi",
    "pt": "Português",
    "sv": "Svenska",
}
"""Every language by its code, in its own name."""

PLURALS: Final[Mapping[str, tuple[str, ...]]] = {
    "pl": ("one", "few", "many"),
    "ro": ("one", "few", "other"),
}
"""The plural forms of a catalogue in order, by the names that browsers give them."""
TWO_FORMS: Final = ("one", "other")


def catalogue_file(code: str) -> Path:
    """Path of a language's catalogue."""
    return LOCALES / code / "LC_MESSAGES" / "kibitz.po"


def read_catalogue(code: str) -> Catalog:
    """A language's catalogue as Babel parses it."""
    from babel.messages.pofile import read_po

    with catalogue_file(code).open("rb") as file:
        return read_po(file, locale=code)


@dataclass(frozen=True, slots=True)
class Language:
    """A language other than English: the catalogue that `kibitz.engine.phrases` needs.

    Attributes:
        code: its code, as `de`.
        locale: its conventions.
        sentences: translations by their template.
        forms: translations by the template for one, in the order of the catalogue's plural rule.
        index: which form a number takes.
        notation: how squares are written; None where they are named as they are spoken.
    """

    code: str
    locale: Locale
    sentences: Mapping[str, str]
    forms: Mapping[tuple[str, str], tuple[str, ...]]
    index: Mapping[str, int]
    notation: Notation | None = None

    def sentence(self, template: str) -> str:
        """Translation of a template; the template itself if there is none."""
        return self.sentences.get(template) or template

    def counted(self, one: str, many: str, count: int) -> str:
        """Translation in the form for a number; English if there is none."""
        forms = self.forms.get((one, many))
        if not forms or not all(forms):
            return one if count == 1 else many
        wanted = self.index.get(self.locale.plural_form(count), len(forms) - 1)
        return forms[min(wanted, len(forms) - 1)]

    def number(self, value: float) -> str:
        """A number as this language writes it."""
        from babel.numbers import format_decimal

        return str(format_decimal(value, locale=self.locale))

    def numeral(self, numeral: Numeral) -> str:
        """A small number in digits."""
        return self.number(numeral.number)

    def listed(self, parts: Sequence[str]) -> str:
        """The parts as a list in this language: `A, B and C`."""
        from babel.lists import format_list

        return str(format_list(list(parts), locale=self.locale))


@dataclass(frozen=True, slots=True)
class English:
    """English as it stands in phrases, with squares named in another way."""

    notation: Notation

    def sentence(self, template: str) -> str:
        """The template itself."""
        return template

    def counted(self, one: str, many: str, count: int) -> str:
        """The template for a number."""
        return one if count == 1 else many

    def number(self, value: float) -> str:
        """The number as phrases write it."""
        return str(value)

    def numeral(self, numeral: Numeral) -> str:
        """The number as announcements spell it."""
        return str.__str__(numeral)

    def listed(self, parts: Sequence[str]) -> str:
        """The parts as phrases list them."""
        return str.__str__(Listed(parts))


def forms_of(code: str) -> tuple[str, ...]:
    """Names of a catalogue's plural forms, in order."""
    return PLURALS.get(code, TWO_FORMS)


@cache
def language(code: str, notation: Notation | None = None) -> Catalogue | None:
    """A language by its code, and how it writes squares; None where phrases stay as they are.

    Raises:
        ValueError: there is no such language.
    """
    known_language(code)
    if code == ENGLISH:
        return None if notation is None else English(notation)
    return replace(translations(code), notation=notation)


@cache
def translations(code: str) -> Language:
    """The texts of a language other than English."""
    from babel import Locale

    sentences: dict[str, str] = {}
    forms: dict[tuple[str, str], tuple[str, ...]] = {}
    for message in read_catalogue(code):
        if not message.id or message.fuzzy:
            continue
        if isinstance(message.id, (tuple, list)):
            forms[message.id[0], message.id[1]] = tuple(message.string or ())
        elif message.string:
            sentences[str(message.id)] = str(message.string)
    index = {name: i for i, name in enumerate(forms_of(code))}
    return Language(code, Locale.parse(code), sentences, forms, index)


def known_language(code: str) -> str:
    """Code of a language that Kibitz speaks.

    Raises:
        ValueError: it speaks no such language.
    """
    if code in LANGUAGES:
        return code
    raise ValueError(f"expected one of {' '.join(LANGUAGES)}, got {code!r:.40}")


def language_of_system(environment: Mapping[str, str] | None = None) -> str:
    """Language of the environment if Kibitz speaks it; else English."""
    settings = os.environ if environment is None else environment
    for name in ("LC_ALL", "LC_MESSAGES", "LANG"):
        if value := settings.get(name):
            code = value.split(".")[0].split("_")[0].lower()
            return code if code in LANGUAGES else ENGLISH
    return ENGLISH


def chosen_language(given: str | None) -> str:
    """Language of a call: as given, or the system's for `system` or None.

    Raises:
        ValueError: Kibitz does not speak it.
    """
    return language_of_system() if given in (None, "system") else known_language(given)


def best_of(accepted: str) -> str | None:
    """First language of an `Accept-Language` header that Kibitz speaks; None if there is none."""
    wanted: list[tuple[float, int, str]] = []
    for place, part in enumerate(accepted.split(",")[:20]):
        name, _, weight = part.strip().partition(";q=")
        try:
            share = float(weight) if weight else 1.0
        except ValueError:
            continue
        code = name.split("-")[0].lower()
        if code in LANGUAGES and share > 0:
            wanted.append((-share, place, code))
    return min(wanted)[2] if wanted else None


ANSWERS = "choices"
"""Field whose texts stay English, as an answer sends one back; `labels` beside it are shown."""
LABELS = "labels"
KEPT = "_phrases"
"""The field of a kept document that holds what its phrases were made of, by their place."""


AnyDocument = TypeVar("AnyDocument")


def say(text: str, code: str, notation: Notation | None = None) -> str:
    """A text in a language, with squares as a game's records write them, or as they are spoken."""
    spoken = language(code, notation)
    return str.__str__(text) if spoken is None else in_language(text, spoken)


def localized(document: AnyDocument, code: str, notation: Notation | None = None) -> AnyDocument:
    """A document with every phrase translated; unchanged for English with squares as spoken.

    Choices of a question stay as they are, since an answer sends one of them back; their names in
    the language stand beside them as `labels`.
    """
    spoken = language(code, notation)
    # texts change, not the form
    return document if spoken is None else cast("AnyDocument", _localized(document, spoken))


def _localized(value: Any, spoken: Catalogue) -> Any:
    if isinstance(value, Translatable):
        return value.translated(spoken)
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


_chosen = [ENGLISH]
_asked: list[str | None] = [None]
_notation: list[Notation | None] = [None]


def language_of_process() -> str:
    """Code of this process's language."""
    return _chosen[0]


def speak(code: str | None) -> str:
    """Set this process's language: as given, or the system's for None or `system`.

    Returns:
        The code that holds from now on.

    Raises:
        ValueError: Kibitz does not speak it.
    """
    _chosen[0] = chosen_language(code)
    _asked[0] = code
    _notation[0] = None
    return _chosen[0]


def name_squares(notation: Notation) -> None:
    """Set how this process names squares to people, until its next command."""
    _notation[0] = notation


def language_of_server() -> str | None:
    """The code of the language that `--language` says; None where each browser has its own."""
    return None if _asked[0] is None else _chosen[0]


def said(text: str) -> str:
    """A text in this process's language."""
    return say(text, _chosen[0], _notation[0])


def in_own_language(document: Any) -> Any:
    """A document in this process's language."""
    return localized(document, _chosen[0], _notation[0])
