"""A game's turns beside the best scoring plays; of a rack only what is known."""

from __future__ import annotations

import pytest

from kibitz.app.common.materials.named import load_lexicon, load_tile_set
from kibitz.engine.board.moves import WordIndex
from kibitz.engine.record.analysis import AnalysisRule, analyse_turns
from kibitz.engine.record.gcg import read_gcg

TILES = load_tile_set("en")
WORDS = WordIndex(load_lexicon("default").words)
HEAD = "#player1 Ann Ann\n#player2 Bob Bob\n"


def turns(text, rule=None):
    return list(analyse_turns(read_gcg(HEAD + text), TILES, WORDS, rule or AnalysisRule()))


def test_a_turn_stands_beside_the_best_play():
    (turn,) = turns(">Ann: ADEGNRT 8D GARDEN +18 18\n")

    assert (1, "Ann", "play", "8D", "GARDEN", 18) == (
        turn.number, turn.player, turn.kind, turn.place, turn.word, turn.score,
    )  # fmt: skip
    assert ("ADEGNRT", "rack", 72, 54) == (
        turn.tiles, turn.known, turn.best[0].score, turn.missed,
    )  # fmt: skip
    assert AnalysisRule().moves == len(turn.best)


@pytest.mark.parametrize(
    ("line", "tiles", "known"),
    [
        (">Ann: ADEGNRT 8D GARDEN +18 18", "ADEGNRT", "rack"),
        (">Ann: ADEGNRU 8D GARDEN +18 18\n#note This rack was not seen; unseen tiles stand for "
         "it.", "ADEGNR", "played"),
        (">Ann: ADEGNR 8D GARDEN +18 18", "ADEGNR", "played"),
        (">Ann: 8D GARDEN +18 18", "ADEGNR", "played"),
        (">Ann: QDEGNR 8D GARDEN +18 18", "ADEGNR", "played"),
        (">Ann: GARD 8G AD +6 6", "ADGR", "part"),
        (">Ann: ?DRGANE 8D GaRDEN +16 16", "?ADEGNR", "rack"),
        (">Ann: AEIOUUV -UUV +0 0", "AEIOUUV", "rack"),
        (">Ann: - +0 0", "", "played"),
        (">Ann: ??????? - +0 0", "??", "part"),
        (">Ann: JKZ???? 8G JaK +16 16", "??JKZ", "part"),
    ],
)  # fmt: skip
def test_no_more_is_said_of_a_rack_than_is_known(line, tiles, known):
    (turn,) = turns(line + "\n")

    assert (tiles, known) == (turn.tiles, turn.known)


def test_what_is_not_in_the_list_is_named():
    """A play that came off again is judged too; the next is judged on the board without it."""
    first, second, third = turns(
        ">Ann: ADEGNRT 8D GARDEN +18 18\n>Bob: AXX 9D XAX +30 30\n>Bob: AXX -- -30 0\n"
        ">Ann: T 9G T +3 21\n"
    )

    assert ((), ("XAX", "GX", "RX")) == (first.bad, second.bad)
    assert (False, True) == (first.came_off, second.came_off)
    assert ("DT",) == third.bad


def test_as_many_plays_are_listed_as_are_asked_for():
    (turn,) = turns(">Ann: ADEGNRT 8D GARDEN +18 18\n", AnalysisRule(2))

    assert 2 == len(turn.best)


def test_a_turn_says_where_not_every_play_was_looked_at():
    """A rack with a blank has more plays than these few beginnings of words."""
    told = [turns(">Ann: AEINRS? - +0 0\n", AnalysisRule(looked_at=most)) for most in (500, 10**6)]

    assert [[False], [True]] == [[turn.whole for turn in one] for one in told]
