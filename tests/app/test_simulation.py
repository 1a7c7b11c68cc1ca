"""The simulation driven by commands, and the thread that runs it."""

import contextlib
import math
import time

import numpy as np
import pytest

import tumble as mj
from tests.app.models import PENDULUM
from tumble.app import commands
from tumble.app.compiling import Kernels, NotReady, Progress
from tumble.app.noise import ControlNoise
from tumble.app.pacing import REAL_TIME
from tumble.app.simulation import Simulation
from tumble.app.snapshot import Snapshot
from tumble.app.transfer import transfer
from tumble.app.worker import Worker
from tumble.ui import intents as I

# a sum of a few thousand time steps
TIME_ROUND = 1e-9
# seconds that the loop gets on a loaded machine
PATIENT = 20.0
# Largest rate over half a second: real time, and the tenth of a second that a short delay may leave to catch up.
CATCHING_UP = 1.3


@pytest.fixture(scope="module")
def model():
    return mj.MjModel.from_xml_string(PENDULUM)


@pytest.fixture
def sim(model):
    made = Simulation(running=False)
    made.adopt(model, mj.MjData(model))
    return made


def do(sim, *intents):
    """Apply intents; returns the replies."""
    replies = []
    for intent in intents:
        with sim.lock:
            commands.apply(sim, intent, lambda kind, value: replies.append((kind, value)))
            sim.idle()
    return replies


def test_step_back_and_forward_again(sim):
    do(sim, *[I.Step()] * 5)
    times = [0.002 * i for i in range(6)]
    assert sim.d.time == pytest.approx(times[5], abs=TIME_ROUND)
    before = sim.d.qpos.copy()
    do(sim, I.Step(-1), I.Step(-1))
    assert sim.history.position == -2 and sim.d.time == pytest.approx(times[3], abs=TIME_ROUND)
    do(sim, I.Step(), I.Step())
    assert sim.history.position == 0
    np.testing.assert_array_equal(sim.d.qpos, before)
    # going back beyond the oldest state stops there
    do(sim, I.Step(-100))
    assert sim.d.time == 0


def test_stepping_from_the_past_drops_the_future(sim):
    do(sim, *[I.Step()] * 5, I.Scrub(-3))
    count = len(sim.history)
    with sim.lock:
        sim.single_step()
    assert len(sim.history) == count - 3 + 1 and sim.history.position == 0


def test_history_restores_exactly(sim):
    do(sim, *[I.Step()] * 3)
    saved = sim.d.qvel.copy()
    do(sim, I.Step(), I.Step(-1))
    np.testing.assert_array_equal(sim.d.qvel, saved)


def test_reset_and_keyframes(sim):
    do(sim, *[I.Step()] * 3, I.LoadKey(0))
    assert sim.d.qpos[0] == 3 and sim.d.ctrl[0] == 1
    do(sim, I.Reset())
    np.testing.assert_array_equal(sim.d.qpos, sim.m.qpos0)
    assert sim.d.time == 0 and sim.d.ctrl[0] == 0
    # a key that does not exist is refused silently
    do(sim, I.LoadKey(7))


def test_edits_reach_model_and_data(sim):
    old = sim.m.opt.gravity.copy()
    try:
        do(
            sim,
            I.SetField("opt.gravity", np.array([0, 0, -1.0])),
            I.SetField("d.ctrl", 2.0, 0),
            I.SetField("d.qpos", 0.5, 0),
            I.SetField("vis.map.force", 0.25),
            I.SetField("stat.extent", 3.0),
        )
        assert sim.m.opt.gravity[2] == -1 and sim.d.ctrl[0] == 2 and sim.d.qpos[0] == 0.5
        assert sim.m.vis.map.force == pytest.approx(0.25) and sim.m.stat.extent == 3
        # values that depend on the state were updated: the rod is at an angle of 0.5
        assert sim.d.xmat[1].reshape(3, 3)[0, 0] == pytest.approx(math.cos(0.5))
        do(sim, I.ClearControls(), I.ResetJoint(0))
        assert sim.d.ctrl[0] == 0 and sim.d.qpos[0] == 0
    finally:
        sim.m.opt.gravity[:] = old


