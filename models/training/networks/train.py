"""Train one of the networks and export it.

    python -m kibitz.models.training.networks.train reader --pool scratch/pool --steps 4000 --seed 1
    python -m kibitz.models.training.networks.train lattice --pool scratch/pool --steps 3000 --seed 1

A checkpoint is written every few hundred steps beside the log; `--resume` goes on from one.
The reader, the lattice, the finder and the loose tiles' network learn from wide ones, trained first:

    python -m kibitz.models.training.networks.train wide_lattice --pool scratch/pool --steps 3500 --seed 1
    python -m kibitz.models.training.networks.train lattice --teacher scratch/wide_lattice.pt --pool scratch/pool

The small network for single squares learns from the exported large one (`--large`).
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple

import cv2
import numpy as np
import torch
from torch import Tensor, nn
from torch.utils.data import DataLoader, IterableDataset, get_worker_info

from kibitz.calibration.board_finder import GLANCE_PX
from kibitz.models.session import WEIGHTS, Model, load_model
from kibitz.models.training.drawing import glyphs
from kibitz.models.training.networks import distil, export, nets
from kibitz.models.training.sampling import faces, loose_scene, prints, samples, turns
from kibitz.models.training.sampling.pool import Pool
from kibitz.vision.boards.letters.marks import alike
from kibitz.vision.boards.letters.signs import KEYS as SIGN_KEYS

F = nn.functional
ALONE = 0.3
"""How much it counts what the sign network says of a tile by itself."""
OWN_SHARE = 0.5
"""How much the truth counts beside what a wide network says."""


class Endless(IterableDataset[Any]):
    """Samples for ever, each drawn once and used `reuse` times, turned another way each time.

    Worker and seed decide which; copies are kept apart by a buffer.
    """

    def __init__(
        self,
        sample: Callable[..., Any],
        turn: Callable[..., Any],
        pool: Any,
        seed: int,
        reuse: int = 3,
    ) -> None:
        self.sample, self.turn, self.pool, self.seed, self.reuse = sample, turn, pool, seed, reuse

    def __iter__(self) -> Iterator[Any]:
        """Draw with a generator of one's own."""
        cv2.setNumThreads(1)
        info = get_worker_info()
        rng = np.random.default_rng([self.seed, info.id if info else 0])
        buffer: list[Any] = []
        while True:
            while len(buffer) < 200:
                drawn = self.sample(rng, self.pool)
                for k in rng.permutation(8)[: self.reuse]:
                    buffer.append((drawn, int(k) % 4, bool(k > 3)))
                if len(buffer) < 40:
                    continue
                break
            i = int(rng.integers(0, len(buffer)))
            buffer[i], buffer[-1] = buffer[-1], buffer[i]
            yield self.turn(*buffer.pop())


def reader_loss(
    out: Tensor, kinds: Tensor, letters: Tensor, turns: Tensor
) -> tuple[Tensor, dict[str, float]]:
    """Cross entropy of kind, letter and turn where each is known."""
    n = len(glyphs.LABELS)
    out = out.float()
    kind = F.cross_entropy(out[:, :4], kinds.long(), ignore_index=255)
    letter = F.cross_entropy(out[:, 4 : 4 + n], letters.long(), ignore_index=255)
    turn = F.cross_entropy(out[:, 4 + n :], turns.long(), ignore_index=255)
    with torch.no_grad():
        known, tiles = kinds != 255, letters != 255
        facts = {
            "kind": float((out[:, :4].argmax(1) == kinds)[known].float().mean()),
            "letter": float((out[:, 4 : 4 + n].argmax(1) == letters)[tiles].float().mean()),
            "turn": float((out[:, 4 + n :].argmax(1) == turns)[turns != 255].float().mean()),
        }
    return kind * 3 + letter + turn * 0.5, facts


