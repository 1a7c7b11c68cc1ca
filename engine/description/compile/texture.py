"""Textures: built-in patterns, and PNG files as images, cubes or grids of faces; also height fields, from files or data.

adds   hfield: shape
"""

import struct
from collections.abc import Sequence
from typing import Any

import numpy as np

from ...geom.random64 import uniforms_below
from ...tables.compat_rows import holds
from ...tables.enums import mjtBuiltin, mjtColorSpace, mjtMark
from ..elements.element import Element
from ..elements.elements import compile_error
from ..files.cache import ASSETS, key_of
from ..files.providers import media_type
from ..files.resources import digest_of
from ..language.types import TEXTURE_2D, numbers
from .images import decode_png, has_srgb, refuse_other
from .resolve import Compilation, asset_digest, read_asset

GRADIENT, CHECKER, FLAT = numbers(mjtBuiltin, "GRADIENT", "CHECKER", "FLAT")
EDGE, CROSS, RANDOM = numbers(mjtMark, "EDGE", "CROSS", "RANDOM")

ANY, LINEAR, SRGB = numbers(mjtColorSpace, "AUTO", "LINEAR", "SRGB")
# upper limits: bytes of a builtin texture; number of pixels computed at once
MAX_BUILTIN, BLOCK = 1 << 28, 1 << 20
KTX = "image/ktx"
# {file name extension: content type}
KINDS = {"png": "image/png", "ktx": KTX}


class Texture:
    """A compiled texture: size, channels, pixels."""

    __slots__ = ("type", "colorspace", "width", "height", "nchannel", "data")


def textures(c: Compilation) -> None:
    """Compile all textures."""
    c.textures = [compile_texture(c, e) for e in c.texture.elems]


def compile_texture(c: Compilation, e: Element) -> Texture:
    """Return one texture, from the cache if nothing that affects it has changed."""
    raw = e.raw
    names = [] if len(raw["data"]) or raw["builtin"] else [raw["file"]] if raw["file"] else raw["cubefiles"]
    files = {n: c.file_of(e, n, "texturedir") for n in names if n}
    how = bytes((holds("png_only", c.compat_bits),))
    t = ASSETS.get(key_of("texture", raw, ("info",), how, *[asset_digest(c, e, file) for file in files.values()]))
    if t is None:
        # read again: the files may have changed since their digests were computed
        contents = {n: read_asset(c, e, file) for n, file in files.items()}
        key = key_of("texture", raw, ("info",), how, *map(digest_of, contents.values()))
        t = _make_texture(c, e, raw, contents)
        t.data.flags.writeable = False
        ASSETS.put(key, t, t.data.nbytes)
    return t


def _make_texture(c: Compilation, e: Element, raw: dict[str, Any], contents: dict[str, bytes]) -> Texture:
    t = Texture()
    t.type, t.colorspace, t.nchannel = raw["type"], raw["colorspace"], raw["nchannel"]
    t.width, t.height = raw["width"], raw["height"]
    if len(raw["data"]):
        given = raw["data"]
        # copy the data, because the caller may change the array while the texture is cached
        data = np.array(np.frombuffer(given, np.uint8) if isinstance(given, (bytes, bytearray)) else given, np.uint8)
        if data.size != t.nchannel * t.width * t.height:
            raise compile_error(e, f"{data.size} bytes given, {t.nchannel * t.width * t.height} expected")
        t.data = flipped(raw, data.reshape(t.height, t.width, t.nchannel)).ravel()
    elif raw["builtin"]:
        _builtin(e, raw, t)
    elif raw["file"]:
        _from_file(c, e, raw, t, contents)
    else:
        _from_faces(c, e, raw, t, contents)
    return t


def color(rgb: Sequence[float]) -> np.ndarray:
    """Return a color, given in 0..1, as bytes."""
    return (255 * np.asarray(rgb, np.float64)).astype(np.int64).astype(np.uint8)


