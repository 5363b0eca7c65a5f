"""Draws the pictures of a filmed game quickly: what rests once, arms and things over it.

A position is drawn when it is first shown. Each picture of the film then costs only the arm, the
light and the noise: about ten milliseconds at 960 x 720.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import lru_cache
from itertools import count

import cv2
import numpy as np
from numpy.typing import NDArray

from kibitz.calibration.board_geometry import BoardGeometry
from kibitz.engine.table import Square
from kibitz.models.training.drawing import camera, scene
from kibitz.models.training.drawing.board_art import MARGIN, SQUARE_PX
from tests.filming.film_stage import Hand, Moved
from tests.filming.loose_tables import LooseTable
from tests.filming.story import BoardShot, CardPlace, Laid, LooseShot
from tests.filming.tables import BoardTable, View, straight_view

Picture = NDArray[np.uint8]
Flat = NDArray[np.float32]
GRAIN_PX = 64
"""The sensor's noise is drawn so much larger than a picture, which shows another part each time."""
HANDS = 4
CHILD = HANDS
"""The number of the child's hand; those before it are of the players in their order."""
THING_PX = 640
APART = 4
"""So many squares lie between two boards."""
OTHER_LOOK = 10_000
"""The next look that is tried for a table has a seed so much higher."""


@dataclass(frozen=True)
class Pose:
    """A hand or a thing in the picture: which, where its tip is (pixels), its direction (radians).

    `which` is a hand's number, or the name of a thing: `rack`, `bag`.
    """

    which: int | str
    x: float
    y: float
    angle: float = 0.0


@dataclass(frozen=True)
class RimTile:
    """A tile that lies beside the squares: where in squares from the corner of A1, its letter."""

    x: float
    y: float
    char: str
    turn_deg: float = 0.0


@dataclass(frozen=True)
class Worn:
    """A tile that looks like two letters: on which square, the other letter, its share."""

    square: Square
    other: str
    share: float


@dataclass(frozen=True)
class Scene:
    """Everything that one picture shows.

    Attributes:
        tiles: what lies on the board.
        cards: ship cards on it.
        spread: what lies on a bare table instead of a board.
        photo: the number of a photograph that shows the tiles, where they are not drawn.
        poses: hands and things over it.
        rim: tiles beside the board's squares.
        moved: how the board lies against where it began.
        camera: how the camera moved, as the same.
        level: the exposure; 1 is usual.
        worn: a tile of which nobody can tell the letter.
        fog_px: how blurred it is, as by fog or a breath on the lens; 0 is clear.
        shake: how the whole picture is pushed against where it began, as by a camera that is held.
        leaves: how far leaves before a window have moved, in pixels; None where none cast shadows.
    """

    tiles: Mapping[Square, Laid] = field(default_factory=dict)
    cards: tuple[CardPlace, ...] = ()
    spread: LooseShot | None = None
    photo: int | None = None
    poses: tuple[Pose, ...] = ()
    rim: tuple[RimTile, ...] = ()
    moved: Moved = field(default_factory=Moved)
    camera: Moved = field(default_factory=Moved)
    level: float = 1.0
    worn: Worn | None = None
    fog_px: float = 0.0
    shake: Moved = field(default_factory=Moved)
    leaves: tuple[float, float] | None = None


class _Sprite(Hand):
    """A hand, or any cut-out, that is laid over pictures of eight bits."""

    _beyond = cv2.BORDER_REPLICATE

    def lay(self, picture: Picture, pose: Pose) -> Picture:
        """Lay it over a picture with its shadow; the coverage, (h, w) uint8."""
        h, w = picture.shape[:2]
        c, s = math.cos(pose.angle - self._angle), math.sin(pose.angle - self._angle)
        x, y = self._tip
        m = np.array([[c, -s, pose.x - c * x + s * y], [s, c, pose.y - s * x - c * y]])
        # where its drawing ends an arm goes on: in a large picture it is longer
        cover = np.asarray(
            cv2.warpAffine(self._mask, m, (w, h), borderMode=self._beyond), np.uint8
        )
        left, top, wide, high = cv2.boundingRect(cover)
        if not wide:
            return cover
        shade = 14  # how far the shadow reaches, in pixels
        x0, y0 = max(0, left - shade), max(0, top - shade)
        x1, y1 = min(w, left + wide + shade), min(h, top + high + shade)
        shift = m - np.array([[0, 0, x0], [0, 0, y0]])
        size = x1 - x0, y1 - y0
        colour = cv2.warpAffine(self._colour, shift, size, borderMode=self._beyond)
        a = cover[y0:y1, x0:x1].astype(np.float32) / 255
        cast = cv2.blur(np.roll(a, (5, 4), (0, 1)), (15, 15))
        under = picture[y0:y1, x0:x1] * ((1 - 0.4 * cast) * (1 - a))[..., None]
        picture[y0:y1, x0:x1] = (under + colour * a[..., None]).astype(np.uint8)
        return cover


