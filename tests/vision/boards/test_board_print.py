"""A board's print: alike in mirrors where a board lies right, and nowhere else."""

from collections.abc import Callable
from dataclasses import replace

import numpy as np
import pytest

from kibitz.vision.boards import board_print
from kibitz.vision.boards.board_print import RULES, BoardPrint, print_of
from kibitz.vision.readings import EMPTY_KIND, TILE_KIND

N, PX = 15, 24
PLAIN, PREMIUM = (90, 140, 60), (60, 60, 200)


def board(seed=1):
    """(15, 15, 3) colours: premium squares alike in every mirror."""
    rng = np.random.default_rng(seed)
    corner = rng.random((8, 8)) < 0.3
    corner |= corner.T
    half = np.concatenate([corner, corner[:, -2::-1]], 1)
    premium = np.concatenate([half, half[-2::-1]], 0)
    return np.where(premium[..., None], PREMIUM, PLAIN).astype(np.float32)


def crossword(seed=2):
    """(15, 15, 3) colours: black squares, alike only when turned by half."""
    rng = np.random.default_rng(seed)
    upper = rng.random((7, N)) < 0.3
    black = np.zeros((N, N), bool)
    black[:7] = upper
    black[8:] = upper[::-1, ::-1]
    return np.where(black[..., None], 30, 220).astype(np.float32) * np.ones(3, np.float32)


def as_print(colours, tiles=()):
    """The print of a straightened board with such squares, of which some hold tiles."""
    rng = np.random.default_rng(3)
    kind = np.full((N, N, 4), -9.0, np.float32)
    kind[..., EMPTY_KIND] = 0.0
    for square in tiles:
        kind[square] = -9.0
        kind[(*square, TILE_KIND)] = 0.0
    inner = colours.repeat(PX, 0).repeat(PX, 1)
    straight = np.pad(inner, ((PX, PX), (PX, PX), (0, 0))) + rng.normal(
        0, 3, (17 * PX, 17 * PX, 3)
    )
    return print_of(straight.clip(0, 255).astype(np.uint8), PX, kind)


def test_premium_squares_that_are_only_framed_are_seen():
    """Filmed: their middles look as all others do; their frames lie as in a mirror."""
    premium = (board() == PREMIUM).all(-1)
    inner = np.full((N * PX, N * PX, 3), PLAIN, np.float32)
    for row, col in np.argwhere(premium):
        cell = inner[PX * row : PX * (row + 1), PX * col : PX * (col + 1)]
        cell[1:-1, 1:-1] = PREMIUM
        cell[3:-3, 3:-3] = PLAIN
    kind = np.full((N, N, 4), -9.0, np.float32)
    kind[..., EMPTY_KIND] = 0.0
    its = print_of(np.pad(inner, ((PX, PX), (PX, PX), (0, 0))).astype(np.uint8), PX, kind)

    assert its.says() > 0


@pytest.mark.parametrize(("colour", "expected"), [(0.0, False), (0.02, True)])
def test_squares_that_are_all_alike_say_nothing(colour, expected):
    """Plain paper is no board; premium squares a fiftieth lighter are enough."""
    plain = np.full((N, N, 3), 5.1, np.float32)
    plain[(board() == PREMIUM).all(-1)] += colour
    its = BoardPrint(plain, np.ones((N, N), np.bool_))

    assert (expected, expected) == (its.unlike() is not None, its.says() > 0)


SOME_TILES = tuple((7, c) for c in range(2, 13))


@pytest.mark.parametrize("tiles", [(), SOME_TILES])
def test_a_board_that_lies_right_is_its_own_mirror_image(tiles):
    """Squares differ from their mirror images by noise only."""
    its = as_print(board(), tiles)
    assert its.says() > 0


def test_a_lamp_and_a_shadow_do_not_hide_it():
    """A third of the light on one half, and ever less from left to right."""
    colours = board()
    colours *= np.linspace(1.0, 0.5, N)[None, :, None]
    colours[:6] *= 0.4
    assert as_print(colours, SOME_TILES).says() > 0


@pytest.mark.parametrize("tiles", [(), SOME_TILES])
def test_a_crossword_is_no_board(tiles):
    """It is alike only when turned by half, with letters taken for tiles or without."""
    its = as_print(crossword(), tiles)
    assert its.says() < 0
    assert its.rows_off() is None


def test_a_chequered_cloth_is_no_board():
    """Each square is its own mirror image, and unlike all its neighbours."""
    black = np.indices((N, N)).sum(0) % 2 == 1
    its = as_print(np.where(black[..., None], (40, 90, 40), (200, 220, 200)).astype(np.float32))
    assert its.says() < 0


def test_squared_paper_speaks_against_a_board():
    """Nothing is printed on it: its squares differ by chance."""
    assert as_print(np.full((N, N, 3), 150, np.float32)).says() < 0


def test_a_glare_makes_no_board_another_thing():
    """Six squares are burnt out; all others are as they were."""
    colours = board()
    colours[1:3, 10:13] = 255
    assert as_print(colours, SOME_TILES).says() > 0


@pytest.mark.parametrize("move", [(1, 0), (0, -1), (-2, 1)])
def test_a_print_that_lies_off_says_by_how_many_squares(move):
    """Found some squares off, the board is where its print lies as in a mirror."""
    wide = np.full((N + 4, N + 4, 3), 200, np.float32)
    wide[2:-2, 2:-2] = board()
    x, y = 2 - move[0], 2 - move[1]
    its = as_print(wide[y : y + N, x : x + N])
    assert move == its.rows_off()


