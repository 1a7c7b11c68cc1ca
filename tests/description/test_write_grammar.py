"""Every element and attribute of the language gives the same Model when it is set, read, written and read again, here and in
MuJoCo.
"""

import io
import struct
import xml.etree.ElementTree as ET

import mujoco
import numpy as np
import pytest
from PIL import Image

from tests.tolerance import ITER, SOLVE
from tumble.engine.description.language.fields import TABLES
from tumble.engine.description.language.newer_rows import attribute_of
from tumble.engine.description.language.schema import BODY, FRAME, REPLICATE, ROOT
from tumble.engine.description.read.parse import spec_from_string

from .grammar_cases import ELSEWHERE, LEFT, PLUGINS, ROWS, SCENES
from .test_assets import OBJ
from .test_write import different

ACTUATOR = '<general name="act" joint="j0" dyntype="integrator"/>'
# text that contains an element of these sections
INSERTED = {
    "actuator/plugin": {
        "PLUGINS": PLUGINS,
        "ACTUATORS": '<plugin plugin="mujoco.pid" joint="j0"/><plugin instance="pid" joint="j1"/>',
    },
    "extension": {"PLUGINS": PLUGINS, "ACTUATORS": '<plugin instance="pid" joint="j0"/>'},
    "actuator": {"ACTUATORS": ""},
    "default": {"ACTUATORS": '<general joint="j0" lengthrange="0 1"/>'},
    "sensor/plugin": {
        "PLUGINS": '<extension><plugin plugin="mujoco.sensor.touch_grid"/></extension>',
        "SENSORS": '<plugin plugin="mujoco.sensor.touch_grid" objtype="site" objname="s0"><config key="size" value="2 3"/>'
        '<config key="fov" value="10 20"/></plugin>',
    },
}


def picture():
    file = io.BytesIO()
    Image.fromarray(np.arange(192, dtype=np.uint8).reshape(8, 8, 3)).save(file, "png")
    return file.getvalue()


def skin_file():
    """Three vertices, one face, one bone."""
    name = b"b".ljust(40, b"\0")
    return (
        struct.pack("<4i", 3, 0, 1, 1)
        + np.float32([0, 0, 0, 1, 0, 0, 0, 1, 0]).tobytes()
        + np.int32([0, 1, 2]).tobytes()
        + name
        + np.float32([0, 0, 0, 1, 0, 0, 0]).tobytes()
        + np.int32([3, 0, 1, 2]).tobytes()
        + np.float32([1, 1, 1]).tobytes()
    )


FILES = {
    "a.obj": OBJ.encode(),
    "a.png": picture(),
    "a.skn": skin_file(),
    "a.bin": struct.pack("<2i", 2, 2) + np.float32([0, 1, 2, 3]).tobytes(),
}


def paths(elem, path):
    """Paths of all elements of the grammar, each element of a body once."""
    for name, child in elem.children.items():
        here = f"{path}/{name}".lstrip("/")
        if child in (BODY, FRAME, REPLICATE) or child is elem:
            continue
        yield here, child
        yield from paths(child, here)


def grammar():
    """{path: element}: macros in the world, body elements in bodies."""
    found = {}
    for path, elem in paths(ROOT, ""):
        if path.startswith("worldbody/"):
            rest = path[len("worldbody/") :]
            if rest.split("/")[0] not in ("composite", "flexcomp"):
                path = "worldbody/body/" + rest
        found[path] = elem
    found.update({"worldbody/body": BODY, "worldbody/body/frame": FRAME, "worldbody/replicate": REPLICATE})
    return found


GRAMMAR = grammar()


def made_up(row, k):
    """A value for an attribute, as text, other than the element's default."""
    if row.kind == "word":
        return list(row.words)[-1]
    if row.kind in ("s", "file", "class"):
        return "word"
    # the reference knows only one coefficient of polynomials
    count = 1 if row.rest else max(row.low, 2 if row.high < 0 else min(row.high, 5))
    if row.kind == "i":
        return " ".join(["2"] * count)
    return " ".join(f"{0.11 + 0.013 * k + 0.07 * i:.3f}" for i in range(count))


