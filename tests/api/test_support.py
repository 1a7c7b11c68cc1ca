"""Support functions against the reference, on a model in motion with contacts."""

import mujoco
import numpy as np
import pytest

import tumble
from tests.api.models import RIG
from tests.mirror import mirror, random_state
from tests.oracle import to_engine_model

# rounding of sums in another order, relative to the largest number
ROUND = 1e-11
# finite differences divide rounding by their step of 1e-6
DIFFERENCE = 1e-6


@pytest.fixture(
    scope="module", params=[mujoco.mjtJacobian.mjJAC_DENSE, mujoco.mjtJacobian.mjJAC_SPARSE], ids=["dense", "sparse"]
)
def pair(request):
    """(reference model and data, model and data) with the same numbers in every field."""
    ref = mujoco.MjModel.from_xml_string(RIG)
    ref.opt.jacobian = request.param
    ref_data = mujoco.MjData(ref)
    random_state(ref, ref_data, seed=3, spread=0.05)
    mujoco.mj_rnePostConstraint(ref, ref_data)
    m = to_engine_model(ref)
    d = tumble.MjData(m)
    mirror(ref_data, d)
    d.nefc, d.ncon = ref_data.nefc, ref_data.ncon
    assert ref_data.ncon > 0
    return ref, ref_data, m, d


def close(a, b, tolerance=ROUND):
    np.testing.assert_allclose(a, b, rtol=0, atol=tolerance * max(1.0, np.abs(b).max(initial=0)))


def both(pair, name, *args, results):
    """Call both functions, with new result arrays of the given shapes as the last positional arguments. Return {'mine': [...],
    'theirs': [...]}."""
    ref, ref_data, m, d = pair
    out = []
    for module, first in ((tumble, (m, d)), (mujoco, (ref, ref_data))):
        arrays = [np.full(s, np.nan) if s is not None else None for s in results]
        out.append((getattr(module, name)(*first, *[arrays[a[1]] if isinstance(a, tuple) else a for a in args]), arrays))
    for mine, theirs in zip(out[0][1], out[1][1], strict=True):
        if mine is not None:
            assert not np.isnan(mine).any()
            close(mine, theirs)
    return out[0][0], out[1][0]


def R(k):
    """Placeholder of result k in an argument list."""
    return ("result", k)


JACOBIANS = [("mj_jacBody", "nbody"), ("mj_jacBodyCom", "nbody"), ("mj_jacGeom", "ngeom"), ("mj_jacSite", "nsite")]


@pytest.mark.parametrize(("name", "count"), JACOBIANS)
def test_jacobians(pair, name, count):
    m = pair[2]
    shape = (3, m.nv)
    for k in range(getattr(m, count)):
        for wanted in ((shape, shape), (shape, None), (None, shape)):
            both(pair, name, R(0), R(1), k, results=wanted)


def test_jacobians_of_points(pair):
    m = pair[2]
    shape, point, axis = (3, m.nv), [0.1, -0.2, 0.7], [0.6, 0.0, 0.8]
    for b in range(m.nbody):
        both(pair, "mj_jac", R(0), R(1), point, b, results=(shape, shape))
        both(pair, "mj_jacPointAxis", R(0), R(1), point, axis, b, results=(shape, shape))
        both(pair, "mj_jacDot", R(0), R(1), point, b, results=(shape, shape))
        both(pair, "mj_jacSubtreeCom", R(0), b, results=(shape,))
        both(pair, "mj_angmomMat", R(0), b, results=(shape,))


def test_inertia(pair):
    ref, ref_data, m, d = pair
    rng = np.random.default_rng(0)
    v, rows = rng.normal(size=m.nv), rng.normal(size=(3, m.nv))
    both(pair, "mj_mulM", R(0), v, results=(m.nv,))
    both(pair, "mj_mulM2", R(0), v, results=(m.nv,))
    both(pair, "mj_solveM", R(0), rows, results=(rows.shape,))
    root = np.sqrt(ref_data.qLDiagInv)[:, None]
    both(pair, "mj_solveM2", R(0), rows, root, results=(rows.shape,))
    both(pair, "mj_rne", 0, R(0), results=(m.nv,))
    both(pair, "mj_rne", 1, R(0), results=(m.nv,))
    full, expected = np.zeros((m.nv, m.nv)), np.zeros((m.nv, m.nv))
    tumble.mj_fullM(m, full, d.qM)
    mujoco.mj_fullM(ref, expected, ref_data.qM)
    close(full, expected)
    # M v by the sparse and the full matrix
    out = np.zeros(m.nv)
    tumble.mj_mulM(m, d, out, v)
    close(out, full @ v)


