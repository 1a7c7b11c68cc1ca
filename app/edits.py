"""Edits of elements as patches of the source files."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from ..engine.description import live
from ..engine.description.language import orient
from ..engine.description.language.attributes import Attr
from ..engine.description.language.errors import SpecError
from ..engine.description.language.schema import ROOT, Elem
from ..engine.description.rewrite import origin, patch, pose, snippet, tags
from ..engine.machine.regular import open_regular
from ..ui import intents as I
from ..ui.element_names import KINDS, name, names
from ..ui.element_names import owner as body_of
from ..ui.scope import below
from . import needs
from .shaping import HIDDEN, Shaped

# Bodies contain other elements, so additions go into the body's own tag.
BODIES = ("body", "worldbody")
# Elements that can be moved into another body.
HELD = ("body", "geom", "site", "camera", "light")
FREE = 0
# a change of a section: a function from (source text, the section's tag in it) to patches
Step = Callable[[bytes, tags.Tag], list[patch.Patch]]


class Changes:
    """Patches by file, each with the bytes that they apply to. `tried`: restore the files if the model does not load."""

    def __init__(self) -> None:
        self.files: dict[str, tuple[bytes, list[patch.Patch]]] = {}
        self.tried = False

    def add(self, file: str, data: bytes, patches: list[patch.Patch]) -> None:
        """Add patches of a file. Equal patches count once, because one place in the source may produce several elements."""
        held = self.files.setdefault(os.path.abspath(file), (data, []))[1]
        held += [one for one in patches if one not in held]


@dataclass(frozen=True)
class Target:
    """An element to edit: its origin, and its tag in its file."""

    kind: str
    index: int
    where: origin.Origin
    data: bytes
    tag: tags.Tag


def found(m: Any, kind: str, index: int, shared: bool = False) -> Target:
    """Find the source of an element, or of its class; SpecError if it has none."""
    where = (origin.class_of if shared else origin.origin_of)(m, kind, index)
    return Target(kind, index, where, *origin.source_of(where))


def all_found(m: Any, intent: I.ElementIntent, shared: bool = False) -> list[Target]:
    """Return all elements of an edit."""
    return [found(m, kind, index, shared) for kind, index in intent.targets]


def outermost(rows: list[Target]) -> list[Target]:
    """Return the targets, except those whose source is inside another target's."""
    places = {(row.where.file, row.tag.begin): row for row in rows}
    return [
        row
        for (file, begin), row in places.items()
        if not any(file == f and b < begin and row.tag.end <= other.tag.end for (f, b), other in places.items())
    ]


def checked(elem: Elem, node: Any, values: Any) -> None:
    """Raise SpecError if an attribute cannot have its new value."""
    for key, text in values:
        attr: Attr | None = elem.attrs.get(key)
        if attr is None:
            raise SpecError(f"<{elem.name}> has no attribute '{key}'", node)
        if text is not None:
            attr.read(node, text)
        elif attr.required:
            raise SpecError(f"<{elem.name}> needs its attribute '{key}'", node)


def _edit(m: Any, _d: Any, intent: I.EditElement, _main: str) -> Changes:
    out = Changes()
    for row in all_found(m, intent, intent.shared):
        checked(row.where.elem, row.where.node, intent.values)
        out.add(row.where.file, row.data, patch.set_attributes(row.data, row.tag, dict(intent.values)))
    return out


def _move(m: Any, _d: Any, intent: I.MoveElement, _main: str) -> Changes:
    row, out = found(m, intent.kind, intent.index), Changes()
    new = pose.moved(row.where, carrier_of(m, intent.kind, intent.index), (intent.pos, intent.quat))
    out.add(row.where.file, row.data, patch.set_attributes(row.data, row.tag, new))
    return out


def carrier_of(m: Any, kind: str, index: int) -> Any:
    """Return the body of the spec to which an element is attached; None for elements without a body."""
    if kind != "body" and kind not in ("joint", *HELD):
        return None
    body = int(m.body_parentid[index]) if kind == "body" else body_of(m, kind, index)
    return body_spec(m, body)


def body_spec(m: Any, body: int) -> Any:
    """Return a body of the model's spec."""
    return next(b for b in m.storage.spec.all_bodies() if b.index == body)


def _scale(m: Any, _d: Any, intent: I.ScaleElement, _main: str) -> Changes:
    row, out = found(m, intent.kind, intent.index), Changes()
    out.add(row.where.file, row.data, patch.set_attributes(row.data, row.tag, pose.scaled(row.where, intent.factors)))
    return out


