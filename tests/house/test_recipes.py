r"""The recipes of assets/manual/recipes.md, applied exactly as written to a copy of the tree.

A step is a line `Create `file`:`, `In `file`, after `text`:`, `In `file`, before `text`:` or `In `file`, instead of
`text`:` and the code block below it. The text must occur once in the file. The block is inserted as separate lines after
or before the whole line (after, before), or replaces the text itself (instead of). A block below `It works:` is a program
that is then run in the copy.
"""

import os
import re
import shutil
import subprocess
import sys

import pytest

from tests.app.driver import ROOT
from tumble.engine.machine import store

PAGE = ROOT / "assets" / "manual" / "recipes.md"
STEP = re.compile(
    r"^(?:(Create) `([^`]+)`|In `([^`]+)`, (after|before|instead of) `([^`]+)`|(It works)):\n\n```\w*\n(.*?)^```$", re.M | re.S
)
SECONDS = 580
# maximum number of edited places for each addition, including a created file
MOST = {
    "sensor": 2,
    "MJCF attribute": 2,
    "attribute that scales another": 1,
    "field": 2,
    "joint-space force": 3,
    "actuator model": 3,
    "actuator shortcut": 3,
    "constraint": 3,
    "geom type": 10,
    "mesh format": 3,
    "tag of URDF": 1,
    "solver": 2,
    "panel": 2,
}


def recipes():
    """{title: [(type, file, text, block)]} of the page; programs have the type `It works`."""
    found = {}
    for part in re.split(r"^## ", PAGE.read_text(), flags=re.M)[1:]:
        title, _, body = part.partition("\n")
        steps = [
            (create or how or works, made or file, text, block)
            for create, made, file, how, text, works, block in STEP.findall(body)
        ]
        if steps:
            found[title.strip()] = steps
    return found


RECIPES = recipes()


def places(title):
    """Steps of a recipe that change something."""
    return [step for step in RECIPES[title] if step[0] != "It works"]


def apply(tree, steps):
    """Carry out the steps of a recipe on a copy of the sources."""
    for how, file, text, block in steps:
        path = tree / file
        if how == "Create":
            assert not path.exists(), f"{file} exists"
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(block)
            continue
        source = path.read_text()
        assert source.count(text) == 1, f"{file} has {source.count(text)} times: {text}"
        at = source.index(text)
        if how == "instead of":
            path.write_text(source[:at] + block.rstrip("\n") + source[at + len(text) :])
            continue
        line = source.rindex("\n", 0, at) + 1 if how == "before" else source.index("\n", at) + 1
        path.write_text(source[:line] + block + source[line:])


@pytest.fixture
def tree(tmp_path):
    """A copy of the sources and the tests, with what Python has compiled of them, and without kernels."""
    for name in ("tumble", "app", "engine", "render", "ui", "assets", "tests"):
        shutil.copytree(ROOT / name, tmp_path / name, ignore=shutil.ignore_patterns("kernels"))
    shutil.copy(ROOT / "pyproject.toml", tmp_path)
    return tmp_path


@pytest.mark.parametrize("title", RECIPES)
def test_a_recipe_works_as_it_is_written(tree, title):
    apply(tree, places(title))
    programs = [block for how, _, _, block in RECIPES[title] if how == "It works"]
    assert programs, "nothing shows that it works"
    env = {k: v for k, v in os.environ.items() if not k.startswith("PYTEST")} | {
        "TUMBLE_CACHE_DIR": str(store.folder()),
        "PYTHONPATH": str(tree),
    }
    for program in programs:
        done = subprocess.run(
            [sys.executable, "-c", program], cwd=tree, env=env, capture_output=True, text=True, timeout=SECONDS
        )
        assert done.returncode == 0, done.stdout[-2000:] + done.stderr[-2000:]


@pytest.mark.parametrize("kind", MOST)
def test_an_addition_takes_few_places(kind):
    (title,) = (title for title in RECIPES if title.split(" ", 1)[1] == kind)
    assert len(places(title)) <= MOST[kind]