class LettersTold(NamedTuple):
    """What a close look says of T tiles, in log probabilities.

    Attributes:
        both: (T, letters, 4) letter and turn.
        of_letter: (T, 4) the true letter, with each turn.
        told: (T,) the truth: the letter with its turn or, where that is unknown, the letter.
    """

    both: Tensor
    of_letter: Tensor
    told: Tensor


def letters_told(out: Tensor, letters: Tensor, turns: Tensor) -> LettersTold:
    """What logits (N, 4 + letters * 4) say of the squares whose letter, (N,), is not 255."""
    tile = letters != 255
    both = out[:, 4:].log_softmax(1).unflatten(1, (-1, 4))[tile]
    of_letter = both[torch.arange(len(both), device=both.device), letters[tile]]
    facing = turns[tile]
    with_turn = of_letter.gather(1, facing.clamp(max=3)[:, None])[:, 0]
    told = torch.where(facing != 255, with_turn, of_letter.logsumexp(1))
    return LettersTold(both, of_letter, told)


def glyph_loss(
    out: Tensor, kinds: Tensor, letters: Tensor, turns: Tensor
) -> tuple[Tensor, dict[str, float]]:
    """Cross entropy of kind, and of letter with turn; where the turn is unknown, of the letter."""
    out = out.float()
    kinds, letters, turns = (t.reshape(-1).long() for t in (kinds, letters, turns))
    kind = F.cross_entropy(out[:, :4], kinds, ignore_index=255)
    tile = letters != 255
    both, of_letter, told = letters_told(out, letters, turns)
    known = turns[tile] != 255
    loss = kind * 3 - told.sum() / tile.sum().clamp(min=1)
    with torch.no_grad():
        guess = both.logsumexp(2).argmax(1)
        facts = {
            "kind": float((out[:, :4].argmax(1) == kinds)[kinds != 255].float().mean()),
            "letter": float((guess == letters[tile]).float().mean()),
            "turn": float((of_letter.argmax(1) == turns[tile])[known].float().mean()),
        }
    return loss, facts


_ALIKE = torch.from_numpy(alike(glyphs.LABELS))


def mark_loss(out: Tensor, letters: Tensor) -> tuple[Tensor, dict[str, float]]:
    """Cross entropy of the letter among those that differ from it by a mark."""
    letters = letters.reshape(-1).long()
    among = out.float().masked_fill(~_ALIKE.to(letters.device)[letters], -torch.inf)
    right = float((among.argmax(1) == letters).float().mean())
    return F.cross_entropy(among, letters), {"letter": right}


def sign_loss(out: Tensor, signs: Tensor) -> tuple[Tensor, dict[str, float]]:
    """Cross entropy of sign and letter: of each tile by itself, and beside some of its set."""
    out = out.float().unflatten(0, signs.shape)
    truth = signs.float()
    alone, asks, says = out.split((1, SIGN_KEYS, SIGN_KEYS), -1)
    # boards have few tiles or many: any number of them may be seen beside a tile
    seen = (torch.rand(signs.shape) < torch.rand(len(signs), 1)).to(signs.device)
    counts = ((-alone.detach()).sigmoid()[..., 0] * seen)[..., None]
    says = says.tanh() * counts
    others = says.sum(1, keepdim=True) - says
    usual = others / (counts.sum(1, keepdim=True) - counts).clamp(min=1)
    told = alone[..., 0] + (asks * usual).sum(-1)
    loss = F.binary_cross_entropy_with_logits
    with torch.no_grad():
        sign, letter = signs == 1, signs == 0
        facts = {
            "signs": float((told > 0)[sign].float().mean()),
            "surely": float((told > 3)[sign].float().mean()),
            "letters": float((told < 0)[letter].float().mean()),
            "letters_surely": float((told > 3)[letter].float().mean()),
        }
    return loss(told, truth) + ALONE * loss(alone[..., 0], truth), facts