@pytest.mark.parametrize(
    "name,bit", [("disableflags", mj.mjtDisableBit.mjDSBL_GRAVITY), ("enableflags", mj.mjtEnableBit.mjENBL_ENERGY)]
)
def test_flags(sim, name, bit):
    before = int(getattr(sim.m.opt, name))
    do(sim, I.SetBit(name, int(bit), True))
    assert int(getattr(sim.m.opt, name)) == before | int(bit)
    do(sim, I.SetBit(name, int(bit), False))
    assert int(getattr(sim.m.opt, name)) == before & ~int(bit)


def test_copied_state_is_a_keyframe_that_loads(sim):
    do(sim, *[I.Step()] * 20)
    ((kind, text),) = do(sim, I.CopyState(full=True))
    assert kind == "clipboard"
    start, end = PENDULUM.index("<keyframe>"), PENDULUM.index("</keyframe>")
    again = mj.MjModel.from_xml_string(PENDULUM[:start] + "<keyframe>" + text + PENDULUM[end:])
    np.testing.assert_array_equal(again.key_qpos[0], sim.d.qpos)
    np.testing.assert_array_equal(again.key_qvel[0], sim.d.qvel)


def test_speed_stays_in_the_table(sim):
    sim.speed = REAL_TIME
    do(sim, I.SetSpeed(notches=1))
    assert sim.speed == REAL_TIME + 1
    do(sim, I.SetSpeed(notches=1000))
    slowest = sim.speed
    do(sim, I.SetSpeed(notches=1))
    assert sim.speed == slowest
    do(sim, I.SetSpeed(index=-5))
    assert sim.speed == 0


def test_without_model_nothing_happens():
    empty = Simulation()
    replies = []
    for intent in (I.Reset(), I.Step(), I.SetField("d.qpos", 1, 0), I.CopyState(), I.SetRunning()):
        commands.apply(empty, intent, lambda kind, value: replies.append(value))
    assert not empty.running and not replies


def test_divergence_stops_when_automatic_reset_is_off(sim):
    flags = int(sim.m.opt.disableflags)
    try:
        sim.m.opt.disableflags = flags | int(mj.mjtDisableBit.mjDSBL_AUTORESET)
        sim.running = True
        sim.d.qvel[0] = np.inf
        sim.clock.forget()
        sim.burst()
        assert not sim.running and "Unstable" in sim.message
    finally:
        sim.m.opt.disableflags = flags


# ---- noise ---------------------------------------------------------------------------------------------------------------


def test_noise_settles_at_the_asked_deviation(model):
    noise, d = ControlNoise(model, seed=3), mj.MjData(model)
    noise.std, noise.rate = 0.2, 0.01
    values = []
    for _ in range(20000):
        noise.apply(model, d)
        values.append(d.ctrl[0])
    # middle and half width of the control range -2 .. 4; standard error of 20000 samples, 5 steps correlated
    assert np.mean(values) == pytest.approx(1.0, abs=0.05)
    assert np.std(values) == pytest.approx(0.2 * 3, rel=0.08)


def test_noise_pulls_to_a_keyframe_and_stays_in_range(model):
    noise, d = ControlNoise(model, seed=3), mj.MjData(model)
    noise.std, noise.rate = 5.0, 0.0
    for _ in range(200):
        noise.apply(model, d, key=0)
        assert -2 <= d.ctrl[0] <= 4
    noise.std, noise.rate = 1e-12, 0.004
    for _ in range(50):
        noise.apply(model, d, key=0)
    assert d.ctrl[0] == pytest.approx(1.0, abs=1e-4)


def test_no_noise_without_strength(model):
    assert not ControlNoise(model).active


# ---- edited models -------------------------------------------------------------------------------------------------------

EDITED = PENDULUM.replace(
    '<body name="arm" pos="0 0 2">',
    """<body name="extra" pos="-1 0 3"><joint name="new" type="slide"/>
  <geom size="0.1"/></body><body name="arm" pos="0 0 2.5">""",
).replace('name="loose"', 'name="renamed"')


