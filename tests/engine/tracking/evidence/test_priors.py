"""Each number that a tracker weighs pictures by is noticed when it changes."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import replace
from types import SimpleNamespace
from typing import Any

import pytest

from kibitz.app.common.materials.named import make_materials
from kibitz.engine.games import find_game
from kibitz.engine.options import check_options
from kibitz.engine.parameters import numbers, with_number
from kibitz.engine.record.ledger import Opening
from kibitz.engine.rules import Action, Candidate, Change
from kibitz.engine.table import Grid, Square, Tile, parse_square
from kibitz.engine.tracking.board_tracker import BoardTracker
from kibitz.engine.tracking.evidence.changes import (
    BoardView,
    SquareView,
    fit,
    log_turn,
    without_fingers,
    without_gaps,
)
from kibitz.engine.tracking.evidence.hypotheses import PHOTO, Capture
from kibitz.engine.tracking.evidence.interpretation import (
    Laying,
    best_stretches,
    lasting_gains,
    layings,
    seen_tile,
)
from kibitz.engine.tracking.evidence.known_letters import with_known_letters
from kibitz.engine.tracking.evidence.loose_table import PoolTile, UpTile, match_pool
from kibitz.engine.tracking.evidence.priors import PRIORS, TrackingPriors
from kibitz.engine.tracking.evidence.tile_sets import set_weights, weighed
from kibitz.engine.tracking.evidence.trial import try_change
from kibitz.engine.tracking.explanations.letters import (
    better_letters,
    lead_of,
    letter_question,
)
from tests.app.replay_help import board

LIVE = Capture(live=True)
BARE = SquareView(empty=0.999, tile=0.001)
HAND = SquareView(empty=0.01, covered=0.99)
ROW_H = {"H7": "C", "H8": "A", "H9": "T"}


def sure(letter: str) -> SquareView:
    return SquareView(empty=0.001, tile=0.999, letters={letter: 1.0})


def leaning(letter: str, lead: float) -> SquareView:
    """A square that speaks for a tile with a letter by so many nats."""
    low, high = 1e-6, 1.0 - 1e-6
    for _ in range(60):
        tile = (low + high) / 2
        view = SquareView(empty=1 - tile, tile=tile, letters={letter: 1.0})
        more = fit(view, Tile(letter)) - fit(view, None) < lead
        low, high = (tile, high) if more else (low, tile)
    return view


def view_of(rows: list[str], odd: Mapping[str, SquareView] | None = None) -> BoardView:
    squares = {
        Square(r, c): BARE if char == "." else sure(char)
        for r, row in enumerate(rows)
        for c, char in enumerate(row)
    }
    squares |= {parse_square(name): view for name, view in (odd or {}).items()}
    return BoardView(15, 15, squares)


def tracker(lexicon: str = "none", priors: TrackingPriors = PRIORS, **given: Any) -> BoardTracker:
    game = find_game("scrabble")
    options = check_options(game.info, given)
    materials = make_materials(lexicon, "en", options)
    return BoardTracker(Opening(game, ("Ann", "Bob"), options, materials), priors=priors)


def cat(more: Mapping[str, SquareView] | None = None) -> BoardView:
    row = "......CAT......"
    return view_of(["." * 15] * 7 + [row] + ["." * 15] * 7, more)


def status(kept: BoardTracker, view: BoardView, how: Capture = PHOTO) -> str:
    return kept.match(view, how)[0].findings[-1].status


@pytest.mark.parametrize(("lead", "expected"), [(2.4, "taken_back"), (1.2, "no_change")])
def test_a_play_is_taken_back_only_for_a_reason(lead, expected):
    """Three nats speak against a take-back; a third of them on each of three squares."""
    kept = tracker()
    kept.update(cat())
    gone = {name: leaning(x, -lead / 2) for name, x in ROW_H.items()}

    assert (expected == "taken_back") == (status(kept, cat(gone)) == "taken_back")


@pytest.mark.parametrize(
    ("leads", "how", "expected"),
    [
        # far from every tile: 12 nats, in a film 4.5
        ({"A1": 4.6, "A2": 4.6}, PHOTO, "no_change"),
        ({"A1": 6.6, "A2": 6.6}, PHOTO, "question"),
        ({"A1": 3.6}, LIVE, "no_change"),
        ({"A1": 5.6}, LIVE, "question"),
    ],
)
def test_tiles_where_none_may_lie(leads, how, expected):
    """What the rules refuse is more likely a false reading, unless the picture is clear."""
    kept = tracker()
    kept.update(cat())
    odd = {name: leaning("E", lead) for name, lead in leads.items()}

    assert expected == status(kept, cat(odd), how)


@pytest.mark.parametrize(("lead", "expected"), [(3.2, "no_change"), (5.2, "question")])
def test_a_word_that_is_refused(lead, expected):
    """A word outside the list is laid now and then: four nats speak against it."""
    kept = tracker("default", reject_invalid=True)
    kept.update(cat())

    assert expected == status(kept, cat({"H10": leaning("Q", lead)}))


@pytest.mark.parametrize(("lead", "expected"), [(1.9, "no_change"), (3.5, "play")])
def test_a_word_outside_the_list(lead, expected):
    """Where phonies may be laid, one costs two and a half nats."""
    kept = tracker("default", reject_invalid=False)
    kept.update(cat())

    assert expected == status(kept, cat({"H10": leaning("Q", lead)}))


def nothing_new(kept: BoardTracker, view: BoardView) -> float:
    """The weight of nothing being new in a picture."""
    return max(h.weight for h in kept.match(view) if h.lying == kept.lying and not h.waiting)


def gain(views: Mapping[str, SquareView]) -> float:
    return sum(fit(v, Tile(v.best_letter())) - fit(v, None) for v in views.values())


def torn(better: str, other: str, lead: float) -> SquareView:
    """A tile that is likelier one letter than another by so many nats."""
    low, high = 0.5, 1.0
    for _ in range(60):
        part = (low + high) / 2
        view = SquareView(empty=0.001, tile=0.999, letters={better: part, other: 1 - part})
        more = fit(view, Tile(better)) - fit(view, Tile(other)) < lead
        low, high = (part, high) if more else (low, part)
    return view


@pytest.mark.parametrize(("lead", "ways"), [(3.2, 4), (3.8, 3)])
def test_one_picture_puts_a_letter_right(lead, ways):
    """Where it and those before are together for it: in one way more."""
    kept = tracker()
    kept.update(cat({"H8": torn("A", "O", lead)}))
    found = kept.match(cat({"H8": torn("O", "A", 3.5)}))

    assert ways == [h.lying.tiles[parse_square("H8")].letter for h in found].count("O")


@pytest.mark.parametrize(("marker", "expected"), [(0.45, set()), (0.55, {Square(7, 9)})])
def test_what_looks_like_a_card(marker, expected):
    """What is likelier one than not."""
    like = SquareView(empty=1 - marker, marker=marker)

    assert expected == cat({"H10": like}).carded


def test_how_many_games_are_kept_side_by_side():
    """Eight, however much is in doubt."""
    kept = tracker("none", with_number(PRIORS, "search.worst_kept", 60.0))
    kept.update(cat())
    doubtful = {"A1": 3.0, "A5": 2.0, "C3": 1.0, "F2": 2.5, "K9": 1.5}
    kept.update(cat({name: leaning("E", lead) for name, lead in doubtful.items()}))

    assert 8 == len(kept.hypotheses)


def test_how_many_ways_to_letter_a_play_are_tried():
    """Eight of a hundred and forty-four."""
    any_of_twelve = SquareView(
        empty=0.001, tile=0.999, letters=dict.fromkeys("ABCDEFGHILMN", 1 / 12)
    )
    squares = [parse_square(name) for name in ("H8", "H9")]
    view = view_of(["." * 15] * 15, dict.fromkeys(("H8", "H9"), any_of_twelve))

    assert 8 == len(layings(view, squares))


def test_how_many_sets_of_squares_are_tried():
    """The eight best, of each square alone and of those in line."""
    gain = {Square(r, c): 1.0 + 0.1 * r + 0.01 * c for r in range(4) for c in range(4)}

    assert 8 == len(best_stretches(gain, Grid(15, 15)))


def test_two_plays_between_two_pictures():
    """Each play more costs three and a half nats."""
    kept = tracker()
    kept.update(cat())
    new = {"G7": sure("A"), "I9": sure("O"), "I10": sure("N")}
    found = [h for h in kept.match(cat(new)) if h.findings[-1].status == "several"]
    more = found[0].weight - nothing_new(kept, cat())

    assert round(gain(new) - 3.5, 6) == round(more, 6)


def test_tiles_beside_a_hand():
    """A play at a hand may go on under it, which is likelier than that it ends there."""
    kept = tracker()
    kept.update(cat())
    new = {"H10": sure("S")}
    view = cat({**new, "H11": HAND})

    expected = [round(gain(new) + prior, 6) for prior in (-1.5, -0.7)]
    waited = [h.weight for h in kept.match(view) if h.waiting]
    played = [h.weight for h in kept.match(view) if h.findings[-1].status == "play"]
    least = nothing_new(kept, view)
    assert expected == [round(max(weights) - least, 6) for weights in (played, waited)]


def refused_once() -> tuple[BoardTracker, BoardView]:
    """A tracker that saw CATQ refused, and the same picture again."""
    kept = tracker("default", reject_invalid=True)
    kept.update(cat())
    view = cat({"H10": sure("Q")})
    assert kept.update(view).status == "question"
    return kept, view


def test_what_was_refused_and_still_lies_there():
    """It is refused again, or counts after all: people went on without taking it off."""
    kept, view = refused_once()
    start, found = nothing_new(kept, cat()), kept.match(view)
    again = max(h.weight for h in found if h.findings[-1].status == "question")
    counts = max(h.weight for h in found if len(h.lying.tiles) == 4)

    more = gain({"H10": sure("Q")})
    assert [round(more - 4.0 - 2.5, 6), round(more - 1.0, 6)] == [
        round(again - start, 6),
        round(counts - start, 6),
    ]


def test_a_play_that_was_announced_too_early():
    """Who moves again at once after a play goes on with it: four nats for that."""
    kept = tracker()
    kept.update(view_of(board()), LIVE)
    kept.update(cat(), LIVE)
    new = {"H10": sure("S")}
    found = kept.match(cat(new), Capture(live=True, soon=True))
    longer = max(h.weight for h in found if len(h.ledger.done) == 1 and len(h.lying.tiles) == 4)

    assert round(gain(new) + 4.0, 6) == round(longer - nothing_new(kept, cat()), 6)


def test_a_play_that_was_waited_with_in_vain():
    """Where nothing more showed, the tiles are the play, at one and a half nats more."""
    kept = tracker()
    kept.update(cat())
    new = {"H10": sure("S")}
    view = cat({**new, "H11": HAND})
    assert kept.update(view).status == "covered"
    played = max(h.weight for h in kept.match(view) if h.findings[-1].status == "play")

    assert round(gain(new) - 1.5 - 1.5, 6) == round(played - nothing_new(kept, cat()), 6)


def test_tiles_laid_again_as_before():
    """A word in the place of another: the take-back and each tile that lies there again."""
    kept = tracker()
    kept.update(cat())
    view = cat({"H9": sure("R")})
    found = kept.match(view)
    changed = max(h.weight for h in found if h.findings[-1].status == "play")
    tiles = {name: view[parse_square(name)] for name in ROW_H}

    assert round(gain(tiles) - 3.5 - 2 * 3.5, 6) == round(changed, 6)


def test_a_less_likely_meaning_of_a_change():
    """A game's second candidate costs a nat."""
    start = tracker().ledger
    change = Change(added={parse_square("H7"): "C", parse_square("H8"): "A"})
    (only,) = start.game.interpret(start.state, change)
    bad = Candidate((Action("no such action"),))
    game = SimpleNamespace(
        interpret=lambda *_: (bad, only), decide=start.game.decide, evolve=start.game.evolve
    )
    tried, _ = try_change(replace(start, opening=replace(start.opening, game=game)), change, 0)

    assert tried is not None
    assert tried.weight == -1.0


