"""Batches on lanes: the same bits wherever a world is placed, one step within a named bound of single stepping, worlds
that leave the traced path.
"""

import warnings

import numpy as np
import pytest

import tumble as mj
from tests.app.driver import ROOT
from tests.batch.scripts import CART
from tests.tolerance import EXACT, LANES, LANES_CONSTRAINED, difference
from tumble import batch, debug
from tumble.engine.batch.lanes import LanesWarning
from tumble.engine.lanes import instead
from tumble.engine.lanes.program import program_of
from tumble.engine.lanes.run import ASK
from tumble.engine.lanes.symbols import LEFT
from tumble.engine.machine.memory import as_model

# outside the checkout or above it; left out where missing
SHARED = next((p for p in (folder / "shared/models/models" for folder in ROOT.parents) if p.is_dir()), ROOT / "none")
OWN = ("humanoid", "arm", "hand", "muscles", "sensors", "car")
OTHERS = (
    "genesis_world/genesis/assets/xml/franka_sim/franka_panda.xml",
    "dm_control/dm_control/suite/cartpole.xml",
    "gymnasium/gymnasium/envs/mujoco/assets/ant.xml",
)
PATHS = [ROOT / f"assets/models/{name}.xml" for name in OWN] + [SHARED / name for name in OTHERS]
WORLDS = 19
# a disturbance the size of rounding, and the factor by which lanes may differ more than its effect
ROUNDING, FACTOR, DISTURBANCES = 1e-15, 10, 5
# pulling strings around a cylinder, through a ring, and straight; the last starts where it has no lever arm
STRING = """
<mujoco>
  <worldbody>
    <geom name="post" type="cylinder" size=".1 .3" zaxis="0 1 0" contype="0" conaffinity="0"/>
    <geom name="ring" type="sphere" size=".15" pos="0 0 .1" contype="0" conaffinity="0"/>
    <site name="start" pos="-.4 0 .1"/><site name="over" pos="0 0 .3"/><site name="through" pos="0 0 .2"/>
    <body pos=".3 0 0">
      <joint name="a" axis="0 1 0" damping=".1"/><geom size=".05" pos=".1 0 0" contype="0" conaffinity="0"/>
      <site name="end" pos=".1 0 0"/>
      <body pos=".2 0 0"><joint axis="0 0 1" damping=".1"/><geom size=".05" pos=".1 0 0" contype="0" conaffinity="0"/>
        <site name="tip" pos=".1 0 0"/></body>
    </body>
  </worldbody>
  <tendon>
    <spatial name="around"><site site="start"/><geom geom="post" sidesite="over"/><site site="end"/><geom geom="post"/>
      <site site="tip"/></spatial>
    <spatial name="inside"><site site="start"/><geom geom="ring" sidesite="through"/><site site="tip"/></spatial>
    <spatial name="straight" stiffness="3"><site site="start"/><site site="tip"/><pulley divisor="2"/><site site="over"/>
      <site site="end"/></spatial>
  </tendon>
  <actuator>
    <muscle tendon="around" ctrlrange="0 1" lengthrange=".3 1.2"/><motor tendon="inside" gear="-1"/>
      <motor tendon="straight" gear="2"/>
  </actuator>
</mujoco>"""
# a double pendulum that cannot collide, with limits, a motor with activation, a ball joint, springs, and sensors of each type
ARM = """
<mujoco>
  <option integrator="{integrator}" timestep=".004"><flag energy="enable"/></option>
  <worldbody>
    <body pos="0 0 1">
      <joint name="a" axis="0 1 0" damping=".1" stiffness="2" range="-8 8" limited="true"/>
      <geom type="capsule" fromto="0 0 0 .5 0 0" size=".03" contype="0" conaffinity="0"/>
      <body pos=".5 0 0">
        <joint name="b" type="ball" damping=".05" stiffness=".3"/>
        <geom type="box" pos=".2 0 0" size=".2 .03 .04" contype="0" conaffinity="0"/>
        <site name="tip" pos=".4 0 0"/>
        <body pos=".4 0 0"><joint name="c" type="slide" axis="1 0 0" springref=".1" stiffness="20"/>
          <geom size=".05" contype="0" conaffinity="0"/></body>
      </body>
    </body>
  </worldbody>
  <actuator>
    <general name="m" joint="a" dyntype="filter" dynprm=".1" ctrlrange="-1 1" ctrllimited="true" gainprm="3" biastype="affine"
      biasprm="0 -1 -.1"/>
    <motor joint="c" gear="2" forcerange="-1 1" forcelimited="true"/>
  </actuator>
  <sensor>
    <jointpos joint="a"/><jointlimitpos joint="a"/><gyro site="tip"/><accelerometer site="tip"/>
      <framepos objtype="site" objname="tip"/>
    <actuatorfrc actuator="m"/><subtreecom body="world"/><clock/>
  </sensor>
</mujoco>"""


