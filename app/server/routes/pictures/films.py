"""Routes to upload a film of a game to its table."""

from __future__ import annotations

import tempfile
from pathlib import Path
from typing import Annotated, Any

from fastapi import APIRouter, Query, Request
from fastapi.concurrency import run_in_threadpool

from kibitz.app.server.background.films import HEAD_BYTES, Film, Films, is_film
from kibitz.app.server.errors import ApiError, not_found
from kibitz.app.server.routes.common import enter, errors, forbidden
from kibitz.app.server.session import Session
from kibitz.app.tables.table import Table
from kibitz.app.wire.answers import FilmAnswer

TYPES = ("video/mp4", "video/webm", "video/quicktime", "application/octet-stream")
BODY: dict[str, Any] = {
    "requestBody": {
        "required": True,
        "content": {t: {"schema": {"type": "string", "format": "binary"}} for t in TYPES},
    }
}


def film_routes(session: Session, films: Films) -> APIRouter:
    """Routes about a film of a game."""
    router = APIRouter(prefix="/api", tags=["camera"])

    @router.post(
        "/tables/{table_id}/film",
        response_model=FilmAnswer,
        status_code=202,
        responses=errors(401, 403, 404, 413, 415),
        openapi_extra=BODY,
    )
    async def post_film(
        request: Request,
        table_id: str,
        name: Annotated[str, Query(max_length=200, description="What the file is called.")] = "",
    ) -> FilmAnswer:
        """Read a film of the game: MP4, MOV, WebM, Matroska, AVI or MPEG."""
        table = await run_in_threadpool(_host_of, session, request, table_id)
        path = await _keep(request, films)
        film = await run_in_threadpool(films.start, table, path, name or "film")
        return _answer(film)

    @router.get(
        "/tables/{table_id}/film", response_model=FilmAnswer, responses=errors(401, 403, 404)
    )
    def get_film(request: Request, table_id: str) -> FilmAnswer:
        """Progress of the newest film of the table."""
        return _answer(_film_of(_host_of(session, request, table_id)))

    @router.delete(
        "/tables/{table_id}/film", response_model=FilmAnswer, responses=errors(401, 403, 404)
    )
    def stop_film(request: Request, table_id: str) -> FilmAnswer:
        """Read the film no further; what was read stays."""
        table = _host_of(session, request, table_id)
        film = _film_of(table)
        films.stop(table.id)
        return _answer(film)

    def _film_of(table: Table) -> Film:
        film = films.of(table.id)
        if film is None:
            raise not_found("No film was handed to this table.")
        return film

    return router


def _host_of(session: Session, request: Request, table_id: str) -> Table:
    table, actor = enter(session, request, table_id)
    if actor.role != "host":
        raise forbidden("Films come from the table's host.")
    return table


def _answer(film: Film) -> FilmAnswer:
    return FilmAnswer(
        name=film.name,
        state=film.state,
        at_s=round(film.at_s, 1),
        of_s=film.of_s,
        message=film.message,
    )


def _drop(path: Path) -> None:
    path.unlink(missing_ok=True)


def _no_room(error: OSError) -> ApiError:
    return ApiError(507, "disk_full", f"The film cannot be kept: {error}.")


async def _keep(request: Request, films: Films) -> Path:
    """Save the film to a file of its own, which is deleted when it has been read.

    Raises:
        ApiError: it is no film, or the disk is full.
    """
    head = b""
    try:
        kept = tempfile.NamedTemporaryFile(dir=films.folder(), delete=False)  # noqa: SIM115
    except OSError as error:
        raise _no_room(error) from error
    with kept as file:
        path = Path(file.name)
        try:
            async for part in request.stream():
                head = head if len(head) >= HEAD_BYTES else (head + part)[:HEAD_BYTES]
                if len(head) >= HEAD_BYTES and not is_film(head):
                    break
                await run_in_threadpool(file.write, part)
        except OSError as error:
            await run_in_threadpool(_drop, path)
            raise _no_room(error) from error
        except BaseException:
            await run_in_threadpool(_drop, path)  # the sender went away
            raise
    if not is_film(head):
        await run_in_threadpool(_drop, path)
        message = "Expected a film: MP4, MOV, WebM, Matroska, AVI or MPEG."
        raise ApiError(415, "not_a_film", message)
    return path
