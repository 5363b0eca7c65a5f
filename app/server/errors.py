"""Errors of the HTTP API."""

from __future__ import annotations

from collections.abc import Mapping

from kibitz.app.common.storage.tables import StorageError
from kibitz.app.languages.catalogues import ENGLISH, localized
from kibitz.app.tables.people.access import FORBIDDEN
from kibitz.engine.phrases import Notation, phrase
from kibitz.engine.rules import JsonValue, Refused
from kibitz.engine.table import SIDE
from kibitz.models.session import ModelFileInvalid
from kibitz.vision.frame import PictureError


class ApiError(Exception):
    """An error answer: status, stable code, and message."""

    def __init__(
        self,
        status: int,
        code: str,
        message: str,
        squares: tuple[str, ...] = (),
        details: Mapping[str, JsonValue] | None = None,
    ) -> None:
        super().__init__(message)
        self.status = status
        self.code = code
        self.message = message
        self.squares = squares
        self.details = details or {}

    def to_json(
        self, language: str = ENGLISH, notation: Notation = "A1"
    ) -> dict[str, dict[str, JsonValue]]:
        """Body of the answer, in a language."""
        error: dict[str, JsonValue] = {"code": self.code, "message": self.message}
        if self.squares:
            error["squares"] = list(self.squares)
        return localized({"error": {**error, **self.details}}, language, notation)


class NotSavedError(ApiError):
    """A hall's database did not confirm an action, which may be stored or not.

    Args:
        table: whose action it was.
        again: it has an Idempotency-Key, so that it may be sent again and is done once.
    """

    def __init__(self, table: str, *, again: bool) -> None:
        message = (
            "The hall's database does not answer, so this was not done as far as is known; look "
            "at the table, or send it with an Idempotency-Key, which may be sent again."
        )
        super().__init__(503, "not_saved", message)
        self.table = table
        self.again = again


def refusal_error(refused: Refused, size: int = SIDE) -> ApiError:
    """Error answer for an action that the rules refuse."""
    squares = tuple(s.name_on(size) for s in refused.squares)
    extra = {"result": dict(refused.result)} if refused.result else {}
    status = 403 if refused.code == FORBIDDEN else 409
    return ApiError(status, refused.code, refused.message, squares, extra)


def storage_api_error(error: StorageError) -> ApiError:
    """Error answer for trouble with the storage."""
    status = {"storage_full": 507, "table_damaged": 409}.get(error.code, 503)
    return ApiError(status, error.code, phrase("{why}.", why=error.public))


def picture_error(error: PictureError | ModelFileInvalid) -> ApiError:
    """Error answer for an unreadable picture or a missing network."""
    if isinstance(error, ModelFileInvalid):
        message = phrase("Pictures cannot be read: {why}", why=error)
        return ApiError(503, "models_unusable", message)
    return ApiError(413 if error.code == "too_large" else 422, error.code, error.message)


def not_found(what: str = "There is no such table, or this token does not open it.") -> ApiError:
    """One error answer for what does not exist and for what may not be known to exist."""
    return ApiError(404, "not_found", what)
