"""Edits of several elements, copies, pastes and moves into other bodies, without a window. The tests compare the file's text
and the model.
"""

from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest
from PIL import Image

import tumble as mj
from tests.app.test_editing import MODELS, Session, id_of, text
from tumble.app import needs
from tumble.app.edits import found
from tumble.engine.description.language.errors import SpecError
from tumble.engine.description.rewrite import snippet
from tumble.ui import intents as I

SCENE = """<mujoco>
  <compiler angle="degree"/>
  <default>
    <default class="red"><geom rgba="1 0 0 1"/></default>
  </default>
  <asset>
    <material name="tin" rgba=".5 .5 .5 1"/>
  </asset>
  <worldbody>
    <body name="a" pos="0 0 1" euler="0 0 90" childclass="red">
      <joint name="hinge" axis="0 0 1" range="-45 90"/>
      <frame pos="0 0 .5" euler="90 0 0">
        <geom name="tip" type="box" size=".1 .2 .3" pos="0 .1 0"/>
      </frame>
      <!-- kept -->
      <body name="b" pos=".5 0 0">
        <geom name="ball" size=".1"/>
        <site name="mark"/>
      </body>
    </body>
    <body name="c" pos="1 1 0" axisangle="1 1 0 30">
      <geom name="block" type="box" size=".1 .1 .1" material="tin"/>
    </body>
    <body name="loose" pos="3 0 0"><freejoint/><geom name="free" size=".1"/></body>
  </worldbody>
  <actuator>
    <motor name="drive" joint="hinge"/>
  </actuator>
</mujoco>
"""


class Board:
    """A clipboard."""

    def __init__(self):
        self.text = ""

    def copy(self, text):
        self.text = text

    def pasted(self):
        return self.text


@pytest.fixture
def scene(tmp_path):
    (tmp_path / "m.xml").write_text(SCENE)
    return Session(tmp_path / "m.xml")


def of(session, *pairs):
    """(kind, id) of elements by name."""
    return [(kind, id_of(session.snapshot.m, kind, name)) for kind, name in pairs]


def warnings(session):
    return [said for level, said in session.notes if level == "warning"]


def undone(session):
    for intent in session.undo.back().back:
        session.editing.patch(intent)


def refused(session):
    """Load the file as the window does; return whether the model refuses it, and the edit was undone."""
    try:
        session.show()
    except (ValueError, mj.FatalError) as failure:
        session.document.failure = SimpleNamespace(message=str(failure))
    session.editing.follow()
    return bool(session.show()) and "Not done" in str(session.notes[-1:])


def world(m, kind, index, q=0.7):
    """Pose of an element in the world, with the hinge turned."""
    d = mj.MjData(m)
    d.qpos[m.jnt_qposadr[id_of(m, "joint", "hinge")]] = q
    mj.mj_kinematics(m, d)
    pos, mat = {"body": ("xpos", "xmat"), "geom": ("geom_xpos", "geom_xmat"), "site": ("site_xpos", "site_xmat")}[kind]
    return np.array([*getattr(d, pos)[index], *getattr(d, mat)[index].ravel()])


def test_a_field_goes_to_all_selected(scene):
    first, *also = of(scene, ("geom", "ball"), ("geom", "block"), ("geom", "tip"))
    m = scene.ask(I.EditElement(*first, (("friction", "0.25"),), also=tuple(also)))
    assert text(scene).count('friction="0.25"') == 3 and len(scene.undo.done) == 1
    assert all(m.geom_friction[i, 0] == 0.25 for _kind, i in (first, *also))
    undone(scene)
    assert text(scene) == SCENE


def test_several_are_deleted_at_once(scene):
    """An element inside another deleted element is deleted with it, and only once."""
    first, *also = of(scene, ("geom", "ball"), ("body", "b"), ("geom", "block"))
    m = scene.ask(I.DeleteElement(*first, also=tuple(also)))
    assert m.nbody == 4 and id_of(m, "body", "b") < 0 and id_of(m, "geom", "block") < 0 and "<!-- kept -->" in text(scene)
    undone(scene)
    assert text(scene) == SCENE


