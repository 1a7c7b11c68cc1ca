"""Assets and default classes that copied elements need. They are copied with the elements, after MARK; pasting adds those that
the model lacks."""

from __future__ import annotations

import os
from collections.abc import Iterator
from typing import Any

from ..engine.description.language.errors import SpecError
from ..engine.description.language.schema import ROOT, check
from ..engine.description.language.xmltree import parse
from ..engine.description.rewrite import origin, patch, snippet, tags
from ..ui.element_names import KINDS, names

# separates the copied elements from the assets and classes that they need
MARK = "<!-- needed by the elements above; leave out what the model has already -->\n"
# attributes that refer to an asset (their names are also the kinds of assets), and attributes that refer to a class
ASSETS, CLASSES = ("material", "mesh", "hfield", "texture"), ("class", "childclass")
# Attributes that name a file. FOLDERS has the compiler setting that names the folder of a kind of asset; for kinds without a
# row, that is `meshdir`.
FILES = ("file", "fileright", "fileleft", "fileup", "filedown", "filefront", "fileback")
FOLDERS = {"texture": "texturedir"}
CLASS = "default"


def references(text: str) -> Iterator[tuple[str, str]]:
    """Yield (kind, name) of each asset and class that the elements in a text name."""
    data = snippet.OPEN + text.encode("utf-8", "surrogatepass") + snippet.CLOSE
    for tag in tags.read_tags(data):
        for key, name in snippet.values(data, tag).items():
            if key in ASSETS:
                yield key, name
            elif key in CLASSES and tag.name != CLASS:
                yield CLASS, name


def needed(m: Any, text: str) -> str:
    """Return MARK and the assets and classes that the elements in a text need but the text lacks; empty if there are none."""
    known = {kind: names(m, kind) for kind in ASSETS}
    pieces: dict[tuple[str, str], str] = {}
    waiting = [text]
    while waiting:
        for kind, name in references(waiting.pop()):
            if (kind, name) in pieces or kind != CLASS and name not in known[kind]:
                continue
            try:
                piece = class_text(m, name) if kind == CLASS else asset_text(m, kind, known[kind].index(name))
            except SpecError:
                # An asset or class without source text, as in models made by a script, cannot be copied.
                continue
            if piece and piece not in text:
                pieces[kind, name] = piece
                waiting.append(piece)
    sections = [("default", [piece for (kind, _name), piece in pieces.items() if kind == CLASS])]
    sections.append(("asset", [piece for (kind, _name), piece in reversed(pieces.items()) if kind != CLASS]))
    lines = [f"<{section}>\n" + "\n".join(rows) + f"\n</{section}>\n" for section, rows in sections if rows]
    return MARK + "".join(lines) if lines else ""


def class_text(m: Any, label: str) -> str:
    """Return the text of a class with all attributes that it inherits, except from the main class; empty for the main class."""
    default = m.storage.spec.find_default(label)
    merged: dict[str, dict[str, str]] = {}
    for one in [] if default is None else origin.above(default):
        if one.label == "main":
            continue
        for place in {id(e.place): e.place for e in one.made.values() if e.place is not None}.values():
            data, tag = origin.source_of(origin.Origin(None, place, ROOT.children[CLASS], ()))
            # Attributes of a class override those of the classes that contain it.
            merged[tag.name] = snippet.values(data, tag) | merged.get(tag.name, {})
    rows = []
    for name, row in merged.items():
        texts = (f'{key}="{value.replace(chr(34), "&quot;")}"' for key, value in row.items())
        rows.append(f"  <{' '.join([name, *texts])}/>")
    return "\n".join([f'<default class="{label}">', *rows, "</default>"]) if rows else ""


def asset_text(m: Any, kind: str, index: int) -> str:
    """Return the text of an asset, with absolute paths of its files."""
    where = origin.origin_of(m, kind, index)
    data, tag = origin.source_of(where)
    compiler = where.element.compiler
    folder = os.path.join(compiler.spec.modelfiledir, compiler.raw[FOLDERS.get(kind, "meshdir")])
    found = snippet.values(data, tag)
    whole = {key: os.path.abspath(os.path.join(folder, found[key])) for key in FILES if key in found}
    if whole and "name" not in found:
        # An asset without a name is named after its file; write this name.
        whole["name"] = names(m, kind)[index]
    changed = patch.apply(data, patch.set_attributes(data, tag, whole))
    again = next(one for one in tags.read_tags(changed) if one.begin == tag.begin)
    return snippet.lifted(changed, again).decode("utf-8", "replace")


def missing(m: Any, text: str, folder: str) -> list[tuple[str, bytes]]:
    """Return (section, text) of those assets and classes in `text` that a model lacks. Paths of files in `folder` become
    relative."""
    if not text.strip():
        return []
    data = snippet.OPEN + text.encode("utf-8", "surrogatepass").strip() + snippet.CLOSE
    root = parse(data, "clipboard")
    rows = [tag for tag in tags.read_tags(data, "clipboard") if tag.parent is not None and tag.parent.parent is None]
    labels = {default.label for default in m.storage.spec.all_defaults()}
    out: list[tuple[str, bytes]] = []
    for node, tag in zip(root.children, rows, strict=True):
        if node.tag not in (CLASS, "asset"):
            raise SpecError(f"<{node.tag}> on the clipboard is not an element that can be pasted", node)
        check(node, ROOT.children[node.tag])
        for child in tag.children:
            found = snippet.values(data, child)
            if node.tag == CLASS:
                if child.name != CLASS or not found.get("class"):
                    raise SpecError("defaults on the clipboard need a class", node)
                there = found["class"] in labels
            else:
                there = child.name in KINDS and found.get("name", "") in names(m, child.name)
            if not there:
                out.append((node.tag, near(m, snippet.lifted(data, child), folder)))
    return out


def near(m: Any, data: bytes, folder: str) -> bytes:
    """Return the text of an asset, with relative paths of files in `folder` or below."""
    tag = tags.read_tags(data)[0]
    settings, found = m.storage.spec.compiler.raw, snippet.values(data, tag)
    base = os.path.join(folder, settings[FOLDERS.get(tag.name, "meshdir")])
    paths = {key: found[key] for key in FILES if key in found and os.path.isabs(found[key])}
    changes = {key: os.path.relpath(path, base) for key, path in paths.items() if below(path, folder)}
    return patch.apply(data, patch.set_attributes(data, tag, changes))


def below(path: str, folder: str) -> bool:
    """Return whether a path is inside a folder."""
    return os.path.abspath(path).startswith(os.path.join(os.path.abspath(folder), ""))
