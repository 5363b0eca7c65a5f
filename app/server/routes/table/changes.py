"""The calls about how a game came to stand as it does."""

from __future__ import annotations

from fastapi import APIRouter, Request
from pydantic import BaseModel, Field

from kibitz.app.server.errors import ApiError
from kibitz.app.server.routes.common import enter, errors
from kibitz.app.server.session import Session
from kibitz.app.server.speaking import spoken_to
from kibitz.app.tables.why import changes_of, why
from kibitz.engine.phrases import phrase


class Change(BaseModel):
    """One change of a game."""

    seq: int = Field(description="The number of its step.")
    at: float = Field(description="When, in seconds since 1970.")
    cause: str = Field(description="`picture`, `person` or `rule`.")
    by: str | None = Field(description="Who, if a person did it: a player, or a role.")
    what: str = Field(description="What the picture showed, or what was told.")
    photo: int | None = Field(description="The number of the picture.")
    first: int = Field(description="The first entry of the history that it changed or added.")
    entries: int = Field(description="How many entries were worked out anew from there.")
    before: dict[str, int | None] = Field(description="The scores before it.")
    after: dict[str, int | None] = Field(description="The scores after it.")
    say: list[str]


class Reading(BaseModel):
    """What was read on one square, as probabilities."""

    square: str
    empty: float
    tile: float
    covered: float
    letters: dict[str, float]


class Meaning(BaseModel):
    """What a picture may have meant."""

    means: str
    weight: float = Field(description="In nats against the likeliest.")
    share: float = Field(description="Its share of all that were weighed.")


class Why(Change):
    """Why a change came about."""

    readings: list[Reading]
    alternatives: list[Meaning]
    picture: str | None = Field(description="Where the picture is, for who may see it.")


class Changes(BaseModel):
    """All changes of a game, oldest first."""

    changes: list[Change]


def change_routes(session: Session) -> APIRouter:
    """The calls about changes of a game."""
    router = APIRouter(prefix="/api", tags=["record"])

    @router.get("/tables/{table_id}/changes", response_model=Changes, responses=errors(401, 404))
    def get_changes(request: Request, table_id: str) -> Changes:
        """Every change of the game and its scores, with its cause."""
        table, _ = enter(session, request, table_id)
        return Changes(
            changes=[Change(**c) for c in spoken_to(session, request, changes_of(table))]
        )

    @router.get("/tables/{table_id}/changes/{seq}", response_model=Why, responses=errors(401, 404))
    def get_why(request: Request, table_id: str, seq: int) -> Why:
        """Why one change came about: before, after, the readings and what else was weighed."""
        table, actor = enter(session, request, table_id)
        found = why(table, seq, actor)
        if found is None:
            raise ApiError(
                404, "no_change", phrase("Step {number} changed nothing in this game.", number=seq)
            )
        return Why(**spoken_to(session, request, found))

    return router
