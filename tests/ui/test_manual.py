"""The manual in the viewer: Markdown as blocks, its layout, links, and every page drawn."""

import pytest
from imgui_bundle import ImVec2, imgui

from tests.app.driver import ROOT
from tests.ui.null import Stage
from tumble.app.config import Config
from tumble.ui import markdown, page
from tumble.ui.intents import OpenEditor, OpenFile
from tumble.ui.panel import manual

FOLDER = ROOT / "assets" / "manual"
PAGES = sorted(FOLDER.rglob("*.md"))
# pixels by which text may protrude, because of the space at its end
WIDTHS, SPACE = (420, 620, 900), 5
EXTERNAL = ("http://", "https://")
TEXT = """# A *heading* of `two` words

Some **bold** and *slanted* text with `code | bars`, a [link](other.md#part) and
a second line: 2 * 3 * 4.

- one
  - inner
1. first

| a | b |
| --- | --- |
| `x` | [y](z.md) |

```python
def f():
    return 1
```

![A picture](viewer.png)
"""


def test_blocks():
    blocks = markdown.parse(TEXT)
    assert [b.kind for b in blocks] == ["heading", "text", "item", "item", "item", "table", "code", "picture"]
    heading, text, one, inner, first, table, code, picture = blocks
    assert heading.level == 1 and markdown.anchor(heading) == "a-heading-of-two-words"
    assert [(s.text, s.style, s.link) for s in text.spans if s.style or s.link] == [
        ("bold", "bold", ""),
        ("slanted", "slanted", ""),
        ("code | bars", "code", ""),
        ("link", "", "other.md#part"),
    ]
    assert text.spans[-1].text.endswith("2 * 3 * 4.") and "\n" not in text.spans[-1].text
    assert (one.level, inner.level, first.mark) == (1, 2, "1.")
    assert len(table.rows) == 2 and table.rows[1][1][0].link == "z.md"
    assert code.text == "def f():\n    return 1" and picture.spans[0].picture == "viewer.png"


@pytest.fixture
def stage(gui, tmp_path):
    return Stage(gui, None, None, Config(tmp_path / "settings.json"))


@pytest.mark.parametrize("path", PAGES, ids=lambda p: p.stem)
def test_every_page_fits_any_width(stage, path):
    text = path.read_text(encoding="utf-8")

    def check():
        for width in WIDTHS:
            layout = page.Setter(stage.context(), path.parent, width).page(text)
            assert layout.pieces and layout.height > 0
            lows = [p for p in layout.pieces if p.kind != "text" and p.x + p.w > width + 1]
            assert not lows, lows[:3]
            # words that are longer than a line may protrude, nothing else
            assert not [
                p.what
                for p in layout.pieces
                if p.kind == "text" and p.style not in ("code", "block") and p.x + p.w > width + SPACE and " " in p.what.strip()
            ]

    stage.gui.frame(check)


@pytest.mark.parametrize("path", PAGES, ids=lambda p: p.stem)
def test_links_and_pictures_of_a_page_lead_somewhere(path):
    spans = [
        s
        for b in markdown.parse(path.read_text(encoding="utf-8"))
        for s in (*b.spans, *(s for row in b.rows for cell in row for s in cell))
    ]
    for span in spans:
        name, _hash, place = (span.link or span.picture).partition("#")
        if not name and not place or name.startswith(EXTERNAL):
            continue
        target = (path.parent / name).resolve() if name else path
        assert target.exists(), (path.name, name)
        if place:
            assert place in [
                markdown.anchor(b) for b in markdown.parse(target.read_text(encoding="utf-8")) if b.kind == "heading"
            ], (path.name, span.link)


def test_every_page_can_be_reached():
    seen, todo = set(), [FOLDER / manual.FIRST]
    while todo:
        path = todo.pop()
        if path in seen:
            continue
        seen.add(path)
        for block in markdown.parse(path.read_text(encoding="utf-8")):
            for span in (*block.spans, *(s for row in block.rows for cell in row for s in cell)):
                target = (path.parent / span.link.partition("#")[0]).resolve()
                if span.link.partition("#")[0].endswith(".md") and target.is_relative_to(FOLDER):
                    todo.append(target)
    assert seen == set(PAGES)


def test_links_are_followed(stage):
    ctx = stage.context()
    sent, reading = [], ctx.scratch.of(manual.Reading)
    ctx.emit = sent.append
    first = FOLDER / manual.FIRST
    manual.follow(ctx, first, "tutorial.md#2-a-model-of-your-own")
    assert (reading.page, reading.place) == ("tutorial.md", "2-a-model-of-your-own")
    manual.follow(ctx, FOLDER / "reference" / "README.md", "mjcf.md")
    assert reading.page == "reference/mjcf.md"
    manual.follow(ctx, first, "../models/rope.xml")
    manual.follow(ctx, first, "../../ui/page.py")
    assert [type(i) for i in sent] == [OpenFile, OpenEditor] and sent[0].path.endswith("rope.xml")


@pytest.mark.parametrize("path", PAGES, ids=lambda p: p.stem)
def test_the_panel_draws_every_page(stage, path):
    ctx = stage.context()
    reading = ctx.scratch.of(manual.Reading)
    reading.page = path.relative_to(FOLDER).as_posix()

    def draw():
        imgui.set_next_window_size(ImVec2(700, 500))
        imgui.begin("manual")
        manual.draw(ctx)
        imgui.end()

    for _ in range(2):
        stage.gui.frame(draw)
    assert stage.gui.vertices() > 100
    # layouts are computed once
    kept = reading.layout
    stage.gui.frame(draw)
    assert reading.layout is kept
