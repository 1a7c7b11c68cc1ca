"""The TABLE of silent changes: for the same file, releases after 3.4 compute different numbers. One switch selects the release.

    name     key for tests in code: `m.compat_bits & bit("name")` in kernels, `holds("name", bits)` in the model compiler
    version  the release that introduced it
    where    `compile`: the compiled fields differ; `step`: a compiled model steps differently
    sentence what changes, for the health report and the manual; indented lines continue it

A Model stores the bits of the first rows in `compat_bits`, as many as fit into a number. For "3.4", the default, no bit is
set. The bits of the remaining rows are stored only in specs, so these rows must have `compile` in the column `where`. Rows
with `step`, and rows whose bits code reads from a Model (saving, for example, reads `stricter`), must come before them.
Additions that do not change older files (elements, attributes, keywords) have no row here: a file can use them whatever
release is selected.
"""

import contextlib
import contextvars
import functools
import os
import re
from collections.abc import Iterator
from typing import Any, NamedTuple

CHANGES = """
margin_sum    3.5   step     margin and gap of a contact are the sums of the values of both geoms; before, the larger value
jdot_bias     3.7   step     connect and weld constraints include the rate of change of their Jacobian
gravcomp_all  3.5   step     gravity compensation acts on all dofs that move a compensated body; before, only on the dofs of
                              that body
gap_outside   3.9   step     contacts are detected within margin + gap and push within margin; before, within margin and margin
                              - gap
sleep_speed   3.11  compile  the default speed below which a tree may fall asleep is 1e-3; before, 1e-4
early_slope   3.5   step     derivatives of actuators use controls clamped to their range; with actearly, they use the
                              activations at the end of the step
edge_explicit 4.0   step     implicit integrators omit the derivative of dampers along the edges of flexes
mocap_weld    3.12  compile  a mocap body forms its own weld group, so it does not collide with its children, wakes sleeping
                              trees and is not static
dampratio_all 3.15  compile  dampratio uses the inertia that the actuator moves, with coupled joints; before, the diagonal of
                              the inertia
least_pivot   3.13  step     pivots of the inertia below 1e-15 are raised, with a warning; before, accelerations were not finite
site_turn     4.0   step     the angle between a site and its reference site uses the orientations of both sites in the right
                              order
lost_rows     3.14  step     Newton decouples a row of its Hessian from the others if the row's pivot is lost
multiccd_on   3.8   compile  pairs of convex shapes have several contacts by default; before, only with the flag multiccd
plane_reach   3.10  compile  infinite planes hardly affect the center and the extent of a model
axes_relative 4.0   compile  principal axes of small inertias are as accurate as those of large ones; those of meshes have
                              single precision
flex_apart    4.0   step     damping of stretched flexes is a damping force, so flags disable it separately from elasticity
cell_turn     4.0   step     forces of trilinear and quadratic flexes rotate with the deformation and act at nodes; before, only
                              in cubes without pins
frustum_shown 3.5   step     a camera has a frustum if its resolution exceeds one pixel; before, if it has a sensor size
principal_up  3.7   step     a positive vertical offset of a camera's principal point moves its picture up; before, down
multi_clip    3.17  step     the contacts of boxes, meshes, cylinders and capsules come from one clipping method, each with its
                              own depth
free_turn     3.11  step     implicitfast includes the derivative of gyroscopic forces for free bodies without joints below them
solver_exit   3.11  step     Newton and CG also stop when a bound on the remaining improvement is small; CG uses the Hager-Zhang
                              direction
trace_scale   3.17  step     the solvers' tolerance is relative to the trace of the current inertia; before, to the mean inertia
                              at qpos0
mocap_still   3.12  step     mocap bodies do not collide with the world; their planes are infinite, and they wake trees that
                              they touch or are constrained to
rk_turn       4.0   step     RK4 combines the rotations of its stages in the right order
saturated     4.0   step     an actuator at its force limit, or at that of its joint or tendon, adds nothing to derivatives
fd_awake      3.14  step     finite differences are refused if sleep is enabled
newell        3.17  compile  normals of a mesh's polygons are computed from all corners; before, from the first ones
bound_rescue  4.0   compile  inertias that are not positive definite are errors only if boundinertia cannot repair them
pgs_momentum  3.11  step     PGS solves islands one by one, in shuffled order and with momentum
round_away    3.11  step     mju_round rounds halves away from zero; before, up
slope_rows    3.11  step     mjd_inverseFD returns derivatives of the inertia in compressed rows (M); before, in the order of qM
field_lengths 4.0   step     ray distances to signed distance fields are in units of the direction's length, as for other
                              shapes; before, in metres
still_rate    4.0   step     accelerations of objects that are fixed to the world include gravity, like those of other bodies
keys_whole    3.16  compile  a keyframe covers the whole model, including replicas; it keeps its values when trees are edited,
                              and is not copied
scene_full    3.7   step     a scene that is too small for all geoms prints one message; before, it was counted as a warning in
                              Data
side_by_side  3.16  step     nearly parallel capsules touch at both ends of the part where they lie side by side
flex_named    3.16  compile  names of attached flexes and skins also get prefix and suffix; skins are attached only with all
                              their bones
turn_escapes  4.0   step     mju_mat2Rot normalizes the initial quaternion, and no longer stops half a turn away from the matrix
tendon_auto   3.14  compile  the force range of a tendon enables its force limit, unless actuatorfrclimited is false
plane_face    3.13  step     a mesh touches a plane with at most four corners of one face, the most level one at its lowest
                              corner; before, with neighbours of the lowest corner
box_clip      3.12  step     two boxes touch at all corners of the clipped face, or at one pair of edges
library_skip  4.0   step     a plugin library that cannot be loaded from a folder causes a warning; before, an error
flex_elastic  4.0   compile  flexes obey Young's modulus and Poisson's ratio exactly, which makes most of them stiffer
uv_shapes     3.12  step     2D textures wrap around spheres, ellipsoids, capsules, cylinders and boxes; on finite planes, they
                              start at the corner
const_wide    3.17  step     mj_setConst also updates bounds, contact bits, sameframe, fluids and sleep; trees that cannot sleep
                              start awake
near_setpoint 3.11  step     servos on ball joints, or between two sites, take the shorter way to their setpoint
tactile_depth 3.9   step     tactile sensors report depth and the slip at the touching point; before, pressure and the slip at
                              the geom's center
side_winding  4.0   step     a tendon winds around its geom on the way past its side site; paths that graze a geom are exact
tendon_pull   3.14  step     forces between bodies include those of spatial tendons, and the torque of welds in place of the
                              forces of their rows
last_face     4.0   step     distances of convex shapes are always correct; before, 0 for some shapes that are apart; margins
                              are left out while shapes are apart
flex_rest     3.9   step     flexes whose edges keep their length may fall asleep, and objects that touch them wake them
flex_weights  4.0   step     contacts with elements of flexes move with the nearest point of the element; before, with weights
                              computed from the distances of its corners
flex_corners  3.5   step     boxes and capsules touch a flex's triangles at corners and ends; before, at the deepest point of
                              each
flex_solid    4.0   step     spheres and capsules touch tetrahedra of flexes along the exact shortest way; before, as found by
                              the general function
flex_few      3.16  step     contacts of rigid and interpolated flexes are limited to 50 for each geom or other such flex
sleep_whole   4.0   step     energy and momentum include sleeping trees, sensors with a history keep recording while they sleep,
                              and sleeping flexes have no passive forces
rk_mean       4.0   step     after a step of RK4, qacc is the mean acceleration of the step; before, that of its last stage
field_exact   4.0   step     distances and margins of contacts with height fields are exact; before, the field was raised by the
                              margin
shared_dofs   3.7   step     sparse Jacobians of contacts do not store dofs that move both bodies
flex_frames   3.11  step     forces of flexes act along the slide joints of their vertices; before, as if these were parallel to
                              the world axes
inside_mass   3.8.1 step     insidesite measures the center of mass of what is below a body without mass; before, the body's
                              frame
stricter      4.0   compile  height fields with one row, fixed tendons on ball joints, pulleys with divisor 0 and cones of two
                              corners are errors
removed       4.0   compile  composite, the cable plugin, the attributes internal and vertcollide, and flexcomps without pins
                              below joints are errors
flexcomp_turn 4.0   compile  the pose of a flexcomp includes the frames around it
shortcut_own  3.16  compile  actuators inherit gain, bias and dynamics only from a class with the same shortcut, or with general
quat_own      3.16  compile  a quaternion of an element overrides angles of its class
path_kept     3.6   compile  attached models keep tendons that wrap around geoms without a side site
visual_mass   3.16  compile  discarding geoms that define masses of bodies (inertiafromgeom) is an error; settotalmass warns
mirror_faces  3.7   compile  faces of meshes with a negative scale point outwards
hull_best     3.10  compile  hulls limited by maxhullvert add the vertex farthest from all faces; before, farthest from one face
nodes_kept    3.12  compile  saved XML contains the positions of flex nodes in their bodies
frames_kept   3.14  compile  saved XML keeps frames and their poses
fuse_exact    4.0   compile  fusestatic adds the inertias of rotated bodies correctly, and keeps only bodies that are referenced
singular_told 4.0   compile  a spec with a singular inertia matrix compiles with a warning; before, it was an error
flexcomp_used 4.0   compile  points of a flexcomp that no element uses have no mass, and are not vertices of a rigid flexcomp
cube_rgb      4.0   compile  image files for cubes and skyboxes must have three channels
urdf_joints   4.0   compile  mimic joints of URDF become equalities, and limits of continuous joints are ignored
fitted_free   4.0   compile  a primitive that was fitted to a mesh does not refer to the mesh
camera_one    4.0   compile  a camera with a focal length but no resolution has a resolution of 1 x 1; before, it was an error
frame_gone    4.0   compile  deleting a frame of a spec deletes everything in it; before, nothing
damper_kept   3.11  compile  dampers inherit the damping of their class, and cylinders all three bias values
flex_fields   3.6   compile  flexes that may touch signed distance fields are errors, because later releases have
                              other contacts
cell_self     3.17  compile  trilinear and quadratic flexes may collide with themselves, but not within a cell; before, an error
bend_pinned   4.0   compile  sheets that resist bending may have vertices on any body; before, an error
cell_mesh     4.0   compile  trilinear and quadratic flexes have the stiffness and masses of their mesh; before, of its box
cell_exact    3.16  compile  trilinear and quadratic flexes have the stiffness of their material, also in shear
bend_rest     4.0   compile  curved sheets of flexes that resist bending are at rest in their reference shape
state_kept    3.16  compile  recompiling also keeps applied forces, the last accelerations and the active equalities
flex_implicit 3.13  compile  flexes that are elastic or have passive contacts are errors with the integrators implicit and
                              implicitfast
urdf_folders  3.7   compile  file names in URDF keep their folders unless strippath is set
normals_scale 3.11  compile  scaling a mesh rotates its normals as it rotates its faces
normal_cells  3.6   compile  triangles of a hull form one face if their normals are in the same cell of a grid of angles,
                              0.01 wide; meshes without a hull have no such faces
obj_quads     3.13  compile  faces of four corners in OBJ files are cut along their shorter diagonal, and larger ones by another
                              test for corners that can be cut off
headlight_auto 4.0  compile  unless the file sets the headlight, the rendering program decides whether it is on
asset_names   3.16  compile  meshes, height fields and textures that scripts add are not named after their files
png_only      3.12  compile  texture files must be PNG; MuJoCo's own texture format was also read before
child_below   4.0   compile  find_child finds only bodies below a body; before, also the body itself
range_wins    4.0   compile  a servo that sets range or inheritrange ignores the other of the two in its class
servo_limit   3.11  compile  intvelocity actuators limit their activation only if a range is given; before, always
pair_mix      4.0   compile  solref of a listed pair is mixed by solmix, as in other contacts; before, the smaller values
                              were used
bv_hidden     3.12  compile  bounding volumes that were tested are highlighted only if bvactive is set; before, by default
ray_data      3.5   compile  range finders store the quantities that they report (distance by default); their data type is real;
                              before, positive
contact_stage 3.16  compile  contact sensors that need no forces are computed in the position stage
loose_told    3.7   compile  a flex without constraints and passive forces causes a warning
cell_frame    3.8   compile  trilinear and quadratic flexes are at rest however they are turned at first; before, only with
                              sides parallel to the world axes
lens_pixels   3.5   compile  lengths of a camera in pixels override those in metres, and need a sensor size; in specs, both were
                              an error before
tactile_solid 3.9   compile  tactile sensors on bodies that cannot collide are errors
node_pins     3.5   compile  pins by grid place nodes of trilinear and quadratic flexes of any type; before, an error
words_spared  3.12  compile  saved XML has positions and axes of joints in classes, and leaves out those equal to the class
paths_full    3.17  compile  a model stores the paths where files were found; before, the paths as in the description
"""
# bits of MjModel.features: features of later releases that a model uses, whatever the selected release
POLYNOMIAL, DRIVE, SURFACE, HISTORY, SERVO, PLASTIC, ADHESION = 1, 2, 4, 8, 16, 32, 64
# the default release
FIRST = "3.4"
# number of rows that a model stores: the bits of a signed integer, without the sign
MOST = 63
# the newest known release
LAST = "4.0"


