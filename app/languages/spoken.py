"""The language of this process: what the command line says, and a server where nobody else asks.

It is chosen once, before a command runs: by `--language` anywhere in a call, else as the system
has it. A program that imports Kibitz is spoken to in English.
"""

from __future__ import annotations

from typing import Any

from kibitz.app.languages.catalogues import ENGLISH, chosen_language
from kibitz.app.languages.wire import localized, say

_chosen = [ENGLISH]


def language_of_process() -> str:
    """The code of the language that this process speaks."""
    return _chosen[0]


def speak(code: str | None) -> str:
    """Choose the language of this process: as given; the system's for None or `system`.

    Returns:
        The code that holds from now on.

    Raises:
        ValueError: Kibitz does not speak it.
    """
    _chosen[0] = chosen_language(code)
    return _chosen[0]


def said(text: str) -> str:
    """A text in the language of this process."""
    return say(text, _chosen[0])


def in_own_language(document: Any) -> Any:
    """A document in the language of this process."""
    return localized(document, _chosen[0])
