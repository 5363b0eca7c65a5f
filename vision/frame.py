"""Opens a picture of any file format, or explains why it cannot."""

from __future__ import annotations

import importlib
import io
import re
import shutil
import subprocess
import tempfile
import time
import warnings
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Final

import cv2
import numpy as np
from numpy.typing import NDArray

from kibitz.engine.parameters import checked, number
from kibitz.vision.plain_file import FileRefused, read_plain, told_size

if TYPE_CHECKING:
    from PIL.Image import Image as PilImage

Picture = NDArray[np.uint8]


@dataclass(frozen=True, slots=True)
class PictureLimits:
    """Size limits of pictures and films."""

    most_pixels: int = number(120_000_000, "pixels", 1, 10**9, "larger pictures are not unpacked")
    most_side_px: int = number(
        30_000, "pixels", 1, 10**6, "nor are longer ones: half of one that is thin is large, too"
    )
    most_scans: int = number(
        100, "scans", 1, 10_000, "nor are JPEGs that paint over so often; encoders write 10 to 20"
    )
    most_film_pixels: int = number(
        36_000_000, "pixels", 1, 10**9, "films of larger frames are not opened: those of 8K fit"
    )

    def __post_init__(self) -> None:
        checked(self)

    @property
    def most_bytes(self) -> int:
        """Size in bytes of the largest picture; larger files are not opened."""
        return 3 * self.most_pixels


LIMITS: Final = PictureLimits()
PICTURE_SUFFIXES = frozenset(
    {".jpg", ".jpeg", ".jpe", ".png", ".webp", ".bmp", ".tif", ".tiff", ".heic", ".heif", ".gif"}
    | {".avif"}
)
VIDEO_SUFFIXES = frozenset(
    {".mp4", ".m4v", ".mov", ".avi", ".mkv", ".webm", ".mpg", ".mpeg", ".3gp", ".mts", ".wmv"}
)

_HEIF_BRANDS = (b"heic", b"heix", b"hevc", b"heim", b"heis", b"mif1", b"msf1")
DAMAGED = (OSError, SyntaxError, ValueError, EOFError, TypeError, ArithmeticError, LookupError)
"""What a decoder raises on bytes that are no whole picture: it meets what its author never did."""
_ON_ITS_SIDE: Final = (5, 6, 7, 8)
_EXIF_IN_PNG: Final = (b"eXIf", b"Raw profile type exif")
_SCAN: Final = 0xDA
_END: Final = 0xD9
_FRAMES: Final = (0xC0, 0xC1, 0xC2)
_PROGRESSIVE: Final = 0xC2
_MARKER = re.compile(rb"\xff+([^\x00\xff\xd0-\xd7])", re.DOTALL)
"""A JPEG's next marker that is none of those within a scan, as decoders look for it."""
_HEIF_SIZE = re.compile(rb"ispe\0{4}(.{4})(.{4})", re.DOTALL)
WEB: Final = ("JPEG", "PNG", "WEBP")
"""The formats that browsers and cameras send, by Pillow's names."""
FORMATS: Final = (*WEB, "MPO", "BMP", "TIFF", "GIF", "AVIF", "HEIF")
"""All that are read. Pillow knows more, and gives some of them (EPS) to other programs."""
CONVERTS_S: Final = 60
"""Seconds that another program may take for a picture."""
# words before the source and before the target on the converter's command line
_HEIF_CONVERTERS: dict[str, tuple[list[str], list[str]]] = {
    "sips": (["-s", "format", "png"], ["--out"]),
    "heif-dec": ([], []),
    "heif-convert": ([], []),
}


class PictureError(Exception):
    """The picture cannot be opened; `code` is stable, the message says what to do."""

    def __init__(self, code: str, message: str) -> None:
        super().__init__(message)
        self.code = code
        self.message = message


def load_picture(path: Path | str) -> tuple[Picture, float]:
    """Read a picture file.

    Args:
        path: a JPEG, PNG, WebP, HEIC (where the platform can), BMP, TIFF or GIF file.

    Returns:
        The picture as (h, w, 3) uint8 BGR, upright after its EXIF orientation, and the
        milliseconds that decoding took. Transparent parts lie on white.

    Raises:
        PictureError: with one of the codes `file_not_found`, `is_a_folder`, `not_readable`,
            `not_a_file`, `empty_file`, `is_a_video`, `not_an_image`, `truncated`, `too_large` and
            `format_not_supported`.
    """
    data = _read_bytes(Path(path))
    began = time.perf_counter()
    picture = decode_picture(data, name=str(path))
    return picture, (time.perf_counter() - began) * 1000


