"""Compiled calls of public functions have the same results as the Python functions, raise the same errors, and run no
Python."""

import copy
import ctypes
import pickle
import subprocess
import sys

import numpy as np
import pytest

import tumble
from tests.bench.calls import HUMANOID
from tumble import debug
from tumble.engine.api import entries
from tumble.engine.description.language.hashes import hash_texts, hashes
from tumble.engine.machine import jit, layout
from tumble.engine.machine.storage import address_of

pytestmark = pytest.mark.skipif(
    not layout.known(), reason="this interpreter keeps objects in another way: all calls are in Python"
)

BODY = tumble.mjtObj.mjOBJ_BODY
FULL = int(tumble.mjtState.mjSTATE_FULLPHYSICS)
# number of repeated calls that reveal leaked references, and the tolerated number of unrelated ones
REPEATS, STRAY = 2000, 100
# parts of a step that need results of earlier parts
COMPONENTS = (
    "mj_kinematics",
    "mj_comPos",
    "mj_crb",
    "mj_collision",
    "mj_fwdPosition",
    "mj_fwdVelocity",
    "mj_subtreeVel",
    "mj_rnePostConstraint",
)


@pytest.fixture
def made():
    """(Model, Data) in contact."""
    m = tumble.MjModel.from_xml_path(str(HUMANOID))
    d = tumble.MjData(m)
    tumble.mj_step(m, d, 200)
    tumble.mj_forward(m, d)
    assert d.ncon
    return m, d


def function_of(name):
    """The object that owns a public function, prepared for compiled calls."""
    function = getattr(tumble, name).__self__
    assert function.row is not None or function.prepare()
    return function


def arguments(m, d):
    """{function: arguments}; output arrays are filled, so that elements that are not written show."""
    rng = np.random.default_rng(3)

    def out(*shape, dtype=float):
        return np.full(shape, 7, dtype)

    q1, q2, v = rng.normal(size=4), rng.normal(size=4), rng.normal(size=m.nv)
    state, jac = np.zeros(tumble.mj_stateSize(m, FULL)), (3, m.nv)
    tumble.mj_getState(m, d, state, FULL)
    point, ray, mat = rng.normal(size=3), np.array([0.1, 0.2, -1]), np.linalg.qr(rng.normal(size=(3, 3)))[0].ravel()
    return {
        "mj_jac": (m, d, out(*jac), out(*jac), point, 3),
        "mj_jacBody": (m, d, out(*jac), None, np.int32(4)),
        "mj_jacBodyCom": (m, d, None, out(*jac), 5),
        "mj_jacGeom": (m, d, out(*jac), out(*jac), 6),
        "mj_jacDot": (m, d, out(*jac), out(*jac), point, 7),
        "mj_fullM": (m, out(m.nv, m.nv), d.qM),
        "mj_mulM": (m, d, out(m.nv), v),
        "mj_mulM2": (m, d, out(m.nv), v),
        "mj_solveM": (m, d, out(2, m.nv), rng.normal(size=(2, m.nv))),
        "mj_rne": (m, d, 1, out(m.nv)),
        "mj_objectVelocity": (m, d, BODY, 3, out(6), 1),
        "mj_objectAcceleration": (m, d, int(BODY), 3, out(6), 0),
        "mj_contactForce": (m, d, 0, out(6)),
        "mj_differentiatePos": (m, out(m.nv), 0.5, d.qpos.copy(), m.qpos0),
        "mj_normalizeQuat": (m, rng.normal(size=m.nq)),
        "mj_integratePos": (m, d.qpos.copy(), v, 2),
        "mj_stateSize": (m, FULL),
        "mj_getState": (m, d, out(len(state)), FULL),
        "mj_setState": (m, d, state, FULL),
        "mj_geomDistance": (m, d, 3, 5, 1.0, out(6)),
        "mj_forward": (m, d),
        "mj_ray": (m, d, point, ray, np.ones(6, np.uint8), 1, -1, out(1, dtype=np.int32)),
        "mju_rotVecQuat": (out(3), point, q1),
        "mju_negQuat": (out(4), q1),
        "mju_mulQuat": (out(4), q1, q2),
        "mju_axisAngle2Quat": (out(4), point, 0.3),
        "mju_quat2Vel": (out(3), q1, np.float64(0.1)),
        "mju_subQuat": (out(3), q1, q2),
        "mju_quat2Mat": (out(9), q1),
        "mju_mat2Quat": (out(4), mat),
        "mju_derivQuat": (out(4), q1, point),
        "mju_quatIntegrate": (q1.copy(), point, 0.1),
        "mju_quatZ2Vec": (out(4), point),
        "mju_normalize3": (point.copy(),),
        "mju_normalize4": (q1.copy(),),
        "mju_norm3": (point,),
        "mju_dot3": (point, ray),
        "mju_cross": (out(3), point, ray),
        **{name: (m, d) for name in COMPONENTS},
        "mj_resetData": (m, d),
        "mj_step": (m, d),
        "mj_step1": (m, d),
        "mj_step2": (m, d),
        "mj_inverse": (m, d),
    }


