"""Random games of Scrabble written as GCG: three programs take them, and Kibitz plays them again."""

from __future__ import annotations

from collections import Counter

import pytest

from kibitz.app.common.materials.named import load_tile_set, make_materials
from kibitz.engine.games import find_game
from kibitz.engine.options import check_options
from kibitz.engine.record.gcg import read_gcg, write_gcg
from kibitz.engine.record.gcg_replay import replay_gcg
from kibitz.engine.record.gcg_writer import GcgImpossible, gcg_game, gcg_text
from kibitz.engine.record.ledger import Entry, Ledger, Opening, open_ledger
from kibitz.engine.rules import Accepted, Action, Materials, action_from_json
from kibitz.engine.words.lexicon import WordList
from tests.engine.random_games import TILES
from tests.engine.record.gcg_readers import ReaderRefused, cross_tables, macondo, quackle
from tests.measures.gcg_games import bag_game, check, wild_game
from tests.playthrough_tool import FOLDER, script_of

GAMES = 30


def ledger_of(
    *actions: tuple[str, dict], tiles: str = "en", initial=None, players=2, words=(), **options
):
    """A game in which these actions were done, all of them accepted."""
    game = find_game("scrabble")
    settings = check_options(game.info, options)
    names = ("Ann", "Bob", "Cyd", "Dan")[:players]
    listed = WordList(frozenset(words), name="/lists/mine.txt")
    materials = Materials(listed, load_tile_set(tiles))
    ledger = open_ledger(Opening(game, names, settings, materials, initial))
    for kind, data in actions:
        more = {k: v for k, v in data.items() if k != "player"}
        action = Action(kind, data.get("player"), None, more)
        ledger, verdict = ledger.add(Entry(action, 0, told=True))
        assert isinstance(verdict, Accepted), verdict
    return ledger


def lay(start: str, word: str, axis: str = "across") -> tuple[str, dict]:
    row, column = start[0], int(start[1:])
    step = (0, 1) if axis == "across" else (1, 0)
    squares = {
        f"{chr(ord(row) + i * step[0])}{column + i * step[1]}": x
        for i, x in enumerate(word)
        if x != "."
    }
    return "place", {"tiles": squares, "forced": True}


def turns(text: str) -> list[str]:
    return [x for x in text.splitlines() if x.startswith(">")]


@pytest.mark.parametrize("seed", range(GAMES))
def test_wild_games_are_taken(seed):
    """Two players' files are taken by all three; with more, what is said names JSON."""
    assert check(wild_game(seed), bag=False)


@pytest.mark.parametrize("seed", range(GAMES))
def test_dealt_games_are_taken(seed):
    """Every rack that is written is one that the bag can give at that moment."""
    assert check(bag_game(seed), bag=True)


@pytest.mark.parametrize("seed", range(4))
def test_german_games_are_taken(seed):
    """Another language's tiles are named in a way that macondo knows."""
    ledger = bag_game(seed, "de")

    assert "taken" == check(ledger, bag=True)
    assert "#tile-distribution german" in gcg_text(ledger)
    assert "#tiles" not in gcg_text(ledger)


@pytest.mark.parametrize("seed", range(GAMES))
def test_written_and_read_again(seed):
    """Every move comes back, and every score and total is what a second reckoning gives."""
    ledger = wild_game(seed)
    game = gcg_game(ledger)
    again = read_gcg(write_gcg(game))
    scored = replay_gcg(again, [TILES], house_rules=True)

    assert [
        (m.player, m.kind, m.square, m.axis, m.word, m.score, m.total) for m in game.moves
    ] == [(m.player, m.kind, m.square, m.axis, m.word, m.score, m.total) for m in again.moves]
    assert [] == scored.wrong
    assert dict(ledger.state.scores) == scored.scores


def test_the_games_have_what_can_happen():
    """Plays, exchanges, passes, plays taken off, points for wrong challenges, racks at the end."""
    kinds = Counter(m.kind for seed in range(GAMES) for m in gcg_game(wild_game(seed)).moves)
    told = [
        m for seed in range(GAMES) for m in gcg_game(bag_game(seed)).moves if m.kind == "exchange"
    ]

    assert {"play", "exchange", "pass", "withdrawn", "bonus", "racks"} == set(kinds)
    assert {True, False} == {m.tiles.isdecimal() for m in told}


