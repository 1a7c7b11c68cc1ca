"""Small inputs that could take much time, memory or recursion: they give a result or an error of the right type immediately."""

import contextlib
import io
import threading
import time
import tracemalloc
import zipfile

import mujoco
import numpy as np
import pytest

import tumble
from tumble.app import logbook
from tumble.app.files import is_log
from tumble.engine.description.files.providers import MAX_MEMBER, PIECE
from tumble.engine.description.language.xmltree import MAX_DEPTH

# processor seconds for work of milliseconds, on a busy machine
AT_ONCE = 1.0
BODY = '<body><joint/><geom size=".1"/>'


@contextlib.contextmanager
def hardly_any_time():
    """Check that the block takes hardly any time."""
    start = time.process_time()
    yield
    assert time.process_time() - start < AT_ONCE


@pytest.fixture
def at_once():
    """Check that the test takes hardly any time."""
    with hardly_any_time():
        yield


def nested(opening, closing, count, inside=""):
    return "<mujoco><worldbody>" + opening * count + inside + closing * count + "</worldbody></mujoco>"


# ---- texts -------------------------------------------------------------------------------------------------------------------
@pytest.mark.parametrize(
    "text", ["<mujoco>" + "<!--" * 20000, "<mujoco>" + "<!-- - -- " * 20000 + "-->", "<mujoco>" + "<!---->" * 20000 + "&"]
)
def test_comments_without_end(text, at_once):
    with pytest.raises(ValueError, match="XML"):
        tumble.MjModel.from_xml_string(text)


def test_declarations_without_end(at_once):
    with pytest.raises(ValueError, match="XML"):
        tumble.MjModel.from_xml_string("<mujoco " + "<?xml " * 200000)


def test_a_long_section_of_characters(at_once):
    text = "x\n" * (4 << 20)
    m = tumble.MjModel.from_xml_string(f'<mujoco><custom><text name="t"><![CDATA[{text}]]></text></custom></mujoco>')
    assert m.ntextdata == len(text) + 1


@pytest.mark.parametrize(("text", "what"), [("<b/>" * (5 << 20), "tags"), ("<b " + 'a="" ' * (9 << 20) + "/>", "attributes")])
def test_texts_whose_elements_take_much_more_memory(text, what, at_once):
    with pytest.raises(ValueError, match=f"line 1, column 1: XML text with more than .* {what}"):
        tumble.MjModel.from_xml_string(f"<mujoco>{text}</mujoco>")


def test_comments_with_hyphens_are_read():
    m = tumble.MjModel.from_xml_string(
        '<mujoco><!-- a -- b --><!----><worldbody><!-- -- --- --><geom size="1"/></worldbody></mujoco>'
    )
    assert m.ngeom == 1


LEVELS = {
    "bodies": (BODY, "</body>", ""),
    "frames": ("<frame>", "</frame>", '<geom size="1"/>'),
    "copies": ('<replicate count="1">', "</replicate>", '<geom size="1"/>'),
}


@pytest.mark.parametrize("kind", LEVELS)
def test_the_deepest_texts_of_the_reference(kind):
    """Texts nested as deeply as the reference allows are read, even from a deep call stack. One more level is an error."""
    opening, closing, inside = LEVELS[kind]
    count = MAX_DEPTH - 2

    def below(depth):
        return tumble.MjModel.from_xml_string(nested(opening, closing, count, inside)) if not depth else below(depth - 1)

    m = below(400)
    assert m.ngeom == (count if kind == "bodies" else 1)
    if kind != "copies":
        mujoco.MjModel.from_xml_string(nested(opening, closing, count, inside))
    for module in (mujoco, tumble):
        with pytest.raises(ValueError, match="deep"):
            module.MjModel.from_xml_string(nested(opening, closing, count + 1, inside))


@pytest.mark.parametrize(
    ("inside", "count"), [("", 3000), ('<geom size=".1"/>', 3000), ('<body><joint/><geom size=".1"/></body>', 300)]
)
def test_key_frames_of_many_copies(inside, count):
    text = f"""<mujoco><worldbody><body><joint/><geom size=".1"/></body><replicate count="{count}">{inside}</replicate>\
</worldbody>
      <keyframe><key name="k" qpos="7{" 0" * ("joint" in inside)}"/></keyframe></mujoco>"""
    # the reference may take more than a second
    theirs = mujoco.MjModel.from_xml_string(text)
    with hardly_any_time():
        mine = tumble.MjModel.from_xml_string(text)
    assert mine.nkey == count + 1 and np.array_equal(mine.key_qpos, theirs.key_qpos)


def test_deep_texts_in_threads():
    text, found = nested(BODY, "</body>", 300), []
    threads = [threading.Thread(target=lambda: found.append(tumble.MjModel.from_xml_string(text).nbody)) for _ in range(4)]
    for t in threads:
        t.start()
    for t in threads:
        t.join()
    assert found == [301] * 4


