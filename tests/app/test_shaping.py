"""Collision shapes in place of mesh geoms of MJCF, written into the text."""

import xml.etree.ElementTree as ET

import numpy as np
import pytest

import tumble as mj
from tumble.app.edits import shapes_written
from tumble.app.shaping import Shaping, contact_of, shaped, text_of
from tumble.engine.description.files.cache import Cache
from tumble.engine.description.language.errors import SpecError
from tumble.engine.description.rewrite import patch
from tumble.engine.description.robots import decomposing, fitting
from tumble.ui import intents as I

# the outline of a U, 3 wide and high, 1 deep
OUTLINE = [(0, 0), (3, 0), (3, 3), (2, 3), (2, 1), (1, 1), (1, 3), (0, 3)]
FRONT = [(0, 1, 4), (0, 4, 5), (1, 2, 3), (1, 3, 4), (0, 5, 6), (0, 6, 7)]
MODEL = """<mujoco>
  <asset><mesh name="u" file="u.obj" scale="0.1 0.1 0.1"/></asset>
  <worldbody>
    <body name="cup" pos="0 0 1"><freejoint/>
      <geom name="shell" type="mesh" mesh="u" condim="4" pos="0.1 0 0" euler="20 0 0"/>
    </body>
    <body name="hidden" pos="1 0 1">
      <inertial pos="0 0 0" mass="1" diaginertia="1 1 1"/>
      <geom name="ghost" type="mesh" mesh="u" group="3"/>
    </body>
  </worldbody>
</mujoco>
"""


def obj():
    corners = [f"v {x} {y} {z}" for z in (1, 0) for x, y in OUTLINE]
    sides = [(i, i + 8, j + 8) for i, j in zip(range(8), [*range(1, 8), 0], strict=True)]
    sides += [(i, j + 8, j) for i, j in zip(range(8), [*range(1, 8), 0], strict=True)]
    faces = FRONT + [(c + 8, b + 8, a + 8) for a, b, c in FRONT] + sides
    return "\n".join([*corners, *(f"f {a + 1} {b + 1} {c + 1}" for a, b, c in faces)])


@pytest.fixture
def model(tmp_path):
    (tmp_path / "u.obj").write_text(obj())
    path = tmp_path / "model.xml"
    path.write_text(MODEL)
    return path, mj.MjModel.from_xml_path(str(path))


def write(path, changes):
    for data, patches in changes.files.values():
        path.write_bytes(patch.apply(data, patches))
    return mj.MjModel.from_xml_path(str(path))


def corners(m, geom):
    """Vertices of a mesh geom in its body."""
    turn = np.zeros(9)
    mj.mju_quat2Mat(turn, m.geom_quat[geom])
    mesh = m.geom_dataid[geom]
    first, count = m.mesh_vertadr[mesh], m.mesh_vertnum[mesh]
    return m.mesh_vert[first : first + count] @ turn.reshape(3, 3).T + m.geom_pos[geom]


def test_a_box_encloses_the_mesh_and_collides_in_its_place(model):
    path, m = model
    row = shaped(m, m.geom("shell").id, "box", set())
    new = write(path, shapes_written(m, [row], str(path)))
    assert new.ngeom == m.ngeom + 1
    old, shell = corners(m, 0), new.geom("shell")
    box = next(g for g in range(new.ngeom) if new.geom_type[g] == mj.mjtGeom.mjGEOM_BOX)
    turn = np.zeros(9)
    mj.mju_quat2Mat(turn, new.geom_quat[box])
    inside = (old - new.geom_pos[box]) @ turn.reshape(3, 3)
    assert (np.abs(inside) <= new.geom_size[box] + 1e-6).all() and np.abs(inside).max(0) == pytest.approx(new.geom_size[box])
    assert new.geom_condim[box] == 4 and new.geom_contype[box] == 1 and new.geom_bodyid[box] == new.body("cup").id
    assert shell.contype == 0 and shell.conaffinity == 0
    assert np.allclose(new.body_mass, m.body_mass) and np.allclose(new.body_inertia, m.body_inertia)


