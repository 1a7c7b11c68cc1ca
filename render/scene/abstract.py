"""The abstract scene: everything that a renderer needs to draw one frame, independent of graphics libraries.

`MjvScene` holds geoms, lights and two GL cameras as arrays (`scn.geom.pos`, `scn.light.dir`, `scn.glcam.pos`); MuJoCo's
attributes are views of them (`scn.geoms[i].pos`, `scn.lights[i]`, `scn.camera[0]`). Lengths are in meters of the model;
matrices are row-major; colors are 0..1.
"""

from __future__ import annotations

from typing import Any, SupportsIndex

import numpy as np

from ...engine.core import report
from ...engine.core.listed import Listed
from ...engine.core.model import MjModel
from ...engine.later.mirror import Mirror
from ...engine.tables.enums import mjtGeom, mjtWarning
from ...engine.tables.values import FixedArrays, assign, read_integer
from .options import RNDDEFAULT
from .record_arrays import Float, Int, Num, Record, RecordList, Records, Text, Vec, place_of

MAXLIGHT = 100
GEOM_NONE = int(mjtGeom.mjGEOM_NONE)


class MjvGeom(Record):
    """One geom of a scene. `mat` reads as a (3, 3) array. `dataid` identifies a mesh (2*id; its hull: 2*id+1), a height field
    or a plane."""

    __slots__ = ()
    type = Int(GEOM_NONE)
    dataid = Int(-1)
    objtype = Int()
    objid = Int()
    category = Int()
    matid = Int(-1)
    texcoord = Int()
    segid = Int()
    size = Vec("f4", (3,), 0.1)
    pos = Vec("f4", (3,))
    mat = Vec("f4", (9,), [1, 0, 0, 0, 1, 0, 0, 0, 1], view=(3, 3))
    rgba = Vec("f4", (4,), [0.5, 0.5, 0.5, 1])
    emission = Float()
    specular = Float(0.5)
    shininess = Float(0.5)
    reflectance = Float()
    label = Text(99)
    camdist = Float()
    modelrbound = Float()
    transparent = Num("u1")
    texid = Int(-1)
    texuniform = Num("u1")
    texrepeat = Vec("f4", (2,))
    castshadow = Num("u1", (), 1)


class MjvLight(Record, metaclass=Listed):
    """An active light in world coordinates; id -1 is the headlight. `dir(light)` lists the fields of MuJoCo 3.4."""

    __slots__ = ()
    unlisted = frozenset({"softness", "unlisted"})
    id = Int()
    pos = Vec("f4", (3,))
    dir = Vec("f4", (3,))
    type = Int()
    texid = Int()
    attenuation = Vec("f4", (3,))
    cutoff = Float()
    exponent = Float()
    ambient = Vec("f4", (3,))
    diffuse = Vec("f4", (3,))
    specular = Vec("f4", (3,))
    headlight = Num("u1")
    castshadow = Num("u1")
    bulbradius = Float()
    intensity = Float()
    range = Float()
    softness = Float()

    def __dir__(self) -> list[str]:
        return [n for n in super().__dir__() if n not in type(self).unlisted]


class _AnyLight(Listed):
    """Metaclass of a light class; isinstance is true for every light of a scene."""

    def __instancecheck__(cls, x: object) -> bool:
        return type.__instancecheck__(MjvLight, x)


class LaterLight(MjvLight, metaclass=_AnyLight):
    """A light of a scene, like MjvLight, but `dir(light)` also lists the fields of later releases."""

    __slots__ = ()
    unlisted = frozenset({"unlisted"})


LaterLight.__name__ = "MjvLight"


class MjvGLCamera(Record):
    """A camera as a renderer needs it: its frame, and its frustum at the near plane (perspective) or in meters
    (orthographic)."""

    __slots__ = ()
    pos = Vec("f4", (3,))
    forward = Vec("f4", (3,))
    up = Vec("f4", (3,))
    frustum_center = Float()
    frustum_width = Float()
    frustum_bottom = Float()
    frustum_top = Float()
    frustum_near = Float()
    frustum_far = Float()
    orthographic = Int()


class SceneState(Record):
    """The scalar fields of a scene."""

    __slots__ = ()
    ngeom = Int()
    nflex = Int()
    flexvertopt = Num("u1")
    flexedgeopt = Num("u1")
    flexfaceopt = Num("u1")
    flexskinopt = Num("u1")
    nskin = Int()
    nlight = Int()
    enabletransform = Num("u1")
    translate = Vec("f4", (3,))
    rotate = Vec("f4", (4,), [1, 0, 0, 0])
    scale = Float(1)
    stereo = Int()
    flags = Vec("u1", (len(RNDDEFAULT),), RNDDEFAULT)
    framewidth = Int()
    framergb = Vec("f4", (3,))
    status = Int()


