"""Models and calls of the library that together use every stage, for the comparison of compiled and interpreted kernels."""

import functools

import numpy as np

import tumble
from tests.collide import scenes as pairs
from tests.collide.test_flex import flex_scene
from tests.collide.test_hfield import field_scene as heights
from tests.collide.test_sdf import field_scene as fields
from tests.constraint import scenes as constrained
from tests.constraint.test_sleep import INIT
from tests.constraint.test_sleep import SCENE as SLEEPERS
from tests.description.models import CABLE
from tests.dynamics import models as dynamics
from tests.newer.case_models import SPRINGS, world
from tests.newer.cases import CASES as NEWER
from tests.parity.test_step import HUMANOID
from tests.parity.test_step import MODELS as STEPPED
from tests.plugins import test_shipped as plugged
from tests.sense import test_sensors as sense
from tests.sense.models import PLAIN, frame_sensors, sensing_model
from tests.step.test_needs import FIELD, MUSCLE, ONE, SENSORS, SLIDING, at_4
from tumble import rollout
from tumble.batch import Batch
from tumble.engine.core import plugin, stages
from tumble.engine.description.compile.bvh import grow_tree
from tumble.engine.description.language.hashes import hashes
from tumble.engine.description.robots.winding import wrong_way
from tumble.engine.geom.hull import convex_hull
from tumble.engine.geom.marching import march_cubes, sample_field
from tumble.engine.geom.mesh_distance import mesh_distances
from tumble.engine.geom.mesh_kernels import face_boxes
from tumble.engine.geom.mesh_obj import parse_obj
from tumble.engine.geom.mesh_read import weld
from tumble.engine.geom.mesh_text import Wave, corners_in, numbers_in, triangles_of
from tumble.engine.geom.octree import Octree
from tumble.engine.geom.polygons import polygons
from tumble.engine.geom.principal import principal
from tumble.engine.geom.random64 import uniforms_below
from tumble.engine.step.length_range import pull
from tumble.render.gl.record_kernels import caster_bounds, fill_records

WHO = "".join(
    f'<contact {who} reduce="{r}" num="3" data="found force torque dist pos normal tangent"/>'
    for who in sense.WHO
    for r in ("none", "mindist", "maxforce", "netforce")
)
APART = "".join(f'<{tag} {pair} cutoff="2"/>' for pair in sense.PAIRS for tag in ("distance", "normal", "fromto"))
TOUCH = (
    "".join(f'<touch site="{t}{k}"/>' for k in range(3) for t in "sphere capsule ellipsoid cylinder box".split())
    + '<touch site="zone"/>'
)
# all shapes in a heap
HEAP = f"""<mujoco><option cone="elliptic"><flag multiccd="enable" energy="enable"/></option>{
    pairs.MESHES
}<worldbody><geom type="plane" size="3 3 .1"/>
  {
    "".join(
        f'<body pos="{x} {y} {z}" euler="{10 * k} {7 * k} 5"><freejoint/><geom type="{t}" size="{s}" condim="{c}"/></body>'
        for k, (t, s, c, x, y, z) in enumerate(
            (
                ("sphere", ".3", 3, 0, 0, 0.28),
                ("capsule", ".2 .4", 4, 0.4, 0, 0.4),
                ("ellipsoid", ".2 .3 .4", 6, 0, 0.4, 0.4),
                ("cylinder", ".25 .3", 1, 0.4, 0.4, 0.5),
                ("box", ".2 .3 .25", 3, 0.2, 0.2, 0.9),
                ("box", ".2 .3 .25", 3, 0.2, 0.2, 1.35),
                ("capsule", ".2 .4", 3, 0.5, 0.2, 1.0),
            )
        )
    )
}
  {
    "".join(
        f'<body pos="{x} {y} {z}"><freejoint/><geom type="mesh" mesh="{n}"/></body>'
        for n, x, y, z in (
            ("prism", -0.6, 0, 0.2),
            ("brick", -0.6, 0, 0.6),
            ("brick", -0.6, 0.1, 1.05),
            ("tetra", -0.6, 0.7, 0.2),
        )
    )
}</worldbody></mujoco>"""


# distance fields are searched in few steps, which already make many calls
FEW = '<option sdf_iterations="2" sdf_initpoints="3"/>'


def few(xml):
    return xml.replace("<mujoco>", "<mujoco>" + FEW)


def option(text="", flags="", sensors=""):
    return ONE.format(option=text, flags=flags, sensors=sensors)


