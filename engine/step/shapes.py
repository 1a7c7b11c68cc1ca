"""Constants that depend on poses and sizes of geoms: bounds, bounding volume hierarchies of bodies, equal frames, contact bits
and margins, added masses.

The compiler computes them, too; mj_setConst recomputes them since MuJoCo 3.17.
"""

import numpy as np

from ..core.model import MjModel
from ..geom.added_mass import added_mass
from ..geom.solids import BY_NUMBER, Columns, bounds
from ..machine.jit import kernel, stage
from ..machine.lang import load, store
from ..math.quat import quat_conj, rotate
from ..math.vec import add3, sub3
from ..tables.compat_rows import bit
from ..tables.enums import mjtGeom
from .structure import DIFFERENT, SAME_INERTIA, relation

HFIELD = int(mjtGeom.mjGEOM_HFIELD)
GAP_OUTSIDE = bit("gap_outside")
# columns of geom_fluid that contain virtual masses and moments
VIRTUAL = slice(6, 12)


def shapes(m: MjModel) -> None:
    """Set bounds of solids and height fields, and added masses of ellipsoids in fluids, from their sizes. Bounds of meshes do
    not change.
    """
    kind, size = m.geom_type, m.geom_size
    for g in np.flatnonzero(kind == HFIELD):
        x, y, top, base = m.hfield_size[m.geom_dataid[g]]
        size[g] = x, y, 0.25 * top + 0.5 * base
        m.geom_aabb[g] = 0, 0, 0.5 * (top - base), x, y, 0.5 * (top + base)
        m.geom_rbound[g] = np.sqrt(x**2 + y**2 + max(top**2, base**2))
    solid = np.flatnonzero(np.isin(kind, [number for number, row in BY_NUMBER.items() if row.axes]))
    m.geom_aabb[solid], m.geom_rbound[solid] = bounds(Columns.of(kind[solid], size[solid]))
    for g in np.flatnonzero(m.geom_fluid[:, 0] > 0):
        m.geom_fluid[g, VIRTUAL] = added_mass(int(kind[g]), size[g])


@stage
def shape_constants(m, d):
    """reads nothing; writes Model's body_sameframe, geom_sameframe, site_sameframe, body_contype, body_conaffinity,
    body_margin, bvh_aabb of bodies.
    """
    for b in range(m.nbody):
        # Compare the body's inertial frame with the body frame.
        same = relation(load(m.body_ipos, b, 3), load(m.body_iquat, b, 4), load(m.body_ipos, b, 3), load(m.body_iquat, b, 4))
        m.body_sameframe[b] = same if same != SAME_INERTIA else DIFFERENT
        m.body_contype[b] = m.body_conaffinity[b] = 0
        m.body_margin[b] = 0.0

    # Compare the frames of geoms. Collect contact bits and margins of geoms in their bodies.
    for g in range(m.ngeom):
        b = m.geom_bodyid[g]
        m.geom_sameframe[g] = relation(
            load(m.geom_pos, g, 3), load(m.geom_quat, g, 4), load(m.body_ipos, b, 3), load(m.body_iquat, b, 4)
        )
        m.body_contype[b] |= m.geom_contype[g]
        m.body_conaffinity[b] |= m.geom_conaffinity[g]
        m.body_margin[b] = max(
            m.body_margin[b], m.geom_margin[g] + m.geom_gap[g] if m.compat_bits & GAP_OUTSIDE else m.geom_margin[g]
        )

    for s in range(m.nsite):
        b = m.site_bodyid[s]
        m.site_sameframe[s] = relation(
            load(m.site_pos, s, 3), load(m.site_quat, s, 4), load(m.body_ipos, b, 3), load(m.body_iquat, b, 4)
        )

    # Compute the boxes of the bounding volume hierarchies, from the leaves up.
    for b in range(m.nbody):
        # Children have larger indices than their parents.
        for n in range(m.body_bvhadr[b] + m.body_bvhnum[b] - 1, m.body_bvhadr[b] - 1, -1):
            if m.bvh_nodeid[n] >= 0:
                geom_box(m, b, n, m.bvh_nodeid[n])
            else:
                joint_box(m, n, m.body_bvhadr[b] + m.bvh_child[n, 0], m.body_bvhadr[b] + m.bvh_child[n, 1])


@kernel
def geom_box(m, b, n, g):
    """Set the box of node n so that it encloses a geom's box, in the inertial frame of the geom's body."""
    center, half = load(m.geom_aabb, g, 3), (m.geom_aabb[g, 3], m.geom_aabb[g, 4], m.geom_aabb[g, 5])
    low, high = sub3(center, half), add3(center, half)
    quat, back = load(m.geom_quat, g, 4), quat_conj(load(m.body_iquat, b, 4))
    shift = sub3(load(m.geom_pos, g, 3), load(m.body_ipos, b, 3))

    least = most = (0.0, 0.0, 0.0)
    for k in range(8):
        corner = high[0] if k & 1 else low[0], high[1] if k & 2 else low[1], high[2] if k & 4 else low[2]
        corner = rotate(back, add3(rotate(quat, corner), shift))
        if k == 0:
            least = most = corner
        least = min(least[0], corner[0]), min(least[1], corner[1]), min(least[2], corner[2])
        most = max(most[0], corner[0]), max(most[1], corner[1]), max(most[2], corner[2])
    put_box(m, n, least, most)


@kernel
def joint_box(m, n, left, right):
    """Set the box of node n so that it encloses the boxes of two other nodes."""
    a, b, s, t = load(m.bvh_aabb, left, 6), load(m.bvh_aabb, right, 6), (0.0, 0.0, 0.0), (0.0, 0.0, 0.0)
    s = min(a[0] - a[3], b[0] - b[3]), min(a[1] - a[4], b[1] - b[4]), min(a[2] - a[5], b[2] - b[5])
    t = max(a[0] + a[3], b[0] + b[3]), max(a[1] + a[4], b[1] + b[4]), max(a[2] + a[5], b[2] + b[5])
    put_box(m, n, s, t)


@kernel
def put_box(m, n, low, high):
    store(
        m.bvh_aabb,
        n,
        (
            (low[0] + high[0]) * 0.5,
            (low[1] + high[1]) * 0.5,
            (low[2] + high[2]) * 0.5,
            (high[0] - low[0]) * 0.5,
            (high[1] - low[1]) * 0.5,
            (high[2] - low[2]) * 0.5,
        ),
    )
