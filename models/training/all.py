"""Train networks from nothing, stage by stage, and publish them.

    python -m kibitz.models.training.all
    python -m kibitz.models.training.all finder
    python -m kibitz.models.training.all --resume
    python -m kibitz.models.training.all --from glyph
    python -m kibitz.models.training.all --list

A file of `configurations` says of a network which stages make it and what has to be made before.
Each stage is a command of its own, printed before it runs. What is done is noted in
`SCRATCH/stages.txt`; `--resume` leaves those stages out and goes on from the checkpoint of the one
that was interrupted.
"""

from __future__ import annotations

import argparse
import shlex
import subprocess
import sys
import tomllib
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

PACKAGE = "kibitz.models.training"
CONFIGURATIONS = Path(__file__).with_name("configurations")
CONFIGURED = tuple(sorted(path.stem for path in CONFIGURATIONS.glob("*.toml")))
"""The networks, and the pictures that they learn from."""
Run = Callable[[Sequence[str]], int]


@dataclass(frozen=True, slots=True)
class Stage:
    """One command of the training.

    Attributes:
        name: what `--from` takes.
        told: the module that is run, from this folder, and its options; `{scratch}` stands for the
            scratch folder.
    """

    name: str
    told: str

    def command(self, scratch: Path, checkpoint: Path | None = None) -> list[str]:
        """The command line; with a checkpoint to go on from."""
        module, *options = shlex.split(self.told)
        words = [w.replace("{scratch}", str(scratch)) for w in options]
        resume = ["--resume", str(checkpoint)] if checkpoint else []
        return [sys.executable, "-m", f"{PACKAGE}.{module}", *words, *resume]

    def checkpoint(self, scratch: Path) -> Path:
        """Where a stage that trains leaves its network from time to time."""
        return scratch / f"{self.name}.pt"


def stages_of(wanted: Sequence[str] = CONFIGURED) -> tuple[Stage, ...]:
    """The stages that make some networks and what these need, in order, each once."""
    stages: dict[str, Stage] = {}
    for name in wanted:
        told = tomllib.loads((CONFIGURATIONS / f"{name}.toml").read_text(encoding="utf-8"))
        before = stages_of(told.get("after", ()))
        own = (Stage(stage, command) for stage, command in told["stages"].items())
        stages |= {stage.name: stage for stage in (*before, *own) if stage.name not in stages}
    return tuple(stages.values())


def from_stage(name: str, stages: Sequence[Stage]) -> Sequence[Stage]:
    """The stages from the one of this name on.

    Raises:
        ValueError: there is no such stage; the message lists those there are.
    """
    names = [s.name for s in stages]
    if name not in names:
        raise ValueError(f"expected one of {', '.join(names)}, got {name!r}")
    return stages[names.index(name) :]


def run_stages(stages: Sequence[Stage], scratch: Path, *, resume: bool, run: Run) -> int:
    """Run the stages in order and note each as done; the exit code of the first that fails.

    With `resume` those noted as done are left out, and the one that was interrupted goes on from
    its checkpoint, if it left one. Without it all of them begin from nothing.
    """
    scratch.mkdir(parents=True, exist_ok=True)
    done, interrupted = noted(scratch)
    if not resume:
        done -= {s.name for s in stages}
        interrupted = ""
    for stage in stages:
        if stage.name in done:
            continue
        checkpoint = stage.checkpoint(scratch)
        if stage.name != interrupted:
            # one of an earlier run, which the stage would write over anyway
            checkpoint.unlink(missing_ok=True)
        note(scratch, done, stage.name)
        command = stage.command(scratch, checkpoint if checkpoint.is_file() else None)
        print(f"{stage.name}: {shlex.join(command)}", flush=True)
        code = run(command)
        if code:
            print(f"{stage.name} failed; mend the cause, then: --resume", file=sys.stderr)
            return code
        done.add(stage.name)
        note(scratch, done, "")
    return 0


def noted(scratch: Path) -> tuple[set[str], str]:
    """The stages that are done, and the one that was being run, if any."""
    path = scratch / "stages.txt"
    lines = path.read_text(encoding="utf-8").splitlines() if path.is_file() else []
    done = {line.removeprefix("done ") for line in lines if line.startswith("done ")}
    begun = [line.removeprefix("begun ") for line in lines if line.startswith("begun ")]
    return done, begun[-1] if begun else ""


def note(scratch: Path, done: set[str], begun: str) -> None:
    """Keep which stages are done and which one is being run."""
    lines = [f"done {name}" for name in sorted(done)] + ([f"begun {begun}"] if begun else [])
    (scratch / "stages.txt").write_text("\n".join([*lines, ""]), encoding="utf-8")


def main() -> int:
    """Parse, then run or list the stages."""
    ap = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    ap.add_argument("networks", nargs="*", metavar="NETWORK", help=", ".join(CONFIGURED))
    ap.add_argument("--from", dest="first", metavar="STAGE")
    ap.add_argument("--resume", action="store_true", help="leave out what is done")
    ap.add_argument("--scratch", type=Path, default=Path("scratch"))
    ap.add_argument("--list", action="store_true", help="print the commands and stop")
    a = ap.parse_args()
    for name in set(a.networks) - set(CONFIGURED):
        ap.error(f"expected of {', '.join(CONFIGURED)}, got {name!r}")
    stages: Sequence[Stage] = stages_of(a.networks or CONFIGURED)
    try:
        stages = from_stage(a.first, stages) if a.first else stages
    except ValueError as error:
        ap.error(f"--from: {error}")
    if a.list:
        for stage in stages:
            print(f"{stage.name:16} {shlex.join(stage.command(a.scratch)[1:])}")
        return 0
    return run_stages(
        stages,
        a.scratch,
        resume=a.resume,
        run=lambda command: subprocess.run(command, check=False).returncode,
    )


if __name__ == "__main__":
    raise SystemExit(main())
