"""What a wrong call is told: what was expected, what came, and what to do; never a traceback."""

from __future__ import annotations

import errno
import json
from pathlib import Path

import pytest
from PIL import Image

from kibitz.app.cli.main import main
from kibitz.app.common.storage.tables import StorageError
from kibitz.app.reading.drawing import draw_replay_line
from kibitz.app.reading.pictures import expand
from tests.app.cli.reading.test_read import PretendedReader


@pytest.fixture
def _reader(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("kibitz.app.face.reading", "kibitz.app.reading.pictures"):
        monkeypatch.setattr(f"{name}.make_reader", lambda _models=None: PretendedReader())
    monkeypatch.setattr(
        "kibitz.app.face.replaying.reader_of_game", lambda _models=None: PretendedReader()
    )


def run(capsys: pytest.CaptureFixture[str], *arguments: str) -> tuple[int, str, str]:
    """Exit code, standard output, standard error."""
    with pytest.raises(SystemExit) as leave:
        main(list(arguments))
    shown = capsys.readouterr()
    return int(leave.value.code or 0), shown.out, shown.err


def picture(path: Path) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    Image.new("RGB", (100, 100), (90, 120, 90)).save(path)
    return path


def test_an_empty_name_is_not_the_folder_one_is_in(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What an unset variable leaves behind reads nothing."""
    picture(tmp_path / "a.png")
    monkeypatch.chdir(tmp_path)
    (found,) = expand([""])

    assert getattr(found, "code", found) == "file_not_found"


def test_a_closed_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A folder that may not be looked into is one problem, not the end."""

    def closed(_folder: Path) -> None:
        raise PermissionError(errno.EACCES, "Permission denied")

    monkeypatch.setattr(Path, "iterdir", closed)
    (found,) = expand([str(tmp_path)])

    assert getattr(found, "code", found) == "not_readable"


@pytest.mark.usefixtures("_reader")
def test_corners_outside_the_picture(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Corners of another picture are told; a board of hidden squares is not made of them."""
    path = picture(tmp_path / "a.png")
    corners = "900,900,990,900,990,990,900,990"
    code, out, _ = run(capsys, "read", "--json", str(path), "--corners", corners)
    line = json.loads(out)

    assert (code, line["error"]["code"], line["boards"]) == (1, "board_not_found", [])
    assert line["error"]["message"].endswith("outside the picture, which has 100 x 100 pixels")


@pytest.mark.usefixtures("_reader")
def test_letters_that_no_network_knows(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """An Armenian set: what to do is told; with one letter that is known, pictures are read."""
    sets = {"armenian.json": "\u0531\u0532", "mixed.json": "\u0531A"}
    for name, letters in sets.items():
        tiles = {x: {"count": 1, "value": 1} for x in letters}
        (tmp_path / name).write_text(json.dumps({"tiles": tiles}), encoding="utf-8")
    photo = str(picture(tmp_path / "photo.jpg"))

    code, out, err = run(capsys, "read", photo, "--tiles", str(tmp_path / "armenian.json"))
    assert (code, out) == (2, "")
    assert "none of the letters of" in err
    assert "kibitz calibrate --teach" in err

    _, _, err = run(capsys, "read", photo, "--tiles", str(tmp_path / "mixed.json"))
    assert "none of the letters" not in err


@pytest.mark.usefixtures("_reader")
def test_overlays_of_one_name(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Photographs of the same name from two folders get an overlay each."""
    folders = [tmp_path / "one", tmp_path / "two"]
    paths = [str(picture(folder / "a.png")) for folder in folders]
    code, _, _ = run(capsys, "read", "--json", *paths, "--overlay", str(tmp_path / "out"))

    assert code == 0
    assert len(list((tmp_path / "out").iterdir())) == 2


@pytest.mark.usefixtures("_reader")
def test_an_overlay_that_cannot_be_written(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """A full disk, or something in the way, is told with the file's name."""
    (tmp_path / "out" / "a.overlay.jpg").mkdir(parents=True)
    path = str(picture(tmp_path / "a.png"))
    code, _, err = run(capsys, "read", path, "--overlay", str(tmp_path / "out"))

    assert (code, err.split("a.overlay.jpg")[0].startswith("kibitz: --overlay: ")) == (1, True)


@pytest.mark.usefixtures("_reader")
def test_why_a_photograph_of_a_game_is_unreadable(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """In the terminal too."""
    path = tmp_path / "notes.jpg"
    path.write_text("notes")
    code, out, _ = run(capsys, "replay", str(path))

    assert code == 1
    assert "is no picture that can be read" in out


@pytest.mark.parametrize(
    ("told", "says"),
    [
        ([1], "item 1 of {}: expected an object with an 'action', got 1"),
        (
            [{"action": "pass", "before": 3}],
            "item 1 of {}: before: expected the name of a photograph, got 3",
        ),
    ],
)
def test_told_that_is_no_action(
    told: object, says: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Told items are checked before anything is read."""
    path = tmp_path / "told.json"
    path.write_text(json.dumps(told))
    code, out, err = run(capsys, "replay", str(tmp_path), "--told", str(path))

    assert (code, out, err) == (2, "", f"kibitz: --told: {says.format(path)}\n")


@pytest.mark.usefixtures("_reader")
def test_told_before_a_photograph_that_is_not_there(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """A name that no photograph has is pointed out once."""
    said = [{"action": "pass", "player": p, "before": "b.png"} for p in ("Ann", "Bob")]
    path = tmp_path / "told.json"
    path.write_text(json.dumps(said))
    photo = str(picture(tmp_path / "a.png"))
    _, _, err = run(capsys, "replay", photo, "--players", "Ann,Bob", "--told", str(path))

    assert err.count("there is no photograph 'b.png'") == 1


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (["--game", "grabscrab", "--gcg", "x.gcg"], "--gcg: the format holds only Scrabble"),
        (["--gcg", "."], "--gcg: expected a file to write, got the folder ."),
        (["--html", "."], "--html: expected a file to write, got the folder ."),
    ],
)
def test_what_cannot_be_written_is_told_first(
    arguments: list[str], says: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Nobody waits for a game to be read that then cannot be written."""
    code, out, err = run(capsys, "replay", str(tmp_path), *arguments)

    assert (code, out) == (2, "")
    assert says in err


def test_rules_with_a_missing_word_list(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """A word list that is not there is a wrong call, told once."""
    path = tmp_path / "some.json"
    path.write_text('{"scenarios": [{}, {}, {}]}')
    code, out, err = run(capsys, "rules", str(path), "--lexicon", "nowhere.txt")

    assert (code, out, err.count("nowhere.txt")) == (2, "", 1)


def test_rules_of_what_is_no_file(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """A folder and a missing file are told apart."""
    paths = [str(tmp_path), str(tmp_path / "gone.json")]
    code, out, _ = run(capsys, "rules", "--json", *paths)
    codes = [json.loads(line)["error"]["code"] for line in out.splitlines()]

    assert (code, codes) == (1, ["is_a_folder", "file_not_found"])


def test_calibrate_an_empty_folder(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """It does not wait for a picture that may never come."""
    code, _, err = run(capsys, "calibrate", str(tmp_path))

    assert (code, "holds no pictures; put one there first" in err) == (1, True)


def test_calibrate_tries_once(capsys: pytest.CaptureFixture[str]) -> None:
    """A camera that does not answer is told as it is: nothing is tried again."""
    code, _, err = run(capsys, "calibrate", "http://127.0.0.1:1/")

    assert (code, "no camera answers" in err, "trying again" in err) == (1, True, False)


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (["--game", "chess"], "there is no game 'chess'"),
        (["--players", "Ann,Bob"], "--players Ann,Bob: for which table?"),
        (["--set", "cl.tie=draw"], "--set cl.tie=draw: for which table?"),
        (["--game", "scrabble", "--set", "cl.tie=maybe"], "cl.tie: expected pre_rack, draw"),
        (["--game", "scrabble", "--set", "draw"], "--set: expected KEY=VALUE, got 'draw'"),
        (["--calibration", "x"], "--calibration x: for which table?"),
        (["--profile", "x.json"], "--profile x.json: for which table?"),
        (["--game", "scrabble", "--profile", "x.json"], "there is no file 'x.json'"),
        (["--game", "grabscrab", "--profile", "x.json"], "read on single boards"),
        (["--lexicon", "nowhere.txt"], "there is no file 'nowhere.txt'"),
        (["--game", "scrabble", "--tiles", "xx"], "there is no tile set 'xx'; known are en de"),
        (["--camera", "gone.mp4"], "got 'gone.mp4': there is no such file"),
    ],
)
def test_a_server_that_cannot_be_as_asked_for(
    arguments: list[str], says: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """It is told before an address is: nothing is served."""
    code, out, err = run(capsys, "serve", "--port", "0", "--data", str(tmp_path), *arguments)

    assert (code, out) == (2, "")
    assert says in err


def test_a_database_that_does_not_answer(capsys: pytest.CaptureFixture[str]) -> None:
    """It is told without the password."""
    pytest.importorskip("psycopg")
    address = "postgresql://ann:s3cret@127.0.0.1:1/kibitz"
    code, _, err = run(capsys, "export", "x", "--data", address)

    assert (code, "s3cret" in err, "ann:***@127.0.0.1" in err) == (1, False, True)


def test_a_full_disk(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    """Results that cannot be written to their file end the call with what to do."""

    def full(*_: object, **__: object) -> int:
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr("kibitz.app.face.materials.look_up", full)
    code, _, err = run(capsys, "word", "qi")

    assert (code, err) == (1, "kibitz: No space left on device; free some space\n")


def test_a_demonstration_without_room(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """A place for tables that cannot be used is told by what is wrong with it."""

    def full(_place: str) -> None:
        raise StorageError("storage_full", "the disk is full: free some space")

    monkeypatch.setattr("kibitz.app.cli.serving.demo.Storage", full)
    code, _, err = run(capsys, "demo", "--no-browser")

    assert (code, err) == (1, "kibitz: the disk is full: free some space\n")


def test_a_question_in_the_terminal() -> None:
    """It stands there once, with its likely answers."""
    question = {"prompt": "Which letter is the blank on H9?", "choices": ["T", "D"]}
    line = {"file": "1.jpg", "status": "question", "question": question}
    said = {**line, "say": ["Ann plays A?.", question["prompt"]]}

    assert draw_replay_line(line).splitlines()[1:] == [
        "    Which letter is the blank on H9?",
        "    answers: T / D",
    ]
    assert draw_replay_line(said).splitlines()[2:] == [
        "    Which letter is the blank on H9?",
        "    answers: T / D",
    ]
