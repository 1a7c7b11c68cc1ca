"""Mesh formats: the same tetrahedron in each format, as other programs write it."""

import base64
import dataclasses
import importlib.util
import io
import json
import threading
import time
import zipfile

import numpy as np
import pytest
from scipy.spatial import ConvexHull

import tumble as mj
from tests.description.test_robots import CORNERS, TRIANGLES, stl
from tumble.engine.description.language.orient import matrix
from tumble.engine.description.robots import decomposing
from tumble.engine.description.robots.bodies import MOST, bodies, closed
from tumble.engine.description.robots.deviation import excess, told_excess
from tumble.engine.description.robots.fitting import fitted
from tumble.engine.description.robots.meshes import as_png
from tumble.engine.description.robots.parts import Part, cut, enclosed, tidy
from tumble.engine.description.robots.wavefront import read_obj
from tumble.engine.description.robots.winding import wrong_way
from tumble.engine.geom.mesh_read import MeshError
from tumble.engine.geom.mesh_text import numbers_in

VERTEX = "\n".join(f"{x} {y} {z}" for x, y, z in CORNERS)
FACES = "\n".join(f"3 {a} {b} {c}" for a, b, c in TRIANGLES)


def dae():
    """The tetrahedron as COLLADA: in centimetres, moved by a node, with a color."""
    points = " ".join(str(100 * x - (5 if k % 3 == 0 else 0)) for k, x in enumerate(CORNERS.ravel()))
    return f"""<COLLADA xmlns="http://www.collada.org/2005/11/COLLADASchema" version="1.4.1"><asset><unit meter="0.01"/></asset>
    <library_effects><effect id="e"><profile_COMMON><technique sid="t">
      <phong><diffuse><color>0 1 0 1</color></diffuse></phong></technique></profile_COMMON></effect></library_effects>
    <library_materials><material id="m" name="green"><instance_effect url="#e"/></material></library_materials>
    <library_geometries><geometry id="g"><mesh><source id="s"><float_array id="a" count="12">{points}</float_array>
      <technique_common><accessor source="#a" count="4" stride="3"/></technique_common></source>
      <vertices id="v"><input semantic="POSITION" source="#s"/></vertices>
      <polylist material="x" count="4"><input semantic="VERTEX" source="#v" offset="0"/>
        <vcount>3 3 3 3</vcount><p>{" ".join(map(str, TRIANGLES.ravel()))}</p></polylist>
    </mesh></geometry></library_geometries>
    <library_visual_scenes><visual_scene id="scene"><node><translate>5 0 0</translate>
      <instance_geometry url="#g"><bind_material><technique_common><instance_material symbol="x" target="#m"/>
      </technique_common></bind_material>
      </instance_geometry></node></visual_scene></library_visual_scenes>
    <scene><instance_visual_scene url="#scene"/></scene></COLLADA>""".encode()


def gltf(binary):
    """The tetrahedron as glTF, with a node that scales, and a base color."""
    data = (CORNERS / 2).astype("<f4").tobytes() + TRIANGLES.astype("<u2").tobytes()
    buffer = {"byteLength": len(data)}
    if not binary:
        buffer["uri"] = "data:application/octet-stream;base64," + base64.b64encode(data).decode()
    tree = {
        "asset": {"version": "2.0"},
        "scenes": [{"nodes": [0]}],
        "nodes": [{"mesh": 0, "scale": [2, 2, 2]}],
        "meshes": [{"primitives": [{"attributes": {"POSITION": 0}, "indices": 1, "material": 0}]}],
        "materials": [{"pbrMetallicRoughness": {"baseColorFactor": [0, 1, 0, 1]}}],
        "accessors": [
            {"bufferView": 0, "componentType": 5126, "count": 4, "type": "VEC3"},
            {"bufferView": 1, "componentType": 5123, "count": 12, "type": "SCALAR"},
        ],
        "bufferViews": [{"buffer": 0, "byteOffset": 0, "byteLength": 48}, {"buffer": 0, "byteOffset": 48, "byteLength": 24}],
        "buffers": [buffer],
    }
    text = json.dumps(tree).encode()
    if not binary:
        return text
    text += b" " * (-len(text) % 4)
    size = 12 + 8 + len(text) + 8 + len(data)
    chunks = len(text).to_bytes(4, "little") + b"JSON" + text + len(data).to_bytes(4, "little") + b"BIN\0" + data
    return b"glTF" + (2).to_bytes(4, "little") + size.to_bytes(4, "little") + chunks


