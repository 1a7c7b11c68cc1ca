"""Third stage of compilation: masses and inertias of geoms, inertial frames of bodies, bounds, checks, alignment of free
bodies.

adds   body: conaffinity contype inverse margin; geom: fluid inertia mark total
reads  body: jntnum parent; geom: mesh
"""

from typing import Any

import numpy as np

from ...geom.added_mass import added_mass
from ...geom.principal import ABSOLUTE, RELATIVE, principal
from ...geom.solids import moments, volumes
from ...machine.storage import address_of
from ...tables.compat_rows import holds
from ...tables.enums import mjtAlignFree
from ..elements.elements import compile_error
from ..language import orient
from ..language.arrays import among, true_rows
from ..language.types import (
    FREE,
    MESH,
    SDF,
    numbers,
)
from . import placing
from .frames import EPS, into_body, solids_of
from .resolve import Compilation
from .table import Table

ALIGN_NO, ALIGN = numbers(mjtAlignFree, "FALSE", "TRUE")
MINVAL = 1e-15


def geom_masses(c: Compilation) -> None:
    """Set mass and principal moments of geoms that contribute to their body's inertia; set zero for others."""
    g, body = c.geom, c.body
    g.total, g.mark = np.zeros(g.n), np.zeros(g.n, np.uint8)
    if not g.n:
        g.inertia = np.zeros((0, 3))
        return

    # volumes
    shapes = solids_of(g)
    volume = volumes(shapes)
    on_mesh = true_rows(among(g.type, (MESH, SDF))) if c.meshes else ()
    for i in on_mesh:
        volume[i] = c.meshes[g.mesh[i]].volume

    # compute masses, then moments
    rules, step = c.settings(g, "inertiafromgeom", "inertiagrouprange")
    columns = *g.at("group", "mass", "density"), address_of(g.body), address_of(volume), *body.at("explicitinertial")
    placing.geom_totals(np.array((*columns, address_of(g.mark), address_of(g.total), g.n, body.n)), rules, step)
    g.inertia = moments(shapes, g.total)
    for i in on_mesh:
        x, y, z = (v * v for v in c.meshes[g.mesh[i]].boxsz)
        g.inertia[i] = g.total[i] * (y + z) / 3, g.total[i] * (x + z) / 3, g.total[i] * (x + y) / 3


def axes_rule(c: Compilation) -> int:
    """Return whether the tolerance for computing principal axes of bodies is relative (else absolute)."""
    return RELATIVE if holds("axes_relative", c.compat_bits) else ABSOLUTE


def _rescued(c: Compilation) -> bool:
    """Return whether zero moments are allowed, because a lower bound will raise them."""
    return holds("bound_rescue", c.compat_bits)


def body_inertias(c: Compilation) -> None:
    """Set inertial frames of bodies from `inertial` elements or from geoms; apply bounds and checks."""

    # columns for compiled code
    body, g = c.body, c.geom
    _full_inertias(c)
    rules, step = c.settings(body, "inertiafromgeom", "boundmass", "boundinertia", "balanceinertia")
    scratch, sums = np.empty(body.n, np.int64), np.empty((body.n, 10))
    of_geoms = (
        [*map(address_of, (g.total, g.inertia, g.mark)), *g.at("density", "mass"), address_of(g.body), *g.at("pos", "quat")]
        if g.n
        else [0] * 8
    )
    places = np.array(
        (
            *of_geoms,
            *body.at("pos", "quat", "ipos", "iquat", "inertia", "mass"),
            address_of(scratch),
            address_of(sums),
            g.n,
            g.stride,
            body.n,
            body.stride,
        )
    )

    code = placing.body_frames(places, rules, step, axes_rule(c), _rescued(c))
    if code >= 0:
        which, i = divmod(code, max(body.n, g.n))
        raise compile_error((g if which == placing.NEGATIVE_GEOM else body).elems[i], BAD_INERTIA[which])


# {error number of placing.body_frames: message}
BAD_INERTIA = (
    "mass, density and inertia cannot be negative",
    "the inertia of the geoms is not positive",
    "mass and inertia cannot be negative",
    "inertia must satisfy A + B >= C; 'balanceinertia' makes it so",
)


def _full_inertias(c: Compilation) -> None:
    """Set principal axes of bodies whose full inertia is given."""
    body = c.body
    if not body.given("fullinertia"):
        return
    full = true_rows(~np.isnan(body.fullinertia[:, 0]))
    for i in full if body.given("ialt") or body.given("inertia") else ():
        if body.ialt[i][0]:
            raise compile_error(body.elems[i], "fullinertia and an orientation cannot both be given")
        if body.inertia[i].any():
            raise compile_error(body.elems[i], "fullinertia and diaginertia cannot both be given")
    if len(full):
        diagonal, quat = principal(body.fullinertia[full], axes_rule(c))
        rules, step = c.settings(body, "boundinertia")
        bounds = rules[full, 0] if step else rules[0, 0]
        if (diagonal[:, 2] < np.where((bounds > 0) & _rescued(c), -EPS, EPS)).any():
            raise compile_error(body.elems[full[int(np.argmax(diagonal[:, 2] < EPS))]], "fullinertia must be positive definite")
        body.inertia[full], body.iquat[full] = diagonal, quat


