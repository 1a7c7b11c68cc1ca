"""Specs saved as written (savecompiled="false"): the text compiles to the same model, bit for bit in the original notation."""

import pathlib

import numpy as np
import pytest

import tumble
import tumble.v4 as newer
from tumble.engine.tables.schema import SCHEMAS

from .cases import CASES
from .scripts import HUNG, NESTED, NOTED, RESIZED

MODELS = sorted((pathlib.Path(__file__).resolve().parents[2] / "assets/models").glob("*.xml"))
# quaternions and end points, written and read again
ROUNDING = 1e-9
# lengths in single precision that were scaled
SINGLE = 1e-7
# arrays that hold locations of the source
PLACES = {"paths"}
ARRAYS = [field.name for field in SCHEMAS["MjModel"].arrays if field.name not in PLACES]


def different(one, other, tolerance):
    """Names of the fields that differ between two models."""
    found = [] if one.sizes() == other.sizes() else ["sizes"]
    for name in ARRAYS:
        x, y = np.asarray(getattr(one, name)), np.asarray(getattr(other, name))
        if x.shape != y.shape or not (
            np.allclose(x, y, tolerance, tolerance, equal_nan=True) if x.dtype.kind == "f" else np.array_equal(x, y)
        ):
            found.append(name)
    for name in ("opt", "vis", "stat"):
        found += [] if str(getattr(one, name)) == str(getattr(other, name)) or tolerance else [name]
    return found


@pytest.fixture
def of_later():
    """Load everything as in 4.0."""
    setattr(tumble, "compat", "4.0")
    yield
    setattr(tumble, "compat", None)


def saved(spec, canonical):
    spec.compiler.savecompiled, spec.compiler.savecanonical = 0, canonical
    again = tumble.MjSpec.from_string(spec.to_xml())
    again.modelfiledir, again.assets = spec.modelfiledir, spec.assets
    return again


@pytest.mark.usefixtures("of_later")
@pytest.mark.parametrize("canonical", [False, True], ids=["own notation", "canonical"])
@pytest.mark.parametrize(
    "text",
    [*(case[0] for case in CASES.values()), RESIZED.format("scale='2' massscale='3'"), NOTED.format("true")],
    ids=[*CASES, "scaled frames", "written"],
)
def test_texts(text, canonical):
    spec = tumble.MjSpec.from_string(text)
    assert not different(saved(spec, canonical).compile(), spec.compile(), ROUNDING if canonical else 0)


@pytest.mark.parametrize("path", MODELS, ids=lambda path: path.stem)
def test_models(path):
    spec = tumble.MjSpec.from_file(str(path))
    assert not different(saved(spec, False).compile(), spec.compile(), 0)


def test_frames_and_edits_are_kept():
    """Contents of frames keep their order among other elements, also where two frames hold types in different orders,
    and after edits.
    """
    spec = tumble.MjSpec.from_string(
        "<mujoco><worldbody><frame name='f' pos='1 0 0' euler='0 0 30'><geom name='a' size='.1'/></frame><geom "
        "name='b' size='.2'/>"
        "<frame name='g' pos='0 1 0'><site name='s'/></frame></worldbody></mujoco>"
    )
    f, g = spec.frame("f"), spec.frame("g")
    f.add_site(name="t")
    g.add_geom(name="c", size=[0.3, 0, 0])
    g.add_body(name="x").add_geom(size=[0.4, 0, 0])
    f.add_body(name="y").add_freejoint()
    spec.body("y").add_geom(size=[0.5, 0, 0])
    again = saved(spec, False)
    assert not different(again.compile(), spec.compile(), 0)
    assert [frame.name for frame in again.frames if frame.name] == ["f", "g"] and list(again.frame("f").alt.euler) == [0, 0, 30]


