"""Support functions: Jacobians, products with the inertia, forces, velocities, configurations, masses."""

from typing import Any

import numpy as np

from ..constraint.project import is_dual
from ..core import owner, stages
from ..core.binary import model_size
from ..core.data import MjData
from ..core.model import MjModel
from ..core.records import MjLROpt
from ..core.report import FatalError
from ..machine import jit
from ..machine.interpret import plain
from ..math import quat as q
from ..step.length_range import set_length_range
from ..step.setconst import set_const
from ..tables.consts import mjMINVAL
from ..tables.enums import mjtCone, mjtJacobian, mjtObj, mjtSameFrame, mjtWarning
from .signature import public, require

_mul, _mat, _is_dual = plain(q.quat_mul), plain(q.quat_mat), plain(is_dual)
SPARSE_FROM = 60


def address(x: np.ndarray | None) -> int:
    """Return the address of an array's first number, 0 for None."""
    return 0 if x is None else x.ctypes.data


def on_model(name: str, m: MjModel, *args: Any) -> Any:
    """Call a stage that needs no Data."""
    return (jit.Stage.registry.get(name) or stages.find(name))(m.storage.address, *args)


def check_index(function: str, kind: str, index: int, count: int) -> None:
    """Raise FatalError for an element that does not exist."""
    if not 0 <= index < count:
        raise FatalError(f"{function}: invalid {kind} id {index}, the model has {count}")


# ---- Jacobians ---------------------------------------------------------------------------------------------------------
def _check_jacobian(m: MjModel, **matrices: Any) -> None:
    """Raise TypeError unless Jacobians have the shape (3, nv)."""
    for name, x in matrices.items():
        require(x is None or x.shape == (3, m.nv), f"{name} should be of shape (3, nv)")


def _point_jacobian(m: MjModel, d: MjData, jacp: Any, jacr: Any, point: Any, body: int) -> None:
    """Write the Jacobians of a world point that moves with a body."""
    stages.call("point_jacobian", m, d, address(jacp), address(jacr), *map(float, point), int(body))


@public("m d jacp:M(3,nv)!? jacr:M(3,nv)!? point:T3 body:i(nbody)", code="api.bodies:jacobian(m, d, jacp, jacr, point, body)")
def mj_jac(m, d, jacp, jacr, point, body):
    """Compute Jacobians (3, nv) of the position and rotation of a world point that moves with a body. Pass None for a Jacobian
    that you do not need.

    point: in meters
    """
    _check_jacobian(m, jacp=jacp, jacr=jacr)
    check_index("mj_jac", "body", body, m.nbody)
    _point_jacobian(m, d, jacp, jacr, point, body)


@public(
    "m d jacp:M(3,nv)!? jacr:M(3,nv)!? body:i(nbody)", code="api.bodies:jacobian(m, d, jacp, jacr, load(d.xpos, body, 3), body)"
)
def mj_jacBody(m, d, jacp, jacr, body):
    """Compute the Jacobians of a body's frame."""
    _check_jacobian(m, jacp=jacp, jacr=jacr)
    check_index("mj_jacBody", "body", body, m.nbody)
    _point_jacobian(m, d, jacp, jacr, d.xpos[body], body)


@public(
    "m d jacp:M(3,nv)!? jacr:M(3,nv)!? body:i(nbody)",
    code="api.bodies:jacobian(m, d, jacp, jacr, load(d.xipos, body, 3), body)",
)
def mj_jacBodyCom(m, d, jacp, jacr, body):
    """Compute the Jacobians of a body's center of mass."""
    _check_jacobian(m, jacp=jacp, jacr=jacr)
    check_index("mj_jacBodyCom", "body", body, m.nbody)
    _point_jacobian(m, d, jacp, jacr, d.xipos[body], body)


@public("m d jacp:M(3,nv)!? body:i")
def mj_jacSubtreeCom(m, d, jacp, body):
    """Compute the Jacobian of the center of mass of a body's subtree."""
    _check_jacobian(m, jacp=jacp)
    check_index("mj_jacSubtreeCom", "body", body, m.nbody)
    if jacp is not None:
        stages.call("subtree_jacobian", m, d, address(jacp), body)