def test_state_is_carried_over_by_name(model):
    d0 = mj.MjData(model)
    for _ in range(50):
        mj.mj_step(model, d0)
    d0.ctrl[0] = 1.5
    m = mj.MjModel.from_xml_string(EDITED)
    d = mj.MjData(m)
    report = transfer(model, d0, m, d)
    joint = mj.mj_name2id(m, mj.mjtObj.mjOBJ_JOINT, "swing")
    assert d.qpos[m.jnt_qposadr[joint]] == d0.qpos[0] and d.qvel[m.jnt_dofadr[joint]] == d0.qvel[0]
    assert d.ctrl[0] == 1.5 and d.time == d0.time
    assert set(report.added) == {"joint new", "body extra"} and not report.lost
    # only the name differs
    assert report.renamed == ("joint loose -> renamed",) and "loose -> renamed" in report.text()
    loose, renamed = (model.joint("loose").qposadr[0], m.joint("renamed").qposadr[0])
    np.testing.assert_array_equal(d.qpos[renamed : renamed + 7], d0.qpos[loose : loose + 7])


def chain(names, axis="0 1 0", kind="hinge", motor=True):
    """A chain of bodies, each with a joint and a motor named after it."""
    inner = ""
    for name in reversed(names):
        inner = (
            f'<body name="b{name}" pos="0 0 -.2"><joint name="j{name}" axis="{axis}" type="{kind}"/><geom '
            f'size=".05"/>{inner}</body>'
        )
    drives = "".join(f'<motor name="m{name}" joint="j{name}"/>' for name in names) if motor else ""
    return mj.MjModel.from_xml_string(f"<mujoco><worldbody>{inner}</worldbody><actuator>{drives}</actuator></mujoco>")


def carried(m0, m):
    """Report and Data after a transfer from Data that holds 1, 2, 3 ..."""
    d0, d = mj.MjData(m0), mj.MjData(m)
    d0.qpos[:], d0.ctrl[:] = np.arange(m0.nq) + 1.0, np.arange(m0.nu) + 10.0
    return transfer(m0, d0, m, d), d


def test_everything_renamed_at_once():
    """A prefix on every name of a chain changes only names, so no state is lost."""
    report, d = carried(chain("abcd"), chain(["x_a", "x_b", "x_c", "x_d"]))
    assert d.qpos.tolist() == [1, 2, 3, 4] and d.ctrl.tolist() == [10, 11, 12, 13]
    assert not report.lost and not report.added and len(report.renamed) == 12
    assert len(report.text()) < 250


@pytest.mark.parametrize("other", [{"axis": "1 0 0"}, {"kind": "slide"}])
def test_what_is_different_is_not_taken_for_renamed(other):
    report, d = carried(chain("ab"), chain(["a", "c"], **other))
    # body c has the contents of b, but its joint differs, so the motor on that joint is a new one, too
    assert "body bb -> bc" in report.renamed and "joint jb" in report.lost and "joint jc" in report.added
    assert d.qpos[1] == 0 and d.ctrl[1] == 0 and "actuator mb" in report.lost


def test_one_more_or_less_is_new_or_gone():
    """If two siblings are removed and one is added, none counts as renamed, because their relation is unknown."""

    def row(names):
        bodies = "".join(f'<body name="{name}"><joint name="j{name}"/><geom size=".1"/></body>' for name in names)
        return mj.MjModel.from_xml_string(f"<mujoco><worldbody>{bodies}</worldbody></mujoco>")

    report, d = carried(row("abc"), row(["a", "new"]))
    assert {"body b", "joint jb", "joint jc"} <= set(report.lost) and "joint jnew" in report.added and not report.renamed
    assert d.qpos.tolist() == [1, 0]


def test_a_report_is_one_line_whatever_the_names():
    report, _d = carried(chain(["n" * 180 + str(i) for i in range(9)]), chain(["o" * 180 + str(i) for i in range(8)]))
    assert len(report.text()) < 500 and "\n" not in report.text() and "more" in report.text()


