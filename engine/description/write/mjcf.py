"""MjSpec → canonical MJCF: what compiling has resolved, written so that compiling the text again gives the same Model.

The spec is compiled up to ids and poses (`driver.front`); elements are written from those columns, in the order of
`rows`, without what their class or the element itself starts from. Angles are radians, orientations quaternions,
actuators `general`; frames keep names and classes only; macros and attached models stand expanded.
"""

from ..compile.driver import back, front, in_size
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

# sections in the order in which they are written
BEFORE, AFTER = (
    (compiler, option, size, visual, statistic),
    (extension, custom, assets, worldbody, contacts, deformables, equalities, tendons, actuators, sensors, keys),
)

# calls that an element inside another takes
CALLS = 4


def write_mjcf(spec, m=None, folder=None) -> str:
    """Canonical MJCF text of a spec, which is compiled for it; SpecError if it cannot be compiled or holds pixels.

    `m`: a Model that was compiled from this spec, whose numbers may have been changed since; they are written.
    `folder`: where the text is going to stand, if that is not the folder of the spec; its files are found from there.
    A spec with the setting savecompiled="false" is written as it is instead, without what compiling made of it.
    """
    if m is None and not spec.compiler.raw["savecompiled"]:
        return authored_text(spec, folder)
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
    # bodies, frames and classes may all stand inside one another
    with deep_calls(CALLS * (len(spec.bodies) + len(spec.frames) + len(w.classes))):
        for section in BEFORE:
            section(w, root)
        defaults(w, root, spec.default)
        for section in AFTER:
            section(w, root)
        return tree_text(root)
