"""Growth of contacts and rows: an allocation that fails changes nothing, and a limit of each Data drops what does not
fit, with warnings.
"""

import copy
import pickle
import subprocess
import sys

import numpy as np
import pytest

import tumble
from tests.app.driver import ROOT
from tests.tolerance import EXACT, close
from tumble.engine.core import data as data_module
from tumble.engine.core import report
from tumble.engine.machine import storage
from tumble.engine.tables.schema import NEEDS

COUNT = 40
CONTACTFULL, CNSTRFULL = int(tumble.mjtWarning.mjWARN_CONTACTFULL), int(tumble.mjtWarning.mjWARN_CNSTRFULL)
PAIRS = COUNT * (COUNT - 1) // 2
SECONDS = 300


def heap(jacobian="sparse", solver="Newton", count=COUNT):
    """Spheres of which each touches all others."""
    bodies = "".join(f'<body pos="{k * 1e-3} 0 0"><freejoint/><geom size=".5"/></body>' for k in range(count))
    m = tumble.MjModel.from_xml_string(
        f'<mujoco><option jacobian="{jacobian}" solver="{solver}"/><worldbody>{bodies}</worldbody></mujoco>'
    )
    return m, tumble.MjData(m)


def spread(d):
    """Move the spheres apart, except two that touch."""
    d.qpos[0::7] = 2.0 * np.arange(COUNT)
    d.qpos[0] = d.qpos[7] - 0.99


@pytest.fixture
def told(monkeypatch):
    """Texts of warnings."""
    texts = []
    monkeypatch.setattr(report, "user_warning", texts.append)
    return texts


@pytest.mark.parametrize("failing", range(1, 4))
def test_an_allocation_that_fails_leaves_a_usable_data(monkeypatch, failing):
    """One allocation for growth in the first step fails: it changes nothing, and later steps are correct."""
    m, d = heap()
    other = tumble.MjData(m)
    calls, real = [], storage.aligned_bytes

    def allocate(count):
        calls.append(count)
        if len(calls) == failing:
            raise MemoryError("none left")
        return real(count)

    monkeypatch.setattr(storage, "aligned_bytes", allocate)
    with pytest.raises(MemoryError, match="none left"):
        tumble.mj_step(m, d)
    assert d.ncon == d.nefc == 0 and all(getattr(d, need) == 0 for need in NEEDS.values()) and d.time == 0
    assert {n: d.array(n).shape[0] for n in ("contact_dist", "efc_D")} == {
        "contact_dist": d.capacities["ncon_cap"],
        "efc_D": d.capacities["nefc_cap"],
    }
    monkeypatch.undo()
    for data in (d, other):
        tumble.mj_resetData(m, data)
        spread(data)
        tumble.mj_step(m, data, 3)
    assert d.ncon == other.ncon == 1
    close(d.qpos, other.qpos, EXACT, "after the failure")
    # this Data can still grow
    tumble.mj_resetData(m, d)
    tumble.mj_step(m, d)
    assert d.ncon == PAIRS


UNDER_PRESSURE = """
import resource
import tumble
text = {text!r}
m = tumble.MjModel.from_xml_string(text)
d, e = tumble.MjData(m), tumble.MjData(m)
# everything is loaded and compiled before memory is short
tumble.mj_step(m, e)
used = int(open("/proc/self/statm").read().split()[0]) * 4096
resource.setrlimit(resource.RLIMIT_AS, (used + {room}, used + {room}))
for _ in range(3):
    try:
        tumble.mj_step(m, d)
    except MemoryError:
        print("short")
    tumble.mj_resetData(m, d)
d.qpos[::7] = 2.0 * __import__("numpy").arange(m.nq // 7)
tumble.mj_step(m, d)
print(d.ncon, d.time)
"""


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="limits the address space")
def test_a_machine_without_memory():
    text = "<mujoco><worldbody>" + '<body><freejoint/><geom size=".5"/></body>' * 200 + "</worldbody></mujoco>"
    code = UNDER_PRESSURE.format(text=text, room=30 << 20)
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=SECONDS, cwd=ROOT)
    assert done.stdout.split() == ["short"] * 3 + ["0", "0.002"], done.stderr


