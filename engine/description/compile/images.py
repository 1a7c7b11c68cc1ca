"""Reads PNG files of textures and height fields as arrays. For images in other formats, errors name the format."""

import struct
import zlib
from collections.abc import Sequence
from typing import Any

import numpy as np

from ..elements.element import Element
from ..elements.elements import compile_error

MAX_PIXELS = (2**31 - 1) // 6
PNG_MAGIC = b"\x89PNG\r\n\x1a\n"
# {first bytes of another image format: name of the format}
OTHERS = (
    (b"\xff\xd8\xff", "JPEG"),
    (b"GIF8", "GIF"),
    (b"BM", "BMP"),
    (b"II*\0", "TIFF"),
    (b"MM\0*", "TIFF"),
    (b"DDS ", "DDS"),
    (b"8BPS", "Photoshop"),
    (b"#?RADIANCE", "Radiance HDR"),
    (b"\x76\x2f\x31\x01", "OpenEXR"),
    (b"\0\0\0\x0cjP  ", "JPEG 2000"),
    (b"\xff\x4f\xff\x51", "JPEG 2000"),
)
# bit depths of gray PNG images whose levels the decoder scales to 8 bits
FEW_BITS = (2, 4)
GREY, RGB = 0, 2
# the decoder's pixel mode for three 16-bit channels with the low byte first (in PNG files, the high byte comes first)
LAST_FIRST = "RGB;16L"


def format_of(data: bytes) -> str:
    """Return the format of an image other than PNG, found by its first bytes; empty if unknown."""
    if data[:4] == b"RIFF" and data[8:12] == b"WEBP":
        return "WebP"
    if data[4:8] == b"ftyp" and data[8:12] in (b"avif", b"heic", b"mif1"):
        return "AVIF or HEIC"
    # "BM" alone could be the size in a raw texture file; a BMP file also has its length in the next bytes
    if data[:2] == b"BM" and (len(data) < 6 or struct.unpack("<I", data[2:6])[0] != len(data)):
        return ""
    return next((name for magic, name in OTHERS if data.startswith(magic)), "")


def refuse_other(e: Element, data: bytes, name: str) -> None:
    """If an image is in a known format other than PNG, raise an error that names the format. Accept MuJoCo's raw format."""
    found = format_of(data)
    if found:
        raise compile_error(e, f"'{name}' is a {found} image, although its name may say otherwise: convert it to PNG")


def decode_png(e: Element, data: bytes, name: str, mode: str) -> np.ndarray:
    """Return the bytes (rows, columns, channels) of a PNG; `mode`: L, RGB or RGBA."""
    import io
    import warnings

    from PIL import Image

    if not data.startswith(PNG_MAGIC):
        raise compile_error(e, f"'{name}' is not a PNG file")
    width, height = struct.unpack(">II", data[16:24]) if len(data) >= 24 else (0, 0)
    if width * height > MAX_PIXELS or not width or not height:
        raise compile_error(e, f"the size of '{name}' is invalid: {width} x {height}")
    damage = png_damage(data)
    if damage:
        raise compile_error(e, f"cannot decode '{name}': {damage}")

    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            image = _in_bytes(Image.open(io.BytesIO(data)), data)
            if mode == "L" and image.mode not in ("L", "1"):
                # use the red channel of a color image as its gray value
                image = image.convert("RGBA" if "A" in image.mode or "transparency" in image.info else "RGB").getchannel(0)
            image = np.asarray(image.convert(mode))
    except Exception as error:
        raise compile_error(e, f"cannot decode '{name}': {error}") from None
    return image.reshape(image.shape[0], image.shape[1], -1)


def _in_bytes(image: Any, data: bytes) -> Any:
    """Return an opened image with 8 bits per channel; the color declared transparent is converted like a pixel."""
    from PIL import Image

    (bits, kind), shade = data[24:26], image.info.get("transparency")
    if image.mode in ("I;16", "I"):
        # 16 bits: keep the high byte of each pixel, but compare all 16 bits with the transparent color
        wide = np.asarray(image).astype(np.uint32)
        image = Image.fromarray((wide >> 8).astype(np.uint8))
        if shade is not None:
            image.putalpha(Image.fromarray(np.where(wide == shade, 0, 255).astype(np.uint8)))
    elif shade is not None and kind == GREY and bits in FEW_BITS:
        image.info["transparency"] = shade * 255 // (2**bits - 1)
    elif shade is not None and kind == RGB and bits == 16:
        image = _with_alpha(image, low_bytes(data), shade)
    return image


def low_bytes(data: bytes) -> np.ndarray:
    """Return the low bytes (rows, columns, 3) of a PNG with 16 bits per channel, which normal decoding drops."""
    import io

    from PIL import Image

    # the decoder keeps the high byte of each channel; if it assumes the wrong byte order, it keeps the low byte
    image: Any = Image.open(io.BytesIO(data))
    image.tile = [(*part[:3], LAST_FIRST) for part in image.tile]
    return np.asarray(image)


def _with_alpha(image: Any, low: np.ndarray, shade: Sequence[int]) -> Any:
    """Convert an image with 16 bits per channel to 8 bits. A pixel is transparent if all its 16 bits equal the transparent
    color's."""
    from PIL import Image

    high = np.asarray(image)
    clear = (high.astype(np.uint16) << 8 | low == np.asarray(shade, np.uint16)).all(-1)
    return Image.fromarray(np.dstack([high, np.where(clear, 0, 255).astype(np.uint8)]))


def png_damage(data: bytes) -> str:
    """Describe damage in the chunks of a PNG; empty if there is none. Each chunk must be complete, and the end chunk
    present."""
    at = 8
    while at + 12 <= len(data):
        (length,) = struct.unpack(">I", data[at : at + 4])
        kind, end = data[at + 4 : at + 8], at + 8 + length
        if end + 4 > len(data):
            return f"chunk {kind!r} is cut off"
        if struct.unpack(">I", data[end : end + 4])[0] != zlib.crc32(data[at + 4 : end]):
            return f"the checksum of chunk {kind!r} is wrong"
        if kind == b"IEND":
            return ""
        at = end + 4
    return "the file has no end"


def has_srgb(data: bytes) -> bool:
    """Return whether a PNG declares the sRGB color space."""
    at = 8
    while at + 8 <= len(data):
        (length,) = struct.unpack(">I", data[at : at + 4])
        kind = data[at + 4 : at + 8]
        if kind == b"sRGB":
            return True
        if kind == b"IDAT":
            return False
        at += 12 + length
    return False