def test_addM_to_itself_doubles_it(pair):
    _, _, m, d = pair
    dst, rownnz, rowadr, colind = d.M.copy(), m.M_rownnz.copy(), m.M_rowadr.copy(), m.M_colind.copy()
    tumble.mj_addM(m, d, dst, rownnz, rowadr, colind)
    np.testing.assert_array_equal(dst, 2 * d.M)
    np.testing.assert_array_equal(colind, m.M_colind)


def test_forces(pair):
    ref, ref_data, m, d = pair
    force, torque, point = [1.0, 2, 3], [-1.0, 0.5, 0.2], [0.3, 0.1, 0.4]
    for b in range(m.nbody):
        mine, theirs = np.ones(m.nv), np.ones(m.nv)
        tumble.mj_applyFT(m, d, force, torque, point, b, mine)
        mujoco.mj_applyFT(ref, ref_data, force, torque, point, b, theirs)
        close(mine, theirs)
    for k in range(-1, d.ncon + 1):
        both(pair, "mj_contactForce", k, R(0), results=(6,))


def test_velocities_of_objects(pair):
    m = pair[2]
    counts = {
        mujoco.mjtObj.mjOBJ_BODY: m.nbody,
        mujoco.mjtObj.mjOBJ_XBODY: m.nbody,
        mujoco.mjtObj.mjOBJ_GEOM: m.ngeom,
        mujoco.mjtObj.mjOBJ_SITE: m.nsite,
        mujoco.mjtObj.mjOBJ_CAMERA: m.ncam,
    }
    for kind, count in counts.items():
        for k in range(count):
            for local in (0, 1):
                both(pair, "mj_objectVelocity", int(kind), k, R(0), local, results=(6,))
                both(pair, "mj_objectAcceleration", int(kind), k, R(0), local, results=(6,))


def test_constraint_jacobian(pair):
    ref, ref_data, m, d = pair
    rng = np.random.default_rng(1)
    for name in ("mj_isPyramidal", "mj_isSparse", "mj_isDual"):
        assert getattr(tumble, name)(m) == getattr(mujoco, name)(ref)
    both(pair, "mj_mulJacVec", R(0), rng.normal(size=m.nv), results=(d.nefc,))
    both(pair, "mj_mulJacTVec", R(0), rng.normal(size=d.nefc), results=(m.nv,))
    jar = rng.normal(size=d.nefc)
    both(pair, "mj_constraintUpdate", jar, R(0), 1, results=(1,))
    close(d.efc_force, ref_data.efc_force)
    close(d.qfrc_constraint, ref_data.qfrc_constraint)
    np.testing.assert_array_equal(d.efc_state, ref_data.efc_state)


def test_configurations(pair):
    ref, ref_data, m, d = pair
    rng = np.random.default_rng(2)
    v = rng.normal(size=m.nv)
    mine, theirs = ref_data.qpos.copy(), ref_data.qpos.copy()
    tumble.mj_integratePos(m, mine, v, 0.3)
    mujoco.mj_integratePos(ref, theirs, v, 0.3)
    close(mine, theirs)
    back, expected = np.zeros(m.nv), np.zeros(m.nv)
    tumble.mj_differentiatePos(m, back, 0.3, ref_data.qpos, mine)
    mujoco.mj_differentiatePos(ref, expected, 0.3, ref_data.qpos, mine)
    close(back, expected)
    close(back, v)
    mine *= 1.5
    theirs = mine.copy()
    tumble.mj_normalizeQuat(m, mine)
    mujoco.mj_normalizeQuat(ref, theirs)
    close(mine, theirs)


def test_poses_in_bodies(pair):
    ref, ref_data, m, d = pair
    quat = np.array([0.5, 0.5, -0.5, 0.5])
    for b in range(m.nbody):
        for same in range(5):
            mine, theirs = (np.zeros(3), np.zeros(9)), (np.zeros(3), np.zeros(9))
            tumble.mj_local2Global(d, *mine, [0.1, 0.2, 0.3], quat, b, same)
            mujoco.mj_local2Global(ref_data, *theirs, [0.1, 0.2, 0.3], quat, b, same)
            close(mine[0], theirs[0])
            close(mine[1], theirs[1])


