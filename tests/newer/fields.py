"""Fields that later releases added, or gave another shape or meaning, on models of our own: after compiling, a forward
evaluation and a step.
"""

import numpy as np

TREE = """<body name="a" pos="0 0 1"><joint name="i" stiffness="3 .4" damping=".1 .02" springref=".2"/>
  <geom name="rod" type="capsule" size=".05" fromto="0 0 0 .4 0 0"/><site name="p" pos=".1 0 .1"/><body name="b" pos=".4 0 0">
  <joint name="j" type="ball" damping=".05"/><geom type="box" size=".1 .05 .05" pos=".1 0 0"/><site name="q" pos=".2 0 .05"/>
  </body></body><body name="c" pos=".3 .5 .08"><freejoint/><geom type="mesh" mesh="hull" adhesion=".5"/><site name="r"/></body>
  <body pos="-.5 0 .6"><joint type="slide" axis="1 0 0" stiffness="5"/><geom size=".1"/><site name="k" pos="0 .2 0"/></body>
  <geom name="knob" size=".1" pos="-.5 .3 .8"/><site name="side" pos="-.5 .6 .8"/><site name="w" pos="-1 0 1"/>"""
SCENE = """<asset><mesh name="hull" vertex="-.1 -.1 -.1 .12 -.1 -.1 -.1 .15 -.1 .1 .13 -.12 -.08 -.1 .1 .1 -.1 .13 -.1 .1 .1
  .1 .12 .1"/></asset><worldbody><geom type="plane" size="3 3 1" surfacevel=".5 0 0 0 0 .2"/><light pos="0 0 3"/>"""
DRIVES = """<tendon><spatial name="s" stiffness="9 1" damping=".3" springlength=".1 .2" range="0 .6" frictionloss=".1"><site
  site="w"/><geom geom="knob" sidesite="side"/><site site="p"/></spatial><fixed name="f" stiffness="2"><joint joint="i"
  coef=".7"/></fixed></tendon><actuator><position joint="i" kp="20" kv="1"/><position tendon="s" kp="4"/><motor site="q"
  refsite="w" gear="1 0 0 0 0 0"/><muscle tendon="s" range=".7 1.2" force="20" lengthrange=".2 2"/><general joint="j"
  gear="0 1 0" biastype="affine" biasprm="0 -3 -.4"/><position cranksite="k" slidersite="w" cranklength="1.4" kp="3"/>
  </actuator><equality><tendon tendon1="f" polycoef="0 1"/></equality><sensor><e_potential/><subtreelinvel body="c"/>
  <accelerometer site="p"/></sensor>"""
OPTIONS = {
    "euler": '<option jacobian="dense"/>',
    "discrete": '<option integrator="discrete" jacobian="sparse" density="2" viscosity=".1"/>',
    "discrete_dense": '<option integrator="discrete" jacobian="dense" solver="CG"/>',
    "exact": '<option jacobian="sparse"><flag diagexact="enable" energy="enable"/></option>',
    "rows": '<option solver="PGS" integrator="implicitfast" jacobian="sparse"/>',
    "still": '<option><flag contact="disable" equality="disable" limit="disable" frictionloss="disable"/></option>',
}
MODELS = {name: f"<mujoco>{option}{SCENE}{TREE}</worldbody>{DRIVES}</mujoco>" for name, option in OPTIONS.items()}
# fields of 4.0.1 that 3.4 lacks, or that have another shape or meaning there
OF_MODEL = """nJten ten_J_rownnz ten_J_rowadr ten_J_colind jnt_stiffnesspoly dof_dampingpoly tendon_stiffnesspoly jnt_actuatorid
  tendon_actuatorid npolygonmax nmeshdegmax nactuator nout actuator_ctrladr actuator_ctrlnum actuator_outadr actuator_outnum
  geom_surfacevel geom_adhesion flg_adhesion flg_surfacevel mesh_extrema mesh_polynum light_softness site_dataid tendon_type
  geom_castshadow jnt_plasticadr nplastic nJmom nhistory npluginstate eq_data""".split()
OF_DATA = """ten_J nY efc_Y efc_diagA flg_energypos flg_energyvel flg_subtreevel flg_rnepost efm_active efm_c efm_diag efm_ck
  efm_sdiag efm_fluid efm_ts efm_tk efm_as efm_ak efm_ca nefmT nefmA nefmK nefmL xiquat geom_xquat site_xquat qfrc_adhesion
  dof_island tree_island tendon_efcadr moment_rownnz moment_rowadr moment_colind actuator_moment iacc ifrc_constraint iefc_force
  iefc_aref iefc_D""".split()
OF_CONTACTS = ("adhesion", "surfacevel", "dist", "pos")
# lists whose rest, beyond a count, means nothing
COUNTED = {"efm_tid": "nefmT", "efm_aid": "nefmA"}


def measured(mj, text):
    """{field: array} of a model of `text`."""
    m = mj.MjModel.from_xml_string(text)
    d, rng = mj.MjData(m), np.random.default_rng(5)
    d.qvel[:], d.ctrl[:] = rng.normal(size=m.nv) * 0.3, rng.uniform(0, 1, m.nu)
    found = {f"m.{name}": np.array(getattr(m, name)) for name in OF_MODEL}
    found["m.headlight"] = np.array(m.vis.headlight.active)
    mj.mj_forward(m, d)
    for name in OF_DATA:
        found[f"f.{name}"] = np.array(getattr(d, name))
    for name, count in COUNTED.items():
        found[f"f.{name}"] = np.array(getattr(d, name))[: int(getattr(d, count))]
    for name in OF_CONTACTS:
        found[f"c.{name}"] = np.array(getattr(d.contact, name))
    mj.mj_step(m, d)
    return found | {f"s.{name}": np.array(getattr(d, name)) for name in ("qpos", "qvel")}


def all_measured(mj):
    """{model/field: array} of all models."""
    return {f"{key}/{name}": x for key, text in MODELS.items() for name, x in measured(mj, text).items()}
