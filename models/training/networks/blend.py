"""How much each look at a square counts: fitted on rendered pictures, kept with the closer net.

    python -m kibitz.models.training.networks.blend glyph --pool scratch/pool --boards 150 --seed 9

The reader's first look and the closer one are both calibrated badly where they are wrong
together; the weights that make their product most likely (one pair for the kind, one for letter
and turn) are the temperature of both at once (Guo et al., On Calibration of Modern Neural
Networks, 2017).
"""

from __future__ import annotations

import argparse
from pathlib import Path

import numpy as np
import torch
from torch import Tensor

from kibitz.calibration.board_geometry import rectify
from kibitz.models.session import WEIGHTS, Model, load_model
from kibitz.models.training.drawing.covers import TILE
from kibitz.models.training.facts import keep_blend
from kibitz.models.training.sampling import faces, samples
from kibitz.models.training.sampling.pool import Pool
from kibitz.vision.boards import squares
from kibitz.vision.boards.letters import marks
from kibitz.vision.boards.letters.close_look import blended
from kibitz.vision.boards.reader import SQUARE_PX, straighten
from kibitz.vision.boards.square_logs import SquareLogs, log_softmax, log_sum, split_logits
from kibitz.vision.readings import SURE

WEIGHTS_FOUND = "weights {:.2f} {:.2f}, log loss of the closer look {:.4f}, of both {:.4f}"


def collect(
    pool: Pool, glance: Model, glyph: Model, boards: int, seed: int
) -> tuple[dict[str, Tensor], dict[str, Tensor], dict[str, Tensor]]:
    """Both looks' log probabilities and the truth of tiles and what is taken for them."""
    labels = [x for x in glance.facts.labels if x != "?"]
    first: dict[str, list[np.ndarray]] = {"kind": [], "both": []}
    second: dict[str, list[np.ndarray]] = {"kind": [], "both": []}
    truth: dict[str, list[np.ndarray]] = {"kind": [], "letter": [], "turn": []}
    for i in range(boards):
        rng = np.random.default_rng([seed, i])
        picture, g, kinds, letters, turns = samples.board_photograph(rng, pool, 14, 40)
        logs = split_logits(
            np.moveaxis(glance.run(straighten(picture, g)[None])[0], 0, -1), glance, labels
        )
        where = np.argwhere((np.exp(logs.kind[..., TILE]) > SURE.maybe) & (kinds != 255))
        if len(where) == 0:
            continue
        close = rectify(picture, g, squares.SQUARE_PX, (-1.0, -1.0), (17.0, 17.0))
        near = split_logits(glyph.run(squares.cut_squares(close, where)), glyph, labels)
        at = tuple(where.T)
        for name in ("kind", "both"):
            first[name].append(getattr(logs, name)[at])
            second[name].append(getattr(near, name))
        for name, a in (("kind", kinds), ("letter", letters), ("turn", turns)):
            truth[name].append(a[at])
    join = lambda d: {k: torch.from_numpy(np.concatenate(v)) for k, v in d.items()}  # noqa: E731
    return join(first), join(second), join(truth)


def collect_marks(
    pool: Pool, glance: Model, glyph: Model, mark: Model, parts: int, seed: int
) -> tuple[Tensor, Tensor, Tensor]:
    """Log probabilities of letters that differ by a mark, before the look at marks and by it.

    What is no twin of the letter shown has next to no probability in either. The truth comes
    last; see `fit`.
    """
    labels = glyph.facts.labels
    both: tuple[list[np.ndarray], list[np.ndarray]] = ([], [])
    truth: list[np.ndarray] = []
    for i in range(parts):
        rng = np.random.default_rng([seed, i])
        sizes = SQUARE_PX, squares.SQUARE_PX, marks.SQUARE_PX
        draw = faces.twins_photographed if i % 2 else samples.twins_on_a_board
        (far, close, fine), at, letters, turns = draw(rng, pool, sizes)
        seen = split_logits(np.moveaxis(glance.run(far[None])[0], 0, -1), glance, labels[:-1])
        some = SquareLogs(*(x[tuple(at.T)] for x in (seen.kind, seen.both)))
        near = split_logits(glyph.run(squares.cut_squares(close, at)), glyph, labels[:-1])
        before = log_sum(blended(glyph, some, near)[1], -1)
        cuts = squares.cut_squares(fine, at, 1, marks.SQUARE_PX, mark.input_px)
        says = mark.run(np.stack([np.rot90(x, k) for x, k in zip(cuts, turns, strict=True)]))
        twins = marks.alike(labels)[letters]
        for logits, kept in zip((before, says), both, strict=True):
            kept.append(log_softmax(np.where(twins, logits, -1e3).astype(np.float32)))
        truth.append(letters)
    first, second = (torch.from_numpy(np.concatenate(x)) for x in both)
    told = torch.from_numpy(np.concatenate(truth)).long()
    return first, second, torch.nn.functional.one_hot(told, len(labels)).bool()


