"""The actuator section of MJCF: transmissions, and what the shortcuts set."""

from ..elements import shortcuts
from ..language.errors import SpecError
from ..language.schema import ROOT
from ..language.types import TRN_BODY, TRN_JOINT, TRN_JOINTINPARENT, TRN_SITE, TRN_SLIDERCRANK, TRN_TENDON, TRN_UNDEFINED


def read_actuators(reader, node):
    for child in node.children:
        elem = ROOT.children["actuator"].children[child.tag]
        set_actuator(reader, child, reader.spec.add("actuator", reader.default_of(child)), elem)


# attribute: transmission type
TARGETS = {"joint": TRN_JOINT, "jointinparent": TRN_JOINTINPARENT, "tendon": TRN_TENDON, "cranksite": TRN_SLIDERCRANK, "site": TRN_SITE,
           "body": TRN_BODY}
# attributes of shortcuts that are arguments, not fields
ARGUMENTS = frozenset(("name", "class", "kp", "kv", "dampratio", "timeconst", "inheritrange", "area", "diameter", "bias", "tausmooth",
                       "range", "force", "scale", "lmin", "lmax", "vmax", "fpmax", "fvmax", "gain", "plugin", "instance", *TARGETS))


def set_actuator(reader, node, actuator, elem):
    """An actuator's fields: transmission, then what its shortcut sets."""
    reader.fill(actuator, node, elem, ARGUMENTS)
    raw, attrs = actuator.raw, node.attrs
    given = [t for t in TARGETS if t in attrs]
    if len(given) > 1:
        raise SpecError("an actuator has at most one transmission target", node, given[1])
    for name in given:
        raw["target"], raw["trntype"] = attrs[name], TARGETS[name]
    if ("cranklength" in attrs or "slidersite" in attrs) and raw["trntype"] not in (TRN_SLIDERCRANK, TRN_UNDEFINED):
        raise SpecError("cranklength and slidersite belong to a slider-crank", node, "cranklength")
    if "refsite" in attrs and raw["trntype"] not in (TRN_SITE, TRN_UNDEFINED):
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