class Change(NamedTuple):
    """A row of the table; the module's docstring describes its fields."""

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
    """Return the bit mask of a compatibility change, as a compile-time constant for kernels."""
    return 1 << PLACE[name]


def key(version: Any) -> tuple[int, ...]:
    """Return a release as a tuple that can be compared; ValueError unless it is one from 3.4 to 4.0, such as "3.9"."""
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
    return sum(bit(row.name) for row in ROWS if key(row.version) <= limit)


def holds(name: str, held: int) -> bool:
    """Return whether a change is among the given bits."""
    return bool(held >> PLACE[name] & 1)


def kept(held: int) -> int:
    """Return the bits that a model stores."""
    return held & (1 << MOST) - 1


def named(held: int) -> str:
    """Return the release that has these bits: "3.4" for none, "4.0" for all, else the newest release with a change among
    them."""
    if kept(held) == kept(bits(LAST)):
        return LAST
    found = [row.version for row in ROWS if holds(row.name, held)]
    return max(found, key=key, default=FIRST)


def between(one: int, other: int) -> list[Change]:
    """Return the rows that differ between two sets of bits."""
    return [row for row in ROWS if holds(row.name, kept(one ^ other))]


# the release selected for later loads; None: each file decides
_CHOSEN: list[str | None] = [None]


