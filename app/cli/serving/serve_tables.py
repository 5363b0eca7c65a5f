"""Tables that a server starts with, from the command line or a settings file."""

from __future__ import annotations

import difflib
import time
import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, fields, replace
from pathlib import Path
from typing import Any, Final

from kibitz.app.cli.options import read_notation
from kibitz.app.common.addresses import shown_source
from kibitz.app.common.errors import UsageError
from kibitz.app.common.limits import WAITS
from kibitz.app.common.materials import starts
from kibitz.app.common.materials.named import TILE_SETS, any_word_note, load_lexicon, load_tile_set
from kibitz.app.common.materials.own_games import info_of
from kibitz.app.common.materials.own_words import TAKEN, kept_names
from kibitz.app.common.terminal import show_progress
from kibitz.app.face.opening import player_names
from kibitz.app.reading.request import ON_SINGLE_BOARDS, game_slug
from kibitz.app.reading.teaching import reads_taught
from kibitz.app.server.background.retention import GOES_ON_S, KEPT_S
from kibitz.app.tables.orders import PACES, USUAL, Order
from kibitz.app.tables.people.access import Actor
from kibitz.app.tables.registry import Opened, Tables
from kibitz.engine.games import DEFAULT_GAME
from kibitz.engine.options import usual_settings
from kibitz.engine.rules import Action, Refused

VERSION: Final = 1
DRAW = "draw"
"""The word for who begins that lets Kibitz draw."""


def _option(default: Any, kind: type | tuple[type, ...], expected: str) -> Any:
    """A field of a plan, with its type in a settings file and the words for what is expected."""
    facts = {"kind": kind, "expected": expected}
    if isinstance(default, dict):
        return field(default_factory=dict, metadata=facts)
    return field(default=default, metadata=facts)


@dataclass(frozen=True, slots=True)
class TablePlan:
    """A table to open when the server starts, and its cameras."""

    game: str = _option(DEFAULT_GAME, str, "a game's name in quotes")
    players: tuple[str, ...] | None = _option(None, list, "a list of names")
    settings: Mapping[str, Any] = _option({}, dict, "a table of settings")
    tiles: str = _option("en", str, "a tile set or its file in quotes")
    lexicon: str = _option("default", str, "a word list's file in quotes, default or none")
    start: Mapping[str, Any] | None = _option(
        None, str, "the file of a position to begin from, in quotes"
    )
    camera: str | None = _option(None, str, "a camera's number, address, file or folder in quotes")
    cameras: tuple[str, ...] = _option(
        (), list, "a list of cameras in quotes, one for each of several joined boards"
    )
    panels: tuple[int, ...] = _option(
        (), list, "a list of the joined boards (1 to 9) that the cameras watch"
    )
    calibration: str | None = _option(
        None, str, "the name under which kibitz calibrate kept the table, in quotes"
    )
    profile: str | None = _option(
        None, str, "what kibitz calibrate --teach kept of the tiles, a file in quotes"
    )
    begin: str | None = _option(None, str, "a player's name or draw, in quotes")
    pace: str = _option(USUAL, str, "slow, usual or quick in quotes")
    delay: float = _option(0.0, (int, float), "the minutes that spectators are behind")
    notation: str | None = _option(None, str, "A1 or 1A in quotes")

    def __post_init__(self) -> None:
        """Refuse several cameras without joined boards, and a first player not at the table.

        Raises:
            UsageError: another game, not as many boards as cameras, or nobody of that name.
        """
        if not 0 <= 60 * self.delay <= WAITS.air_s:
            most = f"{WAITS.air_s / 60:g} minutes"
            raise UsageError(f"--delay: expected 0 to {most}, got {self.delay:g}")
        if self.pace not in PACES:
            raise UsageError(f"--pace: expected one of {', '.join(PACES)}, got {self.pace!r}")
        read_notation(self.notation)
        if self.profile and not reads_taught(info_of(self.game), len(self.order().players)):
            raise UsageError(*ON_SINGLE_BOARDS)
        if self.begin not in (None, DRAW):
            seated = self.order().players
            if self.begin not in seated:
                known = ", ".join((*seated, DRAW))
                raise UsageError(f"--begin: expected one of {known}, got {self.begin!r}")
        if len(self.watched) > 1 and not info_of(self.game).surface.joined:
            title = info_of(self.game).title
            raise UsageError(f"--camera: several cameras are for joined boards; {title} has none")
        if self.panels and len(self.panels) != len(self.watched):
            raise UsageError(
                f"--panel: expected a board for each of {len(self.watched)} cameras, got "
                f"{len(self.panels)}"
            )

    @property
    def delay_s(self) -> int:
        """So many seconds spectators are behind."""
        return round(60 * self.delay)

    @property
    def watched(self) -> tuple[str, ...]:
        """All cameras of the table."""
        return (*((self.camera,) if self.camera else ()), *self.cameras)

    def order(self) -> Order:
        """The order for the table; players without names are numbered.

        Raises:
            UsageError: there is no such game, or it is not for so many.
        """
        slug = game_slug(self.game)
        given = None if self.players is None else ",".join(self.players)
        names = player_names(given, info_of(self.game).players)
        settings = {**usual_settings(info_of(self.game)), **self.settings}
        lexicon, start = self.lexicon, self.start
        return Order(
            slug,
            names,
            settings,
            self.tiles,
            lexicon,
            start,
            pace=self.pace,
            delay_s=self.delay_s,
            notation=self.notation,
        )

    def beginning(self, path: str | Path) -> TablePlan:
        """The plan with the starting position from a file, and that file's facts.

        Raises:
            UsageError: it cannot be read, or it is of another game or other players.
        """
        start = starts.load_start(path)
        if start.game is not None and game_slug(start.game) != game_slug(self.game):
            raise UsageError(f"--start: {path} is a game of {start.game}, not of {self.game}")
        if start.players is not None and self.players not in (None, start.players):
            raise UsageError(
                f"--start: {path} names the players {', '.join(start.players)}; "
                f"got --players {','.join(self.players or ())}"
            )
        return replace(
            self,
            players=self.players or start.players,
            settings={**start.settings, **self.settings},
            tiles=start.tiles if self.tiles == "en" and start.tiles else self.tiles,
            lexicon=start.lexicon if self.lexicon == "default" and start.lexicon else self.lexicon,
            start=start.position,
        )