# name: XML
MODELS = {
    "humanoid": HUMANOID,
    "heap": HEAP,
    "heap mpr": HEAP.replace("<flag ", '<flag nativeccd="disable" '),
    "chain rk4": STEPPED["chain rk4"],
    "chain implicit": STEPPED["chain implicit"],
    "legs": constrained.legs(condim=4),
    "legs sparse": constrained.legs(condim=6, option='jacobian="sparse" cone="elliptic"'),
    "legs pgs": constrained.legs(option='solver="PGS" noslip_iterations="3"'),
    "pile cg": constrained.pile(option='solver="CG" jacobian="sparse"'),
    "pile pgs": constrained.pile(condim=6, option='solver="PGS" cone="elliptic"'),
    "tendons": dynamics.model(),
    "actuators": dynamics.model(extra=dynamics.ACTUATORS),
    "light": dynamics.model(extra=dynamics.LIGHT_ACTUATORS),
    "muscle": MUSCLE,
    "sensors": sensing_model(PLAIN + frame_sensors()),
    "tactile": sense.TACTILE.replace("SHAPE", "box"),
    "contact sensors": sense.PILE.replace("SENSORS", WHO).replace("CONE", "elliptic"),
    "distances": sense.APART.replace("SENSORS", APART),
    "touch": sense.PILE.replace('<geom name="t0"', sense.TOUCH_SITES + '<geom name="t0"')
    .replace("SENSORS", TOUCH)
    .replace("CONE", "pyramidal"),
    "small sensors": option("", "", "".join(SENSORS)),
    "fluid": option('density="2" viscosity=".1" integrator="implicit"', 'energy="enable"'),
    "inverse": option('jacobian="sparse"', 'fwdinv="enable" invdiscrete="enable"'),
    "sleepers": SLEEPERS.format(tolerance=1e-2),
    "sleepers rk4": SLEEPERS.format(tolerance=1e-2).replace("<option", '<option integrator="RK4"'),
    "asleep": INIT.format(policy='sleep="init"'),
    "heights": heights("box", 0.03, ""),
    "heights mpr": heights("capsule", 0, "nativeccd='disable'"),
    "field": few(fields("sphere")),
    "fields": few(fields("sdf")),
    **{f"plugin {n}": few(FIELD.format(name=n, ground='<geom size=".4"/>')) for n in "bolt bowl gear nut torus".split()},
    "rope": flex_scene(1, "sap", internal="true").replace('count="24 1 1"', 'count="9 1 1"'),
    "cloth": flex_scene(2, "auto", internal="true")
    .replace('count="8 8 1"', 'count="4 4 1"')
    .replace("<option", '<option integrator="implicitfast"')
    .replace('pos="0 0 0.5"', 'pos="0 0 .35"'),
    "block": flex_scene(3, "sap").replace('count="4 4 3"', 'count="3 3 2"').replace('pos="0 0 0.5"', 'pos="0 0 .3"'),
    "cable": CABLE,
    "pid": plugged.pid_scene("slew"),
    "grid": plugged.grid_scene(plugged.LOOK),
    **{
        f"newer {n}": at_4(NEWER[n][0].replace('pos="0 0 .13"', 'pos="0 0 .09"'))
        for n in (
            "connect_bodies",
            "weld_sites",
            "drives",
            "drives_full",
            "boxes",
            "convex_pairs",
            "free_turn",
            "cg_default",
            "newton_elliptic",
            "pgs_elliptic",
            "rk4_turns",
            "saturated",
            "late_controls",
            "late_sensors",
            "ray_images",
            "contact_rates",
            "setpoints",
            "weld_torques",
            "tendon_forces",
            "exact_pyramidal_sparse",
            "exact_elliptic_dense",
            "pids",
            "turns",
            "motors",
            "motors_full",
            "turns_rk4",
            "discrete_coupled",
            "discrete_sparse",
            "discrete_resolved",
            "discrete_fluid",
            "late_plastic",
            "late_plastic_rk4",
            "ahead",
            "ahead_discrete",
            "adhesive_pyramid",
            "adhesive_discrete",
        )
    },
    "newer touching": SLIDING,
    "newer springs": world(SPRINGS, head="<option integrator='implicit'><flag energy='enable'/></option>"),
}
# scenes that fall for some steps until they touch, or come to rest
STEPS = {"cloth": 60, "block": 40, "rope": 60, "sleepers": 9, "sleepers rk4": 9, "asleep": 6}
# scenes for which derivatives and trajectories are computed, too
DERIVED = ("legs", "light", "cable")


