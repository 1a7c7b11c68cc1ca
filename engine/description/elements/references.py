"""References by name between elements: renamed when elements are attached, and checked for unknown names."""

from collections.abc import Sequence
from typing import Any

from ...tables.compat_rows import holds
from ...tables.equality_rows import ANCHORS, BY_NUMBER
from ...tables.sensor_rows import ROWS as SENSOR_ROWS
from ..language.kinds import KIND_OF
from ..language.types import TRANSMISSION_OBJECTS, TRN_SLIDERCRANK, WRAP_OBJECTS
from .element import Element
from .spec import MjSpec

# fields that name elements of the tree; the names change together with the elements' names
TREE_NAMES = {
    "camera": ("targetbody",),
    "light": ("targetbody", "texture"),
    "equality": ("name1", "name2"),
    "actuator": ("target", "refsite", "slidersite"),
}
# fields that name assets; the names change only if the assets come from another spec
ASSET_NAMES = {
    "geom": ("material", "hfieldname", "meshname"),
    "site": ("material",),
    "mesh": ("material",),
    "tendon": ("material",),
    "flex": ("material",),
    "skin": ("material",),
}
# Types of elements that keep their names when attached, as in MuJoCo up to 3.15. An equality that names an attached flex then
# does not find it, and is not attached.
UNNAMED = ("flex", "skin")
# sensor types that need no object
WITHOUT_OBJECT = {row.number for row in SENSOR_ROWS if row.object in ("", "?any")}


# types of elements that can use a plugin
USERS = ("body", "geom", "mesh", "actuator", "sensor")


def named_instances(spec: MjSpec, kind: str) -> set[Any]:
    """Return the names of the plugin instances to which elements of a type refer."""
    found = (e.raw["plugin"] for e in spec.items(kind))
    return {ref.raw["name"] for ref in found if ref is not None} - {""}


class Names:
    """A renaming by prefix and suffix. `foreign`: whether the source is another spec.

    Elements of the kinds in `unnamed` keep their own names.
    """

    def __init__(self, prefix: str, suffix: str, foreign: bool, unnamed: Sequence[str] = UNNAMED) -> None:
        self.prefix, self.suffix, self.foreign, self.unnamed = prefix, suffix, foreign, unnamed

    def __call__(self, name: str) -> str:
        return self.prefix + name + self.suffix if name else name

    def apply(self, e: Element) -> None:
        """Rename an element and the names to which it refers."""
        if e.kind not in self.unnamed:
            e.label = self(e.label)
        raw = e.raw
        for field in TREE_NAMES.get(e.kind, ()):
            raw[field] = self(raw[field])
        if self.foreign:
            for field in ASSET_NAMES.get(e.kind, ()):
                raw[field] = self(raw[field])
        plugin = raw.get("plugin")
        if plugin is not None and plugin.raw["name"]:
            plugin.raw["name"] = self(plugin.raw["name"])


class Known:
    """The names of all elements of a spec, by type; the names of a type are gathered when first used."""

    def __init__(self, spec: MjSpec) -> None:
        self.spec, self.sets = spec, {}

    def has(self, kind: str, name: str) -> bool:
        kind = "body" if kind == "xbody" else kind
        names = self.sets.get(kind)
        if names is None:
            names = self.sets[kind] = {e.label for e in self.spec.items(kind)} - {""}
        return name in names

    def add(self, kind: str, name: str) -> None:
        if name and kind in self.sets:
            self.sets[kind].add(name)


def _both(raw: dict[str, Any], a: str, b: str, kinds: tuple[str, str], names: Names, known: Any) -> bool:
    """Rename two references, and return whether both are known. If only one new name is known, the other reference keeps its
    old name."""
    old = raw[a], raw[b]
    new = names(old[0]), names(old[1])
    found = [not k or known.has(k, n) for k, n in zip(kinds, new)]
    if kinds[0] and kinds[1] and found[0] != found[1]:
        i = 0 if not found[0] else 1
        new = tuple(old[k] if k == i else new[k] for k in (0, 1))
        found[i] = known.has(kinds[i], old[i])
    raw[a], raw[b] = new
    return all(found)


def _pair(e: Element, names: Names, known: Any) -> bool:
    return _both(e.raw, "geomname1", "geomname2", ("geom", "geom"), names, known)


