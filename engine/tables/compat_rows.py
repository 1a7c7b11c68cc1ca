"""The TABLE of silent changes: releases after 3.4 compute other numbers from the same file. One switch selects the release.

    name     what code queries: `m.compat_bits & bit("name")` in kernels, `holds("name", bits)` while a model is compiled
    version  the release that introduced it
    where    `compile`: the compiled fields differ; `step`: a compiled model steps differently
    sentence what changes, for the health report and the manual; indented lines continue it

A model keeps the bits of the first rows, as many as fit into a number, in `compat_bits`; none are set for "3.4", the
default. Later rows must be of `compile`, because only descriptions keep all bits; a new row of `step` therefore comes
before them. Additions of a release that do not change older files (elements, attributes, keywords) have no row here:
files that use them get them whatever the switch says.
"""

import contextlib
import contextvars
import functools
import os
import re
from collections.abc import Iterator
from typing import Any, NamedTuple

CHANGES = """
margin_sum    3.5   step     margin and gap of a contact are the sums of both geoms' values, not the larger ones
jdot_bias     3.7   step     connect and weld take the rate of change of their Jacobian into account
gravcomp_all  3.5   step     gravity compensation acts on all dofs that move a compensated body, not only on those of
                              compensated bodies
gap_outside   3.9   step     contacts are found within margin + gap and act within margin; before, they were found within
                              margin and acted within margin - gap
sleep_speed   3.11  compile  the speed below which a tree may fall asleep is 1e-3 unless it is given, not 1e-4
early_slope   3.5   step     derivatives of actuators take controls within their ranges, and early activations at the end of the
                              step
servo_limit   3.11  compile  activations of intvelocity actuators are limited if there is a range, not always
mocap_weld    3.12  compile  a mocap body is a weld group of its own: it filters its children as a parent, wakes sleepers and
                              is not static
dampratio_all 3.15  compile  dampratio damps the inertia that the actuator sees, with the coupling of joints, not the diagonal
                              of the inertia
shortcut_own  3.16  compile  actuators inherit gains, biases and dynamics only from classes that the same shortcut wrote, or
                              general
pair_mix      4.0   compile  solref of listed pairs is mixed by solmix, as for other contacts, instead of taking the smaller
                              numbers
site_turn     4.0   step     the angle between a site and its reference site takes the sites' orientations in their bodies in
                              the right order
bv_hidden     3.12  compile  tested bounding boxes are not drawn in their own colour unless it is asked for
multiccd_on   3.8   compile  several contacts of a pair of convex shapes are asked for unless the flag multiccd is given
plane_reach   3.10  compile  a plane without end counts little in the centre and the extent of a model
axes_relative 4.0   compile  principal axes of small inertias are as exact as those of large ones; of meshes, to single
                              precision
ray_data      3.5   compile  range finders say what they report; their numbers have no sign
contact_stage 3.16  compile  contact sensors that need no forces are computed with positions
paths_full    3.17  compile  a model keeps the paths at which files were found, not the words of its description
principal_up  3.7   step     pictures of a camera move up with the vertical offset of its principal point, not down
multi_clip    3.17  step     several contacts of boxes, meshes, cylinders and capsules come from one clipping of faces and
                              edges, each with its own depth
free_turn     3.11  step     implicitfast takes the derivative of gyroscopic forces of free bodies without joints below them
                              into account
solver_exit   3.11  step     Newton and CG stop where a bound on what is left to gain is small enough, at the start, too; CG
                              takes Hager's and Zhang's direction
trace_scale   3.17  step     what solvers stop at is relative to the trace of the present inertia, not to the mean at qpos0
mocap_still   3.12  step     mocap bodies and the world do not collide
rk_turn       4.0   step     RK4 takes into account that rotations of its stages do not commute
saturated     4.0   step     actuators at the limit of their force, or of their joint's or tendon's, add nothing to derivatives
fd_awake      3.14  step     derivatives by finite differences are refused if trees may fall asleep
newell        3.17  compile  normals of a mesh's polygons are those of their whole outlines, not of their first corners
bound_rescue  4.0   compile  inertias that are not positive definite are errors only if boundinertia does not mend them
pgs_momentum  3.11  step     PGS solves islands one by one, in shuffled order and with momentum
round_away    3.11 step     mju_round takes halves away from zero, not up
slope_rows    3.11 step     mjd_inverseFD gives derivatives of the inertia in compressed rows (M), not in the packed order of qM
field_lengths 4.0  step     rays count lengths of their direction at signed distance fields, too, not metres
still_rate    4.0   step     accelerations of what is fixed to the world contain gravity, as those of other bodies do
keys_whole    3.16  compile  a key frame describes the whole model, with all that replicate makes, keeps its values when trees
                              are edited, and is not copied
scene_full    3.7   step     a scene without room for all geoms says so itself, once, and no warning of the state counts it
side_by_side  3.16  step     capsules that are nearly parallel touch at both ends of where they lie side by side
flex_named    3.16  compile  attached flexes and skins get the prefix and the suffix in their names, too; skins come only with
                              all their bones
turn_escapes  4.0   step     mju_mat2Rot starts from a unit quaternion, and leaves rotations that half a turn would bring
                              nearer to the matrix
tendon_auto   3.14  compile  force limits of tendons hold where their range is given, unless they are switched off
quat_own      3.16  compile  an orientation of an element as a quaternion counts before angles that its class has
path_kept     3.6   compile  attached models keep tendons that go round geoms without a side site
plane_face    3.13  step     a mesh touches a plane with the corners of the face at its lowest corner that is most level, at
                              most four; before, with neighbours of the lowest corner
box_clip      3.12  step     two boxes touch in all corners of the clipped face, or in one pair of edges
stricter      4.0   compile  height fields of one row, fixed tendons on ball joints, pulleys with divisor 0, cones of two
                              corners are errors
visual_mass   3.16  compile  discarding geoms with mass under inertiafromgeom is an error; settotalmass gives a warning
png_only      3.12  compile  textures are PNG files, not files of the reference's own format
mirror_faces  3.7   compile  faces of meshes that are scaled by a negative number look outwards
child_below   4.0   compile  find_child finds bodies below, not the body itself
library_skip  4.0   step     a plugin library of a folder that cannot be loaded is a warning
range_wins    4.0   compile  a range or inheritrange of a servo counts instead of the other one of its class
flex_elastic  4.0   compile  elastic constants of flexes are those of their Young's modulus and Poisson's ratio: most become
                              stiffer
uv_shapes     3.12  step     2D textures are wrapped around spheres, ellipsoids, capsules, cylinders and boxes, and begin at
                              the corner of finite planes
const_wide    3.17  step     mj_setConst settles bounds, contact bits, equal frames, fluids and sleep policies anew; trees
                              that cannot sleep at first are awake
removed       4.0   compile  composites, the plugin of cables, the attributes internal and vertcollide, and flexcomps without
                              pins below joints are errors
flexcomp_turn 4.0   compile  flexcomps stand where the frames around them are
near_setpoint 3.11  step     servos that turn ball joints, or sites against each other, take the way round to their setpoint
                              that is shorter
tactile_depth 3.9   step     tactile sensors report depth, not pressure, and slide against the point that touches them, not
                              against its geom's centre
side_winding  4.0   step     a tendon with a side site goes round its geom as the way from end to end by that site does; paths
                              that graze a geom are exact
tendon_pull   3.14  step     forces between bodies contain those of spatial tendons, and of welds the torque, not the force of
                              its rows
last_face     4.0   step     distances of convex shapes are right where the nearest face is found last, too: 3.4 says 0 of
                              some that are apart; the search for contact and depth ends otherwise, and leaves margins
                              out while shapes are apart
hull_best     3.10  compile  hulls of at most maxhullvert vertices take next the vertex that is farthest out of all, not of
                              one face
nodes_kept    3.12  compile  saved texts have the places of nodes of flexes in their bodies
frames_kept   3.14  compile  saved texts keep frames with their poses
fuse_exact    4.0   compile  fusestatic adds inertias of turned bodies as they stand, and keeps only bodies that something
                              refers to
singular_told 4.0   compile  specs with singular inertia matrices compile with a warning; before, that was an error
flexcomp_used 4.0   compile  points of flexcomps that no element uses have no part in their mass and are no vertices of rigid
                              ones
cube_rgb      4.0   compile  cubes and skyboxes from files must have three channels
urdf_joints   4.0   compile  mimic joints of URDF become equalities, and limits of continuous joints do not count
fitted_free   4.0   compile  geoms of primitives that were fitted to a mesh do not name it
camera_one    4.0   compile  cameras with a focal length but without a resolution have one of 1 x 1, not an error
frame_gone    4.0   compile  deleting a frame of a spec deletes all that is in it; before, nothing
damper_kept   4.0   compile  dampers keep the damping of their class, and cylinders take all three numbers of bias
state_kept    3.16  compile  recompiling keeps applied forces, accelerations of the last step and which equalities hold, too
flex_implicit 3.13  compile  flexes that are elastic, or touch without a solver, are errors with the integrators implicit and
                              implicitfast
urdf_folders  3.7   compile  folders in file names of URDF are kept unless strippath is given
normals_scale 3.11  compile  scaling a mesh turns its normals as it turns its faces
normal_cells  3.6   compile  triangles of hulls are one face where their normals are in one cell of a grid of angles, 0.01 wide;
                              meshes without a hull have no such faces
obj_quads     4.0   compile  faces of four corners in OBJ files are cut along their shorter diagonal
headlight_auto 4.0  compile  the headlight is on where a drawing program wants it, unless a file says whether it is
asset_names   3.16  compile  meshes, height fields and textures that scripts add are not named after their files
"""
# bits of MjModel.features: features of later releases that a model uses, whatever the selected release
POLYNOMIAL, DRIVE, SURFACE, HISTORY, SERVO, PLASTIC, ADHESION = 1, 2, 4, 8, 16, 32, 64
# the default release
FIRST = "3.4"
# number of rows that a model keeps: bits of a signed integer, without the sign
MOST = 63
# the newest known release
LAST = "4.0"


