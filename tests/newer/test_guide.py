"""The guide to tuning models: its first model is sound, and its statements about the health report are true."""

import pathlib
import re

import pytest

import tumble
from tumble.ui import health

PAGE = pathlib.Path(__file__).resolve().parents[2] / "assets/manual/tuning.md"
[START] = re.findall(r"```xml\n(.*?)```", PAGE.read_text(), re.S)


def findings(text):
    return {(f.level, f.kind, f.text) for f in health.check(tumble.MjModel.from_xml_string(text))}


def test_the_model_to_begin_with_is_sound():
    assert not findings(START)
    m = tumble.MjModel.from_xml_string(START)
    d = tumble.MjData(m)
    d.ctrl[0] = -0.5
    tumble.mj_step(m, d, 2000)
    assert abs(d.qpos[0] + 0.5) < 0.1 and abs(d.body("ball").xpos[2] - 0.1) < 0.002 and not any(w.number for w in d.warning)


@pytest.mark.parametrize(
    ("old", "new", "word"),
    [
        ('pos="1 0 .1"', 'pos="1 0 .02"', "overlap"),
        ('forcerange="-10 10"', 'forcerange="-.1 .1"', "gravity needs"),
        ('<joint armature=".01" damping=".1"/>', '<joint stiffness="1e7"/>', "step"),
        ('size=".03"/>', 'size=".03" mass="50000"/>', "kg/m^3"),
    ],
)
def test_each_fault_is_found(old, new, word):
    """Each finding in the guide's table is reported for a model that has the problem."""
    assert old in START and any(word in text for _, _, text in findings(START.replace(old, new))), findings(
        START.replace(old, new)
    )


def test_every_check_has_its_advice():
    """The guide has a row for each type of finding."""
    rows = re.findall(r"^\| ([^|]+) \| [^|]+ \|$", PAGE.read_text().split("## Where")[0], re.M)
    words = " ".join(rows[1:])
    for check, word in (
        ("penetrations", "overlap"),
        ("masses", "masses"),
        ("inertias", "inertias"),
        ("densities", "densities"),
        ("light_links", "almost no inertia"),
        ("limits", "range"),
        ("hulls", "convex hull"),
        ("motors", "motors"),
        ("time_step", "time step"),
        ("no_contact", "cannot collide"),
    ):
        assert callable(getattr(health, check)) and word in words, check
