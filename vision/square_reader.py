"""Reads the squares of one board, in any orientation, mirrored or not."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial
from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray

from kibitz.calibration.board_finder import BoardNotFound
from kibitz.calibration.board_geometry import BoardGeometry, Picture, Pyramid
from kibitz.engine.phrases import listed, phrase
from kibitz.engine.tiles.sets import script_of
from kibitz.models.session import Model
from kibitz.vision.boards import blur, mirror
from kibitz.vision.boards import reader as board_reader
from kibitz.vision.boards.board_print import BoardPrint, print_of
from kibitz.vision.boards.colours.tile_colours import SquareColours
from kibitz.vision.boards.letters.close_look import Glyphs
from kibitz.vision.boards.letters.scripts import LowerCase, Scripts, in_doubt_of
from kibitz.vision.boards.letters.taught import look_at, tiles_of, with_letters
from kibitz.vision.boards.lift import lift_of
from kibitz.vision.boards.reader import BoardLook
from kibitz.vision.boards.square_logs import SquareLogs, settle_turns, usable_letters
from kibitz.vision.boards.squares import CUT_PX, squares_of
from kibitz.vision.readings import EMPTY_KIND, SURE, script_name
from kibitz.vision.request import LATIN, ReadRequest

T = TypeVar("T")


class SquareReader:
    """The networks that read squares.

    Attributes:
        first: the one for all squares of a board.
        glyphs: those for close looks.
        scripts: what tells letters that they have no name for.
        mirror: tells whether a mirror shows a tile.
    """

    def __init__(self, first: Model, glyphs: Glyphs, scripts: Scripts, mirror: Model) -> None:
        self.first = first
        self.glyphs = glyphs
        self.scripts = scripts
        self.mirror = mirror

    def without_blur(
        self, picture: Pyramid, seen: BoardLook, request: ReadRequest
    ) -> tuple[Pyramid, float] | None:
        """The picture deblurred at a board; None if sharp and readable, or without a fit.

        Of a fixed camera another frame comes soon, and is compared with this one.

        Returns:
            With it, how much likelier the letters must be then, all together, in nats.
        """
        g, colours, logs = seen
        if request.hint or not _letters_tell(request):
            return None
        letters = settle_turns(logs, self.labels(request))[0].max(-1)
        said = float((letters * logs.tile).sum())
        # rather all of its letters are right than not
        right = said > np.log(0.5)
        if right and not blur.lacks_detail(colours.straight, logs.tile):
            return None
        # what reads badly has nothing to lose: whether it was this blur its letters tell
        poor = said < SURE.poor * float(logs.tile.sum())
        found = blur.deblur_board(picture, g, any_fit=poor)
        if found is None:
            return None
        sharp, fits = found
        return sharp, 0.0 if fits else SURE.together

    def reads(self, logs: SquareLogs, request: ReadRequest) -> float:
        """Mean log likelihood of a board's letters in nats a tile: 0 where each is certain."""
        return mirror.reads(logs, self.labels(request))

    def as_meant(
        self, picture: Pyramid, seen: BoardLook, request: ReadRequest
    ) -> tuple[BoardLook, bool]:
        """A board as seen, or mirrored where its tiles are likelier so.

        Returns:
            That, and whether its tiles tell for certain which of the two it is.

        Raises:
            OtherScript: its letters are of another script than those that were told.
        """
        letters_tell = _letters_tell(request)
        if letters_tell and self.looks_name(request):
            logs = seen[2]
            if mirror.is_clearly_unmirrored(logs, self.reads(logs, request)):
                return seen, True
        there, certain = self.in_mirror(picture, seen, request)
        meant = there or seen
        if letters_tell:
            reads = self.reads(meant[2], request)
            self.check_script(lambda: tiles_on(picture, [meant]), reads, request)
        return meant, certain

    def in_mirror(
        self, picture: Pyramid, seen: BoardLook, request: ReadRequest
    ) -> tuple[BoardLook | None, bool]:
        """A board mirrored, if it is, and whether its tiles decide that for certain.

        What is printed on bare squares is asked where tiles do not tell.
        """
        lead = self.lead_in_mirror(picture, [seen], request)
        tells = abs(lead) > SURE.lead
        if not tells and (printed := self.lead_of_print(picture, seen)) > SURE.together:
            lead += printed
        if lead <= SURE.lead:
            return None, tells
        g = seen[0].mirrored()
        there = g, *self.see(picture, g, request)
        lead += mirror.lead_of_letters(seen[2], there[2], self.labels(request))
        here, so = self.reads(seen[2], request), self.reads(there[2], request)
        if mirror.is_mirrored(lead, here, so, goes_on=request.closely):
            return there, tells
        return None, lead < -SURE.lead

    def lead_in_mirror(
        self, picture: Pyramid, seen: Sequence[BoardLook], request: ReadRequest
    ) -> float:
        """Log odds that the tiles of boards are mirrored.

        Whether letters then read better is not asked; without tiles, or where nobody knows what
        they should be, it is 0.
        """
        if not _letters_tell(request):
            return 0.0
        places = [
            (k, *at) for k, (_, _, logs) in enumerate(seen) for at in tiles_of(logs).tolist()
        ]
        places.sort(key=lambda place: -seen[place[0]][2].tile[place[1:]])

        def cut(some: slice) -> NDArray[np.uint8]:
            boards, *at = np.array(places[some]).T
            out = np.empty((len(boards), CUT_PX, CUT_PX, 3), np.uint8)
            for k in set(boards.tolist()):
                mine = boards == k
                out[mine] = squares_of(picture, seen[k][0], np.stack(at, -1)[mine])
            return out

        return mirror.lead_of_squares(self.mirror, len(places), cut)

    def lead_of_print(self, picture: Pyramid, seen: BoardLook) -> float:
        """Log odds that a board's print is mirrored."""
        g, colours, logs = seen
        bare = logs.kind[..., EMPTY_KIND] > np.log(SURE.known)
        at = mirror.most_printed(colours.straight, colours.square_px, bare)
        return mirror.lead_of_squares(
            self.mirror, len(at), lambda some: squares_of(picture, g, at[some]), alike=True
        )

    def check_script(
        self, cuts: Callable[[], NDArray[np.uint8]], reads: float, request: ReadRequest
    ) -> None:
        """Check that badly reading tiles are of the given script.

        Args:
            cuts: cuts them out, (N, side, side, 3); all of one set.
            reads: how well their letters read, as `reads` says it.
            request: what was told.

        Raises:
            OtherScript: they are of another.
        """
        if reads >= SURE.poor or not _may_be_of_another(request):
            return
        sets = self.scripts.other(cuts(), request.letters)
        if sets:
            raise self._other(sets, request)

    def discount_wrong_script(
        self, picture: Pyramid, seen: BoardLook, request: ReadRequest
    ) -> BoardLook:
        """A board with letters discounted by the doubt about the given script.

        They are asked where they read badly, and where those that were looked at closely are
        likelier of another.

        Raises:
            OtherScript: they are of another.
        """
        g, colours, logs = seen
        if not _may_be_of_another(request):
            return seen
        reads, letters = self.reads(logs, request), request.letters
        if reads >= SURE.poor:
            if logs.evidence is None:
                return seen
            some = logs.evidence.scripts[logs.evidence.large_at & (logs.tile > 0.5)]
            if self.scripts.chance_of_script(some, letters, reads) >= 0.5:
                return seen
        cuts = tiles_on(picture, [seen])
        if not len(cuts):
            return seen
        every = self.scripts.likelihoods(cuts)
        if sets := self.scripts.other_of(every, letters):
            raise self._other(sets, request)
        chance = self.scripts.chance_of_script(every, letters, reads)
        kept = logs.alike, logs.faces, logs.evidence, logs.small
        return g, colours, SquareLogs(logs.kind, in_doubt_of(logs.both, chance), *kept)

    def check_loose(
        self,
        worst: Sequence[T],
        cuts: Callable[[Sequence[T]], NDArray[np.uint8]],
        request: ReadRequest,
    ) -> None:
        """Check that loose tiles are of the given script, worst ones first.

        Args:
            worst: tiles, those that read worst first; none where no letter is in doubt.
            cuts: cuts some out, (N, side, side, 3).
            request: what was told.

        Raises:
            OtherScript: they are of another.
        """
        if not worst or not _may_be_of_another(request):
            return
        sets = self.scripts.other(cuts(worst[: SURE.few]), request.letters)
        if sets and (sets := self.scripts.other(cuts(worst), request.letters)):
            raise self._other(sets, request)

    def _other(self, sets: Sequence[str], request: ReadRequest) -> OtherScript:
        script = script_of(self.scripts.labels_of(sets[0]))
        return OtherScript(script, script_of(request.letters), sets)

    def lifted(
        self, picture: Pyramid, boards: Sequence[BoardGeometry], request: ReadRequest
    ) -> list[BoardGeometry]:
        """Boards with the height of their tiles' tops, the same for all.

        They are the same where the camera stands so high that it does not matter, and where it is
        what it was.
        """
        lift = lift_of(picture, boards, self.first, request.letters)
        return [g if g.lift == lift else replace(g, lift=lift) for g in boards]

    def at_tops(
        self, picture: Pyramid, seen: Sequence[BoardLook], request: ReadRequest
    ) -> list[BoardLook]:
        """Boards read again in the plane of their tiles' tops; see `lifted`."""
        lifted = self.lifted(picture, [g for g, *_ in seen], request)
        return [
            x if g is x[0] else (g, *self.see(picture, g, request))
            for g, x in zip(lifted, seen, strict=True)
        ]

    def see(
        self,
        picture: Pyramid,
        g: BoardGeometry,
        request: ReadRequest,
        known: board_reader.Known | None = None,
    ) -> tuple[SquareColours, SquareLogs]:
        """Colours and log probabilities of one board's squares, in any orientation."""
        usual = self.looks_name(request)
        colours, logs = board_reader.read_board(
            picture,
            g,
            self.first,
            self.glyphs,
            request.letters if usual else LATIN,
            closely=request.closely,
            known=known if usual else None,
            small=LowerCase.of(self.scripts, request.letters) if usual and request.known else None,
        )
        if not usual:
            letters = len(self.labels(request))
            logs = with_letters(picture, g, logs, letters, partial(self._told, request))
        return colours, logs

    def _told(self, request: ReadRequest, cuts: NDArray[np.uint8]) -> NDArray[np.float32]:
        """Log probabilities of letters that the looks do not know, for `with_letters`."""
        if request.taught is None:
            return self.scripts.letter_logs(cuts, request.letters)
        taught = request.taught
        shares = self.scripts.shares(cuts, taught.labels) if taught.printed else None
        return taught.letter_logs(look_at(cuts, self.glyphs.large), shares=shares)

    def are_printed(self, cuts: NDArray[np.uint8], letters: Sequence[str]) -> bool:
        """True if most upright tiles, (N, side, side, 3), are these printed letters."""
        return self.scripts.knows(cuts, letters) > 0.5

    def letters_of(self, tile_set: str) -> tuple[str, ...]:
        """Letters of a detected tile set, see `OtherScript`."""
        return self.scripts.labels_of(tile_set)

    def by_script(self, request: ReadRequest) -> bool:
        """True if the looks know none of the letters."""
        return set(request.letters).isdisjoint(self.first.facts.labels)

    def looks_name(self, request: ReadRequest) -> bool:
        """True if the looks know the letters, and none were taught."""
        return request.taught is None and not self.by_script(request)

    def labels(self, request: ReadRequest) -> tuple[str, ...]:
        """Possible faces of a tile, in the order of log probabilities."""
        if request.taught is not None:
            return request.taught.labels
        if self.by_script(request):
            return self.scripts.labels(request.letters)
        return usable_letters(self.first, request.letters)


