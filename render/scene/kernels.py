"""Compiled scene updates for the most common elements: model geoms, sites, camera and lights are written to a scene's arrays.

`build.mjv_updateScene` and the other Python functions define the results for every scene. The kernels here give the
same results for models without flexes, skins, tendons and plugins, and without decor. For any other scene they return False
before writing anything. A record argument is passed as the address of its columns (`Rows.columns`) and its row (see
`engine.api.entries`).
"""

from math import cos, floor, pi, sin, sqrt, tan

import numpy as np

from ...engine.machine.jit import inline, kernel
from ...engine.machine.lang import array_at, bytes_at, floats_at, ints_at, load, longs_at, store
from ...engine.math.vec import add3, scale3, sub3, unit3
from ...engine.tables.enums import mjtSensor, mjtTextureRole, mjtTrn
from .abstract import MAXLIGHT, MjvGeom, MjvGLCamera, MjvLight, SceneState
from .bodies import MAXPLANEGRID, MESH, O_GEOM, O_SITE, PLANE, SDF, V_FLEX, V_HULL, V_TEXTURE, V_TRANSPARENT
from .build import DIRECTIONAL, HEADLIGHT_BULB, HEADLIGHT_RANGE, SPOT
from .camera import FIXED, FREE, TRACKING
from .decor_model import V
from .emit import CAPSULE, CONNECTORS, CYLINDER, DYNAMIC, SPHERE, STATIC
from .options import NGROUP, MjvCamera, MjvOption, MjvPerturb
from .record_arrays import SIZE_OF_DICT, columns_of
from .rotate import MINVAL

# For each type of record, {field: index of its column's address}.
G, LIGHT, GL, CAM, OPT, PERT, SCN = map(
    columns_of, (MjvGeom, MjvLight, MjvGLCamera, MjvCamera, MjvOption, MjvPerturb, SceneState)
)
# fmt: off
(G_TYPE, G_DATA, G_OBJTYPE, G_OBJID, G_CATEGORY, G_MAT, G_TEXCOORD, G_SEG, G_SIZE, G_POS, G_AXES, G_RGBA) = (G[k] for k in (
    "type", "dataid", "objtype", "objid", "category", "matid", "texcoord", "segid", "size", "pos", "mat", "rgba"))
(G_EMISSION, G_SPECULAR, G_SHININESS, G_REFLECTANCE, G_LABEL, G_CAMDIST, G_RBOUND, G_TRANSPARENT) = (G[k] for k in (
    "emission", "specular", "shininess", "reflectance", "label", "camdist", "modelrbound", "transparent"))
G_TEX, G_UNIFORM, G_REPEAT, G_CAST = (G[k] for k in ("texid", "texuniform", "texrepeat", "castshadow"))

O_LABEL, O_FRAME, O_FLAGS, O_GEOMGROUP, O_SITEGROUP = (OPT[k] for k in ("label", "frame", "flags", "geomgroup", "sitegroup"))
P_SELECT = PERT["select"]
C_TYPE, C_FIXED, C_TRACK, C_LOOKAT, C_DISTANCE, C_AZIMUTH, C_ELEVATION, C_ORTHO = (CAM[k] for k in (
    "type", "fixedcamid", "trackbodyid", "lookat", "distance", "azimuth", "elevation", "orthographic"))
GL_POS, GL_FORWARD, GL_UP, GL_ORTHO = (GL[k] for k in ("pos", "forward", "up", "orthographic"))
GL_CENTER, GL_WIDTH, GL_BOTTOM, GL_TOP, GL_NEAR, GL_FAR = (GL[f"frustum_{k}"] for k in (
    "center", "width", "bottom", "top", "near", "far"))

L_ID, L_POS, L_DIR, L_TYPE, L_TEX, L_ATTENUATION, L_CUTOFF, L_EXPONENT = (LIGHT[k] for k in (
    "id", "pos", "dir", "type", "texid", "attenuation", "cutoff", "exponent"))
L_AMBIENT, L_DIFFUSE, L_SPECULAR, L_HEAD, L_SHADOW, L_BULB, L_INTENSITY, L_RANGE, L_SOFT = (LIGHT[k] for k in (
    "ambient", "diffuse", "specular", "headlight", "castshadow", "bulbradius", "intensity", "range", "softness"))
