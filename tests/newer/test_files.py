"""Sources of model files, and destinations of messages, in later releases: memory, mounted providers, archives, the log."""

import posixpath
import zipfile

import numpy as np
import pytest

import tumble

OBJ = b"v -1 -1 -1\nv 1 -1 -1\nv 1 1 -1\nv -1 1 1\nf 1 2 3\nf 1 2 4\nf 2 3 4\nf 1 3 4\n"
WITH_MESH = (
    '<mujoco><asset><mesh name="m" file="m.obj"/></asset><worldbody><body><freejoint/><geom type="mesh" mesh="m"/>'
    "</body></worldbody></mujoco>"
)
BALL = "<mujoco><worldbody><body><freejoint/><geom size='.1'/></body></worldbody></mujoco>"


@pytest.mark.parametrize("message", [1, "text", None, BALL.encode()])
def test_messages_that_are_none(message):
    with pytest.raises(TypeError, match="needs an MjLogMessage"):
        tumble.mju_message(message)


def test_files_in_memory():
    with tumble.MjVfs() as vfs:
        vfs["model.xml"], vfs["m.obj"] = WITH_MESH.encode(), OBJ
        assert "model.xml" in vfs and "other" not in vfs
        with pytest.raises(ValueError, match="repeated"):
            vfs["m.obj"] = b""
        with pytest.raises(TypeError):
            vfs["n.obj"] = "text"
        with pytest.raises(KeyError):
            del vfs["other"]
        assert tumble.MjModel.from_xml_path("model.xml", vfs=vfs).nmeshvert == 4
        assert tumble.MjModel.from_xml_string(WITH_MESH, vfs=vfs).nmeshvert == 4
        for spec in (tumble.MjSpec.from_file("model.xml", vfs=vfs), tumble.MjSpec.from_string(WITH_MESH)):
            assert spec.compile(vfs=vfs).nmeshvert == 4
        with pytest.raises(ValueError, match="both"):
            tumble.MjModel.from_xml_string(BALL, {"a": b"b"}, vfs=vfs)
        del vfs["m.obj"]
        with pytest.raises(ValueError, match=r"m\.obj"):
            tumble.MjModel.from_xml_string(WITH_MESH, vfs=vfs)
    vfs.close()
    for use in (lambda: vfs.__setitem__("a", b""), lambda: "a" in vfs, lambda: tumble.MjModel.from_xml_string(BALL, vfs=vfs)):
        with pytest.raises(RuntimeError):
            use()
    with pytest.raises(TypeError):
        tumble.MjModel.from_xml_string(BALL, vfs={})


def test_providers_are_mounted():
    asked = []

    def read(name):
        asked.append(name)
        if not name.endswith(("m.obj", "model.xml")):
            raise OSError("nothing of that name")
        return OBJ if name.endswith("m.obj") else WITH_MESH.encode()

    provider, vfs = tumble.mjpResourceProvider("given", read), tumble.MjVfs()
    tumble.mj_mountVFS(vfs, "remote/models", provider)
    assert tumble.MjModel.from_xml_path("remote/models/model.xml", vfs=vfs).nmeshvert == 4
    assert asked == ["remote/models/model.xml", "remote/models/m.obj"]
    with pytest.raises(ValueError, match="nothing of that name"):
        tumble.MjModel.from_xml_path("remote/models/other", vfs=vfs)
    with pytest.raises(tumble.FatalError, match="has a provider"):
        tumble.mj_mountVFS(vfs, "remote/models", provider)
    tumble.mj_unmountVFS(vfs, "remote/models")
    for fail in (
        lambda: tumble.mj_unmountVFS(vfs, "remote/models"),
        lambda: tumble.MjModel.from_xml_path("remote/models/model.xml", vfs=vfs),
    ):
        with pytest.raises((tumble.FatalError, ValueError)):
            fail()