@public(
    "m d jacp:M(3,nv)!? jacr:M(3,nv)!? geom:i(ngeom)",
    code="api.bodies:jacobian(m, d, jacp, jacr, load(d.geom_xpos, geom, 3), m.geom_bodyid[geom])",
)
def mj_jacGeom(m, d, jacp, jacr, geom):
    """Compute the Jacobians of a geom's center."""
    _check_jacobian(m, jacp=jacp, jacr=jacr)
    check_index("mj_jacGeom", "geom", geom, m.ngeom)
    _point_jacobian(m, d, jacp, jacr, d.geom_xpos[geom], m.geom_bodyid[geom])


@public(
    "m d jacp:M(3,nv)!? jacr:M(3,nv)!? site:i(nsite)",
    code="api.bodies:jacobian(m, d, jacp, jacr, load(d.site_xpos, site, 3), m.site_bodyid[site])",
)
def mj_jacSite(m, d, jacp, jacr, site):
    """Compute the Jacobians of a site."""
    _check_jacobian(m, jacp=jacp, jacr=jacr)
    check_index("mj_jacSite", "site", site, m.nsite)
    _point_jacobian(m, d, jacp, jacr, d.site_xpos[site], m.site_bodyid[site])


@public("m d jacPoint:M(3,nv)!? jacAxis:M(3,nv)!? point:T3 axis:T3 body:i")
def mj_jacPointAxis(m, d, jacPoint, jacAxis, point, axis, body):
    """Compute the Jacobians of a world point and of a world direction that move with a body.

    point: in meters
    axis: unit vector
    """
    _check_jacobian(m, jacp=jacPoint, jacr=jacAxis)
    check_index("mj_jacPointAxis", "body", body, m.nbody)
    turn = None if jacAxis is None else np.empty((3, m.nv))
    _point_jacobian(m, d, jacPoint, turn, point, body)
    if turn is not None and jacAxis is not None:
        jacAxis[:] = np.cross(turn, axis, axisa=0, axisc=0)


@public(
    "m d jacp:M(3,nv)!? jacr:M(3,nv)!? point:T3 body:i(nbody)",
    code="dynamics.jacobian:jacobian_rate(m, d, jacp, jacr, point[0], point[1], point[2], body)",
)
def mj_jacDot(m, d, jacp, jacr, point, body):
    """Compute the time derivatives of a point's Jacobians.

    point: in meters
    """
    _check_jacobian(m, jacp=jacp, jacr=jacr)
    check_index("mj_jacDot", "body", body, m.nbody)
    stages.call("jacobian_rate", m, d, address(jacp), address(jacr), *point, body)


@public("m d mat:M(3,nv)! body:i")
def mj_angmomMat(m, d, mat, body):
    """Compute the matrix (3, nv) that maps velocities to a subtree's angular momentum about its center of mass."""
    require(mat.shape == (3, m.nv), "mat should be of shape (3, nv)")
    check_index("mj_angmomMat", "body", body, m.nbody)
    mat[:] = 0
    move, turn = np.empty((3, m.nv)), np.empty((3, m.nv))
    for b in range(body, m.nbody):
        if b > body and m.body_parentid[b] < body:
            break
        _point_jacobian(m, d, move, turn, d.xipos[b], b)
        axes = d.ximat[b].reshape(3, 3)
        arm = d.xipos[b] - d.subtree_com[body]
        mat += (axes * m.body_inertia[b]) @ axes.T @ turn + m.body_mass[b] * np.cross(arm, move, axisb=0, axisc=0)


# ---- constraint Jacobian -----------------------------------------------------------------------------------------------
@public("m", "int")
def mj_isPyramidal(m):
    """Return 1 if friction cones are pyramids."""
    return int(m.opt.cone == mjtCone.mjCONE_PYRAMIDAL)


