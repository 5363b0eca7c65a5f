"""A narrow network learns from a wide one: it starts as what is best of it, then says what it says.

Hinton, Vinyals and Dean, Distilling the knowledge in a neural network, 2015; the features where
the stem ends are matched too (Romero et al., FitNets, 2015), so that what follows can be taken
over at once.
"""

from __future__ import annotations

import torch
from torch import Tensor, nn

from models.training.nets import LatticeNet, Residual

F = nn.functional
FEATURES_WEIGHT = 0.5
Parts = tuple[Tensor, Tensor]
"""Features where the stem ends, and the answer."""


def inherit(small: LatticeNet, wide: LatticeNet) -> None:
    """Take over the wide network's layers, of its residuals the channels that matter most.

    Only the first layer, which sees patches, is left as it is.
    """
    pairs: list[tuple[nn.Module, nn.Module]] = [
        (small.stem[-1], wide.stem[-1]),
        (small.pool, wide.pool),
        (small.head, wide.head),
        *zip(small.body, wide.body, strict=True),
    ]
    for mine, theirs in pairs:
        if isinstance(mine, Residual) and isinstance(theirs, Residual):
            _narrow(mine, theirs)
        else:
            mine.load_state_dict(theirs.state_dict())


@torch.no_grad()
def _narrow(small: Residual, wide: Residual) -> None:
    """The channels between a residual's two convolutions that move its outcome most."""
    first, norm, second = wide.a[0], wide.a[1], wide.b[0]
    weight = second.weight.square().sum((0, 2, 3)).sqrt() * norm.weight.abs()
    keep = weight.argsort(descending=True)[: small.a[0].out_channels].sort().values
    small.a[0].weight.copy_(first.weight[keep])
    for name in ("weight", "bias", "running_mean", "running_var"):
        getattr(small.a[1], name).copy_(getattr(norm, name)[keep])
    small.b[0].weight.copy_(second.weight[:, keep])
    small.b[1].load_state_dict(wide.b[1].state_dict())


def likeness(mine: Parts, taught: Parts, truth: Tensor) -> dict[str, Tensor]:
    """How far a narrow network is from seeing and saying what the wide one does.

    Args:
        mine: (N, 32, 64, 64) features and (N, 4, 16, 16) answer of the narrow network.
        taught: the same of the wide one.
        truth: (N, 3, 16, 16), see `samples.lattice_sample`; where no board is, no shift counts.
    """
    features, out = (x.float() for x in mine)
    wanted, told = (x.float() for x in taught)
    apart = F.mse_loss(features, wanted) / wanted.var().clamp(min=1e-4)
    inside = truth[:, 2]
    off = F.smooth_l1_loss(out[:, :3], told[:, :3].clamp(-6, 6), reduction="none", beta=0.02)
    shift = (off.sum(1) * inside).sum() / inside.sum().clamp(min=1) * 5
    present = F.binary_cross_entropy_with_logits(out[:, 3], told[:, 3].sigmoid())
    return {"features": apart * FEATURES_WEIGHT, "taught": shift + present}
