"""Rollouts on workers are bit-identical to local ones, whichever worker computes, dies, hangs or differs."""

import concurrent.futures
import importlib.util
import itertools
import os
import pathlib
import signal
import socket
import subprocess
import sys
import time

import numpy as np
import pytest

import tumble as mj
from tests.batch.scripts import BALLS, CART
from tumble import batch, rollout
from tumble.engine.batch import cluster as module

FULL = int(mj.mjtState.mjSTATE_FULLPHYSICS)
NBATCH, NSTEP = 40, 25
# seconds: short tasks, so that a test has many of them
SHORT = 0.005
SILENT = 3.0
# seconds in which a cluster of another package starts or ends
TO_START = 120


class Case:
    def __init__(self, xml):
        self.model = mj.MjModel.from_xml_string(xml)
        data = mj.MjData(self.model)
        row = np.zeros(mj.mj_stateSize(self.model, FULL))
        mj.mj_getState(self.model, data, row, FULL)
        self.initial = np.tile(row, (NBATCH, 1))
        random = np.random.default_rng(0)
        self.control = random.uniform(-1, 1, (NBATCH, NSTEP, self.model.nu))
        self.initial[:, 1 : 1 + min(2, self.model.nq)] += random.normal(size=(NBATCH, min(2, self.model.nq))) * 1e-3
        self.local = rollout.rollout(self.model, data, self.initial, self.control)

    def on(self, where, **arguments):
        return rollout.rollout(self.model, None, self.initial, self.control, cluster=where, **arguments)

    def check(self, got):
        for a, b in zip(got, self.local):
            assert a.tobytes() == b.tobytes() and a.shape == b.shape


@pytest.fixture(scope="module")
def cart():
    return Case(CART)


@pytest.fixture(scope="module")
def balls():
    return Case(BALLS)


# functions of misbehaving workers: a file says how many more times they misbehave
def dying(models, path, *arguments):
    if once_less(path):
        os.kill(os.getpid(), signal.SIGKILL)
    return rollout.compute_range(models, *arguments)


def silent(models, path, *arguments):
    if once_less(path):
        time.sleep(100 * SILENT)
    return rollout.compute_range(models, *arguments)


def wrong(models, *arguments):
    raise KeyError("no such thing")


def seen(models, *arguments):
    return os.getpid(), arguments


def once_less(path):
    """Remove the file; return whether there was one."""
    for name in sorted(pathlib.Path(path).iterdir()):
        try:
            name.unlink()
            return True
        except FileNotFoundError:
            continue
    return False


def spread(case, cluster, function, *first):
    """Concatenate the results."""

    def cut(start, stop):
        return *first, int(mj.mjtState.mjSTATE_CTRL), NSTEP, case.initial[start:stop], None, case.control[start:stop]

    parts = list(cluster.spread(function, [case.model], NBATCH, cut))
    assert [p[0] for p in parts] == [0, *(p[1] for p in parts[:-1])] and parts[-1][1] == NBATCH
    return [np.concatenate(x) for x in zip(*(p[2] for p in parts))]


# ---- bits ----------------------------------------------------------------------------------------------------------------
@pytest.mark.parametrize("workers", [1, 2, 4])
def test_processes_give_the_bits_of_local_rollouts(cart, balls, workers):
    with batch.Cluster(workers, seconds=SHORT) as cluster:
        cart.check(cart.on(cluster))
        balls.check(balls.on(cluster))
        # the workers have the model now
        cart.check(cart.on(cluster))


def test_any_executor_works_and_stays_open(cart):
    with concurrent.futures.ThreadPoolExecutor(2) as pool:
        cart.check(cart.on(pool))
        cart.check(cart.on(batch.Cluster(pool, seconds=SHORT)))
        assert pool.submit(int, "7").result() == 7


def test_results_stream_in_order(cart):
    with concurrent.futures.ThreadPoolExecutor(3) as pool:
        parts = list(rollout.stream(batch.Cluster(pool, seconds=SHORT), cart.model, cart.initial, cart.control))
    assert len(parts) > 3 and [p[0] for p in parts] == [0, *(p[1] for p in parts[:-1])]
    cart.check([np.concatenate([p[k] for p in parts]) for k in (2, 3)])


def test_results_go_into_given_arrays(cart):
    state, sensors = (np.zeros_like(x) for x in cart.local)
    with concurrent.futures.ThreadPoolExecutor(2) as pool:
        got = cart.on(pool, state=state, sensordata=sensors)
    cart.check(got)
    cart.check((state, sensors))


def test_a_model_each(cart):
    models = [mj.MjModel.from_xml_string(CART) for _ in range(3)]
    for k, m in enumerate(models):
        m.opt.timestep *= 1 + k
    each = [models[i % 3] for i in range(NBATCH)]
    expected = rollout.rollout(each, mj.MjData(models[0]), cart.initial, cart.control)
    with concurrent.futures.ThreadPoolExecutor(2) as pool:
        got = rollout.rollout(each, None, cart.initial, cart.control, cluster=batch.Cluster(pool, seconds=SHORT))
    assert got[0].tobytes() == expected[0].tobytes() != cart.local[0].tobytes()