def load(path):
    if not path.exists():
        pytest.skip(f"{path} is not there")
    return mj.MjModel.from_xml_path(str(path))


def stirred(m, lanes, nthread=1, nsim=WORLDS, seed=1):
    """A batch whose worlds differ."""
    b = batch.Batch(m, nsim, nthread, lanes=lanes)
    random = np.random.default_rng(seed)
    b.qvel += random.normal(size=(nsim, m.nv)) * 0.3
    b.ctrl = random.uniform(-1, 1, (nsim, m.nu)) * 0.8
    return b


def side_by_side(m, names, steps, nsim=WORLDS):
    """Step single worlds and lanes from the same states. After each step, yield both batches, and for each of them the fields
    in `names`."""
    one, many = stirred(m, False, nsim=nsim), stirred(m, True, nsim=nsim)
    bound = [{n: b.bind(n) for n in names} for b in (one, many)]
    for _ in range(steps):
        many.state[:] = one.state
        one.step()
        many.step()
        yield one, many, bound


def distance(a, b):
    """Largest difference of rows of states, relative to the size of each number in any world."""
    return (np.abs(a - b) / (np.abs(a).max(0) + 1)).max()


@pytest.fixture(scope="module", params=["Euler", "implicitfast", "implicit", "RK4"])
def arm(request):
    return mj.MjModel.from_xml_string(ARM.format(integrator=request.param))


# ---- equality ------------------------------------------------------------------------------------------------------------
def test_every_integrator_has_lanes(arm):
    assert not isinstance(program_of(arm), str)


def test_one_step_is_that_of_a_single_world_but_for_rounding(arm):
    names = "xpos qpos sensordata act_dot qfrc_constraint nefc energy".split()
    for one, many, bound in side_by_side(arm, names, 30):
        assert distance(one.state, many.state) <= LANES_CONSTRAINED
        for n in names:
            assert distance(bound[0][n], bound[1][n]) <= LANES_CONSTRAINED, n
    assert (bound[0]["nefc"] > 0).any() and (bound[0]["nefc"] == 0).any()


@pytest.mark.parametrize("path", PATHS, ids=lambda p: p.stem)
def test_models_take_a_step_within_the_bound(path):
    steps_within_the_bound(load(path))


def test_an_arm_takes_implicit_steps_within_the_bound():
    m = load(PATHS[1])
    m.opt.integrator = mj.mjtIntegrator.mjINT_IMPLICIT
    assert not isinstance(program_of(m), str)
    steps_within_the_bound(m)


def steps_within_the_bound(m):
    one, near, many = stirred(m, False), stirred(m, False), stirred(m, True)
    nefc, random = one.bind("nefc"), np.random.default_rng(3)
    for _ in range(3):
        start = one.state.copy()
        many.state[:] = start
        for b in (one, many):
            b.step()
        # Contacts of cylinders are found by iteration, so rounding moves them, in single worlds as well. One disturbance moves
        # them more than another, so take the largest effect of several.
        effects = []
        for _ in range(DISTURBANCES):
            near.state[:] = start
            near.qpos *= 1 + random.uniform(-1, 1, near.qpos.shape) * ROUNDING
            near.step()
            effects.append(distance(one.state, near.state))
        bound = max(LANES_CONSTRAINED, FACTOR * max(effects))
        free = nefc == 0
        assert distance(one.state[free], many.state[free]) <= LANES if free.any() else True
        assert distance(one.state, many.state) <= bound
        one.step(nstep=20)


