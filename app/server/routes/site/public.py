"""Routes of published games, which everybody may watch without a token."""

from __future__ import annotations

import secrets
from typing import Final

from fastapi import APIRouter, Request
from fastapi.responses import Response

from kibitz.app.server.errors import not_found
from kibitz.app.server.routes.common import enter_as_host, errors
from kibitz.app.server.session import Session
from kibitz.app.tables.table import Table
from kibitz.app.wire.answers import PublicAnswer
from kibitz.app.wire.bodies import PublicBody
from kibitz.app.wire.tables import Snapshot, SnapshotChange

KEY_BYTES: Final = 15


def public_routes(session: Session) -> APIRouter:
    """Routes about publishing; spectators' own calls are answered before they get here."""
    router = APIRouter(tags=["spectators"])

    @router.put(
        "/api/tables/{table_id}/public",
        response_model=PublicAnswer,
        responses=errors(401, 403, 404),
    )
    def put_public(request: Request, table_id: str, body: PublicBody) -> PublicAnswer:
        """Let everybody with the address watch a game without a token, or nobody any more."""
        table = enter_as_host(session, request, table_id)
        key = secrets.token_urlsafe(KEY_BYTES) if body.public else None
        return _answer(session.publish(table_id, key), table)

    @router.get(
        "/api/tables/{table_id}/public",
        response_model=PublicAnswer,
        responses=errors(401, 403, 404),
    )
    def get_public(request: Request, table_id: str) -> PublicAnswer:
        """Addresses where everybody may watch a game; null where nobody may."""
        table = enter_as_host(session, request, table_id)
        return _answer(session.tables.storage.public_key(table_id), table)

    @router.get("/public/{key}.json", response_model=Snapshot, responses=errors(404))
    def get_snapshot(key: str) -> Response:
        """A published game as everybody may see it; caches may keep it for a second."""
        raise not_found(f"No game {key!r} is public here.")

    @router.get(
        "/public/{key}.gcg",
        response_class=Response,
        responses={
            200: {"content": {"text/plain": {"schema": {"type": "string"}}}},
            **errors(404, 409),
        },
    )
    def get_gcg(key: str) -> Response:
        """A published game of Scrabble as GCG, as it stands; for programs that poll it.

        While it is being played no rack is in it, and of an exchange the number of tiles.
        """
        raise not_found(f"No game {key!r} is public here.")

    @router.get(
        "/public/{key}/after/{seq}",
        response_model=SnapshotChange,
        responses={204: {"description": "Nothing has changed; ask again."}, **errors(404)},
    )
    def get_change(key: str, seq: int) -> Response:
        """What came after a step of a published game; waits until there is something.

        The answer stays true, so that caches may keep it: apply it and ask for what came after
        its `seq`. Without anything new for a while the answer is 204.
        """
        raise not_found(f"No game {key!r} is public here, or it never had step {seq}.")

    @router.get(
        "/public/{key}/stream/{seq}",
        response_class=Response,
        responses={
            200: {"content": {"text/event-stream": {"schema": {"type": "string"}}}},
            **errors(404),
        },
    )
    def get_stream(key: str, seq: int) -> Response:
        """The same changes as server-sent events; for watchers that no cache stands before."""
        raise not_found(f"No game {key!r} is public here, or it never had step {seq}.")

    return router


def _answer(key: str | None, table: Table) -> PublicAnswer:
    if key is None:
        return PublicAnswer(public=False)
    return PublicAnswer(
        public=True,
        page=f"/watch/{key}",
        snapshot=f"/public/{key}.json",
        changes=f"/public/{key}/after/",
        stream=f"/public/{key}/stream/",
        gcg=f"/public/{key}.gcg" if table.setup.opening.game.info.gcg else None,
    )
