"""Which calls are about a table, and for whom another server of the hall is believed to call."""

from __future__ import annotations

import time

import pytest

from kibitz.app.common.waiting import WAITS
from kibitz.app.server.hall.forwarding import Told, believed, sign, table_in

SECRET = b"of the hall"
TOLD = Told("192.0.2.7", "https", host=False)
TARGET = "/api/tables/abc?lang=de"


@pytest.mark.parametrize(
    ("path", "expected"),
    [
        ("", None),
        ("/", None),
        ("/api/tables", None),
        ("/api/tables/", None),
        ("/api/tables/abc", "abc"),
        ("/api/tables/abc/actions", "abc"),
        ("/api/tables/../etc", None),
        ("/api/games/abc", None),
        ("/show/tables/abc", None),
        ("/api/tables/" + "a" * 40, "a" * 40),
        ("/api/tables/" + "a" * 41, None),
    ],
)
def test_which_table_a_call_is_about(path, expected):
    """A table's name has letters and digits, forty at most."""
    assert expected == table_in(path)


@pytest.mark.parametrize("told", [TOLD, Told("::1", "http", host=True)])
def test_what_a_server_of_the_hall_says_is_believed(told):
    """All three: the caller, how the caller came, and whether it is the host."""
    header = sign(SECRET, told, "GET", TARGET)

    assert told == believed(SECRET, header, "GET", TARGET)


@pytest.mark.parametrize(
    ("secret", "method", "target"),
    [
        (b"another", "GET", TARGET),
        (SECRET, "POST", TARGET),
        (SECRET, "GET", "/api/tables/abd?lang=de"),
        (SECRET, "GET", "/api/tables/abc"),
    ],
)
def test_a_signature_holds_for_its_own_call_alone(secret, method, target):
    """Another secret, another method, another table, another query."""
    header = sign(SECRET, TOLD, "GET", TARGET)

    assert None is believed(secret, header, method, target)


@pytest.mark.parametrize("part", range(5))
def test_no_part_of_it_can_be_altered(part):
    """When, whether it is the host, how and from where, and the signature itself."""
    parts = sign(SECRET, TOLD, "GET", TARGET).split("|")
    parts[part] = "1" if parts[part] != "1" else "0"

    assert None is believed(SECRET, "|".join(parts), "GET", TARGET)


@pytest.mark.parametrize(
    "header", ["", "|", "||||", "1|1|http|::1", "1|1|http|::1|0|0", "1|1|http|::1|\xe9"]
)
def test_what_is_no_signature_is_not_believed(header):
    """Too few parts, too many, and letters that no signature has."""
    assert None is believed(SECRET, header, "GET", TARGET)


@pytest.mark.parametrize(
    ("late", "expected"), [(0.0, TOLD), (0.5, TOLD), (-0.5, TOLD), (2.0, None), (-2.0, None)]
)
def test_a_call_is_believed_as_long_as_an_answer_is_waited_for(late, expected):
    """Not an older one, which may be sent again, nor one from long ahead."""
    header = sign(SECRET, TOLD, "GET", TARGET, time.time() - late * WAITS.answer_s)

    assert expected == believed(SECRET, header, "GET", TARGET)
