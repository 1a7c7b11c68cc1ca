"""Geometry and colors of a USD stage → shapes. A shape stays a primitive if its transform allows that, and becomes triangles
otherwise.
"""

import math
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np

from ...geom.mesh_read import MeshError
from ..language import orient
from .parts import Part, cut
from .pieces import TURNING, Quat, Shape, Vec
from .usd_layers import pxr

# Segments of round shapes that become triangles.
SEGMENTS = 32
# Relative difference of scales, and cosine between axes, below which they count as rounding errors.
ROUNDING = 1e-5
AXES = {"X": 0, "Y": 1, "Z": 2}
# A function that counts a finding, given rule, prim, what was found and what was done.
Note = Callable[[str, Any, str, str], None]


def quat_of(matrix: np.ndarray) -> Quat:
    """Return the quaternion of a rotation matrix (3, 3)."""
    x, y, z = matrix.T.tolist()
    return orient.from_axes(x, y, z)


def parted(matrix: np.ndarray) -> tuple[np.ndarray, np.ndarray, bool]:
    """Return (rotation, scale, whether they describe the map exactly) of a linear map (3, 3). If not, the map shears or is
    singular. A map that mirrors has a negative scale."""
    scale = np.linalg.norm(matrix, axis=0)
    if not (scale > 1e-12).all():
        return np.eye(3), scale, False
    axes = matrix / scale
    exact = bool(np.abs(axes.T @ axes - np.eye(3)).max() < ROUNDING)
    if not exact:
        u, _, v = np.linalg.svd(matrix)
        axes = u @ v
    if np.linalg.det(axes) < 0:
        axes = axes * [-1.0, 1.0, 1.0]
        scale = scale * [-1.0, 1.0, 1.0]
    return axes, scale, exact


def tuple_of(values: Any) -> Vec:
    """Return numbers as a tuple of floats."""
    return tuple(float(x) for x in values)


# ---- triangles of primitives


def lathe(profile: list[tuple[float, float]]) -> Part:
    """Return the surface that a profile makes when it is rotated about z. The profile is a list of (radius, height) from bottom
    to top, with radius 0 at both ends."""
    angles = np.arange(SEGMENTS) * (2 * math.pi / SEGMENTS)
    rings = [np.column_stack((r * np.cos(angles), r * np.sin(angles), np.full(SEGMENTS, h))) for r, h in profile[1:-1]]
    vert = np.vstack(([[0.0, 0.0, profile[0][1]]], *rings, [[0.0, 0.0, profile[-1][1]]]))
    one = np.arange(SEGMENTS)
    two = (one + 1) % SEGMENTS
    last = len(vert) - 1
    faces = [np.column_stack((np.zeros_like(one), 1 + two, 1 + one))]
    for k in range(len(rings) - 1):
        low, high = 1 + k * SEGMENTS, 1 + (k + 1) * SEGMENTS
        faces += [
            np.column_stack((low + one, low + two, high + two)),
            np.column_stack((low + one, high + two, high + one)),
        ]
    top = 1 + (len(rings) - 1) * SEGMENTS
    faces.append(np.column_stack((top + one, top + two, np.full_like(one, last))))
    return Part(vert, np.vstack(faces).astype(np.int32))


