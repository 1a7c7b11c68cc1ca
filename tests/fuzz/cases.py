"""Kinds of random cases: each draws one from a seeded generator, runs it, and returns the outcome."""

import copy
import functools
import importlib.util
import io
import random
import zipfile

import numpy as np

import tumble
from tests.description import fuzz as damage
from tests.description.models import MODELS as TEXTS
from tests.fuzz import batches, more, robots, strangers
from tests.parity.fuzz import random_model
from tests.robust.test_trusted_models import INTEGERS, MODELS, binary, strange, work
from tumble.engine.core.binary import read_model
from tumble.engine.tables.schema import INTERNAL, SCHEMAS

CORPUS = [*TEXTS.values(), *damage.EXTRA.values()]
OBJ = b"v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nvn 0 0 1\nvt .5 .5\nf 1 3 2\nf 1 2 4\nf 2/1/1 3/1/1 4/1/1\nf 1 4 3\n"
STL = (
    bytes(80)
    + (4).to_bytes(4, "little")
    + b"".join(
        np.array([0, 0, 1, *np.eye(4, 3)[[i, j, k]].ravel()], "<f4").tobytes() + b"\0\0"
        for i, j, k in ((0, 2, 1), (0, 1, 3), (1, 2, 3), (0, 3, 2))
    )
)
SHAPES = {"a.obj": OBJ, "a.stl": STL}
MESH = (
    '<mujoco><asset><mesh name="m" file="{}"/></asset><worldbody><body><freejoint/><geom type="mesh" mesh="m"/></body>'
    "</worldbody></mujoco>"
)
# errors that damaged input may raise; all others are findings
ALLOWED = (ValueError, TypeError, IndexError, OSError, tumble.FatalError)
# stricter kinds
STRICT = {"robots": (ValueError, OSError)}


def flipped(raw, rng):
    """Bytes with one to four faults: a byte changed, a part removed, a part repeated."""
    raw = bytearray(raw)
    for _ in range(rng.randint(1, 4)):
        a, b = sorted((rng.randrange(len(raw) + 1), rng.randrange(len(raw) + 1)))
        kind = rng.randrange(6)
        if kind == 0:
            del raw[a:b]
        elif kind == 1:
            raw[a:a] = raw[a:b][:1000]
        elif raw:
            raw[rng.randrange(len(raw))] = rng.choice((0, 1, 127, 128, 255, 32, 45, rng.randrange(256)))
    return bytes(raw)


def stepped(m):
    """Check and step a model that was compiled. If it broke the rules of binary files, it could be saved, but not loaded."""
    try:
        tumble.validate(m)
    except tumble.InvalidModel as error:
        raise AssertionError(f"compiled, but not valid: {error}") from error
    # many copies of one body in a heap are valid, but slow
    if m.nbody <= 30:
        tumble.mj_step(m, tumble.MjData(m), 2)


def texts(rng):
    stepped(tumble.MjModel.from_xml_string(damage.mutate(rng.choice(CORPUS), rng, CORPUS)))


def models(rng):
    """A sound random model, which steps."""
    try:
        m = tumble.MjModel.from_xml_string(random_model(rng.randrange(2**31)))
    except ValueError:
        return
    stepped(m)


def assets(rng):
    name = rng.choice(sorted(SHAPES))
    stepped(tumble.MjModel.from_xml_string(MESH.format(name), {name: flipped(SHAPES[name], rng)}))


def archives(rng):
    raw = io.BytesIO()
    with zipfile.ZipFile(raw, "w", zipfile.ZIP_DEFLATED) as z:
        z.writestr("m.xml", MESH.format("a.obj"))
        z.writestr("a.obj", OBJ)
    stepped(tumble.MjSpec.from_zip(io.BytesIO(flipped(raw.getvalue(), rng))).compile())


@functools.cache
def compiled(name):
    return tumble.MjModel.from_xml_string(MODELS[name])


def one_of(rng):
    return copy.copy(compiled(rng.choice(sorted(MODELS))))


def harmed(m, rng):
    """Write strange numbers into one to three rows of integer fields."""
    for _ in range(rng.randint(1, 3)):
        flat = m.array(rng.choice(INTEGERS)).reshape(-1)
        if flat.size:
            flat[rng.randrange(flat.size)] = np.array(rng.choice(strange(flat))).astype(flat.dtype)


def binaries(rng):
    """A binary model with changed indices and a correct checksum, or with changed bytes, which is loaded and used."""
    m = one_of(rng)
    if rng.random() < 0.5:
        harmed(m, rng)
    raw = binary(m)
    m = read_model(flipped(raw, rng) if rng.random() < 0.3 else raw)
    work(m, tumble.MjData(m))


