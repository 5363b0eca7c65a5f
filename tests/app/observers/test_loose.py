"""GrabScrab from photographs: flips, claims told and seen, tiles hidden and misread."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace as changed
from pathlib import Path
from typing import Any

import pytest

from kibitz.app.common.materials.named import make_materials
from kibitz.app.common.storage.tables import Storage
from kibitz.app.observers.feeds import GameReplay, make_observer
from kibitz.app.observers.loose import seat_of, table_view
from kibitz.app.observers.observer import take_in
from kibitz.app.observers.told import ToldAction
from kibitz.app.reading.pictures import FileReading
from kibitz.app.tables.orders import Order
from kibitz.app.tables.people.access import Actor
from kibitz.app.tables.registry import Tables
from kibitz.app.tables.table import Table
from kibitz.engine.games import find_game
from kibitz.engine.options import check_options
from kibitz.engine.record.ledger import Opening
from kibitz.engine.rules import Action, action_from_json
from kibitz.engine.tracking.evidence.hypotheses import Capture
from kibitz.engine.tracking.evidence.loose_table import PoolTile, UpTile, match_pool, pool_tile_of
from kibitz.engine.tracking.evidence.priors import READING
from kibitz.vision.readings import LooseTile, LooseWord, PhotoReading
from tests.helpers.loose_readings import doubtful, photo, tile, unsure


def replay(
    photos: Sequence[PhotoReading | None],
    told: Sequence[Mapping[str, Any]] = (),
    initial: Mapping[str, Any] | None = None,
) -> tuple[list[dict[str, Any]], GameReplay]:
    game = find_game("grabscrab")
    options = check_options(game.info, {})
    materials = make_materials("default", "en", options)
    opening = Opening(game, ("Ann", "Bob"), options, materials, initial)
    said = []
    for item in told:
        fields = dict(item)
        before = fields.pop("before")
        said.append(ToldAction(before, action_from_json(fields)))
    run = GameReplay(make_observer(opening), said)
    for number, shown in enumerate(photos, 1):
        run.see(FileReading(f"{number}.jpg", shown))
    run.finish()
    return run.known_lines(), run


def filmed(photos: Sequence[PhotoReading], initial: Mapping[str, Any]) -> list[dict[str, Any]]:
    """The table's view after each of some settled pictures of a film."""
    game = find_game("grabscrab")
    options = check_options(game.info, {})
    materials = make_materials("default", "en", options)
    observer = make_observer(Opening(game, ("Ann", "Bob"), options, materials, initial))
    views = []
    for shown in photos:
        take_in(observer, shown, Capture(live=True))
        view = observer.tracker.ledger.game.view(observer.tracker.ledger.state, None)
        views.append({k: view[k] for k in ("pool", "face_down", "words")})
    return views


def with_tile(reading: PhotoReading, letter: str, centre: tuple[float, float]) -> PhotoReading:
    """The same table with one more face-up tile in no word."""
    return changed(reading, loose=(*reading.loose, tile(letter, centre, 0.0)))


def tables(lines: list[dict[str, Any]]) -> list[tuple[str, int]]:
    return [(line["table"]["pool"], line["table"]["face_down"]) for line in lines]


def test_the_first_photograph_is_the_beginning() -> None:
    """Without a position to begin from the first photograph gives one; flips follow."""
    lines, _ = replay([photo("", 9), photo("R", 8), photo("RA", 7)])

    assert tables(lines) == [("", 9), ("R", 8), ("AR", 7)]
    assert [line["play"] for line in lines][1]["flipped"] == "R"
    assert [e["by"] for e in (lines[1]["events"][0], lines[2]["events"][0])] == ["Ann", "Bob"]


def test_a_claim_that_was_told() -> None:
    """A told claim takes its tiles from the pool; the photograph confirms it."""
    told = [{"before": "2.jpg", "action": "claim", "player": "Ann", "word": "RAIN"}]
    lines, _ = replay([photo("RAINS", 5), photo("S", 5, south=["RAIN"])], told)

    assert lines[1]["table"] == {
        "pool": "S",
        "face_down": 5,
        "words": {"Ann": ["RAIN"], "Bob": []},
    }
    assert lines[1]["play"]["word"] == "RAIN"