def arch(radius: float, middle: float, start: float, end: float) -> list[tuple[float, float]]:
    """Return points (radius, height) of a circular arc between two elevation angles; its center is at (0, middle)."""
    angles = np.linspace(start, end, SEGMENTS // 4 + 1)
    return [(radius * math.cos(a), middle + radius * math.sin(a)) for a in angles.tolist()]


def surface(kind: str, size: tuple[float, ...]) -> Part:
    """Return the triangles of a primitive with axis z; sizes as in MJCF."""
    if kind == "box":
        corners = np.array([(x, y, z) for x in (-1, 1) for y in (-1, 1) for z in (-1, 1)], float) * size
        quads = [(0, 1, 3, 2), (4, 6, 7, 5), (0, 4, 5, 1), (2, 3, 7, 6), (0, 2, 6, 4), (1, 5, 7, 3)]
        return Part(corners, np.array([t for a, b, c, d in quads for t in ((a, b, c), (a, c, d))], np.int32))
    r, half = size[0], size[1] if len(size) > 1 else 0.0
    quarter = math.pi / 2
    if kind == "sphere":
        return lathe(arch(r, 0.0, -quarter, quarter))
    if kind == "capsule":
        return lathe(arch(r, -half, -quarter, 0.0) + arch(r, half, 0.0, quarter))
    if kind == "cone":
        return lathe([(0.0, -half), (r, -half), (0.0, half)])
    return lathe([(0.0, -half), (r, -half), (r, half), (0.0, half)])


class Geometry:
    """Reads the geometry, colors and friction of prims."""

    def __init__(self, note: Note, time: Any) -> None:
        self.note, self.time = note, time
        self.geom, self.shade, self.physics = pxr("UsdGeom"), pxr("UsdShade"), pxr("UsdPhysics")
        # {path of a prim or of its prototype: (name, parts)}
        self.known: dict[str, tuple[str, list[Part]]] = {}
        self.painted: dict[str, tuple[Any, str]] = {}

    def shape(self, prim: Any, matrix: np.ndarray) -> Shape | None:
        """Return the shape of a prim, where `matrix` (4, 4) maps its coordinates to meters in its link. None if it is not
        supported.
        """
        kind, path = str(prim.GetTypeName()), str(prim.GetPath())
        if kind == "Mesh":
            return self._mesh(prim, matrix)
        if kind == "Plane":
            turn = self._along(prim)
            axes, _, _ = parted(matrix[:3, :3] @ turn)
            return Shape("plane", False, pos=tuple_of(matrix[:3, 3]), quat=quat_of(axes), name=prim.GetName())
        found = self._primitive(prim, kind)
        if found is None:
            return None
        primitive, size, turn = found
        if not all(math.isfinite(s) and s > 0 for s in size):
            self.note("size", path, f"a {kind} has a size that is not positive", "it is left out")
            return None
        return self._placed(path, prim.GetName(), primitive, size, matrix, turn)

    def _number(self, prim: Any, name: str, default: float) -> float:
        value = prim.GetAttribute(name).Get(self.time)
        return float(value) if value is not None else default

    def _along(self, prim: Any) -> np.ndarray:
        """Return the rotation that turns z to the axis of a prim."""
        axis = AXES.get(str(prim.GetAttribute("axis").Get(self.time) or "Z"), 2)
        # A cyclic permutation of the axes is a rotation.
        return np.roll(np.eye(3), axis - 2, axis=0)

    def _primitive(self, prim: Any, kind: str) -> tuple[str, tuple[float, ...], np.ndarray] | None:
        """Return (kind, size as in MJCF in units of the stage, rotation) of a primitive; None if the prim is not a supported
        primitive."""
        if kind == "Cube":
            return "box", (self._number(prim, "size", 2.0) / 2,) * 3, np.eye(3)
        if kind == "Sphere":
            return "sphere", (self._number(prim, "radius", 1.0),), np.eye(3)
        if kind in ("Capsule", "Cylinder", "Cone"):
            default = (0.5, 1.0) if kind == "Capsule" else (1.0, 2.0)
            size = self._number(prim, "radius", default[0]), self._number(prim, "height", default[1]) / 2
            return kind.lower(), size, self._along(prim)
        return None

    def _placed(self, path: str, name: str, kind: str, size: tuple, matrix: np.ndarray, turn: np.ndarray) -> Shape | None:
        """Return a primitive in its link: with scaled sizes if that is exact, else as triangles."""
        axes, scale, exact = parted(matrix[:3, :3] @ turn)
        scale = np.abs(scale)
        if not (scale > 1e-12).all():
            self.note("size", path, "a shape is scaled by 0", "it is left out")
            return None
        spread = float(scale.max() / scale.min() - 1)
        round_ = abs(float(scale[0] / scale[1]) - 1) < ROUNDING
        placed = Shape(kind, False, pos=tuple_of(matrix[:3, 3]), quat=quat_of(axes), name=name)
        if exact and kind == "box":
            return replace(placed, size=tuple_of(scale * size))
        if exact and kind == "sphere":
            even = spread < ROUNDING
            return replace(placed, size=(size[0] * float(scale[0]),)) if even else self._ellipsoid(placed, scale * size[0])
        if exact and (kind == "cylinder" and round_ or kind == "capsule" and spread < ROUNDING):
            return replace(placed, size=(size[0] * float(scale[0]), size[1] * float(scale[2])))
        if kind != "cone":
            self.note("scaled", path, f"a {kind} is scaled unevenly", "it becomes triangles")
        whole = np.eye(4)
        whole[:3, :3], whole[:3, 3] = matrix[:3, :3] @ turn, matrix[:3, 3]
        return Shape("mesh", False, file=path, name=name, parts=[surface(kind, size).moved(whole)])

    def _ellipsoid(self, placed: Shape, size: np.ndarray) -> Shape:
        return replace(placed, kind="ellipsoid", size=tuple_of(size))

    # ---- meshes

    def _mesh(self, prim: Any, matrix: np.ndarray) -> Shape | None:
        source = prim.GetPrimInPrototype() if prim.IsInstanceProxy() else prim
        key = str(source.GetPath())
        if key not in self.known:
            self.known[key] = str(prim.GetPath()), self._parts(prim)
        file, parts = self.known[key]
        if not parts:
            return None
        axes, scale, exact = parted(matrix[:3, :3])
        if exact:
            # Meshes of the same file and scale are shared.
            scale = tuple_of(scale.round(9))
            pos, quat = tuple_of(matrix[:3, 3]), quat_of(axes)
            return Shape("mesh", False, file=file, scale=scale, pos=pos, quat=quat, name=prim.GetName(), parts=parts)
        path = str(prim.GetPath())
        return Shape("mesh", False, file=path, name=prim.GetName(), parts=[p.moved(matrix) for p in parts])

    def _parts(self, prim: Any) -> list[Part]:
        """Return the triangles of a mesh: one part for each of its materials."""
        path, mesh = prim.GetPath(), self.geom.Mesh(prim)
        points = np.array(mesh.GetPointsAttr().Get(self.time) or (), float).reshape(-1, 3)
        counts = np.array(mesh.GetFaceVertexCountsAttr().Get(self.time) or (), np.int64)
        corners = np.array(mesh.GetFaceVertexIndicesAttr().Get(self.time) or (), np.int64)
        if len(counts) == 0 or (counts < 3).any() or counts.sum() != len(corners):
            if len(counts) == 0 or counts.sum() != len(corners) or (counts < 0).any():
                self.note("bad_mesh", path, "the faces of a mesh do not match its corners", "it is left out")
                return []
            self.note("mesh", path, "a mesh has faces of less than 3 corners", "they are left out")
        if ((corners < 0) | (corners >= len(points))).any() or not np.isfinite(points).all():
            self.note("bad_mesh", path, "a mesh has corners without valid points", "it is left out")
            return []
        scheme = mesh.GetSubdivisionSchemeAttr()
        if scheme.HasAuthoredValue() and scheme.Get(self.time) != "none":
            self.note(
                "unsupported", path, f"a mesh has the subdivision '{scheme.Get(self.time)}'", "its faces are used as they are"
            )
        flipped = mesh.GetOrientationAttr().Get(self.time) == "leftHanded"

        groups, rest = [], np.ones(len(counts), bool)
        rest[[k for k in mesh.GetHoleIndicesAttr().Get(self.time) or () if 0 <= k < len(counts)]] = False
        holes = ~rest
        for subset in self.geom.Subset.GetGeomSubsets(mesh, self.geom.Tokens.face, "materialBind"):
            chosen = np.zeros(len(counts), bool)
            chosen[[k for k in subset.GetIndicesAttr().Get(self.time) or () if 0 <= k < len(counts)]] = True
            groups.append((chosen & rest, self.look(subset.GetPrim())))
            rest &= ~chosen
        groups.append((rest & ~holes, (None, "")))
        parts = []
        starts = np.concatenate(([0], np.cumsum(counts)[:-1]))
        for chosen, (rgba, material) in groups:
            chosen = chosen & (counts >= 3)
            if not chosen.any():
                continue
            index = np.concatenate([np.arange(s, s + n) for s, n in zip(starts[chosen], counts[chosen], strict=True)])
            try:
                face = cut(points, counts[chosen], corners[index])
            except (MeshError, ValueError, IndexError) as error:
                self.note("bad_mesh", path, f"a mesh cannot be cut into triangles: {error}", "it is left out")
                return []
            part = Part(points, np.ascontiguousarray(face, np.int32), rgba=rgba, material=material)
            parts.append(part.turned() if flipped else part)
        return parts

    # ---- colors

    def look(self, prim: Any) -> tuple[tuple[float, ...] | None, str]:
        """Return (color or None, name of the material) of a prim: of its material, else its display color."""
        material = self.shade.MaterialBindingAPI(prim).ComputeBoundMaterial()[0]
        if material:
            path = str(material.GetPath())
            if path not in self.painted:
                self.painted[path] = self._diffuse(material), material.GetPrim().GetName()
            if self.painted[path][0] is not None:
                return self.painted[path]
        gprim = self.geom.Gprim(prim)
        color = gprim.GetDisplayColorAttr().Get(self.time) if gprim else None
        if not color:
            return None, ""
        if len(color) > 1:
            self.note("unsupported", prim.GetPath(), "a shape has several display colors", "the first one is used")
        opacity = gprim.GetDisplayOpacityAttr().Get(self.time)
        return limited((*color[0], opacity[0] if opacity else 1.0)), ""

    def _diffuse(self, material: Any) -> tuple[float, ...] | None:
        """Return the diffuse color of a preview surface; None if the material has none."""
        path = material.GetPath()
        source = material.ComputeSurfaceSource()[0]
        if not source or source.GetIdAttr().Get() != "UsdPreviewSurface":
            if source or not material.GetPrim().HasAPI(self.physics.MaterialAPI):
                self.note("unsupported", path, "a material is not a UsdPreviewSurface", "the display color is used")
            return None
        color = source.GetInput("diffuseColor")
        value, alpha = (0.18, 0.18, 0.18), 1.0
        if color:
            # A value may come from an input of the material.
            found = color.GetValueProducingAttributes()
            attribute = found[0] if found else None
            if attribute is not None and self.shade.Input.IsInput(attribute):
                value = attribute.Get(self.time) or value
            elif attribute is not None:
                self.note("unsupported", path, "a material has a texture", "the display color is used")
                return None
        opacity = source.GetInput("opacity")
        if opacity and not opacity.HasConnectedSource() and opacity.Get(self.time) is not None:
            alpha = opacity.Get(self.time)
        return limited((*value, alpha))

    def friction(self, prim: Any) -> dict[str, Any]:
        """Return the fields of a geom from the physics material of a collider."""
        material = self.shade.MaterialBindingAPI(prim).ComputeBoundMaterial("physics")[0]
        if not material or not material.GetPrim().HasAPI(self.physics.MaterialAPI):
            return {}
        api = self.physics.MaterialAPI(material.GetPrim())
        dynamic, static = (a.Get(self.time) for a in (api.GetDynamicFrictionAttr(), api.GetStaticFrictionAttr()))
        authored = api.GetDynamicFrictionAttr().HasAuthoredValue(), api.GetStaticFrictionAttr().HasAuthoredValue()
        if all(authored) and abs(dynamic - static) > 1e-6:
            self.note("unsupported", material.GetPath(), "a material has another static friction", "the dynamic one is used")
        if api.GetRestitutionAttr().Get(self.time):
            self.note("unsupported", material.GetPath(), "a material has a restitution", "it is not used")
        mu = dynamic if authored[0] else static if authored[1] else None
        if mu is None or not (math.isfinite(mu) and mu >= 0):
            return {}
        return {"friction": (float(mu), *TURNING)}

    def density(self, prim: Any) -> float:
        """Return the density of a collider's physics material in units of the stage; 0 if it has none."""
        material = self.shade.MaterialBindingAPI(prim).ComputeBoundMaterial("physics")[0]
        if not material or not material.GetPrim().HasAPI(self.physics.MaterialAPI):
            return 0.0
        return float(self.physics.MaterialAPI(material.GetPrim()).GetDensityAttr().Get(self.time) or 0.0)


def limited(rgba: Any) -> tuple[float, ...]:
    """Return a color with all components between 0 and 1."""
    return tuple(min(max(float(x), 0.0), 1.0) if math.isfinite(x) else 0.5 for x in rgba)
