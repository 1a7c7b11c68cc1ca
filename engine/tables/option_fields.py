"""The Option, Visual and Statistic tables: one row for each field.

    name  dtype  count = default | unit | sentence

Visual names have two parts, `group.name`; in Python they are attributes such as `vis.global_.fovy`.
"""

OPTION = """
# integration: time and its steps
timestep                 f8       = 0.002                   | s      | time step

# solver: constraint solver
impratio                 f8       = 1                       | -      | ratio of frictional to normal impedance of elliptic cones
tolerance                f8       = 1e-08             | - | solver: stop when the scaled improvement and gradient are below this
ls_tolerance             f8       = 0.01      | - | line search: stop when the slope is below this fraction of the initial slope
noslip_tolerance         f8       = 1e-06                   | -      | noslip solver: stop when the improvement is below this
ccd_tolerance            f8       = 1e-06              | m | convex collision: stop when the error of the distance is below this
sleep_tolerance          f8       = 0.0001                  | m/s    | speed below which a tree may fall asleep

# medium: the fluid around the bodies
gravity                  f8  3    = 0 0 -9.81               | m/s^2  | gravitational acceleration
wind                     f8  3    = 0 0 0                   | m/s    | velocity of the medium
magnetic                 f8  3    = 0 -0.5 0                | T      | magnetic flux, for magnetometers
density                  f8       = 0                       | kg/m^3 | density of the medium, for inertial drag and lift
viscosity                f8       = 0                       | Pa s   | viscosity of the medium

# override: contact parameters of all geoms, with the override flag
o_margin                 f8       = 0                       | m      | distance at which contacts are made
o_solref                 f8  2    = 0.02 1              | - | solver reference: timeconst (s), dampratio or -stiffness, -damping
o_solimp                 f8  5    = 0.9 0.95 0.001 0.5 2    | -      | solver impedance: d0, dwidth, width, midpoint, power
o_friction               f8 5 = 1 1 0.005 0.0001 0.0001 | - | friction: two sliding (no unit), one torsional and two rolling (m)

# algorithms: choice of algorithms and their limits
integrator               i4       = 0                       | -      | integrator (mjtIntegrator)
cone                     i4       = 0                       | -      | friction cone: pyramidal or elliptic (mjtCone)
jacobian                 i4       = 2                       | -   | storage of Jacobians: dense, sparse, automatic (mjtJacobian)
solver                   i4       = 2                       | -      | constraint solver (mjtSolver)
iterations               i4       = 100                     | -      | maximum number of iterations of the solver
ls_iterations            i4       = 50                      | -      | maximum number of iterations of the line search
noslip_iterations        i4       = 0                       | -      | maximum number of iterations of the noslip solver, 0: off
ccd_iterations           i4       = 35                      | -      | maximum number of iterations of convex collision
disableflags             i4       = 0                       | -      | disabled features, as bits (mjtDisableBit)
enableflags              i4       = 0                       | -      | enabled features, as bits (mjtEnableBit)
disableactuator          i4       = 0                       | -      | groups of actuators that are disabled, as bits
sdf_initpoints           i4       = 40                      | -      | number of starting points in signed distance collision
sdf_iterations           i4       = 10                      | -      | number of descent steps in signed distance collision
"""