def test_the_playthrough_is_taken():
    """The written-out game of Scrabble."""
    for path in FOLDER.glob("scrabble_challenge.txt"):
        header, actions = script_of(path.read_text(encoding="utf-8"))
        game = find_game("scrabble")
        options = check_options(game.info, header.get("settings", {}))
        materials = make_materials("default", "en", options)
        ledger: Ledger = open_ledger(Opening(game, tuple(header["players"]), options, materials))
        for action in actions:
            ledger, _ = ledger.add(Entry(action_from_json(action), 0, told=True))

        assert "taken" == check(ledger, bag=True)


def test_racks_at_the_end():
    """Who loses has the rack in the line, who gains it has only the tiles."""
    ledger = ledger_of(
        lay("H8", "CAT"),
        ("pass", {}),
        ("racks", {"player": None, "racks": {"Ann": ["S"], "Bob": ["Q", "Z", "?"]}}),
        lay("H8", "...S"),
        ("end_game", {"out": "Ann"}),
    )
    lines = turns(gcg_text(ledger))

    assert [">Bob: ?QZ (?QZ) -20 -20", ">Ann: (?QZ) +20 36"] == lines[-2:]


def test_a_rack_of_blanks_is_worth_no_line():
    """Nothing is lost or won for a blank, so nothing is written."""
    ledger = ledger_of(
        lay("H8", "CAT"),
        ("racks", {"racks": {"Bob": ["?"]}}),
        ("end_game", {"out": "Ann"}),
    )

    assert [">Ann: ACT 8H CAT +10 10"] == turns(gcg_text(ledger))


def test_told_racks_are_kept():
    """A rack that was told is written whole; what was kept is still known after the draw."""
    ledger = ledger_of(
        ("racks", {"racks": {"Ann": list("TRAINXX")}}),
        lay("H4", "TRAIN"),
        ("pass", {}),
        ("exchange", {"tiles": ["X", "X"]}),
        lay("I8", "O", "down"),
    )
    lines = turns(gcg_text(ledger))

    assert ">Ann: TRAINXX 8D TRAIN +12 12" == lines[0]
    assert ">Bob: O - +0 0" == lines[1]  # what Bob lays next was there when he passed
    assert ">Ann: XX -XX +0 12" == lines[2]


def test_nobody_knows_the_rack():
    """Tiles of the bag stand for it, never blanks, and a remark says so."""
    ledger = ledger_of(lay("H8", "CAT"), ("exchange", {"count": 4}), ("pass", {}))
    text = gcg_text(ledger)
    exchange = turns(text)[1].split()

    assert "-4" == exchange[2]
    assert 4 == len(exchange[1])
    assert "?" not in text
    assert 2 == text.count("#note This rack was not seen; unseen tiles stand for it.")
    macondo(text, bag=True)


def test_a_withdrawn_rack_is_the_same_rack():
    """Tiles that come off are on the rack at the turn after."""
    ledger = ledger_of(
        lay("H8", "CAT"),
        lay("G9", "X.Z", "down"),
        ("withdraw", {}),
        ("pass", {}),
        lay("G10", "ZA"),
        reject_invalid=False,
    )
    lines = turns(gcg_text(ledger))

    assert ">Bob: AXZ I7 X.Z +" == lines[1][:18]
    assert ">Bob: AXZ -- -" == lines[2][:14]


@pytest.mark.parametrize(
    ("word", "more", "line", "note"),
    [
        ("C?T", (), ">Ann: ?CT 8H CaT +8 8", "Which letter is the blank on H9? A stands for it"),
        ("W?LTZ", (), ">Ann: ?LTWZ 8H WaLTZ +52 52", ""),
        ("C?T", (("pass", {}), lay("H11", "CH")), ">Ann: ?CT 8H CaT +8 8", ""),  # CATCH
        ("X?Q", (), ">Ann: ?QX 8H XeQ +36 36", "E stands for it here"),  # no letter makes it good
        (
            "C?T",
            (("answer", {"field": "blank", "square": "H9", "value": "U"}),),
            ">Ann: ?CT 8H CuT +8 8",
            "",
        ),
    ],
)
def test_a_blank_without_a_letter(word, more, line, note):
    """It is what its words tell; where several letters do, one stands for it and it is asked."""
    words = ("CAT", "CUT", "WALTZ", "CATCH")
    text = gcg_text(ledger_of(lay("H8", word), *more, words=words, reject_invalid=False))

    assert line == turns(text)[0]
    assert ("Which letter" in text) is bool(note)
    assert note in text


