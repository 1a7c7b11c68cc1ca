"""Functions that later releases added."""

import numpy as np

from ..tables import actuator_rows
from ..tables.consts import mjMAXCONPAIR
from ..tables.enums import mjtCtrlChart, mjtCtrlInput, mjtEnableBit, mjtGeom
from .signature import public, require
from .support import check_index

PLANE, HFIELD, SPHERE, CAPSULE, ELLIPSOID, CYLINDER, BOX, MESH, SDF = (
    int(mjtGeom[f"mjGEOM_{n}"]) for n in ("PLANE", "HFIELD", "SPHERE", "CAPSULE", "ELLIPSOID", "CYLINDER", "BOX", "MESH", "SDF")
)
# maximum number of contacts for pairs of types with a special function, lower type first; for other pairs, it depends on
# options
_OWN = {
    (PLANE, CAPSULE): 2,
    (PLANE, CYLINDER): 4,
    (PLANE, BOX): 4,
    (PLANE, MESH): 4,
    (PLANE, PLANE): 0,
    (BOX, BOX): 8,
    (CAPSULE, CAPSULE): 2,
    (CAPSULE, BOX): 4,
}
_CONVEX = 4


@public("m g1:i g2:i has_margin:i", "int")
def mj_maxContact(m, g1, g2, has_margin):
    """Return the maximum number of contacts between two geoms (since 3.8). has_margin: whether they have a margin; -1 takes it
    from the model."""
    check_index("mj_maxContact", "geom", g1, m.ngeom)
    check_index("mj_maxContact", "geom", g2, m.ngeom)
    a, b = sorted((int(m.geom_type[g1]), int(m.geom_type[g2])))
    if b == SDF:
        return int(m.opt.sdf_initpoints)
    if HFIELD in (a, b):
        return 0 if {a, b} <= {PLANE, HFIELD} else mjMAXCONPAIR
    if a in (SPHERE, ELLIPSOID) or b in (SPHERE, ELLIPSOID):
        return 1
    if (a, b) in _OWN:
        return _OWN[a, b]
    more = 2 if a == CAPSULE else _CONVEX
    return more if m.opt.enableflags & mjtEnableBit.mjENBL_MULTICCD else 1


@public("res:M(n,n)! mat:V(nnz) rownnz:Vi(n) rowadr:Vi(n) colind:Vi(nnz)")
def mju_sym2dense(res, mat, rownnz, rowadr, colind):
    """Set res to the symmetric matrix whose lower triangle is given in compressed rows (since 3.8)."""
    n = len(res)
    require(res.shape == (n, n), "res should be square")
    require(rownnz.size == n and rowadr.size == n, "#rows in res should equal size of rownnz and rowadr")
    res[:] = 0
    for i in range(n):
        at = np.arange(rowadr[i], rowadr[i] + rownnz[i])
        inside = not at.size or 0 <= at[0] and at[-1] < min(mat.size, colind.size)
        require(
            inside and (not at.size or 0 <= colind[at].min() and colind[at].max() <= i),
            "rows should lie within mat, columns in the lower triangle",
        )
        res[i, colind[at]] = res[colind[at], i] = mat[at]


@public("m d")
def mj_resetCtrl(m, d):
    """Set all controls to neutral values: 0, or the identity for quaternions (since 3.11)."""
    d.ctrl[:] = 0
    quats = actuator_rows.among(m, "gain", "turn") & (m.actuator_ctrlspec == mjtCtrlChart.mjCHART_QUAT)
    d.ctrl[m.actuator_ctrladr[quats]] = 1


# Names of controls: of orientation servos by chart (mjtCtrlChart), of other actuators by bit of mjtCtrlInput.
_CHARTS = {mjtCtrlChart.mjCHART_EXPMAP: ("rx", "ry", "rz"), mjtCtrlChart.mjCHART_QUAT: ("qw", "qx", "qy", "qz")}
_INPUTS = {
    mjtCtrlInput.mjINPUT_POS: "pos",
    mjtCtrlInput.mjINPUT_VEL: "vel",
    mjtCtrlInput.mjINPUT_FF: "ff",
    mjtCtrlInput.mjINPUT_VOLTAGE: "voltage",
}


@public("m id:i input:i", "str")
def mj_actuatorInputName(m, id, input):
    """Return the name of an actuator's control input, such as `pos` or `qw`; None if it has no name or does not exist
    (since 3.12).
    """
    if not 0 <= id < m.nactuator or not 0 <= input < m.actuator_ctrlnum[id]:
        return None
    spec = int(m.actuator_ctrlspec[id])
    if actuator_rows.among(m, "gain", "turn")[id]:
        return _CHARTS[mjtCtrlChart(spec)][input]
    if actuator_rows.among(m, "gain", "setpoints", "electric")[id]:
        return [title for bit, title in _INPUTS.items() if spec & bit][input]
    return None


__all__ = ["mj_actuatorInputName", "mj_maxContact", "mj_resetCtrl", "mju_sym2dense"]
