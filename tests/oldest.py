"""The oldest versions that pyproject.toml allows, and the tests that are run with them (`make test-oldest`).

`python -m tests.oldest` prints the versions as requirements for pip, `python -m tests.oldest tests` the files of tests.
"""

import pathlib
import sys
import tomllib

PROJECT = pathlib.Path(__file__).resolve().parents[1] / "pyproject.toml"
# tools that only read the sources: newer versions find more, so the oldest ones need not be tested
READERS = ("ruff", "pyright", "mypy")
# storage, kernels compiled and cached, physics, meshes and pictures, the window, films, and the wheel
TESTS = (
    "core/test_structs.py",
    "core/test_binary.py",
    "core/test_store.py",
    "laws/test_motion.py",
    "parity/test_step.py",
    "description/test_assets.py",
    "render/test_parts.py",
    "render/test_pictures.py",
    "app/test_viewer.py",
    "app/test_render.py",
    "robust/test_wheel.py",
)


def requirements():
    """Every dependency of the package and of its tests in the oldest allowed version. Packages of other extras are left out,
    because tests are skipped without them.
    """
    project = tomllib.loads(PROJECT.read_text())["project"]
    extras = dict(project["optional-dependencies"])
    wanted = [*project["dependencies"], *extras.pop("test")]
    others = {text for texts in extras.values() for text in texts}
    return [text.replace(">=", "==") for text in wanted if not text.startswith(READERS) and text not in others]


if __name__ == "__main__":
    print(*(f"tests/{name}" for name in TESTS) if sys.argv[1:] == ["tests"] else requirements(), sep="\n")
