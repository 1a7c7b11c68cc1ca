"""TABLES of sentences about MJCF elements and attributes that the fields of elements (see `structs`) do not describe.

    element | sentence                          key: the last one to three names of the path, such as `geom` or `tendon/spatial`
    element.attribute | unit | sentence         `.attribute` applies to any element; `= Struct.field` uses that field's text

An attribute is looked up here with its element, then among the fields of the element's struct, then here by name alone.
"""

from typing import Any

from ...tables.equality_rows import ROWS as EQUALITY_ROWS
from ...tables.schema import SCHEMAS
from .fields import TABLES
from .schema import Elem
from .shortcut_rows import ROWS as SHORTCUT_ROWS

ELEMENTS = """
mujoco         | root of a model
compiler       | how the model is read and compiled
lengthrange    | how ranges of actuator lengths are computed
option         | simulation options
flag           | features that are switched on or off
size           | sizes of the model that are set in advance
visual         | visual settings
global         | camera and picture
quality        | drawing quality
headlight      | the light at the camera
map            | conversion of physical quantities to graphics
scale          | sizes of decorations
rgba           | colours of decorations
statistic      | scales of the model, computed unless given
default        | a default class: default attributes of elements
extension      | plugins that the model uses
extension/plugin | a plugin that the model uses
extension/plugin/instance | a named instance, which elements can share
plugin         | the plugin of the surrounding element
config         | a configuration attribute of a plugin
custom         | custom numbers, texts and tuples
numeric        | a named list of numbers
text           | a named text
tuple          | a named list of objects
tuple/element  | an object of the tuple
asset          | assets, to which elements refer by name
mesh           | a triangle mesh
hfield         | a height field
skin           | a surface that bodies deform
bone           | a body that moves vertices of the skin
texture        | a picture for materials or the sky
material       | colours and textures of a surface
layer          | a texture of the material, with its role
asset/model    | a model from another file, to be attached
body           | a body and everything attached to it
worldbody      | the world: a body that does not move
inertial       | mass properties of the body, instead of those of its geoms
joint          | a joint between the body and its parent
freejoint      | a joint with all six degrees of freedom
geom           | a shape that collides and is drawn
attach         | a part of another model, attached here
site           | a point of interest
camera         | a camera
light          | a light
composite      | a macro that makes a cable
composite/joint | joints that the macro makes
composite/skin | skin over the geoms that the macro makes
composite/geom | geoms that the macro makes
composite/site | sites that the macro makes
flexcomp       | a macro that makes a deformable body and the bodies of its vertices
flexcomp/pin   | vertices that are fixed to the parent
edge           | springs and constraints along edges
elasticity     | elasticity of the material
flexcomp/contact | contact parameters of the deformable body
flex/contact   | contact parameters of the deformable body
frame          | a pose for the elements in it
replicate      | a macro that repeats the elements in it
deformable     | deformable bodies and skins
flex           | a deformable body whose vertices are attached to existing bodies
contact        | geom pairs that collide, and body pairs that do not
pair           | a geom pair with its own contact parameters
exclude        | a body pair without contacts
equality       | equality constraints
default/equality | default attributes of equality constraints
default/tendon | default attributes of tendons
tendon         | tendons
tendon/spatial | a tendon along sites and around geoms
tendon/fixed   | a tendon whose length is a sum of joint coordinates
spatial/site   | a site that the path goes through
spatial/geom   | a sphere or cylinder that the path goes around
spatial/pulley | starts a new branch of the path, whose length is divided
fixed/joint    | a joint of the sum
actuator       | actuators
general        | an actuator with any dynamics, gain and bias
actuator/plugin | an actuator of a plugin
sensor         | sensors
touch          | sum of normal forces of contacts within a site
accelerometer  | linear acceleration of a site, including gravity, in its frame
velocimeter    | linear velocity of a site, in its frame
gyro           | angular velocity of a site, in its frame
force          | force between a body and its parent, in the frame of a site
torque         | torque between a body and its parent, in the frame of a site
magnetometer   | magnetic flux at a site, in its frame
camprojection  | pixel of a camera's picture at which a site appears
rangefinder    | distance along the z axis of a site, or for each pixel of a camera, to the nearest geom
jointpos       | coordinate of a joint
jointvel       | velocity of a joint
tendonpos      | length of a tendon
tendonvel      | rate of change of a tendon's length
actuatorpos    | length of an actuator
actuatorvel    | rate of change of an actuator's length
actuatorfrc    | force of an actuator
jointactuatorfrc | sum of actuator forces on a joint
tendonactuatorfrc | sum of actuator forces on a tendon
ballquat       | orientation of a ball joint
ballangvel     | angular velocity of a ball joint
jointlimitpos  | distance to a joint limit, minus the margin
jointlimitvel  | velocity of a joint limit's constraint
jointlimitfrc  | force of a joint limit's constraint
tendonlimitpos | distance to a tendon limit, minus the margin
tendonlimitvel | velocity of a tendon limit's constraint
tendonlimitfrc | force of a tendon limit's constraint
framepos       | position of an object
framequat      | orientation of an object
framexaxis     | x axis of an object
frameyaxis     | y axis of an object
framezaxis     | z axis of an object
framelinvel    | linear velocity of an object
frameangvel    | angular velocity of an object
framelinacc    | linear acceleration of an object
frameangacc    | angular acceleration of an object
subtreecom     | centre of mass of a body including its descendants
subtreelinvel  | velocity of the centre of mass of a body including its descendants
subtreeangmom  | angular momentum of a body including its descendants, about their centre of mass
insidesite     | 1 if an object lies within a site, else 0
distance       | smallest signed distance of two geoms or bodies
normal         | unit normal from one geom or body to the nearest point of another
fromto         | nearest points of two geoms or bodies
sensor/contact | contacts between geoms, bodies or subtrees
e_potential    | potential energy
e_kinetic      | kinetic energy
clock          | simulation time
user           | numbers that a callback computes
tactile        | pressure and slip at the vertices of a mesh
sensor/plugin  | a sensor of a plugin
keyframe       | saved states
key            | a saved state
"""

