"""Routes about games, tables, their links and tokens."""

from __future__ import annotations

import time
from collections.abc import Iterator
from itertools import islice
from typing import Annotated, Any

from fastapi import APIRouter, Query, Request, Response

from kibitz.app.common.limits import LISTS
from kibitz.app.common.storage.tables import Damage, TableRow
from kibitz.app.common.storage.upkeep import Label, Link
from kibitz.app.languages.catalogues import say
from kibitz.app.server.access.security import caller_of, is_server_host
from kibitz.app.server.background.feeds import Feeds
from kibitz.app.server.errors import ApiError
from kibitz.app.server.routes.common import (
    answered,
    enter,
    enter_as_host,
    errors,
    need_server_host,
    noted_language,
)
from kibitz.app.server.session import Session
from kibitz.app.tables.orders import Order, check_names
from kibitz.app.tables.results.fame import records_for
from kibitz.app.wire.answers import (
    DamagedTable,
    GameKind,
    Games,
    LinkAnswer,
    LinkEntry,
    LinksAnswer,
    NewTable,
    Setting,
    TableEntry,
    TableLabel,
    Tables,
    TokenAnswer,
)
from kibitz.app.wire.bodies import LinkChange, NewTableBody, NewToken, TableChange
from kibitz.app.wire.tables import TableView
from kibitz.engine.phrases import listed, phrase
from kibitz.engine.rules import GameInfo


def table_routes(session: Session, feeds: Feeds) -> APIRouter:
    """Routes about tables as a whole."""
    router = APIRouter(prefix="/api", tags=["tables"])

    @router.get("/games", response_model=Games, responses=errors())
    def list_games(request: Request) -> Games:
        """The games with their seats and settings; `may_create`: the caller may set up a table."""
        return Games(
            games=tuple(
                _game_entry(i, noted_language(session, request))
                for i in session.tables.offer.games.infos
            ),
            tiles=tuple(session.tables.offer.tile_sets),
            lexicons=tuple(sorted(session.tables.offer.lexicons)),
            may_create=is_server_host(request, session),
            demo=session.demo,
        )

    @router.post("/tables", response_model=NewTable, status_code=201, responses=errors(401, 403))
    def create_table(request: Request, body: NewTableBody) -> NewTable:
        """Set up a table; the tokens in the answer are shown this once."""
        need_server_host(session, request)
        if not session.new_tables.take(caller_of(request)):
            raise ApiError(429, "too_many_calls", phrase("Too many new tables; wait a minute."))
        order = Order(
            body.game,
            check_names(body.players),
            body.settings,
            body.tiles,
            body.lexicon,
            body.initial or _records(session, body),
            {**body.languages, **({"": body.language} if body.language else {})},
            body.pace,
            session.delay_s if body.delay_s is None else body.delay_s,
            body.notation,
        )
        opened = session.tables.create(order)
        session.listen(opened.table)
        return NewTable(
            table=opened.table.id,
            host_token=opened.host,
            camera_token=opened.camera,
            watch_token=opened.watch,
            seat_tokens=dict(opened.seats),
        )

    @router.get("/tables", response_model=Tables, responses=errors(401, 403))
    def list_tables(
        request: Request,
        limit: Annotated[int, Query(ge=1, le=1000)] = 200,
        search: Annotated[str, Query(max_length=200)] = "",
        away: bool = True,
    ) -> Tables:
        """The server's tables, the newest first; for its host."""
        need_server_host(session, request)
        named = _named(session, search.casefold().split(), away=away)
        found = list(islice(named, limit + 1))
        return Tables(
            tables=tuple(_table_entry(session, row, label) for row, label in found[:limit]),
            more=len(found) > limit,
            damaged=tuple(map(_damaged_entry, session.tables.set_aside())),
        )

    @router.get("/tables/{table_id}", response_model=TableView, responses=errors(401, 404))
    def get_table(request: Request, table_id: str) -> Response:
        """The table as the caller may see it."""
        table, actor = enter(session, request, table_id)
        view = session.view(table, actor, noted_language(session, request))
        return answered(session, request, view)

    _add_changes(router, session, feeds)
    return router


