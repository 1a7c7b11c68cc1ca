"""Loading leaves no garbage: the source of a model is freed with its last reference, unless it was accessed."""

import gc
from pathlib import Path

import pytest

import tumble
from tumble.engine.description import load

MODELS = sorted(map(str, (Path(__file__).resolve().parents[2] / "assets/models").glob("*.xml")))
# structs inside structs (visual options), and a default class that a macro makes for itself
LEFT = 40
NESTED = """<mujoco>
  <default><default class="a"><geom size=".1"/><default class="b"><joint damping="1"/></default></default></default>
  <worldbody>
    <replicate count="20" offset="1 0 0">
      <body><frame pos="0 0 1"><geom class="a"/></frame><joint class="b" name="j"/><site name="s"/></body>
    </replicate>
  </worldbody>
  <tendon><spatial><site site="s00"/><site site="s01"/></spatial><fixed><joint joint="j00" coef="1"/></fixed></tendon>
  <actuator><position joint="j00"/><motor joint="j01"/></actuator>
  <keyframe><key name="k"/></keyframe>
</mujoco>"""


def garbage_of(load_once):
    """Count the objects that a second load leaves to the collector."""
    load_once()
    gc.collect()
    gc.disable()
    try:
        load_once()
        return gc.collect()
    finally:
        gc.enable()


@pytest.mark.parametrize("path", MODELS, ids=lambda p: p.rsplit("/", 1)[-1])
def test_loads_leave_nothing_to_the_collector(path):
    assert garbage_of(lambda: tumble.MjModel.from_xml_path(path)) <= LEFT


def test_macros_classes_and_tendons_leave_nothing():
    assert garbage_of(lambda: tumble.MjModel.from_xml_string(NESTED)) <= LEFT


def test_what_was_looked_at_lives_on():
    m = tumble.MjModel.from_xml_path(MODELS[0])
    spec = load.origin_of(m)
    text = tumble.mj_saveXMLString(spec)
    del m
    # load another model, so that the first one is no longer the last loaded one
    tumble.MjModel.from_xml_string("<mujoco/>")
    gc.collect()
    assert tumble.mj_saveXMLString(spec) == text


def test_copies_of_a_model_hold_its_spec(tmp_path):
    m = tumble.MjModel.from_xml_path(MODELS[0])
    tumble.mj_saveLastXML(str(tmp_path / "first.xml"), m)
    fresh = tumble.MjModel.from_xml_path(MODELS[0])
    copied = fresh.__copy__()
    del fresh
    tumble.MjModel.from_xml_string("<mujoco/>")
    tumble.mj_saveLastXML(str(tmp_path / "second.xml"), copied)
    assert (tmp_path / "first.xml").read_bytes() == (tmp_path / "second.xml").read_bytes()


def test_specs_of_scripts_stay_whole():
    spec = tumble.MjSpec.from_file(MODELS[0])
    count = len(spec.bodies)
    m = spec.compile()
    del m
    gc.collect()
    assert len(spec.bodies) == count and spec.compile().nbody == count