def test_providers_have_their_later_names():
    before = tumble.mjp_providerCount()
    provider = tumble.mjpResourceProvider("newername", lambda name: OBJ)
    slot = tumble.mjp_registerProvider(provider)
    assert slot == tumble.mjp_providerCount() == tumble.mjp_resourceProviderCount() == before + 1
    assert (
        tumble.mjp_findProvider("newername:x") is tumble.mjp_getProviderAtSlot(slot) is provider
        and tumble.mjp_findProvider("x") is None
    )

    def refuse(name):
        raise OSError("the reason of the provider")

    tumble.mjp_registerProvider(tumble.mjpResourceProvider("newerfails", refuse))
    with pytest.raises(ValueError, match="the reason of the provider"):
        tumble.MjModel.from_xml_string(WITH_MESH.replace("m.obj", "newerfails:m.obj"))


def test_archives_stand_alone(tmp_path):
    """A model with meshes in a folder is packed. The archive alone, without any other file, compiles to the same bits."""
    home, away = tmp_path / "home", tmp_path / "away"
    (home / "meshes").mkdir(parents=True)
    away.mkdir()
    (home / "meshes" / "m.obj").write_bytes(OBJ)
    (home / "part.xml").write_text('<mujoco><worldbody><geom name="part" size=".2"/></worldbody></mujoco>')
    path = home / "robot.xml"
    path.write_text(WITH_MESH.replace("<mujoco>", '<mujoco><compiler meshdir="meshes"/><include file="part.xml"/>'))
    spec = tumble.MjSpec.from_file(str(path))
    m = spec.compile()
    assert spec.encode(str(away / "robot.mjz")) > 100
    (home / "meshes" / "m.obj").unlink()
    again = tumble.MjModel.from_xml_path(str(away / "robot.mjz"))
    assert again.geom("part").size[0] == 0.2 and np.array_equal(again.mesh_vert, m.mesh_vert)
    assert tumble.MjSpec.from_file(str(away / "robot.mjz")).compile().nmesh == 1


@pytest.mark.parametrize("place", ["model.xml", "bot.xml", "bot/bot.xml", "bot/model.xml", "other.xml"])
def test_the_model_of_an_archive_is_found(tmp_path, place):
    """As in 4.0.1, an archive's model is found by name, also inside a folder, and its meshdir may be outside that folder."""
    path = tmp_path / "bot.mjz"
    folder = posixpath.dirname(place)
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr(
            place, WITH_MESH.replace("<mujoco>", f'<mujoco><compiler meshdir="{"../" if folder else ""}a/../meshes"/>')
        )
        archive.writestr("meshes/m.obj", OBJ)
    if place == "other.xml":
        with pytest.raises(ValueError, match="has no model"):
            tumble.MjModel.from_xml_path(str(path))
    else:
        assert tumble.MjModel.from_xml_path(str(path)).nmeshvert == 4


def test_the_log(tmp_path, capsys):
    """Warnings go to the requested file and terminal, or to a handler; compile times do so if their topic is enabled."""
    before = tumble.MjLogConfig.get()
    assert (before.logto_console, before.logto_file, before.logfile, before.topics) == (True, True, "MUJOCO_LOG.TXT", 0)
    config = tumble.MjLogConfig.get()
    config.logfile, config.logto_console = str(tmp_path / "log"), False
    config.topics = 1 << tumble.mjtLogTopic.mjTOPIC_TIME_CMP - 1
    heard = []
    try:
        config.set()
        m = tumble.MjModel.from_xml_string(BALL)
        d = tumble.MjData(m)
        d.qpos[0] = np.nan
        tumble.mj_checkPos(m, d)
        tumble.mju_info(tumble.mjtLogTopic.mjTOPIC_NONE, "by the way")
        text = (tmp_path / "log").read_text()
        assert (
            "compile time (ms)\n  total:" in text and "WARNING: Nan, Inf or huge value in QPOS" in text and "by the way" in text
        )
        out = capsys.readouterr()
        assert not out.out and not out.err
        assert tumble.mju_setLogHandler(heard.append) is None
        tumble.MjModel.from_xml_string(BALL)
        tumble.mj_resetData(m, d)
        d.qpos[0] = np.nan
        tumble.mj_checkPos(m, d)
        assert (
            [(msg.level, msg.topic) for msg in heard] == [(1, 2), (2, 0)]
            and "total:" in heard[0].body
            and "QPOS" in heard[1].subject
        )
        assert (tmp_path / "log").read_text() == text
    finally:
        assert tumble.mju_setLogHandler(None) == heard.append
        before.set()
    config.topics = 1 << tumble.mjtLogTopic.mjTOPIC_SLEEP - 1
    with pytest.raises(ValueError, match="mjTOPIC_SLEEP"):
        config.set()
    with pytest.raises(TypeError):
        tumble.mju_setLogHandler(3)  # pyright: ignore[reportArgumentType]


