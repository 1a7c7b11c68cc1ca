"""Elements that refer to others, as MJCF: contacts, flexes and skins, equalities, tendons, actuators, keyframes."""

import warnings
from typing import Any

import numpy as np

from ...tables.actuator_rows import PARAMETERS, TYPE, among, are
from ...tables.compat_rows import holds
from ...tables.equality_rows import ANCHORS, BY_NUMBER
from ..compile.custom import resting
from ..compile.servos import neutral_controls
from ..elements.element import Element
from ..elements.elements import MjsWrap
from ..language.fields import TABLES, FieldRow
from ..language.keywords import word_of
from ..language.types import OBJ_SITE, WRAP_JOINT, WRAP_PULLEY, WRAP_SITE
from ..language.xml_text import number, numbers, singles
from ..language.xmltree import Node
from ..read.actuators import TARGETS
from .write_table import FLEX_CHILDREN, WORDS, element_of, words_of
from .writer import Writer, add, asset_file, drop_empty, put, springlength, write_plugin


def contacts(w: Writer, root: Node) -> None:
    section = add(root, "contact")
    for i, e in enumerate(w.c.pair.elems):
        node = add(section, "pair")
        w.head(node, e)
        node.attrs.update(geom1=e.raw["geomname1"], geom2=e.raw["geomname2"])
        w.fill(node, "pair", i, WORDS["pair"])
    for e in w.c.exclude.elems:
        node = add(section, "exclude")
        put(node, "name", e.name)
        node.attrs.update(body1=e.raw["bodyname1"], body2=e.raw["bodyname2"])
    drop_empty(root, section)


FLEX_WORDS = {
    tag: words_of(
        element_of("deformable/flex/" + tag),
        names + " " + " ".join(n for n in element_of("deformable/flex/" + tag).attrs if n not in names.split()),
        TABLES["MjsFlex"],
    )
    for tag, names in FLEX_CHILDREN.items()
}
FLEX_LISTS = (
    ("body", "vertbody"),
    ("vertex", "vert"),
    ("element", "elem"),
    ("texcoord", "texcoord"),
    ("elemtexcoord", "elemtexcoord"),
    ("node", "nodebody"),
    ("nodecoord", "node"),
)


def list_text(row: FieldRow, values: Any) -> str:
    """Return the text of a list of names, integers, reals or single-precision numbers."""
    if row.type == "str":
        return " ".join(values)
    if row.type == "i4":
        return " ".join([str(int(v)) for v in values])
    return numbers(singles(values).tolist() if row.type == "f4" else np.asarray(values, float).tolist())


def deformables(w: Writer, root: Node) -> None:
    section = add(root, "deformable")
    # write node coordinates for MuJoCo 3.12 or later, and for savecompiled="false", which writes values as given
    coordinates = holds("nodes_kept", w.spec.compat_bits) or not w.spec.compiler.raw["savecompiled"]

    # flexes
    for i, e in enumerate(w.c.flex.elems):
        node = add(section, "flex")
        put(node, "name", e.name)
        w.fill(node, "flex", i, WORDS["flex"], {"material": ""} if w.c.discard else None)
        if np.any(e.raw["node"]) and not coordinates:
            warnings.warn(
                f"flex '{e.name}': offsets of nodes in their bodies cannot be written as XML and were left out", stacklevel=2
            )
        for name, field in FLEX_LISTS:
            if len(e.raw[field]) and (field != "node" or np.any(e.raw[field]) and coordinates):
                node.attrs[name] = list_text(e.rows[field], e.raw[field])
        if coordinates and len(e.raw["nodebody"]):
            put(node, "dof", word_of("flexorder", len(e.raw["nodebody"])))
        for tag, words in FLEX_WORDS.items():
            child = add(node, tag)
            w.fill(child, "flex", i, words)
            drop_empty(node, child)

    # skins
    for i, e in enumerate(w.c.skin.elems):
        node = add(section, "skin")
        put(node, "name", e.name)
        changes = {"file": asset_file(w, e, "meshdir", e.raw["file"]), **({"material": ""} if w.c.discard else {})}
        w.fill(node, "skin", i, WORDS["skin"], changes)
        if not e.raw["file"]:
            _skin(node, e)
    drop_empty(root, section)


def _skin(node: Node, e: Element) -> None:
    """Write vertices, faces and bones of a skin without a file."""
    raw = e.raw
    for name, field in (("vertex", "vert"), ("texcoord", "texcoord"), ("face", "face")):
        if len(raw[field]):
            node.attrs[name] = list_text(e.rows[field], raw[field])
    for k, body in enumerate(raw["bodyname"]):
        bone = add(node, "bone")
        bone.attrs["body"] = body
        for name, width in (("bindpos", 3), ("bindquat", 4)):
            bone.attrs[name] = list_text(e.rows[name], raw[name][width * k : width * (k + 1)])
        bone.attrs["vertid"] = " ".join([str(int(v)) for v in raw["vertid"][k]])
        bone.attrs["vertweight"] = numbers(singles(raw["vertweight"][k]).tolist())


