"""Compiled kernels on disk: only complete files that we wrote are executed, and no change of the files stops a program."""

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
OTHER = "diagonal_inertia"
PROCESSES = 20


@pytest.fixture
def place(tmp_path, monkeypatch):
    """The folder of an empty store."""
    monkeypatch.setenv("TUMBLE_CACHE_DIR", str(tmp_path / "kernels"))
    store._writable.cache_clear()
    store._warned.clear()
    yield tmp_path / "kernels"
    store._writable.cache_clear()


def run(place, **env):
    """A program that needs one kernel, in a separate process."""
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


# kernels that the example models need, and whether the compiler was loaded for them
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
    """A start with all kernels in the cache does not load the compiler. If some are missing, the first start compiles them."""
    models = [str(path) for path in sorted((ROOT / "assets" / "models").glob("*.xml"))]
    for _ in range(2):
        done = subprocess.run([sys.executable, "-c", USE, *models], cwd=ROOT, capture_output=True, text=True, timeout=500)
    assert models and done.stdout.split()[-1:] == ["False"], done.stderr


def test_homes(monkeypatch, tmp_path):
    """A tilde in TUMBLE_CACHE_DIR is the home folder. Without a home, there is still a folder for kernels."""
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
    """If files cannot be written, as on a full disk, kernels still run, with one warning, and partial files are removed."""
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
    # the folder is made again after another program has deleted it
    shutil.rmtree(tmp_path / "not")
    assert store.load("a-1") is None
    store.save("a-1", CODE)
    assert store.load("a-1") == CODE


AT_ONCE = """
import os
import traceback
from tumble.engine.core import stages
from tumble.engine.machine import jit, store
{prepare}
# the processes begin when the last one is there
begin, ready = os.pipe()
for _ in range({count}):
    if not os.fork():
        os.close(ready)
        os.read(begin, 1)
        try:
            {work}
            os.write(1, (said + "\\n").encode())
            os._exit(0)
        except BaseException:
            traceback.print_exc()
            os._exit(1)
os.close(ready)
for _ in range({count}):
    os.wait()
"""


def at_once(place, work, prepare=""):
    """Return the outputs of many processes that begin the same work at the same time, after loading everything it needs."""
    done = subprocess.run(
        [sys.executable, "-c", AT_ONCE.format(prepare=prepare, work=work.replace("\n", "\n" + 12 * " "), count=PROCESSES)],
        cwd=ROOT,
        env=os.environ | {"TUMBLE_CACHE_DIR": str(place)},
        capture_output=True,
        text=True,
        timeout=300,
    )
    # a slow machine reports that it compiles
    assert done.returncode == 0 and "Traceback" not in done.stderr, done.stderr
    return done.stdout.split()


@pytest.mark.skipif(not hasattr(os, "fork"), reason="processes that begin at the same moment")
def test_many_processes_fill_one_folder(place):
    """Many processes write and read the same kernel at once, and each finds either no file or a complete one."""
    work = """code = bytes(range(256)) * 4000
for k in range(20):
    assert store.load('a-1') in (None, code)
    store.save('a-1', code)
said = 'fine'"""
    assert at_once(place, work) == ["fine"] * PROCESSES
    assert [p.name for p in place.iterdir()] == ["a-1.kernel"]


@pytest.mark.skipif(not hasattr(os, "fork"), reason="processes that begin at the same moment")
def test_many_processes_compile_the_same_kernel_at_once(place):
    """The folder is empty at first. In the end, each process has the kernel, and the folder has one complete file."""
    work = f"stage = stages.find('{KERNEL}')\nassert stage.address\nsaid = stage.origin"
    # the compiler is loaded by using it once
    ended = at_once(place, work, f"jit.compile_half(stages.find('{OTHER}'))")
    assert set(ended) <= {"compiled", "cache"} and "compiled" in ended and len(ended) == PROCESSES
    assert [fault for _, fault in store.check(place)] == [""] and len([*place.iterdir()]) == 1
    assert run(place).stdout.strip() == "cache"


def test_files_of_the_future_are_as_good_as_others(place):
    """Dates of sources and kernels do not matter."""
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

    give(place, [KERNEL, OTHER])
    shown = tumble()
    assert shown.returncode == 0 and str(place) in shown.stdout and "2 kernels" in shown.stdout
    assert tumble("--check").returncode == 0
    pathlib.Path(next(place.iterdir())).write_bytes(b"")
    checked = tumble("--check")
    assert checked.returncode == 1 and "damaged" in checked.stdout
    assert tumble("--clear").returncode == 0 and not [*place.iterdir()]
