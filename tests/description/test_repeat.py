"""Compilations of a spec without edits in between: a copy of the model equals a new compilation, and each edit is noticed."""

import numpy as np
import pytest

import tumble
from tests.description.test_again import bits
from tumble.engine.description.compile import driver, repeat

TEXT = """<mujoco model="often"><option timestep=".003"/>
  <default><default class="thin"><geom size=".02 .3"/></default></default>
  <asset><material name="blue" rgba="0 0 1 1"/><hfield name="hills" file="hills.bin" size="1 1 1 .1"/></asset>
  <worldbody><geom type="hfield" hfield="hills"/>
  <body name="a" pos="0 0 1" childclass="thin"><freejoint/><geom name="rod" type="capsule" user="1 2" euler="10 0 0"/>
    <frame name="f" pos=".1 0 0"><site name="s"/></frame></body>
  <body name="b" pos="1 0 1"><joint name="hinge" range="-60 60"/><geom name="ball" size=".1" material="blue"/>
    <site name="t"/><camera name="c"/><light name="l"/></body></worldbody>
  <contact><pair geom1="rod" geom2="ball"/></contact><equality><weld body1="a" body2="b" active="false"/></equality>
  <tendon><spatial name="rope"><site site="s"/><site site="t"/></spatial></tendon>
  <actuator><motor name="motor" joint="hinge"/></actuator><sensor><jointpos joint="hinge"/></sensor>
  <custom><numeric name="n" data="1 2 3"/><text name="x" data="some"/></custom>
  <keyframe><key name="k" ctrl="1"/></keyframe></mujoco>"""
HILLS = np.array([3, 3], np.int32).tobytes() + np.linspace(0, 1, 9, dtype=np.float32).tobytes()
OTHER_HILLS = HILLS[:8] + HILLS[40:] + HILLS[8:40]
# compilations after which the model of an unedited spec is copied
KNOWN = 5


@pytest.fixture
def compiled(monkeypatch):
    """A list with one entry for each time a spec was really compiled, not copied."""
    made, back = [], driver.back
    monkeypatch.setattr(driver, "back", lambda c: made.append(1) or back(c))
    return made


def often(text=TEXT, assets=None):
    """Return a spec whose model is known."""
    spec = tumble.MjSpec.from_string(text, assets={"hills.bin": HILLS} if assets is None else assets)
    for _ in range(KNOWN):
        spec.compile()
    assert spec.repeated.model is not None
    return spec


def fresh(spec):
    """Return the model of a copy of the spec, which was never compiled."""
    return spec.copy().compile()


def test_the_fifth_compilation_is_a_copy(compiled):
    spec = tumble.MjSpec.from_string(TEXT, assets={"hills.bin": HILLS})
    models = [spec.compile() for _ in range(7)]
    assert len(compiled) == KNOWN - 1
    assert all(bits(m) == bits(models[0]) for m in models)


def test_copies_are_independent_and_belong_to_the_spec(compiled):
    spec = often()
    for _ in range(3):
        m = spec.compile()
        assert m.opt.timestep == 0.003 and m.geom("ball").size[0] == 0.1
        m.opt.timestep, m.geom_size[:] = 1.0, 9.0
    assert spec.geom("ball").id == m.geom("ball").id and spec.signature == m.signature
    spec.geom("ball").size[0] = 0.2
    assert spec.recompile(m, tumble.MjData(m))[0].geom("ball").size[0] == 0.2
    assert 0 < spec.timer[0] < 1


def move(spec):
    spec.geom("ball").pos[1] = 0.3


def turn(spec):
    spec.geom("rod").alt.euler[2] = 1


def grow_user(spec):
    spec.geom("rod").userdata[0] = 7


def rename(spec):
    spec.camera("c").name = "u"


def widen(spec):
    spec.joint("hinge").range[1] = 2


def wrap(spec):
    spec.tendons[0].wrap_site("s")


def add(spec):
    spec.body("b").add_geom(size=[0.1, 0, 0])


