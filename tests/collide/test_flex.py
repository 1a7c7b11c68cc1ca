"""Flexes of every dimension against geoms, each other and themselves."""

import pytest

from tests.oracle import load_pair

from .test_order import settle

GROUND = """<geom type="plane" size="3 3 .1"/><geom type="sphere" size=".15" pos="0 0 .15"/>\
<geom type="box" size=".1 .1 .1" pos=".3 0 .1"/>
  <geom type="capsule" size=".05 .2" pos="-.3 0 .1" euler="90 0 0"/><geom type="ellipsoid" size=".1 .2 .1" pos="0 .35 .1"/>
  <geom type="hfield" hfield="hill" pos="0 -.5 0"/>"""
SPRINGS = '<edge stiffness="5" damping=".5"/>'
ELASTIC = '<elasticity young="2e3" poisson=".2" damping=".01" thickness=".02"/>'
COUNT = {1: "24 1 1", 2: "8 8 1", 3: "4 4 3"}


def flex_scene(dim, mode, flags="", internal="false"):
    def flex(name, x, z, turn):
        return f"""<flexcomp name="{name}" type="grid" dim="{dim}" count="{COUNT[dim]}" spacing=".09 .09 .09" pos="{x} 0 {z}"\
 radius=".02"
          mass="1" euler="{turn} {turn} 0"><contact selfcollide="{mode}" internal="{internal}" margin=".004" gap=".001"\
 condim="3"/>
          {SPRINGS if dim == 1 else ELASTIC}</flexcomp>"""

    return f"""<mujoco><size memory="50M"/><option timestep=".002" solver="CG" iterations="15" tolerance="1e-6">\
<flag {flags}/></option>
      <asset><hfield name="hill" nrow="4" ncol="4" size=".3 .3 .2 .1" elevation="0 1 0 .5  .3 .2 .8 0  0 1 .4 .2  .1 .3 .6\
 .9"/></asset>
      <worldbody>{GROUND}{flex("a", 0, 0.5, 0)}{flex("b", 0.05, 0.75, 20)}</worldbody></mujoco>"""


@pytest.mark.parametrize(
    ("dim", "mode", "flags", "internal"),
    [
        (1, "none", "", "false"),
        (1, "sap", "", "true"),
        (2, "auto", "", "true"),
        (2, "bvh", "midphase='disable'", "false"),
        (2, "narrow", "nativeccd='disable'", "false"),
        (3, "auto", "", "true"),
        (3, "sap", "", "false"),
    ],
)
def test_falling_flexes(dim, mode, flags, internal):
    assert settle(*load_pair(flex_scene(dim, mode, flags, internal)), steps=240, every=30) > 30
