"""The table of contacts, rows of the constraint problem, and the rules for the collision of two geoms equal the engine's."""

import numpy as np
import pytest

import tumble as mj
from tests.tolerance import ROUND
from tests.ui.models import VARIETY, pile
from tests.ui.null import Stage
from tumble.app.config import Config
from tumble.ui import intents as I
from tumble.ui import touch
from tumble.ui.element_names import name
from tumble.ui.panel import contacts

# all shapes at one point, related to each other in every way
TANGLE = """<mujoco>
  <option {option}><flag {flag}/></option>
  <worldbody>
    <geom name="floor" type="plane" size="1 1 .1"/><geom name="wall" type="plane" size="1 1 .1" euler="0 90 0"/>
    <geom name="stone" size=".2"/>
    <body name="post"><geom name="post" type="box" size=".1 .1 .1"/></body>
    <body name="ghost" mocap="true"><geom name="ghost" size=".15"/></body>
    <body name="a"><freejoint/><geom name="a0" size=".1"/><geom name="a1" type="box" size=".1 .1 .1" contype="2"\
 conaffinity="4"/>
      <body name="lump"><geom name="lump" type="capsule" size=".1 .1" pos="-.02 .03 0" euler="0 50 0"/></body>
      <body name="b"><joint/><geom name="b0" size=".12"/>
        <body name="c"><joint axis="1 0 0"/><geom name="c0" type="capsule" size=".1 .1" pos=".02 .01 .03"/></body></body></body>
    <body name="e"><freejoint/><geom name="e0" type="capsule" size=".1 .1" pos=".03 -.02 .01" euler="40 0 0"/>\
<geom name="e1" size=".1" contype="4" conaffinity="2"/></body>
    <body name="f"><freejoint/><geom name="f0" size=".1" contype="0" conaffinity="0"/></body>
  </worldbody>
  <contact><exclude name="no" body1="a" body2="e"/><pair name="yes" geom1="a0" geom2="f0"/><pair geom1="a1" geom2="b0"/>\
</contact>
</mujoco>"""


def model(xml, steps=0, compat=""):
    m = mj.MjModel.from_xml_string(xml, **({"compat": compat} if compat else {}))
    d = mj.MjData(m)
    mj.mj_forward(m, d)
    if steps:
        mj.mj_step(m, d, steps)
    return m, d


@pytest.mark.parametrize(
    ("option", "flag", "compat"),
    [
        ("", "", ""),
        ("", 'filterparent="disable"', ""),
        ("", 'contact="disable"', ""),
        ("", 'midphase="disable"', ""),
        ("", 'override="enable"', ""),
        ("", "", "4.0"),
    ],
)
def test_the_rules_are_the_engines(option, flag, compat):
    """All geoms overlap: exactly the pairs that the rules let collide have contacts."""
    m, d = model(TANGLE.format(option=option, flag=flag), compat=compat)
    touching = {tuple(sorted(map(int, pair))) for pair in np.asarray(d.contact.geom).reshape(-1, 2)[: d.ncon]}
    says = {(i, j) for i in range(m.ngeom) for j in range(i + 1, m.ngeom) if touch.collide(touch.why(m, d, i, j))}
    assert {(name(m, "geom", i), name(m, "geom", j)) for i, j in touching ^ says} == set()
    assert touching or "contact" in flag


@pytest.mark.parametrize(
    ("pair", "title", "verdict"),
    [
        (("a0", "e0"), "exclude", False),
        (("a0", "f0"), "pair", True),
        (("b0", "c0"), "parent and child", False),
        (("a0", "lump"), "move against each other", False),
        (("floor", "post"), "move against each other", False),
        (("e0", "f0"), "masks", False),
        (("floor", "a0"), "masks", True),
        (("b0", "e1"), "masks", False),
    ],
)
def test_a_pair_is_told_its_rule(pair, title, verdict):
    m, d = model(TANGLE.format(option="", flag=""))
    ids = [mj.mj_name2id(m, mj.mjtObj.mjOBJ_GEOM, n) for n in pair]
    for order in (ids, ids[::-1]):
        found = {rule.title: rule for rule in touch.why(m, d, *order)}
        assert found[title].verdict is verdict and found[title].text
    assert "contacts now" in found["near enough"].text


