"""Lanes with functions in the loop: the caller's functions, restarts of worlds, and Model fields that differ between worlds."""

import warnings

import numpy as np
import pytest

import tumble as mj
from tests.app.driver import ROOT
from tests.lanes.test_lanes import ARM, distance
from tests.tolerance import EXACT, LANES_CONSTRAINED, difference
from tumble import batch, rollout
from tumble.batch import normal, uniform
from tumble.engine.batch.lanes import LanesWarning
from tumble.engine.lanes.program import program_of
from tumble.engine.lanes.reach import named_by
from tumble.engine.lanes.symbols import LEFT
from tumble.engine.machine.lang import header_of, load

WORLDS = 19
# a trunk on two legs with knees that falls on its feet: all features of a humanoid, with a fifth of the operations to translate
WALKER = """
<mujoco>
  <option timestep=".004"/>
  <default><joint axis="0 1 0" range="-60 60" damping=".5" armature=".01"/><motor ctrlrange="-1 1" gear="20"/></default>
  <worldbody>
    <geom type="plane" size="5 5 .1"/>
    <body name="trunk" pos="0 0 1.02"><freejoint/>
      <geom type="capsule" fromto="0 0 -.1 0 0 .2" size=".08"/><site name="trunk"/>
      <body pos="0 .1 -.1"><joint name="left_hip"/><geom type="capsule" fromto="0 0 0 0 0 -.4" size=".04"/>
        <body pos="0 0 -.4"><joint name="left_knee"/><geom type="capsule" fromto="0 0 0 .05 0 -.4" size=".03"/></body>
      </body>
      <body pos="0 -.1 -.1"><joint name="right_hip"/><geom type="capsule" fromto="0 0 0 0 0 -.4" size=".04"/>
        <body pos="0 0 -.4"><joint name="right_knee"/><geom type="capsule" fromto="0 0 0 .05 0 -.4" size=".03"/></body>
      </body>
    </body>
  </worldbody>
  <actuator>
    <motor joint="left_hip"/><motor joint="left_knee"/><motor joint="right_hip"/><motor joint="right_knee"/>
  </actuator>
  <sensor><velocimeter site="trunk"/><accelerometer site="trunk"/></sensor>
</mujoco>"""
# relative variation of masses, damping, motors and friction
SPREAD = 0.3
# a ball that drops onto planes that form a bowl, on a spring; friction, air and gravity may differ between worlds
FALLING = """
<mujoco>
  <option density="{density}"/>
  <worldbody>
    <geom type="plane" size="5 5 .1"/>
    <body pos="0 0 .3"><freejoint/><geom type="capsule" size=".1 .15"/></body>
    <body pos="1 0 1">
      <joint name="swing" axis="0 1 0" frictionloss="{rubs}"/><geom type="capsule" fromto="0 0 0 .3 0 0" size=".03"/>
      <body pos=".3 0 0"><joint name="second" type="slide" axis="1 0 0" stiffness="{stiff}"/><geom size=".05"/></body>
    </body>
  </worldbody>
  <tendon><fixed name="t"><joint joint="swing" coef="1"/></fixed></tendon>
  <actuator><motor joint="swing"/></actuator>
</mujoco>"""


def control(m, d, i, gains):
    for k in range(m.nu):
        d.ctrl[k] = -gains[i, 0] * d.qpos[7 + k] - 0.1 * d.qvel[6 + k]


def judge(m, d, i, reward, ended):
    reward[i] += load(d.xpos, 1, 3)[2] - 0.01 * d.qvel[0] ** 2 + 0.001 * d.sensordata[0]
    ended[i] = d.qpos[2] < 0.915
    # functions that read results see what earlier functions wrote
    d.sensordata[1] = reward[i]


def start(m, d, i, random):
    for k in range(m.nv):
        d.qvel[k] = 0.1 * normal(random, i)


@pytest.fixture(scope="module")
def walker():
    return mj.MjModel.from_xml_string(WALKER)


