"""A small network learns from a wide one: it starts as what is best of it, then says what it says.

Hinton, Vinyals and Dean, Distilling the knowledge in a neural network, 2015; the features where
the stem ends are matched too (Romero et al., FitNets, 2015), so that what follows can be taken
over at once.
"""

from __future__ import annotations

import torch
from torch import Tensor, nn

from models.training.nets import GlyphNet, LatticeNet, Residual
from models.training.wide_nets import WideGlyph, WideLattice

F = nn.functional
FEATURES_WEIGHT = 0.5
Parts = tuple[Tensor, Tensor]
"""Features where the stem ends, and the answer."""


def inherit(small: nn.Module, wide: nn.Module) -> None:
    """Take over the wide network's layers, of its residuals the channels that matter most.

    Only the first layer, which sees patches, is left as it is.

    Raises:
        TypeError: the networks are not of one kind.
    """
    pairs: list[tuple[nn.Module, nn.Module]]
    if isinstance(small, LatticeNet) and isinstance(wide, WideLattice):
        pairs = [(small.stem[1], wide.stem[2]), (small.pool, wide.pool), (small.head, wide.head)]
        pairs += zip(small.body, [*wide.stem[3:], *wide.context], strict=True)
    elif isinstance(small, GlyphNet) and isinstance(wide, WideGlyph):
        pairs = [(small.head, wide.head), *zip(small.body, wide.body[3:], strict=True)]
    else:
        raise TypeError(
            f"expected a network and its wide one, got {type(small).__name__} and"
            f" {type(wide).__name__}"
        )
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


def likeness(task: str, mine: Parts, taught: Parts, truth: list[Tensor]) -> dict[str, Tensor]:
    """How far a small network is from saying what the wide one says, where that one is right."""
    features, out = (x.float() for x in mine)
    wanted, told = (x.float() for x in taught)
    apart = F.mse_loss(features, wanted) / wanted.var().clamp(min=1e-4)
    says = {"glyph": _as_glyph, "lattice": _as_lattice}[task]
    return {"features": apart * FEATURES_WEIGHT, "taught": says(out, told, truth)}


def _divergence(out: Tensor, told: Tensor, where: Tensor) -> Tensor:
    """Mean Kullback-Leibler divergence over the places where the wide network is believed."""
    each = (told.log_softmax(1).exp() * (told.log_softmax(1) - out.log_softmax(1))).sum(1)
    return (each * where).sum() / where.sum().clamp(min=1)


def _as_glyph(out: Tensor, told: Tensor, truth: list[Tensor]) -> Tensor:
    kinds, letters = (t.reshape(-1) for t in truth[:2])
    kind = _divergence(out[:, :4], told[:, :4], told[:, :4].argmax(1) == kinds)
    letter = told[:, 4:].unflatten(1, (-1, 4)).logsumexp(2).argmax(1)
    return kind * 3 + _divergence(out[:, 4:], told[:, 4:], letter == letters)


def _as_lattice(out: Tensor, told: Tensor, truth: list[Tensor]) -> Tensor:
    inside = truth[0][:, 2]
    apart = F.smooth_l1_loss(out[:, :3], told[:, :3].clamp(-6, 6), reduction="none", beta=0.02)
    present = F.binary_cross_entropy_with_logits(out[:, 3], told[:, 3].sigmoid())
    return (apart.sum(1) * inside).sum() / inside.sum().clamp(min=1) * 5 + present