def test_without_lanes_worlds_have_the_bits_of_single_steps(arm):
    b = stirred(arm, False)
    d = b.get_data(3)
    b.step(nstep=20)
    mj.mj_step(arm, d, 20)
    assert difference(b.qpos[3], d.qpos) <= EXACT


@pytest.mark.parametrize("path", PATHS[:2], ids=lambda p: p.stem)
def test_bits_do_not_depend_on_lane_count_threads_or_neighbours(path):
    bits_wherever_a_world_is(load(path))


def bits_wherever_a_world_is(m):
    """Check that a world's bits do not depend on its place, its neighbors, threads and calls."""
    whole = stirred(m, True)
    start = whole.state.copy()
    whole.step(nstep=40)
    threads = batch.Batch(m, WORLDS, 3, lanes=True)
    threads.state[:] = start
    threads.step(nstep=40)
    assert threads.state.tobytes() == whole.state.tobytes()
    # the same bits for worlds in another order, and for some of them alone, in several calls
    order = np.random.default_rng(0).permutation(WORLDS)
    turned = batch.Batch(m, WORLDS, 1, lanes=True)
    turned.state[:] = start[order]
    turned.step(nstep=40)
    assert turned.state.tobytes() == whole.state[order].tobytes()
    part = batch.Batch(m, WORLDS, 1, lanes=True)
    part.state[:] = start
    ids = np.array([2, 3, 11, 18])
    part.step(ids, nstep=15)
    part.step(ids, nstep=25)
    assert part.state[ids].tobytes() == whole.state[ids].tobytes()
    assert part.state[5].tobytes() == start[5].tobytes()


def test_a_rollout_is_its_steps(arm):
    u = np.random.default_rng(2).uniform(-1, 1, (WORLDS, 25, arm.nu))
    one, many = stirred(arm, True), stirred(arm, True)
    found = many.rollout(25, u, record=("qpos", "sensordata", int(mj.mjtState.mjSTATE_FULLPHYSICS)))
    sensordata = one.bind("sensordata")
    for t in range(25):
        one.ctrl = u[:, t]
        one.step()
        assert found["qpos"][:, t].tobytes() == np.ascontiguousarray(one.qpos).tobytes()
        assert found["sensordata"][:, t].tobytes() == sensordata.tobytes()
    assert one.state.tobytes() == many.state.tobytes()


@pytest.mark.parametrize("compat", ["3.4", "4.0"])
def test_rows_of_moments_keep_what_is_zero_by_chance(compat):
    # dense rows of a tendon between sites: at the start all but one entry are zero
    m = mj.MjModel.from_xml_string(STRING, compat=compat)
    assert not isinstance(program_of(m), str)
    one, many = stirred(m, False), stirred(m, True)
    for _ in range(10):
        many.state[:] = one.state
        # a world that leaves the traced path finds its own rows; the next call is on lanes again
        for b in (one, many):
            b.ctrl[3, 0] = np.nan
            b.step()
            b.ctrl[3, 0] = 0.2
        many.state[:] = one.state
        one.step(nstep=2)
        many.step(nstep=2)
        assert distance(one.state, many.state) <= LANES


def test_what_is_looked_at_later_is_kept_from_then_on(arm):
    one, many = stirred(arm, False), stirred(arm, True)
    for b in (one, many):
        b.step()
    # fields that the steps so far did not compute
    names = "xanchor crb qfrc_spring site_xmat".split()
    for n in names:
        for b in (one, many):
            b.bind(n)
    many.state[:] = one.state
    for b in (one, many):
        b.step()
    for n in names:
        assert distance(one.bind(n), many.bind(n)) <= LANES, n
        assert np.any(one.bind(n)[0] != one.bind(n)[1])


