"""Routes of the pages: static files, languages, and QR codes that phones scan to join."""

from __future__ import annotations

import gzip
import hashlib
import io
import json
from collections.abc import Callable
from functools import cache
from pathlib import Path

import segno
from fastapi import APIRouter, Request, Response
from fastapi.responses import FileResponse

from kibitz.app.languages.catalogues import ENGLISH, LANGUAGES, forms_of, translations
from kibitz.app.server.errors import not_found
from kibitz.app.server.routes.common import errors, language_of
from kibitz.app.server.session import Session
from kibitz.app.wire.answers import Document
from kibitz.app.wire.bodies import QrBody
from kibitz.engine.phrases import phrase

AUTHORITY = "application/x-x509-ca-cert"
HTML = "text/html; charset=utf-8"
WEB = Path(__file__).resolve().parents[3] / "web"
PAGES = {
    "/": "index.html",
    "/table/{table_id}": "table.html",
    "/show/{table_id}": "table.html",
    "/air": "table.html",
    "/layout": "layout.html",
    "/layout/{table_id}": "layout.html",
    "/seat/{table_id}": "seat.html",
    "/camera/{table_id}": "camera.html",
    "/setup/{table_id}": "setup.html",
    "/cameras": "cameras.html",
    "/history/{table_id}": "history.html",
    "/watch/{key}": "watch.html",
    "/director": "director.html",
    "/fame": "fame.html",
    "/trace": "trace.html",
    "/docs": "docs.html",
    "/trust": "trust.html",
    "/app": "app.html",
}
APP = {
    "/app.webmanifest": ("app.webmanifest", "application/manifest+json"),
    "/service-worker.js": ("service_worker.js", "text/javascript"),
}
"""Files of a phone's app: a worker has to lie where the pages do."""


def page_routes(session: Session) -> APIRouter:
    """Routes of the pages, the QR codes, and the certificate for phones to trust."""
    router = APIRouter()
    for path, name in PAGES.items():
        router.add_api_route(path, _page(session, name), include_in_schema=False, methods=["GET"])
    for path, (name, kind) in APP.items():
        router.add_api_route(path, _file(name, kind), include_in_schema=False, methods=["GET"])

    @router.post(
        "/api/qr",
        tags=["pages"],
        response_class=Response,
        responses={
            200: {"content": {"image/svg+xml": {"schema": {"type": "string"}}}},
            **errors(),
        },
    )
    def qr(body: QrBody) -> Response:
        """A QR code as SVG; the text travels in the body, so that no log keeps it."""
        out = io.BytesIO()
        code = segno.make(body.text, error="m", micro=False)
        code.save(out, kind="svg", scale=8, border=3, dark="#1d1a16", light="#ffffff")
        return Response(out.getvalue(), media_type="image/svg+xml")

    @router.get(
        "/api/authority",
        tags=["pages"],
        response_class=Response,
        responses={
            200: {"content": {AUTHORITY: {"schema": {"type": "string", "format": "binary"}}}},
            **errors(404),
        },
    )
    def authority() -> Response:
        """The certificate of the house's own authority, for phones to trust."""
        if session.papers is None:
            raise not_found(phrase("This server speaks no https; start it with --https."))
        headers = {
            "content-disposition": 'attachment; filename="kibitz.crt"',
            "x-fingerprint": session.papers.fingerprint,
        }
        return Response(session.papers.authority, media_type=AUTHORITY, headers=headers)

    return router


def _page(session: Session, name: str) -> Callable[[Request], Response]:
    def page(request: Request) -> Response:
        return page_named(name, language_of(session, request))

    return page


def page_named(name: str, language: str, status: int = 200) -> Response:
    """A page in a language."""
    if language == ENGLISH:
        return FileResponse(WEB / name, status, media_type=HTML)
    # the scripts take the page's language from here, unless somebody chose another
    text = (WEB / name).read_text(encoding="utf-8")
    text = text.replace('<html lang="en">', f'<html lang="{language}">', 1)
    return Response(text, status, {"cache-control": "no-cache"}, media_type=HTML)


def _file(name: str, kind: str) -> Callable[[], Response]:
    def file() -> Response:
        return FileResponse(WEB / name, media_type=kind)

    return file


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
        texts, packed, tag = page_texts(code)
        headers = {"etag": tag, "cache-control": "no-cache", "vary": "accept-encoding"}
        if request.headers.get("if-none-match") == tag:
            return Response(status_code=304, headers=headers)
        if "gzip" not in request.headers.get("accept-encoding", ""):
            return Response(texts, media_type=MEDIA, headers=headers)
        return Response(packed, media_type=MEDIA, headers={**headers, "content-encoding": "gzip"})

    return router


@cache
def page_texts(code: str) -> tuple[bytes, bytes, str]:
    """Document `/language/xx.json`, the same packed, and its ETag."""
    spoken = None if code == ENGLISH else translations(code)
    counted = {} if spoken is None else spoken.forms
    document = {
        "language": code,
        "forms": list(forms_of(code)),
        "texts": {} if spoken is None else dict(spoken.sentences),
        "counted": {one: list(forms) for (one, _), forms in counted.items()},
    }
    text = json.dumps(document, ensure_ascii=False, separators=(",", ":"), sort_keys=True).encode()
    return text, gzip.compress(text, mtime=0), f'"{hashlib.sha256(text).hexdigest()[:16]}"'
