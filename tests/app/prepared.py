"""Forks viewers from a process that has already loaded the viewer's modules and kernels.

Importing and loading take two of the three seconds that a viewer needs to start. Each forked viewer has its own environment,
folder and output. Apart from the imports, it starts as by `python -m tumble` or `python script.py`. Tests of the start itself,
of memory and of speed start the program as users do (see `driver.Viewer`).
"""

from __future__ import annotations

import atexit
import contextlib
import gc
import json
import os
import runpy
import select
import signal
import socket
import subprocess
import sys
import time
import types
from collections.abc import Sequence
from pathlib import Path
from typing import IO, NoReturn

ROOT = Path(__file__).resolve().parents[2]
# maximum bytes of a request, most of which is the environment
MOST = 1 << 20
# seconds for the imports, and for a fork, on a loaded machine
PATIENT = 300.0
# modules that a viewer imports
MODULES = (
    "tumble.app.__main__",
    "tumble.app.boot",
    "tumble.app.splash",
    "tumble.app.compiling",
    "tumble.app.loading",
    "tumble.app.plugins",
    "tumble.app.opening",
    "tumble.app.session",
)


class Process:
    """The part of subprocess.Popen that tests use, for a process that another one has forked."""

    def __init__(self, pid: int, status: int) -> None:
        self.pid, self._status, self.returncode = pid, status, None
        self._text = b""
        self.stdin: IO[str] | None = None
        self.stdout: IO[str] | None = None

    def poll(self) -> int | None:
        """The exit status, negative for a signal; None while it runs."""
        while self.returncode is None and select.select([self._status], [], [], 0)[0]:
            part = os.read(self._status, 64)
            self._text += part
            if not part or part.endswith(b"\n"):
                os.close(self._status)
                assert self._text.endswith(b"\n"), "the process that waits for the viewer was ended"
                self.returncode = int(self._text)
        return self.returncode

    def wait(self, timeout: float | None = None) -> int:
        end = time.monotonic() + timeout if timeout is not None else None
        while self.poll() is None:
            if end is not None and time.monotonic() >= end:
                raise subprocess.TimeoutExpired("viewer", timeout or 0)
            select.select([self._status], [], [], 1.0 if end is None else max(0.0, min(1.0, end - time.monotonic())))
        assert self.returncode is not None
        return self.returncode

    def send_signal(self, number: int) -> None:
        if self.poll() is None:
            os.kill(self.pid, number)

    def terminate(self) -> None:
        self.send_signal(signal.SIGTERM)

    def kill(self) -> None:
        self.send_signal(signal.SIGKILL)


class Preparation:
    """The process that has everything loaded."""

    def __init__(self) -> None:
        ours, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        ours.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, MOST)
        self.socket = ours
        self.process = subprocess.Popen(
            [sys.executable, "-m", "tests.app.prepared", str(theirs.fileno())],
            pass_fds=[theirs.fileno()],
            cwd=ROOT,
            stdin=subprocess.DEVNULL,
            env=dict(os.environ, PYTHONPATH=os.pathsep.join([str(ROOT), os.environ.get("PYTHONPATH", "")])),
        )
        theirs.close()

    def run(self, argv: Sequence[str], cwd: Path, env: dict[str, str], streams: Sequence[int]) -> Process:
        """Run `python ARGV...`: `-m tumble ...`, `-c ...`, or a script and its arguments, with three files as its streams."""
        read, write = os.pipe()
        text = json.dumps({"argv": list(argv), "cwd": str(cwd), "env": env}).encode()
        socket.send_fds(self.socket, [text], [*streams, write])
        os.close(write)
        pid = b""
        while not pid.endswith(b"\n"):
            assert select.select([read], [], [], PATIENT)[0], "no process was forked"
            part = os.read(read, 1)
            assert part, f"the process that forks viewers has ended: {self.process.poll()}"
            pid += part
        return Process(int(pid), read)

    def close(self) -> None:
        self.socket.close()
        self.process.wait(PATIENT)


_made: list[Preparation] = []


