"""Train last layers for the letters alone, beside those of a published close look.

    python -m kibitz.models.training.networks.last_layers glyph --pool scratch/pool --seed 91

What the first layers see of drawn squares is worked out once, so that a step takes a fifth of the
time that it takes in `train`. The new layers begin as the published ones and tell only the letters
and how they are turned. Kinds, what the board network reads, and letters of every script are still
those of the published layers: nothing is forgotten there. `--share` takes a mean of the letters'
layers as they were and as they are trained (Wortsman et al., Model soups, 2022).

So that letters that are read rightly stay so too, the new layers are held to what the published
ones said and saw (Li and Hoiem, Learning without Forgetting, 2016). Squares that the network is
sure of are shown more rarely and count the more (importance sampling).
"""

from __future__ import annotations

import argparse
from dataclasses import dataclass, fields
from pathlib import Path
from typing import Any, Final

import cv2
import numpy as np
import onnx
import torch
from numpy.typing import NDArray
from torch import Tensor, nn

from kibitz.models.session import WEIGHTS, patches
from kibitz.models.training.facts import how_made, keep_facts, kept_facts
from kibitz.models.training.networks.slim import FEATURES, WIDE
from kibitz.models.training.networks.train import in_halves, letters_told, mixed_glyph_sample
from kibitz.models.training.sampling import loose_scene, turns
from kibitz.models.training.sampling.pool import Pool

F = nn.functional

LAST: Final = {"glyph": "/body/body.4", "small_glyph": "/body/body.0"}
"""The first of the last layers: a convolution, a residual and another convolution follow."""
BEFORE: Final = {
    "glyph": "/body/body.3/Relu_output_0",
    "small_glyph": "/stem/stem.1/Relu_output_0",
}
"""What the layer before them leaves."""
SURE: Final = 0.97
"""A square whose kind and letter are this probable is an easy one."""
EASY: Final = 0.3
"""So many of the easy squares are shown."""
TURNED: Final = 2
"""Of four quarter turns of each sample so many are shown."""
DROPPED: Final = 0.1
"""So much of what is seen is left out by chance before the answer."""
OWN: Final = "letters/"
"""Begins the names of the letters' own layers."""
KINDS: Final = 4
"""So many logits tell the kind; those of the letters follow."""
LOOK: Final = 768
"""Squares that are measured at once."""


class Published:
    """A published network: its layers' numbers, which may be changed, and what stays."""

    def __init__(self, name: str, folder: Path) -> None:
        self.name, self.folder = name, folder
        self.model = onnx.load(str(folder / f"{name}.onnx"))
        if not any(n.name.startswith(OWN) for n in self.model.graph.node):
            _give_letters_layers(self.model.graph, BEFORE[name])
        graph = self.model.graph
        self._values = {i.name: i for i in graph.initializer}
        self._made_by = {out: n for n in graph.node for out in n.output}
        self.nodes = {n.name: n for n in graph.node}
        self.steps = {
            n.input[0]: (float(self.value(n.input[1])), int(self.value(n.input[2])))
            for n in graph.node
            if n.op_type == "QuantizeLinear"
        }
        (head,) = (n for n in graph.node if n.op_type == "Gemm" and n.name.startswith(OWN))
        self.head = [name.removesuffix(WIDE) for name in head.input[1:]]

    def value(self, name: str) -> NDArray[Any]:
        """A layer's numbers."""
        return onnx.numpy_helper.to_array(self._values[name]).copy()

    def put(self, name: str, value: NDArray[Any]) -> None:
        """Change a layer's numbers."""
        kept = np.ascontiguousarray(value, self.value(name).dtype)
        self._values[name].CopyFrom(onnx.numpy_helper.from_array(kept, name))

    def convolution(self, name: str) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
        """Weights and bias of a convolution."""
        (steps, scale, _), (bias, per_step, _) = self._parts(name)
        weights = self.value(steps) * self.value(scale).reshape(-1, 1, 1, 1)
        return weights.astype(np.float32), (self.value(bias) * self.value(per_step))

    def put_convolution(
        self, name: str, weights: NDArray[np.float32], bias: NDArray[np.float32]
    ) -> None:
        """Change weights and bias, in as many steps a channel as there were."""
        (steps, scale, _), (bias_steps, per_step, _) = self._parts(name)
        top = int(abs(self.value(steps).astype(np.int32)).max())
        step = abs(weights).max((1, 2, 3)) / top
        of_input = self.value(per_step) / self.value(scale)
        self.put(steps, np.rint(weights / step.reshape(-1, 1, 1, 1)).clip(-top, top))
        self.put(scale, step)
        self.put(bias_steps, np.rint(bias / (of_input * step)))
        self.put(per_step, of_input * step)

    def _parts(self, name: str) -> tuple[list[str], list[str]]:
        """Steps, their scale and zero of a convolution's weights, and of its bias."""
        weights, bias = (self._made_by[x] for x in self.nodes[name].input[1:3])
        return list(weights.input), list(bias.input)

    def looker(self) -> Any:
        """A session that also tells what the layer before the last ones leaves."""
        import onnxruntime as ort

        model = onnx.ModelProto()
        model.CopyFrom(self.model)
        seen = _as_bytes(BEFORE[self.name])
        kind = onnx.TensorProto.UINT8
        model.graph.output.append(onnx.helper.make_tensor_value_info(seen, kind, None))
        options = ort.SessionOptions()
        options.intra_op_num_threads = 1
        session = ort.InferenceSession(
            model.SerializeToString(), options, providers=["CPUExecutionProvider"]
        )
        return lambda cuts: session.run([seen, "logits", FEATURES], {"picture": cuts})

    def write(self, out: Path, seed: int) -> Path:
        """Write the network and its facts, with how it was made before."""
        out.mkdir(parents=True, exist_ok=True)
        path = out / f"{self.name}.onnx"
        onnx.checker.check_model(self.model)
        onnx.save(self.model, str(path))
        facts = kept_facts(self.folder / path.name)
        facts.pop("sees_as", None)
        how = how_made(self.name)
        how["made"] += f" (before: {facts['made']})"
        keep_facts(path, {**facts, **how, "seed": seed})
        return path


