"""Requested items become visible: panels below the fold or behind others, a joint's slider, a watched field."""

import pytest

from tests.app.models import PENDULUM
from tests.app.test_viewer_keys import drawn

LINKS = (
    "".join(f'<body pos="0 0 .1"><joint name="link{i}"/><geom size=".02" pos="0 0 .1"/>' for i in range(40)) + "</body>" * 40
)
CHAIN = PENDULUM.replace("</worldbody>", f'<body pos="-1 0 1">{LINKS}</body></worldbody>')


@pytest.fixture(scope="module")
def viewer(keep_viewer):
    made = keep_viewer(CHAIN, window=[800, 560])
    made.started()
    made.key("space")
    made.until(lambda r: not r["running"])
    return made


def palette(viewer, text):
    """Choose the first result of the palette."""
    viewer.key("ctrl+k")
    viewer.until(lambda r: r["settings"]["palette"])
    drawn(viewer)
    viewer.write(text)
    drawn(viewer)
    viewer.key("enter")
    viewer.until(lambda r: not r["settings"]["palette"])


def inside(row, name):
    """Whether the revealed item is in the window, below the tab bar of its column."""
    x, y, w, h = row["shown"][name]
    return 30 < y and y + min(h, 20) < row["size"][1] - 20 and 0 <= x < row["size"][0]


def test_a_joint_leads_to_its_slider(viewer):
    palette(viewer, "link33")
    viewer.until(lambda r: "joint 35" in r["shown"] and inside(r, "joint 35"), what="the slider is not shown")
    # the slider is on the screen, and its flash disappears
    viewer.until(lambda r: not any(name.startswith("joint ") for name in r["shown"]), what="the flash stays")


def test_a_panel_below_the_fold_comes_up(viewer):
    palette(viewer, "state panel")
    viewer.until(lambda r: "state" in r["shown"] and inside(r, "state"))
    palette(viewer, "equality panel")
    viewer.until(lambda r: "equality" in r["shown"] and inside(r, "equality"))


def test_a_watched_field_is_in_view(viewer):
    palette(viewer, "qfrc bias")
    viewer.until(lambda r: any(name.startswith("watch ") and inside(r, name) for name in r["shown"]))


def test_a_window_behind_others_comes_to_the_front(viewer):
    for name in ("console", "plot", "contacts"):
        palette(viewer, f"{name} panel")
        viewer.until(lambda r, name=name: name in r["shown"] and name in r["windows"])
    palette(viewer, "console panel")
    viewer.until(lambda r: "console" in r["shown"], what="the tab stays behind")


def test_a_closed_side_opens(viewer):
    viewer.key("shift+tab")
    viewer.until(lambda r: not r["settings"]["right"])
    palette(viewer, "link2")
    viewer.until(lambda r: r["settings"]["right"] and any(name.startswith("joint ") for name in r["shown"]))
