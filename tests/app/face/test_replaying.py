"""`kibitz.replay` on bundled games, against the command line."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

import kibitz
from kibitz.app.cli.main import main

EXAMPLES = kibitz.examples()


def facts(slug: str) -> dict[str, Any]:
    """How a bundled game was set up, as `kibitz.replay` takes it."""
    folder = EXAMPLES[slug]
    game = json.loads((folder / "game.json").read_text(encoding="utf-8"))
    told = folder / game["told"] if game.get("told") else None
    return {
        "photos": folder,
        "game": slug,
        "players": game["players"],
        "settings": game.get("settings"),
        "told": told,
        "start": game.get("initial"),
    }


@pytest.fixture(scope="module")
def replayed() -> kibitz.Replay:
    return kibitz.replay(**facts("scrabble"))


@pytest.mark.slow
@pytest.mark.parametrize("slug", ["scrabble", "grabscrab", "frankenscrabbards"])
def test_a_replay_is_the_command_lines_lines(
    slug: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """The lines are those of `kibitz replay --json`, the page is the one that it writes."""
    game = facts(slug)
    start = tmp_path / "start.json"
    start.write_text(json.dumps(game["start"]))
    page = tmp_path / "page.html"
    call = ["replay", "--json", str(game["photos"]), "--game", slug, "--html", str(page)]
    call += ["--players", ",".join(game["players"])]
    call += [x for k, v in (game["settings"] or {}).items() for x in ("--set", f"{k}={v}")]
    call += ["--told", str(game["told"])] if game["told"] else []
    call += ["--start", str(start)] if game["start"] else []
    with pytest.raises(SystemExit) as leave:
        main(call)
    lines = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    found = kibitz.replay(**game)

    assert 0 == leave.value.code
    assert lines == json.loads(json.dumps(found.lines))
    assert {"lines": lines[:-1], "final": lines[-1]["final"]} == json.loads(
        json.dumps(found.to_json())
    )
    assert page.read_text(encoding="utf-8") == found.html()


def test_what_was_played(replayed: kibitz.Replay) -> None:
    """Plays, scores and announcements by name, as known at the end."""
    assert {"Ann": 74, "Bob": 53} == replayed.scores
    first = replayed.plays[0]
    assert ("02.jpg", "Ann", (("GARDEN", 20),), 20) == (
        Path(first.file).name,
        first.player,
        first.words,
        first.score,
    )
    assert {f"H{n}": letter for n, letter in enumerate("GARDEN", 4)} == first.tiles
    assert ("Ann plays GARDEN.", "20 for GARDEN; 20.") == replayed.announcements[:2]
    assert "...GARDENS....." == replayed.board[7]
    assert 12 == len(replayed.photographs)
    assert "#player1 Ann Ann" in replayed.gcg()
    assert replayed.complete


def test_answered_questions_are_not_open(replayed: kibitz.Replay) -> None:
    """What people told, or later photographs, is asked no more; without it it stays open."""
    game = facts("scrabble")
    silent = kibitz.replay(**{**game, "told": None})

    assert () == replayed.questions
    assert [("blank", "O8", "10.jpg")] == [
        (q.field, q.square, Path(q.file).name) for q in silent.questions
    ]


@pytest.mark.parametrize("answer", ["A", "I", ""])
def test_the_letter_of_a_blank_is_asked_for(answer: str) -> None:
    """An answer is in the game; without one the file has a letter that makes a word, and asks."""
    asked: list[tuple[str, tuple[str, ...]]] = []

    def ask(square: str, letters: Sequence[str]) -> str:
        asked.append((square, tuple(letters)))
        return answer

    game = kibitz.replay(**{**facts("scrabble"), "told": None}, ask=ask)
    gcg = game.gcg()

    assert [("O8", ("A", "I", "O"))] == asked
    assert f"WH{answer.lower() or 'a'}L" in gcg
    assert bool(answer) is game.complete
    assert bool(answer) is ("Which letter is the blank on O8?" not in gcg)


def test_blanks_are_named_on_the_command_line(capsys: pytest.CaptureFixture[str]) -> None:
    """`--blank O8=A` answers before it is asked; anything else is refused in words."""
    call = ["replay", str(EXAMPLES["scrabble"]), "--players", "Ann,Bob"]
    with pytest.raises(SystemExit) as named:
        main([*call, "--blank", "O8=A"])
    with pytest.raises(SystemExit) as wrong:
        main([*call, "--blank", "O8"])

    assert [0, 2] == [named.value.code, wrong.value.code]
    assert "--blank: expected a square and a letter, as K4=E, got 'O8'" in capsys.readouterr().err


def test_a_replay_ends_with_what_stayed_open() -> None:
    """The last line names the open questions; a refused word that came off again asks nothing."""
    game = facts("scrabble")
    silent = kibitz.replay(**{**game, "told": None, "settings": {"reject_invalid": True}})
    asked = [p["question"]["field"] for p in silent.photographs if p["question"]]

    assert ["play", "blank"] == asked
    assert [("blank", "10.jpg")] == [
        (q["field"], Path(q["file"]).name) for q in silent.final["questions"]
    ]
    assert ([], []) == (silent.final["unresolved"], silent.final["notes"])
    assert not silent.complete


def test_the_call_fails_where_something_stayed_open(capsys: pytest.CaptureFixture[str]) -> None:
    """The summary ends what people read; the exit code tells programs."""
    with pytest.raises(SystemExit) as leave:
        main(["replay", str(EXAMPLES["scrabble"]), "--players", "Ann,Bob"])

    assert 1 == leave.value.code
    assert [
        "    9 plays; 1 question open",
        "    open: 10.jpg: Which letter is the blank on 15H?",
    ] == capsys.readouterr().out.splitlines()[-2:]


def test_told_as_a_list(replayed: kibitz.Replay) -> None:
    """What people say may be given as a list instead of its file; errors name the item."""
    game = facts("scrabble")
    told = json.loads(game["told"].read_text(encoding="utf-8"))

    assert replayed.lines == kibitz.replay(**{**game, "told": told}).lines
    with pytest.raises(kibitz.UsageError, match=r"^told: item 1: expected an object"):
        kibitz.replay(**{**game, "told": [7]})


def test_what_cannot_be_read(tmp_path: Path) -> None:
    """A photograph that is none is named with why; what people told wrongly too."""
    text = tmp_path / "a.jpg"
    text.write_text("no picture")
    told = [{"action": "challenge", "player": "Ann"}]
    found = kibitz.replay([text], players=["Ann", "Bob"], told=told)

    assert {str(text): "not_an_image"} == {k: v.code for k, v in found.unread.items()}
    assert (str(text),) == found.unresolved
    assert 1 == len(found.problems)
    assert () == found.plays
    assert not found.complete


def test_a_page_of_a_game(replayed: kibitz.Replay) -> None:
    """The page carries every photograph and needs no network."""
    page = replayed.html()

    assert 12 == page.count("data:image/jpeg;base64,")
    assert "Ann" in page


def test_a_page_names_squares_as_its_reader_wants(replayed: kibitz.Replay) -> None:
    """As the game's records do, or row first."""
    pages = (replayed.html(), replayed.html(notation="A1"))

    assert ["1A", "A1"] == [re.findall(r'"notation": ?"(\w+)"', page)[0] for page in pages]


@pytest.mark.parametrize(
    ("more", "says"),
    [
        ({"game": "chess"}, "game: there is no game 'chess'"),
        ({"panel": "1-9"}, "panel: Scrabble is not played on several joined boards"),
        ({"told": "gone.json"}, "told: cannot read gone.json"),
        ({"settings": {"cl.tie": 7}}, "settings: cl.tie: expected"),
    ],
    ids=str,
)
def test_a_wrong_call(more: dict[str, Any], says: str) -> None:
    """It is told before anything is read."""
    with pytest.raises(kibitz.UsageError, match=f"^{says}"):
        kibitz.replay(EXAMPLES["scrabble"], **more)


def test_gcg_of_another_game() -> None:
    """The format holds only Scrabble."""
    found = kibitz.replay([], "grabscrab")

    with pytest.raises(kibitz.UsageError, match=r"^gcg: the format holds only Scrabble"):
        found.gcg()
