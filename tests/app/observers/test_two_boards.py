"""Scrabble House on two boards: one picture of both, one each, tasks, the partner's tiles."""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from kibitz.app.common.materials.named import make_materials
from kibitz.app.common.storage.tables import Storage
from kibitz.app.observers.feeds import GameReplay, make_observer
from kibitz.app.observers.lines import task_json
from kibitz.app.observers.observer import look_ahead, take_in
from kibitz.app.observers.told import ToldAction
from kibitz.app.observers.two_boards import BoardPlaces
from kibitz.app.reading.pictures import FileReading
from kibitz.app.tables.orders import Order
from kibitz.app.tables.people.access import Actor
from kibitz.app.tables.registry import Tables
from kibitz.engine.games import find_game
from kibitz.engine.options import check_options
from kibitz.engine.record.ledger import Opening
from kibitz.engine.rules import Action, action_from_json
from kibitz.engine.table import grid_from_rows
from kibitz.engine.tracking.evidence.hypotheses import Capture
from kibitz.vision.readings import GridReading, PhotoReading
from kibitz.vision.request import ReadRequest
from tests.app.replay_help import LETTERS, board
from tests.helpers.fake_readings import Noise, reading_from_truth

HOST = Actor("host")
PLAYERS = ("Ann", "Bob", "Cyd", "Dan")
EMPTY = board()
HOUSE = board(K=".......H", L=".......O", M=".......U", N=".......S", O=".......E")
GARDEN = board(A=".......n", B=".......e", C=".......d", D=".......r", E=".......a", F=".......g")


def over(below: Sequence[str], above: Sequence[str]) -> list[str]:
    """Two boards' tiles on one."""
    return [
        "".join(a if a != "." else b for a, b in zip(upper, lower, strict=True))
        for upper, lower in zip(above, below, strict=True)
    ]


def reading(rows: Sequence[str], left: float, side: float = 400.0) -> GridReading:
    """A faultless reading of a board with its top left corner at a place; small letters face North."""
    turns = [[180 if c.islower() else 0 for c in row] for row in rows]
    corners = [[left, 0.0], [left + side, 0.0], [left + side, side], [left, side]]
    truth = {"board": [r.upper() for r in rows], "rotation": turns, "corners_px": corners}
    request = ReadRequest(15, tuple(LETTERS))
    (one,) = reading_from_truth(truth, request, Noise(), random.Random(1)).boards
    return replace(one, top_certain=False)


def both(left: Sequence[str], right: Sequence[str]) -> PhotoReading:
    """One picture of two boards side by side."""
    return PhotoReading(1000, 500, (reading(left, 20.0), reading(right, 540.0)))


def one(rows: Sequence[str], left: float) -> PhotoReading:
    """A picture of one board."""
    return PhotoReading(1000, 500, (reading(rows, left),))


def opening(initial: Mapping[str, Any] | None = None) -> Opening:
    game = find_game("scrabble-house")
    options = check_options(game.info, {})
    return Opening(game, PLAYERS, options, make_materials("default", "en", options), initial)


def replay(
    photos: Sequence[PhotoReading | None],
    told: Sequence[Mapping[str, Any]] = (),
    initial: Mapping[str, Any] | None = None,
) -> tuple[list[dict[str, Any]], dict[str, Any], GameReplay]:
    said = []
    for item in told:
        fields = dict(item)
        before = fields.pop("before")
        said.append(ToldAction(before, action_from_json(fields)))
    run = GameReplay(make_observer(opening(initial), fixed_top=True), said)
    for number, shown in enumerate(photos, 1):
        run.see(FileReading(f"{number}.jpg", shown))
    final = run.finish()["final"]
    return run.known_lines(), final, run


def test_each_board_has_its_players() -> None:
    """The left board is X1's and Y1's, the right one X2's and Y2's, each with its own turns."""
    lines, final, run = replay(
        [
            both(EMPTY, EMPTY),
            both(HOUSE, EMPTY),
            both(HOUSE, GARDEN),
            both(over(HOUSE, GARDEN), GARDEN),
        ]
    )

    assert [line["status"] for line in lines] == ["no_change", "play", "play", "play"]
    assert [line["play"]["player"] for line in lines[1:]] == ["Ann", "Dan", "Bob"]
    assert list(lines[1]["play"]["tiles"]) == ["1:K8", "1:L8", "1:M8", "1:N8", "1:O8"]
    assert next(iter(lines[2]["play"]["tiles"])) == "2:A8"
    assert final["boards"] == [over(HOUSE, GARDEN), GARDEN]
    assert run.problems == []