# ---- workers that fail ---------------------------------------------------------------------------------------------------
@pytest.mark.skipif(not hasattr(signal, "SIGKILL"), reason="no such signal on this system")
def test_two_killed_workers_lose_nothing(cart, tmp_path):
    for k in range(2):
        (tmp_path / str(k)).touch()
    with batch.Cluster(2, seconds=SHORT) as cluster:
        cart.check(spread(cart, cluster, dying, str(tmp_path)))
    assert not list(tmp_path.iterdir())


@pytest.mark.skipif(not hasattr(signal, "SIGKILL"), reason="no such signal on this system")
def test_an_executor_of_the_callers_that_breaks_is_replaced(cart, tmp_path):
    (tmp_path / "0").touch()
    with module.processes(2) as pool, batch.Cluster(pool, seconds=SHORT) as cluster:
        cart.check(spread(cart, cluster, dying, str(tmp_path)))


@pytest.mark.skipif(not hasattr(signal, "SIGKILL"), reason="no such signal on this system")
def test_workers_that_die_again_and_again_are_an_error(cart, tmp_path):
    for k in range(20):
        (tmp_path / str(k)).touch()
    with batch.Cluster(1, attempts=2) as cluster, pytest.raises(batch.ClusterError, match="died|failed 2 times"):
        spread(cart, cluster, dying, str(tmp_path))


def test_what_a_silent_worker_had_is_computed_elsewhere(cart, tmp_path):
    (tmp_path / "0").touch()
    begin = time.monotonic()
    # the first task of a worker may load kernels
    with batch.Cluster(2, seconds=SHORT) as cluster:
        cart.check(cart.on(cluster))
        cluster.timeout = SILENT
        cart.check(spread(cart, cluster, silent, str(tmp_path)))
    assert time.monotonic() - begin < 90 * SILENT


def test_errors_of_the_function_are_the_callers(cart):
    with concurrent.futures.ThreadPoolExecutor(2) as pool, pytest.raises(KeyError, match="no such thing"):
        spread(cart, batch.Cluster(pool), wrong)


@pytest.mark.parametrize("k", range(len(module.identity())))
def test_workers_of_another_version_or_processor_are_refused(cart, monkeypatch, k):
    own = list(module.identity())
    answer = module.work(tuple(own), seen, [], {}, ())
    assert answer[0] == module.DONE
    own[k] = own[k][0], "another"
    monkeypatch.setattr(module, "identity", lambda: tuple(own))
    with module.processes(1) as pool, pytest.raises(batch.ClusterError, match=own[k][0]):
        cart.on(pool)


def test_a_model_is_sent_to_a_worker_once(cart):
    sizes = []

    class Counting(concurrent.futures.ThreadPoolExecutor):
        def submit(self, function, expected, task, keys, sent, *rest):
            sizes.append(len(sent))
            return super().submit(function, expected, task, keys, sent, *rest)

    with Counting(2) as pool:
        cart.check(cart.on(batch.Cluster(pool, seconds=SHORT / 10)))
    assert len(sizes) > 4 and sum(sizes) == 2


def test_a_worker_that_lacks_the_model_is_sent_it(cart):
    asked = []

    class Forgetful(concurrent.futures.ThreadPoolExecutor):
        def submit(self, function, expected, task, keys, sent, *rest):
            asked.append(len(sent))
            if len(asked) == 3:
                with module._lock:
                    module._models.clear()
            return super().submit(function, expected, task, keys, sent, *rest)

    with Forgetful(1) as pool:
        cart.check(cart.on(batch.Cluster(pool, seconds=SHORT / 10)))
    assert sum(asked) >= 2


# ---- batches -------------------------------------------------------------------------------------------------------------
def prepared(model):
    """A Batch whose worlds differ, after some steps."""
    b = batch.Batch(model, NBATCH, 1)
    b.expand("body_mass")[:] *= np.linspace(0.5, 2, NBATCH)[:, None]
    b.expand("opt.timestep")[:] = np.linspace(0.001, 0.004, NBATCH)
    b.set_const()
    b.qvel += np.random.default_rng(3).normal(size=b.qvel.shape) * 0.1
    b.step(nstep=3)
    return b


@pytest.mark.parametrize("ids", [None, np.arange(1, NBATCH, 3)], ids=["all", "some"])
@pytest.mark.parametrize("xml", [CART, BALLS], ids=["cart", "balls"])
def test_batches_roll_out_elsewhere_with_the_same_bits(xml, ids):
    model = mj.MjModel.from_xml_string(xml)
    here, there = prepared(model), prepared(model)
    n = NBATCH if ids is None else len(ids)
    control = np.random.default_rng(4).uniform(-1, 1, (n, NSTEP, model.nu))
    record = ("qpos", "sensordata", FULL)
    expected = here.rollout(NSTEP, control, record=record, ids=ids)
    before = there.state.copy()
    with batch.Cluster(2, seconds=SHORT) as cluster:
        got = there.rollout(NSTEP, control, record=record, ids=ids, cluster=cluster)
    assert list(got) == list(expected)
    assert all(got[k].tobytes() == expected[k].tobytes() for k in record)
    assert there.state.tobytes() == here.state.tobytes() != before.tobytes()
    assert there.warning.tobytes() == here.warning.tobytes()
    # the next call has the same bits, too
    here.step()
    there.step()
    assert there.state.tobytes() == here.state.tobytes()