def trial_values(path, trial):
    """({attribute: value}, removed attributes) of a trial."""
    elem, values, gone = GRAMMAR[path], {}, set()
    parts = [p for p in trial.lstrip("*").split(";") if p]
    given = {}
    for p in parts:
        name, equals, value = p.partition("=")
        if equals:
            given[name] = value
            gone.discard(name)
        else:
            gone.add(name if name[0] == "^" else name[1:])
    if trial.startswith("*"):
        values = {
            n: made_up(r, k)
            for k, (n, r) in enumerate(elem.attrs.items())
            if n not in gone and r.kind != "class" and not later(elem, n)
        }
    values.update({n: v for n, v in given.items() if n not in gone})
    return values, gone


def scene(path):
    """Root of the text for an element's trial, and the element's node."""
    text = next(t for start, t in SCENES if path.startswith(start))
    for start, pieces in INSERTED.items():
        if path.startswith(start):
            for key, piece in pieces.items():
                text = text.replace(key, piece)
    tag = path.split("/")[1] if "/" in path else ""
    text = text.replace("ACTUATORS", ACTUATOR).replace("SENSORS", "").replace("PLUGINS", "").replace("<ELEMENT/>", f"<{tag}/>")
    root = ET.fromstring(text)
    node = root.find(path) if tag_of(path) != "config" else None
    if node is None:
        node = root
        for part in path.split("/"):
            found = node.find(part) if part != "config" else None
            node = found if found is not None else ET.SubElement(node, part)
    return root, node


def tag_of(path):
    return path.rpartition("/")[2]


def later(elem, name):
    """Whether the reference lacks an attribute. Attributes of later releases are compared with records of 4.0.1 in
    tests/newer; ours have their own tests.
    """
    fields = TABLES.get(elem.struct, {})
    ours = name in elem.attrs and elem.attrs[name].field in fields and fields[elem.attrs[name].field].ours
    return name == "compat" or ours or attribute_of(elem.path, name) is not None


CASES = [(path, i) for path, trials in ROWS.items() for i in range(len(trials))]
CASES += [
    (path, -1)
    for path, elem in GRAMMAR.items()
    if path not in ROWS
    and path not in ELSEWHERE
    and set(elem.attrs) - {"name", "class"}
    and attribute_of(path.rpartition("/")[0], tag_of(path)) is None
]


@pytest.mark.parametrize("path, i", CASES, ids=[f"{p}:{i}" for p, i in CASES])
def test_attributes(path, i):
    root, node = scene(path)
    before = ET.tostring(root, encoding="unicode")
    values, gone = trial_values(path, ROWS[path][i] if i >= 0 else "*")
    for name in gone:
        node.attrib.pop(name, None)
        for child in node.findall(name):
            node.remove(child)
        for child in root.findall(f"{path.rpartition('/')[0]}/{name[1:]}") if name[0] == "^" else ():
            next(e for e in root.iter() if child in e).remove(child)
    for name, value in values.items():
        if name != "name" or "name" not in node.attrib:
            node.set(name, value)
    text = ET.tostring(root, encoding="unicode")
    assert text != before
    spec = spec_from_string(text, assets=FILES)
    first, written = spec.compile(), spec.to_xml()
    assert different(first, spec_from_string(written, assets=FILES).compile()) == [], written
    reference = mujoco.MjModel.from_xml_string(text, FILES)
    # the reference keeps the points of a cable in single precision
    tolerance = ITER if path.startswith("worldbody/composite") else SOLVE
    assert different(reference, mujoco.MjModel.from_xml_string(written, FILES), tolerance) == [], written


def test_every_attribute_is_tried():
    missing = {}
    for path, elem in GRAMMAR.items():
        if path in ELSEWHERE:
            continue
        tried = set(LEFT.get(path, ())) | {"class", "name"}
        for trial in ROWS.get(path, ["*"]):
            tried |= trial_values(path, trial)[0].keys()
        if left := [n for n in elem.attrs if n not in tried and not later(elem, n)]:
            missing[path] = left
    assert missing == {}
