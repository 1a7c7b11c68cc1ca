"""What scripts learn by looking: names that `dir` lists, lists of fields, the same object at each access, order of members."""

import gc
import weakref

import mujoco
import numpy as np
import pytest

import tumble
from tests.oracle import load_pair

CLASSES = ("MjModel", "MjData", "MjOption", "MjVisual", "MjStatistic")
# what no class of Python's own has
PYBIND = {"_pybind11_conduit_v1_", "_from_model_ptr"}
XML = """<mujoco><worldbody><geom type="plane" size="1 1 .1"/><body name="b" pos="0 0 .05"><freejoint name="j"/>
    <geom name="g" size=".1"/></body></worldbody>
</mujoco>"""


@pytest.mark.parametrize("name", CLASSES)
def test_dir_lists_what_scripts_know(name):
    theirs, ours = set(dir(getattr(mujoco, name))), set(dir(getattr(tumble, name)))
    assert not theirs - ours - PYBIND
    # other ways to say tendon, and a keyword as a name
    assert {n for n in ours - theirs if not n.startswith("__")} <= {"ten", "global"}


@pytest.mark.parametrize(
    ("name", "attribute"), [(c, a) for c in CLASSES for a in dir(getattr(mujoco, c)) if a.endswith("_fields")]
)
def test_lists_of_fields(name, attribute):
    assert getattr(getattr(tumble, name), attribute) == getattr(getattr(mujoco, name), attribute)


# members that later releases added
LATER = {
    "mjMOUSE_TURN_V",
    "mjMOUSE_TURN_H",
    "mjENBL_DIAGEXACT",
    "mjENBL_SPECULATIVE",
    "mjINT_DISCRETE",
    "mjTRN_SO3",
    "mjDYN_PID",
    "mjDYN_DCMOTOR",
    "mjGAIN_PID",
    "mjGAIN_SO3",
    "mjGAIN_DCMOTOR",
    "mjBIAS_SO3",
    "mjBIAS_DCMOTOR",
}


@pytest.mark.parametrize("name", [n for n in dir(mujoco) if hasattr(getattr(mujoco, n), "__members__")])
def test_members_are_in_order(name):
    assert [n for n in getattr(tumble, name).__members__ if n not in LATER] == list(getattr(mujoco, name).__members__)


def test_every_name_of_the_instance_reads():
    m = tumble.MjModel.from_xml_string(XML)
    d = tumble.MjData(m)
    for x in (m, d, m.opt, m.vis, m.stat):
        assert all(hasattr(x, n) for n in dir(x)) and set(dir(x)) >= {"__class__"}


def things(module, m, d):
    return {
        "m": m,
        "d": d,
        "opt": m.opt,
        "vis": m.vis,
        "map": m.vis.map,
        "scene": module.MjvScene(m, 10),
        "camera": module.MjvCamera(),
        "option": module.MjvOption(),
        "figure": module.MjvFigure(),
        "perturb": module.MjvPerturb(),
        "contact": d.contact[0],
        "contacts": d.contact,
        "warnings": d.warning,
        "geom": m.geom("g"),
        "joint": d.joint("j"),
    }


def test_the_same_object_at_each_access():
    """Wherever the reference hands out the same object again, and one that can be referred to weakly, so it is here."""
    ref, data, m, d = load_pair(XML)
    mujoco.mj_step(ref, data, 5)
    tumble.mj_step(m, d, 5)
    ours = things(tumble, m, d)
    count = 0
    for kind, thing in things(mujoco, ref, data).items():
        weakref.ref(thing), weakref.ref(ours[kind])
        for name in (n for n in dir(thing) if n[0] != "_" and not callable(getattr(thing, n))):
            one = getattr(thing, name)
            if not isinstance(one, (int, float, str, bytes, tuple)) and one is getattr(thing, name):
                mine = getattr(ours[kind], name)
                assert mine is getattr(ours[kind], name), f"{kind}.{name}"
                weakref.ref(mine)
                count += 1
    assert count > 500


def test_views_follow_when_contacts_move_and_hold_nothing():
    m = tumble.MjModel.from_xml_string(XML)
    d = tumble.MjData(m)
    tumble.mj_step(m, d, 5)
    contacts, first = d.contact, d.contact[0]
    before = first.pos
    d.reserve({n: 4 * k + 64 for n, k in d.capacities.items()})
    first.pos[0] = 7
    assert d.contact[0].pos[0] == 7 and first.pos is not before
    alive = weakref.ref(d)
    gc.disable()
    try:
        del d, contacts, first
        assert alive() is None
    finally:
        gc.enable()
    assert np.isfinite(before).all()