def test_a_vertex_need_not_be_asked_for():
    vert, face = np.array([0.0, 0, 0, 1, 0, 0, 0, 1, 0]), np.array([0, 1, 2], np.int32)
    found = np.zeros(1, np.int32)
    for vertid in (found, None):
        assert tumble.mju_raySkin(1, 3, face, vert, [0.6, 0.1, 1], [0, 0, -1], vertid) == 1
    assert found[0] == 1


LINES = b"v 0 0 0\nv 2 0 0\nv 1 0 0\nv 3 0 0\nv 9 9 9\nl 1 3 2 # a line\nl 2 4\no other\nl 1 2\n"
LINE = '<mujoco><worldbody><flexcomp name="l" type="mesh" file="l.obj" dim="1" radius=".1"/></worldbody></mujoco>'


def test_lines_of_a_file_are_a_flex():
    """Lines of an OBJ file become a one-dimensional flex. Vertices without a line are left out, and equal ones are merged."""
    m = tumble.MjModel.from_xml_string(LINE, {"l.obj": LINES})
    assert m.flex_dim[0] == 1 and m.nflexvert == 4
    assert m.flex_elem.ravel().tolist() == [0, 2, 2, 1, 1, 3]
    np.testing.assert_array_equal(m.body_pos[1:, 0], [0, 2, 1, 3])
    m = tumble.MjModel.from_xml_string(LINE, {"l.obj": b"v 0 0 0\nv 2 0 0\nv 2 0 0\nv 3 0 .5\nl 1 2\nl -2 -1\n"})
    assert m.flex_elem.ravel().tolist() == [0, 1, 1, 2]
    tumble.mj_step(m, tumble.MjData(m), 5)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (b"v 0 0 0\nv 1 0 0\n", "lines"),
        (b"v 0 0 0\nl 1 5\n", "vertex 5"),
        (b"v 0 0 0\nv 1 0 0\nl 1 x\n", "line 3"),
        (b"v 0 0\nv 1 0\nl 1 2\n", "three"),
        (b"v 0 0 0\nv nan 0 0\nl 1 2\n", "three"),
        (b"\xff", "lines"),
    ],
)
def test_lines_that_are_none(text, message):
    with pytest.raises(ValueError, match=message):
        tumble.MjModel.from_xml_string(LINE, {"l.obj": text})


TEXTURE = "<mujoco><asset><texture name='t' type='{}' file='light.ktx' {}/></asset></mujoco>"


def test_textures_of_the_khronos_format_are_kept():
    """The file becomes a texture of one row of unchanged bytes, for renderers that decode them."""
    data = b"\xabKTX 11\xbb" + bytes(range(256))
    m = tumble.MjModel.from_xml_string(TEXTURE.format("2d", ""), {"light.ktx": data})
    assert (m.tex_width[0], m.tex_height[0], m.tex_nchannel[0]) == (len(data), 1, 1)
    assert m.tex_data.tobytes() == data
    for kind, more, message in (("cube", "", "3 channels"), ("2d", "hflip='true'", "flip")):
        with pytest.raises(ValueError, match=message):
            tumble.MjModel.from_xml_string(TEXTURE.format(kind, more), {"light.ktx": data})
    with pytest.raises(ValueError, match="empty"):
        tumble.MjModel.from_xml_string(TEXTURE.format("2d", ""), {"light.ktx": b""})
