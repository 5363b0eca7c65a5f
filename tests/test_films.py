"""The films and their judge: short ones, and what the judge says of a table that is wrong."""

from __future__ import annotations

import random
from itertools import pairwise

import numpy as np
import pytest

from kibitz.engine.rules import Action
from kibitz.engine.table import Square, parse_square
from tests.filming import photos as films_photos
from tests.filming.drawing import FilmedBoard, FilmedSpread, Pose, Scene, Worn
from tests.filming.film_stage import Moved
from tests.filming.incidents import INCIDENTS, filmed
from tests.filming.judging import Verdict, _Due, summary
from tests.filming.scenarios import (
    MadeUp,
    Pictured,
    Retold,
    Story,
    bundled,
    from_paper,
    house_of_four,
    places,
    two_grabs,
)
from tests.filming.script import (
    AROUND,
    AT_TWO_BOARDS,
    FACING,
    Director,
    Known,
    KnownPlay,
    known_of,
)
from tests.filming.story import Laid, LooseShot
from tests.films import MADE_UP, RETOLD, Title, films, made_up, titles
from tests.helpers.shared_data import needs_shared

HORT = {parse_square(s): x for s, x in {"H7": "H", "H8": "O", "H9": "R", "H10": "T"}.items()}


class BareTable:
    """A table that is not drawn: ten pixels a square."""

    size = (150, 150)
    tile_px = 10.0

    def square_at(self, square, shown):
        """The middle of a square."""
        return 10.0 * square.col + 5, 10.0 * square.row + 5


def played(name: str, plays: int = 4) -> list:
    """The frames of a film that is not drawn."""
    incident, rng = INCIDENTS[name], random.Random(5)
    return list(filmed(made_up(incident, BareTable(), rng, 5, plays), incident))


def retold(slug: str, name: str) -> list:
    """The same of a bundled game."""
    story = from_paper(slug) if INCIDENTS[name].paper else bundled(slug)
    size = 45 if slug == "frankenscrabbards" else 15
    director = Director(BareTable(), random.Random(5), AROUND, Known())
    return list(filmed(Retold(director, story, size), INCIDENTS[name]))


def retold_by_four(name: str, story: Pictured | None = None) -> list:
    """The same of two boards, or of another story that is told here."""
    director = Director(BareTable(), random.Random(5), AT_TWO_BOARDS, Known())
    return list(filmed(Retold(director, story or house_of_four()), INCIDENTS[name]))


@pytest.mark.timeout(300)
@pytest.mark.slow
def test_a_short_film_is_faultless():
    """A plain game and one with a resting arm are told as they were played, and in time."""
    wanted = [Title(MADE_UP, "plain", 3), Title(MADE_UP, "half_laid", 3)]

    verdicts = list(films(wanted, plays=3))

    assert [[], []] == [v.wrong + v.withdrawn + v.questions for v in verdicts]
    assert [(3, 3, 0, True)] * 2 == [(v.plays, v.right, v.extra, v.scores_right) for v in verdicts]
    assert [3, 3] == [len(v.waits) + v.under_hand for v in verdicts]


def test_a_bare_table_is_drawn_with_its_tiles():
    """What lies there is in the picture, and an arm covers a part of it."""
    table = FilmedSpread(1, (640, 480))
    bare, _ = table.picture(Scene(spread=LooseShot("", 0, {})), 0)
    laid, covered = table.picture(
        Scene(spread=LooseShot("CAT", 2, {}), poses=(Pose(0, 90, 400),)), 0
    )

    assert (480, 640, 3) == bare.shape == laid.shape
    x, y = table.square_at(Square(0, 0), Scene(spread=LooseShot("CAT", 2, {})))
    assert np.abs(laid[int(y), int(x)].astype(int) - bare[int(y), int(x)]).max() > 30
    assert 0 < covered.mean() < 255


