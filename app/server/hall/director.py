"""What a director sees of a hall: every table that is played at, wherever it is run."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from typing import Any, TypedDict

from kibitz.app.cameras.state import camera_json
from kibitz.app.common.storage.tables import StorageError
from kibitz.app.common.storage.upkeep import JudgeCall, Label
from kibitz.app.server.session import Session
from kibitz.app.server.speaking import HEADER
from kibitz.app.tables.people.access import Actor
from kibitz.app.tables.people.divisions import Division, division_from_json
from kibitz.app.tables.state import notices, questions
from kibitz.app.tables.table import Table


class CameraFacts(TypedDict):
    """What a table's camera sees."""

    frame: int
    settled: bool
    advice: list[str]
    error: Any


class TableFacts(TypedDict):
    """A table as the server that runs it knows it; times in seconds."""

    table: str
    game: str
    title: str
    players: list[str]
    created: float
    server: str | None
    seq: int
    clock: float
    clocks: dict[str, float] | None
    paused: bool
    over: bool
    scores: dict[str, int] | None
    to_move: str | list[str] | None
    winner: str | list[str] | None
    rows: list[str] | None
    camera: CameraFacts | None
    questions: list[str]
    notices: list[str]
    watching: int


class CallEntry(TypedDict):
    """Somebody at a table asks for a judge, since when (seconds since 1970)."""

    at: float
    by: str
    why: str


class Place(TypedDict):
    """Where a table stands in a tournament."""

    division: str
    round: int
    board: int


class TableEntry(TableFacts):
    """The same with what all servers share: its name, a call for a judge, its round."""

    name: str | None
    judge: CallEntry | None
    round: Place | None


class ServerEntry(TypedDict):
    """A server of the hall, and whether it answers."""

    name: str
    reach: str
    answers: bool


HERE = "/api/director?here=true"
DIVISION = "division "
_HOST = Actor("host")


def tables_here(session: Session) -> list[TableFacts]:
    """The tables that this server runs, as a director's page shows them."""
    return [_entry(session, table) for table in session.tables.open_tables()]


def tables_of_hall(session: Session, language: str) -> tuple[list[TableEntry], list[ServerEntry]]:
    """The tables of every server of the hall, and the servers with what is wrong with them.

    What other servers say is in that language; what this one says can still be put into any.
    """
    found = tables_here(session)
    hall = session.hall
    if hall is None:
        return _labelled(session, found), []
    others = [s for s in hall.servers() if s.name != hall.me.name]
    servers: list[ServerEntry] = [{"name": hall.me.name, "reach": hall.me.reach, "answers": True}]
    if others:
        with ThreadPoolExecutor() as pool:
            for server, there in zip(
                others, pool.map(lambda s: _ask(session, s.reach, language), others), strict=True
            ):
                servers.append(
                    {"name": server.name, "reach": server.reach, "answers": there is not None}
                )
                found += there or []
    return _labelled(session, found), sorted(servers, key=lambda s: s["name"])


def _ask(session: Session, reach: str, language: str) -> list[TableFacts] | None:
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
        there: list[TableFacts] = answer.raise_for_status().json()["tables"]
    except (httpx.HTTPError, ValueError, KeyError):
        return None
    return there


def _labelled(session: Session, found: list[TableFacts]) -> list[TableEntry]:
    """Names, judges and rounds lie in what all servers share."""
    storage = session.tables.storage
    labels, calls = storage.labels([t["table"] for t in found]), storage.judge_calls()
    played: dict[str, Place] = {
        table_id: {"division": division.name, "round": int(r), "board": int(b)}
        for division in divisions(session)
        for place, table_id in division.tables.items()
        for r, b in [place.split("/")]
    }
    out: list[TableEntry] = []
    for entry in found:
        label = labels.get(entry["table"], Label())
        if label.archived is None:
            out.append({
                **entry,
                "name": label.name,
                "judge": _call_json(calls.get(entry["table"])),
                "round": played.get(entry["table"]),
            })  # fmt: skip
    return sorted(out, key=_order)


def _order(entry: TableEntry) -> tuple[float, str, int, int, float]:
    """Who asks for a judge first; then by round and board, then the newest."""
    at = entry["round"] or {"division": "~", "round": 0, "board": 0}
    called = entry["judge"]["at"] if entry["judge"] else float("inf")
    return called, at["division"], -at["round"], at["board"], -entry["created"]


def _call_json(call: JudgeCall | None) -> CallEntry | None:
    return None if call is None else {"at": call.at, "by": call.by, "why": call.why}


def _entry(session: Session, table: Table) -> TableFacts:
    game = table.setup.opening.game
    view = table.view(Actor("watch"))
    camera = session.camera_of(table)
    asked = questions(table, view)
    shown = camera_json(camera, _HOST)
    rows = view.get("board45") or view.get("board") or (view.get("boards") or [None])[0]
    return {
        "table": table.id,
        "game": game.info.slug,
        "title": game.info.title,
        "players": list(table.setup.opening.players),
        "created": table.setup.row.created,
        "server": None if session.hall is None else session.hall.me.name,
        "seq": table.seq,
        "clock": table.clock(),
        "clocks": view.get("clocks"),
        "paused": table.paused,
        "over": table.over,
        "scores": view.get("scores"),
        "to_move": view.get("to_move"),
        "winner": view.get("winner"),
        "rows": None if rows is None else list(rows),
        "camera": None
        if shown is None
        else {
            "frame": shown["frame"],
            "settled": shown["settled"],
            "advice": shown["advice"],
            "error": shown["error"],
        },
        "questions": [str(q["prompt"]) for q in asked],
        "notices": [n["message"] for n in notices(table, _HOST)],
        "watching": session.hub.watching(table.id),
    }


def divisions(session: Session) -> list[Division]:
    """The divisions that were imported, by name."""
    kept = session.tables.storage.documents(DIVISION)
    return [division_from_json(text) for _, text in sorted(kept.items())]


def with_results(session: Session, division: Division) -> Division:
    """A division with the points of the games that are over."""
    for place, table_id in division.tables.items():
        try:
            table = session.tables.openable(table_id)
        except StorageError:
            continue
        if table is None or not table.over:
            continue
        round_number, board = (int(x) for x in place.split("/"))
        pairing = division.pairings(round_number)[board - 1]
        scores = table.view(_HOST).get("scores") or {}
        points = {
            number: int(scores[name])
            for number, name in zip(pairing.numbers, table.setup.opening.players, strict=False)
            if name in scores
        }
        division = division.with_result(round_number, points)
    return division
