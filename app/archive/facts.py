"""Facts of a game (rules, players, tiles …) from its own file `game.json` and from the command."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from kibitz.app.common.errors import UsageError
from kibitz.app.common.materials.named import TILE_SETS
from kibitz.app.face.opening import parse_setting
from kibitz.engine.games import DEFAULT_GAME, GAMES
from kibitz.engine.rules import JsonValue


@dataclass(frozen=True, slots=True)
class GameFacts:
    """Arguments of `kibitz.replay` for a game.

    Attributes:
        game: its slug, or MODULE:NAME of rules.
        players: names in seating order; None: numbered ones.
        settings: the game's settings.
        tiles: the tile set: its name, or a file.
        lexicon: the words that are good: `default`, `none` or a file.
        told: what people said: a list, or a file.
        start: the position to begin from, or a file.
        top: the photographs' edge that row A is nearest to.
        corners: the board's corners in every photograph.
        panel: which of nine joined boards each photograph shows.
        title: what people call the game.
        photographs: their names in order; none: all, in natural order.
        taken: seconds at which photographs were taken, by name; of others the file tells.
    """

    game: str = DEFAULT_GAME
    players: tuple[str, ...] | None = None
    settings: Mapping[str, Any] = field(default_factory=dict)
    tiles: str = "en"
    lexicon: str = "default"
    told: str | Sequence[Any] | None = None
    start: str | Mapping[str, Any] | None = None
    top: str | None = None
    corners: str | None = None
    panel: str | None = None
    title: str = ""
    photographs: tuple[str, ...] = ()
    taken: Mapping[str, float] = field(default_factory=dict)

    def files(self) -> dict[str, str]:
        """Names of the files needed beside the pictures, by their purpose (`tiles`, `start` …)."""
        named = {
            "tiles": self.tiles if self.tiles not in TILE_SETS else "",
            "lexicon": self.lexicon if self.lexicon not in ("default", "none") else "",
            "told": self.told if isinstance(self.told, str) else "",
            "start": self.start if isinstance(self.start, str) else "",
        }
        return {what: name for what, name in named.items() if name}

    def with_texts(self, texts: Mapping[str, str]) -> GameFacts:
        """A copy with other texts in the named fields."""
        given: dict[str, Any] = dict(texts)  # a checker of types cannot tell which fields
        return replace(self, **given)


def parse_facts(document: Any, usual: GameFacts) -> GameFacts:
    """Facts from a game's file; those that it leaves out are the command's.

    Fields that say nothing of how to replay (notes, licences, truth for tests) are passed over.

    Args:
        document: the JSON of the file.
        usual: what holds where the file says nothing.

    Raises:
        UsageError: a field is not what is taken; the message names it.
    """
    if not isinstance(document, Mapping):
        raise UsageError(
            f"game.json: expected an object with game and players, got {document!r:.60}"
        )
    facts = _with_options(document.get("options") or (), usual)
    if (game := _text(document, "game_slug")) is not None:
        facts = replace(facts, game=_own_game("game_slug", game))
    elif (named := _text(document, "game")) is not None and _is_game(named):
        facts = replace(facts, game=named)
    texts = {x: y for x in _TEXTS if (y := _text(document, x)) is not None}
    title = _text(document, "title") or _text(document, "game")
    if "tiles" not in texts and (language := _text(document, "language")) is not None:
        texts["tiles"] = language
    facts = replace(facts.with_texts(texts), title=title or "")
    for name, read in _READ.items():
        if document.get(name) is not None:
            facts = replace(facts, **{_FIELDS.get(name, name): read(name, document[name])})
    _check_files(facts, usual)
    photographs = _list("photos", document.get("photos") or ())
    return replace(
        facts,
        photographs=tuple(_photograph(p) for p in photographs),
        taken={_photograph(p): _seconds(p["at"]) for p in photographs if _has_time(p)},
    )


_TEXTS = ("tiles", "lexicon", "top", "corners", "panel")


def _players(name: str, value: Any) -> tuple[str, ...]:
    given = value.split(",") if isinstance(value, str) else value
    if not isinstance(given, list) or not all(isinstance(x, str) for x in given):
        raise UsageError(f'game.json: {name}: expected names as ["Ann", "Bob"], got {value!r:.60}')
    return tuple(x.strip() for x in given)


def _settings(name: str, value: Any) -> dict[str, JsonValue]:
    if not isinstance(value, Mapping):
        raise UsageError(f'game.json: {name}: expected {{"KEY": value}}, got {value!r:.60}')
    return dict(value)


def _parse_told(name: str, value: Any) -> str | list[Any]:
    if not isinstance(value, (str, list)):
        raise UsageError(
            f"game.json: {name}: expected a file or a list of actions, got {value!r:.60}"
        )
    return value


def _start(name: str, value: Any) -> str | dict[str, JsonValue]:
    if not isinstance(value, (str, Mapping)):
        raise UsageError(f"game.json: {name}: expected a file or a position, got {value!r:.60}")
    return value if isinstance(value, str) else dict(value)


_READ: Mapping[str, Any] = {
    "players": _players,
    "settings": _settings,
    "told": _parse_told,
    "initial": _start,
    "start": _start,
}
_FIELDS = {"initial": "start"}


def _text(document: Mapping[str, Any], name: str) -> str | None:
    value = document.get(name)
    if value is None or isinstance(value, str):
        return value
    if name == "game":
        return None  # only a title
    raise UsageError(f"game.json: {name}: expected a text, got {value!r:.60}")


def _own_game(name: str, value: str) -> str:
    """Check that this is one of Kibitz's own games: a file must not say which program is run."""
    if ":" in value:
        raise UsageError(
            f"game.json: {name}: expected the name of a game, got {value!r:.60}; rules of your "
            "own are given on the command line, with --game"
        )
    return value


