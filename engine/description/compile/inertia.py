"""Third stage: masses and inertias of geoms, inertial frames of bodies, bounds and checks, alignment of free bodies.

adds   body: conaffinity contype inverse margin; geom: fluid in_group inertia total
reads  body: jntnum parent; geom: mesh
"""

import numpy as np

from ...core.compat_rows import holds
from ...core.enums import mjtAlignFree
from ...geom.principal import ABSOLUTE, RELATIVE, principal
from ..elements.elements import compile_error
from ..language import orient
from ..language.arrays import among, global_inertia, offset_inertia, true_rows
from ..language.types import (
    FREE,
    FROM_GEOM,
    FROM_GEOM_AUTO,
    MESH,
    SDF,
    SHELL,
    numbers,
)
from .frames import EPS, fail, into_body
from .solids import BY_NUMBER, moments, volumes

PI = np.pi
ALIGN_NO, ALIGN = numbers(mjtAlignFree, "FALSE", "TRUE")
MINVAL = 1e-15


def geom_masses(c) -> None:
    """Mass and principal moments of the geoms that give their bodies inertia; others have none."""
    g, body = c.geom, c.body
    from_geom = np.array(c.settings(g, "inertiafromgeom"), np.int64)
    group = np.array(c.settings(g, "inertiagrouprange"), np.int64).reshape(g.n, 2)
    g.in_group = (g.group >= group[:, 0]) & (g.group <= group[:, 1])
    infer = (g.body > 0) & ((body.explicitinertial[g.body] == 0) | (from_geom == FROM_GEOM)) & g.in_group
    shell = g.typeinertia == SHELL
    volume = volumes(g.type, g.size, shell)
    on_mesh = true_rows(among(g.type, (MESH, SDF)))
    for i in on_mesh:
        volume[i] = c.meshes[g.mesh[i]].volume
    given = ~np.isnan(g.mass)
    mass = np.where(given, np.where((g.mass != 0) & (volume > EPS), g.mass, 0.0), g.density * volume)
    g.total = np.where(infer, mass, 0.0)
    g.inertia = moments(g.type, g.size, g.total, shell)
    for i in on_mesh:
        x, y, z = (v * v for v in c.meshes[g.mesh[i]].boxsz)
        g.inertia[i] = g.total[i] * (y + z) / 3, g.total[i] * (x + z) / 3, g.total[i] * (x + y) / 3
    bad = infer & ((g.total < 0) | (g.inertia < 0).any(1) | (g.density < 0) | (given & (g.mass < 0)))
    fail(g, bad, "mass, density and inertia cannot be negative")


def axes_rule(c) -> int:
    """What counts as zero where principal axes of bodies are looked for."""
    return RELATIVE if holds("axes_relative", c.compat_bits) else ABSOLUTE


def _least(c):
    """Moment of each body below which its inertia is an error: zero is none where a bound will raise it."""
    bounds = np.array(c.settings(c.body, "boundinertia"))
    return np.where((bounds > 0) & holds("bound_rescue", c.compat_bits), -EPS, EPS)


def body_inertias(c) -> None:
    """Inertial frames: from `inertial` elements or from geoms, bounded and checked."""
    body = c.body
    full = true_rows(~np.isnan(body.fullinertia[:, 0]))
    for i in full:
        if body.ialt[i][0]:
            raise compile_error(body.elems[i], "fullinertia and an orientation cannot both be given")
        if body.inertia[i].any():
            raise compile_error(body.elems[i], "fullinertia and diaginertia cannot both be given")
    rule = axes_rule(c)
    if len(full):
        diagonal, quat = principal(body.fullinertia[full], rule)
        if (diagonal[:, 2] < _least(c)[full]).any():
            raise compile_error(body.elems[full[int(np.argmax(diagonal[:, 2] < EPS))]], "fullinertia must be positive definite")
        body.inertia[full], body.iquat[full] = diagonal, quat
    mode = np.array(c.settings(body, "inertiafromgeom"))
    undefined = np.isnan(body.ipos[:, 0])
    wanted = (mode == FROM_GEOM) | ((mode == FROM_GEOM_AUTO) & undefined)
    wanted[0] = False
    _from_geoms(c, wanted)
    left = np.isnan(body.ipos[:, 0])
    body.ipos[left], body.iquat[left] = body.pos[left], body.quat[left]
    _bounds(c)


