"""A fault in a model raises an error that names its location."""

import re

import mujoco
import pytest

import tumble
from tumble.engine import MjModel
from tumble.engine.description.language.schema import ROOT


def world(text, head=""):
    return f"<mujoco>\n{head}\n<worldbody>\n{text}\n</worldbody>\n</mujoco>"


CASES = {
    "unknown attribute": (world('<geom sise="1"/>'), "sise.*size"),
    "unknown element": (world("<gem/>"), "gem.*geom"),
    "unknown root": ("<mujocco/>", "mujoco"),
    "bad number": (world('<geom size="a"/>'), "line 4"),
    "nan": (world('<geom size="nan"/>'), "NaN"),
    "too many": (world('<geom size="1 2 3 4"/>'), "too many"),
    "too few": (world('<body pos="1 2"/>'), "not enough"),
    "keyword": (world('<geom type="spere" size="1"/>'), "spere.*sphere"),
    "duplicate": (world('<geom name="a" size="1"/><geom name="a" size="1"/>'), "'a'"),
    "class": (world('<geom class="x" size="1"/>'), "'x'"),
    "reference": (
        world('<body name="arm"><joint name="elbow"/><geom size="1"/></body>').replace(
            "</mujoco>", '<actuator><motor joint="elbo"/></actuator></mujoco>'
        ),
        "elbo.*elbow",
    ),
    "two orientations": (world('<body euler="1 2 3" quat="1 0 0 0"/>'), "orientation"),
    "two inertial orientations": (
        world('<body><inertial pos="0 0 0" mass="1" quat="1 0 0 0" fullinertia="1 1 1 0 0 0"/></body>'),
        "fullinertia",
    ),
    "key of another size": (
        world(
            '<replicate count="2"><body><joint/><geom size="1"/></body></replicate>', '<keyframe><key qpos="1 2"/></keyframe>'
        ),
        "line 2.*key.*qpos",
    ),
    "no integer": (world('<geom size="1" group=""/>'), "group.*integer"),
    "contacts of a sensor": (
        world('<geom name="a" size="1"/>', '<sensor><contact geom1="a" num="2147483647" data="found force"/></sensor>'),
        "2147483647 contacts.*line 2.*contact",
    ),
    "too small": (world('<geom size="1" pos="0 1e-400 0"/>'), "pos.*too small"),
    "too small for its field": (world('<geom size="1" rgba="1e-40 0 0 1"/>'), "rgba.*too small"),
    "too small in a long list": (
        world("", f'<asset><mesh name="m" vertex="1e-42 {"1 " * 299}"/></asset>'),
        "vertex.*too small",
    ),
    "resolution beyond its integer": (world('<camera resolution="3e9 1"/>'), "resolution.*2147483647.*line 4"),
    "negative resolution": (world('<camera resolution="1 -1"/>'), "line 4.*resolution.*negative"),
    "word for a switch": (world("", '<compiler strippath="x"/>'), "strippath.*true"),
    "path of copies": (
        world(
            '<replicate count="2"><site name="s"/></replicate>',
            '<tendon><spatial><site site="t"/><site site="s"/></spatial></tendon>',
        ),
        "'t'",
    ),
    "no mass": (world("<body><joint/></body>"), "mass"),
    "size": (world('<geom size="-1"/>'), "positive"),
    "broken": ("<mujoco><worldbody>", "line"),
    "empty": ("", "."),
    "entity": ('<!DOCTYPE x [<!ENTITY a "aa"><!ENTITY b "&a;&a;">]><mujoco>&b;</mujoco>', "."),
    "missing file": (world("", '<asset><mesh name="m" file="nowhere.stl"/></asset>'), "nowhere.stl"),
    "missing include": (world("", '<include file="nowhere.xml"/>'), "nowhere.xml"),
    "flexcomp": (world('<flexcomp name="f" type="grid" count="3 3 1" spacing=".001 .1 .1"/>'), "spacing"),
    "composite": (world('<composite type="grid" count="3 3 1"/>'), "flexcomp"),
}