def test_masses():
    ref = mujoco.MjModel.from_xml_string(RIG)
    m = to_engine_model(ref)
    close(tumble.mj_getTotalmass(m), mujoco.mj_getTotalmass(ref))
    tumble.mj_setTotalmass(m, 7.0)
    mujoco.mj_setTotalmass(ref, 7.0)
    close(m.body_mass, ref.body_mass)
    close(m.body_inertia, ref.body_inertia)
    d, ref_data = tumble.MjData(m), mujoco.MjData(ref)
    tumble.mj_setConst(m, d)
    mujoco.mj_setConst(ref, ref_data)
    for name in ("body_subtreemass", "dof_M0", "body_invweight0", "dof_invweight0", "actuator_acc0"):
        close(getattr(m, name), getattr(ref, name), 1e-9)
    assert m.stat.meanmass == pytest.approx(ref.stat.meanmass, rel=1e-12)


def test_elements_that_do_not_exist_are_refused(pair):
    _, _, m, d = pair
    jacobian = np.zeros((3, m.nv))
    for call in (
        lambda: tumble.mj_jacBody(m, d, jacobian, None, m.nbody),
        lambda: tumble.mj_jacSite(m, d, jacobian, None, -1),
        lambda: tumble.mj_objectVelocity(m, d, 77, 0, np.zeros(6), 0),
        lambda: tumble.mj_objectVelocity(m, d, 1, 99, np.zeros(6), 0),
        lambda: tumble.mj_applyFT(m, d, [0] * 3, [0] * 3, [0] * 3, 1000, np.zeros(m.nv)),
        lambda: tumble.mj_RungeKutta(m, d, 3),
    ):
        with pytest.raises(tumble.FatalError):
            call()
    for bad in (np.zeros((3, m.nv - 1)), np.zeros((3, m.nv), np.float32), np.zeros((m.nv, 3)).T):
        with pytest.raises(TypeError):
            tumble.mj_jacBody(m, d, bad, None, 0)


# ---- derivatives ---------------------------------------------------------------------------------------------------------
@pytest.mark.parametrize("centered", [0, 1])
@pytest.mark.parametrize("integrator", ["EULER", "IMPLICITFAST"])
def test_transition(centered, integrator):
    ref, ref_data, m, d = own_pair(integrator)
    n = 2 * m.nv + m.na
    shapes = (n, n), (n, m.nu), (m.nsensordata, n), (m.nsensordata, m.nu)
    mine, theirs = [np.full(s, np.nan) for s in shapes], [np.zeros(s) for s in shapes]
    before = d.qpos.copy(), d.qvel.copy(), d.act.copy(), d.time
    tumble.mjd_transitionFD(m, d, 1e-6, centered, *mine)
    mujoco.mjd_transitionFD(ref, ref_data, 1e-6, centered, *theirs)
    for a, b in zip(mine, theirs, strict=True):
        close(a, b, DIFFERENCE)
    for a, b in zip(before, (d.qpos, d.qvel, d.act, d.time), strict=True):
        np.testing.assert_array_equal(a, b)
    # computing parts gives the same numbers as computing all
    only = np.zeros(shapes[1])
    tumble.mjd_transitionFD(m, d, 1e-6, centered, None, only, None, None)
    close(only, mine[1], DIFFERENCE)


def test_transition_refuses_what_it_cannot_do():
    _, _, m, d = own_pair("RK4")
    with pytest.raises(tumble.FatalError, match="RK4"):
        tumble.mjd_transitionFD(m, d, 1e-6, 0, None, None, None, None)
    m.opt.integrator = 0
    with pytest.raises(TypeError, match="A should be of shape"):
        tumble.mjd_transitionFD(m, d, 1e-6, 0, np.zeros((2, 2)), None, None, None)


@pytest.mark.parametrize("actuated", [0, 1])
def test_inverse(actuated):
    ref, ref_data, m, d = own_pair("EULER")
    d.qacc[:] = ref_data.qacc
    shapes = [(m.nv, m.nv)] * 3 + [(m.nv, m.nsensordata)] * 3 + [(m.nv, m.nM)]
    mine, theirs = [np.full(s, np.nan) for s in shapes], [np.zeros(s) for s in shapes]
    tumble.mjd_inverseFD(m, d, 1e-6, actuated, *mine)
    mujoco.mjd_inverseFD(ref, ref_data, 1e-6, actuated, *theirs)
    for a, b in zip(mine, theirs, strict=True):
        close(a, b, DIFFERENCE)
    tumble.mjd_inverseFD(m, d, 1e-6, 0, *[None] * 7)


