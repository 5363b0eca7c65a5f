"""Routes for the director: all tables, judge calls, rounds, pairings and results."""

from __future__ import annotations

import json
import time
from dataclasses import replace
from enum import StrEnum
from typing import Annotated

from fastapi import APIRouter, Path, Query, Request, Response

from kibitz.app.common.storage.upkeep import JudgeCall
from kibitz.app.server.errors import ApiError, not_found
from kibitz.app.server.hall.director import (
    DIVISION,
    divisions,
    tables_here,
    tables_of_hall,
    with_results,
)
from kibitz.app.server.routes.common import (
    answered,
    enter,
    enter_as_host,
    errors,
    forbidden,
    need_server_host,
    noted_language,
)
from kibitz.app.server.session import Session
from kibitz.app.tables.orders import Order, check_names
from kibitz.app.tables.people.divisions import (
    Division,
    DivisionError,
    Pairing,
    csv_text,
    division_from_json,
    parse_division,
    tsh_text,
)
from kibitz.app.wire.answers import DirectorAnswer, DivisionAnswer, DivisionGame, JudgeAnswer
from kibitz.app.wire.bodies import DivisionBody, JudgeBody, RoundBody, ServerBody

Name = Annotated[str, Path(min_length=1, max_length=40, pattern=r"^[\w .-]+$")]


class Format(StrEnum):
    """File format of results."""

    TSH = "tsh"
    CSV = "csv"


MEDIA = {Format.TSH: ("text/plain", "t"), Format.CSV: ("text/csv", "csv")}


def director_routes(session: Session) -> APIRouter:
    """Routes for the director of a hall, and for tables that call a judge."""
    router = APIRouter(prefix="/api", tags=["director"])

    @router.get("/director", response_model=DirectorAnswer, responses=errors(401, 403))
    def get_director(
        request: Request,
        here: Annotated[bool, Query(description="Only the tables that this server runs.")] = False,
    ) -> Response:
        """Every table that is played at; with board, score, clock, camera and open questions."""
        need_server_host(session, request)
        session.directed = True
        language = noted_language(session, request)
        if here:
            own = tuple(tables_here(session, language))
            return answered(session, request, DirectorAnswer(tables=own, servers=(), divisions=()))
        tables, servers = tables_of_hall(session, language)
        answers = tuple(_answer(division) for division in divisions(session))
        hall = DirectorAnswer(tables=tuple(tables), servers=tuple(servers), divisions=answers)
        return answered(session, request, hall)

    _add_divisions(router, session)
    _add_rounds(router, session)
    _add_tables(router, session)
    return router


def _add_divisions(router: APIRouter, session: Session) -> None:
    @router.put(
        "/director/divisions/{division}",
        response_model=DivisionAnswer,
        responses=errors(401, 403, 409),
    )
    def put_division(request: Request, division: Name, body: DivisionBody) -> DivisionAnswer:
        """Take in a division's players and pairings, from a TSH file or a CSV."""
        need_server_host(session, request)
        version, kept = _kept(session, division)
        try:
            given = parse_division(division, body.text)
            check_names([e.name for e in given.entrants])
        except DivisionError as error:
            raise ApiError(422, "bad_division", str(error)) from error
        if kept is not None:
            given = _same_tables(kept, given)
        _keep(session, version, given)
        return _answer(given)

    @router.get(
        "/director/divisions/{division}",
        response_class=Response,
        responses={
            200: {"content": {m: {"schema": {"type": "string"}} for m, _ in MEDIA.values()}},
            **errors(401, 403, 404),
        },
    )
    def get_division(
        request: Request,
        division: Name,
        format_: Annotated[Format, Query(alias="format")] = Format.TSH,
    ) -> Response:
        """A division with the results of finished games; for the director's own program."""
        need_server_host(session, request)
        _, kept = _imported(session, division)
        filled = with_results(session, kept)
        text = tsh_text(filled) if format_ is Format.TSH else csv_text(filled)
        media, suffix = MEDIA[format_]
        headers = {"content-disposition": f'attachment; filename="{_file(division)}.{suffix}"'}
        return Response(text, media_type=f"{media}; charset=utf-8", headers=headers)

    @router.delete(
        "/director/divisions/{division}", status_code=204, responses=errors(401, 403, 404)
    )
    def delete_division(request: Request, division: Name) -> Response:
        """Forget a division's pairings; its tables and games stay."""
        need_server_host(session, request)
        if not session.tables.storage.drop_document(DIVISION + division):
            raise _not_imported(division)
        return Response(status_code=204)


