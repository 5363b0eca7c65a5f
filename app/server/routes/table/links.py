"""Routes about links to a table's places: list, renew, revoke."""

from __future__ import annotations

import time

from fastapi import APIRouter, Request

from kibitz.app.common.storage.upkeep import Link
from kibitz.app.server.errors import ApiError
from kibitz.app.server.routes.common import enter_as_host, errors
from kibitz.app.server.session import Session
from kibitz.app.wire.answers import LinkAnswer, LinkEntry, LinksAnswer
from kibitz.app.wire.bodies import LinkChange
from kibitz.engine.phrases import phrase

PLAIN_ROLES = ("host", "camera", "watch")


def link_routes(session: Session) -> APIRouter:
    """Routes about links."""
    router = APIRouter(prefix="/api", tags=["tables"])

    @router.get(
        "/tables/{table_id}/links", response_model=LinksAnswer, responses=errors(401, 403, 404)
    )
    def list_links(request: Request, table_id: str) -> LinksAnswer:
        """The places at a table and how many links open each; their tokens are not shown."""
        table = enter_as_host(session, request, table_id)
        kept = session.tables.links(table_id)
        places = [("seat", p) for p in table.setup.opening.players]
        every = [*places, *((role, None) for role in PLAIN_ROLES)]
        return LinksAnswer(links=tuple(_entry(kept, role, player) for role, player in every))

    @router.post(
        "/tables/{table_id}/links", response_model=LinkAnswer, responses=errors(401, 403, 404)
    )
    def change_link(request: Request, table_id: str, body: LinkChange) -> LinkAnswer:
        """End the links to a place, with `renew` for a new one; who came through one is let go."""
        table = enter_as_host(session, request, table_id)
        if (body.renew is None) is (body.revoke is None):
            raise ApiError(422, "bad_request", "Expected either 'renew' or 'revoke'.")
        named = body.renew if body.renew is not None else body.revoke
        role, player = _place(str(named), body.role, table.setup.opening.players)
        if body.revoke is not None:
            if role == "host":
                raise ApiError(422, "bad_request", "Renew the host's link; a table needs one.")
            session.tables.revoke(table_id, role, player)
            session.hub.wake(table_id)
            return LinkAnswer(token=None, role=role, player=player)
        expires = None if body.hours is None else time.time() + body.hours * 3600
        token = session.tables.renew(table_id, role, player, expires)
        session.hub.wake(table_id)
        return LinkAnswer(token=token, role=role, player=player, expires=expires)

    return router


def _place(named: str, role: str | None, players: tuple[str, ...]) -> tuple[str, str | None]:
    """The requested place: a role and, for a seat, its player.

    Raises:
        ApiError: there is no such place.
    """
    if named in players and role in (None, "seat"):
        return "seat", named
    if named in PLAIN_ROLES and role in (None, named):
        return named, None
    message = phrase(
        "Expected one of {names}, got {named}.",
        names=", ".join((*players, *PLAIN_ROLES)),
        named=f"{named!r}",
    )
    raise ApiError(422, "unknown_player", message)


def _entry(kept: tuple[Link, ...], role: str, player: str | None) -> LinkEntry:
    here = [link for link in kept if (link.role, link.player) == (role, player)]
    ends = [link.expires for link in here]
    last = None if None in ends else max((e for e in ends if e is not None), default=None)
    made = max((link.made for link in here), default=0.0)
    return LinkEntry(role=role, player=player, links=len(here), made=made or None, expires=last)
