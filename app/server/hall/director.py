"""The director's view of a hall: every active table, wherever it is run."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor

from kibitz.app.cameras.state import camera_state
from kibitz.app.common.storage.tables import StorageError
from kibitz.app.common.storage.upkeep import Label
from kibitz.app.languages.catalogues import localized
from kibitz.app.server.routes.common import HEADER
from kibitz.app.server.session import Session
from kibitz.app.tables.people.access import HOST, WATCHER
from kibitz.app.tables.people.divisions import Division, division_from_json
from kibitz.app.tables.state import is_provisional, notices, standing
from kibitz.app.tables.table import Table
from kibitz.app.wire.answers import DirectorAnswer
from kibitz.app.wire.tables import CameraState, HallServer, HallTable, JudgeCall, Place
from kibitz.engine.table import board_rows

HERE = "/api/director?here=true"
DIVISION = "division "


def tables_here(session: Session, language: str) -> list[HallTable]:
    """Tables that this server runs, for the director's page: said in that language.

    Squares are named as each table names them.
    """
    return [
        HallTable.model_validate(
            localized(_entry(session, table).to_json(), language, table.setup.notation)
        )
        for table in session.tables.open_tables()
    ]


def tables_of_hall(session: Session, language: str) -> tuple[list[HallTable], list[HallServer]]:
    """Tables of the whole hall, in that language, and its servers with their troubles."""
    found = tables_here(session, language)
    hall = session.hall
    if hall is None:
        return _labelled(session, found), []
    others = [s for s in hall.servers() if s.name != hall.me.name]
    servers = [HallServer(name=hall.me.name, reach=hall.me.reach, answers=True)]
    if others:
        with ThreadPoolExecutor() as pool:
            for server, there in zip(
                others, pool.map(lambda s: _ask(session, s.reach, language), others), strict=True
            ):
                answers = there is not None
                servers.append(HallServer(name=server.name, reach=server.reach, answers=answers))
                found += there or []
    return _labelled(session, found), sorted(servers, key=lambda s: s.name)


def _ask(session: Session, reach: str, language: str) -> list[HallTable] | None:
    import httpx

    hall = session.hall
    assert hall is not None
    try:
        answer = httpx.get(
            reach + HERE,
            headers={"authorization": f"Bearer {hall.host_key}", HEADER: language},
            timeout=hall.rule.connect_s,
            trust_env=False,
        )
        answer.raise_for_status()
        return list(DirectorAnswer.model_validate_json(answer.content).tables)
    except (httpx.HTTPError, ValueError):
        return None


def _labelled(session: Session, found: list[HallTable]) -> list[HallTable]:
    """Tables with names, judge calls and rounds from the shared storage."""
    storage = session.tables.storage
    labels, calls = storage.labels([t.table for t in found]), storage.judge_calls()
    played = {
        table_id: Place(division=division.name, round=int(r), board=int(b))
        for division in divisions(session)
        for place, table_id in division.tables.items()
        for r, b in [place.split("/")]
    }
    out = []
    for entry in found:
        label = labels.get(entry.table, Label())
        if label.archived is None:
            call = calls.get(entry.table)
            judge = None if call is None else JudgeCall(at=call.at, by=call.by, why=call.why)
            shared = {"name": label.name, "judge": judge, "round": played.get(entry.table)}
            out.append(entry.model_copy(update=shared))
    return sorted(out, key=_order)


def _order(entry: HallTable) -> tuple[float, str, int, int, float]:
    """Sort key: tables that call a judge first, then by round and board, then the newest."""
    at = entry.round or Place(division="~", round=0, board=0)
    called = entry.judge.at if entry.judge else float("inf")
    return called, at.division, -at.round, at.board, -entry.created


def _entry(session: Session, table: Table) -> HallTable:
    view = table.view(WATCHER)
    camera, asked = camera_state(session.camera_of(table), HOST), table.questions()
    return HallTable(
        **standing(table),
        table=table.id,
        created=table.setup.row.created,
        server=None if session.hall is None else session.hall.me.name,
        clocks=view.get("clocks"),
        scores=view.get("scores"),
        to_move=view.get("to_move"),
        winner=view.get("winner"),
        rows=tuple(board_rows(view)) or None,
        camera=None
        if camera is None
        else CameraState(
            frame=camera.frame, settled=camera.settled, advice=camera.advice, error=camera.error
        ),
        questions=tuple(str(q["prompt"]) for q in asked),
        provisional=is_provisional(asked),
        notices=tuple(n.message for n in notices(table, HOST)),
        watching=session.hub.watching(table.id),
    )


def divisions(session: Session) -> list[Division]:
    """Imported divisions by name."""
    kept = session.tables.storage.documents(DIVISION)
    return [division_from_json(text) for _, text in sorted(kept.items())]


def with_results(session: Session, division: Division) -> Division:
    """The division with the points of finished games."""
    for place, table_id in division.tables.items():
        try:
            table = session.tables.openable(table_id)
        except StorageError:
            continue
        if table is None or not table.over:
            continue
        round_number, board = (int(x) for x in place.split("/"))
        pairing = division.pairings(round_number)[board - 1]
        scores = table.view(HOST).get("scores") or {}
        points = {
            number: int(scores[name])
            for number, name in zip(pairing.numbers, table.setup.opening.players, strict=False)
            if name in scores
        }
        division = division.with_result(round_number, points)
    return division