def edits(rng):
    """Indices written while the model is stepped."""
    m = one_of(rng)
    d = tumble.MjData(m)
    tumble.mj_step(m, d)
    harmed(m, rng)
    work(m, d)


# values that a script can overwrite in a Data: counts, addresses, indices
RESULTS = [f for f in SCHEMAS["MjData"].fields.values() if f.numpy.kind in "iu" and f.group not in INTERNAL]


def results(rng):
    """Overwrite integers of a Data, all of a field or one; then draw it, step it and compute poses, in any order."""
    m = one_of(rng)
    d, opt = tumble.MjData(m), tumble.MjvOption()
    tumble.mj_step(m, d, 3)
    opt.flags[:] = 1
    uses = [
        lambda: tumble.mj_step(m, d),
        lambda: tumble.mj_forward(m, d),
        lambda: tumble.mj_resetData(m, d),
        lambda: tumble.mjv_updateScene(
            m, d, opt, None, tumble.MjvCamera(), tumble.mjtCatBit.mjCAT_ALL, tumble.MjvScene(m, 500)
        ),
    ]
    for _ in range(5):
        f = rng.choice(RESULTS)
        number = rng.choice((-1, 0, 1, 7, 255, 2**31 - 1, -(2**31)))
        try:
            x = getattr(d, f.name)
            if not isinstance(x, np.ndarray):
                setattr(d, f.name, number)
            elif x.size:
                x.reshape(-1)[rng.randrange(x.size) if rng.random() < 0.5 else slice(None)] = np.array(number).astype(x.dtype)
            rng.choice(uses)()
        except ALLOWED:
            continue


# by name: functions that may be called with any arguments
CALLABLE = sorted(
    n
    for n in dir(tumble)
    if n.startswith(("mj_", "mju_"))
    and not any(
        w in n.lower()
        for w in (
            "save",
            "step",
            "print",
            "write",
            "log",
            "error",
            "warning",
            "load",
            "plugin",
            "setlengthrange",
            "install",
            "dependencies",
        )
    )
)


def argument(m, d, rng):
    kind = rng.randrange(9)
    size = rng.choice((0, 1, 2, 3, 4, 6, 9, 10, m.nq, m.nv, m.nu, m.nbody))
    if kind < 2:
        return (m, d)[kind]
    return (
        None,
        rng.choice((-1, 0, 1, 2, 7, 2**31 - 1, -(2**31), 2**63 - 1)),
        rng.choice((0.0, 1.0, -1.5, 1e308, float("nan"), float("inf"))),
        rng.choice(("", "a", "world", "x" * 300)),
        np.array([rng.gauss(0, 1) for _ in range(size)]),
        np.array([rng.randrange(-2, 9) for _ in range(size)], np.int32),
        np.array([rng.gauss(0, 1) for _ in range(3 * size)]).reshape(size, 3),
    )[kind - 2]


def calls(rng):
    """Make ten calls of public functions, with or without the expected first arguments."""
    m = one_of(rng)
    d = tumble.MjData(m)
    for _ in range(10):
        name = rng.choice(CALLABLE)
        first = (m, d) if name.startswith("mj_") and rng.random() < 0.8 else ()
        try:
            getattr(tumble, name)(*first, *(argument(m, d, rng) for _ in range(rng.randrange(9))))
        except (*ALLOWED, MemoryError, OverflowError, KeyError):
            pass
    tumble.mj_resetData(m, d)
    tumble.mj_step(m, d, 2)


KINDS = {
    f.__name__: f
    for f in (
        texts,
        models,
        assets,
        archives,
        binaries,
        edits,
        results,
        calls,
        more.soft,
        more.plugins,
        more.intents,
        more.settings,
        strangers.logs,
        strangers.paths,
        robots.robots,
        batches.batches,
        batches.assigned,
        batches.long_runs,
    )
}
if importlib.util.find_spec("mujoco"):
    KINDS["specs"] = importlib.import_module("tests.fuzz.specs").specs
if importlib.util.find_spec("viser"):
    KINDS["network"] = importlib.import_module("tests.fuzz.network").network


def run(kind, seed) -> str:
    """'ok' or 'refused' (with an error of a right kind); any other error is raised."""
    try:
        KINDS[kind](random.Random(seed))
    except STRICT.get(kind, ALLOWED):
        return "refused"
    return "ok"
