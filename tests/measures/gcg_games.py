"""Checks random games of Scrabble as GCG with three programs' grammars and with Kibitz.

    python -m tests.measures.gcg_games --games 1000

Half of the games are wild (tests/engine/random_games.py: any tiles at all), half are dealt from a
real bag, with racks told now and then, so that every rack in the file has to be one that the bag
can give.
"""

from __future__ import annotations

import argparse
import random
import sys
from collections import Counter
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from kibitz.app.common.materials.named import load_tile_set
from kibitz.engine.games import find_game
from kibitz.engine.options import check_options
from kibitz.engine.record.gcg import read_gcg, write_gcg
from kibitz.engine.record.gcg_replay import replay_gcg
from kibitz.engine.record.gcg_writer import GcgImpossible, gcg_game, gcg_text
from kibitz.engine.record.ledger import Entry, Ledger, Opening, open_ledger
from kibitz.engine.rules import Accepted, Action, Materials
from kibitz.engine.words.lexicon import AcceptAll
from tests.engine.random_games import NAMES, play, random_line, random_settings
from tests.engine.record.gcg_readers import ReaderRefused, cross_tables, macondo, quackle

TRIES = 150


@cache
def wild_game(seed: int) -> Ledger:
    """A random game of 2 to 4 players as a table keeps it; nobody counts the tiles."""
    actions = []

    def note(game, before, action, verdict, after):
        if isinstance(verdict, Accepted):
            actions.append(action)

    played = play("scrabble", random.Random(f"gcga {seed}"), TRIES, note)
    start = played.start
    opening = Opening(played.game, start.players, start.options, start.materials)
    ledger = open_ledger(opening)
    for photo, action in enumerate(actions):
        ledger, _ = ledger.add(Entry(action, photo))
    return ledger


@cache
def bag_game(seed: int, tiles: str = "en") -> Ledger:
    """A random game of two that is dealt from a bag, from an empty board or a position."""
    rng = random.Random(f"bag {tiles} {seed}")
    game, tile_set = find_game("scrabble"), load_tile_set(tiles)
    options = check_options(game.info, random_settings("scrabble", rng))
    opening = Opening(game, NAMES[:2], options, Materials(AcceptAll(), tile_set))
    dealt = _Dealt(rng, open_ledger(opening), _bag(tile_set, rng))
    if seed % 3 == 1:
        dealt._do("begin", seat=NAMES[1])
    dealt.play(rng.choice((3, 25, 80)))
    if seed % 4 == 0:  # what was played so far becomes the position that a record begins from
        state = dealt.ledger.state
        if not state.over and state.pending is None:
            initial = {
                "board": list(state.grid.text_rows()),
                "scores": dict(state.scores),
                "to_move": state.to_move,
                "bag_count": state.bag,
            }
            dealt.ledger = open_ledger(
                Opening(game, NAMES[:2], options, opening.materials, initial)
            )
            dealt.play(30)
    return dealt.ledger


def _bag(tile_set: Any, rng: random.Random) -> list[str]:
    bag = [x for x in (*tile_set.letters, "?") for _ in range(tile_set.count(x))]
    rng.shuffle(bag)
    return bag


