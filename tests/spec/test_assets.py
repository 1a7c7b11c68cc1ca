"""Asset files: by dictionary and by directory, mesh formats, Gmsh."""
import numpy as np
import pytest

from engine import MjModel
from engine.geom.gmsh import read_gmsh
from engine.geom.mesh_read import MeshError

TETRA = np.array([[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1]], np.float32)
FACES = [(0, 2, 1), (0, 1, 3), (0, 3, 2), (1, 2, 3)]
OBJ = "".join(f"v {x} {y} {z}\n" for x, y, z in TETRA) + "".join("f {} {} {}\n".format(*(i + 1 for i in f)) for f in FACES)
XML = '<mujoco><asset><mesh name="m" file="{}"/></asset><worldbody><body><freejoint/><geom type="mesh" mesh="m"/></body></worldbody></mujoco>'


def stl():
    rows = np.zeros(len(FACES), np.dtype([("normal", "<f4", 3), ("v", "<f4", (3, 3)), ("pad", "<u2")]))
    rows["v"] = TETRA[np.array(FACES)]
    return b" " * 80 + np.int32(len(FACES)).tobytes() + rows.tobytes()


@pytest.mark.parametrize("name, data", [("a.obj", OBJ.encode()), ("a.stl", stl())])
def test_mesh_file(name, data, tmp_path):
    from_assets = MjModel.from_xml_string(XML.format(name), {name: data})
    (tmp_path / name).write_bytes(data)
    (tmp_path / "model.xml").write_text(XML.format(name))
    from_files = MjModel.from_xml_path(str(tmp_path / "model.xml"))
    assert from_assets.nmeshvert == 4 and from_assets.nmeshface == 4
    assert from_assets.body_mass[1] == pytest.approx(1000 / 6, rel=1e-6)
    np.testing.assert_array_equal(from_assets.mesh_vert, from_files.mesh_vert)


def test_same_asset_in_two_models_is_compiled_once():
    first, second = (MjModel.from_xml_string(XML.format("a.obj"), {"a.obj": OBJ.encode()}) for _ in range(2))
    np.testing.assert_array_equal(first.mesh_vert, second.mesh_vert)
    assert not np.shares_memory(first.mesh_vert, second.mesh_vert)


@pytest.mark.parametrize("data", [b"", b"short", b"\0" * 90, stl()[:-1]])
def test_damaged_stl(data):
    with pytest.raises(ValueError):
        MjModel.from_xml_string(XML.format("a.stl"), {"a.stl": data})


GMSH = b"""$MeshFormat\n4.1 0 8\n$EndMeshFormat\n$Nodes\n1 4 1 4\n3 1 0 4\n1\n2\n3\n4\n0 0 0\n1 0 0\n0 1 0\n0 0 1\n$EndNodes
$Elements\n1 1 1 1\n3 1 4 1\n1 1 2 3 4\n$EndElements\n"""


def test_gmsh():
    dim, points, elements = read_gmsh(GMSH)
    assert dim == 3 and elements.tolist() == [[0, 1, 2, 3]]
    np.testing.assert_array_equal(points, TETRA)


@pytest.mark.parametrize("old, new", [(b"4.1", b"3.0"), (b"1 4 1 4", b"2 4 1 4"), (b"\n2\n3\n", b"\n3\n2\n"), (b"0 0 1\n", b"0 0\n"), (b"$Elements", b"$El")])
def test_damaged_gmsh(old, new):
    with pytest.raises(MeshError):
        read_gmsh(GMSH.replace(old, new, 1))
