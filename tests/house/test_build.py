"""Names in the build and release files exist: the Makefile, the platforms of a release, the oldest versions."""

import re
import tomllib

from tests import oldest
from tests.house.sources import ROOT

WHEELS = (ROOT / ".ci" / "wheels.toml").read_text()


def test_oldest_versions_are_exact_and_tested():
    """Each dependency has a minimum version, and tests run with it."""
    wanted = oldest.requirements()
    assert len(wanted) > 10 and all(re.fullmatch(r"[\w-]+==[\d.]+", text) for text in wanted), wanted
    assert all((ROOT / "tests" / name).is_file() for name in oldest.TESTS)


def test_the_builder_and_the_project_want_the_same_setuptools():
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())
    (needed,) = project["build-system"]["requires"]
    assert needed in project["project"]["optional-dependencies"]["test"]
    assert WHEELS.count(needed) == 2


def test_the_platforms_of_a_release_are_built_by_what_is_here():
    """Files and modules that the commands name exist; setup.py reads the variables they set."""
    table = tomllib.loads(WHEELS)["tool"]["cibuildwheel"]
    files = re.findall(r"\{project\}/([\w./]+)", WHEELS)
    assert files and all((ROOT / name).exists() for name in files)
    assert all((ROOT / f"{name.replace('.', '/')}.py").is_file() for name in re.findall(r"-m (tumble\.\w+)", WHEELS))
    setup = (ROOT / "setup.py").read_text()
    assert all(f'"{name}"' in setup for name in table["environment"])
    for name in ("linux", "macos", "windows"):
        assert table[name]["archs"]
    lowest = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["requires-python"].removeprefix(">=")
    assert table["build"][0] == f"cp{lowest.replace('.', '')}-*"


def test_every_target_of_the_makefile_is_described():
    text = (ROOT / "Makefile").read_text()
    phony = re.search(r"^\.PHONY: (.*)$", text, re.M)[1].split()
    comment = text[: text.index("PYTHON ?=")]
    assert not [name for name in phony if name != "lint" and not re.search(rf"\b{name} ", comment)]
    assert all(re.search(rf"^{name}:", text, re.M) for name in phony)