@pytest.mark.parametrize("name", sorted(INCIDENTS))
def test_every_incident_ends_with_its_plays(name):
    """At the end all plays stand, but for one that was challenged off; the scores are theirs."""
    frames = played(name)
    last = frames[-1].known

    assert (3 if name == "challenged" else 4) == len(last.plays)
    assert {"Ann", "Bob"} == {p.player for p in last.plays} == {p for p, _ in last.scores}
    over = ("cleared", "put_away", "another_game", "finished")
    assert (name in over) == frames[-1].over


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("plain", [0, 1, 2, 3, 4]),
        ("relaid_in_visit", [0, 1, 2, 3, 4]),
        ("relaid_later", [0, 1, 2, 3, 2, 3, 4]),
        ("withdrawn", [0, 1, 2, 3, 2, 3, 4]),
        ("extended_4", [0, 1, 2, 3, 3, 4]),
        ("swapped", [0, 1, 2, 3, 3, 4]),
        ("pressed", [0, 1, 2, 3, 2, 3, 4]),
        ("finished", [0, 1, 2, 3, 4]),
        ("middle", [0, 1, 2, 3, 4]),
        ("paper", [0, 1, 2, 3, 4]),
        ("another_game", [0, 1, 2, 3, 4]),
        ("wavers", [0, 1, 2, 3, 4]),
    ],
)
def test_what_is_true_as_a_film_goes_on(name, expected):
    """So many plays stand, each time that the truth changes."""
    known = [f.known for f in played(name)]
    changes = [k for k, before in zip(known, [None, *known], strict=False) if k != before]

    assert expected == [len(k.plays) for k in changes]


def test_a_play_by_the_wrong_hand_is_of_whose_hand_it_was():
    """Bob plays twice in a row; Ann, who was to move, plays next."""
    frames = played("wrong_hand", plays=7)

    assert list("ABABBAB") == [p.player[0] for p in frames[-1].known.plays]
    assert "Ann passes." not in [x for s in frames[-1].known.said if s.needed for x in s.lines]


def test_a_worn_tile_wavers():
    """From its turn on pictures have now more and now less of the other letter."""
    worn = [f.scene.worn for f in played("wavers") if f.scene.worn is not None]

    assert 1 == len({(w.square, w.other) for w in worn})
    assert 5 < len({w.share for w in worn})


def test_a_worn_tile_is_drawn_between_two_letters():
    """The more there is of the other letter, the more it looks like that."""
    table, square = FilmedBoard(1, (640, 480)), Square(7, 7)

    def drawn(char, *worn):
        shown = Scene({square: Laid(char)}, worn=Worn(square, *worn) if worn else None)
        return table.picture(shown, 0)[0].astype(int)

    off = [np.abs(drawn("E", "F", share) - drawn("F")).sum() for share in (0.0, 0.4, 0.8)]

    assert off == sorted(off, reverse=True)
    assert 0 == np.abs(drawn("E", "F", 0.0) - drawn("E")).sum()


def test_two_boards_are_drawn_side_by_side():
    """A tile on the second board changes the picture there and nowhere else."""
    table, shown = FilmedBoard(1, (640, 360), boards=2), Scene()
    place = Square(3, 20)
    changed = np.abs(
        table.plain(Scene({place: Laid("Q")})).astype(int) - table.plain(shown).astype(int)
    ).max(-1)
    x, y = table.square_at(place, shown)

    assert changed[int(y) - 6 : int(y) + 6, int(x) - 6 : int(x) + 6].max() > 30
    assert 0 == changed[:, :300].max()
    assert [0, 255] == [area[int(y), int(x)] for area in table.play_areas(shown)]
    assert table.square_at(Square(3, 5), shown)[0] < 320 < x


def test_four_people_play_the_same_game_at_both_boards():
    """Who sits diagonally makes the same plays, each at the own board, with a hand of their own."""
    known = [f.known for f in retold_by_four("plain")]
    players = [p.player for p in known[-1].plays]

    assert ["Ann", "Dan", "Bob", "Cyd"] == players[:4]
    assert players.count("Ann") == players.count("Dan")
    assert ("Bob", "Cyd") == known[-1].to_move