def as_read(board: GridReading, quarters: int) -> GridReading:
    """The same board as a reader gives it that takes another edge for row A."""
    names = ("kind_log_prob", "letter_log_prob", "turn_log_prob", "tile_sets")
    turned = {name: np.rot90(getattr(board, name), quarters) for name in names}
    turns = np.roll(turned["turn_log_prob"], -quarters, axis=-1)
    corners = np.roll(board.corners_px, -quarters, axis=0)
    return replace(board, **{**turned, "turn_log_prob": turns}, corners_px=corners)


@pytest.mark.parametrize("quarters", [0, 1, 2, 3])
def test_the_second_board_lies_as_the_first(quarters: int) -> None:
    """North may open the second board: the first one tells where row A is, whatever is read."""
    run = GameReplay(make_observer(opening()), [])
    for left, right in ((EMPTY, EMPTY), (HOUSE, EMPTY), (HOUSE, GARDEN), (HOUSE, GARDEN)):
        first, second = both(left, right).boards
        shown = PhotoReading(1000, 500, (first, as_read(second, quarters)))
        run.see(FileReading("1.jpg", shown))

    plays = [d.entry.action for d in run.ledger.done]
    assert [("Ann", "K8"), ("Dan", "A8")] == [
        (p.player, next(iter(p.data["tiles"]))) for p in plays
    ]


def test_plays_on_both_boards_at_once() -> None:
    """Two plays between two pictures, one a board, are two plays."""
    lines, final, _ = replay([both(EMPTY, EMPTY), both(HOUSE, GARDEN)])

    assert lines[1]["status"] == "several"
    assert [play["player"] for play in lines[1]["plays"]] == ["Ann", "Dan"]
    assert lines[1]["say"] == ["HOUSE.", "GARDEN."]
    assert final["boards"] == [HOUSE, GARDEN]


@pytest.mark.parametrize(("letters", "changed"), [(6, False), (7, True)])
def test_how_many_tiles_tell_that_two_boards_changed_places(letters: int, changed: bool) -> None:
    """Seven known ones on each say more than where the boards lay."""
    first, second = board(H="...HOUSECAT"[: 3 + letters]), board(D=".....GARDENS"[: 5 + letters])
    known, places = [grid_from_rows(first), grid_from_rows(second)], BoardPlaces()
    places.assign(both(first, second).boards, known, fixed_top=True)
    found = places.assign(both(second, first).boards, known, fixed_top=True)

    assert ([1, 0] if changed else [0, 1]) == [seen[1] for seen in found if seen is not None]


def test_a_board_that_was_cleared_is_seen_still() -> None:
    """However many tiles are known on it."""
    full, places = board(H="HOUSECATSGARDEN", D="HOUSE"), BoardPlaces()
    known = [grid_from_rows(full), grid_from_rows(GARDEN)]
    places.assign(both(full, GARDEN).boards, known, fixed_top=True)
    found = places.assign(both(EMPTY, GARDEN).boards, known, fixed_top=True)

    assert [0, 1] == [None if seen is None else seen[1] for seen in found]


@pytest.mark.parametrize(("left", "expected"), [(20.0, [0, None]), (540.0, [None, 0])])
def test_where_one_board_lies_the_other_one_does_not(
    left: float, expected: Sequence[int | None]
) -> None:
    """A board that was not seen yet, nor has tiles, is none that lies where the first one lay."""
    places, known = BoardPlaces(), [grid_from_rows(EMPTY)] * 2
    places.assign(one(EMPTY, 20.0).boards, known, fixed_top=True)
    found = places.assign(one(EMPTY, left).boards, known, fixed_top=True)

    assert expected == [None if seen is None else seen[1] for seen in found]


def test_why_names_the_board_of_each_square() -> None:
    """The same square is there on both."""
    _, _, run = replay([both(EMPTY, EMPTY), both(EMPTY, GARDEN)])

    names = {one["square"] for one in run.tracker.why()["readings"]}

    assert {f"2:{letter}8" for letter in "ABCDEF"} <= names
    assert {"2"} == {name.split(":")[0] for name in names}


def test_two_cameras_in_turn() -> None:
    """Pictures of one board each are told apart by where the boards lie and what is on them."""
    start = {"boards": [HOUSE, GARDEN]}
    more = over(HOUSE, board(K="...EART"))
    lines, final, _ = replay(
        [both(HOUSE, GARDEN), one(more, 22.0), one(over(GARDEN, HOUSE), 538.0)], initial=start
    )

    assert [line["play"] and line["play"]["player"] for line in lines] == [None, "Ann", "Cyd"]
    assert final["boards"] == [more, over(GARDEN, HOUSE)]


EXPLODED = over(over(HOUSE, GARDEN), board(F="....eta", K="...EART"))
BLAST = over(EXPLODED, board(G=".....E", H=".....M", I=".....P", J=".....E"))