# ---- worlds that leave the traced path -----------------------------------------------------------------------------------
def test_a_world_that_goes_bad_is_reset_as_alone(arm):
    one, many = stirred(arm, False), stirred(arm, True)
    for b in (one, many):
        b.qvel[4, 0] = 1e12
        b.qpos[9, 0] = np.nan
        b.ctrl[11, 1] = 1e11
        b.step()
    assert (one.warning == many.warning).all() and many.warning[[4, 9, 11], :, 1].any(1).all()
    for i in (4, 9, 11):
        assert one.state[i].tobytes() == many.state[i].tobytes()
    assert distance(one.state, many.state) <= LANES_CONSTRAINED


def test_a_rollout_stops_where_a_world_is_warned_of(arm):
    results = []
    for lanes in (False, True):
        b = stirred(arm, lanes)
        b.qvel[4, 0] = 1e12
        results.append((b.rollout(5, record=("qpos", "xpos")), b.state, b.warning))
    (one, state, warned), (many, state_, warned_) = results
    assert (warned == warned_).all()
    assert one["qpos"][4].tobytes() == many["qpos"][4].tobytes()
    assert one["xpos"][4].tobytes() == many["xpos"][4].tobytes()
    assert state[4].tobytes() == state_[4].tobytes()
    assert distance(state, state_) <= LANES_CONSTRAINED


def test_a_world_that_was_reset_is_on_lanes_from_the_next_step_on(arm):
    b = batch.Batch(arm, 4, 1, lanes=True)
    b.qvel[2, 0] = 1e12
    left = []
    for _ in range(3):
        b.step()
        left.append(b._lanes.made.places[0].memory[LEFT, :4].tolist())
    assert left == [[0, 0, 1, 0], [0, 0, 0, 0], [0, 0, 0, 0]]


# ---- models without lanes ------------------------------------------------------------------------------------------------
def test_what_needs_single_worlds_is_said_and_done(arm):
    compared = mj.MjModel.from_xml_string(ARM.format(integrator="Euler").replace("energy=", "fwdinv="))
    for m, change in ((compared, lambda b: None), (arm, lambda b: b.expand("geom_contype"))):
        one, many = stirred(m, False), stirred(m, True)
        change(many)
        one.step()
        with pytest.warns(LanesWarning, match="no lanes"):
            many.step()
        assert one.state.tobytes() == many.state.tobytes()


def test_a_replaced_stage_is_not_passed_over():
    m = mj.MjModel.from_xml_string(ARM.format(integrator="Euler"))
    one, many = stirred(m, False), stirred(m, True)
    many.step()
    many.state[:] = one.state
    with debug.replace("passive", lambda m, d: None):
        one.step()
        with pytest.warns(LanesWarning, match="stages are replaced"):
            many.step()
    assert one.state.tobytes() == many.state.tobytes()


def test_a_changed_model_is_traced_again(arm):
    one, many = stirred(arm, False), stirred(arm, True)
    for b in (one, many):
        b.step()
        b.shared_model.opt.gravity[:] = 0, 0, -1
    many.state[:] = one.state
    for b in (one, many):
        b.step()
    assert distance(one.state, many.state) <= LANES_CONSTRAINED


def test_wrong_arguments_and_other_calls():
    m = mj.MjModel.from_xml_string(CART)
    with pytest.raises(ValueError, match="lanes must be"):
        batch.Batch(m, 3, lanes="fast")
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        one, many = stirred(m, False), stirred(m, True)
        for b in (one, many):
            b.reset()
            b.forward()
        assert one.state.tobytes() == many.state.tobytes()


