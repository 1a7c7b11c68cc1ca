"""Element: the selected element's source, and its fields in Model and Data. Fields that may be changed in a running model can
be edited.
"""

from __future__ import annotations

from functools import cache
from typing import Any, NamedTuple

import numpy as np
from imgui_bundle import ImVec2, imgui

from ... import engine as mj
from ...engine.tables.schema import INTERNAL, SCHEMAS
from .. import gizmo, plotting, widgets
from ..context import Context
from ..element_names import KINDS, name, names
from ..fields import about
from ..intents import SelectElement, SetField, Together
from . import element_source, element_tools

# Integer fields that are settings. Other integers are addresses and types, which must not change in a compiled model.
SETTINGS = ("group", "contype", "conaffinity", "condim", "priority", "limited", "active", "active0", "castshadow", "gravcomp")
# Fields whose values are keywords, and fields that refer to another element.
WORDS: dict[str, Any] = {f.name: getattr(mj, f.enumeration) for f in SCHEMAS["MjModel"].fields.values() if f.enumeration}
REFERENCES = {
    "body_parentid": "body",
    "body_rootid": "body",
    "body_weldid": "body",
    "geom_bodyid": "body",
    "geom_matid": "material",
    "site_bodyid": "body",
    "site_matid": "material",
    "jnt_bodyid": "body",
    "cam_bodyid": "body",
    "cam_targetbodyid": "body",
    "light_bodyid": "body",
    "light_targetbodyid": "body",
}
# Fields of Data that the user may edit.
INPUTS = ("qpos", "qvel", "act", "ctrl", "qfrc_applied", "xfrc_applied", "mocap_pos", "mocap_quat", "eq_active")
# {kind: ((size, first, count), ...)}: in arrays of this size, the Model fields `first` and `count` give an element's rows. A
# number is a fixed count; None: the count depends on the joint type (WIDTH). All kinds also have arrays with one row per
# element.
SPANS = {
    "joint": (("nq", "jnt_qposadr", None), ("nv", "jnt_dofadr", None)),
    "body": (("nmocap", "body_mocapid", 1),),
    "actuator": (
        ("nu", "actuator_ctrladr", "actuator_ctrlnum"),
        ("nout", "actuator_outadr", "actuator_outnum"),
        ("na", "actuator_actadr", "actuator_actnum"),
    ),
    "sensor": (("nsensordata", "sensor_adr", "sensor_dim"),),
    "numeric": (("nnumericdata", "numeric_adr", "numeric_size"),),
}
WIDTH = {"nq": (7, 4, 1, 1), "nv": (6, 3, 1, 1)}
# {kind: its positions in Data}
CENTERS = {
    "body": "xpos",
    "geom": "geom_xpos",
    "site": "site_xpos",
    "joint": "xanchor",
    "camera": "cam_xpos",
    "light": "light_xpos",
}
ACROSS = 3
MANY = 24


class ElementField(NamedTuple):
    """A field: `owner` m (Model) or d (Data), its name, the rows that belong to the element, whether the user can edit it, and
    its description."""

    owner: str
    field: str
    first: int
    count: int
    editable: bool
    about: str


@cache
def fields(owner: str, size: str) -> tuple:
    """Return the array fields whose first dimension is `size`."""
    schema = SCHEMAS["MjModel" if owner == "m" else "MjData"]
    return tuple(f for f in schema.arrays if f.dims[0] == size and f.group not in INTERNAL and 0 not in f.dims)


def may_edit(owner: str, field: Any) -> bool:
    if owner == "d":
        return field.name in INPUTS
    return field.dtype[0] == "f" or field.name.rpartition("_")[2] in SETTINGS


def spans(m: Any, kind: str, i: int) -> list[tuple[str, int, int]]:
    """Return (size, first row, number of rows): the rows that belong to an element in arrays of each size."""
    out = [(KINDS[kind], i, 1)]
    for size, start, count in SPANS.get(kind, ()):
        first = int(getattr(m, start)[i])
        if isinstance(count, str):
            number = int(getattr(m, count)[i])
        else:
            number = count if count else WIDTH[size][int(m.jnt_type[i])]
        if first >= 0 and number > 0:
            out.append((size, first, number))
    return out


def rows(m: Any, kind: str, i: int) -> list[ElementField]:
    """Return all fields of an element: first those in the Model, then those in the Data."""
    out = []
    for owner in ("m", "d"):
        for size, first, count in spans(m, kind, i):
            out += [
                ElementField(owner, f.name, first, count, may_edit(owner, f), about(f"{owner}.{f.name}"))
                for f in fields(owner, size)
            ]
    return out


def between(m: Any, d: Any, chosen: tuple[tuple[str, int], ...]) -> np.ndarray | None:
    """Return the vector from the second of two chosen elements to the first. Return None if not exactly two elements are
    chosen, or if one of them has no position.
    """
    if len(chosen) != 2 or not all(kind in CENTERS for kind, _i in chosen):
        return None
    first, second = (np.asarray(getattr(d, CENTERS[kind])[i], float) for kind, i in chosen)
    return first - second


