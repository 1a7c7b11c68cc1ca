"""mujoco.sdf.bolt, bowl, gear, nut, torus: signed distance fields of machine parts.

Formulas are from I. Quilez (bowl, torus) and the Shadertoy shaders XtffzX (bolt, nut) and 3lG3WR (involute gear). Fields are
bounds of the distance; they are exact only where noted. Each stage is `f(x, y, z, address of the attributes)`.
"""

from math import acos, atan2, cos, floor, pi, sin, sqrt, tan

from ..core.stages import instance_data
from ..machine.jit import inline, stage
from ..machine.lang import array_at, store
from ..math.vec import clip
from ..tables.consts import mjMINVAL
from .sdf_field import ATTRIBUTES, make

SCREW = 12.0  # threads per unit length
HALF_ROOT = sqrt(2.0) / 2.0
SIXTH = 6.0 / pi / 2.0


@inline
def without(a, b):
    """Return the distance from shape a minus shape b, given the distances from both."""
    return max(a, -b)


@inline
def thread(x, y, z, radius):
    """Return (distance from the side of a cylinder, distance from a screw thread on this side)."""
    r = sqrt(x * x + y * y) - radius
    turn = z * SCREW - atan2(y, x) / pi / 2.0
    wave = abs(turn - floor(turn) - 0.5)
    return r, (r - wave / SCREW) * HALF_ROOT


@inline
def hexagon(x, y, z, r):
    """Return the distance from a hexagonal bolt head below z = 0, rounded by a cone."""
    angle = -floor(atan2(y, x) * SIXTH + 0.5) / SIXTH
    flat = sin(angle + pi * 0.5) * x + -sin(angle) * y - 0.5
    return max(max(flat, abs(z + 0.25) - 0.25), (z + r - 0.22) * HALF_ROOT)


@stage("ffffi")
def sdf_bolt(x, y, z, attributes):
    """reads radius; returns the value of the field."""
    a = array_at(attributes, 1)
    r, bolt = thread(x, y, z, a[0])
    bolt = without(bolt, 0.5 - abs(z + 0.5))
    bolt = without(bolt, (z - r) * HALF_ROOT + 1.0 * HALF_ROOT)
    return min(bolt, hexagon(x, y, z, r))


@stage("ffffi")
def sdf_nut(x, y, z, attributes):
    """reads radius; returns the value of the field."""
    a = array_at(attributes, 1)
    r, hole = thread(x, y, z, a[0])
    cone = (z - r) * HALF_ROOT
    hole = without(hole, cone + 0.5 * HALF_ROOT)
    hole = min(hole, -cone - 0.05 * HALF_ROOT)
    return without(hexagon(x, y, z, r), hole)


@stage("ffffi")
def sdf_bowl(x, y, z, attributes):
    """reads height, radius, thickness; returns the value of the field: a spherical shell below a height, as exact distance."""
    a = array_at(attributes, 3)
    height, radius = a[0], a[1]
    width = sqrt(radius * radius - height * height)
    r = sqrt(x * x + y * y)
    if height * r < width * z:
        return sqrt((r - width) * (r - width) + (z - height) * (z - height)) - a[2]
    return abs(sqrt(r * r + z * z) - radius) - a[2]


@stage("ffffi")
def sdf_torus(x, y, z, attributes):
    """reads radius1, radius2; returns the value of the field, an exact distance."""
    a = array_at(attributes, 2)
    q = sqrt(x * x + y * y) - a[0]
    return sqrt(q * q + z * z) - a[1]


@stage("vMDifffi")
def sdf_torus_gradient(m, d, instance, x, y, z, out):
    """reads the instance's data; writes 3 numbers at address `out`: the gradient."""
    radius = array_at(instance_data(m, d, instance), ATTRIBUTES + 1)[ATTRIBUTES]
    r = sqrt(x * x + y * y)
    q = r - radius
    n = max(sqrt(q * q + z * z), mjMINVAL)
    store(array_at(out, 3), 0, (q * (x / r) / n, q * (y / r) / n, z / n))


