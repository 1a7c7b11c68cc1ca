"""mju_* and mjd_* functions against the reference on random arguments; both reject the same arguments."""

import re

import mujoco
import numpy as np
import pytest

import tumble
from tumble.engine.api import mju_misc, mju_quat, mju_solve, mju_vector

NAMES = sorted({n for m in (mju_misc, mju_quat, mju_solve, mju_vector) for n in m.__all__})
# rounding: sums may be ordered differently
ROUND = 1e-13
N, BAND, DENSE = 6, 2, 1
SIZE = (N - DENSE) * BAND + DENSE * N

# functions that need more than random arrays of the documented shape
SPECIAL = {
    "mju_Halton": lambda r: (int(r.integers(0, 1000)), int(r.integers(2, 20))),
    "mju_bandDiag": lambda r: (int(r.integers(0, N)), N, BAND, DENSE),
    "mju_band2Dense": lambda r: (np.zeros((N, N)), r.normal(size=SIZE), N, BAND, DENSE, int(r.integers(0, 2))),
    "mju_dense2Band": lambda r: (np.zeros(SIZE), r.normal(size=(N, N)), N, BAND, DENSE),
    "mju_bandMulMatVec": lambda r: (
        np.zeros(N),
        r.normal(size=SIZE),
        r.normal(size=N),
        N,
        BAND,
        DENSE,
        1,
        int(r.integers(0, 2)),
    ),
    "mju_cholFactorBand": lambda r: (band(r), N, BAND, DENSE, float(r.uniform(0, 1)), float(r.uniform(0, 1))),
    "mju_cholSolveBand": lambda r: (np.zeros(N), band(r), r.normal(size=N), N, BAND, DENSE),
    "mju_cholFactor": lambda r: (positive(r), float(r.uniform(0, 3))),
    "mju_cholSolve": lambda r: (np.zeros(N), np.tril(r.normal(size=(N, N))) + 3 * np.eye(N), r.normal(size=N)),
    "mju_cholUpdate": lambda r: (np.tril(r.normal(size=(N, N))) + 4 * np.eye(N), 0.2 * r.normal(size=N), int(r.integers(0, 2))),
    "mju_boxQP": lambda r: (
        r.normal(size=N),
        np.zeros((N, N + 7)),
        np.zeros(N, np.int32),
        positive(r),
        r.normal(size=N),
        -r.uniform(0, 1, N),
        r.uniform(0, 1, N),
    ),
    "mju_eig3": lambda r: (np.zeros(3), np.zeros(9), np.zeros(4), symmetric(r)),
    "mju_mat2Quat": lambda r: (np.zeros(4), rotation(r)),
    "mju_mat2Rot": lambda r: (unit4(r), r.normal(size=9)),
    "mju_euler2Quat": lambda r: (np.zeros(4), r.normal(size=3), "".join(r.choice(list("xyzXYZ"), 3))),
    "mju_encodePyramid": lambda r: (np.zeros(6), r.normal(size=4), r.uniform(0.1, 1, 3)),
    "mju_decodePyramid": lambda r: (np.zeros(4), r.normal(size=6), r.uniform(0.1, 1, 3)),
    "mju_muscleGain": lambda r: (float(r.uniform(0, 1)), float(r.normal()), [0.1, 0.9], float(r.uniform(0, 1)), muscle(r)),
    "mju_muscleBias": lambda r: (float(r.uniform(0, 3)), [0.1, 0.9], float(r.uniform(0, 1)), muscle(r)),
    "mju_muscleDynamics": lambda r: (*r.uniform(-0.2, 1.2, 2).tolist(), [0.01, 0.04, float(r.choice([0.0, 0.3]))]),
    "mju_dense2sparse": lambda r: (
        np.zeros(30),
        r.normal(size=(5, 6)) * (r.uniform(size=(5, 6)) < 0.5),
        *(np.zeros(n, np.int32) for n in (5, 5, 30)),
    ),
    "mju_sparse2dense": lambda r: (
        np.zeros((3, 4)),
        r.normal(size=5),
        np.array([2, 0, 3]),
        np.array([0, 2, 2]),
        np.array([1, 3, 0, 1, 2]),
    ),
    "mjd_subQuat": lambda r: (unit4(r), unit4(r), np.zeros((3, 3)), np.zeros(9)),
    "mju_str2Type": lambda r: (str(r.choice(["body", "frame", "default", "nothing", "key"])),),
    "mju_writeNumBytes": lambda r: (int(r.choice([0, 1, 1023, 1024, 1025, 2**20, 2**33, 3 * 2**40, 2**62])),),
    "mju_warningText": lambda r: (int(r.integers(-1, 12)), int(r.choice([0, 5, 2**20]))),
    "mju_type2Str": lambda r: (int(r.choice([-1, 0, 1, 2, 12, 25, 26, 100, 101])),),
    "mju_springDamper": lambda r: (
        *r.normal(size=2).tolist(),
        float(r.uniform(0, 50)),
        float(r.choice([0.0, 1.0, 2.0, 20.0])),
        float(r.uniform(0, 2)),
    ),
    "mju_round": lambda r: (float(r.choice([0.5, -0.5, 1.4, 2.5, 1e12, np.nan])),),
    "mju_isZero": lambda r: (np.zeros(N) if r.uniform() < 0.5 else r.normal(size=N),),
    "mju_isBad": lambda r: (float(r.choice([0, np.nan, np.inf, 1e11, -1e10])),),
    "mju_insertionSortInt": lambda r: (r.integers(-9, 9, N).astype(np.int32),),
}
# functions whose arguments are not only numbers, or whose results are random; tested below or elsewhere
OTHER = {"mju_standardNormal", "mju_printMat", "mju_printMatSparse", "mju_writeLog"}


