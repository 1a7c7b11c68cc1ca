"""Letters of other scripts: the program's own fonts have Greek and Cyrillic, the system's have the rest."""

import pytest
from imgui_bundle import imgui

from tests.ui.null import NullGui
from tumble.ui import fallback, icons, theme

OURS = "ΩαЖяế°²"


@pytest.fixture
def gui():
    made = NullGui()
    yield made
    made.close()


def made(folder, *names, magic=b"\0\1\0\0"):
    for name in names:
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(magic + b"rest")
    return fallback.fonts([folder])


def test_each_script_gets_its_best_plain_font(tmp_path):
    files = made(
        tmp_path,
        "noto/NotoSansCJK-Bold.ttc",
        "noto/NotoSansCJK-Regular.ttc",
        "wqy/wqy-zenhei.ttc",
        "dejavu/DejaVuSans.ttf",
        "dejavu/DejaVuSans-Bold.ttf",
        "dejavu/DejaVuSansMono.ttf",
        "thai/Garuda-Oblique.otf",
        "Unrelated.ttf",
    )
    assert [path.name for path in fallback.chosen(files)] == ["NotoSansCJK-Regular.ttc", "DejaVuSans.ttf"]


def test_files_that_are_no_fonts_are_left_alone(tmp_path):
    files = made(tmp_path, "wqy-microhei.ttc", magic=b"<htm")
    (tmp_path / "DejaVuSans.ttf").write_bytes(b"")
    (tmp_path / "wqy-zenhei.txt").write_bytes(b"\0\1\0\0")
    assert len(files) == 1 and fallback.chosen(fallback.fonts([tmp_path])) == []


def test_our_own_fonts_have_greek_and_cyrillic(gui):
    fonts = theme.load_fonts()
    for font in (fonts.body, fonts.bold, fonts.mono):
        assert [c for c in OURS if not font.is_glyph_in_font(ord(c))] == []


def test_only_letters_that_our_fonts_lack_are_searched(gui, monkeypatch):
    """Names in Latin, Greek or Cyrillic letters, with icons or emptiness, need no other fonts."""
    searched = []
    monkeypatch.setattr(fallback, "fonts", lambda places: searched.append(list(places)) or [])
    fonts = theme.load_fonts()
    for text in ("arm/körper_Δθ шарнир", OURS, f"{icons.SAVE}  Save", "zero\u200dwidth", ""):
        fonts.see(text)
    assert fonts.search is None and not fonts.complete()

    # the first name that needs them starts one search; without any font nothing is added
    fonts.see("手")
    fonts.search.join()
    fonts.see("腕")
    assert len(searched) == 1 and fonts.complete() and not fonts.complete() and fonts.missing() == "手"


def test_fonts_of_the_system_add_their_letters(gui):
    """Every font gets the letters, and keeps its own, also where a letter has been drawn as a box."""
    found = fallback.chosen(fallback.fonts(fallback.folders()))
    if not any("DejaVu" in path.name for path in found):
        pytest.skip("this system has no DejaVu Sans")
    fonts = gui.fonts

    def drawn():
        imgui.begin("names")
        imgui.text_unformatted("شش")
        there = imgui.get_font_baked().find_glyph_no_fallback(ord("ش")) is not None
        imgui.end()
        return there

    assert not gui.frame(drawn)
    fonts.see("شش")
    fonts.search.join()
    assert fonts.complete() and not fonts.complete() and not fonts.missing()
    assert gui.frame(drawn)
    for font in (fonts.body, fonts.bold, fonts.mono):
        assert all(font.is_glyph_in_font(ord(c)) for c in OURS + "شش")