# fmt: on
S_NGEOM, S_NLIGHT, S_TRANSFORM, S_STATUS = (SCN[k] for k in ("ngeom", "nlight", "enabletransform", "status"))
S_FLEX = tuple(SCN[k] for k in ("flexvertopt", "flexedgeopt", "flexfaceopt", "flexskinopt"))
# Cells (64-bit integers) that follow the scene's own columns: maximum number of geoms, and the addresses of the columns of
# geoms, lights and cameras.
S_ROOM, S_GEOM, S_LIGHT, S_GL = (len(SCN) + k for k in range(4))
# Flags whose decor or model elements only Python can draw.
SHOWN = tuple(
    V[k]
    for k in (
        "JOINT",
        "CAMERA",
        "ACTUATOR",
        "LIGHT",
        "CONSTRAINT",
        "INERTIA",
        "PERTFORCE",
        "CONTACTPOINT",
        "ISLAND",
        "CONTACTFORCE",
        "AUTOCONNECT",
        "COM",
        "BODYBVH",
        "MESHBVH",
        "SDFITER",
    )
)
V_TENDON, V_STATIC, V_RANGEFINDER = V["TENDON"], V["STATIC"], V["RANGEFINDER"]
FLEX_FLAGS = tuple(V_FLEX)
RANGEFINDER, FROMTO, SLIDERCRANK = (
    int(mjtSensor.mjSENS_RANGEFINDER),
    int(mjtSensor.mjSENS_GEOMFROMTO),
    int(mjtTrn.mjTRN_SLIDERCRANK),
)
LINES = tuple(sorted(CONNECTORS))
# Role of the texture that colors a material.
COLOUR = int(mjtTextureRole.mjTEXROLE_RGB)
GREY = 0.5


# ---- columns -----------------------------------------------------------------------------------------------------------
@inline
def columns(address):
    return longs_at(address, 64)


@inline
def put_int(column, i, value):
    ints_at(column, i + 1)[i] = value


@inline
def put_byte(column, i, value):
    bytes_at(column, i + 1)[i] = value


@inline
def put_float(column, i, value):
    floats_at(column, i + 1)[i] = value


@inline
def put_floats(column, i, v):
    """Write v to row i of a matrix with len(v) columns."""
    store(floats_at(column + 4 * len(v) * i, len(v)), 0, v)


@inline
def column_int(column, i):
    return ints_at(column, i + 1)[i]


@inline
def real(column, i):
    return array_at(column, i + 1)[i]


@inline
def single3(column, i):
    """Return row i of a float32 matrix, in double precision."""
    v = load(floats_at(column + 12 * i, 3), 0, 3)
    return 1.0 * v[0], 1.0 * v[1], 1.0 * v[2]


# ---- geoms -------------------------------------------------------------------------------------------------------------
@inline
def scales(kind, size):
    """Convert a geom's model sizes to x, y, z scales."""
    if kind == SPHERE:
        return size[0], size[0], size[0]
    if kind == CAPSULE or kind == CYLINDER:
        return size[0], size[0], size[1]
    return size


@inline
def put_place(g, i, kind, objid, category, size, pos, mat):
    """Write type, id, category, size and pose of row i."""
    put_int(g[G_TYPE], i, kind)
    put_int(g[G_OBJID], i, objid)
    put_int(g[G_CATEGORY], i, category)
    put_floats(g[G_SIZE], i, scales(kind, size))
    put_floats(g[G_POS], i, pos)
    put_floats(g[G_AXES], i, mat)


@kernel
def put_alike(g, first, last, objtype):
    """Write the values that are equal in rows `first` to `last`. Writing column by column lets the compiler vectorize the
    loops."""
    kind, segment, distance, clear = (
        ints_at(g[G_OBJTYPE], last),
        ints_at(g[G_SEG], last),
        floats_at(g[G_CAMDIST], last),
        bytes_at(g[G_TRANSPARENT], last),
    )
    for i in range(first, last):
        kind[i] = objtype
    for i in range(first, last):
        segment[i] = i
    for i in range(first, last):
        distance[i] = 0.0
    for i in range(first, last):
        clear[i] = 0


