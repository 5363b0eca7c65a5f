"""Runs the command line and turns any result into an exit code: 0, 1 or 2."""

from __future__ import annotations

import errno
import os
import sys
from collections.abc import Callable
from importlib import import_module
from typing import Annotated, Any, NoReturn

import typer
from typer.core import TyperGroup

import kibitz
from kibitz.app.common.errors import CommandError, PictureUnreadable, UsageError
from kibitz.app.common.terminal import guard_streams, show_progress
from kibitz.app.languages.catalogues import said, speak

HELP = """Point a camera at a real word-game board and it keeps the game.

Example: kibitz demo
"""

COMMANDS = {
    "read": "Read photographs of boards or loose tiles.",
    "replay": "Replay a photographed game: every play, its score, and what was said.",
    "trace": "Find the games that can have led to a photographed board of Scrabble.",
    "archive": "Replay every photographed game below folders, on all cores or a cluster.",
    "calibrate": "Find and keep where a table's board lies, and say how good the view is.",
    "tiles": "List the tile sets, and which of their letters are read only once they are taught.",
    "print": "Print ship cards, coordinate strips and corner markers at true size, and fleet "
    "sheets.",
    "rules": "Play rule scenarios or GCG files through the rules, without a camera.",
    "analyse": "List the best scoring plays of every turn of a game of Scrabble, beside what was "
    "played.",
    "word": "Say whether words are good, and what letters they take in front and behind.",
    "words": "List the word lists that are here, build some from dictionaries, add your own.",
    "serve": "Start the server: tables, cameras and pages for everybody at the board.",
    "demo": "Play a bundled photographed game as if a camera saw it, on a page of your own "
    "machine.",
    "check": "Test this installation: models, cameras, word list, browser, data folder.",
    "bench": "Measure speed on this machine; ratios come from one run.",
    "export": "Write a recorded game as GCG, CSV, JSON or a page, or a position as CGP.",
    "film": "Make a film of a recorded game: the board straightened, the scores, what was said.",
    "tables": "List, show, name, archive or delete the tables that are kept.",
}
"""Every command with the first sentence of its help."""

FOLDERS = {
    "reading": ("read", "replay", "trace", "archive", "calibrate"),
    "printing": ("print",),
    "serving": ("serve", "demo"),
    "kept": ("tables", "analyse"),
    "materials": ("words", "rules", "check"),
    "bench": ("bench",),
}
"""The folders beside this file, with the commands that each has in files of their names."""
ALIKE = {
    "export": "kept.tables",
    "film": "kept.tables",
    "word": "materials.words",
    "tiles": "materials.words",
}
"""Commands that share the file of another one.

A command's file is loaded only when the command is called, so that `kibitz --help` answers at
once.
"""


LANGUAGE_OPTIONS = ("--language", "--lang")


def load_command(name: str) -> Any:
    """Load a command with its options from its file."""
    alone = typer.Typer(add_completion=False)
    settings = {"help_option_names": ["--help", "-h"]}
    at = ALIKE.get(name) or next(f"{k}.{name}" for k, names in FOLDERS.items() if name in names)
    found = getattr(import_module(f"kibitz.app.cli.{at}"), name if name in ALIKE else "command")
    if isinstance(found, typer.Typer):  # a command with commands of its own
        return typer.main.get_command(found)
    alone.command(name, context_settings=settings)(found)
    return typer.main.get_command(alone)


def _exit(code: int | None, **_options: object) -> NoReturn:
    """Exit with what a command returned; None is 0."""
    raise typer.Exit(code or 0)


class Commands(TyperGroup):
    """The commands; only the one that is called gets loaded."""

    def resolve_command(self, ctx: Any, args: list[str]) -> Any:
        """Find and load the called command."""
        name, command, rest = super().resolve_command(ctx, args)
        return name, load_command(name) if name in COMMANDS else command, rest


app = typer.Typer(
    cls=Commands,
    result_callback=_exit,
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
    language: Annotated[  # noqa: ARG001 - `run` takes it out of the call; here it is only described
        str,
        typer.Option(
            "--language",
            "--lang",
            metavar="en|de|...|system",
            help="What is said is said in it (may stand anywhere in the call).",
        ),
    ] = "system",
) -> None:
    """Point a camera at a real word-game board and it keeps the game."""
    if version:
        typer.echo(f"kibitz {kibitz.__version__}")
        raise typer.Exit
    if context.invoked_subcommand is None:
        typer.echo(context.get_help())
        raise typer.Exit(2)


def _named(sentence: str) -> Callable[[], None]:
    """A placeholder for a command in the list of commands."""

    def command() -> None:
        raise NotImplementedError

    command.__doc__ = sentence
    return command


for _name, _sentence in COMMANDS.items():
    app.command(_name)(_named(_sentence))


def main(arguments: list[str] | None = None) -> NoReturn:
    """Run the command line and exit with 0, 1 or 2."""
    given = list(sys.argv[1:] if arguments is None else arguments)
    debug = "--debug" in given
    sys.exit(run(app, [a for a in given if a != "--debug"], debug=debug))


def run(app: typer.Typer, given: list[str], *, debug: bool) -> int:
    """Run one call; with `debug` internal errors are not caught."""
    # one thread per process: small nets run slower on several, and workers share the machine
    os.environ.setdefault("OMP_NUM_THREADS", "1")
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    # damaged files are told in our own words, not in the decoder's
    os.environ.setdefault("OPENCV_LOG_LEVEL", "ERROR")
    os.environ.setdefault("OPENCV_FFMPEG_LOGLEVEL", "-8")
    guard_streams()
    try:
        rest, language = without_language(given)
        _speak(language)
        app(rest, prog_name="kibitz")
    except SystemExit as leave:
        return leave.code if isinstance(leave.code, int) else 0 if leave.code is None else 1
    except UsageError as error:
        if debug:
            raise
        return _fail(error.on_command_line, 2)
    except (CommandError, PictureUnreadable) as error:
        if debug:
            raise
        return _fail(error.on_command_line, 1)
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


def _speak(language: str | None) -> None:
    try:
        speak(language)
    except ValueError as error:
        raise UsageError(f"--language: {error}") from None


def without_language(arguments: list[str]) -> tuple[list[str], str | None]:
    """Arguments without the language option, and that option's value.

    Raises:
        UsageError: the option stands there without a language.
    """
    rest: list[str] = []
    given: str | None = None
    todo = iter(arguments)
    for argument in todo:
        name, sign, value = argument.partition("=")
        if name not in LANGUAGE_OPTIONS:
            rest.append(argument)
            if argument == "--":
                rest += todo
        elif sign:
            given = value
        else:
            given = next(todo, None)
            if given is None:
                raise UsageError(f"{name}: expected a language after it, as {name} de")
    return rest, given


def _fail(message: str, code: int) -> int:
    show_progress(f"kibitz: {said(message)}")
    return code


def _trouble(error: OSError) -> str:
    """The system's error as a sentence, for instance about a full disk."""
    where = f"{error.filename}: " if error.filename else ""
    what = error.strerror or str(error)
    hint = "; free some space" if error.errno == errno.ENOSPC else "; --debug shows where"
    return f"{where}{what}{hint}"


if __name__ == "__main__":
    main()