VISUAL = """
# global: camera and picture
global.cameraid          i4       = -1              | -        | initial camera of pictures, -1: free
global.orthographic      i4       = 0               | -        | whether the free camera uses parallel projection
global.fovy              f4   = 45 | deg or m | vertical field of view of the free camera: an angle, or a length if orthographic
global.ipd               f4       = 0.068           | m        | distance between the eyes of the free camera
global.azimuth           f4       = 90              | deg      | initial azimuth of the free camera
global.elevation         f4       = -45             | deg      | initial elevation of the free camera
global.linewidth         f4       = 1               | pixel    | width of lines
global.glow              f4       = 0.3             | 0..1     | glow of the selected body
global.realtime          f4       = 1               | -        | speed of the simulation relative to real time
global.offwidth          i4       = 640             | pixel    | width of offscreen pictures
global.offheight         i4       = 480             | pixel    | height of offscreen pictures
global.ellipsoidinertia  i4       = 0               | -        | whether inertia is drawn as an ellipsoid instead of a box
global.bvactive          i4       = 1         | - | whether nodes that collision detection tested are drawn in a separate colour

# quality: drawing quality
quality.shadowsize       i4       = 4096            | pixel    | side of the shadow map
quality.offsamples       i4       = 4               | -        | samples per pixel of offscreen pictures
quality.numslices        i4       = 28              | -        | slices of spheres and cylinders around their axis
quality.numstacks        i4       = 16              | -        | stacks of spheres and cylinders along their axis
quality.numquads         i4       = 4               | -        | quads along each edge of a box

# headlight: the light at the camera
headlight.ambient        f4  3    = 0.1 0.1 0.1     | 0..1     | colour of its ambient light
headlight.diffuse        f4  3    = 0.4 0.4 0.4     | 0..1     | colour of its diffuse light
headlight.specular       f4  3    = 0.5 0.5 0.5     | 0..1     | colour of its highlights
headlight.active         i4       = 1               | -        | whether it is switched on

# map: conversion of physical quantities to graphics
map.stiffness            f4       = 100             | N/m      | stiffness of a pull with the mouse
map.stiffnessrot         f4       = 500             | N m/rad  | stiffness of a rotation with the mouse
map.force                f4       = 0.005           | m/N      | arrow length per unit of force, relative to meansize
map.torque               f4       = 0.1             | 1/N      | arrow length per unit of torque, relative to meansize
map.alpha                f4       = 0.3             | 0..1     | opacity of transparent geoms
map.fogstart             f4       = 3               | -        | distance at which fog begins, in extents
map.fogend               f4       = 10              | -        | distance at which fog is complete, in extents
map.znear                f4       = 0.01            | -        | near clipping plane, in extents
map.zfar                 f4       = 50              | -        | far clipping plane, in extents
map.haze                 f4       = 0.3             | 0..1     | hazy fraction of the distance to the horizon
map.shadowclip           f4       = 1               | -        | reach of a directional light's shadow, in extents
map.shadowscale          f4       = 0.6             | -        | fraction of a spotlight's cone that casts shadows
map.actuatortendon       f4       = 2               | -        | width of actuated tendons, relative to other tendons

# scale: sizes of decorations, as multiples of the mean body size
scale.forcewidth         f4       = 0.1             | -        | width of force arrows
scale.contactwidth       f4       = 0.3             | -        | radius of contacts
scale.contactheight      f4       = 0.1             | -        | height of contacts
scale.connect            f4       = 0.2             | -        | width of lines between bodies
scale.com                f4       = 0.4             | -        | radius of centres of mass
scale.camera             f4       = 0.3             | -        | size of cameras
scale.light              f4       = 0.3             | -        | size of lights
scale.selectpoint        f4       = 0.2             | -        | radius of the selected point
scale.jointlength        f4       = 1               | -        | length of joint axes
scale.jointwidth         f4       = 0.1             | -        | width of joint axes
scale.actuatorlength     f4       = 0.7             | -        | length of actuators
scale.actuatorwidth      f4       = 0.2             | -        | width of actuators
scale.framelength        f4       = 1               | -        | length of frame axes
scale.framewidth         f4       = 0.1             | -        | width of frame axes
scale.constraint         f4       = 0.1             | -        | width of constraints
scale.slidercrank        f4       = 0.2             | -        | width of slider-cranks
scale.frustum            f4       = 10              | -        | length of camera frustums

# rgba: colours of decorations
rgba.fog                 f4  4    = 0 0 0 1         | 0..1     | fog
rgba.haze                f4  4    = 1 1 1 1         | 0..1     | haze at the horizon
rgba.force               f4  4    = 1 0.5 0.5 1     | 0..1     | external forces
rgba.inertia             f4  4    = 0.8 0.2 0.2 0.6 | 0..1     | inertia boxes
rgba.joint               f4  4    = 0.2 0.6 0.8 1   | 0..1     | joints
rgba.actuator            f4  4    = 0.2 0.25 0.2 1  | 0..1     | actuators at rest
rgba.actuatornegative    f4  4    = 0.2 0.6 0.9 1   | 0..1     | actuators at their smallest activation
rgba.actuatorpositive    f4  4    = 0.9 0.4 0.2 1   | 0..1     | actuators at their largest activation
rgba.com                 f4  4    = 0.9 0.9 0.9 1   | 0..1     | centres of mass
rgba.camera              f4  4    = 0.6 0.9 0.6 1   | 0..1     | cameras
rgba.light               f4  4    = 0.6 0.6 0.9 1   | 0..1     | lights
rgba.selectpoint         f4  4    = 0.9 0.9 0.1 1   | 0..1     | selected point
rgba.connect             f4  4    = 0.2 0.2 0.8 1   | 0..1     | lines between bodies
rgba.contactpoint        f4  4    = 0.9 0.6 0.2 1   | 0..1     | contacts
rgba.contactforce        f4  4    = 0.7 0.9 0.9 1   | 0..1     | contact forces
rgba.contactfriction     f4  4    = 0.9 0.8 0.4 1   | 0..1     | friction forces
rgba.contacttorque       f4  4    = 0.9 0.7 0.9 1   | 0..1     | contact torques
rgba.contactgap          f4  4    = 0.5 0.8 0.9 1   | 0..1     | contacts in the gap
rgba.rangefinder         f4  4    = 1 1 0.1 1       | 0..1     | rays of range finders
rgba.constraint          f4  4    = 0.9 0 0 1       | 0..1     | violated constraints
rgba.slidercrank         f4  4    = 0.5 0.3 0.8 1   | 0..1     | slider-cranks
rgba.crankbroken         f4  4    = 0.9 0 0 1       | 0..1     | slider-cranks whose rod is too short
rgba.frustum             f4  4    = 1 1 0 0.2       | 0..1     | camera frustums
rgba.bv                  f4  4    = 0 1 0 0.5       | 0..1     | bounding boxes
rgba.bvactive            f4  4    = 1 0 0 0.5       | 0..1     | bounding boxes that were tested
"""

STATISTIC = """
# statistic: scales of the model; computed unless the file sets them
meaninertia              f8       = 1   | kg or kg m^2 | mean diagonal of the inertia at qpos0
meanmass                 f8       = 1   | kg           | mean mass of a body
meansize                 f8       = 0.2 | m            | mean size of a body
extent                   f8       = 2   | m            | size of the model
center                   f8  3          | m            | centre of the model
"""
