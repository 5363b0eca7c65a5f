"""Routes to teach tiles of any look: a set is laid out once and learnt from one picture."""

from __future__ import annotations

import base64
from collections.abc import Mapping, Sequence
from typing import Annotated

from fastapi import APIRouter, Query, Request, Response
from fastapi.concurrency import run_in_threadpool

from kibitz.app.cameras.table_camera import UNTAUGHT
from kibitz.app.common.materials.named import can_be_read, load_tile_set, untaught_letters
from kibitz.app.common.storage.upkeep import taught_name
from kibitz.app.reading.request import squares_of
from kibitz.app.reading.teaching import order_of, reads_taught, rows_of
from kibitz.app.server.errors import ApiError, picture_error
from kibitz.app.server.routes.common import answered, enter, errors, forbidden
from kibitz.app.server.routes.pictures.frames import PICTURES, check_is_picture
from kibitz.app.server.session import Session
from kibitz.app.tables.table import Table
from kibitz.app.wire.answers import TaughtAnswer, TaughtTile
from kibitz.engine.phrases import counted, listed, phrase
from kibitz.engine.table import UNKNOWN_BLANK
from kibitz.models.session import ModelFileInvalid
from kibitz.vision.boards.letters.taught import Taught
from kibitz.vision.frame import PictureError
from kibitz.vision.request import Corners, ReadRequest

BODY = {
    "requestBody": {
        "required": False,
        "content": {t: {"schema": {"type": "string", "format": "binary"}} for t in PICTURES},
    }
}

NOT_HERE = phrase(
    "Tiles are taught where one board is played on: not several boards, nor loose tiles."
)


def taught_routes(session: Session) -> APIRouter:
    """Routes about tiles whose look is taught."""
    router = APIRouter(prefix="/api", tags=["camera"])

    @router.get(
        "/tables/{table_id}/taught", response_model=TaughtAnswer, responses=errors(401, 403, 404)
    )
    def get_taught(request: Request, table_id: str) -> Response:
        """Taught tiles of the table, and the order in which a set is laid out for it."""
        table = _host_of(session, request, table_id)
        return _answer(session, request, table, session.taught(table))

    @router.post(
        "/tables/{table_id}/taught",
        response_model=TaughtAnswer,
        responses=errors(401, 403, 404, 409, 413, 415),
        openapi_extra=BODY,
    )
    async def post_taught(
        request: Request,
        table_id: str,
        order: Annotated[str | None, Query(max_length=500)] = None,
    ) -> Response:
        """Learn the look of tiles that are laid out: from a picture, or from the camera's newest.

        Without a body the newest picture of the table's camera is taken.
        """
        table = await run_in_threadpool(_host_of, session, request, table_id)
        _check_possible(table)
        data = await request.body()
        if data:
            check_is_picture(request)
        taught = await run_in_threadpool(_learn, session, table, data, order)
        return await run_in_threadpool(_answer, session, request, table, taught)

    @router.delete(
        "/tables/{table_id}/taught", response_model=TaughtAnswer, responses=errors(401, 403, 404)
    )
    def forget_taught(request: Request, table_id: str) -> Response:
        """Forget what was taught at the table; letters are read as without it."""
        table = _host_of(session, request, table_id)
        session.teach(table, None)
        return _answer(session, request, table, None)

    return router


def _host_of(session: Session, request: Request, table_id: str) -> Table:
    table, actor = enter(session, request, table_id)
    if actor.role != "host":
        raise forbidden(phrase("Tiles are taught by the table's host."))
    return table


def _is_possible(table: Table) -> bool:
    opening = table.setup.opening
    return reads_taught(opening.game.info, len(opening.players))


def _check_possible(table: Table) -> None:
    if not _is_possible(table):
        raise ApiError(409, "not_teachable", NOT_HERE)