def _give_letters_layers(graph: onnx.GraphProto, before: str) -> None:
    """Last layers once more: the first ones then tell kinds only, the second ones letters.

    Args:
        graph: of a published network.
        before: what the layer before the last ones leaves.
    """
    start = _as_bytes(before)
    made_by = {out: n for n in graph.node for out in n.output}
    copied: list[onnx.NodeProto] = []

    def copy(name: str) -> str:
        """The name of a copy; what feeds it is copied first, except numbers and the start."""
        node = made_by.get(name)
        if name == start or node is None:
            return name
        if OWN + node.name not in {n.name for n in copied}:
            again = onnx.NodeProto()
            again.CopyFrom(node)
            again.name = OWN + node.name
            again.input[:] = [copy(x) for x in node.input]
            again.output[:] = [OWN + x for x in node.output]
            copied.append(again)
        return OWN + name

    copy("logits")
    values = {i.name: i for i in graph.initializer}
    for node in copied:
        for k, name in enumerate(node.input):
            if name in values:
                value = onnx.TensorProto()
                value.CopyFrom(values[name])
                value.name = node.input[k] = OWN + name
                values.setdefault(value.name, value)
    graph.initializer.extend(v for name, v in values.items() if name.startswith(OWN))
    for node in graph.node:
        if "logits" in node.output:
            node.output[:] = ["both/kinds"]
            for name in node.input[1:]:
                kinds = values[name.removesuffix(WIDE)]
                some = onnx.numpy_helper.to_array(kinds)[:KINDS]
                kinds.CopyFrom(onnx.numpy_helper.from_array(some, kinds.name))
    graph.node.extend(copied)
    given = [f"{OWN}logits", "both/first", "both/all", "both/axis"]
    for name, value in zip(given[1:], (KINDS, np.iinfo(np.int64).max, 1), strict=True):
        graph.initializer.append(onnx.numpy_helper.from_array(np.array([value], np.int64), name))
    graph.node.append(onnx.helper.make_node("Slice", given, ["both/letters"], name="both/letters"))
    parts = ["both/kinds", "both/letters"]
    graph.node.append(onnx.helper.make_node("Concat", parts, ["logits"], name="both", axis=1))


def _as_bytes(name: str) -> str:
    """The name of what a layer leaves, as bytes."""
    return f"{name}_QuantizeLinear_Output"


