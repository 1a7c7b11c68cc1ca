"""Contact pairs and excluded pairs: geoms and bodies, parameters mixed from the geoms, sorted by signature.

adds   exclude: signature; pair: geom1 geom2 signature
reads  geom: visual
"""

from collections.abc import Sequence

import numpy as np

from ...tables.compat_rows import holds
from ..elements.elements import compile_error
from ..language.orient import EPS
from .resolve import Compilation
from .table import Table

# possible dimensions of a contact
CONDIMS = (1, 3, 4, 6)


def pairs(c: Compilation) -> None:
    """Resolve contact pairs. Parameters that are not given are mixed from the two geoms; pairs are sorted by signature."""
    p, g = c.pair, c.geom
    p.geom1, p.geom2, p.signature = (np.zeros(p.n, np.int64) for _ in range(3))
    for i, e in enumerate(p.elems):
        if p.condim[i] not in CONDIMS and p.condim[i] >= 0:
            raise compile_error(e, "condim must be 1, 3, 4 or 6")

        a = c.need("geom", p.geomname1[i], e, "geom1")
        b = c.need("geom", p.geomname2[i], e, "geom2")
        if g.body[a] > g.body[b]:
            a, b = b, a
        g.visual[a] = g.visual[b] = False
        p.geom1[i], p.geom2[i] = a, b
        p.signature[i] = (int(g.body[a]) << 16) + int(g.body[b])
        _mix(p, g, i, a, b, c.compat_bits)

    _reorder(
        c,
        p,
        (
            "geom1",
            "geom2",
            "signature",
            "condim",
            "friction",
            "solref",
            "solreffriction",
            "solimp",
            "margin",
            "gap",
            "adhesion",
        ),
    )


def _mix(p: Table, g: Table, i: int, a: int, b: int, changes: int) -> None:
    for name in ("margin", "gap"):
        if np.isnan(getattr(p, name)[i]):
            mine, other = getattr(g, name)[a], getattr(g, name)[b]
            getattr(p, name)[i] = mine + other if holds("margin_sum", changes) else max(mine, other)

    # the geom with higher priority determines a parameter; if priorities are equal, the values of both geoms are mixed
    if g.priority[a] != g.priority[b]:
        top = a if g.priority[a] > g.priority[b] else b
        condim, friction, solref, solimp = g.condim[top], g.friction[top], g.solref[top], g.solimp[top]
    else:
        condim = max(g.condim[a], g.condim[b])
        friction = np.maximum(g.friction[a], g.friction[b])
        x, y = g.solmix[a], g.solmix[b]
        mix = x / (x + y) if x >= EPS and y >= EPS else 0.5 if x < EPS and y < EPS else 0.0 if x < EPS else 1.0
        mixed = holds("pair_mix", changes) and g.solref[a, 0] > 0 and g.solref[b, 0] > 0
        solref = mix * g.solref[a] + (1 - mix) * g.solref[b] if mixed else np.minimum(g.solref[a], g.solref[b])
        solimp = mix * g.solimp[a] + (1 - mix) * g.solimp[b]

    # set only parameters that were not given
    if p.condim[i] < 0:
        p.condim[i] = condim
    if np.isnan(p.friction[i, 0]):
        p.friction[i] = friction[[0, 0, 1, 2, 2]]
    if np.isnan(p.solref[i, 0]):
        p.solref[i] = solref
    if np.isnan(p.solimp[i, 0]):
        p.solimp[i] = solimp


def _reorder(c: Compilation, table: Table, columns: Sequence[str]) -> None:
    """Sort rows by signature, and assign ids in that order."""
    order = np.argsort(table.signature, kind="stable")
    if (order == np.arange(table.n)).all():
        return
    for name in columns:
        setattr(table, name, getattr(table, name)[order])
    table.elems = [table.elems[i] for i in order]
    c.ids[table.kind] = table.ids()


def excludes(c: Compilation) -> None:
    """Resolve excluded body pairs, sorted by signature."""
    x = c.exclude
    x.signature = np.zeros(x.n, np.int64)
    for i, e in enumerate(x.elems):
        a = c.need("body", x.bodyname1[i], e, "body1")
        b = c.need("body", x.bodyname2[i], e, "body2")
        x.signature[i] = (min(a, b) << 16) + max(a, b)
    _reorder(c, x, ("signature",))
