"""Batch: bit-identical to single stepping for any number of threads and worlds and any ranges; per-world fields; errors;
processes."""

import os
import subprocess
import sys

import numpy as np
import pytest

import tumble as mj
from tests.app.driver import ROOT
from tests.batch.scripts import BALLS, CART
from tests.tolerance import EXACT, LANES_CONSTRAINED, difference
from tumble import batch, rollout

FULL = int(mj.mjtState.mjSTATE_FULLPHYSICS)
HUMANOID = str(ROOT / "assets/models/humanoid.xml")
SECONDS = 200
NSIM = 9
# {whether on lanes: limit for calls of Python and C functions}: a tenth above the counts when these tests were written
MOST_CALLS = {False: 128, True: 158}
SLEEPY = """
<mujoco>
  <option><flag sleep="enable"/></option>
  <worldbody><geom type="plane" size="5 5 .1"/><body pos="0 0 .1"><freejoint/><geom type="box" size=".1 .1 .1"/></body>
    </worldbody>
</mujoco>"""


@pytest.fixture(scope="module")
def cart():
    return mj.MjModel.from_xml_string(CART)


def controls(m, n, seed=0):
    return np.random.default_rng(seed).uniform(-1, 1, (n, m.nu))


# ---- bits ----------------------------------------------------------------------------------------------------------------
@pytest.mark.parametrize("nthread, persistent", [(1, False), (3, False), (2, True)])
@pytest.mark.parametrize("model", ["cart", "balls", "humanoid"])
def test_worlds_have_the_bits_of_single_steps(model, nthread, persistent):
    m = (
        mj.MjModel.from_xml_path(HUMANOID)
        if model == "humanoid"
        else mj.MjModel.from_xml_string({"cart": CART, "balls": BALLS}[model])
    )
    b = batch.Batch(m, NSIM, nthread, persistent)
    names = "qpos qvel act qacc_warmstart xpos sensordata ncon cvel qfrc_constraint time".split()
    bound = {n: b.bind(n) for n in names}
    b.qvel += np.random.default_rng(1).normal(size=(NSIM, m.nv)) * 0.1
    single = [b.get_data(i) for i in range(NSIM)]
    for call in range(12):
        u = controls(m, NSIM, call)
        b.ctrl = u
        ids = None if call % 3 else np.arange(NSIM) % 2 == 0
        b.step(ids, nstep=call + 1)
        for i, d in enumerate(single):
            d.ctrl[:] = u[i]
            if ids is None or ids[i]:
                mj.mj_step(m, d, call + 1)
            if ids is None:
                for name, x in bound.items():
                    assert difference(x[i], getattr(d, name)) <= EXACT, (call, i, name)


def test_results_depend_on_no_threads_and_no_neighbours(cart):
    u = controls(cart, 40)
    results = []
    for nsim, nthread in ((40, 1), (40, 4), (7, 2), (1, 1)):
        b = batch.Batch(cart, nsim, nthread)
        b.ctrl = u[:nsim]
        b.step(nstep=50)
        results.append(b.state.copy())
    for x in results[1:]:
        assert (x == results[0][: len(x)]).all()


def test_a_rollout_has_the_bits_of_rollout(cart):
    u = np.random.default_rng(0).uniform(-1, 1, (NSIM, 30, cart.nu))
    d = mj.MjData(cart)
    start = np.zeros((NSIM, mj.mj_stateSize(cart, FULL)))
    mj.mj_getState(cart, d, start[0], FULL)
    start[:] = start[0]
    state, sensors = rollout.rollout(cart, d, start, u)
    b = batch.Batch(cart, NSIM, 2)
    found = b.rollout(30, u, record=(FULL, "sensordata", "time"))
    assert (found[FULL] == state).all() and (found["sensordata"] == sensors).all() and (found["time"] == state[:, :, 0]).all()