# ---- the thread ----------------------------------------------------------------------------------------------------------


@pytest.fixture
def worker(model):
    made = Worker(Simulation())
    made.start()
    made.swap(model, mj.MjData(model))
    yield made
    assert made.stop()


def until(condition, seconds=PATIENT):
    """Wait for a condition."""
    end = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < end, "nothing happened"
        time.sleep(0.005)


def test_worker_runs_in_real_time(worker):
    """In some interval, the thread keeps up with real time. On a loaded machine it may get no processor for a while, and it
    does not catch up on much lost time.
    """
    until(lambda: worker.sim.d is not None and worker.sim.d.time > 0.5)

    def keeps_up():
        begin, wall = worker.sim.d.time, time.perf_counter()
        time.sleep(0.5)
        rate = (worker.sim.d.time - begin) / (time.perf_counter() - wall)
        assert rate < CATCHING_UP
        return rate > 0.9 and worker.status.peek().measured == pytest.approx(1.0, abs=0.1)

    until(keeps_up)


def test_worker_faster_than_real_time(worker):
    until(lambda: worker.sim.d is not None and worker.sim.d.time > 0.1)
    worker.post(I.SetSpeed(index=0))
    until(lambda: (worker.status.peek().measured or 0) > 2)


def test_pause_stops_time_and_pull_of_the_mouse_is_applied(worker):
    until(lambda: worker.status.peek().generation == 1)
    worker.post(I.SetRunning(False))
    until(lambda: not worker.status.peek().running)
    stopped = worker.sim.d.time
    time.sleep(0.1)
    assert worker.sim.d.time == stopped


def test_a_failing_command_is_a_message(worker):
    until(lambda: worker.status.peek().generation == 1)
    worker.post(I.SetField("d.no_such_field", 1.0))
    until(lambda: any(kind == "error" for kind, _ in worker.replies.drain()))
    assert worker.is_alive()


def test_snapshot_is_a_copy(worker, model):
    until(lambda: worker.status.peek().generation == 1)
    snapshot = Snapshot()
    snapshot.adopt(worker.sim.m, mj.MjData(model))
    until(lambda: snapshot.take(worker.sim))
    first = snapshot.d.time
    time.sleep(0.1)
    assert snapshot.d.time == first
    until(lambda: snapshot.take(worker.sim) and snapshot.d.time > first)


def test_snapshot_keeps_out_of_another_model(worker, model):
    until(lambda: worker.status.peek().generation == 1)
    other = mj.MjModel.from_xml_string(EDITED)
    snapshot = Snapshot()
    snapshot.adopt(other, mj.MjData(other))
    assert not snapshot.take(worker.sim)


def test_pause_update_feeds_the_solver(model):
    """While paused, the warm start becomes the acceleration that was just found."""
    sim = Simulation(running=False)
    sim.adopt(model, mj.MjData(model))
    sim.d.qacc_warmstart[:] = 0
    sim.idle()
    assert not np.any(sim.d.qacc_warmstart), "only on demand"
    commands.apply(sim, I.SetLoop("pause_update", True), lambda *_: None)
    sim.idle()
    np.testing.assert_array_equal(sim.d.qacc_warmstart, sim.d.qacc)


@pytest.mark.parametrize("kind", ["xml", "mjb", "model", "data"])
def test_saving_writes_every_kind(model, tmp_path, monkeypatch, kind):
    monkeypatch.chdir(tmp_path)
    sim = Simulation(running=False)
    sim.adopt(model, mj.MjData(model))
    said = []
    commands.apply(sim, I.SaveFile(kind), lambda what, text: said.append(text))
    path = tmp_path / commands.SAVE_NAMES[kind]
    assert path.stat().st_size > 500 and path.name in said[0]
    read = {"mjb": mj.MjModel.from_binary_path, "xml": mj.MjModel.from_xml_path}.get(kind)
    if read:
        assert read(str(path)).nq == model.nq


