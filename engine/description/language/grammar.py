"""The grammar of MJCF: every element and attribute in one place. Reader, checks, writer and manual read these rows.

An element is a line `name multiplicity [Struct]`, indented by two spaces a level. Multiplicity: ! once, ? at most once, * any
number, R any number at any depth. Lines below it that start with `|` list its attributes, separated by commas: `name kind`,
or `name>field kind` if the struct's field has another name; a trailing ! marks a required attribute.

Kinds: s text; file a path; class a default class; bool; auto (false, true, auto); @set a keyword of that set; f real; i
integer; f3 exactly 3 numbers, f1:3 up to 3 (the rest keeps its default), f* any number; poly coefficients of a polynomial.
`$group` inserts a group of attributes, `like path - names` the attributes of another element except the named ones.
"""

from ...tables.actuator_rows import TYPE
from ...tables.equality_rows import ROWS as EQUALITY_ROWS
from ...tables.sensor_rows import ROWS as SENSOR_ROWS
from ...tables.sensor_rows import SensorRow
from .shortcut_rows import ROWS as SHORTCUT_ROWS

GROUPS = {
    "orient": "axisangle>alt.axisangle f4, xyaxes>alt.xyaxes f6, zaxis>alt.zaxis f3, euler>alt.euler f3",
    "contact": "condim i, friction f1:3, solmix f, solref f1:2, solimp f1:5, margin f, gap f",
    "flexcontact": "contype i, conaffinity i, priority i, $contact, internal bool, selfcollide @selfcollide, activelayers i, "
    "vertcollide bool, passive bool",
    "elasticity": "young f, poisson f, damping f, thickness f, elastic2d @elastic2d",
    "plugin": "plugin>plugin_name s, instance>name s",
    "camlight": "mode @camlight, target>targetbody s",
    "limits": "limited auto, range f2, margin f, solreflimit>solref_limit f1:2, solimplimit>solimp_limit f1:5",
    "friction": "frictionloss f, solreffriction>solref_friction f1:2, solimpfriction>solimp_friction f1:5",
    "tendon": "name s, class class, group i, $limits, actuatorfrclimited>actfrclimited auto, "
    "actuatorfrcrange>actfrcrange f2, $friction, springlength f1:2, stiffness poly, damping poly, armature f, "
    "user>userdata f*",
    "equality": "name s, class class, active bool, solref f1:2, solimp f1:5",
    "drive": "name s, class class, group i, nsample i, interp @interp, forcelimited auto, ctrlrange f2, forcerange f2, "
    "user>userdata f*",
    "pid": "posrange f2, velrange f2, ffrange f2, input>ctrlspec controls, inheritrange f, kp f, kv f, dampratio f, ki f, "
    "imax f, slewmax f",
    "muscle": "timeconst f2, tausmooth f, range f2, force f, scale f, lmin f, lmax f, vmax f, fpmax f, fvmax f",
    "dcmotor": "name s, class class, group i, nsample i, interp @interp, ctrllimited auto, ctrlrange f2, user>userdata f*, "
    "motorconst f1:2, resistance f, nominal f1:3, saturation f1:3, inductance f1:2, cogging f1:3, controller f1:6, "
    "thermal f1:6, lugre f1:5",
    "trn": "lengthrange f2, gear f1:6, cranklength f, joint s, jointinparent s, tendon s, slidersite s, cranksite s",
    "kinds": ", ".join(f"{TYPE[what]} @{what}" for what in ("dyn", "gain", "bias")),
    "motor": "$drive, ctrllimited auto, $trn, site s, refsite s",
    "sensor": "name s, cutoff f, noise f, $history, user>userdata f*",
    "history": "nsample i, interp @interp, interval f1:2",
    "object": "objtype s!, objname s!",
    "reference": "reftype s, refname s",
    "pairof": "geom1 s, geom2 s, body1 s, body2 s",
    "skin": "name s, file file, material s, rgba f4, inflate f, vertex>vert f*, texcoord f*, face i*, group i",
}

