"""The wide network that the narrow one of `nets` learns from (Hinton et al., 2015).

It sees the picture as it is, three channels at full size.
"""

from __future__ import annotations

import torch
from torch import Tensor, nn

from models.training.nets import Normalise, Residual, conv


class WideLattice(nn.Module):
    """A roughly straightened board to where the lattice really is.

    Input (N, 256, 256, 3); output (N, 4, 16, 16): x and y shift in squares, log spread, and
    the logit of being on a playing area.
    """

    def __init__(self) -> None:
        super().__init__()
        self.norm = Normalise()
        self.stem = nn.Sequential(
            conv(3, 16, 2),
            conv(16, 32, 2),
            Residual(32),
            conv(32, 64, 2),
            Residual(64),
            conv(64, 96, 2),
        )
        self.context = nn.Sequential(Residual(96, 1), Residual(96, 2), Residual(96, 4))
        self.pool = nn.Sequential(nn.AdaptiveAvgPool2d(1), nn.Conv2d(96, 96, 1), nn.ReLU())
        self.head = nn.Sequential(conv(192, 96, k=1), nn.Conv2d(96, 4, 1))

    def parts(self, x: Tensor) -> tuple[Tensor, Tensor]:
        """(N, 32, 64, 64) features and the answer."""
        start = self.stem[:3](self.norm(x))
        f = self.context(self.stem[3:](start))
        g = self.pool(f).expand(-1, -1, f.shape[2], f.shape[3])
        return start, self.head(torch.cat([f, g], 1))

    def forward(self, x: Tensor) -> Tensor:
        """Shift, spread and presence for every 16-pixel cell."""
        return self.parts(x)[1]
