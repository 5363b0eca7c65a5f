"""What a play causes in Scrabble House: explosions in order, and who wins (SH-12 to SH-30)."""

from __future__ import annotations

from kibitz.app.common.materials.named import load_tile_set
from kibitz.engine.games.scrabble_house.blast import explosion, folded, settling
from kibitz.engine.games.scrabble_house.rules import GAME
from kibitz.engine.games.scrabble_house.state import rows_from_cells
from kibitz.engine.options import check_options
from kibitz.engine.rules import Accepted, Action, Materials, apply
from kibitz.engine.words.lexicon import words_from_text

WORDS = words_from_text("CAT\nCOD\nTACO\nOX\n")
TWO, FOUR = ("Ann", "Bob"), ("Ann", "Bea", "Cyd", "Dan")


def board(**rows):
    """A board by its rows, `I="...tac"`."""
    return [rows.get(chr(65 + r), "").ljust(15, ".") for r in range(15)]


NORTH_CAT = board(I="....tac")
"""CAT as North reads it, from I7 to I5."""


def table(players=TWO, rows=None, settings=None, **initial):
    options = check_options(GAME.info, {"sh.opening": "any", **(settings or {})})
    materials = Materials(WORDS, load_tile_set("en"))
    boards = [rows or board()] * (len(players) // 2)
    start = {"boards": boards, "first_play_done": dict.fromkeys(players, True), **initial}
    return GAME.begin(players, options, materials, start)


def waiting(state, tiles, **data):
    """South has laid tiles, and the opponent may look yet (SH-11)."""
    player = state.players[0]
    state, verdict = apply(
        GAME, state, Action("place", player, None, {"tiles": tiles, "window": "open", **data})
    )
    assert isinstance(verdict, Accepted), verdict
    return state


DOWN, IN_LINE = {"J7": "O", "K7": "D"}, {"I8": "O"}


def test_a_word_through_another_breaks_it():
    """C turns; A and T faced North in a string that is mixed now, and go (SH-13 to SH-15)."""
    events, result = explosion(waiting(table(rows=NORTH_CAT), DOWN), 0)

    assert [
        ("rotated", {"squares": ["I7"], "board": 1}),
        ("exploded", {"stage": "mixed", "tiles": ["I5T", "I6A"], "strings": ["CAT"]}),
        ("mixed_words", {"words": ["CAT"]}),
        ("passed_to_partner", {"count": 2, "letters": "AT", "partner": None}),
    ] == [(e.kind, e.data) for e in events[:-1]]
    assert board(I="......C", J="......O", K="......D") == result["board_after"]


def test_who_declines_lets_nothing_explode():
    """Where the source's "may" is taken at its word (SH-12, SH-A4)."""
    optional = table(rows=NORTH_CAT, settings={"sh.explode": "optional"})
    events, result = explosion(waiting(optional, DOWN, explode=False), 0)

    assert ["_settled"] == [e.kind for e in events]
    assert board(I="....tac", J="......O", K="......D") == result["board_after"]


def test_an_explosion_comes_once():
    """A play that is settled, and a board without one, have nothing to settle."""
    state = waiting(table(rows=NORTH_CAT), DOWN)
    after = folded(state, settling(state, 0))

    assert board(I="......C", J="......O", K="......D") == rows_from_cells(after.boards[0].cells)
    assert ([], ([], {})) == (settling(after, 0), explosion(after, 0))
