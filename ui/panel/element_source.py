"""The source section of the Element panel: the attributes of the selected element in the file, their meaning, and the defaults
of attributes that are not in the file.

An edit changes the file; then the model is reloaded, and its motion continues.
"""

from __future__ import annotations

import os
from dataclasses import dataclass, field
from typing import Any

from imgui_bundle import imgui

from ...engine.description.language.errors import SpecError
from ...engine.description.language.schema import BODY
from ...engine.description.rewrite import origin
from ...engine.description.rewrite.numbers import number_text
from ...engine.tables.enums import mjtJoint
from .. import icons, source_help, widgets
from ..context import Context, without_place
from ..element_names import name, owner, plural
from ..intents import AddElement, DeleteElement, DuplicateElement, EditElement, SaveFile, ShowPanel
from . import attribute
from .attribute import Value, default_of
from .source import Texts

# {tag: attributes that are shown even if they are not in the file}
ORIENTATIONS = ("quat", "axisangle", "xyaxes", "zaxis", "euler", "fromto")
FREE = int(mjtJoint.mjJNT_FREE)
SHAPE = ("type", "size", "pos", "euler", "rgba", "material")
FORCE = ("ctrlrange", "forcerange", "gear")
COMMON = {
    "body": ("pos", "euler"),
    "geom": (*SHAPE, "mass", "density", "friction", "condim", "contype", "conaffinity", "group"),
    "site": (*SHAPE, "group"),
    "joint": ("type", "axis", "pos", "range", "damping", "stiffness", "armature", "frictionloss", "ref"),
    "camera": ("pos", "euler", "fovy", "mode"),
    "light": ("pos", "dir", "diffuse", "castshadow", "active"),
    "motor": FORCE,
    "position": ("kp", "kv", *FORCE),
    "velocity": ("kv", *FORCE),
    "general": ("gainprm", "biasprm", *FORCE),
    "material": ("rgba", "texture", "specular", "shininess", "reflectance"),
}
# {element that can be added to a body: its initial attributes}; `{}` stands for a length that suits the model
FRESH = {
    "geom": (("size", "{}"),),
    "site": (("size", "{}"),),
    "body": (("pos", "0 0 0"),),
    "joint": (("axis", "0 0 1"),),
    "freejoint": (),
    "camera": (("pos", "0 0 1"),),
    "light": (("pos", "0 0 1"),),
}


@dataclass
class Shown:
    """The data that the inspector shows about an element's source.

    where, refused    location of its text, or the reason why it cannot be edited
    texts             attributes that were edited, but are not compiled yet
    coming            an attribute that is about to be added
    shared            the same data about the default class from which the element takes attributes
    also              the texts of other selected elements of its kind, which are edited together with it
    """

    m: Any
    kind: str
    index: int
    where: origin.Origin | None = None
    refused: str = ""
    notes: list[str] = field(default_factory=list)
    texts: dict[str, str | None] = field(default_factory=dict)
    coming: str = ""
    shared: Shown | None = None
    also: list[tuple[int, origin.Origin]] = field(default_factory=list)
    chosen: tuple[tuple[str, int], ...] = ()


@dataclass
class Attributes:
    """The source that the panel currently shows."""

    shown: Shown | None = None


def draw(ctx: Context, kind: str, i: int, wanted: str) -> None:
    """Draw the whole section. `wanted` is the filter for attributes."""
    state = ctx.scratch.of(Attributes)
    shown = state.shown
    if shown is None or shown.m is not ctx.m or (shown.kind, shown.index) != (kind, i) or shown.chosen != ctx.view.chosen:
        shown = state.shown = look(ctx, kind, i)
    if ctx.seen is not None:
        ctx.seen.element_rows.clear()
    if shown.where is None:
        widgets.muted(ctx, f"Cannot be edited here: {shown.refused}")
        if ctx.imported is not None:
            if widgets.button("Save as MJCF", "", 0.0, "Write a folder with the model as MJCF and its meshes"):
                ctx.emit(SaveFile("folder"))
            imgui.same_line()
            if widgets.button("Source", "", 0.0, "Show the text of the file"):
                ctx.emit(ShowPanel("source", True))
        return

    if shown.chosen[1:]:
        _together(ctx, shown)
    else:
        _place(ctx, shown.where)
    _notes(ctx, shown)
    _attributes(ctx, shown, shown.where, wanted)
    _more(ctx, shown)

    if shown.shared is not None and shown.shared.where is not None:
        with widgets.ident("class"):
            if imgui.tree_node(f"Class {shown.shared.where.shared}"):
                _place(ctx, shown.shared.where)
                _notes(ctx, shown.shared)
                _attributes(ctx, shown.shared, shown.shared.where, wanted)
                _missing(shown.shared, shown.shared.where)
                imgui.tree_pop()


