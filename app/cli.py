"""The `kibitz` command: what each word of it takes, and nothing of how it is done.

Nothing heavy is imported up here, so that `kibitz --help` answers at once; each command brings
in what it needs.
"""

from __future__ import annotations

import sys
from typing import Annotated, NoReturn

import typer

from app.cli_keep import add_keep
from app.cli_look import add_look

HELP = """Point a camera at a real word-game board and it keeps the game.

Example: kibitz demo
"""

app = typer.Typer(
    help=HELP,
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    rich_markup_mode="markdown",
    context_settings={"help_option_names": ["--help", "-h"]},
)


@app.callback(invoke_without_command=True)
def _kibitz(
    context: typer.Context,
    version: Annotated[bool, typer.Option("--version", help="Print the version.")] = False,
    debug: Annotated[  # noqa: ARG001 - `main` takes it out of the call; here it is only described
        bool, typer.Option("--debug", help="Show tracebacks (may stand anywhere in the call).")
    ] = False,
) -> None:
    """Point a camera at a real word-game board and it keeps the game."""
    if version:
        from importlib.metadata import PackageNotFoundError
        from importlib.metadata import version as installed

        try:
            typer.echo(f"kibitz {installed('kibitz')}")
        except PackageNotFoundError:
            typer.echo("kibitz (not installed as a package)")
        raise typer.Exit
    if context.invoked_subcommand is None:
        typer.echo(context.get_help())
        raise typer.Exit(2)


add_look(app)
add_keep(app)


def main(arguments: list[str] | None = None) -> NoReturn:
    """Run the command line and leave with its exit code: 0, 1 or 2."""
    from app.cli_run import run

    given = list(sys.argv[1:] if arguments is None else arguments)
    debug = "--debug" in given
    sys.exit(run(app, [a for a in given if a != "--debug"], debug=debug))


if __name__ == "__main__":
    main()
