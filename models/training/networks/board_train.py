"""Train the network that sees all squares of a board, and export it.

    python -m kibitz.models.training.networks.board_train --looks scratch/looks --steps 6000 --out scratch/float

It learns from what the published looks leave of drawn boards (`board_looks`). A checkpoint with the
mean of the last weights (Polyak averaging) is written every few hundred steps; `--resume` goes on
from one.
"""

from __future__ import annotations

import argparse
import math
import time
import warnings
from collections.abc import Sequence
from pathlib import Path
from string import ascii_uppercase
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn

from kibitz.models.session import WEIGHTS, read_facts
from kibitz.models.training.drawing import glyphs
from kibitz.models.training.drawing.covers import TILE
from kibitz.models.training.facts import how_made, keep_facts
from kibitz.models.training.networks.board_net import (
    INPUTS,
    OF_ALL,
    OF_LOOKS,
    Blend,
    BoardNet,
    OfAll,
    OfLooks,
)

SQUARES = 225
NOT_ASKED = 255
RARE_BLANK = 0.25
"""How much a blank's letter counts: one tile in 18 is one on drawn boards, one in 50 in games."""
LATIN = frozenset(f"{ascii_uppercase}?")
LATIN_BOARDS = 0.6
"""The part of the boards on which only these letters count."""
NEVER = -300.0
"""Added to the logits of letters that do not count."""
WORST = 12.0
"""Nats: a truth less likely than that counts as this likely, lest wrong labels rule."""
KEPT, EVERY = 0.04, 8
"""The mean of the weights moves by the first every so many steps."""
WARM_UP, LAST = 100, 0.02
"""Steps in which the rate grows, and the part of it that is left at the end."""

Batch = dict[str, Tensor]
Axes = dict[str, dict[int, str]]
"""Of inputs or outputs by name, which of their axes may be of any size."""
WHOLE = ("tokens", "colours", "square_px")
"""What is given of a whole board."""


