"""From the photograph of a finished board back to its game."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from typing import Annotated

from fastapi import APIRouter, Query, Request
from fastapi.concurrency import run_in_threadpool

from kibitz.app.common.errors import CommandError, KibitzError
from kibitz.app.common.materials.named import letters_if_known
from kibitz.app.face.tracing import PossibleGame, trace
from kibitz.app.reading.results import reading_of
from kibitz.app.server.errors import ApiError, picture_error
from kibitz.app.server.routes.common import errors, need_server_host
from kibitz.app.server.routes.pictures.frames import BODY, check_is_picture
from kibitz.app.server.session import Session
from kibitz.app.wire.answers import PossibleGames, TracedBoard
from kibitz.app.wire.bodies import TraceBody
from kibitz.engine.board.layouts import STANDARD
from kibitz.models.session import ModelFileInvalid
from kibitz.vision.frame import PictureError
from kibitz.vision.request import ReadRequest


def trace_routes(session: Session) -> APIRouter:
    """The calls of the page that finds a game again; their work is for the server's host alone."""
    router = APIRouter(prefix="/api/trace", tags=["record"])
    working = asyncio.Lock()

    @router.post(
        "/board",
        response_model=TracedBoard,
        responses=errors(401, 403, 413, 415),
        openapi_extra=BODY,
    )
    async def read_board(
        request: Request, tiles: Annotated[str, Query(max_length=100)] = "en"
    ) -> TracedBoard:
        """What lies on the board of a photograph: `#` could not be read, `?` is a blank."""
        need_server_host(session, request)
        check_is_picture(request)
        letters = letters_if_known(_named(session.tables.offer.tile_sets, tiles))
        data = await request.body()
        try:
            frame = await run_in_threadpool(
                session.reader.read, data, ReadRequest(letters=letters)
            )
        except (PictureError, ModelFileInvalid) as error:
            raise picture_error(error) from error
        read = reading_of("", frame.reading, code=frame.code, message=frame.message)
        if not read.boards:
            raise ApiError(422, frame.code, frame.message)
        return TracedBoard(board=read.boards[0].rows, premiums=STANDARD)

    @router.post("", response_model=PossibleGames, responses=errors(401, 403))
    async def trace_board(request: Request, body: TraceBody) -> PossibleGames:
        """The games that can have led to a board, the likeliest first; one after the other."""
        need_server_host(session, request)
        offer = session.tables.offer
        lexicon, tiles = _named(offer.lexicons, body.lexicon), _named(offer.tile_sets, body.tiles)
        async with working:
            try:
                found = await run_in_threadpool(
                    trace, body.board, body.players, told=body.told, lexicon=lexicon, tiles=tiles
                )
                gcg = [await run_in_threadpool(_gcg, game) for game in found.games]
            except KibitzError as error:
                code = getattr(error, "code", "bad_request")
                raise ApiError(422, code, str(error)) from error
        return PossibleGames(
            orders=tuple(
                {**game.to_json(), "gcg": text}
                for game, text in zip(found.games, gcg, strict=True)
            ),
            count=found.count,
            board=found.rows,
            hidden=found.hidden,
        )

    return router


def _gcg(game: PossibleGame) -> str | None:
    """The game as GCG; None where the format cannot hold it."""
    try:
        return game.gcg()
    except CommandError:
        return None


def _named(files: Mapping[str, str], name: str) -> str:
    """The file of a tile set or word list that the server offers.

    Raises:
        ApiError: 422.
    """
    if name not in files:
        known = ", ".join(sorted(files))
        raise ApiError(422, "bad_request", f"Expected one of {known}, got {name!r:.60}.")
    return files[name]
