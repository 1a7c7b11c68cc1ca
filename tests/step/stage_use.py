"""Which stages models really use: run with XML texts on standard input (JSON), in a process of its own
whose table of stages starts empty.
"""

import json
import sys

import numpy as np

import tumble
from tumble.engine.core import plugin, stages
from tumble.engine.machine import jit
from tumble.engine.step.needs import needed
from tumble.engine.tables import stage_rows

STEPS = 12
used = set()


def watch():
    """Note every stage whose address is taken or that is called from Python."""
    address, call = jit.Stage.address.fget, jit.Stage.__call__

    def take(self):
        used.add(self.name)
        return address(self)

    def enter(self, *args):
        used.add(self.name)
        return call(self, *args)

    jit.Stage.address, jit.Stage.__call__ = property(take), enter


def forget():
    """As in a new process: no stage is known."""
    used.clear()
    stages.TABLE[list(stage_rows.NAME)] = 0
    plugin.TABLE[:, [plugin.COLUMN[name] for name in plugin.SIGNATURES]] = 0


def visit(xml):
    """(stages of the table that were used, stages that were foreseen) of loading a model, stepping
    it and what the viewer does beside.
    """
    forget()
    m = tumble.MjModel.from_xml_string(xml) if xml.lstrip().startswith("<") else tumble.MjModel.from_xml_path(xml)
    d, copy = tumble.MjData(m), tumble.MjData(m)
    tumble.mj_forward(m, d)
    rng = np.random.default_rng(0)
    for k in range(STEPS):
        if m.nkey and k < m.nkey:
            tumble.mj_resetDataKeyframe(m, d, k)
        d.ctrl[:] = rng.normal(size=m.nu)
        tumble.mj_step(m, d)
    if d.ncon:
        tumble.mj_contactForce(m, d, 0, np.zeros(6))
    state = np.zeros(tumble.mj_stateSize(m, tumble.mjtState.mjSTATE_INTEGRATION))
    tumble.mj_getState(m, d, state, tumble.mjtState.mjSTATE_INTEGRATION)
    tumble.mj_copyData(copy, m, d)
    tumble.mj_resetData(m, d)
    tumble.mj_forward(m, d)
    return sorted(used & set(stage_rows.NUMBER)), needed(m)


if __name__ == "__main__":
    watch()
    json.dump({name: visit(xml) for name, xml in json.load(sys.stdin).items()}, sys.stdout)
