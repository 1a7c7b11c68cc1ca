"""Marks for new contacts: one for each touch, none for resting contacts, and none after the time to which the user went
back."""

import numpy as np
import pytest

import tumble as mj
from tumble.app import commands
from tumble.app.simulation import Simulation
from tumble.ui import intents as I
from tumble.ui.playback import Playback

BALLS = """<mujoco><worldbody><geom name="floor" type="plane" size="2 2 .1" solref="-10000 -20"/>
<body pos="0 0 .3"><freejoint/><geom name="low" size=".1"/></body>
<body pos="1 0 .6"><freejoint/><geom name="high" size=".1"/></body></worldbody></mujoco>"""


@pytest.fixture
def sim():
    made = Simulation(running=False)
    m = mj.MjModel.from_xml_string(BALLS)
    made.adopt(m, mj.MjData(m))
    return made


def steps(sim, count):
    for _ in range(count):
        sim.single_step()


def test_each_touch_is_marked_when_it_begins(sim):
    commands.apply(sim, I.SetLoop("mark_contacts", None), lambda *_: None)
    steps(sim, 800)
    marks = sim.status().begun
    first = {text: time for time, text in reversed(marks)}
    for name, height in (("low", 0.2), ("high", 0.5)):
        assert first[f"floor touches {name}"] == pytest.approx(np.sqrt(2 * height / 9.81), abs=0.01)
    times = [time for time, text in marks if text.endswith("high")]
    # the ball bounces; each touch counts once
    assert 2 <= len(times) < 12 and np.diff(times).min() > 0.05


def test_a_resting_contact_is_not_marked_again(sim):
    steps(sim, 3000)
    commands.apply(sim, I.SetLoop("mark_contacts", True), lambda *_: None)
    steps(sim, 500)
    assert sim.status().begun == ()


def test_marks_of_a_future_that_was_left_are_gone(sim):
    commands.apply(sim, I.SetLoop("mark_contacts", True), lambda *_: None)
    steps(sim, 400)
    assert len(sim.status().begun) >= 2
    commands.apply(sim, I.Reset(), lambda *_: None)
    steps(sim, 50)
    assert sim.status().begun == ()
    commands.apply(sim, I.SetLoop("mark_contacts", False), lambda *_: None)
    steps(sim, 400)
    assert sim.status().begun == ()


def test_only_a_marked_range_is_repeated():
    state = Playback()
    assert not state.loops
    state.span = (0.0, 1.0)
    assert state.loops
    state.loop = False
    assert not state.loops
    state.span, state.loop = None, True
    assert state.loops
