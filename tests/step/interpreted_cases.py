"""Models and calls of the library that together use every stage, for the comparison of compiled and interpreted kernels."""
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
from tests.parity.test_step import HUMANOID
from tests.parity.test_step import MODELS as STEPPED
from tests.plugins import test_shipped as plugged
from tests.sense import test_sensors as sense
from tests.sense.models import PLAIN, frame_sensors, sensing_model
from tests.step.test_needs import FIELD, MUSCLE, ONE, SENSORS

WHO = "".join(f'<contact {who} reduce="{r}" num="3" data="found force torque dist pos normal tangent"/>'
              for who in sense.WHO for r in ("none", "mindist", "maxforce", "netforce"))
APART = "".join(f'<{tag} {pair} cutoff="2"/>' for pair in sense.PAIRS for tag in ("distance", "normal", "fromto"))
TOUCH = "".join(f'<touch site="{t}{k}"/>' for k in range(3) for t in "sphere capsule ellipsoid cylinder box".split()) + '<touch site="zone"/>'
# all shapes in a heap
HEAP = f"""<mujoco><option cone="elliptic"><flag multiccd="enable" energy="enable"/></option>{pairs.MESHES}<worldbody><geom type="plane" size="3 3 .1"/>
  {"".join(f'<body pos="{x} {y} {z}" euler="{10 * k} {7 * k} 5"><freejoint/><geom type="{t}" size="{s}" condim="{c}"/></body>' for k, (t, s, c, x, y, z) in enumerate((
      ("sphere", ".3", 3, 0, 0, .28), ("capsule", ".2 .4", 4, .4, 0, .4), ("ellipsoid", ".2 .3 .4", 6, 0, .4, .4), ("cylinder", ".25 .3", 1, .4, .4, .5),
      ("box", ".2 .3 .25", 3, .2, .2, .9), ("box", ".2 .3 .25", 3, .2, .2, 1.35), ("capsule", ".2 .4", 3, .5, .2, 1.0))))}
  {"".join(f'<body pos="{x} {y} {z}"><freejoint/><geom type="mesh" mesh="{n}"/></body>' for n, x, y, z in (
      ("prism", -.6, 0, .2), ("brick", -.6, 0, .6), ("brick", -.6, .1, 1.05), ("tetra", -.6, .7, .2)))}</worldbody></mujoco>"""


# distance fields are searched in few steps, which are many calls
FEW = '<option sdf_iterations="2" sdf_initpoints="3"/>'


def few(xml):
    return xml.replace("<mujoco>", "<mujoco>" + FEW)


def option(text="", flags="", sensors=""):
    return ONE.format(option=text, flags=flags, sensors=sensors)


# name: XML
MODELS = {
    "humanoid": HUMANOID, "heap": HEAP, "heap mpr": HEAP.replace("<flag ", '<flag nativeccd="disable" '),
    "chain rk4": STEPPED["chain rk4"], "chain implicit": STEPPED["chain implicit"],
    "legs": constrained.legs(condim=4), "legs sparse": constrained.legs(condim=6, option='jacobian="sparse" cone="elliptic"'),
    "legs pgs": constrained.legs(option='solver="PGS" noslip_iterations="3"'),
    "pile cg": constrained.pile(option='solver="CG" jacobian="sparse"'), "pile pgs": constrained.pile(condim=6, option='solver="PGS" cone="elliptic"'),
    "tendons": dynamics.model(), "actuators": dynamics.model(extra=dynamics.ACTUATORS), "light": dynamics.model(extra=dynamics.LIGHT_ACTUATORS),
    "muscle": MUSCLE, "sensors": sensing_model(PLAIN + frame_sensors()), "tactile": sense.TACTILE.replace("SHAPE", "box"),
    "contact sensors": sense.PILE.replace("SENSORS", WHO).replace("CONE", "elliptic"), "distances": sense.APART.replace("SENSORS", APART),
    "touch": sense.PILE.replace('<geom name="t0"', sense.TOUCH_SITES + '<geom name="t0"').replace("SENSORS", TOUCH).replace("CONE", "pyramidal"),
    "small sensors": option("", "", "".join(SENSORS)), "fluid": option('density="2" viscosity=".1" integrator="implicit"', 'energy="enable"'),
    "inverse": option('jacobian="sparse"', 'fwdinv="enable" invdiscrete="enable"'),
    "sleepers": SLEEPERS.format(tolerance=1e-2), "sleepers rk4": SLEEPERS.format(tolerance=1e-2).replace("<option", '<option integrator="RK4"'),
    "asleep": INIT.format(policy='sleep="init"'), "heights": heights("box", .03, ""), "heights mpr": heights("capsule", 0, "nativeccd='disable'"),
    "field": few(fields("sphere")), "fields": few(fields("sdf")),
    **{f"plugin {n}": few(FIELD.format(name=n, ground='<geom size=".4"/>')) for n in "bolt bowl gear nut torus".split()},
    "rope": flex_scene(1, "sap", internal="true").replace('count="24 1 1"', 'count="9 1 1"'),
    "cloth": flex_scene(2, "auto", internal="true").replace('count="8 8 1"', 'count="4 4 1"').replace("<option", '<option integrator="implicitfast"').replace(
        'pos="0 0 0.5"', 'pos="0 0 .35"'),
    "block": flex_scene(3, "sap").replace('count="4 4 3"', 'count="3 3 2"').replace('pos="0 0 0.5"', 'pos="0 0 .3"'),
    "cable": CABLE, "pid": plugged.pid_scene("slew"), "grid": plugged.grid_scene(plugged.LOOK),
}
# scenes that only fall for some steps until something touches
STEPS = {"cloth": 30, "block": 20, "rope": 40, "sleepers": 12, "sleepers rk4": 12, "asleep": 6}


