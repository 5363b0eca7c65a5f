"""Orders for tables, what this server offers, and whether an order makes a game."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any, Final, Required, TypedDict

from kibitz.app.common.errors import UsageError
from kibitz.app.common.materials.named import TILE_SETS, make_materials, with_list_named
from kibitz.app.common.materials.own_words import kept_names
from kibitz.app.languages.catalogues import LANGUAGES
from kibitz.app.tables.midway import start_for
from kibitz.engine.board.layouts import on_board_of
from kibitz.engine.games import GAMES, Games
from kibitz.engine.options import BadOption, check_options
from kibitz.engine.phrases import listed, phrase
from kibitz.engine.record.ledger import Opening
from kibitz.engine.rules import JsonValue

LONGEST_NAME: Final = 40
"""Letters of a player's name; a table's title has twice as many."""


class OrderError(UsageError):
    """An order that makes no table; `code` is stable, the message says what was expected."""

    def __init__(self, code: str, message: str) -> None:
        super().__init__(message)
        self.code = code
        self.message = message


SLOW, USUAL, QUICK = PACES = ("slow", "usual", "quick")
"""Paces at which people lay their tiles: one after the other with pauses, or a play in one go."""


class Header(TypedDict, total=False):
    """Setup of a table, as it is kept; `languages` by player, the table's own under ""."""

    game: Required[str]
    players: Required[list[str]]
    settings: Required[dict[str, JsonValue]]
    tiles: Required[str]
    lexicon: Required[str]
    languages: dict[str, str]
    pace: str
    delay_s: int
    notation: str
    initial: dict[str, JsonValue]


@dataclass(frozen=True, slots=True)
class Order:
    """An order for a table."""

    game: str
    players: tuple[str, ...]
    settings: Mapping[str, Any] = field(default_factory=dict)
    tiles: str = "en"
    lexicon: str = "default"
    initial: Mapping[str, Any] | None = None
    languages: Mapping[str, str] = field(default_factory=dict)
    pace: str = USUAL
    delay_s: int = 0
    notation: str | None = None

    def to_json(self) -> Header:
        """The header to be kept."""
        out: Header = {
            "game": self.game,
            "players": list(self.players),
            "settings": dict(self.settings),
            "tiles": self.tiles,
            "lexicon": self.lexicon,
        }
        if self.languages:
            out["languages"] = dict(self.languages)
        if self.pace != USUAL:
            out["pace"] = self.pace
        if self.delay_s:
            out["delay_s"] = self.delay_s
        if self.notation is not None:
            out["notation"] = self.notation
        return {**out, "initial": dict(self.initial)} if self.initial else out


