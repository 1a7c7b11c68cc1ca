"""Writes the interface of 4.0.1, see face. Run from the checkout with the Python of an environment that has
mujoco-core==4.0.1."""

import importlib.util
import json
import pathlib

import mujoco

HERE = pathlib.Path(__file__).parent
SPEC = importlib.util.spec_from_file_location("face", HERE / "face.py")
assert SPEC and SPEC.loader
face = importlib.util.module_from_spec(SPEC)
SPEC.loader.exec_module(face)

if __name__ == "__main__":
    kept = {"version": mujoco.__version__, "names": face.names(mujoco), "kinds": face.kinds(mujoco)}
    (HERE / "face.json").write_text(json.dumps(kept, separators=(",", ":")))
