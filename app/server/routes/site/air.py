"""Routes about what is on air: a table's delay, and the lasting link to the newest game."""

from __future__ import annotations

from fastapi import APIRouter, Request
from fastapi.responses import Response

from kibitz.app.common.storage.upkeep import layout_name
from kibitz.app.server.routes.common import (
    enter,
    enter_as_host,
    errors,
    given_token,
    need_server_host,
    wrong_token,
)
from kibitz.app.server.session import Session
from kibitz.app.wire.answers import AirAnswer, LayoutAnswer, OnAirAnswer, TokenAnswer
from kibitz.app.wire.bodies import AirBody, LastingBody, LayoutBody
from kibitz.app.wire.shape import Layout


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
