"""Meshes of a model are made by several threads, as releases after 3.4 do."""

import threading

import numpy as np
import pytest

import tumble
from tumble.engine.description.compile import mesh
from tumble.engine.description.files.cache import ASSETS

MESHES = (
    "".join(f"<mesh name='m{k}' builtin='supersphere' params='{12 + k} .5 .5'/>" for k in range(5))
    + "<mesh name='same' builtin='supersphere' params='12 .5 .5'/>"
)
MODEL = "<mujoco><compiler usethread='{threads}'/><asset>" + MESHES + "{more}</asset><worldbody>{bodies}</worldbody></mujoco>"
BODIES = "".join(f"<geom type='mesh' mesh='{name}'/>" for name in ("m0", "m1", "m2", "m3", "m4", "same"))


def made(monkeypatch, threads, more=""):
    """(model, names of the threads that made a mesh, all meshes remade)."""
    names, work = [], mesh.process
    monkeypatch.setattr(
        mesh, "process", lambda *args, **more: names.append(threading.current_thread().name) or work(*args, **more)
    )
    ASSETS.clear()
    try:
        return tumble.MjModel.from_xml_string(MODEL.format(threads=threads, more=more, bodies=BODIES)), names
    finally:
        monkeypatch.undo()


def test_threads_make_the_same_meshes(monkeypatch):
    monkeypatch.setattr("os.cpu_count", lambda: 2)
    alone, mine = made(monkeypatch, "false")
    monkeypatch.setattr("os.cpu_count", lambda: 2)
    together, theirs = made(monkeypatch, "true")
    # equal meshes are made once
    assert len(mine) == len(theirs) == 5
    assert set(mine) == {threading.current_thread().name} and all(name.startswith("mesh") for name in theirs)
    for name in ("mesh_vert", "mesh_normal", "mesh_face", "mesh_graph", "mesh_polynormal", "mesh_pos", "mesh_quat", "bvh_aabb"):
        assert np.array_equal(getattr(alone, name), getattr(together, name)) and getattr(alone, name).size, name


def test_the_first_fault_is_told(monkeypatch):
    faulty = "".join(
        f"<mesh name='{name}' vertex='0 0 0 1 0 0 0 1 0 0 0 {z}' face='{face}'/>"
        for name, z, face in (("x", 1, "0 2 1 0 1 3 0 3 2 1 2 9"), ("y", 0, "0 1 2"))
    )
    for threads in ("false", "true"):
        with pytest.raises(ValueError, match="'x'"):
            made(monkeypatch, threads, faulty)