@kernel
def put_points(g, first, last):
    """Write default values to rows `first` to `last`, for the fields that sites and new geoms do not set."""
    data, coordinates, bound, casts = (
        ints_at(g[G_DATA], last),
        ints_at(g[G_TEXCOORD], last),
        floats_at(g[G_RBOUND], last),
        bytes_at(g[G_CAST], last),
    )
    for i in range(first, last):
        data[i], coordinates[i], bound[i], casts[i] = -1, 0, 0.0, 1


@kernel
def put_texture(m, g, i, mat):
    """Write the texture of row i's material, or -1 for none."""
    put_int(g[G_TEX], i, m.mat_texid[mat, COLOUR] if mat >= 0 else -1)
    put_byte(g[G_UNIFORM], i, m.mat_texuniform[mat] if mat >= 0 else 0)
    put_floats(g[G_REPEAT], i, load(m.mat_texrepeat, mat, 2) if mat >= 0 else (0.0, 0.0))


@kernel
def put_surface(m, g, i, flags, mat, rgba, dynamic):
    """Write color and material of row i. Return False if it is fully transparent."""
    grey = rgba[0] == GREY and rgba[1] == GREY and rgba[2] == GREY and rgba[3] == 1.0
    if mat >= 0 and grey:
        rgba = load(m.mat_rgba, mat, 4)
    alpha = rgba[3]
    if flags[V_TRANSPARENT] and dynamic:
        alpha = np.float32(alpha * np.float32(m.vis.map__alpha))
    if alpha == 0:
        return False

    put_floats(g[G_RGBA], i, (rgba[0], rgba[1], rgba[2], alpha))
    put_int(g[G_MAT], i, mat if flags[V_TEXTURE] else -1)
    put_texture(m, g, i, mat if flags[V_TEXTURE] else -1)

    # Copy reflection properties of the material, or use defaults.
    if mat >= 0:
        put_float(g[G_EMISSION], i, m.mat_emission[mat])
        put_float(g[G_SPECULAR], i, m.mat_specular[mat])
        put_float(g[G_SHININESS], i, m.mat_shininess[mat])
        put_float(g[G_REFLECTANCE], i, m.mat_reflectance[mat])
    else:
        put_float(g[G_EMISSION], i, 0.0)
        put_float(g[G_SPECULAR], i, 0.5)
        put_float(g[G_SHININESS], i, 0.5)
        put_float(g[G_REFLECTANCE], i, 0.0)
    return True


@inline
def body_category(m, b):
    return STATIC if m.body_weldid[b] == 0 and m.body_mocapid[b] == -1 else DYNAMIC


@inline
def shown(mask, group):
    return bytes_at(mask, NGROUP)[min(max(group, 0), NGROUP - 1)] != 0


@kernel
def plane_place(m, d, gl, i):
    """Return the position at which to draw plane i: see `bodies.plane_center`."""
    pos, r = load(d.geom_xpos, i, 3), load(d.geom_xmat, i, 9)
    head = sub3(scale3(add3(single3(gl[GL_POS], 0), single3(gl[GL_POS], 1)), 0.5), pos)
    mat = m.geom_matid[i]
    for k in range(2):
        if m.geom_size[i, k] <= 0:
            axis = (r[0], r[3], r[6]) if k == 0 else (r[1], r[4], r[7])
            step = 2.1 * m.vis.map__zfar * m.stat.extent / (MAXPLANEGRID - 2)
            if mat >= 0 and m.mat_texrepeat[mat, k] > 0:
                step = 2 / (1.0 * m.mat_texrepeat[mat, k])
            along = head[0] * axis[0] + head[1] * axis[1] + head[2] * axis[2]
            pos = add3(pos, scale3(axis, 2 * step * floor(0.5 * along / step + 0.5)))
    return pos