def _add_changes(router: APIRouter, session: Session, feeds: Feeds) -> None:
    @router.patch("/tables/{table_id}", response_model=TableLabel, responses=errors(401, 403, 404))
    def change_table(request: Request, table_id: str, body: TableChange) -> TableLabel:
        """Name a table, put it away or take it out again; for its host or the server's."""
        enter_as_host(session, request, table_id)
        label = session.tables.label(table_id, name=body.name, archived=body.archived)
        return TableLabel(table=table_id, name=label.name, archived=label.archived is not None)

    @router.delete("/tables/{table_id}", status_code=204, responses=errors(401, 403, 404))
    def delete_table(request: Request, table_id: str) -> Response:
        """Take a table away with all its pictures, for its host or the server's; for good."""
        enter_as_host(session, request, table_id)
        feeds.stop(table_id)
        session.delete(table_id)
        return Response(status_code=204)

    @router.post(
        "/tables/{table_id}/tokens",
        response_model=TokenAnswer,
        status_code=201,
        responses=errors(401, 403, 404),
    )
    def add_token(request: Request, table_id: str, body: NewToken) -> TokenAnswer:
        """The token of a place at a table, for its host or the server's host."""
        table = enter_as_host(session, request, table_id)
        players = table.setup.opening.players
        if (body.role == "seat") != (body.player is not None):
            raise ApiError(422, "bad_request", "A seat's token, and only that, names its player.")
        if body.player is not None and body.player not in players:
            message = phrase(
                "Expected one of {names}, got {player}.",
                names=listed(players, ", "),
                player=f"{body.player!r}",
            )
            raise ApiError(422, "unknown_player", message)
        token = session.tables.add_token(table_id, body.role, body.player)
        return TokenAnswer(
            token=token, role=body.role, player=body.player, address=session.address
        )


def _records(session: Session, body: NewTableBody) -> dict[str, list[dict[str, int | str]]] | None:
    """Earlier games to compare a new one with, where records are kept (FS-22); else None."""
    try:
        info = session.tables.offer.games.find_info(body.game)
    except ValueError:
        return None  # that there is no such game is said where the table is made
    if info.hall_of_fame is None:
        return None
    game_set = str(body.settings.get(info.hall_of_fame.game_set) or "")
    records = records_for(session.tables, info, game_set, len(body.players))
    return {"records": records} if records else None


def _game_entry(info: GameInfo, language: str) -> GameKind:
    kind = "loose" if info.surface.kind == "loose" else "board"
    if info.surface.joined:
        kind = f"grid{info.surface.rows}"
    elif info.seats_per_board is not None:
        kind = "boards"
    return GameKind(
        game=info.slug,
        title=info.title,
        players=tuple(info.players),
        surfaces=kind,
        sentence=say(info.sentence, language),
        notation=info.notation,
        settings=tuple(
            Setting(
                name=s.name,
                default=list(s.default) if isinstance(s.default, tuple) else s.default,
                usual=s.usual,
                sentence=say(s.sentence, language),
                choices=None if s.choices is None else tuple(s.choices),
                rule=s.rule,
                minimum=s.minimum,
                maximum=s.maximum,
            )
            for s in info.settings
        ),
    )


def _named(session: Session, words: list[str], *, away: bool) -> Iterator[tuple[TableRow, Label]]:
    """Tables with their names, newest first, that match some words.

    Args:
        session: the server.
        words: what is looked for; none: every table.
        away: also those that were put away.
    """
    aside = {damage.table for damage in session.tables.set_aside()}
    rows = (row for row in session.tables.rows() if row.id not in aside)
    while some := list(islice(rows, LISTS.first)):
        labels = session.tables.storage.labels([row.id for row in some])
        for row in some:
            label = labels.get(row.id, Label())
            if (away or label.archived is None) and _is_called(session, row, label, words):
                yield row, label


