"""Models in binary files: a fixed header with a checksum, a table as text, then aligned arrays. Files are
memory-mapped.

bytes 0-7    magic           bytes 8-11   version        bytes 12-15  bytes of the table
bytes 16-23  total bytes     bytes 24-55  BLAKE2b of everything after the header
the table    JSON: sizes; name, dtype, shape and offset of each array. Scalars and options are stored as arrays.
"""

import hashlib
import json
import math
import mmap
import os
import struct
from typing import Any

import numpy as np

from ..machine.regular import open_regular
from ..tables.schema import MODEL_SIZES, SCHEMAS, extent
from ..tables.validate import InvalidModel, validate
from .model import MjModel, unused

MAGIC, VERSION, HEAD = b"TUMBLEMJ", 1, 56
ALIGN = 64
NESTED = ("opt", "vis", "stat")
OURS = frozenset(f.name for f in SCHEMAS["MjModel"].fields.values() if f.ours)
# Files leave out fields that MuJoCo does not have, if they contain defaults. With these fields, a model is at most this many
# times as large as its file.
MOST = 2


class BinaryError(ValueError):
    """The file is damaged or not a model of this engine."""


def _parts(m: MjModel, everything: bool = False) -> list[tuple[str, np.ndarray]]:
    """Return (name, array) of everything except the sizes; fields of options are named like `opt.gravity`."""
    # use plain views, since edits through them need not be detected
    found = [(f.name, m.peek(f.name)) for f in m.schema.arrays]
    found += [(f.name, np.array([getattr(m, f.name)], f.numpy)) for f in m.schema.scalars]
    # write fields that MuJoCo does not have only if the model uses them, so files of other models stay the same
    if not everything:
        out = unused(m)
        found = [(name, x) for name, x in found if name not in out]

    # options, visual options and statistics
    for group in NESTED:
        nested = getattr(m, group)
        found += [
            (f"{group}.{f.name}", np.atleast_1d(np.asarray(getattr(nested, f.name), f.numpy)))
            for f in nested.schema.fields.values()
        ]
    return found