def test_a_tile_too_many():
    """A letter of which no tile is left costs three and a half nats."""
    view = cat({"H10": SquareView(empty=0.001, tile=0.999, letters={"Q": 0.6, "O": 0.4})})
    squares = [parse_square("H10")]
    free = {x.tiles[squares[0]]: x.weight for x in layings(view, squares)}
    short = {x.tiles[squares[0]]: x.weight for x in layings(view, squares, left=lambda _: 0)}

    assert {x: round(w - 3.5, 6) for x, w in free.items()} == {
        x: round(w, 6) for x, w in short.items()
    }


def test_what_looked_like_a_tile_all_along():
    """A tile must look three nats clearer than the print did, and at most eight are asked for."""
    seen = [view_of(board(), {"A1": leaning("I", lead), "B1": sure("I")}) for lead in (-2, -1)]

    expected = {"A1": round(seen[0].tile_gains[Square(0, 0)] + 3.0, 6), "B1": 8.0}
    assert expected == {s.name: round(g, 6) for s, g in lasting_gains(seen).items()}


@pytest.mark.parametrize(
    ("letter", "hidden", "expected"),
    [(0.85, 0.0, (True, False)), (0.94, 0.0, (False, False)), (0.94, 0.08, (False, False))],
)
def test_a_finger_tip(letter, hidden, expected):
    """Beside a hand letters below 0.9 are a finger; a bare square hidden above 0.1 is too."""
    tip = SquareView(empty=0.01, tile=0.99, letters={"I": letter})
    bare = SquareView(empty=1 - hidden, covered=hidden)
    view = view_of(board(), {"H8": HAND, "H9": tip, "H7": bare})

    assert expected == (
        without_fingers(view)[parse_square("H9")].hidden,
        without_gaps(view)[parse_square("H7")].hidden,
    )