def equalities(w: Writer, root: Node) -> None:
    section = add(root, "equality")
    for i, e in enumerate(w.c.equality.elems):
        raw, data = e.raw, w.column("equality", "data")[i]
        row = BY_NUMBER[int(raw["type"])]
        node, rows = add(section, row.name), element_of(f"equality/{row.name}").attrs
        w.head(node, e)
        kind = "site" if raw["objtype"] == OBJ_SITE else "body"
        if row.objects == ANCHORS:
            put(node, kind + "1", raw["name1"])
            put(node, kind + "2", raw["name2"])
        start = _start(w, row.name, e)
        for x in row.data:
            part = slice(x.start, x.start + rows[x.name].high)
            if (kind == "body" or not x.of_bodies) and (start is None or tuple(data[part]) != start[part]):
                put(node, x.name, numbers(data[part]))
        for attr in rows.values():
            if attr.field in ("name1", "name2"):
                put(node, attr.name, raw[attr.field])
            elif attr.field == "data" and (start is None or tuple(data[: attr.high]) != start[: attr.high]):
                put(node, attr.name, numbers(data[: attr.high]))
        w.fill(node, "equality", i, WORDS["equality"])
    drop_empty(root, section)


def _start(w: Writer, name: str, e: Element) -> tuple[float, ...] | None:
    """Return the numbers that a constraint has if its text gives none; None if all numbers are written."""
    if name == "connect" or not holds("words_spared", w.spec.compat_bits):
        return None
    given = w.class_of(e).nearest("equality")
    data = tuple(e.blank["data"] if given is None else given.raw["data"])
    # the anchor of a weld is zero, where a polynomial has its linear coefficient
    return (0.0, 0.0, 0.0, *data[3:]) if name == "weld" else data


SPATIAL_ONLY = ("material", "width", "rgba")
# attributes written before and after the spring length
_AT = next(k for k, word in enumerate(WORDS["tendon"]) if word.field == "springlength")
TENDON, TENDON_REST = WORDS["tendon"][:_AT], WORDS["tendon"][_AT + 1 :]


def tendons(w: Writer, root: Node) -> None:
    section = add(root, "tendon")
    for i, e in enumerate(w.c.tendon.elems):
        fixed = e.path[0].raw["type"] == WRAP_JOINT
        node = add(section, "fixed" if fixed else "spatial")
        w.head(node, e)
        left = dict.fromkeys(SPATIAL_ONLY) if fixed else {"material": ""} if w.c.discard else {}
        w.fill(node, "tendon", i, TENDON, left)
        put(
            node,
            "springlength",
            springlength(w.column("tendon", "springlength")[i], w.base("tendon", w.class_of(e))["springlength"]),
        )
        w.fill(node, "tendon", i, TENDON_REST, left)
        for wrap in e.path:
            _wrap(node, wrap)
    drop_empty(root, section)


def _wrap(node: Node, wrap: MjsWrap) -> None:
    kind, name = wrap.raw["type"], wrap.target_name
    if kind == WRAP_JOINT:
        add(node, "joint").attrs.update(joint=name, coef=number(wrap.prm))
    elif kind == WRAP_SITE:
        add(node, "site").attrs["site"] = name
    elif kind == WRAP_PULLEY:
        add(node, "pulley").attrs["divisor"] = number(wrap.prm)
    else:
        child = add(node, "geom")
        child.attrs["geom"] = name
        put(child, "sidesite", wrap.sidesite_name)


# attributes that an actuator with a plugin does not have
PLUGIN_LEFT = {name: None for table in (TYPE, PARAMETERS) for what, name in table.items() if what != "dyn"}


def actuators(w: Writer, root: Node) -> None:
    section, a = add(root, "actuator"), w.c.actuator
    tags = {v: k for k, v in TARGETS.items()}
    stateless, motors, turns = among(a, "dyn", "stateless"), are(a, dyn="dcmotor"), among(a, "gain", "turn")
    for i, e in enumerate(a.elems):
        raw, ref = e.raw, e.raw["plugin"]
        plugin = ref is not None and ref.raw["active"]
        node = add(section, "plugin" if plugin else "general")
        w.head(node, e)
        node.attrs[tags[int(raw["trntype"])]] = raw["target"]
        put(node, "slidersite", raw["slidersite"])
        put(node, "refsite", raw["refsite"])

        # write the parameters
        changes: dict[str, Any] = dict(PLUGIN_LEFT) if plugin else {}
        # the number of activations follows from the dynamics unless it is given
        base = w.base("actuator", w.class_of(e))["actdim"]
        dim = int(a.actdim[i])
        follows = base < 0 and dim == int(not (stateless[i] or motors[i]))
        changes["actdim"] = None if follows else dim
        w.fill(node, "actuator", i, WORDS["actuator"], changes)
        if "input" in node.attrs and turns[i]:
            node.attrs["input"] = word_of("ctrlchart", a.ctrlspec[i])
        if plugin:
            write_plugin(node, ref)
    drop_empty(root, section)


def keys(w: Writer, root: Node) -> None:
    """Write keyframes: only vectors that differ from the reference state. Empty keyframes at the end are left out."""
    if not w.c.key.n:
        return

    # find the reference state
    section, m = add(root, "keyframe"), w.m
    mocap = np.flatnonzero(np.asarray(m.body_mocapid) >= 0)
    mocap = mocap[np.argsort(np.asarray(m.body_mocapid)[mocap])]
    rows = (
        ("qpos", m.qpos0),
        ("qvel", 0.0),
        ("act", 0.0),
        ("mpos", m.body_pos[mocap]),
        ("mquat", m.body_quat[mocap]),
        ("ctrl", neutral_controls(m)),
        ("plastic", resting(m) if m.nplastic else 0.0),
    )

    for i, e in enumerate(w.c.key.elems):
        node = add(section, "key")
        put(node, "name", e.name)
        put(node, "time", number(float(m.key_time[i])) if m.key_time[i] else "")
        for name, default in rows:
            values = np.ravel(getattr(m, "key_" + name)[i])
            if (values != np.ravel(default)).any():
                node.attrs[name] = numbers(values.tolist())

    while section.children and not section.children[-1].attrs:
        section.children.pop()
    drop_empty(root, section)
