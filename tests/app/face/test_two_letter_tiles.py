"""Tiles of two letters: words are judged by their tiles, and said and shown as people write them."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

import kibitz
from kibitz.app.common.materials.named import load_tile_set
from kibitz.engine.record.gcg import read_gcg
from kibitz.engine.record.gcg_replay import replay_gcg

SPANISH = "perro\nchocho\ncalle\npero\nir\n"
AS_TILES = {
    "PERRO": ["P", "E", "Ŕ", "O"],
    "CHOCHO": ["Ĉ", "O", "ĉ", "O"],
    "CALLE": ["C", "A", "Ĺ", "E"],
}


@pytest.fixture
def words(tmp_path: Path) -> str:
    path = tmp_path / "lista.txt"
    path.write_text(SPANISH, encoding="utf-8")
    return str(path)


def laid(tiles: list[str]) -> dict[str, str]:
    return {f"H{7 + i}": tile for i, tile in enumerate(tiles)}


@pytest.mark.parametrize(("word", "tiles"), AS_TILES.items())
def test_a_word_of_the_list(words: str, word: str, tiles: list[str]) -> None:
    """A list of ordinary words is one of their tiles; the word is said as it is written."""
    game = kibitz.Game("scrabble", "Ann,Bob", tiles="es", lexicon=words)
    outcome = game.act("place", "Ann", tiles=laid(tiles))

    assert [word] == [text for text, _ in outcome.words]
    assert f"Ann plays {word}." == outcome.say[0]


@pytest.mark.parametrize(
    ("tiles", "row"),
    [
        (["C", "A", "LL", "E"], "......CAĹE....."),
        (["C", "A", "[LL]", "E"], "......CAĹE....."),
        (["C", "A", "ll", "E"], "......CAĺE....."),
        (["P", "E", "RR", "O"], "......PEŔO....."),
    ],
)
def test_a_tile_is_named_by_what_stands_on_it(words: str, tiles: list[str], row: str) -> None:
    """Small letters are a blank's; the record has the tile's sign, as if that had been told."""
    game = kibitz.Game("scrabble", "Ann,Bob", tiles="es", lexicon=words)
    game.act("place", "Ann", tiles=laid(tiles))

    assert row == game.board[7]
    assert all(len(tile) == 1 for tile in game.history[0]["tiles"].values())


def test_what_people_hold_draw_and_hear_of_tiles_of_two_letters(words: str) -> None:
    """CH comes after C and before D; a rack, a draw and a shot name the tile."""
    game = kibitz.Game("scrabbleship", "Ann,Bob", tiles="es", lexicon=words, ss_fleets="told")
    drawn = [game.act("draw", p, letter=x).say for p, x in (("Ann", "D"), ("Bob", "CH"))]
    game.act("racks", racks={"Ann": ["CH", "O", "?"]})
    game.act("place", "Bob", tiles=laid(["CH", "O", "ch", "O"]))

    assert [("Ann draws D.",), ("Bob draws CH.", "Bob begins.")] == drawn
    assert ["Ĉ", "O", "?"] == game.view("Ann")["rack"]
    assert "......ĈOĉO....." == game.board[7]


@pytest.mark.parametrize("slug", ["scrabble", "frankenscrabbards"])
def test_the_same_letters_on_more_tiles(words: str, slug: str) -> None:
    """PERRO with two tiles R is no word, and what is said tells it from the one with RR."""
    game = kibitz.Game(slug, "Ann,Bob", tiles="es", lexicon=words)
    board = "5:" if slug == "frankenscrabbards" else ""
    outcome = game.act(
        "place",
        "Ann",
        tiles={board + square: tile for square, tile in laid(list("PERRO")).items()},
    )

    assert outcome.refusal is not None
    assert "PER-RO is not in the list." == outcome.refusal.message


@pytest.mark.parametrize("slug", ["grabscrab", "scrabbleship"])
@pytest.mark.parametrize(
    ("language", "word"), [("es", "PER-RO"), ("es", "PERRO"), ("ca", "COL·LEGI")]
)
def test_a_word_is_ruled_on_as_it_is_shown(slug: str, language: str, word: str) -> None:
    """People copy it from what was said."""
    game = kibitz.Game(slug, "Ann,Bob", tiles=language, lexicon="none")
    outcome = game.act("judge_decision", word=word, valid=False)

    assert None is outcome.refusal
    assert word in outcome.say[0]


def test_a_challenge_names_words_as_people_write_them(words: str) -> None:
    game = kibitz.Game("scrabble", "Ann,Bob", tiles="es", lexicon=words, reject_invalid=False)
    game.act("place", "Ann", tiles=laid(AS_TILES["CALLE"]))

    assert not game.act("challenge", "Bob", words=["calle"]).result["upheld"]


def test_a_blank_is_named_by_what_stands_on_the_tile(words: str) -> None:
    game = kibitz.Game("scrabble", "Ann,Bob", tiles="es", lexicon=words)
    game.act("place", "Ann", tiles=laid(["C", "A", "?", "E"]))
    outcome = game.act("answer", "Ann", field="blank", square="H9", value="ll")

    assert ("The blank on H nine is LL.",) == outcome.say
    assert "......CAĺE....." == game.board[7]


def test_words_called_and_added(words: str) -> None:
    """Calls of GrabScrab, words added to the list, and words looked up are cut the same way."""
    added: dict[str, Any] = {"lexicon_add": ["torre"], "gs_min_length": 3}
    start = {"pool": "CAĹETOŔE", "face_down": 3}
    game = kibitz.Game("grabscrab", "Ann,Bob", tiles="es", lexicon=words, start=start, **added)
    said = [game.act("claim", "Ann", word=word).say for word in ("calle", "torre")]

    assert ["Ann: CALLE. Ann flips next.", "Ann: TORRE. Ann flips next."] == [s[0] for s in said]
    assert 13 == kibitz.word("calle", lexicon=words, tiles="es").value


def test_words_taken_and_given_up_are_in_events_as_people_write_them(tmp_path: Path) -> None:
    """So are those that lie on the table and those that are out; tiles keep their signs."""
    listed = tmp_path / "lista.txt"
    listed.write_text("calle\ncalles\nchal\nlach\n", encoding="utf-8")
    start = {"pool": "SĈAL", "words": {"Ann": ["CALLE"], "Bob": []}, "face_down": 3}
    rules = {"gs_tie": "dismiss", "gs_penalty": True, "gs_min_length": 3, "gs_root_test": "off"}
    game = kibitz.Game(
        "grabscrab", "Ann,Bob", tiles="es", lexicon=str(listed), start=start, **rules
    )
    calls = [{"player": "Ann", "word": "CHAL"}, {"player": "Bob", "word": "LACH"}]
    tie = game.act("tie", claims=calls).events[0]
    out = game.view()["dismissed"]
    stolen = game.act("claim", "Bob", word="calles", steal="calle").events[0]
    lying = (game.view()["words"], game.view()["tiles"])
    given_up = game.act("give_up", "Bob", word="calles").events[0]

    assert ["CHAL", "LACH"] == tie["dismissed"] == out
    assert ("CALLES", "CALLE", "CAĹES") == tuple(stolen[x] for x in ("word", "old_word", "tiles"))
    assert [{"player": "Ann", "word": "CALLE", "tiles": "CAĹE"}] == stolen["taken"]
    assert ({"Ann": [], "Bob": ["CALLES"]}, {"Ann": [], "Bob": ["CAĹES"]}) == lying
    assert "CALLES" == given_up["word"]
    assert {"Ann": [], "Bob": []} == game.view()["words"]


def test_records(words: str) -> None:
    """A GCG has tiles of two letters in brackets and plays again to the same score."""
    game = kibitz.Game("scrabble", "Ann,Bob", tiles="es", lexicon=words)
    score = game.act("place", "Ann", tiles=laid(AS_TILES["CALLE"])).score
    gcg = game.gcg()

    assert f">Ann: ACE[LL] 8G CA[LL]E +{score} {score}" in gcg.splitlines()
    assert [] == replay_gcg(read_gcg(gcg), [load_tile_set("es")]).wrong
