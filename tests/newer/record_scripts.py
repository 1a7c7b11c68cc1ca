"""Writes scripts.npz and fixes.npz: the results of 4.0.1 for the scripts. Run from the checkout as `python -m
tests.newer.record_scripts [NAME.npz ...]` with the Python of an environment that has mujoco-core==4.0.1 and, for pictures,
PyOpenGL.
"""

import pathlib
import sys

import mujoco
import numpy as np

from .fixes import FIXES
from .scripts import SCRIPTS

FILES = {"scripts.npz": SCRIPTS, "fixes.npz": FIXES}

if __name__ == "__main__":
    for file in sys.argv[1:] or FILES:
        found = {"version": np.array(mujoco.__version__)}
        for name, script in FILES[file].items():
            for key, value in script(mujoco, mujoco.MjModel.from_xml_string).items():
                found[f"{name}.{key}"] = np.array(value)
        np.savez_compressed(pathlib.Path(__file__).parent / file, **found)
