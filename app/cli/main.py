"""Runs the command line and turns whatever happens into an exit code: 0, 1 or 2."""

from __future__ import annotations

import errno
import os
import sys
from typing import Annotated, NoReturn

import typer

from kibitz.app.cli.keep import add_keep
from kibitz.app.cli.look import add_look
from kibitz.app.common.errors import CommandError, UsageError
from kibitz.app.common.terminal import guard_streams, show_progress

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
    given = list(sys.argv[1:] if arguments is None else arguments)
    debug = "--debug" in given
    sys.exit(run(app, [a for a in given if a != "--debug"], debug=debug))


if __name__ == "__main__":
    main()


def run(app: typer.Typer, given: list[str], *, debug: bool) -> int:
    """Run one call; with `debug` what goes wrong inside is not caught."""
    # one thread per process: small nets run slower on several, and workers share the machine
    os.environ.setdefault("OMP_NUM_THREADS", "1")
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    # damaged files are told in our own words, not in the decoder's
    os.environ.setdefault("OPENCV_LOG_LEVEL", "ERROR")
    os.environ.setdefault("OPENCV_FFMPEG_LOGLEVEL", "-8")
    guard_streams()
    try:
        app(given, prog_name="kibitz")
    except SystemExit as leave:
        return leave.code if isinstance(leave.code, int) else 0 if leave.code is None else 1
    except UsageError as error:
        if debug:
            raise
        return _fail(str(error), 2)
    except CommandError as error:
        if debug:
            raise
        return _fail(str(error), 1)
    except BrokenPipeError:
        # whoever read our output has gone; closing it quietly is what tools do
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 1
    except OSError as error:
        if debug:
            raise
        return _fail(_trouble(error), 1)
    except Exception as error:  # the last stop before a user would see a traceback
        if debug:
            raise
        kind = type(error).__name__
        return _fail(f"something went wrong ({kind}: {error}); --debug shows where", 1)
    return 0


def _fail(message: str, code: int) -> int:
    show_progress(f"kibitz: {message}")
    return code


def _trouble(error: OSError) -> str:
    """What the system refused, in words: a full disk, a folder without permission ..."""
    where = f"{error.filename}: " if error.filename else ""
    what = error.strerror or str(error)
    hint = "; free some space" if error.errno == errno.ENOSPC else "; --debug shows where"
    return f"{where}{what}{hint}"
