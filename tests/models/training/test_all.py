"""The command that trains all networks runs its stages in order and can be taken up again."""

from __future__ import annotations

import shlex
from importlib.util import find_spec

import pytest

from kibitz.models.session import MODEL_NAMES, WEIGHTS
from kibitz.models.training import all as training
from kibitz.models.training.facts import kept_facts


class Recorder:
    """Runs nothing: keeps the stages' commands, leaves checkpoints, fails where it is told to."""

    def __init__(self, scratch, fails=""):
        self.scratch, self.fails, self.commands = scratch, fails, []

    def __call__(self, command):
        """Note the command; its exit code."""
        self.commands.append(shlex.join(command[2:]).replace(str(self.scratch), "scratch"))
        module, name = command[2].rsplit(".", 1)[-1], command[3]
        if module == "train":
            (self.scratch / f"{name}.pt").write_text(name, encoding="utf-8")
        return int(name == self.fails)


STAGES = training.stages_of()


def ran(tmp_path, *, resume=False, fails="", stages=STAGES):
    """The exit code and the commands that were run."""
    recorder = Recorder(tmp_path, fails)
    code = training.run_stages(stages, tmp_path, resume=resume, run=recorder)
    return code, recorder.commands


def test_every_network_that_kibitz_loads_is_published():
    """No network is left out of the training; that of whole boards has two files."""
    assert {*MODEL_NAMES} == {*training.CONFIGURED, "board_looks"} - {"pictures"}


def test_published_networks_say_which_command_makes_them():
    """The command is one that runs: its last word is a configuration."""
    said = {name: kept_facts(WEIGHTS / f"{name}.onnx")["command"] for name in MODEL_NAMES}
    expected = {name: f"python -m {training.__name__} {name}" for name in MODEL_NAMES}

    assert expected | {"board_looks": expected["board"]} == said


def test_a_network_is_made_with_what_it_needs_alone():
    """The small close look needs pictures, the glance and the large one, each before it."""
    stages = [s.name for s in training.stages_of(["small_glyph"])]

    assert ["pool", "fresh", "wide_reader", "reader", "publish-reader"] == stages[:5]
    assert ["glyph", "small_glyph"] == [
        s for s in stages[5:] if s.endswith("glyph") and "-" not in s
    ]


def test_every_stage_is_there():
    """Each stage names a module that can be run."""
    missing = [
        stage.name
        for stage in STAGES
        if find_spec(f"{training.PACKAGE}.{stage.told.split()[0]}") is None
    ]

    assert [] == missing


def test_a_teacher_is_trained_before_who_learns_from_it():
    """Each `--teacher` is the checkpoint of an earlier stage."""
    names = [stage.name for stage in STAGES]
    teachers = [
        (names.index(f"wide_{stage.name}"), at)
        for at, stage in enumerate(STAGES)
        if f"wide_{stage.name}.pt" in stage.told
    ]

    assert 4 == len(teachers)
    assert [] == [pair for pair in teachers if pair[0] >= pair[1]]


def test_an_interrupted_stage_goes_on_from_its_checkpoint(tmp_path):
    """What was done is left out, what was interrupted goes on, the rest begins from nothing."""
    first_code, first = ran(tmp_path, fails="reader")
    again_code, again = ran(tmp_path, resume=True)
    resumed = [line for line in again if "--resume" in line]

    assert (1, 4) == (first_code, len(first))
    assert (0, len(STAGES) - 3) == (again_code, len(again))
    assert [again[0]] == resumed
    assert again[0].endswith("--resume scratch/reader.pt")


def test_begun_anew_nothing_of_an_earlier_run_is_used(tmp_path):
    """Without `--resume` every stage runs, none from a checkpoint."""
    ran(tmp_path)
    code, commands = ran(tmp_path)

    assert (0, len(STAGES)) == (code, len(commands))
    assert [] == [line for line in commands if "--resume" in line]


def test_a_run_may_begin_at_a_stage(tmp_path):
    """`--from glyph` leaves out what comes before."""
    code, commands = ran(tmp_path, stages=training.from_stage("glyph", STAGES))

    assert (0, "glyph") == (code, commands[0].split()[1])


def test_an_unknown_stage_is_refused_with_those_there_are():
    """The message lists the names."""
    with pytest.raises(ValueError, match=r"expected one of pool, fresh, .*, got 'glyf'"):
        training.from_stage("glyf", STAGES)
