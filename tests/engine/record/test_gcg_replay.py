"""GCG: real games replay with their annotated scores; what counts and is wrong is said."""

import pytest

from kibitz.app.common.materials.named import load_tile_set
from kibitz.engine.record.gcg import read_gcg, write_gcg
from kibitz.engine.record.gcg_replay import replay_gcg
from tests.engine.record.gcg_help import FILES, SETS

COUNTS_FOR_NOTHING = {
    "r20_peter": [("score", 115, 113)],
    "game03": [
        ("not on the rack", "U", "DEENENR"),
        ("score", 66, 104),
        ("total", 242, 243),
        ("total", 242, 243),
        ("total", 301, 302),
        ("total", 308, 309),
    ],
}
"""Slips of the annotators in plays that came off again; every other line is right."""


@pytest.mark.shared
@pytest.mark.skipif(not FILES, reason="the real game records are not beside the project")
@pytest.mark.parametrize("path", FILES, ids=[p.stem for p in FILES])
def test_real_game(path):
    """Every move scores as annotated; known slips are in plays that came off again."""
    replay = replay_gcg(read_gcg(path.read_bytes()), SETS)
    known = next((v for k, v in COUNTS_FOR_NOTHING.items() if k in path.name), [])

    assert [] == replay.wrong
    assert known == sorted((w.what, w.annotated, w.computed) for w in replay.remarks)


CHALLENGES = "#player1 ann Ann\n#player2 bob Bob\n"


@pytest.mark.parametrize(
    "lines",
    [
        ">ann: ACT 8H CAT +10 10\n>ann: X (challenge) +5 15",
        ">ann: ACT 8H CAT +15 15\n#note wrong challenge",
        ">ann: ACT 8H CAT +20 20 (+10)",
        ">ann: ACT 8H CAT +10 15\n>ann: X (challenge) +5 15",
        ">ann: ACT 8H CAT +15 15\n>ann: X (challenge) +5 15",
        ">ann: ACT 8H CAT +10 10\n>ann: X (challenge) +5 10\n>bob: S 8H ...S +6 6\n>ann: X - +0 15",
    ],
)
def test_an_annotated_challenge_bonus_counts(lines):
    """In a line of its own, in the play's score with a remark, or one line early or late."""
    assert [] == replay_gcg(read_gcg(f"{CHALLENGES}{lines}\n"), SETS[:1]).wrong


@pytest.mark.parametrize(
    ("lines", "wrong"),
    [
        (">ann: ACT 8H CAT +15 15", [("score", 15, 10)]),
        (">ann: ACT 8H CAT +10 11", []),  # a first total may stand on a position
        (
            ">ann: ACT 8H CAT +10 10\n>bob: X - +0 0\n>ann: S 8H ...S +6 17",
            [("total", 17, 16)],
        ),
        (
            ">ann: ACT 8H CAT +12 12\n>ann: ACT -- -12 1\n>bob: X - +0 0\n>ann: ACT 8H CAT +10 11",
            [("total", 1, 0)],
        ),
        (">ann: ACT 8H CAT +10 10\n>ann: X (challenge) +5 10", [("total", 10, 15)]),
        (">ann: ACT 8H CAT +10 10\n>ann: (QZ) +21 31", [("end rack", 21, 20)]),
    ],
)
def test_what_counts_and_is_wrong(lines, wrong):
    """A difference that reaches the result is listed once, with the reason in words."""
    found = replay_gcg(read_gcg(f"{CHALLENGES}{lines}\n"), SETS[:1]).wrong

    assert wrong == [(w.what, w.annotated, w.computed) for w in found]
    assert all("annotated as" in w.why for w in found)


def test_why_a_score_is_wrong():
    """The words and their points, so that the slip can be found."""
    game = read_gcg(f"{CHALLENGES}>ann: ?AEINRT 8D TRAINEr +74 74\n")

    assert ["annotated as 74; the rules give 64: TRAINER 14, all seven 50"] == [
        w.why for w in replay_gcg(game, SETS[:1]).wrong
    ]


OPENED = ">ann: ACEST 8H CAT +10 10"
IMPOSSIBLE = [
    (">ann: ACT 8A CAT +5 5", "not_centre"),
    (f"{OPENED}\n>bob: AT 1A AT +6 6", "not_connected"),
    (f"{OPENED}\n>ann: S 8H ...S +6 16", "two turns in a row"),
    (f"{OPENED}\n>bob: AEI 8H ...S +6 6", "not on the rack"),
    (f"{OPENED}\n>bob: AEI -X +0 0", "not on the rack"),
    (f"{OPENED}\n>bob: AEIOURST 8H ...S +6 6", "more than a rack"),
    (f"{OPENED}\n>ann: ACEIT -- -10 0", "other tiles came back"),
    (f"{OPENED}\n>bob: ACT -- -10 0", "withdrawn"),
    (f"{OPENED}\n>bob: AT - +0 0\n>bob: AT (challenge) +5 5", "challenge"),
    (f"{OPENED}\n>bob: AT (challenge) +5 5", "challenge"),
    (f"{OPENED}\n>ann: E (time) +10 20", "time"),
    (f"{OPENED}\n>ann: (X) +8 18\n>bob: X - +0 0\n>ann: E - +0 18", "turn after the end"),
    (">ann: QQZ 8H QZQ +124 124", "more than the set has"),
    (">ann: ÑTO 8H TÑO +4 4", "more than the set has"),
    (f"#game-type wordsmog\n{OPENED}", "unknown variant"),
    (f"#board-layout SuperCrosswordGame\n{OPENED}", "unknown variant"),
    (f"#player3 rob Bob\n{OPENED}", "two players with one name"),
]


