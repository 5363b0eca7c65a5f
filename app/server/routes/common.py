"""Shared by the routes: the caller's rights and language, and error answers."""

from __future__ import annotations

import json
from typing import Any, Final, cast

from starlette.requests import HTTPConnection
from starlette.responses import Response

from kibitz.app.languages.catalogues import (
    LANGUAGES,
    best_of,
    language_of_process,
    localized,
)
from kibitz.app.server.access.security import bearer, caller_of, is_server_host
from kibitz.app.server.errors import ApiError, not_found
from kibitz.app.server.session import Session
from kibitz.app.tables.people.access import FORBIDDEN, Actor
from kibitz.app.tables.table import Table
from kibitz.app.wire.shape import Shape
from kibitz.engine.phrases import Notation, phrase

ERROR_SHAPE: Final = {"$ref": "#/components/schemas/ErrorAnswer"}
"""Where a description has the shape of every error."""


def errors(*statuses: int) -> dict[int | str, dict[str, Any]]:
    """Error answers of a call, for its documentation.

    They name the shape instead of holding the class: of a class the framework makes a checker for
    each status of each call, which takes most of an application's start and is never used.
    """
    said = {
        400: "The call itself is damaged.",
        401: "No token, or one that opens nothing here.",
        403: "This token may not do that.",
        404: "There is no such thing.",
        409: "The rules refuse it; nothing changed.",
        413: "Too large.",
        415: "Not a kind of content that is taken here.",
        422: "A field is missing or has a value that it cannot have.",
        429: "Too many calls.",
        503: "Where tables are kept cannot be used now.",
        507: "The disk is full.",
    }
    every = {400, 422, 429, 503, 507, *statuses}
    content = {"application/json": {"schema": ERROR_SHAPE}}
    return {s: {"description": said[s], "content": content} for s in sorted(every)}


def enter(session: Session, connection: HTTPConnection, table_id: str) -> tuple[Table, Actor]:
    """The table, and the caller's role there.

    Raises:
        ApiError: 401 without a token, 404 where the token opens nothing, 429 after many such.
    """
    found = session.enter(table_id, given_token(connection))
    if found is None:
        raise wrong_token(session, connection)
    answer_in(connection, language_of(session, connection, *found), found[0].setup.notation)
    return found


def given_token(connection: HTTPConnection) -> str:
    """Token of a call.

    Raises:
        ApiError: 401 without one.
    """
    token = bearer(connection.headers)
    if not token:
        raise ApiError(
            401, "no_token", phrase("Send the table's token as 'Authorization: Bearer TOKEN'.")
        )
    return token


def wrong_token(session: Session, connection: HTTPConnection) -> ApiError:
    """The error for a token that opens nothing; another one after many such."""
    # whoever has the right one behind the same address is not held up by who guesses
    if session.tries.take(caller_of(connection)):
        return not_found()
    return ApiError(429, "too_many_calls", phrase("Too many wrong tokens; wait a minute."))


def enter_as_host(session: Session, connection: HTTPConnection, table_id: str) -> Table:
    """The table, for its own host and for the server's.

    Raises:
        ApiError: 401, 403 or 404.
    """
    if is_server_host(connection, session):
        table = session.tables.get(table_id) if table_id.isalnum() else None
        if table is None:
            raise ApiError(404, "not_found", phrase("There is no such table."))
        return table
    table, actor = enter(session, connection, table_id)
    if actor.role != "host":
        raise forbidden(phrase("Only the table's host may do this."))
    return table


def need_server_host(
    session: Session, connection: HTTPConnection, *, token_given: bool = False
) -> None:
    """Refuse callers who may not set up tables.

    Args:
        session: the server.
        connection: the call.
        token_given: the call carries a table's token, so that the server's key has a header of
            its own.

    Raises:
        ApiError: 401 or 403.
    """
    if is_server_host(connection, session):
        return
    if token_given and session.is_host_key(connection.headers.get("x-kibitz-key")):
        return
    status = 403 if bearer(connection.headers) else 401
    raise ApiError(
        status,
        "not_the_host",
        phrase(
            "Tables are set up on the machine that runs the server, or with the key it printed."
        ),
    )


def forbidden(what: str) -> ApiError:
    """The error for a token that lacks the right."""
    return ApiError(403, FORBIDDEN, what)


HEADER = "x-kibitz-language"
QUERY = "lang"


def language_of(
    session: Session,
    connection: HTTPConnection,
    table: Table | None = None,
    actor: Actor | None = None,
) -> str:
    """Code of the language for a caller's answer.

    Args:
        session: the server.
        connection: the call.
        table: the table that it is about.
        actor: who the caller is there.
    """
    asked = connection.headers.get(HEADER) or connection.query_params.get(QUERY) or ""
    if asked in LANGUAGES:
        return asked
    if table is not None and (own := table.setup.language_for(actor.viewer if actor else None)):
        return own
    if session.language is not None:
        return session.language
    return best_of(connection.headers.get("accept-language", "")) or language_of_process()


def answer_in(connection: HTTPConnection, language: str, notation: Notation) -> None:
    """Set language and names of squares for the rest of a call, also for its errors."""
    connection.state.language = language
    connection.state.notation = notation


def noted_language(session: Session, connection: HTTPConnection) -> str:
    """Language of a call."""
    noted = getattr(connection.state, "language", None)
    return noted if isinstance(noted, str) else language_of(session, connection)


def noted_notation(connection: HTTPConnection) -> Notation:
    """Notation of squares of the table that a call is about."""
    return cast("Notation", getattr(connection.state, "notation", "A1"))


def answered(session: Session, connection: HTTPConnection, shape: Shape) -> Response:
    """An answer in the language of a call."""
    text = spoken(shape, noted_language(session, connection), noted_notation(connection))
    return Response(text, media_type="application/json")


def spoken(shape: Shape, code: str, notation: Notation) -> str:
    """The shape as JSON text, with every phrase in a language and squares as they are written."""
    return json.dumps(localized(shape.to_json(), code, notation), ensure_ascii=False)