class BoardLooks:
    """What looks left of many photographs, in memory, see `board_looks`."""

    def __init__(self, paths: Sequence[Path]) -> None:
        self.parts: list[dict[str, Any]] = []
        for path in paths:
            with np.load(path) as z:
                part = {name: z[name] for name in z.files}
            for name in ("small", "large"):
                part[f"{name}_end"] = np.cumsum(part[f"{name}_count"])
            self.parts.append(part)
        self.index = [
            (p, i) for p, part in enumerate(self.parts) for i in range(len(part["kinds"]))
        ]

    def __len__(self) -> int:
        return len(self.index)

    def batch(self, which: Sequence[int], chance: np.random.Generator) -> Batch:
        """Some boards one after another, as `BoardNet` takes them, with kinds, letters, turns.

        Of some boards only Latin letters count, as with most tile sets.
        """
        rows = [(self.parts[p], i) for p, i in (self.index[k] for k in which)]
        out: Batch = {}
        for name in ("glance_features", "colours", "square_px"):
            values = np.concatenate([np.atleast_1d(part[name][i]) for part, i in rows])
            out[name] = torch.from_numpy(values.astype(np.float32))
        out["glance_features"] = out["glance_features"].reshape(len(rows) * SQUARES, -1)
        out["colours"] = out["colours"].reshape(len(rows) * SQUARES, -1)
        for name in ("kinds", "letters", "turns"):
            told = np.concatenate([part[name][i].ravel() for part, i in rows])
            out[name] = torch.from_numpy(told.astype(np.int64))
        counts = np.ones((len(rows), len(glyphs.LABELS)), np.bool_)
        counts[chance.random(len(rows)) < LATIN_BOARDS] = [x in LATIN for x in glyphs.LABELS]
        board = np.repeat(np.arange(len(rows)), SQUARES)
        spare = ~np.append(counts, np.ones((len(rows), 1), np.bool_), 1)[
            board, out["letters"].clamp(max=counts.shape[1]).numpy()
        ]
        out["letters"][torch.from_numpy(spare)] = NOT_ASKED
        glance = np.concatenate(
            [part["glance_logits"][i].reshape(SQUARES, -1) for part, i in rows]
        )
        out["glance_kind"], out["glance_both"] = _logs(glance, counts[board])
        for name in ("small", "large"):
            out |= self._closer(rows, name, counts)
        return out

    def _closer(
        self, rows: list[tuple[dict[str, Any], int]], name: str, counts: NDArray[np.bool_]
    ) -> Batch:
        at, logits, features = [], [], []
        for b, (part, i) in enumerate(rows):
            end = part[f"{name}_end"][i]
            here = slice(end - part[f"{name}_count"][i], end)
            at.append(part[f"{name}_where"][here].astype(np.int64) + b * SQUARES)
            logits.append(part[f"{name}_logits"][here])
            features.append(part[f"{name}_features"][here])
        where = np.concatenate(at)
        index = np.full(len(rows) * SQUARES, len(where), np.int64)
        index[where] = np.arange(len(where))
        kind, both = _logs(np.concatenate(logits), counts[where // SQUARES])
        none = torch.zeros(1)
        return {
            f"{name}_at": torch.from_numpy(index),
            f"{name}_kind": torch.cat([kind, none.expand(1, 4)]),
            f"{name}_both": torch.cat([both, none.expand(1, *both.shape[1:])]),
            f"{name}_features": torch.from_numpy(
                np.pad(np.concatenate(features), ((0, 1), (0, 0)))
            ),
        }


def _logs(logits: NDArray[np.float16], counts: NDArray[np.bool_]) -> tuple[Tensor, Tensor]:
    """Log probabilities as `square_logs.split_logits` has them, of the letters that count, (N, L).

    The others are next to impossible.
    """
    x = torch.from_numpy(logits.astype(np.float32))
    n = counts.shape[1]
    kind, rest = x[:, :4].log_softmax(-1), x[:, 4:]
    spare = torch.from_numpy(np.where(counts, 0, NEVER).astype(np.float32))
    if rest.shape[1] == 4 * n:
        both = (rest.reshape(-1, n, 4) + spare[..., None]).flatten(1).log_softmax(-1)
        return kind, both.reshape(-1, n, 4)
    letter, turn = (rest[:, :n] + spare).log_softmax(-1), rest[:, n:].log_softmax(-1)
    return kind, letter[:, :, None] + turn[:, None]


def losses(kind: Tensor, both: Tensor, batch: Batch) -> tuple[Tensor, Tensor]:
    """How unlikely the truth is, in nats: of kinds, and of the letters of tiles looked at."""
    known = batch["kinds"] != NOT_ASKED
    of_kind = -_told_of(kind[known], batch["kinds"][known]).clamp(min=-WORST)
    asked = _asked(batch)
    kinds, letters, turns = (batch[x][asked] for x in ("kinds", "letters", "turns"))
    tiles = (kinds == TILE) & (letters != NOT_ASKED)
    ways = both[tiles].gather(1, letters[tiles][:, None, None].expand(-1, 1, 4))[:, 0]
    turn = turns[tiles]
    sure = _told_of(ways, turn.clamp(max=3))
    of_letter = -torch.where(turn < 4, sure, ways.logsumexp(-1)).clamp(min=-WORST)
    rare = letters[tiles] == both.shape[1] - 1
    return of_kind, of_letter * torch.where(rare, RARE_BLANK, 1.0)


def _asked(batch: Batch) -> Tensor:
    """(K,) the squares that the small close look looked at."""
    return (batch["small_at"] < batch["small_kind"].shape[0] - 1).nonzero()[:, 0]


def _told_of(logs: Tensor, truth: Tensor) -> Tensor:
    return logs.gather(1, truth[:, None])[:, 0]


def train(
    net: BoardNet, data: BoardLooks, steps: int, rate: float, batch: int, seed: int, to: Path
) -> dict[str, Tensor]:
    """Train, and give the mean of the last weights, which is also kept in a checkpoint."""
    chance = np.random.default_rng(seed)
    optimiser = torch.optim.AdamW(net.parameters(), rate, weight_decay=0.02, fused=True)
    mean = {name: value.clone() for name, value in net.state_dict().items()}
    began, lost = time.time(), 0.0
    for step in range(steps):
        warm, left = min(1.0, (step + 1) / WARM_UP), (1 + math.cos(math.pi * step / steps)) / 2
        for group in optimiser.param_groups:
            group["lr"] = rate * warm * (left * (1 - LAST) + LAST)
        boards = data.batch(chance.integers(0, len(data), batch).tolist(), chance)
        kind, both = net(*(boards[name] for name in INPUTS))
        of_kind, of_letter = losses(kind, both, boards)
        loss = (of_kind.sum() + of_letter.sum()) / max(1, len(of_letter))
        optimiser.zero_grad()
        loss.backward()
        torch.nn.utils.clip_grad_norm_(net.parameters(), 1.0)
        optimiser.step()
        lost += float(loss.detach())
        if step % EVERY == EVERY - 1:
            for name, value in net.state_dict().items():
                mean[name].lerp_(value, KEPT)
        if step % 200 == 199:
            print(f"{step + 1} {lost / 200:.4f} {time.time() - began:.0f} s", flush=True)
            lost = 0.0
            torch.save(mean, to)
    torch.save(mean, to)
    return mean


def measure(net: BoardNet, data: BoardLooks) -> dict[str, float]:
    """Counts of what is wrong on boards that were not learnt from, and the mean loss a tile."""
    wrong = {"letters": 0, "letters_wrong": 0, "blanks": 0, "blanks_wrong": 0, "kinds_wrong": 0}
    lost, chance = 0.0, np.random.default_rng(0)
    net.eval()
    with torch.no_grad():
        for k in range(0, len(data), 16):
            boards = data.batch(range(k, min(k + 16, len(data))), chance)
            kind, both = net(*(boards[name] for name in INPUTS))
            lost += sum(float(x.sum()) for x in losses(kind, both, boards))
            asked = _asked(boards)
            letters, tiles = boards["letters"][asked], boards["kinds"][asked] == TILE
            blank = letters == both.shape[1] - 1
            right = both.logsumexp(-1).argmax(-1) == letters
            known = tiles & (letters != NOT_ASKED)
            for name, some in (("letters", known & ~blank), ("blanks", known & blank)):
                wrong[name] += int(some.sum())
                wrong[f"{name}_wrong"] += int((some & ~right).sum())
            asked_of = boards["kinds"] != NOT_ASKED
            wrong["kinds_wrong"] += int((asked_of & (kind.argmax(-1) != boards["kinds"])).sum())
    net.train()
    return wrong | {"loss": lost / max(1, wrong["letters"] + wrong["blanks"])}


def export(net: BoardNet, example: Batch, out: Path, seed: int) -> list[Path]:
    """Write both parts of the network and their facts: `board_looks.onnx` and `board.onnx`."""
    net.eval()
    out.mkdir(parents=True, exist_ok=True)
    of_board = {"tokens": net.tokens(example).detach(), "wanted": torch.arange(SQUARES)}
    example = example | of_board
    of_looks = {name: _axes(name, "squares") for name in OF_LOOKS}
    of_all = {name: {} if name in WHOLE else _axes(name, "wanted") for name in OF_ALL}
    told = {"kind": {0: "wanted"}, "both": {0: "looked_at", 1: "letters"}}
    parts: tuple[tuple[str, nn.Module, Axes, Axes], ...] = (
        ("board_looks", OfLooks(net), of_looks, {"tokens": {0: "squares"}}),
        ("board", OfAll(net), of_all, told),
    )
    paths = []
    for name, part, inputs, outputs in parts:
        path = out / f"{name}.onnx"
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            torch.onnx.export(
                part,
                tuple(example[x] for x in inputs),
                str(path),
                dynamo=False,
                opset_version=17,
                input_names=list(inputs),
                output_names=list(outputs),
                dynamic_axes=inputs | outputs,
            )
        facts = {
            "task": name,
            "input_px": 0,
            "labels": "".join(glyphs.LABELS),
            **how_made("board"),
            "seed": seed,
            "temperature": 1.0,
        }
        keep_facts(path, facts)
        paths.append(path)
    return paths


def _axes(name: str, squares: str) -> dict[int, str]:
    """Which axes of an input may be of any size, and what they are called."""
    look, _, what = name.partition("_")
    rows = look in ("small", "large") and what != "at"
    return {0: f"{look}_rows" if rows else squares} | ({1: "letters"} if what == "both" else {})


def blends(weights: Path = WEIGHTS) -> tuple[Blend, Blend]:
    """How much the looks count together, as it was fitted for the small and the large one."""
    small, large = (read_facts(name, weights) for name in ("small_glyph", "glyph"))
    return (small.kind_blend, small.letter_blend), (large.kind_blend, large.letter_blend)


def main() -> None:
    """Train and export."""
    ap = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    ap.add_argument("--looks", type=Path, required=True)
    ap.add_argument("--fresh", type=Path, help="looks at other boards, to measure on")
    ap.add_argument("--steps", type=int, default=6000)
    ap.add_argument("--batch", type=int, default=12)
    ap.add_argument("--rate", type=float, default=2e-3)
    ap.add_argument("--seed", type=int, default=1)
    ap.add_argument("--resume", type=Path)
    ap.add_argument("--threads", type=int, default=2)
    ap.add_argument("--scratch", type=Path, default=Path("scratch"))
    ap.add_argument("--out", type=Path, default=WEIGHTS)
    ap.add_argument("--weights", type=Path, default=WEIGHTS, help="of the networks that look")
    a = ap.parse_args()
    torch.set_num_threads(a.threads)
    torch.manual_seed(a.seed)
    data = BoardLooks(sorted(a.looks.glob("looks-*.npz")))
    net = BoardNet(blends(a.weights))
    if a.resume:
        net.load_state_dict(torch.load(a.resume, weights_only=True))
    a.scratch.mkdir(parents=True, exist_ok=True)
    mean = train(net, data, a.steps, a.rate, a.batch, a.seed, a.scratch / "board.pt")
    net.load_state_dict(mean)
    if a.fresh:
        print(measure(net, BoardLooks(sorted(a.fresh.glob("looks-*.npz")))), flush=True)
    print(*export(net, data.batch([0], np.random.default_rng(0)), a.out, a.seed))


if __name__ == "__main__":
    main()
