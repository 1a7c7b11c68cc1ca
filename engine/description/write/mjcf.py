"""Writes an MjSpec as canonical MJCF: the compiled values, in a text that compiles to the same Model.

The spec is compiled up to ids and poses (`driver.front`). Elements are written from those columns, in the order of `rows`,
without values that equal those of their class or the default. Angles are in radians, orientations are quaternions, actuators
are `general`, frames keep only names and classes, macros and attached models are expanded.
"""

from ...core.model import MjModel
from ..compile.driver import back, front, in_size
from ..elements.spec import MjSpec
from ..language.depth import deep_calls
from ..language.xml_text import tree_text
from ..language.xmltree import Node
from .assets import assets, defaults
from .authored_text import authored_text
from .bodies import needs_inertia, worldbody
from .custom import custom, extension
from .links import actuators, contacts, deformables, equalities, keys, tendons
from .model_values import check_same, needs_model, take_back
from .sensors import sensors
from .settings import compiler, option, size, statistic, visual
from .writer import Writer

# sections in writing order
BEFORE, AFTER = (
    (compiler, option, size, visual, statistic),
    (extension, custom, assets, worldbody, contacts, deformables, equalities, tendons, actuators, sensors, keys),
)

# number of nested Python calls per level of elements
CALLS = 4


def write_mjcf(spec: MjSpec, m: MjModel | None = None, folder: str | None = None) -> str:
    """Compile a spec and return its canonical MJCF text; SpecError if it cannot be compiled, or if a texture is given as
    pixels.

    `m`: a Model compiled from this spec; its current numbers are written. `folder`: the folder of the text, if it differs from
    the spec's, so that relative file names are adapted. A spec with the setting savecompiled="false" is written as in
    `authored_text`.
    """
    if m is None and not spec.compiler.raw["savecompiled"]:
        return authored_text(spec, folder)

    # compile as much as the text needs
    spec = in_size(spec)
    compiled = m is not None or needs_model(spec)
    c = front(spec, spec.files or spec.open_files(), compiled)
    fresh = back(c) if compiled else None
    if m is not None:
        check_same(fresh, m)

    w = Writer(c, fresh if m is None else m, m is not None)
    w.fresh, w.folder = fresh, folder
    take_back(w)
    w.own_inertia = needs_inertia(w)
    root = Node("mujoco", {"model": spec.modelname})
    root.comment = spec.comment.replace("--", "- -")

    # bodies, frames and classes can be nested
    with deep_calls(CALLS * (len(spec.bodies) + len(spec.frames) + len(w.classes))):
        for section in BEFORE:
            section(w, root)
        defaults(w, root, spec.default)
        for section in AFTER:
            section(w, root)
        return tree_text(root)
