"""Loading a model with its facts and running it."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path
from typing import Any, NamedTuple

import cv2
import numpy as np
from numpy.typing import NDArray

WEIGHTS = Path(__file__).resolve().parent / "weights"
MODEL_NAMES = (
    *("finder", "lattice", "reader", "small_glyph", "glyph", "sign", "board", "mark", "loose"),
    *("mirror", "board_looks"),
)
ANY_SIZE = {"finder": 32, "loose": 16, "reader": 24}
"""Networks that take pictures of other sizes too, and what these are multiples of."""
PATCH_PX = 4
LEVELS, FLOOR = 32.0, 5.1
"""Steps to one spread of a picture's numbers, and what is added to a spread (noise, in grey
levels)."""


class ModelFileInvalid(Exception):
    """A model file is missing, changed, or not the model that its facts describe."""


@dataclass(frozen=True, slots=True)
class ModelFacts:
    """What travels with a model: input size in pixels, labels, temperature, checksum.

    `kind_blend` and `letter_blend` say how much the first look at a square and this model's
    closer one count, `sign_blend` how much the looks and the sign network, fitted on rendered
    boards. `patched` models take their pictures as `patches` makes them. `script_labels` are the
    letters of every script that the model tells by what it sees, `tile_sets` the letters of each
    tile set that these are of. `sees_as` is the checksum of the first model whose features, the
    layer before the logits, are the same as this one's.
    """

    task: str
    input_px: int
    labels: tuple[str, ...]
    temperature: float
    sha256: str
    kind_blend: tuple[float, float] = (0.8, 0.6)
    letter_blend: tuple[float, float] = (0.4, 0.8)
    sign_blend: tuple[float, float, float, float] = (1.0, 0.0, 0.0, 0.0)
    patched: bool = False
    script_labels: tuple[str, ...] = ()
    tile_sets: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    sees_as: str = ""


class Look(NamedTuple):
    """Answers of a network for N pictures.

    Attributes:
        logits: (N, ...).
        features: (N, ...) the layer before them, as the network has it.
        scripts: (N, letters, 4) log likelihoods of letter and turn, for letters of every script,
            each up to what they all share; 0 letters of networks that tell none.
    """

    logits: NDArray[np.float32]
    features: NDArray[Any]
    scripts: NDArray[np.float32]


class Model:
    """One network on one core."""

    def __init__(self, facts: ModelFacts, session: Any) -> None:
        self.facts = facts
        self._session = session

    @property
    def input_px(self) -> int:
        """The side of the pictures that it takes."""
        return self.facts.input_px

    def run(
        self, pictures: NDArray[np.uint8], whole: NDArray[np.uint8] | None = None
    ) -> NDArray[np.float32]:
        """Logits of a batch; arguments and errors as of `look`."""
        return np.asarray(self._asked(pictures, whole, ["logits"])[0], np.float32)

    def look(self, pictures: NDArray[np.uint8], whole: NDArray[np.uint8] | None = None) -> Look:
        """Logits of a batch, and what the network saw, for networks that tell it.

        Args:
            pictures: (N, input_px, input_px, 3) uint8 BGR; some take other sizes, see `ANY_SIZE`.
            whole: (H, W, 3) the picture of which these are parts, whose exposure counts; for
                models that take patches.

        Raises:
            ValueError: the pictures have another shape; the message says what is expected.
        """
        outputs = ["logits", "features", *["scripts"] * bool(self.facts.script_labels)]
        logits, features, *scripts = self._asked(pictures, whole, outputs)
        none = np.zeros((len(pictures), 0, 4), np.float32)
        return Look(logits, features, scripts[0] if scripts else none)

    def _asked(
        self, pictures: NDArray[np.uint8], whole: NDArray[np.uint8] | None, outputs: list[str]
    ) -> list[Any]:
        px = self.facts.input_px
        step = ANY_SIZE.get(self.facts.task)
        given = pictures.shape[1:3]
        fits = given == (px, px) if step is None else not any(x % step for x in given)
        if not fits or pictures.ndim != 4 or pictures.shape[3] != 3:
            sides = f"{px}, {px}" if step is None else f"H, W (multiples of {step})"
            raise ValueError(f"expected pictures of shape (N, {sides}, 3), got {pictures.shape}")
        feed = {"picture": patches(pictures, whole) if self.facts.patched else pictures}
        return list(self._session.run(outputs, feed))


class BoardModel:
    """The network that sees what looks at all squares of a board left, on one core.

    It has two parts: of the looks at single squares it makes tokens; from those of all squares it
    tells what each holds.
    """

    def __init__(self, facts: ModelFacts, looks: Any, session: Any) -> None:
        self.facts = facts
        self._looks = looks
        self._session = session

    def tokens(self, feed: Mapping[str, NDArray[Any]]) -> NDArray[np.float32]:
        """What is made of the looks at single squares, (K, width).

        Args:
            feed: its inputs by name, see `vision.boards.letters.together`.
        """
        (tokens,) = self._looks.run(["tokens"], feed)
        return np.asarray(tokens, np.float32)

    def run(
        self, feed: Mapping[str, NDArray[Any]]
    ) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
        """Log probabilities of kinds, (wanted, 4), and letter and turn, (L, letters, 4).

        The latter are of the wanted squares that the small close look looked at.

        Args:
            feed: its inputs by name, see `vision.boards.letters.together`.
        """
        kind, both = self._session.run(["kind", "both"], feed)
        return np.asarray(kind, np.float32), np.asarray(both, np.float32)


def _exposure(picture: NDArray[np.uint8]) -> tuple[float, float]:
    """Mean and spread of a picture's numbers, all channels together."""
    flat = np.ascontiguousarray(picture).reshape(picture.shape[0], -1)
    mean, spread = cv2.meanStdDev(flat)
    return float(mean[0, 0]), float(spread[0, 0])


