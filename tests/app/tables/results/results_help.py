"""Boards that the tests of results lay."""

from __future__ import annotations

import io

from PIL import Image

from tests.app.replay_help import board

CAT = board(H=".......CAT")


CATS = board(H=".......CATS")


def small_jpeg() -> bytes:
    out = io.BytesIO()
    Image.new("RGB", (120, 90), (40, 90, 60)).save(out, "JPEG")
    return out.getvalue()


def data_of(text: str) -> str:
    """The game that a page carries, as JSON."""
    opening = '<script type="application/json" id="game">'
    return text.partition(opening)[2].partition("</script>")[0]
