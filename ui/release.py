"""Predicts what would change for a model under another MuJoCo release: lists the changes without an error message
(engine.tables.compat_rows) that affect its elements.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from .. import engine as mj
from ..engine.tables.compat_rows import FIRST, LAST, Change, between, bits, kept
from ..engine.tables.solver_rows import BY_STAGE

RELEASES = (FIRST, LAST)
BOX, MESH, PLANE, SDF = (int(mj.mjtGeom[f"mjGEOM_{n}"]) for n in ("BOX", "MESH", "PLANE", "SDF"))
ROUND = tuple(int(mj.mjtGeom[f"mjGEOM_{n}"]) for n in ("CAPSULE", "CYLINDER"))
CONNECT, WELD = int(mj.mjtEq.mjEQ_CONNECT), int(mj.mjtEq.mjEQ_WELD)
FREE, BALL = int(mj.mjtJoint.mjJNT_FREE), int(mj.mjtJoint.mjJNT_BALL)
EULER, RK4 = int(mj.mjtIntegrator.mjINT_EULER), int(mj.mjtIntegrator.mjINT_RK4)
SHEET, SPHERE = 2, int(mj.mjtGeom.mjGEOM_SPHERE)  # dimension of a sheet; type of a geom
IMPLICIT = tuple(int(mj.mjtIntegrator[f"mjINT_{n}"]) for n in ("IMPLICIT", "IMPLICITFAST"))
FAST = int(mj.mjtIntegrator.mjINT_IMPLICITFAST)
CAPSULE, FLAT, SLEEP_FIRST = (
    int(mj.mjtGeom.mjGEOM_CAPSULE),
    int(mj.mjtTexture.mjTEXTURE_2D),
    int(mj.mjtSleepPolicy.mjSLEEP_INIT),
)
ACCELEROMETER, FRAME_RATE = int(mj.mjtSensor.mjSENS_ACCELEROMETER), int(mj.mjtSensor.mjSENS_FRAMELINACC)
INSIDE = int(mj.mjtSensor.mjSENS_INSIDESITE)
TACTILE, FELT = int(mj.mjtSensor.mjSENS_TACTILE), tuple(int(mj.mjtSensor[f"mjSENS_{n}"]) for n in ("FORCE", "TORQUE"))
SITE, WRAPPED = int(mj.mjtWrap.mjWRAP_SITE), tuple(int(mj.mjtWrap[f"mjWRAP_{n}"]) for n in ("SPHERE", "CYLINDER"))
PGS = BY_STAGE["solve_pgs"].number
SLEEP = int(mj.mjtEnableBit.mjENBL_SLEEP)


def _many(m: Any, kinds: tuple[int, ...]) -> bool:
    return int(np.isin(m.geom_type, kinds).sum()) > 1


def _forces_limited(m: Any) -> bool:
    return bool(m.actuator_forcelimited.any() or m.jnt_actfrclimited.any() or m.tendon_actfrclimited.any())


# {change: function that returns whether it affects a compiled model}. Changes that are not listed concern the reading of
# descriptions.
MATTERS: dict[str, Callable[[Any], Any]] = {
    "margin_sum": lambda m: int((m.geom_margin != 0).sum()) > 1,
    "gap_outside": lambda m: m.geom_gap.any() or m.pair_gap.any(),
    "jdot_bias": lambda m: np.isin(m.eq_type, (CONNECT, WELD)).any(),
    "gravcomp_all": lambda m: m.body_gravcomp.any(),
    "mocap_weld": lambda m: m.nmocap,
    "mocap_still": lambda m: m.nmocap,
    "site_turn": lambda m: m.nu and (m.actuator_trnid[:, 1] >= 0).any() and m.nsite > 1,
    "sleep_speed": lambda m: m.opt.enableflags & SLEEP,
    "flex_rest": lambda m: m.nflex and m.opt.enableflags & SLEEP,
    "flex_weights": lambda m: m.nflex,
    "flex_corners": lambda m: m.nflex and (m.flex_dim == SHEET).any() and np.isin(m.geom_type, (BOX, CAPSULE)).any(),
    "flex_solid": lambda m: m.nflex and (m.flex_dim > SHEET).any() and np.isin(m.geom_type, (SPHERE, CAPSULE)).any(),
    "flex_few": lambda m: m.nflex and (m.flex_rigid.any() or m.flex_interp.any()),
    "flex_apart": lambda m: m.nflex and m.flex_damping.any(),
    "cell_turn": lambda m: m.nflex and m.flex_interp.any(),
    "edge_explicit": lambda m: m.nflex and m.flex_edgedamping.any() and m.opt.integrator in IMPLICIT,
    "frustum_shown": lambda m: m.ncam and ((m.cam_resolution > 1).any(1) != (m.cam_sensorsize[:, 1] > 0)).any(),
    "sleep_whole": lambda m: m.opt.enableflags & SLEEP,
    "rk_mean": lambda m: m.opt.integrator == RK4,
    "field_exact": lambda m: m.nhfield and (m.geom_margin != 0).any(),
    "fd_awake": lambda m: m.opt.enableflags & SLEEP,
    "multiccd_on": lambda m: _many(m, (BOX, MESH, *ROUND)) and (m.geom_type == MESH).any(),
    "multi_clip": lambda m: _many(m, (BOX, MESH, *ROUND)),
    "box_clip": lambda m: _many(m, (BOX,)),
    "plane_face": lambda m: (m.geom_type == PLANE).any() and (m.geom_type == MESH).any(),
    "plane_reach": lambda m: ((m.geom_type == PLANE) & ~m.geom_size[:, :2].any(1)).any(),
    "free_turn": lambda m: m.opt.integrator == FAST and (m.jnt_type == FREE).any(),
    "rk_turn": lambda m: m.opt.integrator == RK4 and np.isin(m.jnt_type, (FREE, BALL)).any(),
    "saturated": lambda m: m.opt.integrator not in (EULER, RK4) and _forces_limited(m),
    "solver_exit": lambda m: m.nv and (m.neq or m.ngeom > 1),
    "pgs_momentum": lambda m: m.opt.solver == PGS,
    "still_rate": lambda m: np.isin(m.sensor_type, (ACCELEROMETER, FRAME_RATE)).any(),
    "trace_scale": lambda m: m.nv and (m.neq or m.ngeom > 1),
    "early_slope": lambda m: m.nu and (m.actuator_ctrllimited.any() or m.actuator_actearly.any()),
    "principal_up": lambda m: m.ncam and (m.cam_intrinsic[:, 3] != 0).any(),
    "field_lengths": lambda m: (m.geom_type == SDF).any(),
    "near_setpoint": lambda m: m.nu and ((m.actuator_trnid[:, 1] >= 0).any() or (m.jnt_type == BALL).any()),
    "tactile_depth": lambda m: (m.sensor_type == TACTILE).any(),
    "inside_mass": lambda m: (m.sensor_type == INSIDE).any(),
    "flex_frames": lambda m: m.nflex,
    "shared_dofs": lambda m: mj.mj_isSparse(m) and (m.dof_parentid >= 0).any(),
    "side_winding": lambda m: (np.isin(m.wrap_type, WRAPPED) & (m.wrap_prm >= 0)).any(),
    "tendon_pull": lambda m: np.isin(m.sensor_type, FELT).any() and ((m.wrap_type == SITE).any() or (m.eq_type == WELD).any()),
    "last_face": lambda m: _many(m, (BOX, MESH, *ROUND)),
    "side_by_side": lambda m: (m.geom_type == CAPSULE).sum() > 1,
    "uv_shapes": lambda m: m.nmat and (m.tex_type[m.mat_texid[m.mat_texid >= 0]] == FLAT).any(),
    "const_wide": lambda m: m.opt.enableflags & SLEEP and (m.tree_sleep_policy == SLEEP_FIRST).any(),
    # These changes are in functions that only scripts call, so they do not affect a model. Inertias and Hessians that are
    # singular are errors of the model, which Health reports separately.
    **dict.fromkeys(("least_pivot", "lost_rows"), lambda m: False),
    **dict.fromkeys(("round_away", "slope_rows", "turn_escapes", "library_skip", "scene_full"), lambda m: False),
}


def other(m: Any) -> str:
    """Return the release with which to compare a model: the newest or, if the model already uses the newest, the oldest."""
    return FIRST if m.compat_bits == kept(bits(LAST)) else LAST


def differences(m: Any) -> list[Change]:
    """Return the changes that affect the model and that apply in only one of the two releases. They are in the order of the
    table.
    """
    return [row for row in between(m.compat_bits, bits(other(m))) if row.name in MATTERS and MATTERS[row.name](m)]
