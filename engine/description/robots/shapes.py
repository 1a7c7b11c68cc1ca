"""Converts shapes of links to geoms: meshes with their parts and materials. Each file is read once."""

import contextlib
import os
import posixpath
from collections import defaultdict
from collections.abc import Iterable, Mapping
from typing import Any

import numpy as np

from ...geom.mesh_read import MeshError
from ...tables.enums import mjtMeshInertia
from ..elements.elements import MjsBody, MjsMesh
from ..elements.spec import MjSpec
from ..language import orient
from ..language.free_names import free_name
from ..language.types import MESH, TEXTURE_2D
from .fitting import DECOMPOSE, EVERY, KINDS, Decomposition, decompose, fitted
from .locate import Finder
from .mesh_files import MeshFile, MeshFiles, Usable, Use, convex_pieces, in_use, made_usable, usable
from .meshes import as_png, image_path
from .parts import Part, scaled, tidy
from .pieces import Shape, filled
from .report import ImportReport
from .solid import TYPES

# Geom groups that common model collections use for visual and collision geoms.
VISUAL_GROUP, COLLISION_GROUP = 2, 3
# texture sizes: (total number of texture pixels so far, maximum side of the next texture)
SIDES = ((1 << 26, 4096), (1 << 27, 2048), (1 << 28, 1024), (1 << 62, 512))
GREY = (0.7, 0.7, 0.7, 1.0)
SHELL = int(mjtMeshInertia.mjMESH_INERTIA_SHELL)