def delete(spec):
    spec.delete(spec.camera("c"))


def shift_frame(spec):
    spec.body("a").frames[0].pos[2] = 0.4


def retime(spec):
    spec.option.timestep = 0.004


def degrees(spec):
    spec.compiler.degree = False


def fix(spec):
    spec.compiler.LRopt.tolrange = 0.07
    spec.stat.extent = 4


def look(spec):
    spec.visual.map.znear = 0.5


def weigh(spec):
    spec.compiler.settotalmass = 3


def replace_file(spec):
    spec.assets = {"hills.bin": OTHER_HILLS}


def count(spec):
    spec.numerics[0].data = [4.0, 5.0, 6.0]


def say(spec):
    spec.texts[0].data = "other"


def key(spec):
    spec.keys[0].ctrl = [0.5]


def activate(spec):
    spec.equalities[0].active = True


EDITS = (
    move,
    turn,
    grow_user,
    rename,
    widen,
    wrap,
    add,
    delete,
    shift_frame,
    retime,
    degrees,
    fix,
    look,
    weigh,
    replace_file,
    count,
    say,
    key,
    activate,
)


@pytest.mark.parametrize("edit", EDITS, ids=lambda f: f.__name__)
def test_edits_are_noticed(edit, compiled):
    spec = often()
    before = bits(spec.compile())
    edit(spec)
    made = len(compiled)
    m = spec.compile()
    assert len(compiled) == made + 1
    assert bits(m) == bits(fresh(spec)) != before


def test_an_edit_that_is_undone_is_no_edit(compiled):
    spec = often()
    spec.geom("ball").size[0] = 0.2
    spec.geom("ball").size[0] = 0.1
    made = len(compiled)
    spec.compile()
    assert len(compiled) == made


def test_changed_files_are_noticed(compiled, tmp_path, monkeypatch):
    (tmp_path / "hills.bin").write_bytes(HILLS)
    (tmp_path / "model.xml").write_text(TEXT)
    # as if the file had been written long ago
    monkeypatch.setattr("tumble.engine.description.files.repeatable.is_settled", lambda _: True)
    spec = tumble.MjSpec.from_file(str(tmp_path / "model.xml"))
    for _ in range(KNOWN + 1):
        m = spec.compile()
    assert len(compiled) == KNOWN - 1
    (tmp_path / "hills.bin").write_bytes(OTHER_HILLS)
    assert (spec.compile().hfield_data != m.hfield_data).any()


def test_callbacks_take_part():
    spec = often()
    tumble.set_mjcb_passive(lambda m, d: None)
    try:
        assert repeat.begin(spec) is None
    finally:
        tumble.set_mjcb_passive(None)
    assert repeat.begin(spec) is not None


def test_warnings_are_repeated():
    text, told = TEXT.replace("<option", '<compiler settotalmass="3" compat="4.0"/><option'), []
    spec = tumble.MjSpec.from_string(text, assets={"hills.bin": HILLS})
    tumble.set_mju_user_warning(told.append)
    try:
        for _ in range(KNOWN + 1):
            spec.compile()
    finally:
        tumble.set_mju_user_warning(None)
    assert len(told) == KNOWN + 1


def test_a_spec_that_is_edited_each_time_is_seldom_looked_at(monkeypatch):
    looks, state_of = [], repeat.state_of
    monkeypatch.setattr(repeat, "state_of", lambda spec: looks.append(1) or state_of(spec))
    spec = tumble.MjSpec.from_string(TEXT, assets={"hills.bin": HILLS})
    for k in range(200):
        spec.geom("ball").size[0] = 0.1 + 0.001 * k
        assert spec.compile().geom("ball").size[0] == spec.geom("ball").size[0]
    assert 3 < len(looks) < 12


def test_large_arrays_are_not_compared():
    points = np.random.default_rng(0).normal(size=(60000, 3)).ravel()
    spec = tumble.MjSpec()
    spec.add_numeric(name="n", data=points)
    spec.compile()
    assert repeat.begin(spec) is None