def test_a_claim_that_was_only_seen() -> None:
    """A word that appears before a player was claimed by that player."""
    lines, _ = replay([photo("RAINT", 5), photo("T", 5, north=["RAIN"])])

    assert lines[1]["table"]["words"] == {"Ann": [], "Bob": ["RAIN"]}


def test_a_steal_that_was_seen() -> None:
    """A longer word that takes an old one in is a steal."""
    start = {"pool": "T", "face_down": 5, "words": {"Ann": ["RAIN"], "Bob": []}}
    before, after = photo("T", 5, south=["RAIN"]), photo("", 5, north=["TRAIN"])
    lines, _ = replay([before, after], initial=start)

    assert lines[1]["play"]["steal"] == "RAIN"
    assert lines[1]["play"]["from_player"] == "Ann"
    assert lines[1]["table"]["words"] == {"Ann": [], "Bob": ["TRAIN"]}


def test_a_tile_turned_and_claimed_at_once() -> None:
    """A claim may be told with a tile that no photograph shows in the pool."""
    told = [{"before": "2.jpg", "action": "claim", "player": "Bob", "word": "RAIN"}]
    lines, run = replay([photo("RAI", 5), photo("", 4, north=["RAIN"])], told)

    assert run.problems == []
    assert lines[1]["table"] == {"pool": "", "face_down": 4, "words": {"Ann": [], "Bob": ["RAIN"]}}


def test_a_hidden_tile_is_still_there() -> None:
    """A pool tile under a hand stays in the pool, and the new one beside it is new."""
    lines, _ = replay([photo("RAT", 6), photo("RATS", 5, hidden="A")])

    assert tables(lines) == [("ART", 6), ("ARST", 5)]


def test_a_misread_tile() -> None:
    """A tile read wrongly once keeps its letter, and the wrong letter is no new tile."""
    lines, _ = replay([photo("RAT", 6), photo("RAI", 6), photo("RAT", 6)])

    assert tables(lines) == [("ART", 6)] * 3


def test_a_misread_flip_is_put_right() -> None:
    """A letter misread when it was turned up is put right, also for the earlier lines."""
    lines, _ = replay([photo("", 6), photo("B", 5), photo("R", 5), photo("RA", 4), photo("RA", 4)])

    assert tables(lines) == [("", 6), ("R", 5), ("R", 5), ("AR", 4), ("AR", 4)]


def test_an_unreadable_photograph() -> None:
    """A photograph that cannot be read changes nothing."""
    lines, _ = replay([photo("R", 6), None, photo("RA", 5)])

    assert [line["status"] for line in lines] == ["no_change", "unreadable", "play"]


def test_a_word_in_pieces() -> None:
    """A tile that is a little off its line still belongs to its word."""
    shown = photo("", 3, south=["RAIN"])
    crooked = tile("I", (382.0, 708.0), 14.0)
    tiles = (*shown.loose[:2], crooked, *shown.loose[3:])
    parted = (LooseWord("RA", (0, 1), 0.0),)
    lines, _ = replay([photo("RAIN", 3), PhotoReading(1000, 800, (), tiles, parted)])

    assert lines[1]["table"]["words"] == {"Ann": ["RAIN"], "Bob": []}


def test_a_word_that_does_not_look_like_one_is_not_turned_up_again() -> None:
    """One tile is face down no more: the others that are new to the pool are the word's."""
    told = [{"before": "2.jpg", "action": "claim", "player": "Ann", "word": "RAIN"}]
    apart = photo("SO", 4, south=["RAIN"])
    lines, _ = replay(
        [photo("RAINS", 5), photo("S", 5, south=["RAIN"]), changed(apart, words=())], told
    )

    assert {"pool": "OS", "face_down": 4, "words": {"Ann": ["RAIN"], "Bob": []}} == lines[2][
        "table"
    ]
    assert "O" == lines[2]["play"]["flipped"]


def test_a_faint_tile_is_no_flip() -> None:
    """What hardly looks like a face-up tile is not taken for one just turned."""
    shown = photo("RT", 5)
    faint = changed(shown.loose[1], confidence=0.2)
    lines, _ = replay([photo("R", 5), PhotoReading(1000, 800, (), (shown.loose[0], faint), ())])

    assert tables(lines)[1] == ("R", 5)


