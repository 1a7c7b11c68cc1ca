"""Posing mode: bodies stay where they are, and its end leaves the options as they were."""

import pytest

import tumble as mj
from tumble.app import commands, posing
from tumble.app.simulation import Simulation
from tumble.ui import intents as I

XML = """<mujoco><option viscosity=".5"/><worldbody><body name="arm" pos="0 0 1">
 <joint name="hinge" axis="0 1 0" stiffness="3" springref="40"/><geom type="capsule" fromto="0 0 0 .4 0 0" size=".04"/>
</body></worldbody></mujoco>"""
# Radians that the arm may move in a second: from rest, and while the medium still slows it after a push.
STILL, LEFT = 1e-9, 1e-3
GRAVITY = int(mj.mjtDisableBit.mjDSBL_GRAVITY)


def quiet(kind, value):
    assert kind != "error", value


def switch(sim, value=None):
    commands.apply(sim, I.SetLoop("posing", value), quiet)


@pytest.fixture
def sim():
    m = mj.MjModel.from_xml_string(XML)
    made = Simulation(running=False)
    made.adopt(m, mj.MjData(m))
    return made


def moved(m, d, seconds=1.0):
    """How far the joint goes."""
    before = float(d.qpos[0])
    for _ in range(round(seconds / m.opt.timestep)):
        mj.mj_step(m, d)
    return abs(float(d.qpos[0]) - before)


def test_a_body_at_rest_stays(sim):
    m, d = sim.loaded
    assert moved(m, mj.MjData(m)) > 0.1
    switch(sim)
    assert sim.status().posing and moved(m, d) < STILL
    d.qvel[0] = 1.0
    energy = d.qvel[0] ** 2
    moved(m, d, 0.2)
    assert d.qvel[0] ** 2 < 0.5 * energy, "the medium slows what moves"


@pytest.mark.parametrize("off", [0, GRAVITY])
def test_its_end_leaves_the_options_as_they_were(sim, off):
    m, _ = sim.loaded
    m.opt.disableflags |= off
    before = int(m.opt.disableflags), float(m.opt.viscosity)
    for value in (True, True, False, False, None, None):
        switch(sim, value)
    assert (int(m.opt.disableflags), float(m.opt.viscosity)) == before


def test_what_the_user_sets_meanwhile_stays(sim):
    m, _ = sim.loaded
    switch(sim)
    m.opt.viscosity = 2.0
    m.opt.disableflags |= int(mj.mjtDisableBit.mjDSBL_CONTACT)
    switch(sim)
    assert m.opt.viscosity == 2.0 and m.opt.disableflags == int(mj.mjtDisableBit.mjDSBL_CONTACT)


def test_a_new_model_has_its_own_options(sim):
    switch(sim)
    m = mj.MjModel.from_xml_string(XML)
    sim.adopt(m, mj.MjData(m))
    assert not sim.posing and m.opt.viscosity == 0.5 and not m.opt.disableflags & posing.OFF


def test_what_is_pushed_stays_where_it_was_left(sim):
    m, d = sim.loaded
    switch(sim)
    d.qfrc_applied[0] = -2.0
    assert moved(m, d) > 0.05
    d.qfrc_applied[0] = 0
    moved(m, d, 3.0)
    assert moved(m, d) < LEFT