def threemf():
    """The tetrahedron as 3MF, in millimetres."""
    vertices = "".join(f'<vertex x="{1000 * x}" y="{1000 * y}" z="{1000 * z}"/>' for x, y, z in CORNERS)
    triangles = "".join(f'<triangle v1="{a}" v2="{b}" v3="{c}"/>' for a, b, c in TRIANGLES)
    text = f"""<model unit="millimeter" xmlns="http://schemas.microsoft.com/3dmanufacturing/core/2015/02">
    <resources><object id="1"><mesh>
    <vertices>{vertices}</vertices><triangles>{triangles}</triangles></mesh></object></resources>
    <build><item objectid="1"/></build></model>"""
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as archive:
        archive.writestr("3D/3dmodel.model", text)
    return out.getvalue()


def ply(kind):
    head = f"ply\nformat {kind} 1.0\nelement vertex 4\nproperty float x\nproperty float y\nproperty float z\nelement face 4\n"
    head = (head + "property list uchar int vertex_indices\nend_header\n").encode()
    if kind == "ascii":
        return head + f"{VERTEX}\n{FACES}\n".encode()
    order = "<" if "little" in kind else ">"
    faces = np.zeros(4, [("n", "u1"), ("v", order + "i4", 3)])
    faces["n"], faces["v"] = 3, TRIANGLES
    return head + CORNERS.astype(order + "f4").tobytes() + faces.tobytes()


OBJ = "\n".join([*(f"v {line}" for line in VERTEX.splitlines()), *(f"f {a + 1} {b + 1} {c + 1}" for a, b, c in TRIANGLES)])
FILES = {
    "binary.stl": stl(),
    "ascii.stl": stl(binary=False),
    "cut.stl": stl()[:80] + (9).to_bytes(4, "little") + stl()[84:],
    "plain.obj": OBJ.encode(),
    "bom_and_capitals.obj": b"\xef\xbb\xbf" + OBJ.replace("v ", "V ").replace("f ", "F ").encode(),
    "continued.obj": OBJ.replace("f 1 3 2", "f 1 3 \\\n 2").encode(),
    "negative.obj": OBJ.replace("f 1 3 2", "f -4 -2 -3").encode(),
    "windows.obj": OBJ.replace("\n", "\r\n").encode(),
    "part.dae": dae(),
    "part.glb": gltf(True),
    "part.gltf": gltf(False),
    "part.3mf": threemf(),
    "part.off": f"OFF\n4 4 0\n{VERTEX}\n{FACES}\n".encode(),
    "ascii.ply": ply("ascii"),
    "little.ply": ply("binary_little_endian"),
    "big.ply": ply("binary_big_endian"),
}


@pytest.mark.parametrize("name", FILES)
def test_a_bare_mesh_opens_as_a_free_body_on_a_floor(tmp_path, name):
    (tmp_path / name).write_bytes(FILES[name])
    spec = mj.import_model(tmp_path / name)
    m = spec.compile()
    assert m.njnt == 1 and m.jnt_type[0] == mj.mjtJoint.mjJNT_FREE and m.ngeom == 3
    assert np.isclose(m.body_mass[1], 0.1 * 0.2 * 0.3 / 6 * 1000, rtol=1e-5)
    assert not [e for e in spec.import_report if e.severity != "note"]
    if name in ("part.dae", "part.glb"):
        assert np.allclose(m.mat_rgba[0], (0, 1, 0, 1))


def test_faces_of_a_ply_file_have_colors(tmp_path):
    head, properties = (
        ply("ascii").decode().split("end_header\n"),
        "property uchar red\nproperty uchar green\nproperty uchar blue\n",
    )
    vertices, faces = head[1].splitlines()[:4], head[1].splitlines()[4:]
    text = "\n".join([*vertices, *(f"{row} 255 0 51" for row in faces)])
    (tmp_path / "part.ply").write_text(f"{head[0]}{properties}end_header\n{text}\n")
    m = mj.import_model(tmp_path / "part.ply").compile()
    assert np.allclose(m.mat_rgba[0], (1, 0, 0.2, 1))


