"""A narrow network learns from a wide one: it starts as what is best of it, then says what it says.

Hinton, Vinyals and Dean, Distilling the knowledge in a neural network, 2015; the features where
the stem ends are matched too (Romero et al., FitNets, 2015), so that what follows can be taken
over at once.
"""

from __future__ import annotations

import torch
from torch import Tensor, nn

from kibitz.models.training.drawing.covers import TILE
from kibitz.models.training.networks.nets import Patched, Residual

F = nn.functional
FEATURES_WEIGHT = 0.5
CENTRE_WEIGHT = 4.0
Parts = tuple[Tensor, Tensor]
"""Features where the stem ends, and the answer."""


def inherit(small: Patched, wide: Patched) -> None:
    """Take over the wide network's layers, of its residuals the channels that matter most.

    Only the first layer, which sees patches, is left as it is.
    """
    _take_over(small.stem[-1], wide.stem[-1])
    for name, layer in small.named_children():
        if name not in ("start", "stem"):
            _take_over(layer, getattr(wide, name))


def _take_over(mine: nn.Module, theirs: nn.Module) -> None:
    if isinstance(mine, nn.Sequential):
        for a, b in zip(mine, theirs.children(), strict=True):
            _take_over(a, b)
    elif isinstance(mine, Residual) and isinstance(theirs, Residual):
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


def _features_apart(mine: Tensor, taught: Tensor) -> Tensor:
    wanted = taught.float()
    return F.mse_loss(mine.float(), wanted) / wanted.var().clamp(min=1e-4) * FEATURES_WEIGHT


def lattice_likeness(mine: Parts, taught: Parts, truth: Tensor) -> dict[str, Tensor]:
    """How far a narrow network is from seeing and saying what the wide one does.

    Args:
        mine: (N, 32, 64, 64) features and (N, 4, 16, 16) answer of the narrow network.
        taught: the same of the wide one.
        truth: (N, 3, 16, 16), see `samples.lattice_sample`; where no board is, no shift counts.
    """
    out, told = mine[1].float(), taught[1].float()
    inside = truth[:, 2]
    off = F.smooth_l1_loss(out[:, :3], told[:, :3].clamp(-6, 6), reduction="none", beta=0.02)
    shift = (off.sum(1) * inside).sum() / inside.sum().clamp(min=1) * 5
    present = F.binary_cross_entropy_with_logits(out[:, 3], told[:, 3].sigmoid())
    return {"features": _features_apart(mine[0], taught[0]), "taught": shift + present}


def finder_likeness(mine: Parts, taught: Parts, truth: Tensor) -> dict[str, Tensor]:
    """As `lattice_likeness`, for playing areas.

    Args:
        mine: (N, 24, h, w) features and (N, 2, h, w) answer of the narrow network.
        taught: the same of the wide one.
        truth: not asked for: the wide one's answer counts everywhere.
    """
    wanted = taught[1].float().sigmoid()
    areas = F.binary_cross_entropy_with_logits(mine[1].float(), wanted)
    return {"features": _features_apart(mine[0], taught[0]), "taught": areas * 2}


def loose_likeness(mine: Parts, taught: Parts, truth: Tensor) -> dict[str, Tensor]:
    """As `lattice_likeness`, for loose tiles.

    Where both agree on a centre's probability nothing is left to learn, and most of a picture is
    no centre: what counts is weighted by how far they are apart (Li et al., Generalized Focal
    Loss, 2020).

    Args:
        mine: (N, 32, h, w) features and (N, 7, h, w) answer of the narrow network.
        taught: the same of the wide one.
        truth: (N, 8, h, w), see `loose_scene.loose_sample`; off the tiles no shape counts.
    """
    out, told = mine[1].float(), taught[1].float()
    known = truth[:, 1]
    tiles = known.sum().clamp(min=1)
    wanted = told[:, 0].sigmoid()
    apart = (out[:, 0].sigmoid() - wanted).square().detach()
    unlike = F.binary_cross_entropy_with_logits(out[:, 0], wanted, reduction="none")
    centre = (apart * unlike).sum() / (truth[:, 0] == 1).sum().clamp(min=1)
    off = F.smooth_l1_loss(out[:, 1:6], told[:, 1:6], reduction="none", beta=0.05).sum(1)
    face = F.binary_cross_entropy_with_logits(out[:, 6], told[:, 6].sigmoid(), reduction="none")
    shape = ((off * 2 + face) * known).sum() / tiles
    return {
        "features": _features_apart(mine[0], taught[0]),
        "taught": centre * CENTRE_WEIGHT + shape,
    }


