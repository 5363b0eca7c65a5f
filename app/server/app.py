"""The server: one application around one session."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from importlib.metadata import PackageNotFoundError, version
from typing import Any

from fastapi import FastAPI, Request, Response
from fastapi.exceptions import RequestValidationError
from fastapi.responses import JSONResponse
from fastapi.staticfiles import StaticFiles
from starlette.exceptions import HTTPException
from starlette.middleware.gzip import GZipMiddleware

from kibitz.app.common.storage.kept import LeaseLostError, StorageError
from kibitz.app.server.access.security import Shield
from kibitz.app.server.background.feeds import Feeds
from kibitz.app.server.background.films import Films
from kibitz.app.server.background.retention import PictureKeeper
from kibitz.app.server.background.spectators import Spectators
from kibitz.app.server.background.ticker import Ticker
from kibitz.app.server.described import describe
from kibitz.app.server.errors import ApiError, NotSavedError, storage_api_error
from kibitz.app.server.hall.floor import HallFloor
from kibitz.app.server.hall.forwarding import Forwarding
from kibitz.app.server.routes.common import noted_language, noted_notation
from kibitz.app.server.routes.pictures.cameras import camera_routes
from kibitz.app.server.routes.pictures.films import film_routes
from kibitz.app.server.routes.pictures.frames import frame_routes
from kibitz.app.server.routes.pictures.taught import taught_routes
from kibitz.app.server.routes.site.air import air_routes, public_routes
from kibitz.app.server.routes.site.director import director_routes
from kibitz.app.server.routes.site.health import health_routes
from kibitz.app.server.routes.site.pages import WEB, language_routes, page_named, page_routes
from kibitz.app.server.routes.site.traces import trace_routes
from kibitz.app.server.routes.site.words import word_routes
from kibitz.app.server.routes.table.actions import action_routes
from kibitz.app.server.routes.table.records import fame_routes, record_routes
from kibitz.app.server.routes.table.sockets import socket_routes
from kibitz.app.server.routes.table.squares import square_routes
from kibitz.app.server.routes.table.tables import link_routes, table_routes
from kibitz.app.server.session import Session
from kibitz.app.tables.orders import OrderError
from kibitz.engine.phrases import phrase

DESCRIPTION = """Tables of word games that a camera watches.

Set up a table with `POST /api/tables`; its answer holds the tokens. Every other call carries one
of them as `Authorization: Bearer TOKEN`. Errors are `{"error": {"code", "message"}}`.
"""


def create_app(session: Session, cameras: Feeds | None = None) -> FastAPI:
    """The application; its shutdown closes the session and the cameras opened by the server."""
    ticker, feeds = Ticker(session), cameras or Feeds(session)
    films = Films(session)
    keeper = PictureKeeper(session.tables.storage, session.retention)

    @asynccontextmanager
    async def lifespan(_: FastAPI) -> AsyncIterator[None]:
        films.tidy()
        ticker.start()
        feeds.resume_all()
        keeper.start()
        if session.hall is not None:
            session.hall.start(HallFloor(session, feeds))
        yield
        ticker.stop()
        keeper.stop()
        feeds.close()
        films.close()
        session.close()

    app = FastAPI(
        title="Kibitz",
        version=installed_version(),
        description=DESCRIPTION,
        lifespan=lifespan,
        # the pages of FastAPI itself load scripts from the network; ours is under /docs
        docs_url=None,
        redoc_url=None,
    )
    for router in (
        table_routes(session, feeds),
        link_routes(session),
        action_routes(session),
        frame_routes(session),
        square_routes(session),
        film_routes(session, films),
        camera_routes(session, feeds),
        taught_routes(session),
        record_routes(session),
        socket_routes(session),
        health_routes(session, session.gate),
        fame_routes(session),
        word_routes(session),
        trace_routes(session),
        public_routes(session),
        air_routes(session),
        director_routes(session),
        language_routes(session),
        page_routes(session),
    ):
        app.include_router(router)
    # answers of calls are not packed: they hold tokens beside what strangers can send
    app.mount(
        "/static", GZipMiddleware(StaticFiles(directory=WEB), compresslevel=6), name="static"
    )
    describe(app)
    _handle_errors(app, session)
    if session.hall is not None:
        app.add_middleware(Forwarding, session=session, hall=session.hall)
    app.add_middleware(Shield, session=session)
    app.add_middleware(Spectators, session=session)
    return app


def installed_version() -> str:
    """Version of this installation."""
    try:
        return version("kibitz")
    except PackageNotFoundError:
        return "0"


def _handle_errors(app: FastAPI, session: Session) -> None:
    """Answer every error in one form, in the caller's language, without a traceback."""

    def _json(request: Request, error: ApiError) -> JSONResponse:
        headers = {"retry-after": "1"} if error.status == 429 else None
        body = error.to_json(noted_language(session, request), noted_notation(request))
        return JSONResponse(body, error.status, headers)

    @app.exception_handler(ApiError)
    async def api_error(request: Request, error: ApiError) -> JSONResponse:
        if isinstance(error, NotSavedError) and error.again:
            raise error
        return _json(request, error)

    @app.exception_handler(LeaseLostError)
    async def elsewhere(_: Request, error: LeaseLostError) -> JSONResponse:
        raise error  # to who asks the other servers of the hall

    @app.exception_handler(OrderError)
    async def no_table(request: Request, error: OrderError) -> JSONResponse:
        return _json(request, ApiError(422, error.code, error.message))

    @app.exception_handler(StorageError)
    async def storage_error(request: Request, error: StorageError) -> JSONResponse:
        return _json(request, storage_api_error(error))

    @app.exception_handler(RequestValidationError)
    async def bad_request(request: Request, error: RequestValidationError) -> JSONResponse:
        return _json(
            request, ApiError(422, "bad_request", "; ".join(_problem(e) for e in error.errors()))
        )

    @app.exception_handler(HTTPException)
    async def http_error(request: Request, error: HTTPException) -> Response:
        if error.status_code == 404 and "text/html" in request.headers.get("accept", ""):
            return page_named("missing.html", noted_language(session, request), 404)
        names = {404: "not_found", 405: "method_not_allowed"}
        code = names.get(error.status_code, "bad_request")
        answer = _json(
            request, ApiError(error.status_code, code, _refused_address(request, error))
        )
        answer.headers.update(error.headers or {})
        return answer

    @app.exception_handler(Exception)
    async def unexpected(request: Request, error: Exception) -> JSONResponse:
        kind = type(error).__name__
        message = phrase(
            "Something went wrong here ({kind}); the server's output says where.", kind=kind
        )
        return _json(request, ApiError(500, "internal", message))


def _refused_address(request: Request, error: HTTPException) -> str:
    """Message about an unknown address or method."""
    path = request.url.path
    if error.status_code == 404:
        return f"There is no call {path!r} here; /docs lists the calls, / is the first page."
    if error.status_code == 405:
        taken = (error.headers or {}).get("Allow", "another method")
        return f"{path!r} takes {taken}, not {request.method}; see /docs."
    return str(error.detail)


def _problem(error: Any) -> str:
    """Message about one invalid field."""
    if error.get("type") == "json_invalid":
        why = (error.get("ctx") or {}).get("error", "it breaks off")
        return f"The body is no JSON: {why} at character {error['loc'][-1]}"
    where = ".".join(str(part) for part in error.get("loc", ()) if part != "body")
    said = str(error.get("msg", "is wrong"))
    return f"{where}: {said}" if where else said
