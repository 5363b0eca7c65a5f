"""Routes that explain how a game came to its state."""

from __future__ import annotations

from fastapi import APIRouter, Request, Response

from kibitz.app.server.errors import ApiError
from kibitz.app.server.routes.common import enter, errors
from kibitz.app.server.session import Session
from kibitz.app.server.speaking import answered
from kibitz.app.tables.why import changes_of, why
from kibitz.app.wire.tables import Changes, Why
from kibitz.engine.phrases import phrase


def change_routes(session: Session) -> APIRouter:
    """Routes about changes of a game."""
    router = APIRouter(prefix="/api", tags=["record"])

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
