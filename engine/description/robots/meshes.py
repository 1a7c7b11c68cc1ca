"""Reads mesh files of all formats into parts, and converts textures to PNG. The contents of a file decide its format.

`READERS` is the table of formats: extension and reader. A new format is a row and a function from bytes to parts.
"""

import io
import os
import posixpath
import struct
import warnings
import zlib
from collections.abc import Callable

import numpy as np

from ...geom.mesh_read import MeshError
from ...geom.mesh_read import read_msh as read_mujoco
from ..files.cache import Cache
from ..files.resources import OutsideError, digest_of
from .collada import read_dae
from .gltf import read_gltf
from .locate import Finder
from .parts import Beside, Part
from .plain_meshes import read_off, read_ply, read_stl
from .threemf import read_3mf
from .wavefront import read_obj


def _msh(data: bytes) -> list[Part]:
    raw = read_mujoco(data, True)
    return [Part(raw.vert, raw.face, raw.texcoord, raw.facetexcoord)]


# {extension: (reader, whether the reader needs other files)}
READERS: dict[str, tuple[Callable[..., list[Part]], bool]] = {
    ".stl": (read_stl, False),
    ".obj": (read_obj, True),
    ".dae": (read_dae, True),
    ".glb": (read_gltf, True),
    ".gltf": (read_gltf, True),
    ".ply": (read_ply, False),
    ".off": (read_off, False),
    ".3mf": (read_3mf, False),
    ".msh": (_msh, False),
}
# Largest width or height of an image; larger images are scaled down. Largest number of pixels that are decoded.
MOST_PIXELS, MOST_DECODED = 4096, 1 << 27
# Formats of images. Pillow knows more: to decode PostScript, it starts another program.
IMAGES = ("PNG", "JPEG", "TGA", "BMP", "DIB", "TIFF", "GIF", "WEBP", "DDS", "PPM", "JPEG2000", "PSD", "SGI", "PCX", "ICO")
# modes with more than 8 bits for each channel
WIDE = ("I;16", "I;16B", "I", "F")
# Parsed files, by their contents.
PARSED = Cache(256 << 20)


def kind_of_mesh(data: bytes, name: str) -> str:
    """Return the extension of a file's format, found by its first bytes or else by its name; empty if the format is not
    supported."""
    head = data[:512].lstrip(b"\xef\xbb\xbf \t\r\n")
    if data[:4] == b"glTF":
        return ".glb"
    if head.startswith((b"ply\n", b"ply\r")):
        return ".ply"
    if data[:4] == b"PK\x03\x04":
        return ".3mf"
    if b"<COLLADA" in data[:4096]:
        return ".dae"
    if head[:4] in (b"OFF\n", b"OFF\r", b"OFF ", b"COFF", b"NOFF"):
        return ".off"
    ending = posixpath.splitext(name.replace("\\", "/"))[1].lower()
    if ending == ".obj" and head[:5].lower() == b"solid" and b"facet" in data[:1024]:
        return ".stl"
    return ending if ending in READERS else ""


def read_parts(finder: Finder, path: str) -> list[Part]:
    """Return the parts of a mesh file; MeshError says why it cannot be read."""
    try:
        data = finder.read(path)
    except OutsideError:
        raise
    except OSError as error:
        raise MeshError(error.strerror or str(error)) from None
    if data.startswith(b"version https://git-lfs"):
        raise MeshError("it is a pointer of Git LFS: `git lfs pull` gets the file itself")
    if not data:
        raise MeshError("it is empty")
    kind = kind_of_mesh(data, path)
    if not kind:
        raise MeshError(f"'{os.path.splitext(path)[1]}' is not a supported mesh format: {', '.join(READERS)}")
    read, others = READERS[kind]
    key = "\0".join((kind, path if others else "")).encode() + digest_of(data)
    if (parts := PARSED.get(key)) is None:
        try:
            parts = read(data, _beside(finder, path)) if others else read(data)
        except MeshError:
            raise
        except (ValueError, IndexError, KeyError, OverflowError) as error:
            raise MeshError(f"the {kind} file is damaged: {error}") from None
        except MemoryError:
            raise MeshError(f"the {kind} file needs more memory than is available") from None
        PARSED.put(key, parts, sum(p.vert.nbytes + p.face.nbytes for p in parts))
    return parts


def _beside(finder: Finder, path: str) -> Beside:
    """Return a function that reads files next to a mesh file, by name; it returns None if a file is missing or not allowed."""

    def beside(name: str) -> bytes | None:
        found = image_path(finder, path, name)
        try:
            return finder.read(found) if found else None
        except OSError:
            return None

    return beside


def image_path(finder: Finder, mesh: str, name: str) -> str:
    """Return the image that a mesh file names: next to it, in usual folders, or wherever the robot's files are found; empty if
    there is none."""
    name = name.replace("\\", "/")
    folder, short = os.path.dirname(mesh), posixpath.basename(name)
    for place in (
        name,
        short,
        f"textures/{short}",
        f"../textures/{short}",
        f"materials/textures/{short}",
        f"../materials/textures/{short}",
    ):
        path = os.path.normpath(os.path.join(folder, place))
        if os.path.isfile(path):
            return path
    return finder.find(name, None, "texture")[0] if "://" in name else ""


def as_png(data: bytes, most: int = MOST_PIXELS) -> tuple[bytes, int]:
    """Return (PNG, number of pixels) of an image in any format that Pillow reads, with sides of at most `most` pixels.
    MeshError if it is not an image.
    """
    from PIL import Image

    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            image = Image.open(io.BytesIO(data), formats=IMAGES)
            # The compiler reads any PNG.
            if image.format == "PNG" and max(image.size) <= most:
                return data, image.width * image.height
            if image.width * image.height > MOST_DECODED >> (image.mode in WIDE):
                raise MeshError(f"it has {image.width} x {image.height} pixels")
            if image.mode in WIDE:
                wide = np.asarray(image, np.float64)
                image = Image.fromarray((wide / max(float(wide.max()), 1.0) * 255).astype(np.uint8))
            image.thumbnail((most, most))
            alpha = "A" in image.mode or "transparency" in image.info
            image = image.convert("RGBA" if alpha else "RGB")
            # Textures of models have three channels: make transparent parts white.
            if alpha:
                ground = Image.new("RGBA", image.size, (255, 255, 255, 255))
                ground.alpha_composite(image)
                image = ground.convert("RGB")
            return stored_png(np.asarray(image)), image.width * image.height
    except Exception as error:
        raise MeshError(f"the image cannot be decoded: {error or type(error).__name__}") from None


def stored_png(pixels: np.ndarray) -> bytes:
    """Return pixels (rows, columns, 3) as an uncompressed PNG, which takes a tenth of the time."""
    height, width, _ = pixels.shape
    # A zero byte before each row means that the row is not filtered.
    rows = np.zeros((height, 1 + 3 * width), np.uint8)
    rows[:, 1:] = pixels.reshape(height, -1)
    head = struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)
    found = [b"\x89PNG\r\n\x1a\n"]
    for kind, body in ((b"IHDR", head), (b"IDAT", zlib.compress(rows.tobytes(), 0)), (b"IEND", b"")):
        found += [struct.pack(">I", len(body)), kind, body, struct.pack(">I", zlib.crc32(body, zlib.crc32(kind)))]
    return b"".join(found)
