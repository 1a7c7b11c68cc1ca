"""An X server for a test module, and viewers on it."""

import sys

import pytest

from tests.app.driver import Viewer, XServer


@pytest.fixture(scope="module")
def server():
    if not sys.platform.startswith("linux"):
        pytest.skip("window tests need an X server")
    made = XServer()
    yield made
    made.close()


@pytest.fixture(scope="module")
def make_viewer(server, tmp_path_factory):
    """make_viewer(xml, name="model.xml", **settings) -> a started Viewer; all are closed at the end of the module."""
    made = []

    def make(xml=None, name="model.xml", **settings):
        folder = tmp_path_factory.mktemp("viewer")
        if xml is not None:
            (folder / name).write_text(xml)
        viewer = Viewer(server, folder, str(folder / name) if xml is not None else "", settings)
        made.append(viewer)
        return viewer

    yield make
    for viewer in made:
        if viewer.process.poll() is None:
            viewer.close()
