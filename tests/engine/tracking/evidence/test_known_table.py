"""How a picture of a bare table agrees with the words and tiles that are known to lie there."""

from __future__ import annotations

from dataclasses import replace

import pytest

from kibitz.app.common.materials.named import load_tile_set, make_materials
from kibitz.engine.games import find_game
from kibitz.engine.options import check_options
from kibitz.engine.record.ledger import Opening, open_ledger
from kibitz.engine.rules import Action
from kibitz.engine.tracking.evidence.hypotheses import PHOTO, Capture
from kibitz.engine.tracking.evidence.known_table import KnownTable, letters_from_pool
from kibitz.engine.tracking.evidence.loose_table import (
    PoolTile,
    SeenWord,
    TableView,
    UpTile,
    WideWord,
)
from kibitz.engine.tracking.evidence.priors import PRIORS

LIVE = Capture(live=True)


def known(pool: str = "", face_down: int = 4, word: str = "", *waiting: Action) -> KnownTable:
    """GrabScrab of Ann and Bob; Ann may have a word."""
    game = find_game("grabscrab")
    options = check_options(game.info, {})
    words = {"Ann": [word] if word else [], "Bob": []}
    start = {"pool": pool, "face_down": face_down, "words": words}
    materials = make_materials("default", "en", options)
    ledger = open_ledger(Opening(game, ("Ann", "Bob"), options, materials, start))
    tiles = tuple(PoolTile(x) for x in sorted(pool))
    return KnownTable(ledger, ("Ann", "Bob"), tiles, waiting, (), {}, PRIORS)


def up(letter: str, x: float = 0.0) -> UpTile:
    return UpTile({letter: 1.0}, (x, 0.0))


def row(word: str, seat: int = 0) -> SeenWord:
    return SeenWord(tuple(up(x, 60.0 * i) for i, x in enumerate(word)), seat)


def shown(loose: str, face_down: int = 4, *rows: SeenWord) -> TableView:
    """A picture of loose tiles, of tiles face down and of rows before players."""
    tiles = tuple(up(x, 500.0 + 60.0 * i) for i, x in enumerate(loose))
    plain = tuple(UpTile({}, (1000.0 + 60.0 * i, 0.0)) for i in range(face_down))
    return TableView(tiles, rows, plain)


def texts(rows: list[SeenWord]) -> list[str]:
    return [word.text for word in rows]


@pytest.mark.parametrize(
    ("seen", "loose", "new"),
    [("TRAIN", "", 0), ("TRABN", "", 0), ("TRABX", "", 0), ("TRABX", "IN", 1)],
)
def test_a_row_that_reads_otherwise_is_the_known_word_where_nothing_was_turned_up(
    seen, loose, new
):
    """No tile appears or vanishes: B and X are the I and the N unless two were turned up."""
    assert new == len(known(word="TRAIN").match(shown(loose, 4 - len(loose), row(seen))).words)


def test_a_word_is_known_only_before_its_player():
    """The same tiles before Bob are a row of his."""
    rows = known(word="TRAIN").rows(shown("", 4, row("TRAIN", 1)))

    assert (["TRAIN"], ["TRAIN"]) == (texts(rows.new), list(rows.unseen["Ann"]))
    assert {} == dict(rows.seen)


@pytest.mark.parametrize(
    ("more", "new", "unseen"), [("", [], ["T", "N"]), ("TN", ["RAI"], ["TRAIN"])]
)
def test_a_part_of_a_word_is_no_new_row_while_its_rest_may_be_hidden(more, new, unseen):
    """Where as many letters are in sight as there are, the word was taken apart."""
    rows = known(word="TRAIN").rows(shown(more, 4, row("RAI")))

    assert (new, unseen) == (texts(rows.new), sorted(rows.unseen["Ann"], reverse=True))


def test_a_row_with_a_blank_is_a_word_that_was_called():
    """C?T with the plain tile that lies in it; without the call it is none: no such tiles lay there."""
    call = Action("claim", "Bob", None, {"word": "CAT"})
    wide = row("C?T", 1)
    down = tuple(UpTile({}, (1000.0 + 60.0 * i, 0.0)) for i in range(4))
    view = TableView((), (), (*down, wide.tiles[1]), (WideWord(wide, ()),))

    assert [["C?T"], []] == [
        texts(list(known("", 4, "", *called).match(view).table.words)) for called in ((call,), ())
    ]


@pytest.mark.parametrize(
    ("loose", "face_down", "short", "live", "photo"),
    [("E", 4, 0, 0, 0), ("EN", 3, 0, 1, 1), ("EN", 2, 1, 1, 2), ("", 3, 2, 0, 1)],
    ids=["as it was", "one turned up", "a plain tile hidden", "two hidden"],
)
def test_how_many_tiles_may_have_been_turned_up(loose, face_down, short, live, photo):
    """In a film only what more letters than there were prove; a photograph shows all there is."""
    seen = known("E").match(shown(loose, face_down))

    assert (short, live, photo) == (seen.short, seen.most_new(LIVE), seen.most_new(PHOTO))


@pytest.mark.parametrize(
    ("others", "sure", "new"), [(1.0, 0.3, ""), (0.5, 0.3, "E"), (0.5, 0.2, "")]
)
def test_a_tile_is_as_sure_as_it_is_beside_the_surest(others, sure, new):
    """Where tiles hardly stand out from the table all of them look less like tiles."""
    backs = tuple(replace(tile, sure=others) for tile in shown("", 3).down)
    seen = known().match(TableView((replace(up("E", 300.0), sure=sure),), (), backs))

    assert new == "".join(tile.best for tile in seen.pool.new)