def with_functions(m, lanes, nsim=WORLDS, nthread=1, offset=0):
    """(batch, rewards, ends) with a controller, a reward, ends, and random starts."""
    b = batch.Batch(m, nsim, nthread, lanes=lanes)
    rows = np.arange(offset, offset + nsim)
    gains, reward, ended = np.linspace(0, 1, 200)[rows, None].copy(), np.zeros(nsim), np.zeros(nsim, bool)
    b.qvel += np.random.default_rng(1).normal(size=(200, m.nv))[rows] * 0.3
    b.random[:] = np.arange(7, 207)[rows]
    b.before_step(control, gains)
    b.after_step(judge, reward, ended)
    b.at_reset(start, b.random)
    b.restart(ended)
    return b, reward, ended


def without_warnings(call):
    """Make a call, and fail if it warns that it does not run on lanes."""
    with warnings.catch_warnings():
        warnings.simplefilter("error", LanesWarning)
        return call()


# ---- functions -----------------------------------------------------------------------------------------------------------
def test_functions_and_new_starts_are_those_of_single_worlds_but_for_rounding(walker):
    sides = [with_functions(walker, lanes) for lanes in (False, True)]
    (one, reward, ended), (many, rewards, ends) = sides
    bound = [[b.bind(n) for n in ("xpos", "sensordata", "ncon")] for b, *_ in sides]
    starts = 0
    for _ in range(60):
        many.state[:], rewards[:] = one.state, reward
        one.step()
        without_warnings(many.step)
        assert distance(one.state, many.state) <= LANES_CONSTRAINED
        assert difference(reward, rewards) <= LANES_CONSTRAINED
        assert (ended == ends).all() and (one.random == many.random).all()
        for a, b in zip(*bound, strict=True):
            assert distance(a, b) <= LANES_CONSTRAINED
        starts += ended.sum()
    assert starts > 0 and (bound[0][2] > 0).any()
    # a world that continues shows the values its function wrote
    assert difference(bound[1][1][~ends, 1], rewards[~ends]) <= EXACT


def test_worlds_that_start_again_are_on_lanes_from_the_next_step_on(walker):
    """A world that ended starts from its Data; LEFT marks it only until the next step has read it."""
    b, _, ended = with_functions(walker, True, 4)
    marked = starts = 0
    for _ in range(60):
        b.step()
        left = b._lanes.made.places[0].memory[LEFT, :4] != 0
        marked, starts = marked + left.sum(), starts + ended.sum()
    assert 0 < starts == marked


def test_bits_with_functions_do_not_depend_on_threads_neighbours_or_calls(walker):
    whole, reward, _ = with_functions(walker, True)
    without_warnings(lambda: whole.step(nstep=40))
    for nthread in (1, 2):
        b, r, _ = with_functions(walker, True, nthread=nthread)
        for _ in range(4):
            b.step(nstep=10)
        assert difference(whole.state, b.state) <= EXACT and difference(reward, r) <= EXACT
    last, r, _ = with_functions(walker, True, 3, offset=WORLDS - 3)
    last.step(nstep=40)
    assert difference(whole.state[-3:], last.state) <= EXACT and difference(reward[-3:], r) <= EXACT


def test_what_is_recorded_has_what_functions_wrote(walker):
    b, reward, _ = with_functions(walker, True)
    b.restart(None)
    seen = without_warnings(lambda: b.rollout(12, record=("sensordata", "qpos", "ctrl")))
    assert difference(seen["sensordata"][:, -1, 1], reward) <= EXACT
    assert difference(seen["qpos"][:, -1], b.qpos) <= EXACT and difference(seen["ctrl"][:, -1], b.ctrl) <= EXACT