def test_jacobians_and_rays_are_those_of_single_calls(cart):
    b = batch.Batch(cart, 4, 2)
    b.qpos = np.random.default_rng(0).uniform(-0.3, 0.3, (4, 2))
    before = b.state.copy()
    point, start, along = np.array([0.1, 0.2, 0.3]), np.array([[0, 0, 3.0], [0.05, 0, 2]]), np.array([0, 0, -1.0])
    jacp, jacr = b.jac([2, 3, 2, 3], point)
    dist, geom, normal = b.ray(start, along, normal=True)
    assert (b.state == before).all()
    for i in range(4):
        d, p, r, g = b.get_data(i), np.zeros((3, 2)), np.zeros((3, 2)), np.zeros(1, np.int32)
        mj.mj_kinematics(cart, d)
        mj.mj_comPos(cart, d)
        mj.mj_jac(cart, d, p, r, point, 2 + i % 2)
        assert (p == jacp[i]).all() and (r == jacr[i]).all()
        for k in range(2):
            assert mj.mj_ray(cart, d, start[k], along, None, 1, -1, g) == dist[i, k] and g[0] == geom[i, k]
        assert np.allclose(np.linalg.norm(normal[i], axis=1), 1)


@pytest.mark.parametrize(
    "kind, size, start, along, wanted",
    [
        ("sphere", ".5", (0, 0, 2), (0, 0, -1), (0, 0, 1)),
        ("box", ".5 .4 .3", (2, 0, 0), (-1, 0, 0), (1, 0, 0)),
        ("capsule", ".2 .5", (0, 2, 0.1), (0, -1, 0), (0, 1, 0)),
        ("cylinder", ".2 .5", (0.1, 0, 2), (0, 0, -1), (0, 0, 1)),
        ("cylinder", ".2 .5", (2, 0, 0.1), (-1, 0, 0), (1, 0, 0)),
        ("ellipsoid", ".2 .3 .5", (0, -2, 0), (0, 1, 0), (0, -1, 0)),
        ("plane", "1 1 .1", (0, 0, 2), (0, 0.1, -1), (0, 0, 1)),
        ("mesh", "", (0.3, 0.1, 2), (0, 0, -1), (0, 0, 1)),
    ],
)
def test_normals_of_rays(kind, size, start, along, wanted):
    mesh = '<mesh name="cube" vertex="-1 -1 -1 1 -1 -1 -1 1 -1 1 1 -1 -1 -1 1 1 -1 1 -1 1 1 1 1 1"/>'
    shape = 'mesh="cube"' if kind == "mesh" else f'size="{size}"'
    m = mj.MjModel.from_xml_string(
        f'<mujoco><asset>{mesh}</asset><worldbody><geom type="{kind}" {shape}/></worldbody></mujoco>'
    )
    normal = batch.Batch(m, 2).ray(start, along, normal=True)[2]
    # rays measure a mesh's normal separately
    assert np.allclose(normal, wanted, atol=1e-6 if kind == "mesh" else 1e-12)


# ---- per-world fields ----------------------------------------------------------------------------------------------------
def test_expanded_fields_are_those_of_models_of_their_own(cart):
    b = batch.Batch(cart, 5, 2)
    masses = np.linspace(0.1, 1, 5)
    b.body("pole").mass = masses[:, None]
    b.expand("opt.timestep")[:] = 0.001 * np.arange(1, 6)
    b.expand("body_gravcomp")[2:, 2] = 0.5
    b.set_const()
    b.ctrl = 0.3
    b.step(nstep=25)
    for i in range(5):
        m = mj.MjModel.from_xml_string(CART)
        m.body("pole").mass, m.opt.timestep, m.body("pole").gravcomp = masses[i], 0.001 * (i + 1), 0.5 if i >= 2 else 0
        d = mj.MjData(m)
        mj.mj_setConst(m, d)
        mj.mj_resetData(m, d)
        d.ctrl[:] = 0.3
        mj.mj_step(m, d, 25)
        assert (d.qpos == b.qpos[i]).all() and (d.qvel == b.qvel[i]).all(), i
        mine = b.get_model(i)
        assert (mine.body_invweight0 == m.body_invweight0).all() and mine.stat.meaninertia == m.stat.meaninertia
    assert cart.body("pole").mass == 0.1


def test_an_index_out_of_range_is_found(cart):
    b = batch.Batch(cart, 3)
    b.expand("body_parentid")[1, 2] = 77
    with pytest.raises(mj.InvalidModel, match="body_parentid"):
        b.step()