def _notes(ctx: Context, shown: Shown) -> None:
    """Draw notes about other elements that an edit would change."""
    for note in shown.notes:
        imgui.push_style_color(imgui.Col_.text, ctx.theme["warn"])
        imgui.text_wrapped(f"{icons.WARNING}  {note}")
        imgui.pop_style_color()


def _together(ctx: Context, shown: Shown) -> None:
    """Draw a line with the number of elements that are edited together."""
    count, others = 1 + len(shown.also), len(shown.chosen) - 1 - len(shown.also)
    imgui.text_colored(ctx.theme["accent"], f"{count} {plural(shown.kind)} are edited together")
    if others:
        widgets.muted(
            ctx, f"{others} other selected element{'s' if others > 1 else ''} cannot be edited together with the first"
        )


def _attributes(ctx: Context, shown: Shown, where: origin.Origin, wanted: str) -> None:
    """Draw the attributes in the file, a new attribute if the user is adding one, and common attributes with their defaults.
    With a filter, draw all attributes that match it.
    """
    written = list(where.node.attrs)
    for _index, other in shown.also:
        written += [key for key in other.node.attrs if key not in written]
    for key in written:
        if widgets.matches(wanted, key) and key in where.elem.attrs:
            _attribute(ctx, shown, where, key)
    if shown.coming:
        _attribute(ctx, shown, where, shown.coming)
    for key in where.elem.attrs if wanted else common(where):
        if key in where.elem.attrs and key not in written and key != shown.coming and widgets.matches(wanted, key):
            _attribute(ctx, shown, where, key)


def common(where: origin.Origin) -> list[str]:
    """Return the attributes that are shown even if they are not in the file."""
    keys = () if where.shared else COMMON.get(where.elem.name, ())
    posed = any(key in where.node.attrs for key in ORIENTATIONS) or bool(where.element.raw.get("alt", (0,))[0])
    return [key for key in keys if not (key == "euler" and posed or key == "pos" and "fromto" in where.node.attrs)]


def value_of(shown: Shown, where: origin.Origin, key: str) -> Value:
    """Return the value of an attribute, combined over all elements that are edited together."""
    places = [where, *(other for _index, other in shown.also)]
    if key in shown.texts and shown.texts[key] is not None:
        return Value(str(shown.texts[key]))
    texts = [place.node.attrs.get(key) if key not in shown.texts else None for place in places]
    if key == "euler" and not any(texts):
        return Value("0 0 0", key == shown.coming)
    values = [
        text if text is not None else default_of(place, place.elem.attrs[key])
        for text, place in zip(texts, places, strict=True)
    ]
    written = key == shown.coming or any(text is not None for text in texts)
    return Value(values[0], written, any(value != values[0] for value in values))


def _attribute(ctx: Context, shown: Shown, where: origin.Origin, key: str) -> None:
    """Draw an attribute. If the user changes it, request the edit of the file."""
    new, reset = attribute.draw(ctx, where, where.elem.attrs[key], value_of(shown, where, key))
    if new is not None:
        change(ctx, shown, key, new)
    elif reset and shown.coming == key:
        shown.coming = ""
    elif reset:
        change(ctx, shown, key, None)


def look(ctx: Context, kind: str, i: int) -> Shown:
    """Find the source text of an element."""
    found = Shown(ctx.m, kind, i, chosen=ctx.view.chosen)
    if ctx.passive:
        found.refused = "the model belongs to a script"
        return found
    try:
        found.where = origin.origin_of(ctx.m, kind, i)
        found.notes = origin.consequences(found.where, origin.source_of(found.where)[1], ctx.path)
        found.shared = look_at_class(ctx, kind, i)
        found.also = others(ctx, found.where, kind, i)
    except SpecError as error:
        found.where, found.refused = None, without_place(str(error)).removeprefix("Error: ")
    return found


def others(ctx: Context, where: origin.Origin, kind: str, i: int) -> list[tuple[int, origin.Origin]]:
    """Return the other selected elements of this kind that can be edited together with it, because they have the same tag."""
    found = []
    for index in (index for other, index in ctx.view.chosen if other == kind and index != i):
        try:
            other = origin.origin_of(ctx.m, kind, index)
        except SpecError:
            continue
        if other.elem is where.elem:
            found.append((index, other))
    return found


def look_at_class(ctx: Context, kind: str, i: int) -> Shown | None:
    """Find the source of an element's default class. Return None if there is none that can be edited."""
    found = Shown(ctx.m, kind, i)
    try:
        found.where = origin.class_of(ctx.m, kind, i)
        found.notes = origin.consequences(found.where, origin.source_of(found.where)[1], ctx.path)
    except SpecError:
        # The class cannot be edited, but the element can.
        return None
    return found


