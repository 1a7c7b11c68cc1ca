"""Attaches subtrees, from the same or another spec, under other bodies; adapts their names and references.

The child's elements become the parent's own, or are copied if the parent's `deep` is set. Either way the child still
lists them. A child whose elements were moved cannot be compiled any more. Default classes are always copied.
"""

import warnings
from typing import Any

from ...tables.compat_rows import holds
from ..files import resources
from ..language import orient
from ..language.errors import SpecError
from ..language.free_names import free_name
from .conflicts import meet
from .element import Element
from .elements import LISTS, MjsBody, MjsFrame, MjsSite, is_inside, need
from .keyframes import StoredKey, expand, hold, settle, store
from .references import ASSET_NAMES, RENAME, UNNAMED, USERS, Known, Names, named_instances
from .spec import MjSpec, file_stem, set_parent

KINDS = ("geom", "joint", "site", "camera", "light")
# types of elements that refer to the tree, in attaching order; such an element is attached if all its targets are attached
REFERRING = ("flex", "pair", "exclude", "tendon", "equality", "actuator", "sensor", "tuple")
ASSETS = ("mesh", "skin", "hfield", "texture", "material")


class _Mover:
    """Moves or copies elements of `source` into `spec` under new names."""

    def __init__(self, spec: MjSpec, source: MjSpec, names: Names, deep: bool) -> None:
        self.spec, self.source, self.names, self.deep = spec, source, names, deep
        self.classes = {}
        self.copies = {}

    def take(self, e: Any, name: bool = True) -> Any:
        """Return an element of the source after moving or copying it to the spec, with its new name, class and plugin."""
        new = self.copies[e] = e.copy_to(self.spec) if self.deep else e
        ref = e.raw.get("plugin")
        source = ref.source if ref is not None else None
        new.spec, new.index = self.spec, -1

        # replace names and classes by the corresponding ones of the new spec
        new.default = self.classes.get(e.default, e.default)
        if name:
            self.names.apply(new)
        self.plugin(new, source)
        return new

    def plugin(self, new: Any, source: Any) -> None:
        """Move or copy the plugin instance that belongs to this element only."""
        ref = new.raw.get("plugin")
        if ref is None:
            return
        ref.spec = self.spec
        if ref.raw["active"] and not ref.raw["name"] and source is not None:
            ref.source = source.copy_to(self.spec) if self.deep else source
            ref.source.spec = self.spec
            self.spec.parts["plugin"].append(ref.source)

    def element(self, e: Any, body: MjsBody, frames: dict[Any, Any]) -> Any:
        """Move an element to a body, and into the moved copy of its frame."""
        frame = frames.get(e.frame) if e.frame is not None else None
        new = self.take(e)
        new.parent, new.frame = body, frame
        return new

    def body(self, body: MjsBody, parent: MjsBody, frame: MjsFrame) -> MjsBody:
        """Move a body with its contents and its subtree; return the new body."""
        todo = []
        top = self._one_body(body, parent, frame, todo)
        while todo:
            inner, outer, held = todo.pop()
            new = self._one_body(inner, outer, held, todo)
            if self.deep:
                outer.parts["body"].append(new)
        return top

    def _one_body(self, body: MjsBody, parent: MjsBody, frame: MjsFrame | None, todo: list[Any]) -> MjsBody:
        """Move a body without its child bodies, which are appended to `todo`."""
        parts = body.parts
        new = self.take(body)
        if self.deep:
            new.parts = {kind: [] for kind in LISTS}
        new.parent, new.frame = parent, frame

        # move the contents and their frames
        frames = self.frames(parts["frame"], new, {})
        moved = {kind: [self.element(e, new, frames) for e in parts[kind]] for kind in KINDS}
        todo += [(b, new, frames.get(b.frame)) for b in reversed(parts["body"])]

        # a copied body gets new lists of its elements; a moved body keeps its lists
        if self.deep:
            for kind, found in moved.items():
                new.parts[kind] = found
            new.parts["frame"] = [frames[f] for f in parts["frame"]]
        return new

    def frames(self, frames: list[MjsFrame], body: MjsBody, known: dict[Any, Any]) -> dict[Any, Any]:
        """Move frames to a body, and link them to their outer frames; return {old: new}."""
        outer = {f: f.frame for f in frames}
        moved = dict(known)
        for f in frames:
            moved[f] = self.take(f)
            moved[f].parent = body
        for f in frames:
            moved[f].frame = moved.get(outer[f])
        return moved

    def defaults(self) -> None:
        """Copy the source's default classes, under new names, below the spec's main class."""
        if self.source is self.spec:
            return
        taken = {d.label for d in self.spec.all_defaults()}
        copy = self.source.default.copy_to(self.spec, self.spec.default, lambda name: _free(self.names(name), taken))
        self.spec.default.children.append(copy)

        # map each class to its copy, and rename the assets to which the class refers
        todo = [(self.source.default, copy)]
        while todo:
            old, new = todo.pop()
            self.classes[old] = new
            for kind in new.KINDS:
                e = getattr(new, kind)
                for field in ASSET_NAMES.get(kind, ()):
                    e.raw[field] = self.names(e.raw[field])
            todo += zip(old.children, new.children)

        # elements that use the source's main class now use the spec's main class
        self.classes[self.source.default] = self.spec.default