def choose(version: str | None) -> None:
    """Select the release for models loaded from now on, overriding their files. With None, each file decides."""
    if version is not None:
        key(version)
    _CHOSEN[0] = version


def chosen() -> str | None:
    """Return the argument of the last `choose`."""
    return _CHOSEN[0]


# Release of the interface that is loading a model. It applies unless the model's file names another release.
_STARTED: contextvars.ContextVar[str | None] = contextvars.ContextVar("release", default=None)


@contextlib.contextmanager
def starting(version: str) -> Iterator[None]:
    """Within this context, apply a release's changes to models that name no release and to calls without a model."""
    token = _STARTED.set(version)
    try:
        yield
    finally:
        _STARTED.reset(token)


@contextlib.contextmanager
def undecided() -> Iterator[None]:
    """Within this context, load as if no release had been selected."""
    token, before = _STARTED.set(None), _CHOSEN[0]
    _CHOSEN[0] = None
    try:
        yield
    finally:
        _CHOSEN[0] = before
        _STARTED.reset(token)


def interface() -> str | None:
    """Return the release of the interface that is in use, e.g. `tumble.v4`; None for the interface of 3.4."""
    return _STARTED.get()


def begun() -> str | None:
    """Return the release for models that name none: the argument of `choose`, else the release of the interface in use."""
    return _CHOSEN[0] or _STARTED.get()


choose(os.environ.get("TUMBLE_COMPAT") or None)