def test_a_bare_square_that_may_be_hidden():
    """From 0.1 on a square beside a hand counts as covered."""
    bare = SquareView(empty=0.88, covered=0.12)
    view = view_of(board(), {"H8": HAND, "H7": bare})

    assert without_gaps(view)[parse_square("H7")].hidden


def test_how_far_a_reader_is_believed():
    """A sure letter is another one in one tile of five; a tile is missed twice in a thousand."""
    here, bare = sure("E"), SquareView(empty=0.0, tile=1.0, letters={"E": 1.0})

    assert round(math.log(0.999 * (0.8 + 0.2 / 27) + 0.002 / 27), 6) == round(
        fit(here, Tile("E")), 6
    )
    assert round(math.log(0.002 * 0.05), 6) == round(fit(bare, None), 6)
    assert round(math.log(0.992 + 0.002), 6) == round(log_turn(1.0, PRIORS.reading), 6)


def test_a_bare_face_that_was_not_seen_is_no_blank():
    """A bare square looks as a blank does: of a tile that was missed its look tells nothing."""
    bare = SquareView(empty=0.999, tile=0.0, letters={"?": 0.98, "E": 0.01})
    missed = round(math.log(0.002 / 27), 6)

    assert [missed, missed] == [round(fit(bare, seen_tile(x)), 6) for x in ("?", "E")]
    assert 0.0 == round(fit(bare, None), 2)


