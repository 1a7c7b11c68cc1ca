"""Repeated loads: a copy of a model that was compiled before equals a new compilation, and everything that affects a model is
taken into account."""

import gc
import weakref

import numpy as np
import pytest

import tumble
from tumble.engine.description import again, load
from tumble.engine.description.files import resources

TEXT = """<mujoco model="twice"><option timestep=".003"/><statistic extent="3"/><worldbody>
  <body name="a" pos="0 0 1"><freejoint/><geom name="ball" size=".1"/><site name="s"/></body>
  <body name="b"><joint name="hinge" type="hinge" range="-1 1" limited="true"/><geom type="capsule" size=".1 .2"/></body>
  </worldbody><actuator><motor name="motor" joint="hinge"/></actuator>
  <sensor><jointpos joint="hinge"/></sensor></mujoco>"""


@pytest.fixture(autouse=True)
def fresh(monkeypatch):
    """Begin without known models; count compilations."""
    again.forget()
    made, compile_spec = [], load.compile_spec
    monkeypatch.setattr(load, "compile_spec", lambda *a: made.append(1) or compile_spec(*a))
    yield made
    again.forget()


def bits(m):
    """Everything a model holds."""
    found = {f.name: m.array(f.name).tobytes() for f in m.schema.arrays} | {
        f.name: getattr(m, f.name) for f in m.schema.scalars
    }
    nested = {n: repr(getattr(m, n)) for n in m.schema.nested}
    return found | nested | m.sizes() | {"names": m.names}


def test_later_loads_are_equal_and_not_compiled(fresh):
    first, *rest = [tumble.MjModel.from_xml_string(TEXT) for _ in range(5)]
    assert len(fresh) == 2
    for m in rest:
        assert bits(m) == bits(first)
        assert m.geom("ball").id == 0 and m.opt.timestep == 0.003


def test_models_are_independent(fresh):
    for _ in range(3):
        m = tumble.MjModel.from_xml_string(TEXT)
        assert m.body_mass[1] > 1 and m.opt.timestep == 0.003 and m.stat.extent == 3
        m.body_mass[:], m.opt.timestep, m.stat.extent, m.geom_size[:] = 0.5, 0.1, 7.0, 9.0
        m.names = m.names.replace(b"ball", b"bell")
    assert tumble.MjModel.from_xml_string(TEXT).geom("ball").size[0] == 0.1


def test_edits_of_indices_are_noticed(fresh):
    for _ in range(4):
        m = tumble.MjModel.from_xml_string(TEXT)
    d = tumble.MjData(m)
    tumble.mj_step(m, d)
    m.jnt_bodyid[0] = 99
    with pytest.raises(tumble.engine.InvalidModel, match="jnt_bodyid"):
        tumble.mj_step(m, d)


def test_simulations_are_equal(fresh):
    ends = []
    for _ in range(4):
        m = tumble.MjModel.from_xml_string(TEXT)
        d = tumble.MjData(m)
        d.ctrl[0] = 1
        tumble.mj_step(m, d, 50)
        ends.append(d.qpos.tobytes())
    assert len(set(ends)) == 1


def test_spec_of_a_copy(fresh, tmp_path):
    saved = []
    for k in range(4):
        m = tumble.MjModel.from_xml_string(TEXT)
        m.geom_size[0, 0] = 0.3 + k
        tumble.mj_saveLastXML(str(tmp_path / "x.xml"), m)
        saved.append((tmp_path / "x.xml").read_text().replace(f"{0.3 + k:g}", "size"))
    assert len(set(saved)) == 1 and 'name="ball" size="size"' in saved[0]


def test_spec_begins_with_the_release_of_its_load(fresh):
    for _ in range(3):
        m = tumble.MjModel.from_xml_string(TEXT)
    tumble.compat = "4.0"
    try:
        assert m.storage.spec.compat_bits == 0
        assert tumble.MjModel.from_xml_string(TEXT).compat == "4.0"
    finally:
        tumble.compat = None
    assert tumble.MjModel.from_xml_string(TEXT).compat == "3.4"
    assert tumble.MjModel.from_xml_string(TEXT, compat="4.0").compat == "4.0"