def test_includes_that_nest_are_as_deep_as_a_text():
    """The limit of nesting also holds for the sum over a chain of files, each of which is deep."""
    files = {
        f"f{k}.xml": "<mujocoinclude>"
        + "<frame>" * 100
        + f'<include file="f{k + 1}.xml"/>'
        + "</frame>" * 100
        + "</mujocoinclude>"
        for k in range(90)
    }
    files["f90.xml"] = '<mujocoinclude><geom size="1"/></mujocoinclude>'
    with pytest.raises(ValueError, match="nested deeper"):
        tumble.MjModel.from_xml_string(
            '<mujoco><worldbody><include file="f0.xml"/></worldbody></mujoco>', {k: v.encode() for k, v in files.items()}
        )


def test_a_deep_spec_is_written():
    spec = tumble.MjSpec()
    body = spec.worldbody
    for _ in range(1500):
        body = body.add_body()
        body.add_geom(size=[0.1, 0.1, 0.1])
    assert spec.to_xml().count("</body>") == 1500


# ---- files -------------------------------------------------------------------------------------------------------------------
def test_dependencies_of_a_graph_of_includes(tmp_path, at_once):
    for k in range(60):
        (tmp_path / f"l{k}.xml").write_text(
            f'<mujoco><include file="l{k + 1}.xml"/><include file="./l{k + 1}.xml"/><asset><mesh file="{k}.obj"/>'
            "</asset></mujoco>"
        )
    (tmp_path / "l60.xml").write_text('<mujoco><include file="l0.xml"/></mujoco>')
    found = tumble.mju_getXMLDependencies(str(tmp_path / "l0.xml"))
    assert {str(tmp_path / f"l{k}.xml") for k in range(61)} | {str(tmp_path / f"{k}.obj") for k in range(60)} <= set(found)


def test_dependencies_of_a_long_chain_and_of_a_circle(tmp_path):
    for k in range(1500):
        (tmp_path / f"c{k}.xml").write_text(f'<mujoco><include file="c{k + 1}.xml"/></mujoco>')
    (tmp_path / "c1500.xml").write_text("<mujoco/>")
    assert len(tumble.mju_getXMLDependencies(str(tmp_path / "c0.xml"))) == 1501
    (tmp_path / "sub").mkdir()
    (tmp_path / "s.xml").write_text('<mujoco><include file="sub/../s.xml"/></mujoco>')
    assert len(tumble.mju_getXMLDependencies(str(tmp_path / "s.xml"))) == 2


@pytest.mark.parametrize("text", [None, "<mujoco>", '<?xml version="1.0" encoding="x"?><mujoco/>'])
def test_dependencies_that_cannot_be_read(tmp_path, text):
    if text:
        (tmp_path / "a.xml").write_text(text)
    with pytest.raises(tumble.FatalError, match="Problem reading XML"):
        tumble.mju_getXMLDependencies(str(tmp_path / "a.xml"))


def archive(members, lie=None, damage=None):
    """Bytes of a zip file; `lie`: what all members declare as their size; `damage`: (offset from the end of the first
    name, new byte).
    """
    raw = io.BytesIO()
    with zipfile.ZipFile(raw, "w", zipfile.ZIP_DEFLATED) as z:
        for name, contents in members.items():
            z.writestr(name, contents)
    out = bytearray(raw.getvalue())
    if lie is not None:
        for magic, at in ((b"PK\3\4", 22), (b"PK\1\2", 24)):
            k = out.find(magic)
            while k >= 0:
                out[k + at : k + at + 4] = lie.to_bytes(4, "little")
                k = out.find(magic, k + 1)
    if damage is not None:
        k = 30 + len(next(iter(members))) + damage[0]
        out[k] ^= damage[1]
    return bytes(out)


XML = b'<mujoco><worldbody><geom size="1"/></worldbody></mujoco>'


@pytest.mark.parametrize("how", ["from_zip", "zip:"])
@pytest.mark.parametrize(("lie", "damage"), [(100, None), (MAX_MEMBER, None), (None, (1, 255)), (2**32 - 2, None)])
def test_members_that_are_not_what_they_declare(tmp_path, how, lie, damage):
    path = tmp_path / "a.zip"
    path.write_bytes(archive({"m.xml": XML + b" " * (50 << 20)}, lie, damage))
    tracemalloc.start()
    with pytest.raises(ValueError, match="m.xml"):
        tumble.MjSpec.from_zip(str(path)) if how == "from_zip" else tumble.MjModel.from_xml_path(f"zip:{path}!m.xml")
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    # twice the contents while pieces are joined
    assert peak < (110 << 20) + 10 * PIECE


@pytest.mark.parametrize(
    "contents", [b"PK\5\6" + bytes(18) + b"x", archive({"m.xml": XML})[:-30], archive({"m.xml": XML})[20:]]
)
def test_archives_that_are_none(tmp_path, contents):
    path = tmp_path / "a.zip"
    path.write_bytes(contents)
    with pytest.raises(ValueError):
        tumble.MjSpec.from_zip(str(path))
    with pytest.raises(ValueError):
        tumble.MjModel.from_xml_path(f"zip:{path}!m.xml")


