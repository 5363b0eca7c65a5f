"""Write a trained network as .onnx with its facts."""

from __future__ import annotations

import warnings
from pathlib import Path

import onnx
import torch
from torch import nn

from kibitz.models.session import ANY_SIZE, PATCH_PX
from kibitz.models.training.drawing import glyphs
from kibitz.models.training.facts import how_made, keep_facts, kept_facts
from kibitz.models.training.networks.nets import FromPatches, Patched
from kibitz.models.training.sampling import sizes

INPUT_PX = {
    "glyph": sizes.GLYPH_PX,
    "small_glyph": sizes.GLYPH_PX,
    "mark": sizes.MARK_PX,
    "sign": sizes.GLYPH_PX,
    "mirror": sizes.GLYPH_PX,
    "reader": sizes.READER_PX,
    "lattice": sizes.LATTICE_PX,
    "finder": sizes.FINDER_PX,
    "loose": sizes.LOOSE_PX,
}

LETTERED = ("reader", "glyph", "small_glyph", "mark")
"""Networks that tell letters."""


def export(task: str, net: nn.Module, out: Path, seed: int) -> Path:
    """Write `TASK.onnx` and `TASK.json`; the labels also travel inside the model."""
    net.eval()
    kind = task.removeprefix("wide_")
    px = INPUT_PX[kind]
    patched = isinstance(net, Patched) and not net.wide
    shape = (1, px // PATCH_PX, px // PATCH_PX, 3 * PATCH_PX**2) if patched else (1, px, px, 3)
    path = out / f"{task}.onnx"
    out.mkdir(parents=True, exist_ok=True)
    sides = {1: "height", 2: "width"} if kind in ANY_SIZE else {}
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        torch.onnx.export(
            FromPatches(net) if patched else net,
            (torch.zeros(*shape, dtype=torch.uint8),),
            str(path),
            dynamo=False,
            opset_version=17,
            input_names=["picture"],
            output_names=["logits"],
            dynamic_axes={
                "picture": {0: "n", **sides},
                "logits": {0: "n"} | ({2: "h4", 3: "w4"} if sides else {}),
            },
        )
    model = onnx.load(str(path))
    labels = "".join(glyphs.LABELS) if kind in LETTERED else ""
    for key, value in (("task", task), ("labels", labels), ("input_px", str(px))):
        entry = model.metadata_props.add()
        entry.key, entry.value = key, value
    onnx.save(model, str(path))
    facts = kept_facts(path) if path.with_suffix(".json").exists() else {}
    facts.pop("sees_as", None)  # it sees otherwise now
    facts |= {
        "task": task,
        "input_px": px,
        "labels": labels,
        **how_made(kind),
        "seed": seed,
        "patched": patched,
    }
    facts.setdefault("temperature", 1.0)
    keep_facts(path, facts)
    return path
