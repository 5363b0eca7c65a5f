"""What type checkers must know of `import kibitz`; checked by mypy and pyright, never run."""

from pathlib import Path
from typing import assert_type

import kibitz
from kibitz import client


def of_a_reading() -> None:
    """A reading, its boards and tiles."""
    reading = kibitz.read("x")
    assert_type(reading.boards[0].rows, tuple[str, ...])
    assert_type(reading.boards[0].confidence, tuple[tuple[float, ...], ...])
    assert_type(reading.tiles[0].turn, int | None)
    assert_type(reading.tiles[0].corners, tuple[tuple[float, float], ...])
    assert_type(reading.quality, float | None)
    assert_type(reading.advice, tuple[str, ...])
    assert_type(reading.to_json()["boards"][0]["rows"], list[str])
    assert_type(reading.overlay().ndim, int)
    kibitz.read(Path("x"), "de", 45, top="left", corners=[(1, 2), (3, 4)])
    kibitz.read(b"bytes", squares="loose")
    kibitz.read(reading.overlay(), game="grabscrab")
    for each in kibitz.read_all(["x", Path("y")], workers=2):
        assert_type(each, kibitz.Reading)


def of_a_replay() -> None:
    """A replay, its plays and questions."""
    game = kibitz.replay("photos", players=["Ann", "Bob"], cl_tie="draw")
    assert_type(game, kibitz.Replay)
    assert_type(game.scores, dict[str, int])
    assert_type(game.plays[0].words, tuple[tuple[str, int | None], ...])
    assert_type(game.questions, tuple[kibitz.Question, ...])
    assert_type(game.gcg(), str)


def of_a_game() -> None:
    """The rules alone."""
    game = kibitz.Game("scrabble", ["Ann", "Bob"], settings={"cl.tie": "draw"})
    outcome = game.act("place", "Ann", tiles={"H8": "A", "H9": "T"})
    assert_type(outcome.legal, bool)
    assert_type(outcome.refusal, kibitz.Refusal | None)
    assert_type(game.undo(), kibitz.Outcome)
    assert_type(game.say, tuple[str, ...])


def of_a_watch() -> None:
    """What a camera sees."""
    with kibitz.watch(0, "scrabble", "Ann,Bob") as table:
        for event in table:
            if isinstance(event, kibitz.PlaySeen):
                assert_type(event.score, int | None)
            if isinstance(event, kibitz.QuestionAsked):
                assert_type(table.answer(event, "A"), kibitz.Outcome)
    try:
        kibitz.read("x")
    except kibitz.PictureUnreadable as error:
        assert_type(error.code, str)


def of_words_and_rules() -> None:
    """What is judged, looked up and analysed."""
    for judged in kibitz.rules(["a.json", Path("b.gcg")], lexicon="none"):
        assert_type(judged.problem, kibitz.Problem | None)
        assert_type(judged.wrong, tuple[kibitz.GcgWrong, ...])
    assert_type(kibitz.word("qi").good, bool)
    assert_type(kibitz.same_root("corn", "corner").same, bool)
    assert_type(kibitz.words().kept, tuple[kibitz.KeptList, ...])
    assert_type(kibitz.tile_sets()[0].letters, tuple[str, ...])
    assert_type(kibitz.analyse("x").turns[0].best, tuple[kibitz.Move, ...])


def of_what_is_kept() -> None:
    """Tables, exports, calibrations, taught tiles."""
    assert_type(kibitz.tables("ann")[0].players, tuple[str, ...])
    assert_type(kibitz.export("x", "gcg").text, str)
    assert_type(kibitz.calibrate(0).boards[0].corners, tuple[tuple[float, float], ...])
    taught = kibitz.teach("x.jpg", "own.json", tiles="ru")
    assert_type(taught.file, Path)
    assert_type(kibitz.watch(0, panel=5, profile=taught.file).table, str)


def of_a_server() -> None:
    """A running server's tables."""
    with client.Client("http://127.0.0.1:8000", key="k") as server:
        assert_type(server.tables("ann").tables, tuple[client.TableEntry, ...])
        made = server.create("scrabble", ["Ann", "Bob"])
        assert_type(made.seat_tokens, dict[str, str])
        table = server.table(made.table, made.host_token)
        acted = table.act("place", "Ann", tiles={"H8": "A"})
        if isinstance(acted, client.Refused):
            assert_type(acted.code, str)
        else:
            assert_type(acted.say, tuple[str, ...])
        assert_type(table.view().history[0].words, tuple[client.Word, ...])
        assert_type(table.show(b"jpeg").line, client.SeenLine | None)
        for event in table.events():
            match event:
                case client.events.Play(index=index):
                    assert_type(index, int)
                case client.events.Said(lines=lines):
                    assert_type(lines, list[str])
                case _:
                    pass
