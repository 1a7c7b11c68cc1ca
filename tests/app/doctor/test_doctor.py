"""The doctor names the fault in models that were broken on purpose, says which remedies help, and finds nothing in sound
models."""

import copy
import functools
import math

import numpy as np
import pytest

import tumble as mj
from tests.app.doctor.broken import BROKEN, FLOOR, ball, link, model
from tests.app.driver import ROOT
from tests.app.models import CUBE, PENDULUM
from tumble.app.__main__ import main
from tumble.app.commands import apply
from tumble.app.doctor import causes, examine, remedies, ring
from tumble.app.doctor.command import lines
from tumble.app.doctor.diagnose import copied, diagnose, read
from tumble.app.doctor.ring import Ring
from tumble.app.doctor.signs import DEEP, STAYS, Signs
from tumble.app.simulation import LOOK, Simulation
from tumble.ui import intents as I
from tumble.ui.element_names import name

# fraction of the models whose cause must be named first, and for which running must find a remedy
NAMED, HELPED = 0.9, 0.75


@pytest.fixture(autouse=True)
def quiet():
    mj.set_mju_user_warning(lambda text: None)
    yield
    mj.set_mju_user_warning(None)


def begun(text):
    """Return a model and its initial state, which is its first keyframe if it has one."""
    m = mj.MjModel.from_xml_string(text)
    d = mj.MjData(m)
    if m.nkey:
        mj.mj_resetDataKeyframe(m, d, 0)
    return m, read(m, d)


@functools.cache
def reported(title):
    m, state = begun(BROKEN[title][0])
    return m, diagnose(m, state)


def named(title):
    """Whether the first reported cause is the deliberate fault."""
    m, report = reported(title)
    _text, kind, who = BROKEN[title]
    if report.sign is None or not report.causes:
        return False
    first = report.causes[0].cause
    known = not first.about[0] or name(m, *first.about) in who or any(w in first.text for w in who)
    return first.kind == kind and known


@pytest.mark.parametrize("title", BROKEN)
def test_every_broken_model_shows_a_sign(title):
    m, report = reported(title)
    assert report.sign is not None and report.chain and report.curve is not None
    assert report.begun <= report.sign.time + m.opt.timestep
    assert any("helped" in line for line in lines(m, report))


def test_causes_are_named():
    assert len(BROKEN) >= 40
    right = [title for title in BROKEN if named(title)]
    assert len(right) >= NAMED * len(BROKEN), sorted(set(BROKEN) - set(right))


def test_remedies_are_found_by_running_them():
    helped = [title for title in BROKEN if any(trial.helped for trial in reported(title)[1].trials)]
    assert len(helped) >= HELPED * len(BROKEN), sorted(set(BROKEN) - set(helped))


def test_what_helped_helps():
    """Applying the proposed edits by hand makes the model run."""
    title = "one of many servos"
    m, report = reported(title)
    best = next(trial for trial in report.trials if trial.helped)
    assert best.remedy.aims is not None and "servo4" in best.remedy.title
    d = mj.MjData(m)
    changed = copied(m)
    remedies.apply(changed, d, best.remedy.edits)
    mj.mj_step(changed, d, 1000)
    assert np.isfinite(d.qpos).all() and not any(d.warning[k].number for k in (4, 5, 6)) and np.abs(d.qvel).max() < 100


def test_the_model_is_not_changed():
    m, state = begun(BROKEN["stiff servo"][0])
    before = copy.copy(m)
    diagnose(m, state)
    for field in ("actuator_gainprm", "actuator_biasprm", "dof_armature", "geom_solref"):
        np.testing.assert_array_equal(getattr(m, field), getattr(before, field))
    assert m.opt.timestep == before.opt.timestep and m.opt.disableflags == before.opt.disableflags


@pytest.mark.parametrize("text", [PENDULUM, CUBE])
def test_nothing_is_found_in_a_sound_model(text):
    assert diagnose(mj.MjModel.from_xml_string(text)).sign is None


@pytest.mark.parametrize("path", sorted((ROOT / "assets/models").glob("*.xml")), ids=lambda path: path.stem)
def test_nothing_is_found_in_models_that_come_along(path):
    assert diagnose(mj.MjModel.from_xml_path(str(path)), seconds=2.0).sign is None


def test_every_kind_of_cause_has_remedies():
    kinds = {f.cause.kind for title in BROKEN for f in reported(title)[1].causes} - {"timestep"}
    assert kinds <= set(remedies.AGAINST)
    # these two are not the main cause in any model of the corpus, but need remedies, too
    assert {kind for _text, kind, _who in BROKEN.values()} | {"penetration", "solver"} == set(remedies.AGAINST)