def _plan(m: MjModel) -> tuple[bytes, list[tuple[int, np.ndarray]], int]:
    """Return (table as bytes, (offset, array) of each part, total bytes)."""
    rows, places, start = [], [], 0
    for name, x in _parts(m):
        rows.append((name, x.dtype.str, list(x.shape), start))
        places.append((start, x))
        start += -(-x.nbytes // ALIGN) * ALIGN
    out = unused(m)
    table = json.dumps(
        {"sizes": {n: int(getattr(m, n)) for n in MODEL_SIZES if n not in out}, "arrays": rows}, separators=(",", ":")
    ).encode()
    first = -(-(HEAD + len(table)) // ALIGN) * ALIGN
    return table, [(first + offset, x) for offset, x in places], first + start


def model_size(m: MjModel) -> int:
    """Return the bytes of a model's file."""
    return _plan(m)[2]


def write_model(m: MjModel, out: np.ndarray) -> None:
    """Write a model into a uint8 array of `model_size` bytes. ValueError if the array has another size."""
    table, places, total = _plan(m)
    if out.size != total:
        raise ValueError(f"buffer has {out.size} bytes, the model needs {total}")
    out[:] = 0
    out[HEAD : HEAD + len(table)] = np.frombuffer(table, np.uint8)
    for offset, x in places:
        out[offset : offset + x.nbytes] = np.ascontiguousarray(x).reshape(-1).view(np.uint8)
    digest = hashlib.blake2b(out[HEAD:].data, digest_size=32).digest()
    head = MAGIC + struct.pack("<IIQ", VERSION, len(table), total) + digest
    out[:HEAD] = np.frombuffer(head, np.uint8)


def save_model(m: MjModel, filename: str | os.PathLike[str]) -> None:
    """Write a model to a file. If writing fails, a file that already exists is left unchanged. Links are followed."""
    out = np.empty(model_size(m), np.uint8)
    write_model(m, out)
    filename = os.path.realpath(filename)
    if os.path.exists(filename) and not os.path.isfile(filename):
        # a pipe or device is written to; a file in its place would remove it
        with open(filename, "wb") as f:
            f.write(out.data)
        return
    partial = f"{filename}.{os.getpid()}.part"
    try:
        with open(partial, "wb") as f:
            f.write(out.data)
        os.replace(partial, filename)
    except OSError:
        if os.path.exists(partial):
            os.unlink(partial)
        raise


def load_model(filename: str | os.PathLike[str]) -> MjModel:
    """Load a model from a file. BinaryError if the file is damaged or not a model."""
    with open_regular(filename, math.inf) as f:
        if os.fstat(f.fileno()).st_size < HEAD:
            raise BinaryError(f"{filename}: no model: the file is too short")
        # the file is unmapped when its last view is deleted
        return read_model(mmap.mmap(f.fileno(), 0, access=mmap.ACCESS_READ), os.fspath(filename))


def read_model(data: Any, where: str = "model") -> MjModel:
    """Read a model from bytes, a memory map or a uint8 array. `where` names the source in errors. BinaryError if the data is
    damaged."""
    raw = np.frombuffer(data, np.uint8)
    sizes, rows, first = _read_table(raw, where)
    m = MjModel(**sizes)
    written = dict(_parts(m, True))
    values = {name: _read_array(raw, first, dtype, shape, offset, where, name) for name, dtype, shape, offset in rows}
    for name, target in written.items():
        # an old file may lack a field that MuJoCo does not have; this field then keeps its default
        if name not in values and name in OURS:
            continue

        # all other fields must be present with the expected type and shape
        if name not in values:
            raise BinaryError(f"{where}: array {name} is missing")
        x = values[name]
        if x.shape != target.shape or x.dtype != target.dtype:
            raise BinaryError(f"{where}: array {name} is {x.dtype}{list(x.shape)}, {target.dtype}{list(target.shape)} expected")
        _store(m, name, x, target)

    # check the indices, which may be out of range in a file
    try:
        validate(m)
    except InvalidModel as error:
        raise BinaryError(f"{where}: {error}") from None
    m.trust(True)
    return m


def _read_table(raw: np.ndarray, where: str) -> tuple[dict[str, int], list[tuple], int]:
    """Check the header and return (sizes, rows of the table, offset of the first array)."""
    head = raw[:HEAD].tobytes()
    if head[:8] != MAGIC:
        raise BinaryError(f"{where}: no model: it does not begin with {MAGIC.decode()}")

    # check the header
    version, length, total = struct.unpack_from("<IIQ", head, 8)
    if version != VERSION:
        raise BinaryError(f"{where}: version {version} of the format, only {VERSION} is known")
    if total != raw.size or HEAD + length > raw.size:
        raise BinaryError(f"{where}: {raw.size} bytes, {total} expected")
    if hashlib.blake2b(raw[HEAD:].data, digest_size=32).digest() != head[24:56]:
        raise BinaryError(f"{where}: checksum does not match: the file is damaged")

    # read and check the table
    try:
        table = json.loads(raw[HEAD : HEAD + length].tobytes())
        sizes, rows = table["sizes"], [(str(n), str(t), tuple(int(k) for k in s), int(o)) for n, t, s, o in table["arrays"]]
        unknown = set(sizes) - set(MODEL_SIZES)
    except (ValueError, KeyError, TypeError) as error:
        raise BinaryError(f"{where}: table cannot be read: {error}") from None
    # limits may be unset (-1), but array lengths may not
    lengths = {extent(dim)[0] for f in SCHEMAS["MjModel"].arrays for dim in f.dims}
    bad = [n for n, v in sizes.items() if not isinstance(v, int) or not (0 if n in lengths else -1) <= v < 2**62]
    if unknown or bad or MjModel.plan.bytes([sizes.get(n, 0) for n in MODEL_SIZES]) > MOST * total:
        raise BinaryError(f"{where}: impossible sizes {' '.join([*unknown, *bad])}")
    return sizes, rows, -(-(HEAD + length) // ALIGN) * ALIGN


def _read_array(
    raw: np.ndarray, first: int, dtype: str, shape: tuple[int, ...], offset: int, where: str, name: str
) -> np.ndarray:
    """Return a view of one array. BinaryError if it does not lie within the file."""
    try:
        kind = np.dtype(dtype)
    except TypeError:
        raise BinaryError(f"{where}: array {name} has unknown type {dtype}") from None
    count = 1
    for n in shape:
        count *= n
    start, end = first + offset, first + offset + count * kind.itemsize
    if kind.hasobject or min(shape, default=1) < 0 or offset < 0 or end > raw.size:
        raise BinaryError(f"{where}: array {name} does not lie within the file")
    return raw[start:end].view(kind).reshape(shape)


def _store(m: MjModel, name: str, x: np.ndarray, target: np.ndarray) -> None:
    """Copy an array from the file into its field of the model or its options; `target` is a view of this field."""
    group, _, field = name.partition(".")
    if field:
        setattr(getattr(m, group), field, x if getattr(m, group).schema.fields[field].dims else x[0].item())
    elif m.schema.fields[name].dims:
        target[...] = x
    else:
        setattr(m, name, x[0].item())
