"""Recompilation of a spec during a simulation, which keeps the state of existing elements."""

import numpy as np

from ...core.data import MjData
from ...core.model import MjModel
from ...tables.compat_rows import holds
from ..elements.element import Element
from ..elements.elements import MjsJoint, need
from ..elements.spec import MjSpec
from ..language.types import JOINT_NQ, JOINT_NV
from .driver import compile_spec


def recompile(spec: MjSpec, model: MjModel, data: MjData) -> tuple[MjModel, MjData]:
    """Return a new model and data. They keep the time, and the state of elements that the old model had."""
    wide = holds("state_kept", spec.compat_bits)
    old = _state_rows(spec, need("recompile", model, MjModel), wide)
    kept = {
        (e, name): np.array(getattr(need("recompile", data, MjData), name).ravel()[start : start + n])
        for e, name, start, n in old
    }
    m = compile_spec(spec)
    d = MjData(m)
    for e, name, start, n in _state_rows(spec, m, wide):
        values = kept.get((e, name))
        if values is not None and len(values) == n:
            getattr(d, name).reshape(-1)[start : start + n] = values
    d.time = data.time
    return m, d


def _state_rows(spec: MjSpec, m: MjModel, wide: bool) -> list[tuple[Element | MjsJoint, str, int, int]]:
    """Return [(element, field of Data, start, count)] of all state; the starts are those in the last compiled model. `wide`:
    include external inputs and the warm start.
    """
    rows = []
    for j in spec.items("joint"):
        if 0 <= j.index < m.njnt:
            kind = int(m.jnt_type[j.index])
            rows.append((j, "qpos", int(m.jnt_qposadr[j.index]), JOINT_NQ[kind]))
            rows.append((j, "qvel", int(m.jnt_dofadr[j.index]), JOINT_NV[kind]))
            if wide:
                rows += [(j, name, int(m.jnt_dofadr[j.index]), JOINT_NV[kind]) for name in ("qfrc_applied", "qacc_warmstart")]
    for a in spec.parts["actuator"]:
        if 0 <= a.index < m.nactuator:
            rows.append((a, "ctrl", int(m.actuator_ctrladr[a.index]), int(m.actuator_ctrlnum[a.index])))
            if m.actuator_actadr[a.index] >= 0:
                rows.append((a, "act", int(m.actuator_actadr[a.index]), int(m.actuator_actnum[a.index])))
    for b in spec.all_bodies():
        if 0 <= b.index < m.nbody and m.body_mocapid[b.index] >= 0:
            k = int(m.body_mocapid[b.index])
            rows += [(b, "mocap_pos", 3 * k, 3), (b, "mocap_quat", 4 * k, 4)]
        if wide and 0 <= b.index < m.nbody:
            rows.append((b, "xfrc_applied", 6 * b.index, 6))
    if wide:
        rows += [(e, "eq_active", e.index, 1) for e in spec.parts["equality"] if 0 <= e.index < m.neq]
    return rows