@public("m", "int")
def mj_isSparse(m):
    """Return 1 if the constraint Jacobian is stored in compressed rows."""
    kind = m.opt.jacobian
    return int(kind == mjtJacobian.mjJAC_SPARSE or kind == mjtJacobian.mjJAC_AUTO and m.nv >= SPARSE_FROM)


@public("m", "int")
def mj_isDual(m):
    """Return 1 if the solver is dual, that is, if it works on constraint forces."""
    return int(_is_dual(m))


@public("m d res:V(nefc)! vec:V(nv)")
def mj_mulJacVec(m, d, res, vec):
    """Set res (nefc) to the constraint Jacobian times vec (nv)."""
    require(res.size == d.nefc, "res should be of length nefc")
    require(vec.size == m.nv, "vec should be of length nv")
    if d.nefc:
        stages.call("mul_jacobian", m, d, address(res), address(vec))


@public("m d res:V(nv)! vec:V(nefc)")
def mj_mulJacTVec(m, d, res, vec):
    """Set res (nv) to the transposed constraint Jacobian times vec (nefc)."""
    require(res.size == m.nv, "res should be of length nv")
    require(vec.size == d.nefc, "vec should be of length nefc")
    if d.nefc:
        stages.call("mul_jacobian_transposed", m, d, address(res), address(vec))


@public("m d jar:V(nefc) cost:1!? flg_coneHessian:i")
def mj_constraintUpdate(m, d, jar, cost, flg_coneHessian):
    """Compute efc_state, efc_force, qfrc_constraint, and cone Hessians if requested, for jar = J qacc - aref. The cost is
    written to cost."""
    require(jar.size == d.nefc, "size of jar should equal nefc")
    value = 0.0
    if d.nefc:
        d.solve_jar[: d.nefc] = jar
        value = stages.call("constraint_update", m, d, flg_coneHessian)
    if cost is not None:
        cost[0] = value


@public("m d con:o", "int")
def mj_addContact(m, d, con):
    """Add a contact to the list; constraint rows become invalid. Returns 0, or 1 and counts a warning if there is no room."""
    members = getattr(con, "members", None)
    if members is None or "efc_address" not in members:
        raise TypeError(f"mj_addContact(): incompatible function arguments: con: needs MjContact, got {type(con).__name__}")
    values = {n: getattr(con, n) for n in members}
    with owner.inside(d, "mj_addContact"):
        return _add_contact(d, values)


def _add_contact(d: MjData, values: dict[str, Any]) -> int:
    """Append a contact, and grow the buffer if necessary; return 1 if the memory limit does not allow it."""
    k = d.ncon
    if k >= d.capacities["ncon_cap"]:
        d.need_con = k + 1
        d.grow()
        if k >= d.capacities["ncon_cap"]:
            warning = d.warning[int(mjtWarning.mjWARN_CONTACTFULL)]
            warning.number, warning.lastinfo = warning.number + 1, k
            return 1
    d.nefc = d.ne = d.nf = d.nl = d.nJ = d.nA = d.nisland = 0
    d.ncon = k + 1
    for n, value in values.items():
        getattr(d, f"contact_{n}")[k] = value
    return 0


# ---- inertia -----------------------------------------------------------------------------------------------------------
@public("m d dst:M(nv,nv)!")
def _full_of_data(m, d, dst):
    """Set dst (nv, nv) to the joint-space inertia matrix of a Data."""
    packed = np.zeros(m.nM)
    packed[m.mapM2M] = d.M
    mj_fullM(m, dst, packed)


@public("m dst:M(nv,nv)! M:V(nM)", code="dynamics.products:full_inertia(m, dst, M)", later=_full_of_data)
def mj_fullM(m, dst, M):
    """Set dst (nv, nv) to the symmetric matrix of a packed inertia matrix such as qM. In later releases, mj_fullM(m, d, dst)
    reads the matrix from a Data."""
    require(M.size == m.nM, "M should be of size nM")
    require(dst.shape == (m.nv, m.nv), "dst should be of shape (nv, nv)")
    on_model("full_inertia", m, address(dst), address(M))