class _Thing(_Sprite):
    """A rack with tiles on it, or a bag, drawn on a square of `THING_PX`."""

    _beyond = cv2.BORDER_CONSTANT

    def __init__(self, name: str, square_px: float, cabinet: scene.SpriteCabinet) -> None:
        n, middle = THING_PX, THING_PX // 2
        canvas = np.zeros((n, n, 3), np.float32)
        mask = np.zeros((n, n), np.uint8)
        if name == "rack":
            half = (int(4.2 * square_px), int(0.7 * square_px))
            low, high = (middle - half[0], middle - half[1]), (middle + half[0], middle + half[1])
            cv2.rectangle(mask, low, high, 255, -1)
            canvas[:] = (0.2, 0.32, 0.5)
            for i, char in enumerate("RETINAS"):
                at = (middle + (i - 3) * 1.1 * square_px, float(middle))
                face = cabinet.get(char)
                scene.paste(canvas, face, at, 0.0, square_px, (0.4, -1.6), cabinet.style.side)
        else:
            size = (int(2.6 * square_px), int(3.4 * square_px))
            cv2.ellipse(mask, (middle, middle), size, 0, 0, 360, 255, -1, cv2.LINE_AA)
            rng = np.random.default_rng(n)
            folds = cv2.GaussianBlur(rng.random((n, n)).astype(np.float32), (0, 0), 9.0)
            folds = (folds - folds.min()) / (folds.max() - folds.min())
            canvas[:] = folds[..., None] * np.array([0.25, 0.2, 0.35], np.float32) + 0.1
        self._angle, self._tip = 0.0, (float(middle), float(middle))
        self._mask = mask
        self._colour = (np.clip(canvas, 0, 1) * 255).astype(np.uint8)


class _RimTable(BoardTable):
    """A board table that also has tiles beside its squares."""

    def flat_with(self, shot: BoardShot, rim: tuple[RimTile, ...]) -> Picture:
        """The board from straight above with tiles on its rim."""
        out = self.flat(shot)
        if not rim:
            return out
        canvas = out.astype(np.float32) / 255
        cabinet, p = self.styles["a"], float(SQUARE_PX)
        for tile in rim:
            at = ((tile.x + MARGIN) * p, (tile.y + MARGIN) * p)
            face = cabinet.get(tile.char)
            scene.paste(canvas, face, at, tile.turn_deg, p, (0.4, -1.6), cabinet.style.side)
        return np.asarray(np.clip(canvas, 0, 1) * 255, np.uint8)