def test_a_function_that_makes_numbers_none_has_its_world_reset(walker):
    def spoil(m, d, i, when):
        if d.time > 0.02 and i == when[0]:
            d.qpos[9] = np.nan

    sides = [batch.Batch(walker, WORLDS, 1, lanes=lanes) for lanes in (False, True)]
    for b in sides:
        b.after_step(spoil, np.array([5]))
        without_warnings(lambda b=b: b.step(nstep=12))
    one, many = sides
    assert many.warning[5].any() and (one.warning == many.warning).all()
    assert (
        distance(one.qpos[:5], many.qpos[:5]) <= LANES_CONSTRAINED
        and distance(one.qpos[6:], many.qpos[6:]) <= LANES_CONSTRAINED
    )


def helper(d):
    return d.xpos[1, 2]


def hidden(m, d, i):
    d.ctrl[0] = float(header_of(d))


def test_fields_of_functions_are_found_in_what_they_call():
    inner = helper

    def closed(m, d, i):
        d.ctrl[0] = inner(d)

    assert named_by(lambda m, d, i: helper(d)) == {"xpos"}
    assert named_by(closed) == {"xpos", "ctrl"}
    assert named_by(hidden) is None and named_by(lambda m, d, i: pytest.approx(d)) is None


def test_functions_that_cannot_be_looked_into_have_no_lanes(walker):
    b = batch.Batch(walker, 4, 1, lanes=True)
    with pytest.warns(batch.SlowFunction):
        b.before_step(lambda m, d, i: print(d, end=""))
    with pytest.warns(LanesWarning, match="cannot be inspected"):
        b.step()


# ---- rollouts ------------------------------------------------------------------------------------------------------------
def test_rollouts_on_lanes_are_rollouts_but_for_rounding(walker):
    random = np.random.default_rng(0)
    initial = np.tile(batch.Batch(walker, 1).state[0, : mj.mj_stateSize(walker, mj.mjtState.mjSTATE_FULLPHYSICS)], (WORLDS, 1))
    control, warm = random.uniform(-1, 1, (WORLDS, 4, walker.nu)), random.normal(size=(WORLDS, walker.nv))
    one = rollout.rollout(walker, mj.MjData(walker), initial, control, initial_warmstart=warm)
    many = without_warnings(
        lambda: rollout.rollout(walker, mj.MjData(walker), initial, control, initial_warmstart=warm, lanes=True)
    )
    given = np.zeros_like(one[0])
    with rollout.Rollout(nthread=2) as r:
        threads = r.rollout(
            walker, [mj.MjData(walker) for _ in range(2)], initial, control, initial_warmstart=warm, state=given, lanes=True
        )
    elsewhere = rollout.rollout(walker, None, initial, control, initial_warmstart=warm, lanes=True, cluster=2)
    for k in range(2):
        assert one[k].tobytes() != many[k].tobytes() and distance(one[k], many[k]) <= LANES_CONSTRAINED
        assert many[k].tobytes() == threads[k].tobytes() == elsewhere[k].tobytes()
    assert given.tobytes() == many[0].tobytes()


def test_rollouts_without_lanes_say_so(walker):
    other = mj.MjModel.from_xml_string(WALKER)
    initial = batch.Batch(walker, 2).state[:, : mj.mj_stateSize(walker, mj.mjtState.mjSTATE_FULLPHYSICS)]
    one = rollout.rollout([walker, other], mj.MjData(walker), initial, nstep=3)
    with pytest.warns(LanesWarning, match="models of their own"):
        many = rollout.rollout([walker, other], mj.MjData(walker), initial, nstep=3, lanes=True)
    assert one[0].tobytes() == many[0].tobytes()