def fit(first: Tensor, second: Tensor, told: Tensor) -> tuple[float, float, float, float]:
    """Weights of both looks, and the mean log loss with weights 1 for the second and fitted.

    Args:
        first: (N, C) log probabilities.
        second: (N, C) log probabilities.
        told: (N, C) bool, the classes that are right: where a turn is not known, all four.
    """
    w = torch.tensor([0.5, 0.8], requires_grad=True)
    optimiser = torch.optim.LBFGS([w], max_iter=60)

    def loss(a: Tensor, b: Tensor) -> Tensor:
        p = (a * first + b * second).log_softmax(1)
        return -p.masked_fill(~told, -1e9).logsumexp(1).clamp(min=-12).mean()

    def step() -> Tensor:
        optimiser.zero_grad()
        value = loss(w[0], w[1])
        value.backward()
        return value

    before = float(loss(torch.tensor(0.0), torch.tensor(1.0)))
    optimiser.step(step)
    a, b = (max(0.0, float(x)) for x in w)
    return a, b, before, float(loss(w[0], w[1]))


def main() -> None:
    """Fit the weights and write them into the closer net's facts."""
    ap = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    ap.add_argument("name", choices=("glyph", "small_glyph", "mark"))
    ap.add_argument("--pool", type=Path, required=True)
    ap.add_argument("--boards", type=int, default=150)
    ap.add_argument("--seed", type=int, default=9)
    ap.add_argument("--weights", type=Path, default=WEIGHTS)
    a = ap.parse_args()
    pool, closer = Pool(a.pool), load_model(a.name, a.weights)
    if a.name == "mark":
        others = (load_model(name, a.weights) for name in ("reader", "glyph"))
        found = fit(*collect_marks(pool, *others, closer, a.boards, a.seed))
        print("letter", WEIGHTS_FOUND.format(*found))
        keep_blend(a.weights / "mark.onnx", {"both": [round(x, 3) for x in found[:2]]})
        return
    glance = load_model("reader", a.weights)
    first, second, truth = collect(pool, glance, closer, a.boards, a.seed)
    kind = torch.nn.functional.one_hot(truth["kind"].long(), 4).bool()
    blend = {}
    found = fit(first["kind"], second["kind"], kind)
    print("kind", WEIGHTS_FOUND.format(*found))
    blend["kind"] = [round(x, 3) for x in found[:2]]
    labels = [x for x in glance.facts.labels if x != "?"] + ["?"]
    order = torch.tensor([labels.index(x) for x in glance.facts.labels])
    tile = truth["letter"] != 255
    letter = order[truth["letter"][tile].long()]
    told = torch.zeros(len(letter), len(labels), 4, dtype=torch.bool)
    turn = truth["turn"][tile].long()
    for i, (x, t) in enumerate(zip(letter, turn, strict=True)):
        told[i, x, slice(None) if t == 255 else t] = True
    found = fit(first["both"][tile].flatten(1), second["both"][tile].flatten(1), told.flatten(1))
    print("letter", WEIGHTS_FOUND.format(*found))
    blend["both"] = [round(x, 3) for x in found[:2]]
    keep_blend(a.weights / f"{a.name}.onnx", blend)


if __name__ == "__main__":
    main()
