"""Word lists: those that are here, and those that this machine can build."""

from __future__ import annotations

import threading
from dataclasses import replace

from fastapi import APIRouter, Request

from kibitz.app.common.errors import CommandError, UsageError
from kibitz.app.common.materials.own_words import KeptList, kept_lists
from kibitz.app.face.materials import build_words
from kibitz.app.server.errors import ApiError
from kibitz.app.server.routes.common import errors, need_server_host
from kibitz.app.server.session import Session
from kibitz.app.wire.answers import BuildableWords, KeptWords, WordsAnswer
from kibitz.app.wire.bodies import WordsBody
from kibitz.app.words.building import installed_source
from kibitz.app.words.recipes import RECIPES
from kibitz.engine.phrases import phrase


def word_routes(session: Session) -> APIRouter:
    """The calls about word lists; they are the machine's, so they are for the server's host."""
    router = APIRouter(prefix="/api/words", tags=["tables"])
    building = threading.Lock()

    @router.get("", response_model=WordsAnswer, responses=errors(401, 403))
    def list_words(request: Request) -> WordsAnswer:
        """The word lists that are kept, and those that can be built from what is installed."""
        need_server_host(session, request)
        return WordsAnswer(
            lists=tuple(map(_kept, kept_lists())),
            to_build=() if session.hall is not None else _buildable(),
        )

    @router.post(
        "", response_model=KeptWords, status_code=201, responses=errors(401, 403, 409, 422)
    )
    def build(request: Request, body: WordsBody) -> KeptWords:
        """Build a list and keep it; new tables may have it at once."""
        need_server_host(session, request)
        if body.name not in {words.name for words in _buildable()}:
            message = phrase("No word list {name} can be built here.", name=f"{body.name!r}")
            raise ApiError(422, "unknown_words", message)
        if session.hall is not None or not building.acquire(blocking=False):
            raise ApiError(409, "busy", phrase("Another word list is being built; wait for it."))
        try:
            kept = build_words(body.name).kept
        except (UsageError, CommandError) as error:
            raise ApiError(422, "not_built", str(error)) from error
        finally:
            building.release()
        offer = session.tables.offer
        session.tables.offer = replace(offer, lexicons={**offer.lexicons, kept.name: kept.name})
        return _kept(kept)

    return router


def _kept(known: KeptList) -> KeptWords:
    return KeptWords(
        name=known.name, words=known.words, source=known.source, licence=known.licence
    )


def _buildable() -> tuple[BuildableWords, ...]:
    """What the installed dictionaries give, each with its size on the disk."""
    out = []
    for recipe in RECIPES:
        try:
            source = installed_source(recipe)
        except UsageError:
            continue
        size = sum(path.stat().st_size for path in source.found())
        out.append(
            BuildableWords(
                name=recipe.name,
                language=recipe.language,
                tiles=recipe.tiles or recipe.name,
                source=source.package,
                licence=source.licence,
                bytes=size,
            )
        )
    return tuple(out)