@kernel
def put_shape(m, d, g, gl, i, k, planes, hulls):
    """Write the fields of geom k to row i, except pose and color: mesh or hull, plane number, texture coordinates."""
    kind, data, coordinates = m.geom_type[k], m.geom_dataid[k], 0
    if kind == MESH or kind == SDF:
        have = data >= 0
        hull = have and hulls and m.mesh_graphadr[data] >= 0 and (m.geom_contype[k] != 0 or m.geom_conaffinity[k] != 0)
        coordinates = 1 if have and m.mesh_texcoordadr[data] >= 0 else 0
        data = 2 * data + (1 if hull else 0)
    elif kind == PLANE:
        data = planes
        put_floats(g[G_POS], i, plane_place(m, d, gl, k))
    put_int(g[G_DATA], i, data)
    put_int(g[G_TEXCOORD], i, coordinates)


@kernel
def put_bounds(m, g, n):
    """Write the bounding radii and shadow flags of the n visible model geoms."""
    geom, bound, casts = ints_at(g[G_OBJID], n), floats_at(g[G_RBOUND], n), bytes_at(g[G_CAST], n)
    radius, dark = m.geom_rbound, m.geom_shadowless
    for i in range(n):
        bound[i] = radius[geom[i]]
    for i in range(n):
        casts[i] = 1 - dark[geom[i]]


@kernel
def put_geoms(m, d, opt, catmask, flags, g, gl, room):
    """Write model geoms, starting at row 0. Return their number, and whether space ran out."""
    n, planes = 0, -1
    for k in range(m.ngeom):
        if m.geom_type[k] == PLANE:
            planes += 1
        category = body_category(m, m.geom_bodyid[k])
        if category & catmask == 0 or not shown(opt[O_GEOMGROUP], m.geom_group[k]):
            continue
        mat, rgba = m.geom_matid[k], load(m.geom_rgba, k, 4)
        if n == room:
            if visible(m, flags, mat, rgba, category):
                return n, True
        elif put_surface(m, g, n, flags, mat, rgba, category == DYNAMIC):
            put_place(
                g, n, m.geom_type[k], k, category, load(m.geom_size, k, 3), load(d.geom_xpos, k, 3), load(d.geom_xmat, k, 9)
            )
            put_shape(m, d, g, gl, n, k, planes, flags[V_HULL] != 0)
            n += 1
    return n, False


@kernel
def visible(m, flags, mat, rgba, category):
    """Return whether an element is visible."""
    grey = rgba[0] == GREY and rgba[1] == GREY and rgba[2] == GREY and rgba[3] == 1.0
    alpha = m.mat_rgba[mat, 3] if mat >= 0 and grey else rgba[3]
    return alpha != 0 and not (
        flags[V_TRANSPARENT] and category == DYNAMIC and np.float32(alpha * np.float32(m.vis.map__alpha)) == 0
    )


@kernel
def put_sites(m, d, opt, catmask, flags, g, n, room):
    """Write model sites, starting at row n. Return the new number of rows, and whether space ran out."""
    for k in range(m.nsite):
        category = body_category(m, m.site_bodyid[k])
        if category & catmask == 0 or not shown(opt[O_SITEGROUP], m.site_group[k]):
            continue
        mat, rgba = m.site_matid[k], load(m.site_rgba, k, 4)
        if n == room:
            if visible(m, flags, mat, rgba, category):
                return n, True
        elif put_surface(m, g, n, flags, mat, rgba, category == DYNAMIC):
            put_place(
                g, n, m.site_type[k], k, category, load(m.site_size, k, 3), load(d.site_xpos, k, 3), load(d.site_xmat, k, 9)
            )
            n += 1
    return n, False


# ---- cameras and lights ------------------------------------------------------------------------------------------------
@inline
def camera_fits(m, cam):
    """Return whether the camera is valid and has no intrinsic frustum. Other cameras are left to Python."""
    kind = column_int(cam[C_TYPE], 0)
    if kind == FIXED:
        i = column_int(cam[C_FIXED], 0)
        return 0 <= i < m.ncam and not (m.cam_sensorsize[i, 1] != 0 and m.cam_orthographic[i] == 0)
    if kind == TRACKING:
        return 0 <= column_int(cam[C_TRACK], 0) < m.nbody
    return kind == FREE