def load(name):
    """(model, data) in a state with motion."""
    m = tumble.MjModel.from_xml_string(MODELS[name])
    d = tumble.MjData(m)
    rng = np.random.default_rng(3)
    d.ctrl[:] = rng.normal(size=m.nu)
    if name in STEPS:
        tumble.mj_step(m, d, STEPS[name])
    else:
        d.qvel[:] = 0.3 * rng.normal(size=m.nv)
    return m, d


def drive(m, d, array):
    """Make steps, and call stages that only library functions use; `array(*shape)` makes an array for results."""
    tumble.mj_step(m, d, 2)
    tumble.mj_forward(m, d)
    tumble.mj_inverse(m, d)
    components(m, d)
    if m.nv:
        smooth(m, d, array)
    if d.nefc:
        tumble.mj_mulJacVec(m, d, array(d.nefc), np.ones(m.nv))
        tumble.mj_mulJacTVec(m, d, array(m.nv), np.ones(d.nefc))
        tumble.mj_constraintUpdate(m, d, np.linspace(-1, 1, d.nefc), array(1), 1)
    if d.ncon:
        tumble.mj_contactForce(m, d, 0, array(6))
    shapes(m, d, array)
    spec = tumble.mjtState.mjSTATE_INTEGRATION
    state = array(tumble.mj_stateSize(m, spec))
    tumble.mj_getState(m, d, state, spec)
    tumble.mj_setState(m, d, state, spec)
    tumble.mj_copyData(tumble.MjData(m), m, d)
    # no library function calls these
    for name in ("rne_full", "tendon_bias_inverse", "model_structure"):
        stages.call(name, m, d)
    tumble.mj_setConst(m, d)
    if m.nactuator:
        length_range(m, array)


def length_range(m, array):
    """Pull the first actuator for a few steps."""
    opt = tumble.MjLROpt()
    opt.inttotal, opt.interval = 6 * m.opt.timestep, 3 * m.opt.timestep
    begin = pull(m, -1, opt)
    record = array(len(begin))
    record[:] = begin
    stages.call("length_pulls", m, tumble.MjData(m), 0, record.ctypes.data)


def derivatives(m, d):
    """Finite differences of a step and of inverse dynamics."""
    n, ns = 2 * m.nv + m.na, m.nsensordata
    forward = [np.zeros(shape) for shape in ((n, n), (n, m.nu), (ns, n), (ns, m.nu))]
    inverse = [np.zeros(shape) for shape in 3 * [(m.nv, m.nv)] + 3 * [(m.nv, ns)] + [(m.nv, m.nM)]]
    tumble.mjd_transitionFD(m, d, 1e-6, 1, *forward)
    tumble.mjd_inverseFD(m, d, 1e-6, 1, *inverse)
    return forward + inverse


def trajectories(m, d):
    """Two of three steps each, from a state and from a nearby one."""
    spec = tumble.mjtState.mjSTATE_FULLPHYSICS
    state = np.zeros((2, tumble.mj_stateSize(m, spec)))
    for row in state:
        tumble.mj_getState(m, d, row, spec)
    state[1, -1] += 0.1
    return rollout.rollout(m, tumble.MjData(m), state, np.full((2, 3, m.nu), 0.2))


def worlds(m):
    """Steps, Jacobians and rays of a batch of two simulations."""
    b = Batch(m, 2, nthread=1)
    b.state[1, 1] += 0.1
    b.step(nstep=2)
    b.forward()
    jac = b.jac(m.nbody - 1, np.array([0.1, 0.2, 0.3]))
    found = b.ray([0, 0, 3], [[0.1, 0.05, -1]], normal=True)
    return [b.state, b.warning, *jac, *found]


def components(m, d):
    """Parts of a step, one by one."""
    tumble.mj_step1(m, d)
    tumble.mj_step2(m, d)
    for part in (
        "fwdKinematics",
        "fwdPosition",
        "fwdVelocity",
        "fwdActuation",
        "fwdAcceleration",
        "fwdConstraint",
        "invPosition",
        "invConstraint",
        "crb",
        "subtreeVel",
        "rnePostConstraint",
        "energyPos",
        "energyVel",
        "checkPos",
        "checkVel",
        "checkAcc",
        "compareFwdInv",
    ):
        getattr(tumble, f"mj_{part}")(m, d)