def test_pictures_of_one_tile_say_much_the_same():
    """Any number of them counts as one and a quarter."""
    view = SquareView(empty=0.001, tile=0.999, letters={"E": 0.3, "F": 0.7})
    one = fit(view, seen_tile("F")) - fit(view, seen_tile("E"))

    assert [round(one, 6), round(1.25 * one, 6), round(1.25 * one, 6)] == [
        round(lead_of([view] * n, Tile("E"), "F", PRIORS), 6) for n in (1, 2, 3)
    ]


@pytest.mark.parametrize(("share", "expected"), [(0.57, {}), (0.66, {"H8": "O"})])
def test_a_letter_is_put_right_when_another_is_surer(share, expected):
    """Another letter must lead by more than 0.6 nats over all pictures together."""
    kept = tracker()
    kept.update(cat())
    doubted = SquareView(empty=0.001, tile=0.999, letters={"O": share, "A": 1 - share})
    at = parse_square("H8")
    best = replace(kept.best, views={**kept.best.views, at: (doubted, doubted)})

    assert expected == {s.name: x for s, x in better_letters(best).items()}


@pytest.mark.parametrize(
    ("gap", "expected"), [(0.0, 1.4), (-0.03, 0.8), (-0.06, 0.2), (-0.2, -1.4)]
)
def test_an_only_example(gap, expected):
    """A tile as like an example as equal tiles are gains 1.4 nats, less like it fewer."""
    doubted = SquareView(empty=0.001, tile=0.999, letters={"G": 0.5, "C": 0.5})
    at, known = parse_square("H10"), parse_square("H7")
    view = replace(cat({"H10": doubted}), alike={at: {at: 0.9, known: 0.9 + gap}})
    kept = tracker()
    kept.update(cat())
    letters = with_known_letters(view, kept.lying)[at].letters

    assert expected == round(math.log(letters["C"] / letters["G"]), 3)


def loose(letter: str, x: float) -> UpTile:
    return UpTile({letter: 1.0}, (x, 0.0), 40.0)


