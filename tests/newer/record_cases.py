"""Writes records.npz: what 4.0.1 makes of the cases. Run from the checkout with the Python of an
environment that has mujoco-core==4.0.1.
"""

import importlib.util
import pathlib

import mujoco
import numpy as np

HERE = pathlib.Path(__file__).parent
SPEC = importlib.util.spec_from_file_location("cases", HERE / "cases.py")
assert SPEC and SPEC.loader
cases = importlib.util.module_from_spec(SPEC)
SPEC.loader.exec_module(cases)

if __name__ == "__main__":
    found = {"version": np.array(mujoco.__version__)}
    for name, (xml, fields) in cases.CASES.items():
        m = mujoco.MjModel.from_xml_string(xml)
        found |= cases.packed(name, cases.measure(mujoco, m, mujoco.MjData(m), name, fields))
    np.savez_compressed(HERE / "records.npz", **found)
