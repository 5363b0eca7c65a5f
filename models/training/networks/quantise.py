"""Turn the weights of an exported network into 8-bit integers: three times as fast on a CPU.

    python -m kibitz.models.training.networks.quantise glyph --pool scratch/pool --source scratch/float

Ranges of activations are taken from training samples (seeded). Weights keep seven bits, so that
processors without dot-product instructions do not overflow.
"""

from __future__ import annotations

import argparse
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import onnx
from numpy.typing import NDArray
from onnxruntime.quantization import CalibrationDataReader, QuantFormat, QuantType, quantize_static
from onnxruntime.quantization.shape_inference import quant_pre_process

from kibitz.models.session import WEIGHTS, patches
from kibitz.models.training.facts import keep_facts, kept_facts
from kibitz.models.training.networks.slim import slim
from kibitz.models.training.sampling import faces, loose_scene, prints, samples
from kibitz.models.training.sampling.pool import Pool

Picture = NDArray[np.uint8]
SAMPLES: dict[str, Callable[[np.random.Generator, Pool, loose_scene.TablePool], Picture]] = {
    "finder": lambda rng, pool, _: samples.finder_sample(rng, pool)[0][None],
    "lattice": lambda rng, pool, _: samples.lattice_sample(rng, pool)[0][None],
    "reader": lambda rng, pool, _: samples.reader_sample(rng, pool)[0][None],
    "glyph": lambda rng, pool, _: faces.face_sample(rng, pool)[0],
    "small_glyph": lambda rng, pool, _: faces.face_sample(rng, pool)[0],
    "sign": lambda rng, pool, _: faces.sign_sample(rng, pool)[0],
    "mirror": lambda rng, pool, _: np.concatenate(
        [faces.mirror_sample(rng, pool)[0], prints.print_sample(rng)[0]]
    ),
    "mark": lambda rng, pool, _: faces.mark_sample(rng, pool, faces.twins_photographed)[0],
    "loose": lambda rng, _, tables: loose_scene.loose_sample(rng, tables)[0][None],
}


ALL_INTEGERS = ("reader", "glyph", "small_glyph", "mark", "sign", "mirror", "loose")
"""Networks whose numbers stay integers from one layer to the next; places need them finer."""


class _Samples(CalibrationDataReader):  # type: ignore[misc]
    def __init__(self, pictures: Iterator[Picture]) -> None:
        self._pictures = pictures

    def get_next(self) -> dict[str, Any] | None:
        """The next batch, or None."""
        picture = next(self._pictures, None)
        return None if picture is None else {"picture": picture}


def _delicate(model: onnx.ModelProto, patched: bool) -> list[str]:
    """The head, whose output is the answer, and a first convolution that sees the picture.

    Patches come as integers and are left so.
    """
    convolutions = [n.name for n in model.graph.node if n.op_type == "Conv"]
    return [n for n in convolutions if (n == convolutions[0] and not patched) or "head" in n]


def quantise(name: str, source: Path, out: Path, pictures: Iterator[Picture]) -> Path:
    """Write `NAME.onnx` and `NAME.json` with 8-bit weights and activations."""
    facts = kept_facts(source / f"{name}.onnx")
    path = out / f"{name}.onnx"
    patched = bool(facts.get("patched", False))
    with tempfile.TemporaryDirectory() as folder:
        plain = Path(folder) / "plain.onnx"
        quant_pre_process(str(source / f"{name}.onnx"), str(plain), skip_symbolic_shape=True)
        quantize_static(
            str(plain),
            str(path),
            _Samples(map(patches, pictures) if patched else pictures),
            quant_format=QuantFormat.QDQ,
            per_channel=True,
            reduce_range=True,
            activation_type=QuantType.QUInt8,
            weight_type=QuantType.QInt8,
            op_types_to_quantize=["Conv", "Relu"] if name in ALL_INTEGERS else ["Conv"],
            nodes_to_exclude=_delicate(onnx.load(str(plain)), patched),
        )
    model = onnx.load(str(path))
    slim(model, name)
    del model.metadata_props[:]
    for entry in onnx.load(str(source / f"{name}.onnx")).metadata_props:
        model.metadata_props.add(key=entry.key, value=entry.value)
    onnx.save(model, str(path))
    keep_facts(path, {**facts, "weights": "int8"})
    return path


def main() -> None:
    """Quantise some of the networks."""
    ap = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    ap.add_argument("names", nargs="+", choices=sorted(SAMPLES))
    ap.add_argument("--pool", type=Path, required=True)
    ap.add_argument(
        "--source", type=Path, required=True, help="folder of the exported float models"
    )
    ap.add_argument("--out", type=Path, default=WEIGHTS)
    ap.add_argument("--count", type=int, default=60)
    ap.add_argument("--seed", type=int, default=1)
    a = ap.parse_args()
    a.out.mkdir(parents=True, exist_ok=True)
    pool, tables = Pool(a.pool), loose_scene.TablePool(a.pool)
    for name in a.names:
        draw = SAMPLES[name]
        pictures = (draw(np.random.default_rng([a.seed, i]), pool, tables) for i in range(a.count))
        print(quantise(name, a.source, a.out, pictures))


if __name__ == "__main__":
    main()
