"""Routes to choose and aim a table's camera."""

from __future__ import annotations

import os
from collections.abc import Mapping
from typing import Annotated

from fastapi import APIRouter, Query, Request, Response
from fastapi.concurrency import run_in_threadpool

from kibitz.app.cameras.onvif import OnvifError, find_cameras, find_streams
from kibitz.app.cameras.state import camera_state
from kibitz.app.cameras.table_camera import TableCamera
from kibitz.app.common.addresses import shown_source
from kibitz.app.common.storage.upkeep import Label
from kibitz.app.reading.request import is_convex
from kibitz.app.server.background.feeds import Feeds
from kibitz.app.server.errors import ApiError, not_found
from kibitz.app.server.routes.common import answered, enter, errors, forbidden, need_server_host
from kibitz.app.server.routes.pictures.frames import JPEG
from kibitz.app.server.session import Session
from kibitz.app.tables.table import Table
from kibitz.app.wire.answers import (
    CameraEntry,
    CamerasAnswer,
    CameraTrouble,
    Document,
    NetworkCamera,
    NetworkCameras,
    NetworkStream,
    NetworkStreams,
)
from kibitz.app.wire.bodies import CornersBody, OnvifBody, SourceBody
from kibitz.app.wire.tables import Aimed
from kibitz.engine.phrases import phrase


def camera_routes(session: Session, feeds: Feeds) -> APIRouter:
    """Routes about the camera itself."""
    router = APIRouter(prefix="/api", tags=["camera"])

    @router.get("/cameras", response_model=CamerasAnswer, responses=errors(401, 403))
    def list_cameras(request: Request) -> Response:
        """Every camera of the server's tables, for its host."""
        need_server_host(session, request)
        tables = session.tables.open_tables()
        labels = session.tables.storage.labels()
        every = CamerasAnswer(
            cameras=tuple(
                _camera_entry(table, camera, labels)
                for table in tables
                for camera in session.cameras_of(table)
            ),
            cores=os.cpu_count() or 1,
        )
        return answered(session, request, every)

    @router.get(
        "/cameras/{table_id}/{number}.jpg",
        response_class=Response,
        responses={**JPEG, **errors(401, 403, 404)},
    )
    def get_camera_picture(
        request: Request,
        table_id: str,
        number: int,
        overlay: Annotated[bool, Query(description="With the reading drawn on it.")] = False,
    ) -> Response:
        """The newest picture of one camera, for the server's host."""
        need_server_host(session, request)
        table = session.tables.is_open(table_id)
        there = session.cameras_of(table) if table is not None else []
        camera = next((c for c in there if c.number == number - 1), None)
        jpeg = camera.picture(overlay=overlay) if camera else None
        if jpeg is None:
            raise not_found("No picture has come from this camera.")
        return Response(jpeg, media_type="image/jpeg")

    @router.put(
        "/tables/{table_id}/source",
        response_model=Document,
        responses=errors(401, 403, 404),
    )
    def put_source(
        request: Request, table_id: str, body: SourceBody
    ) -> dict[str, str | bool | None]:
        """Let the server open a camera for the table, or let go of it; for the server's host."""
        table, actor = enter(session, request, table_id)
        if actor.role != "host":
            raise forbidden(phrase("Only the table's host chooses its camera."))
        need_server_host(session, request, token_given=True)
        if body.source is None:
            return {"opened": None, "stopped": feeds.plug_out(table.id)}
        feeds.start(table, body.source)
        return {"opened": shown_source(body.source.strip())}

    @router.put(
        "/tables/{table_id}/corners",
        response_model=Aimed,
        responses=errors(401, 403, 404, 409),
    )
    async def put_corners(request: Request, table_id: str, body: CornersBody) -> Response:
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
        aimed = Aimed(camera=camera_state(camera, actor))
        return answered(session, request, aimed)

    _add_network(router, session)
    return router


def _add_network(router: APIRouter, session: Session) -> None:
    @router.get("/cameras/found", response_model=NetworkCameras, responses=errors(401, 403, 409))
    def look_for_cameras(request: Request) -> NetworkCameras:
        """Cameras of the home network that answer an ONVIF search; for the server's host."""
        need_server_host(session, request)
        try:
            found = find_cameras()
        except OnvifError as error:
            raise ApiError(409, "not_found_out", str(error)) from error
        every = (NetworkCamera(name=one.name, address=one.address) for one in found)
        return NetworkCameras(cameras=tuple(every))

    @router.post(
        "/cameras/streams", response_model=NetworkStreams, responses=errors(401, 403, 409)
    )
    def ask_for_streams(request: Request, body: OnvifBody) -> NetworkStreams:
        """The streams of such a camera, asked as a user of it; for the server's host."""
        need_server_host(session, request)
        try:
            found = find_streams(body.address, body.user, body.password)
        except OnvifError as error:
            raise ApiError(409, "not_found_out", str(error)) from error
        every = (NetworkStream(name=one.name, size=one.size, source=one.source) for one in found)
        return NetworkStreams(streams=tuple(every))


def _camera_entry(table: Table, camera: TableCamera, labels: Mapping[str, Label]) -> CameraEntry:
    report, trouble = camera.newest, camera.last_trouble
    name = labels.get(table.id, Label()).name
    path = f"/api/cameras/{table.id}/{camera.number + 1}.jpg"
    return CameraEntry(
        table=table.id,
        title=name or ", ".join(table.setup.opening.players),
        number=camera.number + 1,
        source=camera.source,
        pictures=camera.load.count,
        last_at=camera.load.last_at,
        a_second=round(camera.load.a_second(), 2),
        share=round(camera.load.share(), 3),
        size=None if report is None else report.frame.pixels.shape[::-1],
        settled=report is not None and report.settled,
        advice=() if report is None else report.frame.advice,
        trouble=trouble
        and CameraTrouble(message=trouble[0], at=trouble[1], over=not camera.trouble),
        picture=path if report is not None else None,
    )


def _checked(corners: list[tuple[float, float]]) -> tuple[tuple[float, float], ...]:
    """The corners, if they form a board.

    Raises:
        ApiError: they do not.
    """
    points = tuple((float(x), float(y)) for x, y in corners)
    if not is_convex(points):
        message = phrase(
            "The four corners make no four-sided board; go round it in order, row A first."
        )
        raise ApiError(422, "bad_corners", message)
    return points