def start(argv: Sequence[str], cwd: Path, env: dict[str, str], output: IO[str]) -> Process:
    """Run `python ARGV...` in a process that is forked from a prepared one. The output and errors go into a file."""
    with open(os.devnull) as nothing:
        return prepared().run(argv, cwd, env, [nothing.fileno(), output.fileno(), output.fileno()])


def talk(argv: Sequence[str], cwd: Path, env: dict[str, str], errors: IO[str]) -> Process:
    """Like `start`, but the process's input and output are text streams of the returned object."""
    (their_in, our_in), (our_out, their_out) = os.pipe(), os.pipe()
    process = prepared().run(argv, cwd, env, [their_in, their_out, errors.fileno()])
    os.close(their_in)
    os.close(their_out)
    process.stdin, process.stdout = open(our_in, "w", encoding="utf-8"), open(our_out, encoding="utf-8")
    return process


def prepared() -> Preparation:
    """Return this process's Preparation, which the first call makes."""
    if not _made:
        _made.append(Preparation())
        atexit.register(_made[0].close)
    return _made[0]


# ---- in the other process ----------------------------------------------------------------------------------------------------


def prepare() -> None:
    """Import the viewer's modules, and load the kernels of usual models. No thread may be left running."""
    import importlib

    for name in MODULES:
        importlib.import_module(name)

    import tumble
    from tests.app.models import CUBE, PENDULUM

    for text in (CUBE, PENDULUM):
        m = tumble.MjModel.from_xml_string(text)
        d = tumble.MjData(m)
        tumble.mj_step(m, d)
        tumble.mj_forward(m, d)

    # a collection would touch, and so copy, all pages in each viewer
    gc.collect()
    gc.freeze()


def serve(wire: socket.socket) -> dict | None:
    """Fork a process for each request. In the forked process, return the request; in this process, return None at the end."""
    while True:
        text, fds, _flags, _address = socket.recv_fds(wire, MOST, 4)
        if not text:
            return None
        if os.fork():
            for fd in fds:
                os.close(fd)
            # reap keeper processes that have ended
            with contextlib.suppress(ChildProcessError):
                while os.waitpid(-1, os.WNOHANG)[0]:
                    pass
            continue
        wire.close()
        *streams, status = fds
        if not (child := os.fork()):
            os.close(status)
            return {**json.loads(text), "streams": streams}
        # close the streams here, so that the test sees when the viewer's process closes them
        for fd in (0, 1, 2, *streams):
            os.close(fd)
        keep(child, status)


def keep(child: int, status: int) -> NoReturn:
    """Write a process's id to `status`, wait for the process, and write its exit code."""
    os.write(status, f"{child}\n".encode())
    code = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
    with contextlib.suppress(BrokenPipeError):
        os.write(status, f"{code}\n".encode())
    os._exit(0)


def become(request: dict) -> None:
    """Run a request as `python ARGV...` would."""
    for number, fd in enumerate(request["streams"]):
        os.dup2(fd, number)
    for fd in {*request["streams"]} - {0, 1, 2}:
        os.close(fd)
    os.chdir(request["cwd"])
    os.environ.clear()
    os.environ.update(request["env"])
    argv = request["argv"]
    if argv[0] == "-c":
        sys.path[0], sys.argv = "", ["-c", *argv[2:]]
        main_module = types.ModuleType("__main__")
        sys.modules["__main__"] = main_module
        exec(compile(argv[1], "<string>", "exec"), main_module.__dict__)
    elif argv[0] == "-m":
        # the current folder comes first, as for `python -m`
        sys.path[0], sys.argv = request["cwd"], argv[1:]
        runpy.run_module(argv[1], run_name="__main__", alter_sys=True)
    else:
        sys.path[0], sys.argv = os.path.dirname(os.path.abspath(argv[0])), argv
        runpy.run_path(argv[0], run_name="__main__")


def main() -> None:
    wire = socket.socket(fileno=int(sys.argv[1]))
    # Ignore Ctrl+C before anything else: it ends the tests, and the tests end this process.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    prepare()
    request = serve(wire)
    if request:
        signal.signal(signal.SIGINT, signal.default_int_handler)
        become(request)


if __name__ == "__main__":
    main()
