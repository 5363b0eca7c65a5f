"""A table without a board, picture by picture: what was turned up, told and misread."""

from __future__ import annotations

import pytest

from kibitz.app.common.materials.named import make_materials
from kibitz.engine.games import find_game
from kibitz.engine.options import check_options
from kibitz.engine.record.ledger import Opening
from kibitz.engine.rules import Accepted, Action
from kibitz.engine.tracking.evidence.hypotheses import Capture
from kibitz.engine.tracking.evidence.loose_table import SeenWord, TableView, UpTile, shortest_word
from kibitz.engine.tracking.loose_tracker import LooseTracker


def tracker(
    pool: str = "", face_down: int = 4, word: str = "", tiles: str = "en", **settings: object
) -> LooseTracker:
    """GrabScrab of Ann and Bob; Ann may have a word."""
    game = find_game("grabscrab")
    options = check_options(game.info, settings)
    words = {"Ann": [word] if word else [], "Bob": []}
    start = {"pool": pool, "face_down": face_down, "words": words}
    materials = make_materials("default", tiles, options)
    return LooseTracker(Opening(game, ("Ann", "Bob"), options, materials, start))


def up(letter: str, x: float = 0.0, **others: float) -> UpTile:
    """A tile surely of one letter, or less surely where it may be others."""
    return UpTile({letter: 1.0 - sum(others.values()), **others}, (x, 0.0))


def plain(*sure: float, first: float = 1000.0) -> tuple[UpTile, ...]:
    """Tiles face down in a row, and how sure each is one."""
    return tuple(UpTile({}, (first + 60.0 * i, 0.0), sure=x) for i, x in enumerate(sure))


def shown(loose: list[UpTile], face_down: int = 4, word: str = "") -> TableView:
    """A picture of loose tiles and of a word before Ann."""
    row = tuple(up(x, 60.0 * i) for i, x in enumerate(word))
    return TableView(tuple(loose), (SeenWord(row, 0),) if row else (), plain(*[1.0] * face_down))


def letters(kept: LooseTracker) -> str:
    return "".join(tile.letter for tile in kept.pool)


def test_a_tile_that_shows_was_turned_up():
    """It is in the pool from then on, and nothing is new in the next picture."""
    kept = tracker()
    found = [kept.update(shown([up("E")], 3)).status for _ in range(2)]

    assert (["play", "no_change"], "E") == (found, letters(kept))


def test_what_was_told_is_news_of_one_picture():
    """The picture after a flip was called shows it; the next shows nothing new."""
    kept = tracker()
    kept.tell(Action("flip", None, None, {"letter": "E"}))
    found = [kept.update(shown([up("E")], 3)).status for _ in range(2)]

    assert ["play", "no_change"] == found


def test_a_letter_that_people_told_stays_what_they_said():
    """A blank that is out of sight is not the T that a called word needs."""
    kept = tracker(word="RAIN")
    kept.tell(Action("claim", "Bob", None, {"word": "TRAIN", "steal": "RAIN"}))
    kept.tell(Action("flip", None, None, {"letter": "?"}))
    row = SeenWord(tuple(up(x, 60.0 * i) for i, x in enumerate("RAIN")), 1)
    kept.update(TableView((), (row,), plain(1.0, 1.0)))

    assert ["?"] == [d.entry.action.data["letter"] for d in kept.ledger.done[:1]]


@pytest.mark.parametrize(("doubt", "expected"), [(0.1, "R"), (0.05, "B")])
def test_pictures_put_a_letter_right_together(doubt, expected):
    """Once they are sure by nine tenths."""
    kept = tracker()
    kept.update(shown([up("R", B=0.4)], 3))
    kept.update(shown([up("B", R=doubt)], 3))

    assert expected == letters(kept)


def test_so_many_letters_are_told_of_a_doubtful_tile():
    """The six likeliest."""
    kept = tracker()
    kept.update(shown([up("E", F=0.2, B=0.15, P=0.1, R=0.05, K=0.01, H=0.009)], 3))
    why = kept.why()
    (reading,) = why["readings"]

    assert ["E", "F", "B", "P", "R", "K"] == list(reading["letters"])
    assert "in the middle: F" == why["alternatives"][1]["means"]