def decode_picture(data: bytes, name: str = "the picture") -> Picture:
    """Decode the bytes of a picture file; see `load_picture`.

    Raises:
        PictureError: the bytes are no picture, a damaged one or one that is too large.
    """
    check_bytes(data, name)
    if _is_heif(data):
        return _decode_heif(data, name)
    if (plain := size_of_plain_jpeg(data)) is not None:  # a camera's whole picture
        check_size(plain[1], plain[0], name)
        return _unpack_jpeg(data, name)
    with _open_header(data, name) as image:
        orientation = _orientation(image, data)
        if image.format in ("JPEG", "MPO") and image.mode in ("RGB", "L"):
            return _turn_upright(_decode_jpeg(data, name), orientation)
        return _turn_upright(_decode_with_pillow(image, name), orientation)


def size_of_picture(
    data: bytes, name: str = "the picture", formats: Sequence[str] = FORMATS
) -> tuple[int, int]:
    """Height and width of a picture as displayed, from its header alone.

    Args:
        data: its file.
        name: what messages call it.
        formats: those that are taken, by Pillow's names.

    Raises:
        PictureError: it would not be unpacked.
    """
    check_bytes(data, name)
    if (plain := size_of_plain_jpeg(data)) is not None:
        check_size(plain[1], plain[0], name)
        return plain
    with _open_header(data, name, formats) as image:
        across = _orientation(image, data) in _ON_ITS_SIDE
        return (image.width, image.height) if across else (image.height, image.width)


def check_bytes(data: bytes, name: str) -> None:
    """Refuse a picture file that is empty or expensive to decode.

    Raises:
        PictureError: `empty_file` or `too_large`.
    """
    if not data:
        raise PictureError("empty_file", f"{name} is empty (0 bytes)")
    if data[:2] == b"\xff\xd8" and _scans(data) > LIMITS.most_scans:
        raise PictureError(
            "too_large",
            f"{name} is painted in more than {LIMITS.most_scans} passes; save it as a plain JPEG",
        )


def _read_bytes(path: Path) -> bytes:
    if path.is_dir():
        raise PictureError("is_a_folder", f"{path} is a folder, a picture file was expected")
    try:
        size = path.stat().st_size
        if size > LIMITS.most_bytes and path.suffix.lower() not in VIDEO_SUFFIXES:
            raise PictureError(
                "too_large",
                f"{path} has {told_size(size)}, at most {told_size(LIMITS.most_bytes)} "
                "are read; save it smaller",
            )
        if path.suffix.lower() in VIDEO_SUFFIXES:
            raise PictureError(
                "is_a_video", f"{path} is a video; 'kibitz replay {path.name}' plays videos"
            )
        return read_plain(path, LIMITS.most_bytes)
    except FileRefused as error:
        raise PictureError(error.code, str(error)) from error
    except FileNotFoundError as error:
        raise PictureError("file_not_found", f"there is no file {path}") from error
    except OSError as error:
        raise PictureError(
            "not_readable", f"{path} cannot be read: {error.strerror or error}"
        ) from error


def _open_header(data: bytes, name: str, formats: Sequence[str] = FORMATS) -> PilImage:
    """Parse the header without decoding."""
    from PIL import Image

    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            Image.init()  # older ones know fewer formats
            known = [x for x in formats if x in Image.OPEN]
            image = Image.open(io.BytesIO(data), formats=known)
    except Image.DecompressionBombError as error:
        raise _too_large(name, str(error)) from error
    except DAMAGED as error:
        if _breaks_off(data):
            raise PictureError(
                "truncated", f"{name} breaks off after {len(data)} bytes; copy the file again"
            ) from error
        kinds = "JPEG, PNG or WebP" if formats == WEB else "JPEG, PNG, WebP or HEIC"
        raise PictureError(
            "not_an_image", f"{name} is no picture that can be read; expected a {kinds}"
        ) from error
    check_size(image.width, image.height, name)
    return image