class Filmed:
    """A table before a camera that stands still; the base of both kinds of table.

    Args:
        seed: decides how everything looks.
        size: width and height of the pictures.
        tile_px: how large a tile is in them.
        cabinet: what tiles on a rack look like.
    """

    def __init__(
        self, seed: int, size: tuple[int, int], tile_px: float, cabinet: scene.SpriteCabinet
    ) -> None:
        self.seed, self.size, self.tile_px = seed, size, tile_px
        width, height = size
        self._hands: dict[int, _Sprite] = {}
        self._things = {name: _Thing(name, tile_px, cabinet) for name in ("rack", "bag")}
        self._grain = _grain(width + GRAIN_PX, height + GRAIN_PX)
        yy, xx = np.mgrid[0:height, 0:width].astype(np.float32)
        fall = 1.04 - 0.22 * (xx / width * 0.6 + yy / height * 0.4)
        self._fall = cv2.merge([fall] * 3)
        self._plain: list[tuple[Scene, Picture]] = []
        self._leaves = _leaves(width, height, tile_px)

    def picture(self, shown: Scene, number: int) -> tuple[Picture, Picture]:
        """One picture (h, w, 3) BGR, and where hands and things cover it, (h, w) uint8."""
        out = self._resting(shown).copy()
        worn = shown.worn
        if worn is not None and worn.square in shown.tiles:
            tile = replace(shown.tiles[worn.square], char=worn.other)
            other = self._resting(replace(shown, tiles={**shown.tiles, worn.square: tile}))
            out = np.asarray(cv2.addWeighted(out, 1 - worn.share, other, worn.share, 0), np.uint8)
        covered = np.zeros(out.shape[:2], np.uint8)
        for pose in shown.poses:
            which = pose.which
            sprite = self._things[which] if isinstance(which, str) else self._hand(which)
            covered = np.maximum(covered, sprite.lay(out, pose))
        if shown.leaves is not None:
            dx, dy = shown.leaves
            wind = np.array([[1, 0, dx], [0, 1, dy]], np.float32)
            shade = cv2.warpAffine(self._leaves, wind, self.size, borderMode=cv2.BORDER_REFLECT)
            out = np.asarray(cv2.multiply(out, shade, scale=1 / 255), np.uint8)
        if shown.shake != Moved():
            push = pushed_by(shown.shake, (self.size[0] / 2, self.size[1] / 2))[:2]
            edge = cv2.BORDER_REFLECT
            out = np.asarray(cv2.warpAffine(out, push, self.size, borderMode=edge), np.uint8)
        if shown.fog_px:
            out = np.asarray(cv2.GaussianBlur(out, (0, 0), shown.fog_px), np.uint8)
        rng = np.random.default_rng([self.seed, 3, number])
        lit = cv2.convertScaleAbs(out, alpha=shown.level * (1 + float(rng.normal(0, 0.004))))
        x, y = rng.integers(0, GRAIN_PX, 2)
        lighter, darker = (g[y : y + out.shape[0], x : x + out.shape[1]] for g in self._grain)
        return np.asarray(cv2.subtract(cv2.add(lit, lighter), darker), np.uint8), covered

    def _hand(self, which: int) -> _Sprite:
        """A hand, drawn when it first comes."""
        if which not in self._hands:
            large = self.tile_px * (0.45 if which == CHILD else 0.75)
            self._hands[which] = _Sprite(self.seed * 10 + which, large)
        return self._hands[which]

    def _resting(self, shown: Scene) -> Picture:
        """What rests, as it was drawn before."""
        rests = replace(
            shown, poses=(), level=1.0, worn=None, fog_px=0.0, shake=Moved(), leaves=None
        )
        known = next((picture for scene, picture in self._plain if scene == rests), None)
        if known is None:
            known = self.plain(rests)
            self._plain = [*self._plain[-1:], (rests, known)]
        return known

    def plain(self, shown: Scene) -> Picture:
        """What rests, without hands."""
        raise NotImplementedError

    def square_at(self, square: Square, shown: Scene) -> tuple[float, float]:
        """Where the middle of a square, or of what counts as one, is in a picture."""
        raise NotImplementedError

    def play_areas(self, shown: Scene) -> list[Picture]:
        """Where a hand counts as over each board, or over all of the game; (h, w) uint8 each."""
        raise NotImplementedError


def pushed_by(moved: Moved, middle: Sequence[float]) -> NDArray[np.float64]:
    """The (3, 3) matrix that turns a plane about a point and moves it."""
    x, y = (float(v) for v in middle)
    turn = math.radians(moved.turn_deg)
    c, s = math.cos(turn), math.sin(turn)
    return np.array(
        [
            [c, -s, x - c * x + s * y + moved.dx],
            [s, c, y - s * x - c * y + moved.dy],
            [0, 0, 1],
        ]
    )


@lru_cache(maxsize=2)
def _leaves(width: int, height: int, tile_px: float) -> Picture:
    """Light that falls through leaves, (h, w, 3): patches as large as a few squares."""
    drawn = np.random.default_rng([width, height, 1]).standard_normal((height, width), np.float32)
    soft = cv2.GaussianBlur(drawn, (0, 0), 1.5 * tile_px)
    shade = 255 - 70 / (1 + np.exp(-4 * soft / soft.std()))
    return cv2.merge([shade.astype(np.uint8)] * 3)


