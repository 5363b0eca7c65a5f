"""Whether this installation has what it needs."""

from __future__ import annotations

from typing import Any

from fastapi import APIRouter, Request

from kibitz.app.server.messages import Document
from kibitz.app.server.routes.common import errors, need_server_host
from kibitz.app.server.session import Session


def check_routes(session: Session) -> APIRouter:
    """The call that tests the installation."""
    router = APIRouter(prefix="/api", tags=["server"])

    @router.get("/check", response_model=Document, responses=errors(401, 403))
    def check(request: Request) -> dict[str, Any]:
        """Models, word list and storage, for the server's host."""
        need_server_host(session, request)
        checks = {
            "models": session.reader.check(),
            "lexicon": _lexicon(),
            "storage": {"ok": True, "where": session.tables.storage.where},
        }
        return {"ok": all(c["ok"] for c in checks.values()), "checks": checks}

    return router


def _lexicon() -> dict[str, Any]:
    from kibitz.app.common.materials.named import load_lexicon

    words = load_lexicon("default")
    size = len(words) if hasattr(words, "__len__") else 0
    return {"ok": size > 0, "words": size}