def _add(m: Any, _d: Any, intent: I.AddElement, _main: str) -> Changes:
    row, out = found(m, intent.kind, intent.index), Changes()
    if row.tag.name not in BODIES:
        raise SpecError(f"<{row.tag.name}> cannot contain elements", row.where.node)
    elem = ROOT.children["worldbody"].children.get(intent.tag)
    if elem is None:
        raise SpecError(f"a body has no <{intent.tag}>", row.where.node)
    checked(elem, row.where.node, intent.values)
    out.add(row.where.file, row.data, patch.add_element(row.data, row.tag, intent.tag, dict(intent.values)))
    return out


def _delete(m: Any, _d: Any, intent: I.DeleteElement, _main: str) -> Changes:
    out = Changes()
    for row in outermost(all_found(m, intent)):
        if row.tag.name == "worldbody":
            raise SpecError("the world cannot be deleted", row.where.node)
        out.add(row.where.file, row.data, patch.delete_element(row.data, row.tag))
    return out


def copied(m: Any, targets: Sequence[tuple[str, int]]) -> str:
    """Return the source text of elements, for the clipboard."""
    rows = outermost([found(m, kind, index) for kind, index in targets])
    lines: list[str] = []
    for row in rows:
        if row.tag.name == "worldbody":
            raise SpecError("the world cannot be copied; select a body in it")
        text = snippet.copied(row.where, row.data, row.tag, carrier_of(m, row.kind, row.index)).decode("utf-8", "replace")
        section = section_of(row)
        lines.append(text if section == "worldbody" else f"<{section}>\n  " + text.replace("\n", "\n  ") + f"\n</{section}>")
    settings, text = m.storage.spec.compiler.raw, "\n".join(lines) + "\n"
    return snippet.with_settings(text + needs.needed(m, text), settings["degree"], settings["eulerseq"])


def section_of(row: Target) -> str:
    """Return the section of the file that contains an element; `worldbody` for elements of bodies."""
    names = [above.name for above in row.tag.above()]
    if any(name in BODIES for name in names):
        return "worldbody"
    found = next((name for name in names if name in snippet.SECTIONS), "")
    if not found:
        raise SpecError(f"<{row.tag.name}> cannot be copied", row.where.node)
    return found


def taken(m: Any) -> dict[str, set[str]]:
    """Return the names of a model's elements, by kind."""
    return {kind: set(names(m, kind)) for kind in KINDS}


def _paste(m: Any, _d: Any, intent: I.PasteElements, main: str) -> Changes:
    text, degree, sequence = snippet.read(intent.text)
    text, _mark, more = text.partition(needs.MARK)
    pieces, needed = snippet.parts(text), needs.missing(m, more, os.path.dirname(os.path.abspath(main)))
    settings = m.storage.spec.compiler.raw
    if degree is not None and bool(settings["degree"]) != degree:
        pieces, needed = (
            [(section, snippet.converted(section, data, not degree)) for section, data in rows] for rows in (pieces, needed)
        )
    if sequence and sequence != settings["eulerseq"] and any(b"euler=" in data for _section, data in pieces):
        raise SpecError(f"euler angles were copied with eulerseq={sequence}, this model has {settings['eulerseq']}")

    new = snippet.renames(pieces, taken(m))
    groups: dict[str, list[bytes]] = {}
    for section, data in needed:
        groups.setdefault(section, []).append(data)
    for section, data in pieces:
        groups.setdefault(section, []).append(snippet.renamed(section, data, new))
    out = Changes()
    out.tried = True
    if held := groups.pop("worldbody", None):
        data, row = b"\n".join(held), found(m, "body", body_of(m, intent.kind, intent.index))
        if row.tag.name not in BODIES:
            raise SpecError(f"<{row.tag.name}> cannot contain elements", row.where.node)
        out.add(row.where.file, row.data, patch.add_text(row.data, row.tag, title_of(data), data))
    if groups:
        _sections(out, groups, main)
    return out


def _sections(out: Changes, groups: Mapping[str, list[bytes]], main: str) -> None:
    """Add elements, given as text, to their sections of the main file, as one patch for each section."""
    with open_regular(main) as file:
        whole = file.read()
    wrong = "elements can be added to files of MJCF only"
    for section, texts in groups.items():
        out.add(main, whole, in_section(whole, section, wrong, [adding(b"\n".join(texts))]))


def adding(text: bytes) -> Step:
    """Return a section change that adds elements, given as text."""
    return lambda data, place: patch.add_text(data, place, title_of(text), text)


def title_of(text: bytes) -> str:
    """Return the name of the first element in a text."""
    return tags.read_tags(snippet.OPEN + text + snippet.CLOSE)[1].name


