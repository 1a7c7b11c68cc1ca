"""Scripts for `mujoco.batch` of mujoco 4.0.0, as users write them. They run with that module and with this package, and store
their results in `out`.

`python scripts.py FILE` in an environment with mujoco 4.0.0 records the results; `test_reference.py` compares.
"""

import importlib
import sys
from typing import Any

import numpy as np

CART = """
<mujoco>
  <option timestep=".004"/>
  <worldbody>
    <geom type="plane" size="2 2 .1"/>
    <body name="cart" pos="0 0 .3">
      <joint name="slide" type="slide" axis="1 0 0" damping=".1"/>
      <geom name="cart" type="box" size=".1 .1 .05" mass="1"/>
      <body name="pole" pos="0 0 .05">
        <joint name="hinge" axis="0 1 0" range="-60 60" limited="true"/>
        <geom name="pole" type="capsule" fromto="0 0 0 0 0 .5" size=".02" mass=".1"/>
        <site name="tip" pos="0 0 .5"/>
        <camera name="eye" pos="0 -1 0"/>
      </body>
    </body>
    <body name="hand" mocap="true" pos="1 0 1"><geom size=".02" contype="0" conaffinity="0"/></body>
  </worldbody>
  <equality><joint name="tie" joint1="slide" joint2="hinge" polycoef="0 .1 0 0 0" active="false"/></equality>
  <tendon><fixed name="rope"><joint joint="slide" coef="1"/><joint joint="hinge" coef=".5"/></fixed></tendon>
  <actuator>
    <motor name="push" joint="slide" gear="5"/>
    <general name="servo" joint="hinge" dyntype="filter" dynprm=".02" gainprm="5" biastype="affine" biasprm="0 -5 0"/>
  </actuator>
  <sensor><jointpos name="angle" joint="hinge"/><accelerometer name="acc" site="tip"/>
    <framelinvel name="v" objtype="site" objname="tip"/></sensor>
  <keyframe><key name="bent" qpos=".3 .5" ctrl=".1 .2" act=".2" time="1.5"/></keyframe>
</mujoco>"""
BALLS = """
<mujoco>
  <worldbody>
    <geom type="plane" size="5 5 .1"/>
    <geom type="box" size=".3 .3 .1" pos="0 0 .1"/>
    <body name="a" pos="0 0 .5"><freejoint/><geom size=".1" mass="1"/></body>
    <body name="b" pos=".05 0 .8"><freejoint/><geom type="capsule" size=".05 .1" mass=".5"/></body>
  </worldbody>
</mujoco>"""
MODELS = {"CART": CART, "BALLS": BALLS}

