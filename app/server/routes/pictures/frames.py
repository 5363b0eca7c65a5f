"""Routes about pictures: those that a camera sends, and those that were seen."""

from __future__ import annotations

import io
from typing import Annotated, Any

from fastapi import APIRouter, Query, Request, Response
from fastapi.concurrency import run_in_threadpool

from kibitz.app.cameras.table_camera import CameraBusyError
from kibitz.app.common.materials.named import letters_if_known
from kibitz.app.observers.seen_start import CannotTellError, seen_start
from kibitz.app.reading.reports import write_report
from kibitz.app.server.errors import ApiError, not_found, picture_error
from kibitz.app.server.routes.common import answered, enter, enter_as_host, errors, forbidden
from kibitz.app.server.session import Session
from kibitz.app.tables.people.access import WATCHER, Actor
from kibitz.app.tables.table import Table
from kibitz.app.wire.answers import Document
from kibitz.app.wire.tables import Shown
from kibitz.engine.phrases import listed, phrase
from kibitz.engine.rules import JsonValue
from kibitz.models.session import ModelFileInvalid
from kibitz.vision.frame import PictureError

PICTURES = ("image/jpeg", "image/png", "image/webp")
JPEG: dict[int | str, dict[str, Any]] = {
    200: {"content": {"image/jpeg": {"schema": {"type": "string", "format": "binary"}}}}
}
ZIP: dict[int | str, dict[str, Any]] = {
    200: {"content": {"application/zip": {"schema": {"type": "string", "format": "binary"}}}}
}
BODY = {
    "requestBody": {
        "required": True,
        "content": {t: {"schema": {"type": "string", "format": "binary"}} for t in PICTURES},
    }
}


def check_is_picture(request: Request) -> None:
    """Refuse a body that is no picture.

    Raises:
        ApiError: 415.
    """
    kind = request.headers.get("content-type", "").partition(";")[0].strip().lower()
    if kind not in PICTURES:
        message = phrase(
            "Expected one of {names} as content type, got {got}.",
            names=listed(PICTURES, ", "),
            got=kind or "nothing",
        )
        raise ApiError(415, "not_a_picture", message)


def frame_routes(session: Session) -> APIRouter:
    """Routes about pictures."""
    router = APIRouter(prefix="/api", tags=["camera"])

    @router.post(
        "/tables/{table_id}/frames",
        response_model=Shown,
        responses=errors(401, 403, 404, 413, 415),
        openapi_extra=BODY,
    )
    async def post_frame(request: Request, table_id: str) -> Response:
        """Show one photograph of the table: what was read, and what followed."""
        table, actor = await run_in_threadpool(enter, session, request, table_id)
        if actor.role not in ("camera", "host"):
            raise forbidden(phrase("Frames come from the camera's token or the host's."))
        check_is_picture(request)
        data = await request.body()
        camera = session.camera(table)
        camera.source, camera.pushed = camera.source or phrase("photographs"), False
        try:
            report = await run_in_threadpool(camera.take, data, stream=False)
        except (PictureError, ModelFileInvalid) as error:
            raise picture_error(error) from error
        except CameraBusyError as error:
            message = phrase("The last frames are still being read; send the next one later.")
            raise ApiError(429, "camera_busy", message) from error
        return answered(session, request, report.shown())

    _add_pictures(router, session)
    return router


def _check_sight(actor: Actor) -> None:
    if not actor.sees_all_pictures:
        raise forbidden(phrase("Pictures may show racks: only the host and the camera get them."))


def _add_pictures(router: APIRouter, session: Session) -> None:
    @router.get(
        "/tables/{table_id}/seen",
        response_model=Document,
        responses=errors(401, 403, 404, 409),
    )
    def get_seen(request: Request, table_id: str) -> dict[str, JsonValue]:
        """What the cameras see now, as the fields of a position to begin from."""
        table, actor = enter(session, request, table_id)
        _check_sight(actor)
        newest = [camera.newest for camera in session.cameras_of(table)]
        readings = [report.frame.reading for report in newest if report is not None]
        known = [reading for reading in readings if reading is not None]
        if not known:
            raise not_found(
                phrase("No camera sees the board now; show it the whole board, or type it.")
            )
        try:
            letters = letters_if_known(table.setup.tiles)
            return seen_start(table.ledger.opening, known, letters)
        except CannotTellError as error:
            raise ApiError(409, "cannot_tell", str(error)) from error

    @router.get(
        "/tables/{table_id}/frame.jpg",
        response_class=Response,
        responses={**JPEG, **errors(401, 403, 404)},
    )
    def get_frame(
        request: Request,
        table_id: str,
        overlay: Annotated[bool, Query(description="With the reading drawn on it.")] = False,
    ) -> Response:
        """The newest frame."""
        table, actor = enter(session, request, table_id)
        _check_sight(actor)
        camera = session.camera_of(table)
        jpeg = camera.picture(overlay=overlay) if camera else None
        if jpeg is None:
            raise not_found(phrase("No frame has come yet."))
        return Response(jpeg, media_type="image/jpeg")

    @router.get(
        "/tables/{table_id}/report.zip",
        response_class=Response,
        responses={**ZIP, **errors(401, 403, 404)},
    )
    def get_report(request: Request, table_id: str) -> Response:
        """What the cameras see and read now, to report a misreading; no name is in it."""
        table = enter_as_host(session, request, table_id)
        newest = [camera.newest for camera in session.cameras_of(table)]
        frames = [report.frame for report in newest if report is not None]
        if not frames:
            raise not_found(phrase("No frame has come yet."))
        out = io.BytesIO()
        read = ((frame.picture, frame.read_json("")) for frame in frames)
        write_report(out, read, request.app.version, _reported(table))
        return Response(out.getvalue(), media_type="application/zip")

    @router.get(
        "/tables/{table_id}/pictures/{seq}.jpg",
        response_class=Response,
        responses={**JPEG, **errors(401, 403, 404)},
    )
    def get_picture(request: Request, table_id: str, seq: int) -> Response:
        """The picture kept with a step."""
        table, actor = enter(session, request, table_id)
        _check_sight(actor)
        jpeg = table.picture(seq) if 0 < seq < 2**31 else None
        if jpeg is None:
            raise not_found(phrase("No picture was kept with this step."))
        return Response(jpeg, media_type="image/jpeg")


def _reported(table: Table) -> dict[str, JsonValue]:
    """The game's board, and the squares put right there; nobody's name or secret."""
    view = table.view(WATCHER)
    told = [step.data["do"] for step in table.steps if isinstance(step.data.get("do"), dict)]
    return {
        "game": table.setup.opening.game.info.slug,
        "tiles": table.setup.tiles,
        "rows": {name: view[name] for name in ("board", "boards", "board45") if name in view},
        "corrected": [
            {name: do[name] for name in ("square", "board", "letter", "set") if name in do}
            for do in told
            if do.get("action") == "correct"
        ],
    }