def test_seats() -> None:
    """Players sit clockwise from the bottom of the picture."""
    assert [seat_of(a, 4) for a in (0, 90, 180, 270, 350)] == [0, 1, 2, 3, 0]
    assert [seat_of(a, 2) for a in (10, 185, 95)] == [0, 1, 1]


def test_matching_by_place() -> None:
    """Two tiles of one letter are told apart by where they lie."""

    def at(letter: str, x: float) -> UpTile:
        return UpTile({letter: 0.98}, (x, 0.0), 40.0)

    known = [PoolTile("R", (at("R", 0),)), PoolTile("R", (at("R", 300),))]
    match = match_pool(known, [at("R", 302), at("T", 600)])

    assert match.again == {1: at("R", 302)}
    assert match.new == (at("T", 600),)
    assert math.isclose(
        at("R", 0).fit("R"),
        math.log((1 - READING.misread) * 0.98 + READING.chance),
    )


def plain_in_line(reading: PhotoReading, word: int) -> PhotoReading:
    """The same table with a plain tile right behind a word."""
    last = reading.loose[reading.words[word].tiles[-1]]
    turn = math.radians(last.angle_deg)
    x, y = last.centre_px[0] + 40 * math.cos(turn), last.centre_px[1] + 40 * math.sin(turn)
    blank = tile("?", (x, y), last.angle_deg, up=False)
    return changed(reading, loose=(*reading.loose, blank))


def test_a_blank_that_was_told() -> None:
    """A blank in the pool looks like a tile face down; told once, it is known from then on."""
    told = [
        {"before": "2.jpg", "action": "flip", "letter": "?"},
        {"before": "3.jpg", "action": "claim", "player": "Bob", "word": "RAIN"},
    ]
    word = plain_in_line(photo("", 4, north=["RAI"]), 0)
    lines, run = replay([photo("RAI", 5), photo("RAI", 5), word], told)

    assert tables(lines) == [("AIR", 5), ("?AIR", 4), ("", 4)]
    assert run.ledger.state.words["Bob"][0].tiles == "RAI?"
    assert run.problems == []


def test_a_blank_that_nobody_told() -> None:
    """A plain tile in line with a called word is the blank in it."""
    told = [{"before": "2.jpg", "action": "claim", "player": "Ann", "word": "RAIN"}]
    word = plain_in_line(photo("", 4, south=["RAI"]), 0)
    lines, run = replay([photo("RAI", 5), word, word], told)

    assert run.ledger.state.words["Ann"][0].tiles == "RAI?"
    assert tables(lines)[1:] == [("", 4), ("", 4)]


def test_a_word_with_a_blank_is_asked_for() -> None:
    """If nobody said what a word with a blank is, the speaker is asked, and the answer holds."""
    told = [
        {"before": "2.jpg", "action": "flip", "letter": "?"},
        {"before": "4.jpg", "action": "answer", "field": "word", "value": "RAIN"},
    ]
    word = plain_in_line(photo("", 4, south=["RAI"]), 0)
    lines, run = replay([photo("RAI", 5), photo("RAI", 5), word, word], told)

    assert lines[2]["question"]["field"] == "word"
    assert "RAIN" in lines[2]["question"]["choices"]
    assert run.problems == []
    assert lines[3]["table"]["words"] == {"Ann": ["RAIN"], "Bob": []}


def test_a_claim_that_the_rules_refuse_is_asked_for() -> None:
    """TRAINS out of TRAIN has the same root: the speaker says whether it counts."""
    start = {"pool": "S", "face_down": 5, "words": {"Ann": ["TRAIN"], "Bob": []}}
    before, after = photo("S", 5, south=["TRAIN"]), photo("", 5, north=["TRAINS"])
    lines, _ = replay([before, after], initial=start)
    assert lines[1]["question"]["field"] == "claim"
    assert lines[1]["question"]["choices"] == ["take it back", "it counts"]
    assert lines[1]["table"]["words"] == {"Ann": ["TRAIN"], "Bob": []}

    told = [{"before": "3.jpg", "action": "answer", "field": "claim", "value": "it counts"}]
    lines, run = replay([before, after, after], told, initial=start)
    assert lines[2]["table"]["words"] == {"Ann": [], "Bob": ["TRAINS"]}
    assert run.problems == []


