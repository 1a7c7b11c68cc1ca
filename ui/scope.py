"""The scope of the inspector's lists: the selected body with all bodies below it, or the whole model."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import numpy as np
from imgui_bundle import imgui

from .. import engine as mj
from . import widgets
from .context import Context
from .element_names import control_owners, name

JOINTS = (int(mj.mjtTrn.mjTRN_JOINT), int(mj.mjtTrn.mjTRN_JOINTINPARENT))
SITES = (int(mj.mjtTrn.mjTRN_SITE), int(mj.mjtTrn.mjTRN_SLIDERCRANK))
TENDON, BODY = int(mj.mjtTrn.mjTRN_TENDON), int(mj.mjtTrn.mjTRN_BODY)
# {type of object on a tendon's path: field with the object's body}
ALONG = {
    int(mj.mjtWrap.mjWRAP_JOINT): "jnt_bodyid",
    int(mj.mjtWrap.mjWRAP_SITE): "site_bodyid",
    int(mj.mjtWrap.mjWRAP_SPHERE): "geom_bodyid",
    int(mj.mjtWrap.mjWRAP_CYLINDER): "geom_bodyid",
}


@dataclass
class Widened:
    """The lists that show all rows of the model, independent of the selection."""

    lists: set[str] = field(default_factory=set)


def line(ctx: Context, rows: list[int], bodies: Any, what: str) -> list[int]:
    """Return the rows that belong to the selected body, and draw a line that says so, with a button to show all rows.
    `bodies(row)` returns the bodies of a row. If nothing is selected, or if no row belongs to the selection, return all rows.
    """
    if ctx.settings["workspace"] == "classic" or ctx.view.selected <= 0:
        return rows
    inside = below(ctx.m, ctx.view.selected)
    own = [row for row in rows if any(inside[body] for body in bodies(row))]
    if len(own) == len(rows):
        return rows

    title = name(ctx.m, "body", ctx.view.selected)
    if not own:
        widgets.muted(ctx, f"No {what} at {title}; all {len(rows)} of the model:")
        return rows
    every = what in ctx.scratch.of(Widened).lists
    widgets.muted(ctx, f"All {len(rows)} {what}" if every else f"{len(own)} of {len(rows)} {what}: {title}", wrap=False)
    imgui.same_line()
    if imgui.small_button(f"{'Only those of ' + title if every else 'All'}##{what}"):
        ctx.scratch.of(Widened).lists ^= {what}
    return rows if every else own


def below(m: Any, body: int) -> np.ndarray:
    """Return a mask (nbody,) of a body and all bodies below it."""
    inside = np.zeros(m.nbody, bool)
    inside[body] = True
    # In a model, parent bodies come before their children.
    for child, parent in enumerate(np.asarray(m.body_parentid).tolist()):
        if child > body and inside[parent]:
            inside[child] = True
    return inside


def of_joint(m: Any, joint: int) -> list[int]:
    """Return the body of a joint, as a list."""
    return [int(m.jnt_bodyid[joint])]


def of_control(m: Any, control: int) -> list[int]:
    """Return the bodies on which the actuator of a control acts."""
    actuator = int(control_owners(m)[control])
    kind, target = int(m.actuator_trntype[actuator]), int(m.actuator_trnid[actuator][0])
    if target < 0:
        return []
    if kind in JOINTS:
        return [int(m.jnt_bodyid[target])]
    if kind in SITES:
        return [int(m.site_bodyid[target])]
    if kind == BODY:
        return [target]
    return of_tendon(m, target) if kind == TENDON else []


def of_tendon(m: Any, tendon: int) -> list[int]:
    """Return the bodies of the objects on a tendon's path."""
    first, count = int(m.tendon_adr[tendon]), int(m.tendon_num[tendon])
    found = []
    for k in range(first, first + count):
        field = ALONG.get(int(m.wrap_type[k]))
        if field is not None:
            found.append(int(getattr(m, field)[int(m.wrap_objid[k])]))
    return found