def _learn(session: Session, table: Table, data: bytes, order: str | None) -> Taught:
    """Learn the look of tiles from a picture, and keep it with the table.

    Raises:
        ApiError: there is no picture, it cannot be read, or other tiles lie there.
    """
    from kibitz.vision.pipeline import BoardNotFound, WrongCount

    corners = None
    if not data:
        camera = session.camera_of(table)
        data = (camera.picture(overlay=False) if camera else None) or b""
        if camera is None or not data:
            message = phrase("No frame has come yet; start the camera first.")
            raise ApiError(409, "no_frame", message)
        corners = None if camera.corners is None else _upright(camera.corners)
    try:
        tiles = order_of(table.setup.tiles, order)
    except ValueError as error:
        raise ApiError(422, "bad_request", f"order: {error}.") from error
    look = ReadRequest(squares_of(table.setup.opening.game.info), corners=corners, top="top")
    try:
        taught = session.reader.learn(data, look, tiles)
    except WrongCount as error:
        message = phrase(
            "Expected {expected} tiles on the board, found {found} in rows of {rows}; lay each "
            "once, upright in the picture, from left to right, in rows of any length.",
            expected=error.expected,
            found=sum(error.rows),
            rows=" ".join(map(str, error.rows)) or "0",
        )
        found = {"tiles": error.places.astype(float).round(4).tolist()}
        raise ApiError(422, "wrong_count", message, details=found) from error
    except BoardNotFound as error:
        raise ApiError(422, error.code, phrase("{why}.", why=error)) from error
    except (PictureError, ModelFileInvalid) as error:
        raise picture_error(error) from error
    session.teach(table, taught)
    return taught


def _upright(corners: Corners) -> Corners:
    """Corners of a board, starting with the edge nearest to the picture's top."""
    first = min(range(4), key=lambda k: corners[k][1] + corners[(k + 1) % 4][1])
    return (*corners[first:], *corners[:first])


def _tiles_of(taught: Taught, shown: Mapping[str, str]) -> tuple[TaughtTile, ...]:
    """Picture that each letter was learnt from; empty where none are kept."""
    places = taught.places.astype(float).round(4).tolist()
    return tuple(
        TaughtTile(
            letter=letter,
            name=shown.get(letter, letter),
            picture="data:image/jpeg;base64," + base64.b64encode(picture).decode("ascii"),
            place=tuple((x, y) for x, y in place),
        )
        for letter, picture, place in zip(taught.labels, taught.pictures, places, strict=False)
    )


def _answer(session: Session, request: Request, table: Table, taught: Taught | None) -> Response:
    tile_set = load_tile_set(table.setup.tiles)
    order = order_of(table.setup.tiles, None)
    letters = taught.labels if taught is not None else ()
    missing = [x for x in order if x not in letters] if letters else []
    alike = taught.alike() if taught is not None else ()
    shown = {**tile_set.prints, UNKNOWN_BLANK: phrase("blank")}

    def said(some: Sequence[str]) -> list[str]:
        return [shown.get(x, x) for x in some]

    possible = _is_possible(table)
    say: list[str] = []
    if not possible:
        say.append(NOT_HERE)
    elif taught is None and session.tables.storage.document(taught_name(table.id))[1]:
        say.append(phrase("The tiles were taught to an earlier version; teach them once more."))
    elif taught is None and not can_be_read(table.setup.tiles):
        say.append(UNTAUGHT)
    elif taught is None:
        say.append(phrase("No tiles were taught here: printed letters are read as usual."))
        if (note := untaught_letters(table.setup.tiles)) is not None:
            say.append(note)
    else:
        say.append(counted("{count} tile was learnt.", "{count} tiles were learnt.", len(letters)))
        if missing:
            say.append(
                phrase("Not taught, and so not told: {letters}.", letters=listed(said(missing)))
            )
        if alike:
            pairs = [listed(said(pair)) for pair in alike]
            say.append(
                phrase("Much alike, and mistaken most easily: {pairs}.", pairs=listed(pairs, "; "))
            )
    answer = TaughtAnswer(
        possible=possible,
        rows=tuple(rows_of(order, tile_set.prints)),
        letters=tuple(letters),
        missing=tuple(missing),
        alike=tuple((a, b) for a, b in alike),
        tiles=() if taught is None else _tiles_of(taught, shown),
        needed=possible and taught is None and not can_be_read(table.setup.tiles),
        say=tuple(say),
    )
    return answered(session, request, answer)
