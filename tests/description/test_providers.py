"""Providers can supply every type of file; files can be confined to a directory."""

import base64
import io
import itertools
import os
import zipfile

import numpy as np
import pytest
from PIL import Image

import tumble as mj
from tumble.app.reload import Watcher, model_files, stamp

OBJ = b"v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\n"
GMSH = b"""$MeshFormat\n4.1 0 8\n$EndMeshFormat\n$Nodes\n1 4 1 4\n3 1 0 4\n1\n2\n3\n4\n0 0 0\n1 0 0\n0 1 0\n0 0 1\n$EndNodes
$Elements\n1 1 1 1\n3 1 4 1\n1 1 2 3 4\n$EndElements\n"""
SKIN = (
    np.array([3, 0, 1, 1], "<i4").tobytes()
    + np.eye(3, dtype="<f4").tobytes()
    + np.array([0, 1, 2], "<i4").tobytes()
    + b"b".ljust(40, b"\0")
    + np.array([0, 0, 0, 1, 0, 0, 0], "<f4").tobytes()
    + np.array([3, 0, 1, 2], "<i4").tobytes()
    + np.ones(3, "<f4").tobytes()
)
HFIELD = np.array([2, 3], "<i4").tobytes() + np.arange(6, dtype="<f4").tobytes()


def png():
    picture = io.BytesIO()
    Image.new("RGB", (4, 4), (10, 20, 30)).save(picture, "PNG")
    return picture.getvalue()


FILES = {
    "part.xml": b'<mujoco><worldbody><geom name="included" size="1"/></worldbody></mujoco>',
    "m.obj": OBJ,
    "t.png": png(),
    "s.skn": SKIN,
    "h.bin": HFIELD,
    "f.msh": GMSH,
    "arm.xml": b'<mujoco><worldbody><body name="arm"><geom size="1"/></body></worldbody></mujoco>',
}
TYPES = {"m.obj": "model/obj", "t.png": "image/png"}
# every type of file, each by its name
MODEL = """<mujoco><include file="{part.xml}"/>
<asset><mesh name="m" file="{m.obj}"/><texture name="t" type="2d" file="{t.png}"/>\
<hfield name="h" file="{h.bin}" size="1 1 1 1"/>
<model name="arm" file="{arm.xml}"/></asset><deformable><skin name="s" file="{s.skn}"/></deformable>
<worldbody><body name="b"><freejoint/><geom type="mesh" mesh="m"/><body name="c" pos="3 0 0">
<flexcomp name="f" type="gmsh" dim="3" file="{f.msh}" radius=".01"/></body></body><attach model="arm" prefix="x"/></worldbody>\
</mujoco>"""
_numbers = itertools.count()


def model(name_of):
    text = MODEL
    for file in FILES:
        text = text.replace("{" + file + "}", name_of(file))
    return text


def check(m):
    assert (m.nmesh, m.ntex, m.nhfield, m.nskin, m.nflex) == (1, 1, 1, 1, 1)
    assert m.tex_data[:3].tolist() == [10, 20, 30] and m.nskinvert == 3 and m.flex_vertnum[0] == 4 and m.hfield_ncol[0] == 3
    assert mj.mj_name2id(m, mj.mjtObj.mjOBJ_GEOM, "included") >= 0 and mj.mj_name2id(m, mj.mjtObj.mjOBJ_BODY, "xarm") >= 0


class Shelf:
    """A provider that counts its calls."""

    def __init__(self, files):
        self.files, self.opened, self.changed = dict(files), 0, False
        self.scheme = f"shelf{next(_numbers)}"
        self.slot = mj.mjp_registerResourceProvider(
            mj.mjpResourceProvider(
                self.scheme, open=self.open, read=self.read, close=self.close, modified=lambda name, since: self.changed
            )
        )

    def open(self, name):
        key = name.partition(":")[2]
        if key not in self.files:
            return None
        self.opened += 1
        return [key]

    def read(self, handle):
        return self.files[handle[0]]

    def close(self, handle):
        self.opened -= 1


