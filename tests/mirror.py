"""Give a Data every field of the reference's, so that one stage can be run on the reference's inputs and compared
separately.
"""

import mujoco
import numpy as np

from tumble.engine.core import stages
from tumble.engine.core.data import FIRST_CAPACITY
from tumble.engine.tables.schema import INTERNAL, SCHEMAS

COUNTS = {"ncon": "ncon_cap", "nefc": "nefc_cap", "nJ": "nJ_cap", "nA": "nA_cap"}


# addresses of a plugin instance's data may differ
SCALARS = [f.name for f in SCHEMAS["MjData"].scalars if f.group not in INTERNAL and hasattr(mujoco.MjData, f.name)]
ARRAYS = [
    f for f in SCHEMAS["MjData"].arrays if f.group not in INTERNAL and f.group != "statistics" and f.name != "plugin_data"
]
CONTACTS = [(f.name, f.name.partition("_")[2], bool(f.used)) for f in ARRAYS if f.name.startswith("contact_")]
OTHERS = [(f.name, bool(f.used)) for f in ARRAYS if hasattr(mujoco.MjData, f.name) and not f.name.startswith("contact_")]


def mirror(ref_data, d):
    """Copy all fields and counts that both have."""
    wanted = {**FIRST_CAPACITY, **{cap: max(FIRST_CAPACITY[cap], getattr(ref_data, n)) for n, cap in COUNTS.items()}}
    if wanted != d.capacities:
        d.reserve(wanted)
    for name in SCALARS:
        setattr(d, name, getattr(ref_data, name))
    contact = ref_data.contact
    for name, rest, used in CONTACTS:
        put(d.array(name), getattr(contact, rest), used)
    for name, used in OTHERS:
        put(d.array(name), getattr(ref_data, name), used)


def put(target, value, used):
    """Copy an array of the reference, of a growable field its used rows."""
    value = np.asarray(value)
    if used:
        target = target[: len(value)]
    target[...] = value.reshape(target.shape)


def random_state(ref, ref_data, seed=0, spread=0.3):
    """Set the reference's data to a random state near its initial one, and run its forward dynamics."""
    rng = np.random.default_rng(seed)
    mujoco.mj_resetData(ref, ref_data)
    mujoco.mj_integratePos(ref, ref_data.qpos, rng.normal(0, spread, ref.nv), 1)
    ref_data.qvel = rng.normal(0, 1, ref.nv)
    ref_data.act = rng.uniform(0, 1, ref.na)
    ref_data.ctrl = rng.uniform(-1, 1, ref.nu)
    ref_data.xfrc_applied = rng.normal(0, 1, (ref.nbody, 6)) * (rng.uniform(size=(ref.nbody, 1)) < 0.3)
    mujoco.mj_forward(ref, ref_data)


def compare(name, ref_data, m, d, outputs, *, poison=True):
    """Run a stage on mirrored inputs with poisoned outputs; {output: largest difference relative to the output's size (at
    least 1)}.
    """
    mirror(ref_data, d)
    if poison:
        d.poison(*outputs)
    stages.call(name, m, d)
    return {n: difference(d.array(n), getattr(ref_data, n)) for n in outputs}


def difference(mine, theirs):
    """Largest absolute difference over the largest size of a number, the size taken as at least 1."""
    mine, theirs = np.asarray(mine, float), np.asarray(theirs, float).reshape(np.shape(mine))
    if not mine.size:
        return 0.0
    worst = np.abs(mine - theirs).max() / max(1.0, np.abs(theirs).max())
    return np.inf if np.isnan(worst) else float(worst)
