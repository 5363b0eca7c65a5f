"""Games, tables, tokens."""

from __future__ import annotations

from typing import Any

from fastapi import APIRouter, Request

from kibitz.app.common.storage import Damage
from kibitz.app.reading.request import SQUARES_OF_GAME
from kibitz.app.server.errors import ApiError
from kibitz.app.server.messages import (
    DamagedEntry,
    Document,
    GameEntry,
    GamesAnswer,
    NewTable,
    NewTableAnswer,
    NewToken,
    SettingInfo,
    TableEntry,
    TablesAnswer,
    TokenAnswer,
)
from kibitz.app.server.routes.common import enter, errors, forbidden, need_server_host
from kibitz.app.server.security import caller_of, is_server_host
from kibitz.app.server.session import Session
from kibitz.app.tables.fame import GAME, records_for
from kibitz.app.tables.registry import Order, check_names
from kibitz.app.tables.state import state_json
from kibitz.engine.games import games
from kibitz.engine.rules import GameRules


def table_routes(session: Session) -> APIRouter:
    """The calls about tables as a whole."""
    router = APIRouter(prefix="/api", tags=["tables"])

    @router.get("/games", response_model=GamesAnswer, responses=errors())
    def list_games(request: Request) -> GamesAnswer:
        """The games with their seats and settings, and whether the caller may set up a table."""
        return GamesAnswer(
            games=[_game_entry(g) for g in games()],
            tiles=list(session.tables.tile_sets),
            lexicons=sorted(session.tables.lexicons),
            may_create=is_server_host(request, session),
        )

    @router.post(
        "/tables", response_model=NewTableAnswer, status_code=201, responses=errors(401, 403)
    )
    def create_table(request: Request, body: NewTable) -> NewTableAnswer:
        """Set up a table; the tokens in the answer are shown this once."""
        need_server_host(session, request)
        if not session.new_tables.take(caller_of(request)):
            raise ApiError(429, "too_many_calls", "Too many new tables; wait a minute.")
        order = Order(
            body.game,
            check_names(body.players),
            body.settings,
            body.tiles,
            body.lexicon,
            body.initial or _records(session, body),
        )
        opened = session.tables.create(order)
        session.listen(opened.table)
        return NewTableAnswer(
            table=opened.table.id,
            host_token=opened.host,
            camera_token=opened.camera,
            watch_token=opened.watch,
            seat_tokens=dict(opened.seats),
        )

    @router.get("/tables", response_model=TablesAnswer, responses=errors(401, 403))
    def list_tables(request: Request) -> TablesAnswer:
        """The server's tables, the newest first, for its host."""
        need_server_host(session, request)
        damaged = {d.table: d for d in session.tables.damages()}
        whole = [_table_entry(session, r) for r in session.tables.rows() if r.id not in damaged]
        return TablesAnswer(tables=whole, damaged=[_damaged_entry(d) for d in damaged.values()])

    @router.get("/tables/{table_id}", response_model=Document, responses=errors(401, 404))
    def get_table(request: Request, table_id: str) -> dict[str, Any]:
        """The table as the caller may see it."""
        table, actor = enter(session, request, table_id)
        return state_json(table, actor, session.camera_of(table))

    @router.post(
        "/tables/{table_id}/tokens",
        response_model=TokenAnswer,
        status_code=201,
        responses=errors(401, 403, 404),
    )
    def add_token(request: Request, table_id: str, body: NewToken) -> TokenAnswer:
        """A further token of a table, for its host or the server's host."""
        if is_server_host(request, session):
            table = session.tables.get(table_id) if table_id.isalnum() else None
            if table is None:
                raise ApiError(404, "not_found", "There is no such table.")
        else:
            table, actor = enter(session, request, table_id)
            if actor.role != "host":
                raise forbidden("Only the table's host hands out tokens.")
        players = table.setup.opening.players
        if (body.role == "seat") != (body.player is not None):
            raise ApiError(422, "bad_request", "A seat's token, and only that, names its player.")
        if body.player is not None and body.player not in players:
            message = f"Expected one of {', '.join(players)}, got {body.player!r}."
            raise ApiError(422, "unknown_player", message)
        token = session.tables.add_token(table_id, body.role, body.player)
        return TokenAnswer(token=token, role=body.role, player=body.player)

    return router


def _records(session: Session, body: NewTable) -> dict[str, Any] | None:
    """Earlier games that a new one of Frankenscrabbards is compared with (FS-22)."""
    if body.game != GAME:
        return None
    game_set = str(body.settings.get("fs.game_set") or "")
    records = records_for(session.tables, game_set, len(body.players))
    return {"records": records} if records else None


def _game_entry(game: GameRules[Any]) -> GameEntry:
    info = game.info
    squares = SQUARES_OF_GAME.get(info.slug, 15)
    kind = {"loose": "loose", "45": "grid45"}.get(str(squares), "board")
    if info.slug == "scrabble-house":
        kind = "boards"
    return GameEntry(
        game=info.slug,
        title=info.title,
        players=list(info.players),
        surfaces=kind,
        settings=[
            SettingInfo(
                name=s.name,
                default=list(s.default) if isinstance(s.default, tuple) else s.default,
                sentence=s.sentence,
                choices=None if s.choices is None else list(s.choices),
                rule=s.rule,
                minimum=s.minimum,
                maximum=s.maximum,
            )
            for s in info.settings
        ],
    )


def _damaged_entry(damage: Damage) -> DamagedEntry:
    return DamagedEntry(
        table=damage.table,
        players=list(damage.players),
        wrong=damage.wrong,
        steps=damage.readable,
        message=damage.sentence,
    )


def _table_entry(session: Session, row: Any) -> TableEntry:
    table = session.tables.is_open(row.id)
    return TableEntry(
        table=row.id,
        game=str(row.header["game"]),
        players=[str(p) for p in row.header["players"]],
        created=row.created,
        open=table is not None,
        over=None if table is None else table.over,
        watching=session.hub.watching(row.id),
    )
