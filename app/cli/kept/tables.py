"""`kibitz tables`, `export` and `film`: kept tables, named, written out, filmed and deleted."""

from __future__ import annotations

import json
import time
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from kibitz.app.cli.options import Data, Game, Json
from kibitz.app.common.errors import UsageError
from kibitz.app.common.limits import WAITS
from kibitz.app.common.terminal import print_result, show_progress, shown
from kibitz.app.face import kept
from kibitz.engine.phrases import phrase
from kibitz.vision.plain_file import told_size

if TYPE_CHECKING:
    from kibitz.app.common.storage.tables import Storage, TableRow

TableName = Annotated[str, typer.Argument(metavar="TABLE", help="A table, as 'list' shows it.")]


def _row_of(storage: Storage, table: str) -> TableRow:
    row = storage.table_row(table)
    if row is None:
        known = " ".join(r.id for r in storage.table_rows()) or "none"
        raise UsageError(f"there is no table {table!r}; kept are: {known}")
    return row


def line_of(facts: dict[str, Any]) -> str:
    """Facts about a table as a line for people."""
    day = time.strftime("%Y-%m-%d %H:%M", time.localtime(facts["created"]))
    names = ", ".join(facts["players"])
    title = f"{facts['name']}: " if facts["name"] else ""
    away = ", archived" if facts["archived"] else ""
    parts = f"{facts['steps']} steps, {facts['pictures']} pictures"
    size = f" ({told_size(facts['picture_bytes'])})" if facts["pictures"] else ""
    what = f"{shown(title)}{facts['game']}, {shown(names)}"
    return f"{facts['table']}  {day}  {what}; {parts}{size}{away}"


def _show(facts: dict[str, Any], *, as_json: bool) -> None:
    print_result(json.dumps(facts, ensure_ascii=False) if as_json else line_of(facts))


command = typer.Typer(
    add_completion=False,
    no_args_is_help=True,
    context_settings={"help_option_names": ["--help", "-h"]},
    help="List, show, name, archive or delete the tables that are kept.\n\n"
    "Example: kibitz tables list",
)


@command.command("list")
def list_(
    words: Annotated[
        list[str] | None, typer.Argument(metavar="[WORD...]", help="In name or players.")
    ] = None,
    *,
    as_json: Json = False,
    every: Annotated[bool, typer.Option("--all", help="Also archived ones.")] = False,
    data: Data = None,
) -> None:
    """Show the tables that are kept, the newest first.

    Example: kibitz tables list sunday ann
    """
    found = list(kept.tables(" ".join(words or ()), archived=every, data=data))
    for one in found:
        _show(one.to_json(), as_json=as_json)
    if not found:
        show_progress(phrase("No tables."))


@command.command("show")
def show(table: TableName, *, as_json: Json = False, data: Data = None) -> None:
    """Show one table: what it is, how much it takes, how many links open it.

    Example: kibitz tables show 4f2a9kqz
    """
    from kibitz.app.common.storage.upkeep import Label, Sizes
    from kibitz.app.tables.people.access import is_open

    with kept.open_storage(data) as storage:
        row = _row_of(storage, table)
        label = storage.labels().get(table, Label())
        sizes = storage.sizes().get(table, Sizes(0, 0, 0))
        facts = kept.kept_table(row, label, sizes).to_json()
        open_ones = [link for link in storage.links_of(table) if is_open(link)]
    places: dict[str, int] = {}
    for link in open_ones:
        place = link.player or link.role
        places[place] = places.get(place, 0) + 1
    facts["links"] = places
    _show(facts, as_json=as_json)
    if not as_json:
        for place, n in places.items():
            print_result(f"  {shown(place)}: {n} link{'s' * (n != 1)}")