class Change(NamedTuple):
    """One row; see above."""

    name: str
    version: str
    where: str
    sentence: str


def _parse(line: str) -> Change:
    name, version, where, sentence = line.split(None, 3)
    return Change(name, version, where, sentence)


# an indented line continues the sentence above it
ROWS = [_parse(line) for line in re.sub(r"\n +", " ", CHANGES).strip().splitlines()]
PLACE = {row.name: k for k, row in enumerate(ROWS)}


def bit(name: str) -> int:
    """Return the bit of a change, a constant for kernels."""
    return 1 << PLACE[name]


def key(version: Any) -> tuple[int, ...]:
    """Return a release as numbers that compare; ValueError unless it is one from 3.4 to 4.0, such as "3.9"."""
    words = version.split(".") if isinstance(version, str) else ()
    if not 2 <= len(words) <= 3 or not all(w.isascii() and w.isdigit() for w in words):
        raise ValueError(f'compat: a release such as "{FIRST}" or "{LAST}" is expected, got {version!r}')
    numbers = tuple(int(w) for w in words)
    if not (3, 4) <= numbers[:2] <= (4, 0):
        raise ValueError(f"compat: releases from {FIRST} to {LAST} are known, got {version!r}")
    return numbers


@functools.cache
def bits(version: str) -> int:
    """Return the bits of all changes up to a release."""
    limit = key(version)
    return sum(bit(row.name) for row in ROWS if key(row.version) <= limit[:2])


