"""Routes about what is on air: a table's delay, the lasting link, and public games."""

from __future__ import annotations

import secrets
from typing import Final

from fastapi import APIRouter, Request
from fastapi.responses import Response

from kibitz.app.common.storage.upkeep import layout_name
from kibitz.app.server.errors import not_found
from kibitz.app.server.routes.common import (
    enter,
    enter_as_host,
    errors,
    given_token,
    need_server_host,
    wrong_token,
)
from kibitz.app.server.session import Session
from kibitz.app.tables.table import Table
from kibitz.app.wire.answers import AirAnswer, LayoutAnswer, OnAirAnswer, PublicAnswer, TokenAnswer
from kibitz.app.wire.bodies import AirBody, LastingBody, LayoutBody, PublicBody
from kibitz.app.wire.shape import Layout
from kibitz.app.wire.tables import Snapshot, SnapshotChange


def air_routes(session: Session) -> APIRouter:
    """Routes about what is on air."""
    router = APIRouter(tags=["spectators"])

    @router.put(
        "/api/tables/{table_id}/air",
        response_model=AirAnswer,
        responses=errors(401, 403, 404),
    )
    def put_air(request: Request, table_id: str, body: AirBody) -> AirAnswer:
        """Let all who only watch be behind: by every link, published address, picture and file.

        What was put right before it was on air is on air put right.
        """
        table = enter_as_host(session, request, table_id)
        session.booth.set_delay(table, body.delay_s)
        session.hub.wake(table_id)
        return AirAnswer(delay_s=body.delay_s)

    @router.post(
        "/api/air/link", response_model=TokenAnswer, status_code=201, responses=errors(401, 403)
    )
    def post_link(request: Request, body: LastingBody) -> TokenAnswer:
        """The link that follows the newest game, for the server's host: `/air#t=TOKEN`."""
        need_server_host(session, request)
        token = session.tables.lasting.token(renew=body.renew)
        _let_go(session)
        return TokenAnswer(token=token, role="watch", address=session.address)

    @router.delete("/api/air/link", status_code=204, responses=errors(401, 403))
    def delete_link(request: Request) -> Response:
        """Let the link that follows the newest game open nothing any more."""
        need_server_host(session, request)
        session.tables.lasting.end()
        _let_go(session)
        return Response(status_code=204)

    @router.get("/api/air", response_model=OnAirAnswer, responses=errors(401, 404))
    def get_air(request: Request) -> OnAirAnswer:
        """The newest table, which the lasting link's token opens; ask again for the next one."""
        token = given_token(request)
        if not session.tables.lasting.is_opened_by(token):
            raise wrong_token(session, request)
        layout = _layout(session, "")
        return OnAirAnswer(table=session.tables.lasting.table(), layout=layout)

    @router.put("/api/air/layout", response_model=LayoutAnswer, responses=errors(401, 403))
    def put_common_layout(request: Request, body: LayoutBody) -> LayoutAnswer:
        """Lay out the overlay of the newest game, and those of tables without their own."""
        need_server_host(session, request)
        return _keep_layout(session, "", body)

    @router.get("/api/air/layout", response_model=LayoutAnswer, responses=errors(401, 403))
    def get_common_layout(request: Request) -> LayoutAnswer:
        """The layout of the overlay that follows the newest game."""
        need_server_host(session, request)
        return LayoutAnswer(layout=_layout(session, ""))

    @router.put(
        "/api/tables/{table_id}/layout",
        response_model=LayoutAnswer,
        responses=errors(401, 403, 404),
    )
    def put_layout(request: Request, table_id: str, body: LayoutBody) -> LayoutAnswer:
        """Lay out the overlay of one table."""
        enter_as_host(session, request, table_id)
        return _keep_layout(session, table_id, body)

    @router.get(
        "/api/tables/{table_id}/layout", response_model=LayoutAnswer, responses=errors(401, 404)
    )
    def get_layout(request: Request, table_id: str) -> LayoutAnswer:
        """The layout of a table's overlay: its own, else that of all games."""
        table, _ = enter(session, request, table_id)
        return LayoutAnswer(layout=_layout(session, table.id) or _layout(session, ""))

    return router


def _layout(session: Session, table_id: str) -> Layout | None:
    text = session.tables.storage.document(layout_name(table_id))[1]
    return LayoutAnswer.model_validate_json(text).layout if text else None


def _keep_layout(session: Session, table_id: str, body: LayoutBody) -> LayoutAnswer:
    """Keep a layout, or drop it where none is given."""
    storage, name = session.tables.storage, layout_name(table_id)
    answer = LayoutAnswer(layout=body.layout)
    if body.layout is None:
        storage.drop_document(name)
    else:
        storage.put_document(name, answer.to_text())
    return answer


def _let_go(session: Session) -> None:
    """Close the pages that came through a link that opens nothing any more."""
    newest = session.tables.lasting.table()
    if newest is not None:
        session.hub.wake(newest)


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
        """The changes after a step of a published game; waits until there are some.

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