def _add_rounds(router: APIRouter, session: Session) -> None:
    @router.post(
        "/director/divisions/{division}/rounds/{round}",
        response_model=DivisionAnswer,
        status_code=201,
        responses=errors(401, 403, 404, 409),
    )
    def open_round(
        request: Request,
        division: Name,
        round: Annotated[int, Path(ge=1, le=100)],
        body: RoundBody,
    ) -> DivisionAnswer:
        """Set up a table for each game of a round; games that have one keep it."""
        need_server_host(session, request)
        version, kept = _imported(session, division)
        pairings = kept.pairings(round)
        if not pairings:
            raise ApiError(409, "not_paired", f"Round {round} of {division} is not paired yet.")
        for pairing in pairings:
            if kept.table_of(round, pairing.board) is None:
                table_id = _set_up(session, kept, round, pairing, body)
                kept = kept.with_table(round, pairing.board, table_id)
        _keep(session, version, kept)
        return _answer(kept)


def _add_tables(router: APIRouter, session: Session) -> None:
    @router.post(
        "/tables/{table_id}/judge", response_model=JudgeAnswer, responses=errors(401, 403, 404)
    )
    def call_judge(request: Request, table_id: str, body: JudgeBody) -> JudgeAnswer:
        """Call for a judge from a seat or as the host, or say that one came."""
        storage = session.tables.storage
        if not body.wanted:
            enter_as_host(session, request, table_id)
            storage.dismiss_judge(table_id)
            return JudgeAnswer(called=False)
        _, actor = enter(session, request, table_id)
        if actor.role not in ("host", "seat"):
            raise forbidden("Seats and the host call for a judge.")
        why = " ".join(body.why.split())
        storage.call_judge(JudgeCall(table_id, time.time(), actor.player or actor.role, why))
        return JudgeAnswer(called=True)

    @router.put(
        "/tables/{table_id}/server",
        response_model=ServerBody,
        responses=errors(401, 403, 404, 409),
    )
    def put_server(request: Request, table_id: str, body: ServerBody) -> ServerBody:
        """Let a certain server of the hall run a table, as its camera is plugged in there."""
        enter_as_host(session, request, table_id)
        need_server_host(session, request, token_given=True)
        hall = session.hall
        names = [] if hall is None else [s.name for s in hall.servers()]
        if hall is None or body.server not in names:
            known = ", ".join(names) or "none, as this server shares its database with no other"
            raise ApiError(409, "unknown_server", f"Expected one of {known}; got {body.server!r}.")
        hall.send_home(table_id, body.server)
        return body


def _kept(session: Session, name: str) -> tuple[int, Division | None]:
    version, text = session.tables.storage.document(DIVISION + name)
    return version, division_from_json(text) if version else None


def _imported(session: Session, name: str) -> tuple[int, Division]:
    """A division and its version.

    Raises:
        ApiError: no such division was imported.
    """
    version, kept = _kept(session, name)
    if kept is None:
        raise _not_imported(name)
    return version, kept


def _not_imported(name: str) -> ApiError:
    return not_found(f"No division {name!r} was imported.")


def _keep(session: Session, version: int, division: Division) -> None:
    """Keep a division.

    Raises:
        ApiError: somebody else has changed it meanwhile.
    """
    text = json.dumps(division.to_json(), ensure_ascii=False)
    if not session.tables.storage.keep_document(DIVISION + division.name, version, text):
        message = f"Somebody else has just changed division {division.name}; look, and try again."
        raise ApiError(409, "changed_meanwhile", message)


def _same_tables(before: Division, after: Division) -> Division:
    """The new division, in which games with unchanged pairings keep their tables."""
    for place, table_id in before.tables.items():
        round_number, board = (int(x) for x in place.split("/"))
        names = {before.name_of(n) for n in before.pairings(round_number)[board - 1].numbers}
        for pairing in after.pairings(round_number):
            if {after.name_of(n) for n in pairing.numbers} == names:
                after = after.with_table(round_number, pairing.board, table_id)
    return after


def _set_up(
    session: Session, division: Division, round_number: int, pairing: Pairing, body: RoundBody
) -> str:
    names = tuple(division.name_of(n) for n in pairing.numbers)
    order = Order(body.game, check_names(names), body.settings, body.tiles, body.lexicon)
    order = replace(order, delay_s=session.delay_s)
    table = session.tables.create(order).table
    session.listen(table)
    title = f"{division.name} round {round_number} board {pairing.board}"
    session.tables.label(table.id, name=title)
    return table.id


def _answer(division: Division) -> DivisionAnswer:
    games = tuple(
        DivisionGame(
            round=number,
            board=pairing.board,
            players=tuple(division.name_of(n) for n in pairing.numbers),
            table=division.table_of(number, pairing.board),
        )
        for number in range(1, division.rounds + 1)
        for pairing in division.pairings(number)
    )
    return DivisionAnswer(
        division=division.name,
        players=tuple(e.name for e in division.entrants),
        rounds=division.rounds,
        games=games,
    )


def _file(name: str) -> str:
    return "".join(c if c.isascii() and c.isalnum() else "-" for c in name)
