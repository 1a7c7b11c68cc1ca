"""Writes convex.npz, see convex. Run from the checkout with the Python of an environment that has mujoco-core==4.0.1."""

import importlib.util
import pathlib

import mujoco
import numpy as np

HERE = pathlib.Path(__file__).parent
SPEC = importlib.util.spec_from_file_location("convex", HERE / "convex.py")
assert SPEC and SPEC.loader
convex = importlib.util.module_from_spec(SPEC)
SPEC.loader.exec_module(convex)

if __name__ == "__main__":
    load = mujoco.MjModel.from_xml_string
    np.savez_compressed(
        HERE / "convex.npz",
        version=mujoco.__version__,
        contacts=convex.contacts(mujoco, load),
        near=convex.contacts(mujoco, load, convex.MARGIN),
        planes=convex.planes(mujoco, load),
    )
