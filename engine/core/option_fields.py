"""The Option, Visual and Statistic tables: name, dtype, count, default.

Visual names have two parts, `group.name`; from Python `vis.global_.fovy`.
"""

OPTION = """
timestep                 f8       = 0.002
impratio                 f8       = 1
tolerance                f8       = 1e-08
ls_tolerance             f8       = 0.01
noslip_tolerance         f8       = 1e-06
ccd_tolerance            f8       = 1e-06
sleep_tolerance          f8       = 0.0001
gravity                  f8  3    = 0 0 -9.81
wind                     f8  3    = 0 0 0
magnetic                 f8  3    = 0 -0.5 0
density                  f8       = 0
viscosity                f8       = 0
o_margin                 f8       = 0
o_solref                 f8  2    = 0.02 1
o_solimp                 f8  5    = 0.9 0.95 0.001 0.5 2
o_friction               f8  5    = 1 1 0.005 0.0001 0.0001
integrator               i4       = 0
cone                     i4       = 0
jacobian                 i4       = 2
solver                   i4       = 2
iterations               i4       = 100
ls_iterations            i4       = 50
noslip_iterations        i4       = 0
ccd_iterations           i4       = 35
disableflags             i4       = 0
enableflags              i4       = 0
disableactuator          i4       = 0
sdf_initpoints           i4       = 40
sdf_iterations           i4       = 10
"""

VISUAL = """
global.cameraid          i4       = -1
global.orthographic      i4       = 0
global.fovy              f4       = 45
global.ipd               f4       = 0.068
global.azimuth           f4       = 90
global.elevation         f4       = -45
global.linewidth         f4       = 1
global.glow              f4       = 0.3
global.realtime          f4       = 1
global.offwidth          i4       = 640
global.offheight         i4       = 480
global.ellipsoidinertia  i4       = 0
global.bvactive          i4       = 1
quality.shadowsize       i4       = 4096
quality.offsamples       i4       = 4
quality.numslices        i4       = 28
quality.numstacks        i4       = 16
quality.numquads         i4       = 4
headlight.ambient        f4  3    = 0.1 0.1 0.1
headlight.diffuse        f4  3    = 0.4 0.4 0.4
headlight.specular       f4  3    = 0.5 0.5 0.5
headlight.active         i4       = 1
map.stiffness            f4       = 100
map.stiffnessrot         f4       = 500
map.force                f4       = 0.005
map.torque               f4       = 0.1
map.alpha                f4       = 0.3
map.fogstart             f4       = 3
map.fogend               f4       = 10
map.znear                f4       = 0.01
map.zfar                 f4       = 50
map.haze                 f4       = 0.3
map.shadowclip           f4       = 1
map.shadowscale          f4       = 0.6
map.actuatortendon       f4       = 2
scale.forcewidth         f4       = 0.1
scale.contactwidth       f4       = 0.3
scale.contactheight      f4       = 0.1
scale.connect            f4       = 0.2
scale.com                f4       = 0.4
scale.camera             f4       = 0.3
scale.light              f4       = 0.3
scale.selectpoint        f4       = 0.2
scale.jointlength        f4       = 1
scale.jointwidth         f4       = 0.1
scale.actuatorlength     f4       = 0.7
scale.actuatorwidth      f4       = 0.2
scale.framelength        f4       = 1
scale.framewidth         f4       = 0.1
scale.constraint         f4       = 0.1
scale.slidercrank        f4       = 0.2
scale.frustum            f4       = 10
rgba.fog                 f4  4    = 0 0 0 1
rgba.haze                f4  4    = 1 1 1 1
rgba.force               f4  4    = 1 0.5 0.5 1
rgba.inertia             f4  4    = 0.8 0.2 0.2 0.6
rgba.joint               f4  4    = 0.2 0.6 0.8 1
rgba.actuator            f4  4    = 0.2 0.25 0.2 1
rgba.actuatornegative    f4  4    = 0.2 0.6 0.9 1
rgba.actuatorpositive    f4  4    = 0.9 0.4 0.2 1
rgba.com                 f4  4    = 0.9 0.9 0.9 1
rgba.camera              f4  4    = 0.6 0.9 0.6 1
rgba.light               f4  4    = 0.6 0.6 0.9 1
rgba.selectpoint         f4  4    = 0.9 0.9 0.1 1
rgba.connect             f4  4    = 0.2 0.2 0.8 1
rgba.contactpoint        f4  4    = 0.9 0.6 0.2 1
rgba.contactforce        f4  4    = 0.7 0.9 0.9 1
rgba.contactfriction     f4  4    = 0.9 0.8 0.4 1
rgba.contacttorque       f4  4    = 0.9 0.7 0.9 1
rgba.contactgap          f4  4    = 0.5 0.8 0.9 1
rgba.rangefinder         f4  4    = 1 1 0.1 1
rgba.constraint          f4  4    = 0.9 0 0 1
rgba.slidercrank         f4  4    = 0.5 0.3 0.8 1
rgba.crankbroken         f4  4    = 0.9 0 0 1
rgba.frustum             f4  4    = 1 1 0 0.2
rgba.bv                  f4  4    = 0 1 0 0.5
rgba.bvactive            f4  4    = 1 0 0 0.5
"""

STATISTIC = """
meaninertia              f8
meanmass                 f8
meansize                 f8
extent                   f8
center                   f8  3
"""