def test_too_few_squares_say_nothing():
    """A board full of tiles shows no print."""
    its = as_print(crossword(), [(r, c) for r in range(2, N) for c in range(N)])
    assert its.unlike() is None
    assert 0.0 == its.says()


def test_variance_between_images_is_compared_with_that_between_all():
    """Of the colour with the least share, against sums over every group, worked out one by one."""
    rng = np.random.default_rng(4)
    its = BoardPrint(rng.random((N, N, 3)).astype(np.float32), rng.random((N, N)) > 0.4)
    hues = rng.normal(size=(20_000, 3))
    hues /= np.linalg.norm(hues, axis=1, keepdims=True)
    for x, y in ((0, 0), (1, -2)):
        groups: dict[tuple[int, int], list[np.ndarray]] = {}
        for r, c in np.argwhere(its.bare):
            far = sorted((abs(int(r) - 7 - y), abs(int(c) - 7 - x)))
            groups.setdefault((far[0], far[1]), []).append(hues @ its.colours[r, c])
        several = [np.array(g) for g in groups.values() if len(g) > 1]
        everything = np.concatenate(several)
        within = sum(((g - g.mean(0)) ** 2).sum(0) for g in several)
        within *= (len(everything) - 1) / (len(everything) - len(several))
        among = ((everything - everything.mean(0)) ** 2).sum(0)
        noise = RULES.noise * sum(
            ((c - c.mean()) ** 2).sum() for c in (everything @ np.linalg.pinv(hues).T).T
        )
        least = ((within + noise) / (among + noise)).min()
        assert its.unlike((x, y)) == pytest.approx(least, rel=1e-3)


def mixed(one, other, told: Callable[[BoardPrint], float], aim: float):
    """The print of one pattern and so much of another that a measure of it is as asked."""
    low, high = 0.0, 64.0
    for _ in range(50):
        share = (low + high) / 2
        its = BoardPrint((one + share * other).astype(np.float32), np.ones((N, N), bool))
        low, high = (share, high) if told(its) < aim else (low, share)
    return its


def lead_of(its: BoardPrint) -> float:
    """How far the likeliest place of a board that is cut off at its sides leads."""
    said = sorted(its._odds(4, 1).values())
    return said[-1] - said[-2]


@pytest.mark.parametrize(("lead", "expected"), [(4.5, None), (9.0, (0, 0))])
def test_how_much_likelier_a_place_must_be_than_all_others(lead, expected, monkeypatch):
    """By six nats: stripes alone are as likely two columns further."""
    striped = np.zeros((N, N, 3))
    striped[:, ::2] = 1.0
    its = mixed(striped, board() * 1e-3, lead_of, lead)
    monkeypatch.setattr(board_print, "RULES", replace(RULES, alike=1.0))

    assert expected == its.squares_off((True, False))


def half_a_board(unlike: float):
    """A board's print and stains; stains make so large a part of what differs. All differs little."""
    stains = np.random.default_rng(6).normal(size=(N, N, 3))
    return mixed(board() * 1e-4, stains * 1e-3, BoardPrint.unlike, unlike)


@pytest.mark.parametrize(("unlike", "expected"), [(0.25, True), (0.35, False)])
def test_how_alike_mirror_images_are_on_a_board(unlike, expected):
    """Three tenths of what differs may differ between them."""
    assert expected == (half_a_board(unlike).squares_off((False, False)) is not None)


@pytest.mark.parametrize(("unlike", "expected"), [(0.4, True), (0.6, False)])
def test_how_unlike_they_are_on_no_board(unlike, expected):
    """From a half on they speak against a board."""
    assert expected == (half_a_board(unlike).says() > 0)


@pytest.mark.parametrize(("share", "expected"), [(0.5, False), (0.7, True)])
def test_how_chequered_no_board_is(share, expected):
    """Six tenths of what differs: a board's premium squares lie on diagonals too."""
    turns = (np.indices((N, N)).sum(0) % 2)[..., None] * np.ones(3)
    its = mixed(board() * 1e-2, turns, BoardPrint._by_turns, share)

    assert expected == (its.says() < 0)


@pytest.mark.parametrize(("more", "told"), [(2, False), (3, True)])
def test_how_many_squares_tell(more, told):
    """Forty of which a mirror image is in sight: two rows, and four squares for each row more."""
    bare = np.zeros((N, N), bool)
    bare[[0, -1]] = True
    for row in range(4, 4 + more):
        bare[np.ix_([row, N - 1 - row], [0, N - 1])] = True

    assert told == (BoardPrint(board().astype(np.float32), bare).unlike() is not None)


def cut_off(move, seen: int = N):
    """The print of a board of which the picture shows so many columns, found so many squares off."""
    wide = np.zeros((3 * N, 3 * N, 3), np.float32)
    there = np.zeros((3 * N, 3 * N), bool)
    wide[N : 2 * N, N : 2 * N] = np.log(board(3))
    there[N : 2 * N, N : N + seen] = True
    y, x = N - move[1], N - move[0]
    here = np.s_[y : y + N, x : x + N]
    return BoardPrint(wide[here], there[here])


@pytest.mark.parametrize(
    ("move", "expected"),
    [((3, 0), (3, 0)), ((5, 0), None), ((3, 2), (3, 2)), ((3, 3), None), ((-4, -1), (-4, -1))],
)
def test_how_far_off_a_board_that_is_cut_off_may_lie(move, expected):
    """Four columns where columns are missing, and two rows."""
    assert expected == cut_off(move).squares_off((True, False))
