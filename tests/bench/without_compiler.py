"""Checks that models run with only the kernels of a wheel: `python tests/bench/without_compiler.py FOLDER_OR_FILE...` in an
environment with the wheel.

Each MJCF or URDF file is loaded, stepped three times, and put through mj_forward and mj_inverse while numba cannot be
imported and the cache is empty. A file that lists models (JSON rows with a "path") may replace a folder.
"""

import collections
import json
import os
import pathlib
import sys
import tempfile
import time

STEPS = 3


class NoCompiler:
    """Comes before all other module finders and hides the compiler."""

    @staticmethod
    def find_spec(name, path=None, target=None):
        if name == "numba":
            raise ModuleNotFoundError("asked for the compiler", name=name)


def models(words):
    """Paths of the models that the command line names."""
    for word in map(pathlib.Path, words):
        if word.suffix == ".json":
            yield from (word.parent / row["path"] for row in json.loads(word.read_text()))
        elif word.is_dir():
            yield from sorted(p for p in word.rglob("*") if p.suffix in (".xml", ".urdf"))
        else:
            yield word


def use(tumble, path):
    """Return the reason why a model does not run; empty if it runs."""
    try:
        m = tumble.MjModel.from_xml_path(str(path))
        d = tumble.MjData(m)
        tumble.mj_step(m, d, STEPS)
        tumble.mj_forward(m, d)
        tumble.mj_inverse(m, d)
    except Exception as error:
        seen = error
        while seen is not None:
            if isinstance(seen, ModuleNotFoundError) and seen.name == "numba":
                return "needs the compiler"
            seen = seen.__cause__ or seen.__context__
        return f"{type(error).__name__}: {str(error).splitlines()[:1]}"
    return ""


def main(words):
    paths = [*models(words)]
    with tempfile.TemporaryDirectory() as cache:
        os.environ["TUMBLE_CACHE_DIR"] = cache
        sys.meta_path.insert(0, NoCompiler)
        import tumble
        from tumble.engine.machine import archive, jit

        begin, faults = time.perf_counter(), {}
        for path in paths:
            if fault := use(tumble, path):
                faults[path] = fault
                print(f"{path}: {fault}", flush=True)
        origins = collections.Counter(stage.origin for stage in jit.Stage.registry.values() if stage.origin)
        levels = ", ".join(found.level for found in archive.chosen()) or "no archive"
        print(
            f"{len(paths)} models in {time.perf_counter() - begin:.0f} s, {len(faults)} not run, "
            f"{sum('compiler' in f for f in faults.values())} for want of a "
            f"compiler; kernels: {dict(origins)} ({levels}); {len(os.listdir(cache))} files in the cache"
        )
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
