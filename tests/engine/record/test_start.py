"""Positions to begin from, in the forms in which people write them."""

from contextlib import suppress

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kibitz.app.common.materials.named import make_materials
from kibitz.engine.games import INFOS, find_game
from kibitz.engine.options import check_options
from kibitz.engine.record.start import check_tiles, read_start, rows_of
from kibitz.engine.tiles.surplus import surplus_letters
from tests.helpers.property_examples import tries

EMPTY = "." * 15
ROWS = [EMPTY] * 7 + [".......TRAiN..."] + [EMPTY] * 7
SPACED = "\n".join(" ".join(row) for row in ROWS)
LABELLED = "\n".join(f"{'ABCDEFGHIJKLMNO'[i]} {' '.join(row)}" for i, row in enumerate(ROWS))
NUMBERED = f"   {' '.join(map(str, range(1, 16)))}\n{LABELLED}"
BLANKED = "\n".join(row.replace(".", " ").rstrip() for row in ROWS[:14]) + "\n "
PLAYERS = ("Ann", "Bob")


@pytest.mark.parametrize(
    "given",
    [
        ROWS,
        tuple(ROWS),
        "\n".join(ROWS),
        "/".join(ROWS),
        SPACED,
        LABELLED,
        NUMBERED,
        [row.replace(".", "-") for row in ROWS],
        [f"{'ABCDEFGHIJKLMNO'[i]} {row}" for i, row in enumerate(ROWS)],
        ["|" + "|".join(row) + "|" for row in ROWS],
        [row.replace(".", " ") for row in ROWS],
        {"H8": "T", "h9": "R", "H10": "A", "H11": "i", "H12": "N"},
    ],
)
def test_a_board_is_read_in_many_forms(given):
    """Rows, one text, spaces, coordinates, other signs for empty, or squares."""
    assert rows_of("board", given) == ROWS


@pytest.mark.parametrize(
    ("given", "says"),
    [
        (ROWS[:14], "board: expected 15 rows, got 14"),
        ([*ROWS[:14], EMPTY + "."], "board, row O: expected 15 squares, got 16"),
        ([*ROWS[:14], EMPTY[:14] + "7"], "board, row O, column 15: expected a letter or '.'"),
        ({"H16": "A"}, "board: expected a square as 'H8' (A-O, 1-15), got 'H16'"),
        ({"H8": "AB"}, "board: expected one letter on H8, got 'AB'"),
        (7, "board: expected 15 rows of text, got 7"),
    ],
)
def test_a_faulty_board_says_where(given, says):
    """The row and the column, what was expected and what came."""
    with pytest.raises(ValueError, match=r"^board") as error:
        rows_of("board", given)

    assert str(error.value).startswith(says)


@pytest.mark.parametrize(
    ("game", "given", "read"),
    [
        ("scrabble", {"scores": [3, "4"]}, {"scores": {"Ann": 3, "Bob": 4}}),
        ("scrabble", {"To move": " bob "}, {"to_move": "Bob"}),
        ("scrabble", {"racks": {"ann": "Q U ?"}}, {"racks": {"Ann": ["Q", "U", "?"]}}),
        ("scrabble", {"scores": None}, {}),
        ("scrabble", {"legend": "capitals"}, {}),
        ("scrabbleship", {"hits": "h8, h9"}, {"hits": ["H8", "H9"]}),
        ("scrabbleship", {"sunk": {"Bob": "patrol"}}, {"sunk": [["Bob", "patrol"]]}),
        ("scrabbleship", {"sunk": ["bob patrol"]}, {"sunk": [["Bob", "patrol"]]}),
        ("grabscrab", {"words": ["stop", []]}, {"words": {"Ann": ["STOP"], "Bob": []}}),
        ("grabscrab", {"pool": ["E", "?"]}, {"pool": "E?"}),
        ("scrabble-house", {"hands": [5, 6]},
         {"hands": {"Ann": {"own_colour": 5}, "Bob": {"own_colour": 6}}}),
        ("scrabble-house", {"first_play_done": ["Ann"]},
         {"first_play_done": {"Ann": True, "Bob": False}}),
        ("scrabbage", {"scrab": "INDQ"}, {"scrab": ["I", "N", "D", "Q"]}),
        ("frankenscrabbards", {"main-cluster": "1 2"}, {"main_cluster": [1, 2]}),
    ],
)  # fmt: skip
def test_values_are_read_in_many_forms(game, given, read):
    """Lists in seating order, names in any case, text with spaces or commas."""
    assert read_start(find_game(game).info, PLAYERS, given) == read


def test_joined_boards_are_read_by_their_numbers():
    """Board 9 lies at the bottom right."""
    read = read_start(find_game("frankenscrabbards").info, PLAYERS, {"boards": {"9": ROWS}})

    assert read["board45"][37][30:] == ".......TRAiN..."
    assert "".join(read["board45"][:37]).strip(".") == ""


def test_what_is_unknown_is_refused():
    """Nothing that somebody wrote is passed over."""
    with pytest.raises(ValueError, match="score: expected one of board, scores, to_move"):
        read_start(find_game("scrabble").info, PLAYERS, {"score": [1, 2]})