@pytest.mark.parametrize(
    ("down", "expected"),
    [
        (plain(1.0, 1.0, 1.0, 1.0), ""),
        (plain(1.0, 1.0, 1.0, 0.3, 0.2), "E"),
        (plain(1.0, 1.0, 1.0, 0.4), "E"),
        (plain(1.0, 1.0, 1.0, 1.0, first=20.0), "E"),
    ],
    ids=["it is nowhere", "more than there are", "one hardly is one", "an edge where it lay"],
)
def test_a_flip_is_taken_back_only_if_the_tiles_add_up(down, expected):
    """Of more things than there are tiles one is no tile, and another may be none too.

    One that shows only a plain edge under an arm lies where it lay.
    """
    kept = tracker()
    kept.update(shown([up("E")], 3))
    kept.update(TableView((), (), down))

    assert expected == letters(kept)


@pytest.mark.parametrize(
    ("then", "gone", "expected"),
    [
        ([up("N", 400.0)], 0, "AIRN"),
        ([up("N", 1180.0)], 3, "AIR"),
        ([up("I", 1180.0)], 3, "AIR"),
    ],
    ids=["where none lay", "where it lay", "it shows again"],
)
def test_a_letter_that_looked_like_a_back_still_may(then, gone, expected):
    """It lies where it lay: a letter that shows elsewhere is another tile."""
    kept, known = tracker(pool="AIR", face_down=3), [up("A"), up("R", 200.0)]
    backs = plain(1.0, 1.0, 1.0, 1.0)
    kept.update(TableView((*known, up("I", 1180.0)), (), backs[:3]))
    kept.update(TableView(tuple(known), (), backs))
    left = tuple(x for k, x in enumerate(backs) if k != gone)
    kept.update(TableView((*known, *then), (), left))

    assert expected == letters(kept)


def test_a_letter_that_nobody_has_seen_is_one_of_the_backs():
    """I looks like a back from the beginning: a letter that lies elsewhere then is another tile."""
    kept, known = tracker(pool="AIR", face_down=3), (up("A"), up("R", 200.0))
    backs = plain(1.0, 1.0, 1.0, 1.0)
    live = Capture(live=True)
    first = kept.preview(TableView(known, (), backs), live)
    first.after.update(TableView((*known, up("N", 400.0)), (), backs[1:]), live)

    assert (True, "AIRN") == (first.news, letters(first.after))


@pytest.mark.parametrize(
    ("how", "expected"), [(Capture(live=True), "no_change"), (Capture(), "covered")]
)
def test_what_looks_like_a_back_may_be_the_corner_of_a_covered_tile(how, expected):
    """Of a photograph that nobody waited for; at a table at rest nothing is covered."""
    kept = tracker(pool="AIR", face_down=3)
    view = TableView((up("A"), up("R", 200.0)), (), plain(1.0, 1.0, 1.0, 1.0))

    assert expected == kept.preview(view, how).status


def test_letters_of_a_word_may_look_like_backs():
    """A tile that is turned up beside it is new all the same, and tells no word from others."""
    kept = tracker(pool="", face_down=3, word="RAIN")
    row = (up("R", 60.0), up("A", 120.0), up("N", 240.0))
    backs = (*plain(1.0, 1.0, 1.0), UpTile({}, (180.0, 0.0)))
    whole = (*row[:2], up("I", 180.0), *row[2:])
    kept.update(TableView((), (SeenWord(whole, 0),), backs[:3]))
    kept.update(TableView(row, (), backs))
    kept.update(TableView((*row, up("O", 500.0)), (), backs[1:]))

    assert "O" == letters(kept)


@pytest.mark.parametrize(("doubt", "expected"), [(0.3, ["RAIN"]), (0.01, [])])
def test_a_row_is_the_word_of_the_list_that_it_may_be(doubt, expected):
    """M and N both lie in the middle; a row that surely reads RAIM is no RAIN."""
    kept = tracker(pool="AIRMN", face_down=3)
    row = (up("R"), up("A", 60.0), up("I", 120.0), up("M", 180.0, N=doubt))
    backs = plain(1.0, 1.0, 1.0)
    kept.update(TableView((up("N" if doubt < 0.1 else "M", 700.0),), (SeenWord(row, 0),), backs))

    assert expected == kept.ledger.game.view(kept.ledger.state, None)["words"]["Ann"]