@pytest.mark.parametrize("angle", [0.0, 0.7])
def test_a_bare_mesh_without_volume_moves_as_a_sheet(tmp_path, angle):
    """A flat mesh has the inertia of a sheet in any orientation, although rounding gives a rotated sheet some volume."""
    turn = np.array([[np.cos(angle), 0, -np.sin(angle)], [0, 1, 0], [np.sin(angle), 0, np.cos(angle)]])
    corners = np.array([[0, 0, 0], [0.2, 0, 0], [0.2, 0.1, 0], [0, 0.1, 0]]) @ turn
    rows = "".join(f"v {x:.9f} {y:.9f} {z:.9f}\n" for x, y, z in corners)
    (tmp_path / "flat.obj").write_text(rows + "f 1 2 3\nf 1 3 4\n")
    spec = mj.import_model(tmp_path / "flat.obj")
    m = spec.compile()
    mass = 1000 * 0.2 * 0.1 * 0.001
    assert np.isclose(m.body_mass[1], mass, rtol=1e-4)
    assert np.allclose(sorted(m.body_inertia[1]), mass / 12 * np.array([0.1**2, 0.2**2, 0.1**2 + 0.2**2]), rtol=1e-3)
    assert any("sheet 1 mm thick" in entry.done for entry in spec.import_report if entry.severity == "repair")
    d = mj.MjData(m)
    mj.mj_step(m, d, 1000)
    assert np.abs(d.qvel).max() < 0.2 and abs(d.xipos[1, 2]) < 0.02


# contents that are no mesh: never a crash, always the model without it
BROKEN = {
    "empty.stl": b"",
    "short.stl": b"solid",
    "none.obj": b"v 0 0 0\n",
    "words.obj": b"v a b c\nf 1 2 3\n",
    "bomb.dae": b'<!DOCTYPE x [<!ENTITY a "aaaa">]><COLLADA>&a;</COLLADA>',
    "text.glb": b"glTF....",
    "list.gltf": b"[]",
    "header.ply": b"ply\nformat ascii 1.0\n",
    "short.off": b"OFF\n4 4 0\n0 0 0\n",
    "zip.3mf": b"PK\x03\x04broken",
    "lfs.stl": b"version https://git-lfs.github.com/spec/v1\n",
}


@pytest.mark.parametrize(
    ("name", "data", "message"),
    [("none.stl", bytes(84), "the STL file has no triangles"), ("none.obj", b"v 0 0 0\n", "cannot be read")],
)
def test_a_bare_mesh_without_triangles_does_not_open(tmp_path, name, data, message):
    (tmp_path / name).write_bytes(data)
    with pytest.raises(ValueError, match=f"{name}.*{message}"):
        mj.import_model(tmp_path / name)


@pytest.mark.parametrize("name", BROKEN)
def test_broken_meshes_are_named_and_the_robot_opens_without_them(tmp_path, name):
    (tmp_path / name).write_bytes(BROKEN[name])
    (tmp_path / "r.urdf").write_text(
        f'<robot name="r"><link name="a"><visual><geometry><mesh filename="{name}"/></geometry></visual></link></robot>'
    )
    spec = mj.import_model(tmp_path / "r.urdf")
    assert spec.compile().ngeom == 0 and [e.rule for e in spec.import_report] == ["bad_mesh"]


def test_materials_of_an_obj_file_are_parts():
    text = f"mtllib a.mtl\n{OBJ.partition('f ')[0]}usemtl red\nf 1 3 2\nusemtl blue\nf 1 2 4\nusemtl red\nf 1 4 3\n"
    parts = read_obj(text.encode(), lambda name: b"newmtl red\nKd 1 0 0\nnewmtl blue\nKd 0 0 1\nd 0.5\n")
    assert [(p.material, p.rgba, len(p.face)) for p in parts] == [("red", (1, 0, 0, 1), 2), ("blue", (0, 0, 1, 0.5), 1)]


def test_convex_polygons_are_cut_like_a_fan():
    vert = np.random.default_rng(0).normal(size=(12, 3))
    angle = np.arange(5) * 2 * np.pi / 5
    for first, n in ((0, 4), (7, 5)):
        vert[first : first + n] = np.stack((np.cos(angle), np.sin(angle), 0 * angle), 1)[:n]
    counts, corners = np.array([4, 3, 5]), np.arange(12)
    triangles = cut(vert, counts, corners)
    assert len(triangles) == 2 + 1 + 3 and triangles[:2].tolist() == [[0, 1, 2], [0, 2, 3]]


