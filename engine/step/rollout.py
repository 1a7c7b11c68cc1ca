"""Simulates many trajectories, each in one compiled call, on threads that share models and have one Data each. Results do not
depend on the number of threads.
"""

import concurrent.futures
import os
import queue
import threading
from typing import Any

import numpy as np

from ..core import hooks, owner, stages
from ..core.data import MjData
from ..core.pace import SLICE, Pace
from ..core.stages import OK, stage_address
from ..core.turns import BatchInUse, Turn, inherited
from ..machine import jit
from ..machine.jit import kernel, stage
from ..machine.lang import array_at, invoke_skip, longs_at
from ..tables.enums import mjtState, mjtWarning
from ..tables.stage_rows import stage_id
from .reset import set_quaternions
from .state import CTRL, EQ_ACTIVE, MOCAP_POS, MOCAP_QUAT, QFRC, XFRC, transfer_state

STEP_SKIP = stage_id("step_skip")
FULL, WARNINGS = int(mjtState.mjSTATE_FULLPHYSICS), int(mjtWarning.mjNWARNING)
# Cells of a trajectory's description. The address of an omitted input or result is 0.
STEPS, SPEC, NSTATE, NCONTROL, INITIAL, WARM, CONTROL, STATE, SENSOR, CELLS = range(10)


# ---- compiled ------------------------------------------------------------------------------------------------------------
@kernel
def begin(m, d, job):
    """Set the initial state and the warm start. Clear inputs that the trajectory's controls do not include."""
    spec = job[SPEC]
    if spec & CTRL == 0:
        for i in range(m.nu):
            d.ctrl[i] = 0.0
        set_quaternions(m, d)
    if spec & QFRC == 0:
        for i in range(m.nv):
            d.qfrc_applied[i] = 0.0
    if spec & XFRC == 0:
        for b in range(m.nbody):
            for k in range(6):
                d.xfrc_applied[b, k] = 0.0

    for b in range(m.nbody):
        k = m.body_mocapid[b]
        if k >= 0 and spec & MOCAP_POS == 0:
            for c in range(3):
                d.mocap_pos[k, c] = m.body_pos[b, c]
        if k >= 0 and spec & MOCAP_QUAT == 0:
            for c in range(4):
                d.mocap_quat[k, c] = m.body_quat[b, c]

    if spec & EQ_ACTIVE == 0:
        for i in range(m.neq):
            d.eq_active[i] = m.eq_active0[i]
    transfer_state(m, d, array_at(job[INITIAL], job[NSTATE]), FULL, True)
    for i in range(m.nv):
        d.qacc_warmstart[i] = array_at(job[WARM], m.nv)[i] if job[WARM] != 0 else 0.0
    for k in range(WARNINGS):
        d.warning_number[k] = 0


@kernel
def record(m, d, job, t):
    """Copy state and sensor values after step t to the results."""
    if job[STATE] != 0:
        transfer_state(m, d, array_at(job[STATE] + 8 * t * job[NSTATE], job[NSTATE]), FULL, False)
    if job[SENSOR] != 0:
        out = array_at(job[SENSOR] + 8 * t * m.nsensordata, m.nsensordata)
        for k in range(m.nsensordata):
            out[k] = d.sensordata[k]


@stage("iMDii")
def roll_out(m, d, address, first):
    """reads a description of CELLS integers at an address; writes states and sensors of the trajectory, starting at step
    `first`.

    Return the number of steps made, which is less than requested if a step was interrupted. After a warning, the last results
    are repeated.
    """
    job = longs_at(address, CELLS)
    if first == 0:
        begin(m, d, job)
    step = stage_address(d, STEP_SKIP)
    if step == 0:
        return first

    steps = job[STEPS]
    for t in range(first, steps):
        failed = False
        for k in range(WARNINGS):
            if d.warning_number[k] > 0:
                failed = True
        if failed:
            for rest in range(t, steps):
                record(m, d, job, rest)
            return steps

        if job[CONTROL] != 0:
            n = job[NCONTROL]
            transfer_state(m, d, array_at(job[CONTROL] + 8 * t * n, n), job[SPEC], True)
        invoke_skip(step, m, d, 0, 0)
        if d.status != OK:
            return t
        record(m, d, job, t)
    return steps


