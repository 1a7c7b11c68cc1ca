"""Every element, attribute and keyword of 4.0.1 is read, or refused by name with its release: never ignored, never unknown."""

import json
import pathlib

import pytest

import tumble
from tumble.engine.description.language import schema
from tumble.engine.description.language.attributes import Word
from tumble.engine.description.language.newer_rows import ROWS, attribute_of, is_neutral, word_of

FACTS = json.loads((pathlib.Path(__file__).parent / "language.json").read_text())
# names in the manual's brackets that are not enumerations; sets of words that are texts here
NO_WORDS = {"tendon-spatial", "actuator-position-inheritrange"}
# words that the manual lists in a separate table: types of generated meshes
IN_TABLES = {"square"}


def known_elements():
    """{path in the grammar: element}."""
    found, waiting = {}, [schema.ROOT]
    while waiting:
        elem = waiting.pop()
        path = "" if elem is schema.ROOT else elem.path
        if path not in found:
            found[path] = elem
            waiting += elem.children.values()
    found["body"] = schema.BODY
    return found


ELEMENTS = known_elements()


def refused(path, name):
    """The row that refuses an attribute or a child of an element, or any element that contains it."""
    parent, _, last = path.rpartition("/")
    return attribute_of(path, name) or (parent and refused(parent, last)) or attribute_of(parent, last)


@pytest.mark.parametrize("path", FACTS["elements"])
def test_every_attribute_is_known(path):
    elem = ELEMENTS.get("" if path == "mujoco" else path)
    if elem is None:
        parent, _, name = path.rpartition("/")
        assert refused(parent, name), path
        return
    missing = [name for name in FACTS["elements"][path] if name not in elem.attrs and attribute_of(elem.path, name) is None]
    assert not missing


@pytest.mark.parametrize("label", [label for label in FACTS["keywords"] if label not in NO_WORDS])
def test_every_keyword_is_known(label):
    *place, name = label.split("-")
    rows = [e.attrs[name] for p, e in ELEMENTS.items() if name in e.attrs and p.split("/")[-1] == place[-1]]
    if not rows:
        # the attribute itself is refused, or its element
        paths = [
            "/".join(place),
            *(f"{section}/{place[-1]}" for section in ("body", "actuator", "deformable", "deformable/flex")),
        ]
        assert any(attribute_of(path, name) or refused(path, name) for path in paths), label
    for row in rows:
        if isinstance(row, Word):
            assert not [w for w in FACTS["keywords"][label] if w not in row.words and word_of(row.set, w) is None]


def test_rows_are_of_the_language():
    """Every row of the table of later names is for a name that 4.0.1 has."""
    words = {name for attrs in FACTS["elements"].values() for name in attrs} | {p.split("/")[-1] for p in FACTS["elements"]}
    words |= {w for words in FACTS["keywords"].values() for w in words} | IN_TABLES | {"+"}
    assert not [row for row in ROWS if row.name not in words]


MODEL = (
    "<mujoco><option{option}/><worldbody><geom type='plane' size='1 1 .1'{geom}/><body{body}><joint name='j' "
    "type='hinge'/><geom size='.1'/></body>"
    "</worldbody>{more}</mujoco>"
)


@pytest.mark.parametrize(
    ("parts", "word"),
    [
        ({"more": "<compiler passthrough='textures'/>"}, "'passthrough' needs MuJoCo 3.17"),
        ({"more": "<option><flag ipc='enable'/></option>"}, "'ipc' needs MuJoCo 3.14"),
    ],
)
def test_what_is_not_simulated_is_refused_by_name(parts, word):
    with pytest.raises(ValueError, match=word):
        tumble.MjModel.from_xml_string(MODEL.format_map({"option": "", "geom": "", "body": "", "more": ""} | parts))


def test_values_that_ask_for_nothing_are_read():
    xml = MODEL.format(option="", geom="", body=" simple='auto'", more="<compiler conflict='warning'/>")
    assert tumble.MjModel.from_xml_string(xml).nbody == 2
    assert [row.name for row in ROWS if row.neutral and not is_neutral(row, row.neutral)] == []