@dataclass
class _Dealt:
    """Players with real racks; the record knows only what is told."""

    rng: random.Random
    ledger: Ledger
    bag: list[str]
    racks: dict[str, list[str]] = field(default_factory=dict)
    before: tuple[list[str], list[str]] = field(default_factory=lambda: ([], []))

    def play(self, turns: int) -> None:
        """Play so many turns, or until the game is over."""
        for player in self.ledger.opening.players:
            self.racks.setdefault(player, [])
            self._draw(player)
        for _ in range(turns):
            if self.ledger.state.over:
                return
            self._turn()

    def _draw(self, player: str) -> None:
        rack = self.racks[player]
        while self.bag and len(rack) < 7:
            rack.append(self.bag.pop())

    def _do(self, kind: str, player: str | None = None, **data: Any) -> bool:
        self.ledger, verdict = self.ledger.add(
            Entry(Action(kind, player, None, data), 0, told=True)
        )
        return isinstance(verdict, Accepted)

    def _turn(self) -> None:
        state, rng = self.ledger.state, self.rng
        player, roll = state.to_move, rng.random()
        rack = self.racks[player]
        if rng.random() < 0.2:
            self._do("racks", racks={player: list(rack)})
        if state.pending is not None and roll < 0.25:
            self._challenge(state)
        elif roll < 0.3:
            self._do("pass")
        elif roll < 0.4 and rack:
            out = rng.sample(rack, rng.randint(1, len(rack)))
            told = {"tiles": list(out)} if rng.random() < 0.5 else {"count": len(out)}
            if self._do("exchange", **told):
                self.racks[player] = list((Counter(rack) - Counter(out)).elements())
                self._draw(player)
                self.bag += out
                rng.shuffle(self.bag)
        else:
            self._lay(player)

    def _challenge(self, state: Any) -> None:
        player = state.pending.player
        challenger = next(p for p in state.players if p != player)
        good = self.rng.random() < 0.5
        told = self._do("challenge", challenger, verdict="valid" if good else "not_a_word")
        if told and not good:
            rack, bag = self.before
            self.racks[player], self.bag = list(rack), list(bag)

    def _lay(self, player: str) -> None:
        for _ in range(20):
            rack = list(self.racks[player])
            held, tiles = list(rack), {}
            self.rng.shuffle(held)
            for square in random_line(self.ledger.state, self.rng):
                if held:
                    face = held.pop()
                    tiles[square] = self.rng.choice("aeinst?") if face == "?" else face
            bag = list(self.bag)
            if tiles and self._do("place", tiles=tiles):
                self.before = (rack, bag)
                self.racks[player] = held
                self._draw(player)
                for square, letter in tiles.items():
                    if letter == "?" and self.rng.random() < 0.9:
                        self._do("answer", field="blank", square=square, value="E")
                return
        self._do("pass")


def check(ledger: Ledger, *, bag: bool) -> str:
    """Put one game through everything; returns the result as a word.

    Raises:
        AssertionError: a program would not take the file, or it is not the same game.
    """
    said = ""
    try:
        text = gcg_text(ledger)
    except GcgImpossible as error:
        said = str(error)
    if len(ledger.opening.players) > 2:
        assert "is for two players" in said
        taken = quackle(write_gcg(gcg_game(ledger)))
        assert len(ledger.opening.players) == len(taken.nicks)
        return "more than two players"
    if said:
        assert "no letter yet" in said, said
        return "a blank without a letter"
    lying = {(s.row, s.col): t.text for s, t in ledger.state.grid.tiles.items()}
    # a letter stands in the file for a blank that nobody named
    unnamed = {square: "?" for square, tile in lying.items() if tile == "?"}
    read = macondo(text, bag=bag).board, quackle(text).board, cross_tables(text).board
    boards = [{**board, **unnamed} for board in read]
    assert [lying] * 3 == boards
    scored = replay_gcg(
        read_gcg(text.encode()), [ledger.opening.materials.tile_set], house_rules=not bag
    )
    assert [] == scored.wrong
    return "taken"


def main() -> int:
    """Play and check; 0 if every file is accepted."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--games", type=int, default=1000)
    count = parser.parse_args().games
    seen: Counter[str] = Counter()
    for i in range(count):
        ledger, bag = (wild_game(i), False) if i % 2 else (bag_game(i // 2), True)
        try:
            seen[check(ledger, bag=bag)] += 1
        except (AssertionError, ReaderRefused) as error:
            seen["REFUSED"] += 1
            print(f"game {i}: {error}")
    print(", ".join(f"{n} {what}" for what, n in sorted(seen.items())))
    return 1 if seen["REFUSED"] else 0


if __name__ == "__main__":
    raise SystemExit(main())