class Shaper:
    """Creates the geoms of one import, and keeps the meshes, materials and textures that they share."""

    def __init__(self, spec: MjSpec, finder: Finder, report: ImportReport) -> None:
        self.spec, self.finder, self.report = spec, finder, report
        self.files = MeshFiles(finder)
        # names of missing files, and paths of unreadable ones, that are in the report already
        self.failed: set[str] = set()
        self.ready: dict[tuple, list[tuple[MjsMesh, Part]]] = {}
        self.names: dict[str, set[str]] = defaultdict(set)
        self.materials: dict[tuple, str] = {}
        self.textures: dict[Any, str] = {}
        self.pixels = 0
        # The replacement for collision meshes: a shape from `fitting.KINDS`, or convex pieces; and {mesh file: shape for it}.
        self.fit, self.decompose = "", False
        self.own: Mapping[str, str] = {}

    # ---- names

    def name(self, kind: str, wanted: str) -> str:
        """Return an unused name for a kind of element."""
        name = free_name(wanted or kind, self.names[kind])
        self.names[kind].add(name)
        return name

    # ---- geoms

    def add(self, body: MjsBody, shape: Shape) -> list[Any]:
        """Add the geoms of a shape to a body and return them; return none if its mesh is not available."""
        fields: dict[str, Any] = {"pos": shape.pos, "quat": shape.quat, **shape.extras}
        fields.update({"group": COLLISION_GROUP} if shape.collides else {"contype": 0, "conaffinity": 0, "group": VISUAL_GROUP})
        geoms = []
        if shape.kind != "mesh":
            size = (0.0, 0.0, 1.0) if shape.kind == "plane" and not shape.size else (*shape.size, 0.0, 0.0)[:3]
            geom = filled(body.add_geom(), "", shape.place, type=TYPES[shape.kind], size=size, **fields)
            self._paint(geom, shape, None)
            geoms.append(geom)
        elif shape.collides and (kind := self.way(shape)[0]):
            geoms += self._fitted(body, shape, fields, kind)
        else:
            for mesh, part in self.meshes(shape):
                geom = filled(body.add_geom(), "", shape.place, type=MESH, meshname=mesh.label, **fields)
                self._paint(geom, shape, part)
                geoms.append(geom)
        if geoms and shape.name and shape.name not in self.names["geom"]:
            geoms[0].label = self.name("geom", shape.name)
        return geoms

    def way(self, shape: Shape) -> tuple[str, bool]:
        """Return the shape that replaces a collision mesh, and whether it is decomposed."""
        names = shape.file, posixpath.basename(shape.file.replace("\\", "/")), EVERY
        own = next((self.own[name] for name in names if name in self.own), None)
        if own is None:
            return self.fit, self.decompose
        return own if own in KINDS else "", own == DECOMPOSE

    def _fitted(self, body: MjsBody, shape: Shape, fields: dict[str, Any], kind: str) -> list[Any]:
        """Add geoms that fit the pieces of a collision mesh."""
        geoms = []
        for part in self._pieces(shape, self.parts(shape)):
            what = self._what(shape, part.name)
            try:
                found, share = fitted(part.vert, kind)
            except MeshError:
                self.report.add("fitted", shape.place, f"{what} is flat", "it does not collide")
                continue
            pos, quat = orient.compose(shape.pos, shape.quat, found.pos, found.quat)
            size = (*found.size, 0.0)[:3]
            own = fields | {"pos": pos, "quat": quat}
            geoms.append(filled(body.add_geom(), "", shape.place, type=TYPES[found.kind], size=size, **own))
            shown = " ".join(f"{x:.4g}" for x in found.size)
            done = f"a {found.kind} ({shown}) of {share:.2f} times the hull's volume"
            self.report.add("fitted", shape.place, what, done)
            self.report.collisions[shape.file] = done
        return geoms

    def _pieces(self, shape: Shape, parts: list[Part]) -> list[Part]:
        """Return a collision mesh as convex pieces."""
        if not self.way(shape)[1]:
            self.report.collisions.setdefault(shape.file, "its convex hull")
            return convex_pieces(parts)
        found, largest, told = [], -1.0, ""
        whole = [part for p in convex_pieces(parts) if (part := tidy(p)[0]) is not None]
        for part in whole:
            try:
                done = decompose(part)
            except MeshError as reason:
                done = Decomposition([part], str(reason))
            self.report.add("fitted", shape.place, self._what(shape, part.name), done.told)
            found += done.pieces
            if part.volume > largest:
                largest, told = part.volume, done.told
        if whole:
            several = f"{len(found)} convex pieces of {len(whole)} parts; the largest part: " if len(whole) > 1 else ""
            self.report.collisions[shape.file] = several + told
        return found

    def _what(self, shape: Shape, name: str = "") -> str:
        file = posixpath.basename(shape.file.replace("\\", "/"))
        return f"the mesh '{file}'" + (f" ('{name}')" if name else "")

    def _paint(self, geom: Any, shape: Shape, part: Part | None) -> None:
        if shape.collides:
            return
        rgba, image, name = shape.rgba, shape.texture, shape.material
        if part is not None and (part.rgba is not None or part.image):
            # Colors of a mesh file have priority over those of the description, as in ROS viewers.
            rgba, image, name = part.rgba, part.image, part.material or shape.material
        elif part is not None and part.texcoord is None:
            image = ""
        texture = self._texture(image, shape) if image else ""
        if rgba is None and not texture:
            geom.raw["rgba"] = GREY
            return
        key = (tuple(round(float(x), 6) for x in rgba) if rgba else None, texture, name)
        if key not in self.materials:
            label = self.materials[key] = self.name("material", name or "color")
            material = filled(self.spec.add("material"), label, shape.place)
            if rgba:
                material.raw["rgba"] = rgba
            if texture:
                material.raw["textures"] = ("", texture, *[""] * 8)
        geom.raw["material"] = self.materials[key]

    def _texture(self, image: bytes | str, shape: Shape) -> str:
        """Return the name of the texture for an image, which is given by its contents or file name."""
        if image not in self.textures:
            self.textures[image] = self._make_texture(image, shape)
        return self.textures[image]

    def _make_texture(self, image: bytes | str, shape: Shape) -> str:
        name = "texture"
        if isinstance(image, str):
            mesh = self.finder.find(shape.file, shape.place)[0] if shape.file else ""
            path = image_path(self.finder, mesh, image) if mesh else ""
            path = path or self.finder.find(image, shape.place, "texture")[0]
            if not path:
                self.report.add("lost_texture", shape.place, f"the texture '{image}' was not found", "the color is used")
                return ""
            name = os.path.splitext(os.path.basename(path))[0]
            try:
                data = self.finder.read(path)
            except OSError as error:
                self.report.add(
                    "lost_texture", shape.place, f"the texture '{image}' cannot be read: {error}", "the color is used"
                )
                return ""
        else:
            data = image
        try:
            # A robot with many large textures gets smaller ones, to fit in memory.
            png, count = as_png(data, next(side for total, side in SIDES if self.pixels <= total))
            self.pixels += count
        except MeshError as error:
            self.report.add("lost_texture", shape.place, f"the texture of '{shape.file}': {error}", "the color is used")
            return ""
        label = self.name("texture", name)
        file = f"{label}.png"
        self.spec.assets[file] = png
        filled(self.spec.add("texture"), label, shape.place, type=TEXTURE_2D, file=file)
        return label

    # ---- meshes

    def reading(self, shapes: Iterable[Shape]) -> contextlib.AbstractContextManager[None]:
        """Return a context in which threads read the mesh files of shapes, while the caller converts the shapes to geoms."""
        wanted: dict[str, dict[Use, None]] = {}
        for shape in shapes:
            if shape.kind != "mesh" or shape.parts:
                continue
            path = self.finder.find(shape.file, shape.place)[0]
            if path:
                uses = wanted.setdefault(path, {})
                # Geoms of fitted and decomposed meshes are not made from the file's parts, so do not prepare parts for them.
                if not (shape.collides and any(self.way(shape))):
                    uses[use_of(shape)] = None
        return self.files.reading({path: tuple(uses) for path, uses in wanted.items()})

    def _file(self, shape: Shape) -> MeshFile | None:
        """Return a shape's mesh file; None if it is missing or unreadable, which is reported once."""
        path, tried = self.finder.find(shape.file, shape.place)
        file = self.files.file(path) if path else None
        if file is not None and not file.error:
            return file
        if file is None and shape.file not in self.failed:
            done = f"{len(tried)} paths were tried: " + ", ".join(tried[:12])
            self.report.add("lost_mesh", shape.place, f"the mesh '{shape.file}' was not found", done)
        elif file is not None and path not in self.failed:
            self.report.add("bad_mesh", shape.place, f"the mesh '{path}' cannot be read: {file.error}", "it is left out")
        self.failed.add(path or shape.file)
        return None

    def parts(self, shape: Shape) -> list[Part]:
        """Return the scaled parts of a shape: the parts that it contains itself, or the parts of its mesh file."""
        if shape.parts:
            return scaled(shape.parts, shape.scale)
        file = self._file(shape)
        return in_use(file.parts, use_of(shape)) if file is not None else []

    def _usable(self, shape: Shape) -> list[Usable]:
        """Return the parts of a shape for its geoms."""
        if shape.collides and self.way(shape)[1]:
            return [made_usable(piece, True) for piece in self._pieces(shape, self.parts(shape))]
        if shape.collides:
            self.report.collisions.setdefault(shape.file, "its convex hull")
        file = self._file(shape) if not shape.parts else None
        known = file.usable.get(use_of(shape)) if file is not None else None
        return usable(self.parts(shape), shape.collides) if known is None else known

    def meshes(self, shape: Shape) -> list[tuple[MjsMesh, Part]]:
        """Return (mesh, part) pairs for a shape. The part has the color and the texture of the mesh."""
        key = (shape.file, shape.scale, shape.submesh, shape.collides)
        if key not in self.ready:
            rows = self._usable(shape)
            self.ready[key] = [made for row in rows if (made := self._mesh(row, shape, len(rows) > 1)) is not None]
        return self.ready[key]

    def _mesh(self, row: Usable, shape: Shape, several: bool) -> tuple[MjsMesh, Part] | None:
        tidied, notes = row.part, row.notes
        file = posixpath.basename(shape.file.replace("\\", "/"))
        what = self._what(shape, row.name if several else "")
        if tidied is None:
            self.report.add("mesh", shape.place, f"{what}: {', '.join(notes)}", "it is left out")
            return None
        if notes:
            self.report.add("mesh", shape.place, what, "; ".join(notes))
        stem = os.path.splitext(file)[0]
        # Visual and collision shapes with the same triangles share a mesh.
        for mesh, known in self.ready.get((shape.file, shape.scale, shape.submesh, not shape.collides), ()):
            if same_triangles(known, tidied):
                return mesh, tidied
        mesh = filled(self.spec.add("mesh"), self.name("mesh", stem), shape.place)
        mesh.raw["uservert"] = np.asarray(tidied.vert, np.float32).ravel()
        mesh.raw["userface"] = np.ascontiguousarray(tidied.face, np.int32).ravel()
        if tidied.texcoord is not None and tidied.facetexcoord is not None and tidied.image and not shape.collides:
            mesh.raw["usertexcoord"] = np.asarray(tidied.texcoord, np.float32).ravel()
            mesh.raw["userfacetexcoord"] = np.ascontiguousarray(tidied.facetexcoord, np.int32).ravel()
        if row.flat:
            mesh.raw["inertia"] = SHELL
        self.report.sources[f"mesh {mesh.name}"] = shape.file
        return mesh, tidied


def use_of(shape: Shape) -> Use:
    """Return the Use that a shape makes of its mesh file."""
    return Use(tuple(shape.scale), shape.submesh, shape.collides)


def same_triangles(one: Part, two: Part) -> bool:
    """Return whether two tidied parts have the same triangles."""
    return one.vert.shape == two.vert.shape and np.array_equal(one.vert, two.vert) and np.array_equal(one.face, two.face)
