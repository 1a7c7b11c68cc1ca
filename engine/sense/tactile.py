"""Tactile sensors: pressure, or depth, and sliding speeds at the vertices of a mesh that is fixed to a geom.

Each vertex measures its depth in the geoms that touch the sensor's body. The data has three channels with one number per
vertex: pressure (since 3.9 depth), and speed along the first and second tangent. Depth in a mesh is computed from the mesh's
octree; height fields are ignored.
"""

from ..collide.sdf import DISTANCE, SDF, field_distance, prepared
from ..dynamics.objects import head3, shift_motion, tail3
from ..geom.signed_distance import octree_distance, shape_distance
from ..machine.jit import inline, kernel, stage
from ..machine.lang import load
from ..math.quat import quat_mat, rotate
from ..math.vec import add3, cross3, dot3, double3, mat_t_vec3, mat_vec3, scale3, sub3
from ..tables.compat_rows import bit
from ..tables.consts import mjMINVAL
from ..tables.enums import mjtGeom
from .common import clear_sensor

MESH = int(mjtGeom.mjGEOM_MESH)
# Pressure grows without bound towards this depth, in meters.
FULL_DEPTH = 0.05
DEPTH = bit("tactile_depth")


@stage("vMDi")
def sensor_tactile(m, d, i):
    """reads contacts, cvel, geom poses; writes sensordata of a tactile sensor, without cutoff."""
    clear_sensor(m, d, i)
    for k in range(d.ncon):
        for side in range(2):
            if partner(m, d, i, k, side) >= 0 and not felt_before(m, d, i, k, side):
                feel(m, d, i, partner(m, d, i, k, side))


@inline
def partner(m, d, i, k, side):
    """Return the geom of contact k that touches the body of sensor i, if this body's geom is on side `side`; else return -1."""
    own, other = d.contact_geom[k, side], d.contact_geom[k, 1 - side]
    if own < 0 or other < 0:
        return -1
    body = m.body_weldid[m.geom_bodyid[m.sensor_refid[i]]]
    return other if m.body_weldid[m.geom_bodyid[own]] == body else -1


@kernel
def felt_before(m, d, i, k, side):
    """Return whether the same geom touches the body of sensor i in an earlier contact."""
    geom = partner(m, d, i, k, side)
    for n in range(k + 1):
        for s in range(2):
            if (n < k or s < side) and partner(m, d, i, n, s) == geom:
                return True
    return False


@inline
def mesh_direction(m, row, q):
    """Return a normal or tangent stored in mesh_normal, rotated to the mesh's original frame."""
    return rotate(q, double3(load(m.mesh_normal, row, 3)))


@kernel
def feel(m, d, i, geom):
    """Write the measurements of all vertices of the sensor's mesh that are inside a geom."""
    mesh, own = m.sensor_objid[i], m.sensor_refid[i]
    if m.geom_type[geom] == MESH and m.mesh_octadr[m.geom_dataid[geom]] < 0:
        return
    if not prepared(m, d, geom, DISTANCE):
        return

    # Compute the geom's motion.
    base, body = m.body_weldid[m.geom_bodyid[own]], m.geom_bodyid[geom]
    own_pos, own_mat = load(d.geom_xpos, own, 3), load(d.geom_xmat, own, 9)
    pos, mat, q = load(d.geom_xpos, geom, 3), load(d.geom_xmat, geom, 9), load(m.mesh_quat, mesh, 4)
    motion = shift_motion(load(d.cvel, body, 6), sub3(pos, load(d.subtree_com, m.body_rootid[body], 3)))
    speed, spin = tail3(motion), head3(motion)
    count, adr = m.mesh_vertnum[mesh], m.sensor_adr[i]

    # Compute each vertex's depth inside the geom.
    for k in range(count):
        x = add3(mat_vec3(own_mat, double3(load(m.mesh_vert, m.mesh_vertadr[mesh] + k, 3))), own_pos)
        local = mat_t_vec3(mat, sub3(x, pos))
        if m.geom_type[geom] == MESH:
            depth = octree_distance(m, m.geom_dataid[geom], local)
        elif m.geom_type[geom] == SDF:
            if m.geom_plugin[geom] >= 0:
                # A plugin's field is defined in the mesh's original frame.
                shape = m.geom_dataid[geom]
                local = add3(mat_vec3(quat_mat(load(m.mesh_quat, shape, 4)), local), load(m.mesh_pos, shape, 3))
            depth = field_distance(m, d, geom, local)
        else:
            depth = shape_distance(m.geom_type[geom], load(m.geom_size, geom, 3), local)

        # mesh_normal stores three directions for each vertex: its normal and two tangents.
        row = m.mesh_normaladr[mesh] + 3 * k
        if depth >= 0 or row + 2 >= m.nmeshnormal:
            continue
        slide = sub3(tail3(shift_motion(load(d.cvel, base, 6), sub3(x, load(d.subtree_com, m.body_rootid[base], 3)))), speed)
        normal = mesh_direction(m, row, q)
        pressure = depth / max(FULL_DEPTH - depth, mjMINVAL)
        d.sensordata[adr + k] = dot3(scale3(normal, pressure), normal)
        if m.compat_bits & DEPTH:
            d.sensordata[adr + k] = -depth
            slide = add3(slide, cross3(spin, sub3(pos, x)))
        d.sensordata[adr + count + k] = abs(dot3(slide, mesh_direction(m, row + 1, q)))
        d.sensordata[adr + 2 * count + k] = abs(dot3(slide, mesh_direction(m, row + 2, q)))
