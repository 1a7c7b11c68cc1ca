"""Compiled kernels on disk: what was not written by us, whole, is never executed, and nothing that
happens to the files stops a program.
"""

import errno
import os
import pathlib
import shutil
import subprocess
import sys
import warnings

import pytest

from tests.app.driver import ROOT
from tumble.engine.core import stages
from tumble.engine.machine import jit, store

CODE = bytes(range(256)) * 20
# one kernel that is quickly compiled
KERNEL = "sdf_no_paths"
PROGRAM = f"""
from tumble.engine.core import stages
stage = stages.find("{KERNEL}")
assert stage.address
print(stage.origin)
"""
PROCESSES = 20


@pytest.fixture
def place(tmp_path, monkeypatch):
    """An empty folder that is the store's."""
    monkeypatch.setenv("TUMBLE_CACHE_DIR", str(tmp_path / "kernels"))
    store._writable.cache_clear()
    store._warned.clear()
    yield tmp_path / "kernels"
    store._writable.cache_clear()


def run(place, **env):
    """A program that needs one kernel, in a process of its own."""
    return subprocess.run(
        [sys.executable, "-c", PROGRAM],
        cwd=ROOT,
        capture_output=True,
        text=True,
        timeout=300,
        env=os.environ | {"TUMBLE_CACHE_DIR": str(place)} | env,
    )


def give(place, names):
    """Put kernels of this checkout into a folder."""
    place.mkdir(parents=True, exist_ok=True)
    for name in names:
        stage = stages.find(name)
        (place / (stage.key + store.SUFFIX)).write_bytes(store.seal(stage.key, jit.emit(stage, jit.compile_half(stage))))


def test_what_was_saved_is_loaded(place):
    assert store.load("a-1") is None
    store.save("a-1", CODE)
    assert store.load("a-1") == CODE and [p.name for p in place.iterdir()] == ["a-1.kernel"]


def test_a_damaged_kernel_is_compiled_again(place):
    give(place, [KERNEL])
    (file,) = place.iterdir()
    assert run(place).stdout.strip() == "cache"
    file.write_bytes(file.read_bytes()[:-100])
    assert run(place).stdout.strip() == "compiled"
    assert run(place).stdout.strip() == "cache"


@pytest.mark.parametrize("fault", ["no room", "cannot be written", "not a folder"])
def test_what_cannot_be_kept_is_one_warning(place, monkeypatch, fault):
    def full(handle):
        raise OSError(errno.ENOSPC, "No space left on device")

    if fault == "no room":
        monkeypatch.setattr(os, "fsync", full)
    elif fault == "cannot be written":
        monkeypatch.setattr(os, "access", lambda *args, **kwargs: False)
    else:
        place.write_text("a file")
    with pytest.warns(store.StoreWarning, match="cannot be kept"):
        store.save("a-1", CODE)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        store.save("a-2", CODE)
    assert place.is_file() or not [*place.glob("*")]


def test_a_program_runs_where_nothing_can_be_kept(tmp_path):
    (tmp_path / "file").write_text("no folder")
    done = run(tmp_path / "file" / "kernels")
    assert done.stdout.strip() == "compiled" and done.stderr.count("StoreWarning") == 1, done.stderr


# what the models of the examples need, and whether the compiler was loaded for it
USE = """
import sys
import tumble
for path in sys.argv[1:]:
    m = tumble.MjModel.from_xml_path(path)
    d = tumble.MjData(m)
    tumble.mj_step(m, d, 3)
    tumble.mj_forward(m, d)
    tumble.mj_inverse(m, d)
print("numba" in sys.modules)
"""


def test_the_compiler_is_not_loaded_for_what_is_compiled():
    """With the cache of this checkout, which the first of two starts fills if it has to."""
    models = [str(path) for path in sorted((ROOT / "assets" / "models").glob("*.xml"))]
    for _ in range(2):
        done = subprocess.run([sys.executable, "-c", USE, *models], cwd=ROOT, capture_output=True, text=True, timeout=500)
    assert models and done.stdout.split()[-1:] == ["False"], done.stderr


def test_homes(monkeypatch, tmp_path):
    """A tilde is the home; without a home there is a folder all the same."""
    monkeypatch.setenv("TUMBLE_CACHE_DIR", "~/kernels")
    monkeypatch.setenv("HOME", str(tmp_path))
    assert store.folders() == [tmp_path / "kernels"]
    done = subprocess.run(
        [sys.executable, "-c", "from tumble.engine.machine import store; print(store.folders()[-1].is_absolute())"],
        cwd=ROOT,
        env={k: v for k, v in os.environ.items() if k not in ("HOME", "XDG_CACHE_HOME", "TUMBLE_CACHE_DIR")},
        capture_output=True,
        text=True,
    )
    assert done.stdout.strip() == "True", done.stderr


