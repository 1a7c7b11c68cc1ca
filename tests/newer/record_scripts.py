"""Writes scripts.npz: what 4.0.1 makes of the scripts. Run from the checkout with the Python of an environment that has
mujoco-core==4.0.1 and, for pictures, PyOpenGL.
"""

import importlib.util
import pathlib

import mujoco
import numpy as np

HERE = pathlib.Path(__file__).parent
SPEC = importlib.util.spec_from_file_location("scripts", HERE / "scripts.py")
assert SPEC and SPEC.loader
scripts = importlib.util.module_from_spec(SPEC)
SPEC.loader.exec_module(scripts)

if __name__ == "__main__":
    found = {"version": np.array(mujoco.__version__)}
    for name, script in scripts.SCRIPTS.items():
        for key, value in script(mujoco, mujoco.MjModel.from_xml_string).items():
            found[f"{name}.{key}"] = np.array(value)
    np.savez_compressed(HERE / "scripts.npz", **found)