GRAMMAR = """
mujoco !
| model s
  compiler * MjsCompiler
  | autolimits bool, boundmass f, boundinertia f, settotalmass f, balanceinertia bool, strippath bool, coordinate @coordinate
  | angle>degree @angle, fitaabb bool, eulerseq s, meshdir s, texturedir s, discardvisual bool, usethread bool, fusestatic bool
  | inertiafromgeom auto, inertiagrouprange i2, saveinertial bool, assetdir s, alignfree bool, compat s
  | savecompiled bool, savecanonical bool, conflict @conflict
    lengthrange ? MjLROpt
    | mode @lrmode, useexisting bool, uselimit bool, accel f, maxforce f, timeconst f, timestep f, inttotal f, interval f
    | tolrange f
  option * MjOption
  | timestep f, impratio f, tolerance f, ls_tolerance f, noslip_tolerance f, ccd_tolerance f, sleep_tolerance f, gravity f3
  | wind f3, magnetic f3, density f, viscosity f, o_margin f, o_solref f1:2, o_solimp f1:5, o_friction f1:5
  | integrator @integrator, cone @cone, jacobian @jacobian, solver @solver, iterations i, ls_iterations i
  | noslip_iterations i, ccd_iterations i, sdf_iterations i, sdf_initpoints i, actuatorgroupdisable i1:31
    flag ?
    | constraint @enable, equality @enable, frictionloss @enable, limit @enable, contact @enable, spring @enable, damper @enable
    | gravity @enable, clampctrl @enable, warmstart @enable, filterparent @enable, actuation @enable, refsafe @enable
    | sensor @enable, midphase @enable, eulerdamp @enable, autoreset @enable, nativeccd @enable, island @enable
    | override @enable, energy @enable, fwdinv @enable, invdiscrete @enable, multiccd @enable, sleep @enable
    | diagexact @enable, speculative @enable
  size * MjSpec
  | memory s, njmax i, nconmax i, nstack i, nuserdata i, nkey i, nuser_body i, nuser_jnt i, nuser_geom i, nuser_site i
  | nuser_cam i, nuser_tendon i, nuser_actuator i, nuser_sensor i
  visual *
    global ? MjVisual
    | cameraid i, orthographic bool, fovy f, ipd f, azimuth f, elevation f, linewidth f, glow f, offwidth i, offheight i
    | realtime f, ellipsoidinertia bool, bvactive bool
    quality ? MjVisual
    | shadowsize i, offsamples i, numslices i, numstacks i, numquads i
    headlight ? MjVisual
    | ambient f3, diffuse f3, specular f3, active i
    map ? MjVisual
    | stiffness f, stiffnessrot f, force f, torque f, alpha f, fogstart f, fogend f, znear f, zfar f, haze f, shadowclip f
    | shadowscale f, actuatortendon f
    scale ? MjVisual
    | forcewidth f, contactwidth f, contactheight f, connect f, com f, camera f, light f, selectpoint f, jointlength f
    | jointwidth f, actuatorlength f, actuatorwidth f, framelength f, framewidth f, constraint f, slidercrank f, frustum f
    rgba ? MjVisual
    | fog f4, haze f4, force f4, inertia f4, joint f4, actuator f4, actuatornegative f4, actuatorpositive f4, com f4
    | camera f4, light f4, selectpoint f4, connect f4, contactpoint f4, contactforce f4, contactfriction f4, contacttorque f4
    | contactgap f4, rangefinder f4, constraint f4, slidercrank f4, crankbroken f4, frustum f4, bv f4, bvactive f4
  statistic * MjStatistic
  | meaninertia f, meanmass f, meansize f, extent f, center f3
  default R
  | class s
    mesh ? MjsMesh
    | scale f3, maxhullvert i, inertia @meshinertia
    texture ? MjsTexture
    | like asset/texture - name class content_type file fileright fileleft fileup filedown filefront fileback
    material ? MjsMaterial
    | like asset/material - name class
      layer *
      | texture s!, role @texrole!
    joint ? MjsJoint
    | like body/joint - name class
    geom ? MjsGeom
    | like body/geom - name class
    site ? MjsSite
    | like body/site - name class
    camera ? MjsCamera
    | like body/camera - name class target
    light ? MjsLight
    | like body/light - name class target texture
    pair ? MjsPair
    | like contact/pair - name class geom1 geom2
    equality ? MjsEquality
    | active bool, solref f1:2, solimp f1:5
    tendon ? MjsTendon
    | like tendon/spatial - name class
    general ? MjsActuator
    | like actuator/general - name class lengthrange joint jointinparent tendon slidersite cranksite site refsite body
SHORTCUT DEFAULTS
  extension *
    plugin *
    | plugin s!
      instance * MjsPlugin
      | name s!
        config *
        | key s!, value s!
  custom *
    numeric * MjsNumeric
    | name s!, size i, data f*
    text * MjsText
    | name s!, data s!
    tuple * MjsTuple
    | name s!
      element *
      | objtype s!, objname s!, prm f
  asset *
    mesh * MjsMesh
    | name s, class class, content_type s, file file, vertex>uservert f*, normal>usernormal f*, texcoord>usertexcoord f*
    | face>userface i*, refpos f3, refquat f4, scale f3, smoothnormal bool, maxhullvert i, inertia @meshinertia
    | builtin @meshbuiltin, params f*, material s
      plugin *
      | $plugin
        config *
        | key s!, value s!
    hfield * MjsHField
    | name s, content_type s, file file, nrow i, ncol i, size f4!, elevation>userdata f*
    skin * MjsSkin
    | $skin
      bone *
      | body s!, bindpos f3!, bindquat f4!, vertid i*!, vertweight f*!
    texture * MjsTexture
    | name s, class class, type @texture, colorspace @colorspace, content_type s, file file, gridsize i2, gridlayout s
    | fileright file
    | fileleft file, fileup file, filedown file, filefront file, fileback file, builtin @builtin, rgb1 f3, rgb2 f3, mark @mark
    | markrgb f3, random f, width i, height i, hflip bool, vflip bool, nchannel i
    material * MjsMaterial
    | name s, class class, texture s, texrepeat f2, texuniform bool, emission f, specular f, shininess f, reflectance f
    | metallic f, roughness f, rgba f4
      layer *
      | texture s!, role @texrole!
    model *
    | name s, file file!, content_type s
  body R MjsBody
  | name s, childclass class, pos f3, quat f4, mocap bool, $orient, gravcomp f, sleep @sleep, simple @simple, user>userdata f*
    inertial ? MjsBody
    | pos>ipos f3!, quat>iquat f4, mass f!, diaginertia>inertia f3, axisangle>ialt.axisangle f4, xyaxes>ialt.xyaxes f6
    | zaxis>ialt.zaxis f3, euler>ialt.euler f3, fullinertia f6
    joint * MjsJoint
    | name s, class class, type @joint, group i, pos f3, axis f3, springdamper f2, $limits, $friction, stiffness poly
    | actuatorfrclimited>actfrclimited auto, actuatorfrcrange>actfrcrange f2, actuatorgravcomp>actgravcomp bool, ref f
    | springref f, armature f, damping poly, user>userdata f*
    freejoint * MjsJoint
    | name s, group i, align auto
    geom * MjsGeom
    | name s, class class, type @geom, contype i, conaffinity i, $contact, group i, priority i, size f1:3, material s
    | mass f, density f, shellinertia>typeinertia bool, fromto f6, pos f3, quat f4, $orient, hfield>hfieldname s
    | mesh>meshname s, fitscale f, rgba f4, fluidshape>fluid_ellipsoid @fluid, fluidcoef>fluid_coefs f1:5
    | castshadow bool, user>userdata f*
      plugin *
      | $plugin
        config *
        | key s!, value s!
    attach *
    | model s, body s, frame s, prefix s!
    site * MjsSite
    | name s, class class, type @geom, group i, pos f3, quat f4, material s, size f1:3, fromto f6, $orient, rgba f4
    | user>userdata f*
    camera * MjsCamera
    | name s, class class, orthographic bool, projection>orthographic @projection, output bits:camout
    | fovy f, ipd f, resolution f2, pos f3, quat f4, $orient, $camlight
    | focal>focal_length f2, focalpixel>focal_pixel f2, principal>principal_length f2, principalpixel>principal_pixel f2
    | sensorsize>sensor_size f2, user>userdata f*
    light * MjsLight
    | name s, class class, directional bool, type @light, castshadow bool, active bool, pos f3, dir f3, bulbradius f
    | intensity f, range f, attenuation f3, cutoff f, exponent f, ambient f3, diffuse f3, specular f3, softness f
    | $camlight, texture s
    plugin *
    | $plugin
      config *
      | key s!, value s!
    composite *
    | prefix s, type @composite!, count i1:3, offset f3, vertex f*, initial s, curve s, size f1:3, quat f4
      joint *
      | kind @jointkind!, group i, stiffness f, damping f, armature f, solreffix f1:2, solimpfix f1:5, type @joint, axis f3
      | $limits, $friction
      skin ?
      | texcoord bool, material s, group i, rgba f4, inflate f, subgrid i
      geom ?
      | type @geom, contype i, conaffinity i, $contact, group i, priority i, size f1:3, material s, rgba f4, mass f, density f
      site ?
      | group i, size f1:3, material s, rgba f4
      plugin *
      | $plugin
        config *
        | key s!, value s!
    flexcomp *
    | name s!, type @flexcomp, group i, dim i, dof @flexdof, count i3, spacing f3, radius f, rigid bool, mass f, inertiabox f
    | scale f3, file file, point f*, element i*, texcoord f*, material s, rgba f4, flatskin bool, pos f3, quat f4, $orient
    | origin f3
      edge ?
      | equality @flexequality, solref f1:2, solimp f1:5, stiffness>edgestiffness f, damping>edgedamping f
      elasticity ?
      | $elasticity
      contact ?
      | $flexcontact
      pin *
      | id i*, range i*, grid i*, gridrange i*
      plugin *
      | $plugin
        config *
        | key s!, value s!
    frame *
    | name s, childclass class, pos f3, quat f4, $orient, scale f1:3, scaling @scaling, massscale f
    replicate *
    | count i!, offset f3, euler f3, sep s, childclass class
  deformable *
    flex * MjsFlex
    | name s, group i, dim i, radius f, material s, rgba f4, flatskin bool, body s!, vertex>vert f*, element>elem i*!
    | texcoord f*, elemtexcoord i*, node s, nodecoord>node f*, dof @flexorder
      contact ?
      | $flexcontact
      edge ?
      | stiffness>edgestiffness f, damping>edgedamping f
      elasticity ?
      | $elasticity
    skin * MjsSkin
    | $skin
      bone *
      | body s!, bindpos f3!, bindquat f4!, vertid i*!, vertweight f*!
  contact *
    pair * MjsPair
    | name s, class class, geom1>geomname1 s, geom2>geomname2 s, condim i, friction f1:5, solref f1:2, solreffriction f1:2
    | solimp f1:5, gap f, margin f
    exclude * MjsExclude
    | name s, body1>bodyname1 s!, body2>bodyname2 s!
  equality *
EQUALITIES
  tendon *
    spatial * MjsTendon
    | $tendon, width f, material s, rgba f4
      site *
      | site s!
      geom *
      | geom s!, sidesite s
      pulley *
      | divisor f!
    fixed * MjsTendon
    | $tendon
      joint *
      | joint s!, coef f!
  actuator *
    general * MjsActuator
    | $motor, inheritrange f, actlimited auto, actrange f2, body s, actdim i, $kinds, dynprm f1:10
    | gainprm f1:10, biasprm f1:10, actearly bool, input>ctrlspec controls, velrange f2, ffrange f2
SHORTCUTS
    plugin * MjsActuator
    | like actuator/motor - refsite
    | plugin s, instance s, actlimited auto, actrange f2, actdim i, dyntype @dyn, dynprm f1:10, actearly bool
      config *
      | key s!, value s!
  sensor *
SENSORS
  keyframe *
    key * MjsKey
    | name s, time f, qpos f*, qvel f*, act f*, mpos f*, mquat f*, ctrl f*, plastic f*
"""


