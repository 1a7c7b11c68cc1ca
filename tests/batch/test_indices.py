"""Per-simulation indices are checked before compiled code reads them, wherever they were written."""

import numpy as np
import pytest

import tumble
from tumble import batch

PAIR = """
<mujoco>
  <asset><material name="a"/><material name="b"/></asset>
  <worldbody>
    <body name="one"><joint axis="0 1 0"/><geom size=".1" pos=".3 0 0" material="a"/></body>
    <body name="two"><joint axis="0 1 0"/><geom size=".1" pos=".3 0 0" material="b"/></body>
  </worldbody>
  <sensor><framepos objtype="body" objname="one"/></sensor>
</mujoco>"""
# field, an index that is right for another simulation, one that the model does not have
FIELDS = {"geom_matid": (1, 10**6), "dof_bodyid": (2, -7), "sensor_objid": (2, 10**8)}


@pytest.fixture
def pair():
    return tumble.MjModel.from_xml_string(PAIR)


def made(m, name, **named):
    b = batch.Batch(m, 6, **{"lanes": False, "nthread": 2, **named})
    return b, b.expand(name).reshape(6, -1)


def drawn(b):
    b.at_reset(nothing)
    b.reset()


def nothing(m, d, i):
    d.time += 0.0


USES = {
    "step": lambda b: b.step(),
    "forward": lambda b: b.forward(),
    "reset": lambda b: b.reset(),
    "rollout": lambda b: b.rollout(2),
    "at_reset": drawn,
    "jac": lambda b: b.jac(1, np.zeros(3)),
    "ray": lambda b: b.ray(np.zeros(3), np.ones(3)),
}
ALONE = {"get_model": lambda b: b.get_model(3), "into a model": lambda b: b.get_model(3, tumble.MjModel.from_xml_string(PAIR))}


@pytest.mark.parametrize("use", [*USES, *ALONE])
@pytest.mark.parametrize("name", FIELDS)
def test_every_way_to_compiled_code(pair, name, use):
    b, rows = made(pair, name)
    call, bad = {**USES, **ALONE}[use], FIELDS[name][1]
    kept = int(rows[3, 0])
    rows[3, 0] = bad
    for _ in range(2):
        with pytest.raises(tumble.InvalidModel, match=name):
            call(b)
    rows[3, 0] = kept
    call(b)


@pytest.mark.parametrize("name", FIELDS)
def test_constants(pair, name):
    """The simulation with a wrong index fails; the others keep their own indices."""
    b, rows = made(pair, name)
    mass = b.expand("body_mass")
    mass[:, 1] = np.arange(1, 7)
    rows[3, 0] = FIELDS[name][1]
    with pytest.raises(batch.SimulationError, match=name) as failed:
        b.set_const()
    assert failed.value.ids.tolist() == [3] and b.expanded("body_subtreemass")[2, 0] > 3


@pytest.mark.filterwarnings("ignore:no lanes")
@pytest.mark.parametrize("lanes", [False, True])
def test_functions_that_write_indices(pair, lanes):
    """At a restart, valid indices take effect. A wrong one is an error that names it, and reaches no kernel."""
    b, rows = made(pair, "geom_matid", lanes=lanes)
    ended, value = np.zeros(6, bool), np.zeros(1, np.int32)

    def choose(m, d, i, rows, value):
        rows[2 * i] = value[0]

    b.at_reset(choose, b.expand("geom_matid"), value)
    b.restart(ended)
    ended[4] = True
    for good in (1, 0, -1):
        value[0] = good
        b.step(nstep=3)
        assert rows[:, 0].tolist() == [0, 0, 0, 0, good, 0] and b.get_model(4).geom_matid.tolist() == [good, 1]
    value[0] = 77
    with pytest.raises(tumble.InvalidModel, match=r"geom_matid\[0\] is 77"):
        b.step(nstep=3)
    rows[4, 0] = 1
    ended[:] = False
    b.step()


def test_edits_of_the_shared_model_count_for_all(pair):
    """Edits of shared options and damping affect all worlds, whatever fields are expanded, with and without lanes."""
    found = []
    for own in ((), ("geom_friction",), ("opt.gravity",), ("body_mass", "opt.wind")):
        for lanes in (False, True):
            b = batch.Batch(pair, 8, nthread=1, lanes=lanes)
            for name in own:
                b.expand(name)
            b.step()
            b.shared_model.opt.timestep = 0.01
            b.shared_model.opt.density = 1000.0
            b.shared_model.dof_damping[:] = 0.5
            b.step(nstep=5)
            found.append(b.qpos[3].copy())
            assert b.state[0, 0] == pytest.approx(0.002 + 0.05)
    assert np.ptp(found, axis=0).max() < 1e-12 and abs(found[0]).min() > 1e-4