def test_simulations_that_fail_elsewhere_fail_here(cart):
    b = batch.Batch(cart.model, NBATCH, 1)
    b.expand("opt.solver")[[3, 30]] = 77
    before = b.state.copy()
    with concurrent.futures.ThreadPoolExecutor(2) as pool, pytest.raises(batch.SimulationError) as caught:
        b.rollout(NSTEP, cluster=batch.Cluster(pool, seconds=SHORT))
    assert caught.value.ids.tolist() == [3, 30] and b.error(30) and not b.error(4)
    moved = (b.state != before).any(1)
    assert not moved[[3, 30]].any() and moved.sum() == NBATCH - 2


def test_what_batches_cannot_send_is_refused(cart):
    b = batch.Batch(cart.model, 2)
    b.bind("xpos")
    with pytest.raises(ValueError, match="bound or observed"):
        b.rollout(2, cluster=1)
    with pytest.raises(ValueError, match="persistent"):
        batch.Batch(cart.model, 2, persistent=True).rollout(2, cluster=1)


# ---- arguments -----------------------------------------------------------------------------------------------------------
def test_progress_ends_with_everything(cart):
    calls = []
    with concurrent.futures.ThreadPoolExecutor(2) as pool:
        cart.on(batch.Cluster(pool, seconds=SHORT, progress=lambda done, count: calls.append((done, count))))
    assert calls[-1] == (NBATCH, NBATCH) and calls == sorted(calls)


@pytest.mark.parametrize("where", [True, 1.5, object()])
def test_what_is_no_cluster(cart, where):
    with pytest.raises(TypeError, match="cluster needs"):
        cart.on(where)


def test_shapes_are_checked_before_workers_are_asked(cart):
    with pytest.raises(ValueError, match="trailing dimension"):
        rollout.rollout(cart.model, None, cart.initial[:, 1:], cart.control, cluster=object())
    with pytest.raises(ValueError, match="initial_state"):
        rollout.rollout(cart.model, None, None, cart.control, cluster=object())


def test_callbacks_of_this_process_are_refused(cart):
    mj.set_mjcb_control(lambda m, d: None)
    try:
        with pytest.raises(ValueError, match="this process only"):
            cart.on(1)
    finally:
        mj.set_mjcb_control(None)


# ---- extras --------------------------------------------------------------------------------------------------------------
@pytest.mark.skipif(importlib.util.find_spec("distributed") is None, reason="dask.distributed is not installed")
def test_dask(cart, tmp_path):
    """A cluster works through a client or any form of its scheduler's address, and is still usable afterwards."""
    from distributed import Client, LocalCluster

    with LocalCluster(n_workers=2, threads_per_worker=1, dashboard_address=None) as local, Client(local) as client:
        cart.check(cart.on(batch.Cluster(client, seconds=SHORT)))
        (tmp_path / "0").touch()
        cart.check(spread(cart, batch.Cluster(client, seconds=SHORT), dying, str(tmp_path)))
        address = local.scheduler_address
        for where in (address, "dask:" + address, address.replace("tcp://", "dask:")):
            with batch.Cluster(where, seconds=SHORT) as cluster:
                cart.check(cart.on(cluster))
        assert client.submit(sum, (1, 2)).result() == 3
    assert not list(tmp_path.iterdir())


@pytest.fixture
def ray_head(tmp_path):
    """Ports of a Ray cluster on this machine: for programs of the cluster, and for those outside of it."""
    pytest.importorskip("ray", reason="ray is not installed")
    ports = [str(free_port()) for _ in range(3)]
    names = ("--port", "--ray-client-server-port", "--dashboard-agent-listen-port")
    command = [sys.executable, "-m", "ray.scripts.scripts"]
    start = [*command, "start", "--head", "--num-cpus=2", "--include-dashboard=false", *itertools.chain(*zip(names, ports))]
    subprocess.run(start, check=True, timeout=TO_START, stdout=subprocess.DEVNULL)
    yield ports[:2]
    subprocess.run([*command, "stop", "--force"], check=True, timeout=TO_START, stdout=subprocess.DEVNULL)


def free_port():
    with socket.socket() as listening:
        listening.bind(("127.0.0.1", 0))
        return listening.getsockname()[1]


def test_ray(cart, tmp_path, ray_head):
    """A cluster works through every form of its address. They are used in turn: a process can have only one connection."""
    import ray

    inside, outside = ray_head
    (tmp_path / "0").touch()
    for where in ("auto", f"127.0.0.1:{inside}", f"ray://127.0.0.1:{outside}"):
        try:
            cart.check(cart.on(batch.Cluster(where, seconds=SHORT)))
            if where == "auto":
                cart.check(spread(cart, batch.Cluster(where, seconds=SHORT), dying, str(tmp_path)))
                assert not (tmp_path / "0").exists()
        finally:
            ray.shutdown()