def draw(ctx: Context) -> None:
    kind, i = ctx.view.element
    if (way := between(ctx.m, ctx.d, ctx.view.chosen)) is not None:
        widgets.value_line(ctx, "Distance", f"{float(np.linalg.norm(way)):.5g} m")
        widgets.tooltip("Between the centers of the two selected elements; x, y, z: " + ", ".join(f"{x:.5g}" for x in way))
    kinds = [k for k in KINDS if getattr(ctx.m, KINDS[k])]
    half = 0.34 * imgui.get_content_region_avail().x
    imgui.set_next_item_width(half)
    if (new := widgets.choice("kind", kinds.index(kind) if kind in kinds else 0, kinds)) is not None:
        ctx.emit(SelectElement(kinds[new], 0))
    imgui.same_line()
    imgui.set_next_item_width(-1e-3)
    if (picked := widgets.choice("which", i, names(ctx.m, kind))) is not None:
        ctx.emit(SelectElement(kind, picked))
    text = element_tools.draw(ctx, kind, i)
    # The height fits the rows, because more sections follow in the inspector.
    if not imgui.begin_child("##fields", ImVec2(0, 0), imgui.ChildFlags_.auto_resize_y):
        imgui.end_child()
        return
    element_source.draw(ctx, kind, i, text)
    if _numbers_shown(ctx, text):
        _fields(ctx, kind, i, text)
    imgui.end_child()


def _numbers_shown(ctx: Context, text: str) -> bool:
    """Return whether to list all values of Model and Data. In the inspector, where more sections follow, they are listed only
    on request or for a search.
    """
    if ctx.settings["workspace"] == "classic" or "element" in ctx.settings["detached"] or text:
        return True
    opened = imgui.tree_node_ex("All compiled numbers", imgui.TreeNodeFlags_.no_tree_push_on_open)
    widgets.tooltip("Current values of all fields of this element, in the compiled model and its state")
    return opened


def _fields(ctx: Context, kind: str, i: int, text: str) -> None:
    """Draw the fields of an element: first its fields in the Model, then those in the Data."""
    before = ""
    for row in rows(ctx.m, kind, i):
        if not widgets.matches(text, row.field):
            continue
        if row.owner != before:
            widgets.heading("Model" if row.owner == "m" else "Data")
            before = row.owner
        with widgets.ident(f"{row.owner}.{row.field}"):
            _field(ctx, kind, row)


def values(ctx: Context, row: ElementField) -> np.ndarray:
    """Return the values of a field, (count, ...)."""
    array = np.asarray(getattr(ctx.m if row.owner == "m" else ctx.d, row.field))
    return array[row.first : row.first + row.count]


def _field(ctx: Context, kind: str, row: ElementField) -> None:
    value = values(ctx, row)
    flat = value.ravel()
    prefix = row.field.partition("_")[0]
    label = (
        row.field[len(prefix) + 1 :] if row.owner == "m" and prefix not in ("qpos0", "qpos") and "_" in row.field else row.field
    )
    if not flat.size:
        return

    path, width = row.field if row.owner == "d" else f"m.{row.field}", flat.size // max(1, row.count)
    choices = [(label, plotting.numbered(path, row.first * width, flat.size))]
    locked = not row.editable or (row.field in ("qpos", "qvel") and not ctx.editable)
    if locked and (found := meanings(ctx.m, row, flat)):
        widgets.row(label, 8.0, row.about)
        _meanings(ctx, found)
        return

    if locked or flat.size > MANY:
        widgets.row(label, 8.0, row.about)
        imgui.align_text_to_frame_padding()
        widgets.numbers(ctx, flat, MANY)
        plotting.offer(ctx, row.field, lambda: choices)
        return

    new = np.array(flat, float)
    changed = False
    across = 2 if flat.size in (2, 4) else min(ACROSS, flat.size)

    for begin in range(0, flat.size, across):
        part = flat[begin : begin + across]
        widgets.row(label if not begin else "", 8.0, row.about)
        edited = _numbers(f"v{begin}", part, across)
        widgets.trace(path)
        plotting.offer(ctx, f"{row.field}{begin}", lambda: choices)
        if edited is not None:
            new[begin : begin + len(part)] = edited
            changed = True

    if changed:
        # The compiler marks poses that coincide with another frame. A changed pose takes effect only if this mark is cleared.
        if row.owner == "m" and (noted := gizmo.apart(row.field, row.first)):
            ctx.emit(Together(noted))
        ctx.emit(
            SetField(
                f"{row.owner}.{row.field}",
                new.reshape(value.shape).astype(value.dtype),
                slice(row.first, row.first + row.count),
            )
        )


def meanings(m: Any, row: ElementField, flat: np.ndarray) -> list[tuple[str, str, int]]:
    """Return the meaning of values: (text, kind, index) of an element to which they refer, or a keyword with an empty kind;
    empty for plain numbers.
    """
    if row.owner != "m" or flat.size != 1:
        return []
    number = int(flat[0])
    if (words := WORDS.get(row.field)) is not None:
        found = {int(one): one.name for one in words}.get(number)
        return [(found.partition("_")[2].lower(), "", -1)] if found else []
    kind = REFERENCES.get(row.field)
    if kind is None:
        return []
    return [(name(m, kind, number), kind, number)] if number >= 0 else [("none", "", -1)]


def _meanings(ctx: Context, found: list[tuple[str, str, int]]) -> None:
    """Draw meanings, with links that select the elements."""
    imgui.align_text_to_frame_padding()
    for text, kind, index in found:
        if not kind:
            imgui.text_unformatted(text)
        elif imgui.text_link(f"{text}##{kind}{index}"):
            ctx.emit(SelectElement(kind, index))


def _numbers(label: str, part: np.ndarray, across: int) -> np.ndarray | None:
    return widgets.vector(label, part.astype(float), form="%.6g" if part.dtype.kind == "f" else "%.0f", columns=across)