@pytest.mark.parametrize("info", INFOS, ids=lambda i: i.slug)
def test_reading_twice_changes_nothing(info):
    """What was read is in the rules' form, and stays as it is."""
    samples = {
        "board": [ROWS, ROWS], "number": "3", "numbers": [1, 2], "player": "ann",
        "players": "ann", "letters": "AB", "rack": "AB", "racks": ["AB", "C"],
        "words": ["STOP", ""], "squares": "H8", "ships": {"Ann": "patrol"}, "boards": "1 2",
        "hands": [1, 2], "flags": ["Ann"], "other": {"x": 1},
    }  # fmt: skip
    given = {f.name: samples[f.kind] for f in info.start}
    if "board45" in given:
        given["board45"] = {"5": ROWS}
    elif "board" in given:
        given["board"] = ROWS
        given.pop("boards", None)
    once = read_start(info, PLAYERS, given)

    assert read_start(info, PLAYERS, once) == once
    assert set(once) == set(given)


@pytest.mark.parametrize(
    ("game", "start", "says"),
    [
        ("scrabble", {"bag_count": 99, "rack_counts": [1, 1]}, "expected 100 tiles in all"),
        ("scrabbage", {"bag_count": 95, "tiles_left": [4, 4]}, "expected 100 tiles in all"),
    ],
)
def test_more_tiles_than_the_set_has_are_refused(game, start, says):
    """The bag cannot hold what lies elsewhere."""
    info = find_game(game).info
    options = check_options(info, {})
    materials = make_materials("none", "en", options)
    with pytest.raises(ValueError, match=says):
        check_tiles(info, PLAYERS, options, materials, read_start(info, PLAYERS, start))


@pytest.mark.parametrize(
    ("game", "start", "letters"),
    [
        ("scrabble", {}, []),
        ("scrabble", {"board": {"H8": "Z", "H9": "Z"}}, ["Z"]),
        ("scrabble", {"board": {"A1": "a", "A2": "b", "A3": "c"}}, ["?"]),
        ("grabscrab", {"pool": "ZZ"}, ["Z"]),
        ("grabscrab", {"pool": "Z", "words": {"Ann": ["ZERO"]}}, ["Z"]),
        ("frankenscrabbards", {"boards": {"5": {"H8": "Z", "H9": "Z"}}}, []),
        ("scrabble-house", {"board": {"H8": "z", "H9": "Z"}}, ["Z"]),
        ("scrabble-house", {"board": {"H8": "z", "H9": "Z"}, "blanks": ["H9"]}, []),
    ],
)
def test_letters_that_lie_too_often_are_named(game, start, letters):
    """A typing error in a letter often shows so; nine boards have nine sets."""
    info = find_game(game).info
    options = check_options(info, {})
    materials = make_materials("none", "en", options)

    assert letters == surplus_letters(
        info, PLAYERS, options, materials, read_start(info, PLAYERS, start)
    )


@pytest.mark.parametrize(
    ("start", "says"),
    [
        ({"board": None, "clocks": {"Ann": None}}, "clocks.Ann: expected seconds, got None"),
        ({"clocks": {"Ann": float("nan")}}, "clocks.Ann: expected seconds, got nan"),
        ({"clocks": {"Ann": 10**400}}, "clocks.Ann: expected seconds, got 1000"),
        ({"clocks": {"Cyd": 5}}, "clocks: expected Ann, Bob, got 'Cyd'"),
        (
            {"clocks": {"Ann": 5}, "running": ["Ann"], "running_since": [{}]},
            "running_since: expected seconds, got {}",
        ),
    ],
)
def test_times_of_a_position_are_seconds(start, says):
    """Whatever else stands there is refused with the field's name."""
    game = find_game("scrabble-house")
    options = check_options(game.info, {})
    materials = make_materials("none", "en", options)
    with pytest.raises(ValueError, match="expected") as error:
        game.begin(PLAYERS, options, materials, read_start(game.info, PLAYERS, start))

    assert str(error.value).startswith(says)


JUNK = st.recursive(
    st.none() | st.booleans() | st.integers(-3, 300) | st.text("A.b?5 H8,/\n", max_size=20),
    lambda inner: (
        st.lists(inner, max_size=4)
        | st.dictionaries(
            st.sampled_from(["Ann", "Bob", "H8", "5", "own_colour"]), inner, max_size=3
        )
    ),
    max_leaves=8,
)


@pytest.mark.parametrize("info", INFOS, ids=lambda i: i.slug)
@tries(60)
@given(data=st.data())
def test_junk_is_refused_in_words(info, data):
    """Whatever stands in a file, a game begins from it or a `ValueError` says why not."""
    fields = data.draw(
        st.dictionaries(st.sampled_from([f.name for f in info.start]), JUNK, max_size=4)
    )
    game = find_game(info.slug)
    options = check_options(info, {})
    materials = make_materials("none", "en", options)
    players = PLAYERS
    with suppress(ValueError):  # anything else is a fault of the reader
        start = read_start(info, PLAYERS, fields)
        check_tiles(info, PLAYERS, options, materials, start)
        players = game.begin(PLAYERS, options, materials, start).players

    assert PLAYERS == players
