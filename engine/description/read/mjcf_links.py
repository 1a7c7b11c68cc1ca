"""MJCF sections whose elements refer to others by name: contacts, equalities, tendons, actuators, sensors, key frames, flexes."""

from ..elements import shortcuts
from ..language.errors import SpecError
from ..language.keywords import KEYWORDS
from ..language.kinds import OBJECTS
from ..language.schema import ROOT, need, read_into

NAMES = frozenset(("name", "class"))
BODY, XBODY, JOINT, GEOM, SITE, CAMERA, MESH = 1, 2, 3, 5, 6, 7, 10


def read_contacts(reader, node):
    for child in node.children:
        elem = ROOT.children["contact"].children[child.tag]
        item = reader.spec.add(child.tag, reader.default_of(child))
        reader.fill(item, child, elem)


# equality element: (type, kinds of object it may name)
EQUALITIES = {"connect": 0, "weld": 1, "joint": 2, "tendon": 3, "flex": 4}


def read_equalities(reader, node):
    for child in node.children:
        elem = ROOT.children["equality"].children[child.tag]
        item = reader.spec.add("equality", reader.default_of(child))
        item.raw["type"] = EQUALITIES[child.tag]
        pair = ("body1", "body2", "site1", "site2", "anchor", "relpose", "torquescale") if child.tag in ("connect", "weld") else ()
        reader.fill(item, child, elem, ("name", "class", *pair))
        if pair:
            _connect_or_weld(item.raw, child, elem)


def _connect_or_weld(raw, node, elem):
    attrs, weld = node.attrs, node.tag == "weld"
    data = list(raw["data"])
    for name, start in (("anchor", 0), ("relpose", 3), ("torquescale", 10)):
        if name in attrs and name in elem.attrs:
            values = elem.attrs[name].read(node, attrs[name])
            values = values if isinstance(values, tuple) else (values,)
            data[start:start + len(values)] = values
    sites = "site1" in attrs or "site2" in attrs
    bodies = any(n in attrs for n in ("body1", "body2", "anchor", "relpose"))
    if sites and bodies:
        raise SpecError("bodies and sites cannot be mixed", node)
    by_site = "site1" in attrs and "site2" in attrs
    by_body = "body1" in attrs and (weld or "anchor" in attrs)
    if by_site == by_body:
        raise SpecError("either body1" + ("" if weld else " and anchor") + ", or site1 and site2 are needed", node)
    if by_body:
        raw["name1"], raw["name2"], raw["objtype"] = attrs["body1"], attrs.get("body2", ""), BODY
        if weld and "anchor" not in attrs:
            data[:3] = 0.0, 0.0, 0.0
    else:
        raw["name1"], raw["name2"], raw["objtype"] = attrs["site1"], attrs["site2"], SITE
    raw["data"] = tuple(data)


def read_tendons(reader, node):
    from .mjcf import one_springlength
    for child in node.children:
        elem = ROOT.children["tendon"].children[child.tag]
        tendon = reader.spec.add("tendon", reader.default_of(child))
        reader.fill(tendon, child, elem)
        one_springlength(child, tendon.raw)
        for item in child.children:
            rows = elem.children[item.tag]
            need(item, rows)
            at = item.attrs
            if item.tag == "site":
                wrap = tendon.wrap_site(at["site"])
            elif item.tag == "geom":
                wrap = tendon.wrap_geom(at["geom"], at.get("sidesite", ""))
            elif item.tag == "pulley":
                wrap = tendon.wrap_pulley(_number(rows, item, "divisor"))
            else:
                wrap = tendon.wrap_joint(at["joint"], _number(rows, item, "coef"))
            wrap.place = item


def _number(elem, node, name):
    value = elem.attrs[name].read(node, node.attrs[name])
    if value is None:
        raise SpecError("a number is expected", node, name)
    return value


def read_actuators(reader, node):
    for child in node.children:
        elem = ROOT.children["actuator"].children[child.tag]
        set_actuator(reader, child, reader.spec.add("actuator", reader.default_of(child)), elem)


# attribute: transmission type
TARGETS = {"joint": 0, "jointinparent": 1, "tendon": 3, "cranksite": 2, "site": 4, "body": 5}
# attributes of shortcuts that are arguments, not fields
ARGUMENTS = frozenset(("name", "class", "kp", "kv", "dampratio", "timeconst", "inheritrange", "area", "diameter", "bias", "tausmooth",
                       "range", "force", "scale", "lmin", "lmax", "vmax", "fpmax", "fvmax", "gain", "plugin", "instance", *TARGETS))
UNDEFINED = 1000


