"""The source pane: every file of the model, the error at its line, and the way to an element."""

import pytest

import engine as mj
from app.config import Config
from app.loading import Failed
from tests.ui.null import NullGui, Stage
from ui.panel import source

MAIN = """<mujoco>
  <worldbody>
    <include file="part.xml"/>
    <body name="one"><geom name="same" size=".1"/></body>
  </worldbody>
</mujoco>
"""
PART = """<mujocoinclude>
  <!-- a comment -->
  <body
     name="two"><joint name="same"/><geom size=".1"/></body>
</mujocoinclude>
"""


@pytest.fixture
def stage(tmp_path):
    (tmp_path / "main.xml").write_text(MAIN)
    (tmp_path / "part.xml").write_text(PART)
    gui = NullGui()
    m = mj.MjModel.from_xml_path(str(tmp_path / "main.xml"))
    made = Stage(gui, m, mj.MjData(m), Config(tmp_path / "s.json"), str(tmp_path / "main.xml"))
    original = made.context

    def context():
        ctx = original()
        ctx.files = (str(tmp_path / "main.xml"), str(tmp_path / "part.xml"), str(tmp_path / "gone.xml"), str(tmp_path / "picture.png"))
        return ctx

    made.context = context
    yield made
    gui.close()


def shown(stage):
    """File that is on show."""
    stage.panel("source")
    assert not [line.text for line in stage.log.lines if line.level == "error"]
    return stage.scratch.numbers.get("source_file", stage.path)


def test_all_files_of_the_model(stage, tmp_path):
    assert source.texts(stage.gui.frame(stage.context)) == [str(tmp_path / "main.xml"), str(tmp_path / "part.xml")]


def test_elements_are_found_by_kind_and_name(stage, tmp_path):
    files = [str(tmp_path / "main.xml"), str(tmp_path / "part.xml")]
    assert source.find(files, "body", "two") == (files[1], 3)
    assert source.find(files, "geom", "same") == (files[0], 4)
    assert source.find(files, "joint", "same") == (files[1], 4)
    assert source.find(files, "body", "nobody") is None
    stage.scratch.numbers["source_find"] = ("body", "two")
    assert shown(stage) == files[1]


def test_the_error_is_marked_in_the_file_that_has_it(stage, tmp_path):
    part = str(tmp_path / "part.xml")
    assert shown(stage) == stage.path
    stage.failure = Failed(stage.path, f"{part}, line 4, column 3, element 'joint': no such thing", part, 4, (part,))
    assert shown(stage) == part
    editor = stage.scratch.numbers["source"][part]
    assert editor["mark"][0] == 4 and editor["widget"].get_main_cursor_position().line == 3
    assert stage.gui.frame(stage.context).failure_text == "element 'joint': no such thing"
    stage.failure = None
    shown(stage)
    assert editor["mark"] is None


def test_saving_and_changes_from_outside(stage, tmp_path):
    shown(stage)
    editor = stage.scratch.numbers["source"][stage.path]
    (tmp_path / "main.xml").write_text(MAIN.replace("one", "other"))
    shown(stage)
    assert "other" in editor["widget"].get_text()
    source.write(stage.path, "<mujoco/>")
    assert (tmp_path / "main.xml").read_text() == "<mujoco/>\n" and not list(tmp_path.glob("*.part"))
    (tmp_path / "main.xml").write_bytes(b"\xff\xfe broken")
    shown(stage)
    assert not editor["widget"].get_text().strip()
