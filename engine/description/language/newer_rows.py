"""TABLE of additions to MJCF by releases after 3.4: elements, attributes and keywords, with the release that introduced each.

    version | places | names | neutral | sentence

`places` are elements as `section/name` with shell patterns, `@set` for a set of keywords, or `DRIVES` for all actuators and
their default classes; the name `+` means the element itself. `neutral` is the value of an attribute that has no effect (`-`:
there is none); files that give it are accepted.

Everything in the grammar is read. Rows that are not in the grammar are refused by name, with their release; nothing is
ignored. A row therefore needs no mark for whether it is supported.
"""

from fnmatch import fnmatchcase
from typing import NamedTuple

from .shortcut_rows import ROWS as SHORTCUT_ROWS
from .xmltree import Node

NEWER = """
3.5  | sensor/*                   | nsample            | 0       | samples that a sensor keeps
3.5  | sensor/*                   | interp             | zoh     | interpolation between samples
3.5  | sensor/*                   | delay              | 0       | delay of a sensor
3.5  | sensor/*                   | interval           | 0       | sampling interval of a sensor
3.5  | sensor/rangefinder         | camera             | -       | a range finder with a ray for each pixel of a camera
3.5  | sensor/rangefinder         | data               | dist    | quantities that a range finder reports
3.5  | */camera                   | output             | rgb     | what a camera measures
3.5  | */camera                   | projection         | -       | projection of a camera
3.5  | DRIVES                     | nsample            | 0       | samples of its control that an actuator keeps
3.5  | DRIVES                     | interp             | zoh     | interpolation between samples of a control
3.5  | DRIVES                     | delay              | 0       | delay of a control
3.6  | equality                   | flexstrain         | -       | strain of interpolated flexes as a constraint
3.6  | equality/flexstrain        | +                  | -       | strain of interpolated flexes as a constraint
3.6  | @flexequality              | strain             | -       | strain of interpolated flexes as a constraint
3.6  | @flexdof                   | 2d                 | -       | flexes whose vertices move in a plane
3.7  | DRIVES                     | armature damping   | 0       | inertia and damping that an actuator adds to what it drives
3.7  | actuator default           | dcmotor            | -       | a motor with electrical and thermal dynamics
3.8  | body/flexcomp              | cellcount          | 1 1 1   | cells of an interpolated flex
3.8  | deformable/flex            | cellcount dof      | -       | cells of an interpolated flex
3.9  | option/flag                | diagexact          | disable | exact diagonal of the constraint inertia
3.9  | sensor/tactile             | cutoff             | 0       | cutoff of a tactile sensor
3.10 | compiler                   | conflict           | warning | handling of conflicts between attached models
3.10 | body/flexcomp              | mesh               | -       | a flex from a mesh asset
3.11 | actuator/intvelocity default/intvelocity | actlimited         | -       | whether the activation is limited
3.11 | actuator default           | orientation        | -       | a servo for orientations
3.11 | */geom                     | surfacevel         | 0 0 0 0 0 0 | velocity of a surface
3.11 | */geom */pair              | adhesion           | 0       | force up to which a contact pulls
3.11 | body body/body             | simple             | auto    | whether the inertia may be treated as diagonal
3.11 | body/attach                | frame              | -       | a frame of the attached model
3.12 | actuator default           | pid                | -       | a servo with integral term
3.12 | deformable/flex            | nodecoord          | -       | coordinates of nodes
3.12 | */light                    | softness           | 0       | softness of a light's shadows
3.13 | @integrator                | discrete           | -       | one solve for constraints and implicit velocity
3.13 | */site                     | mesh               | -       | a site in the shape of a mesh
3.14 | option/flag                | ipc                | disable | contact of flexes without penetration
3.14 | default/tendon             | actuatorfrclimited | -       | limits of actuator forces in classes of tendons
3.15 | sensor/insidesite          | enclosed           | false   | clearance of an object within a site
3.16 | body body/body             | fuse               | true    | whether a body without joints may become part of its parent
3.16 | body/frame                 | scale              | 1 1 1   | scaling of the elements in a frame
3.16 | body/frame                 | scaling            | -       | scaling of the elements in a frame
3.16 | body/frame                 | massscale          | 1       | scaling of masses in a frame
3.16 | compiler                   | savecompiled savecanonical | -       | the form in which a spec is saved
3.16 | */general                  | inheritrange       | 0       | control range from the target
3.16 | */general                  | input              | -       | meaning of an actuator's control
3.16 | @condata                   | linvel angvel      | -       | relative velocities of contacts
3.16 | @meshbuiltin               | grid box cylinder ellipsoid square disc | -       | generated meshes
3.16 | DRIVES                     | velrange ffrange   | 0 0     | ranges of the inputs of an actuator
3.17 | default                    | texture            | -       | classes of textures
3.17 | asset/texture              | class              | -       | classes of textures
3.17 | asset/texture default/texture | embed              | auto    | whether pixels are part of the model
3.17 | compiler                   | passthrough        | none    | assets by reference
3.17 | */flexcomp/elasticity deformable/flex/elasticity body/flexcomp/elasticity | section sectionsize shear | -       | rods
4.0  | */flexcomp/elasticity deformable/flex/elasticity body/flexcomp/elasticity | yield              | 0 0     | plastic flexes
4.0  | */joint tendon/* default/tendon | springyield        | 0       | elongation beyond which a spring yields
4.0  | option/flag                | speculative        | disable | contacts of fast geoms ahead of time
4.0  | */geom                     | castshadow         | true    | whether a geom casts shadows
4.0  | default/tendon             | actuatorfrcrange armature | -       | forces and inertia in classes of tendons
4.0  | keyframe/key               | plastic            | -       | plastic state of a keyframe
3.11 | @gain                      | so3                | -       | a servo for orientations
3.11 | @bias                      | so3                | -       | a servo for orientations
3.7  | @dyn                       | dcmotor            | -       | a motor with electrical and thermal dynamics
3.7  | @gain                      | dcmotor            | -       | a motor with electrical and thermal dynamics
3.7  | @bias                      | dcmotor            | -       | a motor with electrical and thermal dynamics
3.12 | @dyn                       | pid                | -       | a servo with integral term
3.12 | @gain                      | pid                | -       | a servo with integral term
"""


