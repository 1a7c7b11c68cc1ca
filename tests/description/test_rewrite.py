"""Edits of source text: changed bytes, sources of compiled elements, poses in the notation of their source."""

import math
import shutil
from pathlib import Path

import numpy as np
import pytest

import tumble as mj
from tests.description import rewriting
from tumble.engine.description.language.errors import SpecError
from tumble.engine.description.language.orient import normal, resolve
from tumble.engine.description.language.types import AXISANGLE, EULER, XYAXES
from tumble.engine.description.rewrite import numbers, origin, patch, pose, tags

MODELS = Path(__file__).resolve().parents[2] / "assets/models"
# orientations through other notations and back
TURNED = 1e-9


def edited(text, name, values, which=0):
    """A text with attributes of a named element changed."""
    found = [tag for tag in tags.read_tags(text) if tag.name == name][which]
    patches = patch.set_attributes(text, found, values)
    new = patch.apply(text, patches)
    assert patch.apply(new, patch.reverse(patches)) == text
    return new


@pytest.mark.parametrize(
    "old, values, new",
    [
        (b'<a><g size="1"/></a>', {"size": "2"}, b'<a><g size="2"/></a>'),
        (b"<a><g size = '1'  rgba='x'/></a>", {"rgba": "it's <&"}, b"<a><g size = '1'  rgba='it&apos;s &lt;&amp;'/></a>"),
        (b"<a><g/></a>", {"pos": "1"}, b'<a><g pos="1"/></a>'),
        (b"<a><g ></g></a>", {"pos": "1"}, b'<a><g pos="1" ></g></a>'),
        (b"<a><g\r\n\tsize='1'\r\n\tmass='2'\r\n/></a>", {"pos": "1"}, b"<a><g\r\n\tsize='1'\r\n\tmass='2' pos='1'\r\n/></a>"),
        (b'<a><g\n size="1"\n mass="2"/></a>', {"mass": None}, b'<a><g\n size="1"/></a>'),
        (b'<a><g size="1" euler="2"/></a>', {"euler": None, "quat": "3"}, b'<a><g size="1" quat="3"/></a>'),
        (b'<a><g euler="2" size="1"/></a>', {"euler": None, "quat": "3"}, b'<a><g size="1" quat="3"/></a>'),
        (
            b'<a><!-- <g size="0"/> --><t><![CDATA[<g size="0">]]></t><g note="a>b" size="1"/></a>',
            {"size": "2"},
            b'<a><!-- <g size="0"/> --><t><![CDATA[<g size="0">]]></t><g note="a>b" size="2"/></a>',
        ),
        ('\ufeff<a>ä<g näme="é" size="1"/></a>'.encode(), {"näme": "ü"}, '\ufeff<a>ä<g näme="ü" size="1"/></a>'.encode()),
        (
            b'\n<?xml version="1.0"?><!-- a--b & \xff --><a><g x="&quot;" size="1"/></a> rest',
            {"size": "2"},
            b'\n<?xml version="1.0"?><!-- a--b & \xff --><a><g x="&quot;" size="2"/></a> rest',
        ),
    ],
)
def test_only_the_value_changes(old, values, new):
    assert edited(old, "g", values) == new


def test_a_file_that_is_no_utf8_gets_references():
    assert edited(b'<a><!-- \xe4 --><g size="1"/></a>', "g", {"size": "ä"}) == b'<a><!-- \xe4 --><g size="&#228;"/></a>'


def test_a_text_that_is_no_xml_is_refused():
    with pytest.raises(SpecError, match="not well-formed"):
        tags.read_tags(b'<a><g size="1"rgba="2"/></a>', "x.xml")