# ---- threads -------------------------------------------------------------------------------------------------------------
class Trajectories:
    """The arrays of a batch of trajectories, and each trajectory's description."""

    def __init__(
        self,
        models: Any,
        steps: int,
        spec: int,
        initial: np.ndarray,
        warm: Any,
        control: Any,
        state: Any,
        sensor: Any,
        ncontrol: int,
    ) -> None:
        self.models, self.steps, self.failed = models, steps, threading.Event()
        self.arrays = initial, warm, control, state, sensor
        jobs = np.zeros((len(models), CELLS), np.int64)
        jobs[:, STEPS], jobs[:, SPEC], jobs[:, NSTATE], jobs[:, NCONTROL] = steps, spec, initial.shape[-1], ncontrol
        for cell, x in zip((INITIAL, WARM, CONTROL, STATE, SENSOR), self.arrays, strict=True):
            if x is not None and x.size:
                jobs[:, cell] = x.ctypes.data + np.arange(len(models)) * x.strides[0]
        self.jobs = jobs

    def run(self, d: MjData, start: int, end: int) -> None:
        """Run trajectories `start` to `end` with one Data."""
        with owner.inside(d, "rollout"):
            self._run(d, start, end)

    def _run(self, d: MjData, start: int, end: int) -> None:
        entry, pace = jit.Stage.registry["roll_out"], Pace(d.storage.pace)
        for r in range(start, end):
            m, done = self.models[r], 0
            hooks.register(m, d)
            stages.check_edits(m, d)
            while done < self.steps:
                if self.failed.is_set():
                    return
                d.status = OK
                before, self.jobs[r, STEPS] = done, min(self.steps, done + pace.steps)
                done = entry(m.storage.address, d.storage.address, self.jobs[r].ctypes.data, done)
                # A step that was interrupted has changed nothing: remove the cause, and repeat this step.
                if d.status != OK:
                    stages.recover(d, m)
                pace.update(done - before)
                d.storage.pace = pace.steps


class Pool:
    """Threads that process chunks of a batch. Without threads, the caller does all the work."""

    def __init__(self, threads: int) -> None:
        self.threads = threads
        # Calls may overlap, because each call has its own Data.
        self._turn = Turn("the Rollout", shared=True)
        self._start()

    def _start(self) -> None:
        self._process = os.getpid()
        self._executor = concurrent.futures.ThreadPoolExecutor(self.threads, "rollout") if self.threads else None

    def run(self, batch: Any, data: Any, chunk: int | None = None) -> None:
        """Run a batch on the given Data, one per thread. Raise BatchInUse if called from within a call of the same pool, whose
        threads would wait for themselves.
        """
        with self._turn.call("Rollout.rollout"):
            self._run(batch, data, chunk)

    def _run(self, batch: Any, data: Any, chunk: int | None) -> None:
        count = len(batch.models)
        stages.ensure("roll_out")
        if self._executor is None or count == 1:
            batch.run(data[0], 0, count)
            return

        # A fork does not inherit threads.
        if self._process != os.getpid():
            self._start()

        chunk = max(1, count // (10 * self.threads)) if chunk is None else chunk
        free = queue.SimpleQueue()
        for d in data:
            free.put(d)

        def work(start: Any) -> None:
            d = free.get()
            try:
                batch.run(d, start, min(start + chunk, count))
            except BaseException:
                batch.failed.set()
                raise
            finally:
                free.put(d)

        work = inherited(work)
        futures = [self._executor.submit(work, start) for start in range(0, count, chunk)]
        try:
            for future in futures:
                # Wait with timeouts: an unlimited wait would not notice a signal that another thread has received.
                while not future.done():
                    concurrent.futures.wait([future], SLICE)
                    if self._process != os.getpid():
                        raise BatchInUse("a callback forked the process: a rollout cannot be completed without its threads")
                future.result()
        finally:
            # Wait for all threads, even after an error or a signal: none of them may use the data after this returns.
            batch.failed.set()
            if self._process == os.getpid():
                concurrent.futures.wait(futures)

    def close(self) -> None:
        """Stop the threads. Raise BatchInUse during a call."""
        with self._turn.change("Rollout.close"):
            # A forked process has no threads to wait for.
            if self._executor is not None and self._process == os.getpid():
                self._executor.shutdown()
            self._executor = None
