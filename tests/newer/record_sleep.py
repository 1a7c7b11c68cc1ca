"""Writes sleep.npz: simulations of 4.0.1 in which something falls asleep. Run from the checkout with the Python of an
environment that has mujoco-core==4.0.1.
"""

import importlib.util
import pathlib

import mujoco
import numpy as np

HERE = pathlib.Path(__file__).parent
SPEC = importlib.util.spec_from_file_location("sleep", HERE / "sleep.py")
assert SPEC and SPEC.loader
sleep = importlib.util.module_from_spec(SPEC)
SPEC.loader.exec_module(sleep)

if __name__ == "__main__":
    found = {"version": np.array(mujoco.__version__)}
    for name, (xml, _, _) in sleep.MODELS.items():
        m = mujoco.MjModel.from_xml_string(xml)
        found[name] = sleep.run(mujoco, m, mujoco.MjData(m), name)
    np.savez_compressed(HERE / "sleep.npz", **found)
