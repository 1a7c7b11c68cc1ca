"""Writes fields.npz, see fields. Run from the checkout with the Python of an environment that has mujoco-core==4.0.1."""

import importlib.util
import pathlib

import mujoco
import numpy as np

HERE = pathlib.Path(__file__).parent
SPEC = importlib.util.spec_from_file_location("fields", HERE / "fields.py")
assert SPEC and SPEC.loader
fields = importlib.util.module_from_spec(SPEC)
SPEC.loader.exec_module(fields)

if __name__ == "__main__":
    np.savez_compressed(HERE / "fields.npz", version=mujoco.__version__, **fields.all_measured(mujoco))
