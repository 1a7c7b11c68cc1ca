"""Differences between Linux, macOS and Windows: processors, process memory, forks, priorities."""

import ctypes
import os
import sys
import time
from collections.abc import Callable
from typing import Any

if sys.platform != "win32":
    import resource

# Flags of subprocess.Popen on Windows, 0 elsewhere. QUIET: no console window.
# APART: Ctrl+C in this process does not interrupt the child; other systems use `start_new_session` for this.
QUIET = 0x08000000 if sys.platform == "win32" else 0
APART = QUIET | (0x200 if sys.platform == "win32" else 0)
# Windows priority class for background work
BELOW_NORMAL = 0x4000
# Windows access right to query another process
QUERY = 0x1000
IMPORTED = time.time()
# file through which Linux gives access to a process's own memory
OWN_MEMORY = "/proc/self/mem"
# glibc's number of a parameter of mallopt: the size from which each block gets pages of its own
MMAP_THRESHOLD = -3


def kernel32() -> Any:
    """Return the Windows library of process and memory functions."""
    library: Any = getattr(ctypes, "WinDLL")("kernel32")
    library.GetCurrentProcess.restype = ctypes.c_void_p
    return library


def processors() -> int:
    """Return how many processors this process may use."""
    if sys.platform == "win32":
        library = kernel32()
        own, every = ctypes.c_size_t(), ctypes.c_size_t()
        handle = ctypes.c_void_p(library.GetCurrentProcess())
        if library.GetProcessAffinityMask(handle, ctypes.byref(own), ctypes.byref(every)) and own.value:
            return own.value.bit_count()
    affinity = getattr(os, "sched_getaffinity", None)
    return len(affinity(0)) if affinity else os.cpu_count() or 1


def user() -> int | None:
    """Return the id of the user who runs this process. Return None on Windows, where folder permissions decide who can
    write."""
    return None if sys.platform == "win32" else os.getuid()


def after_fork(function: Callable[[], object]) -> None:
    """Call a function in each child process after this process forks. Never called on Windows, which has no forks."""
    if sys.platform != "win32":
        os.register_at_fork(after_in_child=function)


def running(process: int) -> bool:
    """Return whether a process with this id exists."""
    if sys.platform == "win32":
        # on Windows, sending a signal would end the process, but opening a handle does not
        library = kernel32()
        library.OpenProcess.restype = ctypes.c_void_p
        handle = library.OpenProcess(QUERY, False, process)
        if handle:
            library.CloseHandle(ctypes.c_void_p(handle))
        return bool(handle)
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return False
    except OSError:
        # the process exists, but belongs to another user
        return True
    return True


def step_back(nice: int) -> None:
    """Lower this process's priority: by `nice` steps, or to the Windows class "below normal"."""
    if sys.platform == "win32":
        library = kernel32()
        library.SetPriorityClass(ctypes.c_void_p(library.GetCurrentProcess()), BELOW_NORMAL)
    else:
        os.nice(nice)


def resident_memory() -> int:
    """Return this process's resident memory in bytes: on Linux without file pages, on macOS the peak so far."""
    if sys.platform == "win32":
        # PROCESS_MEMORY_COUNTERS: size and page fault count in the first 8 bytes, then the peak, the working set, ...
        library, sizes = kernel32(), (ctypes.c_size_t * 9)()
        ctypes.c_uint32.from_buffer(sizes).value = ctypes.sizeof(sizes)
        done = library.K32GetProcessMemoryInfo(ctypes.c_void_p(library.GetCurrentProcess()), sizes, ctypes.sizeof(sizes))
        return sizes[2] if done else 0
    if sys.platform == "linux":
        try:
            resident, shared = _words_of("/proc/self/statm")[1:3]
        except OSError:
            return 0
        return (int(resident) - int(shared)) * os.sysconf("SC_PAGE_SIZE")
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss


def process_start() -> float:
    """Return the wall-clock time at which this process started. Outside Linux, return the time when this module was
    imported."""
    if sys.platform == "linux":
        try:
            # the program's name may contain spaces; it ends at the last closing bracket
            ticks, uptime = _words_of("/proc/self/stat", after=")")[19], _words_of("/proc/uptime")[0]
        except OSError:
            return IMPORTED
        return time.time() - float(uptime) + int(ticks) / os.sysconf("SC_CLK_TCK")
    return IMPORTED


def _words_of(path: str, after: str = "") -> list[str]:
    """Return the words of a text file that follow the last occurrence of `after`."""
    with open(path, encoding="ascii", errors="replace") as file:
        text = file.read()
    return (text.rpartition(after)[2] if after else text).split()


def release_memory() -> None:
    """Return unused memory of the C library to the system, if supported."""
    if sys.platform == "win32":
        ctypes.CDLL("ucrtbase")._heapmin()
        return
    library = ctypes.CDLL(None)
    if sys.platform == "darwin":
        library.malloc_zone_pressure_relief(None, ctypes.c_size_t(0))
    elif hasattr(library, "malloc_trim"):
        # only the C library glibc has this function
        library.malloc_trim(ctypes.c_size_t(0))


def return_blocks(size: int) -> None:
    """From now on, return blocks of at least `size` bytes to the system when they are freed, if supported.

    By default, glibc raises this limit to the size of freed blocks, up to 32 MB. Small blocks that stay in use then keep the
    memory of large ones that were freed below them.
    """
    library = ctypes.CDLL(None) if sys.platform == "linux" else None
    # only the C library glibc has this function
    if library is not None and hasattr(library, "mallopt"):
        library.mallopt(ctypes.c_int(MMAP_THRESHOLD), ctypes.c_int(size))


class OwnMemory:
    """Reads this process's memory at any address. If memory is unmapped, the result is shorter; nothing crashes."""

    def __enter__(self) -> "OwnMemory":
        self._file = open(OWN_MEMORY, "rb", buffering=0) if sys.platform == "linux" else None
        return self

    def __exit__(self, *_exc: object) -> None:
        if self._file is not None:
            self._file.close()

    def read(self, address: int, count: int) -> bytes:
        """Return up to `count` bytes at an address."""
        if not 0 < address < 1 << 63:
            return b""
        if self._file is None:
            return _read_windows(address, count) if sys.platform == "win32" else _read_mac(address, count)
        try:
            self._file.seek(address)
            return self._file.read(count)
        except (OSError, OverflowError, ValueError):
            return b""


def _read_windows(address: int, count: int) -> bytes:
    """Read memory through Windows' API."""
    library, into, got = kernel32(), ctypes.create_string_buffer(count), ctypes.c_size_t()
    handle = ctypes.c_void_p(library.GetCurrentProcess())
    done = library.ReadProcessMemory(handle, ctypes.c_void_p(address), into, ctypes.c_size_t(count), ctypes.byref(got))
    return into.raw[: got.value] if done else b""


def _read_mac(address: int, count: int) -> bytes:
    """Read memory through macOS's API."""
    library, into, got = ctypes.CDLL(None), ctypes.create_string_buffer(count), ctypes.c_uint64()
    task = ctypes.c_uint.in_dll(library, "mach_task_self_")
    where = ctypes.c_uint64(ctypes.addressof(into))
    fault = library.mach_vm_read_overwrite(task, ctypes.c_uint64(address), ctypes.c_uint64(count), where, ctypes.byref(got))
    return b"" if fault else into.raw[: got.value]
