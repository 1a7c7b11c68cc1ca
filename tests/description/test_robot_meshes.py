"""Mesh formats: the same tetrahedron in each of them, as people write them."""

import base64
import io
import json
import zipfile

import numpy as np
import pytest

import tumble as mj
from tests.description.test_robots import CORNERS, TRIANGLES, stl
from tumble.engine.description.robots.parts import Part, fan, tidy
from tumble.engine.description.robots.wavefront import read_obj

VERTEX = "\n".join(f"{x} {y} {z}" for x, y, z in CORNERS)
FACES = "\n".join(f"3 {a} {b} {c}" for a, b, c in TRIANGLES)


def dae():
    """In centimetres, moved by a node, with a color."""
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
    """With a node that scales, and a base color."""
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
    """In millimetres."""
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
    assert not [e for e in spec.import_report if e.severity == "error"]
    if name in ("part.dae", "part.glb"):
        assert np.allclose(m.mat_rgba[0], (0, 1, 0, 1))


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


def test_polygons_are_cut_into_triangles():
    counts, corners = np.array([4, 3, 5]), np.arange(12)
    assert len(fan(counts, corners)) == 2 + 1 + 3 and fan(counts, corners)[:2].tolist() == [[0, 1, 2], [0, 2, 3]]


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
