"""Index arrays are watched as long as they are referenced; afterwards they cost nothing, and no edit is lost."""

import copy
import gc
import threading

import numpy as np
import pytest

import tumble
from tests.robust.test_trusted_models import MODELS
from tumble import rollout
from tumble.engine.core import edits
from tumble.engine.tables.validate import INDICES

BALL = (
    '<mujoco><asset><material name="a"/><material name="b"/></asset><worldbody><body><freejoint/><geom size=".1" '
    'material="a"/></body></worldbody></mujoco>'
)


def ball():
    m = tumble.MjModel.from_xml_string(BALL)
    return m, tumble.MjData(m)


def settled(m, d):
    """Steps until arrays that were read are dropped."""
    tumble.mj_step(m, d)
    for _ in range(edits.LOOKS + 2):
        tumble.mj_step(m, d)


@pytest.mark.parametrize("text", MODELS.values(), ids=MODELS)
def test_reads_cost_nothing_later(text):
    """Arrays are watched only while they or their elements are referenced; afterwards nothing remains to compare."""
    m = tumble.MjModel.from_xml_string(text)
    d = tumble.MjData(m)
    for name in INDICES:
        getattr(m, name)
    kinds = m.body(1).jntnum, m.geom(0).type
    settled(m, d)
    assert set(m.storage.watched) == {"body_jntnum", "geom_type"}
    del kinds
    settled(m, d)
    assert m.storage.watched == {} and m.storage.table is None
    for name in INDICES:
        getattr(m, name)
    settled(m, d)
    assert m.storage.table is None


HOLDS = {
    "array": lambda x: x,
    "slice": lambda x: x[:1],
    "reshaped": lambda x: x.reshape(1, -1)[0],
    "transposed": lambda x: x.T[::-1][::-1],
    "bytes": lambda x: x.view(np.uint8).view(np.int32),
    "memory": lambda x: memoryview(x),
    "element": None,
}


@pytest.mark.parametrize("hold", HOLDS.values(), ids=HOLDS)
@pytest.mark.parametrize("wait", [False, True])
def test_what_somebody_holds_is_watched(hold, wait):
    m, d = ball()
    held = m.geom(0).matid if hold is None else hold(m.geom_matid)
    if wait:
        settled(m, d)
    for good in (1, 0):
        held[0] = good
        tumble.mj_step(m, d)
    held[0] = 7
    for _ in range(2):
        with pytest.raises(tumble.InvalidModel, match=r"geom_matid\[0\] is 7"):
            tumble.mj_step(m, d)
    held[0] = 1
    # an edit, after which the array is not referenced
    del held
    settled(m, d)
    assert m.storage.watched == {}
    m.geom_matid[0] = 7
    with pytest.raises(tumble.InvalidModel, match="geom_matid"):
        tumble.mj_step(m, d)
    m.geom_matid[0] = 0
    settled(m, d)
    assert m.storage.table is None


def test_large_arrays_are_dropped_at_once(monkeypatch):
    monkeypatch.setattr(edits, "LARGE", 1)
    m, d = ball()
    for name in INDICES:
        getattr(m, name)
    tumble.mj_step(m, d)
    assert m.storage.table is None
    held = m.geom_matid
    tumble.mj_step(m, d)
    assert set(m.storage.watched) == {"geom_matid"} and m.geom_matid is held
    held[0] = 7
    with pytest.raises(tumble.InvalidModel):
        tumble.mj_step(m, d)
    held[0] = 0
    tumble.mj_step(m, d)
    del held
    gc.collect()
    tumble.mj_step(m, d)
    assert m.storage.table is None
    # the array is freed before the next comparison, but the written value is still checked
    m.geom_matid[0] = 7
    with pytest.raises(tumble.InvalidModel):
        tumble.mj_step(m, d)


def test_the_same_array_at_each_access():
    m, d = ball()
    held = m.geom_matid
    for _ in range(3 * edits.LOOKS):
        tumble.mj_step(m, d)
        assert m.geom_matid is held
    assert type(held) is np.ndarray and held.flags.writeable and held.flags.c_contiguous and not held.flags.owndata


def test_a_copy_that_was_edited_is_checked_by_whatever_gets_it():
    """An edited copy is checked by every call that gets it, also if no Data was ever made for it."""
    m, d = ball()
    m.geom_matid[0] = 1
    other = copy.copy(m)
    other.geom_matid[0] = 7
    starts = np.zeros((2, tumble.mj_stateSize(m, int(tumble.mjtState.mjSTATE_FULLPHYSICS))))
    for call in (
        lambda: tumble.mj_step(other, d),
        lambda: tumble.mj_forward(other, d),
        lambda: tumble.MjData(other),
        lambda: tumble.mj_kinematics(other, d),
        lambda: rollout.rollout([m, other], tumble.MjData(m), starts, nstep=2),
    ):
        with pytest.raises(tumble.InvalidModel, match="geom_matid"):
            call()
    tumble.mj_step(m, d)


def test_threads_that_read_and_step():
    """Arrays come and go while other threads compare; a final edit is detected."""
    m, _ = ball()
    stop, wrong = [], []

    def work(step):
        d = tumble.MjData(m)
        try:
            while not stop:
                if step:
                    tumble.mj_step(m, d)
                else:
                    for name in ("geom_matid", "dof_parentid", "body_jntnum", "geom_type"):
                        x = getattr(m, name)
                        x[0] = int(x[0])
        except BaseException as error:
            wrong.append(error)

    threads = [threading.Thread(target=work, args=(k % 2,)) for k in range(4)]
    for t in threads:
        t.start()
    threading.Event().wait(1)
    stop.append(1)
    for t in threads:
        t.join()
    assert wrong == []
    m.geom_matid[0] = 7
    with pytest.raises(tumble.InvalidModel):
        tumble.mj_step(m, tumble.MjData(ball()[0]))