@lru_cache(maxsize=2)
def _grain(width: int, height: int) -> tuple[Picture, Picture]:
    """A sensor's noise: what it adds to a picture, and what it takes."""
    drawn = np.random.default_rng([width, height]).standard_normal((height, width, 3), np.float32)
    noise = np.round(2.0 * drawn).astype(np.int16)
    return np.maximum(noise, 0).astype(np.uint8), np.maximum(-noise, 0).astype(np.uint8)


class FilmedBoard(Filmed):
    """A board of so many squares a side, nine joined ones (45), or two boards side by side.

    Of two boards the second one's columns count on from the first one's.

    Args:
        seed: decides how everything looks.
        size: width and height of the pictures.
        squares: a side of each board.
        boards: how many.
    """

    def __init__(
        self, seed: int, size: tuple[int, int], squares: int = 15, boards: int = 1
    ) -> None:
        view = View(seed, *size)
        self._tables = [_RimTable(view, squares) for _ in range(boards)]
        first = self._tables[0]
        self._geometries = [first.geometry] if boards == 1 else _side_by_side(view, squares)
        self.geometry: BoardGeometry = self._geometries[0]
        super().__init__(seed, size, self.geometry.square_px, first.styles["a"])
        self._flat: dict[int, tuple[Scene, Picture]] = {}
        self._edges: dict[int, tuple[Moved, Flat, Flat]] = {}

    def plain(self, shown: Scene) -> Picture:
        """The boards on their table."""
        out = self._tables[0].backdrop.astype(np.float32)
        for number in range(len(self._tables)):
            out = self._with_board(out, number, shown)
        lit = cv2.multiply(cv2.GaussianBlur(out, (0, 0), 0.7), self._fall)
        lit = np.clip(lit, 0, 255, out=lit).astype(np.uint8)
        if shown.camera == Moved():
            return lit
        push = pushed_by(shown.camera, self._middle())[:2]
        edge = cv2.BORDER_REFLECT
        return np.asarray(cv2.warpAffine(lit, push, self.size, borderMode=edge), np.uint8)

    def _with_board(self, under: Flat, number: int, shown: Scene) -> Flat:
        """One board over what lies under it, with its shadow."""
        warped, _ = camera.warp_onto(
            self._from_above(number, shown), self._moved(number, shown.moved)
        )
        if self._edges.get(number, (None,))[0] != shown.moved:
            self._edges[number] = shown.moved, *self._edge(number, shown.moved)
        _, shade, a = self._edges[number]
        return cv2.add(cv2.multiply(under, shade), cv2.multiply(warped.astype(np.float32), a))

    def _edge(self, number: int, moved: Moved) -> tuple[Flat, Flat]:
        """How much of what lies under a board is seen beside it, and how much of the board."""
        table, geometry = self._tables[number], self._moved(number, moved)
        x0, y0, x1, y1 = np.array(table.rim) / SQUARE_PX - MARGIN
        quad = geometry.to_px(np.array([(x0, y0), (x1, y0), (x1, y1), (x0, y1)], float))
        mask = np.zeros(self.size[::-1], np.uint8)
        cv2.fillPoly(mask, [(quad * 16).astype(np.int32)], 255, cv2.LINE_AA, 4)
        dark = (
            cv2.GaussianBlur(np.roll(mask, (8, 6), (0, 1)), (0, 0), 7.0).astype(np.float32) / 255
        )
        a = mask.astype(np.float32) / 255
        return cv2.merge([(1 - dark * 0.45) * (1 - a)] * 3), cv2.merge([a] * 3)

    def _from_above(self, number: int, shown: Scene) -> Picture:
        """One board with what lies on it, as it was drawn before."""
        side = self.geometry.size
        mine = {
            Square(s.row, s.col % side): tile
            for s, tile in shown.tiles.items()
            if s.col // side == number
        }
        key = Scene(mine, shown.cards, rim=() if number else shown.rim)
        if number not in self._flat or self._flat[number][0] != key:
            shot = BoardShot(mine, shown.cards)
            self._flat[number] = key, self._tables[number].flat_with(shot, key.rim)
        return self._flat[number][1]

    def square_at(self, square: Square, shown: Scene) -> tuple[float, float]:
        """Where the middle of a square is in a picture."""
        number, col = divmod(square.col, self.geometry.size)
        at = self._seen(number, shown).to_px(np.array([col + 0.5, square.row + 0.5]))
        return float(at[0]), float(at[1])

    def play_areas(self, shown: Scene) -> list[Picture]:
        """Where the squares of each board are, (h, w) uint8."""
        masks = []
        for number in range(len(self._tables)):
            corners = np.round(self._seen(number, shown).corners_px).astype(np.int32)
            masks.append(cv2.fillConvexPoly(np.zeros(self.size[::-1], np.uint8), corners, 255))
        return masks

    def _seen(self, number: int, shown: Scene) -> BoardGeometry:
        g = self._moved(number, shown.moved)
        return (
            g if shown.camera == Moved() else _pushed(g, pushed_by(shown.camera, self._middle()))
        )

    def _moved(self, number: int, moved: Moved) -> BoardGeometry:
        """Where a board lies; each turns about its own middle."""
        g = self._geometries[number]
        return g if moved == Moved() else _pushed(g, pushed_by(moved, _middle_of(g)))

    def _middle(self) -> NDArray[np.float64]:
        return np.asarray(np.mean([_middle_of(g) for g in self._geometries], 0))


