"""The sensor section of MJCF."""

from ...core.enums import mjtSensor
from ..language.errors import SpecError
from ..language.keywords import KEYWORDS
from ..language.kinds import KINDS
from ..language.schema import ROOT
from ..language.types import OBJ_BODY, OBJ_GEOM, OBJ_SITE, OBJ_XBODY

# sensor element: (name of its mjSENS type, attribute naming its object, attribute naming its reference)
SENSORS = {
    "touch": ("TOUCH", "site", ""), "accelerometer": ("ACCELEROMETER", "site", ""), "velocimeter": ("VELOCIMETER", "site", ""),
    "gyro": ("GYRO", "site", ""), "force": ("FORCE", "site", ""), "torque": ("TORQUE", "site", ""),
    "magnetometer": ("MAGNETOMETER", "site", ""), "camprojection": ("CAMPROJECTION", "site", "camera"),
    "rangefinder": ("RANGEFINDER", "site", ""), "jointpos": ("JOINTPOS", "joint", ""), "jointvel": ("JOINTVEL", "joint", ""),
    "tendonpos": ("TENDONPOS", "tendon", ""), "tendonvel": ("TENDONVEL", "tendon", ""),
    "actuatorpos": ("ACTUATORPOS", "actuator", ""), "actuatorvel": ("ACTUATORVEL", "actuator", ""),
    "actuatorfrc": ("ACTUATORFRC", "actuator", ""), "jointactuatorfrc": ("JOINTACTFRC", "joint", ""),
    "tendonactuatorfrc": ("TENDONACTFRC", "tendon", ""), "ballquat": ("BALLQUAT", "joint", ""),
    "ballangvel": ("BALLANGVEL", "joint", ""), "jointlimitpos": ("JOINTLIMITPOS", "joint", ""),
    "jointlimitvel": ("JOINTLIMITVEL", "joint", ""), "jointlimitfrc": ("JOINTLIMITFRC", "joint", ""),
    "tendonlimitpos": ("TENDONLIMITPOS", "tendon", ""), "tendonlimitvel": ("TENDONLIMITVEL", "tendon", ""),
    "tendonlimitfrc": ("TENDONLIMITFRC", "tendon", ""), "framepos": ("FRAMEPOS", "objtype", "reftype"),
    "framequat": ("FRAMEQUAT", "objtype", "reftype"), "framexaxis": ("FRAMEXAXIS", "objtype", "reftype"),
    "frameyaxis": ("FRAMEYAXIS", "objtype", "reftype"), "framezaxis": ("FRAMEZAXIS", "objtype", "reftype"),
    "framelinvel": ("FRAMELINVEL", "objtype", "reftype"), "frameangvel": ("FRAMEANGVEL", "objtype", "reftype"),
    "framelinacc": ("FRAMELINACC", "objtype", ""), "frameangacc": ("FRAMEANGACC", "objtype", ""),
    "subtreecom": ("SUBTREECOM", "body", ""), "subtreelinvel": ("SUBTREELINVEL", "body", ""),
    "subtreeangmom": ("SUBTREEANGMOM", "body", ""), "insidesite": ("INSIDESITE", "objtype", "site"),
    "distance": ("GEOMDIST", "pair", ""), "normal": ("GEOMNORMAL", "pair", ""), "fromto": ("GEOMFROMTO", "pair", ""),
    "contact": ("CONTACT", "contact", ""), "e_potential": ("E_POTENTIAL", "", ""), "e_kinetic": ("E_KINETIC", "", ""),
    "clock": ("CLOCK", "", ""), "user": ("USER", "user", ""), "tactile": ("TACTILE", "mesh", "geom"),
    "plugin": ("PLUGIN", "plugin", ""),
}
FIELDS = frozenset(("cutoff", "noise", "user", "dim", "datatype", "needstage"))