def holds(name: str, held: int) -> bool:
    """Whether a change is among bits."""
    return bool(held >> PLACE[name] & 1)


def kept(held: int) -> int:
    """Return those of the bits that a model keeps."""
    return held & (1 << MOST) - 1


def named(held: int) -> str:
    """Return the release to which bits belong: "3.4" for none, "4.0" for all, else the newest one with a change among them."""
    if kept(held) == kept(bits(LAST)):
        return LAST
    found = [row.version for row in ROWS if holds(row.name, held)]
    return max(found, key=key, default=FIRST)


def between(one: int, other: int) -> list[Change]:
    """Return the rows that differ between two sets of bits."""
    return [row for row in ROWS if holds(row.name, kept(one ^ other))]


# the choice for models loaded from now on; None: each file decides
_CHOSEN: list[str | None] = [None]


def choose(version: str | None) -> None:
    """Select the release for models loaded from now on, overriding their files; None: each file decides."""
    if version is not None:
        key(version)
    _CHOSEN[0] = version


def chosen() -> str | None:
    """Return the argument of the last `choose`."""
    return _CHOSEN[0]


# the release of what is loaded now by the face of a release, unless its file says another one
_STARTED: contextvars.ContextVar[str | None] = contextvars.ContextVar("release", default=None)


@contextlib.contextmanager
def starting(version: str) -> Iterator[None]:
    """Load with a release's changes what does not say its own release, and call functions without a model by them."""
    token = _STARTED.set(version)
    try:
        yield
    finally:
        _STARTED.reset(token)


def begun() -> str | None:
    """Return the release of what says none itself: that of `choose`, or the one of the face that loads it."""
    return _CHOSEN[0] or _STARTED.get()


choose(os.environ.get("TUMBLE_COMPAT") or None)