def set_actuator(reader, node, actuator, elem):
    """An actuator's fields: transmission, then what its shortcut sets."""
    reader.fill(actuator, node, elem, ARGUMENTS)
    raw, attrs = actuator.raw, node.attrs
    given = [t for t in TARGETS if t in attrs]
    if len(given) > 1:
        raise SpecError("an actuator has at most one transmission target", node, given[1])
    for name in given:
        raw["target"], raw["trntype"] = attrs[name], TARGETS[name]
    if ("cranklength" in attrs or "slidersite" in attrs) and raw["trntype"] not in (2, UNDEFINED):
        raise SpecError("cranklength and slidersite belong to a slider-crank", node, "cranklength")
    if "refsite" in attrs and raw["trntype"] not in (4, UNDEFINED):
        raise SpecError("refsite belongs to a site transmission", node, "refsite")
    if node.tag == "plugin":
        reader.plugin(actuator, node)
    elif node.tag != "general":
        args = {n: elem.attrs[n].read(node, attrs[n]) for n in elem.attrs if n in ARGUMENTS and n in attrs and n not in TARGETS
                and n not in ("name", "class")}
        error = SHORTCUTS[node.tag](raw, {k: v for k, v in args.items() if v is not None})
        if error:
            raise SpecError(error, node)


def _servo(make):
    def set_servo(raw, a):
        return make(raw, a.get("kp", raw["gainprm"][0]), a.get("kv"), a.get("dampratio"), a.get("timeconst"),
                    a.get("inheritrange", raw["inheritrange"]))
    return set_servo


SHORTCUTS = {
    "motor": lambda raw, a: shortcuts.motor(raw),
    "position": _servo(shortcuts.position),
    "intvelocity": _servo(shortcuts.intvelocity),
    "velocity": lambda raw, a: shortcuts.velocity(raw, a.get("kv", raw["gainprm"][0])),
    "damper": lambda raw, a: shortcuts.damper(raw, a.get("kv", 0.0)),
    "cylinder": lambda raw, a: shortcuts.cylinder(raw, a.get("timeconst", raw["dynprm"][0]), a.get("bias", raw["biasprm"])[0],
                                                  a.get("area", raw["gainprm"][0]), a.get("diameter", -1.0)),
    "muscle": lambda raw, a: shortcuts.muscle(raw, **{"tausmooth": raw["dynprm"][2], **a}),
    "adhesion": lambda raw, a: shortcuts.adhesion(raw, a.get("gain", raw["gainprm"][0])),
}

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
    from ...core.enums import mjtSensor
    for child in node.children:
        elem = ROOT.children["sensor"].children[child.tag]
        sensor = reader.spec.add("sensor")
        reader.fill(sensor, child, elem, frozenset(elem.attrs) - FIELDS)
        raw, attrs = sensor.raw, child.attrs
        kind, obj, ref = SENSORS[child.tag]
        raw["type"] = int(mjtSensor["mjSENS_" + kind])
        if obj == "objtype":
            raw["objtype"], raw["objname"] = OBJECTS.get(attrs["objtype"], 0), attrs["objname"]
        elif obj in SPECIAL:
            SPECIAL[obj](reader, child, elem, sensor)
        elif obj:
            raw["objtype"], raw["objname"] = OBJECTS[obj], attrs[obj]
        if ref == "reftype":
            _reference(raw, child)
        elif ref:
            raw["reftype"], raw["refname"] = OBJECTS[ref], attrs[ref]


def _reference(raw, node):
    attrs = node.attrs
    if "reftype" in attrs:
        raw["reftype"] = OBJECTS.get(attrs["reftype"], 0)
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
    raw["objtype"], raw["objname"] = _one_of(node, {"geom1": GEOM, "body1": BODY}, 1)
    raw["reftype"], raw["refname"] = _one_of(node, {"geom2": GEOM, "body2": BODY}, 1)


def _contact_sensor(reader, node, elem, sensor):
    raw, attrs = sensor.raw, node.attrs
    raw["objtype"], raw["objname"] = _one_of(node, {"geom1": GEOM, "body1": BODY, "subtree1": XBODY, "site": SITE}, 0)
    raw["reftype"], raw["refname"] = _one_of(node, {"geom2": GEOM, "body2": BODY, "subtree2": XBODY}, 0)
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
    raw["objtype"], raw["objname"] = OBJECTS.get(attrs.get("objtype"), 0), attrs.get("objname", "")


def _plugin_sensor(reader, node, elem, sensor):
    raw, attrs = sensor.raw, node.attrs
    reader.plugin(sensor, node)
    for kind, name in (("objtype", "objname"), ("reftype", "refname")):
        raw[kind], raw[name] = OBJECTS.get(attrs.get(kind), 0), attrs.get(name, "")
        if (raw[kind] != 0) != (raw[name] != ""):
            raise SpecError(f"{kind} and {name} go together", node, kind)


SPECIAL = {"pair": _pair_sensor, "contact": _contact_sensor, "user": _user_sensor, "plugin": _plugin_sensor}


def read_keys(reader, node):
    elem = ROOT.children["keyframe"].children["key"]
    for child in node.children:
        reader.fill(reader.spec.add("key"), child, elem)


def read_deformables(reader, node):
    from .mjcf import read_skin
    for child in node.children:
        elem = ROOT.children["deformable"].children[child.tag]
        if child.tag == "skin":
            read_skin(reader, child, elem)
            continue
        flex = reader.spec.add("flex")
        reader.fill(flex, child, elem, ("name", "body", "node"))
        flex.raw["vertbody"] = child.attrs["body"].split()
        flex.raw["nodebody"] = child.attrs.get("node", "").split()
        for item in child.children:
            read_into(flex.raw, item, elem.children[item.tag])