def _middle_of(g: BoardGeometry) -> NDArray[np.float64]:
    return np.asarray(g.to_px(np.array([g.size / 2, g.size / 2])))


def _pushed(g: BoardGeometry, push: NDArray[np.float64]) -> BoardGeometry:
    return BoardGeometry(push @ g.homography, g.size, g.width, g.height, g.k1)


def _side_by_side(view: View, squares: int) -> list[BoardGeometry]:
    """Two boards on one table under one camera, rows in line."""
    across = 2 * squares + APART
    whole = straight_view(view, across, 0.9 * view.width)
    out = []
    for left in (0, squares + APART):
        place = np.array([[1, 0, left], [0, 1, (across - squares) / 2], [0, 0, 1.0]])
        out.append(BoardGeometry(whole.homography @ place, squares, view.width, view.height))
    return out


class FilmedSpread(Filmed):
    """A bare table with loose tiles, whose backs are plain, as those of all sets that are sold."""

    def __init__(self, seed: int, size: tuple[int, int]) -> None:
        looks = (LooseTable(View(number, *size)) for number in count(seed, OTHER_LOOK))
        # a back is drawn as a blank's face: one with a mark on it is no back
        self._table = next(look for look in looks if not look.cabinet.style.blank_mark)
        super().__init__(seed, size, self._table.px, self._table.cabinet)

    def plain(self, shown: Scene) -> Picture:
        """The tiles on their table."""
        assert shown.spread is not None
        return self._table.photograph(shown.spread)

    def square_at(self, square: Square, shown: Scene) -> tuple[float, float]:
        """Where a tile lies: the row counts groups, heap, pool, then seats; the column tiles.

        Where nothing lies in a group, the next one's.
        """
        assert shown.spread is not None
        parts = [[(t.x, t.y) for t in self._table.tiles(g)] for g in _groups(shown.spread)]
        lying = [group for group in parts[square.row :] if group]
        middle = self.size[0] / 2, self.size[1] / 2
        x, y = lying[0][min(square.col, len(lying[0]) - 1)] if lying else middle
        at = self._table.tilt @ np.array([x, y, 1.0])
        return float(at[0] / at[2]), float(at[1] / at[2])

    def play_areas(self, shown: Scene) -> list[Picture]:
        """All of the picture."""
        return [np.full(self.size[::-1], 255, np.uint8)]


def _groups(spread: LooseShot) -> list[LooseShot]:
    """The heap, the pool and each seat's words by themselves."""
    heap, pool = LooseShot("", spread.face_down, {}), LooseShot(spread.pool, 0, {})
    return [heap, pool, *(LooseShot("", 0, {k: v}) for k, v in sorted(spread.words.items()))]
