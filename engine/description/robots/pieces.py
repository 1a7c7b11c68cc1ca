"""The result of the URDF, SDF and USD readers: a robot as links, joints and shapes, before it becomes an MjSpec."""

from dataclasses import dataclass, field
from typing import Any

Vec = tuple[float, ...]
Quat = tuple[float, float, float, float]
ORIGIN: Vec = (0.0, 0.0, 0.0)
UNIT: Quat = (1.0, 0.0, 0.0, 0.0)
# Torsional and rolling friction of a geom, which descriptions do not specify.
TURNING = (0.005, 0.0001)


def filled(element: Any, name: str = "", place: Any = None, **fields: Any) -> Any:
    """Set fields of a spec's element, and its name and location in the source; return the element."""
    element.label, element.place = name, place
    element.raw.update(fields)
    return element


@dataclass
class Shape:
    """A visual or collision shape of a link. `size`: as in MJCF; `file`, `scale`: of its mesh; `extras`: more fields of the
    geom.
    """

    kind: str
    collides: bool
    size: tuple[float, ...] = ()
    file: str = ""
    scale: Vec = (1.0, 1.0, 1.0)
    pos: Vec = ORIGIN
    quat: Quat = UNIT
    name: str = ""
    rgba: tuple[float, ...] | None = None
    material: str = ""
    texture: str = ""
    # Name of the shape to use in a mesh file; all shapes if empty.
    submesh: str = ""
    # Triangles stored in the description itself. If there are any, `file` is only a name.
    parts: list[Any] = field(default_factory=list)
    extras: dict[str, Any] = field(default_factory=dict)
    place: Any = None


@dataclass
class Inertial:
    """Mass (None: not given), pose of the frame, and tensor xx, yy, zz, xy, xz, yz in that frame (None: not given)."""

    mass: float | None = None
    pos: Vec = ORIGIN
    quat: Quat = UNIT
    tensor: tuple[float, ...] | None = None
    place: Any = None


@dataclass
class Link:
    """A link with its shapes. `pos` and `quat` are its pose in the world if it is a root; otherwise, its joint gives its
    pose."""

    name: str
    inertial: Inertial | None = None
    shapes: list[Shape] = field(default_factory=list)
    pos: Vec = ORIGIN
    quat: Quat = UNIT
    # Whether the link is fixed to the world although no joint fixes it.
    static: bool = False
    gravcomp: float = 0.0
    place: Any = None


@dataclass
class Axis:
    """One degree of freedom: direction in the link's frame, limits (None: not given), and what acts along it."""

    axis: Vec = (1.0, 0.0, 0.0)
    lower: float | None = None
    upper: float | None = None
    effort: float | None = None
    velocity: float | None = None
    damping: float = 0.0
    friction: float = 0.0
    stiffness: float = 0.0
    rest: float = 0.0
    armature: float = 0.0


@dataclass
class Mimic:
    """The joint that another one follows: value = multiplier * its value + offset. An empty name stands for a fixed joint."""

    joint: str
    multiplier: float = 1.0
    offset: float = 0.0
    place: Any = None


@dataclass
class Joint:
    """A joint: the pose of the child in the parent, the joint's anchor in the child, and its axes."""

    name: str
    kind: str
    parent: str
    child: str
    pos: Vec = ORIGIN
    quat: Quat = UNIT
    anchor: Vec = ORIGIN
    axes: list[Axis] = field(default_factory=list)
    mimic: Mimic | None = None
    place: Any = None


@dataclass
class Sensor:
    """A sensor of a link: kind (imu, camera, ray, contact, force_torque), pose, and parameters."""

    kind: str
    name: str
    link: str
    pos: Vec = ORIGIN
    quat: Quat = UNIT
    values: dict[str, Any] = field(default_factory=dict)
    place: Any = None


@dataclass
class Robot:
    """A robot: everything that a file describes."""

    name: str = ""
    links: dict[str, Link] = field(default_factory=dict)
    joints: list[Joint] = field(default_factory=list)
    sensors: list[Sensor] = field(default_factory=list)
    # Pairs of links that do not collide.
    excludes: list[tuple[str, str]] = field(default_factory=list)
    # named states: {name: {joint: value}}
    states: dict[str, dict[str, float]] = field(default_factory=dict)
    # Joints that close loops according to the file. The other joints form a tree.
    loops: list[Joint] = field(default_factory=list)
    # {joint: interface (position, velocity, effort) of its actuator, from a transmission or ros2_control; or stiffness and
    # damping of a drive, `relative` if they are multiplied by the inertia}
    drives: dict[str, dict[str, Any]] = field(default_factory=dict)
    # more folders to search for meshes
    folders: list[str] = field(default_factory=list)
    # Sections of a mujoco block.
    settings: Any = None
    gravity: Vec | None = None
    timestep: float | None = None
    free_roots: bool = False
