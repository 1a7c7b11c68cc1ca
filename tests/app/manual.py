"""Takes the pictures of the manual from a real window: python -m tests.app.manual [FOLDER]"""
import pathlib
import sys
import tempfile
import time

from PIL import Image

from tests.app.driver import ROOT, Viewer, XServer

MODEL = ROOT / "assets" / "models" / "humanoid.xml"
FOLDER = ROOT / "assets" / "manual"
SIZE = 1200, 800
# picture: keys pressed beforehand
PICTURES = {"viewer": ("f2", "f3"), "help": ("f1",)}
SETTLE = 1.3


def take(name, keys, folder):
    """One picture of the window, after the keys and some seconds of motion."""
    server = XServer((SIZE[0], SIZE[1]))
    with tempfile.TemporaryDirectory() as scratch:
        viewer = Viewer(server, pathlib.Path(scratch), str(MODEL), {}, SIZE)
        try:
            viewer.started()
            for key in keys:
                viewer.key(key)
                time.sleep(0.3)
            viewer.key("backspace")
            time.sleep(SETTLE)
            Image.fromarray(viewer.picture()).save(folder / f"{name}.png", optimize=True)
        finally:
            viewer.close()
            server.close()


def main():
    folder = pathlib.Path(sys.argv[1]) if len(sys.argv) > 1 else FOLDER
    folder.mkdir(parents=True, exist_ok=True)
    for name, keys in PICTURES.items():
        take(name, keys, folder)


if __name__ == "__main__":
    main()