@pytest.mark.parametrize(("others", "down"), [(1.0, 4), (0.5, 5)])
def test_what_looks_least_like_a_tile_is_none_where_more_are_in_sight(others, down):
    """A thing of 0.3 is half as likely one as the others, or less."""
    backs = (
        *(replace(tile, sure=others) for tile in shown("", 4).down),
        replace(up("?"), sure=0.3),
    )

    assert down == known().match(TableView((), (), backs)).table.face_down


@pytest.mark.parametrize(("others", "words"), [(1.0, []), (0.5, ["C?T"])])
def test_a_blank_of_a_word_is_as_sure_as_it_is_beside_the_surest(others, words):
    """What rather is no tile is no blank of a word."""
    call = Action("claim", "Bob", None, {"word": "CAT"})
    c, blank, t = (replace(tile, sure=others) for tile in row("C?T").tiles)
    wide = SeenWord((c, replace(blank, sure=0.4), t), 1)
    view = TableView((c, t), (), (wide.tiles[1],), (WideWord(wide, ()),))
    seen = known("", 4, "", call).match(view)

    assert words == texts(list(seen.table.words))


def test_a_letter_in_place_of_another_is_new():
    """An L lies where the D lay, and a D elsewhere: the D was moved."""
    pool = (PoolTile("D", (up("D", 300.0),)),)
    view = TableView((up("L", 300.0), up("D", 600.0)), (), shown("", 3).down)
    seen = replace(known("D"), pool=pool).match(view)

    assert (["D"], ["L"]) == (
        [tile.best for tile in seen.pool.again.values()],
        [tile.best for tile in seen.pool.new],
    )


@pytest.mark.parametrize(
    ("loose", "face_down", "agrees"),
    [("E", 4, True), ("EN", 3, False), ("", 4, False), ("E", 3, False)],
)
def test_a_table_agrees_where_every_tile_is_in_sight_as_known(loose, face_down, agrees):
    """A tile more in the middle, one that is gone, or one face down that is hidden: it does not."""
    table, word = known("E", 4, "TRAIN"), row("TRAIN")

    assert agrees == table.agrees_with(shown(loose, face_down, word))


def test_a_letter_of_a_word_out_of_sight_was_not_turned_up():
    """TRAIN lies under an arm: of a T and a B that are new, the T is its."""
    lay = {("Ann", "TRAIN"): row("TRAIN")}
    seen = replace(known(word="TRAIN"), lay=lay).match(shown("TB", 3))

    assert "B" == "".join(tile.best for tile in seen.pool.new)


@pytest.mark.parametrize(("turned_up", "expected"), [(0, "TRAIN"), (2, "TRAVW")])
def test_a_tile_in_another_row_is_the_one_that_it_was(turned_up, expected):
    """An I and an N of RAIN that look like V and W still are those, if nothing else can be."""
    doubtful = {"V": {"V": 0.6, "I": 0.02}, "W": {"W": 0.9, "N": 0.02}}
    tiles = (replace(x, letters=doubtful.get(x.best, x.letters)) for x in row("TRAVW").tiles)
    view = shown("IN"[:turned_up], 4 - turned_up, SeenWord(tuple(tiles), 1))

    assert [expected] == texts(list(known("T", 4, "RAIN").match(view).words))


CALLED = Action("claim", "Bob", None, {"word": "CATS"})
STOLEN = Action("claim", "Bob", None, {"word": "trains", "steal": "train"})


@pytest.mark.parametrize(
    ("rows", "waiting", "expected"),
    [
        ([], (), ""),
        ([row("CAT", 1)], (), "C"),
        ([row("TRAINS", 1)], (), "S"),
        ([row("CAT", 1)], (CALLED,), "CS"),
        ([], (STOLEN,), "S"),
    ],
    ids=["nothing", "a row", "a row made of an old word", "what was called", "what was stolen"],
)
def test_letters_that_nobody_saw_in_the_middle(rows, waiting, expected):
    """A and T lie there, and TRAIN before Ann; what was told comes before what is seen."""
    needed = known("AT", 4, "TRAIN", *waiting).needed(rows)

    assert expected == "".join(sorted(needed.elements()))


def test_a_claim_takes_its_tiles_but_those_of_the_stolen_word():
    """With a blank the tiles say what was taken, not the word."""
    blank = Action("claim", "Bob", None, {"word": "CATS", "tiles": "C?TS"})

    assert ["S", "?CST"] == [
        "".join(sorted(letters_from_pool(x, str.upper).elements())) for x in (STOLEN, blank)
    ]


@pytest.mark.parametrize(
    ("told", "expected"),
    [
        ({"word": "calle"}, "ACEĹ"),
        ({"word": "PER-RO"}, "EOPRR"),
        ({"word": "CALLES", "steal": "CALLE"}, "S"),
    ],
)
def test_tiles_of_two_letters_are_taken_as_tiles(told, expected):
    """LL is one tile, two R are two."""
    taken = letters_from_pool(Action("claim", "Bob", None, told), load_tile_set("es").tiles_in)

    assert expected == "".join(sorted(taken.elements()))
