"""Turn a published network back into a checkpoint that training can go on from.

    python -m kibitz.models.training.networks.restore glyph scratch/glyph.pt --pool scratch/pool
    python -m kibitz.models.training.networks.restore board scratch/board.pt

What is published has no batch norm left: it is part of the convolutions, whose weights are
integers. The norm is put back with the means and variances of a few dozen drawn pictures and with
scales and shifts that undo them, so that the network says what the published one says, in training
too. The board network has no such norms: its weights are as they were. Where letters have last
layers of their own these are taken, which were held to say of kinds what the first ones say.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import onnx
import torch
from numpy.typing import NDArray
from torch import Tensor, nn

from kibitz.models.session import WEIGHTS
from kibitz.models.training.networks.board_net import BoardNet
from kibitz.models.training.networks.board_train import blends
from kibitz.models.training.networks.last_layers import OWN
from kibitz.models.training.networks.quantise import SAMPLES
from kibitz.models.training.networks.slim import WIDE
from kibitz.models.training.networks.train import TASKS
from kibitz.models.training.sampling import loose_scene
from kibitz.models.training.sampling.pool import Pool

Weights = dict[str, tuple[NDArray[np.float32], NDArray[np.float32]]]
"""Weights and biases of convolutions and products, by the place of their layer."""


def published(path: Path) -> Weights:
    """The weights of an exported network as floating point numbers."""
    model = onnx.load(str(path))
    values = {i.name: onnx.numpy_helper.to_array(i) for i in model.graph.initializer}
    for node in model.graph.node:
        if node.op_type == "DequantizeLinear" and node.input[0] in values:
            values[node.output[0]] = _steps(*(values[x] for x in node.input))
    found: Weights = {}
    for node in model.graph.node:
        place = _place(node.name.removeprefix(OWN))
        if node.op_type in ("Conv", "Gemm"):
            weights = values[node.input[1].removesuffix(WIDE)].astype(np.float32)
            found[place] = weights, values[node.input[2]]
        elif node.op_type == "QLinearConv":
            _, per_step, _, weight, scale, zero, _, _, bias = (values.get(x) for x in node.input)
            counted = _steps(bias, scale * per_step, np.zeros(len(scale), np.int32))
            found[place] = _steps(weight, scale, zero), counted
    return found


def _steps(
    steps: NDArray[np.integer], scale: NDArray[np.float32], zero: NDArray[np.integer]
) -> NDArray[np.float32]:
    """What integers stand for; scale and zero are one number, or one for each first index."""
    shape = (-1, *(1,) * (steps.ndim - 1)) if scale.ndim else ()
    away = steps.astype(np.float32) - zero.astype(np.float32).reshape(shape)
    return np.asarray(away * scale.reshape(shape), np.float32)


def _place(name: str) -> str:
    """The place of a layer among a network's modules: `/body/body.3/a/a.0/Conv` is `body.3.a.0`."""
    parts: list[str] = []
    for part in name.strip("/").split("/")[:-1]:
        if parts and part.startswith(f"{parts[-1]}."):
            parts[-1] = part
        elif part != "net":
            parts.append(part)
    return ".".join(parts)


@torch.no_grad()
def restored(net: nn.Module, weights: Weights, pictures: Iterator[Tensor]) -> nn.Module:
    """The network with published weights, its norms as the pictures ask for.

    Raises:
        ValueError: the weights are those of another network.
    """
    modules = dict(net.named_modules())
    norms: dict[nn.BatchNorm2d, Tensor] = {}
    layers = {n for n, m in modules.items() if isinstance(m, nn.Conv2d | nn.Linear)}
    if layers != weights.keys():
        raise ValueError(f"expected weights of {sorted(layers)}, got {sorted(weights)}")
    for place, (weight, bias) in weights.items():
        layer = modules[place]
        layer.weight.copy_(torch.from_numpy(weight.copy()))
        if layer.bias is not None:
            layer.bias.copy_(torch.from_numpy(bias.copy()))
        else:
            parent, _, number = place.rpartition(".")
            norm = modules[f"{parent}.{int(number) + 1}"]
            norm.reset_parameters()
            norm.bias.copy_(torch.from_numpy(bias.copy()))
            norm.running_var.fill_(1 - norm.eps)
            norms[norm] = norm.bias.clone()
    sums = {norm: torch.zeros(3, norm.num_features, dtype=torch.float64) for norm in norms}

    def watch(norm: nn.BatchNorm2d, given: tuple[Tensor, ...]) -> None:
        x = given[0].double().transpose(0, 1).flatten(1)
        sums[norm] += torch.stack([torch.full_like(x[:, 0], x.shape[1]), x.sum(1), (x * x).sum(1)])

    hooks = [norm.register_forward_pre_hook(watch) for norm in norms]
    net.eval()
    for picture in pictures:
        net(picture)
    for hook in hooks:
        hook.remove()
    for norm, bias in norms.items():
        count, total, squares = sums[norm]
        mean = total / count
        norm.running_mean.copy_(mean)
        norm.running_var.copy_(squares / count - mean * mean)
        norm.weight.copy_((norm.running_var + norm.eps).sqrt())
        norm.bias.copy_(bias + norm.running_mean)
    return net


def board(weights: Path) -> BoardNet:
    """The published board network, from the folder of all published networks."""
    found: dict[str, NDArray[Any]] = {}
    for part in ("board_looks", "board"):
        model = onnx.load(str(weights / f"{part}.onnx"))
        values = {i.name: onnx.numpy_helper.to_array(i) for i in model.graph.initializer}
        found |= {name.removeprefix("net."): value for name, value in values.items()}
        for node in model.graph.node:
            if node.op_type == "MatMul" and node.input[1] in values:
                found[f"{_place(node.name)}.weight"] = values[node.input[1]].T
    net = BoardNet(blends(weights))
    state = {name: torch.from_numpy(found[name].copy()) for name in net.state_dict()}
    net.load_state_dict(state)
    return net


def main() -> None:
    """Write a checkpoint of a published network."""
    ap = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    ap.add_argument("name", choices=sorted((*SAMPLES, "board")))
    ap.add_argument("checkpoint", type=Path)
    ap.add_argument("--pool", type=Path, help="drawn boards; the board network needs none")
    ap.add_argument("--weights", type=Path, default=WEIGHTS)
    ap.add_argument("--count", type=int, default=60)
    ap.add_argument("--seed", type=int, default=1)
    a = ap.parse_args()
    if a.name == "board":
        net: nn.Module = board(a.weights)
    elif a.pool is None:
        ap.error(f"{a.name} needs --pool: a folder of drawn boards")
    else:
        pool, tables = Pool(a.pool), loose_scene.TablePool(a.pool)
        pictures = (
            torch.from_numpy(SAMPLES[a.name](np.random.default_rng([a.seed, i]), pool, tables))
            for i in range(a.count)
        )
        net = restored(TASKS[a.name].make(), published(a.weights / f"{a.name}.onnx"), pictures)
    torch.save(net.state_dict(), a.checkpoint)
    print(a.checkpoint)


if __name__ == "__main__":
    main()
