"""What is printed on the things of the bundled photographs."""

from __future__ import annotations

import numpy as np
import pytest

from kibitz.models.training.drawing.board_art import standard_premiums
from tests.filming.photographs import prints
from tests.filming.photographs.looks import LOOKS, Reach
from tests.helpers.pictured_games import SLUGS, game_of

DESIGNS = sorted({design for look in LOOKS.values() for design in look.boards}, key=str)


def test_every_bundled_game_has_a_look() -> None:
    """None is left that could not be photographed again."""
    assert sorted(LOOKS) == sorted(game_of(slug)["look"] for slug in SLUGS)


@pytest.mark.parametrize("slug", SLUGS)
def test_a_hand_comes_over_the_table_where_one_is_told(slug: str) -> None:
    """A game with a hand in a photograph says where that hand reaches to."""
    game = game_of(slug)
    told = any("hand" in photo for photo in game["photos"])

    assert told == (LOOKS[game["look"]].reach != Reach())


@pytest.mark.parametrize("design", DESIGNS)
def test_premium_squares_are_where_the_rules_have_them(design: prints.BoardDesign) -> None:
    """Seen from above, each square has the colour of its premium."""
    side, rim = prints.PRINT_PX, 96
    picture = prints.board(np.random.default_rng(0), design, (1.0, 1.0, 1.0, 1.0))
    colours = dict(zip("WwLl.", (*design.premiums, design.field), strict=True))
    told = []
    for r in range(15):
        cells = picture[rim + r * side + 9 : rim + r * side + 20, rim:]
        seen = [cells[:, c * side + 9 : c * side + 88].mean((0, 1)) for c in range(15)]
        told.append(
            "".join(min(colours, key=lambda k: float(np.abs(s - colours[k]).sum())) for s in seen)
        )

    assert standard_premiums() == told


def test_a_face_is_where_its_place_in_the_atlas_is() -> None:
    """Letters have ink of their own shape; a blank's face and a tile's back have none."""
    values = dict.fromkeys(prints.FACES, 1)
    atlas = prints.tile_faces("archivo-700", values)
    high, wide = atlas.shape

    def ink(char: str) -> int:
        x0, y0, x1, y1 = prints.face_at(char)
        part = atlas[
            round((1 - y1) * high) : round((1 - y0) * high), round(x0 * wide) : round(x1 * wide)
        ]
        return int(np.count_nonzero(part > 127))

    assert [0, 0] == [ink("?"), ink(" ")]
    assert ["I", "L", "M"] == sorted("MIL", key=ink)
    assert int(np.count_nonzero(atlas > 127)) == sum(ink(char) for char in prints.FACES)


def test_a_value_of_two_figures_stays_on_its_tile() -> None:
    """`10` ends where `1` does, left of the tile's edge."""
    sets = [prints.tile_faces("archivo-700", dict.fromkeys(prints.FACES, v)) for v in (1, 10)]
    low, side = int(0.78 * prints.TILE_PX), prints.TILE_PX
    ends = [int(np.argwhere(s[low:side, 2 * side : 3 * side].any(0)).max()) for s in sets]

    assert max(ends) <= int(0.92 * side)
    assert abs(ends[0] - ends[1]) <= 8