@pytest.mark.parametrize("name", CASES)
def test_error_names_the_place(name):
    xml, pattern = CASES[name]
    with pytest.raises(ValueError) as info:
        MjModel.from_xml_string(xml)
    assert re.search(pattern, str(info.value), re.IGNORECASE | re.DOTALL), str(info.value)


def test_cyclic_include():
    with pytest.raises(ValueError):
        MjModel.from_xml_string(
            '<mujoco><include file="a.xml"/></mujoco>', {"a.xml": '<mujoco><include file="a.xml"/></mujoco>'}
        )


def test_error_in_an_included_file():
    with pytest.raises(ValueError, match=r"part\.xml.*line 2"):
        MjModel.from_xml_string(
            '<mujoco><include file="part.xml"/></mujoco>',
            {"part.xml": '<mujoco><worldbody>\n<geom sise="1"/></worldbody></mujoco>'},
        )


def test_deep_nesting_is_no_crash():
    depth = 3000
    xml = world("<body>" * depth + "</body>" * depth)
    try:
        MjModel.from_xml_string(xml)
    except (ValueError, RecursionError) as error:
        assert isinstance(error, ValueError)


def test_damaged_text_is_a_value_error_or_a_model():
    import random

    source = world('<body pos="0 0 1"><joint type="ball"/><geom size=".1 .2" type="capsule"/></body><light pos="1 2 3"/>')
    rng = random.Random(3)
    for _ in range(300):
        text = list(source)
        for _ in range(rng.randint(1, 4)):
            text[rng.randrange(len(text))] = rng.choice('<>"/= .-9az')
        try:
            MjModel.from_xml_string("".join(text))
        except ValueError:
            pass


def test_size_of_the_language():
    seen, elements, attributes = set(), 0, 0

    def count(elem):
        nonlocal elements, attributes
        if id(elem) in seen:
            return
        seen.add(id(elem))
        elements += 1
        attributes += len(elem.attrs)
        for child in elem.children.values():
            count(child)

    count(ROOT)
    assert elements > 150 and attributes > 1300


MISSING = {
    "mesh": "<mujoco><asset><mesh name='m' file='no.stl'/></asset></mujoco>",
    "texture": "<mujoco><asset><texture name='m' type='2d' file='no.png'/></asset></mujoco>",
    "hfield": "<mujoco><asset><hfield name='m' file='no.png' size='1 1 1 1'/></asset></mujoco>",
    "skin": "<mujoco><deformable><skin name='m' file='no.skn'/></deformable></mujoco>",
    "include": "<mujoco><include file='no.xml'/></mujoco>",
    "model": "<mujoco><asset><model name='m' file='no.xml'/></asset></mujoco>",
    "flexcomp": "<mujoco><worldbody><flexcomp name='f' type='mesh' file='no.obj'/></worldbody></mujoco>",
}


@pytest.mark.parametrize("case", MISSING)
def test_a_missing_file_is_said_in_the_words_of_the_reference(case):
    """The error contains the reference's words, for which scripts may search, and the location in the file."""
    texts = []
    for package in (mujoco, tumble):
        with pytest.raises(ValueError) as caught:
            package.MjModel.from_xml_string(MISSING[case])
        texts.append(str(caught.value))
    words = f"Error opening file 'no.{texts[0].partition('no.')[2][:3]}': No such file or directory"
    assert all(words in text for text in texts) and "line 1" in texts[1]


@pytest.mark.parametrize(
    ("kind", "call", "name"),
    [
        ("MjModel", "from_xml_path", "nowhere/model.xml"),
        ("MjModel", "from_xml_path", "nowhere/model.urdf"),
        ("MjModel", "from_xml_path", ""),
        ("MjSpec", "from_file", "nowhere/model.xml"),
    ],
)
def test_a_missing_model_is_said_in_the_words_of_the_reference(kind, call, name):
    texts = []
    for package in (mujoco, tumble):
        with pytest.raises(ValueError) as caught:
            getattr(getattr(package, kind), call)(name)
        texts.append(str(caught.value))
    assert texts[0] == texts[1]
