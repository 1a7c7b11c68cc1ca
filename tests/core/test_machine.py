"""Names and functions that differ between Linux, macOS and Windows: every branch is tested, those of other systems with fake
libraries.
"""

import ctypes
import errno
import os
import subprocess
import sys
import types

import numpy as np
import pytest

from tumble.engine.geom import hull, hull_lists
from tumble.engine.machine import store, systems

LINUX = sys.platform == "linux"


def own_bytes(address, count):
    """Read bytes of this process, by the only method available here."""
    with systems.OwnMemory() as memory:
        return memory.read(address, count)


class Kernel32:
    """The Windows functions that are called; they behave as documented."""

    HANDLE = 2**64 - 1

    def __init__(self):
        self.priority = 0
        self.GetCurrentProcess = lambda: self.HANDLE
        self.mask = 0b1011

    def GetProcessAffinityMask(self, handle, own, every):
        assert handle.value == self.HANDLE
        ctypes.cast(own, ctypes.POINTER(ctypes.c_size_t))[0] = self.mask
        return 1

    def SetPriorityClass(self, handle, kind):
        self.priority = kind
        return 1

    def K32GetProcessMemoryInfo(self, handle, counters, size):
        assert size == 72 and ctypes.cast(counters, ctypes.POINTER(ctypes.c_uint32))[0] == size
        counters[1], counters[2] = 9000, 7000
        return 1

    def ReadProcessMemory(self, handle, address, into, count, got):
        data = read(address.value, count.value)
        ctypes.memmove(into, data, len(data))
        ctypes.cast(got, ctypes.POINTER(ctypes.c_size_t))[0] = len(data)
        return len(data) == count.value


def read(address, count):
    with open(systems.OWN_MEMORY, "rb", buffering=0) as memory:
        memory.seek(address)
        try:
            return memory.read(count)
        except OSError:
            return b""


@pytest.fixture
def windows(monkeypatch):
    made = Kernel32()
    monkeypatch.setattr(systems, "kernel32", lambda: made)
    monkeypatch.setattr(sys, "platform", "win32")
    return made


class Mac:
    """The functions of macOS's C library."""

    def __init__(self):
        self.relieved = 0

    def mach_vm_read_overwrite(self, task, address, count, into, got):
        data = read(address.value, count.value)
        if len(data) < count.value:
            # KERN_INVALID_ADDRESS
            return 1
        ctypes.memmove(into.value, data, len(data))
        ctypes.cast(got, ctypes.POINTER(ctypes.c_uint64))[0] = len(data)
        return 0

    def malloc_zone_pressure_relief(self, zone, goal):
        self.relieved += 1
        return 0


@pytest.fixture
def mac(monkeypatch):
    made = Mac()
    names = {k: getattr(ctypes, k) for k in ("create_string_buffer", "c_uint64", "c_size_t", "byref", "addressof")}
    task = types.SimpleNamespace(in_dll=lambda library, name: ctypes.c_uint(0x103))
    monkeypatch.setattr(systems, "ctypes", types.SimpleNamespace(**names, c_uint=task, CDLL=lambda name: made))
    monkeypatch.setattr(sys, "platform", "darwin")
    return made


def test_here():
    assert 1 <= systems.processors() <= os.cpu_count()
    assert systems.resident_memory() > 1 << 20
    assert systems.process_start() <= systems.IMPORTED + 1
    systems.release_memory()


@pytest.mark.skipif(not hasattr(os, "sched_setaffinity"), reason="processes cannot be bound to processors")
def test_processors_that_a_process_is_bound_to():
    code = (
        "import os; from tumble.engine.machine import systems; "
        "os.sched_setaffinity(0, {min(os.sched_getaffinity(0))}); "
        "print(systems.processors())"
    )
    assert subprocess.run([sys.executable, "-c", code], capture_output=True, text=True).stdout.strip() == "1"


@pytest.mark.skipif(not LINUX, reason="reads what pretended systems return from Linux's file")
class TestPretended:
    def test_windows_processors_and_priority(self, windows):
        assert systems.processors() == 3
        # more than 64 processors: the mask is meaningless
        windows.mask = 0
        assert systems.processors() >= 1
        systems.step_back(5)
        assert windows.priority == systems.BELOW_NORMAL
        assert systems.user() is None and systems.resident_memory() == 7000
        systems.after_fork(lambda: None)
        assert systems.process_start() == systems.IMPORTED

    def test_mac(self, mac):
        systems.release_memory()
        assert mac.relieved == 1 and systems.resident_memory() > 0 and systems.process_start() == systems.IMPORTED

    @pytest.mark.parametrize("system", ["linux", "windows", "mac"])
    def test_a_process_reads_its_own_memory(self, system, request):
        if system != "linux":
            request.getfixturevalue(system)
        x = np.arange(1000.0)
        assert own_bytes(x.ctypes.data, x.nbytes) == x.tobytes()
        # no memory is mapped there
        for address in (0, 8, -8, 1 << 60, 1 << 64, 1 << 70):
            assert own_bytes(address, 64) == b""

    @pytest.mark.parametrize("system", ["windows", "mac"])
    def test_hulls_are_the_same_on_every_system(self, system, request, monkeypatch):
        """Qhull's lists are found on every system. They determine the order of polygons, on which contacts depend."""
        vert = np.random.default_rng(0).integers(-3, 4, (40, 3)).astype(float)
        want = hull.convex_hull(vert)
        found = []
        monkeypatch.setattr(hull, "find_lists", lambda *a: found.append(hull_lists.find_lists(*a)) or found[-1])
        request.getfixturevalue(system)
        got = hull.convex_hull(vert)
        assert found[0] is not None
        assert all((x == y).all() for x, y in zip(got, want, strict=True))


def test_a_kernel_that_another_process_reads_is_kept(tmp_path, monkeypatch):
    """Windows refuses to replace a file that is open elsewhere; a file of the same name has the same code."""
    monkeypatch.setenv("TUMBLE_CACHE_DIR", str(tmp_path))
    monkeypatch.setattr(store, "_trusted_owners", lambda: None)
    assert store.save("a-1", b"code") and store.load("a-1") == b"code"

    def refused(source, target):
        raise PermissionError(errno.EACCES, "in use")

    monkeypatch.setattr(os, "replace", refused)
    assert store.save("a-1", b"code") and store.load("a-1") == b"code"
    assert [path.name for path in tmp_path.iterdir()] == ["a-1" + store.SUFFIX]
    with pytest.warns(store.StoreWarning):
        monkeypatch.setattr(store, "_warned", type(store._warned)())
        assert not store.save("b-1", b"code")