@pytest.mark.skipif(os.name == "nt", reason="no limits of this kind here")
def test_files_may_be_too_large_for_the_system(place):
    """A full disk, in a process of its own: what was begun does not stay."""
    done = subprocess.run(
        [sys.executable, "-c", f"import resource\nresource.setrlimit(resource.RLIMIT_FSIZE, (500, 500))\n{PROGRAM}"],
        cwd=ROOT,
        env=os.environ | {"TUMBLE_CACHE_DIR": str(place)},
        capture_output=True,
        text=True,
        timeout=300,
    )
    assert done.stdout.strip() == "compiled" and done.stderr.count("StoreWarning") == 1, done.stderr
    assert all(path.suffix == store.SUFFIX and path.stat().st_size <= 500 for path in place.iterdir())


def test_folders_are_made_when_they_are_missing(tmp_path, monkeypatch, place):
    deep = tmp_path / "not" / "there" / "yet"
    monkeypatch.setenv("TUMBLE_CACHE_DIR", str(deep))
    store.save("a-1", CODE)
    assert store.load("a-1") == CODE
    # and again when somebody has tidied up meanwhile
    shutil.rmtree(tmp_path / "not")
    assert store.load("a-1") is None
    store.save("a-1", CODE)
    assert store.load("a-1") == CODE


def test_many_processes_fill_one_folder(place):
    """All write the same kernel at once and read it all the while: each sees nothing or the whole."""
    program = (
        "import sys\nfrom tumble.engine.machine import store\ncode = bytes(range(256)) * 4000\nfor k in range(20):\n"
        "    assert store.load('a-1') in (None, code)\n    store.save('a-1', code)\nprint('fine')"
    )
    running = [
        subprocess.Popen(
            [sys.executable, "-c", program],
            cwd=ROOT,
            env=os.environ | {"TUMBLE_CACHE_DIR": str(place)},
            stdout=subprocess.PIPE,
            text=True,
        )
        for _ in range(PROCESSES)
    ]
    assert [p.communicate(timeout=300)[0].strip() for p in running] == ["fine"] * PROCESSES
    assert [p.name for p in place.iterdir()] == ["a-1.kernel"]


def test_many_processes_compile_the_same_kernel_at_once(place):
    """On an empty folder: each has the kernel in the end, and one whole file stays."""
    running = [
        subprocess.Popen(
            [sys.executable, "-c", PROGRAM],
            cwd=ROOT,
            env=os.environ | {"TUMBLE_CACHE_DIR": str(place)},
            stdout=subprocess.PIPE,
            text=True,
        )
        for _ in range(PROCESSES)
    ]
    ended = [p.communicate(timeout=300)[0].strip() for p in running]
    assert set(ended) <= {"compiled", "cache"} and "compiled" in ended and len(ended) == PROCESSES
    assert [fault for _, fault in store.check(place)] == [""] and len([*place.iterdir()]) == 1
    assert (
        subprocess.run(
            [sys.executable, "-c", PROGRAM],
            cwd=ROOT,
            env=os.environ | {"TUMBLE_CACHE_DIR": str(place)},
            capture_output=True,
            text=True,
        ).stdout.strip()
        == "cache"
    )


def test_files_of_the_future_are_as_good_as_others(place):
    """Neither sources nor kernels are judged by their dates."""
    give(place, [KERNEL])
    (file,) = place.iterdir()
    os.utime(file, (4e9, 4e9))
    assert run(place).stdout.strip() == "cache"


def test_command(place):
    def tumble(*words):
        return subprocess.run(
            [sys.executable, "-m", "tumble", "cache", *words],
            cwd=ROOT,
            env=os.environ | {"TUMBLE_CACHE_DIR": str(place)},
            capture_output=True,
            text=True,
            timeout=100,
        )

    give(place, ["kinematics", "com_pos"])
    shown = tumble()
    assert shown.returncode == 0 and str(place) in shown.stdout and "2 kernels" in shown.stdout
    assert tumble("--check").returncode == 0
    pathlib.Path(next(place.iterdir())).write_bytes(b"")
    checked = tumble("--check")
    assert checked.returncode == 1 and "damaged" in checked.stdout
    assert tumble("--clear").returncode == 0 and not [*place.iterdir()]
