"""The mesh files of a robot: read, scaled, split and repaired on all processors while the spec is built.

shapes ─▶ wanted (a file, and how it is used) ─▶ read_parts ─▶ scaled ─▶ by_look, convex_pieces ─▶ repaired ─▶ Shaper
"""

import concurrent.futures
import contextlib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

from ...geom.mesh_read import MeshError
from ...machine.systems import processors
from .locate import Finder
from .meshes import read_parts
from .parts import LEAST_VOLUME, Part, scaled, thickened, tidy

# Maximum number of convex pieces of a collision mesh; a file with more pieces counts as one.
MOST_PIECES = 64
# Maximum number of visual parts of a mesh file; if there are more, parts of the same color are joined.
MOST_PARTS = 200


@dataclass(frozen=True)
class Use:
    """A shape's use of a mesh file: scale, name of the shape in the file (all if empty), and whether it collides."""

    scale: tuple[float, ...]
    submesh: str
    collides: bool


@dataclass
class Usable:
    """`part`: a part that the compiler accepts, or None. `name`: its name. `notes`: its repairs. `flat`: it has no volume."""

    part: Part | None
    name: str
    notes: list[str]
    flat: bool = False


@dataclass
class MeshFile:
    """A mesh file: its parts, or why it cannot be read; and the usable parts for each use that was announced."""

    parts: list[Part] = field(default_factory=list)
    error: str = ""
    usable: dict[Use, list[Usable]] = field(default_factory=dict)


class MeshFiles:
    """The mesh files of one import. Each is read once: in a thread if `reading` announced it, else on request."""

    def __init__(self, finder: Finder) -> None:
        self.finder = finder
        self._known: dict[str, MeshFile] = {}
        self._begun: dict[str, concurrent.futures.Future[MeshFile]] = {}

    @contextlib.contextmanager
    def reading(self, wanted: Mapping[str, Sequence[Use]]) -> Iterator[None]:
        """Read {file: uses} on several threads during this context."""
        threads = min(len(wanted), processors())
        if threads < 2:
            yield
            return
        # Record the files in the order of the description, because threads finish in any order.
        self.finder.report.files.update(dict.fromkeys(wanted))
        pool = concurrent.futures.ThreadPoolExecutor(threads, "mesh file")
        try:
            for path in wanted:
                self._begun[path] = pool.submit(read_file, self.finder, path, wanted[path])
            yield
        finally:
            pool.shutdown(cancel_futures=True)

    def file(self, path: str) -> MeshFile:
        """Return a file. If a thread is reading it, wait."""
        if path not in self._known:
            begun = self._begun.pop(path, None)
            self._known[path] = begun.result() if begun is not None else read_file(self.finder, path, ())
        return self._known[path]


def read_file(finder: Finder, path: str, uses: Sequence[Use]) -> MeshFile:
    """Read a mesh file, and prepare its parts for each use."""
    try:
        found = MeshFile(read_parts(finder, path))
    except MeshError as error:
        return MeshFile(error=str(error))
    found.usable = {use: usable(in_use(found.parts, use), use.collides) for use in uses}
    return found


def in_use(parts: list[Part], use: Use) -> list[Part]:
    """Return the parts that a use selects, in its scale."""
    if use.submesh:
        parts = [p for p in parts if p.name == use.submesh] or parts
    return scaled(parts, use.scale)


def usable(parts: list[Part], collides: bool) -> list[Usable]:
    """Return parts for geoms: one for each color, or one for each object if they collide."""
    return [made_usable(part, collides) for part in (convex_pieces if collides else by_look)(parts)]


def made_usable(part: Part, collides: bool) -> Usable:
    """Repair a part. If it collides, it also gets a hull: flat parts have none, so they get a little thickness."""
    tidied, notes = tidy(part)
    if tidied is not None and collides and (thick := thickened(tidied)) is not None:
        tidied = thick
        notes.append("it is flat and has no hull: it gets a little thickness")
    return Usable(tidied, part.name, notes, tidied is not None and tidied.volume < LEAST_VOLUME)


def joined(parts: list[Part]) -> Part:
    """Join parts into one, with the color and image of the first."""
    if len(parts) == 1:
        return parts[0]
    if all(p.vert is parts[0].vert for p in parts):
        vert, offsets = parts[0].vert, [0] * len(parts)
    else:
        vert = np.concatenate([p.vert for p in parts])
        offsets = np.cumsum([0, *(len(p.vert) for p in parts[:-1])]).tolist()
    one = replace(parts[0], vert=vert, face=np.concatenate([p.face + o for p, o in zip(parts, offsets, strict=True)]))
    if any(p.texcoord is None or p.facetexcoord is None for p in parts):
        one.texcoord = one.facetexcoord = None
    else:
        coords: list[Any] = [p.texcoord for p in parts]
        corners: list[Any] = [p.facetexcoord for p in parts]
        if all(c is coords[0] for c in coords):
            one.texcoord, one.facetexcoord = coords[0], np.concatenate(corners)
        else:
            shift = np.cumsum([0, *(len(c) for c in coords[:-1])]).tolist()
            one.texcoord = np.concatenate(coords)
            one.facetexcoord = np.concatenate([c + o for c, o in zip(corners, shift, strict=True)])
    return one


def by_look(parts: list[Part]) -> list[Part]:
    """Join parts that have the same color and image."""
    groups: dict[Any, list[Part]] = {}
    for part in parts:
        rgba = tuple(round(float(x), 3) for x in part.rgba) if part.rgba else None
        groups.setdefault((rgba, part.image), []).append(part)
    found = [joined(group) for group in groups.values()]
    if len(found) > MOST_PARTS:
        whole = joined(parts)
        return [replace(whole, rgba=None, image=b"")]
    return found


def convex_pieces(parts: list[Part]) -> list[Part]:
    """Return the objects of a collision mesh, whose hulls collide. A file with too many objects counts as one object."""
    groups: dict[str, list[Part]] = {}
    for part in parts:
        groups.setdefault(part.name, []).append(part)
    if not 1 < len(groups) <= MOST_PIECES:
        return [joined(parts)] if parts else []
    return [joined(group) for group in groups.values()]
