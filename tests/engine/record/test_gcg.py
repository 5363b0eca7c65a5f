"""GCG is read and written: a round trip loses nothing, odd and faulty lines are told."""

from dataclasses import replace
from unicodedata import normalize

import pytest

from kibitz.engine.record.gcg import GcgInvalid, read_gcg, write_gcg
from kibitz.engine.record.gcg_replay import replay_gcg
from tests.engine.record.gcg_help import FILES, SETS

pytestmark = pytest.mark.fast


def same(game, again):
    """Whether nothing is lost; a rack that nobody wrote down is made of the tiles laid."""
    moves = [
        replace(new, line=old.line, rack=new.rack if old.rack else "")
        for old, new in zip(game.moves, again.moves, strict=True)
    ]
    return game == replace(again, moves=tuple(moves))


@pytest.mark.shared
@pytest.mark.skipif(not FILES, reason="the real game records are not beside the project")
@pytest.mark.parametrize("path", FILES, ids=[p.stem for p in FILES])
def test_round_trip(path):
    """A game written and read again has the same players, header, moves, racks and notes."""
    game = read_gcg(path.read_bytes())
    text = write_gcg(game)
    again = read_gcg(text)

    assert same(game, again)
    assert text == write_gcg(again)


WHOLE = """#character-encoding UTF-8
#player1 zoë Zoë Ångström
#player2 bob Bob Burr
#title Odds and ends
#lexicon some.txt
>zoë: ?AEINRT 8D TRAINEr +64 64
#note A blank that stands for an R.
#note And a second line.
>bob: ABCDEFG -ABC +0 0
>zoë: EEIIOUU -4 +0 64
>bob: DEFGHIK - +0 0
>zoë: BDOORSV I1 DROVES +20 84
>zoë: BDOORSV -- -20 64
>bob: DEFGHIK 7G HI +12 12
>bob: DEFGK (challenge) +5 17
>zoë: BDOORSV K5 BO.RDS +21 85
>bob: DEFGK (challenge) +10 27
>zoë: V (time) -10 75
>bob: DEFGK (V) +8 35
>zoë: V (V) -4 71
"""


@pytest.mark.parametrize(
    "encoding", ["utf-8", "utf-8-sig", "latin-1", "utf-16", "utf-16-le", "utf-16-be"]
)
def test_everything_in_one_game(encoding):
    """Blank, exchanges named and counted, pass, lost challenge, bonuses, time, racks, notes."""
    named = "ISO-8859-1" if encoding == "latin-1" else "UTF-8"
    game = read_gcg(WHOLE.replace("UTF-8", named).encode(encoding))

    assert WHOLE == write_gcg(game)
    assert [
        "play", "exchange", "exchange", "pass", "play", "withdrawn", "play", "bonus", "play",
        "bonus", "time", "racks", "racks",
    ] == [m.kind for m in game.moves]  # fmt: skip
    assert "A blank that stands for an R.\nAnd a second line." == game.moves[0].note
    assert {"zoë": 71, "bob": 35} == replay_gcg(game, SETS[:1]).scores


@pytest.mark.parametrize("named", ["no-such-thing", "UTF-16", "bad\0name", "rot13"])
def test_an_encoding_that_is_none(named):
    """A file is read all the same when the encoding that it names cannot be."""
    game = read_gcg(WHOLE.replace("UTF-8", named).encode())

    assert "zoë" == game.players[0][0]


def test_latin_1_that_nobody_names():
    """Bytes that are no UTF-8 are read as the format's old default."""
    game = read_gcg(WHOLE.split("\n", 1)[1].encode("latin-1"))

    assert ("zoë", "Zoë Ångström") == game.players[0]


def test_composed_and_decomposed_letters():
    """A letter and its accent written apart are the one letter that has a value."""
    text = "#player1 jörg Jörg\n>jörg: ÄÖ 8H ÄÖ +28 28\n"
    decomposed = normalize("NFD", text)

    assert read_gcg(text) == read_gcg(decomposed)
    assert [] == replay_gcg(read_gcg(decomposed), SETS).wrong


KEPT = """#character-encoding UTF-8
#player1 ann Ann Ames
#player2 bob Bob Burr
# made by hand
#tile-distribution own
>ann: ACT 8H CAT +10 10
#note First.
#clock 24:10
#
>bob: S 8H ...S +6 6
#rack1 ABCDEFG
#!end
"""