def _builtin(e: Element, raw: dict[str, Any], t: Texture) -> None:
    if t.width < 1:
        raise compile_error(e, "the width of a builtin texture must be positive")
    if t.type != TEXTURE_2D:
        t.height = 6 * t.width
    elif t.height < 1:
        raise compile_error(e, "the height of a builtin texture must be positive")
    if not 1 <= t.nchannel <= 4:
        raise compile_error(e, f"{t.nchannel} channels are not supported")
    if t.width * t.height * max(t.nchannel, 3) > MAX_BUILTIN:
        raise compile_error(e, "the texture is too large")
    shape = (t.height, t.width) if t.type == TEXTURE_2D else (6, t.width, t.width)
    image = np.zeros((*shape, 3), np.uint8)
    (_flat_image if t.type == TEXTURE_2D else _cube_image)(raw, image)
    _marks(raw, image)
    t.data = np.zeros(t.nchannel * t.width * t.height, np.uint8)
    n = min(image.size, t.data.size)
    t.data[:n] = image.ravel()[:n]


def _blend(rgb1: Sequence[float], rgb2: Sequence[float], pos: np.ndarray) -> np.ndarray:
    """Return colors between rgb2 (where `pos` is -1) and rgb1 (where `pos` is 1) along a sigmoid."""
    alpha = np.clip(0.5 * (1 + pos / np.sqrt(1 + pos * pos) / (1.0 / np.sqrt(2))), 0, 1)
    one, two = np.asarray(rgb1), np.asarray(rgb2)
    return (255 * (alpha[..., None] * one + (1 - alpha[..., None]) * two)).astype(np.int64).astype(np.uint8)


def _checker(image: np.ndarray, a: np.ndarray, b: np.ndarray) -> None:
    """Return a checkerboard of 2 x 2 fields; the two on one diagonal have color a."""
    h, w = image.shape[0] // 2, image.shape[1] // 2
    image[:h, :w], image[h:, w:], image[:h, w:], image[h:, :w] = a, a, b, b


