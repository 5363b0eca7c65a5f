"""Routes with the straightened board, and with one square: its picture and likely letters."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Query, Request, Response

from kibitz.app.cameras.table_camera import TableCamera
from kibitz.app.common.limits import LISTS
from kibitz.app.observers.one_square import (
    SeenSquare,
    loose_picture,
    seen_square,
    square_picture,
    straight_board,
)
from kibitz.app.reading.frames import Frame, encode_jpeg
from kibitz.app.server.errors import ApiError, not_found
from kibitz.app.server.routes.common import enter, errors, forbidden
from kibitz.app.server.routes.pictures.frames import JPEG
from kibitz.app.server.session import Session
from kibitz.app.tables.air import AirTable
from kibitz.app.tables.people.access import Actor
from kibitz.app.tables.table import Table
from kibitz.app.wire.answers import LikelyLetter, SquareAnswer
from kibitz.engine.table import Grid, Square, parse_square
from kibitz.engine.tracking.evidence.hypotheses import facing_grid, rules_grid
from kibitz.engine.tracking.evidence.loose_table import UpTile
from kibitz.vision.frame import Picture

Board = Annotated[int, Query(ge=1, le=2, description="Which board, where there are two.")]

Drawn = tuple[int, bytes]
"""The number of a picture, and the board in it as JPEG."""


def square_routes(session: Session) -> APIRouter:
    """Routes about one square."""
    router = APIRouter(prefix="/api", tags=["camera"])

    drawn: dict[tuple[str, int], Drawn] = {}

    @router.get(
        "/tables/{table_id}/board.jpg",
        response_class=Response,
        responses={**JPEG, **errors(401, 404)},
    )
    def get_board(request: Request, table_id: str, board: Board = 1) -> Response:
        """The board as the camera sees it, straightened; without racks, so also for watchers."""
        table, _ = enter(session, request, table_id)
        if isinstance(table, AirTable):
            return _picture_on_air(session, table)
        jpeg = _straight(session.cameras_of(table), table, board, drawn)
        if jpeg is None:
            raise not_found("No camera sees the whole board now.")
        return Response(jpeg, media_type="image/jpeg")

    @router.get(
        "/tables/{table_id}/tile.jpg",
        response_class=Response,
        responses={**JPEG, **errors(401, 403, 404)},
    )
    def get_asked_tile(request: Request, table_id: str) -> Response:
        """The loose tile whose letter is asked about, as a camera sees it; little is around it."""
        table, actor = enter(session, request, table_id)
        _check_player(actor)
        shot = _asked_tile(session.cameras_of(table), table.tracker.asked_tile)
        if shot is None:
            raise not_found("No camera sees a tile now whose letter is asked about.")
        return Response(encode_jpeg(shot), media_type="image/jpeg")

    @router.get(
        "/tables/{table_id}/squares/{square}.jpg",
        response_class=Response,
        responses={**JPEG, **errors(401, 403, 404)},
    )
    def get_square_picture(
        request: Request, table_id: str, square: str, board: Board = 1
    ) -> Response:
        """A tile as the camera sees it, from straight above; nothing beside the board is shown."""
        table, place = _enter(session, request, table_id, square)
        found = _look(session.cameras_of(table), _known(table, board), place)
        if found is None:
            raise not_found("No camera sees this square now.")
        frame, seen = found
        return Response(
            encode_jpeg(square_picture(frame.picture, seen, place)), media_type="image/jpeg"
        )

    @router.get(
        "/tables/{table_id}/squares/{square}",
        response_model=SquareAnswer,
        responses=errors(401, 403, 404),
    )
    def get_square(request: Request, table_id: str, square: str, board: Board = 1) -> SquareAnswer:
        """Letters that a camera thinks likely on a square, likeliest first."""
        table, place = _enter(session, request, table_id, square)
        found = _look(session.cameras_of(table), _known(table, board), place)
        letters = found[1].letters if found else ()
        query = f"?board={board}" if board > 1 else ""
        path = f"/api/tables/{table.id}/squares/{square}.jpg{query}"
        return SquareAnswer(
            square=square,
            letters=tuple(LikelyLetter(letter=x, share=round(p, 3)) for x, p in letters),
            picture=path if found else None,
        )

    return router


def _straight(
    cameras: list[TableCamera], table: Table, board: int, drawn: dict[tuple[str, int], Drawn]
) -> bytes | None:
    """The straightened board in the newest picture that shows it, drawn once."""
    for camera in cameras:
        report = camera.newest
        if report is None or report.frame.reading is None:
            continue
        kept = drawn.get((table.id, board))
        if kept is None or kept[0] != report.number:
            shot = straight_board(report.frame.picture, report.frame.reading, _known(table, board))
            if shot is None:
                continue
            if len(drawn) >= LISTS.held:
                drawn.clear()
            kept = drawn[table.id, board] = report.number, encode_jpeg(shot)
        return kept[1]
    return None


def _picture_on_air(session: Session, table: AirTable) -> Response:
    """The straightened board as late as its table."""
    picture = session.booth.picture(table.live)
    if picture is None:
        raise not_found("No camera saw the whole board then.")
    return Response(picture[1], media_type="image/jpeg")


def _enter(session: Session, request: Request, table_id: str, square: str) -> tuple[Table, Square]:
    """The table and the square, for those who may correct tiles there.

    Raises:
        ApiError: 401, 403, 404, or 422 for what is no square of its board.
    """
    table, actor = enter(session, request, table_id)
    _check_player(actor)
    try:
        return table, parse_square(square, table.setup.opening.game.info.surface.side)
    except ValueError as error:
        raise ApiError(422, "bad_request", f"{str(error).capitalize()}.") from error


def _check_player(actor: Actor) -> None:
    if actor.role not in ("host", "seat"):
        raise forbidden("Tiles are put right by the host and the players.")


def _known(table: Table, board: int) -> Grid:
    """Tiles on a board according to the game."""
    ledger = table.ledger
    if board == 1:
        return rules_grid(ledger.game, ledger.state)
    view = ledger.game.view(ledger.state, None)
    boards = view.get("boards") or ()
    if len(boards) < board:
        raise ApiError(422, "bad_request", f"Expected board 1, got {board}: there is one only.")
    return facing_grid(boards[board - 1], view.get(f"blanks_{board}") or ())


def _asked_tile(cameras: list[TableCamera], tile: UpTile | None) -> Picture | None:
    """A loose tile in the newest frame that shows it."""
    for camera in cameras:
        frame = camera.newest.frame if camera.newest is not None else None
        if tile is None or frame is None or frame.reading is None:
            continue
        shot = loose_picture(frame.picture, frame.reading, tile)
        if shot is not None:
            return shot
    return None


def _look(
    cameras: list[TableCamera], known: Grid, square: Square
) -> tuple[Frame, SeenSquare] | None:
    """Newest frame that shows the square, and its reading there."""
    if square.row >= known.rows or square.col >= known.cols:
        raise ApiError(422, "bad_request", "The board has no such square.")
    for camera in cameras:
        report = camera.newest
        if report is None or report.frame.reading is None:
            continue
        seen = seen_square(report.frame.reading, known, square)
        if seen is not None:
            return report.frame, seen
    return None