def _square_sizes(m: MjModel, res: np.ndarray, vec: np.ndarray) -> None:
    """Raise TypeError unless both vectors have nv elements."""
    require(res.size == m.nv, "res should be of size nv")
    require(vec.size == m.nv, "vec should be of size nv")


@public("m d res:V(nv)! vec:V(nv)", code="api.bodies:?inertia_product(m, d, res, vec, False)")
def mj_mulM(m, d, res, vec):
    """Set res to the joint-space inertia matrix times vec."""
    _square_sizes(m, res, vec)
    vec = vec.copy() if np.shares_memory(res, vec) else vec
    stages.call("mul_inertia", m, d, address(res), address(vec))


@public("m d res:V(nv)! vec:V(nv)", code="api.bodies:?inertia_product(m, d, res, vec, True)")
def mj_mulM2(m, d, res, vec):
    """Set res to a square root of the joint-space inertia matrix, sqrt(D) L, times vec."""
    _square_sizes(m, res, vec)
    vec = vec.copy() if np.shares_memory(res, vec) else vec
    stages.call("mul_inertia_root", m, d, address(res), address(vec))


@public("m d dst:V(nM)! rownnz:Vi(nv)! rowadr:Vi(nv)! colind:Vi(nM)!")
def mj_addM(m, d, dst, rownnz, rowadr, colind):
    """Add the rows of the joint-space inertia matrix (M_rownnz, M_rowadr, M_colind) to a matrix in compressed rows, which must
    have room for them."""
    require(dst.size == m.nM, "dst should be of size nM")
    require(rownnz.size == m.nv, "rownnz should be of size nv")
    require(rowadr.size == m.nv, "rowadr should be of size nv")
    require(colind.size == m.nM, "colind should be of size nM")
    for i in range(m.nv):
        start, count = int(rowadr[i]), int(rownnz[i])
        mine = slice(int(m.M_rowadr[i]), int(m.M_rowadr[i] + m.M_rownnz[i]))
        room = (int(rowadr[i + 1]) if i + 1 < m.nv else dst.size) - start
        merged = dict(zip(colind[start : start + count].tolist(), dst[start : start + count].tolist(), strict=True))
        for c, x in zip(m.M_colind[mine].tolist(), d.M[mine].tolist(), strict=True):
            merged[c] = merged.get(c, 0.0) + x
        require(start >= 0 and len(merged) <= room, f"row {i} of dst has no room for {len(merged)} elements")
        columns = sorted(merged)
        colind[start : start + len(columns)] = columns
        dst[start : start + len(columns)] = [merged[c] for c in columns]
        rownnz[i] = len(columns)


def _system_sizes(m: MjModel, x: np.ndarray, y: np.ndarray) -> None:
    """Raise TypeError unless x and y have the same shape (n, nv)."""
    require(x.shape[0] == y.shape[0], "the first dimension of x and y should be of the same size")
    require(x.shape[1] == m.nv, "the last dimension of x should be of size nv")
    require(y.shape[1] == m.nv, "the last dimension of y should be of size nv")


@public("m d x:M! y:M", code="api.bodies:?inertia_solution(m, d, x, x_rows, x_columns, y, y_rows, y_columns)")
def mj_solveM(m, d, x, y):
    """Set rows of x to the inverse of the joint-space inertia matrix times rows of y.

    x, y: n rows of nv numbers
    """
    _system_sizes(m, x, y)
    x[:] = y
    stages.call("solve_inertia", m, d, address(x), x.shape[0])


@public("m d x:M(n,nv)! y:M(n,nv) sqrtInvD:M(nv)")
def mj_solveM2(m, d, x, y, sqrtInvD):
    """Set rows of x to the inverse of (sqrt(D) L)' times rows of y; sqrtInvD holds 1 / sqrt(D)."""
    _system_sizes(m, x, y)
    require(sqrtInvD.size == m.nv, "the size of sqrtInvD should be nv")
    x[:] = y
    stages.call("solve_inertia_root", m, d, address(x), address(sqrtInvD), x.shape[0])