def test_tiles_that_do_not_add_up() -> None:
    """A tile that stays away is missed; one that a hand hides for a moment is not."""
    whole, short = photo("RAT", 6), photo("RAT", 5)
    lines, _ = replay([whole, short, whole])
    assert [line["question"] for line in lines] == [None, None, None]

    lines, _ = replay([whole, short, short])
    assert lines[2]["question"]["field"] == "table"
    assert lines[2]["question"]["prompt"] == (
        "1 tile fewer lies on the table than there are. Please check."
    )


def test_nothing_is_asked() -> None:
    """An answer to what nobody asked is refused."""
    told = [{"before": "2.jpg", "action": "answer", "field": "word", "value": "RAIN"}]
    _, run = replay([photo("RAT", 6), photo("RAT", 6)], told)

    assert run.problems == ["answer: nothing asks for 'word'"]


def test_four_seats() -> None:
    """Words belong to the seat that they face, clockwise from the bottom of the picture."""
    assert [seat_of(a, 4) for a in (2.0, 88.0, 181.0, 272.0, 359.0)] == [0, 1, 2, 3, 0]
    assert [seat_of(a, 3) for a in (0.0, 120.0, 240.0, 60.0)] == [0, 1, 2, 0]


AN_ARM_LIES_THERE = {
    "an end is hidden": photo("S", 6, south=["RAI"]),
    "the middle is hidden": with_tile(photo("S", 6, south=["IN"]), "R", (300, 700)),
    "an end looks like another letter, a heap tile is hidden": with_tile(
        photo("S", 5, south=["RAI"]), "H", (433, 660)
    ),
    "a pool tile looks like another letter, a heap tile is hidden": with_tile(
        photo("", 5, south=["RAIN"]), "J", (300, 400)
    ),
    "a sleeve looks like tiles face down": with_tile(
        photo("S", 9, south=["RAI"]), "H", (433, 660)
    ),
    "all of the word is hidden but one letter": with_tile(photo("S", 6), "R", (300, 700)),
}


@pytest.mark.parametrize("covered", AN_ARM_LIES_THERE.values(), ids=AN_ARM_LIES_THERE)
def test_what_an_arm_covers_is_where_it_was(covered):
    """An arm over part of a word turns no tile up, neither while it lies there nor after."""
    start = {"pool": "S", "face_down": 6, "words": {"Ann": ["RAIN"], "Bob": []}}
    whole = photo("S", 6, south=["RAIN"])

    views = filmed([whole, covered, covered, whole], start)

    assert [{"pool": "S", "face_down": 6, "words": start["words"]}] * 4 == views


def test_a_tile_turned_up_beside_an_arm_is_told_once_all_is_in_sight():
    """A film waits for the arm: T is new, and A lies where it lay."""
    start = {"pool": "RA", "face_down": 6, "words": {"Ann": [], "Bob": []}}
    hidden = photo("RAT", 5, hidden="A")

    views = filmed([photo("RA", 6), hidden, photo("RAT", 5)], start)

    assert [("AR", 6), ("AR", 6), ("ART", 5)] == [(v["pool"], v["face_down"]) for v in views]


def test_more_letters_than_there_were_prove_a_flip():
    """An arm over the heap hides nothing of the pool: what is new there was turned up."""
    start = {"pool": "RA", "face_down": 6, "words": {"Ann": [], "Bob": []}}

    views = filmed([photo("RA", 6), photo("RAT", 2)], start)

    assert ("ART", 5) == (views[1]["pool"], views[1]["face_down"])


def test_a_flip_that_never_was_is_taken_back():
    """A photograph showed a half covered N as H; the next shows all 22 tiles face down again."""
    start = {"pool": "S", "face_down": 22, "words": {"Ann": ["RAIN"], "Bob": []}}
    whole = photo("S", 22, south=["RAIN"])
    covered = with_tile(photo("S", 21, south=["RAI"]), "H", (433, 660))

    lines, _ = replay([whole, covered, whole, whole], initial=start)

    assert [("S", 22), ("S", 22)] == tables(lines)[2:]


