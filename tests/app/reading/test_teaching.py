"""What was taught of tiles is kept as text and read again; what is none of it is told."""

from __future__ import annotations

import json

import cv2
import numpy as np
import pytest

from kibitz.app.common.errors import CommandError, UsageError
from kibitz.app.reading.teaching import (
    format_taught,
    load_taught,
    order_of,
    parse_taught,
    reads_taught,
    rows_of,
    write_taught,
)
from kibitz.engine.games import find_game
from kibitz.models.session import WEIGHTS, read_facts
from kibitz.models.training.facts import keep_facts, kept_facts
from kibitz.vision.boards.letters.taught import Taught

MEANS = np.arange(2 * 4 * 3, dtype=np.float32).reshape(2, 4, 3)


def taught(*, pictured: bool = False) -> Taught:
    """Two letters that were taught."""
    middle = np.array([0.5, -1.25, 3.0], np.float32)
    if not pictured:
        return Taught(("A", "?"), middle, MEANS)
    (_, jpeg) = cv2.imencode(".jpg", np.full((8, 8, 3), 90, np.uint8))
    places = np.linspace(0, 1, 16, dtype=np.float32).reshape(2, 4, 2).round(4)
    return Taught(("A", "?"), middle, MEANS, (jpeg.tobytes(),) * 2, places, printed=True)


def same(one: Taught, other: Taught) -> bool:
    """Whether nothing was lost."""
    arrays = ("middle", "means", "places")
    return all(np.allclose(getattr(one, x), getattr(other, x)) for x in arrays) and all(
        getattr(one, x) == getattr(other, x) for x in ("labels", "pictures", "printed")
    )


@pytest.mark.parametrize("pictured", [False, True])
def test_what_was_taught_is_read_again(tmp_path, pictured):
    """From text and from a file, in a folder that was not there."""
    look = taught(pictured=pictured)
    path = tmp_path / "new" / "tiles.json"
    write_taught(path, look, "en")

    assert same(look, parse_taught(format_taught(look, "en")))
    assert same(look, load_taught(str(path)))


@pytest.mark.parametrize("sees_the_same", [True, False])
def test_what_was_taught_stays_with_a_network_that_sees_the_same(tmp_path, sees_the_same):
    """A network with other last layers knows it; one that sees otherwise asks to teach it anew."""
    path, network = tmp_path / "tiles.json", tmp_path / "glyph.onnx"
    write_taught(path, taught(), "en")
    network.write_bytes(b"another")
    facts = {"sees_as": read_facts("glyph").sees_as, **kept_facts(WEIGHTS / network.name)}
    if not sees_the_same:
        del facts["sees_as"]
    keep_facts(network, facts)

    if sees_the_same:
        assert same(taught(), load_taught(str(path), tmp_path))
    else:
        with pytest.raises(UsageError, match="networks of another version"):
            load_taught(str(path), tmp_path)


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"kind": "photograph"}, 'expected "kind"'),
        ({"format": 99}, "expected format"),
        ({"model": "another"}, "networks of another version"),
        ({"labels": ["A", "B", "?"]}, r"expected \(3, 4, 3\) numbers, got 24"),
        ({"means": "no numbers"}, "expected base64"),
        ({"pictures": ["AAAA", "AAAA"]}, "one of its pictures is no picture"),
        ({"middle": None}, "does not hold taught tiles"),
    ],
)
def test_what_is_no_taught_look_is_told(tmp_path, change, said):
    """With how to make it anew; as text it is just none."""
    text = json.dumps({**json.loads(format_taught(taught(), "en")), **change})
    path = tmp_path / "tiles.json"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(UsageError, match=said) as wrong:
        load_taught(str(path))

    assert "kibitz calibrate --teach" in str(wrong.value)
    assert parse_taught(text) is None


def test_a_picture_for_each_letter_or_none(tmp_path):
    """Fewer would be of nobody knows which."""
    facts = json.loads(format_taught(taught(pictured=True), "en"))
    fewer = json.dumps({**facts, "pictures": facts["pictures"][:1]})

    assert parse_taught(json.dumps(facts)) is not None
    assert parse_taught(fewer) is None


def test_a_file_that_is_not_there_says_how_to_make_it():
    """And one that cannot be written says why."""
    with pytest.raises(UsageError, match=r"there is no file 'nowhere\.json'; make it with"):
        load_taught("nowhere.json")


def test_a_folder_that_cannot_be_made_is_told(tmp_path):
    """A file lies where it would be."""
    (tmp_path / "file").write_text("")
    with pytest.raises(CommandError, match="cannot keep what was taught in"):
        write_taught(tmp_path / "file" / "tiles.json", taught(), "en")


@pytest.mark.parametrize(
    ("order", "expected"),
    [
        (None, (*"ABCDEFGHIJKLMNOPQRSTUVWXYZ", "?")),
        ("ab, ?", ("A", "B", "?")),
        ("AAB", ("A", "A", "B")),
    ],
)
def test_the_order_of_tiles_may_be_told(order, expected):
    """Blanks and commas between them say nothing; else all of the set, then a blank."""
    assert expected == order_of("en", order)


@pytest.mark.parametrize(
    ("order", "said"), [("AÄ", "got 'Ä'"), ("", "two different"), ("AA", "two different")]
)
def test_an_order_that_is_none_is_told(order, said):
    """Letters of the set, two different ones at least."""
    with pytest.raises(ValueError, match=said):
        order_of("en", order)


def test_tiles_are_laid_in_rows_as_they_are_printed():
    """As many in each as in the first, until there are no more."""
    rows = rows_of(order_of("en", None), {"A": "AA"})

    assert rows[0].startswith("AA B C ")
    assert 27 == sum(len(row.split()) for row in rows)
    assert len({len(row.split()) for row in rows[:-1]}) == 1
    assert [] == rows_of((), {})


@pytest.mark.parametrize(
    ("slug", "players", "expected"),
    [
        ("scrabble", 2, True),
        ("scrabble-house", 2, True),
        ("scrabble-house", 4, False),
        ("frankenscrabbards", 2, False),
        ("grabscrab", 2, False),
    ],
)
def test_taught_tiles_are_read_on_single_boards(slug, players, expected):
    """Neither on joined ones, nor on two, nor on a bare table."""
    assert expected == reads_taught(find_game(slug).info, players)