def _check_files(facts: GameFacts, usual: GameFacts) -> None:
    """Check that the files a game names lie beside it; only the command may name others."""
    known = usual.files()
    for what, name in facts.files().items():
        if known.get(what) != name and ("/" in name or "\\" in name):
            raise UsageError(
                f"game.json: {what}: expected the name of a file beside it, got {name!r:.60}"
            )


def _is_game(name: str) -> bool:
    try:
        GAMES.find_info(name)
    except ValueError:
        return False  # a title
    return True


def _list(name: str, value: Any) -> list[Any]:
    if not isinstance(value, (list, tuple)):
        raise UsageError(f"game.json: {name}: expected a list, got {value!r:.60}")
    return list(value)


def _photograph(item: Any) -> str:
    name = item.get("file") if isinstance(item, Mapping) else item
    if not isinstance(name, str) or not name or "/" in name or "\\" in name:
        raise UsageError(f"game.json: photos: expected names of files beside it, got {item!r:.60}")
    return name


def _has_time(item: Any) -> bool:
    return isinstance(item, Mapping) and item.get("at") is not None


def _seconds(value: Any) -> float:
    if isinstance(value, bool) or not isinstance(value, (int, float)):
        raise UsageError(f"game.json: photos: at: expected seconds, got {value!r:.60}")
    return float(value)


def _with_options(options: Any, facts: GameFacts) -> GameFacts:
    """Facts with the `kibitz replay` options that a game's file gives."""
    for option, value in _pairs(_list("options", options)):
        name = option.removeprefix("--")
        if name == "set":
            key, setting = parse_setting(value, files=False)
            facts = replace(facts, settings={**facts.settings, key: setting})
        elif name == "players":
            facts = replace(facts, players=_players(name, value))
        elif name == "game":
            facts = replace(facts, game=_own_game(name, value))
        elif name in (*_TEXTS, "told", "start"):
            facts = facts.with_texts({name: value})
        else:
            raise UsageError(
                f"game.json: options: expected those of 'kibitz replay' that say how a game is "
                f"replayed, got {option!r}"
            )
    return facts


def _pairs(options: Sequence[Any]) -> Iterator[tuple[str, str]]:
    items = iter(options)
    for option in items:
        value = next(items, None)
        if (
            not isinstance(option, str)
            or not option.startswith("--")
            or not isinstance(value, str)
        ):
            raise UsageError(
                f"game.json: options: expected an option and its value, got {option!r:.40} and "
                f"{value!r:.40}"
            )
        yield option, value