@kernel
def free_frame(cam):
    """Return position, forward, up and right of a camera that looks at a point."""
    azimuth, elevation = real(cam[C_AZIMUTH], 0) * (pi / 180), real(cam[C_ELEVATION], 0) * (pi / 180)
    ca, sa, ce, se = cos(azimuth), sin(azimuth), cos(elevation), sin(elevation)
    forward = (ce * ca, ce * sa, se)
    head = sub3(load(array_at(cam[C_LOOKAT], 3), 0, 3), scale3(forward, real(cam[C_DISTANCE], 0)))
    return head, forward, (-se * ca, -se * sa, ce), (sa, -ca, 0.0)


@inline
def fixed_frame(d, i):
    r = load(d.cam_xmat, i, 9)
    return load(d.cam_xpos, i, 3), (-r[2], -r[5], -r[8]), (r[1], r[4], r[7]), (r[0], r[3], r[6])


@kernel
def put_cameras(m, d, cam, gl):
    """Set both GL cameras: see `camera.mjv_updateCamera`."""
    kind = column_int(cam[C_TYPE], 0)
    ortho, fovy, ipd = m.vis.global__orthographic, 1.0 * m.vis.global__fovy, 1.0 * m.vis.global__ipd
    if kind == FIXED:
        i = column_int(cam[C_FIXED], 0)
        head, forward, up, right = fixed_frame(d, i)
        ortho, fovy, ipd = 1 * m.cam_orthographic[i], 1.0 * m.cam_fovy[i], 1.0 * m.cam_ipd[i]
    else:
        if kind == TRACKING:
            store(array_at(cam[C_LOOKAT], 3), 0, load(d.subtree_com, column_int(cam[C_TRACK], 0), 3))
        head, forward, up, right = free_frame(cam)

    # Round the near distance to single precision before it is used.
    for k in range(2):
        put_float(gl[GL_NEAR], k, m.vis.map__znear * m.stat.extent)
        put_float(gl[GL_FAR], k, m.vis.map__zfar * m.stat.extent)
    near = 1.0 * floats_at(gl[GL_NEAR], 1)[0]
    half = fovy / 2 if ortho else near * tan(fovy * pi / 360)
    for k in range(2):
        put_floats(gl[GL_POS], k, add3(head, scale3(right, (k - 0.5) * ipd)))
        put_floats(gl[GL_FORWARD], k, forward)
        put_floats(gl[GL_UP], k, up)
        put_int(gl[GL_ORTHO], k, ortho)
        put_float(gl[GL_TOP], k, half)
        put_float(gl[GL_BOTTOM], k, -half)
        put_float(gl[GL_CENTER], k, 0.0)
        put_float(gl[GL_WIDTH], k, 0.0)


@kernel
def put_headlight(m, light, gl):
    pos = scale3(add3(single3(gl[GL_POS], 0), single3(gl[GL_POS], 1)), 0.5)
    forward = unit3(add3(single3(gl[GL_FORWARD], 0), single3(gl[GL_FORWARD], 1)))[0]
    put_int(light[L_ID], 0, -1)
    put_int(light[L_TEX], 0, -1)
    put_int(light[L_TYPE], 0, DIRECTIONAL)
    put_byte(light[L_HEAD], 0, 1)
    put_byte(light[L_SHADOW], 0, 0)
    put_floats(light[L_POS], 0, pos)
    put_floats(light[L_DIR], 0, forward)
    put_floats(light[L_ATTENUATION], 0, (0.0, 0.0, 0.0))
    put_float(light[L_CUTOFF], 0, 0.0)
    put_float(light[L_EXPONENT], 0, 0.0)
    put_float(light[L_INTENSITY], 0, 0.0)
    put_float(light[L_BULB], 0, HEADLIGHT_BULB)
    put_float(light[L_RANGE], 0, HEADLIGHT_RANGE)
    put_float(light[L_SOFT], 0, 0.0)
    put_floats(light[L_AMBIENT], 0, load(m.vis.headlight__ambient, 0, 3))
    put_floats(light[L_DIFFUSE], 0, load(m.vis.headlight__diffuse, 0, 3))
    put_floats(light[L_SPECULAR], 0, load(m.vis.headlight__specular, 0, 3))


