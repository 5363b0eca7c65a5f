"""Fit the layer that tells letters of every script, and give it to the published close look.

    python -m kibitz.models.training.networks.script_fit --looks scratch/script-looks --fresh scratch/script-seen

A linear discriminant analysis (Fisher, 1936) of what the close look leaves: every letter, each way
up, is a normal distribution round its own mean with the spread that all of them share. So each
letter's likelihood is told by itself, however often it was drawn, and letters of several scripts
can be compared. Features are summed up over quarters of the square; their roots are closer to
normal. One number, fitted on other sheets, says how far the likelihoods are believed.
"""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from pathlib import Path
from typing import Final

import numpy as np
import onnx
from numpy.typing import NDArray
from onnx import TensorProto, helper, numpy_helper

from kibitz.models.session import WEIGHTS
from kibitz.models.training.drawing.script_sheets import alphabets, labels, tile_sets
from kibitz.models.training.facts import how_made, keep_facts, kept_facts
from kibitz.models.training.networks.slim import FEATURES
from kibitz.vision.readings import BLANK

Floats = NDArray[np.float32]

CHANNELS, SIDE, PARTS = 96, 4, 2
"""The close look's features, and into how many parts a side they are summed up."""
OWN: Final = "scripts"
"""Begins the names of this layer's steps; its answer is called so."""
EVENED: Final = 1.0
"""How much of the mean variance is added to each: of few samples small ones are chance."""
TEMPERATURES = tuple(float(x) for x in np.geomspace(1.0, 8.0, 25))


def pooled(features: NDArray[np.uint8]) -> Floats:
    """(N, 384) roots of the means over quarters of a square, from (N, 1536) features."""
    n, part = len(features), SIDE // PARTS
    cells = features.reshape(n, CHANNELS, PARTS, part, PARTS, part).astype(np.float32)
    return np.asarray(np.sqrt(cells.mean((3, 5))).reshape(n, -1), np.float32)


def read_looks(paths: Sequence[Path]) -> tuple[Floats, NDArray[np.intp], NDArray[np.intp]]:
    """Features as `pooled` has them, letters by `labels`, and turns, of files of `script_looks`."""
    parts = [np.load(path) for path in paths]
    return (
        np.concatenate([pooled(p["features"]) for p in parts]),
        np.concatenate([p["letters"] for p in parts]).astype(np.intp),
        np.concatenate([p["turns"] for p in parts]).astype(np.intp),
    )


def fit(
    features: Floats, letters: NDArray[np.intp], turns: NDArray[np.intp]
) -> tuple[Floats, Floats]:
    """Weights (D, classes) and biases (classes,) of the log likelihoods of letter and turn."""
    which = letters * 4 + turns
    count = np.bincount(which, minlength=4 * len(labels()))
    if not count.all():
        raise ValueError("expected samples of every letter, each way up; draw more sheets")
    means = np.zeros((len(count), features.shape[1]), np.float32)
    np.add.at(means, which, features)
    means /= count[:, None]
    rest = features - means[which]
    spread = rest.T @ rest / len(rest)
    spread += EVENED * np.trace(spread) / len(spread) * np.eye(len(spread), dtype=np.float32)
    weights = np.linalg.solve(spread, means.T).astype(np.float32)
    return weights, np.asarray(-0.5 * (means.T * weights).sum(0), np.float32)


def measure(
    logits: Floats, letters: NDArray[np.intp], turns: NDArray[np.intp], temperature: float
) -> tuple[dict[str, float], float]:
    """The part of letters told rightly among those of their own alphabet, and the mean loss."""
    names = np.array([script for script, letters in alphabets().items() for _ in letters])
    right: dict[str, float] = {}
    lost: list[Floats] = []
    for script in alphabets():
        own = np.append(np.flatnonzero(names == script), len(names))
        of = np.append(names, BLANK)[letters] == script
        logs = logits.reshape(len(logits), -1, 4)[np.ix_(of, own)] / temperature
        logs -= logs.max((1, 2), keepdims=True)
        logs -= np.log(np.exp(logs).sum((1, 2), keepdims=True))
        truth = np.searchsorted(own, letters[of])
        right[script] = float((logs.max(-1).argmax(-1) == truth).mean())
        lost.append(-logs[np.arange(len(truth)), truth, turns[of]])
    return right, float(np.concatenate(lost).mean())


def put_into(path: Path, weights: Floats, bias: Floats) -> None:
    """Give a published close look these weights as a layer of its own, `scripts`, and its labels."""
    model, part = onnx.load(str(path)), SIDE // PARTS
    graph = model.graph
    for kept in (graph.node, graph.initializer, graph.output):
        for earlier in [x for x in kept if x.name.startswith(OWN)]:
            kept.remove(earlier)
    square, halves, row = [part] * 2, weights.astype(np.float16), np.array([-1, len(weights)])
    letters = np.array([-1, len(labels()), 4])
    constants = {"weights": halves, "bias": bias, "rows": row, "letters": letters}
    graph.initializer.extend(
        numpy_helper.from_array(value, f"{OWN}/{name}") for name, value in constants.items()
    )
    pool = {"kernel_shape": square, "strides": square}
    for kind, given, left, how in (
        ("Cast", [FEATURES], "numbers", {"to": TensorProto.FLOAT}),
        ("AveragePool", [f"{OWN}/numbers"], "parts", pool),
        ("Sqrt", [f"{OWN}/parts"], "roots", {}),
        ("Reshape", [f"{OWN}/roots", f"{OWN}/rows"], "row", {}),
        ("Cast", [f"{OWN}/weights"], "factors", {"to": TensorProto.FLOAT}),
        ("MatMul", [f"{OWN}/row", f"{OWN}/factors"], "product", {}),
        ("Add", [f"{OWN}/product", f"{OWN}/bias"], "sum", {}),
        ("Reshape", [f"{OWN}/sum", f"{OWN}/letters"], "", {}),
    ):
        out = f"{OWN}/{left}" if left else OWN
        graph.node.append(helper.make_node(kind, given, [out], name=f"{OWN}/to {left}", **how))
    told = ["n", len(labels()), 4]
    graph.output.append(helper.make_tensor_value_info(OWN, TensorProto.FLOAT, told))
    onnx.checker.check_model(model)
    onnx.save(model, str(path))
    facts = {
        **kept_facts(path),
        "script_labels": "".join(labels()),
        "tile_sets": {name: "".join(letters) for name, letters in tile_sets().items()},
        "made_scripts": how_made("glyph")["made"],
    }
    keep_facts(path, facts)


def main() -> None:
    """Fit and publish."""
    ap = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    ap.add_argument("--looks", type=Path, required=True)
    ap.add_argument("--fresh", type=Path, required=True, help="looks at other sheets")
    ap.add_argument("--out", type=Path, default=WEIGHTS)
    a = ap.parse_args()
    weights, bias = fit(*read_looks(sorted(a.looks.glob("looks-*[0-9].npz"))))
    features, *truth = read_looks(sorted(a.fresh.glob("looks-*[0-9].npz")))
    logits = features @ weights + bias
    temperature = min(TEMPERATURES, key=lambda x: measure(logits, *truth, x)[1])
    print(temperature, *measure(logits, *truth, temperature), flush=True)
    put_into(
        a.out / "glyph.onnx", weights / np.float32(temperature), bias / np.float32(temperature)
    )


if __name__ == "__main__":
    main()
