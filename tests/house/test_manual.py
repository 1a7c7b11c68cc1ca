"""The pages of the manual are correct: programs run, files exist, links resolve."""

import importlib.util
import re
import shlex
import subprocess
import sys

import pytest

from tests.app.driver import ROOT
from tumble.app.__main__ import separated
from tumble.app.arguments import COMMANDS, parser

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


def commands(page):
    """The commands of a page: lines of blocks, in which two spaces or a hash begin a remark, and commands in sentences."""
    text = page.read_text()
    for block in re.findall(r"^```\w*\n(.*?)^```$", text, re.M | re.S):
        for line in block.splitlines():
            for part in re.split(r"  +|\s#|&&", line):
                if re.match(r"tumble [\w.-]", part.strip()):
                    yield part.strip()
    yield from re.findall(r"`(tumble [a-z]+ [^`A-Z.]*)`", text)


@pytest.mark.parametrize("page", [p for p in PAGES if list(commands(p))], ids=lambda p: p.name)
def test_commands_are_understood(page):
    """Each command has a known name, known options and all arguments that it needs; none is run."""
    for line in commands(page):
        words = shlex.split(line)[1:]
        if words[0] not in COMMANDS:
            words.insert(0, "view")
        _options, rest = parser().parse_known_args(separated(words))
        assert not rest, f"{line}: {rest}"