@pytest.mark.parametrize(("lines", "what"), IMPOSSIBLE, ids=[f"{w}" for _, w in IMPOSSIBLE])
def test_what_cannot_have_been_played(lines, what):
    """Each is told where it stands, once; who plays by rules of the house does not hear it."""
    game = read_gcg(f"{CHALLENGES}{lines}\n")
    strict, house = (replay_gcg(game, SETS[:1], house_rules=h) for h in (False, True))

    assert [what] == list(dict.fromkeys(w.what for w in strict.wrong if w not in house.wrong))
    assert what not in [w.what for w in house.wrong]


@pytest.mark.parametrize("board", ["classic", "CrosswordGame", "standard15"])
def test_the_usual_board_has_several_names(board):
    """As programs write it."""
    game = read_gcg(f"{CHALLENGES}#board-layout {board}\n{OPENED}\n")

    assert [] == replay_gcg(game, SETS[:1]).wrong


SPANISH = load_tile_set("es")


@pytest.mark.parametrize(
    ("line", "score"),
    [
        ("ACE[CH][LL][RR]T 8H [CH]A[LL]E", 30),
        ("ACELLR? 8H CA[ll]E", 10),
        ("ACELLR[RR] 8H CALLE", 16),  # a file that has brackets: two tiles L
        ("ACELLRS 8H CALLE", 26),  # a file without any: one tile
    ],
)
def test_tiles_of_two_letters(line, score):
    """In brackets, a blank in small letters; without any where letters stand on one tile."""
    game = read_gcg(f"#player1 ann Ann\n>ann: {line} +{score} {score}\n")
    replay = replay_gcg(game, [SPANISH])

    assert [] == replay.wrong
    assert line in write_gcg(game)


@pytest.mark.shared
@pytest.mark.skipif(not FILES, reason="the real game records are not beside the project")
def test_the_rack_that_is_won_is_what_nobody_laid():
    """A letter left out of it, with its points, is told although the figures agree (CL-17)."""
    path = next(path for path in FILES if path.name.endswith("doug_v_emely.gcg"))
    text = path.read_text(encoding="utf-8").replace("(OPEG) +14 345", "(OPE) +10 341")
    (wrong,) = replay_gcg(read_gcg(text), SETS).wrong

    assert ("end rack", "OPE", "G") == (wrong.what, wrong.annotated, wrong.computed)


@pytest.mark.parametrize(
    ("turn", "end", "missing"),
    [
        ("CEINRST - +0 0", ">bob: (CEINRT) -8 -8", "S"),
        ("CEINRST - +0 0", ">ann: (CEINRT) +16 26", "S"),
        ("CEINRST 9H RE +8 8", ">bob: (CINT) -6 2", "S"),
        ("CEINRST -RS +0 0", ">bob: (CEIN) -6 -6", "T"),
        ("CEINRST - +0 0", ">bob: (CEINRST) -9 -9", None),
        ("CE - +0 0", ">bob: (CEINRST) -9 -9", None),
        ("- +0 0", ">bob: (CEINRT) -8 -8", None),
    ],
)
def test_the_tiles_left_have_those_held_after_the_last_turn(turn, end, missing):
    """Nobody lays a tile away: after a pass all are there, after an exchange what was kept."""
    game = read_gcg(
        f"#player1 ann Ann\n#player2 bob Bob\n>ann: ACT 8H CAT +10 10\n>bob: {turn}\n{end}\n"
    )
    wrong = replay_gcg(game, SETS).wrong

    assert [missing] * (missing is not None) == [w.computed for w in wrong if w.what == "end rack"]


def test_a_lost_turn_is_no_second_turn():
    """Whoever loses a turn by a challenge has no line where a remark tells of it."""
    lines = f"{OPENED}\n#note wrong challenge, turn lost\n>ann: S 8H ...S +6 16"

    assert [] == replay_gcg(read_gcg(f"{CHALLENGES}{lines}\n"), SETS[:1]).wrong


def test_two_players_of_one_nick_move_in_turn():
    """Their turns are told apart; a play that comes off is the one of who laid it."""
    text = "#player1 x Ann\n#player2 x Bob\n>x: ACT 8H CAT +10 10\n>x: ACT -- -10 0\n"
    game = read_gcg(f"{text}>x: AST 8H SAT +6 6\n>x: EEI 9H E +6 6\n")

    assert ["x", "x", "x2", "x"] == [m.player for m in game.moves]
    assert (("x", "Ann"), ("x2", "Bob")) == game.players
