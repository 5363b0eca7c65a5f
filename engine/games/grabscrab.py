"""GrabScrab (rules GS-1 to GS-21): loose tiles turned face up, words won and stolen."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from types import MappingProxyType
from typing import ClassVar

from engine.games.grabscrab_spelling import Spelled, spell_from_pool, spell_steal
from engine.options import common_settings
from engine.roots import same_root
from engine.rules import (
    Accepted,
    Action,
    Candidate,
    Change,
    Event,
    GameInfo,
    JsonValue,
    Materials,
    Options,
    Refused,
    Setting,
    Verdict,
)
from engine.table import SurfaceSpec

INFO = GameInfo(
    slug="grabscrab",
    title="GrabScrab",
    players=tuple(range(2, 13)),
    settings=(
        *common_settings(),
        Setting("gs.min_length", 4, "How many letters a word needs.", rule="GS-7", minimum=2, maximum=15),
        Setting("gs.root_test", "affix", "How it is decided that a steal has the same root: by the affix test, by asking, or not at all.", ("affix", "ask", "off"), "GS-12"),
        Setting("gs.tie", "flip_back", "Two calls at once: the last tile goes back, or the words are out until the next flip.", ("flip_back", "dismiss"), "GS-16"),
        Setting("gs.penalty", False, "A false call costs one own word.", (True, False), "GS-17"),
        Setting("gs.penalty_codes", ("not_a_word", "letters_missing"), "Which refusals count as false calls.", rule="GS-17"),
        Setting("gs.merge", False, "Several words may be joined into one.", (True, False), "GS-18"),
        Setting("gs.count", "held", "Who wins: most words held at the end, or most words won on the way.", ("held", "won_total"), "GS-20"),
        Setting("gs.final_window", "until_told", "After the last tile: until people say so, or this many seconds without a call.", rule="GS-19"),
        Setting("gs.end_tie", "shared", "Equal counts: shared, or more letters win.", ("shared", "letters"), "GS-20"),
    ),
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class HeldWord:
    """A word before a player; `tiles` shows `?` at a blank (GS-13)."""

    word: str
    tiles: str


@dataclass(frozen=True, slots=True)
class GrabState:
    """Pool, words and face-down tiles of a table."""

    players: tuple[str, ...]
    options: Options
    materials: Materials
    pool: str
    face_down: int
    words: Mapping[str, tuple[HeldWord, ...]]
    flipper: str
    won: Mapping[str, int] = field(default_factory=dict)
    last_flip: tuple[str, str] | None = None
    dismissed: frozenset[str] = frozenset()
    overruled: Mapping[frozenset[str], bool] = field(default_factory=dict)
    last_at: float | None = None
    over: bool = False
    winner: tuple[str, ...] = ()

    @property
    def may_act(self) -> frozenset[str]:
        """Anybody may claim at any time (GS-4)."""
        return frozenset() if self.over else frozenset(self.players)

    @property
    def total(self) -> int:
        """All tiles: never changes (GS-21)."""
        held = sum(len(w.tiles) for words in self.words.values() for w in words)
        return self.face_down + len(self.pool) + held


def _sorted(letters: str) -> str:
    return "".join(sorted(letters))


def _without(pool: str, used: str) -> str:
    return _sorted("".join((Counter(pool) - Counter(used)).elements()))


def _hold(words: list[str], tiles: list[str]) -> tuple[HeldWord, ...]:
    shown = tiles if len(tiles) == len(words) else words
    return tuple(HeldWord(w.upper().replace("?", "?"), t) for w, t in zip(words, shown, strict=True))


class GrabScrab:
    """The rules of GrabScrab."""

    info: ClassVar[GameInfo] = INFO

    def surfaces(self, players: tuple[str, ...], options: Options) -> tuple[SurfaceSpec, ...]:
        """A table with loose tiles (GS-1)."""
        return (SurfaceSpec("table", "spread"),)

    def begin(
        self,
        players: tuple[str, ...],
        options: Options,
        materials: Materials,
        initial: Mapping[str, JsonValue] | None = None,
    ) -> GrabState:
        """All tiles face down, or a table in play (GS-2).

        Raises:
            ValueError: fewer than two players, or the flipper is none of them.
        """
        if len(players) < 2 or len(set(players)) != len(players):
            raise ValueError(f"expected 2 or more different players, got {', '.join(players) or 'none'}")
        start = initial or {}
        words, tiles = start.get("words") or {}, start.get("tiles") or {}
        flipper = str(start.get("flipper") or players[0])
        if flipper not in players:
            raise ValueError(f"expected the flipper to be one of {', '.join(players)}, got {flipper!r}")
        letters = getattr(materials.tile_set, "letters", ())
        full = sum(materials.tile_set.count(x) for x in letters) + materials.tile_set.count("?")
        held = {p: _hold(list(words.get(p, ())), list(tiles.get(p, ()))) for p in players}
        return GrabState(
            players=players,
            options=options,
            materials=materials,
            pool=_sorted(str(start.get("pool", ""))),
            face_down=int(start.get("face_down", full or 100)),
            words=MappingProxyType(held),
            flipper=flipper,
            won=MappingProxyType({p: len(held[p]) for p in players}),
        )

    # --- deciding ---------------------------------------------------------------------------

    def decide(self, state: GrabState, action: Action) -> Verdict:
        """Judge an action (GS-3 to GS-20)."""
        if state.over:
            return Refused("game_over", "The game is over.")
        if action.player is not None and action.player not in state.players:
            return Refused("unknown_player", f"There is no player {action.player!r} at this table.")
        decider = {
            "flip": self._flip,
            "claim": self._claim,
            "tie": self._tie,
            "give_up": self._give_up,
            "no_more_words": self._no_more_words,
            "overrule_root": self._overrule,
            "tick": self._tick,
        }.get(action.kind)
        if decider is None:
            return Refused("unknown_action", f"GrabScrab knows no action {action.kind!r}.")
        return decider(state, action)

    def _next(self, state: GrabState, after: str) -> str:
        order = state.players
        return order[(order.index(after) + 1) % len(order)]

    def _flip(self, state: GrabState, action: Action) -> Verdict:
        player = action.player or state.flipper
        if player != state.flipper:
            return Refused("not_your_turn", f"It is {state.flipper}'s turn to flip, not {player}'s.")
        letter = str(action.data.get("letter") or "").upper()
        if len(letter) != 1 or not (letter.isalpha() or letter == "?"):
            return Refused("bad_action", f"Expected the letter that was turned up, got {letter!r}.")
        if state.face_down == 0:
            return Refused("no_tiles_left", "All tiles are face up.")
        data = {"letter": letter, "by": player, "next_flipper": self._next(state, player)}
        return self._one(Event("flipped", data), action)

    def _one(self, event: Event, action: Action, **extra: JsonValue) -> Accepted:
        """One event, which a scenario sees as fields of the answer."""
        timed = Event(event.kind, event.data) if action.at is None else event
        events = (timed,) if action.at is None else (timed, Event("_at", {"at": action.at}))
        return Accepted(events, {"event": event.kind, **event.data, **extra})

    def _claim(self, state: GrabState, action: Action) -> Verdict:
        if action.player is None:
            return Refused("bad_action", "A claim needs the player who spoke first.")
        checked = self.check_claim(state, action)
        if isinstance(checked, Refused):
            return checked
        event, _ = checked
        return self._one(event, action)

    def check_claim(self, state: GrabState, action: Action) -> tuple[Event, Spelled] | Refused:
        """Whether a claim holds, in the order of GS-10."""
        word = str(action.data.get("word") or "").upper()
        player = action.player or ""
        also = tuple(str(w).upper() for w in action.data.get("also") or ())
        refused = self._check_word(state, word, also)
        if refused:
            return refused
        if not action.data.get("steal"):
            spelled = spell_from_pool(word, state.pool, str(action.data.get("tiles") or ""))
            if isinstance(spelled, str):
                return Refused(spelled, f"{word} cannot be spelled with the tiles in the pool.")
            data = {"word": word, "tiles": spelled.tiles, "pool_used": spelled.pool_used, "next_flipper": player}
            return Event("won", {**data, "player": player}), spelled
        return self._check_steal(state, action, word, also)

    def _check_word(self, state: GrabState, word: str, also: tuple[str, ...]) -> Refused | None:
        if also and not state.options["gs.merge"]:
            return Refused("merge_not_allowed", "Letters come from the pool only; words are not joined.")
        if word in state.dismissed:
            return Refused("dismissed", f"{word} is out until the next tile is turned.")
        least = int(state.options["gs.min_length"])
        if len(word) < least:
            return Refused("too_short", f"{least} letters at least; {word or 'that'} has {len(word)}.")
        if word not in state.materials.lexicon:
            return Refused("not_a_word", f"{word} is not in the list.")
        return None

    def _check_steal(
        self, state: GrabState, action: Action, word: str, also: tuple[str, ...]
    ) -> tuple[Event, Spelled] | Refused:
        olds = (str(action.data["steal"]).upper(), *also)
        victim = action.data.get("from_player")
        taken: list[tuple[str, HeldWord]] = []
        for i, old in enumerate(olds):
            found = self._held(state, old, str(victim) if victim and i == 0 else None, taken)
            if found is None:
                where = f"before {victim}" if victim and i == 0 else "on the table"
                return Refused("no_such_word", f"There is no {old} {where}.")
            taken.append(found)
        spelled = spell_steal(word, "".join(w.tiles for _, w in taken), state.pool, merged=bool(also))
        if isinstance(spelled, str):
            text = {
                "not_all_letters": f"{word} leaves letters of {olds[0]} behind.",
                "no_letter_added": "No new letter.",
                "letters_missing": "Those tiles are not there.",
            }
            return Refused(spelled, text[spelled])
        refused = self._check_roots(state, action, word, olds)
        if refused:
            return refused
        data: dict[str, JsonValue] = {
            "word": word, "tiles": spelled.tiles, "pool_used": spelled.pool_used,
            "stolen_from": taken[0][0], "old_word": olds[0], "next_flipper": action.player or "",
            "player": action.player or "",
        }  # fmt: skip
        if also:
            data["also"] = [[p, w.word] for p, w in taken[1:]]
        return Event("stolen", data), spelled

    def _held(
        self, state: GrabState, word: str, player: str | None, taken: list[tuple[str, HeldWord]]
    ) -> tuple[str, HeldWord] | None:
        gone = Counter((p, w.word) for p, w in taken)
        for p in state.players if player is None else (player,):
            matching = [w for w in state.words.get(p, ()) if w.word == word]
            if len(matching) > gone[(p, word)]:
                return p, matching[gone[(p, word)]]
        return None

    def _check_roots(
        self, state: GrabState, action: Action, word: str, olds: tuple[str, ...]
    ) -> Refused | None:
        mode = state.options["gs.root_test"]
        if mode == "off" or action.data.get("override"):
            return None
        for old in olds:
            if mode == "ask" and frozenset((old, word)) not in state.overruled:
                return Refused("ask_root", f"Do {word} and {old} share a root? Say it with overrule_root.")
            verdict = same_root(old, word, state.materials.lexicon, dict(state.overruled))
            if verdict.same:
                message = f"{word} has the same root as {old}."
                return Refused("same_root", message, result={"why": verdict.reason})
        return None

    def _tie(self, state: GrabState, action: Action) -> Verdict:
        """Two claims at once (GS-16); only legal ones count."""
        claims = action.data.get("claims")
        if not isinstance(claims, (list, tuple)) or not claims:
            return Refused("bad_action", "Expected claims as [{'player': 'Ann', 'word': 'RAIN'}, ...].")
        legal: list[tuple[Action, Event]] = []
        for raw in claims:
            if not isinstance(raw, Mapping) or raw.get("player") not in state.players:
                return Refused("bad_action", f"Expected a claim with a player at the table, got {raw!r}.")
            rest = {k: v for k, v in raw.items() if k != "player"}
            claim = Action("claim", str(raw["player"]), action.at, rest)
            checked = self.check_claim(state, claim)
            if not isinstance(checked, Refused):
                legal.append((claim, checked[0]))
        if not legal:
            return Refused("no_legal_claim", "None of these calls is legal.")
        if len(legal) == 1:
            return self._one(legal[0][1], action)
        last = state.last_flip
        if state.options["gs.tie"] == "flip_back" and last is not None and last[0] in state.pool:
            return self._one(Event("tie", {"returned": last[0], "next_flipper": last[1]}), action)
        words = sorted({str(e.data["word"]) for _, e in legal})
        return self._one(Event("tie", {"dismissed": words, "next_flipper": state.flipper}), action)

    def _give_up(self, state: GrabState, action: Action) -> Verdict:
        """The penalty, told per case (GS-17)."""
        if not state.options["gs.penalty"]:
            return Refused("no_penalty", "There is no penalty in this game.")
        if action.player is None:
            return Refused("bad_action", "Expected the player who gives up a word.")
        word = action.data.get("word")
        held = state.words.get(action.player, ())
        if word is None:
            if held:
                names = ", ".join(w.word for w in held)
                return Refused("choose_word", f"{action.player} gives up one of {names}.")
            data: dict[str, JsonValue] = {"player": action.player, "word": None, "face_down_added": 0}
            return self._one(Event("penalty", data), action)
        found = next((w for w in held if w.word == str(word).upper()), None)
        if found is None:
            return Refused("no_such_word", f"{action.player} has no {word}.")
        data = {"player": action.player, "word": found.word, "face_down_added": len(found.tiles)}
        return self._one(Event("penalty", data), action)

    def _no_more_words(self, state: GrabState, action: Action) -> Verdict:
        if state.face_down:
            return Refused("tiles_left", f"{state.face_down} tiles are still face down.")
        return self._one(self._end(state), action)

    def _tick(self, state: GrabState, action: Action) -> Verdict:
        """Time passes: the last window may close (GS-19)."""
        window = state.options["gs.final_window"]
        if window == "until_told" or state.face_down or action.at is None or state.last_at is None:
            return Accepted((), {})
        if action.at - state.last_at < float(window):
            return Accepted((), {})
        return self._one(self._end(state), action)

    def _end(self, state: GrabState) -> Event:
        """Who wins (GS-20)."""
        count = {p: len(state.words[p]) for p in state.players}
        rank = dict(state.won) if state.options["gs.count"] == "won_total" else count
        best = max(rank.values())
        winner = [p for p in state.players if rank[p] == best]
        if len(winner) > 1 and state.options["gs.end_tie"] == "letters":
            letters = {p: sum(len(w.tiles) for w in state.words[p]) for p in winner}
            winner = [p for p in winner if letters[p] == max(letters.values())]
        return Event("game_over", {"winner": winner, "words": rank, "reason": "no_more_words"})

    def _overrule(self, state: GrabState, action: Action) -> Verdict:
        """People rule on a pair of words; it is remembered (GS-12)."""
        old, new = str(action.data.get("old") or "").upper(), str(action.data.get("new") or "").upper()
        same = action.data.get("same")
        if not old or not new or not isinstance(same, bool):
            return Refused("bad_action", "Expected old, new and same (true or false).")
        return Accepted((Event("_root_ruled", {"old": old, "new": new, "same": same}),), {})

    # --- evolving ---------------------------------------------------------------------------

    def evolve(self, state: GrabState, event: Event) -> GrabState:
        """The state after an event."""
        d = event.data
        match event.kind:
            case "flipped":
                return replace(
                    state, pool=_sorted(state.pool + str(d["letter"])), face_down=state.face_down - 1,
                    flipper=str(d["next_flipper"]), last_flip=(str(d["letter"]), str(d["by"])), dismissed=frozenset(),
                )  # fmt: skip
            case "won" | "stolen":
                return self._on_word(state, event)
            case "tie":
                if "returned" in d:
                    pool = _without(state.pool, str(d["returned"]))
                    return replace(state, pool=pool, face_down=state.face_down + 1, flipper=str(d["next_flipper"]), last_flip=None)
                return replace(state, dismissed=state.dismissed | frozenset(d["dismissed"]))
            case "penalty":
                if d["word"] is None:
                    return state
                words = self._drop(state.words, str(d["player"]), str(d["word"]))
                return replace(state, words=words, face_down=state.face_down + int(d["face_down_added"]))
            case "game_over":
                return replace(state, over=True, winner=tuple(d["winner"]))
            case "_root_ruled":
                pair = frozenset((str(d["old"]), str(d["new"])))
                return replace(state, overruled=MappingProxyType({**state.overruled, pair: bool(d["same"])}))
            case "_at":
                return replace(state, last_at=float(d["at"]))
        return state

    def _drop(
        self, words: Mapping[str, tuple[HeldWord, ...]], player: str, word: str
    ) -> Mapping[str, tuple[HeldWord, ...]]:
        held = list(words[player])
        found = next((w for w in held if w.word == word), None)
        if found is not None:
            held.remove(found)
        return MappingProxyType({**words, player: tuple(held)})

    def _on_word(self, state: GrabState, event: Event) -> GrabState:
        d = event.data
        player = str(d["player"])
        words = state.words
        if event.kind == "stolen":
            words = self._drop(words, str(d["stolen_from"]), str(d["old_word"]))
            for other, word in d.get("also", ()):
                words = self._drop(words, str(other), str(word))
        words = MappingProxyType({**words, player: (*words[player], HeldWord(str(d["word"]), str(d["tiles"])))})
        won = MappingProxyType({**state.won, player: state.won.get(player, 0) + 1})
        pool = _without(state.pool, str(d["pool_used"]))
        return replace(state, words=words, won=won, pool=pool, flipper=str(d["next_flipper"]))

    # --- seeing, showing, saying ------------------------------------------------------------

    def interpret(self, state: GrabState, change: Change) -> tuple[Candidate, ...]:
        """Flips, claims and steals that lead from the known table to the one seen."""
        from engine.games.grabscrab_seeing import explain

        return explain(self, state, change)

    def view(self, state: GrabState, viewer: str | None) -> Mapping[str, JsonValue]:
        """The table: there are no secrets but what lies face down."""
        return {
            "pool": state.pool,
            "face_down": state.face_down,
            "words": {p: [w.word for w in state.words[p]] for p in state.players},
            "tiles": {p: [w.tiles for w in state.words[p]] for p in state.players},
            "flipper": state.flipper,
            "may_act": sorted(state.may_act),
            "dismissed": sorted(state.dismissed),
            "total_tiles": state.total,
            "over": state.over,
            "winner": list(state.winner) if state.over else None,
        }

    def announce(self, state: GrabState, event: Event) -> tuple[str, ...]:
        """The lines of rule 7."""
        d = event.data
        match event.kind:
            case "flipped":
                return ("A blank." if d["letter"] == "?" else f"{d['letter']}.",)
            case "won":
                return (f"{d['player']}: {d['word']}. {d['next_flipper']} flips next.",)
            case "stolen":
                return (f"{d['old_word']} of {d['stolen_from']} becomes {d['word']} for {d['player']}!",)
            case "tie" if "returned" in d:
                return (f"Both at once; the {d['returned']} goes back.",)
            case "tie":
                return ("Both at once; those words are out.",)
            case "penalty" if d["word"]:
                return (f"{d['player']} gives up {d['word']}.",)
            case "penalty":
                return (f"{d['player']} has no word to give up.",)
            case "game_over" if len(d["winner"]) == 1:
                name = d["winner"][0]
                return (f"All turned. {name} wins with {d['words'][name]} words.",)
            case "game_over":
                return (f"All turned. {' and '.join(d['winner'])} share the win.",)
            case "_root_ruled":
                return (f"{d['new']} and {d['old']} {'share' if d['same'] else 'do not share'} a root, by ruling.",)
        return ()


GAME = GrabScrab()