def test_no_letter_of_a_word_is_turned_up_while_every_back_lies_there():
    """The T of TRAIN looked like a back before it moved; what looks like W beside TRAI is the N."""
    kept, backs = tracker(pool="OT", face_down=3, word="RAIN"), plain(1.0, 1.0, 1.0, 1.0)
    rain, trai = (
        SeenWord(tuple(up(x, 60.0 * i) for i, x in enumerate(text)), seat)
        for text, seat in (("RAIN", 0), ("TRAI", 1))
    )
    kept.update(TableView((up("O", 500.0), up("T", 1180.0)), (rain,), backs[:3]))
    kept.update(TableView((up("O", 500.0),), (rain,), backs))
    kept.tell(Action("claim", "Bob", None, {"word": "TRAIN", "steal": "RAIN"}))
    kept.update(TableView((up("O", 500.0), up("W", 240.0)), (trai,), backs[:3]))

    assert "O" == letters(kept)


@pytest.mark.parametrize(("place", "expected"), [(400.0, "E"), (1180.0, "")])
def test_what_hardly_looks_like_a_letter_was_turned_up_where_no_back_lay(place, expected):
    """A tile is gone from the heap and lies there now; at a back's place it may be that back."""
    kept, backs = tracker(), plain(1.0, 1.0, 1.0, 1.0)
    kept.update(TableView((), (), backs))
    kept.update(TableView((UpTile({"E": 0.7, "?": 0.3}, (place, 0.0), sure=0.3),), (), backs[:3]))

    assert expected == letters(kept)


def test_tiles_beyond_those_there_are_prove_nothing():
    """More in sight than there are: what lies face down does not tell how many were turned up."""
    kept = tracker(pool="E", face_down=4)
    kept.update(shown([up("E"), up("N", 300.0)], 5))

    assert "EN" == letters(kept)


@pytest.mark.parametrize("least", [3, 5])
def test_how_many_letters_a_word_needs_is_a_setting(least):
    """And so it is with a camera."""
    game = find_game("grabscrab")
    options = check_options(game.info, {"gs.min_length": least})
    opening = Opening(game, ("Ann", "Bob"), options, make_materials("default", "en", options), {})

    assert least == shortest_word(opening)


def test_a_game_of_loose_tiles_must_say_how_many_letters_a_word_needs():
    """A game on boards has no such setting."""
    game = find_game("scrabble")
    options = check_options(game.info, {})
    opening = Opening(game, ("Ann", "Bob"), options, make_materials("default", "en", options), {})

    with pytest.raises(ValueError, match="scrabble: expected a setting for the shortest word"):
        shortest_word(opening)


@pytest.mark.parametrize(
    ("laid", "told", "expected"),
    [
        ("PEŔO", None, ["PERRO"]),
        ("PERRO", None, ["PER-RO"]),
        ("PE?O", "PERRO", ["PERRO"]),
        ("CAĹE", "CALLE", ["CALLE"]),
    ],
    ids=["one tile RR", "two tiles R", "a blank as RR", "one tile LL"],
)
def test_words_with_tiles_of_two_letters_are_won_as_laid(laid, told, expected):
    """Seen or called, a tile of two letters is one tile; two tiles R are not one RR."""
    kept = tracker("".join(sorted(laid)), 4, tiles="es", lexicon_add=["PERRO", "PER-RO", "CALLE"])
    kept.update(shown([up(x, 300.0 + 60.0 * i) for i, x in enumerate(sorted(laid))]))
    if told:
        kept.tell(Action("claim", "Ann", None, {"word": told}))
    kept.update(shown([], word=laid))
    view = kept.ledger.game.view(kept.ledger.state, None)

    assert (expected, [laid]) == (view["words"]["Ann"], view["tiles"]["Ann"])


@pytest.mark.parametrize("value", ["RR", "Ŕ"])
def test_a_tile_of_two_letters_is_asked_about_and_answered_as_people_write_it(value):
    """On its tile stands RR; its sign is taken too."""
    kept = tracker(tiles="es")
    kept.update(shown([up("R", Ŕ=0.45)], 3))
    (asked,) = kept.letter_questions()
    verdict = kept.tell(Action("answer", None, None, {"field": "tile", "value": value}))

    assert ("R", "RR") == asked.choices
    assert isinstance(verdict, Accepted)
    assert ("Ŕ", []) == (letters(kept), kept.letter_questions())