def test_attached_parts_are_brought_to_the_same_units():
    child = tumble.MjSpec.from_string(
        "<mujoco><compiler angle='radian' eulerseq='zyx'/><worldbody><body name='a' euler='.1 .2 .3'><joint "
        "range='-1 1' ref='.2'/>"
        "<geom type='box' size='.1 .2 .3' euler='.3 .2 .1'/></body></worldbody></mujoco>"
    )
    spec = tumble.MjSpec.from_string("<mujoco><worldbody><frame name='f' euler='10 20 30'/></worldbody></mujoco>")
    spec.frame("f").attach_body(child.body("a"), "x_", "")
    for canonical in (False, True):
        assert not different(saved(spec, canonical).compile(), spec.compile(), ROUNDING)
    child = tumble.MjSpec.from_string(
        "<mujoco><compiler inertiafromgeom='false'/><worldbody><body name='a'><geom size='.1'/></body></worldbody></mujoco>"
    )
    spec.frame("f").attach_body(child.body("a"), "y_", "")
    with pytest.raises(ValueError, match="inertiafromgeom"):
        spec.to_xml()


def test_keys_that_await_compilation_are_completed():
    spec = tumble.MjSpec.from_string(
        "<mujoco><worldbody><body name='a'><joint/><geom size='.1'/></body><body name='b'><joint/><geom size='.1'/>"
        "</body></worldbody>"
        "<keyframe><key name='k' time='2' qpos='1 2'/></keyframe></mujoco>"
    )
    spec.delete(spec.body("a"))
    again = saved(spec, False).compile()
    assert again.key_qpos.tolist() == [[2]] and again.key_time[0] == 2 and again.key(0).name == "k"


def test_inertias_that_were_inferred_are_saved_if_asked_for():
    spec = tumble.MjSpec.from_string(
        "<mujoco><compiler saveinertial='true'/><worldbody><body name='a'><joint/><geom size='.1' pos='1 0 0'/>"
        "</body></worldbody></mujoco>"
    )
    again = saved(spec, False)
    assert again.body("a").explicitinertial and np.allclose(again.compile().body_inertia, spec.compile().body_inertia, ROUNDING)


def test_changes_of_a_model_are_saved():
    spec = tumble.MjSpec.from_string(
        "<mujoco><compiler savecompiled='false' savecanonical='false'/><worldbody><body><joint name='j' range='-10 10'/>"
        "<geom type='capsule' size='.1' fromto='0 0 0 0 0 1'/></body></worldbody></mujoco>"
    )
    m = spec.compile()
    m.geom_size[0, 0], m.jnt_range[0] = 0.2, (-1, 1)
    assert 'fromto="0 0 0 0 0 1"' in spec.to_xml()
    spec.copy_back(m)
    text = spec.to_xml()
    assert "savecompiled" not in text and "fromto" not in text
    again = tumble.MjModel.from_xml_string(text)
    assert again.geom_size[0, 0] == 0.2 and np.allclose(again.jnt_range[0], (-1, 1), ROUNDING)


def test_what_a_text_cannot_say_is_an_error():
    spec = tumble.MjSpec.from_string(
        "<mujoco><default><geom mass='2'/></default><worldbody><geom name='g' size='.1'/></worldbody></mujoco>"
    )
    spec.compiler.savecompiled = 0
    assert 'geom mass="2"' in spec.to_xml()
    spec.geom("g").mass = np.nan
    with pytest.raises(ValueError, match="geom 'g' has no mass"):
        spec.to_xml()


@pytest.mark.parametrize("order", ["trilinear", "quadratic"])
def test_nodes_of_flexes_are_saved(order):
    """Specs saved as written keep nodes in any release, and canonical texts since 3.12. Before, nodes were left out with a
    warning, and the text had no shape.
    """
    spec = tumble.MjSpec.from_string(HUNG.format(order))
    m = spec.compile()
    with pytest.warns(UserWarning, match="offsets of nodes"):
        assert "nodecoord" not in spec.to_xml()
    assert m.flex_node.any() and not different(saved(spec, True).compile(), m, 0)
    spec.compiler.savecompiled, spec.compiler.compat = 1, "3.12"
    assert np.array_equal(tumble.MjModel.from_xml_string(spec.to_xml()).flex_node, m.flex_node)
    with pytest.raises(ValueError, match="the number of nodes"):
        tumble.MjSpec.from_string(spec.to_xml().replace(order, {"trilinear": "quadratic", "quadratic": "trilinear"}[order]))