@dataclass(frozen=True, slots=True)
class Offer:
    """Games and materials that a server offers to its tables.

    Attributes:
        games: the games.
        tile_sets: names of tile sets that callers may ask for, with their files.
        lexicons: the same for word lists; a caller never names a file of the server.
    """

    games: Games
    tile_sets: Mapping[str, str]
    lexicons: Mapping[str, str]

    def with_start(self, order: Order) -> Order:
        """The order with its position in the form of the rules.

        Raises:
            OrderError: the position is none.
        """
        if not order.initial:
            return order
        opening = self.opening({**order.to_json(), "initial": None})
        try:
            start = start_for(opening, order.initial)
        except ValueError as error:
            raise OrderError(
                "cannot_begin", phrase("This game cannot begin: {why}.", why=error)
            ) from error
        return replace(order, initial=start)

    def as_of_now(self, header: Header) -> Header:
        """A new table's header, with values that older headers leave out."""
        try:
            info = self.games.find_info(header["game"])
        except ValueError:
            return header  # that there is no such game is said when the table is set up
        newer = {s.name: s.default for s in info.settings if s.before is not None}
        return {**header, "settings": {**newer, **header["settings"]}}

    def opening(self, header: Mapping[str, Any]) -> Opening:
        """The opening that a header describes.

        Raises:
            OrderError: there is no such game, setting, tile set, list or number of players.
        """
        try:
            game = self.games.find_game(str(header["game"]))
        except ValueError as error:
            raise OrderError("unknown_game", str(error)) from error
        try:
            older = {s.name: s.before for s in game.info.settings if s.before is not None}
            options = check_options(game.info, {**older, **(header.get("settings") or {})})
        except BadOption as error:
            raise OrderError(error.code, str(error)) from error
        game = on_board_of(game, options)
        players = check_names(header["players"])
        tiles, lexicon = str(header["tiles"]), str(header["lexicon"])
        options = with_list_named(options, lexicon)
        named = str(options["lexicon"])
        for wanted in (lexicon, named):
            if wanted not in self.lexicons:
                known = ", ".join(sorted(self.lexicons))
                message = phrase(
                    "There is no word list {name} here; known are {known}.",
                    name=f"{wanted!r}",
                    known=known,
                )
                raise OrderError("unknown_lexicon", message)
        if tiles not in self.tile_sets:
            message = phrase(
                "There is no tile set {tiles}; known are {names}.",
                tiles=f"{tiles!r}",
                names=listed(self.tile_sets, ", "),
            )
            raise OrderError("unknown_tiles", message)
        # the list is resolved here by name, so that a setting never reaches a file
        plain = {k: v for k, v in options.items() if k != "lexicon"}
        try:
            materials = make_materials(self.lexicons[named], self.tile_sets[tiles], plain)
            opening = Opening(game, players, options, materials, header.get("initial"))
            opening.begin()
        except (ValueError, KeyError, TypeError, AttributeError, UsageError) as error:
            message = phrase("This game cannot begin: {why}.", why=error)
            raise OrderError("cannot_begin", message) from error
        return opening


def offer_of(
    lexicons: Mapping[str, str] | None = None,
    tile_sets: Mapping[str, str] | None = None,
    games: Games = GAMES,
) -> Offer:
    """Offer of what comes with Kibitz, what the user keeps by name, and these files."""
    kept = {name: name for name in kept_names()}
    return Offer(
        games,
        {**{name: name for name in TILE_SETS}, **(tile_sets or {})},
        {"default": "default", "none": "none", **kept, **(lexicons or {})},
    )


def check_languages(order: Order) -> None:
    """Check that every language is one of Kibitz's, and belongs to somebody at the table.

    Raises:
        OrderError: one is not, or does not.
    """
    for player, code in order.languages.items():
        if code not in LANGUAGES:
            message = phrase(
                "There is no language {code} here; known are {known}.",
                code=f"{code!r:.40}",
                known=" ".join(LANGUAGES),
            )
            raise OrderError("unknown_language", message)
        if player and player not in order.players:
            raise OrderError("unknown_player", f"There is no player {player!r:.60} at this table.")


def check_title(given: str | None) -> str | None:
    """A table's title, trimmed; empty removes it.

    Raises:
        OrderError: it is too long, or holds what cannot be printed.
    """
    if given is None:
        return None
    name = " ".join(given.split())
    if len(name) > 2 * LONGEST_NAME or not name.isprintable():
        message = phrase(
            "Expected a name of at most {most} letters, got {name}.",
            most=2 * LONGEST_NAME,
            name=f"{name!r:.90}",
        )
        raise OrderError("bad_name", message)
    return name


def check_names(given: object) -> tuple[str, ...]:
    """Players' names, trimmed.

    Raises:
        OrderError: a name is missing, too long or there twice.
    """
    if not isinstance(given, (list, tuple)) or not all(isinstance(n, str) for n in given):
        raise OrderError("bad_players", phrase("Expected the players' names as a list."))
    names = tuple(" ".join(n.split()) for n in given)
    for name in names:
        if not name or len(name) > LONGEST_NAME or not name.isprintable():
            message = phrase(
                "Expected names of 1 to {most} letters, got {name}.",
                most=LONGEST_NAME,
                name=f"{name!r}",
            )
            raise OrderError("bad_players", message)
    if len({n.casefold() for n in names}) != len(names):
        raise OrderError("bad_players", phrase("Every player needs a name of their own."))
    return names