# name: (script, which has the names `mujoco`, `batch`, `np`, `m` (cart), `balls`, and `rng`)
SCRIPTS = {
    "loop": """
b = batch.Batch(m, nsim=16, nthread=2)
qpos, ctrl, xpos = b.bind('qpos'), b.bind('ctrl'), b.bind('xpos')
for _ in range(50):
  ctrl[:] = -np.stack([qpos[:, 0], xpos[:, 3, 0]], 1)
  b.step()
out = dict(qpos=qpos, xpos=xpos, state=b.bind('qvel'), time=b.time)""",
    "substeps": """
b = batch.Batch(m, 8)
b.ctrl = rng.uniform(-1, 1, (8, 2))
b.step(nstep=20)
out = dict(qpos=b.qpos, act=b.act, time=b.time)""",
    "mask": """
b = batch.Batch(m, 8, 3)
b.ctrl = 1
for k in range(5):
  b.step(np.arange(8) % 3 == k % 3, nstep=k + 1)
out = dict(qpos=b.qpos, time=b.time)""",
    "ids": """
b = batch.Batch(m, 8, 2)
b.ctrl = rng.normal(size=(8, 2))
b.step([1, 4, 7], nstep=3); b.step(np.array([0, 1], np.uint8)); b.step([])
out = dict(qpos=b.qpos, time=b.time)""",
    "keyframe": """
b = batch.Batch(m, 5, 2)
b.reset(keyframe=0); b.step(nstep=4); b.reset([0, 2], keyframe=[-1, 0])
out = dict(qpos=b.qpos, ctrl=b.ctrl, act=b.act, time=b.time)""",
    "reset_without_forward": """
b = batch.Batch(m, 4)
xpos = b.bind('xpos')
b.reset(stage=mujoco.mjtStage.mjSTAGE_NONE)
b.qpos = rng.uniform(-.2, .2, (4, 2)); b.forward()
out = dict(xpos=xpos, qacc=b.qacc_warmstart)""",
    "stages": """
b = batch.Batch(m, 4)
sensor, xpos = b.bind('sensordata'), b.bind('xpos')
b.ctrl = 1
b.step(nstep=5); first = sensor.copy()
b.step(stage=mujoco.mjtStage.mjSTAGE_VEL); second = sensor.copy()
b.step(stage=mujoco.mjtStage.mjSTAGE_POS); third = sensor.copy()
b.step(stage=mujoco.mjtStage.mjSTAGE_ACC)
out = dict(first=first, second=second, third=third, fourth=sensor, xpos=xpos)""",
    "forward_stages": """
b = batch.Batch(m, 3)
b.qpos = rng.uniform(-.3, .3, (3, 2)); b.qvel = 1
out = {}
for s in (1, 2, 3):
  v, a = b.bind('cvel'), b.bind('qfrc_bias')
  b.forward(stage=s); out.update({f'v{s}': v.copy(), f'a{s}': a.copy()})""",
    "masses": """
b = batch.Batch(m, 6, 2)
b.body('pole').mass = np.linspace(.05, .5, 6)[:, None]
b.set_const()
b.ctrl = .5
b.step(nstep=30)
out = dict(qpos=b.qpos, invweight=b.expanded('body_invweight0'), M0=b.expanded('dof_M0'),\
 subtree=b.expanded('body_subtreemass'))""",
    "options": """
b = batch.Batch(m, 4)
b.expand('opt.timestep')[:] = [.001, .002, .003, .004]
b.expand('opt.gravity')[:, 2] = [-1, -5, 0, -20]
b.expand('opt.integrator')[:] = [0, 1, 2, 3]
b.qpos[:, 1] = .1
b.step(nstep=40)
out = dict(qpos=b.qpos, qvel=b.qvel, time=b.time)""",
    "friction": """
b = batch.Batch(balls, 6, 2)
b.expand('geom_friction')[:, :, 0] = np.linspace(.1, 2, 6)[:, None]
b.qvel[:, 0] = 1
n = b.bind('ncon')
b.step(nstep=300)
out = dict(place=b.qpos.round(3), ncon=n * 0)""",
    "joint_view": """
b = batch.Batch(m, 4)
b.joint('hinge').qpos = np.linspace(0, .6, 4)[:, None]
b.joint('slide').qvel = .3
b.actuator('push').ctrl[:, 0] = [1, 2, 3, 4]
tip, angle = b.site('tip').xpos, b.sensor('angle').data
b.step(nstep=7)
out = dict(tip=tip, angle=angle, force=b.joint('hinge').qfrc_bias, damping=b.joint('slide').damping,\
 gear=b.actuator('push').gear)""",
    "other_views": """
b = batch.Batch(m, 3)
b.forward()
out = dict(cam=b.camera('eye').pos, mass=b.body('cart').mass, size=b.geom('pole').size, key=b.keyframe('bent').qpos,
           eq=b.equality('tie').solref, adr=b.joint('hinge').qposadr)
xpos = b.geom('pole').xpos; length = b.tendon('rope').length
b.step(); out.update(xpos=xpos, length=length)""",
    "mocap": """
b = batch.Batch(m, 4)
b.mocap_pos[:, 0, 0] = [1, 2, 3, 4]
b.body('hand').xpos
b.forward()
out = dict(xpos=b.xpos, mocap=b.mocap_pos, quat=b.mocap_quat)""",
    "equality": """
b = batch.Batch(m, 3)
b.eq_active[1] = 1
b.qpos[:, 1] = .2
b.step(nstep=60)
out = dict(qpos=b.qpos[[0, 2]], active=b.eq_active)""",
    "forces": """
b = batch.Batch(m, 4, 2)
b.qfrc_applied[:, 0] = [0, 1, 2, 3]
b.xfrc_applied[:, 3, 0] = .1
b.step(nstep=10)
out = dict(qpos=b.qpos, xfrc=b.xfrc_applied)""",
    "rollout": """
b = batch.Batch(m, 6, 2)
u = rng.uniform(-1, 1, (6, 25, 2))
r = b.rollout(25, u, record=('qpos', 'sensordata', 'ncon'))
out = dict(r, after=b.qpos)""",
    "rollout_spec": """
b = batch.Batch(m, 4)
spec = mujoco.mjtState.mjSTATE_CTRL | mujoco.mjtState.mjSTATE_QFRC_APPLIED
u = rng.uniform(-1, 1, (4, 12, mujoco.mj_stateSize(m, spec)))
r = b.rollout(12, u, control_spec=spec, record=['qvel', 'xpos'], ids=[0, 1, 2, 3])
out = dict(r)""",
    "rollout_shared": """
b = batch.Batch(m, 5, 2)
r = b.rollout(10, np.linspace(0, 1, 20).reshape(10, 2), record=('qpos', 'act'), ids=[1, 3])
kept = np.zeros((5, 4, 2)); b.rollout(4, record=('qpos',), out={'qpos': kept})
out = dict(r, kept=kept, time=b.time)""",
    "rollout_bad": """
b = batch.Batch(m, 3)
b.qvel[1] = 1e12
r = b.rollout(5, record=(mujoco.mjtState.mjSTATE_TIME, 'qpos'))
out = dict(time=r[mujoco.mjtState.mjSTATE_TIME], after=b.time, warned=(b.warning[:, :, 1].sum(1) > 0).astype(float))""",
    "bad_state": """
b = batch.Batch(m, 3)
b.qpos[1, 0] = np.nan
b.step(nstep=2)
out = dict(qpos=b.qpos, time=b.time, warned=b.warning[:, :, 1].sum(1))""",
    "errors": """
b = batch.Batch(m, 4, 2)
b.ctrl = 1
b.expand('opt.integrator')[2] = 77
try:
  b.step(nstep=3); ids = []
except batch.SimulationError as e:
  ids = e.ids
b.expand('opt.integrator')[2] = 0
status = b.status.copy()
b.step()
out = dict(ids=np.array(ids, float), status=status, time=b.time, qpos=b.qpos)""",
    "jacobian": """
b = batch.Batch(m, 5, 2)
b.qpos = rng.uniform(-.5, .5, (5, 2))
jacp, jacr = b.jac(3, [.1, .2, .3])
p, r = b.jac([2, 3], rng.normal(size=(2, 3)), ids=[0, 4])
out = dict(jacp=jacp, jacr=jacr, p=p, r=r)""",
    "rays": """
b = batch.Batch(m, 3, 2)
b.qpos[:, 0] = [0, .05, .5]
dist, geom = b.ray([[0, 0, 3], [.5, 0, 3], [0, .3, .3]], [[0, 0, -1], [0, 0, -2], [0, -1, 0]])
d2, g2 = b.ray([0, 0, 3], [0, 0, -1], bodyexclude=2, ids=[0, 2])
d3, g3, n3 = b.ray([0, 3, .3], [0, -1, 0], normal=True)
out = dict(dist=dist, geom=geom, d2=d2, g2=g2, d3=d3, g3=g3, n3=n3[:2])""",
    "models": """
def model(mass):
  m = mujoco.MjModel.from_xml_string(CART); m.body('pole').mass = mass; mujoco.mj_setConst(m, mujoco.MjData(m)); return m
b = batch.Batch(m, 3, 2)
b.set_models([model(x) for x in (.1, .2, .4)])
b.ctrl = 1; b.step(nstep=20)
first = b.qpos.copy(); mass = b.body('pole').mass.copy()
b.set_models(None); b.reset(); b.step()
out = dict(first=first, mass=mass, qpos=b.qpos)""",
    "get": """
b = batch.Batch(m, 3)
b.expand('body_mass')[:, 2] = [1, 2, 3]
b.set_const(); b.ctrl = .3; b.step(nstep=5)
mm, d = b.get_model(2), b.get_data(2)
mujoco.mj_forward(mm, d)
out = dict(mass=mm.body_mass, xpos=d.xpos, qpos=d.qpos, time=np.array(d.time))""",
    "persistent": """
b = batch.Batch(m, 4, 2, persistent=True)
b.ctrl = rng.uniform(-1, 1, (4, 2))
x = b.bind('xpos')
for _ in range(10):
  b.step(stage=mujoco.mjtStage.mjSTAGE_VEL)
d = b.get_data(3)
out = dict(x=x, qpos=b.qpos, dx=d.xpos, sensor=b.sensordata)""",
    "attributes": """
b = batch.Batch(m, 3)
b.ctrl = [[1, 2], [3, 4], [5, 6]]; b.qvel = .1; b.time = [0, 1, 2]
b.xipos
b.step()
out = dict(xipos=b.xipos, time=b.time, force=b.actuator_force * 0)""",
}


def run(name, mujoco, batch):
    """Return the results of a script, by name."""
    space = {
        "mujoco": mujoco,
        "batch": batch,
        "np": np,
        "rng": np.random.default_rng(7),
        **MODELS,
        "m": mujoco.MjModel.from_xml_string(CART),
        "balls": mujoco.MjModel.from_xml_string(BALLS),
    }
    exec(SCRIPTS[name], space)
    return {k: np.array(v, float) for k, v in space["out"].items()}


def main(path):
    import mujoco

    batch = importlib.import_module("mujoco.batch")
    found: dict[str, Any] = {f"{name}/{key}": x for name in SCRIPTS for key, x in run(name, mujoco, batch).items()}
    np.savez_compressed(path, **found)


if __name__ == "__main__":
    main(sys.argv[1])