def _from_geoms(c, wanted):
    g, body = c.geom, c.body
    chosen = true_rows(wanted[g.body] & g.in_group & (g.total > EPS)) if g.n else np.zeros(0, np.int64)
    owner = g.body[chosen] if g.n else chosen
    count = np.bincount(owner, minlength=body.n)
    single = count[owner] == 1
    one, b = chosen[single], owner[single]
    body.ipos[b], body.iquat[b], body.mass[b], body.inertia[b] = g.pos[one], g.quat[one], g.total[one], g.inertia[one]
    many, b = chosen[~single], owner[~single]
    rows = true_rows(count > 1)
    if not len(rows):
        return
    mass, com, total = np.zeros(body.n), np.zeros((body.n, 3)), np.zeros((body.n, 6))
    np.add.at(mass, b, g.total[many])
    np.add.at(com, b, g.total[many, None] * g.pos[many])
    body.mass[rows] = mass[rows]
    body.ipos[rows] = com[rows] / mass[rows, None]
    # each geom adds first its own inertia, then that of its offset
    own, offset = global_inertia(g.inertia[many], g.quat[many]), offset_inertia(g.total[many], g.pos[many] - body.ipos[b])
    np.add.at(total, np.repeat(b, 2), np.stack((own, offset), 1).reshape(-1, 6))
    diagonal, quat = principal(total[rows], axes_rule(c))
    if (diagonal[:, 2] < _least(c)[rows]).any():
        raise compile_error(body.elems[rows[int(np.argmax(diagonal[:, 2] < EPS))]], "the inertia of the geoms is not positive")
    body.inertia[rows], body.iquat[rows] = diagonal, quat


def _bounds(c):
    body = c.body
    mass, inertia = np.array(c.settings(body, "boundmass")), np.array(c.settings(body, "boundinertia"))
    mass[0] = inertia[0] = -np.inf
    body.mass = np.maximum(body.mass, mass)
    body.inertia = np.maximum(body.inertia, inertia[:, None])
    bad = (body.mass < 0) | (body.inertia < 0).any(1)
    bad[0] = False
    fail(body, bad, "mass and inertia cannot be negative")
    x, y, z = body.inertia.T
    bad = (x + y < z) | (x + z < y) | (y + z < x)
    bad[0] = False
    for i in true_rows(bad):
        if not c.compiler_of(body.elems[i])["balanceinertia"]:
            raise compile_error(body.elems[i], "inertia must satisfy A + B >= C; 'balanceinertia' makes it so")
        body.inertia[i] = (x[i] + y[i] + z[i]) / 3.0


def place_bodies(c) -> None:
    """Bodies into their frames; what geoms say about their body; alignment of free bodies."""
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


def collect(c) -> None:
    """Contact bits and margins of bodies: all of their geoms'."""
    body, g = c.body, c.geom
    body.contype, body.conaffinity = np.zeros(body.n, np.int64), np.zeros(body.n, np.int64)
    body.margin = np.zeros(body.n)
    np.bitwise_or.at(body.contype, g.body, g.contype)
    np.bitwise_or.at(body.conaffinity, g.body, g.conaffinity)
    np.maximum.at(body.margin, g.body, g.margin + g.gap if holds("gap_outside", c.compat_bits) else g.margin)


def _aligned(c):
    """Free bodies without children whose frame is moved into the inertial frame."""
    body, j = c.body, c.joint
    childless = np.ones(body.n, bool)
    childless[body.parent[1:]] = False
    rows, free = [], (j.type == FREE) & (j.align != ALIGN_NO)
    for k in true_rows(free):
        b = int(j.body[k])
        if childless[b] and body.jntnum[b] == 1 and (j.align[k] == ALIGN or c.compiler_of(body.elems[b])["alignfree"]):
            rows.append(b)
    return rows