def _breaks_off(data: bytes) -> bool:
    """True if this is the beginning of a longer picture file."""
    if data[:3] == b"\xff\xd8\xff":
        return not _jpeg_is_complete(data)
    if data[:4] == b"RIFF" and data[8:12] == b"WEBP":
        return int.from_bytes(data[4:8], "little") + 8 > len(data)
    return data[:8] == b"\x89PNG\r\n\x1a\n" and b"IEND" not in data[-12:]


def _too_large(name: str, what: str, most: int = LIMITS.most_pixels) -> PictureError:
    return PictureError(
        "too_large",
        f"{name} is too large ({what}); at most {most // 1_000_000} million pixels and "
        f"{LIMITS.most_side_px} a side are read, save it smaller",
    )


def check_size(width: int, height: int, name: str, most: int = LIMITS.most_pixels) -> None:
    """Refuse a picture, or a film's frame, by its size before decoding.

    Args:
        width: in pixels.
        height: in pixels.
        name: what messages call it.
        most: so many pixels it may have.

    Raises:
        PictureError: `too_large`, or `not_an_image` for one without pixels.
    """
    if width * height > most or max(width, height) > LIMITS.most_side_px:
        raise _too_large(name, f"{width} x {height} pixels", most)
    if width < 1 or height < 1:
        raise PictureError("not_an_image", f"{name} has no pixels ({width} x {height})")


def _orientation(image: PilImage, data: bytes) -> int:
    from PIL.ExifTags import Base

    if image.format == "PNG" and not any(mark in data for mark in _EXIF_IN_PNG):
        return 1  # it may stand behind the pixels, and all would be unpacked to look there
    try:
        value = image.getexif().get(Base.Orientation, 1)
    except DAMAGED:
        return 1  # a broken EXIF block says nothing about the picture itself
    return value if isinstance(value, int) and 1 <= value <= 8 else 1


def _turn_upright(picture: Picture, orientation: int) -> Picture:
    """Apply an EXIF orientation (1 to 8)."""
    if orientation in _ON_ITS_SIDE:
        picture = np.ascontiguousarray(picture.transpose(1, 0, 2))
    flip = {2: 1, 3: -1, 4: 0, 6: 1, 7: -1, 8: 0}.get(orientation)
    return picture if flip is None else _bgr(cv2.flip(picture, flip))


def _decode_jpeg(data: bytes, name: str) -> Picture:
    if not _jpeg_is_complete(data):
        raise PictureError(
            "truncated", f"{name} breaks off before its end ({len(data)} bytes); copy it again"
        )
    return _unpack_jpeg(data, name)


def _unpack_jpeg(data: bytes, name: str) -> Picture:
    """Decode a complete JPEG."""
    flags = cv2.IMREAD_COLOR | cv2.IMREAD_IGNORE_ORIENTATION
    try:
        picture = cv2.imdecode(np.frombuffer(data, np.uint8), flags)
    except cv2.error:
        picture = None
    if picture is None:
        raise PictureError("not_an_image", f"{name} is a damaged JPEG; copy the file again")
    return _bgr(picture)


def _jpeg_is_complete(data: bytes) -> bool:
    """True if the end marker comes after the first scan.

    Inside a scan every 0xFF byte is followed by 0x00 or a restart marker, so the end marker
    cannot occur by chance; an end marker before the scan belongs to a thumbnail.
    """
    return any(
        marker == _SCAN and data.rfind(b"\xff\xd9", at) >= 0
        for marker, at, _ in _jpeg_segments(data)
    )


def _jpeg_segments(data: bytes) -> Iterator[tuple[int, int, bytes]]:
    """Yield each segment before a JPEG's pixels: marker, position, and body.

    Up to the first scan's, or to one that is not there whole.
    """
    at = 2
    while at + 4 <= len(data) and data[at] == 0xFF:
        marker = data[at + 1]
        if marker == 0xFF:
            at += 1
            continue
        end = at + 2 + _two_bytes(data, at + 2)
        if end > len(data):
            return
        yield marker, at, data[at + 4 : end]
        if marker == _SCAN:
            return
        at = end


def _scans(data: bytes) -> int:
    """Number of scans of a JPEG, each of which costs as much as decoding it.

    Counted up to one more than are allowed; 1 for those whose first scan shows everything.
    """
    parts = b""
    for marker, _, body in _jpeg_segments(data):
        if marker in _FRAMES and marker != _PROGRESSIVE:
            parts = body[5:6]
        elif marker == _SCAN and b"\0" < parts == body[:1]:
            return 1
    count, at = 0, 2
    while count <= LIMITS.most_scans and (found := _MARKER.search(data, at)):
        if found[1][0] == _END:
            break
        count += found[1][0] == _SCAN
        at = found.end() + _two_bytes(data, found.end())
    return count


