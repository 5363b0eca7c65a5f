"""Reads the squares of a straightened board."""

from __future__ import annotations

from collections.abc import Sequence
from copy import copy
from dataclasses import dataclass, replace
from functools import lru_cache, partial
from itertools import chain
from math import atan, degrees
from typing import Any, Final

import cv2
import numpy as np
from numpy.typing import NDArray

from kibitz.calibration.board_geometry import (
    BoardGeometry,
    OneLevel,
    Picture,
    Pyramid,
    nearest_level,
    rectify,
    shrink_of,
)
from kibitz.engine.table import SIDE
from kibitz.models.session import Model
from kibitz.vision.boards import squares
from kibitz.vision.boards.colours import blanks
from kibitz.vision.boards.colours.bare_board import settle_bare, settle_hidden, settle_lone
from kibitz.vision.boards.colours.believed import (
    BlankEvidence,
    as_believed,
    letters_as_believed,
    letters_count,
)
from kibitz.vision.boards.colours.burnt import burnt_part, settle_glare
from kibitz.vision.boards.colours.ship_cards import card_ends, settle_cards
from kibitz.vision.boards.colours.tile_colours import SquareColours, split_colours
from kibitz.vision.boards.letters import own_letters
from kibitz.vision.boards.letters.close_look import (
    LOOKS,
    Glyphs,
    Notes,
    look_closer,
)
from kibitz.vision.boards.letters.marks import look_for_marks
from kibitz.vision.boards.letters.own_letters import Alike
from kibitz.vision.boards.letters.scripts import LowerCase
from kibitz.vision.boards.letters.signs import (
    SEEN,
    look_for_signs,
    take_in_signs,
    to_be_shown,
    upright,
)
from kibitz.vision.boards.letters.together import Evidence, LookAnswers, Looks, seen_together
from kibitz.vision.boards.square_logs import (
    SquareLogs,
    hide,
    settle_turns,
    split_logits,
    usable_letters,
)
from kibitz.vision.readings import BLANK, MARKER_KIND, SURE, TILE_KIND, GridReading

BoardLook = tuple[BoardGeometry, SquareColours, SquareLogs]
"""Where a board lies, itself straightened, and what its squares look like."""


def assemble(
    geometry: BoardGeometry,
    colours: SquareColours,
    logs: SquareLogs,
    labels: tuple[str, ...],
    quarters: int,
    *,
    top_certain: bool,
) -> GridReading:
    """A reading with row A first, from squares read with any corner first."""

    def turned(squares: NDArray[Any]) -> NDArray[Any]:
        return np.rot90(squares, quarters) if quarters else squares

    geometry = geometry.turned(quarters)
    kind, straight = turned(logs.kind), turned(colours.straight)
    letter, turn = (turned(x) for x in settle_turns(logs, labels))
    turn = turn[..., (np.arange(4) + quarters) % 4]
    n, px = kind.shape[0], colours.square_px
    blank = np.exp(letter[..., labels.index(BLANK)])
    tiles = kind.argmax(-1) == TILE_KIND
    doubt = blanks.in_doubt(kind, blank, blanks.RULES.hardly).any()
    wanted = np.ones((n, n), np.bool_) if doubt else np.rot90(tiles, -quarters)
    middles, edges = (turned(x) for x in colours.of(wanted))
    burnt, asked = burnt_part(straight, px), BlankEvidence.nothing(kind)
    if doubt:
        asked = blanks.settle_blanks(middles, edges, kind, blank, burnt)
        kind = asked.kind
        tiles = kind.argmax(-1) == TILE_KIND
    # where one card lies, a blank of which little is sure may be the end of another
    in_play = (kind.argmax(-1) == MARKER_KIND).any()
    ends = card_ends(as_believed(kind, asked) if in_play else kind)
    kind, cards = settle_cards(kind, ends, straight, px)
    kind = settle_lone(settle_hidden(straight, px, kind))
    kind = as_believed(kind, asked)
    if burnt.any():
        kind = settle_glare(straight, kind, np.exp(letter[..., :-1].max(-1)), burnt)
    disputed = 0.0 if logs.evidence is None else turned(logs.evidence.disputed)
    counts = letters_count(burnt + disputed, geometry.square_px)
    return GridReading(
        corners_px=geometry.corners_px,
        kind_log_prob=kind,
        labels=labels,
        letter_log_prob=np.array(letters_as_believed(letter, counts)),
        turn_log_prob=np.array(turn),
        tile_sets=split_colours(middles, tiles & (kind.argmax(-1) == TILE_KIND)),
        markers=cards,
        quality=geometry.quality,
        square_px=geometry.square_px,
        top_certain=top_certain,
        alike=own_letters.turned(logs.alike, n, quarters),
        lift=geometry.lift,
        view_deg=90.0 - degrees(atan(geometry.slant)),
    )