def _place(ctx: Context, where: origin.Origin) -> None:
    """Draw the tag, file and line of the element. A click shows that line in the source."""
    inherits = f", class {where.inherits}" if where.inherits else ""
    text = f"<{where.node.tag}>  {os.path.basename(where.file)}:{where.node.line}{inherits}"
    if widgets.choosable(text, "place"):
        ctx.scratch.of(Texts).go(where.file, where.node.line)
        ctx.emit(ShowPanel("source", True))
    widgets.tooltip(source_help.of_element(where.elem))


def change(ctx: Context, shown: Shown, key: str, text: str | None) -> None:
    """Request a new value for an attribute. Show the requested value until the edited file has been loaded."""
    if shown.texts.get(key, "") == text and key in shown.texts:
        return
    shown.texts[key], shown.coming = text, ""
    also = tuple((shown.kind, index) for index, _where in shown.also)
    ctx.emit(EditElement(shown.kind, shown.index, ((key, text),), bool(shown.where and shown.where.shared), also=also))


def beside(label: str, behind: bool) -> None:
    """Place the next button beside the last one if there is room, otherwise below it."""
    style = imgui.get_style()
    if behind:
        imgui.same_line()
        if imgui.calc_text_size(label).x + 2 * style.frame_padding.x > imgui.get_content_region_avail().x:
            imgui.new_line()


def _missing(shown: Shown, where: origin.Origin) -> bool:
    """Draw a list of attributes that can be added. Return False if there are none."""
    listed = (*where.node.attrs, *common(where), shown.coming)
    missing = [key for key in where.elem.attrs if key not in listed]
    imgui.set_next_item_width(widgets.em(7.2))
    if missing and imgui.begin_combo("##missing", "+  attribute", imgui.ComboFlags_.height_large):
        for key in missing:
            now = default_of(where, where.elem.attrs[key])
            if imgui.selectable(f"{key}   {now}##{key}", False)[0]:
                shown.coming = key
            widgets.tooltip(source_help.of_attribute(where.elem, key))
        imgui.end_combo()
    return bool(missing)


def fits(m: Any, body: int, tag: str) -> bool:
    """Return whether a body may have one more element. A free joint excludes other joints, and the world has no joints."""
    joints = [int(m.jnt_type[j]) for j in range(m.body_jntadr[body], m.body_jntadr[body] + m.body_jntnum[body])]
    if tag == "freejoint":
        return body > 0 and not m.body_parentid[body] and not joints
    return tag != "joint" or body > 0 and FREE not in joints


def _more(ctx: Context, shown: Shown) -> None:
    """Draw the buttons that add attributes or elements, and the buttons that delete or duplicate the element."""
    where = shown.where
    assert where is not None
    missing = _missing(shown, where)
    body = owner(ctx.m, shown.kind, shown.index)
    if shown.kind in ("body", "joint", "geom", "site", "camera", "light"):
        beside("+  element", missing)
        if widgets.button("+  element", "", 0.0, f"A new element in the body {name(ctx.m, 'body', body)}"):
            imgui.open_popup("add")

    if imgui.begin_popup("add"):
        for tag, values in FRESH.items():
            if imgui.menu_item(tag, "", False, fits(ctx.m, body, tag))[0]:
                length = number_text(float(f"{0.3 * float(ctx.m.stat.meansize):.1g}"))
                ctx.emit(AddElement("body", body, tag, tuple((key, text.format(length)) for key, text in values)))
            widgets.tooltip(source_help.of_element(BODY.children[tag]))
        imgui.end_popup()

    # Start a new row if Delete and Duplicate do not both fit in this one.
    style = imgui.get_style()
    both = imgui.calc_text_size("Delete").x + imgui.calc_text_size("Duplicate").x + 4 * style.frame_padding.x
    imgui.same_line()
    if both + style.item_spacing.x > imgui.get_content_region_avail().x:
        imgui.new_line()
    # The world cannot be deleted.
    imgui.begin_disabled((shown.kind, shown.index) == ("body", 0))
    also = shown.chosen[1:]
    if widgets.button("Delete", ctx.tip("delete")):
        ctx.emit(DeleteElement(shown.kind, shown.index, also=also))
    attribute.seen(ctx, "delete")
    beside("Duplicate", True)
    if widgets.button("Duplicate", ctx.tip("duplicate")):
        ctx.emit(DuplicateElement(shown.kind, shown.index, also=also))
    imgui.end_disabled()