def smooth(m, d, array):
    """Jacobians, products with the inertia, coordinates."""
    n, last, x = m.nv, m.nbody - 1, np.linspace(-1, 1, m.nv)
    tumble.mj_jac(m, d, array(3, n), array(3, n), np.array([0.1, 0.2, 0.3]), last)
    tumble.mj_jacSubtreeCom(m, d, array(3, n), 0)
    tumble.mj_jacDot(m, d, array(3, n), array(3, n), np.array([0.1, 0.2, 0.3]), last)
    tumble.mj_mulM(m, d, array(n), x)
    tumble.mj_mulM2(m, d, array(n), x)
    tumble.mj_fullM(m, array(n, n), d.qM)
    tumble.mj_solveM(m, d, array(1, n), x.reshape(1, -1))
    tumble.mj_solveM2(m, d, array(1, n), x.reshape(1, -1), np.ones(n))
    for acceleration in (0, 1):
        tumble.mj_rne(m, d, acceleration, array(n))
    tumble.mj_applyFT(m, d, np.array([1.0, 2, 3]), np.array([0.1, 0, 0.2]), np.array([0, 0, 0.1]), last, array(n))
    for local in (0, 1):
        tumble.mj_objectVelocity(m, d, tumble.mjtObj.mjOBJ_BODY, last, array(6), local)
        tumble.mj_objectAcceleration(m, d, tumble.mjtObj.mjOBJ_BODY, last, array(6), local)
    q = array(m.nq)
    q[:] = d.qpos
    tumble.mj_integratePos(m, q, x, 0.1)
    tumble.mj_normalizeQuat(m, q)
    tumble.mj_differentiatePos(m, array(n), 0.1, d.qpos, q)


def shapes(m, d, array):
    """Rays and distances."""
    found = np.zeros(3, np.int32)
    for k in range(8):
        along = np.array([np.cos(k), np.sin(k), -0.2 - 0.1 * k])
        tumble.mj_ray(m, d, -2 * along, along, None, 1, -1, found[:1])
    tumble.mj_multiRay(
        m, d, np.array([0, 0, 3.0]), np.array([0, 0, -1, 0.1, 0, -1, 0.1, 0.2, -1.0]), None, 1, -1, found, array(3), 3, 10.0
    )
    for g in range(m.ngeom):
        if m.geom_type[g] == tumble.mjtGeom.mjGEOM_MESH:
            tumble.mj_rayMesh(m, d, g, np.array([0, 0, 3.0]), np.array([0, 0.01, -1.0]))
    solid = [g for g in range(m.ngeom) if tumble.mjtGeom.mjGEOM_SPHERE <= m.geom_type[g] <= tumble.mjtGeom.mjGEOM_MESH]
    if len(solid) > 1:
        tumble.mj_geomDistance(m, d, solid[0], solid[-1], 10.0, array(6))
    # the reference's solids have special functions against planes
    planes = np.flatnonzero(m.geom_type == tumble.mjtGeom.mjGEOM_PLANE)
    if len(solid) and len(planes):
        stages.call("collide_plane_solid", m, d, planes[0], solid[-1], 10.0)


# ---- stages called only from Python: meshes, textures, distance fields ----------------------------------------------------
OBJ = b"""# a tetrahedron, a quad, and polygons that are not convex
v 0 0 0
v 1.5e0 0 0
v 0 1 -.25E-1
v 0 0 +1
v 1 1 1 .5 .5 .5
v 2 .5 0.1
vn 0 0 1
vt .25 .75
f 1 3 2
f 1/1 2/1 4/1
f -6//1 -3//1 -4//1
f 2/1/1 3/1/1 4/1/1
f 1 2 6 3 5
f 1 6 2 5 3 4
"""
CUBE = np.array([(x, y, z) for x in (-1.0, 1) for y in (-1.0, 1) for z in (-1.0, 1)]) * (0.3, 0.2, 0.1)
SIDES = np.array(
    [
        (0, 1, 3),
        (0, 3, 2),
        (4, 6, 7),
        (4, 7, 5),
        (0, 4, 5),
        (0, 5, 1),
        (2, 3, 7),
        (2, 7, 6),
        (0, 2, 6),
        (0, 6, 4),
        (1, 5, 7),
        (1, 7, 3),
    ],
    np.int32,
)
MESHES = "".join(
    f'<mesh name="m{k}" vertex="0 0 0  1 0 0  0 1 0  0 0 1  1 1 1" face="0 2 1  0 1 3  0 3 2  1 2 4  1 4 3  2 3 4" '
    f'inertia="{i}" smoothnormal="{s}"/>'
    for k, (i, s) in enumerate((i, s) for i in ("exact", "legacy", "convex", "shell") for s in ("true", "false"))
)
MESHED = (
    f'<mujoco><asset>{MESHES}</asset><worldbody>{"".join(f"""<geom type="mesh" mesh="m{k}"/>""" for k in range(8))}</'
    "worldbody></mujoco>"
)
FIELDS = "bolt bowl gear nut torus".split()


