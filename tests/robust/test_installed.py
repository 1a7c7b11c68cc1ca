"""The wheel in a separate environment, used from projects whose own folders and files have the names of our packages."""

import os
import subprocess

import pytest

from tests.robust.environment import SECONDS, build_wheel, install, python
from tumble.engine.machine import store

ROOMS = ("app", "engine", "render", "ui", "assets")
MODEL = (
    '<mujoco><worldbody><geom type="plane" size="1 1 .1"/><body pos="0 0 1"><freejoint/><geom size=".1"/></body>'
    "</worldbody></mujoco>"
)
MAIN = """
import sys
{own}
import {name} as mujoco
from {name} import viewer, rollout
m = mujoco.MjModel.from_xml_path("model.xml")
d = mujoco.MjData(m)
mujoco.mj_step(m, d, 10)
assert abs(d.time - 10 * m.opt.timestep) < 1e-12 and d.qpos[2] < 1
assert mujoco.MjvScene(m, 10).maxgeom == 10 and callable(viewer.launch_passive) and callable(rollout.rollout)
ours = sys.modules[mujoco.MjModel.__module__].__file__
assert ours.startswith({site!r}), ours
print("fine", *sys.argv[1:])
"""
FOLDERS = {f"{name}/__init__.py": f"NAME = '{name}'\n" for name in ROOMS}
FILES = {f"{name}.py": f"NAME = '{name}'\n" for name in ROOMS}
HALVES = {
    **{f"{name}/part.py": "HERE = True\n" for name in ("engine", "ui")},
    "app.py": "NAME = 'app'\n",
    "render.py": "NAME = 'render'\n",
    "core.py": "",
    "tests/__init__.py": "",
}
LAYOUTS = {
    "folders": (
        FOLDERS,
        "import app, assets, engine, render, ui\nassert {m.NAME for m in (app, assets, engine, render, ui)} == "
        "{'app', 'assets', 'engine', 'render', 'ui'}",
    ),
    "files": (FILES, "import app, assets, engine, render, ui\nassert engine.NAME == 'engine' and app.NAME == 'app'"),
    "mixed": (HALVES, "import app, core, engine.part, render, tests, ui.part\nassert engine.part.HERE and app.NAME == 'app'"),
}
STARTS = ("python", "tumble run", "PYTHONPATH", "module")


@pytest.fixture(scope="module")
def site(tmp_path_factory):
    """The site-packages folder of an environment with the wheel."""
    base = tmp_path_factory.mktemp("installed")
    return install(build_wheel(base), base / "environment")


@pytest.fixture(autouse=True)
def warm(monkeypatch):
    """Kernels are named by their contents, so those of the checkout serve the wheel."""
    monkeypatch.setenv("TUMBLE_CACHE_DIR", str(store.folder()))


def project(folder, layout, site, name):
    """A user's project; returns the folder."""
    files, own = LAYOUTS[layout]
    for path, text in {**files, "main.py": MAIN.format(own=own, name=name, site=site), "model.xml": MODEL}.items():
        (folder / path).parent.mkdir(parents=True, exist_ok=True)
        (folder / path).write_text(text)
    return folder


def start(how, site, folder):
    """Run a project's main.py in one of the ways that users have."""
    env = {k: v for k, v in os.environ.items() if k not in ("PYTHONPATH", "PYTHONSAFEPATH")}
    command = [python(site), "main.py", "x"]
    if how == "tumble run":
        # the console script that pip makes for the environment
        command = [
            python(site),
            "-c",
            "import sys; from tumble.app.__main__ import main; sys.exit(main())",
            "run",
            "main.py",
            "x",
        ]
    elif how == "PYTHONPATH":
        env["PYTHONPATH"] = "."
    elif how == "module":
        command = [python(site), "-m", "main", "x"]
    return subprocess.run(command, cwd=folder, env=env, capture_output=True, text=True, timeout=SECONDS)


@pytest.mark.parametrize("how", STARTS)
@pytest.mark.parametrize("layout", LAYOUTS)
def test_projects_with_our_names_work(site, tmp_path, layout, how):
    done = start(how, site, project(tmp_path, layout, site, "mujoco" if how == "tumble run" else "tumble"))
    assert done.stdout.strip() == "fine x", done.stderr


COLD = """
import os
{own}
import tumble
from tumble.engine.calls import warm
seconds = warm.warmup(["com_pos", "kinematics"], workers=2)
assert set(seconds) == {{"com_pos", "kinematics"}}, seconds
print("fine", len(os.listdir(os.environ["TUMBLE_CACHE_DIR"])))
"""


@pytest.mark.parametrize("path", ["", "."], ids=["as it is", "PYTHONPATH"])
@pytest.mark.parametrize("layout", LAYOUTS)
def test_workers_that_compile_take_the_right_modules(site, tmp_path, layout, path, monkeypatch):
    """With an empty cache, kernels are compiled in other processes, which must not find a user's `engine`."""
    folder = project(tmp_path, layout, site, "tumble")
    (folder / "main.py").write_text(COLD.format(own=LAYOUTS[layout][1]))
    monkeypatch.setenv("TUMBLE_CACHE_DIR", str(tmp_path / "kernels"))
    done = start("PYTHONPATH" if path else "python", site, folder)
    assert done.stdout.strip() == "fine 2", done.stderr


@pytest.mark.parametrize("layout", LAYOUTS)
def test_commands_work_in_such_a_project(site, tmp_path, layout):
    folder = project(tmp_path, layout, site, "tumble")
    done = subprocess.run(
        [python(site), "-m", "tumble", "info", "model.xml"], cwd=folder, capture_output=True, text=True, timeout=SECONDS
    )
    assert done.returncode == 0 and "1 body" in done.stdout, done.stderr


def test_nothing_else_of_ours_is_installed(site):
    """No folder of ours is at the top level. All are in the package, with the data files that they need."""
    assert not [name for name in ROOMS if os.path.exists(os.path.join(site, name))]
    for file in (
        "py.typed",
        "engine/machine/stamp.py",
        "ui/panel/__init__.py",
        "assets/models/humanoid.xml",
        "assets/shaders",
        "assets/fonts",
        "assets/themes",
    ):
        assert os.path.exists(os.path.join(site, "tumble", file)) or file == "py.typed", file