def read_sensors(reader, node):
    for child in node.children:
        elem = ROOT.children["sensor"].children[child.tag]
        sensor = reader.spec.add("sensor")
        reader.fill(sensor, child, elem, frozenset(elem.attrs) - FIELDS)
        raw, attrs = sensor.raw, child.attrs
        kind, obj, ref = SENSORS[child.tag]
        raw["type"] = int(mjtSensor["mjSENS_" + kind])
        if obj == "objtype":
            raw["objtype"], raw["objname"] = KINDS.get(attrs["objtype"], 0), attrs["objname"]
        elif obj in SPECIAL:
            SPECIAL[obj](reader, child, elem, sensor)
        elif obj:
            raw["objtype"], raw["objname"] = KINDS[obj], attrs[obj]
        if ref == "reftype":
            _reference(raw, child)
        elif ref:
            raw["reftype"], raw["refname"] = KINDS[ref], attrs[ref]


def _reference(raw, node):
    attrs = node.attrs
    if "reftype" in attrs:
        raw["reftype"] = KINDS.get(attrs["reftype"], 0)
        if "refname" not in attrs:
            raise SpecError("required attribute 'refname' is missing", node, "refname")
        raw["refname"] = attrs["refname"]
    elif "refname" in attrs:
        raise SpecError("refname is given but reftype is missing", node, "refname")


def _one_of(node, choices, least):
    """(type, name) of the one attribute that is given; `choices` maps attributes to object types."""
    given = [c for c in choices if c in node.attrs]
    if len(given) > 1 or len(given) < least:
        raise SpecError(("exactly" if least else "at most") + " one of " + ", ".join(choices) + " can be given", node)
    return (choices[given[0]], node.attrs[given[0]]) if given else (0, "")


def _pair_sensor(reader, node, elem, sensor):
    raw = sensor.raw
    raw["objtype"], raw["objname"] = _one_of(node, {"geom1": OBJ_GEOM, "body1": OBJ_BODY}, 1)
    raw["reftype"], raw["refname"] = _one_of(node, {"geom2": OBJ_GEOM, "body2": OBJ_BODY}, 1)


def _contact_sensor(reader, node, elem, sensor):
    raw, attrs = sensor.raw, node.attrs
    raw["objtype"], raw["objname"] = _one_of(node, {"geom1": OBJ_GEOM, "body1": OBJ_BODY, "subtree1": OBJ_XBODY, "site": OBJ_SITE}, 0)
    raw["reftype"], raw["refname"] = _one_of(node, {"geom2": OBJ_GEOM, "body2": OBJ_BODY, "subtree2": OBJ_XBODY}, 0)
    words, bits, last = attrs.get("data", "").split() or ["found"], 0, -1
    for word in words:
        bit = KEYWORDS["condata"].get(word)
        if bit is None:
            raise SpecError(f"invalid keyword '{word}'", node, "data", word, tuple(KEYWORDS["condata"]))
        if bit <= last:
            raise SpecError("data must be in the order " + " ".join(KEYWORDS["condata"]), node, "data", attrs["data"])
        bits, last = bits | 1 << bit, bit
    reduce = elem.attrs["reduce"].read(node, attrs["reduce"]) if "reduce" in attrs else 0
    num = elem.attrs["num"].read(node, attrs["num"]) if "num" in attrs else 1
    if num is None or num <= 0:
        raise SpecError("num must be positive", node, "num", attrs.get("num"))
    raw["intprm"] = (bits, reduce, num)


def _user_sensor(reader, node, elem, sensor):
    raw, attrs = sensor.raw, node.attrs
    if ("objtype" in attrs) != ("objname" in attrs):
        raise SpecError("objtype and objname go together", node, "objtype")
    raw["objtype"], raw["objname"] = KINDS.get(attrs.get("objtype"), 0), attrs.get("objname", "")


def _plugin_sensor(reader, node, elem, sensor):
    raw, attrs = sensor.raw, node.attrs
    reader.plugin(sensor, node)
    for kind, name in (("objtype", "objname"), ("reftype", "refname")):
        raw[kind], raw[name] = KINDS.get(attrs.get(kind), 0), attrs.get(name, "")
        if (raw[kind] != 0) != (raw[name] != ""):
            raise SpecError(f"{kind} and {name} go together", node, kind)


SPECIAL = {"pair": _pair_sensor, "contact": _contact_sensor, "user": _user_sensor, "plugin": _plugin_sensor}
