"""Every kind of picture file opens upright, and every bad one says why it does not."""

from __future__ import annotations

import io
import struct
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from kibitz.vision.frame import PictureError, decode_picture, load_picture
from tests.helpers.hostile_pictures import for_another_program, painted_over, png_header


def sample(width: int = 60, height: int = 40) -> Image.Image:
    """A picture whose top left is red, top right green, bottom left blue, bottom right white."""
    pixels = np.zeros((height, width, 3), np.uint8)
    pixels[: height // 2, : width // 2] = (250, 0, 0)
    pixels[: height // 2, width // 2 :] = (0, 250, 0)
    pixels[height // 2 :, : width // 2] = (0, 0, 250)
    pixels[height // 2 :, width // 2 :] = (250, 250, 250)
    return Image.fromarray(pixels)


def saved(image: Image.Image, kind: str, **options: object) -> bytes:
    out = io.BytesIO()
    image.save(out, kind, **options)
    return out.getvalue()


def corner_names(picture: np.ndarray) -> str:
    """The colours of the four corners, clockwise from the top left."""
    h, w = picture.shape[:2]
    spots = [
        (h // 4, w // 4),
        (h // 4, w * 3 // 4),
        (h * 3 // 4, w * 3 // 4),
        (h * 3 // 4, w // 4),
    ]
    names = []
    for r, c in spots:
        b, g, red = (int(v) > 128 for v in picture[r, c])
        names.append({(1, 1, 1): "W", (0, 0, 1): "R", (0, 1, 0): "G", (1, 0, 0): "B"}[b, g, red])
    return "".join(names)


@pytest.mark.parametrize("kind", ["JPEG", "PNG", "WEBP", "BMP", "TIFF", "GIF"])
def test_formats(kind: str) -> None:
    """Common formats come out as blue, green, red bytes the right way up."""
    picture = decode_picture(saved(sample(), kind))

    assert (picture.shape, picture.dtype, corner_names(picture)) == ((40, 60, 3), np.uint8, "RGWB")


@pytest.mark.parametrize("orientation", range(1, 9))
@pytest.mark.parametrize("kind", ["JPEG", "PNG", "WEBP"])
def test_exif_orientation(kind: str, orientation: int) -> None:
    """A picture stored turned or mirrored with an EXIF orientation comes out upright."""
    undo = {
        2: Image.Transpose.FLIP_LEFT_RIGHT,
        3: Image.Transpose.ROTATE_180,
        4: Image.Transpose.FLIP_TOP_BOTTOM,
        5: Image.Transpose.TRANSPOSE,
        6: Image.Transpose.ROTATE_90,
        7: Image.Transpose.TRANSVERSE,
        8: Image.Transpose.ROTATE_270,
    }
    image = sample().transpose(undo[orientation]) if orientation in undo else sample()
    exif = Image.Exif()
    exif[0x0112] = orientation

    picture = decode_picture(saved(image, kind, exif=exif))

    assert (picture.shape[:2], corner_names(picture)) == ((40, 60), "RGWB")


def test_grey() -> None:
    """A grey picture gets three equal channels."""
    picture = decode_picture(saved(sample().convert("L"), "JPEG"))

    assert picture.shape == (40, 60, 3)
    assert np.ptp(picture.astype(int), axis=2).max() == 0


def test_cmyk() -> None:
    """A CMYK JPEG keeps its colours."""
    picture = decode_picture(saved(sample().convert("CMYK"), "JPEG", quality=95))

    assert corner_names(picture) == "RGWB"


def test_sixteen_bit() -> None:
    """A 16-bit grey PNG keeps its brightness."""
    values = np.full((40, 60), 40000, np.uint16)
    picture = decode_picture(saved(Image.fromarray(values), "PNG"))

    assert int(picture[20, 30, 0]) == round(40000 / 65535 * 255) - 1 or int(
        picture[20, 30, 0]
    ) == round(40000 / 65535 * 255)


@pytest.mark.parametrize("mode", ["RGBA", "LA", "P"])
def test_transparent(mode: str) -> None:
    """What is transparent lies on white."""
    image = Image.new("RGBA", (60, 40), (0, 0, 0, 0))
    options = {}
    if mode == "P":
        image = Image.new("P", (60, 40), 0)
        options = {"transparency": 0}
    elif mode == "LA":
        image = image.convert("LA")

    picture = decode_picture(saved(image, "PNG", **options))

    assert picture.min() == 255


def test_one_pixel() -> None:
    """A picture of one pixel is a picture."""
    assert decode_picture(saved(Image.new("RGB", (1, 1)), "PNG")).shape == (1, 1, 3)


@pytest.mark.parametrize(
    ("name", "size", "code"),
    [
        ("shot.jpg", 401_000_000, "too_large"),
        ("film.mp4", 401_000_000, "is_a_video"),
        ("film.mp4", 1_000, "is_a_video"),
    ],
)
def test_a_file_that_is_too_large_is_not_read(tmp_path, name, size, code) -> None:
    """A film of any size is told to be one."""
    path = tmp_path / name
    with path.open("wb") as file:
        file.truncate(size)
    with pytest.raises(PictureError) as wrong:
        load_picture(path)

    assert code == wrong.value.code


BAD = {
    "empty": (b"", "empty_file"),
    "text": (b"this is no picture at all, only words", "not_an_image"),
    "huge": (png_header(30_000, 30_000), "too_large"),
    "big": (png_header(12_000, 11_000), "too_large"),
    "thin": (png_header(1, 120_000_000), "too_large"),
    "long": (png_header(30_001, 20), "too_large"),
    "painted over": (painted_over(200), "too_large"),
    "painted over, unlike others": (
        painted_over(200).replace(b"\xff\xc2", b"\xff\xca"),
        "too_large",
    ),
    "for another program": (for_another_program(), "not_an_image"),
    "huge heic": (b"....ftypheic" + b"ispe" + struct.pack(">III", 0, 40_000, 9), "too_large"),
    "large, without its pixels": (png_header(8_200, 8_000), "truncated"),
    "short png": (png_header(200, 200), "truncated"),
    "half jpeg": (saved(sample(300, 300), "JPEG")[:1500], "truncated"),
    "jpeg head": (b"\xff\xd8\xff\xe0\x00\x10JFIF", "truncated"),
    "jpeg that breaks off in its frame header": (b"\xff\xd8\xff\xc0\x00\x11", "truncated"),
    "jpeg that breaks off in its scan header": (
        b"\xff\xd8\xff\xc0\x00\x11\x08\x00\x28\x00\x3c\x03\x01\x22\x00\x02\x11\x01\x03\x11\x01"
        b"\xff\xda\x00\x0c",
        "truncated",
    ),
    "half png": (saved(Image.effect_noise((300, 300), 90), "PNG")[:4000], "truncated"),
    "half webp": (saved(Image.effect_noise((300, 300), 90), "WEBP")[:2000], "truncated"),
}


@pytest.mark.parametrize("name", BAD)
def test_bad_data(name: str, tmp_path: Path) -> None:
    """Bad data is refused with a code that names what is wrong."""
    data, code = BAD[name]
    path = tmp_path / "picture.jpg"
    path.write_bytes(data)

    with pytest.raises(PictureError) as error:
        load_picture(path)

    assert error.value.code == code
    assert str(path) in error.value.message


STRIP_OFFSETS, RATIONAL = 273, 5
"""Where a TIFF's pixels begin, by its tag; the type of a fraction."""


def test_a_tiff_whose_pixels_begin_at_a_fraction() -> None:
    out = io.BytesIO()
    Image.new("RGB", (64, 48)).save(out, "TIFF")
    data = bytearray(out.getvalue())
    tags = int.from_bytes(data[4:8], "little")
    for i in range(int.from_bytes(data[tags : tags + 2], "little")):
        at = tags + 2 + 12 * i
        if int.from_bytes(data[at : at + 2], "little") == STRIP_OFFSETS:
            data[at + 2 : at + 4] = RATIONAL.to_bytes(2, "little")
    with pytest.raises(PictureError, match="the picture is damaged"):
        decode_picture(bytes(data))


@pytest.mark.parametrize(
    "data",
    [
        painted_over(20),
        saved(sample(), "JPEG", progressive=True, comment=b"\xff\xda" * 200),
        saved(sample(), "JPEG", progressive=True) + b"\xff\xda" * 200,
    ],
)
def test_passes_over_the_pixels_are_counted(data: bytes) -> None:
    """Some are as usual; what looks like one in a remark, or after the end, is none."""
    assert (40, 60, 3) == decode_picture(data).shape


def test_missing_file(tmp_path: Path) -> None:
    """A file that is not there is told by its name."""
    with pytest.raises(PictureError, match=r"no file .*gone\.jpg") as error:
        load_picture(tmp_path / "gone.jpg")

    assert error.value.code == "file_not_found"


def test_folder(tmp_path: Path) -> None:
    """A folder is no picture."""
    with pytest.raises(PictureError) as error:
        load_picture(tmp_path)

    assert error.value.code == "is_a_folder"


def test_video(tmp_path: Path) -> None:
    """A video is pointed to the command that plays it."""
    path = tmp_path / "film.mp4"
    path.write_bytes(b"....ftypisom")

    with pytest.raises(PictureError, match="kibitz replay") as error:
        load_picture(path)

    assert error.value.code == "is_a_video"


def test_heic_as_phones_save_it() -> None:
    """With the extra it opens like any other picture."""
    plugin = pytest.importorskip("pillow_heif", reason="the extra 'heic' is not installed")
    plugin.register_heif_opener()
    data = saved(sample(120, 80), "HEIF", quality=95)
    picture = decode_picture(data)

    assert b"ftypheic" == data[4:12]
    assert ((80, 120, 3), "RGWB") == (picture.shape, corner_names(picture))


def test_a_damaged_heic() -> None:
    """One that breaks off is told as such, and is no fault of the program."""
    plugin = pytest.importorskip("pillow_heif", reason="the extra 'heic' is not installed")
    plugin.register_heif_opener()
    data = saved(sample(120, 80), "HEIF")

    with pytest.raises(PictureError) as error:
        decode_picture(data[: len(data) // 2])

    assert error.value.code in ("truncated", "not_an_image")


def test_heic_without_a_decoder(monkeypatch: pytest.MonkeyPatch) -> None:
    """A HEIC picture that nothing here can open says what to install."""
    monkeypatch.setattr("shutil.which", lambda _name: None)
    monkeypatch.setitem(__import__("sys").modules, "pillow_heif", None)

    with pytest.raises(PictureError, match=r"kibitz\[heic\]") as error:
        decode_picture(b"\x00\x00\x00\x18ftypheic" + bytes(40))

    assert error.value.code == "format_not_supported"


def test_trailing_bytes_after_a_jpeg() -> None:
    """Bytes that phones append after the picture do no harm."""
    picture = decode_picture(saved(sample(), "JPEG") + b"MotionPhoto" * 50)

    assert picture.shape == (40, 60, 3)


@pytest.mark.parametrize("head", [b"....ftypisom", b"....jumpheic"])
def test_what_only_looks_like_heif_asks_for_no_decoder(head, monkeypatch: pytest.MonkeyPatch):
    """A film has the same box with another brand; the brand alone is nothing."""
    monkeypatch.setattr("shutil.which", lambda _name: None)
    monkeypatch.setitem(__import__("sys").modules, "pillow_heif", None)

    with pytest.raises(PictureError) as error:
        decode_picture(head + bytes(40))

    assert "not_an_image" == error.value.code
