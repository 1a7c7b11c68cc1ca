"""A wheel with kernels: they are run on a machine without the compiler, unless they or the sources were changed.

The wheel here has two levels of the stages that a small program needs; `make wheel` packs all stages of all levels in the same
way.
"""

import csv
import os
import pathlib
import re
import subprocess
import sys
import tarfile
import zipfile

import pytest

import tumble
from tests.app.driver import ROOT
from tests.robust.environment import SECONDS, build_wheel, copy_sources, install, python
from tumble.engine.machine import archive, target

# a program that reads a compiled model needs these
STAGES = ("kinematics", "reset_data")
SUITABLE = [level.name for level in target.suitable()]
BEST, NEXT = (*SUITABLE, "", "")[:2]
pytestmark = pytest.mark.skipif(not NEXT, reason="this processor has no two levels")
# location of the files for this version
PAGES = "https://pages.invalid/tumble"
PROGRAM = """
import sys
import tumble
m = tumble.MjModel.from_binary_path("model.mjb")
d = tumble.MjData(m)
tumble.mj_kinematics(m, d)
assert d.xpos[1].tolist() == [1, 2, 3]
from tumble.engine.machine import archive, jit
print(jit.Stage.registry["kinematics"].origin, archive.chosen()[0].level if archive.chosen() else "-", "numba" in sys.modules)
"""


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """A folder for everything that is built here."""
    return tmp_path_factory.mktemp("wheel")


@pytest.fixture(scope="module")
def wheel(folder):
    """The wheel."""
    subprocess.run(
        [sys.executable, "-m", "tumble.kernels", folder / "kernels", "--levels", BEST, NEXT, "--stages", *STAGES],
        cwd=ROOT,
        check=True,
        timeout=SECONDS,
        capture_output=True,
    )
    return build_wheel(folder, TUMBLE_WHEEL_KERNELS=str(folder / "kernels"), TUMBLE_WHEEL_PAGES=PAGES)


@pytest.fixture(scope="module")
def site(folder, wheel):
    return pathlib.Path(install(wheel, folder / "environment"))


@pytest.fixture
def run(site, tmp_path):
    """run(hide, program, TUMBLE_LEVEL=...) runs a program in the environment, with an empty cache,
    without the compiler if it is hidden.
    """
    model = tumble.MjModel.from_xml_string('<mujoco><worldbody><body pos="1 2 3"/></worldbody></mujoco>')
    tumble.mj_saveModel(model, str(tmp_path / "model.mjb"))

    def start(hide="numba", program=PROGRAM, **environment):
        env = {k: v for k, v in os.environ.items() if not k.startswith(("TUMBLE_", "NUMBA_"))}
        env |= {
            "TUMBLE_CACHE_DIR": str(tmp_path / "cache"),
            "TUMBLE_TEST_HIDE": hide,
            "PYTHONPATH": str(ROOT / "tests" / "hidden"),
            **environment,
        }
        return subprocess.run(
            [python(site), "-c", program], cwd=tmp_path, env=env, capture_output=True, text=True, timeout=SECONDS
        )

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


@pytest.fixture(scope="module")
def archived(folder):
    """{path: contents} of the source archive."""
    source = copy_sources(folder)
    subprocess.run(
        [sys.executable, "-c", f"import setuptools.build_meta as build; build.build_sdist({str(folder)!r})"],
        cwd=source,
        check=True,
        timeout=SECONDS,
        capture_output=True,
        env={k: v for k, v in os.environ.items() if not k.startswith("TUMBLE_WHEEL")},
    )
    (path,) = folder.glob("*.tar.gz")
    with tarfile.open(path) as file:
        return {member.name.partition("/")[2]: file.extractfile(member).read() for member in file if member.isfile()}


def files_of(path):
    with zipfile.ZipFile(path) as file:
        return file.namelist()


def contents_of(path, end):
    """The one file in a wheel whose name ends with a suffix."""
    with zipfile.ZipFile(path) as file:
        (name,) = (n for n in file.namelist() if n.endswith(end))
        return file.read(name).decode()


