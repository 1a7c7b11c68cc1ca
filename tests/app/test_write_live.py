"""Values changed in the running model are written into its source: afterwards, the files compile to the same numbers."""

import numpy as np
import pytest

import tumble as mj
from tests.app.test_editing import MODELS, Session, text
from tests.app.test_edits import undone, warnings
from tumble.app.edits import in_settings
from tumble.engine.description import live
from tumble.engine.description.rewrite import patch
from tumble.ui import intents as I

SCENE = """<mujoco>
  <compiler angle="degree"/>
  <default><default class="soft"><geom solref=".03 1"/></default></default>
  <worldbody>
    <light name="sun" pos="0 0 3"/>
    <camera name="eye" pos="0 -2 1" fovy="50"/>
    <body name="a" pos="0 0 1">
      <joint name="hinge" range="-45 90" damping=".1"/>
      <geom name="ball" size=".1" class="soft"/>
    </body>
  </worldbody>
  <actuator>
    <position name="servo" joint="hinge" kp="10"/>
  </actuator>
  <keyframe><key name="home" qpos="0"/></keyframe>
</mujoco>
"""
# (field of the model, index, value)
CHANGES = (
    ("opt.timestep", None, 0.0005),
    ("opt.gravity", None, (0, 0, -1.62)),
    ("opt.integrator", None, 3),
    ("opt.disableflags", None, 1 << 4),
    ("opt.enableflags", None, 2),
    ("vis.map.force", None, 0.3),
    ("geom_rgba", 0, (0.1, 0.2, 0.3, 1)),
    ("geom_solref", 0, (0.02, 1.5)),
    ("dof_damping", 0, 0.7),
    ("jnt_range", 0, (-1.0, 0.5)),
    ("dof_armature", 0, 0.05),
    ("light_diffuse", 0, (0.1, 0.2, 0.3)),
    ("cam_fovy", 0, 35.0),
    ("key_qpos", (0, 0), 0.25),
)


def put(m, path, index, value):
    owner = m
    *way, name = path.split(".")
    for part in way:
        owner = getattr(owner, part)
    if index is None and not hasattr(getattr(owner, name), "shape"):
        setattr(owner, name, value)
    else:
        getattr(owner, name)[... if index is None else index] = value


def numbers(m):
    fields = [np.ravel(getattr(m, path)) for path, *_ in CHANGES if "." not in path]
    return np.concatenate(
        [*fields, np.ravel(m.opt.gravity), [m.opt.timestep, m.opt.integrator, m.opt.disableflags, m.vis.map.force]]
    )


def written(session, kind="", index=-1):
    """Write what was changed, and load the file again."""
    session.editing.write_live(I.WriteSource(kind, index))
    session.editing.search.thread.join(60)
    session.editing.follow()
    return session.show()


@pytest.fixture
def scene(tmp_path):
    (tmp_path / "m.xml").write_text(SCENE)
    return Session(tmp_path / "m.xml")


def test_all_changes_are_in_the_file_and_one_undo_takes_them_back(scene):
    m = scene.snapshot.m
    for change in CHANGES:
        put(m, *change)
    again = written(scene)
    assert not warnings(scene) and text(scene) != SCENE
    np.testing.assert_allclose(numbers(again), numbers(m), atol=1e-7)
    assert 'range="-57.29578 28.64789"' in text(scene) and 'name="ball" size=".1" class="soft"' in text(scene)
    assert live.changes(again) == [], "nothing is left to write"
    undone(scene)
    assert text(scene) == SCENE and not scene.undo.done


def test_each_change_by_itself(scene, tmp_path):
    for k, change in enumerate(CHANGES):
        path = tmp_path / f"m{k}.xml"
        path.write_text(SCENE)
        one = Session(path)
        put(one.snapshot.m, *change)
        before = numbers(one.snapshot.m)
        np.testing.assert_allclose(numbers(written(one)), before, atol=1e-7)
        assert not warnings(one), change


def test_only_one_element_or_section(scene):
    m = scene.snapshot.m
    for change in CHANGES:
        put(m, *change)
    again = written(scene, "geom", 0)
    assert again.geom_rgba[0, 0] == np.float32(0.1) and again.opt.timestep == 0.002
    put(again, "opt.timestep", None, 0.0005)
    put(again, "geom_rgba", 0, (1, 1, 1, 1))
    again = written(scene, "option")
    assert again.opt.timestep == 0.0005 and again.geom_rgba[0, 0] == np.float32(0.1) and again.dof_damping[0] == 0.1


def test_servos_are_written_with_their_own_words(scene):
    m = scene.snapshot.m
    m.actuator_gainprm[0, 0], m.actuator_biasprm[0, 1], m.actuator_biasprm[0, 2] = 25, -25, -2
    again = written(scene)
    assert 'kp="25" kv="2"' in text(scene) and again.actuator_biasprm[0, :3].tolist() == [0, -25, -2]


def test_what_no_text_can_say_is_told(scene):
    m = scene.snapshot.m
    m.actuator_gainprm[0, 3] = 7
    m.body_mass[1] = 5
    written(scene)
    assert text(scene) == SCENE and "Not written" in warnings(scene)[0]


@pytest.mark.parametrize("model", ["arm", "humanoid", "cradle"])
def test_nothing_was_changed(model, tmp_path):
    """A model that was not edited has nothing to write, in any notation of its text."""
    path = MODELS / f"{model}.xml"
    if not path.exists():
        pytest.skip("not among the models here")
    assert live.changes(mj.MjModel.from_xml_path(str(path))) == []


def test_values_that_are_unset_are_left_out_of_a_new_section():
    data = b'<mujoco>\n  <option timestep="0.01"/>\n</mujoco>\n'
    parts = {"": {"gravity": None}, "flag": {"contact": "disable", "energy": None}}
    for before, after in (
        (data, b'<mujoco>\n  <option timestep="0.01">\n    <flag contact="disable"/>\n  </option>\n</mujoco>\n'),
        (b"<mujoco/>\n", b'<mujoco>\n  <option>\n    <flag contact="disable"/>\n  </option>\n</mujoco>\n'),
    ):
        [change] = in_settings(before, "option", parts)
        assert patch.apply(before, [change]) == after
        assert patch.apply(after, patch.reverse([change])) == before, "one undo takes all of it back"


def test_options_of_posing_mode_are_not_written(scene, tmp_path):
    before = (tmp_path / "m.xml").read_text()
    scene.posing = True
    scene.editing.write_live(I.WriteSource())
    assert scene.editing.search is None and "posing mode" in scene.notes[-1][1]
    assert (tmp_path / "m.xml").read_text() == before
