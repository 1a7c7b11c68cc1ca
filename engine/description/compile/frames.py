"""Second stage of compilation: poses of frames, bodies, geoms, sites, cameras, lights and joints in their bodies' frames.

adds   camera: target; geom: aabb fitted rbound shadowless visual; joint: is_actfrclimited is_limited plasticnum;
       light: target texid
reads  body: dofnum jntnum parent weldid; geom: hfield mesh
"""

import math
from collections.abc import Sequence

import numpy as np

from ...geom.solids import Columns, bounds
from ...geom.spans import FAULTS, spans
from ...machine.storage import address_of
from ...tables.compat_rows import holds
from ...tables.geom_rows import KINDS, ROWS, numbers
from ..elements.elements import compile_error
from ..elements.spec import setting
from ..language import orient
from ..language.arrays import among, apply, compose, matrices, minus_ones, normalize, some, true_rows
from ..language.types import (
    AUTO,
    BALL,
    FREE,
    HFIELD,
    HINGE,
    ON,
    PLANE,
    SHELL,
)
from . import placing
from .fit import fit_geom
from .resolve import Compilation
from .table import Table

# by geom type: number of sizes used; index of the size that two end points determine, or -1 if end points are not allowed
SIZES, ENDS = np.zeros(KINDS, np.int64), np.full(KINDS, -1)
for _row in ROWS:
    SIZES[_row.number], ENDS[_row.number] = _row.sizes, _row.ends
SIZES_AT, ENDS_AT = address_of(SIZES), address_of(ENDS)
ON_MESH = numbers("mesh")
NO_SITES = tuple(row.number for row in ROWS if row.ours or row.name in ("plane", "hfield", "mesh"))
NOTHING = np.zeros(0, np.int64)
EPS = orient.EPS
# the largest number that the field cam_resolution, of 32-bit integers, can hold
MOST_PIXELS = 2**31 - 1


def fail(table: Table, bad: np.ndarray, message: str) -> None:
    """Raise SpecError for the first element that the mask `bad` marks."""
    if some(bad):
        raise compile_error(table.elems[int(np.argmax(bad))], message)


def fail_at(table: Table, code: int, messages: Sequence[str]) -> None:
    """Raise SpecError for an error number from compiled code, see placing.fault. `{kind}` in a message is replaced by the
    table's element type."""
    if code >= 0:
        which, i = divmod(code, table.n)
        raise compile_error(table.elems[i], messages[which].format(kind=table.kind))


def unit_quats(table: Table, name: str) -> None:
    """Normalize a column of quaternions, if a quaternion is given for any element."""
    if table.given(name):
        placing.unit_quats(*table.at(name), table.stride, table.n)


def alternatives(c: Compilation, table: Table, alt: str = "alt", quat: str = "quat") -> None:
    """Replace quaternions by alternative orientations (such as Euler angles) where these are given."""
    if not table.given(alt):
        return
    quats = getattr(table, quat)
    for i, form in enumerate(getattr(table, alt)):
        if form[0]:
            raw = c.compiler_of(table.elems[i])
            q, error = orient.resolve(tuple(quats[i].tolist()), form, raw["degree"], raw["eulerseq"])
            if error:
                raise compile_error(table.elems[i], error)
            quats[i] = q


def frames(c: Compilation) -> None:
    """Compute poses of frames relative to their bodies; outer frames come first."""
    table = c.frame
    if not table.n:
        return
    alternatives(c, table)
    done = [False] * table.n
    pos, quat = table.pos, table.quat
    outer = table.frame.tolist()

    def place(i: int) -> None:
        chain = []
        while i >= 0 and not done[i]:
            chain.append(i)
            i = outer[i]
        for k in reversed(chain):
            p, q = pos[k], quat[k]
            if outer[k] >= 0:
                p, q = orient.compose(pos[outer[k]], quat[outer[k]], p, q)
            pos[k], quat[k] = p, orient.normal(q)[0]
            done[k] = True

    for i in range(table.n):
        place(i)


def into_body(c: Compilation, table: Table, quat: bool = True) -> np.ndarray:
    """Apply frames to the poses of the elements in them; return the table rows of elements that have a frame."""
    inside = true_rows(table.frame >= 0) if c.frame.n else NOTHING
    if len(inside):
        f = table.frame[inside]
        if quat:
            table.pos[inside], table.quat[inside] = compose(
                c.frame.pos[f], c.frame.quat[f], table.pos[inside], table.quat[inside]
            )
        else:
            table.pos[inside] = c.frame.pos[f] + apply(matrices(c.frame.quat[f]), table.pos[inside])
    return inside


