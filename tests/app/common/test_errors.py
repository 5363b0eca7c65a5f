"""Refusals in the words of who asked: a person at the command line, or a program."""

import pytest

from kibitz.app.common.errors import CommandError, UsageError, for_programs, told_to_programs


@pytest.mark.parametrize(
    ("said", "expected"),
    [
        ("there is no game 'x'", "there is no game 'x'"),
        ("--tiles: there is no tile set 'x'", "tiles: there is no tile set 'x'"),
        ("--set: cl.tie: expected draw", "settings: cl.tie: expected draw"),
        ("--calibration and --top exclude each other", "calibration and top exclude each other"),
        (
            "--profile: there is no file 'x'; make it with 'kibitz calibrate --teach a.jpg --out x'",
            "profile: there is no file 'x'; make it with 'kibitz calibrate --teach a.jpg --out x'",
        ),
    ],
)
def test_programs_are_told_of_arguments_and_of_commands_as_they_are_typed(said, expected):
    """An option is an argument of a call; in a command to be typed it stays an option."""
    told = told_to_programs(UsageError(said))

    assert (expected, said) == (str(told), told.on_command_line)


def test_what_could_not_be_done_is_told_in_the_same_words():
    """What went wrong on the way stays beside it, and the command line says it with options."""
    disk = OSError("full")

    @for_programs
    def fails():
        raise CommandError("--gcg: cannot write; print markers with --print-markers") from disk

    with pytest.raises(CommandError) as told:
        fails()

    assert "gcg: cannot write; print markers with 'kibitz calibrate --print-markers'" == str(
        told.value
    )
    assert (disk, "--gcg: cannot write; print markers with --print-markers") == (
        told.value.__cause__,
        told.value.on_command_line,
    )
