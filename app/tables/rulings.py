"""People's rulings on the roots of words, kept in a file from game to game (rule GS-12)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from contextlib import suppress

from kibitz.app.common.files import named_path, write_private
from kibitz.app.tables.table import Table
from kibitz.engine.games import GAMES, Games
from kibitz.engine.rules import JsonValue
from kibitz.engine.words.roots import ruling_texts, rulings_from_texts

FILE = "root-rulings.txt"


class RootRulings:
    """Rulings in a text file, one pair of words a line.

    Args:
        place: where tables are kept; only a folder can hold the file, in a database the rulings
            stay with their tables.
        games: what can be played there.
    """

    def __init__(self, place: str, games: Games = GAMES) -> None:
        self._games = games
        self._path = None if "://" in place else named_path(place) / FILE

    def kept(self) -> tuple[str, ...]:
        """Rulings so far; invalid lines are skipped."""
        if self._path is None:
            return ()
        try:
            lines = self._path.read_text(encoding="utf-8").splitlines()
        except (OSError, UnicodeDecodeError):
            return ()
        return tuple(x for line in lines if (x := line.split("#", 1)[0].strip()) and _is_ruling(x))

    def keep(self, rulings: Iterable[str]) -> None:
        """Add rulings; a later one on a pair replaces the earlier one.

        A file that cannot be written now is left as it is: the table's own record has them too.
        """
        before = rulings_from_texts(self.kept())
        after = {**before, **rulings_from_texts(rulings)}
        if self._path is None or after == before:
            return
        with suppress(OSError):
            write_private(self._path, "\n".join(ruling_texts(after)) + "\n")

    def header_of(self, header: Mapping[str, JsonValue]) -> dict[str, JsonValue]:
        """A new table's header with the kept rulings, if its game takes any; its own win."""
        try:
            setting = self._games.find_info(str(header.get("game"))).rulings_setting
        except ValueError:
            setting = None  # that there is no such game is said where the table is made
        if setting is None:
            return dict(header)
        settings = header.get("settings") or {}
        given = settings.get(setting) or ()
        own = given.split(",") if isinstance(given, str) else given
        kept = self.kept()
        if not kept or not isinstance(own, (list, tuple)):
            return dict(header)
        return {**header, "settings": {**settings, setting: [*kept, *own]}}

    def listen_to(self, table: Table) -> None:
        """Keep rulings made at a table from now on, if its game has any."""
        if table.setup.opening.game.info.rulings_setting is None:
            return

        def heard() -> None:
            rulings = getattr(table.ledger.state, "rulings", None)
            if rulings:
                self.keep(ruling_texts(rulings))

        table.listeners.append(heard)


def _is_ruling(text: str) -> bool:
    try:
        rulings_from_texts([text])
    except ValueError:
        return False
    return True
