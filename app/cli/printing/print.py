"""`kibitz print`: ship cards, coordinate strips, fleet sheets and corner markers."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Final

import typer

from kibitz.app.cli.options import Json
from kibitz.app.cli.printing.canvas import DPI, PAPERS_MM, Sheet, pdf_of, pictures
from kibitz.app.cli.printing.marker_page import marker_page
from kibitz.app.cli.printing.sheets import grid_sheets, sheets
from kibitz.app.common.errors import CommandError, UsageError
from kibitz.app.common.terminal import print_result

THINGS = ("cards", "strips", "grids", "markers")
LONGEST_NAME: Final = 20
SMALLEST_MM: Final = 8.0
LARGEST_MM: Final = 34.0
MOST_PLAYERS: Final = 4
SQUARE_MM: Final = 19.0
"""A square of the usual board."""


def command(
    what: Annotated[
        list[str] | None,
        typer.Argument(metavar="[cards|strips|grids|markers...]", help="What to print; else all."),
    ] = None,
    *,
    as_json: Json = False,
    square_mm: Annotated[
        float, typer.Option("--square-mm", metavar="MM", help="Side of one square of your board.")
    ] = SQUARE_MM,
    players: Annotated[
        int | None, typer.Option("--players", metavar="N", help="How many fleets.")
    ] = None,
    names: Annotated[
        str | None,
        typer.Option("--names", metavar="Ann,Bob", help="Whose fleets, in seating order."),
    ] = None,
    paper: Annotated[str, typer.Option("--paper", metavar="a4|letter", help="Paper.")] = "a4",
    output: Annotated[
        Path, typer.Option("--out", "--output", "-o", metavar="FILE", help="A .pdf or .png file.")
    ] = Path("kibitz-print.pdf"),
) -> None:
    """Print ship cards, coordinate strips and corner markers at true size, and fleet sheets.

    Example: kibitz print cards strips --square-mm 18.5 -o ships.pdf
    """
    given = tuple(n.strip() for n in names.split(",")) if names is not None else ()
    fleets = players or len(given) or MOST_PLAYERS
    job = PrintJob(tuple(what or ()), square_mm, fleets, paper, output, as_json, given)
    check(job)
    print_job(job)


@dataclass(frozen=True, slots=True)
class PrintJob:
    """Arguments of `kibitz print`."""

    what: tuple[str, ...] = ()
    square_mm: float = 19.0
    players: int = 4
    paper: str = "a4"
    output: Path = Path("kibitz-print.pdf")
    as_json: bool = False
    names: tuple[str, ...] = ()

    @property
    def fleets(self) -> tuple[str, ...]:
        """Names of the players for fleet sheets; numbered if none are given."""
        return self.names or tuple(f"Player {n + 1}" for n in range(self.players))


def print_job(job: PrintJob) -> None:
    """Write the pages, and say where."""
    pages = sheets_of(job)
    written = write_sheets(pages, job.paper, job.output, "--out")
    if job.as_json:
        facts = {"files": [str(p) for p in written], "pages": len(pages), "dpi": DPI}
        print_result(json.dumps({**facts, "square_mm": job.square_mm, "paper": job.paper}))
    else:
        names = ", ".join(str(p) for p in written)
        pages_text = "1 page" if len(pages) == 1 else f"{len(pages)} pages"
        print_result(f"{names}: {pages_text}. Print at 100 % on {job.paper.upper()} paper.")


def check(job: PrintJob) -> None:
    """Check that the job is possible.

    Raises:
        UsageError: it cannot; the message says what was expected.
    """
    for name in job.what:
        if name not in THINGS:
            raise UsageError(f"print: expected {', '.join(THINGS)}, got {name!r}")
    if not SMALLEST_MM <= job.square_mm <= LARGEST_MM:
        raise UsageError(
            f"--square-mm: expected the side of one square of your board, from {SMALLEST_MM:g} to "
            f"{LARGEST_MM:g} millimetres, got {job.square_mm:g}"
        )
    if not 1 <= job.players <= MOST_PLAYERS:
        raise UsageError(f"--players: expected 1 to {MOST_PLAYERS}, got {job.players}")
    if job.names and len(job.names) != job.players:
        raise UsageError(
            f"--names: expected {job.players} names for --players {job.players}, "
            f"got {len(job.names)}"
        )
    for name in job.names:
        if not 1 <= len(name) <= LONGEST_NAME or not name.isprintable():
            raise UsageError(f"--names: expected 1 to {LONGEST_NAME} letters each, got {name!r}")
    if job.paper not in PAPERS_MM:
        raise UsageError(f"--paper: expected {' or '.join(PAPERS_MM)}, got {job.paper!r}")
    if job.output.suffix.lower() not in (".pdf", ".png"):
        raise UsageError(f"--out: expected a .pdf or .png file, got {job.output}")


def sheets_of(job: PrintJob) -> list[Sheet]:
    """All pages in the requested order; every kind if none was named."""
    pages: list[Sheet] = []
    for name in job.what or THINGS:
        if name == "markers":
            pages.append(marker_page(job.paper))
        elif name == "grids":
            pages += grid_sheets(job.fleets, job.paper)
        else:
            pages += sheets((name,), job.square_mm, job.fleets, job.paper)
    return pages


def write_sheets(pages: Sequence[Sheet], paper: str, output: Path, option: str) -> list[Path]:
    """Write pages: a PDF of lines and type, or a PNG each.

    Args:
        pages: what is drawn.
        paper: `a4` or `letter`.
        output: the `.pdf` or `.png` file; of several PNG files, each has its number.
        option: what the file was asked for with.

    Raises:
        CommandError: it cannot be written.
    """
    try:
        output.parent.mkdir(parents=True, exist_ok=True)
        if output.suffix.lower() == ".pdf":
            output.write_bytes(pdf_of(pages, paper))
            return [output]
        paths = [
            output if len(pages) == 1 else output.with_stem(f"{output.stem}-{number}")
            for number in range(1, len(pages) + 1)
        ]
        for page, path in zip(pictures(pages, paper), paths, strict=True):
            page.save(path, dpi=(DPI, DPI))
    except OSError as error:
        reason = error.strerror or str(error)
        raise CommandError(f"{option}: cannot write {output}: {reason}") from error
    return paths