def test_a_world_that_fails_keeps_its_state(cart):
    b = batch.Batch(cart, 4, 2)
    b.expand("opt.solver")[2] = 99
    with pytest.raises(batch.SimulationError, match="simulation 2: .* 99") as caught:
        b.step()
    assert caught.value.ids.tolist() == [2] and b.status.tolist() == [0, 0, 1, 0] and "99" in b.error(2) and not b.error(1)
    assert b.time.tolist() == [cart.opt.timestep] * 2 + [0, cart.opt.timestep]
    b.expand("opt.solver")[2] = 2
    b.step([2])
    assert not b.status.any() and not b.error(2)


def test_models_that_sleep_have_a_data_each():
    m = mj.MjModel.from_xml_string(SLEEPY)
    with pytest.raises(ValueError, match="persistent"):
        batch.Batch(m, 2)
    b = batch.Batch(m, 3, 2, persistent=True)
    d, awake = mj.MjData(m), b.bind("tree_awake")
    for _ in range(300):
        b.step()
        mj.mj_step(m, d)
    assert (b.qpos == d.qpos).all() and (awake[:, 0] == d.tree_awake[0]).all() and d.tree_awake[0] == 0


# ---- memory, processes, signals ------------------------------------------------------------------------------------------
def test_memory_grows_with_what_a_world_is():
    """A world costs its row of the state and its bound fields, and stepping allocates nothing."""
    m = mj.MjModel.from_xml_path(HUMANOID)
    code = f"""
import resource, tumble, numpy as np
from tumble import batch
m = tumble.MjModel.from_xml_path({HUMANOID!r})
batch.Batch(m, 4, 2).step()
before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
b = batch.Batch(m, 20000, 2)
x = b.bind("xpos")
b.step(np.arange(200))
first = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
b.step(np.arange(200), nstep=5)
after = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
print((first - before) * 1024, (after - first) * 1024, b.nstate)
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=SECONDS, cwd=ROOT, check=True)
    grown, later, nstate = map(int, done.stdout.split())
    # rows of states, warnings and random numbers; everything else may add a twentieth, and 8 MiB for two Data
    assert grown < 1.05 * 20000 * (8 * nstate + 64 + 24 * m.nbody) + 2**23
    assert later < 2**20


@pytest.mark.skipif(not hasattr(os, "fork"), reason="needs fork")
def test_a_batch_survives_a_fork():
    code = f"""
import os, tumble
from tumble import batch
m = tumble.MjModel.from_xml_string('''{CART}''')
b = batch.Batch(m, 64, 3)
b.ctrl = 1
b.step()
child = os.fork()
b.step(nstep=20)
if not child:
    print('child', b.qpos.sum(), flush=True)
    os._exit(0)