def _free(name: str, taken: set[str]) -> str:
    """Return `name`, or `name_1`, `name_2`, ... if it is taken; add the result to `taken`."""
    taken.add(free := free_name(name, taken, 1))
    return free


def _start(spec: MjSpec, child: Any, prefix: str, suffix: str, deep: bool | None) -> tuple[_Mover, list[Any]]:
    """Return (mover, keyframes stored per element) for attaching an element of this or another spec."""
    source = child.spec
    deep = spec.deep if deep is None else deep
    if source is spec and not deep:
        raise ValueError("Error: an element can be in its own spec only once; set copy_during_attach to attach a copy of it")
    if source is not spec:
        meet(spec, source)
    if source is not spec and holds("keys_whole", spec.compat_bits):
        # first store the spec's keyframes per element, because the tree will change
        hold(spec)
    names = Names(prefix, suffix, source is not spec, () if holds("flex_named", spec.compat_bits) else UNNAMED)
    mover = _Mover(spec, source, names, deep)
    keys = store(source, lambda name: prefix + name + suffix) if source.parts["key"] else []
    if source is not spec:
        keys += source.pending_keys
        source.pending_keys = []
    mover.defaults()
    if not deep:
        source.attached = True
    return mover, keys


def _finish(spec: MjSpec, mover: _Mover, keys: list[StoredKey]) -> None:
    spec.changed()
    mover.source.changed()
    _bring_references(spec, mover.source, mover)
    settle(spec, keys, mover.copies, mover.source is spec)
    expand(spec)


def attach_frame(body: MjsBody, frame: MjsFrame, prefix: str = "", suffix: str = "", deep: bool | None = None) -> MjsFrame:
    """Move a frame and everything in it to a body; return the new frame."""
    spec = body.spec
    mover, keys = _start(spec, frame, prefix, suffix, deep)
    old, outer = frame.parent, frame.frame

    # select the contents before anything moves
    inner = [f for f in old.parts["frame"] if f is not frame and is_inside(frame, f.frame)]
    chosen = {kind: [e for e in old.parts[kind] if is_inside(frame, e.frame)] for kind in (*KINDS, "body")}
    held = {b: b.frame for b in chosen["body"]}

    # move the frame itself, then the frames inside it
    new = mover.take(frame)
    new.parent, new.frame = body, outer if mover.source is spec else None
    body.parts["frame"].append(new)
    frames = mover.frames(inner, body, {frame: new})
    body.parts["frame"] += [frames[f] for f in inner]

    # move the elements and bodies in the moved frames
    for kind in KINDS:
        body.parts[kind] += [mover.element(e, body, frames) for e in chosen[kind]]
    body.parts["body"] += [mover.body(b, body, frames[held[b]]) for b in chosen["body"]]
    _finish(spec, mover, keys)
    return new


def attach_body(frame: MjsFrame, body: MjsBody, prefix: str = "", suffix: str = "", deep: bool | None = None) -> MjsBody:
    """Move a body with its subtree into a frame; return the new body."""
    spec = frame.spec
    if frame.parent is None:
        raise ValueError("Error: Frame does not have a parent body.")
    mover, keys = _start(spec, body, prefix, suffix, deep)
    new = mover.body(body, frame.parent, frame)
    frame.parent.parts["body"].append(new)
    _finish(spec, mover, keys)
    return new