def test_no_more_tiles_are_turned_up_than_are_gone_from_the_heap():
    """A known tile that reads otherwise where it lies is no second new one."""
    lines, _ = replay([photo("RA", 6), photo("TOS", 5)])

    assert 3 == len(tables(lines)[1][0])
    assert 5 == tables(lines)[1][1]


def test_a_cloth_that_looks_like_tiles_hides_no_flip():
    """Six tiles too many lie face down in every picture: what is new is told all the same."""
    start = {"pool": "RA", "face_down": 6, "words": {"Ann": [], "Bob": []}}

    views = filmed([photo("RA", 12), photo("RAT", 11), photo("RATS", 10)], start)

    assert [("AR", 6), ("ART", 5), ("ARST", 4)] == [(v["pool"], v["face_down"]) for v in views]


def test_a_word_whose_blank_is_taken_for_a_heap_tile_lies_there_still():
    """GRANIT and a plain tile somewhere: the blank's square of GRANIT? was not made out."""
    start = {"pool": "", "face_down": 3, "words": {"Ann": ["GRANIT?"], "Bob": []}}

    views = filmed([photo("", 5, south=["GRANIT"])] * 2, start)

    assert [("", 3, start["words"])] * 2 == [
        (v["pool"], v["face_down"], v["words"]) for v in views
    ]


@pytest.mark.parametrize(
    ("newest", "read"),
    [
        (photo("RAINT", 5), []),
        (photo("RAINTS", 4), [("in the middle", "S")]),
        (photo("T", 5, north=["RAIN"]), [("before Bob", x) for x in "RAIN"]),
    ],
)
def test_why_shows_what_was_read_of_new_tiles(
    newest: PhotoReading, read: list[tuple[str, str]]
) -> None:
    """A tile turned up and the tiles of a word, with where each lies; nothing of what lay there."""
    _, run = replay([photo("RAINT", 5), newest])
    readings = run.tracker.why()["readings"]

    assert read == [(one["square"], next(iter(one["letters"]))) for one in readings]
    shown = [next(iter(one["letters"].values())) for one in readings]
    assert pytest.approx([0.985] * len(read), abs=0.02) == shown


START = {"pool": "R", "face_down": 4, "words": {"Ann": [], "Bob": []}}


@pytest.mark.parametrize(("sure", "pool"), [(0.4, "R"), (0.5, "JR")])
def test_what_hardly_looked_like_a_tile_face_up(sure: float, pool: str) -> None:
    """A tile face down that looked like a letter all along was turned up once it looks surer."""
    before = unsure(doubtful(photo("R", 4), 1, {"J": 0.985}), 1, letter="J", face_up=True)
    before = unsure(before, 1, confidence=0.3)
    after = unsure(before, 1, confidence=sure)
    views = filmed([before, before, after, after], START)

    assert ["R", "R", pool] == [v["pool"] for v in views[:3]]


@pytest.mark.parametrize(("sure", "asked"), [(0.49, 0), (0.5, 1)])
def test_more_tiles_than_there_are(sure: float, asked: int) -> None:
    """What least looks like a tile is none; only something that does look like one is told of."""
    table = photo("R", 5)
    lines, _ = replay([unsure(table, 3, confidence=sure)] * 3, initial=START)

    assert asked == sum(line["question"] is not None for line in lines)


@pytest.mark.parametrize(
    ("chances", "asked", "value", "pool"),
    [
        ({"O": 0.6, "Q": 0.39}, None, None, "OR"),
        ({"Q": 0.9, "O": 0.09}, ["Q", "O"], "O", "OR"),
        ({"Q": 0.9, "O": 0.09}, ["Q", "O"], "C", "CR"),
    ],
)
def test_a_letter_that_was_turned_up_is_asked_about(
    tmp_path: Path, chances: dict[str, float], asked: list[str] | None, value: str, pool: str
) -> None:
    """Where it may be another; what people say is so, and later pictures change nothing."""
    tables = Tables(Storage(str(tmp_path)))
    table = tables.create(Order("grabscrab", ("Ann", "Bob"), initial=START)).table
    after = turned_up(chances)
    live = Capture(live=True)
    for shown in (photo("R", 4), after):
        table.observe(shown, how=live)
    found = [q["choices"] for q in table.questions()]
    if value is not None:
        data = {"field": "tile", "value": value}
        table.act(Action("answer", data=data), Actor("host"))
    table.observe(after, how=live)
    left = table.questions()
    shown_now = table.view(Actor("host"))["pool"]
    tables.close()

    assert ([] if asked is None else [asked], [], pool) == (
        found,
        left,
        "".join(sorted(shown_now)),
    )