def positive(r):
    a = r.normal(size=(N, N))
    return a @ a.T + np.eye(N)


def symmetric(r):
    a = r.normal(size=(3, 3))
    return (a + a.T).ravel()


def band(r):
    x = 0.3 * r.normal(size=SIZE)
    for k in range(N):
        x[mujoco.mju_bandDiag(k, N, BAND, DENSE)] = 3
    return x


def unit4(r):
    q = r.normal(size=4)
    return q / np.linalg.norm(q)


def rotation(r):
    out = np.zeros(9)
    mujoco.mju_quat2Mat(out, unit4(r))
    return out


def muscle(r):
    return [0.75, 1.05, float(r.choice([-1, 2])), 200, 0.5, 1.6, 1.5, 1.3, 1.2]


PARAMETER = re.compile(
    r'(\w+): (?:typing\.Annotated\[numpy\.typing\.NDArray\[numpy\.(\w+)\], "\[(\w+), (\w+)\]"|typing\.Supports(\w+))'
)


def arguments(name, r):
    """Random arguments of the shapes that the reference's help text shows."""
    if name in SPECIAL:
        return SPECIAL[name](r)
    found = []
    for _, dtype, rows, columns, scalar in PARAMETER.findall(getattr(mujoco, name).__doc__.splitlines()[0]):
        if scalar:
            found.append(int(r.integers(0, 2)) if scalar == "Int" else float(r.normal()))
        else:
            x = r.normal(size=(N, N) if columns == "n" else N if rows == "m" else int(rows)).astype(dtype)
            found.append(x / np.linalg.norm(x) if x.size == 4 else x)
    return tuple(found)


def copies(args):
    return [np.array(a) if isinstance(a, np.ndarray) else a for a in args]


@pytest.mark.parametrize("name", sorted(set(NAMES) - OTHER))
def test_same_numbers(name):
    for seed in range(20):
        args = arguments(name, np.random.default_rng(seed))
        theirs, mine = copies(args), copies(args)
        expected = getattr(mujoco, name)(*theirs)
        got = getattr(tumble, name)(*mine)
        for a, b in zip(mine, theirs, strict=True):
            # the factor fills the front of R; the rest is scratch
            if name == "mju_boxQP" and isinstance(a, np.ndarray) and a.shape == (N, N + 7):
                a, b = (lower(x.ravel()[: expected**2].reshape(expected, expected)) for x in (a, b))
            if name == "mju_boxQP" and isinstance(a, np.ndarray) and a.dtype == np.int32:
                a, b = a[:expected], b[:expected]
            if isinstance(a, np.ndarray):
                np.testing.assert_allclose(a, b, rtol=ROUND, atol=ROUND * (1 + np.nanmax(np.abs(b), initial=0)))
        if isinstance(expected, float):
            np.testing.assert_allclose(got, expected, rtol=ROUND, atol=ROUND)
        else:
            assert got == expected and type(got) is type(expected)


def lower(x):
    return np.tril(x)


