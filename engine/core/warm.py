"""Compile stages ahead of use, in worker processes that fill the shared object cache.

Compiling holds one lock per process, so both cores are used by processes. A worker reads stage names from standard input and
answers each with one line; the parent hands out names, longest modules first, and reports progress.
"""
import os
import pathlib
import queue
import subprocess
import sys
import threading
import time
import traceback
from typing import Any

from . import stages

# the folder that a worker must find the package in
HOME = pathlib.Path(sys.modules[__name__.partition(".")[0]].__path__[0]).parent


def missing(names) -> list[Any]:
    """Those stages of a list whose compiled code is not in the cache."""
    return [n for n in names if not stages.find(n).cached]


def cost(name) -> int:
    """Rough compile time: the size of the stage's module."""
    return pathlib.Path(stages.find(name).path).stat().st_size


def warmup(names=None, workers=None, progress=None) -> dict[Any, Any]:
    """Compile what is not cached of `names` (default: every stage). progress(done, total, name) is called after each stage.

    Returns {stage: seconds}. Raises RuntimeError with the first failing stage's traceback.
    """
    todo = sorted(missing(names if names is not None else stages.everything()), key=cost, reverse=True)
    seconds = {}
    if not todo:
        return seconds
    workers = min(workers or os.cpu_count() or 1, len(todo))
    tasks, errors, lock = queue.SimpleQueue(), [], threading.Lock()
    for name in todo:
        tasks.put(name)

    def finished(name, elapsed):
        with lock:
            seconds[name] = elapsed
            if progress:
                progress(len(seconds), len(todo), name)

    threads = [threading.Thread(target=_serve, args=(tasks, finished, errors), daemon=True) for _ in range(workers)]
    for t in threads:
        t.start()
    for t in threads:
        t.join()
    if errors:
        raise RuntimeError(errors[0])
    return seconds


def _serve(tasks, finished, errors):
    """Feed one worker process until the tasks are done."""
    flags = {"creationflags": 0x08000000} if sys.platform == "win32" else {}
    environment = dict(os.environ, PYTHONPATH=os.pathsep.join([str(HOME), *filter(None, [os.environ.get("PYTHONPATH")])]))
    worker = subprocess.Popen([sys.executable, "-P", "-c", f"from {__name__} import work; work()"], stdin=subprocess.PIPE,
                              stdout=subprocess.PIPE, text=True, env=environment, **flags)
    assert worker.stdin is not None and worker.stdout is not None
    try:
        while not errors:
            try:
                name = tasks.get_nowait()
            except queue.Empty:
                break
            start = time.perf_counter()
            worker.stdin.write(name + "\n")
            worker.stdin.flush()
            answer = worker.stdout.readline()
            if answer.strip() != "ok":
                errors.append(f"stage {name} could not be compiled: {answer or 'the worker died'}{worker.stdout.read()}")
                break
            finished(name, time.perf_counter() - start)
    finally:
        worker.stdin.close()
        worker.wait()


def work() -> None:
    """The worker: compile the stages named on standard input."""
    for line in sys.stdin:
        try:
            stages.find(line.strip()).compile_only()
        except Exception:
            print("failed\n" + traceback.format_exc(), flush=True)
            return
        print("ok", flush=True)


__all__ = ["missing", "warmup", "work"]