@kernel
def put_lights(m, d, light, gl):
    """Write the headlight and the model's active lights; return their number. See `build.mjv_makeLights`."""
    n = 0
    if m.vis.headlight__active:
        put_headlight(m, light, gl)
        n = 1
    for i in range(m.nlight):
        if m.light_active[i] == 0 or n == MAXLIGHT:
            continue
        spot = m.light_type[i] == SPOT
        put_int(light[L_ID], n, i)
        put_int(light[L_TEX], n, m.light_texid[i])
        put_int(light[L_TYPE], n, m.light_type[i])
        put_byte(light[L_HEAD], n, 0)
        put_byte(light[L_SHADOW], n, m.light_castshadow[i])
        put_floats(light[L_POS], n, load(d.light_xpos, i, 3))
        put_floats(light[L_DIR], n, load(d.light_xdir, i, 3))
        put_float(light[L_INTENSITY], n, m.light_intensity[i])
        put_float(light[L_BULB], n, m.light_bulbradius[i])
        put_float(light[L_RANGE], n, m.light_range[i])
        put_floats(light[L_AMBIENT], n, load(m.light_ambient, i, 3))
        put_floats(light[L_DIFFUSE], n, load(m.light_diffuse, i, 3))
        put_floats(light[L_SPECULAR], n, load(m.light_specular, i, 3))

        # Only spot lights have attenuation and a cone, which may fade.
        for k in range(3):
            put_float(light[L_ATTENUATION], 3 * n + k, m.light_attenuation[i, k] if spot else 0.0)
        put_float(light[L_CUTOFF], n, m.light_cutoff[i] if spot else 0.0)
        put_float(light[L_EXPONENT], n, m.light_exponent[i] if spot else 0.0)
        put_float(light[L_SOFT], n, m.light_softness[i] if spot else 0.0)
        n += 1
    return n


# ---- scenes ------------------------------------------------------------------------------------------------------------
@kernel
def plain(m, opt, pert, flags):
    """Return whether the options show nothing except geoms, sites and lights."""
    if column_int(opt[O_LABEL], 0) != 0 or column_int(opt[O_FRAME], 0) != 0 or m.nflex or m.nskin or m.nplugin:
        return False
    if pert != 0 and column_int(columns(pert)[P_SELECT], 0) > 0 or m.ntendon and flags[V_TENDON]:
        return False
    for k in SHOWN:
        if flags[k]:
            return False
    if flags[V_RANGEFINDER]:
        for i in range(m.nsensor):
            if m.sensor_type[i] == RANGEFINDER or m.sensor_type[i] == FROMTO:
                return False
    for i in range(m.nactuator):
        if m.actuator_trntype[i] == SLIDERCRANK:
            return False
    return True


@kernel
def scene(m, d, opt_columns, pert, cam_columns, catmask, scn_columns):
    """Update the scene: see `build.mjv_updateScene`."""
    opt, cam, scn = columns(opt_columns), columns(cam_columns), columns(scn_columns)
    flags = bytes_at(opt[O_FLAGS], 64)
    g, gl, light = columns(scn[S_GEOM]), columns(scn[S_GL]), columns(scn[S_LIGHT])

    # Scenes with labels, decor or an unusual camera are left to Python.
    labels = longs_at(g[G_LABEL] + SIZE_OF_DICT, 1)[0]
    if labels != 0 or not plain(m, opt, pert, flags) or not camera_fits(m, cam) or m.vis.map__znear * m.stat.extent < MINVAL:
        return False
    if not flags[V_STATIC]:
        catmask &= ~STATIC

    # Write geoms, then sites.
    first, full = put_geoms(m, d, opt, catmask, flags, g, gl, scn[S_ROOM])
    put_alike(g, 0, first, O_GEOM)
    put_bounds(m, g, first)
    n = first
    if not full:
        n, full = put_sites(m, d, opt, catmask, flags, g, first, scn[S_ROOM])
        put_alike(g, first, n, O_SITE)
        put_points(g, first, n)
    if full:
        # Python will count the warning; the camera of the last update is still valid.
        return False

    # Nothing can fail from here on: write cameras, lights, flags.
    put_int(scn[S_NGEOM], 0, n)
    put_int(scn[S_STATUS], 0, 0)
    put_cameras(m, d, cam, gl)
    put_byte(scn[S_TRANSFORM], 0, 0)
    put_int(scn[S_NLIGHT], 0, put_lights(m, d, light, gl))
    any_flex = False
    for k in range(4):
        any_flex = any_flex or flags[FLEX_FLAGS[k]] != 0
    if any_flex:
        for k in range(4):
            put_byte(scn[S_FLEX[k]], 0, flags[FLEX_FLAGS[k]])
    return True


