"""Drawn photographs by kind, and the truth that is kept with them."""

from __future__ import annotations

import numpy as np
import pytest

from kibitz.calibration.board_geometry import geometry_from_corners
from kibitz.models.training.drawing import scene, tabletop
from kibitz.models.training.sampling.by_kind import BAG, KINDS, draw


@pytest.mark.parametrize("kind", ["from-15-to-25", "from-45-to-90"])
def test_a_board_is_in_its_picture_with_a_set_s_tiles(kind):
    """As high as its kind says; tops lie farther from whoever looks, by more from low down."""
    picture, truth = draw(np.random.default_rng([1, len(kind)]), kind)
    h, w = picture.shape[:2]
    corners, tops = (np.array(truth[name]) for name in ("corners_px", "top_corners_px"))
    board = geometry_from_corners(corners, 15, w, h)
    letters = "".join(truth["board"]).replace(".", "")
    low, high = KINDS[kind][0]
    aside = np.abs(board.to_lattice(tops) - [(0, 0), (15, 0), (15, 15), (0, 15)]).max()
    expected = truth["tile_squares"] / np.tan(np.deg2rad(truth["elevation_deg"]))

    assert board.in_picture(corners).all()
    assert low <= truth["elevation_deg"] <= high
    assert not any(letters.count(x) > BAG.count(x) for x in set(letters))
    assert expected == pytest.approx(aside, rel=0.6)


def test_kinds_that_are_held_out_are_in_no_other_scene(monkeypatch):
    """Typefaces, shapes of premium squares, tables and lamps."""
    faces, drawn = {True: set(), False: set()}, []
    monkeypatch.setattr(tabletop, "_blinds", lambda *_: drawn.append("lamp") or 1.0)
    table = tabletop._table
    monkeypatch.setattr(
        tabletop, "_table", lambda rng, held: drawn.append(f"table {held}") or table(rng, held)
    )
    for_depth = scene._for_depth

    def styled(rng, style, board, held):
        out = for_depth(rng, style, board, held)
        faces[held].add(out.family.rsplit("-", 1)[0])
        return out

    monkeypatch.setattr(scene, "_for_depth", styled)
    for kind in ("other-faces", "other-tables", "other-lamps", "from-45-to-90"):
        drawn.append(kind)
        draw(np.random.default_rng(3), kind)

    assert faces[True] <= set(scene.HELD_FACES)
    assert faces[False].isdisjoint(scene.HELD_FACES)
    assert [
        *("other-faces", "table False", "other-tables", "table True"),
        *("other-lamps", "table False", "lamp", "from-45-to-90", "table False"),
    ] == drawn
