"""What a caller is told when something cannot be done: a status, a stable code, what to do."""

from __future__ import annotations

import pytest

from kibitz.app.common.storage.tables import StorageError
from kibitz.app.server.errors import (
    ApiError,
    NotSavedError,
    not_found,
    picture_error,
    refusal_error,
    storage_api_error,
)
from kibitz.app.tables.people.access import FORBIDDEN
from kibitz.engine.phrases import phrase
from kibitz.engine.rules import Refused
from kibitz.engine.table import Square
from kibitz.models.session import ModelFileInvalid
from kibitz.vision.frame import PictureError

WHERE = "/srv/kibitz/tables.sqlite"


def test_an_error_is_its_code_and_message():
    """Squares and details stand beside them only where there are some."""
    plain = ApiError(409, "no_clock", "This game has no clocks.")
    more = ApiError(409, "gap", "A gap.", ("H8", "H10"), {"again": True})

    assert {
        "error": {"code": "no_clock", "message": "This game has no clocks."}
    } == plain.to_json()
    assert {
        "error": {"code": "gap", "message": "A gap.", "squares": ["H8", "H10"], "again": True}
    } == more.to_json()


def test_the_message_is_in_the_caller_s_language_the_code_is_not():
    """Programs go by the code."""
    error = ApiError(409, "nothing_to_undo", phrase("Nothing has been done yet."))
    german = error.to_json("de")["error"]

    assert "nothing_to_undo" == german["code"]
    assert "Nothing has been done yet." == error.to_json()["error"]["message"]
    assert "Nothing has been done yet." != german["message"]


@pytest.mark.parametrize(
    ("code", "status"), [("not_a_word", 409), ("not_your_turn", 409), (FORBIDDEN, 403)]
)
def test_a_refusal_is_a_conflict_unless_the_caller_may_not(code, status):
    """Nothing was changed by either."""
    error = refusal_error(Refused(code, "No."))

    assert (status, code, "No.", (), {}) == (
        error.status,
        error.code,
        error.message,
        error.squares,
        dict(error.details),
    )


@pytest.mark.parametrize(("size", "name"), [(15, "H8"), (45, "1:H8")])
def test_a_refusal_names_squares_as_the_board_does(size, name):
    """On nine joined boards with the number of the board; what else the rules say is told too."""
    error = refusal_error(Refused("gap", "A gap.", (Square(7, 7),), {"entry": 3}), size)

    assert ((name,), {"result": {"entry": 3}}) == (error.squares, error.details)


@pytest.mark.parametrize(
    ("code", "status"),
    [
        ("storage_full", 507),
        ("table_damaged", 409),
        ("storage_locked", 503),
        ("storage_hung", 503),
        ("lease_lost", 503),
        ("something_new", 503),
    ],
)
def test_a_trouble_of_the_disk_does_not_tell_where_tables_are(code, status):
    """The message for who runs the server names the place; callers hear what happened."""
    error = storage_api_error(StorageError(code, f"{WHERE} takes nothing"))

    assert (status, code) == (error.status, error.code)
    assert WHERE not in error.message
    assert error.message.endswith(".")


@pytest.mark.parametrize(
    ("cause", "status", "code"),
    [
        (PictureError("too_large", "Too many pixels."), 413, "too_large"),
        (PictureError("not_an_image", "No picture."), 422, "not_an_image"),
        (ModelFileInvalid("lattice.onnx is missing"), 503, "models_unusable"),
    ],
)
def test_a_picture_that_cannot_be_read(cause, status, code):
    """It is too large, it is none, or the server lacks what reads it; the reason is told."""
    error = picture_error(cause)

    assert (status, code) == (error.status, error.code)
    assert str(getattr(cause, "message", cause)) in error.message


def test_what_may_not_be_known_to_exist_is_answered_like_what_does_not():
    """One status and one code; the message may name what was asked for."""
    plain, other = not_found(), not_found("There is no such picture.")

    assert {(404, "not_found")} == {(e.status, e.code) for e in (plain, other)}
    assert "There is no such picture." == other.message


@pytest.mark.parametrize("again", [False, True])
def test_what_is_perhaps_done_says_how_to_ask_again(again):
    """With an Idempotency-Key it may be sent again."""
    error = NotSavedError("t", again=again)

    assert (503, "not_saved", again) == (error.status, error.code, error.again)
    assert "Idempotency-Key" in error.message
