"""How long lists may get, and how large files."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest

from kibitz.app.archive.content import ZipLimits
from kibitz.app.archive.pages import Pages
from kibitz.app.archive.statistics import Standing, Statistics
from kibitz.app.common.listing import DIVISIONS, LIMITS, LISTS, ListRule
from kibitz.app.common.materials.named import _word_list
from kibitz.app.reading.frames import FRAMES
from kibitz.app.server.access.security import LIMITS as REQUESTS
from kibitz.app.server.messages import plain_json

ROOT = Path(__file__).resolve().parents[3]


@pytest.mark.parametrize(("games", "pages"), [(0, 1), (200, 1), (201, 2), (401, 3)])
def test_so_many_games_stand_on_a_page(tmp_path: Path, games: int, pages: int) -> None:
    """Two hundred."""
    with Pages(tmp_path, tmp_path, games) as made:
        assert pages == made._pages


def test_a_summary_names_the_best() -> None:
    """Twelve words, and of players the first forty."""
    found = Statistics()
    found.words = Counter({f"W{n:03}": n for n in range(1, 100)})
    found.players = {f"P{n:03}": Standing(games=n) for n in range(1, 100)}

    assert [f"W{n:03}" for n in range(99, 87, -1)] == [w for w, _ in found.top_words()]
    assert [f"P{n:03}" for n in range(99, 59, -1)] == [p for p, _ in found.top_players()]


def test_what_is_held_ready() -> None:
    """So many things that were worked out, eight word lists."""
    assert (256, 8) == (LISTS.held, _word_list.cache_info().maxsize)


def test_how_large_files_may_be() -> None:
    """A picture and a game, as the documents say."""
    archive = (ROOT / "docs" / "archive.md").read_text(encoding="utf-8")
    page = (ROOT / "docs" / "the-page.md").read_text(encoding="utf-8")

    assert (20_000_000, 20_000_000) == (LIMITS.read_bytes, FRAMES.most_bytes)
    assert ZipLimits().most_bytes == REQUESTS.most_film == 8 * 10**9
    assert "unpacks to more than 8 GB" in archive
    assert "up to 8 GB" in page


def test_how_deep_a_call_may_be() -> None:
    """Eight levels."""
    value: object = "x"
    for _ in range(8):
        value = [value]

    assert value == plain_json(value)
    with pytest.raises(ValueError, match="at most 8 levels"):
        plain_json([value])


def test_how_large_a_division_may_be() -> None:
    """Two thousand players, a hundred rounds."""
    assert (2000, 100) == (DIVISIONS.players, DIVISIONS.rounds)


def test_a_list_has_an_entry() -> None:
    """Numbers out of bounds are refused."""
    with pytest.raises(ValueError, match="page"):
        ListRule(page=0)