def own_pair(integrator):
    """Two separate geoms, so that a small displacement changes no contact."""
    ref = mujoco.MjModel.from_xml_string(RIG)
    ref.opt.integrator = getattr(mujoco.mjtIntegrator, f"mjINT_{integrator}")
    ref_data = mujoco.MjData(ref)
    ref_data.qpos[2] = 1
    ref_data.qvel[:] = 0.1
    ref_data.ctrl[:] = 0.2, 1.0, 0.1
    m = to_engine_model(ref)
    d = tumble.MjData(m)
    for name in ("qpos", "qvel", "ctrl"):
        getattr(d, name)[:] = getattr(ref_data, name)
    mujoco.mj_forward(ref, ref_data)
    tumble.mj_forward(m, d)
    return ref, ref_data, m, d


# ---- length ranges ---------------------------------------------------------------------------------------------------------
MUSCLE = """<mujoco><worldbody><site name="a" pos="0 0 1"/><body><joint name="j" axis="0 1 0" range="-1 1" damping="1"/>
    <geom size=".05" pos=".3 0 0"/>
  <site name="b" pos=".3 0 .05"/></body></worldbody><tendon><spatial name="t"><site site="a"/><site site="b"/></spatial>
    </tendon>
  <actuator><muscle name="m" tendon="t" lengthrange="0 0"/><motor name="p" joint="j"/></actuator></mujoco>"""


def lr_options(module, **changes):
    opt = module.MjLROpt()
    module.mj_defaultLROpt(opt)
    for name, value in {"useexisting": 0, **changes}.items():
        setattr(opt, name, value)
    return opt


@pytest.mark.parametrize("changes", [{}, {"interval": 1.0}, {"mode": 0}])
def test_length_range(changes):
    ref = mujoco.MjModel.from_xml_string(MUSCLE)
    m = to_engine_model(ref)
    tumble.mj_setLengthRange(m, tumble.MjData(m), 0, lr_options(tumble, **changes))
    mujoco.mj_setLengthRange(ref, mujoco.MjData(ref), 0, lr_options(mujoco, **changes))
    close(m.actuator_lengthrange, ref.actuator_lengthrange, 1e-8)


def test_length_range_of_a_limited_joint_is_its_range():
    m = to_engine_model(mujoco.MjModel.from_xml_string(MUSCLE))
    tumble.mj_setLengthRange(m, tumble.MjData(m), 1, lr_options(tumble, uselimit=1, mode=3))
    np.testing.assert_array_equal(m.actuator_lengthrange[1], m.jnt_range[0])


def test_length_range_that_is_not_found():
    m = to_engine_model(mujoco.MjModel.from_xml_string(MUSCLE))
    with pytest.raises(tumble.FatalError, match="did not converge|Invalid"):
        tumble.mj_setLengthRange(m, tumble.MjData(m), 0, lr_options(tumble, inttotal=8.0, maxforce=0.5))
    with pytest.raises(tumble.FatalError, match="index"):
        tumble.mj_setLengthRange(m, tumble.MjData(m), 9, lr_options(tumble))
    with pytest.raises(TypeError):
        tumble.mj_setLengthRange(m, tumble.MjData(m), 0, m.opt)


# ---- rays ------------------------------------------------------------------------------------------------------------------
def test_rays(pair):
    ref, ref_data, m, d = pair
    rng = np.random.default_rng(5)
    for _ in range(50):
        start, along = rng.normal(size=3) + [0, 0, 1], rng.normal(size=3)
        mine, theirs = np.zeros(1, np.int32), np.zeros(1, np.int32)
        for groups, static, excluded in ((None, 1, -1), ([1, 0, 0, 0, 0, 0], 0, 1), ([0] * 6, 1, -1)):
            x = tumble.mj_ray(m, d, start, along, groups, static, excluded, mine)
            assert (
                x == pytest.approx(mujoco.mj_ray(ref, ref_data, start, along, groups, static, excluded, theirs), abs=1e-9)
                and mine == theirs
            )
    n = 20
    along = rng.normal(size=3 * n)
    ids, distances = np.zeros(n, np.int32), np.zeros(n)
    other_ids, expected = np.zeros(n, np.int32), np.zeros(n)
    tumble.mj_multiRay(m, d, [0, 0, 1], along, None, 1, -1, ids, distances, n, 1e10)
    mujoco.mj_multiRay(ref, ref_data, [0, 0, 1], along, None, 1, -1, other_ids, expected, n, 1e10)
    close(distances, expected)
    np.testing.assert_array_equal(ids, other_ids)