# ---- what the model tells ahead ------------------------------------------------------------------------------------------
# an elbow (hinge) with a wrapping geom around its axis, one beside the axis, and one that slides; side sites on the upper arm
# (near, far, edge), and one on a mocap body
ELBOW = """
<mujoco>
  <worldbody>
    <body name="hand" mocap="true"><site name="carried"/></body>
    <body pos="0 0 1">
      <joint type="ball"/><geom size=".1"/>
      <site name="near" pos=".45 .03 0"/><site name="far" pos=".5 .2 0"/><site name="edge" pos=".5 .1 0"/>
      <body pos=".5 0 .1" euler="20 30 40">
        <joint axis="0 0 1" pos="0 0 -.2"/><geom name="joint" type="cylinder" size=".1 .1"/>
          <geom name="beside" type="cylinder" size=".1 .1" pos=".05 0 0"/>
        <body pos=".1 0 0"><joint type="slide"/><geom name="sliding" type="sphere" size=".1"/></body>
      </body>
    </body>
  </worldbody>
</mujoco>"""


def test_sites_that_keep_their_distance_are_inside_or_outside_for_good():
    m = mj.MjModel.from_xml_string(ELBOW)
    d, seen = mj.MjData(m), as_model(getattr(m, "storage").address)
    known = {
        (s, g): instead.side_within(seen, m.site(s).id, m.geom(g).id)
        for s in ("near", "far", "edge", "carried")
        for g in ("joint", "beside", "sliding")
    }
    random = np.random.default_rng(0)
    for _ in range(20):
        d.qpos[:], d.qvel[:] = m.qpos0, random.normal(size=m.nv)
        mj.mj_integratePos(m, d.qpos, d.qvel, 1.0)
        mj.mj_kinematics(m, d)
        for (s, g), inside in known.items():
            if inside is not None:
                assert inside == (np.linalg.norm(d.site(s).xpos - d.geom(g).xpos) < m.geom(g).size[0])
    # `beside` is off the axis and `sliding` moves, so whether sites are inside them can change
    assert [known[s, "joint"] for s in ("near", "far", "edge", "carried")] == [False, False, False, None]
    assert all(known[s, g] is None for s in ("near", "far", "edge", "carried") for g in ("beside", "sliding"))
    m.site_pos[m.site("near").id] = m.body_pos[3]
    m.site_pos[m.site("edge").id] = m.body_pos[3] + [0, 0.1, 0]
    assert instead.side_within(seen, m.site("near").id, m.geom("joint").id) is True
    # at the edge, rounding decides, so nothing is known in advance
    assert instead.side_within(seen, m.site("edge").id, m.geom("joint").id) is None


def test_worlds_that_always_have_rows_are_asked_whether_they_touch():
    """Dry friction and equality constraints always have rows; contacts are searched only where they are possible."""
    m = mj.MjModel.from_xml_string("""<mujoco><worldbody><geom type="plane" size="5 5 .1"/><body pos="0 0 .12"><freejoint/>
    <geom size=".1"/></body>
      <body name="pole" pos="1 0 1"><joint name="a" axis="0 1 0" frictionloss=".1"/>
        <geom type="capsule" fromto="0 0 0 .2 0 0" size=".03"/></body>
      </worldbody><equality><connect body1="pole" anchor=".2 0 0"/></equality></mujoco>""")
    program = program_of(m)
    assert not isinstance(program, str) and [row[0] for row in program.rows].count(ASK) == 1
    one, many = stirred(m, False), stirred(m, True)
    ncon = [b.bind("ncon") for b in (one, many)]
    for _ in range(40):
        many.state[:] = one.state
        one.step()
        many.step()
        assert (ncon[0] == ncon[1]).all() and distance(one.state, many.state) <= LANES_CONSTRAINED
    assert ncon[0].any()


# {model: parts of its step that run for one world after another}; all other parts run on lanes
WORLD_BY_WORLD = {"muscles": {"rows"}, "rope": {"rows"}, "sensors": {"sensor_pos"}}


@pytest.mark.parametrize(
    "name", ("arm", "car", "conveyor", "cradle", "hand", "humanoid", "muscles", "rope", "sensors", "stairs")
)
def test_parts_that_are_not_on_lanes_are_known(name):
    """A kernel with something that cannot be traced is run world by world, which costs several times the time."""
    m = mj.MjModel.from_xml_path(str(ROOT / f"assets/models/{name}.xml"))
    assert set(program_of(m).scalar) == WORLD_BY_WORLD.get(name, set())