def test_assets_decide(fresh):
    text = '<mujoco><include file="part.xml"/></mujoco>'
    part = '<mujoco><worldbody><geom size="{}"/></worldbody></mujoco>'
    for size in (1, 1, 1, 2, 2, 2, 1):
        m = tumble.MjModel.from_xml_string(text, {"part.xml": part.format(size).encode()})
        assert m.geom_size[0, 0] == size
    assert len(fresh) == 4


def test_other_files_are_read_again(fresh, tmp_path):
    (tmp_path / "main.xml").write_text('<mujoco><include file="part.xml"/></mujoco>')
    for size in (1, 1, 1, 2):
        (tmp_path / "part.xml").write_text(f'<mujoco><worldbody><geom size="{size}"/></worldbody></mujoco>')
        assert tumble.MjModel.from_xml_path(str(tmp_path / "main.xml")).geom_size[0, 0] == size
    assert len(fresh) == 4


def test_files_decide_by_their_stamps(fresh, tmp_path, monkeypatch):
    monkeypatch.setattr(resources, "SETTLED", -1)
    (tmp_path / "main.xml").write_text('<mujoco><asset><mesh file="a.obj"/></asset><include file="part.xml"/></mujoco>')
    (tmp_path / "a.obj").write_text("v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\n")
    part = '<mujoco><worldbody><geom size="{}"/><geom type="mesh" mesh="a"/></worldbody></mujoco>'

    def loads(count, size):
        for _ in range(count):
            m = tumble.MjModel.from_xml_path(str(tmp_path / "main.xml"))
            assert m.geom_size[0, 0] == size and m.nmeshvert == 4

    # the third load is a copy, until a file changes or goes
    (tmp_path / "part.xml").write_text(part.format(1))
    loads(4, 1)
    assert len(fresh) == 2
    (tmp_path / "part.xml").write_text(part.format(2))
    loads(3, 2)
    assert len(fresh) == 3
    (tmp_path / "a.obj").unlink()
    with pytest.raises(ValueError, match=r"a\.obj"):
        loads(1, 2)


def test_callbacks_take_part(fresh):
    for _ in range(3):
        tumble.MjModel.from_xml_string(TEXT)
    called = []
    tumble.set_mjcb_passive(lambda m, d: called.append(1))
    try:
        tumble.MjModel.from_xml_string(TEXT)
    finally:
        tumble.set_mjcb_passive(None)
    assert len(fresh) == 3


def test_warnings_are_repeated(fresh):
    text, told = TEXT.replace("<option", '<compiler settotalmass="3" compat="4.0"/><option'), []
    tumble.set_mju_user_warning(told.append)
    try:
        for _ in range(4):
            tumble.MjModel.from_xml_string(text)
    finally:
        tumble.set_mju_user_warning(None)
    assert len(told) == 4


def test_bounded():
    for k in range(3 * again.MOST):
        for _ in range(2):
            tumble.MjModel.from_xml_string(f'<mujoco model="{k}"/>')
    assert len(again._KNOWN) <= again.MOST
    names = f'<mujoco model="{"x" * 200_000}"/>'
    for _ in range(3):
        assert tumble.MjModel.from_xml_string(names).nnames > 200_000


def test_errors_are_repeated(fresh):
    for _ in range(3):
        with pytest.raises(ValueError, match="unknown"):
            tumble.MjModel.from_xml_string(TEXT.replace('joint="hinge"', 'joint="hindge"'))


def test_copies_free_their_memory(fresh):
    models = [tumble.MjModel.from_xml_string(TEXT) for _ in range(4)]
    alive = [weakref.ref(m) for m in models]
    del models
    gc.collect()
    assert not any(ref() for ref in alive)


def test_copy_keeps_everything():
    import copy

    m = tumble.MjModel.from_xml_string(TEXT)
    m.opt.gravity[:] = 1, 2, 3
    m.vis.map.znear, m.stat.extent = 0.5, 9.0
    assert bits(copy.copy(m)) == bits(m)
    assert np.array_equal(copy.deepcopy(m).opt.gravity, [1, 2, 3])
