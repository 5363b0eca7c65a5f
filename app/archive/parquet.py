"""Plays, tiles and questions of all games as Parquet files, a bounded number of rows at a time."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from kibitz.app.archive.kept import KeptGame

if TYPE_CHECKING:
    import pyarrow as pa
    import pyarrow.parquet as pq

ROWS: Final = 20_000
"""Of a row group: as many are held in memory."""
HOW = "pip install 'kibitz[archive]'"

Row = dict[str, str | int | float | bool | list[str] | list[int | None] | None]


def _plays(game: KeptGame) -> Iterator[Row]:
    for number, play in enumerate(game.plays):
        words = play.get("words") or ()
        tiles = play.get("tiles") or {}
        yield {
            "game": game.name,
            "kind": game.document["game"],
            "play": number,
            "file": play["file"],
            "player": play.get("player"),
            "words": [str(w["word"]) for w in words] or [str(x) for x in _told_word(play)],
            "word_scores": [w.get("score") for w in words],
            "score": play.get("turn_score"),
            "tiles": " ".join(f"{square}={letter}" for square, letter in tiles.items()),
            "removed": " ".join(play.get("removed") or ()),
            "taken_s": game.taken(play["file"]),
        }


def _told_word(play: Mapping[str, Any]) -> list[Any]:
    return [play["word"]] if play.get("word") else []


def _tiles(game: KeptGame) -> Iterator[Row]:
    for tile in game.tiles():
        yield {"game": game.name, **{n: getattr(tile, n) for n in type(tile).__slots__}}


def _questions(game: KeptGame) -> Iterator[Row]:
    for asked in game.document["final"]["questions"]:
        yield {
            "game": game.name,
            "file": asked["file"],
            "field": asked["field"],
            "square": asked["square"],
            "prompt": asked["prompt"],
            "choices": [str(x) for x in asked["choices"]],
        }


def _schemas() -> dict[str, pa.Schema]:
    import pyarrow as pa

    text, texts = pa.string(), pa.list_(pa.string())
    return {
        "plays": pa.schema(
            [
                ("game", text),
                ("kind", text),
                ("play", pa.int32()),
                ("file", text),
                ("player", text),
                ("words", texts),
                ("word_scores", pa.list_(pa.int32())),
                ("score", pa.int32()),
                ("tiles", text),
                ("removed", text),
                ("taken_s", pa.float64()),
            ]
        ),
        "tiles": pa.schema(
            [
                ("game", text),
                ("play", pa.int32()),
                ("file", text),
                ("player", text),
                ("square", text),
                ("row", pa.int16()),
                ("col", pa.int16()),
                ("letter", text),
                ("blank", pa.bool_()),
                ("read", text),
                ("confidence", pa.float32()),
                ("premium", text),
            ]
        ),
        "questions": pa.schema(
            [
                ("game", text),
                ("file", text),
                ("field", text),
                ("square", text),
                ("prompt", text),
                ("choices", texts),
            ]
        ),
    }


ROWS_OF: Mapping[str, Callable[[KeptGame], Iterator[Row]]] = {
    "plays": _plays,
    "tiles": _tiles,
    "questions": _questions,
}


def parquet_missing() -> bool:
    """True if the library that writes Parquet is not installed."""
    try:
        import pyarrow.parquet  # noqa: F401 - only whether it is there
    except ImportError:
        return True
    return False


class ParquetFiles:
    """The three files, written beside the older ones and put into their place when whole.

    Args:
        out: the folder of the archive.

    Raises:
        OSError: they cannot be written.
    """

    def __init__(self, out: Path) -> None:
        import pyarrow.parquet as pq

        self._out = out
        self._schemas = _schemas()
        self._rows: dict[str, list[Row]] = {name: [] for name in ROWS_OF}
        self._writers: dict[str, pq.ParquetWriter] = {}
        try:
            for name, schema in self._schemas.items():
                self._writers[name] = pq.ParquetWriter(
                    self._draft(name), schema, compression="zstd"
                )
        except BaseException:
            self.give_up()
            raise

    def _draft(self, name: str) -> Path:
        return self._out / f"{name}.parquet.new"

    def finish(self) -> None:
        """Write the remaining rows and put the files into their place.

        Raises:
            OSError: there is no room.
        """
        for name, writer in self._writers.items():
            self._flush(name)
            writer.close()
        for name in self._writers:
            self._draft(name).replace(self._out / f"{name}.parquet")

    def add(self, game: KeptGame) -> None:
        """Add the rows of one more game."""
        if not game.document:
            return
        for name, rows in self._rows.items():
            rows.extend(ROWS_OF[name](game))
            if len(rows) >= ROWS:
                self._flush(name)

    def _flush(self, name: str) -> None:
        import pyarrow as pa

        rows = self._rows[name]
        if rows:
            self._writers[name].write_table(pa.Table.from_pylist(rows, schema=self._schemas[name]))
            rows.clear()

    def give_up(self) -> None:
        """Delete the drafts; the older files stay as they were."""
        for name, writer in self._writers.items():
            with suppress(Exception):  # closing writes too, and there may be no room
                writer.close()
            self._draft(name).unlink(missing_ok=True)
