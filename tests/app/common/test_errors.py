"""Refusals in the words of who asked: a person at the command line, or a program."""

import pickle

import pytest

from kibitz.app.common.errors import CommandError, Option, UsageError


@pytest.mark.parametrize(
    ("parts", "to_programs", "on_command_line"),
    [
        (("there is no game 'x'",), "there is no game 'x'", "there is no game 'x'"),
        (
            (Option("keep_pictures"), ": expected 30d"),
            "keep_pictures: expected 30d",
            "--keep-pictures: expected 30d",
        ),
        (
            (Option("settings", "--set"), ": cl.tie: expected draw; see ", Option("html")),
            "settings: cl.tie: expected draw; see html",
            "--set: cl.tie: expected draw; see --html",
        ),
    ],
)
def test_an_option_is_an_argument_to_programs(parts, to_programs, on_command_line):
    """Also of an error that came from another process."""
    told = UsageError(*parts)
    again = pickle.loads(pickle.dumps(CommandError(*parts)))

    assert 2 * [(to_programs, on_command_line)] == [
        (str(x), x.on_command_line) for x in (told, again)
    ]
