"""Structs as Python sees them: views, names, types of values, copies, pickles, equality, text."""

import copy
import gc
import os
import pickle
import sys
import threading

import mujoco
import numpy as np
import pytest

import tumble
from tests.api.models import RIG
from tumble.engine.core.struct import contents
from tumble.engine.machine.storage import PAGED
from tumble.engine.tables import named_access
from tumble.engine.tables.schema import INTERNAL


@pytest.fixture
def m():
    return tumble.MjModel.from_xml_string(RIG)


@pytest.fixture
def d(m):
    d = tumble.MjData(m)
    tumble.mj_forward(m, d)
    return d


# ---- values ----------------------------------------------------------------------------------------------------------
def test_scalars_take_numbers_of_their_kind(m, d):
    for target, name, bad in (
        (m.opt, "iterations", 1.5),
        (m.opt, "iterations", 2**40),
        (m.opt, "timestep", "fast"),
        (d, "time", "now"),
        (m.opt, "timestep", np.zeros(2)),
        (m.vis.quality, "shadowsize", 0.5),
        (d.contact[0], "dist", "near"),
        (d.contact[0], "dim", 2.5),
    ):
        with pytest.raises(TypeError):
            setattr(target, name, bad)
    m.opt.iterations = np.int64(7)
    m.opt.timestep = np.float32(0.5)
    assert (m.opt.iterations, m.opt.timestep) == (7, 0.5)


def test_what_cannot_be_set(m, d):
    for target, name in (
        (m, "nq"),
        (m, "nonsense"),
        (d, "nonsense"),
        (m.opt, "nonsense"),
        (m.vis.map, "nonsense"),
        (d.contact[0], "nonsense"),
        (m.geom("box"), "nonsense"),
        (m.geom("box"), "id"),
        (d, "model"),
        (d, "contact"),
    ):
        with pytest.raises(AttributeError):
            setattr(target, name, 1)


def test_arrays_are_written_not_replaced(d):
    view = d.qvel
    d.qvel = 0.5
    np.testing.assert_array_equal(view, 0.5)
    with pytest.raises(ValueError, match="broadcast"):
        d.qvel = [1, 2]
    with pytest.raises(ValueError):
        d.qvel = "text"


def test_arrays_keep_storage_alive(m):
    qpos0 = m.qpos0
    del m
    gc.collect()
    qpos0[:] = 3
    assert qpos0[0] == 3


def test_no_reference_cycles():
    """Model and data are freed with their last reference, whether or not named access and contacts were used."""
    m = tumble.MjModel.from_xml_string(RIG)
    d = tumble.MjData(m)
    tumble.mj_forward(m, d)
    d.joint("hinge").qpos[:] = 0.1
    assert d.contact[0].dim == 3 and m.geom("box").size[0] == 0.1
    assert sys.getrefcount(d) == 2
    del d
    assert sys.getrefcount(m) == 2


# ---- named access ----------------------------------------------------------------------------------------------------
def test_named_access(m, d):
    assert d.joint("ball") is d.joint(m.joint("ball").id)
    qpos = d.joint("ball").qpos
    assert qpos is d.joint("ball").qpos and qpos.shape == (4,)
    d.joint("ball").qpos = [0, 1, 0, 0]
    np.testing.assert_array_equal(d.qpos[7:11], [0, 1, 0, 0])
    assert m.joint("ball").solref.shape == (2,) and m.joint("ball").damping.shape == (3,)
    assert m.tex("tex").data.shape == (6, 8, 3) and m.hfield("hills").data.shape == (3, 4)
    assert m.numeric("num").data.tolist() == [1, 2, 3]
    assert d.sensor("where").data.shape == (3,)
    np.testing.assert_array_equal(d.actuator("push").moment, np.eye(m.nv)[m.joint("slide").dofadr[0]])


def test_named_access_errors(m, d):
    with pytest.raises(KeyError, match=r"Invalid name 'nose'\. Valid names: \['ball', 'hinge', 'root', 'slide'\]"):
        d.joint("nose")
    with pytest.raises(KeyError, match="Invalid name ''"):
        m.light()
    for bad in (-1, m.ngeom):
        with pytest.raises(IndexError, match=f"Invalid index {bad}. Valid indices from 0 to {m.ngeom - 1}"):
            m.geom(bad)
    for bad in (None, 1.0, [0]):
        with pytest.raises(TypeError):
            m.geom(bad)


# ---- copies and pickles ------------------------------------------------------------------------------------------------
def same(a, b):
    return all(
        np.array_equal(np.asarray(getattr(a, f.name)), np.asarray(getattr(b, f.name)), equal_nan=f.numpy.kind == "f")
        for f in a.schema.arrays
        if f.group not in INTERNAL and not f.text
    )