@pytest.mark.parametrize("name", ["lifted_beside", "busy_beside"])
def test_a_play_is_laid_while_something_goes_on_at_the_other_board(name):
    """All plays of both boards are known at the end, and the board is as the story has it."""
    frames = retold_by_four(name)

    assert house_of_four().known[-1] == frames[-1].known
    assert house_of_four().scenes[-1].tiles == frames[-1].scene.tiles


@pytest.mark.parametrize("name", ["claims_at_once", "pushed_together"])
def test_two_words_are_called_at_once_or_pushed_together(name):
    """What is true at the end is as without it."""
    story = two_grabs()
    last = retold_by_four(name, story)[-1]

    assert story.known[-1] == last.known
    assert [p.word for p in story.known[-1].plays if len(p.word) > 1] == [
        "RAIN", "TOES", "DAMP", "TRAIN",
    ]  # fmt: skip
    assert (name == "pushed_together") == last.scene.spread.pushed


def test_what_was_taken_up_does_not_stand():
    """A play that came off by a challenge is none of those known."""
    story = Story(1, 2)
    stands = story.known(places(0, HORT))
    gone = story.known(places(0, HORT), Action("challenge", "Bob"))

    assert [("Ann", 4)] == [(p.player, len(p.tiles)) for p in stands.plays]
    assert ((), ("Bob",)) == (gone.plays, gone.to_move)


def test_the_same_tiles_elsewhere_are_a_play():
    """Tiles that are laid on other squares touch what lies there and none of their own squares."""
    story = Story(1, 3)
    director = Director(BareTable(), random.Random(1), FACING, Known())
    scenario = MadeUp(director, story)
    list(scenario.visit())
    scenario.number = 1

    other = scenario.elsewhere()

    assert sorted(t.char for t in scenario.tiles.values()) == sorted(
        t.char for t in other.values()
    )
    assert not set(other) & set(scenario.tiles)
    assert scenario.may_lay(other)


@pytest.mark.parametrize(
    ("slug", "name"),
    [
        ("scrabbleship", "extended_4"),
        ("scrabble-house", "relaid_later"),
        ("scrabbage", "swept"),
        ("frankenscrabbards", "relaid_in_visit"),
        ("grabscrab", "leans"),
        ("grabscrab", "cleared"),
    ],
)
def test_a_bundled_game_ends_as_it_does(slug, name):
    """Whatever goes on beside it, at its end the same plays stand with the same scores."""
    assert bundled(slug).known[-1] == retold(slug, name)[-1].known


def test_what_was_told_before_a_play_stays_so_when_that_is_taken_up():
    """Bob's go in Scrabbage is told once, whatever becomes of the tile that Ann lays after it."""
    story = bundled("scrabbage")
    scenario = Retold(Director(BareTable(), random.Random(5), FACING, Known()), story)
    scenario.number = next(k for k, told in enumerate(story.told[1:]) if told)
    tiles = scenario.tiles

    said = [set(known.said) for known in (scenario.told_only(), scenario.if_laid(tiles))]

    assert 1 == len(said[0] - set(story.known[scenario.number].said))
    assert said[0] <= said[1]


@pytest.mark.parametrize("slug", RETOLD)
def test_a_game_from_paper_goes_on(slug):
    """Its position is told, and what is played then are the plays that are left."""
    whole, part = bundled(slug), from_paper(slug)
    begin = len(whole.scenes) - len(part.scenes)
    left = len(whole.known[-1].plays) - len(whole.known[begin].plays)

    assert part.initial is not None
    assert left == len(part.known[-1].plays)
    assert whole.known[-1].scores == part.known[-1].scores