def load(name):
    """(model, data) in a state with motion."""
    m = tumble.MjModel.from_xml_string(MODELS[name])
    d = tumble.MjData(m)
    rng = np.random.default_rng(3)
    d.ctrl[:] = rng.normal(size=m.nu)
    if name not in STEPS:
        d.qvel[:] = 0.3 * rng.normal(size=m.nv)
    return m, d


def drive(m, d, array):
    """Steps, and what only functions of the library use; `array(*shape)` makes an array for results."""
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


def components(m, d):
    """Parts of a step, one by one."""
    tumble.mj_step1(m, d)
    tumble.mj_step2(m, d)
    for part in ("fwdKinematics", "fwdPosition", "fwdVelocity", "fwdActuation", "fwdAcceleration", "fwdConstraint", "invPosition", "invConstraint",
                 "crb", "subtreeVel", "rnePostConstraint", "energyPos", "energyVel", "checkPos", "checkVel", "checkAcc", "compareFwdInv"):
        getattr(tumble, f"mj_{part}")(m, d)


def smooth(m, d, array):
    """Jacobians, products with the inertia, coordinates."""
    n, last, x = m.nv, m.nbody - 1, np.linspace(-1, 1, m.nv)
    tumble.mj_jac(m, d, array(3, n), array(3, n), np.array([.1, .2, .3]), last)
    tumble.mj_jacSubtreeCom(m, d, array(3, n), 0)
    tumble.mj_jacDot(m, d, array(3, n), array(3, n), np.array([.1, .2, .3]), last)
    tumble.mj_mulM(m, d, array(n), x)
    tumble.mj_mulM2(m, d, array(n), x)
    tumble.mj_fullM(m, array(n, n), d.qM)
    tumble.mj_solveM(m, d, array(1, n), x.reshape(1, -1))
    tumble.mj_solveM2(m, d, array(1, n), x.reshape(1, -1), np.ones(n))
    for acceleration in (0, 1):
        tumble.mj_rne(m, d, acceleration, array(n))
    tumble.mj_applyFT(m, d, np.array([1., 2, 3]), np.array([.1, 0, .2]), np.array([0, 0, .1]), last, array(n))
    for local in (0, 1):
        tumble.mj_objectVelocity(m, d, tumble.mjtObj.mjOBJ_BODY, last, array(6), local)
        tumble.mj_objectAcceleration(m, d, tumble.mjtObj.mjOBJ_BODY, last, array(6), local)
    q = array(m.nq)
    q[:] = d.qpos
    tumble.mj_integratePos(m, q, x, .1)
    tumble.mj_normalizeQuat(m, q)
    tumble.mj_differentiatePos(m, array(n), .1, d.qpos, q)


def shapes(m, d, array):
    """Rays and distances."""
    found = np.zeros(3, np.int32)
    for k in range(8):
        along = np.array([np.cos(k), np.sin(k), -.2 - .1 * k])
        tumble.mj_ray(m, d, -2 * along, along, None, 1, -1, found[:1])
    tumble.mj_multiRay(m, d, np.array([0, 0, 3.]), np.array([0, 0, -1, .1, 0, -1, .1, .2, -1.]), None, 1, -1, found, array(3), 3, 10.)
    for g in range(m.ngeom):
        if m.geom_type[g] == tumble.mjtGeom.mjGEOM_MESH:
            tumble.mj_rayMesh(m, d, g, np.array([0, 0, 3.]), np.array([0, .01, -1.]))
    solid = [g for g in range(m.ngeom) if tumble.mjtGeom.mjGEOM_SPHERE <= m.geom_type[g] <= tumble.mjtGeom.mjGEOM_MESH]
    if len(solid) > 1:
        tumble.mj_geomDistance(m, d, solid[0], solid[-1], 10.0, array(6))
