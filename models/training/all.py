"""Train all networks from nothing, stage by stage, and publish them.

    python -m kibitz.models.training.all
    python -m kibitz.models.training.all --resume
    python -m kibitz.models.training.all --from glyph
    python -m kibitz.models.training.all --list

Each stage is a command of its own, printed before it runs. What is done is noted in
`SCRATCH/stages.txt`; `--resume` leaves those stages out and goes on from the checkpoint of the one
that was interrupted.
"""

from __future__ import annotations

import argparse
import shlex
import subprocess
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

PACKAGE = "kibitz.models.training"
QUANTISED = (
    *("finder", "lattice", "reader", "glyph", "small_glyph", "mark", "sign", "mirror", "loose"),
)
PUBLISHED = (*QUANTISED, "board_looks", "board", "script")
Run = Callable[[Sequence[str]], int]


@dataclass(frozen=True, slots=True)
class Stage:
    """One command of the training.

    Attributes:
        name: what `--from` takes.
        module: the module that is run, from this folder.
        options: its options; `{scratch}` stands for the scratch folder.
    """

    name: str
    module: str
    options: str

    def command(self, scratch: Path, checkpoint: Path | None = None) -> list[str]:
        """The command line; with a checkpoint to go on from."""
        words = [w.replace("{scratch}", str(scratch)) for w in shlex.split(self.options)]
        resume = ["--resume", str(checkpoint)] if checkpoint else []
        return [sys.executable, "-m", f"{PACKAGE}.{self.module}", *words, *resume]

    def checkpoint(self, scratch: Path) -> Path:
        """Where a stage that trains leaves its network from time to time."""
        return scratch / f"{self.name}.pt"


def train(name: str, out: str, options: str) -> Stage:
    """A stage that trains the network of this name and exports it to a folder of the scratch."""
    common = f"{name} --pool {{scratch}}/pool --scratch {{scratch}} --out {{scratch}}/{out}"
    return Stage(name, "networks.train", f"{common} {options}")


def blend(name: str) -> Stage:
    """A stage that fits how much a network's look counts, on boards that it has not seen."""
    return Stage(
        f"blend-{name}",
        "networks.blend",
        f"{name} --pool {{scratch}}/fresh --weights {{scratch}}/float",
    )


def taught(name: str, options: str) -> Stage:
    """A stage in which a narrow network learns from the wide one."""
    return train(name, "float", f"--teacher {{scratch}}/wide_{name}.pt {options}")


STAGES = (
    Stage("pool", "sampling.pool", "--out {scratch}/pool --count 8000 --seed 1"),
    train("wide_finder", "wide", "--steps 3500 --batch 24"),
    taught("finder", "--steps 4500 --rate 1.5e-3"),
    train("wide_lattice", "wide", "--steps 3500 --batch 24"),
    taught("lattice", "--steps 3600 --batch 12"),
    train("wide_reader", "wide", "--steps 4500"),
    taught("reader", "--steps 3600 --batch 8 --rate 1.5e-3"),
    train("glyph", "float", "--steps 9500 --batch 6 --rate 3e-3 --reuse 4"),
    train("small_glyph", "float", "--large {scratch}/float --steps 5500 --batch 8 --rate 3e-3"),
    train(
        "sign",
        "float",
        "--start {scratch}/small_glyph.pt --steps 15000 --batch 8 --reuse 4 --tables 10",
    ),
    train(
        "mirror",
        "float",
        "--start {scratch}/small_glyph.pt --steps 3200 --batch 24 --rate 1e-3 --reuse 4 --tables 250",
    ),
    train("mark", "float", "--steps 8600 --batch 8 --reuse 4 --workers 2 --threads 1"),
    train("wide_loose", "wide", "--steps 4000"),
    taught("loose", "--steps 4000"),
    Stage("fresh", "sampling.pool", "--out {scratch}/fresh --count 250 --seed 99"),
    blend("glyph"),
    blend("small_glyph"),
    blend("mark"),
    Stage(
        "publish",
        "networks.quantise",
        f"{' '.join(QUANTISED)} --pool {{scratch}}/pool --source {{scratch}}/float",
    ),
    Stage(
        "mirror-fit",
        "weighing.mirror_fit",
        "--pool {scratch}/fresh --sets 250 --write",
    ),
    Stage(
        "glyph-letters",
        "networks.last_layers",
        "glyph --pool {scratch}/pool --scratch {scratch} --samples 5000 --epochs 3 --rate 4e-4",
    ),
    Stage("looks", "sampling.board_looks", "--pool {scratch}/pool --out {scratch}/looks --seed 6"),
    Stage(
        "fresh-looks",
        "sampling.board_looks",
        "--pool {scratch}/fresh --out {scratch}/seen --seed 5",
    ),
    Stage(
        "board",
        "networks.board_train",
        "--looks {scratch}/looks --fresh {scratch}/seen --scratch {scratch} --steps 6000",
    ),
    *(
        stage
        for name, count, times, seed in (("script", 250, 6, 7), ("fresh-script", 40, 8, 8))
        for stage in (
            Stage(
                f"{name}-sheets",
                "drawing.script_sheets",
                f"--out {{scratch}}/{name}-sheets --count {count} --seed {seed}",
            ),
            Stage(
                f"{name}-looks",
                "sampling.script_looks",
                f"--sheets {{scratch}}/{name}-sheets --out {{scratch}}/{name}-looks --times {times}",
            ),
        )
    ),
    Stage(
        "script",
        "networks.script_fit",
        "--looks {scratch}/script-looks --fresh {scratch}/fresh-script-looks",
    ),
)


def from_stage(name: str) -> tuple[Stage, ...]:
    """The stages from the one of this name on.

    Raises:
        ValueError: there is no such stage; the message lists those there are.
    """
    names = [s.name for s in STAGES]
    if name not in names:
        raise ValueError(f"expected one of {', '.join(names)}, got {name!r}")
    return STAGES[names.index(name) :]


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
    ap.add_argument("--from", dest="first", metavar="STAGE", default=STAGES[0].name)
    ap.add_argument("--resume", action="store_true", help="leave out what is done")
    ap.add_argument("--scratch", type=Path, default=Path("scratch"))
    ap.add_argument("--list", action="store_true", help="print the commands and stop")
    a = ap.parse_args()
    try:
        stages = from_stage(a.first)
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