def turned_up(chances: Mapping[str, float]) -> PhotoReading:
    """R, and a second tile that reads so."""
    return doubtful(photo("RO", 3), 1, chances)


def test_a_letter_that_was_turned_up_changes_once_without_a_person(tmp_path: Path) -> None:
    """It looks like B, like E, like B again: it stays what it was called last, and is asked."""
    tables = Tables(Storage(str(tmp_path)))
    table = tables.create(Order("grabscrab", ("Ann", "Bob"), initial=START)).table
    b, e = turned_up({"B": 0.99, "E": 0.009}), turned_up({"E": 0.99, "B": 0.009})
    pools = []
    for shown in (photo("R", 4), b, *[e] * 4, *[b] * 8, *[e] * 16):
        table.observe(shown, how=Capture(live=True))
        pools.append(table.view(Actor("host"))["pool"])
    asked = [(q["prompt"], q["choices"]) for q in table.questions()]
    table.act(Action("answer", data={"field": "tile", "value": "B"}), Actor("host"))
    for shown in [e] * 4:
        table.observe(shown, how=Capture(live=True))
    now = table.view(Actor("host"))["pool"]
    tables.close()

    assert ["R", "BR", "ER"] == list(dict.fromkeys(pools))
    assert "ER" == pools[-1]
    assert [("Which letter was turned up?", ["E", "B"])] == asked
    said = [line for step in table.steps for line in step.data["say"]]
    assert ("BR", ["B.", "Correction: E, not B.", "B."]) == (now, said)


def said_of(tmp_path: Path, photos: Sequence[PhotoReading]) -> tuple[list[str], dict[str, Any]]:
    """What is said at a live table after each of some pictures, and how it stands then."""
    tables = Tables(Storage(str(tmp_path)))
    table = tables.create(Order("grabscrab", ("Ann", "Bob"))).table
    for shown in photos:
        table.observe(shown, how=Capture(live=True))
    said = [line for step in table.steps for line in step.data["say"]]
    view = table.view(Actor("host"))
    tables.close()
    return said, {k: view[k] for k in ("pool", "face_down", "words")}


RAIN_CLAIMED = [*(photo("RAIN"[:n], 8 - n) for n in range(5)), photo("", 4, south=["RAIN"])]
WON = ["R.", "A.", "I.", "N.", "Ann: RAIN. Ann flips next."]


def test_a_claim_that_is_taken_back(tmp_path: Path) -> None:
    """All tiles lie in the middle again: nobody has the word; a new claim counts."""
    said, _ = said_of(tmp_path, [*RAIN_CLAIMED, photo("RAIN", 4)])
    _, later = said_of(
        tmp_path / "later", [*RAIN_CLAIMED, *[photo("RAIN", 4)] * 2, photo("", 4, [], ["RAIN"])]
    )

    assert [*WON, "Left out: RAIN of Ann."] == said
    assert {"pool": "", "face_down": 4, "words": {"Ann": [], "Bob": ["RAIN"]}} == later


def test_a_word_laid_before_another_player_is_that_players(tmp_path: Path) -> None:
    """The claim was Bob's."""
    said, now = said_of(tmp_path, [*RAIN_CLAIMED, photo("", 4, [], ["RAIN"])])

    assert [*WON, "Bob: RAIN. Bob flips next."] == said
    assert {"Ann": [], "Bob": ["RAIN"]} == now["words"]