def blown(*steps: Sequence[str]) -> tuple[list[dict[str, Any]], dict[str, Any], GameReplay]:
    """TEMPER explodes GATE and then ARDEN on board 1; then what people do about it."""
    start = {"boards": [EXPLODED, EMPTY]}
    photos = [both(EXPLODED, EMPTY), both(BLAST, EMPTY), *(both(s, EMPTY) for s in steps)]
    return replay(photos, initial=start)


def without(rows: Sequence[str], *squares: str) -> list[str]:
    out = [list(row) for row in rows]
    for name in squares:
        out[ord(name[0]) - 65][int(name[1:]) - 1] = "."
    return ["".join(row) for row in out]


def turned(rows: Sequence[str], name: str) -> list[str]:
    out = [list(row) for row in rows]
    r, c = ord(name[0]) - 65, int(name[1:]) - 1
    out[r][c] = out[r][c].swapcase()
    return ["".join(row) for row in out]


LIFT = ("F8", "F7", "F5", "E8", "D8", "C8", "B8", "A8")


def test_tasks_in_any_order() -> None:
    """Tiles may be lifted before others are turned; the last step puts the board in order."""
    first = without(BLAST, *LIFT[:5])
    second = turned(first, "F6")
    last = without(second, *LIFT[5:])
    lines, final, _ = blown(first, second, last)

    assert lines[1]["play"]["words"] == [{"word": "TEMPER"}]
    assert [line["status"] for line in lines[2:]] == ["task_done"] * 3
    assert lines[3]["play"]["turned"] == ["1:F6"]
    assert [line["say"] for line in lines[2:]] == [[], [], ["The board is in order."]]
    assert final["open_tasks"] == [{"turn": [], "lift": []}] * 2
    assert final["hands"]["Cyd"]["other_colour"] == 8


@pytest.mark.parametrize("back", [LIFT[4:], LIFT[:4], LIFT])
def test_tiles_laid_back_are_to_be_lifted_again(back: tuple[str, ...]) -> None:
    """What was lifted and lies there again as it lay is no play: it has still to be lifted."""
    half = turned(without(BLAST, *LIFT[:4]), "F6")
    clear = without(half, *LIFT[4:])
    again = turned(without(BLAST, *(s for s in LIFT if s not in back)), "F6")
    lines, final, _ = blown(half, clear, again)
    after, cleared, _ = blown(half, clear, again, clear)

    assert ["task_done", "task_done", "no_change"] == [line["status"] for line in lines[2:]]
    assert [{"turn": [], "lift": sorted(back)}, {"turn": [], "lift": []}] == final["open_tasks"]
    assert ["task_done", []] == [after[-1]["status"], cleared["open_tasks"][0]["lift"]]
    assert [["TEMPER"]] == [
        [w["word"] for w in p["words"]] for p in cleared["plays"] if p["words"]
    ]


def test_a_wrong_step_is_pointed_out() -> None:
    """A tile that should not be turned, or be lifted, is named."""
    wrong = turned(without(BLAST, *LIFT), "F6")
    lines, _, _ = blown(wrong, turned(wrong, "K5"))
    assert lines[2]["status"] == "task_done"
    assert lines[3]["status"] == "board_changed"
    assert lines[3]["question"]["prompt"] == (
        "Board 1: The tile on K5 should not be turned. Please turn it back."
    )

    lines, _, _ = blown(wrong, without(wrong, "L8"))
    assert lines[3]["question"]["prompt"] == (
        "Board 1: The board was disturbed at L8. Please check."
    )


def test_a_missed_step_is_pointed_out() -> None:
    """A play laid while exploded tiles still lie there is told to clear up."""
    part = turned(without(BLAST, *LIFT[:-1]), "F6")
    reply = over(part, board(A="...bat"))
    lines, _, _ = blown(part, reply)

    assert lines[3]["play"]["player"] == "Bob"
    assert lines[3]["say"][-1] == "Board 1: The last explosion is not cleared up: see to A eight."


def test_a_tile_that_no_explosion_turned_is_not_pointed_out() -> None:
    """HOUSE seemed to face North when Ann laid it, and later its U alone."""

    def blurred(rows: Sequence[str], letters: slice) -> PhotoReading:
        shown = both(rows, EMPTY)
        first, second = shown.boards
        turns = np.array(first.turn_log_prob)
        turns[letters, 7] = np.log([0.43, 0.01, 0.55, 0.01])
        return replace(shown, boards=(replace(first, turn_log_prob=turns), second))

    laid = blurred(HOUSE, np.s_[10:15]), blurred(over(HOUSE, GARDEN), np.s_[12:13])
    lines, _, _ = replay([both(EMPTY, EMPTY), *laid])

    assert [["HOUSE."], ["GARDEN."]] == [line["say"] for line in lines[1:]]


