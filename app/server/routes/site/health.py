"""Routes to monitor the server: health and metrics."""

from __future__ import annotations

import time
from typing import Any

from fastapi import APIRouter, Request, Response
from fastapi.responses import PlainTextResponse

from kibitz.app.cameras.state import camera_state
from kibitz.app.server.access.gate import Gate
from kibitz.app.server.routes.common import errors, need_server_host
from kibitz.app.server.session import Session
from kibitz.app.tables.people.access import WATCHER
from kibitz.app.wire.answers import Document

TEXT = "text/plain; version=0.0.4; charset=utf-8"
PLAIN: dict[int | str, dict[str, Any]] = {
    200: {"content": {"text/plain": {"schema": {"type": "string"}}}}
}


def health_routes(session: Session, gate: Gate) -> APIRouter:
    """Routes that monitor the server itself."""
    router = APIRouter(tags=["server"])

    @router.get("/api/check", response_model=Document, responses=errors(401, 403))
    def check(request: Request) -> dict[str, object]:
        """Models, word list and storage, for the server's host."""
        need_server_host(session, request)
        checks = {
            "models": session.reader.check(),
            "lexicon": _lexicon(),
            "storage": {"ok": True, "where": session.tables.storage.where},
        }
        return {"ok": all(c["ok"] for c in checks.values()), "checks": checks}

    @router.get("/healthz", response_model=Document, responses=errors())
    def healthz() -> dict[str, bool]:
        """The server lives; `saved` is false while games are only in memory."""
        return {"ok": True, "saved": not _unsaved(session)}

    @router.get("/metrics", response_class=Response, responses={**PLAIN, **errors(401, 403)})
    def metrics(request: Request) -> Response:
        """Figures in the text format of Prometheus; they name no table and no player."""
        need_server_host(session, request)
        return PlainTextResponse(metrics_text(session, gate), media_type=TEXT)

    return router


def _unsaved(session: Session) -> int:
    return sum(t.saving.trouble is not None for t in session.tables.open_tables())


def metrics_text(session: Session, gate: Gate) -> str:
    """Answer of `/metrics`."""
    tables = session.tables.open_tables()
    closed: list[tuple[str, float]] = [
        (f'{{why="{why}"}}', n) for why, n in sorted(gate.closed.items())
    ]
    cameras = [camera_state(c, WATCHER) for t in tables for c in session.cameras_of(t)]
    trouble = sum(c is not None and c.error is not None for c in cameras)
    figures: list[tuple[str, str, str, list[tuple[str, float]]]] = [
        ("tables_open", "gauge", "Tables in memory.", [("", len(tables))]),
        ("tables_unsaved", "gauge", "Tables only in memory now.", [("", _unsaved(session))]),
        (
            "pages",
            "gauge",
            "Pages that look at a table.",
            [("", sum(session.hub.watching(t.id) for t in tables))],
        ),
        ("steps", "gauge", "Steps of the tables in memory.", [("", sum(t.seq for t in tables))]),
        ("cameras", "gauge", "Cameras that pictures came from.", [("", len(cameras))]),
        ("cameras_in_trouble", "gauge", "Those that cannot be used now.", [("", trouble)]),
        (
            "processor_seconds_total",
            "counter",
            "Processor time of this server.",
            [("", round(time.process_time(), 3))],
        ),
        ("connections_idle", "gauge", "Connections that ask nothing.", [("", gate.waiting())]),
        ("connections_closed_total", "counter", "Connections closed, by why.", closed),
    ]
    lines = []
    for name, kind, what, values in figures:
        lines += [f"# HELP kibitz_{name} {what}", f"# TYPE kibitz_{name} {kind}"]
        lines += [f"kibitz_{name}{label} {value}" for label, value in values]
    return "\n".join(lines) + "\n"


def _lexicon() -> dict[str, bool | int]:
    from kibitz.app.common.materials.named import load_lexicon

    words = load_lexicon("default")
    size = len(words) if hasattr(words, "__len__") else 0
    return {"ok": size > 0, "words": size}
