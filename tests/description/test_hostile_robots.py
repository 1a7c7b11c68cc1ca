"""Archives, folders and descriptions of robots that would take much time or memory, or leave their folder: they are refused, or
read without harm.
"""

import bz2
import lzma
import os
import tarfile
import time
import zipfile

import pytest

import tumble as mj
from tumble.engine.description.language.free_names import free_name
from tumble.engine.description.robots.archives import checked
from tumble.engine.description.robots.xacro_files import arguments

LINK = '<link name="{}"/>'
ROBOT = f'<robot name="r">{LINK.format("a")}</robot>'


@pytest.fixture(autouse=True)
def soon():
    start = time.process_time()
    yield
    assert time.process_time() - start < 10


def header(kind, size, name="x"):
    """The header of a member of a tar archive."""
    info = tarfile.TarInfo(name)
    info.type, info.size = kind, size
    return info.tobuf(tarfile.GNU_FORMAT)


def zipped(path, *names):
    with zipfile.ZipFile(path, "w") as archive:
        for name in names:
            archive.writestr(name, ROBOT)
    return path


@pytest.mark.parametrize("kind", [tarfile.XHDTYPE, tarfile.GNUTYPE_LONGNAME, tarfile.DIRTYPE, b"Z"])
@pytest.mark.parametrize("pack", [bz2.compress, lzma.compress])
def test_members_that_unpack_to_gigabytes_before_anyone_asks(tmp_path, kind, pack):
    path = tmp_path / "robot.tar.xz"
    path.write_bytes(pack(header(kind, 3 << 30) + bytes(1 << 26)))
    with pytest.raises(OSError, match=r"(?s)robot\.tar\.xz.*the size of 'x' is 3221225472"):
        mj.import_model(path)


def test_tar_archives_of_headers_only(tmp_path):
    path = tmp_path / "robot.tar.gz"
    with tarfile.open(path, "w:gz", compresslevel=1) as archive:
        archive.fileobj.write(header(tarfile.DIRTYPE, 0) * 100000)
    with pytest.raises(OSError, match="more than 65536 headers"):
        mj.import_model(path)


def test_a_chain_of_long_names(tmp_path):
    path = tmp_path / "robot.tar"
    path.write_bytes((header(tarfile.GNUTYPE_LONGNAME, 1) + bytes(512)) * 5000)
    with pytest.raises(OSError, match="is not a tar archive"):
        mj.import_model(path)


@pytest.mark.parametrize("names", [("a", "a/r.urdf"), ("a/r.urdf", "a"), ("n" * 300 + ".urdf",), ("d/" * 2000 + "r.urdf",)])
def test_members_that_cannot_be_files_are_named_as_in_the_archive(tmp_path, names):
    path = zipped(tmp_path / "robot.zip", *names)
    with pytest.raises(OSError, match=r"robot\.zip") as error:
        mj.import_model(path)
    assert "tumble-" not in str(error.value)


@pytest.mark.parametrize("name", ["d/C:r.urdf", "d/D:/r.urdf", ".. /r.urdf", "d/... /r.urdf", "..\\r.urdf", "d\0/r.urdf"])
def test_names_that_leave_the_folder_on_other_systems(name):
    with pytest.raises(OSError, match="outside the archive"):
        checked(name, "robot.zip")
    assert checked("./d/r 1.2/...a.urdf", "robot.zip") == "d/r 1.2/...a.urdf"


def test_links_to_missing_files_do_not_count(tmp_path):
    (tmp_path / "arm.urdf").write_text(ROBOT)
    for name in ("lost.urdf", "lost.stl"):
        (tmp_path / name).symlink_to("/nowhere")
    assert mj.import_model(tmp_path).modelname == "r"


def test_many_links_with_one_name(tmp_path):
    (tmp_path / "r.urdf").write_text(f'<robot name="r">{LINK.format("a") * 10000}</robot>')
    names = [body.name for body in mj.import_model(tmp_path / "r.urdf").bodies[1:]]
    assert names == ["a", *(f"a_{k}" for k in range(2, 10001))]


@pytest.mark.parametrize("count", [1, 5, 99, 100, 101, 102, 103, 150, 1000])
def test_the_first_free_number_of_a_series_is_found(count):
    assert free_name("a", {"a", *(f"a_{k}" for k in range(2, 2 + count))}) == f"a_{2 + count}"


def test_sdf_frames_in_a_long_chain(tmp_path):
    frames = "".join(f'<frame name="f{k}"><pose relative_to="f{k + 1}">0 0 .1 0 0 0</pose></frame>' for k in range(3000))
    text = f'<sdf version="1.8"><model name="m"><link name="a"><pose relative_to="f0"/></link>{frames}</model></sdf>'
    (tmp_path / "m.sdf").write_text(text)
    m = mj.import_model(tmp_path / "m.sdf").compile()
    assert m.body("a").pos == pytest.approx((0, 0, 300))


def test_sdf_models_that_include_each_other_often(tmp_path):
    include = "<include><uri>m.sdf</uri></include>" * 9
    (tmp_path / "m.sdf").write_text(f'<sdf version="1.8"><model name="m">{include}</model></sdf>')
    with pytest.raises(ValueError, match="m.sdf, line 1, column .*'include': more than 2000 included models"):
        mj.import_model(tmp_path / "m.sdf")


def test_sdf_cameras_with_endless_pictures(tmp_path):
    image = "<image><width>1e400</width><height>99999999999</height></image>"
    camera = f'<sensor name="c" type="camera"><camera>{image}</camera></sensor>'
    (tmp_path / "m.sdf").write_text(f'<sdf version="1.8"><model name="m"><link name="a">{camera}</link></model></sdf>')
    assert mj.import_model(tmp_path / "m.sdf").compile().cam_resolution.tolist() == [[1 << 15, 1 << 15]]


@pytest.mark.parametrize("text", [b"<!--" * 50000, b"<xacro:arg " * 50000, b"<xacro:arg " + b"e" * 500000 + b">"])
def test_arguments_of_texts_without_ends(text):
    assert arguments(text) == {}


def test_members_are_not_left_in_the_temporary_folder(tmp_path, monkeypatch):
    (tmp_path / "temporary").mkdir()
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path / "temporary"))
    with pytest.raises(OSError):
        mj.import_model(zipped(tmp_path / "robot.zip", "d/r.urdf", "d"))
    assert os.listdir(tmp_path / "temporary") == []