class Files:
    """The starter's word lists and tile sets, by names of their files.

    Callers and kept tables name them; only this machine's host says which files they are.
    """

    def __init__(self) -> None:
        self.lexicons: dict[str, str] = {}
        self.tile_sets: dict[str, str] = {}

    def names(self, lexicon: str, tiles: str) -> tuple[str, str]:
        """Names under which a word list and a tile set are offered.

        Raises:
            UsageError: one of them is none.
        """
        load_tile_set(tiles)
        load_lexicon(lexicon, tiles)
        if (note := any_word_note(lexicon, tiles, {})) is not None:
            show_progress(note)
        return (
            _name_of(lexicon, self.lexicons, (*TAKEN, *kept_names())),
            _name_of(tiles, self.tile_sets, TILE_SETS),
        )

    def named(self, plan: TablePlan) -> TablePlan:
        """The plan with files replaced by these names."""
        lexicon, tiles = self.names(plan.lexicon, plan.tiles)
        return replace(plan, lexicon=lexicon, tiles=tiles)


def _name_of(given: str, files: dict[str, str], known: Sequence[str]) -> str:
    """A known name, or the name of a file, which must not hide a known one."""
    if given in known:
        return given
    name = Path(given).stem
    while name in known or files.get(name, given) != given:
        name += "-own"
    files[name] = given
    return name


def read_plans(path: Path) -> tuple[TablePlan, ...]:
    """Tables of a settings file.

        version = 1

        [[tables]]
        game = "scrabble"
        players = ["Ann", "Bob"]
        camera = "0"
        settings = { reject_invalid = false }

    Raises:
        UsageError: what was expected, what came, and in which table.
    """
    try:
        with path.open("rb") as file:
            given = tomllib.load(file)
    except OSError as error:
        raise UsageError(f"--config: cannot read {path}: {error.strerror}") from error
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise UsageError(f"--config: {path} is no TOML: {error}") from error
    version = given.get("version", VERSION)
    if version != VERSION:
        raise UsageError(
            f"--config: {path} is of version {version!r}, this Kibitz knows version {VERSION}; "
            "update Kibitz, or write the file anew"
        )
    _check_keys(given, ("version", "tables"), f"{path}")
    tables = given.get("tables")
    if not isinstance(tables, list) or not tables:
        raise UsageError(f"--config: {path}: expected at least one [[tables]], got none")
    return tuple(_plan(t, f"{path}, table {n}") for n, t in enumerate(tables, 1))