def test_copies_are_independent(m, d):
    for other in (copy.copy(m), copy.deepcopy(m), pickle.loads(pickle.dumps(m))):
        assert same(m, other) and other.opt == m.opt and other.names == m.names and other.geom("box").id == 1
        other.body_mass[1] = 77
        assert m.body_mass[1] != 77
    for other in (copy.copy(d), copy.deepcopy(d), pickle.loads(pickle.dumps(d))):
        assert same(d, other) and other.contact == d.contact
        for _ in range(3):
            tumble.mj_step(other.model, other)
        assert d.time == 0 and other.time > 0
    assert copy.copy(d).model is m
    assert copy.deepcopy(d).model is not m


def test_a_copy_goes_on_like_its_original(m, d):
    other = pickle.loads(pickle.dumps(d))
    for _ in range(20):
        tumble.mj_step(m, d)
        tumble.mj_step(other.model, other)
    np.testing.assert_array_equal(d.qpos, other.qpos)
    np.testing.assert_array_equal(d.qvel, other.qvel)


# ---- small structs -------------------------------------------------------------------------------------------------------
@pytest.mark.parametrize(
    ("name", "member"),
    [
        ("MjContact", "dist"),
        ("MjSolverStat", "neval"),
        ("MjWarningStat", "number"),
        ("MjTimerStat", "number"),
        ("MjLROpt", "maxforce"),
        ("MjOption", "tolerance"),
        ("MjStatistic", "extent"),
    ],
)
def test_structs_of_their_own(name, member):
    a, b = getattr(tumble, name)(), getattr(tumble, name)()
    assert a == b
    setattr(a, member, 1)
    assert a != b and a != 3 and copy.copy(a) == a and pickle.loads(pickle.dumps(a)) == a
    assert repr(a).startswith(f"<{name}\n") and f"{member}: 1" in repr(a)
    with pytest.raises(TypeError):
        hash(a)


def test_text_of_a_subclass():
    class Mine(tumble.MjWarningStat):
        @property
        def me(self):
            return self

    assert repr(Mine()) == "<Mine\n  lastinfo: 0\n  number: 0\n>"


def test_record_lists(d):
    contacts = d.contact
    assert len(contacts) == d.ncon > 0 and contacts.geom.shape == (d.ncon, 2)
    contacts[0].pos = [1, 2, 3]
    np.testing.assert_array_equal(contacts.pos[0], [1, 2, 3])
    assert contacts[0:1].dist.shape == (1,) and contacts[0].geom1 == contacts.geom1[0]
    kept = copy.copy(contacts[0])
    contacts[0].dist = 9
    assert kept.dist != 9 and d.contact != d.warning and d.contact != 5
    for bad in (-1, d.ncon):
        with pytest.raises(IndexError):
            contacts[bad]
    with pytest.raises(TypeError):
        contacts["first"]
    tumble.mj_resetData(d.model, d)
    assert len(contacts) == 0


def test_enums():
    joint = tumble.mjtJoint
    assert str(joint.mjJNT_BALL) == "mjtJoint.mjJNT_BALL" and f"{joint.mjJNT_BALL}" == "mjtJoint.mjJNT_BALL"
    assert joint(1) is joint.mjJNT_BALL and joint(value=1) == 1 and joint.mjJNT_BALL + 1 == 2 and [5, 6][joint.mjJNT_BALL] == 6
    with pytest.raises(ValueError):
        joint(1000)
    assert joint.__members__["mjJNT_FREE"] == 0


def test_data_needs_a_model(m):
    for bad in (None, 3, "model"):
        with pytest.raises(TypeError):
            tumble.MjData(bad)
    other = tumble.MjModel.from_xml_string("<mujoco/>")
    with pytest.raises(ValueError, match="another MjModel"):
        tumble.mj_forward(other, tumble.MjData(m))
    for call in (tumble.mj_step, tumble.mj_forward):
        with pytest.raises(TypeError):
            call(m, None)
        with pytest.raises(TypeError):
            call(None, tumble.MjData(m))


@pytest.mark.parametrize(
    "name", ["MjModel", "MjData", "MjOption", "MjVisual", "MjStatistic", "MjvScene", "MjvGeom", "MjvFigure", "MjrContext"]
)
def test_classes_list_what_their_objects_have(name):
    """Wrappers are made from `dir` of the class: every public name of the reference's class is listed."""
    ours, theirs = getattr(tumble, name), getattr(mujoco, name)
    assert {n for n in dir(theirs) if not n.startswith("_")} <= set(dir(ours))