def test_the_triangles_of_a_star_cover_its_area_once():
    """The area is covered once for any orientation of the star, and with its corners listed in either direction."""
    angle = np.arange(14) * np.pi / 7
    radius = np.where(np.arange(14) % 2, 0.3, 1.0)
    flat = np.stack((radius * np.cos(angle), radius * np.sin(angle), np.zeros(14)), 1)
    area = 14 * 0.5 * 0.3 * np.sin(np.pi / 7)
    for turn in np.linalg.qr(np.random.default_rng(1).normal(size=(6, 3, 3)))[0]:
        for points in (flat @ turn.T, (flat @ turn.T)[::-1]):
            # also for a star of one millimetre
            for size in (1.0, 1e-3):
                tri = cut(size * points, np.array([14]), np.arange(14))
                a, b, c = (size * points[tri[:, k]] for k in range(3))
                normals = np.cross(b - a, c - a) / 2
                assert len(tri) == 12 and np.isclose(np.linalg.norm(normals, axis=1).sum(), area * size**2)
                assert np.isclose(np.linalg.norm(normals.sum(0)), area * size**2)


def test_numbers_of_long_texts_are_those_of_python():
    rng = np.random.default_rng(2)
    values = rng.normal(size=3000) * 10.0 ** rng.integers(-30, 30, 3000)
    words = [f"{v:{form}}" for v, form in zip(values, [".17g", ".6e", "+.3f", "g"] * 750, strict=True)]
    found = numbers_in(" ".join(words).encode())
    assert found is not None and np.allclose(found, [float(w) for w in words], rtol=4e-16, atol=0)
    assert numbers_in(b"1 2 three") is None and numbers_in(b" 1e, -.5;\n7. ") is None
    assert np.array_equal(numbers_in(b" 1e0, -.5;\n7. "), [1, -0.5, 7])


def test_a_flat_mesh_that_collides_gets_thickness(tmp_path):
    (tmp_path / "flat.obj").write_text("v 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\nf 1 2 3 4\n")
    shape = '<geometry><mesh filename="flat.obj"/></geometry>'
    (tmp_path / "r.urdf").write_text(
        f'<robot name="r"><link name="a"><visual>{shape}</visual><collision>{shape}</collision></link></robot>'
    )
    spec = mj.import_model(tmp_path / "r.urdf")
    assert spec.compile().ngeom == 2 and [e.rule for e in spec.import_report] == ["mesh"]


def test_triangles_with_impossible_corners_are_left_out():
    part = Part(np.vstack((CORNERS, [[np.nan, 0, 0]])), np.vstack((TRIANGLES, [[0, 1, 99], [0, 1, 4]])))
    tidied, notes = tidy(part)
    assert tidied is not None and len(tidied.face) == 4 and len(tidied.vert) == 4 and notes


def turned(points, seed=3):
    """Points after a rotation and a translation."""
    turn = np.linalg.qr(np.random.default_rng(seed).normal(size=(3, 3)))[0]
    return points @ (turn * np.sign(np.linalg.det(turn))).T + (0.3, -0.2, 0.1)


def ball(count=400):
    points = np.random.default_rng(5).normal(size=(count, 3))
    return points / np.linalg.norm(points, axis=1, keepdims=True)


def cloud(kind):
    """Points on the surface of a shape, and its size."""
    corners = np.array([[x, y, z] for x in (-1, 1) for y in (-1, 1) for z in (-1, 1)], float)
    angle = np.arange(48) * np.pi / 24
    ring = np.stack((0.2 * np.cos(angle), 0.2 * np.sin(angle), 0 * angle), 1)
    caps = 0.2 * ball() + np.where(ball()[:, 2:] > 0, 1, -1) * (0, 0, 0.5)
    return {
        "box": (corners * (0.1, 0.2, 0.3), (0.1, 0.2, 0.3)),
        "cylinder": (np.vstack((ring + (0, 0, 0.6), ring - (0, 0, 0.6))), (0.2, 0.6)),
        "capsule": (caps, (0.2, 0.5)),
    }[kind]


