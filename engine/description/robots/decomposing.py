"""Convex decomposition in another process, with a time limit. The package coacd cannot be interrupted, takes minutes for
some meshes, and crashes on others.

    decompose ─ closely, body by body ── too slow or failed ──▶ coarsely, as one body ──▶ convex pieces, or why there are none
"""

import importlib.util
import io
import json
import os
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from ...geom.mesh_read import MeshError
from ...machine.systems import QUIET
from .bodies import MOST, Body, bodies

EXTRA = "convex decomposition needs the package `coacd`: pip install tumble[robots]"
STOPPED = "the decomposition was stopped"
# The program of the other process: arrays in, arrays out. Messages that the package prints go to the error stream.
PROGRAM = """
import io, json, os, sys, threading
import numpy as np
out = os.fdopen(os.dup(1), "wb")
os.dup2(2, 1)
try:
    import resource
    resource.setrlimit(resource.RLIMIT_AS, (1 << 33, resource.getrlimit(resource.RLIMIT_AS)[1]))
    resource.setrlimit(resource.RLIMIT_CPU, (int(sys.argv[2]), int(sys.argv[2]) + 1))
    os.nice(5)
except (ImportError, ValueError, OSError):
    pass
# This limit also holds if the process that waits has ended.
limit = threading.Timer(float(sys.argv[3]), os._exit, (1,))
limit.daemon = True
limit.start()
import coacd
coacd.set_log_level("error")
data = sys.stdin.buffer.read()
given, made = io.BytesIO(data), io.BytesIO()
while given.tell() < len(data):
    mesh, most = coacd.Mesh(np.load(given), np.load(given)), int(np.load(given))
    for vert, face in coacd.run_coacd(mesh, seed=0, max_convex_hull=most, **json.loads(sys.argv[1])):
        np.save(made, np.asarray(vert, np.float64))
        np.save(made, np.asarray(face, np.int32))
out.write(made.getvalue())
out.flush()
"""
# PAUSE: seconds between checks of the other process. PATIENCE: elapsed time that an attempt may take, as a multiple of its
# limit of processor time. On a busy machine, an attempt takes longer, but gives the same pieces.
PAUSE, PATIENCE = 0.05, 3.0
# return code of a process that has used up its processor time
USED_UP = -24


@dataclass(frozen=True)
class Attempt:
    """Settings of one attempt, and its limit of processor time in seconds. `most`: the attempt is skipped for meshes with more
    triangles. `coarse`: whether the mesh is simplified first.
    """

    seconds: float
    most: int
    settings: Mapping[str, Any]
    coarse: bool = False


# `threshold` is the allowed concavity. How long a search takes depends more on the mesh than on the settings. A deep search
# finds fewer and better pieces, but does not end for some meshes for which a shallow one needs a second. Remeshing
# (preprocess_mode) makes the time independent of the mesh, but thickens its walls.
DEEP = {"threshold": 0.03, "mcts_max_depth": 3, "mcts_iterations": 60, "mcts_nodes": 20, "resolution": 300}
FAST = {"threshold": 0.05, "mcts_max_depth": 1, "mcts_iterations": 8, "mcts_nodes": 5, "resolution": 300}
ATTEMPTS = (
    Attempt(13.0, 20000, DEEP),
    Attempt(6.0, 20000, FAST),
    Attempt(11.0, sys.maxsize, {**FAST, "threshold": 0.1, "preprocess_mode": "on", "preprocess_resolution": 30}, True),
)
Pieces = list[tuple[np.ndarray, np.ndarray]]


def can_decompose() -> bool:
    """Return whether the package that decomposes meshes is installed. If it is not, EXTRA says what to install."""
    return importlib.util.find_spec("coacd") is not None


def convex_parts(
    vert: np.ndarray, face: np.ndarray, stop: threading.Event | None = None, tried: tuple[Attempt, ...] = ATTEMPTS
) -> tuple[Pieces, bool]:
    """Return (vertices and triangles of convex pieces, whether they are coarse). MeshError if the package is missing, if all
    attempts fail, or if `stop` is set."""
    if not can_decompose():
        raise MeshError(EXTRA)
    failures = []
    for attempt in tried:
        if len(face) > attempt.most:
            continue
        try:
            return run_apart(vert, face, attempt, stop.is_set if stop is not None else lambda: False), attempt.coarse
        except MeshError as error:
            if stop is not None and stop.is_set():
                raise
            failures.append(str(error))
    raise MeshError(f"it cannot be decomposed: {'; then '.join(dict.fromkeys(failures))}; a mesh with fewer triangles may work")


def run_apart(vert: np.ndarray, face: np.ndarray, attempt: Attempt, stopped: Callable[[], bool]) -> Pieces:
    """Run an attempt in another process; MeshError if it fails, takes too long or is stopped."""
    given, pieces = io.BytesIO(), []
    for body in [Body(vert, face, MOST)] if attempt.coarse else bodies(vert, face):
        if body.most == 1:
            pieces.append((body.vert, body.face))
            continue
        np.save(given, np.ascontiguousarray(body.vert, np.float64))
        np.save(given, np.ascontiguousarray(body.face, np.int32))
        np.save(given, body.most)
    if not given.tell():
        return pieces
    patience = PATIENCE * attempt.seconds
    limits = str(max(1, round(attempt.seconds))), str(patience)
    process = subprocess.Popen(
        [sys.executable, "-P", "-c", PROGRAM, json.dumps(dict(attempt.settings)), *limits],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        # Waiting threads of the package must not consume the limited processor time.
        env={**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, sys.path)), "OMP_WAIT_POLICY": "PASSIVE"},
        creationflags=QUIET,
    )
    late = time.monotonic() + patience
    rows: list[bytes] = []
    talk = threading.Thread(target=lambda: rows.append(process.communicate(given.getvalue())[0]), daemon=True)
    talk.start()
    while talk.is_alive() and time.monotonic() < late and not stopped():
        talk.join(PAUSE)
    unfinished = talk.is_alive()
    process.kill()
    talk.join()
    if stopped():
        raise MeshError(STOPPED)
    if unfinished or process.returncode == USED_UP:
        raise MeshError(f"the decomposition took longer than {attempt.seconds:g} s")
    if process.returncode:
        raise MeshError("the decomposition failed")
    return pieces + arrays_of(rows[0])


def arrays_of(data: bytes) -> Pieces:
    """Return the pieces that the other process wrote; MeshError if there are none."""
    file, found = io.BytesIO(data), []
    while file.tell() < len(data):
        found.append((np.load(file), np.load(file)))
    if not found:
        raise MeshError("the decomposition found no pieces")
    return found