def test_duplicates_have_new_names_inside_too(scene):
    [[kind, index]] = of(scene, ("body", "a"))
    m = scene.ask(I.DuplicateElement(kind, index))
    for name in ("a_2", "b_2"):
        assert id_of(m, "body", name) > 0
    assert id_of(m, "joint", "hinge_2") >= 0 and id_of(m, "site", "mark_2") >= 0
    np.testing.assert_array_equal(m.geom_rgba[id_of(m, "geom", "ball_2")], m.geom_rgba[id_of(m, "geom", "ball")])
    assert text(scene).count("      <!-- kept -->\n") == 2, "the copy has the indentation of the original"
    assert scene.editing.select() == ("body", id_of(m, "body", "a_2")), "the copy is selected"
    undone(scene)
    assert text(scene) == SCENE
    # duplicate two elements whose copies would get the same name
    m = scene.show()
    m = scene.ask(I.DuplicateElement(*of(scene, ("geom", "ball"))[0]))
    first, *also = of(scene, ("geom", "ball"), ("geom", "ball_2"))
    m = scene.ask(I.DuplicateElement(*first, also=tuple(also)))
    assert {id_of(m, "geom", name) >= 0 for name in ("ball_3", "ball_4")} == {True} and not warnings(scene)


def test_pasted_between_files(scene, tmp_path):
    """A pasted element keeps its class, its pose in the frame and its angles, so it looks the same in the other model."""
    board = Board()
    other = tmp_path / "other.xml"
    before = '<mujoco><default><default class="red"><geom rgba="1 0 0 1"/></default></default><compiler angle="radian"/>\n'
    before += '  <worldbody>\n    <body name="a" pos="0 0 1"><geom size=".1"/></body>\n  </worldbody>\n</mujoco>\n'
    other.write_text(before)
    there = Session(other)
    scene.editing.of_selection("copy", of(scene, ("body", "a"), ("actuator", "drive")), board)
    there.editing.of_selection("paste", [], board)
    m, old = there.show(), scene.snapshot.m
    assert not warnings(there) and m.nu == 1
    assert id_of(m, "body", "a_2") > 0 and m.actuator_trnid[0, 0] == id_of(m, "joint", "hinge")
    np.testing.assert_allclose(m.jnt_range, [old.jnt_range[id_of(old, "joint", "hinge")]], atol=1e-7)
    for name in ("tip", "ball"):
        i, j = id_of(m, "geom", name), id_of(old, "geom", name)
        np.testing.assert_allclose(world(m, "geom", i), world(old, "geom", j), atol=1e-6)
        np.testing.assert_array_equal(m.geom_rgba[i], old.geom_rgba[j])
    # move a geom out of a frame, into a body
    scene.editing.of_selection("copy", of(scene, ("geom", "tip")), board)
    there.editing.of_selection("paste", of(there, ("body", "a")), board)
    m = there.show()
    [i] = [g for g in range(m.ngeom) if m.geom_bodyid[g] == 1 and m.geom_type[g] == int(mj.mjtGeom.mjGEOM_BOX)]
    np.testing.assert_allclose(m.geom_pos[i], old.geom_pos[id_of(old, "geom", "tip")], atol=1e-7)
    assert m.geom_rgba[i].tolist() == [1, 0, 0, 1]
    for _ in range(2):
        undone(there)
    assert other.read_text() == before


def png(path, color):
    path.parent.mkdir(exist_ok=True)
    Image.fromarray(np.full((4, 4, 3), color, np.uint8)).save(path)


RICH = """<mujoco>
  <compiler texturedir="pictures" meshdir="shapes"/>
  <default>
    <geom friction=".7"/>
    <default class="part">
      <geom rgba="1 0 0 1" condim="4"/>
      <default class="small"><geom rgba="0 1 0 1"/><site size=".02"/></default>
    </default>
  </default>
  <asset>
    <texture name="dots" type="2d" file="dots.png"/>
    <material name="dotted" texture="dots"/>
    <mesh file="wedge.obj"/>
    <mesh name="unused" vertex="0 0 0 1 0 0 0 1 0 0 0 1"/>
  </asset>
  <worldbody>
    <body name="a"><geom name="g" class="small" type="mesh" mesh="wedge" material="dotted"/><site class="small"/></body>
  </worldbody>
</mujoco>
"""
WEDGE = "v 0 0 0\nv .1 0 0\nv 0 .1 0\nv 0 0 .1\nf 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\n"