def test_rollouts_with_delays_have_the_bits_of_single_steps():
    """A delay's stored samples follow velocities in a trajectory's states, and are elsewhere in a batch's."""
    m = mj.MjModel.from_xml_string("""<mujoco><worldbody><body><joint name="a" axis="0 1 0"/><geom size=".1" pos=".3 0 0"/>
    </body></worldbody>
      <actuator><motor joint="a" nsample="5" delay=".006"/></actuator></mujoco>""")
    assert m.npluginstate > 0
    random, nstate = np.random.default_rng(0), mj.mj_stateSize(m, mj.mjtState.mjSTATE_FULLPHYSICS)
    initial, d = np.zeros((3, nstate)), mj.MjData(m)
    mj.mj_getState(m, d, initial[0], mj.mjtState.mjSTATE_FULLPHYSICS)
    initial[:] = initial[0]
    control = random.normal(size=(3, 20, 1))
    one = rollout.rollout(m, mj.MjData(m), initial, control)
    with pytest.warns(LanesWarning, match="delays"):
        many = rollout.rollout(m, mj.MjData(m), initial, control, lanes=True)
    assert one[0].tobytes() == many[0].tobytes() and np.ptp(one[0][:, -1]) > 0


# ---- per-world fields ----------------------------------------------------------------------------------------------------
def with_fields(m, lanes, fields, nsim=WORLDS, offset=0, low=1 - SPREAD, high=1 + SPREAD, constants=True):
    """A batch whose worlds have their own models: fields times a number between low and high; zeros become that number."""
    b, rows = batch.Batch(m, nsim, 1, lanes=lanes), np.arange(offset, offset + nsim)
    random = np.random.default_rng(2)
    for name in fields:
        x = b.expand(name)
        factor = random.uniform(low, high, (200, *x.shape[1:]))[rows]
        x[...] = (
            np.where(x == 0, factor, x * factor) if name in ("opt.density", "dof_frictionloss", "jnt_stiffness") else x * factor
        )
    if constants:
        b.set_const()
    b.qvel += random.normal(size=(200, m.nv))[rows] * 0.3
    b.ctrl = random.uniform(-1, 1, (200, m.nu))[rows]
    return b


RANDOMISED = "body_mass body_inertia body_ipos dof_damping dof_armature actuator_gainprm geom_friction geom_size".split()


@pytest.mark.parametrize("name", ["walker", "arm", "muscles"])
def test_worlds_with_fields_of_their_own_take_a_step_within_the_bound(name, walker):
    m = walker if name == "walker" else mj.MjModel.from_xml_path(str(ROOT / f"assets/models/{name}.xml"))
    one, many = (with_fields(m, lanes, RANDOMISED) for lanes in (False, True))
    nefc, state = one.bind("nefc"), one.state
    for _ in range(20):
        many.state[:] = state
        one.step()
        without_warnings(many.step)
        assert distance(state, many.state) <= LANES_CONSTRAINED
    assert np.ptp(state[:, 1:], axis=0).max() > 0 and len(nefc) == WORLDS


@pytest.mark.parametrize("integrator", ["Euler", "implicitfast", "implicit", "RK4"])
def test_time_steps_and_gravity_of_each_worlds_own(integrator):
    m = mj.MjModel.from_xml_string(ARM.format(integrator=integrator))
    one, many = (
        with_fields(m, lanes, ("opt.timestep", "opt.gravity", "jnt_stiffness", "site_pos"), constants=False)
        for lanes in (False, True)
    )
    seen = [b.bind("sensordata") for b in (one, many)]
    for _ in range(20):
        many.state[:] = one.state
        one.step()
        without_warnings(many.step)
        assert distance(one.state, many.state) <= LANES_CONSTRAINED and distance(*seen) <= LANES_CONSTRAINED
    assert np.ptp(many.time) > 0


def test_what_the_shared_model_has_none_of_worlds_may_have():
    """Lanes have the stages for expanded fields, such as a density, that are zero in the shared model."""
    m = mj.MjModel.from_xml_string(FALLING.format(density=0, rubs=0, stiff=0))
    fields = "opt.density dof_frictionloss jnt_stiffness".split()
    one, many = (with_fields(m, lanes, fields) for lanes in (False, True))
    plain = with_fields(m, True, ())
    for k in range(40):
        many.state[:] = one.state
        one.step()
        without_warnings(many.step)
        plain.step()
        assert distance(one.state, many.state) <= LANES_CONSTRAINED, k
    assert distance(plain.state, many.state) > 1e3 * LANES_CONSTRAINED