def test_a_ring_keeps_seconds_in_bounded_memory():
    m = mj.MjModel.from_xml_string(PENDULUM)
    d = mj.MjData(m)
    ring = Ring(m, 0.5, most_bytes=1 << 30)
    rows = []
    for _ in range(1000):
        rows.append((d.time, read(m, d)))
        ring.note(m, d)
        mj.mj_step(m, d)
    assert ring.count == len(ring.states) == 250
    order = ring.order()
    np.testing.assert_array_equal(ring.times[order], [t for t, _state in rows[-250:]])
    np.testing.assert_array_equal(ring.before(2.0, 0.1), next(s for t, s in rows if t >= 1.9))
    small = Ring(m, 0.5, most_bytes=8 * ring.size * 20)
    d = mj.MjData(m)
    for _ in range(1000):
        small.note(m, d)
        mj.mj_step(m, d)
    assert small.count == 20 and small.states.nbytes <= 8 * ring.size * 20
    kept = small.times[small.order()]
    assert kept[-1] - kept[0] > 0.4 and kept[-1] == pytest.approx(d.time - m.opt.timestep)


def test_a_ring_tells_what_lies_before_a_reset_apart():
    m = mj.MjModel.from_xml_string(PENDULUM)
    d = mj.MjData(m)
    ring = Ring(m, 5.0)
    for k in range(300):
        if k == 200:
            mj.mj_resetData(m, d)
        ring.note(m, d)
        mj.mj_step(m, d)
    state = ring.before(0.1, 1.0)
    other = mj.MjData(m)
    mj.mj_setState(m, other, state, int(mj.mjtState.mjSTATE_INTEGRATION))
    assert other.time == 0.0
    assert ring.before(50.0, 1.0) is None


def simulated(text):
    sim = Simulation()
    m = mj.MjModel.from_xml_string(text)
    sim.adopt(m, mj.MjData(m))
    return sim


def test_the_simulation_marks_and_the_doctor_goes_back():
    """Resets are marked, and the state before a reset leads to the same cause as a run of the model from the start."""
    sim = simulated(BROKEN["one of two springs"][0])
    for _ in range(50):
        sim.single_step()
    assert sim.marks and sim.marks[-1].kind == "reset" and "hard_joint" in sim.marks[-1].text
    replies = []
    apply(sim, I.Examine(), lambda kind, value: replies.append((kind, value)))
    kind, patient = replies[-1]
    assert kind == "examine" and patient.mark is sim.marks[-1] and patient.model is not sim.m
    examiner = examine.Examiner()
    examiner.begin(patient)
    examiner._thread.join(60)
    report = examiner.shown.report
    assert report.causes[0].cause.kind == "spring" and report.causes[0].cause.about == ("joint", 1)
    # each proposal is one step of undo
    best = report.trials[0].remedy
    edits = tuple(I.SetField(e.path, e.value, e.index) for e in best.edits)
    old = float(sim.m.jnt_stiffness[1])
    apply(sim, I.Change(best.title, edits), lambda kind, value: replies.append((kind, value)))
    entry = replies[-1][1]
    assert sim.m.jnt_stiffness[1] != old and entry.title == best.title
    for one in entry.back:
        apply(sim, one, lambda kind, value: None)
    assert sim.m.jnt_stiffness[1] == old


