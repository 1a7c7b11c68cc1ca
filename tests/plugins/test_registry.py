"""The registry: members that a description must have, slots, configuration, files of plugins."""

import mujoco
import numpy as np
import pytest

import tumble
from tumble.engine import mjtPluginCapabilityBit as Can

SHIPPED = (
    "mujoco.pid",
    "mujoco.elasticity.cable",
    "mujoco.sensor.touch_grid",
    "mujoco.sdf.bolt",
    "mujoco.sdf.bowl",
    "mujoco.sdf.gear",
    "mujoco.sdf.nut",
    "mujoco.sdf.torus",
)


def nothing(*args):
    """A function that does nothing."""


@pytest.mark.parametrize("name", SHIPPED)
def test_shipped_plugins_are_registered_before_any_other(name):
    slot = tumble.mjp_registerPlugin(tumble.mjpPlugin("tests.late"))
    found, at = tumble.mjp_getPlugin(name)
    assert found.name == name and 0 <= at < len(SHIPPED) <= slot
    assert tumble.mjp_getPluginAtSlot(at) is found


def test_what_is_not_registered_is_not_found():
    assert tumble.mjp_getPlugin("tests.nobody") == (None, -1)
    assert tumble.mjp_getPluginAtSlot(-1) is None and tumble.mjp_getPluginAtSlot(tumble.mjp_pluginCount()) is None


def test_the_same_description_keeps_its_slot():
    def describe(attributes=("a", "b")):
        return tumble.mjpPlugin("tests.twice", attributes, Can.mjPLUGIN_PASSIVE, compute=nothing)

    slot, count = tumble.mjp_registerPlugin(describe()), tumble.mjp_pluginCount()
    assert tumble.mjp_registerPlugin(describe()) == slot and tumble.mjp_pluginCount() == count
    with pytest.raises(tumble.FatalError, match="'tests.twice' is already registered"):
        tumble.mjp_registerPlugin(describe(("a", "c")))


def test_a_registered_plugin_does_not_follow_its_description():
    p = tumble.mjpPlugin("tests.kept", ("a",), Can.mjPLUGIN_PASSIVE, compute=nothing)
    slot = tumble.mjp_registerPlugin(p)
    tumble.mjp_defaultPlugin(p)
    assert p.name == "" and p.nattribute == 0
    assert tumble.mjp_getPluginAtSlot(slot).name == "tests.kept"


@pytest.mark.parametrize(
    ("members", "message"),
    [
        (dict(name=""), "non-empty"),
        (dict(name="x" * 1024), "longer than 1023"),
        (dict(attributes=[f"a{k}" for k in range(256)]), "more than 255 attributes"),
        (dict(attributes="kp ki"), "not one text"),
        (dict(attributes=("", "a")), "an attribute is not a name"),
        (dict(capabilityflags=16), "unknown capability"),
        (dict(capabilityflags=Can.mjPLUGIN_ACTUATOR), "compute is missing"),
        (dict(capabilityflags=Can.mjPLUGIN_SENSOR, compute=nothing), "nsensordata is missing"),
        (dict(capabilityflags=Can.mjPLUGIN_SDF, sdf_distance=nothing), "sdf_gradient is missing"),
        (dict(init=3.5), "init is not a function"),
        (dict(compute="f"), "compute is not a function"),
    ],
)
def test_descriptions_that_make_no_sense(members, message):
    with pytest.raises(tumble.FatalError, match=message):
        tumble.mjp_registerPlugin(tumble.mjpPlugin(**{"name": "tests.senseless"} | members))
    assert tumble.mjp_getPlugin("tests.senseless") == (None, -1)


def test_only_members_of_the_struct_are_taken():
    with pytest.raises(TypeError, match="no member 'computes'"):
        tumble.mjpPlugin("tests.member", computes=nothing)
    with pytest.raises(TypeError, match="needs an mjpPlugin"):
        tumble.mjp_registerPlugin({"name": "tests.member"})


PID = """<mujoco><extension><plugin plugin="mujoco.pid"><instance name="p"><config key="kp" value=" 3 "/>
    <config key="imax" value=""/></instance></plugin></extension>
  <worldbody><body><joint name="j"/><geom size=".1"/></body></worldbody>
  <actuator><plugin plugin="mujoco.pid" joint="j" instance="p"/></actuator></mujoco>"""


def test_configuration_is_kept_as_text():
    m, ref = tumble.MjModel.from_xml_string(PID), mujoco.MjModel.from_xml_string(PID)
    assert m.npluginattr == ref.npluginattr and np.asarray(m.plugin_attr).tobytes() == np.asarray(ref.plugin_attr).tobytes()
    assert tumble.mj_getPluginConfig(m, 0, "kp") == " 3 " and tumble.mj_getPluginConfig(m, 0, "kd") == ""
    assert tumble.mj_getPluginConfig(m, 0, "nothing") is None and tumble.mj_getPluginConfig(m, 1, "kp") is None
    assert tumble.mj_getPluginConfig(m, -1, "kp") is None


# ---- files --------------------------------------------------------------------------------------------------------------
SOURCE = """import tumble
tumble.mjp_registerPlugin(tumble.mjpPlugin("tests.{name}", (), tumble.mjtPluginCapabilityBit.mjPLUGIN_PASSIVE, compute=print))
"""


def test_a_python_file_is_a_library(tmp_path):
    path = tmp_path / "first.py"
    path.write_text(SOURCE.format(name="from_file"))
    tumble.mj_loadPluginLibrary(str(path))
    assert tumble.mjp_getPlugin("tests.from_file")[0]
    count = tumble.mjp_pluginCount()
    tumble.mj_loadPluginLibrary(str(path))
    assert tumble.mjp_pluginCount() == count


def test_all_libraries_of_a_folder(tmp_path):
    for name in ("one", "two", "_hidden"):
        (tmp_path / f"{name}.py").write_text(SOURCE.format(name=name))
    (tmp_path / "libsensor.so").write_bytes(b"\x7fELF")
    (tmp_path / "notes.txt").write_text("not a library")
    tumble.mj_loadAllPluginLibraries(str(tmp_path))
    assert tumble.mjp_getPlugin("tests.one")[0] and tumble.mjp_getPlugin("tests.two")[0]
    assert tumble.mjp_getPlugin("tests._hidden") == (None, -1)


def test_files_that_cannot_be_loaded(tmp_path):
    with pytest.raises(tumble.FatalError, match="no such file"):
        tumble.mj_loadPluginLibrary(str(tmp_path / "missing.so"))
    with pytest.raises(tumble.FatalError, match="No such file"):
        tumble.mj_loadAllPluginLibraries(str(tmp_path / "missing"))
    other = tmp_path / "libother.so"
    other.write_bytes(b"\x7fELF")
    with pytest.raises(tumble.FatalError, match="write the plugin in Python"):
        tumble.mj_loadPluginLibrary(str(other))
    broken = tmp_path / "broken.py"
    broken.write_text("1 / 0")
    with pytest.raises(tumble.FatalError, match="broken.py.*division by zero"):
        tumble.mj_loadPluginLibrary(str(broken))


def test_the_folder_of_shipped_plugins_can_be_loaded():
    count = tumble.mjp_pluginCount()
    tumble.mj_loadAllPluginLibraries(tumble.PLUGINS_DIR)
    assert tumble.mjp_pluginCount() == count
