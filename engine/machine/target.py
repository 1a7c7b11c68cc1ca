"""Targets: the processors for which machine code is made. A checkout compiles for its own processor; a wheel has code for
common levels.

A level is a set of instructions: x86-64-v4 (AVX-512), v3 (AVX2 and FMA), v2 (SSE 4.2), or all of an ARM processor. A kernel
for a level gives the same bits on every processor that has the level, as far as the C library's functions do. Two levels,
or a level and code for one processor, may differ in the last bits: from v3 on, kernels marked for it fuse multiplication
and addition, and wider registers sum in other groups.
"""

import functools
import importlib.util
import os
import pathlib
import platform
import sys
from typing import NamedTuple

# names of compiler settings (NUMBA_...) that change machine code
OPTIONS = (
    "CPU_NAME",
    "CPU_FEATURES",
    "OPT",
    "LOOP_VECTORIZE",
    "SLP_VECTORIZE",
    "ENABLE_AVX",
    "DISABLE_INTEL_SVML",
    "BOUNDSCHECK",
    "DEBUGINFO",
)
# set when compiling for others: no kernel in a wheel may depend on Intel's math library
NO_SVML = {"NUMBA_DISABLE_INTEL_SVML": "1"}
# used in place of a level's name for code for this processor
NATIVE = "native"
# other names of an architecture
MACHINES = {"amd64": "x86_64", "x86-64": "x86_64", "arm64": "aarch64"}


class Level(NamedTuple):
    """A set of instructions: its name (LLVM's), the architecture, and the features a processor must have (LLVM's names)."""

    name: str
    machine: str
    features: tuple[str, ...]

    @property
    def settings(self) -> dict[str, str]:
        """Return the environment variables with which the compiler works for this level."""
        features = {"NUMBA_CPU_FEATURES": ",".join(f"+{f}" for f in self.features)} if self.features else {}
        return {"NUMBA_CPU_NAME": self.name, **features, **NO_SVML}

    @property
    def stamp(self) -> str:
        """Return everything besides the sources on which machine code for this level depends.

        The compiler's version is not part of it: packed kernels were made by a chosen compiler, and stay valid when
        the installed one changes.
        """
        return repr((self.name, self.machine, sys.platform, sys.version_info[:2]))


V2 = ("cx16", "popcnt", "sahf", "sse3", "sse4.1", "sse4.2", "ssse3")
V3 = (*V2, "avx", "avx2", "bmi", "bmi2", "f16c", "fma", "lzcnt", "movbe", "xsave")
V4 = (*V3, "avx512bw", "avx512cd", "avx512dq", "avx512f", "avx512vl")
# best first
LEVELS = (
    Level("x86-64-v4", "x86_64", V4),
    Level("x86-64-v3", "x86_64", V3),
    Level("x86-64-v2", "x86_64", V2),
    Level("generic", "aarch64", ()),
)


def machine() -> str:
    """Return the architecture of this process."""
    name = platform.machine().lower()
    return MACHINES.get(name, name)


def host_features() -> dict[str, bool]:
    """Return the features of this processor (LLVM's names); empty if unknown."""
    import llvmlite.binding as llvm

    try:
        return llvm.get_host_cpu_features()
    except RuntimeError:
        return {}


def levels() -> list[Level]:
    """Return the levels of this architecture that a wheel is made for, best first."""
    return [level for level in LEVELS if level.machine == machine()]


def suitable() -> list[Level]:
    """Return the levels that suit this processor, best first. TUMBLE_LEVEL selects one, or `native` none. ValueError
    for an unsuitable one."""
    has, wanted = host_features(), os.environ.get("TUMBLE_LEVEL", "")
    found = [level for level in levels() if all(has.get(f) for f in level.features)]
    if wanted not in ("", NATIVE, *(level.name for level in found)):
        raise ValueError(
            f"TUMBLE_LEVEL is {wanted!r}; this processor can have {', '.join([NATIVE, *(level.name for level in found)])}"
        )
    return [level for level in found if wanted in ("", level.name)]


def compiler_settings() -> tuple[str, ...]:
    """Return the current values of the OPTIONS that are set."""
    return tuple(os.environ.get(f"NUMBA_{name}", "") for name in OPTIONS)


def numba_version() -> str:
    """Return the compiler's version, from the name of its folder. Importing it, or using importlib.metadata, is too slow for a
    start."""
    spec = importlib.util.find_spec("numba")
    if spec is None or not spec.submodule_search_locations:
        return ""
    place = pathlib.Path(spec.submodule_search_locations[0]).parent
    return " ".join(
        sorted(name for name in os.listdir(place) if name.startswith("numba-") and name.endswith((".dist-info", ".egg-info")))
    )


@functools.cache
def of_host(boundscheck: bool) -> str:
    """Return everything besides the sources on which machine code for this processor depends."""
    import llvmlite
    import llvmlite.binding as llvm

    return repr(
        (
            llvmlite.__version__,
            numba_version(),
            llvm.get_host_cpu_name(),
            llvm.get_host_cpu_features().flatten(),
            platform.machine(),
            sys.platform,
            sys.version_info[:2],
            compiler_settings(),
            boundscheck,
        )
    )