def mirror_loss(out: Tensor, shown: Tensor) -> tuple[Tensor, dict[str, float]]:
    """Cross entropy of whether a mirror shows a square."""
    known = (shown != 255).float()
    truth = (shown == 1).float()
    told = out.float().reshape(shown.shape)
    each = F.binary_cross_entropy_with_logits(told, truth, known, reduction="sum")
    with torch.no_grad():
        sure = (told.abs() > 2) & (known > 0)
        right = (told > 0) == (truth > 0)
        together = ((told * known).sum(1) > 0) == (truth.max(1).values > 0)
        facts = {
            "right": float(right[known > 0].float().mean()),
            "sure": float(sure.sum() / known.sum().clamp(min=1)),
            "sure_wrong": float((sure & ~right).sum() / sure.sum().clamp(min=1)),
            "photographs": float(together[known.sum(1) > 0].float().mean()),
        }
    return each / known.sum().clamp(min=1), facts


def lattice_loss(out: Tensor, truth: Tensor) -> tuple[Tensor, dict[str, float]]:
    """Laplace likelihood of the shift on the board, and presence."""
    out = out.float()
    inside = truth[:, 2]
    spread = out[:, 2].clamp(-5, 3)
    miss = (out[:, :2] - truth[:, :2]).abs().sum(1)
    shift = ((miss * torch.exp(-spread) + 2 * spread) * inside).sum() / inside.sum().clamp(min=1)
    present = F.binary_cross_entropy_with_logits(out[:, 3], inside)
    facts = {
        "miss": float((miss * inside).sum() / inside.sum().clamp(min=1) / 2),
        "present": float(((out[:, 3] > 0) == (inside > 0)).float().mean()),
    }
    return shift + present, facts


def finder_loss(out: Tensor, truth: Tensor) -> tuple[Tensor, dict[str, float]]:
    """Cross entropy and overlap of both masks."""
    out, truth = out.float(), truth.float()
    bce = F.binary_cross_entropy_with_logits(out, truth)
    p = out.sigmoid()
    meet = (p * truth).sum((2, 3))
    dice = 1 - ((2 * meet + 1) / (p.sum((2, 3)) + truth.sum((2, 3)) + 1)).mean()
    hit = ((out > 0) & (truth > 0.5)).sum((2, 3)).float()
    either = ((out > 0) | (truth > 0.5)).sum((2, 3)).float()
    return bce * 2 + dice, {"iou": float((hit / either.clamp(min=1))[either > 0].mean())}


