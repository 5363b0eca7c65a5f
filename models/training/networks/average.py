"""Average checkpoints of one network, weight by weight, and export the mean.

    python -m kibitz.models.training.networks.average glyph scratch/a/glyph.pt=0.34 scratch/b/glyph.pt=0.66

Networks trained on from one another lie in one valley: their mean is steadier than either
(Wortsman et al., Model soups, 2022).
"""

from __future__ import annotations

import argparse
from pathlib import Path

import torch

from kibitz.models.training.networks import export
from kibitz.models.training.networks.train import TASKS


def averaged(parts: list[tuple[Path, float]]) -> dict[str, torch.Tensor]:
    """The weighted mean of checkpoints; counters are those of the first.

    Raises:
        ValueError: the shares do not add up to 1.
    """
    total = sum(share for _, share in parts)
    if abs(total - 1.0) > 1e-6:
        raise ValueError(f"expected shares that add up to 1, got {total:g}")
    loaded = [(torch.load(path, weights_only=True), share) for path, share in parts]
    first = loaded[0][0]
    return {
        name: sum(share * state[name] for state, share in loaded)
        if first[name].is_floating_point()
        else first[name]
        for name in first
    }


def main() -> None:
    """Average and export."""
    ap = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    ap.add_argument("task", choices=sorted(TASKS))
    ap.add_argument("parts", nargs="+", metavar="CHECKPOINT=SHARE")
    ap.add_argument("--out", type=Path, default=Path(__file__).resolve().parents[2] / "weights")
    ap.add_argument("--seed", type=int, default=1)
    a = ap.parse_args()
    parts = [(Path(p), float(share)) for p, _, share in (x.rpartition("=") for x in a.parts)]
    net = TASKS[a.task].make()
    net.load_state_dict(averaged(parts))
    export.export(a.task, net, a.out, a.seed)


if __name__ == "__main__":
    main()
