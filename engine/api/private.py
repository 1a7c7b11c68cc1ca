"""Private names of MuJoCo's package that its tests use."""

from ..core.records import CLASSES
from ..core.report import FatalError, bytes_text
from ..tables.named_access import VIEWS
from ..tables.schema import SCHEMAS
from .signature import public

_CAPS = {"ncon": "ncon_cap", "nefc": "nefc_cap", "nJ": "nJ_cap"}


@public("d ncon:i nefc:i nJ:i=-1")
def _realloc_con_efc(d, ncon, nefc, nJ):
    """Make room in a Data for ncon contacts and nefc constraint rows (nJ elements of their Jacobian), within the size of its
    arena. Fill this memory with zeros."""
    wanted = {"ncon": max(0, ncon), "nefc": max(0, nefc), "nJ": max(0, nefc * d.model.nv if nJ < 0 else nJ)}

    # bytes needed in MuJoCo's arena
    bytes_needed = 0
    for f in SCHEMAS["MjData"].arrays:
        if f.used in wanted:
            row = f.numpy.itemsize
            for n in f.dims[1:]:
                row *= n if isinstance(n, int) else getattr(d.model, n)
            bytes_needed += wanted[f.used] * row
    d.ncon = d.nefc = d.nJ = d.ne = d.nf = d.nl = d.nisland = 0
    if bytes_needed > d.narena:
        raise FatalError(
            f'Insufficient arena memory, currently allocated memory="{bytes_text(d.narena)}". '
            'Increase using <size memory="X"/>.'
        )

    # reserve the memory and clear it
    capacities = d.capacities
    for name, cap in _CAPS.items():
        capacities[cap] = max(capacities[cap], wanted[name])
    d.reserve(capacities)
    for f in SCHEMAS["MjData"].arrays:
        if f.used in wanted:
            d.array(f.name)[: wanted[f.used]] = 0
    d.ncon, d.nefc, d.nJ = wanted["ncon"], wanted["nefc"], wanted["nJ"]


# classes of record lists and of element views, which scripts never construct but may pass to isinstance
globals().update({f"_{name}List": pair[1] for name, pair in CLASSES.items() if pair[1].prefix}, **VIEWS)
