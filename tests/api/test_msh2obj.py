"""A legacy MSH file and its converted OBJ text contain the same mesh."""

import numpy as np
import pytest

from tumble.engine import MjModel
from tumble.engine.msh2obj import Msh, main, msh_to_obj

VERT = np.array([[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1]], "<f4")
NORMAL = np.array([[-1, -1, -1], [1, 0, 0], [0, 1, 0], [0, 0, 1]], "<f4")
TEXCOORD = np.array([[0, 0], [1, 0.25], [0.5, 1], [0, 0.5]], "<f4")
FACE = np.array([[0, 2, 1], [0, 1, 3], [0, 3, 2], [1, 2, 3]], "<i4")
XML = '<mujoco><asset><mesh name="m" file="{}"/></asset></mujoco>'


def write(path, normal=NORMAL, texcoord=TEXCOORD):
    path.write_bytes(
        np.array([len(VERT), len(normal), len(texcoord), len(FACE)], "<i4").tobytes()
        + b"".join(a.tobytes() for a in (VERT, normal, texcoord, FACE))
    )
    return path


@pytest.mark.parametrize(
    "parts", [{}, {"normal": NORMAL[:0]}, {"texcoord": TEXCOORD[:0]}, {"normal": NORMAL[:0], "texcoord": TEXCOORD[:0]}]
)
def test_both_compile_to_the_same_mesh(tmp_path, parts):
    file = write(tmp_path / "m.msh", **parts)
    main(["-i", str(file), "-o", str(tmp_path / "m.obj")])
    assert (tmp_path / "m.obj").read_text() == msh_to_obj(file)
    a, b = (MjModel.from_xml_string(XML.format(tmp_path / name)) for name in ("m.msh", "m.obj"))
    for field in "mesh_vert mesh_face mesh_texcoord mesh_normalnum mesh_texcoordnum".split():
        np.testing.assert_allclose(getattr(a, field), getattr(b, field), atol=1e-6, err_msg=field)


def test_what_is_no_msh_file(tmp_path):
    with pytest.raises(FileNotFoundError):
        Msh.create(tmp_path / "nowhere.msh")
    (tmp_path / "short.msh").write_bytes(b"123")
    with pytest.raises(ValueError, match=r"short\.msh"):
        Msh.create(tmp_path / "short.msh")
