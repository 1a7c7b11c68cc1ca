"""Merges assets that compile to the same result, such as the assets of a model that is attached several times (since MuJoCo
3.17)."""

from collections.abc import Sequence
from typing import Any

import numpy as np

from ...tables.enums import mjtObj
from ..files import resources
from .element import Element, MjsPlugin
from .spec import MjSpec

# {type of assets that are merged: (compiler setting for their folder, fields with file names)}
MERGED = {"texture": ("texturedir", ("file", "cubefiles")), "mesh": ("meshdir", ("file",))}
# {type of asset: (type, field) of elements that refer to such an asset by name}
NAMED_IN = {"texture": (("light", "texture"),), "mesh": (("geom", "meshname"),)}
# object types (mjtObj) of these assets, as stored in sensors and tuples
OBJECTS = {"texture": int(mjtObj.mjOBJ_TEXTURE), "mesh": int(mjtObj.mjOBJ_MESH)}
# fields that do not affect the compiled asset, and are not compared
UNSEEN = ("info", "plugin")


def dedup_assets(spec: MjSpec) -> int:
    """Merge textures and meshes that have the same files or data and the same parameters; return how many were removed.

    The first of each group stays and all references to the others are redirected to it. No file is read. Unnamed assets and
    meshes of plugins are left alone.
    """
    # textures and meshes do not refer to each other, so one pass for each type is enough
    return sum(_merge(spec, kind) for kind in MERGED)


def _merge(spec: MjSpec, kind: str) -> int:
    first, renamed, kept = {}, {}, []
    for e in spec.parts[kind]:
        key = _key(e, *MERGED[kind]) if e.label and not _has_plugin(e) else None
        if key is None or key not in first:
            first.setdefault(key, e.label)
            kept.append(e)
        else:
            renamed[e.label] = first[key]
    if renamed:
        spec.parts[kind] = kept
        _rename(spec, kind, renamed)
        spec.changed()
    return len(renamed)


def _has_plugin(e: Element) -> bool:
    ref = e.raw.get("plugin")
    return isinstance(ref, MjsPlugin) and bool(ref.raw["active"])


def _key(e: Element, folder: str, files: Sequence[str]) -> tuple[Any, ...]:
    """Return a key with everything from which an asset is compiled. Files are represented by their full paths."""
    compiler = e.compiler or e.spec.compiler
    found: list[object] = [e.spec.strippath]
    for name, value in e.raw.items():
        if name in files:
            paths = (value,) if isinstance(value, str) else tuple(value)
            value = tuple(resources.join(compiler.spec.modelfiledir, compiler.raw[folder], p) if p else "" for p in paths)
        if name not in UNSEEN:
            found.append((name, _frozen(value)))
    return tuple(found)


def _frozen(value: Any) -> Any:
    """Return a value in a form that can be compared and hashed."""
    if isinstance(value, np.ndarray):
        return value.dtype.str, value.shape, value.tobytes()
    if isinstance(value, (list, tuple)):
        return tuple(map(_frozen, value))
    return bytes(value) if isinstance(value, (bytearray, memoryview)) else value


def _rename(spec: MjSpec, kind: str, names: dict[str, str]) -> None:
    """Replace names of removed assets by names of the equal assets that are kept, also in default classes."""
    for user, field in NAMED_IN[kind]:
        for e in (*spec.items(user), *_of_classes(spec, user)):
            e.raw[field] = names.get(e.raw[field], e.raw[field])
    if kind == "texture":
        for e in (*spec.parts["material"], *_of_classes(spec, "material")):
            e.raw["textures"] = [names.get(name, name) for name in e.raw["textures"]]

    # sensors and tuples can name objects of any type
    number = OBJECTS[kind]
    for e in spec.parts["sensor"]:
        for types, field in (("objtype", "objname"), ("reftype", "refname")):
            if e.raw[types] == number:
                e.raw[field] = names.get(e.raw[field], e.raw[field])
    for e in spec.parts["tuple"]:
        e.raw["objname"] = [
            names.get(name, name) if t == number else name for t, name in zip(e.raw["objtype"], e.raw["objname"])
        ]


def _of_classes(spec: MjSpec, kind: str) -> list[Element]:
    """Return the elements of a type in default classes."""
    return [d.made[kind] for d in spec.all_defaults() if kind in d.made]