# actuator elements, and their default classes
DRIVES = (
    "actuator/*",
    *(f"default/{name}" for name in ("general", "orientation", "pid", "dcmotor", *(row.name for row in SHORTCUT_ROWS))),
)


class Newer(NamedTuple):
    """One name of one row; see the module's docstring."""

    version: str
    places: tuple[str, ...]
    name: str
    neutral: str
    sentence: str

    @property
    def need(self) -> str:
        """Return the error message that names the release in which the name was introduced."""
        return f"'{self.name}' needs MuJoCo {self.version} ({self.sentence}); Tumble does not support it"


# removals: version, element, attribute (- for the element itself), value (- for any), replacement
REMOVED = """
4.0  | composite | -           | -                       | flexcomp with dim 1
4.0  | plugin    | plugin      | mujoco.elasticity.cable | flexcomp with dim 1 and elasticity
3.15 | contact   | internal    | -                       | selfcollide
3.7  | contact   | vertcollide | -                       | elements that collide
"""


class Removed(NamedTuple):
    """One row of REMOVED."""

    version: str
    tag: str
    name: str
    value: str
    instead: str

    def meets(self, node: Node) -> bool:
        """Return whether a node uses the removed element, attribute or value."""
        if node.tag != self.tag:
            return False
        return self.name == "-" or self.name in node.attrs and self.value in ("-", node.attrs[self.name])


GONE = [Removed(*(part.strip() for part in line.split("|"))) for line in REMOVED.strip().splitlines()]


def _rows() -> list[Newer]:
    found = []
    for line in NEWER.strip().splitlines():
        version, places, names, neutral, sentence = (part.strip() for part in line.split("|"))
        where = DRIVES if places == "DRIVES" else tuple(places.split())
        found += [Newer(version, where, name, "" if neutral == "-" else neutral, sentence) for name in names.split()]
    return found


ROWS = _rows()
_BY_NAME: dict[str, list[Newer]] = {}
for _row in ROWS:
    _BY_NAME.setdefault(_row.name, []).append(_row)


def attribute_of(path: str, name: str) -> Newer | None:
    """Return the row of an attribute or child element, given the path of the element in the grammar; None if there is none."""
    for row in _BY_NAME.get(name, ()):
        if any(fnmatchcase(path, place) for place in row.places):
            return row
    return None


def word_of(words: str, name: str) -> Newer | None:
    """Return the row of a keyword in a set; None if there is none."""
    return next((row for row in _BY_NAME.get(name, ()) if f"@{words}" in row.places), None)


def is_neutral(row: Newer, text: str) -> bool:
    """Return whether the text of an attribute has no effect."""
    if not row.neutral:
        return False
    given, neutral = text.split(), row.neutral.split()
    if given == neutral:
        return True
    try:
        numbers, wanted = [float(w) for w in given], [float(w) for w in neutral]
    except ValueError:
        return False
    return 0 < len(numbers) <= max(len(wanted), 1) and numbers == wanted[: len(numbers)]