def test_contacts_that_are_held_outlive_a_step_that_finds_fewer():
    """A loop over contacts that detects contacts again in its body visits the new ones; earlier records read their rows."""
    bodies = "".join(f'<body pos="{k} 0 .05"><freejoint/><geom size=".1"/></body>' for k in range(4))
    text = f'<mujoco><worldbody><geom type="plane" size="1 1 1"/>{bodies}</worldbody></mujoco>'
    found = []
    for engine in (mujoco, tumble):
        m = engine.MjModel.from_xml_string(text)
        d = engine.MjData(m)
        engine.mj_forward(m, d)
        last, seen = d.contact[3], []
        for contact in d.contact:
            seen.append((contact.geom2, contact.dist))
            d.qpos[7 * 2 + 2] = d.qpos[7 * 3 + 2] = 5
            engine.mj_forward(m, d)
        assert len(last.pos) == 3 and np.isfinite(last.dist) and len(last.geom) == 2
        with pytest.raises(IndexError):
            d.contact[3]
        d.qpos[:] = m.qpos0
        engine.mj_forward(m, d)
        found.append((seen, last.geom2, last.dist, last.pos.tolist()))
    assert found[0] == found[1] and len(found[0][0]) == 2


# ---- memory of new objects -------------------------------------------------------------------------------------------
@pytest.mark.parametrize("more", (1, PAGED // 8), ids=("small", "large"))
def test_new_data_are_as_after_a_reset(more):
    m = tumble.MjModel.from_xml_string(RIG.replace("<worldbody>", f'<size nuserdata="{more}"/><worldbody>', 1))
    new, used = tumble.MjData(m), tumble.MjData(m)
    assert (new.storage.buffer.nbytes > PAGED) == (more > 1) and new.storage.address % 64 == 0
    used.poison(*(f.name for f in used.schema.arrays if f.name != "plugin_data"))
    tumble.mj_resetData(m, used)
    assert contents(new)[1].tobytes() == contents(used)[1].tobytes()


@pytest.mark.skipif(not hasattr(os, "fork"), reason="no fork on this system")
def test_large_data_belong_to_one_process():
    d = tumble.MjData(tumble.MjModel.from_xml_string(f'<mujoco><size nuserdata="{PAGED // 8}"/></mujoco>'))
    d.userdata[:2] = 1
    child = os.fork()
    if not child:
        d.userdata[0] = 2
        os._exit(int(d.userdata[1]))
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 1 and d.userdata[0] == 1


@pytest.mark.parametrize(
    "text", ("<mujoco/>", "<mujoco><nothing/></mujoco>", '<mujoco><worldbody><geom size="-1"/></worldbody></mujoco>')
)
@pytest.mark.parametrize("collects", (False, True))
def test_loading_leaves_the_collector_as_it_was(text, collects):
    before = gc.isenabled()
    (gc.enable if collects else gc.disable)()
    try:
        if text == "<mujoco/>":
            tumble.MjModel.from_xml_string(text)
        else:
            with pytest.raises(ValueError):
                tumble.MjModel.from_xml_string(text)
        assert gc.isenabled() == collects
    finally:
        (gc.enable if before else gc.disable)()


def test_moments_by_name_are_those_of_now():
    """Dense moments are copies: the next read returns those of the next step."""
    m = tumble.MjModel.from_xml_string("""<mujoco><worldbody><site name="o" pos="1 0 0"/><body><joint axis="0 1 0"/>
    <geom size=".1"/><site name="s" pos="0 0 1"/></body></worldbody>
      <tendon><spatial name="t"><site site="o"/><site site="s"/></spatial></tendon><actuator><motor name="a" tendon="t"/>
        </actuator></mujoco>""")
    d = tumble.MjData(m)
    tumble.mj_forward(m, d)
    element = d.actuator("a")
    before = float(element.moment[0])
    d.qpos[0] = 0.5
    tumble.mj_forward(m, d)
    assert float(element.moment[0]) == d.actuator_moment[0] != before


# ---- names -----------------------------------------------------------------------------------------------------------
def test_a_thread_that_asks_while_another_collects_the_names_gets_them_whole(m, monkeypatch):
    """The physics thread names a joint in a warning while the render thread looks up the first name of a new model."""
    found, kinds = [], named_access.KINDS

    def ask():
        found.append(tumble.mj_id2name(m, tumble.mjtObj.mjOBJ_JOINT, 0))
        found.append(tumble.mj_name2id(m, tumble.mjtObj.mjOBJ_JOINT, found[0]))

    class Interrupted(dict):
        """Rows of element types; when the first one has been read, another thread asks."""

        def items(self):
            for item in kinds.items():
                yield item
                if named_access.KINDS is self:
                    thread = threading.Thread(target=ask)
                    monkeypatch.setattr(named_access, "KINDS", kinds)
                    thread.start()
                    thread.join()

    monkeypatch.setattr(named_access, "KINDS", Interrupted(kinds))
    assert tumble.mj_name2id(m, tumble.mjtObj.mjOBJ_BODY, "world") == 0
    assert found == [m.joint(0).name, 0]