def patches(
    pictures: NDArray[np.uint8], whole: NDArray[np.uint8] | None = None
) -> NDArray[np.uint8]:
    """Pictures at an even exposure, cut into patches of 4 x 4 pixels.

    Args:
        pictures: (N, H, W, 3) uint8, H and W multiples of 4.
        whole: the picture of which these are parts, whose exposure counts.

    Returns:
        (N, H / 4, W / 4, 48) uint8: the mean is 128 and the spread 32; a patch's rows come one
        after another.
    """
    n, h, w, _ = pictures.shape
    p = PATCH_PX
    even = np.empty((n, h, 3 * w), np.uint8)
    for picture, out in zip(
        np.ascontiguousarray(pictures).reshape(n, h, 3 * w), even, strict=True
    ):
        mean, spread = _exposure(picture if whole is None else whole)
        gain = LEVELS / (spread + FLOOR)
        cv2.addWeighted(picture, gain, picture, 0.0, 128.0 - mean * gain, out)
    # Four bytes at a time.
    words = even.reshape(n * h // p, 3 * p * w).view(np.uint32)
    moved = np.take(words, _patch_by_patch(w), axis=1)
    return moved.view(np.uint8).reshape(n, h // p, w // p, 3 * p * p)


@lru_cache
def _patch_by_patch(width: int) -> NDArray[np.intp]:
    """Where the words of four lines, one after another, stand when patch follows patch."""
    p = PATCH_PX
    lines = np.arange(3 * width * p // 4).reshape(p, width // p, 3 * p // 4)
    return lines.swapaxes(0, 1).ravel()


def facts_checksum(facts: Mapping[str, object]) -> str:
    """What the facts of a model are known by again: labels that change places are noticed too."""
    text = json.dumps(facts, ensure_ascii=False, sort_keys=True)
    return hashlib.sha256(text.encode()).hexdigest()


def read_facts(name: str, folder: Path = WEIGHTS) -> ModelFacts:
    """The facts beside a model.

    Raises:
        ModelFileInvalid: they are missing, incomplete, or were changed.
    """
    path = folder / f"{name}.json"
    try:
        raw = json.loads(path.read_text(encoding="utf-8"))
        if raw.pop("facts_sha256", None) != facts_checksum(raw):
            raise ValueError("they are not those that were kept with it")  # noqa: TRY301  # told below
        blend = raw.get("blend", {})
        (kind_a, kind_b), (letter_a, letter_b) = (
            blend.get("kind", (0.8, 0.6)),
            blend.get("both", (0.4, 0.8)),
        )
        looks, alone, in_its_set, rare = blend.get("signs", (1.0, 0.0, 0.0, 0.0))
        return ModelFacts(
            raw["task"],
            int(raw["input_px"]),
            tuple(raw["labels"]),
            float(raw.get("temperature", 1.0)),
            raw["sha256"],
            (float(kind_a), float(kind_b)),
            (float(letter_a), float(letter_b)),
            (float(looks), float(alone), float(in_its_set), float(rare)),
            bool(raw.get("patched", False)),
            tuple(raw.get("script_labels", "")),
            {name: tuple(letters) for name, letters in raw.get("tile_sets", {}).items()},
            raw.get("sees_as", raw["sha256"]),
        )
    except (OSError, ValueError, KeyError, TypeError, AttributeError) as e:
        raise ModelFileInvalid(
            f"expected the facts of model {name!r} in {path}: {e}; install Kibitz again"
        ) from e


def load_model(name: str, folder: Path = WEIGHTS) -> Model:
    """A model that takes pictures, checked against its checksum.

    Raises:
        ModelFileInvalid: the file is missing, changed or unreadable.
    """
    return Model(*_checked(name, folder))


def load_board_model(folder: Path = WEIGHTS) -> BoardModel:
    """The model that sees all squares of a board, checked; errors as of `load_model`."""
    (_, looks), (facts, session) = (_checked(name, folder) for name in ("board_looks", "board"))
    return BoardModel(facts, looks, session)


def _checked(name: str, folder: Path) -> tuple[ModelFacts, Any]:
    """A model's facts and its session."""
    import onnxruntime as ort  # heavy: only where a model is really wanted

    facts = read_facts(name, folder)
    path = folder / f"{name}.onnx"
    try:
        data = path.read_bytes()
    except OSError as e:
        raise ModelFileInvalid(
            f"expected model {name!r} in {path}: {e}; install Kibitz again"
        ) from e
    got = hashlib.sha256(data).hexdigest()
    if got != facts.sha256:
        raise ModelFileInvalid(
            f"model {path} has checksum {got[:12]}, expected {facts.sha256[:12]}; "
            "install Kibitz again"
        )
    options = ort.SessionOptions()
    options.intra_op_num_threads = 1
    options.inter_op_num_threads = 1
    options.log_severity_level = 3
    options.add_session_config_entry("session.intra_op.allow_spinning", "0")
    session = ort.InferenceSession(data, options, providers=["CPUExecutionProvider"])
    return facts, session