@public("m d flg_acc:i result:V(nv)!", code="dynamics.products:motion_force(m, d, flg_acc, result)")
def mj_rne(m, d, flg_acc, result):
    """Set result to the bias force: Coriolis, centrifugal, gravity. If flg_acc, add the inertial forces of qacc."""
    require(result.size == m.nv, "result should have length nv")
    stages.call("motion_force", m, d, flg_acc, address(result))


# ---- forces and velocities -----------------------------------------------------------------------------------------------
@public("m d force:3 torque:3 point:3 body:i qfrc_target:V(nv)!")
def mj_applyFT(m, d, force, torque, point, body, qfrc_target):
    """Add to qfrc_target the joint force of a force and torque at a world point of a body.

    force: in newtons
    torque: in newton meters
    point: in meters
    """
    require(qfrc_target.size == m.nv, "qfrc_target should be of size nv")
    check_index("mj_applyFT", "body", body, m.nbody)
    load = np.concatenate([force, torque, point])
    stages.call("joint_force", m, d, address(qfrc_target), address(load), body)


_COUNTS = {
    int(mjtObj.mjOBJ_BODY): "nbody",
    int(mjtObj.mjOBJ_XBODY): "nbody",
    int(mjtObj.mjOBJ_GEOM): "ngeom",
    int(mjtObj.mjOBJ_SITE): "nsite",
    int(mjtObj.mjOBJ_CAMERA): "ncam",
}


def _object(function: str, m: MjModel, objtype: int, objid: int) -> None:
    """Raise FatalError for an object that does not exist."""
    if objtype not in _COUNTS:
        raise FatalError(f"{function}: invalid object type {objtype}")
    check_index(function, "object", objid, getattr(m, _COUNTS[objtype]))


@public("m d objtype:i objid:i res:6! flg_local:i", code="api.bodies:?velocity(m, d, objtype, objid, res, flg_local)")
def mj_objectVelocity(m, d, objtype, objid, res, flg_local):
    """Set res to the angular and linear velocity of an object, in world or local orientation.

    objtype: mjtObj: body, xbody, geom, site or camera. FatalError for others
    res: in radians per second and meters per second
    """
    _object("mj_objectVelocity", m, objtype, objid)
    stages.call("object_velocity", m, d, objtype, objid, address(res), flg_local)


@public("m d objtype:i objid:i res:6! flg_local:i", code="api.bodies:?acceleration(m, d, objtype, objid, res, flg_local)")
def mj_objectAcceleration(m, d, objtype, objid, res, flg_local):
    """Set res to the angular and linear acceleration of an object, in world or local orientation.

    objtype: mjtObj: body, xbody, geom, site or camera. FatalError for others
    res: in radians per second squared and meters per second squared
    """
    _object("mj_objectAcceleration", m, objtype, objid)
    stages.call("object_acceleration", m, d, objtype, objid, address(res), flg_local)


@public("m d id:i result:6!", code="dynamics.objects:contact_force(m, d, id, result)")
def mj_contactForce(m, d, index, result):
    """Set result to the force and torque of a contact in its own frame, normal first; zeros if it exerts none.

    result: in newtons and newton meters
    """
    stages.call("contact_force", m, d, index, address(result))


# ---- configurations ----------------------------------------------------------------------------------------------------
@public("m qvel:V(nv)! dt:f qpos1:V(nq) qpos2:V(nq)", code="step.coordinates:difference_pos(m, qvel, dt, qpos1, qpos2)")
def mj_differentiatePos(m, qvel, dt, qpos1, qpos2):
    """Set qvel to the velocity that takes configuration qpos1 to qpos2 in time dt.

    dt: in seconds
    """
    require(qvel.size == m.nv, "qvel should be of size nv")
    require(qpos1.size == m.nq, "qpos1 should be of size nq")
    require(qpos2.size == m.nq, "qpos2 should be of size nq")
    on_model("difference_pos", m, address(qvel), dt, address(qpos1), address(qpos2))


