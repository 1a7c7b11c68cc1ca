"""Asset files: by dictionary and by directory, mesh formats, Gmsh."""

import io

import mujoco
import numpy as np
import pytest
from PIL import Image

from tumble.engine import (
    MjModel,
    MjSpec,
    mj_clearCache,
    mj_getCache,
    mj_getCacheCapacity,
    mj_getCacheSize,
    mj_setCacheCapacity,
    mjtTexture,
)
from tumble.engine.geom.gmsh import read_gmsh
from tumble.engine.geom.mesh_read import MeshError

TETRA = np.array([[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1]], np.float32)
FACES = [(0, 2, 1), (0, 1, 3), (0, 3, 2), (1, 2, 3)]
OBJ = "".join(f"v {x} {y} {z}\n" for x, y, z in TETRA) + "".join("f {} {} {}\n".format(*(i + 1 for i in f)) for f in FACES)
XML = (
    '<mujoco><asset><mesh name="m" file="{}"/></asset><worldbody><body><freejoint/><geom type="mesh" mesh="m"/></body>'
    "</worldbody></mujoco>"
)


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


@pytest.mark.parametrize("name", ["a.obj", "./a.obj", "in/a.obj", "in/../a.obj", "./in/./a.obj", "in/../../{}/a.obj"])
def test_paths_are_reduced(name, tmp_path):
    """`paths` has the names of files without `.`, and `..` only where it cannot be resolved, as in MuJoCo."""
    (tmp_path / "in").mkdir()
    for folder in (tmp_path, tmp_path / "in"):
        (folder / "a.obj").write_text(OBJ)
    (tmp_path / "m.xml").write_text(XML.format(name.format(tmp_path.name)))
    path = str(tmp_path / "m.xml")
    ref = mujoco.MjModel.from_xml_path(path)
    assert MjModel.from_xml_path(path).paths == ref.paths
    assert b"/./" not in ref.paths and not ref.paths.startswith(b"./")


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


@pytest.mark.parametrize(
    "old, new",
    [(b"4.1", b"3.0"), (b"1 4 1 4", b"2 4 1 4"), (b"\n2\n3\n", b"\n3\n2\n"), (b"0 0 1\n", b"0 0\n"), (b"$Elements", b"$El")],
)
def test_damaged_gmsh(old, new):
    with pytest.raises(MeshError):
        read_gmsh(GMSH.replace(old, new, 1))


def png(color):
    picture = io.BytesIO()
    Image.new("RGB", (8, 8), color).save(picture, "PNG")
    return picture.getvalue()


@pytest.fixture
def empty_cache():
    mj_clearCache(mj_getCache())
    before = mj_getCacheCapacity(mj_getCache())
    yield mj_getCache()
    mj_setCacheCapacity(mj_getCache(), before)


TEXTURED = '<mujoco><asset><texture name="t" type="2d" file="t.png"/><mesh name="m" file="a.obj"/></asset></mujoco>'


def test_assets_are_kept_by_content(empty_cache):
    red, blue = {"t.png": png((255, 0, 0)), "a.obj": OBJ.encode()}, {"t.png": png((0, 0, 255)), "a.obj": OBJ.encode()}
    first = MjModel.from_xml_string(TEXTURED, red)
    size = mj_getCacheSize(empty_cache)
    assert size > first.ntexdata
    again, other = MjModel.from_xml_string(TEXTURED, red), MjModel.from_xml_string(TEXTURED, blue)
    assert mj_getCacheSize(empty_cache) == size + other.ntexdata, "only the texture is new"
    np.testing.assert_array_equal(first.tex_data, again.tex_data)
    assert first.tex_data[:3].tolist() == [255, 0, 0] and other.tex_data[:3].tolist() == [0, 0, 255]


def test_cache_keeps_to_its_limit(empty_cache):
    assets = {"t.png": png((1, 2, 3)), "a.obj": OBJ.encode()}
    MjModel.from_xml_string(TEXTURED, assets)
    assert mj_setCacheCapacity(empty_cache, 100) == 100 and mj_getCacheSize(empty_cache) <= 100
    assert MjModel.from_xml_string(TEXTURED, assets).nmesh == 1, "a model loads although nothing is kept"
    assert mj_getCacheSize(empty_cache) <= 100


def test_given_texture_data_is_not_shared_with_the_caller(empty_cache):
    spec = MjSpec()
    data = np.arange(12, dtype=np.uint8)
    spec.add_texture(name="t", type=mjtTexture.mjTEXTURE_2D, width=2, height=2, nchannel=3, data=data)
    first = spec.compile()
    first.tex_data[:] = 0
    assert spec.compile().tex_data.tolist() == data.tolist()


@pytest.mark.parametrize("corners, triangles", [(3, 1), (4, 2), (100, 98), (101, 0)])
def test_polygons_of_an_obj_file(corners, triangles):
    """A convex polygon gives two triangles fewer than it has corners, up to a hundred corners; larger ones are left out."""
    angle = 2 * np.pi * np.arange(corners) / corners
    text = (
        OBJ
        + "".join(f"v {np.cos(a):.6f} {np.sin(a):.6f} 3\n" for a in angle)
        + "f "
        + " ".join(str(5 + i) for i in range(corners))
        + "\n"
    )
    model = MjModel.from_xml_string(XML.format("a.obj").replace("<mesh ", '<mesh inertia="shell" '), {"a.obj": text.encode()})
    assert model.nmeshface == len(FACES) + triangles