def test_every_mark_of_many_resets_is_explained():
    """A stiff servo becomes unstable, is reset, and becomes unstable again. The doctor finds the cause of each mark long after
    the control was set to zero."""
    servo = '<actuator><position name="servo" joint="arm_joint" kp="1e7"/></actuator>'
    text = model(link(), servo, 'gravity="0 0 0"')
    sim = simulated(text)
    sim.keep(2.0)

    def step(ctrl, count):
        # a reset clears the controls, so set them again, like a user who holds the slider
        for _ in range(count):
            apply(sim, I.SetField("d.ctrl", ctrl, 0), lambda kind, value: None)
            sim.single_step()

    step(0.4, 150)
    marks = len(sim.marks)
    resets = [k for k, mark in enumerate(sim.marks) if mark.kind == "reset"]
    assert len(resets) > 3
    # the states before the marks are no longer in the ring, and a sound run has reached the same times again
    apply(sim, I.Reset(), lambda kind, value: None)
    step(0.0, 1100)
    assert len(sim.marks) == marks and sim.ring.times[sim.ring.order()[0]] > sim.marks[0].time
    for k in (resets[0], resets[len(resets) // 2], resets[-1]):
        report = examined(sim, k).report
        assert report is not None and report.sign is not None
        assert report.causes[0].cause.kind == "servo" and report.causes[0].cause.about == ("actuator", 0)


def test_a_mark_without_states_says_so(monkeypatch):
    """Newer marks take over the memory of old ones, and the doctor reports that the states are gone."""
    monkeypatch.setattr(ring, "MARK_BYTES", 0)
    sim = simulated(BROKEN["one of two springs"][0])
    for _ in range(50):
        sim.single_step()
    assert sim.marks and not sim.marks[-1].starts
    shown = examined(sim, -1)
    assert shown.report is None and shown.failed == examine.GONE


def examined(sim, number):
    """Return the doctor's examination of a mark."""
    replies = []
    apply(sim, I.Examine(number), lambda kind, value: replies.append(value))
    examiner = examine.Examiner()
    examiner.begin(replies[-1])
    if examiner._thread is not None:
        examiner._thread.join(60)
    return examiner.shown


def test_a_leap_of_energy_is_marked():
    m = mj.MjModel.from_xml_string(PENDULUM)
    d = mj.MjData(m)
    mj.mj_step(m, d, 5)
    signs = Signs(m, d)
    d.qvel[0] = 1e4
    mj.mj_forward(m, d)
    sign = signs.look()
    assert sign is not None and sign.kind == "energy" and "swing" in sign.text


def test_looking_changes_nothing():
    m = mj.MjModel.from_xml_string(PENDULUM)
    d, other = mj.MjData(m), mj.MjData(m)
    signs = Signs(m, d)
    for _ in range(200):
        mj.mj_step(m, d)
        mj.mj_step(m, other)
        signs.look()
        signs.begin()
    np.testing.assert_array_equal(read(m, d), read(m, other))
    np.testing.assert_array_equal(d.energy, other.energy)


def looked(m, d, signs, count):
    """Step, and check as rarely as the window does in real time; return the symptoms found."""
    found = []
    for _ in range(count):
        mj.mj_step(m, d, round(LOOK / m.opt.timestep))
        found.append(signs.pressed())
    return [sign for sign in found if sign]


def test_geoms_that_are_suddenly_deep_and_stay_so():
    """A ball that is suddenly inside another one and cannot leave is reported once, with both names."""
    balls = "".join(
        f'<body name="{word}" pos="{x} 0 0"><joint name="{word}" type="slide" axis="1 0 0" {more}/><geom '
        f'name="{word}" size=".1"/></body>'
        for word, x, more in (("one", 0, ""), ("two", 0.5, 'damping="1e5"'))
    )
    m = mj.MjModel.from_xml_string(
        model(balls, option='gravity="0 0 0"').replace('name="one" type', 'name="one" damping="1e5" type')
    )
    d = mj.MjData(m)
    mj.mj_forward(m, d)
    signs = Signs(m, d)
    d.qpos[1] = -0.49
    found = looked(m, d, signs, 10)
    assert len(found) == 1 and not found[0].bad and "geom one and geom two" in found[0].text and found[0].time >= STAYS


def test_hard_impacts_on_soft_contacts_are_no_trouble():
    """A ball comes out of any penetration depth by itself, so nothing is reported."""
    m = mj.MjModel.from_xml_string(model(ball(pos="0 0 2") + FLOOR))
    d = mj.MjData(m)
    d.qvel[2] = -30
    mj.mj_forward(m, d)
    deep, signs = [], Signs(m, d)
    while d.time < 0.2:
        mj.mj_step(m, d)
        deep.append(signs.deepest()[0])
    assert max(deep) > DEEP
    mj.mj_resetData(m, d)
    d.qvel[2] = -30
    assert not looked(m, d, Signs(m, d), 20)


def test_ratios_are_bounds():
    """A spring just within the stability limit of the step is stable; one just beyond it blows up."""
    for factor, stays in ((0.9, True), (1.1, False)):
        k = (2 * factor / 0.002) ** 2
        world = f'<body><joint type="slide" stiffness="{k}" springref=".01"/><geom size=".1" mass="1"/></body>'
        m = mj.MjModel.from_xml_string(f'<mujoco><option gravity="0 0 0"/><worldbody>{world}</worldbody></mujoco>')
        found = [c for c in causes.found(causes.Scene(m, forwarded(m), True)) if c.kind == "spring"]
        assert found[0].ratio == pytest.approx(factor)
        d = mj.MjData(m)
        mj.mj_step(copied(m), d, 200)
        assert (math.isfinite(d.qpos[0]) and abs(d.qpos[0]) < 1) == stays


def forwarded(m):
    d = mj.MjData(m)
    mj.mj_forward(m, d)
    return d


def test_the_command(tmp_path, capsys):
    path = tmp_path / "broken.xml"
    path.write_text(BROKEN["stiff servo"][0])
    assert main(["doctor", str(path)]) == 3
    out = capsys.readouterr().out
    assert "actuator servo holds" in out and "helped" in out
    path.write_text(PENDULUM)
    assert main(["doctor", str(path), "--seconds", "1", "--key", "up"]) == 0
    assert "nothing goes wrong" in capsys.readouterr().out
    assert main(["doctor", str(path), "--key", "no"]) == 2