# ---- single geoms ------------------------------------------------------------------------------------------------------
@kernel
def init_geom(columns_, i, kind, size, pos, mat, rgba):
    """Initialize a geom: see `emit.mjv_initGeom`. An omitted field has the address 0."""
    g = columns(columns_)
    if longs_at(g[G_LABEL] + SIZE_OF_DICT, 1)[0] != 0:
        return False
    s = load(array_at(size, 3), 0, 3) if size != 0 else (0.1, 0.1, 0.1)
    p = load(array_at(pos, 3), 0, 3) if pos != 0 else (0.0, 0.0, 0.0)
    r = load(array_at(mat, 9), 0, 9) if mat != 0 else (1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0)
    put_place(g, i, kind, column_int(g[G_OBJID], i), column_int(g[G_CATEGORY], i), s, p, r)
    put_points(g, i, i + 1)
    if size == 0:
        put_floats(g[G_SIZE], i, s)
    put_int(g[G_MAT], i, -1)
    put_int(g[G_TEX], i, -1)
    put_byte(g[G_UNIFORM], i, 0)
    put_floats(g[G_REPEAT], i, (0.0, 0.0))
    put_float(g[G_EMISSION], i, 0.0)
    put_float(g[G_SPECULAR], i, 0.5)
    put_float(g[G_SHININESS], i, 0.5)
    put_float(g[G_REFLECTANCE], i, 0.0)
    put_floats(g[G_RGBA], i, (0.5, 0.5, 0.5, 1.0))
    if rgba != 0:
        put_floats(g[G_RGBA], i, load(floats_at(rgba, 4), 0, 4))
    return True


@kernel
def turn_z(v):
    """Return the smallest rotation that turns z to a vector's direction, row by row: see `rotate.z_to`."""
    n = sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2])
    x, y, c = (0.0, 0.0, 1.0) if n < MINVAL else (v[0] / n, v[1] / n, v[2] / n)
    across = x * x + y * y
    if across < MINVAL * MINVAL and c < 0:
        return 1.0, 0.0, 0.0, 0.0, -1.0, 0.0, 0.0, 0.0, -1.0
    k = 1 / (1 + c) if c >= 0 else (1 - c) / across
    return 1 - k * x * x, -k * x * y, x, -k * x * y, 1 - k * y * y, y, -x, -y, c


@kernel
def connect(columns_, i, kind, width, start, end):
    """Connect two points with a geom: see `emit.mjv_connector`."""
    known = False
    for k in LINES:
        known = known or kind == k
    if not known:
        return False
    g, a, b = columns(columns_), load(array_at(start, 3), 0, 3), load(array_at(end, 3), 0, 3)
    v = sub3(b, a)
    length = sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2])
    centred = kind == CAPSULE or kind == CYLINDER
    put_int(g[G_TYPE], i, kind)
    put_floats(g[G_SIZE], i, (width, width, 0.5 * length if centred else length))
    put_floats(g[G_POS], i, scale3(add3(a, b), 0.5) if centred else a)
    put_floats(g[G_AXES], i, turn_z(v))
    return True


@kernel
def default_camera(m, columns_):
    """Set the default free camera: see `options.mjv_defaultFreeCamera`."""
    cam = columns(columns_)
    put_int(cam[C_TYPE], 0, FREE)
    put_int(cam[C_FIXED], 0, -1)
    put_int(cam[C_TRACK], 0, -1)
    store(array_at(cam[C_LOOKAT], 3), 0, load(m.stat.center, 0, 3))
    array_at(cam[C_DISTANCE], 1)[0] = 1.5 * m.stat.extent
    array_at(cam[C_AZIMUTH], 1)[0] = m.vis.global__azimuth
    array_at(cam[C_ELEVATION], 1)[0] = m.vis.global__elevation
    put_int(cam[C_ORTHO], 0, m.vis.global__orthographic)