def test_a_hidden_mesh_of_a_body_with_inertia_is_replaced(model):
    path, m = model
    row = shaped(m, m.geom("ghost").id, "capsule", set())
    new = write(path, shapes_written(m, [row], str(path)))
    assert new.ngeom == m.ngeom and new.geom_type[new.body("hidden").geomadr[0]] == mj.mjtGeom.mjGEOM_CAPSULE
    assert np.allclose(new.body_mass, m.body_mass)


def test_pieces_follow_a_hollow_mesh(model):
    pytest.importorskip("coacd")
    path, m = model
    taken = {"u"}
    rows = [shaped(m, m.geom(name).id, "decompose", taken) for name in ("shell", "ghost")]
    share = float(rows[0].told.split(" % more volume")[0].rpartition(" ")[2])
    assert "convex pieces" in rows[0].told and abs(share) < 10, "a U is the sum of its convex parts"
    new = write(path, shapes_written(m, rows, str(path)))
    assert new.nmesh > 3 and len(set(taken)) == new.nmesh
    # the middle of the U is free now
    ball = MODEL.replace("</worldbody>", '<geom name="ball" size="0.02" contype="1"/></worldbody>')
    assert ball != MODEL
    hulls = [corners(new, g) for g in range(new.ngeom) if new.geom_contype[g] and new.geom_bodyid[g] == new.body("cup").id]
    whole = np.concatenate(hulls)
    assert np.allclose(whole.min(0), corners(m, 0).min(0), atol=0.01) and np.allclose(
        whole.max(0), corners(m, 0).max(0), atol=0.01
    )


def test_contacts_are_taken_over(model):
    _, m = model
    assert contact_of(m, 0) == {"contype": "1", "conaffinity": "1", "condim": "4"}


def test_a_geom_that_stands_for_several_is_refused(tmp_path):
    (tmp_path / "u.obj").write_text(obj())
    path = tmp_path / "model.xml"
    inner = '<replicate count="2" offset="1 0 0"><geom type="mesh" mesh="u"/></replicate>'
    path.write_text(f'<mujoco><asset><mesh name="u" file="u.obj"/></asset><worldbody>{inner}</worldbody></mujoco>')
    m = mj.MjModel.from_xml_path(str(path))
    with pytest.raises(SpecError, match="several geoms"):
        shapes_written(m, [shaped(m, 0, "box", set())], str(path))


def test_shapes_are_computed_in_a_thread_and_flat_meshes_say_so(tmp_path):
    (tmp_path / "u.obj").write_text(obj())
    path = tmp_path / "model.xml"
    path.write_text(MODEL)
    m = mj.MjModel.from_xml_path(str(path))
    work = Shaping(m, I.ShapeGeoms("geom", 0, "auto", also=(("geom", 1),)))
    work.thread.start()
    work.thread.join(60)
    assert [row.geom for row in work.found] == [0, 1] and not work.error


def test_a_computation_can_be_cancelled(model, monkeypatch):
    pytest.importorskip("coacd")
    monkeypatch.setattr(decomposing, "PROGRAM", "import time; time.sleep(60)")
    monkeypatch.setattr(fitting, "DECOMPOSED", Cache())
    work = Shaping(model[1], I.ShapeGeoms("geom", 0, "decompose", also=(("geom", 1),)))
    work.thread.start()
    assert work.told == "Computing collision shapes: 0 of 2"
    work.stop.set()
    work.thread.join(20)
    assert not work.thread.is_alive() and not work.found and work.error == decomposing.STOPPED


def test_names_are_escaped():
    name = "a&\"<b>'c"
    assert ET.fromstring(text_of("mesh", {"name": name})).attrib == {"name": name}
