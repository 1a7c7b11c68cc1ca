"""The source pane: every file of the model, the error at its line, and the way to an element."""

from types import SimpleNamespace

import numpy as np
import pytest
from imgui_bundle import imgui

import tumble as mj
from tests.ui.null import NullGui, Stage
from tumble.app.config import Config
from tumble.app.loading import Failed
from tumble.ui import source_help, xml_colors
from tumble.ui.panel import source

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
        ctx.files = (
            str(tmp_path / "main.xml"),
            str(tmp_path / "part.xml"),
            str(tmp_path / "gone.xml"),
            str(tmp_path / "picture.png"),
        )
        return ctx

    made.context = context
    yield made
    gui.close()


def shown(stage):
    """The displayed file."""
    stage.panel("source")
    assert not [line.text for line in stage.log.lines if line.level == "error"]
    return stage.scratch.of(source.Texts).file or stage.path


def test_all_files_of_the_model(stage, tmp_path):
    assert source.texts(stage.gui.frame(stage.context)) == [str(tmp_path / "main.xml"), str(tmp_path / "part.xml")]


def test_elements_are_found_by_kind_and_name(stage, tmp_path):
    files = [str(tmp_path / "main.xml"), str(tmp_path / "part.xml")]
    assert source.find(files, "body", "two") == (files[1], 3)
    assert source.find(files, "geom", "same") == (files[0], 4)
    assert source.find(files, "joint", "same") == (files[1], 4)
    assert source.find(files, "body", "nobody") is None
    stage.scratch.of(source.Texts).find = ("body", "two")
    assert shown(stage) == files[1]


def test_the_error_is_marked_in_the_file_that_has_it(stage, tmp_path):
    part = str(tmp_path / "part.xml")
    assert shown(stage) == stage.path
    stage.failure = Failed(
        stage.path, f"{part}, line 3, column 3, element 'body': no such thing", part, 3, (part,), 3, "name", "two"
    )
    assert shown(stage) == part
    pane = stage.scratch.of(source.Texts).panes[part]
    assert pane.widget.has_markers() and pane.widget.has_squiggles()
    # the attribute is a line below its element
    assert pane.widget.get_main_cursor_position().line == 3
    assert stage.gui.frame(stage.context).failure_text == "element 'body': no such thing"
    stage.failure = None
    shown(stage)
    assert not pane.widget.has_markers() and not pane.widget.has_squiggles()

    # the cursor of a user who may be typing stays
    pane.widget.set_cursor(source.Editor.DocPos(0, 0))
    pane.widget.set_focus()
    shown(stage)
    stage.failure = Failed(stage.path, f"{part}, line 3: no such thing", part, 3, (part,), 3)
    shown(stage)
    assert pane.widget.has_markers() and pane.widget.get_main_cursor_position().line == 0


LINE = '  <geom size="1 2" name="a>b"\n    type=\'boxx\'/> <joint/>'


@pytest.mark.parametrize(
    "column, attribute, found, wanted",
    [
        (3, "type", "boxx", "type='boxx'"),
        (3, "", "boxx", "type='boxx'"),
        (3, "size", "x", 'size="1 2"'),
        (3, "", "", "<geom"),
        (0, "name", "", 'name="a>b"'),
        (3, "nothing", "else", "<geom"),
        (9, "", "", 'size="1'),
        (99, "", "", LINE.splitlines()[0]),
    ],
)
def test_what_is_wrong_is_underlined(column, attribute, found, wanted):
    text = "<mujoco>\n" + LINE + "\n</mujoco>\n"
    begin, end = source.culprit(text, 2, column, attribute, found)
    assert text[begin:end] == wanted
    assert source.culprit(text, 99, 1, "", "") == (0, 0)


def typed(stage, text):
    """Insert text at the beginning of the displayed file, as if typed."""
    pane = stage.scratch.of(source.Texts).panes[stage.path]
    start = source.Editor.DocPos(0, 0)
    pane.widget.replace_section_text(start, start, text)
    for _ in range(3):
        shown(stage)
    return pane


def test_saving_asks_for_the_file_as_it_was_written(stage, tmp_path):
    """Line ends, byte order mark and invalid UTF-8 bytes are written back unchanged."""
    for data in (
        b"\xef\xbb\xbf<a>\r\n</a>\r\n",
        b"<a>\n<!-- caf\xe9 -->\n</a>\n",
        "<a>\n<!-- \u00e9\u4e2d -->\n</a>\n".encode(),
    ):
        (tmp_path / "main.xml").write_bytes(data)
        shown(stage)
        pane = typed(stage, "x")
        assert pane.changed and source.unsaved(stage.scratch) == [stage.path]
        intent = pane.saving()
        at = 3 if data.startswith(b"\xef") else 0
        assert intent.path == stage.path and intent.data == data[:at] + b"x" + data[at:]
        # nothing is written before the user saves; afterwards there is nothing to save
        assert (tmp_path / "main.xml").read_bytes() == data
        (tmp_path / "main.xml").write_bytes(intent.data)
        shown(stage)
        assert not pane.changed and not pane.conflict
        pane.widget.undo()
        shown(stage)
        shown(stage)
        assert pane.changed, "what was typed can be taken back after saving"
        pane.replace(pane.file)


