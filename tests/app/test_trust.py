"""Files that an untrusted model may read: those of its own folder, until the user trusts it."""

import os
from types import SimpleNamespace

import pytest

from tumble.app import actions, trust
from tumble.app.__main__ import main
from tumble.app.loading import Failed, Loader, Request, compile_file
from tumble.ui import intents as I
from tumble.ui import trusting

SECRET = "the person's secret"
MODEL = '<mujoco><asset><hfield name="h" file="{}" size="1 1 1 1"/></asset><worldbody><geom size="1"/></worldbody></mujoco>'
INCLUDE = '<mujoco><worldbody><geom size="1"/></worldbody><include file="{}"/></mujoco>'


@pytest.fixture
def house(tmp_path, monkeypatch):
    """A folder with models that read a file outside it, in three ways."""
    monkeypatch.setenv("TUMBLE_CONFIG", str(tmp_path / "settings.json"))
    monkeypatch.setattr(trust, "_TRUSTED", set())
    (tmp_path / "other.xml").write_text("<mujoco><worldbody><geom size='2'/></worldbody></mujoco>")
    (tmp_path / "secret.txt").write_text(SECRET)
    folder = tmp_path / "models"
    (folder / "sub").mkdir(parents=True)
    (folder / "dots.xml").write_text(INCLUDE.format("../other.xml"))
    (folder / "absolute.xml").write_text(INCLUDE.format(tmp_path / "other.xml"))
    (folder / "link.xml").write_text(INCLUDE.format("inner.xml"))
    (folder / "inner.xml").symlink_to(tmp_path / "other.xml")
    (folder / "sub" / "deep.xml").write_text(INCLUDE.format("../../other.xml"))
    (folder / "own.xml").write_text(INCLUDE.format("sub/part.xml"))
    (folder / "sub" / "part.xml").write_text("<mujoco><worldbody><geom size='2'/></worldbody></mujoco>")
    return folder


def geoms(path):
    return compile_file(str(path))[0].ngeom


def test_files_of_the_own_folder_are_read(house):
    assert geoms(house / "own.xml") == 2


@pytest.mark.parametrize("name", ["dots", "absolute", "link"])
def test_files_elsewhere_are_refused_until_the_folder_is_trusted(house, name):
    with pytest.raises(ValueError, match="outside"):
        geoms(house / f"{name}.xml")
    trust.trust(str(house / f"{name}.xml"))
    assert geoms(house / f"{name}.xml") == 2
    # trust is remembered, also for files in the folder, but not for its neighbors
    trust._TRUSTED.clear()
    assert geoms(house / "sub" / "deep.xml") == 2
    neighbour = house.parent / "models2"
    neighbour.mkdir()
    (neighbour / "m.xml").write_text(INCLUDE.format("../other.xml"))
    with pytest.raises(ValueError, match="outside"):
        geoms(neighbour / "m.xml")


def test_trust_without_settings_that_can_be_written(house, monkeypatch):
    monkeypatch.setenv("TUMBLE_CONFIG", str(house / "own.xml" / "settings.json"))
    trust.trust(str(house / "dots.xml"))
    assert geoms(house / "dots.xml") == 2


def test_errors_show_nothing_of_other_files(house):
    (house / "m.xml").write_text(MODEL.format("../secret.txt"))
    (house / "i.xml").write_text(INCLUDE.format("../secret.txt"))
    for name in ("m.xml", "i.xml"):
        failed = Loader()._load(Request(str(house / name)))
        assert isinstance(failed, Failed) and failed.outside and failed.trusts == str(house)
        assert SECRET not in failed.message + failed.found


def test_the_question_lists_all_files_outside(house):
    """Only existing files outside the model's folder are listed. A link is listed as its target. Beyond the first few, files
    are only counted.
    """
    shapes = [house.parent / f"shape{k}.stl" for k in range(trusting.MOST + 2)]
    for shape in shapes:
        shape.write_bytes(b"solid")
    (house / "own.stl").write_bytes(b"solid")
    (house / "link.stl").symlink_to(shapes[1])

    def asked(files):
        meshes = "".join(f'<mesh name="m{k}" file="{file}"/>' for k, file in enumerate(files))
        (house / "many.xml").write_text(f"<mujoco><asset>{meshes}</asset></mujoco>")
        failed = Loader()._load(Request(str(house / "many.xml")))
        assert isinstance(failed, Failed) and failed.outside
        folder, rows = trusting.lines(failed)
        assert trusting.title(failed) == f"many.xml needs {len(failed.more) + 1} files outside its folder"
        assert folder == trusting.short(str(house))
        # the first row may end with the line that refers to the file
        return [rows[0].partition(", wanted by")[0], *rows[1:]]

    assert asked(["../shape0.stl", "own.stl", "link.stl", "../none.stl", "../shape0.stl"]) == ["../shape0.stl", "../shape1.stl"]
    five = [f"../{shape.name}" for shape in shapes[: trusting.MOST]]
    assert asked(five) == five
    assert asked([f"../{shape.name}" for shape in shapes]) == [*five, "and 2 more"]


def test_the_button_in_the_window(house):
    """The intent's action trusts the refused model and loads it again; without a refused model it does nothing."""
    path, loads = str(house / "dots.xml"), []
    document = SimpleNamespace(failure=None, reload=lambda: loads.append(geoms(path)))
    actions.apply(SimpleNamespace(document=document), I.Trust())
    document.failure = Loader()._load(Request(path))
    actions.apply(SimpleNamespace(document=document), I.Trust())
    assert loads == [2]


def test_the_command_line(house, capsys):
    path = str(house / "dots.xml")
    assert main(["info", path]) == 1
    assert "--trust" in capsys.readouterr().err
    assert main(["info", path, "--trust"]) == 0
    assert main(["info", path]) == 0
    assert os.path.exists(os.environ["TUMBLE_CONFIG"])