def in_section(data: bytes, section: str, wrong: str, steps: Sequence[Step], last: bool = False) -> list[patch.Patch]:
    """Return the patch that applies section changes to a model: to the first section of this name, or the last. Add the section
    if it is missing. All changes become one patch, so that one undo removes them. Raise SpecError(wrong) if the file is not
    MJCF.
    """
    text = data
    for step in (None, *steps):
        root = tags.read_tags(text)[0]
        if root.name != "mujoco":
            raise SpecError(wrong)
        found = [tag for tag in root.children if tag.name == section]
        if step is not None:
            text = patch.apply(text, step(text, found[-1 if last else 0]))
        elif not found:
            text = patch.apply(text, patch.add_element(text, root, section, {}))
    return [patch.between(data, text)]


def replaced(target: Target, texts: Sequence[str]) -> list[patch.Patch]:
    """Return the patch that replaces a geom by others. A single new geom takes over the old geom's name."""
    label = target.where.node.attrs.get("name")
    if label and len(texts) == 1:
        texts = [texts[0].replace("<geom ", f'<geom name="{label}" ', 1)]
    indent = patch.indent_of(target.data, target.tag) or b""
    new = (b"\n" + indent).join(text.encode() for text in texts)
    return [patch.Patch(target.tag.begin, target.data[target.tag.begin : target.tag.end], new)]


def shapes_written(m: Any, rows: Sequence[Shaped], main: str) -> Changes:
    """Return the patches that write collision shapes: new meshes, new geoms, and the mesh geoms that no longer collide."""
    out = Changes()
    out.tried = True
    assets = "\n".join(text for row in rows for text in row.assets)
    if assets:
        with open_regular(main) as file:
            whole = file.read()
        out.add(main, whole, in_section(whole, "asset", "meshes can be added to files of MJCF only", [adding(assets.encode())]))
    fresh: dict[int, list[str]] = {}
    for row in rows:
        target = found(m, "geom", row.geom)
        if len(target.where.ids) > 1:
            raise SpecError("the text of this geom describes several geoms, so it cannot be changed alone", target.where.node)
        # In a <frame>, a geom's source has another pose than the geom has in its body. So it cannot be replaced there.
        hidden = int(m.geom_group[row.geom]) >= HIDDEN and body_spec(m, row.body).raw.get("explicitinertial")
        if hidden and getattr(target.where.element, "frame", None) is None:
            patches = replaced(target, row.geoms)
        else:
            fresh.setdefault(row.body, []).extend(row.geoms)
            patches = patch.set_attributes(target.data, target.tag, {"contype": "0", "conaffinity": "0"})
        out.add(target.where.file, target.data, patches)
    for body, texts in fresh.items():
        home = found(m, "body", body)
        if home.tag.name not in BODIES:
            raise SpecError(f"<{home.tag.name}> cannot contain elements", home.where.node)
        out.add(home.where.file, home.data, patch.add_text(home.data, home.tag, "geom", "\n".join(texts).encode()))
    return out


def _duplicate(m: Any, _d: Any, intent: I.DuplicateElement, _main: str) -> Changes:
    rows, used, out = outermost(all_found(m, intent)), taken(m), Changes()
    out.tried = True
    for row in rows:
        if row.tag.name == "worldbody" or row.tag.parent is None:
            raise SpecError("the world cannot be duplicated", row.where.node)
        section = section_of(row)
        piece = section, snippet.lifted(row.data, row.tag)
        new = snippet.renames([piece], used)
        for (kind, _old), label in new.items():
            used[kind].add(label)
        text = snippet.renamed(*piece, new)
        out.add(row.where.file, row.data, patch.add_text(row.data, row.tag.parent, row.tag.name, text, row.tag))
    return out


