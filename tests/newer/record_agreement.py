"""Writes what 4.0.1 makes of models of others, see agreement. Run from the checkout with the Python of an
environment that has mujoco-core==4.0.1.
"""

import importlib.util
import pathlib
import sys

import mujoco

HERE = pathlib.Path(__file__).parent
SPEC = importlib.util.spec_from_file_location("agreement", HERE / "agreement.py")
assert SPEC and SPEC.loader
agreement = importlib.util.module_from_spec(SPEC)
SPEC.loader.exec_module(agreement)

if __name__ == "__main__":
    folder, out = sys.argv[1:]
    pathlib.Path(out).mkdir(parents=True, exist_ok=True)
    agreement.record(mujoco, folder, out)