def test_a_word_list_of_ones_own_is_not_named():
    """Only names that other programs know are written."""
    ledger = ledger_of(lay("H8", "CAT"))

    assert "#lexicon" not in gcg_text(ledger)


def test_more_than_two_players():
    """Said in words, with what to take instead."""
    with pytest.raises(GcgImpossible, match=r"for two players, and this game has 3. Take JSON"):
        gcg_text(ledger_of(lay("H8", "CAT"), players=3))


def test_a_given_position_replays():
    """The position is laid as plays with a remark, and its scores and turn are kept."""
    rows = ["." * 15] * 7 + [".......CAT....."] + [".........O....."] + ["." * 15] * 6
    initial = {"board": rows, "scores": {"Ann": 10, "Bob": 22}, "to_move": "Bob"}
    ledger = ledger_of(lay("J10", "E", "down"), initial=initial)
    text = gcg_text(ledger)
    again = replay_gcg(read_gcg(text), [TILES])

    assert (
        "#description The record begins in the middle of a game, at Ann 10, Bob 22. Board, "
        in text
    )
    assert 2 == text.count("#note Set-up: these tiles lay there when the record begins.")
    assert [] == again.wrong
    assert {"Bob": 22 + 5, "Ann": 10} == again.scores
    assert "taken" == check(ledger, bag=True)


@pytest.mark.parametrize(
    ("line", "wanted"),
    [
        (">Bob: - +0 0", "fits no line"),
        (">Bob: ABC -4 +0 0", "wants a rack of 4"),
        (">Bob: (QZA) -21 -21", "fits no line"),
        (">Bob: QZB (QZA) -21 -21", "alike"),
        ("#tiles de", "no such line"),
        (">Bob: AB 8H AB +5 5", "a dot where a tile lies"),
    ],
)
def test_the_readers_are_strict(line, wanted):
    """The grammar of macondo refuses what macondo stops at."""
    head = "#character-encoding UTF-8\n#player1 Ann Ann\n#player2 Bob Bob\n"
    with pytest.raises(ReaderRefused, match=wanted):
        macondo(f"{head}>Ann: CAT 8H CAT +10 10\n{line}\n")


@pytest.mark.parametrize("read", [quackle, cross_tables])
def test_a_line_without_a_rack_is_refused(read):
    """The two other programs take the next word for the rack."""
    head = "#player1 Ann Ann\n#player2 Bob Bob\n>Ann: CAT 8H CAT +10 10\n"
    with pytest.raises(ReaderRefused):
        read(f"{head}>Bob: - +0 0\n")


def test_other_games_are_refused_in_words():
    """GCG holds only Scrabble."""
    game = find_game("scrabbage")
    options = check_options(game.info, {})
    materials = make_materials("default", "en", options)
    ledger = open_ledger(Opening(game, ("Ann", "Bob"), options, materials))
    with pytest.raises(GcgImpossible, match=r"only Scrabble, not Scrabbage. Take JSON"):
        gcg_game(ledger)


def test_who_begins_is_player_one():
    """Readers take the first player to have the first turn; a draw may give it to anybody."""
    cat = {"tiles": {"H8": "C", "H9": "A", "H10": "T"}}
    ledger = ledger_of(
        ("begin", {"seat": "Bob"}),
        ("place", cat),
        ("place", {"tiles": {"H11": "S"}}),
        reject_invalid=False,
    )
    text = gcg_text(ledger)
    moves = [(move.player, move.score) for move in read_gcg(text).moves]

    assert (("Bob", "Bob"), ("Ann", "Ann")) == tuple(read_gcg(text).players)
    assert [("Bob", 10), ("Ann", 6)] == moves
    assert [10, 6] == [move.score for move in quackle(text).moves]
