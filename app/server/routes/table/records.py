"""Routes with a game's record, its analysis, what changed it, and the hall of fame."""

from __future__ import annotations

import asyncio
from enum import StrEnum
from typing import Annotated, Any

from fastapi import APIRouter, Query, Request, Response
from fastapi.concurrency import run_in_threadpool

from kibitz.app.server.errors import ApiError, not_found
from kibitz.app.server.routes.common import answered, enter, errors, forbidden, need_server_host
from kibitz.app.server.routes.pictures.frames import JPEG
from kibitz.app.server.session import Session
from kibitz.app.tables.people.access import Actor
from kibitz.app.tables.results.analyses import Analyses, AnalysisError
from kibitz.app.tables.results.exports import EXPORTS, ExportError, export_table
from kibitz.app.tables.results.fame import FameGroup, finished_games, hall_of_fame
from kibitz.app.tables.table import Table
from kibitz.app.tables.why import changes_of, why
from kibitz.app.wire.answers import AnalysisAnswer, Document
from kibitz.app.wire.shape import LARGEST_NUMBER
from kibitz.app.wire.tables import Changes, Why
from kibitz.engine.phrases import phrase


class Format(StrEnum):
    """File format of a record."""

    JSON = "json"
    CSV = "csv"
    GCG = "gcg"
    CGP = "cgp"
    HTML = "html"


def record_routes(session: Session) -> APIRouter:
    """Routes for records, their analysis and their changes."""
    router = APIRouter(prefix="/api", tags=["record"])
    kinds: dict[int | str, dict[str, Any]] = {
        200: {
            "content": {
                e.media: {"schema": {"type": "object" if n == Format.JSON else "string"}}
                for n, e in EXPORTS.items()
            }
        }
    }

    @router.get(
        "/tables/{table_id}/record",
        response_class=Response,
        responses={**kinds, **errors(401, 403, 404, 409)},
    )
    def get_record(
        request: Request,
        table_id: str,
        format_: Annotated[Format, Query(alias="format")] = Format.JSON,
        after: Annotated[int | None, Query(ge=0, le=LARGEST_NUMBER)] = None,
    ) -> Response:
        """The game's record; secrets are left out while it is being played.

        CGP holds one position: as the game stands, or `after` so many entries of its history.
        """
        table, actor = enter(session, request, table_id)
        _check(table, actor)
        try:
            text = export_table(table, format_.value, after)
        except ExportError as error:
            raise ApiError(409, error.code, error.message) from error
        export = EXPORTS[format_.value]
        name = f"kibitz-{table.setup.opening.game.info.slug}-{table.id}.{export.suffix}"
        headers = {"content-disposition": f'attachment; filename="{name}"'}
        return Response(text, media_type=f"{export.media}; charset=utf-8", headers=headers)

    analyses, working = Analyses(), asyncio.Lock()

    @router.get(
        "/tables/{table_id}/analysis",
        response_model=AnalysisAnswer,
        responses=errors(401, 403, 404, 409),
    )
    async def get_analysis(request: Request, table_id: str) -> dict[str, Any]:
        """Every turn of a finished game beside its best scoring plays; nothing during play.

        It takes seconds; games that are asked for at once take turns at it. The answer is kept
        until something changes at the table. Points alone are compared, and of a rack only what is
        known counts.
        """
        table, actor = await run_in_threadpool(enter, session, request, table_id)
        if actor.role == "camera":
            raise forbidden(phrase("The camera's token opens no records."))
        try:
            found = analyses.known(table)
            while found is None:
                async with working:  # whoever waits longest has the next share
                    found = await run_in_threadpool(analyses.go_on, table)
        except AnalysisError as error:
            raise ApiError(409, error.code, error.message) from error
        return found

    @router.get("/tables/{table_id}/changes", response_model=Changes, responses=errors(401, 404))
    def get_changes(request: Request, table_id: str) -> Response:
        """Every change of the game and its scores, with its cause."""
        table, _ = enter(session, request, table_id)
        return answered(session, request, Changes(changes=tuple(changes_of(table))))

    @router.get("/tables/{table_id}/changes/{seq}", response_model=Why, responses=errors(401, 404))
    def get_why(request: Request, table_id: str, seq: int) -> Response:
        """Evidence for one change: before, after, the readings and the alternatives."""
        table, actor = enter(session, request, table_id)
        found = why(table, seq, actor)
        if found is None:
            raise ApiError(
                404, "no_change", phrase("Step {number} changed nothing in this game.", number=seq)
            )
        return answered(session, request, found)

    return router


def _check(table: Table, actor: Actor) -> None:
    if actor.role == "host" or (table.over and actor.role in ("watch", "seat")):
        return
    if actor.role == "camera":
        raise forbidden(phrase("The camera's token opens no records."))
    raise ApiError(
        403, "not_yet", phrase("The record is open to everybody once the game is over.")
    )


def fame_routes(session: Session) -> APIRouter:
    """Routes of the hall of fame; as it spans tables, only for the server's host."""
    router = APIRouter(prefix="/api/fame", tags=["record"])

    @router.get("", response_model=Document, responses=errors(401, 403))
    def fame(request: Request) -> dict[str, list[FameGroup]]:
        """Finished games of Frankenscrabbards with records and title holders."""
        need_server_host(session, request)
        return {"groups": hall_of_fame(finished_games(session.tables))}

    @router.get(
        "/{table_id}/picture.jpg",
        response_class=Response,
        responses={**JPEG, **errors(401, 403, 404)},
    )
    def picture(request: Request, table_id: str) -> Response:
        """The photograph of a finished game's final grid."""
        need_server_host(session, request)
        found = next((g for g in finished_games(session.tables) if g.table == table_id), None)
        table = session.tables.openable(found.table) if found else None
        jpeg = None
        if table is not None and found is not None and found.photo is not None:
            jpeg = table.picture(found.photo)
        if jpeg is None:
            raise not_found(phrase("No picture of this game was kept."))
        return Response(jpeg, media_type="image/jpeg")

    return router
