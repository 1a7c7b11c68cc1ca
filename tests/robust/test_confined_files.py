"""Files that a model may read: every attribute that names a file, in every container, by every form of name.

A model in a folder reads files of that folder; a model in an archive reads members of that archive. Neither reads any
other file unless its folder is trusted. The attributes come from the schema, so new ones are tried, too.
"""

import os
import zipfile

import pytest

import tumble
from tests.robust.confined import CONTAINERS, CONTENTS, ELEMENTS, WAYS, build, file_attributes, text_of
from tumble.app import trust
from tumble.app.loading import is_outside, read_model
from tumble.app.robots import report_of


@pytest.fixture
def house(tmp_path, monkeypatch):
    """A folder of models and secrets, with separate settings and no trusted folders."""
    monkeypatch.setenv("TUMBLE_CONFIG", str(tmp_path / "settings.json"))
    monkeypatch.setattr(trust, "_TRUSTED", set())
    return tmp_path


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
    path = build(house, tag, attribute, container, way)
    if container == "urdf" and way in ("member", "device", "pipe"):
        # a robot opens without the mesh, and the report names the file
        m = read_model(str(path))
        assert m.nmesh == 0 and any("mesh" in entry.found for entry in report_of(m))
        return
    with pytest.raises((ValueError, OSError)) as error:
        read_model(str(path))
    message = str(error.value)
    if way == "pipe" and container not in ("zip", "mjz"):
        assert "regular file" in message or "open" in message
    elif way != "device":
        # a device has no extension, so some elements refuse it before they look at its location
        assert is_outside(error.value) or "outside" in message or "not allowed" in message, message


@pytest.mark.parametrize("container", ["xml", "zip", "mjz", "attached", "nested"])
@pytest.mark.parametrize(("tag", "attribute"), file_attributes())
def test_the_same_file_is_read_once_the_folder_is_trusted(house, tag, attribute, container):
    """Models read the file once its folder is trusted. So the refusals above come from the access check."""
    path = build(house, tag, attribute, container, "absolute")
    trust.trust(str(path))
    if tag == "model":
        # an asset of that type has no effect until it is attached
        assert read_model(str(path)).ngeom == 0
        return
    m = read_model(str(path))
    if container == "attached":
        # elements outside the attached body are dropped
        return
    assert m.nmesh + m.nhfield + m.nskin + m.ntex + m.nflex + m.ngeom > 0


@pytest.mark.parametrize(("tag", "attribute"), file_attributes())
def test_members_of_the_own_archive_are_read(house, tag, attribute):
    contents, ending = CONTENTS[tag]
    for name in (f"part{ending}", f"sub/part{ending}"):
        (house / "models").mkdir(exist_ok=True)
        path = house / "models" / "m.mjz"
        with zipfile.ZipFile(path, "w") as z:
            z.writestr(name, contents)
            z.writestr("model.xml", text_of(tag, attribute, name))
        read_model(str(path))


def test_a_spec_from_a_confined_archive_stays_confined(house):
    """A spec and its copies compile later by the access rules with which the spec was read."""
    path = build(house, "mesh", "file", "mjz", "absolute")
    for spec in (tumble.MjSpec.from_zip(str(path), inside=str(path)), tumble.MjSpec.from_file(str(path), inside=str(path))):
        for one in (spec, spec.copy()):
            with pytest.raises(ValueError, match="outside"):
                one.compile()