def _letters_tell(request: ReadRequest) -> bool:
    """True if readable letters are asked for, which then decide a board's orientation."""
    return request.known or request.taught is not None


def _may_be_of_another(request: ReadRequest) -> bool:
    """True if the given script may be wrong.

    Taught letters may look like anything, and a game keeps its script.
    """
    return _letters_tell(request) and request.taught is None and not request.hint


class OtherScript(BoardNotFound):
    """A board's letters are of another script than the given one.

    Attributes:
        script: which, as Unicode names it: `CYRILLIC`.
        told: that of the letters that were told.
        tile_sets: the names of the sets of the board's script, the likeliest first.
    """

    code = "other_script"

    def __init__(self, script: str, told: str, tile_sets: Sequence[str]) -> None:
        self.script = script
        self.told = told
        self.tile_sets = tuple(tile_sets)
        first, *others = tile_sets
        sets = (
            phrase("{first} (or {others})", first=first, others=listed(others, ", "))
            if others
            else first
        )
        super().__init__(
            phrase(
                "These tiles are {script}, not {told}: read them with --tiles {sets}, or teach "
                "their look if they are something else.",
                script=script_name(script),
                told=script_name(told),
                sets=sets,
            )
        )


def tiles_on(picture: Pyramid, seen: Sequence[BoardLook]) -> NDArray[np.uint8]:
    """(N, side, side, 3) pictures of probable tiles on some boards."""
    return np.concatenate([squares_of(picture, g, tiles_of(logs)) for g, _, logs in seen])


