"""`kibitz.watch` on bundled photographs, as a folder and as a film."""

from __future__ import annotations

from pathlib import Path

import cv2
import numpy as np
import pytest

import kibitz
from kibitz.app.common.storage.tables import Storage
from kibitz.app.face.watching import events_of
from kibitz.engine.table import parse_square
from tests.filming.story import BoardShot, Laid
from tests.filming.tables import BoardTable, View

PHOTOS = kibitz.examples()["scrabble"]


def words(events: list[kibitz.WatchEvent]) -> list[tuple[str, ...]]:
    """The words of the plays seen."""
    return [tuple(w for w, _ in e.words) for e in events if isinstance(e, kibitz.PlaySeen)]


def test_a_folder() -> None:
    """Every photograph is looked at once; plays, take-backs, questions and sentences come out."""
    with kibitz.watch(PHOTOS, players=["Ann", "Bob"], reject_invalid=False) as table:
        events = list(table)
        scores = table.scores

    assert [("GARDEN",), ("FRIEND",), ("DOUBT",), ("BLOF",), (), ("TILE",)] == words(events)[:6]
    assert {"Ann": 74, "Bob": 53} == scores
    assert [("blank", "O8")] == [
        (e.field, e.square) for e in events if isinstance(e, kibitz.QuestionAsked)
    ]
    assert kibitz.Announced("Ann plays GARDEN.") in events
    last = [e for e in events if isinstance(e, kibitz.PlaySeen)][-1]
    assert ({"Ann": 74, "Bob": 53}, "play", 9) == (last.scores, last.status, last.score)


def test_what_people_say_meanwhile() -> None:
    """Between two pictures a question is answered and a play challenged."""
    table = kibitz.watch(PHOTOS, players="Ann,Bob", reject_invalid=False)
    answers = []
    for event in table:
        if isinstance(event, kibitz.QuestionAsked):
            answers.append(table.answer(event, "A"))
    refused = table.act("place", "Ann", tiles={"A1": "X"})
    table.close()

    assert [True] == [outcome.legal for outcome in answers]
    assert "a" == table.board[14][7]
    assert (False, "...") == (refused.legal, table.board[0][:3])
    assert [] == list(table)


def test_a_film(tmp_path: Path) -> None:
    """A film is watched to its end, at once and not at its own speed."""
    film = tmp_path / "game.avi"
    stills = [cv2.imread(str(PHOTOS / name)) for name in ("01.jpg", "02.jpg", "03.jpg")]
    height, width = stills[0].shape[:2]
    out = cv2.VideoWriter(str(film), cv2.VideoWriter.fourcc(*"MJPG"), 10, (width, height))
    for still in stills:
        for _ in range(25):
            out.write(still)
    out.release()
    with kibitz.watch(film, players="Ann,Bob", reject_invalid=False) as table:
        seen = words(list(table))

    assert [("GARDEN",), ("FRIEND",)] == seen


def test_advice_and_trouble(tmp_path: Path) -> None:
    """What is wrong with the view is told once, and again when it is well."""
    good = cv2.imread(str(PHOTOS / "01.jpg"))
    for name, picture in (
        ("1.jpg", np.full_like(good, 5)),
        ("2.jpg", np.full_like(good, 5)),
        ("4.jpg", good),
    ):
        cv2.imwrite(str(tmp_path / name), picture)
    (tmp_path / "3.jpg").write_text("no picture")
    with kibitz.watch(tmp_path) as table:
        views = [e for e in table if isinstance(e, kibitz.ViewAdvice)]

    dark = ("It is too dark to see a board: switch on a lamp.",)
    assert [dark, dark, ()] == [view.advice for view in views]
    assert [False, True, False] == ["expected a JPEG, PNG or WebP" in v.trouble for v in views]


def test_a_table_that_is_kept(tmp_path: Path) -> None:
    """With a place for tables the game is there afterwards, and `replay` takes its name."""
    for name in ("01.jpg", "02.jpg"):
        (tmp_path / name).write_bytes((PHOTOS / name).read_bytes())
    kept = tmp_path / "kept"
    with kibitz.watch(tmp_path, players="Ann,Bob", data=str(kept)) as table:
        for _ in table:
            pass
    storage = Storage(str(kept))
    (row,) = storage.table_rows()
    storage.close()
    again = kibitz.replay(row.id, data=str(kept))

    assert {"Ann": 20, "Bob": 0} == again.scores
    assert (("GARDEN", 20),) == again.plays[0].words
    assert ">Ann: ADEGNR 8D GARDEN +20 20" in again.gcg()
    assert "data:image/jpeg;base64," in again.html()


def test_a_refused_play() -> None:
    """What lies there and is no play is told with its code and squares, not as a play."""
    line = {
        "status": "question",
        "play": {"tiles": {"H8": "Q"}, "words": [{"word": "QX"}]},
        "refused": {"code": "not_a_word", "message": "QX is no word.", "squares": ["H8"]},
        "events": [{"event": "hit", "square": "H8"}],
        "say": ["QX is no word."],
    }

    assert [
        kibitz.PlayRefused("not_a_word", "QX is no word.", ("H8",)),
        kibitz.EventHappened("hit", {"square": "H8"}),
        kibitz.Announced("QX is no word."),
    ] == list(events_of(line))


def nine_boards(word: str) -> np.ndarray:
    """What a camera over the fifth of nine joined boards sees, with a word on it or none."""
    table = BoardTable(View(10), 45)
    table.aim_at(5, 1280, 1000, 0.8, 8.0)
    square, tiles = parse_square("5:H8"), {}
    for letter in word:
        tiles[square] = Laid(letter)
        square = square.step("across")
    return table.photograph(BoardShot(tiles), 5)


def test_one_of_nine_boards(tmp_path: Path) -> None:
    """A camera that watches only one board brings that one up to date."""
    for name, word in (("1.png", ""), ("2.png", "TIGER")):
        cv2.imwrite(str(tmp_path / name), nine_boards(word))
    with kibitz.watch(tmp_path, "frankenscrabbards", "Ann,Bob", panel=5) as table:
        seen = words(list(table))

    assert [("TIGER",)] == seen
    assert "TIGER" == table.board[22][22:27]


@pytest.mark.parametrize(
    ("game", "panel", "says"),
    [
        ("frankenscrabbards", "1-9", "panel: expected one board for one camera, got '1-9'"),
        ("frankenscrabbards", 10, "panel: expected boards 1 to 9"),
        ("scrabble", 5, "panel: Scrabble is not played on several joined boards"),
    ],
)
def test_a_wrong_panel(game: str, panel: int | str, says: str) -> None:
    """One camera watches one of nine boards, where there are nine."""
    with pytest.raises(kibitz.UsageError, match=f"^{says}"):
        kibitz.watch(PHOTOS, game, "Ann,Bob", panel=panel)


def test_taught_tiles_need_a_single_board() -> None:
    """Where taught tiles are not read, that is told before the file is looked for."""
    with pytest.raises(kibitz.UsageError, match=r"^profile: tiles that were taught are read on"):
        kibitz.watch(PHOTOS, "grabscrab", "Ann,Bob", profile="gone.json")


@pytest.mark.parametrize(
    ("source", "says"),
    [
        ("gone.mp4", "source: expected a device number, .* got 'gone.mp4': there is no such file"),
        ("browser", "source: a browser's camera needs a server"),
    ],
)
def test_a_wrong_source(source: str, says: str) -> None:
    """It is told before anything is opened."""
    with pytest.raises(kibitz.UsageError, match=f"^{says}"):
        kibitz.watch(source)
