"""Files that a model may read: every attribute that names a file, in every container, by every kind of name.

A model of a folder reads what lies in that folder; a model in an archive reads the members of its archive; neither reads anything else unless its
folder is trusted. The attributes come from the schema, so a new one is tried, too.
"""
import os
import struct
import zipfile

import pytest

from tests.fuzz.cases import OBJ
from tumble.app import trust
from tumble.app.loading import is_outside, read_model
from tumble.engine.description.language.schema import ROOT

HFIELD = struct.pack("<2i4f", 2, 2, 0, 1, 0, 1)
SKIN = (struct.pack("<4i", 3, 0, 1, 1) + struct.pack("<9f", 0, 0, 0, 1, 0, 0, 0, 1, 0) + struct.pack("<3i", 0, 1, 2)
        + b"world".ljust(40, b"\0") + struct.pack("<7fi", 0, 0, 0, 1, 0, 0, 0, 3) + struct.pack("<3i3f", 0, 1, 2, 1, 1, 1))
PNG = bytes.fromhex("89504e470d0a1a0a0000000d4948445200000001000000010802000000907753de0000000c49444154789c63f8cfc0000003010100c9fe92ef0000000049454e44ae426082")
PART = "<mujoco><worldbody><geom name='secret' size='2'/></worldbody></mujoco>"
# contents of a file that an attribute of an element may name, and its ending
CONTENTS = {"mesh": (OBJ, ".obj"), "hfield": (HFIELD, ".bin"), "skin": (SKIN, ".skn"), "texture": (PNG, ".png"), "model": (PART.encode(), ".xml"),
            "flexcomp": (OBJ, ".obj"), "include": (PART.encode(), ".xml")}
ELEMENTS = {"mesh": "<asset><mesh name='x' {}/></asset>", "hfield": "<asset><hfield name='x' size='1 1 1 1' {}/></asset>", "skin": "<asset><skin name='x' {}/></asset>",
            "texture": "<asset><texture name='x' type='{}' {}/></asset>", "model": "<asset><model name='x' {}/></asset>",
            "flexcomp": "<worldbody><body name='x'><flexcomp name='x' type='mesh' dim='2' mass='1' {}/></body></worldbody>", "include": "<include {}/>"}
URDF = """<robot name='r'><mujoco><compiler strippath='false'/></mujoco>
<link name='l'><collision><geometry><mesh filename='{}'/></geometry></collision></link></robot>"""
CONTAINERS = ("xml", "zip", "mjz", "urdf", "attached", "nested")
WAYS = ("absolute", "dots", "symlink", "member", "device", "pipe")


def file_attributes() -> list[tuple[str, str]]:
    """(element, attribute) of all attributes that name files."""
    found, seen, todo = [("include", "file")], set(), [ROOT]
    while todo:
        elem = todo.pop()
        for tag, child in elem.children.items():
            if id(child) not in seen:
                seen.add(id(child))
                todo.append(child)
                found += [(tag, name) for name, attr in child.attrs.items() if getattr(attr, "kind", "") == "file"]
    return sorted(set(found))


def text_of(tag, attribute, name) -> str:
    """MJCF whose one file is named by an attribute of an element."""
    given = f"{attribute}='{name}'"
    if tag == "texture":
        return f"<mujoco>{ELEMENTS[tag].format('2d' if attribute == 'file' else 'cube', given)}</mujoco>"
    return f"<mujoco>{ELEMENTS[tag].format(given)}</mujoco>"


@pytest.fixture
def house(tmp_path, monkeypatch):
    """A folder `models` for models, and a file beside it that no model may read."""
    monkeypatch.setenv("TUMBLE_CONFIG", str(tmp_path / "settings.json"))
    monkeypatch.setattr(trust, "_TRUSTED", set())
    (tmp_path / "models").mkdir()
    (tmp_path / "secret").mkdir()
    return tmp_path


def named(house, tag, way) -> str:
    """The name of a file outside, by a way to write it."""
    contents, ending = CONTENTS[tag]
    secret = house / "secret" / f"part{ending}"
    secret.write_bytes(contents)
    if way == "dots":
        return f"../secret/part{ending}"
    if way == "symlink":
        (house / "models" / f"link{ending}").symlink_to(secret)
        return f"link{ending}"
    if way == "member":
        with zipfile.ZipFile(house / "secret" / "other.zip", "w") as z:
            z.writestr(f"part{ending}", contents)
        return f"zip:{house}/secret/other.zip!part{ending}"
    if way == "pipe":
        os.mkfifo(house / "models" / f"pipe{ending}")
        return f"pipe{ending}"
    return "/dev/zero" if way == "device" else str(secret)


