"""Links to a table's places: long enough that nobody guesses one."""

from __future__ import annotations

from kibitz.app.tables.people.access import LinkMaker


def test_how_long_secrets_are(tmp_path):
    """The place's own 32 bytes; a token and its random part 24 bytes each."""
    token, link = LinkMaker(str(tmp_path)).make("player", "Ann")
    (kept,) = tmp_path.iterdir()

    assert (32, 4 * 24 // 3, 2 * 24) == (kept.stat().st_size, len(token), len(link.nonce))
