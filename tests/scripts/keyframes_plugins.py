"""Keyframes, a passive force as the script's own plugin, and model files given in memory."""

import pathlib

import numpy as np

import tumble as mujoco

MODEL = pathlib.Path(__file__).with_name("model.xml")
XML = """
<mujoco>
  <extension>
    <plugin plugin="scripts.drag"><instance name="drag"><config key="c" value="2"/></instance></plugin>
  </extension>
  <asset><mesh name="tetra" file="tetra.obj"/></asset>
  <worldbody>
    <body><joint type="slide"/><geom type="mesh" mesh="tetra"/><plugin instance="drag"/></body>
  </worldbody>
</mujoco>
"""
TETRA = b"v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\n"


def drag(m: mujoco.MjModel, d: mujoco.MjData, instance: int, capability: int) -> None:
    d.qfrc_passive[:] -= float(mujoco.mj_getPluginConfig(m, instance, "c") or 1) * d.qvel


def main() -> None:
    model = mujoco.MjModel.from_xml_path(str(MODEL))
    data = mujoco.MjData(model)
    mujoco.mj_resetDataKeyframe(model, data, model.key("tilted").id)
    assert data.qpos[1] == 0.3 and data.ctrl[0] == 0.5
    mujoco.mj_setKeyframe(model, data, 0)
    slot = mujoco.mjp_registerPlugin(
        mujoco.mjpPlugin("scripts.drag", ("c",), mujoco.mjtPluginCapabilityBit.mjPLUGIN_PASSIVE, compute=drag)
    )
    dragged = mujoco.MjModel.from_xml_string(XML, {"tetra.obj": TETRA})
    slow = mujoco.MjData(dragged)
    slow.qvel[0] = 1
    mujoco.mj_forward(dragged, slow)
    found, at = mujoco.mjp_getPlugin("scripts.drag")
    print(slot == at, found is not None and found.name, slow.qfrc_passive, np.isclose(slow.qfrc_passive[0], -2))


if __name__ == "__main__":
    main()
