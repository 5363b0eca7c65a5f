"""GCG: real games replay with their annotated scores; what counts and is wrong is said."""

import pytest

from kibitz.engine.record.gcg import read_gcg
from kibitz.engine.record.gcg_replay import replay_gcg
from tests.engine.record.gcg_help import FILES, SETS

COUNTS_FOR_NOTHING = {
    "r20_peter": [("score", 115, 113)],
    "game03": [
        ("score", 66, 104),
        ("total", 308, 309),
        ("total", 242, 243),
        ("total", 301, 302),
        ("total", 242, 243),
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
    assert sorted(known) == sorted((w.what, w.annotated, w.computed) for w in replay.remarks)


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
        (">ann: ACT 8H CAT +10 10\n>ann: S 8H ...S +6 17", [("total", 17, 16)]),
        (
            ">ann: ACT 8H CAT +12 12\n>ann: ACT -- -12 1\n>ann: ACT 8H CAT +10 11",
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