def rich(folder):
    """A model with nested classes, and with a mesh and a texture in folders other than the default ones."""
    png(folder / "pictures" / "dots.png", 100)
    (folder / "shapes").mkdir()
    (folder / "shapes" / "wedge.obj").write_text(WEDGE)
    (folder / "rich.xml").write_text(RICH)
    return Session(folder / "rich.xml")


def test_what_pasted_elements_need_comes_along(tmp_path):
    """Pasting adds classes with all inherited attributes, materials, their textures, and meshes, unless the model has them."""
    board, source = Board(), rich(tmp_path)
    other = tmp_path / "models" / "other.xml"
    other.parent.mkdir()
    before = "<mujoco>\n  <worldbody/>\n</mujoco>\n"
    other.write_text(before)
    (tmp_path / "beside.xml").write_text(before)
    source.editing.of_selection("copy", of(source, ("body", "a")), board)

    # in the same folder, but with other folders for assets
    there = Session(tmp_path / "beside.xml")
    there.editing.of_selection("paste", [], board)
    m, old = there.show(), source.snapshot.m
    assert not warnings(there) and (m.nmesh, m.nmat, m.ntex) == (1, 1, 1)
    g = id_of(m, "geom", "g")
    assert m.geom_condim[g] == 4 and m.site_size[0, 0] == old.site_size[0, 0] == 0.02
    np.testing.assert_array_equal(m.geom_rgba[g], old.geom_rgba[0])
    np.testing.assert_array_equal(m.tex_data, old.tex_data)
    assert str(tmp_path) not in (tmp_path / "beside.xml").read_text(), "files are named as from the model"

    # pasting a second time adds only the element
    there.editing.of_selection("paste", [], board)
    m = there.show()
    assert (m.nbody, m.nmesh, m.nmat, m.ntex) == (3, 1, 1, 1) and not warnings(there)
    for _ in range(2):
        undone(there)
    assert (tmp_path / "beside.xml").read_text() == before

    # pasting into the model itself adds only the element
    source.editing.of_selection("paste", [], board)
    m = source.show()
    assert (m.nbody, m.nmesh, m.nmat) == (3, 2, 1) and (tmp_path / "rich.xml").read_text().count("<default") == 3


@pytest.mark.parametrize(
    "more", ["<option gravity='0 0 9'/>", "<default><geom rgba='1 0 0 1'/></default>", "<asset", "<asset><bad/></asset>"]
)
def test_what_is_not_needed_changes_nothing(scene, more):
    board = Board()
    board.text = "<geom size='.1'/>\n" + needs.MARK + more
    scene.editing.of_selection("paste", [], board)
    assert text(scene) == SCENE and len(warnings(scene)) == 1 and not scene.undo.done


def test_sections_are_made(scene, tmp_path):
    board = Board()
    (tmp_path / "bare.xml").write_text("<mujoco>\n  <worldbody/>\n</mujoco>\n")
    bare = Session(tmp_path / "bare.xml")
    scene.editing.of_selection("copy", of(scene, ("material", "tin"), ("geom", "block")), board)
    bare.editing.of_selection("paste", [], board)
    m = bare.show()
    assert m.nmat == 1 and m.geom_matid.tolist() == [0] and not warnings(bare)


@pytest.mark.parametrize(
    "words",
    [
        "",
        "hello",
        "<geom size='.1'",
        "<include file='/etc/passwd'/>",
        "<body><include file='other.xml'/></body>",
        "<option gravity='0 0 9'/>",
        "<compiler meshdir='/'/>",
        "<visual><global fovy='1'/></visual>",
        "<extension><plugin plugin='x'/></extension>",
        "<default><geom rgba='1 0 0 1'/></default>",
        "<geom size='.1' sise='.1'/>",
        "<!DOCTYPE a [<!ENTITY b SYSTEM 'file:///etc/passwd'>]><geom name='&b;' size='.1'/>",
        "</mujoco><mujoco><geom size='.1'/>",
        "<mujoco><worldbody><geom size='.1'/></worldbody></mujoco>",
        "<geom size='.1'/>" * 80_000,
    ],
)
def test_what_is_no_element_changes_nothing(scene, words):
    board = Board()
    board.text = words
    scene.editing.of_selection("paste", [], board)
    assert text(scene) == SCENE and len(warnings(scene)) == 1 and not scene.undo.done