@dataclass(frozen=True, slots=True)
class Seen:
    """N drawn squares: what the first layers see, the truth, and what the network says now."""

    before: Tensor
    kinds: Tensor
    letters: Tensor
    turns: Tensor
    logits: Tensor
    features: Tensor

    def of(self, which: Tensor | slice) -> Seen:
        """Some of them."""
        return Seen(*(getattr(self, f.name)[which] for f in fields(self)))

    def easy(self) -> Tensor:
        """Which of them the network is sure of, and right."""
        says, n = self.logits.float(), len(self.kinds)
        kind = says[:, :KINDS].softmax(1)[torch.arange(n), self.kinds.long().clamp(max=3)]
        letter = says[:, KINDS:].softmax(1).unflatten(1, (-1, 4)).sum(2)
        letter = letter[torch.arange(n), self.letters.long().clamp(max=letter.shape[1] - 1)]
        return ((kind > SURE) | (self.kinds == 255)) & ((letter > SURE) | (self.letters == 255))


def seen_by(
    published: Published, pools: Any, seed: int, first: int, count: int, often: int
) -> Seen:
    """What the network sees of so many samples, each turned `often`.

    Args:
        published: the network.
        pools: what the squares are drawn with.
        seed: chance.
        first: number of the first sample.
        count: how many samples.
        often: how many of their four turns are shown.
    """
    look, patched = published.looker(), published.name == "small_glyph"
    kept: list[NDArray[Any]] = []
    at = 0
    for i in range(first, first + count):
        rng = np.random.default_rng([seed, *divmod(i, 100)])
        drawn = mixed_glyph_sample(rng, pools)
        for k in rng.permutation(4)[:often].tolist():
            cuts, *truth = turns.glyph(drawn, k, False)
            before, logits, features = look(patches(cuts) if patched else cuts)
            n = len(cuts)
            new = before, *truth, logits.astype(np.float16), features.reshape(n, -1)
            if not kept:
                # every sample has as many squares; put together at the end, all would lie there twice
                kept = [np.empty((count * often * n, *x.shape[1:]), x.dtype) for x in new]
            for out, some in zip(kept, new, strict=True):
                out[at : at + n] = some
            at += n
    return Seen(*(torch.from_numpy(x) for x in kept))


class LastLayers(nn.Module):
    """A convolution, a residual, a convolution and the answer, as they are published.

    What lies beyond the published steps is cut off, as bytes do.
    """

    def __init__(self, published: Published) -> None:
        super().__init__()
        top, _, last = (OWN + LAST[published.name]).rpartition(".")
        here = int(last)
        first, second, third = (f"{top}.{here + k}" for k in range(3))
        self.places = {
            "first": f"{first}/body.{here}.0/Conv",
            "a": f"{second}/a/a.0/Conv",
            "b": f"{second}/b/b.0/Conv",
            "last": f"{third}/body.{here + 2}.0/Conv",
        }
        left = {
            "first": f"{first}/body.{here}.2/Relu_output_0",
            "a": f"{second}/a/a.2/Relu_output_0",
            "b": f"{second}/b/b.0/Conv_output_0",
            "both": f"{second}/Relu_output_0",
            "last": f"{third}/body.{here + 2}.2/Relu_output_0",
        }
        self.steps = {k: published.steps[x] for k, x in left.items() if x in published.steps}
        self.came = published.steps[BEFORE[published.name]]
        for name, place in self.places.items():
            weights, bias = published.convolution(place)
            given = {x.name: list(x.ints) for x in published.nodes[place].attribute if x.ints}
            layer = nn.Conv2d(
                *weights.shape[1::-1], weights.shape[2], given["strides"][0], given["pads"][0]
            )
            setattr(self, name, _holding(layer, weights, bias))
        weights, bias = map(published.value, published.head)
        self.head = _holding(nn.Linear(*weights.shape[::-1]), weights, bias)

    def _within(self, name: str, x: Tensor) -> Tensor:
        if name not in self.steps:
            return x
        step, zero = self.steps[name]
        return x.clamp(-zero * step, (255 - zero) * step)

    def forward(self, before: Tensor) -> tuple[Tensor, Tensor]:
        """What is seen, and the logits, of bytes."""
        step, zero = self.came
        x = ((before.float() - zero) * step).contiguous(memory_format=torch.channels_last)
        x = self._within("first", F.relu(self.first(x)))
        y = self._within("b", self.b(self._within("a", F.relu(self.a(x)))))
        x = self._within("both", F.relu(x + y))
        seen = self._within("last", F.relu(self.last(x))).flatten(1)
        return seen, self.head(F.dropout(seen, DROPPED, self.training))

    def saw(self, features: Tensor) -> Tensor:
        """What the published network saw, of bytes."""
        step, zero = self.steps["last"]
        return (features.float() - zero) * step

    def put_into(self, published: Published, share: float) -> None:
        """So much of these layers, and the rest as published."""

        def mean(layer: nn.Module, now: NDArray[Any], name: str) -> NDArray[Any]:
            mine = getattr(layer, name).detach().numpy()
            return np.asarray(share * mine + (1 - share) * now)

        for name, place in self.places.items():
            layer, (weights, bias) = getattr(self, name), published.convolution(place)
            published.put_convolution(
                place, mean(layer, weights, "weight"), mean(layer, bias, "bias")
            )
        for name, place in zip(("weight", "bias"), published.head, strict=True):
            published.put(place, mean(self.head, published.value(place), name))


