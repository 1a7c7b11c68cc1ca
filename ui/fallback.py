"""System fonts for writing systems that the program's fonts lack: Chinese, Japanese, Korean, Arabic, Hebrew, Thai, Hindi.

They are large, so they are not shipped. The window adds those that are installed when a text needs them. Letters of Arabic are
drawn one by one, from left to right, because ImGui neither joins nor reorders them.
"""

from __future__ import annotations

import os
import sys
import threading
from collections.abc import Iterable
from pathlib import Path

# {writing system: names of font files without suffix, best ones first}
SCRIPTS: dict[str, tuple[str, ...]] = {
    "Chinese": (
        "NotoSansCJK",
        "NotoSansSC",
        "SourceHanSansSC",
        "wqy-microhei",
        "wqy-zenhei",
        "DroidSansFallback",
        "PingFang",
        "Hiragino Sans GB",
        "STHeiti",
        "msyh",
        "simsun",
    ),
    "Japanese": ("NotoSansCJK", "NotoSansJP", "ipag", "TakaoGothic", "VL-Gothic", "Hiragino", "YuGoth", "meiryo", "msgothic"),
    "Korean": ("NotoSansCJK", "NotoSansKR", "NanumGothic", "UnDotum", "AppleSDGothicNeo", "malgun"),
    "Arabic": ("NotoSansArabic", "NotoNaskhArabic", "DejaVuSans", "GeezaPro", "segoeui", "tahoma", "arial"),
    "Hebrew": ("NotoSansHebrew", "DejaVuSans", "ArialHB", "segoeui", "arial"),
    "Thai": ("NotoSansThai", "Garuda", "Loma", "Thonburi", "leelawui", "tahoma"),
    "Hindi": ("NotoSansDevanagari", "Lohit-Devanagari", "Kohinoor", "Nirmala", "mangal"),
}
ENDINGS = (".ttf", ".otf", ".ttc", ".otc")
# first bytes of scalable font files
MAGIC = (b"\0\1\0\0", b"OTTO", b"ttcf", b"true")
# words in file names of font styles that are not for running text
STYLED = ("bold", "italic", "oblique", "condensed", "light", "thin", "black", "mono", "serif", "medium", "demi", "extra")
PLAIN = ("", "-regular", "regular", "-r")


def folders() -> list[Path]:
    """Return the folders in which this system keeps fonts."""
    home = Path.home()
    if sys.platform == "win32":
        return [Path(os.environ.get("WINDIR", r"C:\Windows")) / "Fonts", home / "AppData/Local/Microsoft/Windows/Fonts"]
    if sys.platform == "darwin":
        return [Path("/System/Library/Fonts"), Path("/Library/Fonts"), home / "Library/Fonts"]
    data = Path(os.environ.get("XDG_DATA_HOME", home / ".local/share"))
    return [data / "fonts", home / ".fonts", Path("/usr/local/share/fonts"), Path("/usr/share/fonts")]


def fonts(places: Iterable[Path]) -> list[Path]:
    """Return the font files in folders."""
    found: list[Path] = []
    for place in places:
        for folder, _inner, files in os.walk(place):
            found += [Path(folder, file) for file in files if file.lower().endswith(ENDINGS)]
    return found


def rank(stem: str, name: str) -> int | None:
    """Return the rank of a file as a match for a font's name, 0 for the best; None if the file is another font or style."""
    if not stem.startswith(name):
        return None
    rest = stem[len(name) :]
    if rest in PLAIN:
        return 0
    return None if any(word in rest for word in STYLED) else 1


def usable(path: Path) -> bool:
    """Return whether a file looks like a scalable font."""
    try:
        with open(path, "rb") as file:
            return file.read(4) in MAGIC
    except OSError:
        return False


def chosen(files: Iterable[Path]) -> list[Path]:
    """Return one font file for each writing system that has one on this system, without duplicates."""
    stems = sorted((path.stem.lower(), path) for path in files)
    out: dict[Path, None] = {}
    for names in SCRIPTS.values():
        ranked = (
            (k, rank_, path)
            for k, name in enumerate(names)
            for stem, path in stems
            if (rank_ := rank(stem, name.lower())) is not None and usable(path)
        )
        if (best := min(ranked, default=None)) is not None:
            out[best[2]] = None
    return list(out)


class Search(threading.Thread):
    """A search for the system's fonts, in a thread, as there may be thousands of files. `done`: its result has been used."""

    def __init__(self) -> None:
        super().__init__(name="fonts", daemon=True)
        self.found: list[Path] = []
        self.done = False

    def run(self) -> None:
        """Find one font for each writing system."""
        self.found = chosen(fonts(folders()))
