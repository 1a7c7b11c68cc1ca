"""MSH files become OBJ files that the compiler reads as the same mesh."""
import numpy as np
import pytest

import engine
from engine.msh2obj import Msh, main, msh_to_obj

VERTEX = np.array([[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1]], np.float32)
FACE = np.array([[0, 2, 1], [0, 1, 3], [0, 3, 2], [1, 2, 3]], np.int32)


def write(path, normals=True, texcoords=True):
    normal = (VERTEX - 0.25) / np.linalg.norm(VERTEX - 0.25, axis=1)[:, None] if normals else np.zeros((0, 3))
    texcoord = np.array([[0, 0], [1, 0], [0, 1], [1, 0.25]]) if texcoords else np.zeros((0, 2))
    parts = [VERTEX, normal.astype(np.float32), texcoord.astype(np.float32), FACE]
    path.write_bytes(np.array([len(p) for p in parts], np.int32).tobytes() + b"".join(p.tobytes() for p in parts))


@pytest.mark.parametrize(("normals", "texcoords"), [(True, True), (True, False), (False, False), (False, True)])
def test_both_files_compile_to_the_same_mesh(tmp_path, normals, texcoords):
    write(tmp_path / "a.msh", normals, texcoords)
    main(["-i", str(tmp_path / "a.msh"), "-o", str(tmp_path / "a.obj")])
    xml = '<mujoco><asset><mesh name="a" file="%s"/></asset><worldbody><geom type="mesh" mesh="a"/></worldbody></mujoco>'
    a, b = (engine.MjModel.from_xml_string(xml % (tmp_path / name)) for name in ("a.msh", "a.obj"))
    assert a.nmeshvert == 4 and a.nmeshtexcoord == (4 if texcoords else 0)
    for field in ("mesh_vert", "mesh_face", "mesh_normal", "mesh_texcoord", "geom_pos", "geom_quat"):
        np.testing.assert_array_equal(getattr(a, field), getattr(b, field), field)


def test_damaged_files_say_what_is_wrong(tmp_path):
    path = tmp_path / "a.msh"
    with pytest.raises(FileNotFoundError, match="does not exist"):
        Msh.create(path)
    write(path)
    path.write_bytes(path.read_bytes()[:-4])
    with pytest.raises(ValueError, match="Invalid number of faces: 4"):
        msh_to_obj(path)
    path.write_bytes(b"abc")
    with pytest.raises(ValueError, match="begins with 16"):
        msh_to_obj(path)
