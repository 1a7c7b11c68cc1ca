"""Contacts and constraints between immobile objects belong to no tree: they are left out with either Jacobian."""

import mujoco
import numpy as np
import pytest

import tumble
from tests.oracle import load_pair
from tests.tolerance import ITER, close

FLEX = (
    '<body name="p{z}" pos="0 0 {z}"><flexcomp type="grid" count="3 3 1" spacing=".5 .5 .5" dim="2" name="f{z}" {how} '
    'radius=".05">{inner}</flexcomp></body>'
)
RIGID = FLEX.format(z=0, how='rigid="true"', inner="")
FALL = '<body pos="0 0 5"><freejoint/><geom size=".1"/></body><body pos="0 0 6"><freejoint/><geom size=".1"/></body>'
TOUCH = FALL.replace("0 0 5", "0 0 .05").replace("0 0 6", "0 0 .15")
BOX = '<body><geom name="{}" type="box" size="1 1 .02"/></body>'
STILL = '<body name="x"><geom size=".1"/></body><body name="y"><geom size=".1"/></body>'
TENDON = """<tendon><spatial name="t" limited="true" range="0 .5" frictionloss="1" springlength=".1" stiffness="3" damping="1"\
 armature="1"><site site="s"/><site
site="e"/></spatial></tendon><equality><tendon tendon1="t"/></equality><actuator><motor tendon="t"/>\
<adhesion body="x" ctrlrange="0 1"/></actuator>"""
SCENES = {
    "box and rigid flex": (BOX.format("a") + RIGID + FALL, ""),
    "box, rigid flex and what touches them": (BOX.format("a") + RIGID + TOUCH, ""),
    "two rigid flexes": (RIGID + FLEX.format(z=0.01, how='rigid="true"', inner="") + FALL, ""),
    "plane and rigid flex": ('<geom type="plane" size="1 1 1"/>' + RIGID + FALL, ""),
    "mocap and rigid flex": ('<body mocap="true"><geom type="box" size="1 1 .02"/></body>' + RIGID + FALL, ""),
    "listed pair": (BOX.format("a") + BOX.format("b") + TOUCH, '<contact><pair geom1="a" geom2="b"/></contact>'),
    "one vertex moves": (BOX.format("a") + FLEX.format(z=0.01, how="", inner='<pin id="0 1 2 3 4 5 6 7"/>') + FALL, ""),
    "all vertices pinned": (BOX.format("a") + FLEX.format(z=0.01, how="", inner='<pin id="0 1 2 3 4 5 6 7 8"/>') + FALL, ""),
    "nothing moves": (BOX.format("a") + RIGID, ""),
    "edges of a rigid flex": (FLEX.format(z=0, how='rigid="true"', inner='<edge equality="true"/>') + FALL, ""),
    "connect": (STILL + FALL, '<equality><connect body1="x" body2="y" anchor="0 0 .1"/></equality>'),
    "weld": (STILL + FALL, '<equality><weld body1="x" body2="y"/></equality>'),
    "tendon": (STILL + FALL + '<site name="s"/><site name="e" pos="1 0 0"/>', TENDON),
}
OPTIONS = ["", 'cone="elliptic"', 'solver="PGS"', 'solver="CG" noslip_iterations="3"']
STEPS = 5


def text(name, option):
    inside, after = SCENES[name]
    return f"<mujoco><option {option}/><worldbody>{inside}</worldbody>{after}</mujoco>"


@pytest.mark.parametrize("option", OPTIONS)
@pytest.mark.parametrize("name", SCENES)
def test_left_out_as_in_the_reference(name, option):
    """Either Jacobian leaves them out, as the reference's sparse one does; its dense one stops with an error."""
    ref, data, sparse, first = load_pair(text(name, option + ' jacobian="sparse"'))
    dense = tumble.MjModel.from_xml_string(text(name, option + ' jacobian="dense"'))
    second = tumble.MjData(dense)
    for k in range(STEPS):
        mujoco.mj_step(ref, data)
        for m, d in ((sparse, first), (dense, second)):
            tumble.mj_step(m, d)
            assert d.ncon == data.ncon and d.nefc == data.nefc, f"step {k}"
            close(d.qvel, data.qvel, ITER, "velocities")
            assert (d.contact.exclude == data.contact.exclude).all()
    tumble.mj_inverse(dense, second)
    tumble.mj_forward(dense, second)


def test_without_islands_the_rows_are_there_as_in_the_reference():
    ref, data, m, d = load_pair(
        text("listed pair", 'jacobian="dense"').replace("/><worldbody>", '><flag island="disable"/></option><worldbody>')
    )
    mujoco.mj_step(ref, data, STEPS)
    tumble.mj_step(m, d, STEPS)
    assert d.nefc == data.nefc > 0
    close(d.qvel, data.qvel, ITER, "velocities")


ACROSS = """
<mujoco>
  <option jacobian="dense"/>
  <worldbody>
    <geom type="plane" size="1 1 1" condim="1" priority="1"/>
    <body name="a"><joint type="slide" axis="1 0 0"/><geom size=".01" contype="0" conaffinity="0"/></body>
    <body name="b" pos="1 0 0"><joint type="slide" axis="1 0 0"/><geom size=".01" contype="0" conaffinity="0"/></body>
    <body name="c" pos="0 1 0"><joint type="slide" axis="{axis}"/><geom size=".01" contype="0" conaffinity="0"/></body>
  </worldbody>
  <deformable><flex dim="2" body="a b c" vertex="0 0 0  0 0 0  0 0 0" element="0 1 2" radius=".05"/></deformable>
</mujoco>"""


@pytest.mark.parametrize("axis", ["1 0 0", "0 0 1"])
def test_rows_that_move_nothing_stop_no_step(axis):
    """Vertices that slide along the floor have rows of zeros, and steps continue. The reference stops with an error."""
    m = tumble.MjModel.from_xml_string(ACROSS.format(axis=axis))
    d = tumble.MjData(m)
    tumble.mj_step(m, d, STEPS)
    assert d.ncon == d.nefc == 3 and np.isfinite(d.qvel).all() and d.nisland == 0
    assert (d.qvel[2] > 0) == (axis == "0 0 1")