@pytest.mark.parametrize(
    "old, new",
    [
        (
            b"<a>\n  <b>\n    <g/>\n    <c/>\n  </b>\n</a>\n",
            b'<a>\n  <b>\n    <g/>\n    <g size="1"/>\n    <c/>\n  </b>\n</a>\n',
        ),
        (
            b"<a>\r\n\t<b>\r\n\t\t<c/> <!-- why -->\r\n\t</b>\r\n</a>",
            b'<a>\r\n\t<b>\r\n\t\t<c/> <!-- why -->\r\n\t\t<g size="1"/>\r\n\t</b>\r\n</a>',
        ),
        (b"<a>\n    <b name='x' />\n</a>", b"<a>\n    <b name='x'>\n        <g size=\"1\"/>\n    </b>\n</a>"),
        (b"<a>\n  <b>\n  </b>\n</a>", b'<a>\n  <b>\n    <g size="1"/>\n  </b>\n</a>'),
        (b"<a><b><g/><c/></b></a>", b'<a><b><g/><g size="1"/><c/></b></a>'),
    ],
)
def test_an_element_is_put_in_and_taken_out_again(old, new):
    inside = next(tag for tag in tags.read_tags(old) if tag.name == "b")
    patches = patch.add_element(old, inside, "g", {"size": "1"})
    assert patch.apply(old, patches) == new
    assert patch.apply(new, patch.reverse(patches)) == old
    if b"</b>" in old and b"<b>\n  </b>" not in old:
        fresh = next(tag for tag in tags.read_tags(new) if tag.name == "g" and new[tag.begin : tag.inside] == b'<g size="1"/>')
        assert patch.apply(new, patch.delete_element(new, fresh)) == old


def test_patches_meet_the_text_that_they_were_made_for():
    with pytest.raises(ValueError, match="not the expected text"):
        patch.apply(b"abc", [patch.Patch(1, b"x", b"y")])


def test_the_root_stays():
    text = b"<a><b/></a>"
    with pytest.raises(SpecError, match="root"):
        patch.delete_element(text, tags.read_tags(text)[0])


@pytest.mark.parametrize(
    "values, old, text",
    [
        ((1, 2.5, 0), "1.0  2 0", "1.0 2.5 0"),
        ((1, 2, 3), " 1 2.0 3e0", " 1 2.0 3e0"),
        ((0.1 + 0.2, 1e-17, -4), "", "0.3 0 -4"),
        ((1 / 3,), "x", "0.33333333"),
    ],
)
def test_numbers_that_did_not_change_keep_their_words(values, old, text):
    assert numbers.numbers_text(values, old) == text


def random_quats(count, seed=3):
    rng = np.random.default_rng(seed)
    yield from ((1.0, 0, 0, 0), (0.0, 1, 0, 0), (0.0, 0, 1, 0), (0.0, 0, 0, 1.0), (math.sqrt(0.5), 0, math.sqrt(0.5), 0))
    for _ in range(count):
        yield normal(rng.normal(size=4).tolist())[0]


@pytest.mark.parametrize("sequence", ["xyz", "XYZ", "zyx", "zxz", "XZX", "yxz", "YZY"])
@pytest.mark.parametrize("degree", [True, False])
def test_every_orientation_has_angles(sequence, degree):
    for quat in random_quats(60):
        said = pose.express(EULER, (0.0, 0.0, 0.0), quat, degree, sequence)
        assert said is not None
        again, _ = resolve((1.0, 0, 0, 0), (EULER, said), degree, sequence)
        assert abs(abs(np.dot(again, quat)) - 1) < TURNED


@pytest.mark.parametrize("sequence", ["xxy", "xYz"])
def test_axes_that_leave_no_way_are_left(sequence):
    assert pose.express(EULER, (0.0, 0.0, 0.0), (0.5, 0.5, 0.5, -0.5), True, sequence) is None


@pytest.mark.parametrize("form", [AXISANGLE, XYAXES])
def test_every_orientation_has_axes(form):
    for quat in random_quats(60):
        said = pose.express(form, (), quat, True, "xyz")
        again, _ = resolve((1.0, 0, 0, 0), (form, said), True, "xyz")
        assert abs(abs(np.dot(again, quat)) - 1) < TURNED


def test_angles_stay_near_those_that_were_written():
    assert (
        numbers.numbers_text(
            pose.express(
                EULER, (350.0, 100.0, 0.0), resolve((1.0, 0, 0, 0), (EULER, (352.0, 100.0, 0.0)), True, "xyz")[0], True, "xyz"
            )
        )
        == "352 100 0"
    )


