"""The networks, small enough for one core. Each takes (N, H, W, 3) uint8 BGR pictures."""

from __future__ import annotations

import torch
from torch import Tensor, nn

from kibitz.models.session import FLOOR, LEVELS, PATCH_PX
from kibitz.vision.boards.letters.signs import SEEN as SIGN_NUMBERS


class Normalise(nn.Module):
    """Bring any exposure to mean 0 and unit contrast, one pair of numbers a picture."""

    def forward(self, x: Tensor) -> Tensor:
        """(N, H, W, 3) uint8 to (N, 3, H, W) float."""
        f = x.permute(0, 3, 1, 2).float() / 255.0
        mean = f.mean((1, 2, 3), keepdim=True)
        std = ((f - mean) ** 2).mean((1, 2, 3), keepdim=True).sqrt()
        return (f - mean) / (std + 0.02)


def conv(
    cin: int, cout: int, stride: int = 1, k: int = 3, dilation: int = 1, pad: int | None = None
) -> nn.Sequential:
    """Convolution, batch norm, ReLU."""
    pad = dilation * (k // 2) if pad is None else pad
    return nn.Sequential(
        nn.Conv2d(cin, cout, k, stride, pad, dilation, bias=False),
        nn.BatchNorm2d(cout),
        nn.ReLU(inplace=True),
    )


class Residual(nn.Module):
    """Two convolutions around a shortcut."""

    def __init__(self, c: int, dilation: int = 1, inner: int | None = None) -> None:
        super().__init__()
        inner = inner or c
        self.a = conv(c, inner, dilation=dilation)
        self.b = nn.Sequential(
            nn.Conv2d(inner, c, 3, 1, dilation, dilation, bias=False), nn.BatchNorm2d(c)
        )

    def forward(self, x: Tensor) -> Tensor:
        """Same shape out."""
        return torch.relu(x + self.b(self.a(x)))


class Patches(nn.Module):
    """A picture at an even exposure, cut into patches of 4 x 4 pixels, as `models.session` does.

    A convolution with only three channels costs a processor nearly as much as one with 48.
    """

    def forward(self, x: Tensor) -> Tensor:
        """(N, H, W, 3) uint8 to (N, 48, H / 4, W / 4) float, 32 steps to one spread."""
        n, h, w, _ = x.shape
        p = PATCH_PX
        f = x.float()
        mean = f.mean((1, 2, 3), keepdim=True)
        spread = ((f - mean) ** 2).mean((1, 2, 3), keepdim=True).sqrt()
        f = ((f - mean) * (LEVELS / (spread + FLOOR)) + 128).round().clamp(0, 255)
        f = f.reshape(n, h // p, p, w // p, 3 * p).permute(0, 2, 4, 1, 3)
        return ((f - 128) / LEVELS).reshape(n, 3 * p * p, h // p, w // p)


def first_steps(wide: bool, inner: int = 16, out: int = 32) -> tuple[nn.Module, nn.Sequential]:
    """How a network takes its picture, and what it makes of it: `out` channels at a quarter.

    The wide way sees the picture as it is, three channels at full size.
    """
    if wide:
        return Normalise(), nn.Sequential(conv(3, 16, 2), conv(16, out, 2), Residual(out))
    return Patches(), nn.Sequential(conv(48, out, k=1), Residual(out, inner=inner))


class Patched(nn.Module):
    """A network that takes patches, unless it is wide: a start, a stem, and the rest."""

    wide: bool
    start: nn.Module
    stem: nn.Sequential

    def rest(self, f: Tensor) -> Tensor:
        """The answer from what the stem sees."""
        raise NotImplementedError

    def parts(self, x: Tensor) -> tuple[Tensor, Tensor]:
        """What the stem sees, (N, C, H / 4, W / 4), and the answer.

        In both a narrow network can be compared with the wide one that it learns from.
        """
        f = self.stem(self.start(x))
        return f, self.rest(f)

    def answer(self, started: Tensor) -> Tensor:
        """The answer from what the start makes of pictures."""
        return self.rest(self.stem(started))

    def forward(self, x: Tensor) -> Tensor:
        """The answer."""
        return self.answer(self.start(x))


class FromPatches(nn.Module):
    """A network without its own first step: `models.session.patches` takes it, in bytes."""

    def __init__(self, net: Patched) -> None:
        super().__init__()
        self.net = net

    def forward(self, x: Tensor) -> Tensor:
        """(N, H / 4, W / 4, 48) uint8 to the answer."""
        return self.net.answer((x.permute(0, 3, 1, 2).float() - 128) / LEVELS)


class ReaderNet(Patched):
    """A straightened board to kind (4), letter and turn (4) of each square.

    The other learns from the wide one (Hinton et al., 2015).

    Input (N, 408, 408, 3); output (N, 4 + letters + 4, 15, 15) logits.
    """

    def __init__(self, letters: int, *, wide: bool = False) -> None:
        super().__init__()
        self.wide = wide
        self.start, self.stem = first_steps(wide)
        self.body = nn.Sequential(
            conv(32, 64, 2),
            Residual(64, inner=64 if wide else 48),
            Residual(64, inner=64 if wide else 48),
            # One output a square: 51 = 17 x 3, a window of three steps each.
            conv(64, 192, 3, 3, pad=0),
            Residual(192, inner=192 if wide else 96),
        )
        self.head = nn.Conv2d(192, 4 + letters + 4, 1)

    def rest(self, f: Tensor) -> Tensor:
        """The answer from what the stem sees, the surround's squares cut off."""
        return self.head(self.body(f))[:, :, 1:-1, 1:-1]


class LatticeNet(Patched):
    """A roughly straightened board to where the lattice really is.

    The other learns from the wide one.

    Input (N, 256, 256, 3); output (N, 4, 16, 16): x and y shift in squares, log spread, and
    the logit of being on a playing area.
    """

    def __init__(self, *, wide: bool = False) -> None:
        super().__init__()
        self.wide = wide
        part = 1 if wide else 2
        self.start, self.stem = first_steps(wide)
        self.body = nn.Sequential(
            conv(32, 64, 2),
            Residual(64, inner=64 // part),
            conv(64, 96, 2),
            Residual(96, 1, inner=96 // part),
            Residual(96, 2, inner=96 // part),
            Residual(96, 4, inner=96 // part),
        )
        self.pool = nn.Sequential(nn.AdaptiveAvgPool2d(1), nn.Conv2d(96, 96, 1), nn.ReLU())
        self.head = nn.Sequential(conv(192, 96, k=1), nn.Conv2d(96, 4, 1))

    def rest(self, f: Tensor) -> Tensor:
        """The answer from what the stem sees."""
        f = self.body(f)
        g = self.pool(f).expand(-1, -1, f.shape[2], f.shape[3])
        return self.head(torch.cat([f, g], 1))


class GlyphNet(nn.Module):
    """One square, close up, to kind (4) and to letter with turn.

    Input (N, 60, 60, 3); output (N, 4 + letters * 4) logits, the turn running fastest: an M is a
    W upside down, so that letter and turn are told together and the board's facing settles them
    later. Only squares that may hold a tile are looked at so closely.
    """

    def __init__(self, letters: int) -> None:
        super().__init__()
        self.norm = Normalise()
        self.body = nn.Sequential(
            conv(3, 16, 2, 5),
            conv(16, 32),
            conv(32, 64, 2),
            Residual(64),
            conv(64, 128, 2),
            Residual(128),
            conv(128, 96, 2),
        )
        self.head = nn.Sequential(
            nn.Flatten(), nn.Dropout(0.1), nn.Linear(96 * 16, 4 + letters * 4)
        )

    def forward(self, x: Tensor) -> Tensor:
        """Logits."""
        return self.head(self.body(self.norm(x)))


class SmallGlyphNet(Patched):
    """A square close up, for a fifth of the work; it learns from `GlyphNet`.

    Input and output are the same. Squares of which it is sure are not shown to the other.
    """

    wide = False

    def __init__(self, letters: int) -> None:
        super().__init__()
        self.start = Patches()
        self.stem = nn.Sequential(conv(48, 32, k=1), Residual(32, inner=16))
        self.body = nn.Sequential(conv(32, 80, 2), Residual(80, inner=48), conv(80, 80, 2))
        self.head = nn.Sequential(nn.Flatten(), nn.Linear(80 * 16, 4 + letters * 4))

    def rest(self, f: Tensor) -> Tensor:
        """The answer from what the stem sees."""
        return self.head(self.body(f))


class SignNet(SmallGlyphNet):
    """A tile close up to what tells a sign on a blank from a letter, whatever the letter.

    It begins with what `SmallGlyphNet` has learnt. Input (N, 60, 60, 3); output
    (N, `SIGN_NUMBERS`): how likely it is a sign, what it asks of its set, what it says of its
    set; `vision.boards.letters.signs` puts those of a board together.
    """

    def __init__(self) -> None:
        super().__init__(0)
        self.head = nn.Sequential(nn.Flatten(), nn.Dropout(0.1), nn.Linear(80 * 16, SIGN_NUMBERS))


class MirrorNet(SmallGlyphNet):
    """A square close up to whether a mirror shows it; it begins with what `SmallGlyphNet` has learnt.

    A tile tells by its letter and by the numeral's side, a premium square by what is printed on it.
    What it makes of a square's mirror image is taken off, so that what looks the same there says
    nothing. Input (N, 60, 60, 3); output (N, 1) log odds of the mirror.
    """

    def __init__(self) -> None:
        super().__init__(0)
        self.body = nn.Sequential(
            conv(32, 80, 2),
            Residual(80, inner=48),
            Residual(80, inner=48),
            conv(80, 96, 2),
            Residual(96, inner=64),
        )
        self.head = nn.Sequential(nn.Flatten(), nn.Dropout(0.1), nn.Linear(96 * 16, 1))

    def answer(self, started: Tensor) -> Tensor:
        """The log odds from patches, (N, 48, H / 4, W / 4)."""
        n, c, h, w = started.shape
        # within each patch columns change places too
        swapped = started.reshape(n, PATCH_PX, PATCH_PX, c // PATCH_PX**2, h, w).flip(2, 5)
        both = super().answer(torch.cat([started, swapped.reshape(n, c, h, w)]))
        as_it_is, in_mirror = both.reshape(2, n, 1)
        return as_it_is - in_mirror


class MarkNet(Patched):
    """An upright tile in fine detail to its letter, of which only the mark counts.

    Input (N, 80, 80, 3); output (N, letters) logits, to be compared only among letters that
    differ by a mark.
    """

    wide = False

    def __init__(self, letters: int) -> None:
        super().__init__()
        self.start = Patches()
        self.stem = nn.Sequential(conv(48, 48, k=1), Residual(48, inner=32))
        self.body = nn.Sequential(
            conv(48, 64, 2),
            Residual(64, inner=48),
            conv(64, 96, 2),
            Residual(96, inner=64),
        )
        self.head = nn.Sequential(nn.Flatten(), nn.Dropout(0.1), nn.Linear(96 * 25, letters))

    def rest(self, f: Tensor) -> Tensor:
        """The answer from what the stem sees."""
        return self.head(self.body(f))


class FinderNet(Patched):
    """A reduced photograph to playing areas.

    The other learns from the wide one.

    Input (N, px, px, 3); output (N, 2, px / 4, px / 4) logits: playing area, and its inner part
    (which keeps neighbouring boards apart).
    """

    def __init__(self, *, wide: bool = False) -> None:
        super().__init__()
        self.wide = wide
        part = 1 if wide else 2
        self.start, self.stem = first_steps(wide, inner=24, out=24)
        self.d2 = nn.Sequential(conv(24, 48, 2), Residual(48, inner=48 // part))
        self.d3 = nn.Sequential(conv(48, 96, 2), Residual(96, inner=96 // part))
        self.d4 = nn.Sequential(
            conv(96, 128, 2), *(Residual(128, k, inner=128 // part) for k in (1, 2, 1))
        )
        self.u3 = conv(128, 96, k=1)
        self.m3 = Residual(96, inner=96 // part)
        self.u2 = conv(96, 48, k=1)
        self.m2 = Residual(48, inner=48 // part)
        self.u1 = conv(48, 24, k=1)
        self.m1 = Residual(24)
        self.head = nn.Conv2d(24, 2, 1)

    def rest(self, f: Tensor) -> Tensor:
        """The answer from what the stem sees."""
        b = self.d2(f)
        c = self.d3(b)
        d = self.d4(c)
        up = nn.functional.interpolate
        c = self.m3(c + up(self.u3(d), scale_factor=2.0, mode="nearest"))
        b = self.m2(b + up(self.u2(c), scale_factor=2.0, mode="nearest"))
        return self.head(self.m1(f + up(self.u1(b), scale_factor=2.0, mode="nearest")))


class LooseNet(Patched):
    """A picture to loose tiles: centre, size, angle modulo a quarter turn, which side is up.

    The other learns from the wide one.

    Input (N, H, W, 3), H and W multiples of 16; output (N, 7, H / 4, W / 4): centre logit, log of
    side / 32 px, cos and sin of four times the angle, x and y offset in cells, face-up logit.
    """

    def __init__(self, *, wide: bool = False) -> None:
        super().__init__()
        self.wide = wide
        part = 1 if wide else 2
        self.start, self.stem = first_steps(wide)
        self.d2 = nn.Sequential(conv(32, 48, 2), Residual(48, inner=48 // part))
        self.d3 = nn.Sequential(
            conv(48, 96, 2), *(Residual(96, k, inner=96 // part) for k in (1, 2, 1))
        )
        self.u2 = conv(96, 48, k=1)
        self.m2 = Residual(48, inner=48 // part)
        self.u1 = conv(48, 32, k=1)
        self.m1 = Residual(32, inner=32 // part)
        self.head = nn.Conv2d(32, 7, 1)

    def rest(self, f: Tensor) -> Tensor:
        """The answer from what the stem sees."""
        b = self.d2(f)
        c = self.d3(b)
        up = nn.functional.interpolate
        b = self.m2(b + up(self.u2(c), scale_factor=2.0, mode="nearest"))
        return self.head(self.m1(f + up(self.u1(b), scale_factor=2.0, mode="nearest")))
