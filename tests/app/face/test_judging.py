"""`kibitz.rules`: scenarios and GCG files as frozen results, faults among them."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import kibitz
from tests.app.cli.materials.test_rules import GOOD

HEAD = "#player1 Ann Ann\n#player2 Bob Bob\n"


def scenarios(folder: Path, *given: object) -> Path:
    """A file of scenarios."""
    path = folder / "some.json"
    path.write_text(json.dumps({"scenarios": given}), encoding="utf-8")
    return path


def test_a_scenario_that_agrees(tmp_path: Path) -> None:
    """It is true, and has the points at its end."""
    path = scenarios(tmp_path, GOOD)
    (judged,) = kibitz.rules(path)

    assert ("X-1", str(path), True, ()) == (
        judged.name, judged.file, bool(judged), judged.differences,
    )  # fmt: skip
    assert {"Ann": 4, "Bob": 0} == judged.scores
    assert judged.to_json()["steps"][0]["got"]["turn_score"] == 4


def test_a_scenario_that_differs(tmp_path: Path) -> None:
    """What it expects and the rules do not give is said in words."""
    other = {**GOOD, "final": {"scores": {"Ann": 5, "Bob": 0}}}
    (judged,) = kibitz.rules([scenarios(tmp_path, other)])

    assert not judged
    assert (None, ("final.scores.Ann: expected 5, got 4",)) == (
        judged.problem,
        judged.differences,
    )


def test_a_gcg_file_with_a_wrong_score(tmp_path: Path) -> None:
    """Both figures are there, with the line that they stand in."""
    path = tmp_path / "game.gcg"
    path.write_text(f"{HEAD}>Ann: ADEGNR 8D GARDEN +99 99\n")
    (judged,) = kibitz.rules(path)

    assert (str(path), False) == (judged.name, judged.ok)
    assert [(3, "score", 99, 20)] == [
        (w.line, w.what, w.annotated, w.computed) for w in judged.wrong
    ]


def test_a_gcg_file_by_rules_of_the_house(tmp_path: Path) -> None:
    """An opening off the star is told, unless the house plays so."""
    path = tmp_path / "game.gcg"
    path.write_text("#player1 Ann Ann\n>Ann: ACT 8A CAT +15 15\n")

    found = [next(kibitz.rules(path, house_rules=house)) for house in (False, True)]

    assert [["not_centre"], []] == [[wrong.what for wrong in judged.wrong] for judged in found]
    assert [False, True] == [judged.ok for judged in found]


def test_faults_are_lines_among_the_others(tmp_path: Path) -> None:
    """A file that is not there and one that is no JSON lose nothing of those around them."""
    bad = tmp_path / "bad.json"
    bad.write_text("{")
    said: list[str] = []
    found = list(
        kibitz.rules(
            [tmp_path / "gone.gcg", bad, scenarios(tmp_path, GOOD, 5)], progress=said.append
        )
    )

    assert ["file_not_found", "not_json", None, "bad_scenario"] == [
        one.problem and one.problem.code for one in found
    ]
    assert [one.problem.message for one in found if one.problem] == said


@pytest.mark.parametrize(
    ("files", "lexicon", "says"),
    [
        ([], "default", "rules: expected one or more scenario"),
        (["x.gcg"], "gone.txt", "there is no file 'gone.txt'"),
    ],
)
def test_wrong_calls(files: list[str], lexicon: str, says: str) -> None:
    """They are told before anything is judged."""
    with pytest.raises(kibitz.UsageError, match=says):
        kibitz.rules(files, lexicon=lexicon)
