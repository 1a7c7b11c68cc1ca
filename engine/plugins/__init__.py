"""The built-in plugins. Their names, attributes and results are those of MuJoCo's plugins.

    mujoco.pid                    pid          PID controller on an actuator's length
    mujoco.elasticity.cable       cable        torques that resist bending and twisting of a chain of bodies
    mujoco.sensor.touch_grid      touch_grid   contact forces on a grid of directions from a site
    mujoco.sdf.bolt, bowl, gear, nut, torus    sdf_shapes   signed distance fields

`calls` is the stage through which the pipeline reaches plugins of all kinds. `core.plugin` is the registry; its first
request imports this package. The order below is that of the slots. Users register their own plugins with
`mjp_registerPlugin`.
"""

from ..core.plugin import register
from . import cable, pid, sdf_shapes, touch_grid

SHIPPED = (pid.PLUGIN, cable.PLUGIN, touch_grid.PLUGIN, *sdf_shapes.PLUGINS)

for _plugin in SHIPPED:
    register(_plugin)

__all__ = ["SHIPPED"]