SCENE = """<mujoco>
  <default><default class="thin"><geom type="capsule" size=".02 .1" rgba="1 0 0 1"/></default></default>
  <include file="part.xml"/>
  <worldbody>
    <frame pos="1 0 0" euler="0 0 90"><geom name="inframe" size=".1" pos=".5 0 0"/></frame>
    <replicate count="3" offset="1 0 0"><geom name="many" class="thin" pos="0 1 0"/></replicate>
    <composite type="cable" prefix="c" count="5 1 1" curve="s 0 0" size="1"><geom type="capsule" size=".01"/></composite>
  </worldbody>
</mujoco>
"""
PART = '<mujoco><worldbody><body name="b"><geom name="far" size=".1"/></body></worldbody></mujoco>\n'


@pytest.fixture
def scene(tmp_path):
    (tmp_path / "scene.xml").write_text(SCENE)
    (tmp_path / "part.xml").write_text(PART)
    return str(tmp_path / "scene.xml")


def which(m, name, kind="geom"):
    return origin.origin_of(m, kind, m.geom(name).id if kind == "geom" else m.body(name).id)


def test_where_elements_come_from_and_what_else_changes(scene):
    m = mj.MjModel.from_xml_path(scene)
    far, many = which(m, "far"), which(m, "many1")
    assert far.file.endswith("part.xml") and far.ids == (m.geom("far").id,)
    assert len(many.ids) == 3 and many.inherits == "thin" and many.elem.path == "body/geom"
    assert ["part.xml" in text for text in origin.consequences(far, origin.source_of(far)[1], scene)] == [True]
    assert [
        "3 elements, because of <replicate>" in text for text in origin.consequences(many, origin.source_of(many)[1], scene)
    ] == [True]
    assert origin.consequences(which(m, "inframe"), origin.source_of(which(m, "inframe"))[1], scene) == []


def test_what_macros_make_is_refused_with_a_reason(scene):
    m = mj.MjModel.from_xml_path(scene)
    with pytest.raises(SpecError, match="<composite>"):
        origin.origin_of(m, "geom", m.ngeom - 1)
    with pytest.raises(SpecError, match="not in a file"):
        origin.origin_of(mj.MjModel.from_xml_string("<mujoco><worldbody><geom size='1'/></worldbody></mujoco>"), "geom", 0)


def test_a_file_that_changed_meanwhile_is_refused(scene):
    m = mj.MjModel.from_xml_path(scene)
    Path(scene).write_text("\n" + SCENE)
    with pytest.raises(SpecError, match="reload it first"):
        origin.source_of(which(m, "inframe"))


def test_a_motion_in_the_body_is_one_in_the_frame(scene):
    m = mj.MjModel.from_xml_path(scene)
    found = which(m, "inframe")
    assert pose.moved(found, found.element.parent, ((0.0, 0.25, 0.0), (1.0, 0, 0, 0))) == {"pos": "0.75 0 0"}


@pytest.mark.parametrize(
    "attributes, changes",
    [
        ('type="capsule" fromto="0 0 0 0 0 1" size=".1"', {"fromto": "0 0 -1 0 0 2", "size": "0.2"}),
        ('type="box" size=".1 .2 .3"', {"size": "0.2 0.6 0.9"}),
        ('type="sphere" size=".1"', {"size": "0.3"}),
        ('type="plane" size="0 1 .5"', {"size": "0 3 .5"}),
        ('type="cylinder" size=".1 .2"', {"size": "0.3 0.6"}),
    ],
)
def test_sizes(tmp_path, attributes, changes):
    (tmp_path / "m.xml").write_text(f"<mujoco><worldbody><geom {attributes}/></worldbody></mujoco>")
    m = mj.MjModel.from_xml_path(str(tmp_path / "m.xml"))
    factors = (2.0, 2.0, 3.0) if "fromto" in attributes else (2.0, 3.0, 3.0)
    assert pose.scaled(origin.origin_of(m, "geom", 0), factors) == changes


def test_random_edits_of_our_models(tmp_path):
    """The model of the edited text equals the edited model bit for bit, only one tag changes, and undo restores the bytes."""
    folder = shutil.copytree(MODELS, tmp_path / "models", ignore=shutil.ignore_patterns("pictures"))
    done, failed = rewriting.run(sorted(folder.glob("*.xml")), 150, seed=11)
    assert not failed
    assert sum(count for what, count in done.items() if what[:1] != "(") >= 150
