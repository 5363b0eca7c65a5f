"""`kibitz words`: lists that are kept by name, and used by it."""

from __future__ import annotations

import json

import pytest

from kibitz.app.cli.kept.tables import export
from kibitz.app.cli.main import main
from kibitz.app.cli.materials import words
from kibitz.app.common.errors import UsageError
from kibitz.app.common.materials.named import load_lexicon
from kibitz.app.common.materials.own_words import keep_list, kept_lists, kept_names, words_folder
from kibitz.app.common.storage.tables import Storage
from kibitz.app.tables.orders import Order
from kibitz.app.tables.people.access import Actor
from kibitz.app.tables.registry import Tables
from kibitz.engine.rules import Action

HOST = Actor("host")


@pytest.fixture(autouse=True)
def folder(tmp_path, monkeypatch):
    """A user with a data folder of the own, and nothing in it."""
    monkeypatch.setenv("KIBITZ_DATA", str(tmp_path / "data"))
    return tmp_path


def run(*arguments):
    with pytest.raises(SystemExit) as leave:
        main(list(arguments))
    return leave.value.code


def own_list(folder, name="NWL2023.txt", text="qi\nat\ncwm a definition\n"):
    path = folder / name
    path.write_text(text)
    return path


def test_an_own_list_is_used_by_its_name(folder, capsys):
    """Added once, it is good wherever a file is, by either name of the option."""
    added = run("words", "add", str(own_list(folder)), "--name", "NWL2023")
    good = run("word", "cwm", "--lexicon", "NWL2023")
    bad = run("word", "tree", "--words", "NWL2023")
    shown = capsys.readouterr().out

    assert (0, 0, 1) == (added, good, bad)
    assert f"NWL2023: 3 words from NWL2023.txt; kept in {words_folder()}" in shown
    assert "use it as: --lexicon NWL2023" in shown


def test_a_list_is_called_as_its_file_where_nobody_says(folder):
    words.add_words(own_list(folder, "CSW24.lst.txt"))

    assert ("CSW24",) == kept_names()


def test_a_new_list_of_the_name_takes_the_old_ones_place(folder):
    words.add_words(own_list(folder), name="mine")
    words.add_words(own_list(folder, "b.txt", "sea\n"), name="mine")
    (known,) = kept_lists()

    assert (1, "b.txt") == (known.words, known.source)
    assert ["SEA"] == list(load_lexicon("mine"))


@pytest.mark.parametrize("name", ["default", "None", "../up", "a b", "", "x" * 41, "a.txt"])
def test_names_that_mean_something_else_are_refused(folder, name):
    with pytest.raises(UsageError, match=r"^name: expected a name of letters, digits, - and _"):
        words.add_words(own_list(folder), name=name)


def test_what_is_no_list_is_refused(folder):
    with pytest.raises(UsageError, match=r"words add: there is no file"):
        words.add_words(folder / "none.txt", name="mine")
    with pytest.raises(UsageError, match=r"is no word list: line 1: expected a word of letters"):
        words.add_words(own_list(folder, "b.txt", "x-ray\n"), name="mine")
    with pytest.raises(
        UsageError, match=r"there is no file 'mine'; expected default, none or a file"
    ):
        load_lexicon("mine")


def test_a_list_is_built_from_a_dictionary(folder, capsys):
    """By the letters of the tile set that is named, and kept by the name that is given."""
    (folder / "x.aff").write_text("SET UTF-8\nSFX S Y 1\nSFX S 0 s .\n", encoding="utf-8")
    (folder / "x.dic").write_text("2\nété/S\nParis\n", encoding="utf-8")
    words.build_words("mine", given=folder, tiles="fr")
    words.build_words("fr", given=folder, longest=3, kept_as="short")
    shown = capsys.readouterr().out

    assert ["ETE", "ETES"] == sorted(load_lexicon("mine"))
    assert ["ETE"] == sorted(load_lexicon("short"))
    assert "left out: 1 names and abbreviations" in shown


def test_all_lists_are_shown(folder, capsys):
    keep_list("mine", ["SEA"], "sea.txt", "CC0")
    words.list_words(as_json=True)
    shown = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    kept = [line for line in shown if line["kept"]]
    made = {line["name"] for line in shown if not line["kept"]}

    assert [("default", 255052), ("mine", 1)] == [(x["name"], x["words"]) for x in kept]
    assert ("sea.txt", "CC0") == (kept[1]["source"], kept[1]["licence"])
    assert {"de", "fr", "pl", "ro"} <= made


def test_exports_carry_the_name(folder, capsys):
    """A table played by a kept list is written with the list's name, by another call too."""
    keep_list("NWL2023", ["AT", "QI"], "NWL2023.txt")
    tables = Tables(Storage(str(folder / "data")))
    order = Order("scrabble", ("Ann", "Bob"), {}, "en", "NWL2023", None)
    table = tables.create(order).table
    for player, tiles in (("Ann", {"H8": "A", "H9": "T"}), ("Bob", {"I8": "T"})):
        table.act(Action("place", player, None, {"tiles": tiles}), HOST)
    tables.close()
    for format_ in ("gcg", "json"):
        output = folder / f"game.{format_}"
        assert 0 == export(table.id, format_=format_, output=output)
    header = json.loads((folder / "game.json").read_text())["header"]

    assert "#lexicon NWL2023" in (folder / "game.gcg").read_text().splitlines()
    assert "NWL2023" == header["lexicon"]