def place_bodies(c: Compilation) -> None:
    """Apply frames to bodies, collect the contact bits of their geoms, and align free bodies."""
    body, g = c.body, c.geom
    into_body(c, body)
    collect(c)
    body.inverse = {}
    for b in _aligned(c):
        body.pos[b], body.quat[b] = orient.compose(body.pos[b], body.quat[b], body.ipos[b], body.iquat[b])
        body.inverse[int(b)] = orient.invert(body.ipos[b], body.iquat[b])
        body.ipos[b], body.iquat[b] = (0.0, 0.0, 0.0), (1.0, 0.0, 0.0, 0.0)
    if body.inverse:
        _shift(c, g)


def collect(c: Compilation) -> None:
    """Compute the contact bits and margins of bodies from their geoms."""
    body, g = c.body, c.geom
    body.contype, body.conaffinity, body.margin = np.zeros(body.n, np.int64), np.zeros(body.n, np.int64), np.zeros(body.n)
    if g.n:
        of_geoms = g.body, g.contype, g.conaffinity, g.margin, g.gap
        of_bodies = body.contype, body.conaffinity, body.margin
        places = np.array((*map(address_of, (*of_geoms, *of_bodies)), g.n, body.n))
        placing.collect_geoms(places, holds("gap_outside", c.compat_bits))


def _aligned(c: Compilation) -> list[Any] | tuple[Any, ...]:
    """Return the free bodies whose frames are aligned with their inertial frames; these bodies have no children."""
    body, j = c.body, c.joint
    if FREE not in j.type.tolist():
        return ()
    childless = np.ones(body.n, bool)
    childless[body.parent[1:]] = False
    rows, free = [], (j.type == FREE) & (j.align != ALIGN_NO)
    for k in true_rows(free):
        b = int(j.body[k])
        if childless[b] and body.jntnum[b] == 1 and (j.align[k] == ALIGN or c.compiler_of(body.elems[b])["alignfree"]):
            rows.append(b)
    return rows


def _shift(c: Compilation, table: Table) -> None:
    """Shift the elements of aligned bodies to compensate for the motion of the body frames, so that their world poses are
    unchanged."""
    for i in range(table.n):
        inverse = c.body.inverse.get(int(table.body[i]))
        if inverse:
            table.pos[i], table.quat[i] = orient.compose(inverse[0], inverse[1], table.pos[i], table.quat[i])


def shift_rest(c: Compilation) -> None:
    """Shift sites, cameras and lights of aligned bodies to compensate for the motion of the body frames."""
    if not c.body.inverse:
        return
    _shift(c, c.site)
    if c.fuse and not holds("fuse_exact", c.compat_bits):
        # MuJoCo recompiles cameras and lights after merging bodies, and so loses this shift; do the same
        return
    _shift(c, c.camera)
    light = c.light
    for i in range(light.n):
        inverse = c.body.inverse.get(int(light.body[i]))
        if inverse:
            light.pos[i] = np.add(inverse[0], orient.rotate_by(light.pos[i], inverse[1]))
            light.dir[i] = orient.rotate_by(light.dir[i], inverse[1])


def check_moving(c: Compilation) -> None:
    """Raise an error if a moving body has no mass and no child with mass is welded to it."""
    body = c.body
    parent, jnt = body.parent.tolist(), body.jntnum.tolist()
    carried = [
        m >= MINVAL and x >= MINVAL and y >= MINVAL and z >= MINVAL
        for m, (x, y, z) in zip(body.mass.tolist(), body.inertia.tolist())
    ]
    for i in range(body.n - 1, 0, -1):
        if carried[i] and not jnt[i]:
            carried[parent[i]] = True
    for i in range(1, body.n):
        if jnt[i] and not carried[i]:
            raise compile_error(body.elems[i], "mass and inertia of moving bodies must be larger than mjMINVAL")


def fluid_coefficients(c: Compilation) -> None:
    """Set rows of geom_fluid: coefficients, virtual mass and virtual inertia of the geom's ellipsoid."""
    g = c.geom
    g.fluid = np.zeros((g.n, 12))
    if not g.given("fluid_ellipsoid"):
        return
    for i in true_rows(g.fluid_ellipsoid > 0):
        g.fluid[i, 0] = g.fluid_ellipsoid[i]
        g.fluid[i, 1:6] = g.fluid_coefs[i]
        g.fluid[i, 6:] = added_mass(int(g.type[i]), g.size[i])