def reader_likeness(mine: Parts, taught: Parts, kinds: Tensor) -> dict[str, Tensor]:
    """As `lattice_likeness`, for a look at a whole board.

    Args:
        mine: (N, 32, 102, 102) features and (N, 4 + letters + 4, 15, 15) answer of the narrow one.
        taught: the same of the wide one.
        kinds: (N, 15, 15), see `samples.reader_sample`; off the tiles no letter counts.
    """
    tiles = kinds == TILE
    kind, letter, turn = (
        _unlike(mine[1][:, part], taught[1][:, part])
        for part in (slice(0, 4), slice(4, -4), slice(-4, None))
    )
    of_tiles = ((letter + turn * 0.5) * tiles).sum() / tiles.sum().clamp(min=1)
    return {
        "features": _features_apart(mine[0], taught[0]),
        "taught": kind.mean() * 3 + of_tiles,
    }


def _unlike(out: Tensor, told: Tensor) -> Tensor:
    """Kullback-Leibler divergence along the second axis."""
    mine, wanted = out.float().log_softmax(1), told.float().log_softmax(1)
    return F.kl_div(mine, wanted, reduction="none", log_target=True).sum(1)


def glyph_likeness(out: Tensor, told: Tensor) -> dict[str, Tensor]:
    """How far a small network is from saying of squares what the large one does.

    Args:
        out: (N, 4 + letters * 4) logits of the small network.
        told: the same of the large one.
    """
    kind, both = (
        _unlike(out[:, part], told[:, part]).mean() for part in (slice(4), slice(4, None))
    )
    return {"kind_taught": kind * 3, "both_taught": both}


def kept(
    out: Tensor, told: Tensor, kinds: Tensor, letters: Tensor, turns: int
) -> dict[str, Tensor]:
    """How far a network has come from what an earlier one says rightly of squares.

    A network that learns something new is not to lose what it knows (Li and Hoiem, Learning
    without Forgetting, 2016). Where the earlier one is wrong it is not followed.

    Args:
        out: (N, C) logits: four kinds, then letters, each with its turns or once.
        told: the same of the earlier network.
        kinds: (N,) the truth; 255 where it is not asked for.
        letters: (N,) the truth, an index of the labels; 255 where there is none.
        turns: answers a letter: 4 if letter and turn are told together, else 1.
    """
    # a network that tells letters without turns tells four turns of them all at the end
    letters_end = out.shape[1] if turns == 4 else out.shape[1] - 4
    of_kind = _unlike(out[:, :4], told[:, :4]) * (told[:, :4].argmax(1) == kinds)
    says = told[:, 4:letters_end].unflatten(1, (-1, turns)).logsumexp(2).argmax(1)
    right = (letters != 255) & (says == letters)
    of_letter = _unlike(out[:, 4:], told[:, 4:]) * right
    return {
        "kind_kept": of_kind.mean() * 3,
        "letter_kept": of_letter.sum() / right.sum().clamp(min=1),
    }


def areas_kept(out: Tensor, told: Tensor, truth: Tensor) -> dict[str, Tensor]:
    """As `kept`, for playing areas: cells of which the earlier network is right stay as sure.

    Args:
        out: (N, 2, h, w) logits of the network.
        told: the same of the earlier one.
        truth: (N, 2, h, w) areas, 0 to 1.
    """
    right = (told > 0) == (truth > 0.5)
    off = F.binary_cross_entropy_with_logits(out.float(), told.float().sigmoid(), reduction="none")
    return {"areas_kept": (off * right).mean() * 2}
