"""Writes fixes.npz: the results of 4.0.1 for the scripts about fixes. Run from the checkout as `python -m
tests.newer.record_fixes` with the Python of an environment that has mujoco-core==4.0.1.
"""

import pathlib

import mujoco
import numpy as np

from .fixes import FIXES

if __name__ == "__main__":
    found = {"version": np.array(mujoco.__version__)}
    for name, script in FIXES.items():
        for key, value in script(mujoco, mujoco.MjModel.from_xml_string).items():
            found[f"{name}.{key}"] = np.array(value)
    np.savez_compressed(pathlib.Path(__file__).parent / "fixes.npz", **found)
