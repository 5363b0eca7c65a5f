"""Routes with the pages' texts in other languages, as documents that browsers may cache."""

from __future__ import annotations

import hashlib
import json
from functools import cache

from fastapi import APIRouter, Request, Response

from kibitz.app.languages.catalogues import ENGLISH, LANGUAGES, forms_of, translations
from kibitz.app.server.errors import not_found
from kibitz.app.server.routes.common import errors
from kibitz.app.server.session import Session
from kibitz.app.server.speaking import language_of
from kibitz.app.wire.answers import Document

MEDIA = "application/json"


def language_routes(session: Session) -> APIRouter:
    """Routes about languages."""
    router = APIRouter(tags=["pages"])

    @router.get("/api/languages", response_model=Document, responses=errors())
    def list_languages(request: Request) -> dict[str, str | dict[str, str]]:
        """Every language by its code and own name; `chosen` is the one that the caller gets."""
        return {"languages": dict(LANGUAGES), "chosen": language_of(session, request)}

    @router.get(
        "/language/{code}.json",
        response_class=Response,
        responses={200: {"content": {MEDIA: {"schema": {"type": "object"}}}}, **errors(404)},
    )
    def get_language(request: Request, code: str) -> Response:
        """The texts of a language by their English ones; those that count have several forms."""
        if code not in LANGUAGES:
            raise not_found("There is no such language here; /api/languages lists them.")
        text, tag = page_texts(code)
        headers = {"etag": tag, "cache-control": "no-cache"}
        if request.headers.get("if-none-match") == tag:
            return Response(status_code=304, headers=headers)
        return Response(text, media_type=MEDIA, headers=headers)

    return router


@cache
def page_texts(code: str) -> tuple[str, str]:
    """Document `/language/xx.json`, and its ETag."""
    spoken = None if code == ENGLISH else translations(code)
    counted = {} if spoken is None else spoken.forms
    document = {
        "language": code,
        "forms": list(forms_of(code)),
        "texts": {} if spoken is None else dict(spoken.sentences),
        "counted": {one: list(forms) for (one, _), forms in counted.items()},
    }
    text = json.dumps(document, ensure_ascii=False, separators=(",", ":"), sort_keys=True)
    return text, f'"{hashlib.sha256(text.encode()).hexdigest()[:16]}"'
