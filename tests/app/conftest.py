"""X servers for window tests, and viewers on them. Each viewer has its own screen, so that events reach it."""

import sys

import pytest

from tests.app.driver import PreparedViewer, Viewer, XServer
from tests.optional import lacks_windows


@pytest.fixture(scope="module")
def server():
    if not sys.platform.startswith("linux"):
        pytest.skip("window tests need an X server")
    if reason := lacks_windows():
        pytest.skip(reason)
    made = XServer()
    yield made
    made.close()


def maker(server, factory, made, kind=PreparedViewer):
    """make(xml, name="model.xml", **settings) -> a started viewer; make.again(viewer, **settings) -> its next session."""

    def make(xml=None, name="model.xml", **settings):
        folder = factory.mktemp("viewer")
        if xml is not None:
            (folder / name).write_text(xml)
        made.append(kind(server, folder, str(folder / name) if xml is not None else "", settings))
        return made[-1]

    def again(viewer, **settings):
        made.append(kind(server, viewer.folder, viewer.model, viewer.kept() | settings))
        return made[-1]

    make.again = again
    return make


def close(made):
    for viewer in made:
        if viewer.process.poll() is None:
            viewer.close()


@pytest.fixture(scope="module")
def keep_viewer(server, tmp_path_factory):
    """A viewer for all tests of a module."""
    made = []
    yield maker(server, tmp_path_factory, made)
    close(made)


@pytest.fixture
def make_viewer(server, tmp_path_factory):
    """A viewer for one test."""
    made = []
    yield maker(server, tmp_path_factory, made)
    close(made)


@pytest.fixture
def make_whole_viewer(server, tmp_path_factory):
    """A viewer for a test of the start itself: nothing is imported before it begins."""
    made = []
    yield maker(server, tmp_path_factory, made, Viewer)
    close(made)