def contained(house, text, container):
    """The path of a model with a text, in a container."""
    folder = house / "models"
    if container in ("zip", "mjz"):
        path = folder / f"m.{container}"
        with zipfile.ZipFile(path, "w") as z:
            z.writestr("model.xml", text)
        return path
    path = folder / "m.xml"
    if container == "attached":
        (folder / "inner.xml").write_text(text.replace("</mujoco>", "<worldbody><body name='b'/></worldbody></mujoco>"))
        text = "<mujoco><asset><model name='a' file='inner.xml'/></asset><worldbody><attach model='a' body='b' prefix='p'/></worldbody></mujoco>"
    elif container == "nested":
        (folder / "inner.xml").write_text(text)
        (folder / "middle.xml").write_text("<mujoco><include file='inner.xml'/></mujoco>")
        text = "<mujoco><include file='middle.xml'/></mujoco>"
    elif container == "urdf":
        path = folder / "m.urdf"
    path.write_text(text)
    return path


def test_every_attribute_of_the_schema_is_tried():
    tags = {tag for tag, _attribute in file_attributes()}
    assert tags == set(ELEMENTS) and len(file_attributes()) >= 12


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("container", CONTAINERS)
@pytest.mark.parametrize(("tag", "attribute"), file_attributes())
def test_no_file_outside_is_read(house, tag, attribute, container, way):
    if way in ("device", "pipe") and not hasattr(os, "mkfifo"):
        pytest.skip("no devices or pipes with names here")
    if container == "urdf" and tag != "mesh":
        pytest.skip("a URDF names meshes only")
    name = named(house, tag, way)
    path = contained(house, URDF.format(name) if container == "urdf" else text_of(tag, attribute, name), container)
    with pytest.raises((ValueError, OSError)) as error:
        read_model(str(path))
    message = str(error.value)
    if way == "pipe" and container not in ("zip", "mjz"):
        assert "regular file" in message or "open" in message
    elif way != "device":
        # a device has no ending, so some elements refuse it before they look where it is
        assert is_outside(error.value) or "outside" in message or "not allowed" in message, message


@pytest.mark.parametrize("container", ["xml", "zip", "mjz", "attached", "nested"])
@pytest.mark.parametrize(("tag", "attribute"), file_attributes())
def test_the_same_file_is_read_once_the_folder_is_trusted(house, tag, attribute, container):
    """So it is the gate that refuses above, and not the model."""
    path = contained(house, text_of(tag, attribute, named(house, tag, "absolute")), container)
    trust.trust(str(path))
    if tag == "model":
        # an asset of that kind adds nothing until it is attached
        assert read_model(str(path)).ngeom == 0
        return
    m = read_model(str(path))
    if container == "attached":
        # what is no part of the attached body is left behind
        return
    assert m.nmesh + m.nhfield + m.nskin + m.ntex + m.nflex + m.ngeom > 0


@pytest.mark.parametrize(("tag", "attribute"), file_attributes())
def test_members_of_the_own_archive_are_read(house, tag, attribute):
    contents, ending = CONTENTS[tag]
    for name in (f"part{ending}", f"sub/part{ending}"):
        path = house / "models" / "m.mjz"
        with zipfile.ZipFile(path, "w") as z:
            z.writestr(name, contents)
            z.writestr("model.xml", text_of(tag, attribute, name))
        read_model(str(path))


def test_a_spec_from_a_confined_archive_stays_confined(house):
    """It is compiled later, and copies of it, too, by the rules that it was read with."""
    import tumble
    path = contained(house, text_of("mesh", "file", named(house, "mesh", "absolute")), "mjz")
    for spec in (tumble.MjSpec.from_zip(str(path), inside=str(path)), tumble.MjSpec.from_file(str(path), inside=str(path))):
        for one in (spec, spec.copy()):
            with pytest.raises(ValueError, match="outside"):
                one.compile()