SQUARE_PX: Final = 24
AROUND: Final = 2
"""Squares beyond those that are wanted in a first look at a part of a board, as far as it sees."""
EACH_LOOK: Final = 8
"""As many squares take as long as it takes to start a look."""


def straighten(
    picture: Picture | Pyramid, geometry: BoardGeometry, square_px: int = SQUARE_PX
) -> Picture:
    """The board with a margin of one square; (408, 408, 3) for 15 squares.

    It is seen in the plane in which the tops of tiles lie.
    """
    side = geometry.size + 2.0
    return rectify(picture, geometry.tops, square_px, (-1.0, -1.0), (side, side))


def glance_at(
    picture: Picture | Pyramid, geometry: BoardGeometry, glance: Model, letters: Sequence[str]
) -> SquareLogs:
    """Log probabilities of a first look at all squares of a board, (n, n, ...)."""
    seen = glance.run(straighten(picture, geometry)[None])[0]
    return split_logits(np.ascontiguousarray(np.moveaxis(seen, 0, -1)), glance, letters)


def straightened_from(geometry: BoardGeometry, square_px: int = SQUARE_PX) -> int:
    """Pyramid level of the picture from which a board is straightened."""
    return nearest_level(shrink_of(geometry, square_px))


@dataclass(frozen=True, slots=True, eq=False)
class Known:
    """Earlier reading of a board.

    Attributes:
        straight: (408, 408, 3) the straightened board as it looks now.
        colours: of the squares as they looked when they were read, those to be read now.
        logs: what was read of it before.
        anew: (15, 15) which squares are to be read again.
    """

    straight: Picture
    colours: SquareColours
    logs: SquareLogs
    anew: NDArray[np.bool_]


@dataclass(slots=True, eq=False)
class Looked:
    """Answers of the looks at a board's single squares.

    Attributes:
        straight: (408, 408, 3) the straightened board.
        logs: log probabilities of the squares that were looked at, (15, 15, ...) or (K, ...).
        looks: what they left for the network that sees all squares.
        likely: (N, 2) rows and columns of what may be tiles.
        cuts: (N, side, side, 3) these, cut out of the picture.
    """

    straight: Picture
    logs: SquareLogs
    looks: Looks
    likely: NDArray[np.intp]
    cuts: NDArray[np.uint8]

    def cuts_of(self, where: NDArray[np.bool_]) -> NDArray[np.uint8] | None:
        """Pictures of some squares, (n, n) bool; None where one did not look like a tile."""
        wanted = where[tuple(self.likely.T)]
        return self.cuts[wanted] if wanted.sum() == where.sum() else None


def look_at_all(
    picture: Picture | Pyramid,
    geometry: BoardGeometry,
    glance: Model,
    glyphs: Glyphs,
    letters: Sequence[str],
    *,
    closely: bool = False,
    known: Known | None = None,
) -> Looked:
    """Two looks at a board: a glance at all squares, then close looks at possible tiles.

    Arguments as of `read_board`.
    """
    straight = straighten(picture, geometry) if known is None else known.straight
    n = straight.shape[0] // SQUARE_PX - 2
    if known is None:
        where = _squares(n)
        whole, deep, _ = glance.look(straight[None], straight)
        logits = np.ascontiguousarray(np.moveaxis(whole[0], 0, -1))
        # the features are of the squares around the board too
        features = np.moveaxis(deep[0][:, 1:-1, 1:-1], 0, -1).reshape(len(where), -1)
    else:
        where = np.argwhere(known.anew)
        logits, features = _glance(straight, where, glance)
    logs = split_logits(logits, glance, letters)
    first = LookAnswers(logs.of(np.ones(logs.tile.shape, np.bool_)), features)
    # Covered squares are looked at again too: a hand's shadow is often taken for the hand.
    maybe = logs.tile > SURE.maybe
    likely = where[maybe.reshape(-1)]
    cuts = squares.squares_of(picture, geometry, likely)
    notes = Notes()
    if len(likely):
        tiny = geometry.square_px < LOOKS.small_px
        close = look_closer(
            cuts, logs.of(maybe), glyphs, letters, notes, closely=closely, all_large=tiny
        )
        logs.put(maybe, SquareLogs(*close))
    by_small = maybe.reshape(-1)
    by_large = np.zeros_like(by_small)
    if notes.large is not None:
        by_large[by_small] = notes.by_large
    looks = Looks(where, first, notes.small, by_small, notes.large, by_large)
    return Looked(straight, logs, looks, likely, cuts)


