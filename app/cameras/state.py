"""How a table's camera does, as one person may see it."""

from __future__ import annotations

from kibitz.app.cameras.table_camera import TableCamera
from kibitz.app.reading.frames import Frame
from kibitz.app.reading.lines import ErrorLine
from kibitz.app.tables.people.access import Actor
from kibitz.app.tables.state import CameraLine
from kibitz.engine.phrases import phrase


def camera_json(camera: TableCamera | None, actor: Actor) -> CameraLine | None:
    """How the camera does; where the board lies in its picture only for who may see pictures."""
    report = camera.newest if camera else None
    gone: ErrorLine | None = None
    if _is_away(camera):
        gone = {"code": "camera_away", "message": _away(camera, actor)}
    if report is None:
        if gone is None:
            return None
        return {"frame": 0, "settled": False, "advice": [], "health": {}, "error": gone}
    frame = report.frame
    out: CameraLine = {
        "frame": report.number,
        "settled": report.settled,
        "advice": list(frame.advice),
        "health": frame.health,
        "error": gone or ({"code": frame.code, "message": frame.message} if frame.code else None),
    }
    if actor.sees_all_pictures:
        height, width = frame.pixels.shape
        out["size"] = [width, height]
        out["aimed"] = camera.aimed if camera else False
        out["corners"] = corners_json(frame)
    return out


def _is_away(camera: TableCamera | None) -> bool:
    return camera is not None and bool(camera.trouble)


def _away(camera: TableCamera | None, actor: Actor) -> str:
    """Why no pictures come: the host's business in full, to others only that it is so."""
    if camera is None or actor.role == "host":
        return camera.trouble if camera else ""
    return phrase(
        "Camera {number} gives no pictures now; the table's host sees why.",
        number=camera.number + 1,
    )


def corners_json(frame: Frame) -> list[list[list[float]]]:
    """Where each board that was found lies, as parts of the picture's width and height."""
    height, width = frame.pixels.shape
    boards = frame.reading.boards if frame.reading else ()
    return [
        [[round(float(x) / width, 4), round(float(y) / height, 4)] for x, y in b.corners_px]
        for b in boards
    ]
