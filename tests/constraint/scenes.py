"""Small models that between them have every kind of constraint, and ways to bring the reference into interesting states."""

import mujoco
import numpy as np

LEGS = """
<mujoco>
  <option timestep="0.005" {option}/>
  <default><geom condim="{condim}" friction="0.7 0.02 0.003" {geom}/></default>
  <worldbody>
    <geom type="plane" size="5 5 1"/>
    <body name="torso" pos="0 0 0.32" euler="8 4 0">
      <freejoint/>
      <geom name="torso" type="box" size="0.2 0.1 0.05"/>
      <site name="mark" pos="0.1 0 0.05" euler="0 20 0"/>
      <body name="left" pos="0.15 0.1 -0.05">
        <joint name="hip" type="ball" range="0 25" limited="true" damping="0.3"/>
        <geom type="capsule" fromto="0 0 0 0 0.05 -0.2" size="0.03"/>
        <body name="shin" pos="0 0.05 -0.2">
          <joint name="knee" axis="0 1 0" range="-20 10" limited="true" margin="2" frictionloss="0.4" solreffriction="0.03\
 0.8"/>
          <geom type="sphere" size="0.05" condim="{condim}"/>
          <site name="foot"/>
        </body>
      </body>
      <body name="right" pos="-0.15 -0.1 -0.05">
        <joint name="slider" type="slide" axis="0 0 1" range="-0.01 0.01" limited="true" frictionloss="0.2"/>
        <joint name="turn" axis="1 0 0" stiffness="3"/>
        <geom type="capsule" fromto="0 0 0 0 -0.05 -0.2" size="0.03"/>
      </body>
    </body>
    <body name="crate" pos="0.6 0 0.12" euler="10 5 0">
      <freejoint/>
      <geom type="box" size="0.1 0.1 0.1" mass="2"/>
      <site name="corner" pos="0.1 0.1 0.1"/>
    </body>
    <body name="chain" pos="0.6 0 0.6">
      <joint name="swing" axis="0 1 0"/>
      <geom type="capsule" fromto="0 0 0 0.2 0 0" size="0.02" contype="0" conaffinity="0"/>
      <site name="tip" pos="0.2 0 0"/>
    </body>
    <body name="far" pos="3 0 2"><joint axis="1 0 0"/><geom size="0.05" pos="0 0 -0.2"/></body>
  </worldbody>
  <tendon>
    <fixed name="coupled" frictionloss="0.3" limited="true" range="-0.02 0.02">
      <joint joint="knee" coef="0.6"/><joint joint="slider" coef="2"/>
    </fixed>
    <fixed name="other"><joint joint="turn" coef="1"/><joint joint="swing" coef="-0.5"/></fixed>
  </tendon>
  <equality>{equality}</equality>
</mujoco>"""

EQUALITY = """
    <connect body1="chain" body2="crate" anchor="0.2 0 0"/>
    <connect site1="tip" site2="corner" solref="-200 -20"/>
    <weld body1="shin" body2="right" relpose="0.3 0.1 0 1 0.1 0 0" torquescale="0.7" solimp="0.8 0.95 0.05 0.4 3"/>
    <weld site1="mark" site2="corner" active="false"/>
    <joint joint1="turn" joint2="knee" polycoef="0.05 0.4 0.2 -0.1 0.3"/>
    <joint joint1="slider" polycoef="0.002 0 0 0 0" solimp="0.9 0.9 0.01"/>
    <tendon tendon1="coupled" tendon2="other" polycoef="0.01 0.5 0.1 0 0"/>
    <tendon tendon1="other" polycoef="0.03 0 0 0 0"/>"""

PILE = """
<mujoco>
  <option timestep="0.004" {option}/>
  <worldbody>
    <geom type="plane" size="5 5 1"/>
    <replicate count="5" offset="0.01 0.005 0.21"><body pos="0 0 0.11"><freejoint/>\
<geom type="box" size="0.1 0.1 0.1" condim="{condim}"/></body></replicate>
    <replicate count="4" offset="0.5 0 0"><body pos="-1 1 0.1"><freejoint/><geom size="0.1" condim="{condim}"/></body>\
</replicate>
  </worldbody>
</mujoco>"""


def legs(condim=3, option="", equality=EQUALITY, geom=""):
    return LEGS.format(condim=condim, option=option, equality=equality, geom=geom)


def pile(condim=3, option=""):
    return PILE.format(condim=condim, option=option)


def settle(xml, steps, seed=0):
    """(model, data) of the reference after some steps from a random velocity and a forward
    pass, its first guess left in place.
    """
    ref = mujoco.MjModel.from_xml_string(xml)
    data = mujoco.MjData(ref)
    data.qvel[:] = 0.3 * np.random.default_rng(seed).normal(size=ref.nv)
    for _ in range(steps):
        mujoco.mj_step(ref, data)
    forward(ref, data)
    return ref, data


def forward(ref, data, **options):
    """Forward pass with other options that leaves the first guess of the solver in place."""
    for name, value in options.items():
        setattr(ref.opt, name, value)
    warm = data.qacc_warmstart.copy()
    mujoco.mj_forward(ref, data)
    data.qacc_warmstart[:] = warm