@pytest.mark.parametrize("name", sorted(set(NAMES) - OTHER))
def test_wrong_arguments_are_refused_alike(name):
    """Each argument in turn is replaced by an unsuitable value; either both raise TypeError, or neither does."""
    mine, theirs = getattr(tumble, name), getattr(mujoco, name)
    good = arguments(name, np.random.default_rng(0))
    for k in range(len(good)):
        for bad in (
            "text",
            None,
            [1j],
            np.zeros((2, 3, 4)),
            np.zeros((1, 3)),
            np.zeros(0),
            [0.0] * 40,
            1.5,
            np.zeros(5, np.int16),
            object(),
        ):
            # here the reference would read beyond the end of arrays
            if name == "mju_sparse2dense" and np.size(bad) == 0:
                continue
            if (
                isinstance(bad, float)
                and isinstance(good[k], (int, str))
                or name in ("mju_str2Type", "mju_euler2Quat", "mju_writeLog")
            ):
                continue
            args = [*good[:k], bad, *good[k + 1 :]]
            assert outcome(theirs, args) == outcome(mine, args), f"argument {k} = {bad!r}"
    with pytest.raises(TypeError):
        mine(*good, 1)
    with pytest.raises(TypeError):
        mine(*good, nonsense=1)
    if good:
        with pytest.raises(TypeError):
            mine(*good[:-1])


def outcome(function, args):
    try:
        function(*copies(args))
    except TypeError:
        return "TypeError"
    except (mujoco.FatalError, tumble.FatalError):
        return "FatalError"
    return "fine"


@pytest.mark.parametrize("name", NAMES)
def test_help_shows_the_signature(name):
    head = getattr(mujoco, name).__doc__.splitlines()[0]
    if name not in ("mju_standardNormal", "mju_printMatSparse"):
        assert getattr(tumble, name).__doc__.splitlines()[0].replace(" | None = None", " | None") == head


def test_named_arguments():
    res = np.zeros(3)
    tumble.mju_rotVecQuat(vec=[1, 0, 0], quat=[np.sqrt(0.5), 0, 0, np.sqrt(0.5)], res=res)
    np.testing.assert_allclose(res, [0, 1, 0], atol=ROUND)


def test_written_arrays_must_be_writable_contiguous_float64():
    frozen = np.zeros(3)
    frozen.flags.writeable = False
    for res in (frozen, np.zeros(6)[::2], np.zeros(3, np.float32), [0.0, 0.0, 0.0], np.zeros(4), np.zeros((1, 3))):
        with pytest.raises(TypeError):
            tumble.mju_add3(res, [1, 2, 3], [1, 2, 3])


def test_results_may_share_memory_with_inputs():
    x = np.array([1.0, 2.0, 3.0])
    tumble.mju_cross(x, x, [0, 0, 1])
    np.testing.assert_array_equal(x, [2, -1, 0])
    q = np.array([0.5, 0.5, 0.5, 0.5])
    tumble.mju_mulQuat(q, q, q)
    np.testing.assert_array_equal(q, [-0.5, 0.5, 0.5, 0.5])
    a = np.arange(9.0).reshape(3, 3)
    tumble.mju_transpose(a, a)
    np.testing.assert_array_equal(a, np.arange(9.0).reshape(3, 3).T)


def test_standard_normal_has_unit_variance():
    second = np.zeros(1)
    x = [(tumble.mju_standardNormal(second), second[0]) for _ in range(20000)]
    # four standard errors of mean and variance of 20000 draws
    assert np.abs(np.mean(x, axis=0)).max() < 4 / np.sqrt(20000)
    assert np.abs(np.var(x, axis=0) - 1).max() < 4 * np.sqrt(2 / 20000)


def test_printing(capsys):
    mat = np.arange(4.0).reshape(2, 2)
    tumble.mju_printMat(mat)
    tumble.mju_printMatSparse(
        np.array([1.0, 2.0]), np.array([1, 1], np.int32), np.array([0, 1], np.int32), np.array([1, 0], np.int32)
    )
    text = capsys.readouterr().out
    assert text == "0.00000000 1.00000000 \n2.00000000 3.00000000 \n\n(0 1):  1.000000  \n(1 0):  2.000000  \n\n"


@pytest.mark.parametrize("bad", [np.nan, np.inf, 1e308, -1e308])
def test_extreme_numbers_are_no_errors(bad):
    """NaN and huge inputs are computed without an exception."""
    for name in sorted(set(NAMES) - OTHER - {"mju_boxQP"}):
        args = list(arguments(name, np.random.default_rng(0)))
        for k, a in enumerate(args):
            if isinstance(a, np.ndarray) and a.dtype == np.float64 and a.size:
                args[k] = np.full_like(a, bad)
            elif isinstance(a, float):
                args[k] = bad
        with np.errstate(all="ignore"):
            getattr(tumble, name)(*args)