@pytest.mark.parametrize(
    ("moved", "again"),
    [
        # in tiles' widths; a known tile that reads otherwise costs 4.9 nats less 3 in its place
        (0.45, True),
        (0.55, False),
    ],
)
def test_a_tile_that_reads_otherwise_in_its_place(moved, again):
    """In its place it is the known tile, misread; a little beyond it is a new one."""
    known = [PoolTile("R", (loose("R", 0),))]
    match = match_pool(
        known, [loose("B", 40 * moved)], None, with_number(PRIORS, "loose.new_tile", 4.0)
    )

    assert again == bool(match.again)


@pytest.mark.parametrize(("price", "again"), [(5.2, True), (4.6, False)])
def test_the_price_of_a_new_tile(price, again):
    """Whether it is the known one misread depends on how often new ones come."""
    known = [PoolTile("R")]
    match = match_pool(known, [loose("B", 0)], None, with_number(PRIORS, "loose.new_tile", price))

    assert again == bool(match.again)


@pytest.mark.parametrize(
    ("usual", "turned_up"), [(15.0, 1), (9.0, 1), (4.0, 1), (2.8, 1), (1.3, 1), (4.0, 2)]
)
def test_as_many_tiles_are_new_as_were_turned_up(usual, turned_up):
    """New tiles become dearer or cheaper until that comes out.

    Of two tiles misread, one is known from elsewhere: 4.9 nats, and three more for it.
    """
    known = [PoolTile("R"), PoolTile("R", (loose("R", 4000),))]
    seen = [loose("B", 0), loose("B", 90)]
    priors = with_number(PRIORS, "loose.new_tile", usual)

    assert turned_up == len(match_pool(known, seen, turned_up, priors).new)


def test_a_moved_tile_is_doubted_up_to_a_limit():
    """Three nats speak at most against a known tile that lies elsewhere."""
    known = [PoolTile("R", (loose("R", 0),))]
    far = match_pool(known, [loose("B", 4000)], None, with_number(PRIORS, "loose.new_tile", 8.0))
    nearer = match_pool(
        known, [loose("B", 4000)], None, with_number(PRIORS, "loose.new_tile", 7.8)
    )

    assert (True, False) == (bool(far.again), bool(nearer.again))


@pytest.mark.parametrize(("certain", "new"), [(0.3, False), (0.45, True)])
def test_what_hardly_looks_like_a_tile_was_not_turned_up(certain, new):
    """A face-up tile less sure than 0.35 is none."""
    match = match_pool([], [replace(loose("R", 0), sure=certain)])

    assert new == bool(match.new)


def test_who_says_what_the_rules_refuse():
    """A hypothesis under which people could not have said it loses four nats."""
    kept = tracker()
    other = tracker()
    other.update(cat())
    kept.hypotheses = [kept.best, replace(other.best, weight=-1.0)]
    kept.tell(Action("pass", "Bob"))

    # it is Bob's turn only in the second one
    assert (3.0, "Bob") == (
        round(kept.hypotheses[0].weight - kept.hypotheses[1].weight, 6),
        kept.ledger.done[-1].entry.action.player,
    )


def test_every_prior_has_a_unit_and_a_sentence():
    """A table of them can be printed; probabilities lie between 0 and 1."""
    table = list(numbers(PRIORS))

    assert all(n.what and n.unit for n in table)
    assert all(0 <= n.low and n.high <= 1 for n in table if n.unit == "probability")
    assert 80 >= len(table)


def letter_shown(letters: Mapping[str, float], alike: Mapping[str, float]) -> dict[str, float]:
    """A doubtful letter on H10 after it was held against the C and the A of CAT."""
    at = parse_square("H10")
    doubted = SquareView(empty=0.001, tile=0.999, letters=letters)
    likeness = {parse_square(name): x for name, x in alike.items()}
    kept = tracker()
    kept.update(cat())
    view = replace(cat({"H10": doubted}), alike={at: likeness})
    return dict(with_known_letters(view, kept.lying)[at].letters)


@pytest.mark.parametrize(
    ("alike", "says"),
    [
        # 30 nats a whole step of correlation, four at most
        ({"H7": 0.9, "H8": 0.85}, 1.5),
        ({"H7": 0.9, "H8": 0.7}, 4.0),
        # an example that is not alike at all is of another set
        ({"H7": 0.04, "H8": 0.01}, 0.9),
        ({"H7": -0.02, "H8": -0.05}, 0.0),
    ],
)
def test_two_examples(alike, says):
    """How much more a doubtful tile looks like one of two known letters."""
    letters = letter_shown({"C": 0.5, "A": 0.5}, alike)

    assert says == round(math.log(letters["C"] / letters["A"]), 3)


