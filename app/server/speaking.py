"""Language in which a caller is answered.

What a caller asks for counts first, then what the seat has, then the table, then what the server
was started with, then what the browser prefers, then the system.
"""

from __future__ import annotations

import json
from typing import cast

from starlette.requests import HTTPConnection
from starlette.responses import Response

from kibitz.app.languages.catalogues import ENGLISH, LANGUAGES, best_of
from kibitz.app.languages.spoken import language_of_process
from kibitz.app.languages.wire import localized
from kibitz.app.server.session import Session
from kibitz.app.tables.people.access import Actor
from kibitz.app.tables.table import Table
from kibitz.app.wire.shape import Shape
from kibitz.engine.phrases import Notation

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
    """How a call names squares: as the table does that it is about."""
    return cast("Notation", getattr(connection.state, "notation", "A1"))


def answered(session: Session, connection: HTTPConnection, shape: Shape) -> Response:
    """An answer in the language of a call."""
    text = spoken(shape, noted_language(session, connection), noted_notation(connection))
    return Response(text, media_type="application/json")


def spoken(shape: Shape, code: str, notation: Notation) -> str:
    """The shape as JSON text, with every phrase in a language."""
    if (code, notation) == (ENGLISH, "A1"):
        return shape.to_text()
    return json.dumps(localized(shape.to_json(), code, notation), ensure_ascii=False)