@needs_shared
def test_a_photographed_game_is_a_film():
    """Its photographs are shown one after the other, and its tiles stay where they lie."""
    (name, *_) = films_photos.names()
    story = films_photos.photographed(name)
    tiles = [set(scene.tiles) for scene in story.scenes]

    assert list(range(len(tiles))) == [scene.photo for scene in story.scenes]
    assert all(before <= now for before, now in pairwise(tiles))
    assert len(tiles) >= films_photos.LEAST


def test_a_shift_ends_where_it_should():
    """The board goes to its place step by step."""
    director = Director(BareTable(), random.Random(1), FACING, Known())

    turns = [f.scene.moved.turn_deg for f in director.shift("moved", Moved(turn_deg=90.0), 4)]

    assert 90.0 == turns[-1]
    assert sorted(turns) == turns


def test_a_change_is_told_once_its_plays_are_known():
    """New plays are there and old ones gone."""
    old, new = (KnownPlay("Ann", frozenset({(s, "A")})) for s in ("H8", "H9"))
    due = _Due(frozenset({new}), frozenset({old}))

    told = [due.is_told(Known(plays)) for plays in ((), (old,), (old, new), (new,))]

    assert [False, False, False, True] == told


def test_all_films_together():
    """Figures are of all plays, and films count once each."""
    good = Verdict("a", plays=4, right=4, scores_right=True, waits=[0.4, 0.6], seconds=10.0)
    bad = Verdict("b", plays=4, right=2, extra=1, questions=["?"], withdrawn=["x"], seconds=10.0)

    both = summary([good, bad])

    assert (2, 1, 0.75, 0.5, 0.5, 0.5, 0.5) == (
        both["films"],
        both["faultless"],
        both["plays_right"],
        both["scores_right"],
        both["questions_a_game"],
        both["nothing_withdrawn"],
        both["wait_median_s"],
    )


def test_every_game_has_its_films():
    """Without a count each incident is filmed once; with one they are spread, or go round."""
    every = list(titles((MADE_UP, *RETOLD), [], None, 1))
    house = {t.incident for t in every if t.game == "scrabble-house"}

    assert {MADE_UP, *RETOLD} == {t.game for t in every}
    made_up = {
        "challenged",
        "exchanged",
        "middle",
        "another_game",
        "finished",
        "pressed",
        "tile_by_tile",
        "wrong_hand",
    }
    boards = {"lifted_beside", "busy_beside"}
    others = boards | {"card_late", "card_never", "claims_at_once", "pushed_together"}
    restless = {name for name, incident in INCIDENTS.items() if incident.room is not None}
    assert made_up | others | restless == set(INCIDENTS) - house
    cards = {t.game for t in every if t.incident.startswith("card")}
    assert {"scrabbleship"} == cards
    assert len(every) == len(set(every))
    assert ["scrabble bumped 5", "scrabble bumped 6"] == [
        str(t) for t in titles((MADE_UP,), ["bumped"], 2, 5)
    ]
    assert [] == list(titles((), [], 3, 1))
    few = list(titles((MADE_UP, *RETOLD), [], 6, 9))
    assert 6 == len({(t.game, t.incident) for t in few})
    assert len({t.game for t in few}) > 3
    assert known_of(Story(1, 1).start) == Story(1, 1).known()


def test_a_play_that_only_a_hand_hid_is_known_as_it_is_laid():
    """The scene has no hand: the next picture, which shows the same, tells whose play it was."""
    story = bundled("scrabbleship")
    scenario = Retold(
        Director(FilmedBoard(1, (480, 360)), random.Random(1), FACING, Known()), story
    )
    laid = next(k for k, (a, b) in enumerate(pairwise(story.scenes)) if k and a == b)
    scenario.number = laid - 1
    (new,) = set(story.known[laid].plays) - set(story.known[laid - 1].plays)

    assert story.facts["players"].index(new.player) == scenario.player
    assert {s.name for s in scenario.tiles} == {name for name, _ in new.tiles}