@pytest.mark.parametrize("kind", ["box", "cylinder", "capsule"])
def test_a_fitted_shape_is_the_one_that_the_points_come_from_and_holds_them_all(kind):
    points, size = cloud(kind)
    points = turned(points)
    found, share = fitted(points, "auto")
    assert found.kind == kind and np.allclose(np.sort(found.size), np.sort(size), rtol=0.03) and 1 <= share < 1.15
    for other in ("box", "cylinder", "capsule"):
        fit, _ = fitted(points, other)
        at = (points - fit.pos) @ np.array(matrix(fit.quat)).reshape(3, 3)
        assert inside(at, fit).all(), other


def inside(at, fit, slack=1e-9):
    """Whether points in the frame of a shape are in it."""
    if fit.kind == "box":
        return (np.abs(at) <= np.array(fit.size) + slack).all(1)
    radius, half = fit.size
    if fit.kind == "cylinder":
        return (np.hypot(at[:, 0], at[:, 1]) <= radius + slack) & (np.abs(at[:, 2]) <= half + slack)
    beyond = np.maximum(np.abs(at[:, 2]) - half, 0)
    return np.sqrt(at[:, 0] ** 2 + at[:, 1] ** 2 + beyond**2) <= radius + slack


def test_meshes_collide_as_fitted_shapes_on_request(tmp_path):
    (tmp_path / "part.obj").write_text(OBJ)
    shape = '<geometry><mesh filename="part.obj"/></geometry>'
    (tmp_path / "r.urdf").write_text(
        f'<robot name="r"><link name="a"><visual>{shape}</visual><collision>{shape}</collision></link></robot>'
    )
    spec = mj.import_model(tmp_path / "r.urdf", fit="box")
    m = spec.compile()
    assert m.nmesh == 1 and [e.rule for e in spec.import_report] == ["fitted"]
    assert m.geom_type[m.geom_contype == 1].tolist() == [int(mj.mjtGeom.mjGEOM_BOX)]
    with pytest.raises(ValueError, match="box, cylinder, capsule, auto"):
        mj.import_model(tmp_path / "r.urdf", fit="cone")


def test_meshes_are_cut_into_convex_pieces_on_request(tmp_path):
    outline = [(0, 0), (1, 0), (1, 0.1), (0.1, 0.1), (0.1, 1), (0, 1)]
    lines = [f"v {x} {y} {z}" for z in (0, 1) for x, y in outline]
    lines += [
        "f 6 5 4 3 2 1",
        "f 7 8 9 10 11 12",
        *(f"f {k + 1} {(k + 1) % 6 + 1} {(k + 1) % 6 + 7} {k + 7}" for k in range(6)),
    ]
    (tmp_path / "l.obj").write_text("\n".join(lines))
    (tmp_path / "r.urdf").write_text(
        '<robot name="r"><link name="a"><collision><geometry><mesh filename="l.obj"/></geometry></collision></link></robot>'
    )
    if importlib.util.find_spec("coacd") is None:
        with pytest.raises(ImportError, match=r"coacd.*tumble\[robots\]"):
            mj.import_model(tmp_path / "r.urdf", decompose=True)
        return
    spec = mj.import_model(tmp_path / "r.urdf", decompose=True)
    m = spec.compile()
    # without pieces it would be one hull of three times the volume
    assert 2 <= m.nmesh <= 8 and "convex pieces" in spec.import_report.entries[0].done


def torus():
    """A closed torus with radii 1 and 0.4."""
    around, tube = 40, 12
    u, v = (x.ravel() for x in np.meshgrid(np.arange(around), np.arange(tube), indexing="ij"))
    ring = 1 + 0.4 * np.cos(2 * np.pi * v / tube)
    vert = np.stack((ring * np.cos(2 * np.pi * u / around), ring * np.sin(2 * np.pi * u / around)), 1)
    vert = np.column_stack((vert, 0.4 * np.sin(2 * np.pi * v / tube)))
    a, b, c, d = ((u + i) % around * tube + (v + j) % tube for i, j in ((0, 0), (1, 0), (1, 1), (0, 1)))
    return vert, np.concatenate((np.stack((a, b, c), 1), np.stack((a, c, d), 1))).astype(np.int32)


def test_a_torus_decomposes_closely_within_seconds():
    pytest.importorskip("coacd")
    vert, face = torus()
    pieces, coarse = decomposing.convex_parts(vert, face)
    assert not coarse and 6 <= len(pieces) <= 32
    share, away = excess([Part(*piece) for piece in pieces], Part(vert, face))
    assert 0 <= share < 0.1 and 0 < away < 0.15


