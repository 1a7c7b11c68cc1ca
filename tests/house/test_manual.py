"""The pages of the manual are correct: programs run, files exist, links resolve."""

import importlib.util
import re
import subprocess
import sys

import pytest

from tests.app.driver import ROOT

PAGES = sorted([*(ROOT / "assets" / "manual").glob("*.md"), ROOT / "CONTRIBUTING.md", ROOT / "README.md"])
# programs of these pages run in another test, as parts of recipes
ELSEWHERE = ("recipes.md",)
ROOMS = ("app/", "engine/", "render/", "ui/", "tests/", "tumble/", "assets/")


# {word: package without which a block with this word is left out}
OPTIONAL = {"BatchEnv": "gymnasium"}


def program(page):
    """The blocks of a page as one program, because later blocks may use earlier ones."""
    lacking = [word for word, package in OPTIONAL.items() if importlib.util.find_spec(package) is None]
    blocks = re.findall(r"^```python\n(.*?)^```$", page.read_text(), re.M | re.S)
    return "\n".join(block for block in blocks if not any(word in block for word in lacking))


@pytest.mark.parametrize("page", [p for p in PAGES if p.name not in ELSEWHERE and program(p)], ids=lambda p: p.name)
def test_programs_run(page):
    done = subprocess.run([sys.executable, "-c", program(page)], cwd=ROOT, capture_output=True, text=True, timeout=300)
    assert done.returncode == 0, done.stderr


@pytest.mark.parametrize("page", PAGES, ids=lambda p: p.name)
def test_files_that_are_named_exist(page):
    text = re.sub(r"^Create `[^`]+`:$", "", page.read_text(), flags=re.M)
    for name in re.findall(r"`([\w/.]+\.(?:py|md|xml|toml))`", text):
        if name.startswith(ROOMS):
            assert (ROOT / name).exists(), name


@pytest.mark.parametrize("page", PAGES, ids=lambda p: p.name)
def test_links_lead_to_files(page):
    for target in re.findall(r"\]\(([^)#]+)\)", page.read_text()):
        if "://" not in target:
            assert (page.parent / target).exists(), target
