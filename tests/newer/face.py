"""The interface that a module presents to scripts: names, members of classes, numbers of enumerations, and types of fields of
objects."""

import inspect
import types

import numpy as np

MODEL = (
    "<mujoco><asset><mesh name='m' vertex='0 0 0 1 0 0 0 1 0 0 0 1'/></asset><worldbody><camera name='c'/><light name='l'/>"
    "<body name='b'><joint name='j'/><geom name='g' size='.1'/><site name='s'/></body></worldbody>"
    "<actuator><motor joint='j' name='a'/></actuator><sensor><clock name='z'/></sensor><keyframe><key name='k'/></keyframe>"
    "</mujoco>"
)
ELEMENTS = {
    "body": "b",
    "joint": "j",
    "geom": "g",
    "site": "s",
    "camera": "c",
    "light": "l",
    "actuator": "a",
    "sensor": "z",
    "mesh": "m",
    "key": "k",
}
ADDED = ("flex", "tendon", "texture", "material", "hfield", "pair", "equality", "exclude", "skin", "numeric", "text", "tuple")
ACCESSED = ("body", "joint", "geom", "site", "camera", "light", "actuator", "sensor")
# attributes that all members of an enumeration have
OF_NUMBERS = frozenset(dir(int)) | {"name", "value"}


def members(found):
    """Public members, sorted."""
    return sorted(n for n in dir(found) if not n.startswith("_"))


def kind_of(owner, name):
    """Return the type of a member, in one word."""
    try:
        value = getattr(owner, name)
    except ValueError:
        return "written only"
    if isinstance(value, np.ndarray):
        return f"{value.dtype}{list(value.shape)}"
    return "call" if callable(value) else type(value).__name__


def names(module):
    """{name: members of a class, numbers of an enumeration, or nothing} of a module's names, except modules."""
    found = {}
    for name in members(module):
        value = getattr(module, name)
        if isinstance(value, types.ModuleType):
            continue
        numbered = getattr(value, "__members__", None) if inspect.isclass(value) else None
        if numbered is not None:
            found[name] = {n: int(x) for n, x in numbered.items()}
        else:
            found[name] = members(value) if inspect.isclass(value) else []
    return found


def kinds(module):
    """{object.member: type} of a model, its data, its spec and their elements."""
    m, spec = module.MjModel.from_xml_string(MODEL), module.MjSpec.from_string(MODEL)
    d = module.MjData(m)
    module.mj_forward(m, d)
    objects = {"model": m, "data": d, "option": m.opt, "visual": m.vis, "statistic": m.stat, "spec": spec}
    objects |= {f"spec.{kind}": getattr(spec, kind)(name) for kind, name in ELEMENTS.items()}
    objects |= {f"spec.{kind}": getattr(spec, f"add_{kind}")() for kind in ADDED}
    objects |= {f"{side}.{kind}": getattr(x, kind)(0) for side, x in (("model", m), ("data", d)) for kind in ACCESSED}
    objects |= {"spec.compiler": spec.compiler, "contact": module.MjContact(), "light": module.MjvLight()}
    return {f"{title}.{n}": kind_of(x, n) for title, x in objects.items() for n in members(x)}