def _shift(c, table):
    """Elements of aligned bodies move the other way, to stay where they are."""
    for i in range(table.n):
        inverse = c.body.inverse.get(int(table.body[i]))
        if inverse:
            table.pos[i], table.quat[i] = orient.compose(inverse[0], inverse[1], table.pos[i], table.quat[i])


def shift_rest(c) -> None:
    """As for geoms: sites, cameras and lights of aligned bodies."""
    if not c.body.inverse:
        return
    _shift(c, c.site)
    _shift(c, c.camera)
    light = c.light
    for i in range(light.n):
        inverse = c.body.inverse.get(int(light.body[i]))
        if inverse:
            light.pos[i] = np.add(inverse[0], orient.rotate_by(light.pos[i], inverse[1]))
            light.dir[i] = orient.rotate_by(light.dir[i], inverse[1])


def check_moving(c) -> None:
    """Bodies that move have mass, themselves or through children welded to them."""
    body = c.body
    ok = (body.mass >= MINVAL) & (body.inertia >= MINVAL).all(1)
    parent, jnt = body.parent.tolist(), body.jntnum.tolist()
    carried = ok.tolist()
    for i in range(body.n - 1, 0, -1):
        if carried[i] and not jnt[i]:
            carried[parent[i]] = True
    for i in range(1, body.n):
        if jnt[i] and not carried[i]:
            raise compile_error(body.elems[i], "mass and inertia of moving bodies must be larger than mjMINVAL")


_KRONROD = np.array((
    (0.01146766, 7.865151709349917e-08, 5.538677720489877e-05), (0.03154605, 1.7347976913907274e-05, 0.002080868285293228),
    (0.05239501, 0.0003548008144506193, 0.016514126520723166), (0.07032663, 0.002846636252924549, 0.07261900344370877),
    (0.08450236, 0.014094260903596077, 0.23985243401862602), (0.09517529, 0.053063261727396636, 0.6868318249020725),
    (0.10221647, 0.17041978741317773, 1.8551129519182894), (0.10474107, 0.5, 5.0),
    (0.10221647, 1.4036301548686991, 14.060031152313941), (0.09517529, 3.9353484827022642, 43.28941239611009),
    (0.08450236, 11.644841677041734, 156.58546376397112), (0.07032663, 39.53187807410903, 747.9826085305024),
    (0.05239501, 177.5711362220801, 5827.4042950027115), (0.03154605, 1429.4772912937397, 116754.0197944512),
    (0.01146766, 54087.416549217705, 25482945.327264845)))


def _kappa(x, y, z):
    """Added-mass integral of an ellipsoid along x (15-point Gauss-Kronrod)."""
    w, l, d = _KRONROD.T
    scale = (x * x * x * y * z) ** 0.4
    lam = scale * l
    fx, fy, fz = 1 + lam / (x * x), 1 + lam / (y * y), 1 + lam / (z * z)
    return float((scale * d / (fx * np.sqrt(fx * fy * fz)) * w).sum()) / (x * x)


def fluid_coefficients(c) -> None:
    """geom_fluid rows: coefficients and virtual mass and inertia of the geom's ellipsoid."""
    g = c.geom
    g.fluid = np.zeros((g.n, 12))
    for i in true_rows(g.fluid_ellipsoid > 0):
        a, b, d = (float(v) for v in g.size[i])
        solid = BY_NUMBER.get(int(g.type[i]))
        x, y, z = solid.axes(a, b, d) if solid and solid.axes else (a, b, d)
        volume = 4.0 / 3.0 * PI * x * y * z
        k = _kappa(x, y, z), _kappa(y, z, x), _kappa(z, x, y)
        g.fluid[i, 0] = g.fluid_ellipsoid[i]
        g.fluid[i, 1:6] = g.fluid_coefs[i]
        g.fluid[i, 6:9] = [volume * q / max(EPS, 2 - q) for q in k]
        for n, (p, q, kp, kq) in enumerate(((y, z, k[1], k[2]), (z, x, k[2], k[0]), (x, y, k[0], k[1]))):
            s, t = p * p - q * q, p * p + q * q
            g.fluid[i, 9 + n] = volume * (s * s * abs(kq - kp) / max(EPS, abs(2 * s + t * (kp - kq)))) / 5