@pytest.mark.parametrize("cone", ["pyramidal", "elliptic"])
def test_forces_are_the_engines(cone):
    m, d = model(pile(20).replace("<mujoco>", f'<mujoco><option cone="{cone}"/>'), 400)
    found = touch.contacts(m, d)
    assert len(found) == d.ncon > 10
    for k in range(d.ncon):
        force = np.zeros(6)
        mj.mj_contactForce(m, d, k, force)
        np.testing.assert_allclose(found.force[k], force[:3], rtol=1e6 * ROUND, atol=1e6 * ROUND)
        assert found.find(found.key(k)) == k
    assert np.all(found.columns["use"] < 1.01) and found.find((0, 0, 5)) == -1
    assert set(found.columns) == set(touch.CONTACT_COLUMNS) and len(contacts.COLUMNS) == len(touch.CONTACT_COLUMNS)


def test_sorted_and_filtered():
    m, d = model(pile(20), 400)
    found = touch.contacts(m, d)
    every = touch.matching(m, found, "")
    for down in (False, True):
        values = found.columns["normal"][touch.ordered(found, every, "normal", down)]
        assert (np.diff(values if not down else -values) >= 0).all()
    text = name(m, "geom", int(found.geom[0, 1])).lower()
    rows = touch.matching(m, found, text)
    assert 0 < len(rows) < len(found) and all(any(text in name(m, "geom", int(g)).lower() for g in found.geom[k]) for k in rows)
    assert not len(touch.matching(m, found, "nothing of that name"))


def test_rows_have_names():
    """Each row of the constraint problem is described by its type and the names of its elements."""
    xml = (
        VARIETY.replace('active="false"', 'name="tie" active="true"')
        .replace('range="-1 2"', 'range="1 2" frictionloss=".1"')
        .replace("0 0 1", "0 0 .09", 1)
    )
    m, d = model(xml, 2)
    said = {touch.row_label(m, d, k) for k in range(d.nefc)}
    assert (
        ("equality", "tie") in said and ("limit of a joint", "hinge") in said and ("friction of a joint", "joint hinge") in said
    )
    assert any(kind.startswith("contact") and what == "geom 0 - geom 1" for kind, what in said)
    assert {int(k) for k in mj.mjtConstraint} == set(touch.KINDS)


@pytest.fixture
def stage(gui, tmp_path):
    m, d = model(pile(20), 400)
    return Stage(gui, m, d, Config(tmp_path / "s.json"))


def test_frozen_and_chosen(stage):
    """Frozen rows stay while the simulation continues; the chosen contact has a cone and a force in the scene."""
    stage.panel("contacts")
    state, marks = stage.scratch.of(contacts.Table), stage.scratch.of(contacts.Marks)
    live = touch.contacts(stage.m, stage.d)
    strong = int(np.argmax(live.columns["normal"]))
    state.chosen = live.key(strong)
    stage.panel("contacts")
    cone, ribs, arrow = marks.shapes
    marks.shapes = ()
    assert cone.ngeom == contacts.SIDES and ribs.ngeom == contacts.SIDES // 4 and arrow.ngeom == 1
    np.testing.assert_allclose(arrow.geom.pos[0], live.pos[strong], atol=1e-6)
    stage.view.pointed = (cone, arrow)
    assert stage.view.update().geom.rgba[stage.view.scn.ngeom - 1].tolist() == pytest.approx(list(contacts.RED))
    state.frozen = live
    mj.mj_resetData(stage.m, stage.d)
    mj.mj_forward(stage.m, stage.d)
    stage.panel("contacts")
    assert marks.shapes and len(state.frozen) == len(live)
    state.frozen = None
    marks.shapes = ()
    stage.panel("contacts")
    assert bool(marks.shapes) == (touch.contacts(stage.m, stage.d).find(state.chosen) >= 0)
    intent = contacts.fly(stage.m, live, strong)
    assert isinstance(intent, I.PlaceCamera) and intent.values["lookat"].tolist() == live.pos[strong].tolist()