ATTRIBUTES = """
.name | - | name of the element
.class | - | default class for attributes that are not set here
.childclass | - | default class of elements inside that name none
.axisangle | angle | orientation: axis and angle
.xyaxes | - | orientation: x axis and y axis
.zaxis | - | orientation: z axis, reached by the smallest rotation
.euler | angle | orientation: angles about the axes of the compiler's eulerseq
.instance | - | name of the plugin instance
.plugin | - | name of the plugin
.key | - | name of the configuration attribute
.value | - | value of the configuration attribute
.body | - | name of the body
.site | - | name of the site
.joint | - | name of the joint
.tendon | - | name of the tendon
.actuator | - | name of the actuator
.camera | - | name of the camera
.geom | - | name of the geom
.mesh | - | name of the mesh
.texture | - | name of the texture
.role | - | role of the texture
.file | - | name of the file
.content_type | - | media type of the file, if its name does not imply it
.prefix | - | prefix for the names of elements
.group | - | visibility group
.material | - | name of the material
.rgba | 0..1 | colour: red, green, blue, opacity
.objtype | - | type of the object
.objname | - | name of the object
.body1 | - | name of the first body
.body2 | - | name of the second body; missing: the world
.geom1 | - | name of the first geom
.geom2 | - | name of the second geom
.site1 | - | name of the site on the first body, used instead of body1 and anchor
.site2 | - | name of the site on the second body
.kp | N/m or N m/rad | position gain
.kv | N s/m or N m s/rad | velocity gain: damping
.dampratio | - | damping ratio, from which kv is computed at qpos0
.timeconst | s | time constant of the activation
.jointinparent | - | name of the joint; forces and torques are in the parent's frame
.cranksite | - | name of the site of a slider-crank's crank
pid.posrange | any | smallest and largest position setpoint: another name for ctrlrange
pid.ki | - | gain of the integral of the position error
pid.imax | - | limit of the integral of the error, in m s or rad s, 0: none
pid.slewmax | m/s or rad/s | maximum rate of the position setpoint, 0: no limit
dcmotor.motorconst | - | torque per current, voltage per speed; their geometric mean is used
dcmotor.resistance | - | resistance of the winding, in ohm
dcmotor.nominal | - | voltage, stall torque, no-load speed, from which motorconst and resistance are computed
dcmotor.saturation | - | maximum torque or current, and maximum rate of the current
dcmotor.inductance | - | inductance, or time constant of the current
dcmotor.cogging | - | cogging torque: amplitude, poles, phase
dcmotor.controller | - | kp, ki, kd, and limits of the setpoint's rate, the integral and the voltage
dcmotor.thermal | - | thermal model: resistance, capacity, time constant, coefficient, reference, ambient
dcmotor.lugre | - | LuGre friction: stiffness, damping, Coulomb torque, static torque, Stribeck velocity
mujoco.model | - | name of the model
compiler.strippath | = MjSpec.strippath
compiler.coordinate | - | obsolete: only local is allowed
compiler.assetdir | - | folder of meshes, height fields and textures
option.actuatorgroupdisable | - | groups of actuators that are disabled
flag.constraint | - | all constraints
flag.equality | - | equality constraints
flag.frictionloss | - | dry friction
flag.limit | - | limits of joints and tendons
flag.contact | - | collisions and contacts
flag.spring | - | springs of joints, tendons and deformables
flag.damper | - | dampers of joints, tendons and deformables
flag.gravity | - | gravity
flag.clampctrl | - | controls are clamped to their ranges
flag.warmstart | - | the solver starts from the last acceleration
flag.filterparent | - | no contacts between a body and its parent
flag.actuation | - | actuator forces
flag.refsafe | - | time constants of constraints are at least two time steps
flag.sensor | - | sensors
flag.midphase | - | bounding volume hierarchies in collision
flag.eulerdamp | - | Euler integrates joint damping implicitly
flag.autoreset | - | reset after NaN or a huge value
flag.nativeccd | - | GJK and EPA instead of MPR in convex collision
flag.island | - | constraints are solved island by island
flag.override | - | contact parameters are overridden by those of option
flag.energy | - | energy is computed
flag.fwdinv | - | forward and inverse dynamics are compared
flag.invdiscrete | - | inverse dynamics in discrete time
flag.multiccd | - | several contacts for each pair of convex geoms
flag.sleep | - | trees at rest fall asleep
flag.speculative | - | contacts of fast geoms are predicted, so that geoms do not pass through each other
flag.diagexact | - | regularisation uses the exact inertia that each constraint row moves
rangefinder.data | - | quantities that each ray reports, in this order: dist, dir, origin, point, normal, depth
mesh.builtin | - | type of generated shape
mesh.params | - | parameters of the generated shape
texture.fileright | - | file of a cube's right side
texture.fileleft | - | file of a cube's left side
texture.fileup | - | file of a cube's upper side
texture.filedown | - | file of a cube's lower side
texture.filefront | - | file of a cube's front
texture.fileback | - | file of a cube's back
bone.bindpos | = MjsSkin.bindpos
bone.bindquat | = MjsSkin.bindquat
bone.vertid | = MjsSkin.vertid
bone.vertweight | = MjsSkin.vertweight
light.directional | - | obsolete: whether the light is directional
attach.model | - | name of the model asset; missing: this model
attach.body | - | name of the body in that model; missing: the whole model
attach.frame | - | name of the frame in that model; frames around it are left out
attach.prefix | - | prefix for the names of its elements
composite.type | - | type; only cable is supported
composite.count | - | number of elements in each direction
composite.offset | m | offset of the first element
composite.vertex | m | points of the cable, three numbers each
composite.initial | - | how the first body is attached: free, ball, none
composite.curve | - | curve of the cable in x, y and z, each one of s, cos(s), sin(s), 0
composite.size | m | length and radii of the curve
composite.quat | quat | orientation
composite/joint.kind | - | which joints: main
composite/joint.solreffix | = MjsEquality.solref
composite/joint.solimpfix | = MjsEquality.solimp
composite/skin.texcoord | - | whether texture coordinates are made
composite/skin.subgrid | - | number of vertices between elements, for a smooth skin
flexcomp.type | - | shape: a grid, a box, a file or given points
flexcomp.dof | - | how vertices move: each on its own, radially, or with the nodes of a grid
flexcomp.count | - | points in x, y and z
flexcomp.spacing | m | distance of points in x, y and z
flexcomp.rigid | - | whether all points belong to the parent body
flexcomp.mass | kg | mass of all bodies together
flexcomp.inertiabox | m | side of a cube that determines the inertia of each body
flex.dof | - | order of interpolation between nodes: trilinear with 8 nodes, quadratic with 27
flexcomp.scale | - | scaling of points in x, y and z
flexcomp.point | m | points of the type direct, three numbers each
flexcomp.element | - | points of each element of the type direct
flexcomp.pos | m | position in the parent's frame
flexcomp.quat | quat | orientation in the parent's frame
flexcomp.origin | m | point inside from which a surface is filled with tetrahedra
flexcomp/edge.equality | - | whether an equality constraint keeps the lengths of edges
flexcomp/edge.solref | = MjsEquality.solref
flexcomp/edge.solimp | = MjsEquality.solimp
pin.id | - | indices of pinned vertices
pin.range | - | ranges of pinned vertices, first and last
pin.grid | - | grid coordinates of pinned vertices
pin.gridrange | - | ranges of grid coordinates of pinned vertices
replicate.count | - | number of copies
replicate.offset | m | translation from one copy to the next
replicate.euler | angle | rotation from one copy to the next
replicate.sep | - | separator between a name and the number of the copy
flex.body | - | names of the vertices' bodies; a single name makes the flex rigid
flex.node | - | names of the nodes' bodies, for interpolation
connect.anchor | m | shared point, in the frame of the first body
weld.anchor | m | point about which rotations are weighed, in the frame of the second body
weld.relpose | m or quat | pose of the second body in the first's frame: position, quaternion; zeros: the pose at qpos0
weld.torquescale | m | weight of rotations relative to translations
equality/joint.polycoef | - | coefficients of the polynomial, constant first
equality/tendon.polycoef | - | coefficients of the polynomial, constant first
spatial/geom.sidesite | - | name of a site on the side where the path passes; if it is inside, the path passes inside
pulley.divisor | - | number by which the branch's length is divided
fixed/joint.coef | - | coefficient of the joint's coordinate
tuple/element.prm | any | number stored with the object
cylinder.area | m^2 | area of the piston
cylinder.diameter | m | diameter of the piston, instead of its area
cylinder.bias | - | three parameters of the bias
muscle.timeconst | s | time constants of activation and deactivation
muscle.tausmooth | - | width of the smooth transition between them
muscle.range | - | range of lengths, relative to the optimal length
muscle.force | N | maximum active force, -1: computed from scale
muscle.scale | N m/s^2 or N rad/s^2 | largest force times acceleration at unit force
muscle.lmin | - | smallest length of the force-length curve
muscle.lmax | - | largest length of the force-length curve
muscle.vmax | 1/s | velocity at which the force vanishes, in optimal lengths
muscle.fpmax | - | passive force at lmax, relative to the largest active force
muscle.fvmax | - | active force at the largest lengthening velocity, relative to that at rest
adhesion.gain | N | force per unit of control
tactile.geom | - | name of the geom whose contacts are measured
tactile.mesh | - | name of the mesh at whose vertices contacts are measured
sensor/contact.subtree1 | - | name of the first subtree's body
sensor/contact.subtree2 | - | name of the second subtree's body
sensor/contact.num | - | maximum number of contacts that are reported
sensor/contact.data | - | quantities that are reported for each contact
sensor/contact.reduce | - | which contacts are reported
asset/model.name | - | name by which attach refers to the model
"""