def _two_bytes(data: bytes, at: int) -> int:
    return int.from_bytes(data[at : at + 2], "big")


def size_of_plain_jpeg(data: bytes) -> tuple[int, int] | None:
    """Height and width of a complete plain JPEG without rotation; else None.

    None for everything else, which may be a picture all the same.
    """
    if data[:2] != b"\xff\xd8":
        return None
    size: tuple[int, int] | None = None
    for marker, at, body in _jpeg_segments(data):
        if body[:4] == b"Exif":
            return None
        if marker in _FRAMES and body[:1] == b"\x08" and body[5:6] in (b"\1", b"\3"):
            size = (_two_bytes(body, 1), _two_bytes(body, 3))
        if marker == _SCAN and size is not None and data.rfind(b"\xff\xd9", at) >= 0:
            return size if min(size) > 0 else None
    return None


def _decode_with_pillow(image: PilImage, name: str) -> Picture:
    from PIL import Image

    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            image.load()
            rgb = _to_rgb(image)
    except Image.DecompressionBombError as error:
        raise _too_large(name, str(error)) from error
    except DAMAGED as error:
        damaged = "truncated" if _sounds_truncated(error) else "not_an_image"
        raise PictureError(damaged, f"{name} is damaged ({error}); copy the file again") from error
    return np.ascontiguousarray(np.asarray(rgb, dtype=np.uint8)[:, :, ::-1])


def _sounds_truncated(error: Exception) -> bool:
    text = str(error).lower()
    return any(word in text for word in ("truncated", "incomplete", "unexpected end", "broken"))


def _to_rgb(image: PilImage) -> PilImage:
    """The image with 8 bits a channel, three channels, transparency on white."""
    from PIL import Image

    if image.mode in ("I;16", "I;16B", "I;16L", "I;16N", "I", "F"):
        values = np.asarray(image, dtype=np.float64)
        # 16-bit files that use only the low byte would turn black under a fixed division
        top = np.iinfo(np.uint16 if values.max(initial=0) > 255 else np.uint8).max
        return Image.fromarray((values / top * 255).clip(0, 255).astype(np.uint8)).convert("RGB")
    if image.mode in ("RGBA", "LA", "PA", "RGBa", "La") or "transparency" in image.info:
        solid = image.convert("RGBA")
        white = Image.new("RGBA", solid.size, (255, 255, 255, 255))
        return Image.alpha_composite(white, solid).convert("RGB")
    return image.convert("RGB")


def _bgr(picture: object) -> Picture:
    return np.asarray(picture, dtype=np.uint8)


def _is_heif(data: bytes) -> bool:
    return data[4:8] == b"ftyp" and data[8:12] in _HEIF_BRANDS


def _decode_heif(data: bytes, name: str) -> Picture:
    """Decode HEIC with the pillow-heif package, else with a converter of the system."""
    for width, height in _HEIF_SIZE.findall(data):
        check_size(int.from_bytes(width), int.from_bytes(height), name)
    try:
        plugin = importlib.import_module("pillow_heif")
    except ImportError:
        return _convert_heif(data, name)
    plugin.register_heif_opener()
    with _open_header(data, name) as image:
        return _turn_upright(_decode_with_pillow(image, name), _orientation(image, data))


def _convert_heif(data: bytes, name: str) -> Picture:
    for command, options in _HEIF_CONVERTERS.items():
        tool = shutil.which(command)
        if tool is None:
            continue
        with tempfile.TemporaryDirectory() as folder:
            source, target = Path(folder, "in.heic"), Path(folder, "out.png")
            source.write_bytes(data)
            call = [tool, *options[0], str(source), *options[1], str(target)]
            try:
                done = subprocess.run(call, capture_output=True, check=False, timeout=CONVERTS_S)
            except subprocess.TimeoutExpired:
                continue
            if done.returncode == 0 and target.exists():
                return decode_picture(target.read_bytes(), name)
    raise PictureError(
        "format_not_supported",
        f"{name} is a HEIC picture and nothing here can open it; install the extra 'heic' "
        "(pip install 'kibitz[heic]', or pillow-heif), or save it as JPEG",
    )