def read_board(
    picture: Picture | Pyramid,
    geometry: BoardGeometry,
    glance: Model,
    glyphs: Glyphs,
    letters: Sequence[str],
    *,
    closely: bool = False,
    known: Known | None = None,
    small: LowerCase | None = None,
) -> tuple[SquareColours, SquareLogs]:
    """Colours and log probabilities of a board's squares, in context.

    Args:
        picture: the photograph.
        geometry: where the board lies.
        glance: the model for whole boards.
        glyphs: the models for single squares, and the one for all of them together.
        letters: the tile set's letters; only these and the blank are considered.
        closely: whether every tile is looked at close up, however sure the first look is.
        known: what is straightened and read already, of a board that has changed a little.
        small: the set's letters in lower case, in which they may be printed.

    Returns:
        The colours of the straightened board (408, 408, 3) and the squares' log probabilities.
    """
    seen = look_at_all(picture, geometry, glance, glyphs, letters, closely=closely, known=known)
    labels = usable_letters(glance, letters)
    logs, n = seen.logs, len(seen.straight) // SQUARE_PX - 2
    anew, before = np.ones((n, n), np.bool_), None
    if known is not None:
        anew, before = known.anew, known.logs.evidence
        logs = known.logs.with_squares(anew, logs)
        logs.faces = known.logs.faces.but(anew)
    board = glyphs.board if n == SIDE else None
    feed = {} if board is None else seen.looks.feed()
    nothing = np.zeros((len(seen.looks.where), 0), np.float32)
    tokens = nothing if board is None else board.tokens(feed)
    known_letters = len(glyphs.large.facts.script_labels)
    before = before or Evidence.none(n, tokens.shape[1], SEEN, known_letters)
    logs.evidence = before.after(seen.looks, tokens)
    colours = SquareColours(seen.straight, SQUARE_PX) if known is None else known.colours
    if board is not None:
        of_all = np.concatenate(colours.of(np.ones_like(anew)), -1)
        px = geometry.square_px
        logs.put(anew, seen_together(seen.looks, feed, logs.evidence, of_all, px, board))
    kind = settle_bare(seen.straight, SQUARE_PX, logs.kind, anew)
    if kind is not logs.kind:
        logs.put(anew, SquareLogs(kind, logs.both).of(anew))
    if glyphs.sign is not None:
        signs = logs.evidence.signs
        if (shown := to_be_shown(logs, anew, signs)).any():
            cuts, there = seen.cuts_of(shown), np.argwhere(shown)
            if cuts is None:
                cuts = squares.squares_of(picture, geometry, there)
            standing = upright(cuts, logs, labels, there)
            signs[shown] = look_for_signs(standing, glyphs.sign)
            take_in_signs(logs, anew, logs.evidence, glyphs.sign.facts.sign_blend)
    if small is not None:
        _read_small(logs, anew, picture, geometry, small)
    if geometry.lift:
        flat = glance_at(picture, replace(geometry, lift=0.0), glance, letters)
        logs.take_in_lattice(anew, flat.kind)
    mark = None if logs.small else glyphs.mark_for(labels)
    if mark is not None:
        read = np.zeros(logs.tile.shape, bool)
        read[tuple(seen.likely.T)] = True
        look_for_marks(logs, read, picture, geometry, mark, labels)
    mark_unseen(geometry, logs.kind)
    logs.alike = {}  # what is compared later is not to hold on to itself
    logs.alike = _compared(logs, labels, picture, geometry)
    return colours, logs


def _read_small(
    logs: SquareLogs,
    anew: NDArray[np.bool_],
    picture: Picture | Pyramid,
    geometry: BoardGeometry,
    small: LowerCase,
) -> None:
    """Read a board's letters as lower case, if they are.

    Args:
        logs: what was read of the board, which is changed.
        anew: (n, n) which squares were read now; the others are as they were told before.
        picture: the photograph.
        geometry: where the board lies.
        small: the set's letters in lower case.
    """
    tiles = logs.tile > 0.5
    if logs.evidence is None or not tiles.any():
        return
    at, was = logs.evidence.large_at, logs.small
    if not was:
        reads = float(logs.letter[tiles].max(-1).mean())
        if reads >= SURE.poor or not small.may_be(logs.evidence.scripts[tiles & at]):
            return
    now = tiles & anew if was else tiles
    said = logs.evidence.scripts.copy()
    unseen = np.argwhere(now & ~at)
    if len(unseen):
        cuts = squares.squares_of(picture, geometry, unseen)
        said[tuple(unseen.T)] = small.scripts.likelihoods(cuts)
    if was or small.is_lower_case(said[now]):
        if now.any():
            logs.put(now, SquareLogs(logs.kind[now], small.letter_logs(said[now])))
        logs.small = True