# elements without a struct of their own -> structs whose fields describe their attributes
LIKE = {
    "flex/contact": "MjsFlex",
    "flexcomp/contact": "MjsFlex",
    "edge": "MjsFlex",
    "elasticity": "MjsFlex",
    "flexcomp": "MjsFlex",
    "composite/joint": "MjsJoint",
    "composite/geom": "MjsGeom",
    "composite/site": "MjsSite",
    "composite/skin": "MjsSkin",
    "frame": "MjsFrame",
    "replicate": "MjsFrame",
}


def _sentences() -> dict[str, str]:
    found = {name.strip(): doc for name, _, doc in (line.partition(" | ") for line in ELEMENTS.split("\n") if line)}
    found |= {f"equality/{row.name}": row.sentence for row in EQUALITY_ROWS}
    return found | {row.name: row.sentence for row in SHORTCUT_ROWS}


def _rows() -> dict[str, tuple[str, str]]:
    """Return {key: (unit, sentence) or 'Struct.field'}."""
    found = {}
    for line in ATTRIBUTES.split("\n"):
        if line:
            key, note, *doc = line.split(" | ")
            found[key] = (note, doc[0]) if doc else note.removeprefix("= ")
    return found


SENTENCES, ROWS = _sentences(), _rows()


def paths(elem: Elem) -> list[str]:
    """Return the keys of an element, most specific first."""
    parts = elem.path.split("/")
    return ["/".join(parts[-k:]) for k in range(min(3, len(parts)), 0, -1)]