def attach_spec(holder: Any, source: MjSpec, prefix: str = "", suffix: str = "", deep: bool | None = None) -> MjsFrame:
    """Attach another spec to a frame, body or site. Everything in its world is put into one new frame."""
    world = source.worldbody
    frame = MjsFrame(source, world.default)
    frame.parent = world
    for kind in LISTS:
        for e in world.parts[kind]:
            if e.frame is None:
                e.frame = frame
    world.parts["frame"].append(frame)

    if isinstance(holder, MjsSite):
        return attach_at_site(holder, frame, prefix, suffix, deep)
    if isinstance(holder, MjsFrame):
        new = attach_frame(holder.parent, frame, prefix, suffix, deep)
        new.frame = holder
        return new
    return attach_frame(holder, frame, prefix, suffix, deep)


def attach_at_site(
    site: MjsSite, what: MjsBody | MjsFrame, prefix: str = "", suffix: str = "", deep: bool | None = None
) -> Any:
    """Attach a body or a frame at a site, in a new frame with the site's pose."""
    raw = site.spec.compiler.raw
    quat, error = orient.resolve(tuple(site.raw["quat"]), tuple(site.raw["alt"]), raw["degree"], raw["eulerseq"])
    if error:
        raise SpecError(error, site.place)
    frame = site.parent.add_frame(pos=site.raw["pos"], quat=quat)
    frame.frame = site.frame

    if isinstance(what, MjsBody):
        return attach_body(frame, what, prefix, suffix, deep)
    new = attach_frame(site.parent, what, prefix, suffix, deep)
    new.frame = frame
    return new


def _bring_references(spec: MjSpec, source: MjSpec, mover: _Mover) -> None:
    """Move or copy elements that refer to elements of the tree, if everything that they name is now in the spec."""
    known = Known(spec)

    # attach assets and custom fields of another spec
    if source is not spec:
        for kind in ASSETS:
            # the spec may already have the asset, if another part of the same source was attached before
            for e in [e for e in source.parts[kind] if e.spec is not spec]:
                _bring_asset(spec, kind, e, mover, known)
        for kind in ("numeric", "text"):
            spec.parts[kind] += [mover.take(e) for e in source.parts[kind] if e.spec is not spec]
        for plugin in source.active_plugins:
            if plugin not in spec.active_plugins:
                spec.active_plugins.append(plugin)

    # Rename a copy of the element first: if the element is not attached, it must keep its names.
    for kind in REFERRING:
        for e in list(source.parts[kind]):
            trial = e.copy_to(spec)
            mover.names.apply(trial)
            there = RENAME[kind](trial, mover.names, known)
            trial.unlink()

            # all references were found: now move the element itself
            if there:
                new = mover.take(e)
                RENAME[kind](new, mover.names, known)
                for w in getattr(new, "wraps", ()):
                    w.spec = spec
                spec.parts[kind].append(new)
                known.add(kind, new.label)
    _bring_instances(spec, source, mover)


def _bring_asset(spec: MjSpec, kind: str, e: Element, mover: _Mover, known: Known) -> None:
    names = mover.names
    if kind == "skin" and not names.unnamed and not all(known.has("body", names(b)) for b in e.raw["bodyname"]):
        return
    if not e.label and e.raw.get("file"):
        label = file_stem(e.raw["file"])
    else:
        label = e.label
    new = mover.take(e)
    new.label = label if kind in names.unnamed else names(label)
    if kind == "material":
        new.raw["textures"] = [names(t) for t in new.raw["textures"]]
    if kind == "skin":
        new.raw["bodyname"] = [names(b) for b in new.raw["bodyname"]]
    spec.parts[kind].append(new)


def _bring_instances(spec: MjSpec, source: MjSpec, mover: _Mover) -> None:
    """Copy the named plugin instances that moved elements refer to."""
    given = [p for p in source.parts["plugin"] if p.label]
    have = {p.label for p in spec.parts["plugin"]}
    for kind in USERS if given else ():
        wanted = named_instances(spec, kind)
        for p in given:
            name = mover.names(p.label)
            if name in wanted and name not in have:
                new = p.copy_to(spec)
                new.label = name
                have.add(name)
                spec.parts["plugin"].append(new)


# ---- the public interface