def test_an_o_that_may_have_been_turned_is_not_pointed_out() -> None:
    """ORATOR turns the O of GAOL; which way it lies then nobody can see."""
    laid = over(over(HOUSE, GARDEN), board(F="....loa", K="...EART"))
    play = over(laid, board(G=".....R", H=".....A", I=".....T", J=".....O"))
    lifted = without(play, *LIFT)
    steps = (laid, play, lifted, over(lifted, board(A="...bat")))
    lines, _, _ = replay([both(s, EMPTY) for s in steps], initial={"boards": [laid, EMPTY]})

    assert [{"word": "ORATOR"}] == lines[1]["play"]["words"]
    assert "Bob" == lines[3]["play"]["player"]
    assert [] == [line for line in lines[3]["say"] if "not cleared up" in line]


def test_what_people_tell() -> None:
    """A pass moves the turn on its own board only."""
    told = [{"before": "2.jpg", "action": "pass", "player": "Ann"}]
    lines, final, run = replay([both(HOUSE, EMPTY), both(HOUSE, GARDEN)], told)

    assert run.problems == ["pass of Ann: It is Bob's turn, not Ann's."]
    assert lines[1]["play"]["player"] == "Dan"
    assert final["to_move"] == ["Bob", "Cyd"]


def test_an_answer_names_its_board() -> None:
    """A blank on board 2 is named by `2:` before its square."""
    shown = both(EMPTY, board(O="C?T"))
    told = [
        {"before": "2.jpg", "action": "answer", "field": "blank", "square": "2:O2", "value": "A"}
    ]
    lines, final, run = replay([shown, shown], told)

    assert lines[0]["question"]["square"] == "2:O2"
    assert final["boards"][1][14] == "CAT............"
    assert run.problems == []


def test_live_watching_goes_on_after_a_restart() -> None:
    """What is kept of a live table is enough to go on from, tasks and all."""
    start = {"boards": [EXPLODED, EMPTY]}
    first = make_observer(opening(start))
    take_in(first, both(EXPLODED, EMPTY))
    take_in(first, both(BLAST, EMPTY))
    half = without(BLAST, *LIFT[:4])
    take_in(first, both(half, EMPTY))
    expected = [
        {"task": "lift", "squares": ["1:A8", "1:B8", "1:C8", "1:D8"]},
        {"task": "turn", "squares": ["1:F6"]},
    ]
    kept = first.tracker
    assert expected == [task_json(task) for task in kept.tasks()]

    again = make_observer(opening(start))
    again.tracker.restart(kept.ledger, kept.lying_rows(), kept.photos)
    assert kept.tasks() == again.tracker.tasks()

    done = turned(without(half, *LIFT[4:]), "F6")
    assert look_ahead(again, both(done, EMPTY)).status == "task_done"
    assert kept.tasks() == again.tracker.tasks()
    take_in(again, both(done, EMPTY))
    take_in(again, both(done, GARDEN))
    assert again.tracker.tasks() == []
    assert again.line("5", 4)["play"]["player"] == "Dan"


def test_pictures_without_a_board() -> None:
    """A picture that shows neither board changes nothing."""
    lines, final, _ = replay([both(HOUSE, EMPTY), None, both(HOUSE, EMPTY)])

    assert [line["status"] for line in lines] == ["play", "unreadable", "no_change"]
    assert np.array_equal(final["boards"], [HOUSE, EMPTY])


def test_a_doubtful_letter_is_asked_about_as_on_one_board(tmp_path) -> None:
    """The question names its board, also after a restart; what people answer counts there."""
    tables = Tables(Storage(str(tmp_path)))
    table = tables.create(Order("scrabble-house", PLAYERS)).table
    shown = both(EMPTY, HOUSE)
    (_, right) = shown.boards
    logs = right.letter_log_prob.copy()
    logs[10, 7] = -9.0
    logs[10, 7, [right.labels.index("H"), right.labels.index("M")]] = np.log([0.55, 0.45])
    doubted = replace(shown, boards=(shown.boards[0], replace(right, letter_log_prob=logs)))
    table.observe(doubted, how=Capture(live=True))
    asked = table.questions()
    table_asks = table.tracker.letter_questions()
    again = Tables(tables.storage).get(table.id)
    answer = Action("answer", data={"field": "letter", "square": "2:K8", "board": 2, "value": "M"})
    table.act(answer, HOST)
    after = table.questions()
    lying = [row[7] for row in table.view(HOST)["boards"][1]]
    tables.close()

    assert again is not None
    assert table_asks == again.tracker.letter_questions()
    assert [("letter", "2:K8", 2)] == [(q["field"], q["square"], q.get("board")) for q in asked]
    assert ([], "MOUSE") == (after, "".join(lying[10:]))