@pytest.mark.parametrize(("name", "contents"), [("m.xml", XML), ("m.urdf", b'<robot name="r"><link name="a"/></robot>')])
def test_a_member_without_a_name(tmp_path, name, contents):
    path = tmp_path / "m.zip"
    with zipfile.ZipFile(path, "w") as file:
        file.writestr(name, contents)
        nameless = zipfile.ZipInfo("x")
        nameless.filename = ""
        with file.open(nameless, "w") as out:
            out.write(b"x")
    spec = tumble.MjSpec.from_zip(str(path)) if name == "m.xml" else tumble.import_model(path)
    assert spec.compile().nbody == 1 + (name != "m.xml")


@pytest.mark.parametrize("name", ["../../x", "/etc/x", "C:x", "a\\b", ".."])
def test_names_of_models_do_not_leave_their_archive(tmp_path, name):
    path = str(tmp_path / "m.zip")
    tumble.MjSpec.from_string(f'<mujoco model="{name}"><worldbody><geom size="1"/></worldbody></mujoco>').to_zip(path)
    again = tumble.MjSpec.from_zip(path)
    assert again.modelname == name and again.compile().ngeom == 1


@pytest.mark.parametrize("damage", [(b"PK\1\2", 6, 255), (b"PK\5\6", 10, 255), (b"PK\1\2", 9, 8), (b"PK\1\2", 28, 9)])
def test_damaged_directories_of_archives(tmp_path, damage):
    """Damage that zipfile reports in unusual ways; the name is not valid UTF-8."""
    sign, at, byte = damage
    raw = bytearray(archive({"m.xml": XML, "\xff.obj": b"x"}))
    raw[raw.rfind(sign) + at] = byte
    raw = raw.replace("\xff".encode(), b"\xff\xff")
    path = tmp_path / "a.zip"
    path.write_bytes(raw)
    assert not is_log(str(path))
    for read in (tumble.MjSpec.from_zip, logbook.load, tumble.import_model):
        with pytest.raises((ValueError, OSError)):
            read(str(path))


@pytest.mark.parametrize("name", ["../../x.obj", "/etc/x.obj", "a/../../x.obj", "..\\x.obj"])
def test_members_outside_of_their_archive(tmp_path, name):
    path = tmp_path / "a.zip"
    path.write_bytes(archive({"m.xml": XML, name: b"x"}))
    with pytest.raises(ValueError, match="does not lie in the archive"):
        tumble.MjSpec.from_zip(str(path))


@pytest.mark.parametrize("face", ["1 2 9", "1 2 -9", "9 9 9", "1 2 99999999999"])
def test_faces_of_vertices_that_are_not_there(tmp_path, face):
    path = tmp_path / "a.obj"
    path.write_text(f"v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 2 3\nf {face}\n")
    for module in (mujoco, tumble):
        with pytest.raises(ValueError, match="has point id"):
            module.MjModel.from_xml_string(
                f'<mujoco><worldbody><flexcomp type="mesh" file="{path}" name="x" dim="2"/></worldbody></mujoco>'
            )


# ---- functions ---------------------------------------------------------------------------------------------------------------
def test_sparse_rows_longer_than_what_is_stored(at_once):
    huge, zeros = np.array([2**31 - 1] * 2, np.int32), np.zeros(2, np.int32)
    with pytest.raises(TypeError, match="should lie within"):
        tumble.mju_sparse2dense(np.zeros((2, 2)), np.zeros(2), huge, zeros, zeros)


@pytest.mark.parametrize("value", [-1, 256, 2**40])
def test_debug_values_are_bytes(value):
    for module in (mujoco, tumble):
        m = module.MjModel.from_xml_string(nested(BODY, "</body>", 1))
        with pytest.raises(TypeError):
            module.mj_resetDataDebug(m, module.MjData(m), value)


@pytest.mark.parametrize("kind", ["PLANE", "SPHERE", "CAPSULE", "ELLIPSOID", "CYLINDER", "BOX"])
def test_rays_at_shapes_of_no_size(kind):
    """Rays return the reference's distances, whichever numbers of size, start and direction are zero."""
    rng = np.random.default_rng(0)
    number = int(getattr(mujoco.mjtGeom, f"mjGEOM_{kind}"))
    for _ in range(300):
        pos, size, start, along = (rng.normal(size=3) * (rng.random(3) < 0.5) for _ in range(4))
        size = np.abs(size)
        args = pos, np.eye(3).ravel(), size, start, along, number
        with np.errstate(all="ignore"):
            ours = tumble.mju_rayGeom(*args)
        theirs = mujoco.mju_rayGeom(*args)
        assert ours == pytest.approx(theirs, abs=1e-12, nan_ok=True), args
