"""Letters and turns of face-up loose tiles."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Final

import numpy as np
from numpy.typing import NDArray

from kibitz.calibration.board_geometry import Pyramid
from kibitz.calibration.quality import VIEW
from kibitz.engine.parameters import as_in, checked
from kibitz.engine.table import SIDE
from kibitz.models.session import Model
from kibitz.vision.boards.letters.close_look import (
    LEFT_AND_RIGHT,
    UP_AND_DOWN,
    Glyphs,
    plain_letters,
)
from kibitz.vision.boards.letters.scripts import LowerCase, Scripts
from kibitz.vision.boards.mirror import lead_of_squares
from kibitz.vision.boards.square_logs import log_softmax, log_sum, split_logits, usable_letters
from kibitz.vision.boards.squares import SQUARE_PX, cut_squares
from kibitz.vision.loose.finder import RULES as FIND
from kibitz.vision.loose.finder import Spots
from kibitz.vision.loose.glare import hides, in_glare, is_faint, stretched
from kibitz.vision.loose.mosaic import ROW, middles, mosaic
from kibitz.vision.readings import BLANK, SURE

BATCH: Final = SIDE * SIDE
"""So many tiles are looked at at once, as many as a board has squares."""
EDGE_PX: Final = 8
EVERY_PX: Final = 2
"""Where a tile's middle begins on its square, and which of its pixels tell faces from backs."""
NO_LETTER: Final = float(np.log(np.finfo(np.float32).eps))
"""Natural log of how likely a letter is that nobody looked for: as good as never."""


@dataclass(frozen=True, slots=True)
class FaceRule:
    """Which tiles are searched for a letter; the closer look tells faces from backs better."""

    maybe_up: float = as_in(FIND, "centre")

    def __post_init__(self) -> None:
        checked(self)


FACE: Final = FaceRule()

Both = NDArray[np.float32]
"""(N, letters + 1, 4) log probabilities of letter and turn, the blank last."""
Cuts = NDArray[np.uint8]
"""(N, h, w, 3) tiles cut out, with a little of what lies around them."""
Reads = Callable[[Cuts], Both]


@dataclass(frozen=True, slots=True, eq=False)
class Shown:
    """Readings of tiles.

    Attributes:
        both: letter and turn; what lies face down shows none.
        up: (N,) which lie face up.
        hidden: (N,) which are so burnt out that it is not known.
        small: whether the letters were read as small ones.
        in_mirror: by how much (nats) they are likelier seen in a mirror, by their looks.
    """

    both: Both
    up: NDArray[np.bool_]
    hidden: NDArray[np.bool_]
    small: bool = False
    in_mirror: float = 0.0


@dataclass(frozen=True, slots=True, eq=False)
class _CloseTiles:
    """Tiles that get a close look, and what was seen of them so far."""

    which: NDArray[np.intp]
    face: NDArray[np.bool_]
    glare: NDArray[np.bool_]
    contrast: NDArray[np.float64]


@dataclass(frozen=True, slots=True, eq=False)
class LetterReads:
    """Models that read letters of loose tiles.

    Attributes:
        labels: what a tile may be, the blank last.
        first: tells letter and turn of tiles cut out and turned.
        again: tells them of those that are looked at once more.
        mark: looks for marks that make some of these letters others.
        small: the letters in lower case, in which they may be printed.
        mirror: the network that tells whether a mirror shows a tile.
    """

    labels: tuple[str, ...]
    first: Reads
    again: Reads
    mark: Model | None = None
    small: LowerCase | None = None
    mirror: Model | None = None


def by_looks(
    glyphs: Glyphs, letters: Sequence[str], small: LowerCase | None = None
) -> LetterReads:
    """The models for single squares: small first, large where that is unsure.

    Args:
        glyphs: the models.
        letters: the tile set's letters.
        small: these in lower case.
    """
    names = usable_letters(glyphs.large, letters)

    def read(cuts: Cuts) -> Both:
        return _split(glyphs.large, cuts, letters)

    def read_first(cuts: Cuts) -> Both:
        both = _split(glyphs.small, cuts, letters)
        doubtful = ~plain_letters(both, names, SURE.known)
        if doubtful.any():
            both[doubtful] = read(cuts[doubtful])
        return both

    return LetterReads(names, read_first, read, glyphs.mark_for(names), small)


