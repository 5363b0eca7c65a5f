"""Language of this process: for the command line, and for the server where nobody asks otherwise.

It is chosen once, before a command runs: by `--language` anywhere in a call, else as the system
has it. A program that imports Kibitz is spoken to in English.
"""

from __future__ import annotations

from typing import Any

from kibitz.app.languages.catalogues import ENGLISH, chosen_language, localized, say
from kibitz.engine.phrases import Notation

_chosen = [ENGLISH]
_asked: list[str | None] = [None]
_notation: list[Notation] = ["A1"]


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
    _notation[0] = "A1"
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