@pytest.mark.parametrize("kind", [0, 2, 3, 4, 5, 6])
def test_ray_of_a_shape(kind):
    rng = np.random.default_rng(kind)
    for _ in range(60):
        pos, q, start = rng.normal(size=3), rng.normal(size=4), 2 * rng.normal(size=3)
        mat = np.zeros(9)
        mujoco.mju_quat2Mat(mat, q / np.linalg.norm(q))
        args = pos, mat, [0.3, 0.4, 0.5], start, pos - start + 0.2 * rng.normal(size=3), kind
        assert tumble.mju_rayGeom(*args) == pytest.approx(mujoco.mju_rayGeom(*args), abs=1e-9)


def test_distances(pair):
    ref, ref_data, m, d = pair
    mine, theirs = np.zeros(6), np.zeros(6)
    for a in range(m.ngeom):
        for b in range(m.ngeom):
            x = tumble.mj_geomDistance(m, d, a, b, 2.0, mine)
            assert x == pytest.approx(mujoco.mj_geomDistance(ref, ref_data, a, b, 2.0, theirs), abs=1e-6)
    with pytest.raises(tumble.FatalError):
        tumble.mj_geomDistance(m, d, 0, m.ngeom, 1.0, None)


def test_ray_of_a_skin():
    """Rays from both sides hit the expected face of a pyramid at the expected distance."""
    vert = np.array([0, 0, 0, 1, 0, 0, 1, 1, 0, 0, 1, 0, 0.5, 0.5, 1], np.float32)
    face = np.array([0, 1, 4, 1, 2, 4, 2, 3, 4, 3, 0, 4, 0, 2, 1, 0, 3, 2], np.int32)
    found = np.zeros(1, np.int32)
    assert tumble.mju_raySkin(6, 5, face, vert, [0.5, 0.25, 2], [0, 0, -1], found) == pytest.approx(1.5) and found[0] == 4
    assert tumble.mju_raySkin(6, 5, face, vert, [0.9, 0.05, -1], [0, 0, 2], found) == pytest.approx(0.5) and found[0] == 1
    assert tumble.mju_raySkin(6, 5, face, vert, [3, 3, 3], [0, 0, 1], found) == -1
    with pytest.raises(TypeError):
        tumble.mju_raySkin(6, 5, face + 9, vert, [0, 0, 1], [0, 0, 1], found)


FLEX = """<mujoco><worldbody><flexcomp name="cloth" type="grid" count="4 4 1" spacing=".1 .1 .1" pos="0 0 1" radius=".01"
    dim="2"><edge equality="true"/></flexcomp>
  </worldbody></mujoco>"""


@pytest.mark.parametrize("flags", [(1, 0, 0, 0), (0, 1, 0, 0), (0, 0, 1, 0), (0, 0, 0, 1), (1, 1, 1, 1), (0, 0, 0, 0)])
def test_ray_of_a_flex(flags):
    ref = mujoco.MjModel.from_xml_string(FLEX)
    ref_data = mujoco.MjData(ref)
    mujoco.mj_forward(ref, ref_data)
    m = to_engine_model(ref)
    d = tumble.MjData(m)
    d.flexvert_xpos[:] = ref_data.flexvert_xpos
    rng = np.random.default_rng(0)
    for _ in range(40):
        start = np.array([0, 0, 2.0]) + 0.1 * rng.normal(size=3)
        along = np.array([*rng.uniform(-0.2, 0.2, 2), 1]) - start
        mine, theirs = np.full(1, -1, np.int32), np.full(1, -1, np.int32)
        x = tumble.mju_rayFlex(m, d, 0, *flags, 0, start, along, mine)
        assert x == pytest.approx(mujoco.mju_rayFlex(ref, ref_data, 0, *flags, 0, start, along, theirs), abs=1e-9)
        assert x < 0 or mine == theirs
