"""The actuator section of MJCF: transmissions, and what the shortcuts set."""

from ..elements import shortcuts
from ..language.errors import SpecError
from ..language.schema import ROOT
from ..language.shortcut_rows import BY_NAME
from ..language.types import TRN_BODY, TRN_JOINT, TRN_JOINTINPARENT, TRN_SITE, TRN_SLIDERCRANK, TRN_TENDON, TRN_UNDEFINED


def read_actuators(reader, node) -> None:
    for child in node.children:
        elem = ROOT.children["actuator"].children[child.tag]
        set_actuator(reader, child, reader.spec.add("actuator", reader.default_of(child)), elem)


# attribute: transmission type
TARGETS = {"joint": TRN_JOINT, "jointinparent": TRN_JOINTINPARENT, "tendon": TRN_TENDON, "cranksite": TRN_SLIDERCRANK, "site": TRN_SITE,
           "body": TRN_BODY}
# attributes that are no fields: names, targets, arguments of shortcuts
ARGUMENTS = frozenset(("name", "class", "plugin", "instance", *TARGETS, *(name for row in BY_NAME.values() for name in row.arguments)))


def set_actuator(reader, node, actuator, elem) -> None:
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
        row = BY_NAME[node.tag]
        given = {name: elem.attrs[name].read(node, attrs[name]) for name in row.arguments if name in attrs}
        error = getattr(shortcuts, node.tag)(raw, **row.taken(raw, {name: value for name, value in given.items() if value is not None}))
        if error:
            raise SpecError(error, node)
