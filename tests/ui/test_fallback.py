"""Letters of other scripts: the program's own fonts have Greek and Cyrillic, the system's have the rest."""

import pytest

from tests.ui.null import NullGui
from tumble.ui import fallback, theme

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


def test_fonts_of_the_system_add_their_letters(gui):
    """Every font gets the letters, and keeps its own."""
    found = fallback.chosen(fallback.fonts(fallback.folders()))
    if not any("DejaVu" in path.name for path in found):
        pytest.skip("this system has no DejaVu Sans")
    fonts = theme.load_fonts()
    assert not fonts.body.is_glyph_in_font(ord("ش"))
    fonts.complete()
    fonts.complete()
    for font in (fonts.body, fonts.bold, fonts.mono):
        assert all(font.is_glyph_in_font(ord(c)) for c in OURS + "شش")