def _holding(layer: nn.Module, weights: NDArray[Any], bias: NDArray[Any]) -> nn.Module:
    with torch.no_grad():
        layer.weight.copy_(torch.from_numpy(weights))
        layer.bias.copy_(torch.from_numpy(bias))
    return layer


def loss_of(out: Tensor, seen: Seen, counts: Tensor) -> Tensor:
    """Cross entropy of letter with turn, each square counting so often; as in `train.glyph_loss`."""
    told = letters_told(out, seen.letters.long(), seen.turns.long()).told
    some = counts[seen.letters != 255]
    return -(told * some).sum() / some.sum()


def kept(out: Tensor, seen: Seen, counts: Tensor, kinds_stay: float) -> tuple[Tensor, Tensor]:
    """How far kinds, and letters that were said rightly, have come; and where all was right."""
    told, kinds, letters = seen.logits.float(), seen.kinds.long(), seen.letters.long()
    kind_said = told[:, :KINDS].argmax(1) == kinds
    says = told[:, KINDS:].unflatten(1, (-1, 4)).logsumexp(2).argmax(1)
    right = (letters != 255) & (says == letters)
    of_kind, of_letter = (
        F.kl_div(
            out[:, part].log_softmax(1),
            told[:, part].log_softmax(1),
            reduction="none",
            log_target=True,
        ).sum(1)
        for part in (slice(KINDS), slice(KINDS, None))
    )
    kind = (of_kind * counts).sum() / counts.sum()
    letter = (of_letter * right * counts).sum() / (right * counts).sum().clamp(min=1)
    return kinds_stay * kind + letter, torch.where(letters != 255, right, kind_said)


@torch.no_grad()
def measure(net: nn.Module, seen: Seen) -> dict[str, float]:
    """Loss, letters told wrongly and surely so (above 0.9), and how far what is seen has come."""
    net.eval()
    sums = np.zeros(5)
    for start in range(0, len(seen.kinds), LOOK):
        some = seen.of(slice(start, start + LOOK))
        features, out = net(some.before)
        tile = some.letters != 255
        letter = out[tile][:, KINDS:].softmax(1).unflatten(1, (-1, 4)).sum(2)
        wrong = letter.argmax(1) != some.letters[tile]
        away = (features - net.saw(some.features)).square().mean()
        n = len(out)
        loss = loss_of(out, some, torch.ones(n))
        surely = (wrong & (letter.amax(1) > 0.9)).sum()
        sums += [float(loss) * n, int(tile.sum()), int(wrong.sum()), int(surely), float(away) * n]
    net.train()
    n = len(seen.kinds)
    return {
        "loss": sums[0] / n,
        "wrong": sums[2] / sums[1],
        "surely": sums[3] / sums[1],
        "away": sums[4] / n,
    }


