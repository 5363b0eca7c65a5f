"""History of a game, as each of its players and spectators may see it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, Final, Literal, Required, TypedDict

from kibitz.engine.phrases import phrase
from kibitz.engine.record.ledger import Done, Ledger, player_of, public_view, tiles_of
from kibitz.engine.rules import Event, JsonValue
from kibitz.engine.tiles.surplus import lines_of_surplus


class HistoryLine(TypedDict, total=False):
    """One line of the history in its public form; fields that a game lacks are left out.

    `photo` numbers the photograph that showed it, `at` is in seconds of play, `turn` whose turn a
    play that was taken back gives again. Where it is `private`, nothing says what was done.
    """

    entry: Required[int]
    action: Required[str]
    player: Required[str | None]
    seen: Required[bool]
    photo: Required[int]
    events: Required[list[dict[str, JsonValue]]]
    say: Required[list[str]]
    at: float
    private: bool
    tiles: dict[str, str]
    words: list[dict[str, JsonValue]]
    turn: JsonValue
    turn_score: JsonValue
    bonus: JsonValue
    removed: JsonValue
    points: JsonValue
    score: JsonValue
    scores: dict[str, int]
    ship_count: JsonValue
    total_words: JsonValue
    team_scores: JsonValue
    boards: JsonValue


_OF_RESULT: Final[tuple[Literal["turn_score", "bonus", "removed", "points", "score"], ...]] = (
    "turn_score", "bonus", "removed", "points", "score",
)  # fmt: skip
_OF_VIEW: Final[
    tuple[Literal["scores", "ship_count", "total_words", "team_scores", "boards"], ...]
] = ("scores", "ship_count", "total_words", "team_scores", "boards")


def may_know(event: Event, viewer: str | None) -> bool:
    """True if an event may be shown to this player (None: a spectator)."""
    if event.kind.startswith("_") and event.visible_to is not None:
        return False
    return event.visible_to is None or (viewer is not None and viewer in event.visible_to)


def is_private(done: Done) -> bool:
    """True if an entry is private: a fleet, a hand, a rack."""
    return any(event.visible_to is not None for event in done.verdict.events)


def is_silent(done: Done) -> bool:
    """True if only time passed and nobody is told of anything: one clock stopped, another ran."""
    return done.entry.by_time and all(e.kind.startswith("_") for e in done.verdict.events)


def events_json(done: Iterable[Done], viewer: str | None) -> list[dict[str, JsonValue]]:
    """Events that a viewer may know, in rule 9's vocabulary."""
    return [
        event.to_json()
        for d in done
        for event in d.verdict.events
        if may_know(event, viewer) and not event.kind.startswith("_")
    ]


def lines_said(ledger: Ledger, done: Iterable[Done]) -> list[str]:
    """Announcements of an entry; never anything private."""
    out: list[str] = []
    for d in done:
        for event in d.verdict.events:
            if event.visible_to is None:
                out += (*_of_take_back(event), *ledger.game.announce(d.state, event))
        out += _of_surplus(ledger, d)
    return out


def _of_surplus(ledger: Ledger, done: Done) -> list[str]:
    """Announcements of tiles that the set does not have."""
    data = done.entry.action.data
    laid = tiles_of(done.entry).values() or [data.get("letter")]
    tiles = [x for x in laid if isinstance(x, str) and len(x) == 1]
    if not tiles:
        return []
    opening, info = ledger.opening, ledger.game.info
    view = public_view(ledger.game, done.state)
    about = info, opening.players, opening.options, opening.materials
    return lines_of_surplus(*about, view, tiles)


def _of_take_back(event: Event) -> tuple[str, ...]:
    """Announcements of a play that was taken back."""
    if event.kind != "_taken_back":
        return ()
    player, words = event.data.get("player"), event.data.get("words")
    named = words[0] if words else None
    word = str(named.get("word") if isinstance(named, Mapping) else named or "")
    # a tile that formed no word is named itself
    word = word or str(event.data.get("letters") or "")
    if not player or not word:
        return (phrase("The play comes off."),)
    if not event.data.get("spent"):
        return (
            phrase("{player} takes {word} back and has the turn again.", player=player, word=word),
        )
    if event.data.get("turn") is None:
        return (phrase("{word} comes off.", word=word),)
    return (phrase("{word} comes off; the turn is spent.", word=word),)


def _done_json(ledger: Ledger, index: int, done: Done) -> HistoryLine:
    action, result = done.entry.action, done.verdict.result
    out: HistoryLine = {
        "entry": index,
        "action": action.kind,
        "player": action.player or player_of(done),
        "seen": not done.entry.told,
        "photo": done.entry.photo,
        "events": events_json((done,), None),
        "say": lines_said(ledger, (done,)),
    }
    if action.at is not None:
        out["at"] = action.at
    if is_private(done):
        out["private"] = True
    else:
        named = result.get("words") or ()
        # at the end of GrabScrab it is how many words each player has
        words = [] if isinstance(named, Mapping) else [_word_json(w) for w in named]
        called = result.get("word")  # of GrabScrab
        if isinstance(called, str):
            words = [{"word": called}]
        tiles = action.data.get("tiles")
        if isinstance(tiles, Mapping):
            out["tiles"] = dict(tiles)
        if "square" in action.data and "letter" in action.data:
            out["tiles"] = {str(action.data["square"]): str(action.data["letter"])}
        out["words"] = words
        for name in _OF_RESULT:
            if result.get(name) is not None:
                out[name] = result[name]
        if action.kind == "take_back" and "turn" in action.data:
            out["turn"] = action.data["turn"]
    view = public_view(ledger.game, done.state)
    for standing in _OF_VIEW:
        if view.get(standing) is not None:
            out[standing] = view[standing]
    return out


def _word_json(word: Any) -> dict[str, JsonValue]:
    return dict(word) if isinstance(word, Mapping) else {"word": str(word)}


class HistoryCache:
    """History of the newest ledger, without silent entries; lines that stand are kept."""

    def __init__(self) -> None:
        self._done: tuple[Done, ...] = ()
        self._lines: list[HistoryLine] = []

    def of(self, ledger: Ledger) -> list[HistoryLine]:
        """History of a ledger."""
        same = 0
        for old, new in zip(self._done, ledger.done, strict=False):
            if old is not new:
                break
            same += 1
        kept = [line for line in self._lines if line["entry"] < same]
        fresh = [(i, d) for i, d in enumerate(ledger.done) if i >= same and not is_silent(d)]
        self._lines = [*kept, *(_done_json(ledger, i, d) for i, d in fresh)]
        self._done = ledger.done
        return self._lines