def test_changes_from_outside(stage, tmp_path):
    shown(stage)
    pane = stage.scratch.of(source.Texts).panes[stage.path]
    pane.widget.set_cursor(source.Editor.DocPos(4, 3))
    shown(stage)
    (tmp_path / "main.xml").write_text(MAIN.replace('"one"', '"other"'))
    shown(stage)
    assert "other" in pane.widget.get_text() and not pane.changed
    assert pane.widget.get_main_cursor_position().line == 4 and pane.widget.can_undo()
    # unsaved typing is not thrown away
    typed(stage, "<!-- mine -->")
    (tmp_path / "main.xml").write_text(MAIN.replace('"one"', '"third"'))
    shown(stage)
    assert not pane.conflict and pane.merged and pane.changed
    assert "mine" in pane.widget.get_text() and "third" in pane.text and "other" not in pane.text
    # both sides change the same line
    typed(stage, "<!-- more -->")
    (tmp_path / "main.xml").write_text("<!-- theirs -->" + MAIN)
    shown(stage)
    assert pane.conflict and "mine" in pane.widget.get_text() and "theirs" not in pane.text
    pane.replace(pane.file)
    shown(stage)
    assert not pane.conflict and not pane.changed and "theirs" in pane.widget.get_text()
    (tmp_path / "main.xml").unlink()
    stage.panel("source")


@pytest.mark.parametrize(
    "old, new",
    [
        ("a", "b"),
        ("a\nb\nc", "a\nc"),
        ("a\nc", "a\nb\nc"),
        ("", "a\nb"),
        ("a\nb", ""),
        ("x\nx\nx", "x\nx"),
        ("ab\nab", "ab\nab\nab"),
        ("\u4e2d\u00e9\n", "\u4e2d!\u00e9\n"),
    ],
)
def test_a_replaced_text_is_that_text_and_can_be_undone(stage, tmp_path, old, new):
    (tmp_path / "main.xml").write_text(old)
    shown(stage)
    pane = stage.scratch.of(source.Texts).panes[stage.path]
    pane.replace(new)
    assert pane.widget.get_text().rstrip("\n") == new.rstrip("\n")
    pane.widget.undo()
    assert pane.widget.get_text().rstrip("\n") == old.rstrip("\n")


# ---- colors
# --------------------------------------------------------------------------------------------------------------------


def parts(text, begin=0, end=None):
    return [(text[a:b], what) for a, b, what in xml_colors.tokens(text, begin, len(text) if end is None else end)]


def test_parts_of_xml():
    text = """<?xml version="1.0"?>\n<a:b c="1 -2.5e3" d='x &gt; y'>text d="e" <!-- <f g="h"> --></a:b>"""
    assert parts(text) == [
        ('<?xml version="1.0"?>', "declaration"),
        ("<", "sign"),
        ("a:b", "tag"),
        ("c", "name"),
        ("=", "sign"),
        ('"1 -2.5e3"', "number"),
        ("d", "name"),
        ("=", "sign"),
        ("'x &gt; y'", "text"),
        (">", "sign"),
        ('<!-- <f g="h"> -->', "comment"),
        ("</", "sign"),
        ("a:b", "tag"),
        (">", "sign"),
    ]
    # a missing quote or comment end colors as little as possible
    assert ("e", "tag") in parts('<a b="c\n<e f="1"/>') and parts("<a/> <!-- x\n<b/>")[-1] == ("<!-- x\n<b/>", "comment")


def test_every_line_has_the_colours_that_it_has_in_the_whole_text():
    text = '<m>\n <!-- a\n  <b c="d"/>\n -->\n <e\n  f="1"\n  g="h i"/>\n\t<j k="l"/>\n</m>\n'
    starts = xml_colors.line_starts(text)
    colors = {what: i + 1 for i, what in enumerate(xml_colors.COLORS)}
    whole = xml_colors.cells(text, starts, 0, len(starts) - 1, 4, colors, 0)
    for first in range(len(starts)):
        for last in range(first, len(starts)):
            assert (xml_colors.cells(text, starts, first, last, 4, colors, 0) == whole[first : last + 1]).all()
    row = text.split("\n").index('\t<j k="l"/>')
    assert whole[row, 4:14].tolist() == [colors[w] for w in ("sign", "tag")] + [0] + [
        colors[w] for w in ("name", "sign", "text", "text", "text", "sign", "sign")
    ]

    # Chinese letters fill two columns
    line = '<手 a="1"/>'
    found = xml_colors.cells(line, xml_colors.line_starts(line), 0, 0, 4, colors, 0)[0, :5].tolist()
    assert found == [colors["sign"], colors["tag"], colors["tag"], 0, colors["name"]]