def attach_frame_to_body(body: MjsBody, frame: MjsFrame, prefix: str | None = None, suffix: str | None = None) -> MjsFrame:
    """Attach a frame of this or another spec, with everything in it, to this body."""
    return attach_frame(body, need("attach_frame", frame, MjsFrame), *_affixes("attach_frame", prefix, suffix))


def attach_body_to_frame(frame: MjsFrame, body: MjsBody, prefix: str | None = None, suffix: str | None = None) -> MjsBody:
    """Attach a body of this or another spec, with its subtree, to this frame."""
    return attach_body(frame, need("attach_body", body, MjsBody), *_affixes("attach_body", prefix, suffix))


def attach_body_to_site(site: MjsSite, body: MjsBody, prefix: str | None = None, suffix: str | None = None) -> MjsBody:
    """Attach a body of this or another spec, with its subtree, at this site."""
    return attach_at_site(site, need("attach_body", body, MjsBody), *_affixes("attach_body", prefix, suffix))


def _affixes(what: str, prefix: Any, suffix: Any) -> tuple[str, str]:
    """Return the name prefix and suffix of an attachment, as strings."""
    for text in (prefix, suffix):
        if text is not None and not isinstance(text, str):
            raise TypeError(f"{what}(): incompatible function arguments: needs text, got {type(text).__name__}")
    return prefix or "", suffix or ""


def attach_child(
    spec: MjSpec,
    child: MjSpec,
    prefix: str | None = None,
    suffix: str | None = None,
    site: MjsSite | str | None = None,
    frame: MjsFrame | str | None = None,
) -> MjsFrame:
    """Attach another spec, with its assets, to a frame or site, given as an element or by name; return the new frame.

    The affixes are put around all names; `prefix=None` means '/'. ValueError if neither or both of `site` and `frame` are
    given, or if the site or frame is unknown or belongs to another spec.
    """
    need("attach", child, MjSpec)
    if site is None and frame is None:
        raise ValueError("One of frame or site must be specified.")
    if site is not None and frame is not None:
        raise ValueError("Only one of frame or site can be specified.")

    # look up the frame or site and check that it belongs to this spec
    holder, kind = (frame, "frame") if frame is not None else (site, "site")
    if isinstance(holder, str):
        holder = spec.find(kind, holder)
        if holder is None:
            raise ValueError(f"{kind.capitalize()} not found.")
    if holder is None or getattr(holder, "kind", "") != kind:
        raise TypeError(
            f"attach(): incompatible function arguments: {kind}: needs a {kind} or its name, got {type(holder).__name__}"
        )
    if holder.spec is not spec:
        raise ValueError(f"{kind.capitalize()} spec does not match parent spec.")

    # attach the spec, then rename the files of meshes and textures that are new
    prefix, suffix = "/" if prefix is None else prefix, suffix or ""
    before = {k: len(spec.parts[k]) for k in ("mesh", "texture")}
    new = attach_spec(holder, child, prefix, suffix)
    _bring_files(spec, child, before, prefix, suffix)
    set_parent(child, spec)
    return new


def _bring_files(spec: MjSpec, child: MjSpec, before: dict[str, int], prefix: str, suffix: str) -> None:
    """Copy the file contents of an attached spec under new names; make its meshes and textures refer to the new names."""
    named = {name: resources.renamed(name, prefix, suffix) for name in child.assets}
    has = bool(child.parts["mesh"] or child.parts["texture"])

    # warn if only one of the two specs stores its files in memory
    if not named and has and spec.assets:
        warnings.warn(
            "Attaching a child without asset dict to a parent with an asset dict might result in missing assets when "
            "attaching again.",
            stacklevel=4,
        )
    if named and not spec.assets and any(before.values()):
        warnings.warn(
            "Attaching a child with asset dict to a parent without an asset dict might result in missing assets when "
            "attaching again.",
            stacklevel=4,
        )

    # copy the file contents
    for old, new in named.items():
        if new in spec.assets and not spec.override_assets:
            raise ValueError(f"Asset {old} already exists in parent spec.")
        spec.assets[new] = child.assets[old]

    # rename in the assets that were just attached
    if named:
        for kind, start in before.items():
            for e in spec.parts[kind][start:]:
                if e.raw["file"]:
                    e.raw["file"] = resources.renamed(e.raw["file"], prefix, suffix)