# indices, among the rendering flags of later releases, of the flag for depth and of the last flag
DEPTH_FLAG, LAST_FLAG = 7, 11


def drawn(scene: MjvScene) -> np.ndarray:
    """Return the rendering flags of a scene in the order of release 3.4, which all renderers use."""
    return SceneState.flags.__get__(scene, SceneState)


class MjvScene(SceneState):
    """Geoms, lights, cameras, surfaces of flexes and skins, and rendering flags of one frame.

    `MjvScene()` is empty. `MjvScene(model, maxgeom)` has space for maxgeom geoms and for the model's flexes and skins.
    """

    __slots__ = ("maxgeom", "geom", "_geoms", "geomorder", "light", "_lights", "glcam", "_camera", "surface", "_state", "told")
    # These are properties, so that subclasses in scripts can define their own.
    geoms = property(lambda self: self._geoms, doc="All geoms, in use or not.")
    lights = property(lambda self: self._lights, doc="All lights, in use or not.")
    camera = property(lambda self: self._camera, doc="GL cameras of the left and the right eye.")

    def __init__(self, model: MjModel | None = None, maxgeom: SupportsIndex = 0) -> None:
        super().__init__()
        maxgeom = read_integer(maxgeom)
        if maxgeom < 0:
            raise ValueError(f"maxgeom is {maxgeom}, must not be negative")
        self.maxgeom, self.told = maxgeom, False
        self.geom = Records(MjvGeom, self.maxgeom)
        self._geoms = RecordList(self.geom)
        object.__setattr__(self, "geomorder", np.zeros(self.maxgeom, np.int32))
        self.light = Records(MjvLight, MAXLIGHT)
        self._lights = RecordList(self.light)
        self.glcam = Records(MjvGLCamera, 2)
        self._camera = (MjvGLCamera(self.glcam, 0), MjvGLCamera(self.glcam, 1))
        self.surface = SurfaceBuffers(model)
        self.nflex, self.nskin = self.surface.nflex, self.surface.nskin
        parts = [rows.locate().ctypes.data for rows in (self.geom, self.light, self.glcam)]
        place_of(self)[0].locate(self.maxgeom, *parts)

    def __setattr__(self, name: str, value: Any) -> None:
        if name == "geomorder":
            # Allocate this array only once, because drawing sorts it in place through its address.
            assign(self.geomorder, value)
        else:
            super().__setattr__(name, value)

    @classmethod
    def fields(cls) -> Any:
        return SceneState.fields()

    def say_full(self) -> None:
        """Warn once that there is no space for all geoms."""
        if not self.told:
            self.told = True
            report.warn(report.warning_text(mjtWarning.mjWARN_VGEOMFULL, self.maxgeom))

    def snapshot(self, src: MjvScene) -> None:
        """Copy the used part of another scene of the same model: geoms, lights, cameras, surfaces."""
        n = min(src.ngeom, self.maxgeom)
        self.assign(src)
        self.ngeom = n
        self.geom.label.clear()
        self.geom.copy_rows(slice(0, n), src.geom, slice(0, n))
        self.light.copy_rows(slice(0, src.nlight), src.light, slice(0, src.nlight))
        self.glcam.copy_rows(slice(0, 2), src.glcam, slice(0, 2))
        self.surface.copy(src.surface)

    def append(self, src: MjvScene, start: int = 0, stop: int | None = None) -> int:
        """Append geoms start..stop-1 of another scene (default: all). Return how many were appended. If they do not all fit,
        set status to 1."""
        stop = src.ngeom if stop is None else stop
        a = self.ngeom
        k = min(stop - start, self.maxgeom - a)
        if k < stop - start:
            self.status = 1
        if k > 0:
            self.geom.copy_rows(slice(a, a + k), src.geom, slice(start, start + k))
            self.geom.segid[a : a + k] = np.arange(a, a + k)
            self.ngeom = a + k
        return max(k, 0)