def _blocks(shape: Sequence[int]) -> list[slice]:
    """Yield slices of the rows of an image, each with a limited number of pixels."""
    step = max(1, BLOCK // shape[1])
    return [slice(k, k + step) for k in range(0, shape[0], step)]


def _axis(n: int) -> np.ndarray:
    with np.errstate(all="ignore"):
        return 2 * np.arange(n) / np.float64(n - 1) - 1


def _flat_image(raw: dict[str, Any], image: np.ndarray) -> None:
    a, b = color(raw["rgb1"]), color(raw["rgb2"])
    if raw["builtin"] == GRADIENT:
        x, column = _axis(image.shape[1])[None, :], -_axis(image.shape[0])[:, None]
        for rows in _blocks(image.shape):
            y = column[rows]
            image[rows] = _blend(raw["rgb2"], raw["rgb1"], 2 * np.sqrt(x * x + y * y) - 1)
    elif raw["builtin"] == CHECKER:
        _checker(image, a, b)
    else:
        image[:] = a


def _cube_image(raw: dict[str, Any], image: np.ndarray) -> None:
    a, b = color(raw["rgb1"]), color(raw["rgb2"])
    if raw["builtin"] == GRADIENT:
        x, column = _axis(image.shape[1])[None, :], -_axis(image.shape[1])[:, None]
        for rows in _blocks(image.shape[1:]):
            y = column[rows]
            r = np.sqrt(1 + x * x + y * y)
            side = np.arcsin(y / r) / (0.5 * np.pi)
            up = 1 - np.arccos(1.0 / r) / (0.5 * np.pi)
            image[[0, 1, 4, 5], rows] = _blend(raw["rgb1"], raw["rgb2"], side)
            image[2, rows], image[3, rows] = _blend(raw["rgb1"], raw["rgb2"], up), _blend(raw["rgb1"], raw["rgb2"], -up)
    elif raw["builtin"] == CHECKER:
        for face in range(6):
            _checker(image[face], *((a, b) if face < 4 else (b, a)))
    else:
        image[:] = a
        image[3] = b


def _marks(raw: dict[str, Any], image: np.ndarray) -> None:
    mark, m = raw["mark"], color(raw["markrgb"])
    if mark == EDGE:
        image[..., 0, :], image[..., -1, :], image[..., 0, :, :], image[..., -1, :, :] = m, m, m, m
    elif mark == CROSS:
        image[..., image.shape[-2] // 2, :] = m
        image[..., image.shape[-3] // 2, :, :] = m
    elif mark == RANDOM and raw["random"] > 0:
        flat = image.reshape(-1, 3)
        flat[uniforms_below(len(flat), raw["random"])] = m


def flipped(raw: dict[str, Any], image: np.ndarray) -> np.ndarray:
    """Return an image (rows, columns, channels), mirrored if its texture requests this."""
    if raw["hflip"]:
        image = image[:, ::-1]
    if raw["vflip"]:
        image = image[::-1]
    return np.ascontiguousarray(image)


def _image(c: Compilation, e: Element, raw: dict[str, Any], file: str, contents: dict[str, bytes]) -> tuple[np.ndarray, int]:
    """Return (image, color space) of a file."""
    name, data = c.file_of(e, file, "texturedir"), contents[file]
    kind = raw["content_type"] or media_type(name) or KINDS.get(name.lower().rpartition(".")[2], "")
    refuse_other(e, data, name)
    if kind.startswith("image/png"):
        return png_image(c, e, data, name, raw)
    if kind == KTX:
        return _container(c, e, data, raw)
    if kind in ("", "image/vnd.mujoco.texture") and not holds("png_only", c.compat_bits):
        return _custom_image(e, data, name, raw)
    raise compile_error(e, f"unsupported content type '{kind}'")


def _container(c: Compilation, e: Element, data: bytes, raw: dict[str, Any]) -> tuple[np.ndarray, int]:
    """Return a KTX file (Khronos texture format) as one row of bytes, for renderers that decode it (since MuJoCo 3.12).

    Tumble's renderer does not show it.
    """
    if raw["type"] != TEXTURE_2D:
        raise compile_error(e, "cube and skybox textures loaded from files must have 3 channels: KTX files are for 2d textures")
    if raw["hflip"] or raw["vflip"]:
        raise compile_error(e, "cannot flip KTX textures")
    if not data:
        raise compile_error(e, f"'{raw['file']}' is empty")
    return np.frombuffer(data, np.uint8).reshape(1, -1, 1), LINEAR


def png_image(c: Compilation, e: Element, data: bytes, name: str, raw: dict[str, Any]) -> tuple[np.ndarray, int]:
    """Return (image, color space) of a PNG, with the texture's number of channels."""
    mode = {1: "L", 3: "RGB", 4: "RGBA"}.get(raw["nchannel"])
    if mode is None:
        raise compile_error(e, f"{raw['nchannel']} channels are not supported")
    image = decode_png(e, data, name, mode)
    return flipped(raw, image), SRGB if has_srgb(data) else LINEAR


def _custom_image(e: Element, data: bytes, name: str, raw: dict[str, Any]) -> tuple[np.ndarray, int]:
    """Return (image, color space) of a raw texture file: width, height, pixels."""
    if len(data) < 8:
        raise compile_error(e, f"'{name}' is too short for a texture")
    width, height = struct.unpack("<ii", data[:8])
    if width < 1 or height < 1:
        raise compile_error(e, f"the size of '{name}' is invalid: {width} x {height}")
    if len(data) != 8 + raw["nchannel"] * width * height:
        raise compile_error(e, f"'{name}' has {len(data)} bytes, {8 + raw['nchannel'] * width * height} expected")
    image = np.frombuffer(data, np.uint8, offset=8).reshape(height, width, raw["nchannel"])
    return flipped(raw, image), LINEAR


def _set_colorspace(t: Texture, space: int) -> None:
    if t.colorspace == ANY:
        t.colorspace = space


def _from_file(c: Compilation, e: Element, raw: dict[str, Any], t: Texture, contents: dict[str, bytes]) -> None:
    image, space = _image(c, e, raw, raw["file"], contents)
    _set_colorspace(t, space)
    _check_cube(c, e, t)
    if t.type == TEXTURE_2D:
        t.height, t.width, t.nchannel = image.shape
        t.data = image.ravel()
        return

    # an image that serves all faces, or a grid of faces
    rows, cols = (int(v) for v in raw["gridsize"])
    if rows < 1 or cols < 1 or rows * cols > 12:
        raise compile_error(e, "gridsize must have 1 to 12 squares")
    h, w = image.shape[:2]
    if w % cols or h % rows or w // cols != h // rows:
        raise compile_error(e, f"the image '{raw['file']}' of {w} x {h} does not fit gridsize {rows} x {cols}")
    if rows == cols == 1:
        t.width = t.height = w
        t.data = image.ravel()
        return
    t.width = w // cols
    t.height = 6 * t.width

    faces = _blank_faces(raw, t)
    for k in range(rows * cols):
        symbol = raw["gridlayout"][k]
        if symbol == ".":
            continue
        face = "RLUDFB".find(symbol)
        if face < 0:
            raise compile_error(e, f"gridlayout symbol '{symbol}' is not one of .RLUDFB")
        r, q = t.width * (k // cols), t.width * (k % cols)
        faces[face] = image[r : r + t.width, q : q + t.width]
    t.data = faces.ravel()


def _check_cube(c: Compilation, e: Element, t: Texture) -> None:
    if t.type != TEXTURE_2D and t.nchannel != 3 and holds("cube_rgb", c.compat_bits):
        raise compile_error(e, "cube and skybox textures loaded from files must have 3 channels")


def _blank_faces(raw: dict[str, Any], t: Texture) -> np.ndarray:
    """Return six opaque faces (rows, columns, channels) in the texture's first color."""
    faces = np.empty((6, t.width, t.width, t.nchannel), np.uint8)
    faces[:] = (*color(raw["rgb1"]), 255)[: t.nchannel]
    return faces


def _from_faces(c: Compilation, e: Element, raw: dict[str, Any], t: Texture, contents: dict[str, bytes]) -> None:
    if t.type == TEXTURE_2D:
        raise compile_error(e, "a 2d texture needs a builtin pattern, a file or data")
    if not any(raw["cubefiles"]):
        raise compile_error(e, "a cube or skybox needs a builtin pattern, a file or files for its faces")

    faces = None
    for i, file in enumerate(raw["cubefiles"]):
        if not file:
            continue
        image, space = _image(c, e, raw, file, contents)
        _set_colorspace(t, space)
        _check_cube(c, e, t)
        if image.shape[0] != image.shape[1]:
            raise compile_error(e, f"the image '{file}' is not square")
        if faces is None:
            t.width = image.shape[0]
            faces = _blank_faces(raw, t)
        elif image.shape[0] != t.width:
            raise compile_error(e, f"the image '{file}' differs in size from the other faces")
        faces[i] = image
    # at least one of the files was given
    assert faces is not None
    t.height = 6 * t.width
    t.data = faces.ravel()


def hfields(c: Compilation) -> None:
    """Set elevation data of all height fields, scaled to 0..1."""
    h = c.hfield
    c.hfield_data, h.shape = [], []
    for i, e in enumerate(h.elems):
        data, shape = _elevation(c, e)
        if min(shape) < 2 and holds("stricter", c.compat_bits):
            raise compile_error(e, "a height field needs two rows and two columns")
        if (h.size[i] <= 0).any():
            raise compile_error(e, "the four sizes must be positive")
        data = np.array(data, np.float32).ravel()
        low, high = data.min(), data.max()
        if not low <= high:
            raise compile_error(e, "the elevations are not numbers")
        data -= low
        if high - low > 1e-14:
            data /= np.float32(high - low)
        c.hfield_data.append(data)
        h.shape.append(shape)


def _elevation(c: Compilation, e: Element) -> tuple[Any, tuple[int, ...]]:
    # data
    raw = e.raw
    if len(raw["userdata"]):
        if len(raw["userdata"]) != raw["nrow"] * raw["ncol"]:
            raise compile_error(e, "elevation data length must match nrow*ncol")
        if not raw["file"]:
            return raw["userdata"], (raw["nrow"], raw["ncol"])

    # file
    if not raw["file"]:
        raise compile_error(e, "a height field needs a file or nrow and ncol")
    if raw["nrow"] or raw["ncol"] or len(raw["userdata"]):
        raise compile_error(e, "the height field has a file and its own data")
    name = c.file_of(e, raw["file"])
    data = read_asset(c, e, name)
    refuse_other(e, data, name)
    if (raw["content_type"] or media_type(name) or ("image/png" if name.lower().endswith(".png") else "")).startswith(
        "image/png"
    ):
        image = decode_png(e, data, name, "L")[..., 0]
        return image[::-1].astype(np.float32), image.shape

    if len(data) < 8:
        raise compile_error(e, f"'{name}' is too short for a height field")
    nrow, ncol = struct.unpack("<ii", data[:8])
    if nrow < 1 or ncol < 1 or len(data) != 8 + 4 * nrow * ncol:
        raise compile_error(e, f"'{name}' has {len(data)} bytes for a height field of {nrow} x {ncol}")
    return np.frombuffer(data, np.float32, offset=8), (nrow, ncol)