def test_the_editor_shows_the_colours(stage):
    """Letters on the screen have the color of their syntax class."""
    shown(stage)
    pane = stage.scratch.of(source.Texts).panes[stage.path]
    seen = {}
    original = xml_colors.recolor

    def look(rows, table, origin, cell, plain):
        original(rows, table, origin, cell, plain)
        for quad in rows[: len(rows) // 4 * 4].reshape(-1, 4):
            x, y = (quad["pos"].mean(0) - origin) / cell
            if x > 0 and y > 0 and np.ptp(quad["uv"], axis=0).min() > 0:
                seen[int(y), int(x)] = int(quad["color"][0])

    xml_colors.recolor = look
    try:
        shown(stage)
    finally:
        xml_colors.recolor = original
    palette = pane.widget.get_palette()
    lines = MAIN.splitlines()
    for word, what in (("include", "tag"), ("file", "name"), ('"part.xml"', "text"), ('".1"', "number"), ("</mujoco", "sign")):
        line = next(i for i, text in enumerate(lines) if word in text)
        assert seen[line, lines[line].index(word)] == palette.get(xml_colors.COLORS[what]), word


HELP = """<mujoco>
  <!-- <geom size="1"/> -->
  <option timestep="0.01"><flag sleep="enable"/></option>
  <default><default class="x"><geom friction="1"/></default></default>
  <worldbody>
    <geom type="plane"
          size="1 1 1"/>
    <body><freejoint/><inertial pos="0 0 0" mass="1"/></body>
  </worldbody>
  <actuator><position kp="3"/></actuator>
  <sensor><touch site="s"/></sensor>
  <nothing size="1"/>
</mujoco>
"""


def explained(word, count=0, text=HELP):
    """Tooltip of a word, the n-th of its type."""
    at = -1
    for _ in range(count + 1):
        at = text.index(word, at + 1)
    return source_help.at(text, at + 1)


@pytest.mark.parametrize(
    ("word", "count", "parts"),
    [
        ("timestep", 0, ("timestep   number   s", "time step")),
        ("flag", 0, ("<flag>", "switched on or off")),
        ("sleep", 0, ("sleep   disable | enable", "trees at rest")),
        ("friction", 0, ("friction   up to 3 numbers", "sliding")),
        ("type", 0, ("type   plane | hfield", "type of shape")),
        ("size", 1, ("size   up to 3 numbers   m", "half lengths")),
        ("freejoint", 0, ("<freejoint>", "six degrees of freedom")),
        ("mass", 0, ("mass   number   kg   required", "mass")),
        ("kp", 0, ("kp   number   N/m or N m/rad", "gain")),
        ("touch", 0, ("<touch>", "normal forces")),
        ("class", 0, ("class   ", "default class")),
        ("/worldbody", 0, ("<worldbody>", "does not move")),
        ("/body", 0, ("<body>", "a body")),
    ],
)
def test_words_of_the_source_are_explained(word, count, parts):
    found = explained(word, count)
    assert found.startswith(parts[0]) and parts[1] in found, found


def test_nothing_is_said_of_what_is_unknown():
    assert not explained("size", 0) and not explained("nothing") and not explained("size", 2) and not explained('"0.01"')
    assert not source_help.at("<robot><link name='a'/></robot>", 9) and not source_help.at("", 0) and not source_help.at("<", 0)


def test_the_mouse_on_a_word_shows_what_it_is(stage, monkeypatch):
    shown(stage)
    said = []
    monkeypatch.setattr(imgui, "set_tooltip", said.append)
    imgui.get_io().display_size = (900, 700)

    def draw():
        imgui.set_next_window_pos((0, 0))
        imgui.set_next_window_size((900, 700))
        imgui.begin("pane", None, imgui.WindowFlags_.no_title_bar)
        source.draw(stage.context())
        imgui.end()

    for _ in range(3):
        stage.gui.frame(draw)
    pane = stage.scratch.of(source.Texts).panes[stage.path]
    line = MAIN.splitlines().index('    <body name="one"><geom name="same" size=".1"/></body>')
    spot = pane.widget.doc_pos2_screen_pos(source.Editor.DocPos(line, MAIN.splitlines()[line].index("size") + 1))
    imgui.get_io().add_mouse_pos_event(spot.x + 2, spot.y + 0.5 * pane.widget.get_line_height())
    for _ in range(90):
        stage.gui.frame(draw)
    assert said and said[-1].startswith("size   up to 3 numbers   m")


def test_an_editor_without_room_for_a_line(monkeypatch):
    """If an editor is too low for a line, its last visible row is above its first one, and nothing is colored."""
    gui = NullGui()
    shown = SimpleNamespace(draw_list=SimpleNamespace(vtx_buffer=SimpleNamespace(size=lambda: 4)))
    monkeypatch.setattr(xml_colors.imgui.internal, "find_window_by_name", lambda _name: shown)
    widget = SimpleNamespace(
        get_first_visible_row=lambda: 5,
        get_last_visible_row=lambda: 1,
        get_palette=xml_colors.Editor.get_dark_palette,
        get_tab_size=lambda: 4,
    )

    def draw():
        imgui.begin("low")
        painter = xml_colors.Painter(widget)
        painter.paint(MAIN, "text")
        imgui.end()
        return painter

    assert gui.frame(draw)._cells.size == 0