class SurfaceBuffers(FixedArrays):
    """Vertices, faces and normals of flexes and skins in world coordinates, computed for every frame. Addresses are copied
    from the model."""

    # Addresses and counts, copied from model fields with these names.
    flexedgeadr: np.ndarray
    flexedgenum: np.ndarray
    flexvertadr: np.ndarray
    flexvertnum: np.ndarray
    skinfacenum: np.ndarray
    skinvertadr: np.ndarray
    skinvertnum: np.ndarray
    ARRAYS = ("flexvert", "flexface", "flexnormal", "flextexcoord", "flexfaceused", "skinvert", "skinnormal")

    def __init__(self, m: Any = None) -> None:
        self.nflex = int(m.nflex) if m is not None else 0
        self.nskin = int(m.nskin) if m is not None else 0
        self.plans = {}

        def take(name: str, have: int) -> np.ndarray:
            return np.array(getattr(m, name), np.int32) if have else np.zeros(0, np.int32)

        # Copy addresses and counts from the model.
        for mine, theirs in (
            ("flexedgeadr", "flex_edgeadr"),
            ("flexedgenum", "flex_edgenum"),
            ("flexvertadr", "flex_vertadr"),
            ("flexvertnum", "flex_vertnum"),
        ):
            setattr(self, mine, take(theirs, self.nflex))
        for mine in ("skinfacenum", "skinvertadr", "skinvertnum"):
            setattr(self, mine, take(mine.replace("skin", "skin_"), self.nskin))
        self.flexedge = take("flex_edge", self.nflex).ravel()
        self.flexfacenum = np.array([self.face_room(m, f) for f in range(self.nflex)], np.int32)
        self.flexfaceadr = (np.cumsum(self.flexfacenum) - self.flexfacenum).astype(np.int32)
        self.flexfaceused = np.zeros(self.nflex, np.int32)

        # Allocate vertices, faces and normals.
        nface, nvert = int(self.flexfacenum.sum()), int(m.nflexvert) if m is not None and self.nflex else 0
        nskinvert = int(m.nskinvert) if m is not None and self.nskin else 0
        self.flexvert = np.zeros(3 * nvert, np.float32)
        self.flexface, self.flexnormal, self.flextexcoord = (np.zeros(k * nface, np.float32) for k in (9, 9, 6))
        self.skinvert, self.skinnormal = (np.zeros(3 * nskinvert, np.float32) for _ in range(2))

    @staticmethod
    def face_room(m: Any, f: int) -> int:
        """Return the maximum number of triangles of flex f under any options. In 2D: two sides and the rim; in 3D: the shell
        or the thickest layer."""
        shell, elem, dim = int(m.flex_shellnum[f]), int(m.flex_elemnum[f]), int(m.flex_dim[f])
        if dim == 2:
            return 2 * shell + 2 * elem
        adr = int(m.flex_elemadr[f])
        layer = np.bincount(np.maximum(np.asarray(m.flex_elemlayer)[adr : adr + elem], 0)) if elem else np.zeros(1, int)
        return max(shell, 4 * int(layer.max(initial=0)))

    def copy(self, src: SurfaceBuffers) -> None:
        """Copy the arrays that change from frame to frame from another scene's buffers."""
        for k in self.ARRAYS:
            getattr(self, k)[:] = getattr(src, k)


def surface_array(name: str) -> property:
    """Return a property for a flex or skin buffer, under the name that it has in MuJoCo's scenes."""
    return property(lambda scene: getattr(scene.surface, name))


for _name in (
    *SurfaceBuffers.ARRAYS,
    "flexedge",
    "flexedgeadr",
    "flexedgenum",
    "flexvertadr",
    "flexvertnum",
    "flexfaceadr",
    "flexfacenum",
    "skinfacenum",
    "skinvertadr",
    "skinvertnum",
):
    setattr(MjvScene, _name, surface_array(_name))


class LaterScene(MjvScene):
    """A scene, like MjvScene, with the rendering flags of later releases, which insert a flag for depth at index 7."""

    __slots__ = ("_later",)

    def __init__(self, model: MjModel | None = None, maxgeom: SupportsIndex = 0) -> None:
        super().__init__(model, maxgeom)
        drawn_flags = drawn(self)

        def store(flags: np.ndarray) -> None:
            if flags[DEPTH_FLAG]:
                flags[DEPTH_FLAG] = 0
                raise ValueError("mjRND_DEPTH (MuJoCo 3.5) is not supported: call enable_depth_rendering of a Renderer")
            drawn_flags[:] = flags.tolist()[:DEPTH_FLAG] + flags.tolist()[DEPTH_FLAG + 1 : LAST_FLAG]

        later = np.array([*drawn_flags[:DEPTH_FLAG], 0, *drawn_flags[DEPTH_FLAG:], 1], np.uint8)
        object.__setattr__(self, "_later", Mirror.of(later, store))

    @property
    def flags(self) -> Any:
        return self._later

    def __setattr__(self, name: str, value: Any) -> None:
        if name == "flags":
            self._later[:] = value
        else:
            super().__setattr__(name, value)


LaterScene.__name__ = "MjvScene"