def outcome(call, args):
    """Return the result or error of a call, and the contents of its arguments afterwards; the arguments are copied first."""
    data = {id(x): copy.copy(x) for x in args if isinstance(x, tumble.MjData)}
    args = [data[id(x)] if id(x) in data else x.copy() if isinstance(x, np.ndarray) else x for x in args]
    try:
        result = repr(call(*args))
    except Exception as error:
        result = f"{type(error).__name__}: {error}"
    # a NaN may have any sign
    bits = [np.where(x != x, np.abs(x), x).tobytes() for x in args if isinstance(x, np.ndarray)]
    for x in data.values():
        state = np.empty(tumble.mj_stateSize(x.model, FULL))
        tumble.mj_getState(x.model, x, state, FULL)
        bits += [
            state.tobytes(),
            x.xpos.tobytes(),
            x.qacc.tobytes(),
            x.cvel.tobytes(),
            x.qM.tobytes(),
            x.contact.dist.tobytes(),
        ]
    return result, bits


def frames(call, args):
    """Return the number of Python functions that a call runs."""
    count = 0

    def see(frame, event, _):
        nonlocal count
        count += event == "call"

    sys.setprofile(see)
    try:
        call(*args)
    finally:
        sys.setprofile(None)
    return count


def test_all_functions_with_code_are_tried(made):
    tried = {entries.PREFIX + getattr(tumble, name).__self__.own for name in arguments(*made)}
    # the humanoid has no sites; scenes have their own tests
    assert tried | {"public_mj_jacSite"} == {name for name in entries.FUNCTIONS if "_mjv_" not in name}


def test_compiled_calls_do_what_python_does_without_running_any(made):
    for name, args in arguments(*made).items():
        function, call = function_of(name), getattr(tumble, name)
        assert outcome(call, args) == outcome(function.slow, args), name
        assert frames(call, args) == 0, name


def wrong(args):
    """Arguments that a function rejects, or accepts after a conversion."""
    yield args[:-1]
    yield (*args, 1)
    for k, x in enumerate(args):
        others = ["text", None, 10**30, -1, 1.5]
        if isinstance(x, np.ndarray):
            locked = x.copy()
            locked.flags.writeable = False
            others += [
                x.astype(np.float32),
                x.tolist(),
                np.append(x, 1.0),
                x[..., None],
                locked,
                np.repeat(x, 2, -1)[..., ::2],
                x.reshape(-1),
                x * np.nan,
                x.astype(complex),
                x.astype(">f8"),
                x[:0],
            ]
        for other in others:
            yield (*args[:k], other, *args[k + 1 :])


def test_what_is_not_taken_as_it_is_goes_to_python(made):
    for name, args in arguments(*made).items():
        function, call = function_of(name), getattr(tumble, name)
        for others in wrong(args):
            assert outcome(call, others) == outcome(function.slow, others), (name, others)


def test_names_and_defaults(made):
    m, d = made
    function_of("mju_mulQuat")
    q, out = np.array([0.6, 0.8, 0, 0]), np.zeros(4)
    tumble.mju_mulQuat(out, quat1=q, quat2=q)
    assert np.array_equal(out, [0.6 * 0.6 - 0.8 * 0.8, 2 * 0.6 * 0.8, 0, 0])
    with pytest.raises(TypeError, match="unknown argument 'quad'"):
        tumble.mju_mulQuat(out, q, quad=q)
    with pytest.raises(TypeError, match="needs MjModel"):
        tumble.mj_kinematics(d, m)
    assert pickle.loads(pickle.dumps(tumble.mj_jac)) is tumble.mj_jac
    assert tumble.mj_jac.__doc__.startswith("mj_jac(m: ")


def test_another_model_is_checked(made):
    m, d = made
    function_of("mj_kinematics")
    tumble.mj_kinematics(copy.copy(m), d)
    with pytest.raises(ValueError, match="another MjModel"):
        tumble.mj_kinematics(tumble.MjModel.from_xml_string("<mujoco/>"), d)


