"""Health: finds likely problems of a model before it runs. The checks use the model and a separate Data in the initial
state."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np

from .. import engine as mj
from ..engine.description.robots.deviation import distances, spread
from ..engine.description.robots.fitting import DECOMPOSE
from ..engine.geom import solids
from ..engine.tables import geom_rows
from ..engine.tables.actuator_rows import are
from .element_names import KINDS, name, names
from .intents import Exclude, Intent, ShapeGeoms

LEVELS = ("error", "warning", "info")
# If the bodies that a body carries weigh more than this multiple of its mass, the system is stiff.
MASS_RATIO = 1e3
TINY_MASS = 1e-6
# plausible densities in kg / m^3, from foam to gold
DENSITIES = (20.0, 25000.0)
TINY_INERTIA = 1e-7
PENETRATION = 1e-3
# A linear oscillator is unstable if the time step exceeds 2 / omega, and inaccurate well before that.
STABLE_STEPS = 2.0
GOOD_STEPS = 0.5
UNNAMED_LISTED = 3
FREE, SCALAR = int(mj.mjtJoint.mjJNT_FREE), (int(mj.mjtJoint.mjJNT_SLIDE), int(mj.mjtJoint.mjJNT_HINGE))
MESH = int(mj.mjtGeom.mjGEOM_MESH)
# A mesh is hollow if it fills less than this share of its hull.
HOLLOW = 0.6
SOLID = geom_rows.numbers("solid")


@dataclass(frozen=True)
class Finding:
    """A problem. `level`: error, warning or info; `kind` and `index` name the element, `text` the problem."""

    level: str
    kind: str
    index: int
    text: str
    # (label of a button, its tooltip, its request), for problems that one click fixes
    fixes: tuple[tuple[str, str, Intent], ...] = ()


def check(m: Any) -> list[Finding]:
    """Return all findings, worst first."""
    d = mj.MjData(m)
    mj.mj_forward(m, d)
    found = [finding for test in CHECKS for finding in test(m, d)]
    return sorted(found, key=lambda f: LEVELS.index(f.level))


def _moving(m: Any) -> np.ndarray:
    """Return the bodies that have degrees of freedom."""
    return np.flatnonzero(np.asarray(m.body_dofnum) > 0)


def masses(m: Any, _d: Any) -> Iterator[Finding]:
    """Find masses that are negligible, or much smaller than the masses that they carry."""
    subtree = np.asarray(m.body_subtreemass)
    for body in _moving(m):
        own, carried = float(m.body_mass[body]), float(subtree[body])
        if carried < TINY_MASS:
            yield Finding("error", "body", int(body), f"moves with a mass of {carried:.2g} kg, which is almost nothing")
        elif own > 0 and carried - own > MASS_RATIO * own:
            yield Finding("warning", "body", int(body), f"{own:.3g} kg carry {carried - own:.3g} kg: stiff to solve")


def inertias(m: Any, _d: Any) -> Iterator[Finding]:
    """Find principal moments that no rigid body can have."""
    for body in range(1, m.nbody):
        a, b, c = np.sort(np.asarray(m.body_inertia[body], float))
        if a < 0 or a + b < c * (1 - 1e-6):
            yield Finding(
                "error",
                "body",
                body,
                f"moments of inertia {a:.3g}, {b:.3g}, {c:.3g}: the largest exceeds the sum of the others",
            )


def _volumes(m: Any) -> np.ndarray:
    """Return the volumes of solid geoms; NaN for the others."""
    kind = np.asarray(m.geom_type)
    found = solids.volumes(solids.Columns.of(kind, m.geom_size))
    return np.where(np.isin(kind, SOLID), found, np.nan)


def densities(m: Any, _d: Any) -> Iterator[Finding]:
    """Find bodies whose mass does not fit the volume of their geoms."""
    volumes = _volumes(m)
    low, high = DENSITIES
    for body in range(1, m.nbody):
        first, count = int(m.body_geomadr[body]), int(m.body_geomnum[body])
        volume = float(np.sum(volumes[first : first + count])) if count else np.nan
        if not volume > 0 or not m.body_mass[body] > 0:
            continue
        density = float(m.body_mass[body]) / volume
        if not low < density < high:
            yield Finding("info", "body", body, f"{density:.3g} kg/m^3 from mass and geoms (water has 1000)")


def light_links(m: Any, _d: Any) -> Iterator[Finding]:
    """Find degrees of freedom with almost no inertia and no armature."""
    for dof in np.flatnonzero((np.asarray(m.dof_armature) == 0) & (np.asarray(m.dof_M0) < TINY_INERTIA)):
        joint = int(m.dof_jntid[dof])
        yield Finding("warning", "joint", joint, f"inertia {float(m.dof_M0[dof]):.2g} without armature: add armature or mass")


def penetrations(m: Any, d: Any) -> Iterator[Finding]:
    """Find geoms that overlap in the initial state."""
    limit = PENETRATION * max(float(m.stat.meansize), 1e-6)
    dist = np.asarray(d.contact.dist) if hasattr(d.contact, "dist") else np.array([c.dist for c in d.contact])
    for k in np.flatnonzero(dist[: int(d.ncon)] < -limit):
        first, second = (int(g) for g in d.contact[int(k)].geom)
        if first >= 0:
            other = name(m, "geom", second) or "a flex"
            fixes = excluding(m, first, second) if second >= 0 else ()
            yield Finding("warning", "geom", first, f"overlaps {other} by {-float(dist[k]):.3g} m at the start", fixes)


def excluding(m: Any, first: int, second: int) -> tuple[tuple[str, str, Intent], ...]:
    """Return the fix that turns off the collisions of the bodies of two geoms."""
    one, two = sorted(name(m, "body", int(m.geom_bodyid[g])) for g in (first, second))
    tip = f"Turn off the collisions of {one} and {two}"
    return (("Exclude", tip, Exclude(((one, two),))),)


def limits(m: Any, _d: Any) -> Iterator[Finding]:
    """Find joints whose initial position is outside their range."""
    for joint in np.flatnonzero(m.jnt_limited):
        if m.jnt_type[joint] not in SCALAR:
            continue
        low, high = (float(x) for x in m.jnt_range[joint])
        at = float(m.qpos0[m.jnt_qposadr[joint]])
        if not low - 1e-9 <= at <= high + 1e-9:
            yield Finding("warning", "joint", int(joint), f"starts at {at:.4g}, outside its range {low:.4g} .. {high:.4g}")


def motors(m: Any, d: Any) -> Iterator[Finding]:
    """Find joint motors that cannot hold the initial pose against gravity."""
    load = np.abs(np.asarray(d.qfrc_bias) - np.asarray(d.qfrc_passive))
    fixed = are(m, gain="fixed")
    strength, seen = np.zeros(m.nv), np.zeros(m.nv, bool)

    for i in range(m.nactuator):
        joint, u = int(m.actuator_trnid[i][0]), int(m.actuator_ctrladr[i])
        if int(m.actuator_trntype[i]) != int(mj.mjtTrn.mjTRN_JOINT) or m.jnt_type[joint] not in SCALAR:
            continue
        dof = int(m.jnt_dofadr[joint])
        seen[dof] = True
        gear = abs(float(m.actuator_gear[int(m.actuator_outadr[i])][0]))
        if m.actuator_forcelimited[i]:
            strength[dof] += gear * float(np.abs(m.actuator_forcerange[i]).max())
        elif fixed[i] and m.actuator_ctrllimited[u] and not np.any(m.actuator_biasprm[i]):
            strength[dof] += gear * abs(float(m.actuator_gainprm[i][0])) * float(np.abs(m.actuator_ctrlrange[u]).max())
        else:
            # Without a limit, the motor can hold any load.
            strength[dof] = np.inf

    for dof in np.flatnonzero(seen & (load > strength)):
        joint = int(m.dof_jntid[dof])
        yield Finding(
            "info", "joint", joint, f"its motors give at most {strength[dof]:.3g}, gravity needs {load[dof]:.3g} at the start"
        )


def time_step(m: Any, _d: Any) -> Iterator[Finding]:
    """Find springs, servos, dampers and contacts that are too fast for the time step."""
    dt = float(m.opt.timestep)
    # Avoid infinite frequencies of dofs without inertia.
    inertia = np.maximum(np.asarray(m.dof_M0, float), 1e-12)
    for dof in range(m.nv):
        joint = int(m.dof_jntid[dof])
        if m.jnt_type[joint] not in SCALAR:
            continue
        omega = float(np.sqrt(max(0.0, float(m.jnt_stiffness[joint])) / inertia[dof]))
        yield from _fast("joint", joint, "spring", omega, dt)

    for i in range(m.nactuator):
        joint = int(m.actuator_trnid[i][0])
        if (
            int(m.actuator_trntype[i]) == int(mj.mjtTrn.mjTRN_JOINT)
            and m.jnt_type[joint] in SCALAR
            and m.actuator_biasprm[i][1] < 0
        ):
            gear = float(m.actuator_gear[int(m.actuator_outadr[i])][0])
            stiffness = -float(m.actuator_biasprm[i][1]) * gear * gear
            yield from _fast("actuator", i, "servo", float(np.sqrt(stiffness / inertia[m.jnt_dofadr[joint]])), dt)

    ref = np.asarray(m.geom_solref, float)
    for geom in np.flatnonzero((ref[:, 0] > 0) & (ref[:, 0] < 2 * dt)) if m.ngeom else ():
        yield Finding(
            "info", "geom", int(geom), f"solref {ref[geom, 0]:.3g} s is raised to twice the time step, {2 * dt:.3g} s"
        )


def _fast(kind: str, index: int, what: str, omega: float, dt: float) -> Iterator[Finding]:
    if omega * dt > STABLE_STEPS:
        yield Finding("error", kind, index, f"{what} needs a time step below {STABLE_STEPS / omega:.2g} s, not {dt:.2g} s")
    elif omega * dt > GOOD_STEPS:
        yield Finding("warning", kind, index, f"{what} is fast: a time step of {GOOD_STEPS / omega:.2g} s would suit it")


def hulls(m: Any, _d: Any) -> Iterator[Finding]:
    """Find colliding meshes that differ much from their convex hulls."""
    collides = (np.asarray(m.geom_contype) | np.asarray(m.geom_conaffinity)) != 0
    geoms = np.flatnonzero(collides & (np.asarray(m.geom_type) == MESH)) if m.ngeom else np.zeros(0, int)
    meshes = np.asarray(m.geom_dataid)[geoms]
    for mesh in np.unique(meshes):
        share, depth = hull_share(m, int(mesh))
        if share < HOLLOW:
            text = f"fills {100 * share:.0f} % of its convex hull; the hull collides, up to {1e3 * depth:.3g} mm away from it"
            yield Finding("info", "mesh", int(mesh), text, shaping(geoms[meshes == mesh].tolist()))


def shaping(geoms: list[int]) -> tuple[tuple[str, str, Intent], ...]:
    """Return the fixes that let convex pieces or the smallest shape collide in place of mesh geoms."""
    also = tuple(("geom", g) for g in geoms[1:])
    return (
        ("Decompose", "Replace this mesh by convex pieces in collisions", ShapeGeoms("geom", geoms[0], DECOMPOSE, also=also)),
        (
            "Fit",
            "Replace it by the smallest box, cylinder or capsule in collisions",
            ShapeGeoms("geom", geoms[0], "auto", also=also),
        ),
    )


def hull_share(m: Any, mesh: int) -> tuple[float, float]:
    """Return (fraction of its hull's volume that a mesh fills, largest distance of the hull from the mesh); (1, 0) without a
    hull. The distance is only measured for hollow meshes."""
    at, first, count = int(m.mesh_graphadr[mesh]), int(m.mesh_vertadr[mesh]), int(m.mesh_vertnum[mesh])
    if at < 0:
        return 1.0, 0.0
    vert = np.asarray(m.mesh_vert[first : first + count], float)
    face = np.asarray(m.mesh_face[int(m.mesh_faceadr[mesh]) :][: int(m.mesh_facenum[mesh])])

    # Layout of the graph: numbers of vertices and faces; edge address and id of each vertex; edges; faces.
    points, faces = (int(n) for n in m.mesh_graph[at : at + 2])
    begin = at + 2 + 2 * points + points + 3 * faces
    hull = vert[np.asarray(m.mesh_graph[begin : begin + 3 * faces]).reshape(-1, 3)]
    normal = np.cross(hull[:, 1] - hull[:, 0], hull[:, 2] - hull[:, 0])
    whole = abs(float((hull[:, 0] * normal).sum())) / 6
    corner = vert[face]
    volume = float((corner[:, 0] * np.cross(corner[:, 1], corner[:, 2])).sum()) / 6
    if not whole > 0 or not volume > 0:
        return 1.0, 0.0

    share = min(volume / whole, 1.0)
    return share, float(np.abs(distances(spread(hull), vert, face)).max()) if share < HOLLOW else 0.0


def no_contact(m: Any, _d: Any) -> Iterator[Finding]:
    """Find trees of moving bodies that cannot touch anything."""
    collides = (np.asarray(m.geom_contype) | np.asarray(m.geom_conaffinity)) != 0
    root = np.asarray(m.body_rootid)[np.asarray(m.geom_bodyid)] if m.ngeom else np.zeros(0, int)
    for body in np.unique(np.asarray(m.body_rootid)[_moving(m)]):
        first = int(m.body_jntadr[body])
        free = m.body_jntnum[body] and m.jnt_type[first] == FREE
        if free and not collides[root == body].any() and not m.nflex:
            yield Finding("info", "body", int(body), "floats freely and has no geom that collides: it falls through everything")


def unnamed(m: Any, _d: Any) -> Iterator[Finding]:
    """Find elements without names, which cannot be found by name."""
    for kind in ("body", "joint", "actuator", "sensor"):
        without = [i for i, label in enumerate(names(m, kind)) if label == f"{kind} {i}"]
        if without:
            more = f", first {', '.join(str(i) for i in without[:UNNAMED_LISTED])}"
            yield Finding("info", kind, without[0], f"{len(without)} of {getattr(m, KINDS[kind])} have no name{more}")


CHECKS: tuple[Callable[[Any, Any], Iterator[Finding]], ...] = (
    masses,
    inertias,
    densities,
    light_links,
    penetrations,
    limits,
    motors,
    time_step,
    hulls,
    no_contact,
    unnamed,
)