def test_contacts_beyond_the_limit_are_dropped(told):
    m, free = heap()
    tumble.mj_forward(m, free)
    assert free.ncon == PAIRS and free.memory_limit == data_module.MEMORY_LIMIT
    d = tumble.MjData(m)
    d.memory_limit = 300_000
    tumble.mj_step(m, d, 2)
    assert 0 < d.ncon < PAIRS and d.storage.growable.nbytes < d.memory_limit + 4096
    assert d.warning[CONTACTFULL].number == 2 and d.warning[CONTACTFULL].lastinfo == d.ncon
    assert len([t for t in told if "memory_limit" in t and f"only {d.ncon} of {PAIRS} contacts are kept" in t]) == 1
    assert np.isfinite(d.qvel).all() and d.time == 2 * m.opt.timestep
    # the kept contacts are the first ones, complete
    tumble.mj_resetData(m, d)
    tumble.mj_forward(m, d)
    close(d.contact.dist, free.contact.dist[: d.ncon], EXACT, "distances")
    assert (d.contact.geom == free.contact.geom[: d.ncon]).all()
    # more room is used as soon as it is allowed
    d.memory_limit = 1 << 30
    tumble.mj_resetData(m, d)
    tumble.mj_forward(m, d)
    assert d.ncon == PAIRS and d.warning[CONTACTFULL].number == 0
    close(d.qacc, free.qacc, EXACT, "accelerations")


def test_rows_that_do_not_fit_leave_a_step_without_constraints(told):
    m, d = heap()
    d.memory_limit = 1_200_000
    tumble.mj_step(m, d, 2)
    assert d.ncon == PAIRS and d.nefc == 0 and (d.contact.efc_address == -1).all()
    assert d.warning[CNSTRFULL].number == 2 and d.warning[CNSTRFULL].lastinfo == m.narena
    # the engine's own words, then those of the counted warning
    assert (
        len(told) == 2
        and "constraint rows are left out" in told[0]
        and "memory_limit" in told[0]
        and "number of constraints" in told[1]
    )
    close(d.qvel[2::6], np.full(COUNT, -9.81 * 2 * m.opt.timestep), 1e-12, "all fall freely")


@pytest.mark.parametrize("solver", ["PGS", "Newton"])
def test_what_cannot_be_left_out_is_an_error_that_names_the_limit(solver):
    m, free = heap("dense", solver, COUNT // 2)
    tumble.mj_step(m, free)
    d = tumble.MjData(m)
    d.memory_limit = free.storage.growable.nbytes // 2
    with pytest.raises(MemoryError, match="memory_limit"):
        for share in np.linspace(0.99, 0.5, 50):
            d = tumble.MjData(m)
            d.memory_limit = int(share * free.storage.growable.nbytes)
            tumble.mj_step(m, d)
    assert d.time == 0 and d.nefc == 0
    d.memory_limit = 1 << 30
    tumble.mj_step(m, d)
    close(d.qpos, free.qpos, EXACT, "after more was allowed")


def test_a_pass_that_runs_again_counts_once(told):
    """If contacts are dropped and a lack of room for rows then repeats the step, the drop is counted once."""
    m, d = heap()
    d.reserve({**d.capacities, "ncon_cap": 10, "nefc_cap": 1})
    d.full = 1
    tumble.mj_step(m, d)
    assert d.ncon == 10 and d.warning[CONTACTFULL].number == 1


def test_adding_contacts_beyond_the_limit(told):
    m, d = heap()
    d.memory_limit = 0
    contact = tumble.MjContact()
    results = [tumble.mj_addContact(m, d, contact) for _ in range(40)]
    assert results == [0] * d.ncon + [1] * (40 - d.ncon) and d.ncon == d.capacities["ncon_cap"]
    assert d.warning[CONTACTFULL].number == 40 - d.ncon


def test_copies_keep_the_limit():
    _, d = heap()
    d.memory_limit = 12_345_678
    for again in (copy.copy(d), copy.deepcopy(d), pickle.loads(pickle.dumps(d))):
        assert again.memory_limit == 12_345_678
    with pytest.raises(TypeError):
        d.memory_limit = -1