def test_a_replaced_stage_is_called(made):
    m, d = made
    function_of("mj_kinematics")
    seen = []
    with debug.replace("kinematics", lambda model, data: seen.append(data)):
        tumble.mj_kinematics(m, d)
        with debug.interpreted("kinematics"):
            tumble.mj_kinematics(m, d)
    tumble.mj_kinematics(m, d)
    assert seen == [d]


def test_a_callback_that_raises_is_called_once(made):
    m, d = made
    function_of("mj_forward")
    seen = []

    def control(model, data):
        seen.append(data)
        raise KeyError("here")

    tumble.set_mjcb_control(control)
    try:
        # stages that the call interrupted are not run again before the error is raised
        with pytest.raises(KeyError, match="here"):
            tumble.mj_forward(m, d)
    finally:
        tumble.set_mjcb_control(None)
    assert seen == [d]


def test_edited_indices_are_looked_at(made):
    m = copy.copy(made[0])
    d = tumble.MjData(m)
    function_of("mj_forward"), function_of("mj_kinematics")
    m.geom_bodyid[0] = m.nbody + 5
    for call in (tumble.mj_forward, tumble.mj_kinematics):
        with pytest.raises(tumble.InvalidModel, match="geom_bodyid"):
            call(m, d)
    m.geom_bodyid[0] = 0
    tumble.mj_forward(m, d)
    assert frames(tumble.mj_forward, (m, d)) == 0


def test_too_little_room_is_mended(made):
    m, old = made
    function_of("mj_fwdPosition")
    d = tumble.MjData(m)
    d.qpos[:] = old.qpos
    tumble.mj_fwdPosition(m, d)
    assert d.ncon == old.ncon > 0


def test_no_references_are_kept(made):
    for name, args in arguments(*made).items():
        call = getattr(tumble, name)
        function_of(name)
        before = [sys.getrefcount(x) for x in (None, *args)]
        for _ in range(REPEATS):
            call(*args)
        after = [sys.getrefcount(x) for x in (None, *args)]
        assert np.abs(np.subtract(after, before)).max() < STRAY, name


def test_nothing_is_mapped_before_it_is_worth_it():
    code = (
        "import tumble, numpy as np; q = np.ones(4); [tumble.mju_negQuat(q, q) for _ in range(3)]; f = "
        "tumble.mju_negQuat.__self__; "
        "assert f.row is None; [tumble.mju_negQuat(q, q) for _ in range(100)]; assert f.row is not None"
    )
    subprocess.run([sys.executable, "-c", code], check=True)


# ---- stages called from Python -------------------------------------------------------------------------------------------
TEXT = np.frombuffer(b"some\0names\0", np.uint8).copy()


def hashed(*args):
    """Two hashes that the stage writes for texts at these indices; the output is poisoned first."""
    out = np.full(2, -1)
    assert hash_texts(TEXT, len(TEXT), *args, out) is None
    return out.tolist()


@pytest.fixture
def swift():
    """A stage that was called often enough to have a compiled entry."""
    for _ in range(2 * jit.OFTEN):
        hashes(TEXT.tobytes(), (0, 5))
    assert hash_texts.swift is not None
    return hash_texts


def test_stages_of_the_interpreters_kind_do_what_ctypes_does(swift):
    places, one = np.array((0, 5)), np.int64(1)
    expected = hashes(TEXT.tobytes(), (0, 5)).view(np.int64).tolist()
    assert -1 not in expected
    assert hashed(places, 2) == hashed(address_of(places), 2) == hashed(places, np.int32(2)) == expected
    assert hashed(places, one) == hashed(places, True) == [expected[0], -1]
    with debug.interpreted("hash_texts"):
        assert swift.swift is None and hashed(places, 2) == expected
    assert swift.swift is not None and hashed(places, 2) == expected


def test_what_stages_cannot_take_is_an_error(swift):
    spaced = np.zeros(4, np.int64)[::2]
    for wrong in ((spaced, 2), (1.5, 2), ("places", 2), (np.zeros(2, np.int64),), (None, 2)):
        with pytest.raises((TypeError, BufferError, ctypes.ArgumentError)):
            hashed(*wrong)


def test_no_references_to_what_stages_take_are_kept(swift):
    places = np.array((0, 5))
    before = sys.getrefcount(places)
    for _ in range(100):
        hashed(places, 2)
    assert sys.getrefcount(places) == before