def boxes(n=70):
    """Random boxes, some of them equal: (minima, maxima, centres)."""
    rng = np.random.default_rng(5)
    centre = rng.normal(size=(n, 3)).round(1)
    half = rng.uniform(0.01, 0.2, (n, 3))
    return centre - half, centre + half, centre


def tree_of(vert, face):
    corners = vert[face]
    return grow_tree(corners.min(1), corners.max(1), corners.mean(1))


def field_values(name):
    """A distance field of the plugins at points, one by one and as a grid."""
    field, p = stages.find(f"sdf_{name}"), plugin.find(f"mujoco.sdf.{name}")[0]
    attributes, box, grid = (
        np.zeros(max(1, len(p.attributes))),
        np.array([0, 0, 0, 0.8, 0.7, 0.6]),
        np.zeros((3, 4, 5), np.float32),
    )
    p.sdf_attribute(attributes, p.attributes, [""] * len(p.attributes))
    points = np.random.default_rng(6).normal(size=(60, 3))
    sample_field(field.address, attributes.ctypes.data, box.ctypes.data, 5, 4, 3, grid.ctypes.data)
    return [np.array([field(*point, attributes.ctypes.data) for point in points.tolist()]), grid]


def refined():
    out = Octree(CUBE.min(0) - 0.01, CUBE.max(0) + 0.01)
    out.refine(np.ascontiguousarray(CUBE[SIDES].reshape(-1, 9)))
    return out.child, out.depth, out.place


def spheres():
    x, y, z = np.meshgrid(*[np.linspace(-1, 1, n) for n in (9, 8, 7)], indexing="ij")
    return march_cubes(
        (np.minimum((x - 0.2) ** 2 + y * y + z * z, (x + 0.5) ** 2 + y * y + (z - 0.3) ** 2) - 0.3).astype(np.float32)
    )


def set_up():
    """A recompiled model with meshes."""
    tumble.mj_clearCache(tumble.mj_getCache())
    m = tumble.MjModel.from_xml_string(MESHED)
    return [m.array(f.name) for f in m.schema.arrays]


def tree_arrays():
    t = grow_tree(*boxes())
    return t.aabb, t.child, t.nodeid, t.depth


def boxes_of_faces():
    sides, out = np.ascontiguousarray(SIDES, np.int32), np.empty((len(SIDES), 9))
    face_boxes(CUBE.ctypes.data, len(CUBE), sides.ctypes.data, len(sides), out.ctypes.data)
    return [out]


def turned_triangles():
    """Triangles to reverse: of a cube with two wrong ones, and of a cube turned inside out that lacks a triangle."""
    some = np.array(SIDES, np.int32)
    some[[1, 7]] = some[[1, 7]][:, [0, 2, 1]]
    return [wrong_way(CUBE, some), wrong_way(CUBE, np.array(SIDES)[:, [0, 2, 1]]), wrong_way(CUBE, some[1:])]


# joints of all types, bodies with and without them, colliding shapes and shapes between two points, a tendon with inertia
TREE = """<mujoco><worldbody><geom type="capsule" size=".1" fromto="0 0 0 0 0 1"/><body pos="0 0 2"><freejoint/>
    <geom size=".1"/><geom type="box" size=".1 .2 .3" euler="10 20 30"/><geom size=".1" quat="2 0 1 0" group="6"/>
  <body pos="1 0 0"><joint type="ball"/><geom type="cylinder" size=".1" fromto=".1 .2 .3 -.3 .4 0"/><body>
    <geom size=".2" pos="0 0 .3"/><body><joint axis="0 1 1"/>
  <joint type="slide"/><geom size=".1"/><site name="a"/></body></body></body></body><body><joint type="slide"/>
    <joint type="slide" axis="0 1 0"/><geom size=".1"/></body>
  <body pos="0 2 0"><joint type="slide"/><geom size=".1"/><site name="b"/></body>
  <body pos="0 5 0"><freejoint/><geom type="ellipsoid" size=".1 .2 .3"/>SHELLS</body></worldbody>
  <tendon><spatial armature=".1"><site site="a"/><site site="b"/></spatial></tendon></mujoco>""".replace(
    "SHELLS",
    "".join(
        f'<geom type="{t}" size=".1 .2 .3" shellinertia="true"/>' for t in ("sphere", "capsule", "cylinder", "ellipsoid", "box")
    ),
)