@lru_cache
def _squares(n: int) -> NDArray[np.intp]:
    """(n * n, 2) rows and columns of a board's squares."""
    return np.argwhere(np.ones((n, n), bool))


def _glance(
    straight: Picture, where: NDArray[np.intp], glance: Model
) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
    """Logits and features of some squares, computed from parts of the board around them."""
    px = SQUARE_PX
    part_of, parts = _parts(where, straight.shape[0] // px)
    seen = []
    for left, top, width, height in parts:
        part = straight[top * px : (top + height) * px, left * px : (left + width) * px]
        seen.append([x[0] for x in glance.look(np.ascontiguousarray(part)[None], straight)])
    out = np.empty((len(where), len(seen[0][0])), np.float32)
    deep = np.empty((len(where), len(seen[0][1])), np.float32)
    for k, (left, top, *_) in enumerate(parts):
        here = part_of == k
        # The first look leaves out its picture's outermost squares, and so gives board squares.
        rows, columns = (where[here] - (top, left)).T
        out[here] = seen[k][0][:, rows, columns].T
        deep[here] = seen[k][1][:, rows + 1, columns + 1].T
    return out, deep


def _parts(
    where: NDArray[np.intp], n: int
) -> tuple[NDArray[np.intp], list[tuple[int, int, int, int]]]:
    """Parts of a straightened board that cover some squares.

    Args:
        where: (K, 2) rows and columns of squares of the board.
        n: squares a side of the board with the one around it.

    Returns:
        (K,) the part that each lies in, and the parts: left, top, width and height in squares.
    """
    wanted = np.zeros((n, n), np.uint8)
    wanted[tuple(where.T + 1)] = 1
    wide = cv2.dilate(wanted, np.ones((2 * AROUND + 1, 2 * AROUND + 1), np.uint8))
    _, labels, boxes, _ = cv2.connectedComponentsWithStats(wide)
    parts = [(left, top, width, height) for left, top, width, height, _ in boxes[1:].tolist()]
    left, top, width, height = cv2.boundingRect(wide)
    if sum(w * h + EACH_LOOK for _, _, w, h in parts) > width * height + EACH_LOOK:
        return np.zeros(len(where), np.intp), [(left, top, width, height)]
    return labels[tuple(where.T + 1)] - 1, parts


def _compared(
    logs: SquareLogs, labels: tuple[str, ...], picture: Picture | Pyramid, geometry: BoardGeometry
) -> Alike:
    """Correlations of doubtful tiles with the others, computed on demand.

    Args:
        logs: what was read of the board, with the faces of tiles that were not read anew.
        labels: its letters.
        picture: the photograph.
        geometry: where the board lies.
    """
    if not own_letters.doubtful(logs.tile, logs.letter).any():
        return {}
    pyramid = picture if isinstance(picture, Pyramid) else Pyramid(picture)
    kept = OneLevel(pyramid, shrink_of(geometry, squares.SQUARE_PX))
    return own_letters.LazySimilarity(partial(_likenesses, copy(logs), labels, kept, geometry))


def _likenesses(
    logs: SquareLogs, labels: tuple[str, ...], picture: Pyramid, geometry: BoardGeometry
) -> Alike:
    """See `_compared`."""
    letter, turn = settle_turns(logs, labels)
    pairs = own_letters.comparable(logs.tile, letter, turn)
    if not pairs:
        return {}
    same = own_letters.twins(logs.tile, letter, turn)
    wanted = {*(c for c, others in pairs.items() if others), *chain(*pairs.values(), *same)}
    missing = logs.faces.missing(wanted)
    cells, side = np.array(missing).reshape(-1, 2), own_letters.LOOKED_AT_PX
    logs.faces.add(missing, squares.squares_of(picture, geometry, cells, side))
    return own_letters.likenesses(pairs, same, logs.faces)


def mark_unseen(geometry: BoardGeometry, kind: NDArray[np.float32]) -> None:
    """Mark squares as covered that the picture shows only in part, or not at all.

    Args:
        geometry: where the board lies.
        kind: (n, n, 4) the squares' log probabilities, which are changed.
    """
    if geometry.in_picture(geometry.corners_px).all():
        return  # half a square is more than a lens bends the sides by
    hide(kind, ~squares_in_sight(geometry))


def squares_in_sight(geometry: BoardGeometry) -> NDArray[np.bool_]:
    """(n, n) bool: squares in the picture, except for a rim of each."""
    n = geometry.size
    ends = (np.arange(n)[:, None] + (SURE.rim, 1 - SURE.rim)).ravel()
    corners = geometry.tops.in_sight(np.stack(np.meshgrid(ends, ends), -1))
    return np.asarray(corners.reshape(n, 2, n, 2).all(axis=(1, 3)), np.bool_)