@pytest.mark.parametrize(
    ("alike", "says"),
    [
        # as alike as tiles of one letter look: 1.4 nats more than a letter that has no example
        ({"H7": 0.97}, 1.4),
        ({"H7": 0.94}, 0.8),
        # less alike than that says nothing where nothing tells how alike twins look here
        ({"H7": 0.85}, 0.0),
    ],
)
def test_one_example(alike, says):
    """How much more a doubtful tile looks like the only known letter that it may show."""
    letters = letter_shown({"C": 0.5, "O": 0.5}, alike)

    assert says == round(math.log(letters["C"] / letters["O"]), 3)


@pytest.mark.parametrize(("alike", "says"), [(0.9, 4.0), (0.7, 3.0), (0.5, 0.0)])
def test_a_bare_tile_looks_like_no_letter(alike, says):
    """What looks more than 0.6 like a known letter is no blank."""
    letters = letter_shown({"C": 0.5, "?": 0.5}, {"H7": alike})

    assert says == round(math.log(letters["C"] / letters["?"]), 3)


@pytest.mark.parametrize(
    ("counts", "says"),
    [(None, 0.0), ({"E": 12, "F": 2}, 0.7 * math.log(6)), ({"E": 12, "F": 0}, 0.7 * math.log(12))],
)
def test_what_a_set_says(counts, says):
    """Seven tenths of what the tiles of each letter would say; one of each there may always be."""
    letters = weighed({"E": 0.5, "F": 0.5}, set_weights(counts))

    assert round(says, 6) == round(math.log(letters["E"] / letters["F"]), 6)


@pytest.mark.parametrize(("less", "changed"), [(2.5, True), (3.5, False)])
def test_letters_far_behind_are_not_compared(less, changed):
    """A letter that is three nats behind the best is no rival of it."""
    rival = math.exp(-less)
    before = {"C": 1 / (1 + rival), "A": rival / (1 + rival)}
    after = letter_shown(before, {"H7": 0.9, "H8": 0.85})

    assert changed == (round(after["C"], 6) != round(before["C"], 6))


@pytest.mark.parametrize(("lead", "expected"), [(3.0, {"H8": "O"}), (4.2, {})])
def test_a_letter_of_which_the_set_has_no_more(lead, expected):
    """It gives way to the next likely one if that is no more than three and a half nats behind."""
    kept = tracker()
    kept.update(cat())
    at = parse_square("H8")
    low, high = 1e-6, 0.5
    for _ in range(60):
        share = (low + high) / 2
        doubted = SquareView(empty=0.0, tile=1.0, letters={"A": 1 - share, "O": share})
        behind = lead_of([doubted] * 2, Tile("O"), "A", PRIORS)
        low, high = (low, share) if behind < lead else (share, high)
    best = replace(kept.best, views={**kept.best.views, at: (doubted, doubted)})

    found = better_letters(best, {"C": 1, "A": 0, "T": 1, "O": 8})
    assert expected == {s.name: x for s, x in found.items() if s == at}


@pytest.mark.parametrize(("behind", "asked"), [(1.2, True), (1.9, False)])
def test_a_letter_is_asked_about(behind, asked):
    """Two letters within one and a half nats leave a question."""
    at = parse_square("H7")
    ways = [(0.0, Laying({at: "C"}, 0.0)), (-behind, Laying({at: "G"}, 0.0))]

    assert asked == (letter_question(ways, 15) is not None)


@pytest.mark.parametrize(
    ("moved", "price", "again"),
    [(0.6, 8.0, True), (0.6, 7.8, False), (0.4, 2.0, True), (0.4, 1.8, False)],
)
def test_a_tile_that_moved(moved, price, again):
    """A misread tile costs 4.9 nats: in its place 3 less, beside it 3 more."""
    known = [PoolTile("R", (loose("R", 0),))]
    priors = with_number(PRIORS, "loose.new_tile", price)
    match = match_pool(known, [loose("B", 40 * moved)], None, priors)

    assert again == bool(match.again)


@pytest.mark.parametrize(("gap", "again"), [(0.003, True), (0.0003, False)])
def test_what_a_new_tile_needs(gap, again):
    """Less than six nats of doubt about a known tile, and it is that one again."""
    # where letters are hardly ever confused, the doubt is as great as the reader says
    priors = with_number(PRIORS, "reading.misread", 1e-6)
    match = match_pool([PoolTile("R")], [UpTile({"B": 1 - gap, "R": gap}, (0, 0))], None, priors)

    assert again == bool(match.again)
