"""Targets: the processors for which machine code is made. A checkout compiles for its own processor; a wheel contains code
for common levels.

A level is an instruction set: x86-64-v4 (AVX-512), v3 (AVX2 and FMA), v2 (SSE 4.2), or that of ARM processors. A kernel for
a level gives bit-identical results on every processor with this level, provided that the C library's functions do. Results
of two levels, or of a level and of code for one processor, may differ in the last bits: on v3 and v4, marked kernels fuse
multiplication and addition, and wider registers sum in other groups.
"""

import functools
import importlib.util
import os
import pathlib
import platform
import sys
from typing import NamedTuple

# names of compiler settings (environment variables NUMBA_...) that change machine code
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
# settings for code that runs on other processors: no kernel in a wheel may need Intel's math library
NO_SVML = {"NUMBA_DISABLE_INTEL_SVML": "1"}
# name that replaces a level's name for code that runs only on this processor
NATIVE = "native"
# {alias of an architecture: its standard name}
MACHINES = {"amd64": "x86_64", "x86-64": "x86_64", "arm64": "aarch64"}


class Level(NamedTuple):
    """An instruction set: its name in LLVM, the architecture, and the features that a processor must have (in LLVM's
    names)."""

    name: str
    machine: str
    features: tuple[str, ...]

    @property
    def settings(self) -> dict[str, str]:
        """Return the environment variables that make the compiler generate code for this level."""
        features = {"NUMBA_CPU_FEATURES": ",".join(f"+{f}" for f in self.features)} if self.features else {}
        return {"NUMBA_CPU_NAME": self.name, **features, **NO_SVML}

    @property
    def stamp(self) -> str:
        """Return everything besides the sources on which machine code for this level depends.

        The compiler's version is not included: kernels in a wheel remain valid when the installed compiler changes.
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
    """Return the features of this processor, in LLVM's names; empty if unknown."""
    import llvmlite.binding as llvm

    try:
        return llvm.get_host_cpu_features()
    except RuntimeError:
        return {}


def levels() -> list[Level]:
    """Return the levels of this architecture for which wheels contain code, best first."""
    return [level for level in LEVELS if level.machine == machine()]


def suitable() -> list[Level]:
    """Return the levels that suit this processor, best first. The variable TUMBLE_LEVEL selects one of them, or none if it is
    `native`. Raise ValueError for an unsuitable level."""
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
    """Return the compiler's version. It is read from the name of the compiler's folder, because importing it, or
    importlib.metadata, would slow down every start."""
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
