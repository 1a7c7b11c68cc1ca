"""Give a Data every field of the reference's, so that one stage can be run on the reference's inputs and compared
separately.
"""

import mujoco
import numpy as np

from tumble.engine.core import stages
from tumble.engine.core.data import FIRST_CAPACITY
from tumble.engine.tables.schema import INTERNAL

COUNTS = {"ncon": "ncon_cap", "nefc": "nefc_cap", "nJ": "nJ_cap", "nA": "nA_cap"}


def mirror(ref_data, d):
    """Copy all fields and counts that both have."""
    d.reserve({**FIRST_CAPACITY, **{cap: max(FIRST_CAPACITY[cap], getattr(ref_data, n)) for n, cap in COUNTS.items()}})
    for f in d.schema.scalars:
        if f.group not in INTERNAL and hasattr(ref_data, f.name):
            setattr(d, f.name, getattr(ref_data, f.name))
    for f in d.schema.arrays:
        # where a plugin instance keeps its data may differ
        if f.group in INTERNAL or f.group == "statistics" or f.name == "plugin_data":
            continue
        head, _, rest = f.name.partition("_")
        source = getattr(ref_data.contact, rest) if head == "contact" else getattr(ref_data, f.name, None)
        if source is not None:
            value = np.asarray(source)
            target = d.array(f.name)[: len(value)] if f.used else d.array(f.name)
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