def test_a_steal_that_is_taken_back(tmp_path: Path) -> None:
    """The old word lies before its owner again."""
    stolen = [photo("T", 3, ["RAIN"]), photo("", 3, [], ["TRAIN"]), photo("T", 3, ["RAIN"])]
    _, now = said_of(tmp_path, [*RAIN_CLAIMED, *stolen])

    assert {"pool": "T", "face_down": 3, "words": {"Ann": ["RAIN"], "Bob": []}} == now


@pytest.mark.parametrize(
    "shown",
    [
        changed(RAIN_CLAIMED[-1], words=()),
        photo("RAI", 4),
        photo("", 4),
        photo("", 8),
    ],
    ids=["it does not look like a row", "a tile is hidden", "a hand lies over it", "backs"],
)
def test_a_word_that_is_not_seen_is_not_lost(tmp_path: Path, shown: PhotoReading) -> None:
    """Only tiles that all lie elsewhere show that it was taken apart."""
    said, now = said_of(tmp_path, [*RAIN_CLAIMED, shown, shown, RAIN_CLAIMED[-1]])

    assert WON == said
    assert {"pool": "", "face_down": 4, "words": {"Ann": ["RAIN"], "Bob": []}} == now


def again(table: Table, storage: Storage) -> Table:
    """The same table after the server was started anew."""
    return Tables(storage).get(table.id)


def allowed(table: Table, _storage: Storage) -> Table:
    """The table after people allowed a word."""
    table.act(Action("allow_word", data={"word": "RBX"}), Actor("host"))
    return table


def undone(table: Table, _storage: Storage) -> Table:
    """The table after people took the last step back and put it back again."""
    table.act(Action("undo"), Actor("host"))
    table.act(Action("redo"), Actor("host"))
    return table


@pytest.mark.parametrize("happens", [again, allowed, undone])
def test_what_is_asked_of_a_tile_can_be_answered_whatever_happens(
    tmp_path: Path, happens: Callable[[Table, Storage], Table]
) -> None:
    """The question stays, the answer counts, and pictures change nothing after it."""
    storage = Storage(str(tmp_path))
    tables = Tables(storage)
    table = tables.create(Order("grabscrab", ("Ann", "Bob"), initial=START)).table
    doubtful = turned_up({"B": 0.5, "E": 0.45})
    for shown in (photo("R", 4), doubtful):
        table.observe(shown, how=Capture(live=True))
    later = happens(table, storage)
    asked = [q["choices"] for q in later.questions()]
    later.act(Action("answer", data={"field": "tile", "value": "B"}), Actor("host"))
    kept = again(later, storage)
    for shown in [turned_up({"E": 0.99, "B": 0.009})] * 6:
        kept.observe(shown, how=Capture(live=True))
    found = kept.view(Actor("host"))["pool"], kept.questions()
    tables.close()

    assert ([["E", "B"]], "BR", []) == (asked, *found)


@pytest.mark.parametrize(
    "tile_",
    [
        PoolTile("R"),
        PoolTile("?"),
        PoolTile("B", (), ("B", "E")),
        PoolTile("E", (), ("E",), changed=True, held=True),
        PoolTile("Ł", changed=True),
        PoolTile("R", held=True),
    ],
)
def test_a_tile_of_the_pool_is_kept_as_text(tile_: PoolTile) -> None:
    """Read again it is the same tile."""
    assert tile_ == pool_tile_of(tile_.text)


@pytest.mark.parametrize(("sure", "wide"), [(0.51, ["RAT?"]), (0.49, [])])
def test_what_rather_is_no_tile_is_no_blank_of_a_word(sure: float, wide: list[str]) -> None:
    """A hand's edge in line with a word may look a little like a plain tile."""
    up = [LooseTile(x, True, (100.0 + 40 * i, 50.0), 0.0, 40.0, 0.9) for i, x in enumerate("RAT")]
    plain = LooseTile("?", False, (220.0, 50.0), 0.0, 40.0, sure)
    word = LooseWord("RAT", (0, 1, 2), 0.0)
    seen = table_view(PhotoReading(400, 300, (), (*up, plain), (word,)), ("?",), 2, 3)

    assert wide == [row.word.text for row in seen.wide if row.is_likely]
    assert ["RAT"] == [row.text for row in seen.words]
