"""Contacts ahead of time (flag `speculative`): nothing passes through other geoms, and nothing else changes."""

import numpy as np
import pytest

import tumble as mj
from tests.newer.case_models import FAST
from tumble import debug
from tumble.engine.lanes.order import obstacle

# the solver's share in stopping a contact: impedance, and the remaining R
STOPPED = 0.12
HEIGHT, THICK = 0.5, 0.05
SHAPES = {
    "sphere": ".02",
    "capsule": ".01 .03",
    "ellipsoid": ".02 .03 .01",
    "cylinder": ".02 .01",
    "box": ".02 .03 .01",
    "mesh": "",
}
SCENE = """<mujoco><option gravity="0 0 0" timestep=".01"><flag speculative="{flag}"/></option>
  <asset><mesh name="k" vertex="-.02 -.02 0 .02 -.02 0 0 .03 0 0 0 .01"/></asset>
  <worldbody>{wall}<body pos="0 0 {z}"><freejoint/><geom type="{shape}" {size}/></body></worldbody></mujoco>"""
WALLS = {
    "plane": '<geom name="wall" type="plane" size="1 1 1"/>',
    "box": '<geom name="wall" type="box" size="1 1 .001" pos="0 0 -.001"/>',
}


def scene(shape, wall, flag="enable"):
    size = 'mesh="k"' if shape == "mesh" else f'size="{SHAPES[shape]}"'
    m = mj.MjModel.from_xml_string(SCENE.format(flag=flag, wall=WALLS[wall], z=HEIGHT, shape=shape, size=size), compat="4.0")
    return m, mj.MjData(m)


@pytest.mark.parametrize("wall", WALLS)
@pytest.mark.parametrize("shape", SHAPES)
def test_nothing_passes_at_any_speed(shape, wall):
    """A geom that is thrown at a wall, so fast that one step would end far behind it, has a contact in any orientation. A geom
    that hits the wall straight ends its step there, and a sphere also stays in front of it.
    """
    m, d = scene(shape, wall)
    rng = np.random.default_rng(1)
    for speed in (60.0, 200.0, 3000.0):
        for turn in (np.eye(4)[0], *rng.normal(size=(5, 4))):
            mj.mj_resetData(m, d)
            d.qpos[3:] = turn / np.linalg.norm(turn)
            d.qvel[:3] = 0.1 * speed * rng.normal(), 0.1 * speed * rng.normal(), -speed
            mj.mj_forward(m, d)
            assert d.ncon
            assert (d.contact.exclude == 0).all()
        mj.mj_resetData(m, d)
        d.qvel[2] = -speed
        mj.mj_step(m, d)
        assert speed * m.opt.timestep > HEIGHT
        assert abs(d.qpos[2]) < STOPPED * speed * m.opt.timestep + THICK
        # geoms that are not round turn about the point of impact, and are stopped later
        for _ in range(40 if shape == "sphere" else 0):
            mj.mj_step(m, d)
            assert d.qpos[2] > -STOPPED * speed * m.opt.timestep
    m, d = scene(shape, wall, "disable")
    d.qvel[2] = -200
    mj.mj_step(m, d)
    assert d.qpos[2] < -1


@pytest.mark.parametrize(("dist", "speed"), [(0.3, 0.5), (0.3, 0.31), (0.05, 0.4), (2.0, 3.0)])
def test_the_step_ends_at_the_surface(dist, speed):
    """A stiff ball (solimp near 1) loses its excess speed: one step takes it to the plane, to a fiftieth of the
    remaining distance.
    """
    m = mj.MjModel.from_xml_string(f"""<mujoco><option gravity="0 0 0" timestep=".01"><flag speculative="enable"/></option>
      <default><geom solimp=".9999 .9999 .001"/></default>
      <worldbody><geom type="plane" size="1 1 1"/><body pos="0 0 {dist + 0.02}"><freejoint/><geom size=".02"/></body>\
</worldbody></mujoco>""")
    d = mj.MjData(m)
    d.qvel[2] = -speed / m.opt.timestep
    mj.mj_step(m, d)
    assert -1e-3 * speed <= d.qpos[2] - 0.02 <= 0.025 * dist


def test_slow_things_have_no_contacts_ahead():
    """Geoms that move less than their thickness have normal contacts: the same bits with and without the flag."""
    text = FAST.format(one="", two="")
    one, two = (
        mj.MjModel.from_xml_string(
            f"<mujoco><option timestep='.001'><flag speculative='{flag}'/></option><worldbody>{text}</worldbody></mujoco>"
        )
        for flag in ("enable", "disable")
    )
    d, e = mj.MjData(one), mj.MjData(two)
    for _ in range(300):
        mj.mj_step(one, d)
        mj.mj_step(two, e)
    assert d.ncon == e.ncon > 0
    np.testing.assert_array_equal(d.qpos, e.qpos)


def test_what_stands_between_is_hit_instead():
    """A shelf above the floor is hit, not the floor. The floor is hit if the shelf cannot be touched or is aside."""
    shelf = '<geom name="shelf" type="box" size=".1 .1 .01" pos="{x} 0 .2" contype="{mask}" conaffinity="{mask}"/>'

    def hit(x, mask):
        text = SCENE.format(
            flag="enable", wall=WALLS["plane"] + shelf.format(x=x, mask=mask), z=HEIGHT, shape="sphere", size='size=".02"'
        )
        m = mj.MjModel.from_xml_string(text)
        d = mj.MjData(m)
        d.qvel[2] = -90
        mj.mj_forward(m, d)
        return {m.geom(i).name for c in d.contact for i in c.geom} - {""}

    assert hit(0, 1) == {"shelf"}
    assert hit(0, 0) == hit(0.5, 1) == {"wall"}


def test_it_needs_the_native_functions_and_no_lanes():
    m, d = scene("sphere", "plane")
    d.qvel[2] = -90
    m.opt.disableflags |= int(mj.mjtDisableBit.mjDSBL_NATIVECCD)
    mj.mj_forward(m, d)
    assert d.ncon == 0
    assert "ahead" in obstacle(m)


def test_models_without_the_flag_do_not_need_its_stage():
    m, d = scene("sphere", "plane", "disable")
    with debug.replace("collide_ahead", lambda *args: pytest.fail("called")):
        mj.mj_step(m, d, 30)
