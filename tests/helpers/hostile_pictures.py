"""Pictures that cost their reader much more than their sender."""

from __future__ import annotations

import io
import struct
import zlib

import numpy as np
from PIL import Image


def painted_over(times: int) -> bytes:
    """A JPEG with so many more scans, none of which changes a pixel."""
    whole = io.BytesIO()
    Image.new("RGB", (60, 40), "white").save(whole, "JPEG", progressive=True)
    scan = b"\xff\xda" + struct.pack(">HB", 8, 1) + bytes([1, 0, 1, 63, 0x10, 0])
    return whole.getvalue()[:-2] + times * scan + whole.getvalue()[-2:]


def png_header(width: int, height: int) -> bytes:
    """A PNG that promises a size and holds hardly any data."""

    def chunk(name: bytes, body: bytes) -> bytes:
        code = zlib.crc32(name + body)
        return struct.pack(">I", len(body)) + name + body + struct.pack(">I", code)

    size = struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)
    data = zlib.compress(bytes(100))
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", size) + chunk(b"IDAT", data) + chunk(b"IEND", b"")


def for_another_program() -> bytes:
    """A picture that Pillow would have opened with a program that runs its content."""
    out = io.BytesIO()
    Image.fromarray(np.zeros((40, 60, 3), np.uint8)).save(out, "EPS")
    return out.getvalue()
