"""State of a table's camera, as one person may see it."""

from __future__ import annotations

from kibitz.app.cameras.table_camera import TableCamera, outlines
from kibitz.app.reading.frames import Frame
from kibitz.app.tables.people.access import Actor
from kibitz.app.wire.tables import CameraState, Notice
from kibitz.engine.phrases import phrase


def camera_state(camera: TableCamera | None, actor: Actor) -> CameraState | None:
    """State of the camera; the board's place only for those who may see pictures."""
    if camera is None:
        return None
    report, away = camera.newest, _no_pictures(camera, actor)
    if report is None:
        if away is None:
            return None
        return CameraState(frame=0, settled=False, advice=(), health={}, error=away)
    frame = report.frame
    state = CameraState(
        frame=report.number,
        settled=report.settled,
        advice=frame.advice,
        health=frame.health,
        laying=camera.is_laid,
        error=away or _unseen(camera) or _unread(frame),
    )
    if not actor.sees_all_pictures:
        return state
    height, width = frame.pixels.shape
    where = {"size": (width, height), "aimed": camera.aimed, "corners": outlines(frame)}
    return state.model_copy(update=where)


def _unread(frame: Frame) -> Notice | None:
    """Why the newest picture shows no board."""
    return Notice(code=frame.code, message=frame.message) if frame.code else None


def _unseen(camera: TableCamera) -> Notice | None:
    """Why nothing usable was seen for long, and what helps."""
    return Notice(code="unseen", message=camera.unseen) if camera.unseen else None


def _no_pictures(camera: TableCamera, actor: Actor) -> Notice | None:
    """Why no pictures come: in full for the host, for others only that they do not."""
    if not camera.trouble:
        return None
    hidden = phrase(
        "Camera {number} gives no pictures now; the table's host sees why.",
        number=camera.number + 1,
    )
    message = camera.trouble if actor.role == "host" else hidden
    return Notice(code="camera_away", message=message)
