"""Display options of a scene: tables of visual flags, labels and frames, and the option structs.

Each visual flag has one row: name, label, default, key. `mjVISSTRING`, `mjRNDSTRING`, `mjLABELSTRING` and `mjFRAMESTRING` are
derived from the rows; panels and key maps also use them.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, SupportsIndex

from ...engine.api.entries import Argument, enter
from ...engine.calls import compiled as calls
from ...engine.core.model import MjModel
from ...engine.tables.enums import mjtCamera, mjtRndFlag, mjtVisFlag
from .record_arrays import Double, Int, Record, Vec, located, record

NGROUP = 6

# Visual flags: (member of mjtVisFlag, label, default, key)
VIS_FLAGS = (
    ("CONVEXHULL", "Convex Hull", 0, "H"),
    ("TEXTURE", "Texture", 1, "X"),
    ("JOINT", "Joint", 0, "J"),
    ("CAMERA", "Camera", 0, "Q"),
    ("ACTUATOR", "Actuator", 0, "U"),
    ("ACTIVATION", "Activation", 0, ","),
    ("LIGHT", "Light", 0, "Z"),
    ("TENDON", "Tendon", 1, "V"),
    ("RANGEFINDER", "Range Finder", 1, "Y"),
    ("CONSTRAINT", "Equality", 0, "E"),
    ("INERTIA", "Inertia", 0, "I"),
    ("SCLINERTIA", "Scale Inertia", 0, "'"),
    ("PERTFORCE", "Perturb Force", 0, "B"),
    ("PERTOBJ", "Perturb Object", 1, "O"),
    ("CONTACTPOINT", "Contact Point", 0, "C"),
    ("ISLAND", "Island", 0, "N"),
    ("CONTACTFORCE", "Contact Force", 0, "F"),
    ("CONTACTSPLIT", "Contact Split", 0, "P"),
    ("TRANSPARENT", "Transparent", 0, "T"),
    ("AUTOCONNECT", "Auto Connect", 0, "A"),
    ("COM", "Center of Mass", 0, "M"),
    ("SELECT", "Select Point", 0, ""),
    ("STATIC", "Static Body", 1, "D"),
    ("SKIN", "Skin", 1, ";"),
    ("FLEXVERT", "Flex Vert", 0, ""),
    ("FLEXEDGE", "Flex Edge", 1, ""),
    ("FLEXFACE", "Flex Face", 0, ""),
    ("FLEXSKIN", "Flex Skin", 1, ""),
    ("BODYBVH", "Body Tree", 0, "`"),
    ("MESHBVH", "Mesh Tree", 0, "\\"),
    ("SDFITER", "SDF iters", 0, ""),
)
# Rendering flags: (member of mjtRndFlag, label, default, key)
RND_FLAGS = (
    ("SHADOW", "Shadow", 1, "S"),
    ("WIREFRAME", "Wireframe", 0, "W"),
    ("REFLECTION", "Reflection", 1, "R"),
    ("ADDITIVE", "Additive", 0, "L"),
    ("SKYBOX", "Skybox", 1, "K"),
    ("FOG", "Fog", 0, "G"),
    ("HAZE", "Haze", 1, "/"),
    ("SEGMENT", "Segment", 0, ","),
    ("IDCOLOR", "Id Color", 0, ""),
    ("CULL_FACE", "Cull Face", 1, ""),
)
LABELS = (
    "None",
    "Body",
    "Joint",
    "Geom",
    "Site",
    "Camera",
    "Light",
    "Tendon",
    "Actuator",
    "Constraint",
    "Flex",
    "Skin",
    "Selection",
    "SelPoint",
    "Contact",
    "ContactForce",
    "Island",
)
FRAMES = ("None", "Body", "Geom", "Site", "Camera", "Light", "Contact", "World")


def _strings(rows: Sequence[tuple[str, str, int, str]], enum: Any, prefix: str) -> tuple[tuple[str, str, str], ...]:
    rows = sorted(rows, key=lambda r: int(enum[prefix + r[0]]))
    return tuple((label, str(default), key) for _, label, default, key in rows)


mjVISSTRING = _strings(VIS_FLAGS, mjtVisFlag, "mjVIS_")
mjRNDSTRING = _strings(RND_FLAGS, mjtRndFlag, "mjRND_")
mjLABELSTRING, mjFRAMESTRING = LABELS, FRAMES

_VISDEFAULT = [int(r[1]) for r in mjVISSTRING]
RNDDEFAULT = [int(r[1]) for r in mjRNDSTRING]


def _group() -> Vec:
    return Vec("u1", (NGROUP,), [1, 1, 1, 0, 0, 0])


class MjvOption(Record):
    """Visualization options: type of labels and frames, group masks (6 each), 31 flags, tree depth, flex layer."""

    __slots__ = ()
    label = Int()
    frame = Int()
    geomgroup = _group()
    sitegroup = _group()
    jointgroup = _group()
    tendongroup = _group()
    actuatorgroup = _group()
    flexgroup = _group()
    skingroup = _group()
    flags = Vec("u1", (len(VIS_FLAGS),), _VISDEFAULT)
    bvh_depth = Int(1)
    flex_layer = Int(0)


class MjvCamera(Record):
    """An abstract camera: its type and parameters. Free and tracking cameras also have a point to look at, a distance, and two
    angles in degrees."""

    __slots__ = ()
    type = Int(int(mjtCamera.mjCAMERA_FREE))
    fixedcamid = Int(-1)
    trackbodyid = Int(-1)
    lookat = Vec("f8", (3,))
    distance = Double(2)
    azimuth = Double(90)
    elevation = Double(-45)
    orthographic = Int()


class MjvPerturb(Record):
    """The selection, and the drag that acts on it. All positions except localpos are in world coordinates."""

    __slots__ = ()
    select = Int()
    flexselect = Int(-1)
    skinselect = Int(-1)
    active = Int()
    active2 = Int()
    refpos = Vec("f8", (3,))
    refquat = Vec("f8", (4,), [1, 0, 0, 0])
    refselpos = Vec("f8", (3,))
    localpos = Vec("f8", (3,))
    localmass = Double()
    scale = Double(1)


class MjrRect(Record):
    """A rectangle in pixels; the origin is bottom left.

    left, bottom: position in pixels
    width, height: size in pixels
    """

    __slots__ = ()
    left = Int()
    bottom = Int()
    width = Int()
    height = Int()

    def __init__(
        self, left: SupportsIndex = 0, bottom: SupportsIndex = 0, width: SupportsIndex = 0, height: SupportsIndex = 0
    ) -> None:
        super().__init__()
        self.left, self.bottom, self.width, self.height = left, bottom, width, height


def mjv_defaultOption(opt: MjvOption) -> None:
    """Set visualization options to their defaults."""
    opt.assign(MjvOption())


def mjv_defaultCamera(cam: MjvCamera) -> None:
    """Set an abstract camera to its defaults."""
    cam.assign(MjvCamera())


def mjv_defaultFreeCamera(m: MjModel, cam: MjvCamera) -> None:
    """Set a free camera that shows the whole model, with the angles of `m.vis.global_`."""
    located(cam)
    cam.assign(MjvCamera())
    cam.lookat, cam.distance = m.stat.center, 1.5 * m.stat.extent
    cam.azimuth, cam.elevation = m.vis.global_.azimuth, m.vis.global_.elevation
    cam.orthographic = m.vis.global_.orthographic


mjv_defaultFreeCamera = enter(
    mjv_defaultFreeCamera,
    (Argument("m", calls.MODEL), record("cam", MjvCamera)),
    ".render.scene.kernels:default_camera(m, cam)",
)


def mjv_defaultPerturb(pert: MjvPerturb) -> None:
    """Clear a perturbation and its selection."""
    pert.assign(MjvPerturb())