@public("m qpos:V(nq)! qvel:V(nv) dt:f", code="step.coordinates:advance_pos(m, qpos, qvel, dt)")
def mj_integratePos(m, qpos, qvel, dt):
    """Move a configuration with velocity qvel for time dt.

    dt: in seconds
    """
    require(qpos.size == m.nq, "qpos should be of size nq")
    require(qvel.size == m.nv, "qvel should be of size nv")
    on_model("advance_pos", m, address(qpos), address(qvel), dt)


@public("m qpos:V(nq)!", code="step.coordinates:unit_quaternions(m, qpos)")
def mj_normalizeQuat(m, qpos):
    """Normalize all quaternions of a configuration."""
    require(qpos.size == m.nq, "qpos should be of size nq")
    on_model("unit_quaternions", m, address(qpos))


@public("d xpos:3! xmat:9! pos:3 quat:T4 body:i sameframe:i")
def mj_local2Global(d, xpos, xmat, pos, quat, body, sameframe):
    """Convert a pose from a body's frame to the world frame, and write it to (xpos, xmat). sameframe (mjtSameFrame): whether
    position and orientation, or only the orientation, equal those of the body or of its inertial frame.
    """
    check_index("mj_local2Global", "body", body, len(d.xpos))
    kind = mjtSameFrame
    if sameframe == kind.mjSAMEFRAME_BODY:
        xpos[:] = d.xpos[body]
    elif sameframe == kind.mjSAMEFRAME_INERTIA:
        xpos[:] = d.xipos[body]
    else:
        xpos[:] = d.xmat[body].reshape(3, 3) @ pos + d.xpos[body]
    if sameframe in (kind.mjSAMEFRAME_BODY, kind.mjSAMEFRAME_BODYROT):
        xmat[:] = d.xmat[body]
    elif sameframe in (kind.mjSAMEFRAME_INERTIA, kind.mjSAMEFRAME_INERTIAROT):
        xmat[:] = d.ximat[body]
    else:
        xmat[:] = _mat(_mul(tuple(d.xquat[body].tolist()), quat))


# ---- masses and sizes ----------------------------------------------------------------------------------------------------
@public("m", "float")
def mj_getTotalmass(m):
    """Return the total mass of all bodies."""
    return float(m.body_mass[1:].sum())


@public("m newmass:f")
def mj_setTotalmass(m, newmass):
    """Scale masses and inertias so that the total mass is newmass; call mj_setConst afterwards.

    newmass: in kilograms
    """
    scale = max(mjMINVAL, newmass / max(mjMINVAL, mj_getTotalmass(m)))
    m.body_mass[1:] *= scale
    m.body_inertia[1:] *= scale


@public("m", "int")
def mj_sizeModel(m):
    """Return the size of a model's file in bytes."""
    return model_size(m)


@public("m d")
def mj_setConst(m, d):
    """Recompute the fields of a model that depend on other fields, for example after changing masses or poses; d is scratch."""
    stages.check_edits(m, d)
    set_const(m, d)


@public("m d index:i opt:o")
def mj_setLengthRange(m, d, index, opt):
    """Compute the length range of an actuator by simulation, with options (MjLROpt); d is scratch."""
    if not isinstance(opt, MjLROpt):
        raise TypeError(f"mj_setLengthRange(): incompatible function arguments: opt: needs MjLROpt, got {type(opt).__name__}")
    if not 0 <= index < m.nactuator:
        raise FatalError("mj_setLengthRange: invalid actuator index")
    set_length_range(m, d, index, opt)


@public("m d")
def mj_checkPos(m, d):
    """Reset everything if qpos contains NaN or a huge value."""
    stages.call("check_positions", m, d)


@public("m d")
def mj_checkVel(m, d):
    """Reset everything if qvel contains NaN or a huge value."""
    stages.call("check_velocities", m, d)


@public("m d")
def mj_checkAcc(m, d):
    """Reset everything and run forward dynamics if qacc contains NaN or a huge value."""
    if stages.call("check_accelerations", m, d):
        stages.call("forward_skip", m, d, 0, 0)


__all__ = [n for n in dir() if n.startswith("mj_")]