def test_a_body_with_a_handle_and_a_hole_decomposes_closely():
    """Two rings are searched separately, which is several times faster, and a hole does not lead to thicker walls."""
    pytest.importorskip("coacd")
    vert, face = torus()
    both = np.vstack((vert, 0.4 * vert[:, [1, 2, 0]] + (1.5, 0, 0))), np.vstack((face, face + len(vert)))
    pieces, coarse = decomposing.convex_parts(both[0], both[1][1:])
    assert not coarse and len(pieces) <= 40
    assert 0 <= excess([Part(*piece) for piece in pieces], Part(*both))[0] < 0.1


def test_overlapping_bodies_are_decomposed_apart():
    vert, face = box_faces()
    both = np.vstack((vert, vert + 0.5))
    found = bodies(both, np.vstack((face, face + 8)))
    assert [body.most for body in found] == [1, 1], "convex bodies"
    for k, body in enumerate(found):
        assert np.array_equal(np.sort(body.vert, axis=0), np.sort(vert + k / 2, axis=0))
    # the inner surface of a hollow body faces inward
    assert [len(body.face) for body in bodies(both, np.vstack((face, face[:, ::-1] + 8)))] == [24]
    shell = np.vstack((vert, 0.5 * vert + 0.25)), np.vstack((face, face[:, ::-1] + 8))
    assert [body.most for body in bodies(*shell)] == [MOST], "a shell is not filled"
    ring, triangles = torus()
    rings = np.vstack((ring, ring + 3)), np.vstack((triangles, triangles + len(ring)))
    assert [body.most for body in bodies(*rings)] == [16, 16]


def test_a_convex_mesh_is_one_piece_without_a_search(monkeypatch):
    pytest.importorskip("coacd")
    monkeypatch.setattr(decomposing, "PROGRAM", "import os; os.abort()")
    points = np.random.default_rng(0).normal(size=(300, 3))
    points /= np.linalg.norm(points, axis=1, keepdims=True)
    face = np.array(ConvexHull(points).simplices, np.int32)
    wrong = wrong_way(points, face)
    face[wrong] = face[wrong][:, [0, 2, 1]]
    pieces, coarse = decomposing.convex_parts(points, face)
    assert len(pieces) == 1 and len(pieces[0][0]) == 300 and not coarse


def test_small_holes_are_closed():
    vert, face = torus()
    points, mended, opened = closed(vert, np.delete(face, (3, 100), axis=0))
    assert len(mended) == len(face) - 2 + 6 and len(points) == len(vert) + 2 and not opened
    assert np.isclose(enclosed(points, mended), enclosed(vert, face), rtol=1e-3)


def test_an_open_box_keeps_its_opening_unless_it_is_shallow():
    vert, face = box_faces()
    bottom = (vert[face][:, :, 2] == 0).all(1)
    assert bottom.sum() == 2
    (deep,) = bodies(vert, face[~bottom])
    assert deep.most == MOST and len(deep.face) == 10
    shallow = vert * (1, 1, 0.03)
    (filled,) = bodies(shallow, face[~bottom])
    assert filled.most == 1 and len(filled.face) == 12 and np.isclose(enclosed(filled.vert, filled.face), 0.03)
    # a reversed triangle breaks the loop of edges around the hole, which stays open
    mixed = np.where((np.arange(12) == 6)[:, None], face[:, ::-1], face)[~bottom]
    assert closed(vert, mixed)[2] and np.array_equal(closed(vert, mixed)[1], mixed)


def test_the_error_of_pieces_is_their_volume_and_their_distance_outside():
    vert, face = box_faces()
    larger = Part(1.2 * vert - 0.1, face)
    assert np.allclose(excess([larger], Part(vert, face)), (1.2**3 - 1, 0.1 * 3**0.5))
    assert np.allclose(excess([Part(vert, face)], larger), (1 / 1.2**3 - 1, 0), atol=1e-12)
    assert told_excess([larger], Part(vert, face)) == "72.8 % more volume than the mesh, up to 173 mm outside it"