def compiled(text):
    m = tumble.MjModel.from_xml_string(text)
    return [m.peek(f.name) for f in m.schema.arrays]


def drawn():
    """Instance records and shadow bounds of a scene, with all their inputs."""
    m = tumble.MjModel.from_xml_string(
        MESHED.replace("<worldbody>", '<worldbody><geom type="plane" size="1 1 1"/><geom type="capsule" size=".1 .2"/>')
    )
    d, cam, scn = tumble.MjData(m), tumble.MjvCamera(), tumble.MjvScene(m, 50)
    tumble.mj_forward(m, d)
    tumble.mjv_updateScene(m, d, tumble.MjvOption(), None, cam, 7, scn)
    for k, kind in enumerate((tumble.mjtGeom.mjGEOM_TRIANGLE, tumble.mjtGeom.mjGEOM_ARROW)):
        tumble.mjv_initGeom(
            scn.geoms[scn.ngeom + k], kind, np.ones(3), np.arange(3.0), np.eye(3).ravel(), np.ones(4, np.float32)
        )
    scn.ngeom += 2
    n, out, found = scn.ngeom, np.full((scn.ngeom, 28), np.nan, np.float32), np.full(4, np.nan)
    scn.geom.shininess[:3], scn.geom.size[1, 0], scn.geom.pos[n - 2] = (-1, 2, 0.5), 0, np.inf
    fill_records(scn.geom.located(), np.arange(n), np.arange(n), np.arange(n) % 2 == 1, n, n, 3, 5, out)
    any_there = caster_bounds(scn.geom.located(), n, np.array([[4.0, 5, 6], [np.nan, 0, 0]]), 2, found)
    return [out, found, np.array([any_there])]


# stages: function that calls them and returns arrays
KERNELS = {
    ("obj_count", "obj_read"): lambda: parse_obj(OBJ),
    ("wave_count", "wave_read"): lambda: [(w := Wave(OBJ)).vert, w.texcoord, w.corner, w.edge],
    ("text_words", "text_numbers"): lambda: [numbers_in(b"1 -2.5e-3, +.25;7e30 1e-40 nan 123456789012345678901")],
    ("stl_corners",): lambda: [corners_in(b"solid a\nVertex 1 2 3\nvertex 4 5e0 -6\nvertexes 7 8 9\n")],
    ("cut_polygons",): lambda: [
        triangles_of(np.array([[0, 0, 0], [2, 0, 0], [0.5, 0.5, 0], [0, 2, 0.0]]), np.array([4, 2, 3]), np.arange(9) % 4)
    ],
    ("mesh_weld",): lambda: weld(np.repeat(CUBE[SIDES].reshape(-1, 3), 2, 0)),
    ("marks_random",): lambda: [uniforms_below(700, 0.3)],
    ("march",): spheres,
    ("leaf_trees",): tree_arrays,
    ("face_boxes",): boxes_of_faces,
    ("mesh_winding",): turned_triangles,
    ("pick_triangles",): refined,
    ("signed_distances",): lambda: [
        mesh_distances(np.random.default_rng(7).normal(size=(80, 3)) * 0.3, CUBE, SIDES, tree_of(CUBE, SIDES))
    ],
    (
        "tree_topology",
        "diagonal_bodies",
        "spans",
        "solid_volumes",
        "solid_moments",
        "solid_bounds",
        "turned_boxes",
        "geom_faults",
        "size_faults",
        "joint_faults",
        "geom_totals",
        "body_frames",
        "collect_geoms",
        "unit_quats",
        "copy_columns",
        "place_names",
    ): lambda: compiled(TREE),
    ("fill_records", "caster_bounds"): drawn,
    ("world_poses",): lambda: compiled(flex_scene(1, "sap").replace('count="24 1 1"', 'count="5 1 1"')),
    ("principal_axes",): lambda: principal(np.random.default_rng(3).normal(size=(9, 6))),
    ("hash_texts",): lambda: [hashes("torso\0grün\0\0".encode(), (0, 6, 12))],
    ("mesh_polygons",): lambda: polygons(CUBE, SIDES),
    ("hull_edges",): lambda: [convex_hull(CUBE)[1]],
    ("mesh_normals", "mesh_measure"): set_up,
    **{("sample_field", f"sdf_{n}"): functools.partial(field_values, n) for n in FIELDS},
}