def of_element(elem: Elem) -> str:
    """Return the sentence about an element of the grammar; empty if there is none."""
    return next((SENTENCES[p] for p in paths(elem) if p in SENTENCES), "")


def of_field(struct: str, elem: Elem, name: str) -> tuple[str, str] | None:
    """Return (unit, sentence) for a struct's field; None if the struct has no such field."""
    if struct in TABLES and name in TABLES[struct]:
        return TABLES[struct][name].about
    if struct in SCHEMAS:
        field = SCHEMAS[struct].fields.get(f"{elem.name}__{name}" if struct == "MjVisual" else name)
        return field and (field.unit, field.doc)
    return None


def of_attribute(elem: Elem, name: str) -> tuple[str, str] | None:
    """Return (unit, sentence) about an attribute of an element of the grammar; None if there is none."""
    attr = elem.attrs[name]
    own = [ROWS[f"{p}.{name}"] for p in paths(elem) if f"{p}.{name}" in ROWS]
    general = [ROWS[f".{name}"]] if f".{name}" in ROWS else []
    # an alternative orientation is one field with four notations, so its field's sentence does not fit
    for row in own + general * bool(attr.alt):
        return row if isinstance(row, tuple) else TABLES[row.partition(".")[0]][row.partition(".")[2]].about
    structs = [elem.struct, *(LIKE[p] for p in paths(elem) if p in LIKE)]
    found = [about for struct in structs if (about := of_field(struct, elem, attr.field))]
    return (found + general or [None])[0]


def elements(elem: Elem, seen: dict[int, Any] | None = None) -> list[Any]:
    """Return an element and all elements below it, each only once."""
    seen = {} if seen is None else seen
    if id(elem) not in seen:
        seen[id(elem)] = elem
        for child in elem.children.values():
            elements(child, seen)
    return list(seen.values())