def sensor_attributes(row: SensorRow) -> str:
    """Return a sensor's attributes in the grammar's notation, derived from the object and reference in its row."""
    if row.attributes:
        return row.attributes
    if "|" in row.object:
        return "$sensor, $pairof"
    groups = {"frame": ("$object", "$reference"), "": ("", "")}
    words = [groups[kind][n] if kind in groups else f"{kind} s!" for n, kind in enumerate((row.object, row.reference))]
    # names of single attributes come before groups
    return ", ".join(["$sensor", *sorted(filter(None, words), key=lambda word: word[0] == "$")])


def sensor_elements() -> str:
    """Return the elements of the sensor section: an element line and an attribute line for each row of tables.sensor_rows."""
    lines = [f"    {row.name} * MjsSensor\n    | {sensor_attributes(row)}\n" for row in SENSOR_ROWS]
    config = "      config *\n      | key s!, value s!\n"
    return "".join(line + (config if row.name == "plugin" else "") for row, line in zip(SENSOR_ROWS, lines, strict=True))


# attributes of an actuator that its default class does not have
OWN = "name class lengthrange joint jointinparent tendon slidersite cranksite site refsite body"


def shortcut_elements() -> str:
    """Return the shortcuts in the actuator section: an element line and an attribute line for each row of shortcut_rows."""
    return "".join(f"    {row.name} * MjsActuator\n    | {row.attributes}\n" for row in SHORTCUT_ROWS)


def shortcut_defaults() -> str:
    """Return the shortcuts in default classes: as in `shortcut_elements`, but without attributes that only an actuator has."""
    own = {row.name: " ".join([OWN, *(a.name for a in row.arguments.values() if not a.defaults)]) for row in SHORTCUT_ROWS}
    return "".join(f"    {name} ? MjsActuator\n    | like actuator/{name} - {without}\n" for name, without in own.items())


def equality_elements() -> str:
    """Return the elements of the equality section: an element line and an attribute line for each row of
    tables.equality_rows."""
    return "".join(f"    {row.name} * MjsEquality\n    | {row.attributes}\n" for row in EQUALITY_ROWS)


for _mark, _lines in (
    ("SENSORS", sensor_elements()),
    ("EQUALITIES", equality_elements()),
    ("SHORTCUTS", shortcut_elements()),
    ("SHORTCUT DEFAULTS", shortcut_defaults()),
):
    GRAMMAR = GRAMMAR.replace(f"\n{_mark}\n", f"\n{_lines}")
