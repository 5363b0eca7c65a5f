"""The network that sees what the looks at all squares of one board said and left.

Each square is a token: how sure each look is and of what kind of thing, whether the looks agree, a
few numbers made of the layers before their answers, its colours. Layers of a 3 x 3 convolution
(words), attention over the whole board (how this set's tiles look) and a perceptron follow (Vaswani
et al., Attention Is All You Need, 2017). Out comes how much each look counts on this square, and
how much likelier a blank is. What it is is left to the looks: a network that could rewrite letters,
kinds or turns learnt drawn boards by heart and misread real ones.

It is published in two parts: what it makes of the looks at single squares (`OfLooks`), which stays
as long as a square is not looked at anew, and what it makes of all of them (`OfAll`).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import torch
from torch import Tensor, nn

SIDE = 15
FEATURES = {"glance": 192, "small": 1280, "large": 1536}
"""Features of a square that each look leaves."""
SCALES = {"glance": 0.3, "small": 0.03, "large": 0.02}
"""Brings them to a spread of about one."""
COLOURS = 6
LAB_SCALE = 50.0
USUAL_LOG_PX = 3.0
LEAST_KIND, LEAST_LETTER = -8.0, 1e-6
"""What is less likely counts as this likely."""
HEADS = 4
MOST = 3.0
"""A look counts at most, or least, so many nats more or less than usual."""
OF_LOOKS = (
    "glance_kind", "glance_both", "glance_features",
    "small_at", "small_kind", "small_both", "small_features",
    "large_at", "large_kind", "large_both", "large_features",
)  # fmt: skip
"""What is given of single squares, of whatever board."""
OF_ALL = (
    "tokens", "colours", "square_px", "wanted",
    "glance_kind", "glance_both",
    "small_at", "small_kind", "small_both",
    "large_at", "large_kind", "large_both",
)  # fmt: skip
"""What is given of a board; what the looks said only of the squares that are wanted."""
INPUTS = (*OF_LOOKS, "colours", "square_px")
SUMMARY = 12
"""Numbers that `_summary` makes of what a look says of a square."""

Blend = tuple[tuple[float, float], tuple[float, float]]
"""How much the glance and a closer look count: of kinds, of letters and turns."""


class Layer(nn.Module):
    """What a square's neighbours, all squares, and it by itself add to it."""

    def __init__(self, d: int) -> None:
        super().__init__()
        self.near_norm = nn.LayerNorm(d)
        self.near = nn.Conv2d(d, d, 3, padding=1, groups=d)
        self.near_out = nn.Linear(d, d)
        self.all_norm = nn.LayerNorm(d)
        self.asks = nn.Linear(d, 3 * d)
        self.all_out = nn.Linear(d, d)
        self.own_norm = nn.LayerNorm(d)
        self.own = nn.Sequential(nn.Linear(d, 2 * d), nn.GELU(), nn.Linear(2 * d, d))
        for out in (self.near_out, self.all_out, self.own[-1]):
            assert isinstance(out, nn.Linear)
            nn.init.normal_(out.weight, 0, 0.01)
            nn.init.zeros_(out.bias)

    def forward(self, x: Tensor, wanted: Tensor | None = None) -> Tensor:
        """(B, squares, d) to the same, or to (B, wanted, d) of some of the squares."""
        b, n, d = x.shape
        board = self.near_norm(x).transpose(1, 2).reshape(b, d, SIDE, SIDE)
        near = nn.functional.gelu(self.near(board)).flatten(2).transpose(1, 2)
        x = x + self.near_out(near)
        asks = self.asks(self.all_norm(x)).reshape(b, n, 3, HEADS, d // HEADS)
        query, key, value = asks.permute(2, 0, 3, 1, 4)
        if wanted is not None:
            x, query, n = x[:, wanted], query[:, :, wanted], wanted.shape[0]
        alike = (query * (d // HEADS) ** -0.5) @ key.transpose(-2, -1)
        told = alike.softmax(-1).to(value.dtype) @ value
        x = x + self.all_out(told.transpose(1, 2).reshape(b, n, d))
        return x + self.own(self.own_norm(x))


class BoardNet(nn.Module):
    """Log probabilities of all squares of any number of boards.

    Inputs, see `INPUTS`, with N = 225 B squares of B boards, of which the close looks looked at K
    and M: of the glance log probabilities of kinds (N, 4), of letter and turn (N, letters, 4), and
    (N, 192) features; for each close look (N,) which of its rows a square is (K if none), and its
    K + 1 rows, the last being none; (N, 6) CIELAB; (B,) pixels a square.

    Outputs: (N, 4) log probabilities of kinds, and (L, letters, 4) of letter and turn of the L
    that the small close look looked at. Any number of letters will do; the last is the blank.

    Args:
        blends: how much the looks count together at first: the small one, the large one.
        width: numbers a square.
        layers: how many.
        deep: numbers made of each look's features. Few: many learn drawn sets by heart.
        drop: the part of features left out at random in training.
    """

    def __init__(
        self,
        blends: Sequence[Blend],
        width: int = 64,
        layers: int = 3,
        deep: int = 16,
        drop: float = 0.2,
    ) -> None:
        super().__init__()
        (kind_s, both_s), (kind_l, both_l) = blends
        # Rows: no close look, the small one, the large one. The small one counts a little beside it.
        for name, small, large in (("kind", kind_s, kind_l), ("both", both_s, both_l)):
            usual = [[1.0, 0.0, 0.0], [*small, 0.0], [large[0], small[1] / 10, large[1]]]
            self.register_buffer(f"usual_{name}", torch.tensor(usual))
        self.made = nn.ModuleDict({name: nn.Linear(n, deep) for name, n in FEATURES.items()})
        self.deep, self.drop = nn.Linear(3 * deep, width), nn.Dropout(drop)
        self.told = nn.Linear(3 * SUMMARY + 2 + 3, width)
        self.light = nn.Linear(2 * COLOURS + 1, width, bias=False)
        self.norm = nn.LayerNorm(width)
        self.layers = nn.ModuleList(Layer(width) for _ in range(layers))
        self.last_norm = nn.LayerNorm(width)
        self.answer = nn.Linear(width, sum(ANSWERS))
        nn.init.zeros_(self.answer.weight)
        nn.init.zeros_(self.answer.bias)

    def forward(self, *given: Tensor) -> tuple[Tensor, Tensor]:
        """Log probabilities; arguments in the order of `INPUTS`."""
        got = dict(zip(INPUTS, given, strict=True))
        return self.seen_together(self.tokens(got), got)

    def tokens(self, got: Mapping[str, Tensor]) -> Tensor:
        """(N, width) what is made of the looks at single squares, before their colours count."""
        return self.told(_told(got)) + self._deep(got)

    def seen_together(
        self, tokens: Tensor, got: Mapping[str, Tensor], wanted: Tensor | None = None
    ) -> tuple[Tensor, Tensor]:
        """Log probabilities of all squares, or of some of one board.

        Args:
            tokens: (N, width) of all squares.
            got: colours and pixels a square of all, what the looks said of those wanted.
            wanted: (W,) which these are.
        """
        x = self.norm(nn.functional.gelu(tokens + self.light(_light(got))))
        x = x.reshape(-1, SIDE * SIDE, x.shape[-1])
        *layers, last = self.layers
        for layer in layers:
            x = layer(x)
        x = last(x, wanted)
        answer = self.answer(self.last_norm(x)).flatten(0, 1).float()
        more_kind, more_both, blank = answer.split(ANSWERS, -1)
        closest = _looked_at(got, "small") + _looked_at(got, "large")
        kind = self._weighed(got, "kind", self.usual_kind[closest], more_kind)
        some = (got["small_at"] < got["small_kind"].shape[0] - 1).nonzero()[:, 0]
        usual = self.usual_both[closest[some]]
        both = self._weighed(_of(got, some), "both", usual, more_both[some])
        both = torch.cat(
            [both[:, :-1], both[:, -1:] + blank[some].clamp(-MOST, MOST)[:, None, :]], 1
        )
        letters = both.shape[1]
        return kind.log_softmax(-1), both.flatten(1).log_softmax(-1).reshape(-1, letters, 4)

    def _weighed(
        self, got: Mapping[str, Tensor], what: str, usual: Tensor, more: Tensor
    ) -> Tensor:
        """The looks' log probabilities, each times how much that look counts."""
        counts = usual * more.clamp(-MOST, MOST).exp()
        looks = [got[f"glance_{what}"]] + [
            got[f"{name}_{what}"][got[f"{name}_at"]] for name in ("small", "large")
        ]
        shape = (-1, *[1] * (looks[0].dim() - 1))
        return sum(counts[:, k].reshape(shape) * look for k, look in enumerate(looks))

    def _deep(self, got: Mapping[str, Tensor]) -> Tensor:
        """(N, width) of the looks' features."""
        made = []
        for name, make in self.made.items():
            x = got[f"{name}_features"].float() * SCALES[name]
            # the same channels of all squares: what is left out of one would be told by others
            x = make(x * self.drop(torch.ones(1, x.shape[1])) if self.training else x)
            if name != "glance":
                x = x[got[f"{name}_at"]] * _looked_at(got, name)[:, None].float()
            made.append(x)
        return self.deep(self.drop(torch.tanh(torch.cat(made, -1))))


ANSWERS = (3, 3, 1)
"""How much more each look counts (of kinds, of letters and turns), what is added for the blank."""


class OfLooks(nn.Module):
    """The part of the network that sees single squares: `OF_LOOKS` to (N, width) tokens."""

    def __init__(self, net: BoardNet) -> None:
        super().__init__()
        self.net = net

    def forward(self, *given: Tensor) -> Tensor:
        """The tokens; arguments in the order of `OF_LOOKS`."""
        return self.net.tokens(dict(zip(OF_LOOKS, given, strict=True)))


class OfAll(nn.Module):
    """The part that sees all squares of one board: `OF_ALL` to log probabilities of some."""

    def __init__(self, net: BoardNet) -> None:
        super().__init__()
        self.net = net

    def forward(self, *given: Tensor) -> tuple[Tensor, Tensor]:
        """Log probabilities; arguments in the order of `OF_ALL`."""
        got = dict(zip(OF_ALL, given, strict=True))
        return self.net.seen_together(got["tokens"], got, got["wanted"])


def _told(got: Mapping[str, Tensor]) -> Tensor:
    """(N, numbers) how sure the looks are and of what, and how far they agree."""
    told = [_summary(got["glance_kind"], got["glance_both"])]
    letters = [got["glance_both"].exp().sum(-1)]
    for name in ("small", "large"):
        at, seen = got[f"{name}_at"], _looked_at(got, name)[:, None].float()
        both = got[f"{name}_both"]
        told += [_summary(got[f"{name}_kind"], both)[at] * seen, seen]
        letters.append(both.exp().sum(-1)[at] * seen)
    told += [(letters[a] * letters[b]).sum(-1, True) for a, b in ((0, 1), (0, 2), (1, 2))]
    return torch.cat(told, -1)


def _light(got: Mapping[str, Tensor]) -> Tensor:
    """(N, numbers) squares' colours, by themselves and beside the board's usual ones, and size."""
    colours = got["colours"].reshape(-1, SIDE * SIDE, COLOURS) / LAB_SCALE
    usual = colours.sort(1).values[:, SIDE * SIDE // 2, None]
    px = (got["square_px"].log() - USUAL_LOG_PX)[:, None].expand(-1, SIDE * SIDE)
    return torch.cat(
        [(colours - usual).flatten(0, 1), colours.flatten(0, 1), px.reshape(-1, 1)], -1
    )


def _summary(kind: Tensor, both: Tensor) -> Tensor:
    """(N, SUMMARY) how sure a look is, and of what, whichever the letters are."""
    letters = both.exp().sum(-1)
    best = letters.topk(2, -1).values
    logs = (best + LEAST_LETTER).log()
    unsure = -(letters * (letters + LEAST_LETTER).log()).sum(-1, True)
    return torch.cat(
        [
            kind.clamp(min=LEAST_KIND) / -LEAST_KIND * 2,
            best[:, :1],
            (logs[:, :1] - logs[:, 1:]) / 4,
            unsure,
            letters[:, -1:],
            both.exp().sum(-2),
        ],
        -1,
    )


def _of(got: Mapping[str, Tensor], some: Tensor) -> dict[str, Tensor]:
    """What was given, of some squares only."""
    each = ("glance_kind", "glance_both", "small_at", "large_at")
    return {name: x[some] if name in each else x for name, x in got.items()}


def _looked_at(got: Mapping[str, Tensor], name: str) -> Tensor:
    """(N,) 1 where that look looked, 0 elsewhere."""
    return (got[f"{name}_at"] < got[f"{name}_kind"].shape[0] - 1).long()