def test_bits_with_fields_of_their_own_do_not_depend_on_neighbours_or_threads(walker):
    whole = with_fields(walker, True, RANDOMISED)
    without_warnings(lambda: whole.step(nstep=30))
    last = with_fields(walker, True, RANDOMISED, 3, WORLDS - 3)
    last.step(nstep=30)
    assert difference(whole.state[-3:], last.state) <= EXACT


def test_values_that_change_between_calls_are_seen(walker):
    one, many = (with_fields(walker, lanes, ("opt.gravity",), constants=False) for lanes in (False, True))
    for b in (one, many):
        b.step()
        b.expand("opt.gravity")[...] = 0
        b.step(nstep=3)
    assert distance(one.state, many.state) <= LANES_CONSTRAINED
    free = with_fields(walker, True, (), constants=False)
    free.step(nstep=4)
    assert distance(free.state, many.state) > 1e3 * LANES_CONSTRAINED


def thicker(m, d, i, damping, random):
    """A restart with other damping, and with a speed."""
    damping[i, 0] = 1.0 + uniform(random, i)
    d.qvel[0] = uniform(random, i)


def over(m, d, i, ended):
    ended[i] = 1 if d.time > 0.05 else 0


@pytest.mark.parametrize("lanes", [False, True])
def test_parameters_at_random_hold_from_a_new_start_on(lanes):
    """Worlds that restart in the middle of a call move like worlds that had those values before it."""
    m = mj.MjModel.from_xml_string("""<mujoco><option gravity="0 0 0"/><worldbody><body>
    <joint name="x" type="slide" axis="1 0 0" damping="1"/>
      <geom size=".1" mass="1"/></body></worldbody></mujoco>""")
    b, again = batch.Batch(m, WORLDS, 1, lanes=lanes), batch.Batch(m, WORLDS, 1, lanes=lanes)
    ended, damping = np.zeros(WORLDS, bool), b.expand("dof_damping")
    b.seed(3)
    b.at_reset(thicker, damping, b.random)
    b.after_step(over, ended)
    b.restart(ended)
    b.reset()
    assert np.ptp(damping) > 0.1
    first = damping.copy()
    without_warnings(lambda: b.step(nstep=40))
    assert (b.time < 0.05).all() and (first != damping).all()
    # the motion since the last restart is that of a batch with these values
    again.expand("dof_damping")[...] = damping
    steps = round(b.time[0] / m.opt.timestep)
    again.qvel[:] = b.qvel * (1 + m.opt.timestep * damping) ** steps
    without_warnings(lambda: again.step(nstep=steps))
    assert difference(b.qvel, again.qvel) <= LANES_CONSTRAINED and difference(b.qpos, again.qpos) <= LANES_CONSTRAINED
    # speeds decrease by the new damping
    before = b.qvel.copy()
    without_warnings(b.step)
    assert difference(b.qvel, before / (1 + m.opt.timestep * damping)) <= LANES_CONSTRAINED


def test_new_fields_are_translated_anew_and_integers_are_refused(walker):
    b = with_fields(walker, True, ("body_mass",))
    without_warnings(b.step)
    b.expand("dof_damping")[...] *= 2
    without_warnings(b.step)
    b.expand("opt.disableflags")
    with pytest.warns(LanesWarning, match="opt.disableflags differs from world to world"):
        b.step()


def test_a_program_reads_what_differs_from_memory(walker):
    own = frozenset(("body_mass", "geom_rgba", "ngravcomp"))
    program = program_of(walker, own=own)
    assert not isinstance(program, str) and [*program.own] == ["body_mass"]
    assert program_of(walker, own=frozenset(("jnt_type",))) == "jnt_type differs from world to world"
    assert program_of(walker, own=frozenset(("opt.tolerance",))) == "opt.tolerance differs from world to world"