def as_printed(reads: LetterReads, cuts: Cuts, both: Both) -> LetterReads:
    """Reader for face-up tiles, switched to lower case if they are.

    The worst read are asked first, of what the large look leaves of them.

    Args:
        reads: what was to tell them.
        cuts: the tiles.
        both: what it said of them.
    """
    small, sure = reads.small, log_sum(both, -1).max(-1)
    worst = np.argsort(sure, kind="stable")[: SURE.few]
    worst = worst[sure[worst] < np.log(SURE.known)]
    if small is None or not len(worst):
        return reads
    look = small.scripts.likelihoods
    if not small.may_be(look(cuts[worst])) or not small.is_lower_case(look(cuts)):
        return reads
    return replace(in_lower_case(small), mirror=reads.mirror)


def in_lower_case(small: LowerCase) -> LetterReads:
    """Reader of letters known to be lower case."""

    def read(cuts: Cuts) -> Both:
        return small.letter_logs(small.scripts.likelihoods(cuts))

    return LetterReads((*small.capitals, BLANK), read, read)


def by_script(scripts: Scripts, letters: Sequence[str]) -> LetterReads:
    """Reader of letters that the looks do not know."""

    def read(cuts: Cuts) -> Both:
        return scripts.letter_logs(cuts, letters)

    return LetterReads(scripts.labels(letters), read, read)


