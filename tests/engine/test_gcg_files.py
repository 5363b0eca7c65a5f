"""GCG: real games replay with their annotated scores; reading and writing round-trip."""

import pytest

from app.materials import TILE_SETS, load_tile_set
from engine.gcg import GcgInvalid, read_gcg, replay_gcg, write_gcg
from tests.shared_data import SHARED

FILES = sorted((SHARED / "gcg").glob("*.gcg")) if (SHARED / "gcg").exists() else []
ANNOTATOR_ERRED = {
    "r20_peter": [("score", 115, 113)],
    "game03": [("score", 66, 104), ("total", 308, 309), ("total", 257, 256)],
}
SETS = [load_tile_set(name) for name in TILE_SETS]


@pytest.mark.shared
@pytest.mark.skipif(not FILES, reason="the real game records are not beside the project")
@pytest.mark.parametrize("path", FILES, ids=[p.stem for p in FILES])
def test_real_game(path):
    """Every move scores as annotated, save where the annotator is known to have erred."""
    replay = replay_gcg(read_gcg(path.read_bytes()), SETS)
    known = next((v for k, v in ANNOTATOR_ERRED.items() if k in path.name), [])

    assert known == [(w.what, w.annotated, w.computed) for w in replay.wrong]


@pytest.mark.shared
@pytest.mark.skipif(not FILES, reason="the real game records are not beside the project")
@pytest.mark.parametrize("path", FILES[::5], ids=[p.stem for p in FILES[::5]])
def test_round_trip(path):
    """A game written and read again has the same moves."""
    game = read_gcg(path.read_bytes())
    again = read_gcg(write_gcg(game))

    assert [(m.kind, m.square, m.axis, m.word, m.score, m.total) for m in game.moves] == [
        (m.kind, m.square, m.axis, m.word, m.score, m.total) for m in again.moves
    ]


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
    ],
)
def test_odd_lines(line, kind, tiles):
    """Lines that are no plays are told apart."""
    move = read_gcg(f"#player1 bob Bob\n{line}\n").moves[0]

    assert (kind, tiles) == (move.kind, move.tiles)


@pytest.mark.parametrize(
    ("text", "line", "said"),
    [
        ("nonsense\n", 1, "expected '#...' or '>player: ...'"),
        ("#player1 a A\n>a: ABC 8H CAB\n", 2, "+score total"),
        ("#player1 a A\n>a: ABC 8Z CAB +5 5\n", 2, "expected a position"),
        ("", 1, "is this a GCG file?"),
    ],
)
def test_faulty_files(text, line, said):
    """A faulty line is named with its number and what was expected."""
    with pytest.raises(GcgInvalid) as caught:
        read_gcg(text)

    assert line == caught.value.line
    assert said in str(caught.value)