def test_a_provider_reads_every_kind_of_file():
    shelf = Shelf(FILES)
    check(mj.MjModel.from_xml_string(model(lambda file: f"{shelf.scheme}:{file}")))
    assert shelf.opened == 0, "all that was opened is closed"
    assert mj.mjp_getResourceProviderAtSlot(shelf.slot) is mj.mjp_getResourceProvider(f"{shelf.scheme}:a") is not None
    assert mj.mjp_resourceProviderCount() >= shelf.slot and mj.mjp_getResourceProvider("plain.xml") is None


def test_names_are_relative_to_the_model_of_a_provider():
    shelf = Shelf({"robot/" + file: data for file, data in FILES.items()})
    shelf.files["robot/main.xml"] = model(lambda file: file).encode()
    check(mj.MjModel.from_xml_path(f"{shelf.scheme}:robot/main.xml"))


def test_data_uris_read_every_kind_of_file():
    check(mj.MjModel.from_xml_string(model(lambda f: f"data:{TYPES.get(f, '')};base64,{base64.b64encode(FILES[f]).decode()}")))


def test_a_zip_archive_reads_every_kind_of_file(tmp_path):
    with zipfile.ZipFile(tmp_path / "all.zip", "w") as archive:
        for file, data in FILES.items():
            archive.writestr("in/" + file, data)
        archive.writestr("in/main.xml", model(lambda file: file))
    name = f"zip:{tmp_path}/all.zip!in/main.xml"
    check(mj.MjModel.from_xml_path(name))
    check(mj.MjModel.from_xml_path(name, inside=str(tmp_path)))
    with pytest.raises(ValueError, match="outside"):
        mj.MjModel.from_xml_path(name, inside=str(tmp_path / "in"))
    with pytest.raises(ValueError, match="no 'in/none.xml'"):
        mj.MjModel.from_xml_path(name.replace("main", "none"))


@pytest.mark.parametrize(
    "provider, pattern",
    [
        (dict(read=lambda h: 1 / 0), "ZeroDivisionError"),
        (dict(read=lambda h: "text"), "bytes expected"),
        (dict(read=lambda h: b"", open=lambda n: None), "no such resource"),
    ],
)
def test_a_failing_provider_is_an_error_with_its_place(provider, pattern):
    scheme = f"bad{next(_numbers)}"
    mj.mjp_registerResourceProvider(mj.mjpResourceProvider(scheme, **provider))
    with pytest.raises(ValueError, match=f"(?s)({pattern}.*line 1|line 1.*{pattern})"):
        mj.MjModel.from_xml_string(f'<mujoco><asset><mesh name="m" file="{scheme}:m.obj"/></asset></mujoco>')


@pytest.mark.parametrize("scheme", ["", "1a", "a b", "data", "DATA", "c", "a:b", None])
def test_schemes_are_words_and_registered_once(scheme):
    with pytest.raises(mj.FatalError):
        mj.mjp_registerResourceProvider(mj.mjpResourceProvider(scheme, read=lambda h: b""))


@pytest.mark.parametrize(
    "uri", ["data:model/obj;base64", "data:model/obj;base64,!!!!", "data:model/obj,", "data:,x" + "y" * 100000]
)
def test_damaged_data_uris(uri):
    with pytest.raises(ValueError) as info:
        mj.MjModel.from_xml_string(f'<mujoco><asset><mesh name="m" file="{uri}"/></asset></mujoco>')
    assert len(str(info.value)) < 500


@pytest.fixture
def jail(tmp_path):
    (tmp_path / "secret.obj").write_bytes(OBJ)
    inside = tmp_path / "jail"
    (inside / "sub").mkdir(parents=True)
    (inside / "sub" / "m.obj").write_bytes(OBJ)
    (tmp_path / "jailed.obj").write_bytes(OBJ)
    os.symlink(tmp_path / "secret.obj", inside / "link.obj")
    os.symlink(tmp_path, inside / "up")
    with zipfile.ZipFile(tmp_path / "a.zip", "w") as archive:
        archive.writestr("m.obj", OBJ)
    return inside