def letters_shown(picture: Pyramid, spots: Spots, reads: LetterReads) -> Shown:
    """Readings of tiles; face-down ones get no letter, except in glare.

    Args:
        picture: the photograph.
        spots: where tiles lie.
        reads: what tells their letters.
    """
    count, labels = len(spots), len(reads.labels)
    shown = Shown(_nothing(count, labels), np.zeros(count, bool), np.zeros(count, bool))
    asked = _to_look_at(picture, spots)
    if len(asked.which) == 0:
        return shown
    at = np.stack(np.divmod(np.arange(len(asked.which)), ROW), -1)
    rows = -(-len(asked.which) // ROW)
    cuts = cut_squares(mosaic(picture, spots.where[asked.which], SQUARE_PX, rows), at)
    both, face = _read(reads.first, reads.again, cuts, asked, labels)
    usual = reads
    in_mirror = _lead_in_mirror(reads, cuts[face])
    if in_mirror < SURE.lead:  # letters in a mirror are nobody's
        reads = as_printed(reads, cuts[face], both[face])
    if reads is not usual:
        both, face = _read(reads.first, reads.again, cuts, asked, labels)
    both[face] = _as_face(both[face], count - int(face.sum()))
    _ask_again(reads.again, cuts, both, face)
    shown.both[asked.which], shown.up[asked.which] = both, face
    shown.hidden[asked.which[asked.glare]] = hides(cuts[asked.glare])
    return replace(shown, small=reads is not usual, in_mirror=in_mirror)


def _lead_in_mirror(reads: LetterReads, cuts: Cuts) -> float:
    """Log odds that face-up tiles are mirrored."""
    if reads.mirror is None:
        return 0.0
    return lead_of_squares(reads.mirror, len(cuts), lambda some: cuts[some])


def _split(glyph: Model, cuts: Cuts, letters: Sequence[str]) -> Both:
    """Log probabilities of letters and turns from a model."""
    parts = np.array_split(cuts, max(1, -(-len(cuts) // BATCH)))
    return np.concatenate([split_logits(glyph.run(x), glyph, letters).both for x in parts])


def _nothing(count: int, labels: int) -> Both:
    """Log probabilities without a letter."""
    both = np.full((count, labels, 4), NO_LETTER, np.float32)
    both[:, -1] = np.log(1 / 4)
    return both


def _to_look_at(picture: Pyramid, spots: Spots) -> _CloseTiles:
    """Tiles that seem face up, or may be so in glare."""
    glare = in_glare(picture.level(0), spots.where)
    maybe_up = spots.up > FACE.maybe_up
    which = np.flatnonzero(maybe_up | glare)
    if len(which) == 0:
        nowhere = np.zeros(0, bool)
        return _CloseTiles(which, nowhere, nowhere, np.zeros(0))
    up, glare = spots.up[which], glare[which]
    contrast, light = contrasts(middles(picture, spots.where[which], SQUARE_PX, EDGE_PX, EVERY_PX))
    face = maybe_up[which] & (~plainly_backs(contrast, light, up) | glare)
    some = face | glare
    return _CloseTiles(which[some], face[some], glare[some], contrast[some])


def contrasts(inner: NDArray[np.uint8]) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Contrast of ink and tile, and lightness of each tile, in grey levels.

    Args:
        inner: (N, h, w, 3) middles of tiles; some of their pixels are enough.
    """
    inner = inner.reshape(len(inner), -1, 3)
    few = inner.shape[1] // 25
    last = inner.shape[1] - 1
    # Each channel's values side by side: parting them is several times as fast so.
    channels = np.ascontiguousarray(inner.transpose(0, 2, 1))
    parted = np.partition(channels, (few, last - few), axis=-1).astype(np.float64)
    light, dark = parted[..., last - few], parted[..., few]
    return np.asarray((light - dark).max(-1)), np.asarray(light.max(-1))


def plainly_backs(
    contrast: NDArray[np.float64], light: NDArray[np.float64], face: NDArray[np.float64]
) -> NDArray[np.bool_]:
    """Tiles with less than half the contrast of sure faces: backs.

    No letter is sought on these.

    Args:
        contrast: (N,) see `contrasts`.
        light: (N,) see `contrasts`; in a shadow there is less of both.
        face: (N,) probability of lying face up, by how a tile looks from afar.
    """
    shown = contrast / np.maximum(light, 1.0)
    faces = face > SURE.known
    if faces.sum() < SURE.few:
        return np.zeros(len(face), bool)
    return np.asarray(~faces & (shown < np.median(shown[faces]) / 2))


def towards_face(no_letter: NDArray[np.float64], more_backs: int) -> float:
    """Log odds of each tile being face up, by the number of other faces.

    Args:
        no_letter: (N,) probability that a tile shows no letter, by its own look.
        more_backs: how many other tiles surely lie face down.
    """
    faces, backs = (no_letter < 1 - SURE.known).sum(), (no_letter > SURE.known).sum()
    return float(np.log((faces + 1) / (backs + more_backs + 1)))


def _read(
    read_first: Reads, read: Reads, cuts: Cuts, asked: _CloseTiles, labels: int
) -> tuple[Both, NDArray[np.bool_]]:
    """Letters and turns, and which tiles show one; faint ones are enhanced first."""
    both, face = _nothing(len(cuts), labels), asked.face.copy()
    if face.any():
        both[face] = read_first(cuts[face])
    faint = np.flatnonzero(asked.glare & is_faint(asked.contrast))
    if len(faint):
        again = read(stretched(cuts[faint]))
        clear = np.exp(log_sum(again, -1)[:, :-1].max(-1)) > SURE.fair
        both[faint[clear]], face[faint[clear]] = again[clear], True
    return both, face


def _as_face(both: Both, backs: int) -> Both:
    """Letters of faces with the evidence of other tiles for being face up."""
    if len(both) == 0:
        return both
    no_letter = np.exp(log_sum(both[:, -1], -1)).astype(np.float64)
    seen = both.copy()
    seen[:, -1] -= np.float32(towards_face(no_letter, backs))
    return log_softmax(seen, (-2, -1))


def _ask_again(read: Reads, cuts: Cuts, both: Both, face: NDArray[np.bool_]) -> None:
    """Look again at doubtful faces, updating `both` in place."""
    letter = np.exp(log_sum(both, -1))
    doubtful = face & (letter.max(-1) < SURE.fair) & (letter[:, -1] < 0.5)
    if doubtful.any():
        looks = looks_again(cuts[doubtful])
        first = both[doubtful]
        said = read(np.concatenate(looks)).reshape(len(looks), *first.shape)
        mean = ((first + said.sum(0)) / (1 + len(looks))).astype(np.float32)
        both[doubtful] = log_softmax(mean, (-2, -1))


_EDGE_PX: Final = 13
"""Where a tile begins in what is cut out for it."""


def looks_again(cuts: NDArray[np.uint8]) -> NDArray[np.uint8]:
    """Tiles, (N, h, w, 3), shifted to four sides: (4, N, h, w, 3)."""
    light = light_letters(cuts)[:, None, None, None]
    plain = np.where(light, 255 - cuts, cuts)
    sides = (*LEFT_AND_RIGHT, *UP_AND_DOWN)
    return np.stack([np.roll(plain, move, axis=(1, 2)) for move in sides])


def light_letters(cuts: NDArray[np.uint8]) -> NDArray[np.bool_]:
    """(N,) bool: tiles whose letter is lighter than the tile."""
    grey = cuts[:, _EDGE_PX:-_EDGE_PX, _EDGE_PX:-_EDGE_PX].mean(-1)
    # a letter takes less than half of its tile
    ends = 100 * VIEW.extreme, 100 - 100 * VIEW.extreme
    dark, light = np.percentile(grey, ends, axis=(1, 2))
    tile = np.median(grey, axis=(1, 2))
    return np.asarray(light - tile > tile - dark)