def bodies(c: Compilation) -> None:
    """Set body poses within frames, and inertial frames where they are given."""
    body = c.body
    for name in ("quat", "iquat"):
        unit_quats(body, name)
    alternatives(c, body)
    alternatives(c, body, "ialt", "iquat")


def stretched(table: Table) -> None:
    """Set position, orientation and length of elements that are given by two end points."""
    if table.given("fromto"):
        *columns, kind = table.at("fromto", "pos", "quat", "size", "type")
        code = spans(*columns, table.stride, kind, table.n, ENDS_AT, KINDS)
        if code >= 0:
            raise compile_error(table.elems[code // FAULTS], BAD_ENDS[code % FAULTS])


def orient_rest(c: Compilation, table: Table) -> None:
    """Apply alternative orientations to elements without end points."""
    if not table.given("alt"):
        return
    quats = table.quat
    for i, form in enumerate(table.alt):
        if form[0] and math.isnan(table.fromto[i, 0]):
            raw = c.compiler_of(table.elems[i])
            q, error = orient.resolve(tuple(quats[i]), form, raw["degree"], raw["eulerseq"])
            if error:
                raise compile_error(table.elems[i], error)
            quats[i] = q


def check_sizes(table: Table) -> None:
    """Raise an error if a size that the type uses is not positive."""
    if table.n:
        size, kind = table.at("size", "type")
        fail_at(table, placing.size_faults(size, table.stride, kind, table.n, SIZES_AT, KINDS), BAD_SIZES)


def geoms(c: Compilation) -> None:
    """Set sizes of geoms, and poses within their frames. Mesh geoms and geoms fitted to a mesh take the mesh's frame."""
    g, welded = c.geom, c.body.weldid
    g.visual, g.fitted = np.zeros(g.n, bool), minus_ones(g.n)
    if not g.n:
        return
    g.shadowless = 1 - g.castshadow
    if holds("mocap_weld", c.compat_bits):
        # planes may be on mocap bodies, which scripts move: treat these bodies as static
        welded = np.where(c.body.mocap[welded] != 0, 0, welded)
    code = placing.geom_faults(*g.at("type", "condim", "contype", "conaffinity"), g.body, welded, len(welded), g.visual, g.n)
    fail_at(g, code, ("condim must be 1, 3, 4 or 6", "planes are only allowed in static bodies"))
    unit_quats(g, "quat")
    stretched(g)
    orient_rest(c, g)
    if c.mesh.n:
        for i in true_rows(g.mesh >= 0):
            _on_mesh(c, int(i))
    for i, kind in enumerate(g.type.tolist()):
        if kind in ON_MESH and g.mesh[i] < 0:
            raise compile_error(g.elems[i], "a mesh geom needs a mesh")
    if c.hfield.n or HFIELD in g.type.tolist():
        fail(g, (g.type == HFIELD) != (g.hfield >= 0), "a height field geom, and only that, needs a height field")
    check_sizes(g)


def _on_mesh(c: Compilation, i: int) -> None:
    """Move a geom with a mesh into the mesh's frame, or fit a primitive to the mesh."""
    g = c.geom
    if not np.isnan(g.fromto[i, 0]):
        raise compile_error(g.elems[i], "fromto cannot be used with a mesh")
    mesh = c.meshes[g.mesh[i]]
    center = (0.0, 0.0, 0.0)
    if g.type[i] not in ON_MESH:
        center = fit_geom(c, g, i, mesh)
        g.fitted[i] = g.mesh[i]
        g.mesh[i] = -1
    elif g.typeinertia[i] == SHELL:
        raise compile_error(g.elems[i], "the inertia of a mesh geom is set in its mesh")
    meshpos = np.add(orient.rotate_by(center, mesh.quat), mesh.pos)
    g.pos[i], g.quat[i] = orient.compose(g.pos[i], g.quat[i], meshpos, mesh.quat)


def solids_of(g: Table) -> Columns:
    """Return types and sizes of geoms as columns for geom.solids."""
    types, inertias, sizes = g.at("type", "typeinertia", "size") if g.n else (0, 0, 0)
    return Columns(g.type, g.typeinertia, g.size, types, inertias, sizes, g.stride)


def geom_boxes(c: Compilation) -> None:
    """Set sizes of mesh and height field geoms, bounding boxes (center, half size) and bounding radii."""
    g = c.geom
    kind = g.type
    g.aabb, g.rbound = bounds(solids_of(g))
    for i, k in enumerate(kind.tolist()):
        if k == PLANE:
            _box(g, i, (-1e10, -1e10, -1e10), (1e10, 1e10, 0.0))
        elif k == HFIELD:
            h = c.hfield.size[g.hfield[i]]
            g.size[i] = h[0], h[1], 0.25 * h[2] + 0.5 * h[3]
            _box(g, i, (-h[0], -h[1], -h[3]), h[:3])
            g.rbound[i] = np.sqrt(h[0] ** 2 + h[1] ** 2 + max(h[2] ** 2, h[3] ** 2))
        elif k in ON_MESH:
            aamm = c.meshes[g.mesh[i]].aamm
            _box(g, i, aamm[:3], aamm[3:])
            g.size[i] = np.maximum(np.abs(aamm[:3]), np.abs(aamm[3:]))
            g.rbound[i] = np.sqrt(g.size[i, 0] ** 2 + g.size[i, 1] ** 2 + g.size[i, 2] ** 2)


def _box(g: Table, i: int, low: np.ndarray | Sequence[float], high: np.ndarray | Sequence[float]) -> None:
    g.aabb[i] = [(b + a) / 2 for a, b in zip(low, high)] + [(b - a) / 2 for a, b in zip(low, high)]


def sites(c: Compilation) -> None:
    """Set site poses relative to their bodies."""
    s = c.site
    fail(s, among(s.type, NO_SITES), "a site cannot be a mesh, height field or plane")
    stretched(s)
    orient_rest(c, s)
    into_body(c, s)
    s.quat = normalize(s.quat)[0]
    check_sizes(s)


# Messages for error numbers of compiled checks: of sizes (in `placing`), of end points (`geom.spans`), of joints (`placing`).
BAD_SIZES = (
    "the size is NaN",
    "the third size of a plane must be positive",
    *(f"size {k} must be positive in {{kind}}" for k in range(3)),
)
BAD_ENDS = (
    "fromto needs a capsule, cylinder, ellipsoid or box",
    "both pos and fromto are given",
    "the two points of fromto are too close",
)
_UNASKED = "{0}range is given but not {0}limited; set autolimits or {0}limited"
BAD_JOINT = (
    _UNASKED.format(""),
    "range[0] must be smaller than range[1]",
    "range[0] of a ball joint must be 0",
    _UNASKED.format("actuatorfrc"),
    "actuatorfrcrange[0] must be smaller than actuatorfrcrange[1]",
    "the axis is too small",
)


def cameras(c: Compilation) -> None:
    """Set camera poses, and intrinsics from sensor size, focal length and principal point."""
    cam = c.camera
    alternatives(c, cam)
    into_body(c, cam)
    cam.quat = normalize(cam.quat)[0]
    cam.target = _targets(c, cam)
    fail(cam, cam.fovy >= 180, "fovy must be less than 180")
    if cam.given("resolution"):
        bad = ~((cam.resolution >= 0) & (cam.resolution <= MOST_PIXELS)).all(1)
        fail(cam, bad, f"attribute 'resolution' must be 0 to {MOST_PIXELS}")
    if not c.compat_bits and not some(cam.output != 1):
        # releases without this attribute set the field to zero
        cam.output = np.zeros(cam.n, np.int32)
    near = setting(c.spec, "visual").map__znear
    if any(map(cam.given, INTRINSICS)):
        _intrinsics(cam, near, holds("lens_pixels", c.compat_bits))
    else:
        cam.intrinsic[:, :2] = near


# fields that describe the sensor of a camera
INTRINSICS = ("sensor_size", "focal_length", "focal_pixel", "principal_length", "principal_pixel")


def _intrinsics(cam: Table, near: float, pixels: bool) -> None:
    """Compute the intrinsics of cameras that have a sensor size. For other cameras, store `near` in place of the focal
    lengths. With `pixels`, a length in pixels overrides one in metres."""
    for what, length, pixel in (
        ("principal", cam.principal_length, cam.principal_pixel),
        ("focal", cam.focal_length, cam.focal_pixel),
    ):
        twice = ((length != 0) & (pixel != 0)).any(1)
        if twice.any() and not pixels:
            raise compile_error(cam.elems[int(np.argmax(twice))], f"{what} length is given twice")
    f4 = np.float32
    sized = (cam.sensor_size.astype(f4) > 0).all(1)
    if pixels:
        lengths = np.concatenate([np.asarray(getattr(cam, name)) for name in INTRINSICS[1:]], 1)
        fail(cam, ~sized & (lengths != 0).any(1), "focal lengths and principal points need a sensor size")
    cam.intrinsic[~sized, :2] = near
    for i in true_rows(sized):
        size = cam.sensor_size[i].astype(f4)
        density = cam.resolution[i].astype(f4) / size
        for half, length, pixel in (
            (slice(2), cam.focal_length, cam.focal_pixel),
            (slice(2, 4), cam.principal_length, cam.principal_pixel),
        ):
            cam.intrinsic[i, half] = np.where(pixel[i] != 0, pixel[i].astype(f4) / density, length[i].astype(f4))
        cam.fovy[i] = float(f4(math.atan2(size[1] / 2, f4(cam.intrinsic[i, 1])))) * 360.0 / np.pi


def cameras_targets(c: Compilation) -> None:
    """Look up the target bodies of cameras and lights once more, after bodies got new ids."""
    c.camera.target, c.light.target = _targets(c, c.camera), _targets(c, c.light)


def _targets(c: Compilation, table: Table) -> np.ndarray:
    return np.array(
        [c.need("body", name, table.elems[i], "target") if name else -1 for i, name in enumerate(table.targetbody)],
        dtype=np.int64,
    )


def lights(c: Compilation) -> None:
    """Set light positions, directions, targets and textures."""
    light = c.light
    inside = into_body(c, light, False)
    if len(inside):
        light.dir[inside] = apply(matrices(c.frame.quat[light.frame[inside]]), light.dir[inside])
    light.dir, length = normalize(light.dir)
    fail(light, length < EPS, "the direction is zero")
    light.target = _targets(c, light)
    light.texid = np.array(
        [c.need("texture", name, light.elems[i], "texture") if name else -1 for i, name in enumerate(light.texture)],
        dtype=np.int64,
    )


def joints(c: Compilation) -> None:
    """Set joint axes and anchors relative to the bodies; convert limits and references to radians."""
    j = c.joint
    if j.given("springdamper"):
        spring = j.springdamper
        fail(j, spring.any(1) & (spring <= 0).any(1), "springdamper must be positive where given")
    inside = into_body(c, j, False)
    if len(inside):
        j.axis[inside] = apply(matrices(c.frame.quat[j.frame[inside]]), j.axis[inside])
    active, (rules, step) = np.empty((2, j.n), bool), c.settings(j, "degree", "autolimits")
    columns = j.at("type", "limited", "actfrclimited", "range", "actfrcrange", "axis", "pos", "ref", "springref")
    code = placing.joint_faults(np.array((*columns, j.stride, j.n)), active, rules, step)
    fail_at(j, code, BAD_JOINT)
    j.is_limited, j.is_actfrclimited = active
    j.plasticnum = np.zeros(j.n, np.int64)
    if j.given("springyield"):
        _yielding(c, j)


def _yielding(c: Compilation, j: Table) -> None:
    """Set yield limits of springs, in radians for rotations, and the width of their plastic state."""
    fail(j, j.springyield < 0, "springyield cannot be negative")
    fail(j, (j.springyield != 0) & (j.type == FREE), "a free joint has no springyield")
    for i in true_rows(j.springyield != 0).tolist():
        if j.type[i] in (BALL, HINGE) and c.compiler_of(j.elems[i])["degree"]:
            j.springyield[i] = math.radians(j.springyield[i])
        j.plasticnum[i] = 4 if j.type[i] == BALL else 1


def free_bodies(c: Compilation) -> None:
    """Raise an error if a free joint is not in a child of the world. Called after static bodies were merged."""
    if not c.joint.n:
        return
    for b in c.joint.body[c.joint.type == FREE].tolist():
        if c.body.parent[b] != 0:
            raise compile_error(c.body.elems[b], "a free joint is only allowed in a child of the world")


def joint_counts(c: Compilation) -> None:
    """Raise an error for numbers or types of joints that a body cannot have."""
    body, j, kind = c.body, c.joint, c.joint.type
    if max(body.dofnum.tolist()) > 6:
        fail(body, body.dofnum > 6, "a body cannot have more than 6 degrees of freedom")
    for i, k in enumerate(kind.tolist()):
        if k != BALL and k != FREE:
            continue
        b = int(j.body[i])
        if kind[i] == BALL and among(kind[i + 1 :][j.body[i + 1 :] == b], (BALL, HINGE)).any():
            raise compile_error(body.elems[b], "a ball joint cannot be followed by a rotation")
        if kind[i] == FREE and body.jntnum[b] > 1:
            raise compile_error(body.elems[b], "a free joint must be the only joint of its body")
    for b in true_rows(body.mocap).tolist():
        if body.dofnum[b] or body.parent[b] != 0:
            raise compile_error(body.elems[b], "a mocap body must be a fixed child of the world")


def is_limited(limited: np.ndarray, ranges: np.ndarray) -> np.ndarray:
    """Return a mask of active limits: limits that are switched on, and limits set to automatic that have a range."""
    return (limited == ON) | ((limited == AUTO) & (ranges[:, 0] < ranges[:, 1]))
