"""Large arrays between processes on one machine: nothing is lost, and no memory remains allocated."""

import errno
import os
import pathlib
import tempfile

import numpy as np
import pytest

import tumble as mj
from tests.batch.scripts import CART
from tumble import batch, rollout
from tumble.engine.batch import parcels

VALUES = {
    "arrays": (
        np.arange(7.0),
        np.arange(12, dtype=np.int32).reshape(3, 4),
        np.zeros((0, 3)),
        "text",
        {"k": np.ones(5, np.uint8)},
    ),
    "columns": (np.asfortranarray(np.arange(12.0).reshape(3, 4)), np.arange(20.0)[::2]),
    "one": np.arange(100.0),
}


@pytest.fixture
def where(tmp_path, monkeypatch):
    monkeypatch.setattr(parcels, "LEAST", 1)
    return str(tmp_path)


def equal(a, b):
    if isinstance(a, np.ndarray):
        return a.dtype == b.dtype and a.shape == b.shape and a.tobytes() == b.tobytes()
    if isinstance(a, tuple):
        return len(a) == len(b) and all(map(equal, a, b))
    return all(equal(a[k], b[k]) for k in a) if isinstance(a, dict) else a == b


@pytest.mark.parametrize("name", VALUES)
def test_what_arrives_is_what_was_sent_and_can_be_written(where, name):
    sent = parcels.wrapped(VALUES[name], where)
    assert isinstance(sent, parcels.Parcel) and len(os.listdir(where)) == 1
    got = parcels.unwrapped(sent)
    assert equal(VALUES[name], got) and not os.listdir(where)
    first = got if name == "one" else got[0]
    first[...] = 3
    assert (first == 3).all()


def test_small_values_and_those_without_arrays_go_as_they_are(where, monkeypatch):
    assert parcels.wrapped(("text", 3), where) == ("text", 3)
    assert parcels.wrapped(VALUES["one"], "") is VALUES["one"]
    monkeypatch.setattr(parcels, "LEAST", 1 << 20)
    assert parcels.wrapped(VALUES["one"], where) is VALUES["one"]


def test_without_room_values_go_as_they_are(where, monkeypatch):
    made = tempfile.mkstemp

    class Full:
        def __init__(self, file, _):
            os.close(file)

        def __enter__(self):
            return self

        def __exit__(self, *_):
            return None

        def write(self, _):
            raise OSError(errno.ENOSPC, "no room")

    monkeypatch.setattr(parcels.os, "fdopen", Full)
    assert parcels.wrapped(VALUES["one"], where) is VALUES["one"] and not os.listdir(where)
    assert parcels.wrapped(VALUES["one"], where + "/gone") is VALUES["one"] and tempfile.mkstemp is made


@pytest.mark.skipif(not os.access(parcels.MEMORY, os.W_OK), reason="files are no memory on this system")
def test_rollouts_of_many_numbers_leave_nothing_behind():
    m = mj.MjModel.from_xml_string(CART)
    initial = np.zeros((200, mj.mj_stateSize(m, mj.mjtState.mjSTATE_FULLPHYSICS)))
    control = np.random.default_rng(0).normal(size=(200, 800, m.nu))
    local = rollout.rollout(m, mj.MjData(m), initial, control)
    assert min(control.nbytes, local[0].nbytes) > parcels.LEAST
    with batch.Cluster(2) as c:
        folder = pathlib.Path(c.pool().folder)
        got = rollout.rollout(m, None, initial, control, cluster=c)
        assert folder.parent == parcels.MEMORY and not os.listdir(folder)
    assert not folder.exists() and all(map(equal, local, got))
