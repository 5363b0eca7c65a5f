"""Refusals in the words of who asked: a person at the command line, or a program."""

import pytest

from kibitz.app.common.errors import UsageError, told_to_programs


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