def pyramid_of(picture: Picture) -> Pyramid:
    """A picture with its halves.

    Raises:
        ValueError: it has another shape than (h, w, 3) uint8.
    """
    if picture.ndim != 3 or picture.shape[2] != 3 or picture.dtype != np.uint8:
        raise ValueError(
            f"expected a picture of shape (h, w, 3) uint8, got {picture.shape} {picture.dtype}"
        )
    return Pyramid(picture)


def print_of_look(seen: BoardLook) -> BoardPrint:
    """Print of a board."""
    return print_of(seen[1].straight, board_reader.SQUARE_PX, seen[2].kind)


def as_panel(request: ReadRequest) -> ReadRequest:
    """The request for one of nine joined boards, where a first look must do."""
    return replace(request, closely=False)


def put_together(seen: Sequence[BoardLook]) -> tuple[SquareColours, SquareLogs]:
    """Nine joined boards, row by row, as one: colours and log probabilities."""
    logs = SquareLogs(_nine([x.kind for _, _, x in seen]), _nine([x.both for _, _, x in seen]))
    px = board_reader.SQUARE_PX
    straight = _nine([c.straight[px:-px, px:-px] for _, c, _ in seen])
    return SquareColours(np.pad(straight, ((px, px), (px, px), (0, 0))), px), logs


def _nine(parts: list[NDArray[Any]]) -> NDArray[Any]:
    """Nine arrays joined three by three."""
    return np.concatenate(
        [np.concatenate(parts[3 * r : 3 * r + 3], axis=1) for r in range(3)], axis=0
    )