def _plan(given: Any, where: str) -> TablePlan:
    if not isinstance(given, dict):
        raise UsageError(f"--config: {where}: expected [[tables]], got {_shown(given)}")
    known = {one.name: one.metadata for one in fields(TablePlan)}
    _check_keys(given, tuple(known), where)
    for key, value in given.items():
        if not isinstance(value, known[key]["kind"]):
            expected = known[key]["expected"]
            raise UsageError(f"--config: {where}: {key}: expected {expected}, got {_shown(value)}")
    lists = {k: tuple(v) for k, v in given.items() if isinstance(v, list)}
    if not all(isinstance(p, int) and 1 <= p <= 9 for p in lists.get("panels", ())):
        got = _shown(given["panels"])
        raise UsageError(f"--config: {where}: panels: expected boards 1 to 9, got {got}")
    start = given.pop("start", None)
    try:
        if start is not None and "game" not in given:
            given["game"] = starts.load_start(start).game or DEFAULT_GAME
        plan = TablePlan(**{**given, **lists})
        return plan if start is None else plan.beginning(start)
    except UsageError as error:
        raise UsageError(f"--config: {where}: {error.on_command_line}") from error


def _shown(given: Any) -> str:
    """A value of a settings file as errors may show it, without passwords."""
    if isinstance(given, dict):
        return "a table"
    if isinstance(given, list):
        return f"[{', '.join(_shown(x) for x in given)}]"
    return repr(shown_source(given)) if isinstance(given, str) else repr(given)


def _check_keys(given: Mapping[str, Any], known: tuple[str, ...], where: str) -> None:
    for key in given:
        if key in known:
            continue
        near = difflib.get_close_matches(key, known, 1)
        guess = f"; did you mean {near[0]!r}?" if near else ""
        names = ", ".join(sorted(known))
        raise UsageError(f"--config: {where}: unknown key {key!r}; known are {names}{guess}")


def check_planned(tables: Tables, plan: TablePlan) -> None:
    """Check that a planned table can be opened, before anything is printed or kept.

    Raises:
        UsageError: what is asked for is no table.
    """
    try:
        tables.offer.opening(tables.offer.with_start(plan.order()).to_json())
    except ValueError as error:
        raise UsageError(str(error)) from error


def open_planned(tables: Tables, plan: TablePlan, *, anew: bool = False) -> tuple[Opened, bool]:
    """Open a planned table, or continue an unfinished game of the same kind.

    Args:
        tables: those of the server.
        plan: what is wanted.
        anew: a new game, whatever was left unfinished.

    Returns:
        The table with tokens, and whether it goes on.

    Raises:
        UsageError: what is asked for is no table.
    """
    try:
        order = tables.offer.with_start(plan.order())
        table_id = None if anew else _unfinished(tables, order)
        if table_id is None:
            return tables.create(order), False
        table = tables.get(table_id)
        assert table is not None
    except ValueError as error:
        raise UsageError(str(error)) from error
    seats = {p: tables.add_token(table_id, "seat", p) for p in order.players}
    host, camera, watch = (
        tables.add_token(table_id, role, None) for role in ("host", "camera", "watch")
    )
    return Opened(table, host, camera, watch, seats), True


def settle_first(opened: Opened, begin: str | None) -> tuple[str, ...]:
    """Set the first player at a new table, or draw for it; returns the announcements.

    Raises:
        UsageError: nobody begins in this game.
    """
    if begin is None:
        return ()
    action = Action("draw_lots") if begin == DRAW else Action("begin", data={"seat": begin})
    outcome = opened.table.act(action, Actor("host"))
    if isinstance(outcome, Refused):
        raise UsageError(f"--begin: {outcome.message}")
    return outcome.say


def _is_like(header: Mapping[str, Any], wanted: Mapping[str, Any]) -> bool:
    """True if a kept table was set up in the same way; rulings may have been added to it.

    What is usual by now may not have been a setting when it was kept.
    """
    settings = {**usual_settings(info_of(wanted["game"])), **(header.get("settings") or {})}
    plain = {k: v for k, v in wanted.items() if k != "settings"}
    return {k: header.get(k) for k in plain} == plain and all(
        settings.get(k) == v for k, v in wanted["settings"].items()
    )


def _unfinished(tables: Tables, order: Order) -> str | None:
    wanted = order.to_json()
    for row in tables.rows(since=time.time() - KEPT_S):
        if not _is_like(row.header, wanted) or tables.is_open(row.id):
            continue
        if tables.is_elsewhere(row.id):
            continue  # another server of the hall plays on there
        table = tables.openable(row.id)
        if table is None or table.over:
            continue
        newest = table.steps[-1].at if table.steps else row.created
        if time.time() - newest < GOES_ON_S:
            return row.id
    return None
