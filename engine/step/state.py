"""Copies of whole Data, and packed state vectors."""
import numpy as np

from ..core.jit import stage
from ..core.lang import as_data, copy_bytes, header_of, longs_at
from ..core.schema import GROWING, SCHEMAS

_DATA = SCHEMAS["MjData"]
_CELLS, _FIRST = _DATA.cells, _DATA.first_copied

# (header slot, bytes a row, slot of the count in use) of each growable array that holds results
_GROWING = np.array([(_DATA.slot[f.name], f.numpy.itemsize * int(np.prod([n for n in f.dims[1:]])), _DATA.slot[f.used])
                     for f in _DATA.arrays if f.group in GROWING and f.used], np.int64)


@stage("vMDi")
def copy_data(m, d, source):
    """reads another Data of the same model, by address; writes every field of this one, of growable arrays the part in use."""
    other = as_data(source)
    old, new = longs_at(source, _CELLS), longs_at(header_of(d), _CELLS)
    for k in range(_FIRST, _CELLS):
        new[k] = old[k]
    copy_bytes(d.arrays_address, other.arrays_address, d.result_bytes)
    for k in range(_GROWING.shape[0]):
        copy_bytes(new[_GROWING[k, 0]], old[_GROWING[k, 0]], _GROWING[k, 1] * old[_GROWING[k, 2]])