def test_the_wheel_is_for_one_platform_and_one_python(wheel):
    name, version, python_tag, abi, platform = wheel.stem.split("-")
    assert (name, python_tag, abi) == ("tumble", f"cp{sys.version_info[0]}{sys.version_info[1]}", "none") and platform != "any"
    names = {f"tumble/engine/kernels/{level}{archive.SUFFIX}" for level in (BEST, NEXT)}
    assert {n for n in files_of(wheel) if n.endswith(archive.SUFFIX)} == names


def test_nothing_is_compiled_and_the_compiler_is_not_loaded(run, tmp_path):
    assert run().stdout.split() == ["wheel", BEST, "False"], run().stderr
    # the compiler is there, but unused
    assert run(hide="").stdout.split() == ["wheel", BEST, "False"]
    assert not [*(tmp_path / "cache").glob("*")]


def test_packing_again_compiles_nothing(folder, wheel):
    before = {p.name: p.stat().st_mtime_ns for p in (folder / "kernels" / "objects").iterdir()}
    done = subprocess.run(
        [sys.executable, "-m", "tumble.kernels", folder / "kernels", "--levels", NEXT, "--stages", *STAGES],
        cwd=ROOT,
        check=True,
        timeout=SECONDS,
        capture_output=True,
        text=True,
    )
    assert len(done.stdout.splitlines()) == 1 and f"{len(STAGES)} kernels" in done.stdout
    assert before == {p.name: p.stat().st_mtime_ns for p in (folder / "kernels" / "objects").iterdir()}


def test_a_damaged_archive_is_noticed(run, site, restored):
    """If an archive is damaged, that of the next level is used, else the compiler. Without a compiler, it is an error."""
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
    # the kernel is compiled only once
    assert run(hide="").stdout.split() == ["cache", "-", "False"]


def test_edited_sources_are_compiled(run, restored):
    """Kernels of other sources are not run, wherever they are stored."""
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


def test_removal_leaves_nothing(wheel):
    """All installed files are in the wheel's record."""
    assert {row[0] for row in csv.reader(contents_of(wheel, ".dist-info/RECORD").splitlines())} == set(files_of(wheel))


def test_the_source_archive_has_every_file(archived):
    """A copy can be built, tested and read like a checkout."""
    made = re.compile(r"(^|/)(build|dist|__pycache__|\.\w+_cache|[\w.]+\.egg-info)/")
    ours = {str(path.relative_to(ROOT)) for path in (ROOT / name for name in tracked()) if path.is_file()}
    assert {"Makefile", "CHANGELOG.md", ".ci/run", "tests/robust/test_wheel.py", "assets/manual/viewer.png"} <= ours
    assert not ours - set(archived)
    assert not [name for name in set(archived) - ours if not made.search(name) and name not in ("PKG-INFO", "setup.cfg")]


def tracked():
    """Files of the checkout; without a history, those that a copy includes."""
    done = subprocess.run(["git", "ls-files", "-co", "--exclude-standard"], cwd=ROOT, capture_output=True, text=True)
    if done.returncode:
        pytest.skip("not a checkout")
    return done.stdout.splitlines()


def links(text):
    return re.findall(r"\]\(([^)#]+)", text)


def test_links_of_the_page_on_an_index_lead_somewhere(wheel, archived):
    """If the address of the files is known, links lead there; otherwise there are no links to files, and no pictures."""
    page, bare = contents_of(wheel, ".dist-info/METADATA"), archived["PKG-INFO"].decode()
    assert f"Project-URL: Source, {PAGES}\n" in page and "Project-URL" not in bare
    to_files = [link.removeprefix(PAGES + "/") for link in links(page) if link.startswith(PAGES)]
    assert "assets/manual/viewer.png" in to_files and set(to_files) <= set(archived)
    assert all(link.startswith("https://") for link in links(page)) and all(link.startswith("https://") for link in links(bare))
    assert PAGES not in bare and "![" not in bare and len(bare) > 0.8 * len(page)