# one after the other, because their words could mix
status = os.waitpid(child, 0)[1]
print('parent', b.qpos.sum(), status)
"""
    done = subprocess.run(
        [sys.executable, "-W", "ignore", "-c", code], capture_output=True, text=True, timeout=SECONDS, cwd=ROOT, check=True
    )
    words = done.stdout.split()
    assert words[-1] == "0" and len({w for w in words if "." in w}) == 1, done.stdout + done.stderr


def test_python_callbacks_are_refused(cart):
    b = batch.Batch(cart, 2)
    mj.set_mjcb_control(lambda m, d: None)
    try:
        with pytest.raises(ValueError, match="mjcb_control"):
            b.step()
    finally:
        mj.set_mjcb_control(None)
    b.step()


# ---- names and errors ----------------------------------------------------------------------------------------------------
@pytest.mark.parametrize(
    "call, error, text",
    [
        (lambda b: b.bind("qpo"), ValueError, "did you mean 'qpos'"),
        (lambda b: b.bind("body_mass"), ValueError, "use expand"),
        (lambda b: b.bind("efc_force"), ValueError, "arena"),
        (lambda b: b.bind("timestep"), ValueError, "opt.timestep"),
        (lambda b: b.expand("qpos"), ValueError, "use bind"),
        (lambda b: b.expand("mesh_vert"), ValueError, "asset"),
        (lambda b: b.nope, AttributeError, "nope"),
        (lambda b: b.step([1, 0]), ValueError, "sorted"),
        (lambda b: b.step([4]), ValueError, "got 4"),
        (lambda b: b.step([0.5]), ValueError, "integers"),
        (lambda b: b.step(np.ones(2, bool)), ValueError, "mask"),
        (lambda b: b.step(nstep=0), mj.FatalError, "positive"),
        (lambda b: b.step(stage=4), mj.FatalError, "stage"),
        (lambda b: b.reset(keyframe=3), ValueError, "keyframe"),
        (lambda b: b.error(9), IndexError, "got 9"),
        (lambda b: b.rollout(3, np.zeros((3, 3, 2))), ValueError, "broadcast"),
        (lambda b: b.rollout(3, record=["nope"]), ValueError, "nope"),
        (lambda b: b.rollout(2, out={"qpos": np.zeros((4, 2, 2), np.float32)}), ValueError, "C-contiguous"),
        (lambda b: b.jac(9, [0, 0, 0]), ValueError, "body"),
        (lambda b: b.joint("hinge").nope, AttributeError, "nope"),
        (lambda b: setattr(b, "xpos", 1), ValueError, "computed"),
        (lambda b: setattr(b.joint("hinge"), "qposadr", 1), ValueError, "structural"),
        (lambda b: b.set_models([b.model]), ValueError, "per simulation"),
        (lambda b: b.get_model(9), IndexError, "got 9"),
        (lambda b: (b.expand("body_mass"), b.set_models(b.model)), mj.FatalError, "per-simulation"),
        (lambda b: (b.set_models(b.model), b.expand("body_mass")), mj.FatalError, "caller models"),
        (lambda b: b.get_data(0, mj.MjData(mj.MjModel.from_xml_string("<mujoco/>"))), mj.FatalError, "sizes"),
    ],
)
def test_errors(cart, call, error, text):
    with pytest.raises(error, match=text):
        call(batch.Batch(cart, 4, 2))


@pytest.mark.parametrize("name", sorted(batch.DATA_FIELDS))
def test_every_field_can_be_bound(cart, name):
    b = batch.Batch(cart, 3)
    x, d = b.bind(name), mj.MjData(cart)
    b.forward()
    mj.mj_forward(cart, d)
    assert x.shape == (3, *np.shape(getattr(d, name)))
    if name not in ("plugin", "plugin_data"):
        assert difference(x[1], getattr(d, name)) <= EXACT


@pytest.mark.parametrize("name", sorted(batch.MODEL_FIELDS))
def test_every_field_can_be_expanded(cart, name):
    b = batch.Batch(cart, 3)
    assert b.expanded(name) is None
    x = b.expand(name)
    part = getattr(cart.opt, name[4:]) if name.startswith("opt.") else getattr(cart, name)
    assert len(x) == 3 and x.dtype.itemsize == (
        np.asarray(part).dtype.itemsize if np.ndim(part) or isinstance(part, float) else 4
    )
    b.step()
    assert (b.qpos == batch.Batch(cart, 1).qpos).all() and not b.status.any()


@pytest.mark.parametrize("lanes", [False, True])
def test_a_call_pays_for_the_step_and_little_else(cart, lanes):
    """A call does little Python work, because policies call at every step. Function calls are counted, because times vary."""
    b = batch.Batch(cart, 8, 1, lanes=lanes)
    for _ in range(3):
        b.step()
    count = 0

    def note(frame, event, arg):
        nonlocal count
        count += event in ("call", "c_call")

    before = sys.getprofile()
    sys.setprofile(note)
    try:
        b.step()
    finally:
        sys.setprofile(before)
    assert count <= MOST_CALLS[lanes]


@pytest.mark.parametrize("lanes", [False, True])
def test_what_is_bound_between_calls_is_filled_by_the_next(cart, lanes):
    """The part that calls share is made again when something that it depends on changes."""
    b = batch.Batch(cart, 8, 1, lanes=lanes)
    b.step()
    xpos = b.bind("xpos")
    b.step()
    one = mj.MjData(cart)
    mj.mj_step(cart, one, 2)
    assert difference(xpos[3], one.xpos) <= (LANES_CONSTRAINED if lanes else EXACT)
    marks = np.zeros(8, np.uint8)
    b.restart(marks)
    marks[3] = 1
    b.step()
    assert b.state[3, 0] == 0 < b.state[2, 0]