def test_lines_that_nobody_knows_stay_where_they_are():
    """Pragmas and remarks of other programs are written again after the move that they follow."""
    assert KEPT == write_gcg(read_gcg(KEPT))
    assert KEPT == write_gcg(read_gcg(KEPT.replace("1 ann Ann", "1\tann\tAnn")))


SAMPLE = """#character-encoding UTF-8
#player1 ann Ann Ames
#player2 bob Bob Burr
>ann: ?AEINRT 8D TRAINEr +64 64
>bob: - +0 0
"""


def test_blank_and_bonus():
    """A blank is a small letter and scores nothing; seven tiles are worth fifty more."""
    game = read_gcg(SAMPLE.replace(">bob: - +0 0\n", ""))

    replay = replay_gcg(game, SETS[:1])

    assert [] == replay.wrong
    assert {"ann": 64, "bob": 0} == replay.scores


@pytest.mark.parametrize(
    ("line", "kind", "tiles"),
    [
        (">bob: ABC -ABC +0 0", "exchange", "ABC"),
        (">bob: ABC -4 +0 0", "exchange", "4"),
        (">bob: ABC - +0 0", "pass", ""),
        (">bob: ABC -- -20 0", "withdrawn", ""),
        (">bob: ABC (challenge) +5 5", "bonus", ""),
        (">bob: (QI) +22 22", "racks", "QI"),
        (">bob: QI (time) -10 0", "time", ""),
        (">bob: (time) +-10 0", "time", ""),
    ],
)
def test_odd_lines(line, kind, tiles):
    """Lines that are no plays are told apart."""
    move = read_gcg(f"#player1 bob Bob\n{line}\n").moves[0]

    assert (kind, tiles) == (move.kind, move.tiles)


def test_a_penalty_with_both_signs():
    """Points taken away are so too behind a plus."""
    game = read_gcg("#player1 bob Bob\n>bob: X 8H AX +18 18\n>bob: (time) +-6 12\n")

    assert [18, -6] == [m.score for m in game.moves]
    assert {"bob": 12} == replay_gcg(game, SETS[:1]).scores


@pytest.mark.parametrize(
    ("text", "line", "said"),
    [
        ("nonsense\n", 1, "expected '#...' or '>player: ...'"),
        ("#player1 a A\n>a: ABC 8H CAB\n", 2, "+score total"),
        ("#player1 a A\n>a: ABC 8Z CAB +5 5\n", 2, "expected a position"),
        ("", 1, "is this a GCG file?"),
        (f"{SAMPLE}>cyd: - +0 0\n", 6, "expected one of ann, bob, got 'cyd'"),
        (f"{SAMPLE}{SAMPLE}", 7, "expected one game a file, got #player1 a second time"),
    ],
)
def test_faulty_files(text, line, said):
    """A faulty line is named with its number and what was expected."""
    with pytest.raises(GcgInvalid) as caught:
        read_gcg(text)

    assert line == caught.value.line
    assert said in str(caught.value)


@pytest.mark.parametrize("written", ["ann", "ANN", "Ann Ames"])
def test_a_move_names_its_player_as_the_header_does(written):
    """In small letters or capitals; a name of several words is a nick too."""
    text = SAMPLE.replace("#player1 ann", "#player1").replace(">ann:", f">{written}:")

    assert ["Ann", "bob"] == [move.player for move in read_gcg(text).moves]


def test_names_that_look_alike_stay_apart():
    """A blank is written as an underline; whoever is called so already gets another nick."""
    game = read_gcg(WHOLE.encode())
    renamed = {nick: name for (nick, _), name in zip(game.players, ("A B", "A_B"), strict=True)}
    moves = tuple(replace(move, player=renamed[move.player]) for move in game.moves)
    players = tuple((name, name) for name in renamed.values())
    again = read_gcg(write_gcg(replace(game, players=players, moves=moves)).encode())

    assert again.players == (("A_B", "A B"), ("A_B2", "A_B"))
    assert [m.score for m in again.moves] == [m.score for m in game.moves]
    assert len({m.player for m in again.moves}) == 2
