"""The route for actions at a table."""

from __future__ import annotations

import contextlib
from collections.abc import Mapping
from typing import Annotated

from fastapi import APIRouter, Header, Request, Response

from kibitz.app.common.storage.tables import StorageError
from kibitz.app.observers.told import with_whole_ships
from kibitz.app.server.errors import ApiError, NotSavedError, refusal_error
from kibitz.app.server.routes.common import answered, enter, errors, forbidden
from kibitz.app.server.session import Session
from kibitz.app.tables.midway import BEGIN_FROM
from kibitz.app.tables.people.access import Actor
from kibitz.app.tables.table import END_STANDS, Table
from kibitz.app.wire.answers import Acted
from kibitz.app.wire.bodies import ActionBody
from kibitz.engine.phrases import counted, listed, phrase
from kibitz.engine.rules import Action, JsonValue, Refused
from kibitz.engine.tracking.explanations import take_backs
from kibitz.engine.tracking.questions import Kind

HOST_ONLY = frozenset({"finish_game", "set_position", BEGIN_FROM})
INTERNAL = frozenset({"take_back"})
"""Actions that only pictures of a table bring about."""
NEEDS_ALL = frozenset({"no_plays"})
"""Ends a game and shows every fleet: one player alone must not have that."""
FOR_ALL = frozenset(
    {
        "undo",
        "redo",
        "correct",
        "allow_word",
        "task_done",
        "pause_clock",
        "resume_clock",
        "answer",
        "no_more_words",
        "end_game",
        "abandon",
        "end_of_play",
        "end_of_hand",
    }
    | {"accept", "tie", "no_plays", "draw_limit", "deal_info", "finish_game", "judge_decision"}
    | {"working_on"}
)
"""Actions that are nobody's own move: a seat may say it without being named as the player."""
Key = Annotated[
    str | None,
    Header(alias="Idempotency-Key", min_length=1, max_length=200, description="Done once."),
]


def action_routes(session: Session) -> APIRouter:
    """The route for actions."""
    router = APIRouter(prefix="/api", tags=["play"])

    @router.post(
        "/tables/{table_id}/actions",
        response_model=Acted,
        responses=errors(401, 403, 404, 409),
    )
    def act(request: Request, table_id: str, body: ActionBody, key: Key = None) -> Response:
        """Do something at the table; what the rules refuse changes nothing."""
        table, actor = enter(session, request, table_id)
        action = _checked(body, actor, table)
        _check_agreed(session, table, actor, action)
        try:
            outcome = table.act(action, actor, key)
        except StorageError:
            # what is in memory is no longer what is kept: open the table anew
            session.tables.forget(table.id)
            raise
        if isinstance(outcome, Refused):
            raise refusal_error(outcome, _size(table))
        if not outcome.saved and session.hall is not None and not session.hall.alone:
            # another server may run this table soon, which cannot know what is in memory here
            session.tables.forget(table.id)
            raise NotSavedError(table.id, again=key is not None)
        return answered(session, request, outcome.answer(actor.viewer))

    return router


def _size(table: Table) -> int:
    return table.setup.opening.game.info.surface.rows


def _checked(body: ActionBody, actor: Actor, table: Table) -> Action:
    """The action, if this caller may take it.

    Raises:
        ApiError: 403 for another's action, 422 for a player who is not at the table.
    """
    if actor.role not in ("host", "seat"):
        raise forbidden(phrase("This token may look, not act; seats and the host act."))
    if body.player is not None and body.player not in table.setup.opening.players:
        players = ", ".join(table.setup.opening.players)
        message = phrase(
            "There is no player {player} at this table; there are {players}.",
            player=f"{body.player!r}",
            players=players,
        )
        raise ApiError(422, "unknown_player", message)
    if not actor.may_speak_for(body.player):
        raise forbidden(
            phrase(
                "This is {player}'s seat; it cannot act for {other}.",
                player=actor.player,
                other=body.player,
            )
        )
    if body.action in INTERNAL:
        raise ApiError(422, "unknown_action", f"Nobody tells {body.action!r}; it is seen.")
    if body.action in HOST_ONLY and actor.role != "host":
        raise forbidden(phrase("Only the table's host may do this."))
    data = dict(body.model_extra or {})
    if actor.role == "seat":
        _check_seat(body.action, data, actor, table)
    return told_action(body.action, body.player, data, actor)


def told_action(kind: str, player: str | None, data: dict[str, JsonValue], actor: Actor) -> Action:
    """The action of a request; a seat acts for its own player."""
    data.pop("at", None)  # the time is the table's own
    if kind == "correct" and player is not None:
        data["player"], player = player, None  # who should have done it, not who says so
    if player is None and actor.role == "seat" and kind not in FOR_ALL:
        player = actor.player
    # the rules say in their own words what is wrong with a fleet
    with contextlib.suppress(ValueError, TypeError):
        data = with_whole_ships({**data, "action": kind})
    data.pop("action", None)
    return Action(kind, player, None, data)


def _check_seat(kind: str, data: Mapping[str, JsonValue], actor: Actor, table: Table) -> None:
    """Refuse actions by which a seat would act for others.

    Raises:
        ApiError: 403.
    """
    changes = kind in ("undo", "redo", "correct") or (kind == "answer" and not _asks(table, data))
    if changes and table.has_shown_secrets:
        raise forbidden(END_STANDS.message)
    if kind == "correct" and "entry" in data:
        raise forbidden(
            phrase("Whole entries are corrected by the table's host; tap a square instead.")
        )
    if kind in ("draw", "begin") and data.get("seat") not in (None, actor.player):
        raise forbidden(
            phrase("This is {player}'s seat; it tells its own tile only.", player=actor.player)
        )
    if kind == "draw" and "rounds" in data:
        raise forbidden(
            phrase("A whole draw is told by the table's host; draw_lots lets Kibitz draw.")
        )
    racks = data.get("racks")
    if kind == "racks" and isinstance(racks, dict) and set(racks) - {actor.player}:
        raise forbidden(
            phrase("This is {player}'s seat; it shows no other rack.", player=actor.player)
        )


def _asks(table: Table, answer: Mapping[str, JsonValue]) -> bool:
    """True if the table has an open question that this answers."""
    asked = table.questions()
    about = ("field", "square", "photo")
    return any(all(answer.get(k) in (None, q.get(k)) for k in about) for q in asked)


def _check_agreed(session: Session, table: Table, actor: Actor, action: Action) -> None:
    """Hold back what all must agree on until the last has; the host may decide for all.

    Raises:
        ApiError: 409, with the players who have not said so yet.
    """
    kind = _meant(table, action)
    if actor.role != "seat" or actor.player is None or kind not in NEEDS_ALL or table.over:
        return
    missing = session.agreements.missing(table, kind, actor.player)
    if missing:
        message = counted(
            "Noted. It counts once {players} says so too.",
            "Noted. It counts once {players} say so too.",
            len(missing),
            players=listed(missing, " and "),
        )
        raise ApiError(409, "not_agreed", message)


def _meant(table: Table, action: Action) -> str:
    """Kind of the action that an answer stands for, as `end_game` if it ends the game."""
    if action.kind != "answer" or action.data.get("field") != Kind.CLEARING:
        return action.kind
    end = take_backs.end_told(table.ledger, str(action.data.get("value")))
    return action.kind if end is None else end.kind
