"""Sets of keywords for MJCF attributes: keywords in order, numbered from 0 unless `word=number` says otherwise."""

from ...tables import actuator_rows, geom_rows, solver_rows

_SETS = """
coordinate   local global
conflict     warning merge error
angle        radian degree
fluid        none ellipsoid
enable       disable enable
sleep        auto never=3 allowed init
simple       false auto=2
scaling      similar geometry
joint        free ball slide hinge
camlight     fixed track trackcom targetbody targetbodycom
light        spot directional point image
texrole      rgb=1 occlusion roughness metallic normal opacity emissive rgba orm
integrator   Euler RK4 implicit implicitfast discrete
cone         pyramidal elliptic
jacobian     dense sparse auto
texture      2d cube skybox
colorspace   auto linear sRGB
builtin      none gradient checker flat
mark         none edge cross random
stage        none pos vel acc
datatype     real positive axis quaternion
projection   perspective orthographic
camout       rgb depth distance normal segmentation
raydata      dist dir origin point normal depth
ctrlinput    pos=1 vel=2 ff=4 voltage=8 none=16 pressure=32
ctrlchart    expmap=1 quat=2
condata      found force torque dist pos normal tangent linvel angvel
reduce       none mindist maxforce netforce
interp       zoh linear cubic
lrmode       none muscle muscleuser all
composite    particle grid cable rope loop cloth
jointkind    main
meshinertia  convex exact legacy shell
meshbuiltin  none sphere hemisphere cone supersphere supertorus wedge plate grid box cylinder ellipsoid square disc
flexcomp     grid box cylinder ellipsoid square disc circle mesh gmsh direct
flexdof      full radial trilinear quadratic 2d
flexequality false true
flexorder    trilinear=8 quadratic=27
selfcollide  none narrow bvh sap auto
elastic2d    none bend stretch both
bool         false true
auto         false true auto
"""


def _read() -> dict[str, dict[str, int]]:
    sets = {}
    for line in _SETS.split("\n"):
        words = line.split()
        if not words:
            continue
        value, table = 0, {}
        for word in words[1:]:
            word, _, number = word.partition("=")
            value = int(number) if number else value
            table[word] = value
            value += 1
        sets[words[0]] = table
    return sets


KEYWORDS = (
    _read()
    | {key: {row.name: row.number for row in table.ROWS} for key, table in (("solver", solver_rows), ("geom", geom_rows))}
    | {what: {row.name: row.number for row in actuator_rows.of(what)} for what in actuator_rows.TYPE}
)


# names of flags, in the order of their bits
DISABLE = (
    "constraint",
    "equality",
    "frictionloss",
    "limit",
    "contact",
    "spring",
    "damper",
    "gravity",
    "clampctrl",
    "warmstart",
    "filterparent",
    "actuation",
    "refsafe",
    "sensor",
    "midphase",
    "eulerdamp",
    "autoreset",
    "nativeccd",
    "island",
)
ENABLE = ("override", "energy", "fwdinv", "invdiscrete", "multiccd", "sleep", "diagexact", "speculative")


def word_of(name: str, value: int) -> str:
    """Return the keyword for a value in a set; empty if there is none."""
    for word, v in KEYWORDS[name].items():
        if v == value:
            return word
    return ""