def test_a_decomposition_has_a_time_limit_can_be_stopped_and_survives_a_crash(monkeypatch):
    pytest.importorskip("coacd")
    vert, face = torus()
    slow = "import time; time.sleep(60)"
    monkeypatch.setattr(decomposing, "PROGRAM", slow)
    quick = tuple(dataclasses.replace(attempt, seconds=0.2) for attempt in decomposing.ATTEMPTS)
    with pytest.raises(MeshError, match="took longer than 0.2 s; a mesh with fewer"):
        decomposing.convex_parts(vert, face, tried=quick)
    stop = threading.Event()
    threading.Timer(0.2, stop.set).start()
    begun = time.monotonic()
    with pytest.raises(MeshError, match="stopped"):
        decomposing.convex_parts(vert, face, stop)
    assert time.monotonic() - begun < 5
    monkeypatch.setattr(decomposing, "PROGRAM", "import os; os.abort()")
    with pytest.raises(MeshError, match="the decomposition failed"):
        decomposing.convex_parts(vert, face)


def test_images_of_other_formats_become_png_and_large_ones_smaller():
    image = pytest.importorskip("PIL.Image")
    pixels = np.zeros((20, 40, 3), np.uint8)
    pixels[:, 20:] = (255, 0, 0)
    out = io.BytesIO()
    image.fromarray(pixels).save(out, "BMP")
    png, count = as_png(out.getvalue())
    assert count == 800 and np.array_equal(np.asarray(image.open(io.BytesIO(png))), pixels)
    small, count = as_png(png, 10)
    assert count == 50 and image.open(io.BytesIO(small)).size == (10, 5)
    with pytest.raises(MeshError, match="cannot be decoded"):
        as_png(b"no image")


def box_faces():
    """A closed box of 12 triangles that face outward."""
    corners = np.array([(x, y, z) for x in (0, 1) for y in (0, 1) for z in (0, 1)], float)
    sides = ((0, 1, 3, 2), (4, 6, 7, 5), (0, 4, 5, 1), (2, 3, 7, 6), (0, 2, 6, 4), (1, 5, 7, 3))
    return corners, np.array([(a, b, c) for a, b, c, d in sides] + [(a, c, d) for a, b, c, d in sides])


def test_triangles_that_face_the_wrong_way_are_found():
    vert, face = box_faces()
    assert not wrong_way(vert, face).any()
    assert wrong_way(vert, face[:, ::-1]).all(), "a closed mesh that is inside out"
    wrong = np.zeros(12, bool)
    wrong[[1, 5, 7]] = True
    mixed = np.where(wrong[:, None], face[:, ::-1], face)
    assert np.array_equal(wrong_way(vert, mixed), wrong)
    # two boxes, one of them inside out and with a reversed triangle: both face outward afterwards
    both = np.vstack((vert, vert + 5)), np.vstack((face, np.where(wrong[:, None], face, face[:, ::-1]) + 8))
    found = wrong_way(*both)
    assert not found[:12].any() and np.array_equal(found[12:], ~wrong)
    # an open mesh keeps the orientation that most of its area has
    opened = mixed[np.arange(12) != 0]
    assert np.array_equal(wrong_way(vert, opened), wrong[1:])


def test_a_part_with_turned_triangles_is_mended_with_its_texture():
    vert, face = box_faces()
    face[3] = face[3][::-1]
    part = Part(vert, face, texcoord=np.zeros((36, 2)), facetexcoord=np.arange(36).reshape(12, 3))
    new, notes = tidy(part)
    assert notes == ["triangles that face the wrong way are turned: 1"]
    assert new.facetexcoord[3].tolist() == [9, 11, 10] and new.facetexcoord[2].tolist() == [6, 7, 8]


@pytest.mark.parametrize("seed", range(6))
def test_a_hull_with_turned_triangles_faces_outward_again(seed):
    """All triangles face outward afterwards, whichever were reversed, also if another body is far away in the same mesh."""
    rng = np.random.default_rng(seed)
    vert = rng.normal(size=(40, 3))
    face = np.array(ConvexHull(vert).simplices)
    turned = rng.random(len(face)) < rng.random()
    face[turned] = face[turned][:, [0, 2, 1]]
    both, faces = np.vstack((vert, vert + 30)), np.vstack((face, face[:, [1, 0, 2]] + len(vert)))
    wrong = wrong_way(both, faces)
    faces[wrong] = faces[wrong][:, [0, 2, 1]]
    a, b, c = (both[faces[:, k]] for k in range(3))
    center = np.where(faces[:, :1] < len(vert), vert.mean(0), vert.mean(0) + 30)
    assert (((a - center) * np.cross(b - a, c - a)).sum(1) > 0).all()
