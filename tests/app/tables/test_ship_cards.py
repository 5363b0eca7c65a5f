"""ScrabbleShip on the table: a card is waited for, may be left out, and may lie wrong."""

from __future__ import annotations

from typing import Any

from kibitz.app.cameras.settling import RestRule
from tests.app.cameras.test_turn_ends import Filmed
from tests.app.replay_help import board, replay
from tests.app.server_help import make_session

FLEETS = [
    {
        "before": "1.jpg",
        "action": "enter_fleet",
        "player": player,
        "fleet": {ship: list(squares.split()) for ship, squares in ships.items()},
    }
    for player, ships in {
        "Ann": {
            "carrier": "A1 A2 A3 A4 A5",
            "scrabbleship": "C2 C3 C4 C5",
            "submarine": "D11 E11 F11",
            "destroyer": "G8 G9 G10",
            "patrol": "B13 B14",
        },
        "Bob": {
            "carrier": "O3 O4 O5 O6 O7",
            "scrabbleship": "J9 J10 J11 J12",
            "submarine": "M2 N2 O2",
            "destroyer": "N12 N13 N14",
            "patrol": "I3 I4",
        },
    }.items()
]
MARINE = board(H=".....MARINE")
HARBOR = board(
    F=".......H", G=".......A", H=".....MARINE", I=".......B", J=".......O", K=".......R"
)
ELBOW = [
    a if b == "." * 15 else "".join(x if x != "." else y for x, y in zip(a, b, strict=True))
    for a, b in zip(
        HARBOR,
        board(I="..........L", J="..........B", K="..........O", L="..........W"),
        strict=True,
    )
]
CARD = {"cells": [[6, 7], [6, 8], [6, 9]]}
"""Over G8 to G10, the destroyer."""
OFF_BY_ONE = {"cells": [[6, 8], [6, 9], [6, 10]]}


def show(rows: list[str], *cards: dict[str, Any]) -> dict[str, Any]:
    return {"board": rows, "ships": list(cards)}


def played(*shown: dict[str, Any]) -> tuple[list[dict[str, Any]], list[dict[str, Any]]]:
    """The lines of a game in which the destroyer sinks in the second picture, and open cards."""
    start = [show(MARINE), show(HARBOR)]
    lines, _, run = replay([*start, *shown], game="scrabbleship", told=FLEETS, lexicon="default")
    return lines, [sorted(s.name for s in card) for card in run.tracker.best.cards]


def test_the_card_is_waited_for() -> None:
    """The strip is asked for when the ship sinks, and ticked off when it lies there."""
    lines, cards = played()
    assert "Lay the strip from G eight to G ten." in lines[1]["say"]
    assert cards == [["G10", "G8", "G9"]]

    lines, cards = played(show(HARBOR, CARD))
    assert lines[2]["status"] == "task_done"
    assert cards == []


def test_play_goes_on_without_the_card() -> None:
    """The next play is taken all the same, and the missing card is mentioned."""
    lines, cards = played(show(ELBOW))

    assert lines[2]["play"]["turn_score"] == 40
    assert lines[2]["say"][-1] == "The strip from G eight to G ten is still to be laid."
    assert cards == [["G10", "G8", "G9"], ["J10", "J11", "J12", "J9"]]


def test_a_card_that_lies_wrong() -> None:
    """A card one square off is no card laid; it is said once, until it lies right."""
    wrong = show(HARBOR, OFF_BY_ONE)
    lines, cards = played(wrong, wrong)
    assert [line["status"] for line in lines[2:]] == ["board_changed", "no_change"]
    assert lines[2]["say"] == ["A strip lies from G nine to G eleven; no ship was sunk there."]
    assert lines[3]["say"] == []
    assert cards == [["G10", "G8", "G9"]]

    lines, cards = played(wrong, show(HARBOR, CARD))
    assert lines[3]["status"] == "task_done"
    assert cards == []


def test_a_camera_tells_at_once_how_cards_lie(tmp_path) -> None:
    """One that lies wrong is told once, one that lies right is waited for no more."""
    session = make_session(tmp_path, rest=RestRule())
    filmed = Filmed(session, "scrabbleship")
    for told in FLEETS:
        filmed.act("enter_fleet", told["player"], fleet=told["fleet"])
    for rows in (board(), MARINE, HARBOR):
        filmed.show(rows, 12)
    before, said, tasks = len(filmed.table.steps), [], [filmed.table.tasks()]
    for card in (OFF_BY_ONE, CARD):
        filmed.show(HARBOR, 60, ships=[card])
        said.append([step.data["say"] for step in filmed.table.steps[before:]])
        tasks.append(filmed.table.tasks())
        before = len(filmed.table.steps)
    session.close()

    wrong = ["A strip lies from G nine to G eleven; no ship was sunk there."]
    assert [[wrong], [[]]] == said
    assert [["lay_card"], ["lay_card"], []] == [[t["task"] for t in open_] for open_ in tasks]


def test_nothing_is_to_be_done_once_the_game_is_over(tmp_path) -> None:
    """A strip that was not laid is asked for no more."""
    session = make_session(tmp_path, rest=RestRule())
    filmed = Filmed(session, "scrabbleship")
    for told in FLEETS:
        filmed.act("enter_fleet", told["player"], fleet=told["fleet"])
    for rows in (board(), MARINE, HARBOR):
        filmed.show(rows, 12)
    before = filmed.table.tasks()
    filmed.act("no_plays")
    after = filmed.table.tasks()
    session.close()

    assert (["lay_card"], []) == ([t["task"] for t in before], after)


def test_a_card_and_the_next_play_in_one_picture() -> None:
    """Card and play may be seen at once; the card is no tile and the play lacks none."""
    lines, cards = played(show(ELBOW, CARD))

    assert list(lines[2]["play"]["tiles"]) == ["I11", "J11", "K11", "L11"]
    assert cards == [["J10", "J11", "J12", "J9"]]


def test_a_card_over_tiles() -> None:
    """A card laid over the tile that hit the ship hides it; the tile stays on the board."""
    hidden = {**show(HARBOR, CARD), "hidden_by_ship": [[6, 7]]}
    lines, cards = played(hidden, show(ELBOW, CARD))

    assert lines[2]["status"] == "task_done"
    assert lines[3]["play"]["turn_score"] == 40
    assert lines[3]["board"][6][7] == "A"
    assert cards == [["J10", "J11", "J12", "J9"]]


def test_a_tile_on_the_end_of_a_card() -> None:
    """That end looked bare; the strip lay there before, so what looks like a tile now is one."""
    strip = {"cells": [[9, 8], [9, 9], [9, 10]]}
    ere = [row[:11] + tile + row[12:] for row, tile in zip(ELBOW, ".........ERE...", strict=True)]
    lines, _ = played(show(ELBOW, CARD), show(ELBOW, CARD, strip), show(ere, CARD, strip))

    assert ["J12", "K12", "L12"] == list(lines[4]["play"]["tiles"])
