"""Writes rays.npz: what rays of 4.0.1 find. Run from the checkout with the Python of an
environment that has mujoco-core==4.0.1.
"""

import importlib.util
import pathlib

import mujoco
import numpy as np

HERE = pathlib.Path(__file__).parent
SPEC = importlib.util.spec_from_file_location("rays", HERE / "rays.py")
assert SPEC and SPEC.loader
rays = importlib.util.module_from_spec(SPEC)
SPEC.loader.exec_module(rays)

if __name__ == "__main__":
    m = mujoco.MjModel.from_xml_string(rays.MODEL)
    d = mujoco.MjData(m)
    mujoco.mj_forward(m, d)
    np.savez_compressed(HERE / "rays.npz", version=np.array(mujoco.__version__), **rays.trace(mujoco, m, d))