def trained(
    net: LastLayers,
    seen: Seen,
    held: Seen,
    *,
    epochs: float,
    rate: float,
    batch: int,
    same: float,
    kinds: float,
) -> LastLayers:
    """The running mean of the layers after so many rounds of what is shown of the squares.

    Args:
        net: the layers as they are.
        seen: squares to learn from.
        held: others to measure on.
        epochs: rounds.
        rate: the largest step.
        batch: squares a step.
        same: how much it counts that they see what was seen, in spreads of that.
        kinds: how much it counts that they say of kinds what was said.
    """
    easy = seen.easy()
    hard, rest = (x.nonzero()[:, 0] for x in (~easy, easy))
    few = int(EASY * len(rest))
    steps = int(epochs * (len(hard) + few) / batch)
    spread = float(net.saw(held.features).var())
    optimiser = torch.optim.AdamW(net.parameters(), lr=rate, weight_decay=0.0)
    schedule = torch.optim.lr_scheduler.OneCycleLR(
        optimiser, rate, total_steps=steps, pct_start=0.08
    )
    mean = torch.optim.swa_utils.AveragedModel(
        net, multi_avg_fn=torch.optim.swa_utils.get_ema_multi_avg_fn(0.99)
    )
    order = torch.zeros(0, dtype=torch.long)
    for step in range(steps):
        if len(order) < batch:
            order = torch.cat([hard, rest[torch.randperm(len(rest))[:few]]])
            order = order[torch.randperm(len(order))]
        which, order = order[:batch], order[batch:]
        some, counts = seen.of(which), torch.where(easy[which], 1 / EASY, 1.0)
        with in_halves(torch.device("cpu")):
            features, out = net(some.before)
        features, out = features.float(), out.float()
        unlike, right = kept(out, some, counts, kinds)
        stays = right * counts
        away = (features - net.saw(some.features)).square().mean(1) / spread
        loss = loss_of(out, some, counts) + unlike + same * (away * stays).sum() / stays.sum()
        optimiser.zero_grad(set_to_none=True)
        loss.backward()
        nn.utils.clip_grad_norm_(net.parameters(), 5.0)
        optimiser.step()
        schedule.step()
        mean.update_parameters(net)
        if step % 100 == 99 or step == steps - 1:
            facts = measure(mean.module, held) if step % 300 == 299 or step == steps - 1 else {}
            text = " ".join(f"{k}={v:.4f}" for k, v in facts.items())
            print(f"{step + 1} of {steps} loss={loss.item():.4f} {text}", flush=True)
    return mean.module


def main() -> None:
    """Draw, look, train, put the layers into the published network."""
    ap = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    ap.add_argument("name", choices=sorted(LAST))
    ap.add_argument("--pool", type=Path, required=True)
    ap.add_argument("--tables", type=int, default=40, help="tables of loose tiles to learn from")
    ap.add_argument("--samples", type=int, default=1600)
    ap.add_argument("--held", type=int, default=200, help="samples to measure on")
    ap.add_argument("--epochs", type=float, default=4.0)
    ap.add_argument("--rate", type=float, default=3e-4)
    ap.add_argument("--batch", type=int, default=384)
    ap.add_argument("--same", type=float, default=0.25, help="how much what is seen is to stay")
    ap.add_argument(
        "--kinds", type=float, default=8.0, help="how much it counts that kinds are told as before"
    )
    ap.add_argument("--resume", type=Path, help="layers of an earlier run, from its scratch")
    ap.add_argument(
        "--share", type=float, default=1.0, help="how much of the trained layers counts"
    )
    ap.add_argument("--seed", type=int, default=91)
    ap.add_argument("--threads", type=int, default=2)
    ap.add_argument("--weights", type=Path, default=WEIGHTS)
    ap.add_argument("--scratch", type=Path, default=Path("scratch"))
    ap.add_argument("--out", type=Path, default=WEIGHTS)
    a = ap.parse_args()
    cv2.setNumThreads(1)
    torch.set_num_threads(a.threads)
    torch.manual_seed(a.seed)
    pools = Pool(a.pool), loose_scene.TablePool(a.pool, a.tables)
    published = Published(a.name, a.weights)
    seen = seen_by(published, pools, a.seed, 0, a.samples, TURNED)
    held = seen_by(published, pools, a.seed, a.samples, a.held, 1)
    net = LastLayers(published).to(memory_format=torch.channels_last)
    if a.resume:
        net.load_state_dict(torch.load(a.resume, weights_only=True))
    print(f"before: {measure(net, held)}", flush=True)
    net = trained(
        net, seen, held, epochs=a.epochs, rate=a.rate, batch=a.batch, same=a.same, kinds=a.kinds
    )
    a.scratch.mkdir(parents=True, exist_ok=True)
    torch.save(net.state_dict(), a.scratch / f"{a.name}-letters.pt")
    net.put_into(published, a.share)
    print(published.write(a.out, a.seed))


if __name__ == "__main__":
    main()
