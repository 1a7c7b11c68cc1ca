"""A wheel that brings kernels: they are run on a machine without the compiler, unless they or the sources were changed.

The wheel here has two levels of the stages that a small program needs; `make wheel` packs all stages of all levels in the same way.
"""
import csv
import os
import pathlib
import subprocess
import sys
import zipfile

import pytest

import tumble
from tests.app.driver import ROOT
from tests.robust.environment import SECONDS, build_wheel, install, python
from tumble.engine.core import archive, target

# what a program needs that reads a compiled model
STAGES = ("kinematics", "reset_data")
BEST, NEXT = (level.name for level in (target.suitable() * 2)[:2])
pytestmark = pytest.mark.skipif(BEST == NEXT, reason="this processor has one level only")
PROGRAM = """
import sys
import tumble
m = tumble.MjModel.from_binary_path("model.mjb")
d = tumble.MjData(m)
tumble.mj_kinematics(m, d)
assert d.xpos[1].tolist() == [1, 2, 3]
from tumble.engine.core import archive, jit
print(jit.Stage.registry["kinematics"].origin, archive.chosen()[0].level if archive.chosen() else "-", "numba" in sys.modules)
"""


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """A folder for everything that is built here."""
    return tmp_path_factory.mktemp("wheel")


@pytest.fixture(scope="module")
def wheel(folder):
    """The wheel."""
    subprocess.run([sys.executable, "-m", "tumble.kernels", folder / "kernels", "--levels", BEST, NEXT, "--stages", *STAGES], cwd=ROOT, check=True, timeout=SECONDS,
                   capture_output=True)
    return build_wheel(folder, TUMBLE_WHEEL_KERNELS=str(folder / "kernels"))


@pytest.fixture(scope="module")
def site(folder, wheel):
    return pathlib.Path(install(wheel, folder / "environment"))


@pytest.fixture
def run(site, tmp_path):
    """run(hide, program, TUMBLE_LEVEL=...) runs a program in the environment, with an empty cache, without the compiler if it is hidden."""
    model = tumble.MjModel.from_xml_string('<mujoco><worldbody><body pos="1 2 3"/></worldbody></mujoco>')
    tumble.mj_saveModel(model, str(tmp_path / "model.mjb"))

    def start(hide="numba", program=PROGRAM, **environment):
        env = {k: v for k, v in os.environ.items() if not k.startswith(("TUMBLE_", "NUMBA_"))}
        env |= {"TUMBLE_CACHE_DIR": str(tmp_path / "cache"), "TUMBLE_TEST_HIDE": hide, "PYTHONPATH": str(ROOT / "tests" / "hidden"), **environment}
        return subprocess.run([python(site), "-c", program], cwd=tmp_path, env=env, capture_output=True, text=True, timeout=SECONDS)
    return start


@pytest.fixture
def restored(site):
    """Files of the environment that a test changes: restored(path) returns the path of one."""
    kept = {}

    def keep(name):
        path = site / "tumble" / name
        kept[path] = path.read_bytes()
        return path
    yield keep
    for path, contents in kept.items():
        path.write_bytes(contents)


def files_of(path):
    with zipfile.ZipFile(path) as file:
        return file.namelist()


def test_the_wheel_is_for_one_platform_and_one_python(wheel):
    name, version, python_tag, abi, platform = wheel.stem.split("-")
    assert (name, python_tag, abi) == ("tumble", f"cp{sys.version_info[0]}{sys.version_info[1]}", "none") and platform != "any"
    names = {f"tumble/engine/kernels/{level}{archive.SUFFIX}" for level in (BEST, NEXT)}
    assert {n for n in files_of(wheel) if n.endswith(archive.SUFFIX)} == names


def test_nothing_is_compiled_and_the_compiler_is_not_loaded(run, tmp_path):
    assert run().stdout.split() == ["wheel", BEST, "False"], run().stderr
    # the compiler is there, and rests
    assert run(hide="").stdout.split() == ["wheel", BEST, "False"]
    assert not [*(tmp_path / "cache").glob("*")]


def test_packing_again_compiles_nothing(folder, wheel):
    before = {p.name: p.stat().st_mtime_ns for p in (folder / "kernels" / "objects").iterdir()}
    done = subprocess.run([sys.executable, "-m", "tumble.kernels", folder / "kernels", "--levels", NEXT, "--stages", *STAGES], cwd=ROOT, check=True, timeout=SECONDS,
                          capture_output=True, text=True)
    assert len(done.stdout.splitlines()) == 1 and f"{len(STAGES)} kernels" in done.stdout
    assert before == {p.name: p.stat().st_mtime_ns for p in (folder / "kernels" / "objects").iterdir()}


def test_a_damaged_archive_is_noticed(run, site, restored):
    """The next level serves; without any the kernel is compiled, and without a compiler that is an error."""
    best, other = (restored(f"engine/kernels/{name}{archive.SUFFIX}") for name in (BEST, NEXT))
    best.write_bytes(best.read_bytes()[:-6000])
    done = run()
    assert done.stdout.split()[0] == "wheel", done.stderr
    shown = run(program="from tumble.app.__main__ import main; main(['cache']); print(main(['cache', '--check']))")
    assert "damaged; it is not used" in shown.stdout and shown.stdout.split()[-1] == "1", shown.stdout + shown.stderr
    best.write_bytes(b"")
    assert run().stdout.split() == ["wheel", NEXT, "False"]
    other.write_bytes(b"\0" * 4096)
    assert "No module named 'numba'" in run().stderr
    assert run(hide="").stdout.split() == ["compiled", "-", "True"]
    # once
    assert run(hide="").stdout.split() == ["cache", "-", "False"]


def test_edited_sources_are_compiled(run, restored):
    """Kernels of other sources are not run, wherever these lie."""
    source = restored("engine/dynamics/kinematics.py")
    text = source.read_text()
    assert "def kinematics(m, d):" in text
    head, _, rest = text.partition("def kinematics(m, d):")
    first = rest.index('"""', rest.index('"""') + 3) + 3
    source.write_text(f"{head}def kinematics(m, d):{rest[:first]}\n    d.time += 1.0{rest[first:]}")
    assert "No module named 'numba'" in run().stderr
    assert run(hide="", program=PROGRAM + "print(d.time)").stdout.split() == ["compiled", BEST, "True", "1.0"]


def test_a_level_can_be_chosen(run):
    assert run(TUMBLE_LEVEL=NEXT).stdout.split() == ["wheel", NEXT, "False"]
    assert run(hide="", TUMBLE_LEVEL="native").stdout.split() == ["compiled", "-", "True"]
    assert "this processor can have native" in run(TUMBLE_LEVEL="z80").stderr


def test_the_command_shows_what_is_in_use(run):
    shown = run(program="from tumble.app.__main__ import main; print(main(['cache']))").stdout.splitlines()
    assert f"{BEST}{archive.SUFFIX}: {len(STAGES)} kernels by numba" in shown[0] and shown[0].endswith("in use")
    assert NEXT in shown[1] and "in use" not in shown[1] and shown[-1] == "0"


def test_removal_leaves_nothing(folder, wheel):
    """All that was installed is in the wheel's record."""
    with zipfile.ZipFile(wheel) as file:
        record, = (n for n in file.namelist() if n.endswith("RECORD"))
        rows = {row[0] for row in csv.reader(file.read(record).decode().splitlines())}
    assert rows == set(files_of(wheel))