def _exclude(e: Element, names: Names, known: Any) -> bool:
    return _both(e.raw, "bodyname1", "bodyname2", ("body", "body"), names, known)


def _sensor(e: Element, names: Names, known: Any) -> bool:
    raw = e.raw
    if not KIND_OF.get(raw["objtype"]) and raw["type"] not in WITHOUT_OBJECT:
        return False
    return _both(raw, "objname", "refname", (KIND_OF.get(raw["objtype"], ""), KIND_OF.get(raw["reftype"], "")), names, known)


def _equality(e: Element, names: Names, known: Any) -> bool:
    raw = e.raw
    row = BY_NUMBER.get(raw["type"])
    kind = KIND_OF.get(raw["objtype"], "body") if row is None or row.objects == ANCHORS else row.objects
    if raw["name1"] == (raw["name2"] or ("world" if kind == "body" else "")):
        return False
    return known.has(kind, raw["name1"]) and (not raw["name2"] or known.has(kind, raw["name2"]))


def _actuator(e: Element, names: Names, known: Any) -> bool:
    raw = e.raw
    kind = TRANSMISSION_OBJECTS.get(raw["trntype"])
    if kind is None or not known.has(kind, raw["target"]):
        return False
    if raw["trntype"] == TRN_SLIDERCRANK and (not raw["slidersite"] or raw["cranklength"] <= 0):
        return False
    return all(not raw[f] or known.has("site", raw[f]) for f in ("refsite", "slidersite"))


def _tendon(e: Element, names: Names, known: Any) -> bool:
    """Rename the objects on a tendon's path. Return whether at least one object is among the copies, and all other objects are
    known."""
    hits = 0
    for w in e.wraps:
        kind = WRAP_OBJECTS.get(w.raw["type"])
        if kind is None:
            continue
        # As in MuJoCo, a geom on the path without a side site refers to a site named prefix + suffix.
        kept = w.sidesite_name or not holds("path_kept", e.spec.compat_bits)
        side = names.prefix + w.sidesite_name + names.suffix if kind == "geom" and kept else ""
        if known.has(kind, names(w.target_name)) and (not side or known.has("site", side)):
            w.target_name, w.sidesite_name = names(w.target_name), side
            hits += 1
        elif not known.has(kind, w.target_name) or (w.sidesite_name and not known.has("site", w.sidesite_name)):
            return False
    return hits > 0


def _tuple(e: Element, names: Names, known: Any) -> bool:
    e.raw["objname"] = [names(n) for n in e.raw["objname"]]
    return all(known.has(KIND_OF.get(int(k), ""), n) for k, n in zip(e.raw["objtype"], e.raw["objname"]))


def _flex(e: Element, names: Names, known: Any) -> bool:
    for field in ("vertbody", "nodebody"):
        e.raw[field] = [names(n) for n in e.raw[field]]
    return all(known.has("body", n) for f in ("vertbody", "nodebody") for n in e.raw[f])


def _skin(e: Element, names: Names, known: Any) -> bool:
    e.raw["bodyname"] = [names(n) for n in e.raw["bodyname"]]
    return all(known.has("body", n) for n in e.raw["bodyname"])


# {type of element: function that renames its references and returns whether all are known}, in the order of copying
RENAME = {
    "flex": _flex,
    "pair": _pair,
    "exclude": _exclude,
    "tendon": _tendon,
    "equality": _equality,
    "actuator": _actuator,
    "sensor": _sensor,
    "tuple": _tuple,
    "skin": _skin,
}
SAME = Names("", "", False)


def finds_all(e: Element, known: Any, names: Names = SAME) -> bool:
    """Return whether all references of an element are known; the element is not changed."""
    trial = e.copy_to(e.spec)
    found = RENAME[e.kind](trial, names, known)
    trial.unlink()
    return found


class KnownBefore:
    """The names that were known before a removal, by type: those that still exist, and those that were removed (`lost`)."""

    def __init__(self, known: Known, lost: dict[str, set[str]]) -> None:
        self.known, self.lost = known, lost

    def has(self, kind: str, name: str) -> bool:
        return self.known.has(kind, name) or name in self.lost.get("body" if kind == "xbody" else kind, ())
