"""Type numbers as plain integers, because enum members are slow in loops; and properties that depend only on a type."""

from enum import IntEnum

from ...tables.enums import (
    mjtGeom,
    mjtGeomInertia,
    mjtInertiaFromGeom,
    mjtJoint,
    mjtLimited,
    mjtObj,
    mjtOrientation,
    mjtSameFrame,
    mjtTexture,
    mjtTrn,
    mjtWrap,
)


def numbers(cls: type[IntEnum], *names: str) -> tuple[int, ...]:
    """Return the integers of an enum's members, given the last parts of the members' names."""
    prefix = next(iter(cls)).name.rpartition("_")[0]
    return tuple([int(cls[f"{prefix}_{name}"]) for name in names])


FREE, BALL, SLIDE, HINGE = numbers(mjtJoint, "FREE", "BALL", "SLIDE", "HINGE")
# width of a joint in qpos and in qvel, by its type
JOINT_NQ, JOINT_NV = (7, 4, 1, 1), (6, 3, 1, 1)

# alternatives to a quaternion, each with its number of values
AXISANGLE, XYAXES, ZAXIS, EULER = numbers(mjtOrientation, "AXISANGLE", "XYAXES", "ZAXIS", "EULER")
ORIENTATION_SIZES = {int(mjtOrientation.mjORIENTATION_QUAT): 0, AXISANGLE: 4, XYAXES: 6, ZAXIS: 3, EULER: 3}

PLANE, HFIELD, SPHERE, CAPSULE, ELLIPSOID, CYLINDER, BOX, MESH, SDF = numbers(
    mjtGeom, "PLANE", "HFIELD", "SPHERE", "CAPSULE", "ELLIPSOID", "CYLINDER", "BOX", "MESH", "SDF"
)

# SHELL: the mass of a geom is on its surface. FROM_GEOM...: whether the inertia of a body is computed from its geoms.
SHELL = int(mjtGeomInertia.mjINERTIA_SHELL)
FROM_GEOM_NO, FROM_GEOM, FROM_GEOM_AUTO = numbers(mjtInertiaFromGeom, "FALSE", "TRUE", "AUTO")

# types of objects that other elements can refer to
(OBJ_UNKNOWN, OBJ_BODY, OBJ_XBODY, OBJ_JOINT, OBJ_GEOM, OBJ_SITE, OBJ_CAMERA, OBJ_MESH, OBJ_TENDON, OBJ_ACTUATOR) = numbers(
    mjtObj, "UNKNOWN", "BODY", "XBODY", "JOINT", "GEOM", "SITE", "CAMERA", "MESH", "TENDON", "ACTUATOR"
)
# object types that have a pose
SPATIAL = (OBJ_BODY, OBJ_XBODY, OBJ_GEOM, OBJ_SITE, OBJ_CAMERA)

TEXTURE_2D, TEXTURE_CUBE, TEXTURE_SKYBOX = numbers(mjtTexture, "2D", "CUBE", "SKYBOX")

# relation of an element's frame to the frame of its body and to the body's inertial frame
DIFFERENT, SAME_BODY, SAME_INERTIA, BODY_ROTATION, INERTIA_ROTATION = numbers(
    mjtSameFrame, "NONE", "BODY", "INERTIA", "BODYROT", "INERTIAROT"
)

TRN_JOINT, TRN_JOINTINPARENT, TRN_SLIDERCRANK, TRN_TENDON, TRN_SITE, TRN_BODY, TRN_SO3, TRN_UNDEFINED = numbers(
    mjtTrn, "JOINT", "JOINTINPARENT", "SLIDERCRANK", "TENDON", "SITE", "BODY", "SO3", "UNDEFINED"
)
# kind of object on which a transmission acts
TRANSMISSION_OBJECTS = {
    TRN_JOINT: "joint",
    TRN_JOINTINPARENT: "joint",
    TRN_SLIDERCRANK: "site",
    TRN_TENDON: "tendon",
    TRN_SITE: "site",
    TRN_BODY: "body",
}

WRAP_NONE, WRAP_JOINT, WRAP_PULLEY, WRAP_SITE, WRAP_SPHERE, WRAP_CYLINDER = numbers(
    mjtWrap, "NONE", "JOINT", "PULLEY", "SITE", "SPHERE", "CYLINDER"
)
# kind of object on a tendon's path; a pulley has none
WRAP_OBJECTS = {WRAP_JOINT: "joint", WRAP_SITE: "site", WRAP_SPHERE: "geom", WRAP_CYLINDER: "geom"}

# values of `limited` attributes: off, on, and on if there is a range
OFF, ON, AUTO = numbers(mjtLimited, "FALSE", "TRUE", "AUTO")