@command.command("export")
def export(
    table: TableName,
    *,
    format_: Annotated[
        str, typer.Option("--format", metavar="gcg|cgp|json|csv|html", help="What to write.")
    ] = "json",
    after: Annotated[
        int | None,
        typer.Option("--after", metavar="N", help="With cgp: after so many entries of the game."),
    ] = None,
    output: Annotated[
        Path | None,
        typer.Option("--out", "--output", "-o", metavar="FILE", help="Instead of printing."),
    ] = None,
    as_json: Json = False,
    game: Game = None,
    data: Data = None,
) -> int:
    """Write a recorded game as GCG, CSV, JSON or a page, or a position as CGP.

    Example: kibitz export 4f2a --format gcg -o game.gcg
    """
    format_ = "json" if as_json else format_
    record = kept.export(table, format_, after=after, game=game, data=data)
    code = 1 if record.damage else 0
    if output is None:
        print_result(record.text.rstrip("\n"))
        return code
    record.write(output)
    show_progress(f"written to {output}")
    return code


@command.command("rename")
def rename(
    table: TableName,
    name: Annotated[str, typer.Argument(metavar="NAME", help="Empty: no name.")],
    *,
    data: Data = None,
) -> None:
    """Name a table.

    Example: kibitz tables rename 4f2a9kqz "Sunday evening"
    """
    from kibitz.app.tables.orders import check_title

    with kept.open_storage(data) as storage:
        _row_of(storage, table)
        storage.label(table, name=check_title(name))


@command.command("archive")
def archive(
    table: TableName,
    *,
    back: Annotated[bool, typer.Option("--back", help="List it again.")] = False,
    data: Data = None,
) -> None:
    """Archive a table: it is kept, and lists leave it out.

    Example: kibitz tables archive 4f2a9kqz
    """
    with kept.open_storage(data) as storage:
        _row_of(storage, table)
        storage.label(table, archived=not back)


@command.command("delete")
def delete(
    tables: Annotated[list[str], typer.Argument(metavar="TABLE...", help="Which ones.")],
    *,
    yes: Annotated[bool, typer.Option("--yes", help="Without it nothing is done.")] = False,
    data: Data = None,
) -> int:
    """Delete tables with all their steps, pictures and links, for good.

    Example: kibitz tables delete 4f2a9kqz --yes
    """
    missing = 0
    with kept.open_storage(data) as storage:
        if not yes:
            for table in tables:
                _row_of(storage, table)
            raise UsageError(
                f"this deletes {', '.join(tables)} with all steps and pictures, for good; "
                "say --yes if you mean it, or keep it out of lists with 'kibitz tables archive'"
            )
        for table in tables:
            if storage.delete_table(table):
                show_progress(f"deleted {table}")
            else:
                missing += 1
                show_progress(f"there is no table {table!r}")
    return 1 if missing else 0


@command.command("vacuum")
def vacuum(
    *,
    older: Annotated[
        str | None,
        typer.Option("--keep-pictures", metavar="30d|none", help="Take older ones away first."),
    ] = None,
    data: Data = None,
) -> None:
    """Give the room of what was deleted back to the disk.

    Example: kibitz tables vacuum --keep-pictures 30d
    """
    from kibitz.app.server.background.retention import PictureKeeper, parse_keep

    with kept.open_storage(data) as storage:
        if older is not None:
            n = PictureKeeper(storage, parse_keep(older)).look()
            show_progress(f"{n} picture{'s' * (n != 1)} deleted")
        storage.vacuum()


def film(
    table: TableName,
    *,
    out: Annotated[
        Path,
        typer.Option(
            "--out", "--output", "-o", metavar="FILE", help="An .mp4, .webm or .avi file."
        ),
    ],
    seconds: Annotated[
        float, typer.Option("--seconds", metavar="S", help="How long each picture is shown.")
    ] = WAITS.shown_s,
    game: Game = None,
    data: Data = None,
) -> None:
    """Make a film of a recorded game: the board straightened, the scores, what was said.

    Example: kibitz film 4f2a --out game.mp4
    """
    count = kept.film(table, out, seconds=seconds, game=game, data=data, progress=show_progress)
    print_result(f"{out}: {count} pictures, {count * seconds:g} s")