def test_a_model_that_does_not_load_is_restored(scene):
    """If a pasted text fits the grammar but does not compile, the file keeps its bytes, and there is nothing to undo."""
    board = Board()
    board.text = '<geom size=".1" material="none such"/>'
    scene.editing.of_selection("paste", [], board)
    assert text(scene) != SCENE
    assert refused(scene)
    assert text(scene) == SCENE and not scene.undo.done and scene.document.failure is None
    assert "none such" in warnings(scene)[0]


@pytest.mark.parametrize("kind,name", [("body", "b"), ("geom", "tip"), ("site", "mark"), ("body", "c"), ("geom", "block")])
@pytest.mark.parametrize("goal", ["world", "c", "b", "a"])
def test_moved_into_another_body_it_stays_where_it_is(scene, kind, name, goal):
    """A moved element keeps its appearance and its pose on screen, even if a joint is turned there."""
    m, d = scene.snapshot.m, scene.snapshot.d
    d.qpos[m.jnt_qposadr[id_of(m, "joint", "hinge")]] = 0.7
    mj.mj_kinematics(m, d)
    index, body = id_of(m, kind, name), id_of(m, "body", goal)
    before, colors = world(m, kind, index), {g: m.geom_rgba[id_of(m, "geom", g)].tolist() for g in ("ball", "tip", "block")}
    m = scene.ask(I.MoveInto(kind, index, body))
    if warnings(scene):
        own = m.body_parentid[index] if kind == "body" else getattr(m, f"{kind}_bodyid")[index]
        assert text(scene) == SCENE and (own == body or (kind, name) == ("body", goal))
        return
    index = id_of(m, kind, name)
    np.testing.assert_allclose(world(m, kind, index), before, atol=1e-6)
    assert {g: m.geom_rgba[id_of(m, "geom", g)].tolist() for g in colors} == colors
    own = m.body_parentid[index] if kind == "body" else getattr(m, f"{kind}_bodyid")[index]
    assert own == id_of(m, "body", goal)
    undone(scene)
    assert text(scene) == SCENE


def test_a_free_body_stays_in_the_world(scene):
    [[kind, index]] = of(scene, ("body", "loose"))
    scene.ask(I.MoveInto(kind, index, 1))
    assert text(scene) == SCENE and "free joint" in warnings(scene)[0]


def test_random_moves_keep_every_pose(tmp_path):
    """In an example with classes and frames, moving any element into any body moves nothing on screen."""
    path = tmp_path / "m.xml"
    path.write_text((MODELS / "humanoid.xml").read_text())
    session, rng, done = Session(path), np.random.default_rng(1), 0
    for _ in range(25):
        m = session.snapshot.m
        d = mj.MjData(m)
        mj.mj_kinematics(m, d)
        before = {mj.mj_id2name(m, mj.mjtObj.mjOBJ_GEOM, g): d.geom_xpos[g].copy() for g in range(m.ngeom)}
        session.snapshot.d = d
        kind = ("geom", "body", "site")[rng.integers(3)]
        count = {"geom": m.ngeom, "body": m.nbody, "site": m.nsite}[kind]
        if not count:
            continue
        notes = len(warnings(session))
        session.editing.ask(I.MoveInto(kind, int(rng.integers(count)), int(rng.integers(m.nbody))))
        refused(session)
        m = session.snapshot.m
        done += len(warnings(session)) == notes
        d = mj.MjData(m)
        mj.mj_kinematics(m, d)
        for g in range(m.ngeom):
            np.testing.assert_allclose(d.geom_xpos[g], before[mj.mj_id2name(m, mj.mjtObj.mjOBJ_GEOM, g)], atol=1e-5)
    assert done > 8


def test_names_count_on():
    assert snippet.fresh("a", {"a"}) == "a_2" and snippet.fresh("a_9", {"a_9", "a_10"}) == "a_11"
    with pytest.raises(SpecError):
        snippet.parts("<worldbody/>")
    assert Path(MODELS).is_dir()


def test_a_urdf_is_not_edited_as_mjcf(tmp_path):
    """URDF and MJCF have the same tag for joints, but an MJCF attribute would make the URDF file invalid."""
    path = tmp_path / "two.urdf"
    path.write_bytes((MODELS / "two_link.urdf").read_bytes())
    m = mj.import_model(str(path)).compile()
    with pytest.raises(SpecError, match="written in URDF"):
        found(m, "joint", 0)