MESH = '<mujoco><compiler meshdir="{}"/><asset><mesh name="m" file="{}"/></asset></mujoco>'


@pytest.mark.parametrize(
    "file", ["sub/m.obj", "./sub/../sub/m.obj", "data:model/obj," + OBJ.decode().replace("\n", "%0A").replace(" ", "%20")]
)
def test_files_inside_are_read(jail, file):
    (jail / "main.xml").write_text(MESH.format("", file))
    assert mj.MjModel.from_xml_path(str(jail / "main.xml"), inside=str(jail)).nmesh == 1


@pytest.mark.parametrize(
    "folder, file",
    [
        ("", "../secret.obj"),
        ("sub", "../../secret.obj"),
        ("..", "secret.obj"),
        ("", "link.obj"),
        ("", "up/secret.obj"),
        ("", "{top}/secret.obj"),
        ("", "{top}/jailed.obj"),
        ("{top}", "secret.obj"),
        ("", "zip:{top}/a.zip!m.obj"),
        ("", "zip:../a.zip!m.obj"),
        ("", "..\\secret.obj"),
    ],
)
def test_no_name_escapes(jail, folder, file):
    text = MESH.format(folder, file).replace("{top}", str(jail.parent))
    (jail / "main.xml").write_text(text)
    with pytest.raises(ValueError, match="(?s)outside|no such file|No such file"):
        mj.MjModel.from_xml_path(str(jail / "main.xml"), inside=str(jail))


@pytest.mark.parametrize(
    "text",
    [
        '<include file="../part.xml"/>',
        '<asset><model name="x" file="../part.xml"/></asset>',
        '<asset><texture name="t" type="2d" file="../t.png"/></asset>',
        '<asset><hfield name="h" file="../h.bin" size="1 1 1 1"/></asset>',
        '<deformable><skin name="s" file="../s.skn"/></deformable>',
        '<worldbody><body name="b"><flexcomp name="f" type="gmsh" dim="3" file="../f.msh"/></body></worldbody>',
    ],
)
def test_no_kind_of_file_escapes(jail, text):
    for file, data in FILES.items():
        (jail.parent / file).write_bytes(data)
    (jail / "main.xml").write_text(f"<mujoco>{text}</mujoco>")
    with pytest.raises(ValueError, match="outside"):
        mj.MjModel.from_xml_path(str(jail / "main.xml"), inside=str(jail))


def test_providers_of_unknown_reach_are_refused_inside(jail):
    shelf = Shelf(FILES)
    text = MESH.format("", f"{shelf.scheme}:m.obj")
    assert mj.MjModel.from_xml_string(text).nmesh == 1
    with pytest.raises(ValueError, match="not allowed"):
        mj.MjModel.from_xml_string(text, inside=str(jail))


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="needs named pipes")
def test_devices_and_pipes_are_not_read(tmp_path):
    os.mkfifo(tmp_path / "pipe.obj")
    for name in (str(tmp_path / "pipe.obj"), "/dev/zero", str(tmp_path)):
        with pytest.raises(ValueError, match="regular|directory"):
            mj.MjModel.from_xml_string(MESH.format("", name))


def test_the_viewer_watches_what_providers_read(tmp_path):
    shelf = Shelf(FILES)
    with zipfile.ZipFile(tmp_path / "a.zip", "w") as archive:
        archive.writestr("m.obj", OBJ)
    main = tmp_path / "main.xml"
    main.write_text(
        f'<mujoco><asset><mesh name="m" file="zip:{tmp_path}/a.zip!m.obj"/><mesh name="n" file="{shelf.scheme}:m.obj"/>'
        '<mesh name="o" file="data:model/obj,x"/></asset></mujoco>'
    )
    files = model_files(str(main))
    assert set(files) == {str(main), str(tmp_path / "a.zip"), f"{shelf.scheme}:m.obj"}
    watcher = Watcher()
    watcher.watch(files)
    assert not watcher.poll(0.0) and stamp(f"{shelf.scheme}:m.obj") == (0, 0, 0)
    shelf.changed = True
    assert not watcher.poll(1.0) and watcher.poll(2.0), "reported once it is quiet"
