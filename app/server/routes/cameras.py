"""How a table's camera is chosen and aimed."""

from __future__ import annotations

from typing import Any

from fastapi import APIRouter, Request
from fastapi.concurrency import run_in_threadpool

from kibitz.app.common.addresses import shown_source
from kibitz.app.reading.request import goes_round
from kibitz.app.server.errors import ApiError
from kibitz.app.server.feeds import Feeds
from kibitz.app.server.messages import CornersBody, Document, SourceBody
from kibitz.app.server.routes.common import enter, errors, forbidden, need_server_host
from kibitz.app.server.session import Session
from kibitz.app.server.speaking import spoken_to
from kibitz.app.tables.state import camera_json
from kibitz.engine.phrases import phrase


def camera_routes(session: Session, feeds: Feeds) -> APIRouter:
    """The calls about the camera itself."""
    router = APIRouter(prefix="/api", tags=["camera"])

    @router.put(
        "/tables/{table_id}/source",
        response_model=Document,
        responses=errors(401, 403, 404),
    )
    def put_source(request: Request, table_id: str, body: SourceBody) -> dict[str, Any]:
        """Let the server open a camera for the table, or let go of it; for the server's host."""
        table, actor = enter(session, request, table_id)
        if actor.role != "host":
            raise forbidden(phrase("Only the table's host chooses its camera."))
        need_server_host(session, request, token_given=True)
        if body.source is None:
            return {"opened": None, "stopped": feeds.stop(table.id)}
        feeds.start(table, body.source)
        return {"opened": shown_source(body.source.strip())}

    @router.put(
        "/tables/{table_id}/corners",
        response_model=Document,
        responses=errors(401, 403, 404, 409),
    )
    async def put_corners(request: Request, table_id: str, body: CornersBody) -> dict[str, Any]:
        """Say where the board lies in the picture, or with null let it be found again."""
        table, actor = await run_in_threadpool(enter, session, request, table_id)
        if not actor.sees_all_pictures:
            raise forbidden(phrase("Only the host and the camera say where the board lies."))
        opening = table.setup.opening
        surfaces = opening.game.info.surfaces(len(opening.players))
        if surfaces[0].kind == "loose" or len(surfaces) > 1:
            raise ApiError(
                409, "no_corners", phrase("Corners are given where one board is watched.")
            )
        camera = session.camera_of(table)
        if camera is None:
            raise ApiError(
                409, "no_frame", phrase("No frame has come yet; start the camera first.")
            )
        corners = None if body.corners is None else _checked(body.corners)
        await run_in_threadpool(camera.aim, corners)
        return {"camera": spoken_to(session, request, camera_json(camera, actor))}

    return router


def _checked(corners: list[tuple[float, float]]) -> tuple[tuple[float, float], ...]:
    """Four corners that make a board.

    Raises:
        ApiError: they do not.
    """
    points = tuple((float(x), float(y)) for x, y in corners)
    if not goes_round(points, least=1e-4):
        message = phrase(
            "The four corners make no four-sided board; go round it in order, row A first."
        )
        raise ApiError(422, "bad_corners", message)
    return points
