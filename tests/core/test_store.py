"""Compiled kernels on disk: what was not written by us, whole, is never executed, and nothing that happens to the files stops a program."""
import errno
import os
import pathlib
import random
import stat
import subprocess
import sys
import warnings

import pytest

from tests.app.driver import ROOT
from tumble.engine.core import jit, stages, store

CODE = bytes(range(256)) * 20
# damaged files a kind; four kinds
CASES = 100
SEED = 20
PROGRAM = """
import tumble
m = tumble.MjModel.from_xml_string("<mujoco/>")
d = tumble.MjData(m)
tumble.mj_kinematics(m, d)
from tumble.engine.core.jit import Stage
print(Stage.registry["kinematics"].origin)
"""


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
    return subprocess.run([sys.executable, "-c", PROGRAM], cwd=ROOT, capture_output=True, text=True, timeout=300,
                          env=os.environ | {"TUMBLE_CACHE_DIR": str(place)} | env)


def give(place, names):
    """Put kernels of this checkout into a folder."""
    place.mkdir(parents=True, exist_ok=True)
    for name in names:
        stage = stages.find(name)
        (place / (stage.key + store.SUFFIX)).write_bytes(store.seal(stage.key, jit.compile_object(stage)))


def test_what_was_saved_is_loaded(place):
    assert store.load("a-1") is None
    store.save("a-1", CODE)
    assert store.load("a-1") == CODE and [p.name for p in place.iterdir()] == ["a-1.kernel"]


def cut(contents, rng):
    return contents[:rng.randrange(len(contents))]


def flipped(contents, rng):
    at = rng.randrange(len(contents))
    return contents[:at] + bytes([contents[at] ^ 1 << rng.randrange(8)]) + contents[at + 1:]


def lengthened(contents, rng):
    return contents + rng.randbytes(rng.randrange(1, 50))


def foreign(contents, rng):
    """Whole and valid, but of another kernel; or anything at all."""
    return rng.choice((store.seal("b-1", CODE), rng.randbytes(len(contents)), b"\x7fELF" + CODE, store.seal("a-1", b"")))


@pytest.mark.parametrize("damage", [cut, flipped, lengthened, foreign])
def test_damaged_files_are_not_used(place, damage):
    rng = random.Random(SEED)
    store.save("a-1", CODE)
    whole = (place / "a-1.kernel").read_bytes()
    for case in range(CASES):
        contents = damage(whole, rng)
        (place / "a-1.kernel").write_bytes(contents)
        assert store.load("a-1") is None, case
        (_, fault), = store.check(place)
        assert fault == "damaged"
        store.save("a-1", CODE)
        assert store.load("a-1") == CODE, case


@pytest.mark.skipif(not hasattr(os, "getuid"), reason="files have no owners here")
def test_files_that_others_may_have_written_are_not_used(place, monkeypatch):
    store.save("a-1", CODE)
    file = place / "a-1.kernel"
    for bits in (stat.S_IWGRP, stat.S_IWOTH):
        file.chmod(0o644 | bits)
        assert store.load("a-1") is None and store.check(place) == [(file, "may have been written by others")]
    file.chmod(0o444)
    assert store.load("a-1") == CODE
    # the same file, seen by somebody else
    monkeypatch.setattr(store, "_trusted_owners", lambda: {os.getuid() + 1})
    assert store.load("a-1") is None


def test_a_folder_in_the_place_of_a_file_is_not_used(place):
    (place / "a-1.kernel").mkdir(parents=True)
    assert store.load("a-1") is None


def test_a_damaged_kernel_is_compiled_again(place):
    give(place, ["kinematics"])
    file, = place.iterdir()
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


def test_homes(monkeypatch, tmp_path):
    """A tilde is the home; without a home there is a folder all the same."""
    monkeypatch.setenv("TUMBLE_CACHE_DIR", "~/kernels")
    monkeypatch.setenv("HOME", str(tmp_path))
    assert store.folders() == [tmp_path / "kernels"]
    done = subprocess.run([sys.executable, "-c", "from tumble.engine.core import store; print(store.folders()[-1].is_absolute())"], cwd=ROOT,
                          env={k: v for k, v in os.environ.items() if k not in ("HOME", "XDG_CACHE_HOME", "TUMBLE_CACHE_DIR")}, capture_output=True, text=True)
    assert done.stdout.strip() == "True", done.stderr


def test_many_processes_fill_one_folder(place):
    """All write the same kernel at once and read it all the while: each sees nothing or the whole."""
    program = ("import sys\nfrom tumble.engine.core import store\ncode = bytes(range(256)) * 4000\nfor k in range(20):\n"
               "    assert store.load('a-1') in (None, code)\n    store.save('a-1', code)\nprint('fine')")
    running = [subprocess.Popen([sys.executable, "-c", program], cwd=ROOT, env=os.environ | {"TUMBLE_CACHE_DIR": str(place)}, stdout=subprocess.PIPE, text=True)
               for _ in range(20)]
    assert [p.communicate(timeout=300)[0].strip() for p in running] == ["fine"] * 20
    assert [p.name for p in place.iterdir()] == ["a-1.kernel"]


def test_two_processes_compile_the_same_kernel_at_once(place):
    running = [subprocess.Popen([sys.executable, "-c", PROGRAM], cwd=ROOT, env=os.environ | {"TUMBLE_CACHE_DIR": str(place)}, stdout=subprocess.PIPE, text=True)
               for _ in range(2)]
    assert {p.communicate(timeout=300)[0].strip() for p in running} <= {"compiled", "cache"}
    assert run(place).stdout.strip() == "cache"


def test_files_of_the_future_are_as_good_as_others(place):
    """Neither sources nor kernels are judged by their dates."""
    give(place, ["kinematics"])
    file, = place.iterdir()
    os.utime(file, (4e9, 4e9))
    assert run(place).stdout.strip() == "cache"


def test_command(place):
    def tumble(*words):
        return subprocess.run([sys.executable, "-m", "tumble", "cache", *words], cwd=ROOT, env=os.environ | {"TUMBLE_CACHE_DIR": str(place)}, capture_output=True,
                              text=True, timeout=100)

    give(place, ["kinematics", "com_pos"])
    shown = tumble()
    assert shown.returncode == 0 and str(place) in shown.stdout and "2 kernels" in shown.stdout
    assert tumble("--check").returncode == 0
    pathlib.Path(next(place.iterdir())).write_bytes(b"")
    checked = tumble("--check")
    assert checked.returncode == 1 and "damaged" in checked.stdout
    assert tumble("--clear").returncode == 0 and not [*place.iterdir()]