FRAMED = {
    **{name: case[0] for name, case in CASES.items() if "<frame" in case[0]},
    "scaled": RESIZED.format("scale='2' massscale='3'"),
    "noted": NOTED.format("true"),
    "nested": NESTED,
    "childclass": "<mujoco><default><default class='c'><geom size='.3'/></default></default><worldbody><frame childclass='c' "
    "pos='1 0 0'><geom/>"
    "<body><freejoint/><geom/></body></frame><geom size='.1'/></worldbody></mujoco>",
}


@pytest.mark.usefixtures("of_later")
@pytest.mark.parametrize("name", FRAMED)
def test_frames_survive_saving_of_what_was_compiled(name):
    """Since 3.14, compiled specs are saved with their frames, in the order of the elements. Before, contents of frames were
    written with their pose in the body.
    """
    spec = tumble.MjSpec.from_string(FRAMED[name].replace('savecompiled="false"', ""))
    m, text = spec.compile(), spec.to_xml()
    # texts do not contain the width of tendons that are sums of joints, which frames scale, too
    assert set(different(tumble.MjModel.from_xml_string(text), m, SINGLE)) <= {"tendon_width"}
    assert text.count("<frame") >= len(spec.frames)
    again = tumble.MjSpec.from_string(text)
    assert again.to_xml().count("<frame") == text.count("<frame")


def test_frames_are_not_saved_before():
    spec = tumble.MjSpec.from_string(NESTED)
    assert 'pos="1 2 3"' not in spec.to_xml()
    assert not different(tumble.MjModel.from_xml_string(spec.to_xml()), spec.compile(), ROUNDING)


@pytest.mark.usefixtures("of_later")
def test_changes_of_a_model_are_seen_from_its_frames(tmp_path):
    m = tumble.MjModel.from_xml_string(NESTED)
    m.geom_pos[0] += (0.1, 0, 0)
    m.body_pos[1] += (0, 0.2, 0)
    tumble.mj_saveLastXML(str(tmp_path / "m.xml"), m)
    again = tumble.MjModel.from_xml_path(str(tmp_path / "m.xml"))
    assert np.allclose(again.geom_pos, m.geom_pos, ROUNDING, ROUNDING) and np.allclose(
        again.body_pos, m.body_pos, ROUNDING, ROUNDING
    )
    assert "<frame" in (tmp_path / "m.xml").read_text()


PLAIN = """<mujoco model="m">
  <compiler angle="radian"/>

  <worldbody>
    <geom size="1"/>
  </worldbody>
</mujoco>
"""


def test_what_the_release_assumes_is_not_written(tmp_path):
    """Only values that differ from the release's defaults are saved, and not its name, which MuJoCo itself would refuse."""
    path = tmp_path / "m.xml"
    m, spec = newer.MjModel.from_xml_string(PLAIN), newer.MjSpec.from_string(PLAIN)
    newer.mj_saveLastXML(str(path), m)
    assert spec.to_xml().strip() == PLAIN.strip() == path.read_text().strip()
    # texts with keys are written from a compiled model
    assert "<option" not in newer.MjSpec.from_string(PLAIN.replace("</mu", "<keyframe><key/></keyframe></mu")).to_xml()

    given = PLAIN.replace("/>", '/><option sleep_tolerance="0.0001"><flag multiccd="disable"/></option>', 1)
    m, spec = newer.MjModel.from_xml_string(given), newer.MjSpec.from_string(given)
    newer.mj_saveLastXML(str(path), m)
    for text in (spec.to_xml(), path.read_text()):
        assert 'sleep_tolerance="0.0001"' in text and 'multiccd="disable"' in text
        again = newer.MjModel.from_xml_string(text)
        assert again.opt.sleep_tolerance == 1e-4 and again.opt.disableflags == m.opt.disableflags

    # another interface would assume other values
    assert 'compat="4.0"' in tumble.MjSpec.from_string(PLAIN.replace("/>", ' compat="4.0"/>', 1)).to_xml()