# ---- gear --------------------------------------------------------------------------------------------------------------
@inline
def blend(a, b, k):
    """Return the distance from the union of two shapes, blended over a width k, given the distances from both."""
    h = clip(0.5 + 0.5 * (b - a) / k, 0.0, 1.0)
    return b * (1.0 - h) + a * h - k * h * (1.0 - h)


@inline
def wrap(x, y):
    """Return x modulo y."""
    return x - y * floor(x / y)


@inline
def teeth(x, y, a):
    """Return the planar distance from a gear: involute flanks between outer circle and roots, and a hole in the middle."""
    phase, diameter, count = a[0], a[1], a[2]
    pressure = 3.096e-5 * count * count - 6.557e-3 * count + 0.551
    pitch_radius, rho = diameter / 2.0, sqrt(x * x + y * y)
    pitch = count / diameter
    outer = (diameter + 2.0 * (1.0 / pitch)) / 2.0
    depth = 2.2 / pitch
    hole = a[4] / 2.0 if a[4] >= 0.0 else outer - depth - 0.14 * diameter

    # In the hole, or far outside, return the distance from a circle.
    if hole - rho > 0.0:
        return hole - rho
    if outer - rho < -0.2:
        return rho - outer

    # Compute the distance from the flanks of the nearest tooth.
    base = diameter * cos(pressure) / 2.0
    angle, stride = atan2(y, x) + phase, pi / pitch / pitch_radius
    slope = acos(base / pitch_radius)
    shift = stride / 2.0 - 2.0 * (tan(slope) - slope)
    left = wrap(angle + shift / 2.0, stride) - shift / 2.0
    right = wrap(-angle - shift + shift / 2.0, stride) - shift / 2.0
    flank1 = flank2 = -1.0e6
    if base < rho:
        turn, along = acos(base / rho), sqrt(rho * rho - base * base)
        flank1 = along - base * (left + turn)
        flank2 = along - base * (right + turn)
    walls = max(left - (stride - shift), right - (stride - shift))
    cog, rim = max(walls, max(flank1, flank2)), rho - outer
    # intersect the teeth smoothly with the outer circle
    cog = without(max(rim, cog), blend(without(rim, cog), without(cog, rim), 0.0035 * diameter))
    cog = blend(rho - (outer - depth), cog, base - outer + depth)
    return without(cog, rho - hole)


@stage("ffffi")
def sdf_gear(x, y, z, attributes):
    """reads alpha, diameter, teeth, thickness, innerdiameter; returns the value of the field."""
    a = array_at(attributes, 5)
    p, q = teeth(x, y, a), abs(z) - a[3] / 2.0
    u, v = max(p, 0.0), max(q, 0.0)
    return min(max(p, q), 0.0) + sqrt(u * u + v * v)


PLUGINS = (
    make("mujoco.sdf.bolt", {"radius": 0.26}, sdf_bolt, lambda a: (0.6, 0.6, 1.0)),
    make("mujoco.sdf.bowl", {"height": 0.4, "radius": 1.0, "thickness": 0.02}, sdf_bowl, lambda a: (a[1] + a[2],) * 3),
    make(
        "mujoco.sdf.gear",
        {"alpha": 0.0, "diameter": 2.8, "teeth": 25.0, "thickness": 0.2, "innerdiameter": -1.0},
        sdf_gear,
        lambda a: (a[1] / 2.0 * 1.25, a[1] / 2.0 * 1.25, a[3] / 2.0 * 1.1),
    ),
    make("mujoco.sdf.nut", {"radius": 0.26}, sdf_nut, lambda a: (0.6, 0.6, 1.0)),
    make(
        "mujoco.sdf.torus",
        {"radius1": 0.35, "radius2": 0.15},
        sdf_torus,
        lambda a: (a[0] + a[1], a[0] + a[1], a[1]),
        gradient=sdf_torus_gradient,
        traced=False,
    ),
)