def _is_called(session: Session, row: Any, label: Label, words: list[str]) -> bool:
    """True if all words occur in a table's name, players or game."""
    if not words:
        return True
    slug = str(row.header["game"])
    try:
        title = session.tables.offer.games.find_info(slug).title
    except ValueError:
        title = ""  # a game that is not there any more
    players = map(str, row.header["players"])
    text = " ".join((row.id, label.name, slug, title, *players)).casefold()
    return all(word in text for word in words)


def _damaged_entry(damage: Damage) -> DamagedTable:
    return DamagedTable(
        table=damage.table,
        players=tuple(damage.players),
        wrong=damage.wrong,
        steps=damage.readable,
        message=damage.sentence,
    )


def _table_entry(session: Session, row: Any, label: Label) -> TableEntry:
    table = session.tables.is_open(row.id)
    return TableEntry(
        table=row.id,
        name=label.name,
        archived=label.archived is not None,
        game=str(row.header["game"]),
        players=tuple(map(str, row.header["players"])),
        created=row.created,
        open=table is not None,
        over=None if table is None else table.over,
        watching=session.hub.watching(row.id),
    )


PLAIN_ROLES = ("host", "camera", "watch")


def link_routes(session: Session) -> APIRouter:
    """Routes about links."""
    router = APIRouter(prefix="/api", tags=["tables"])

    @router.get(
        "/tables/{table_id}/links", response_model=LinksAnswer, responses=errors(401, 403, 404)
    )
    def list_links(request: Request, table_id: str) -> LinksAnswer:
        """The places at a table and how many links open each; their tokens are not shown."""
        table = enter_as_host(session, request, table_id)
        kept = session.tables.links(table_id)
        places = [("seat", p) for p in table.setup.opening.players]
        every = [*places, *((role, None) for role in PLAIN_ROLES)]
        return LinksAnswer(links=tuple(_entry(kept, role, player) for role, player in every))

    @router.post(
        "/tables/{table_id}/links", response_model=LinkAnswer, responses=errors(401, 403, 404)
    )
    def change_link(request: Request, table_id: str, body: LinkChange) -> LinkAnswer:
        """End the links to a place, with `renew` for a new one; who came through one is let go."""
        table = enter_as_host(session, request, table_id)
        if (body.renew is None) is (body.revoke is None):
            raise ApiError(422, "bad_request", "Expected either 'renew' or 'revoke'.")
        named = body.renew if body.renew is not None else body.revoke
        role, player = _place(str(named), body.role, table.setup.opening.players)
        if body.revoke is not None:
            if role == "host":
                raise ApiError(422, "bad_request", "Renew the host's link; a table needs one.")
            session.tables.revoke(table_id, role, player)
            session.hub.wake(table_id)
            return LinkAnswer(token=None, role=role, player=player)
        expires = None if body.hours is None else time.time() + body.hours * 3600
        token = session.tables.renew(table_id, role, player, expires)
        session.hub.wake(table_id)
        return LinkAnswer(token=token, role=role, player=player, expires=expires)

    return router


def _place(named: str, role: str | None, players: tuple[str, ...]) -> tuple[str, str | None]:
    """The requested place: a role and, for a seat, its player.

    Raises:
        ApiError: there is no such place.
    """
    if named in players and role in (None, "seat"):
        return "seat", named
    if named in PLAIN_ROLES and role in (None, named):
        return named, None
    message = phrase(
        "Expected one of {names}, got {named}.",
        names=", ".join((*players, *PLAIN_ROLES)),
        named=f"{named!r}",
    )
    raise ApiError(422, "unknown_player", message)


def _entry(kept: tuple[Link, ...], role: str, player: str | None) -> LinkEntry:
    here = [link for link in kept if (link.role, link.player) == (role, player)]
    ends = [link.expires for link in here]
    last = None if None in ends else max((e for e in ends if e is not None), default=None)
    made = max((link.made for link in here), default=0.0)
    return LinkEntry(role=role, player=player, links=len(here), made=made or None, expires=last)