def at_a_glance(picture: Tensor, truth: Tensor) -> tuple[Tensor, Tensor]:
    """Samples of the finder, (N, px, px, 3) and (N, 2, px / 4, px / 4), as its first look is."""
    px = GLANCE_PX
    small = F.interpolate(picture.permute(0, 3, 1, 2).float(), (px, px), mode="bilinear")
    areas = F.interpolate(truth.float(), (px // 4, px // 4), mode="area")
    return small.round().to(torch.uint8).permute(0, 2, 3, 1), areas


def loose_loss(out: Tensor, truth: Tensor) -> tuple[Tensor, dict[str, float]]:
    """Focal loss of the centres (Law and Deng, CornerNet, 2018); smooth L1 where a tile is known."""
    out = out.float()
    heat, known = truth[:, 0], truth[:, 1]
    p = out[:, 0].sigmoid().clamp(1e-4, 1 - 1e-4)
    peak = heat == 1
    pull = -((1 - p) ** 2 * p.log())[peak].sum()
    push = -((1 - heat) ** 4 * p**2 * (1 - p).log())[~peak].sum()
    centre = (pull + push) / peak.sum().clamp(min=1)
    shape = (
        F.smooth_l1_loss(out[:, 1:6], truth[:, 2:7], reduction="none", beta=0.1).sum(1) * known
    ).sum() / known.sum().clamp(min=1)
    face = (
        F.binary_cross_entropy_with_logits(out[:, 6], truth[:, 7], reduction="none") * known
    ).sum() / known.sum().clamp(min=1)
    with torch.no_grad():
        facts = {
            "peak": float((p > 0.4)[peak].float().mean()),
            "shape": float(shape),
            "face": float(
                (((out[:, 6] > 0) == (truth[:, 7] > 0.5)).float() * known).sum()
                / known.sum().clamp(min=1)
            ),
        }
    return centre + shape * 2 + face, facts


Pools = tuple[Pool, loose_scene.TablePool]


def mixed_glyph_sample(rng: np.random.Generator, pools: Pools) -> Any:
    """Mostly faces close up, squares of whole boards, now and then loose tiles."""
    kind = rng.random()
    if kind < 0.6:
        return faces.face_sample(rng, pools[0])
    if kind < 0.7:
        return loose_scene.loose_glyph_sample(rng, pools[1])
    return samples.glyph_sample(rng, pools[0])


def mixed_mark_sample(rng: np.random.Generator, pools: Pools) -> Any:
    """Mostly faces close up, and softer ones of whole boards."""
    far = rng.random() < 0.35
    of = samples.twins_on_a_board if far else faces.twins_photographed
    return faces.mark_sample(rng, pools[0], of)


def board_glyph_sample(rng: np.random.Generator, pools: Pools) -> Any:
    """Faces close up and squares of whole boards."""
    return (faces.face_sample if rng.random() < 0.6 else samples.glyph_sample)(rng, pools[0])


def mirror_sample(rng: np.random.Generator, pools: Pools) -> Any:
    """Mostly faces close up, else loose tiles, and bare squares with print that can be read or not."""
    kind = rng.random()
    if kind < 0.5:
        return faces.mirror_sample(rng, pools[0])
    if kind < 0.8:
        return prints.print_sample(rng)
    if kind < 0.85:
        return samples.bare_sample(rng, pools[0])
    crops, _, letters, _ = loose_scene.loose_glyph_sample(rng, pools[1])
    return crops, (letters != 255).astype(np.uint8)


@dataclass(frozen=True, slots=True)
class Task:
    """What is trained: the network, what it is shown, and what is asked of it."""

    make: Callable[[], nn.Module]
    sample: Callable[..., Any]
    loss: Callable[..., tuple[Tensor, dict[str, float]]]
    turn: Callable[..., Any]
    likeness: Callable[..., dict[str, Tensor]] | None = None


LABELS = len(glyphs.LABELS)
MANY_SQUARES = ("glyph", "small_glyph", "mark", "sign", "mirror")
"""Networks for single squares, of which a sample holds many."""
KEEPING = ("finder", "reader", "glyph", "small_glyph")
"""Networks which can learn new things and keep what they know."""
FINDERS = ("finder", "wide_finder")
SMALL_LOOKS = 2
"""Of three batches that a finder sees so many are as small as its first look."""
_READER = (
    lambda rng, pools: samples.reader_sample(rng, pools[0]),
    reader_loss,
    turns.reader,
)
_LATTICE = (
    lambda rng, pools: samples.lattice_sample(rng, pools[0]),
    lattice_loss,
    turns.lattice,
)
_FINDER = (
    lambda rng, pools: samples.finder_sample(rng, pools[0]),
    finder_loss,
    turns.finder,
)
_LOOSE = (
    lambda rng, pools: loose_scene.loose_sample(rng, pools[1]),
    loose_loss,
    turns.loose,
)
TASKS: dict[str, Task] = {
    "reader": Task(lambda: nets.ReaderNet(LABELS), *_READER, distil.reader_likeness),
    "wide_reader": Task(lambda: nets.ReaderNet(LABELS, wide=True), *_READER),
    "glyph": Task(lambda: nets.GlyphNet(LABELS), mixed_glyph_sample, glyph_loss, turns.glyph),
    "lattice": Task(nets.LatticeNet, *_LATTICE, distil.lattice_likeness),
    "wide_lattice": Task(lambda: nets.LatticeNet(wide=True), *_LATTICE),
    "small_glyph": Task(
        lambda: nets.SmallGlyphNet(LABELS), board_glyph_sample, glyph_loss, turns.glyph
    ),
    "mark": Task(
        lambda: nets.MarkNet(LABELS),
        mixed_mark_sample,
        mark_loss,
        turns.mark,
    ),
    "sign": Task(
        nets.SignNet,
        lambda rng, pools: faces.sign_sample(rng, pools[0]),
        sign_loss,
        turns.sign,
    ),
    "mirror": Task(nets.MirrorNet, mirror_sample, mirror_loss, turns.mirror),
    "finder": Task(nets.FinderNet, *_FINDER, distil.finder_likeness),
    "wide_finder": Task(lambda: nets.FinderNet(wide=True), *_FINDER),
    "loose": Task(nets.LooseNet, *_LOOSE, distil.loose_likeness),
    "wide_loose": Task(lambda: nets.LooseNet(wide=True), *_LOOSE),
}


def kept(task: str, out: Tensor, told: Tensor, truth: list[Tensor]) -> dict[str, Tensor]:
    """How far a network has come from an earlier one; see `distil.kept`."""
    if task in FINDERS:
        return distil.areas_kept(out, told, truth[0])
    kinds, letters, _ = (t.reshape(-1).long() for t in truth)
    if task == "reader":
        out, told = (x.movedim(1, -1).flatten(0, 2) for x in (out, told))
    return distil.kept(out, told, kinds, letters, 1 if task == "reader" else 4)


def save(net: nn.Module, checkpoint: Path) -> None:
    """Keep a network so that machines without its device can load it too."""
    torch.save({name: part.cpu() for name, part in net.state_dict().items()}, checkpoint)


def in_halves(device: torch.device) -> torch.autocast:
    """Sums in 16 bits where the device has them: a processor without is ten times slower so."""
    has = device.type != "cpu" or torch.backends.cpu.get_cpu_capability() == "AVX512"
    return torch.autocast(device.type, dtype=torch.bfloat16, enabled=has)


def run(model: Model, pictures: Tensor) -> Tensor:
    """What a published network says of pictures, where these are."""
    return torch.from_numpy(model.run(pictures.cpu().numpy())).to(pictures.device)


def main() -> None:
    """Train, log, checkpoint, export."""
    ap = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    ap.add_argument("task", choices=sorted(TASKS))
    ap.add_argument("--pool", type=Path, required=True)
    ap.add_argument("--steps", type=int, default=3000)
    ap.add_argument("--batch", type=int, default=16)
    ap.add_argument("--rate", type=float, default=2e-3)
    ap.add_argument("--seed", type=int, default=1)
    ap.add_argument("--workers", type=int, default=1)
    ap.add_argument("--threads", type=int, default=2)
    ap.add_argument("--device", default="cuda" if torch.cuda.is_available() else "cpu")
    ap.add_argument("--reuse", type=int, default=3)
    ap.add_argument("--resume", type=Path)
    ap.add_argument(
        "--start", type=Path, help="checkpoint of a network with the same first layers"
    )
    ap.add_argument("--teacher", type=Path, help="checkpoint of the wide network")
    ap.add_argument(
        "--large", type=Path, default=WEIGHTS, help="folder of the glyph model, for small_glyph"
    )
    ap.add_argument(
        "--keep",
        type=Path,
        metavar="FOLDER",
        help="of the same network as it was: what that says rightly of squares is to stay so",
    )
    ap.add_argument("--tables", type=int, default=3000, help="tables of loose tiles to learn from")
    ap.add_argument("--scratch", type=Path, default=Path("scratch"))
    ap.add_argument("--out", type=Path, default=WEIGHTS)
    a = ap.parse_args()
    torch.set_num_threads(a.threads)
    torch.manual_seed(a.seed)
    device = torch.device(a.device)
    task = TASKS[a.task]
    net = task.make().to(device, memory_format=torch.channels_last)
    teacher: nn.Module | None = None
    large = load_model("glyph", a.large) if a.task == "small_glyph" else None
    if a.teacher:
        if task.likeness is None:
            able = ", ".join(name for name, t in TASKS.items() if t.likeness)
            raise SystemExit(f"--teacher: only {able} learn from another, got {a.task}")
        wide = TASKS[f"wide_{a.task}"].make()
        teacher = wide.to(device, memory_format=torch.channels_last).eval()
        teacher.load_state_dict(torch.load(a.teacher, weights_only=True, map_location=device))
        distil.inherit(net, teacher)
    if a.keep and a.task not in KEEPING:
        raise SystemExit(f"--keep: only {', '.join(KEEPING)} can, got {a.task}")
    earlier = load_model(a.task, a.keep) if a.keep else None
    if a.start:
        own = net.state_dict()
        known = torch.load(a.start, weights_only=True, map_location=device)
        net.load_state_dict(
            {
                k: known[k] if k in known and known[k].shape == v.shape else v
                for k, v in own.items()
            }
        )
    if a.resume:
        net.load_state_dict(torch.load(a.resume, weights_only=True, map_location=device))
    loader = DataLoader(
        Endless(
            task.sample,
            task.turn,
            (Pool(a.pool), loose_scene.TablePool(a.pool, a.tables)),
            a.seed,
            a.reuse,
        ),
        batch_size=a.batch,
        num_workers=a.workers,
        prefetch_factor=4,
    )
    optimiser = torch.optim.AdamW(net.parameters(), lr=a.rate, weight_decay=0.02)
    schedule = torch.optim.lr_scheduler.OneCycleLR(
        optimiser, a.rate, total_steps=a.steps, pct_start=0.08
    )
    a.scratch.mkdir(parents=True, exist_ok=True)
    checkpoint = a.scratch / f"{a.task}.pt"
    # The exported weights are a running mean, which is steadier than the last step.
    mean = torch.optim.swa_utils.AveragedModel(
        net, multi_avg_fn=torch.optim.swa_utils.get_ema_multi_avg_fn(0.995), use_buffers=True
    )
    began = time.time()
    for step, batch in enumerate(loader):
        if step >= a.steps:
            break
        picture, *truth = (part.to(device) for part in batch)
        if a.task in MANY_SQUARES:
            picture = picture.flatten(0, 1)
        if a.task in FINDERS and step % 3 < SMALL_LOOKS:
            picture, *truth = at_a_glance(picture, truth[0])
        with in_halves(device):
            features, out = (None, net(picture)) if teacher is None else net.parts(picture)
        loss, facts = task.loss(out, *truth)
        if teacher is not None and task.likeness is not None:
            with torch.no_grad(), in_halves(device):
                taught = teacher.parts(picture)
            learnt = task.likeness((features, out), taught, truth[0])
            facts |= {name: part.item() for name, part in learnt.items()}
            loss = loss * OWN_SHARE + torch.stack(list(learnt.values())).sum()
        if large is not None:
            learnt = distil.glyph_likeness(out, run(large, picture))
            facts |= {name: part.item() for name, part in learnt.items()}
            loss = loss * OWN_SHARE + torch.stack(list(learnt.values())).sum()
        if earlier is not None:
            learnt = kept(a.task, out, run(earlier, picture), truth)
            facts |= {name: part.item() for name, part in learnt.items()}
            loss = loss + torch.stack(list(learnt.values())).sum()
        optimiser.zero_grad(set_to_none=True)
        loss.backward()
        nn.utils.clip_grad_norm_(net.parameters(), 5.0)
        optimiser.step()
        schedule.step()
        mean.update_parameters(net)
        if step % 50 == 0:
            text = " ".join(f"{k}={v:.4f}" for k, v in facts.items())
            print(f"{step} {time.time() - began:.0f}s loss={loss.item():.4f} {text}", flush=True)
        if step % 300 == 299:
            save(mean.module, checkpoint)
    save(mean.module, checkpoint)
    export.export(a.task, mean.module.cpu(), a.out, a.seed)


if __name__ == "__main__":
    main()
