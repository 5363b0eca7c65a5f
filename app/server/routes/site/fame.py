"""Routes of the hall of fame."""

from __future__ import annotations

from fastapi import APIRouter, Request, Response

from kibitz.app.server.errors import not_found
from kibitz.app.server.routes.common import errors, need_server_host
from kibitz.app.server.routes.pictures.frames import JPEG
from kibitz.app.server.session import Session
from kibitz.app.tables.results.fame import FameGroup, finished_games, hall_of_fame
from kibitz.app.wire.answers import Document
from kibitz.engine.phrases import phrase


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
