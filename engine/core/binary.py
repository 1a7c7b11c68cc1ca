"""Models in binary files: a fixed head with a checksum, a text table of what follows, aligned arrays. Opened by memory map.

bytes 0-7    magic           bytes 8-11   version        bytes 12-15  bytes of the table
bytes 16-23  total bytes     bytes 24-55  BLAKE2b of all that follows
the table    JSON: sizes, and of each array its name, dtype, shape and place; scalars and options are arrays too
"""

import hashlib
import json
import math
import mmap
import os
import struct

import numpy as np

from ..machine.regular import open_regular
from ..tables.schema import MODEL_SIZES, SCHEMAS, extent
from ..tables.validate import InvalidModel, validate
from .model import MjModel, unused

MAGIC, VERSION, HEAD = b"TUMBLEMJ", 1, 56
ALIGN = 64
NESTED = ("opt", "vis", "stat")
OURS = frozenset(f.name for f in SCHEMAS["MjModel"].fields.values() if f.ours)


class BinaryError(ValueError):
    """A file that is no model of this engine, or is damaged."""


def _parts(m, everything=False):
    """(name, array) of everything but the sizes; a part of options is named `opt.gravity`."""
    found = [(f.name, m.array(f.name)) for f in m.schema.arrays]
    found += [(f.name, np.array([getattr(m, f.name)], f.numpy)) for f in m.schema.scalars]
    # fields of ours are there if the model uses them: files of models that use none are as they were
    if not everything:
        out = unused(m)
        found = [(name, x) for name, x in found if name not in out]
    for group in NESTED:
        nested = getattr(m, group)
        found += [
            (f"{group}.{f.name}", np.atleast_1d(np.asarray(getattr(nested, f.name), f.numpy)))
            for f in nested.schema.fields.values()
        ]
    return found


def _plan(m):
    """(table as bytes, (offset, array) of each part, total bytes)."""
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


def model_size(m) -> int:
    """Bytes of a model in a file."""
    return _plan(m)[2]


def write_model(m, out) -> None:
    """Write a model into a uint8 array of `model_size` bytes."""
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


def save_model(m, filename) -> None:
    """Write a model to a file, all or nothing."""
    out = np.empty(model_size(m), np.uint8)
    write_model(m, out)
    partial = f"{os.fspath(filename)}.{os.getpid()}.part"
    try:
        with open(partial, "wb") as f:
            f.write(out.data)
        os.replace(partial, filename)
    except OSError:
        if os.path.exists(partial):
            os.unlink(partial)
        raise


def load_model(filename) -> MjModel:
    """A model from a file."""
    with open_regular(filename, math.inf) as f:
        if os.fstat(f.fileno()).st_size < HEAD:
            raise BinaryError(f"{filename}: no model: the file is too short")
        # the map is closed when the last view of it is gone
        return read_model(mmap.mmap(f.fileno(), 0, access=mmap.ACCESS_READ), os.fspath(filename))


def read_model(data, where="model") -> MjModel:
    """A model from bytes, a memory map or a uint8 array."""
    raw = np.frombuffer(data, np.uint8)
    sizes, rows, first = _read_table(raw, where)
    m = MjModel(**sizes)
    written = dict(_parts(m, True))
    values = {name: _read_array(raw, first, dtype, shape, offset, where, name) for name, dtype, shape, offset in rows}
    for name, target in written.items():
        if name not in values and name in OURS:
            continue
        if name not in values:
            raise BinaryError(f"{where}: array {name} is missing")
        x = values[name]
        if x.shape != target.shape or x.dtype != target.dtype:
            raise BinaryError(f"{where}: array {name} is {x.dtype}{list(x.shape)}, {target.dtype}{list(target.shape)} expected")
        _store(m, name, x)
    try:
        validate(m)
    except InvalidModel as error:
        raise BinaryError(f"{where}: {error}") from None
    m.trust(True)
    return m


def _read_table(raw, where):
    head = raw[:HEAD].tobytes()
    if head[:8] != MAGIC:
        raise BinaryError(f"{where}: no model: it does not begin with {MAGIC.decode()}")
    version, length, total = struct.unpack_from("<IIQ", head, 8)
    if version != VERSION:
        raise BinaryError(f"{where}: version {version} of the format, only {VERSION} is known")
    if total != raw.size or HEAD + length > raw.size:
        raise BinaryError(f"{where}: {raw.size} bytes, {total} expected")
    if hashlib.blake2b(raw[HEAD:].data, digest_size=32).digest() != head[24:56]:
        raise BinaryError(f"{where}: checksum does not match: the file is damaged")
    try:
        table = json.loads(raw[HEAD : HEAD + length].tobytes())
        sizes, rows = table["sizes"], [(str(n), str(t), tuple(int(k) for k in s), int(o)) for n, t, s, o in table["arrays"]]
        unknown = set(sizes) - set(MODEL_SIZES)
    except (ValueError, KeyError, TypeError) as error:
        raise BinaryError(f"{where}: table cannot be read: {error}") from None
    # limits that are left open are -1, lengths of arrays are not
    lengths = {extent(dim)[0] for f in SCHEMAS["MjModel"].arrays for dim in f.dims}
    bad = [n for n, v in sizes.items() if not isinstance(v, int) or not (0 if n in lengths else -1) <= v < 2**62]
    if unknown or bad or MjModel.plan.bytes([sizes.get(n, 0) for n in MODEL_SIZES]) > total:
        raise BinaryError(f"{where}: impossible sizes {' '.join([*unknown, *bad])}")
    return sizes, rows, -(-(HEAD + length) // ALIGN) * ALIGN


def _read_array(raw, first, dtype, shape, offset, where, name):
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


def _store(m, name, x):
    group, _, field = name.partition(".")
    if field:
        setattr(getattr(m, group), field, x if getattr(m, group).schema.fields[field].dims else x[0].item())
    elif m.schema.fields[name].dims:
        m.array(name)[...] = x
    else:
        setattr(m, name, x[0].item())