def test_recomputed_constants(model):
    import copy

    m = copy.copy(model)
    sim = Simulation(running=False)
    sim.adopt(m, mj.MjData(m))
    sim.d.qpos[0] = 0.3
    commands.apply(sim, I.SetField("m.body_mass", 9.0, 2), lambda *_: None)
    commands.apply(sim, I.Recompute(), lambda *_: None)
    assert m.body_subtreemass[2] == 9.0 and sim.d.qpos[0] == 0.3


def test_differences_name_what_an_edit_changed(model):
    from tumble.app.transfer import differences

    edited = mj.MjModel.from_xml_string(PENDULUM.replace('size="0.2 0.2 0.2"', 'size="0.3 0.2 0.2"').replace("0.002", "0.004"))
    found = {(c.kind, c.name, c.field): c.text for c in differences(model, edited)}
    assert (
        found["geom", "cube", "geom_size"] == "0.2 0.2 0.2 -> 0.3 0.2 0.2"
        and found["option", "option", "timestep"] == "0.002 -> 0.004"
    )
    assert ("body", "box", "body_mass") in found and ("geom", "rod", "geom_size") not in found
    assert differences(model, model) == []


class Unfinished(Kernels):
    """Kernels, some of which are missing until released; `missing` are those that a step still lacks."""

    def __init__(self):
        super().__init__()
        self.there, self.missing = False, ""

    def ready(self):
        return self.there and not self.missing

    def compiled(self):
        return contextlib.nullcontext() if not self.missing else self.stumble()

    @contextlib.contextmanager
    def stumble(self):
        raise NotReady(self.missing)
        yield

    def missed(self, error):
        assert error.name

    def progress(self):
        return None if self.ready() else Progress(3, 9, 12, True)


@pytest.fixture
def held(model):
    """A simulation that should run while its kernels are still being compiled."""
    made = Simulation(running=True, kernels=Unfinished())
    data = mj.MjData(model)
    for field in ("xpos", "qacc", "sensordata"):
        getattr(data, field)[:] = math.nan
    made.adopt(model, data)
    return made


def test_a_model_is_placed_before_its_kernels_are_there(held):
    """While kernels compile, only poses are up to date; a joint's slider moves its body."""
    assert np.isfinite(held.d.geom_xpos).all() and np.isnan(held.d.qacc).all()
    assert held.status().held
    before = held.d.geom_xpos.copy()
    do(held, I.SetField("d.qpos", 1.0, 0))
    assert held.d.qpos[0] == 1.0 and not np.array_equal(held.d.geom_xpos, before)
    assert np.isnan(held.d.qacc).all() and held.d.time == 0.0


def test_it_runs_as_soon_as_they_are(held):
    worker = Worker(held)
    worker.start()
    time.sleep(0.1)
    assert held.d.time == 0.0
    held.kernels.there = True
    end = time.monotonic() + PATIENT
    while held.d.time == 0.0 and time.monotonic() < end:
        time.sleep(0.01)
    assert worker.stop() and held.d.time > 0.0
    assert not held.status().held and held.status().running


def test_a_paused_model_is_whole_when_they_are(held):
    """A state with only poses is computed in full as soon as possible."""
    held.set_running(False)
    held.idle()
    assert np.isnan(held.d.qacc).all()
    held.kernels.there = True
    held.idle()
    assert np.isfinite(held.d.qacc).all()


def test_a_step_that_meets_a_missing_kernel_waits(held):
    """A step may need a kernel that is still missing, because only some states need it. The step is not made, and no failure is
    reported."""
    held.kernels.there = True
    held.idle()
    held.kernels.ready = lambda: True
    held.kernels.missing = "ccd"
    worker = Worker(held)
    worker.start()
    time.sleep(0.1)
    assert held.d.time == 0.0 and held.running and not held.message and not worker.replies.drain()
    held.kernels.missing = ""
    end = time.monotonic() + PATIENT
    while held.d.time == 0.0 and time.monotonic() < end:
        time.sleep(0.01)
    assert worker.stop() and held.d.time > 0.0
