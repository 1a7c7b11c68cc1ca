"""Mesh files and images that would take much time or memory, or start programs: they are refused with a clear error."""

import base64
import io
import json
import time
import zipfile

import numpy as np
import pytest

import tumble as mj
from tumble.engine.description.robots.meshes import as_png
from tumble.engine.description.robots.parts import cut
from tumble.engine.description.robots.threemf import read_3mf
from tumble.engine.geom.mesh_read import MeshError


def scene(**parts):
    """A glTF file with a triangle; `parts` replace its lists."""
    uri = "data:;base64," + base64.b64encode(np.eye(3, dtype="<f4").tobytes()).decode()
    tree = {
        "buffers": [{"uri": uri}],
        "bufferViews": [{"buffer": 0, "byteLength": 36}],
        "accessors": [{"bufferView": 0, "componentType": 5126, "type": "VEC3", "count": 3}],
        "meshes": [{"primitives": [{"attributes": {"POSITION": 0}}]}],
        "nodes": [{"mesh": 0}],
    }
    return json.dumps(tree | parts).encode()


def zipped(*models):
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
        for k, text in enumerate(models):
            archive.writestr(f"3D/{k or '3dmodel'}.model", text)
    return out.getvalue()


# 2 ** 60 copies of a node
TWICE = [{"children": [k + 1, k + 1]} for k in range(60)]
NODES = "".join(f'<node id="n{k}"><instance_node url="#n{k + 1}"/><instance_node url="#n{k + 1}"/></node>' for k in range(60))
OBJECTS = "".join(
    f'<object id="{k}"><components><component objectid="{k + 1}"/><component objectid="{k + 1}"/></components></object>'
    for k in range(40)
)
MULTIPLIED = {
    "nodes.gltf": (scene(nodes=[*TWICE, {}]), "nodes"),
    "copies.gltf": (scene(nodes=[*TWICE, {"mesh": 0}]), "nodes"),
    "zeros.gltf": (scene(accessors=[{"componentType": 5126, "type": "VEC3", "count": 10**9}]), "1000000000 rows"),
    "deep.gltf": (b"[" * 200000, "Recursion"),
    "nodes.dae": (
        f"<COLLADA><library_visual_scenes><visual_scene>{NODES}</visual_scene></library_visual_scenes></COLLADA>".encode(),
        "nodes",
    ),
    "entities.dae": (
        '<?xml version="1.0" encoding="utf-16"?><!DOCTYPE a [<!ENTITY b "c">]><COLLADA>&b;</COLLADA>'.encode("utf-16"),
        "document types",
    ),
    "objects.3mf": (
        zipped(f'<model><resources>{OBJECTS}<object id="40"/></resources><build><item objectid="0"/></build></model>'),
        "nodes",
    ),
    "tags.3mf": (zipped("<model>" + "<a/>" * (5 << 20) + "</model>"), "tags"),
    "backward.ply": (
        b"ply\nformat ascii 1.0\nelement face 1000000000\nproperty list char int vertex_indices\nend_header\n" + b"-1 " * 9,
        "-1 items",
    ),
}


@pytest.mark.parametrize("name", MULTIPLIED)
def test_small_files_that_describe_huge_meshes_are_refused_soon(tmp_path, name):
    data, message = MULTIPLIED[name]
    (tmp_path / name).write_bytes(data)
    start = time.process_time()
    with pytest.raises(ValueError, match=f"{name}.*{message}"):
        mj.import_model(tmp_path / name)
    assert time.process_time() - start < 10


def test_the_models_of_a_3mf_file_share_one_limit(monkeypatch):
    monkeypatch.setattr("tumble.engine.description.robots.threemf.MAX_MEMBER", 1000)
    with pytest.raises(MeshError, match="more than the limit of"):
        read_3mf(zipped(*["<model>" + " " * 600 + "</model>"] * 2))


@pytest.mark.parametrize("counts", ([10**9], [-4, 3], [4, 2**31 - 1, 3], [2, 2]))
def test_polygons_with_more_corners_than_the_file_are_refused(counts):
    with pytest.raises(MeshError, match="corners"):
        cut(np.eye(3), np.array(counts), np.arange(3))


def test_names_that_are_not_strings_count_as_none(tmp_path):
    meshes = [{"name": name, "primitives": [{"attributes": {"POSITION": 0}}]} for name in ({"a": 1}, [1], 5)]
    (tmp_path / "a.gltf").write_bytes(scene(meshes=meshes, nodes=[{"mesh": k} for k in range(3)]))
    assert mj.import_model(tmp_path / "a.gltf").compile().nmesh


def test_names_longer_than_any_path_are_not_found(tmp_path):
    name = "a/" * 30000 + "x.stl"
    (tmp_path / "r.urdf").write_text(
        f'<robot name="r"><link name="a"><visual><geometry><mesh filename="{name}"/></geometry></visual></link></robot>'
    )
    (row,) = mj.import_model(tmp_path / "r.urdf").import_report
    assert row.rule == "lost_mesh" and len(row.done) < 10000


def test_images_that_start_programs_or_are_huge_are_not_decoded():
    image = pytest.importorskip("PIL.Image")
    with pytest.raises(MeshError, match="cannot identify"):
        as_png(b"%!PS-Adobe-3.0 EPSF-3.0\n%%BoundingBox: 0 0 9 9\n%%EndComments\nshowpage\n")
    out = io.BytesIO()
    image.new("F", (10000, 10000)).save(out, "TIFF", compression="tiff_deflate")
    assert len(out.getvalue()) < 1 << 20
    with pytest.raises(MeshError, match="10000 x 10000"):
        as_png(out.getvalue())


@pytest.mark.parametrize("corner", [7, -2, 10**6])
def test_masses_leave_out_triangles_with_missing_corners(tmp_path, corner):
    solid = "OFF\n5 4 0\n0 0 0\n1 0 0\n0 1 0\n0 0 1\nnan 9 9\n3 0 2 1\n3 0 1 3\n3 0 3 2\n3 1 2 3\n"
    (tmp_path / "a.off").write_text(solid.replace("5 4 0", "5 6 0") + f"3 0 1 {corner}\n3 0 1 4\n")
    (tmp_path / "b.off").write_text(solid)
    mass, whole = (mj.import_model(tmp_path / name).compile().body_mass[1] for name in ("a.off", "b.off"))
    assert mass == pytest.approx(whole) == pytest.approx(1000 / 6)