def _into(m: Any, d: Any, intent: I.MoveInto, _main: str) -> Changes:
    """Delete an element from its body and add it to another, with the attributes that keep its pose in the world."""
    row, goal, out = found(m, intent.kind, intent.index), found(m, "body", intent.body), Changes()
    title = f"{intent.kind} {name(m, intent.kind, intent.index)}"
    if intent.kind not in HELD or (intent.kind, intent.index) == ("body", 0):
        raise SpecError(f"a {intent.kind} cannot be moved into another body")
    old = int(m.body_parentid[intent.index]) if intent.kind == "body" else body_of(m, intent.kind, intent.index)
    if intent.body == old:
        raise SpecError(f"{title} is in {name(m, 'body', intent.body)} already")
    if intent.kind == "body" and below(m, intent.index)[intent.body]:
        raise SpecError(f"{title} cannot be moved into itself")
    if intent.kind == "body" and intent.body and free(m, intent.index):
        raise SpecError(f"{title} has a free joint, so it must stay in the world")
    if goal.tag.name not in BODIES or len(row.where.ids) > 1:
        raise SpecError(f"{title} cannot be moved: its text, or that of its new body, describes several elements")

    # `change`: the pose of the old body in the coordinates of the new one
    carrier, target = body_spec(m, old), body_spec(m, intent.body)
    frame = pose.frame_pose(row.where.element, carrier)
    change = orient.compose(*orient.invert(*world(d, intent.body)), *world(d, old))
    values = pose.moved(row.where, carrier, orient.compose(*frame, *change))

    # An element that names no class takes the class of the bodies around it.
    word = "childclass" if intent.kind == "body" else "class"
    label = getattr(row.where.element.default, "label", "main")
    if word not in row.where.node.attrs and label != target.default.label:
        values[word] = label
    changed = patch.apply(row.data, patch.set_attributes(row.data, row.tag, values))
    text = snippet.lifted(changed, row.tag)

    out.add(row.where.file, row.data, patch.delete_element(row.data, row.tag))
    out.add(goal.where.file, goal.data, patch.add_text(goal.data, goal.tag, row.tag.name, text))
    out.tried = True
    return out


def world(d: Any, body: int) -> pose.Pose:
    """Return the pose of a body in the world."""
    return tuple(np.asarray(d.xpos[body]).tolist()), tuple(np.asarray(d.xquat[body]).tolist())


def free(m: Any, body: int) -> bool:
    """Return whether a body has a free joint."""
    first, count = int(m.body_jntadr[body]), int(m.body_jntnum[body])
    return any(int(m.jnt_type[j]) == FREE for j in range(first, first + count))


def live_changes(m: Any, rows: Sequence[live.Changed], main: str) -> Changes:
    """Return the patches that write changes of a running model into the source of elements or into sections of the main
    file."""
    out, main = Changes(), os.path.abspath(main)
    sections: dict[str, dict[str, dict[str, str | None]]] = {}
    for row in rows:
        if row.index < 0:
            head, _, tail = row.kind.partition("/")
            sections.setdefault(head, {})[tail] = row.values
            continue
        target = found(m, row.kind, row.index)
        out.add(target.where.file, target.data, patch.set_attributes(target.data, target.tag, row.values))
    if sections:
        with open_regular(main) as file:
            data = file.read()
        for section, parts in sections.items():
            out.add(main, data, in_settings(data, section, parts))
    out.tried = True
    return out


def in_settings(data: bytes, section: str, parts: dict[str, dict[str, str | None]]) -> list[patch.Patch]:
    """Return the patch that sets attributes of a section of settings (key '') and of elements in it. A missing section is added
    at the end of the file, where it overrides sections of included files.
    """

    def step(name: str, values: dict[str, str | None]) -> Step:
        def change(text: bytes, place: tags.Tag) -> list[patch.Patch]:
            tag = next((child for child in reversed(place.children) if child.name == name), None) if name else place
            if tag is not None:
                return patch.set_attributes(text, tag, values)
            return patch.add_element(text, place, name, {key: value for key, value in values.items() if value is not None})

        return change

    steps = [step(name, values) for name, values in parts.items()]
    return in_section(data, section, "settings can be written into files of MJCF only", steps, last=True)


# {intent: function (model, data, intent, main file) -> Changes}
MAKERS: dict[type, Callable[[Any, Any, Any, str], Changes]] = {
    I.EditElement: _edit,
    I.MoveElement: _move,
    I.ScaleElement: _scale,
    I.AddElement: _add,
    I.DeleteElement: _delete,
    I.DuplicateElement: _duplicate,
    I.PasteElements: _paste,
    I.MoveInto: _into,
}
TITLES: dict[type, Callable[[Any, Any], str]] = {
    I.EditElement: lambda _m, intent: ", ".join(
        f"{key} = {text}" if text is not None else f"{key} removed" for key, text in intent.values
    ),
    I.MoveElement: lambda _m, _intent: "moved",
    I.ScaleElement: lambda _m, _intent: "scaled",
    I.AddElement: lambda _m, intent: f"<{intent.tag}> added",
    I.DeleteElement: lambda _m, _intent: "deleted",
    I.DuplicateElement: lambda _m, _intent: "duplicated",
    I.PasteElements: lambda _m, _intent: "elements pasted",
    I.MoveInto: lambda m, intent: f"moved into {name(m, 'body', intent.body)}",
}
