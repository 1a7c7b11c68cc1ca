# %% [markdown]
# # A plugin: wind
#
# Plugins add forces, actuators, sensors and distance fields. A plugin consists of a name, settings, and a function that
# `mj_step` calls. This plugin adds wind: in gusts, it pushes every body with a force that grows with the size of the body.

# %%
import numpy as np

import tumble as mujoco

XML = """
<mujoco>
  <extension>
    <plugin plugin="example.wind">
      <instance name="breeze"><config key="strength" value="6"/><config key="period" value="2"/></instance>
    </plugin>
  </extension>
  <worldbody>
    <body name="mobile" pos="0 0 1">
      <plugin instance="breeze"/>
      <joint type="ball" damping="0.02"/>
      <geom type="capsule" size="0.005" fromto="0 0 0 0 0 -0.5" mass="0.02"/>
      <geom type="sphere" size="0.05" pos="0 0 -0.5" mass="0.2"/>
    </body>
  </worldbody>
</mujoco>
"""


def blow(m, d, instance, capability):
    """Adds to `qfrc_passive`: called once in each step, after springs and dampers."""
    strength = float(mujoco.mj_getPluginConfig(m, instance, "strength") or 1)
    period = float(mujoco.mj_getPluginConfig(m, instance, "period") or 1)
    gust = max(0.0, np.sin(2 * np.pi * d.time / period))
    for body in range(1, m.nbody):
        force = np.array([strength * gust * m.geom_rbound[m.body_geomadr[body]] ** 2, 0, 0])
        mujoco.mj_applyFT(m, d, force, np.zeros(3), d.xipos[body], body, d.qfrc_passive)


# %% [markdown]
# Register the plugin before you compile a model that uses it.

# %%
passive = mujoco.mjtPluginCapabilityBit.mjPLUGIN_PASSIVE
mujoco.mjp_registerPlugin(mujoco.mjpPlugin("example.wind", ("strength", "period"), passive, compute=blow))

model = mujoco.MjModel.from_xml_string(XML)
data = mujoco.MjData(model)
swing = []
for _ in range(20):
    mujoco.mj_step(model, data, 100)
    swing.append(data.body("mobile").xipos[0])
    print(f"{data.time:.1f} s: {100 * swing[-1]:+.1f} cm")
assert max(swing) > 0.01
