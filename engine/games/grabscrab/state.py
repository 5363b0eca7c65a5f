"""The table of GrabScrab: pool, heap, words with their tiles (rules GS-1, GS-2, GS-21)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, replace
from types import MappingProxyType

from kibitz.engine.clock import EVENTS as CLOCK
from kibitz.engine.clock import ChessClock, clock_view, on_clock
from kibitz.engine.first_turn import EVENTS as FIRST
from kibitz.engine.first_turn import FirstTurn, beginner, first_after, first_view
from kibitz.engine.games.grabscrab.spelling import fits_word
from kibitz.engine.record.positions import clock_of_start, list_in, numbers_in, object_in
from kibitz.engine.rules import Event, JsonValue, Materials, Options
from kibitz.engine.table import UNKNOWN_BLANK as BLANK
from kibitz.engine.tiles.unseen import size_of, unseen
from kibitz.engine.words.roots import Rulings, rulings_from_texts, with_ruling


@dataclass(frozen=True, slots=True)
class HeldWord:
    """A word in front of a player; `tiles` has `?` for a blank (GS-13)."""

    word: str
    tiles: str


@dataclass(frozen=True, slots=True)
class GrabState:
    """State of the game: table, who flips next, and rulings.

    Attributes:
        pool: the face-up tiles, sorted.
        won: how many calls each player has won, steals from oneself too.
        last_flip: the last tile turned and who turned it; None once it went back.
        dismissed: words that may not be claimed until the next flip (GS-16).
        rulings: pairs of words on whose roots people have ruled (GS-12).
        last_at: when the last tile was turned or word won, in seconds, where that was told.
    """

    players: tuple[str, ...]
    options: Options
    materials: Materials
    pool: str
    face_down: int
    words: Mapping[str, tuple[HeldWord, ...]]
    flipper: str
    won: Mapping[str, int]
    last_flip: tuple[str, str] | None = None
    dismissed: frozenset[str] = frozenset()
    rulings: Rulings = field(default_factory=lambda: MappingProxyType({}))
    last_at: float | None = None
    first: FirstTurn = field(default_factory=FirstTurn)
    clock: ChessClock | None = None
    over: bool = False
    winner: tuple[str, ...] = ()

    @property
    def untouched(self) -> bool:
        """True if nothing has been played yet, so that the first turn may still be settled."""
        return not (self.pool or any(self.words.values()) or self.over)

    @property
    def may_act(self) -> frozenset[str]:
        """Anybody may claim at any time (GS-4)."""
        return frozenset() if self.over else frozenset(self.players)

    @property
    def to_move(self) -> str:
        """Who turns the next tile, whose time it is where a clock runs."""
        return self.flipper

    @property
    def total(self) -> int:
        """Total number of tiles, which never changes (GS-21)."""
        return self.face_down + len(self.pool) + tiles_in(self.words)

    def after(self, player: str) -> str:
        """The next player clockwise (GS-3)."""
        return self.players[(self.players.index(player) + 1) % len(self.players)]


def tiles_in(words: Mapping[str, Iterable[HeldWord]]) -> int:
    """Number of tiles in words."""
    return sum(len(w.tiles) for held in words.values() for w in held)


def set_out(
    players: tuple[str, ...],
    options: Options,
    materials: Materials,
    initial: Mapping[str, JsonValue] | None = None,
) -> GrabState:
    """All tiles face down (GS-2), or a position to continue from.

    Raises:
        ValueError: the players or the table are none that can be; the message names the field.
    """
    if len(players) < 2 or len(set(players)) != len(players):
        shown = ", ".join(players) or "none"
        raise ValueError(f"expected two or more different players, got {shown}")
    window = options["gs.final_window"]
    if window != "until_told" and seconds(window) is None:
        raise ValueError(f"gs.final_window: expected until_told or seconds, got {window!r}")
    start = dict(initial or {})
    words = _words_of(start, players, materials.tile_set.tiles_in)
    pool = _letters(str(start.get("pool") or ""), "pool")
    face_down = start.get("face_down")
    if face_down is None:
        full = size_of(materials.tile_set)
        face_down = max(0, full - len(pool) - tiles_in(words))
    if isinstance(face_down, bool) or not isinstance(face_down, int) or face_down < 0:
        raise ValueError(f"face_down: expected a number of tiles, got {face_down!r}")
    flipper = _one_of(players, start.get("flipper") or players[0], "flipper")
    last = object_in(start, "last_flip", ("letter", "by"))
    won = object_in(start, "won", players)
    held = {p: len(words[p]) for p in players}
    return GrabState(
        players=players,
        options=options,
        clock=clock_of_start(start, players, options),
        materials=materials,
        pool=pool,
        face_down=face_down,
        words=MappingProxyType(words),
        flipper=flipper,
        won=MappingProxyType({**held, **numbers_in(start, "won", won)}),
        last_flip=_last_flip(last, players),
        dismissed=frozenset(
            materials.tile_set.tiles_in(str(w)) for w in list_in(start, "dismissed")
        ),
        rulings=rulings_from_texts(options.get("gs.rulings", ())),
    )


def _last_flip(last: Mapping[str, JsonValue], players: tuple[str, ...]) -> tuple[str, str] | None:
    if not last:
        return None
    letter = str(last.get("letter"))
    if len(letter) != 1:
        raise ValueError(f"last_flip.letter: expected a letter, got {letter!r}")
    return _letters(letter, "last_flip"), _one_of(players, last.get("by"), "last_flip.by")


def _words_of(
    start: Mapping[str, JsonValue], players: tuple[str, ...], cut: Callable[[str], str]
) -> dict[str, tuple[HeldWord, ...]]:
    words, tiles = object_in(start, "words", players), object_in(start, "tiles", players)
    out = {}
    for player in players:
        held = [cut(str(w)) for w in list_in(words, player)]
        laid = [str(t).upper() for t in list_in(tiles, player) or held]
        if len(laid) != len(held) or not all(map(fits_word, laid, held)):
            raise ValueError(
                f"tiles: expected the tiles of {' '.join(held) or 'no word'} for {player}, "
                f"got {' '.join(laid)}"
            )
        out[player] = tuple(
            HeldWord(w, _letters(t, "tiles")) for w, t in zip(held, laid, strict=True)
        )
    return out


def _letters(text: str, name: str) -> str:
    tiles = text.upper()
    if bad := [x for x in tiles if x != BLANK and not x.isalpha()]:
        raise ValueError(f"{name}: expected letters, or '?' for a blank, got {bad[0]!r}")
    return "".join(sorted(tiles)) if name == "pool" else tiles


def _one_of(players: tuple[str, ...], name: JsonValue, field_name: str) -> str:
    if name not in players:
        raise ValueError(f"{field_name}: expected one of {', '.join(players)}, got {name!r}")
    return str(name)


def seconds(value: JsonValue) -> float | None:
    """The value as a number of seconds; None if it is no number."""
    try:
        number = float(str(value))
    except ValueError:
        return None
    return number if 0 <= number < float("inf") else None


def evolve(state: GrabState, event: Event) -> GrabState:
    """The state after an event."""
    d = event.data
    if "at" in d and event.kind not in CLOCK:
        state = replace(state, last_at=float(d["at"]))
    match event.kind:
        case "flipped":
            return _flipped(state, str(d["letter"]), str(d["by"]), str(d["next_flipper"]))
        case "won" | "stolen":
            return _worded(state, d)
        case "tie" if "returned" in d:
            pool = _without(state.pool, str(d["returned"]))
            down, flipper = state.face_down + 1, str(d["next_flipper"])
            return replace(state, pool=pool, face_down=down, flipper=flipper, last_flip=None)
        case "tie":
            out = map(state.materials.tile_set.tiles_in, d["dismissed"])
            return replace(state, dismissed=state.dismissed | frozenset(out))
        case "penalty" if d["word"] is not None:
            words = _without_word(state, state.words, d)
            return replace(state, words=words, face_down=state.face_down + len(str(d["tiles"])))
        case "game_over":
            return replace(state, over=True, winner=tuple(d["winner"]))
        case "_root_ruled":
            pair = (str(d["old"]), str(d["new"]))
            return replace(state, rulings=with_ruling(state.rulings, pair, same=bool(d["same"])))
        case "_word_ruled":
            return replace(
                state, materials=_ruled(state.materials, str(d["word"]), bool(d["good"]))
            )
        case kind if kind in CLOCK:
            return on_clock(state, event)
        case kind if kind in FIRST:
            first = first_after(state.first, event)
            return replace(state, first=first, flipper=beginner(event, state.flipper))
        case _:
            return state


def _flipped(state: GrabState, letter: str, by: str, following: str) -> GrabState:
    return replace(
        state,
        pool="".join(sorted(state.pool + letter)),
        face_down=state.face_down - 1,
        flipper=following,
        last_flip=(letter, by),
        dismissed=frozenset(),
    )


def _worded(state: GrabState, d: Mapping[str, JsonValue]) -> GrabState:
    player, words = str(d["player"]), state.words
    for taken in d.get("taken", ()):
        words = _without_word(state, words, taken)
    new = HeldWord(state.materials.tile_set.tiles_in(str(d["word"])), str(d["tiles"]))
    return replace(
        state,
        words=MappingProxyType({**words, player: (*words[player], new)}),
        won=MappingProxyType({**state.won, player: state.won[player] + 1}),
        pool=_without(state.pool, str(d["pool_used"])),
        flipper=str(d["next_flipper"]),
    )


def _without(pool: str, used: str) -> str:
    return "".join(sorted((Counter(pool) - Counter(used)).elements()))


def _without_word(
    state: GrabState, words: Mapping[str, tuple[HeldWord, ...]], d: Mapping[str, JsonValue]
) -> Mapping[str, tuple[HeldWord, ...]]:
    player = str(d["player"])
    held = list(words[player])
    gone = HeldWord(state.materials.tile_set.tiles_in(str(d["word"])), str(d["tiles"]))
    if gone in held:
        held.remove(gone)
    return MappingProxyType({**words, player: tuple(held)})


def _ruled(materials: Materials, word: str, good: bool) -> Materials:
    changed = getattr(materials.lexicon, "with_changes", None)
    if changed is None:
        return materials
    lexicon = changed(add=(word,)) if good else changed(remove=(word,))
    return replace(materials, lexicon=lexicon)


def table_view(state: GrabState) -> dict[str, JsonValue]:
    """The table in the form of a scenario's `initial` and `final`.

    There are no secrets: nobody knows what lies face down. Words are as people write them.
    """
    word_of = state.materials.tile_set.word_of
    view: dict[str, JsonValue] = {
        "pool": state.pool,
        "face_down": state.face_down,
        "words": {p: [word_of(w.word) for w in held] for p, held in state.words.items()},
        "tiles": {p: [w.tiles for w in held] for p, held in state.words.items()},
        "flipper": state.flipper,
        "won": dict(state.won),
        "dismissed": sorted(map(word_of, state.dismissed)),
        "last_flip": None,
        "total_tiles": state.total,
        "may_act": sorted(state.may_act),
        "first_turn": first_view(state, untouched=state.untouched),
        **clock_view(state),
        "over": state.over,
        "winner": list(state.winner) if state.over else None,
    }
    lying = "".join(w.tiles for held in state.words.values() for w in held)
    hidden = unseen(state.materials.tile_set, state.pool, lying)
    if sum(hidden.values()) == state.face_down:  # else it is not one whole set
        view["unseen"] = hidden
    if state.last_flip is not None:
        view["last_flip"] = {"letter": state.last_flip[0], "by": state.last_flip[1]}
    return view
