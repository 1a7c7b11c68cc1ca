"""Models from hostile binaries and pickles: any integer field of any element, out of range, is refused or harmless."""

import contextlib
import copy
import faulthandler
import os
import pickle
import signal
from types import SimpleNamespace

import mujoco
import numpy as np
import pytest

import tumble
from tests.api.models import RIG
from tests.oracle import to_engine_model
from tumble.engine.core.binary import BinaryError, model_size, read_model, write_model
from tumble.engine.tables import validate_bodies
from tumble.engine.tables.schema import SCHEMAS

SOLID = """
<mujoco>
  <option timestep=".002"><flag multiccd="enable" energy="enable"/></option>
  <size nuserdata="3" nkey="1"/>
  <asset>
    <texture name="t" type="cube" builtin="gradient" width="4" height="4"/><texture name="u" type="2d" builtin="flat" width="2"
      height="2"/>
    <material name="m" texture="u"/>
    <mesh name="tetra" vertex="0 0 0 .2 0 0 0 .2 0 0 0 .2" texcoord="0 0 1 0 0 1 1 1" face="0 2 1 0 1 3 0 3 2 1 2 3"/>
    <mesh name="cube" vertex="0 0 0 .2 0 0 0 .2 0 .2 .2 0 0 0 .2 .2 0 .2 0 .2 .2 .2 .2 .2"/>
    <hfield name="h" nrow="3" ncol="4" size="2 2 .1 .1" elevation="0 1 0 1 1 0 1 0 0 1 0 1"/>
    <skin name="s" material="m" vertex="0 0 0 1 0 0 0 1 0" face="0 1 2" texcoord="0 0 1 0 0 1">
      <bone body="b1" bindpos="0 0 0" bindquat="1 0 0 0" vertid="0 1 2" vertweight="1 1 1"/></skin>
  </asset>
  <custom><numeric name="n" data="1 2"/><text name="x" data="y"/><tuple name="p"><element objtype="geom" objname="ball"/>
    </tuple></custom>
  <extension><plugin plugin="mujoco.pid"><instance name="pid"><config key="kp" value="1"/></instance></plugin></extension>
  <worldbody>
    <geom name="floor" type="plane" size="3 3 .1"/><geom name="hills" type="hfield" hfield="h" pos="0 0 -.05"/>
    <light name="l" mode="targetbody" target="b1" pos="0 0 3"/><camera name="c" mode="targetbody" target="b1" pos="0 -2 1"/>
    <site name="w0" pos="0 0 1"/><site name="side" pos="0 .3 .5"/>
    <body name="b1" pos="0 0 .15"><freejoint/><geom name="box" type="box" size=".1 .1 .1"/>
      <geom name="mesh1" type="mesh" mesh="tetra" pos=".1 0 .1" material="m"/>
      <site name="s1" pos=".1 0 0"/>
      <body name="b2" pos="0 0 .3"><joint name="j" axis="0 1 0" range="-1 1" frictionloss=".1"/><geom name="ball" size=".08"/>
        <site name="s2" pos="0 0 .1"/>
        <body name="b3" pos="0 0 .2"><joint name="k" type="ball" range="0 1"/><geom name="cap" type="capsule" size=".03 .05"/>
          <site name="s3" pos="0 0 .1"/></body>
      </body>
    </body>
    <body name="b4" pos=".1 .1 .3"><joint name="x" type="slide" axis="0 0 1" range="-2 2"/><joint name="y" axis="1 0 0"/>
      <geom name="mesh2" type="mesh" mesh="cube"/></body>
    <body name="b5" pos="-.05 .1 .25"><freejoint/><geom name="mesh3" type="mesh" mesh="cube"/>
      <geom name="cyl" type="cylinder" size=".05 .05" pos=".2 0 0"/></body>
    <body name="mo" mocap="true" pos="1 1 1"><geom size=".02" contype="0" conaffinity="0"/></body>
  </worldbody>
  <contact><pair geom1="box" geom2="mesh2" condim="6"/><exclude body1="b1" body2="b3"/></contact>
  <equality><connect body1="b4" body2="b5" anchor="0 0 0" active="false"/><weld site1="s1" site2="side" active="false"/>
    <joint joint1="x" joint2="y"/><tendon tendon1="fix"/></equality>
  <tendon>
    <spatial name="path" limited="true" range="0 .2" frictionloss=".1"><site site="w0"/><geom geom="ball" sidesite="side"/>
      <site site="s2"/><pulley divisor="2"/><site site="s1"/><site site="s3"/></spatial>
    <fixed name="fix" springlength=".1" stiffness="2"><joint joint="x" coef="1"/><joint joint="y" coef="-1"/></fixed>
  </tendon>
  <actuator>
    <motor joint="j"/><motor jointinparent="k" gear="1 2 3"/><position tendon="path" kp="1"/>
      <general site="s3" refsite="s1" gear="1 0 0 0 1 0"/><general cranksite="s2" slidersite="w0" cranklength="1"/>
    <adhesion body="b1" ctrlrange="0 1"/><muscle joint="x" ctrlrange="0 1" lengthrange="0 1"/>
      <general joint="y" dyntype="integrator" actlimited="true" actrange="-1 1"/>
    <plugin joint="j" plugin="mujoco.pid" instance="pid"/>
  </actuator>
  <sensor>
    <touch site="s1"/><accelerometer site="s2"/><force site="s3"/><rangefinder site="s1"/><camprojection site="s1" camera="c"/>
      <jointpos joint="j"/><ballquat joint="k"/><jointlimitfrc joint="j"/>
    <tendonpos tendon="path"/><tendonlimitfrc tendon="path"/><actuatorfrc actuator="0"/><jointactuatorfrc joint="j"/>
      <tendonactuatorfrc tendon="path"/><framepos objtype="geom" objname="ball" reftype="camera" refname="c"/>
      <framelinvel objtype="xbody" objname="b3"/>
    <subtreeangmom body="b1"/><insidesite site="s1" objtype="geom" objname="ball"/>
      <distance geom1="box" body2="b4" cutoff="2"/><contact geom1="box" num="2" data="found force pos"/><e_kinetic/><clock/>
      <user dim="2"/>
  </sensor>
  <keyframe><key time="1"/></keyframe>
</mujoco>""".replace('actuator="0"', 'actuator="a0"').replace('<motor joint="j"/>', '<motor name="a0" joint="j"/>')
SOFT = """
<mujoco>
  <option><flag multiccd="enable"/></option>
  <worldbody>
    <geom type="plane" size="3 3 .1"/>
    <body name="cloth" pos="0 0 .06"><flexcomp type="grid" count="4 3 1" spacing=".1 .1 .1" dim="2" name="f2" radius=".02"
      mass="1"><edge equality="true"/><contact selfcollide="bvh" internal="true"/></flexcomp></body>
    <body name="rope" pos="0 1 .06"><flexcomp type="grid" count="5 1 1" spacing=".1 .1 .1" dim="1" name="f1" radius=".02"
      mass="1"><edge stiffness="10" damping="1"/><contact selfcollide="sap"/></flexcomp></body>
    <body name="jelly" pos="1 0 .15"><flexcomp type="grid" count="3 3 3" spacing=".1 .1 .1" dim="3" name="f3" radius=".01"
      mass="1"><elasticity young="100" poisson=".1" damping=".1"/><contact selfcollide="auto" internal="true"/></flexcomp>
      </body>
    <body name="cell" pos="0 -1 .15"><flexcomp type="grid" count="3 3 3" spacing=".1 .1 .1" dim="3" name="f4" radius=".01"
      mass="1" dof="trilinear"><contact selfcollide="none" internal="false"/><elasticity young="100" poisson=".1"/></flexcomp>
      </body>
    <body pos="0 0 .3"><freejoint/><geom type="box" size=".1 .1 .05"/></body><body pos="1 0 .5"><freejoint/><geom size=".1"/>
      </body>
    <body pos="0 1 .3"><freejoint/><geom type="capsule" size=".05 .1"/></body>
  </worldbody>
</mujoco>"""
FIELD = """
<mujoco>
  <option sdf_iterations="4" sdf_initpoints="4"/>
  <asset><mesh name="cube" vertex="0 0 0 .2 0 0 0 .2 0 .2 .2 0 0 0 .2 .2 0 .2 0 .2 .2 .2 .2 .2"/></asset>
  <worldbody><geom type="box" size=".3 .3 .1"/><body pos="0 0 .05"><freejoint/><geom type="sdf" mesh="cube"/></body></worldbody>
</mujoco>"""
MODELS = {"solid": SOLID, "soft": SOFT, "rig": RIG}
STEPS = 3
# time limit of a child that steps a model
SECONDS = 60
INTEGERS = [f.name for f in SCHEMAS["MjModel"].arrays if f.numpy.kind in "iu" and not f.text and f.name != "tex_data"]


@pytest.fixture(scope="module")
def models():
    """[(our model, the reference's of the same text)]."""
    return [both(text) for text in MODELS.values()]


def both(text):
    m = tumble.MjModel.from_xml_string(text)
    # everything that its steps need is compiled before processes are forked
    work(m, tumble.MjData(m))
    return m, mujoco.MjModel.from_xml_string(text)


def work(m, d):
    tumble.mj_step(m, d, STEPS)
    tumble.mj_inverse(m, d)
    tumble.mj_rnePostConstraint(m, d)
    tumble.mj_resetData(m, d)
    tumble.mj_setConst(m, d)
    tumble.mj_ray(m, d, np.array([0, 0, 2.0]), np.array([0, 0, -1.0]), None, 1, -1, np.zeros(1, np.int32))
    for kind in range(1, 26):
        for k in range(3):
            tumble.mj_id2name(m, kind, k)


def binary(m):
    out = np.empty(model_size(m), np.uint8)
    write_model(m, out)
    return out.tobytes()


def survives(*tasks):
    """Whether a process that does some tasks in turn ends well; Python errors are allowed."""
    child = os.fork()
    if not child:
        try:
            faulthandler.disable()
            null = os.open(os.devnull, os.O_WRONLY)
            os.dup2(null, 1)
            os.dup2(null, 2)
            for task in tasks:
                signal.alarm(SECONDS)
                with contextlib.suppress(Exception):
                    task()
        finally:
            # even while handling an error, only a signal counts as a bad end
            os._exit(0)
    return os.waitpid(child, 0)[1] == 0


def deadly(tasks):
    """Names of the tasks that end their process. All run in one process first, because starting one costs more than
    most tasks.
    """
    return [] if survives(*tasks.values()) else [name for name, task in tasks.items() if not survives(task)]


def strange(x):
    """Values that hardly any integer field has."""
    return [255, 7] if x.dtype == np.uint8 else [2**31 - 1, -(2**31), -2, -1, x.size, int(x.max()) + 1]


def some_rows(x):
    """Return the indices of the first and the last number of a field. Testing all would take too many loads and processes."""
    return sorted({0, x.size - 1}) if x.size else []


def judged(ours, theirs, name):
    """Changes of a field that our loader accepts: (those that end a process that uses the model, those that the
    reference refuses).
    """
    flat, other = ours.array(name).reshape(-1), getattr(theirs, name, np.zeros(0)).reshape(-1)
    accepted, refused_there = {}, []
    for row in some_rows(flat):
        kept, values = flat[row], strange(flat)
        values = [value for value in values if np.array(value).astype(flat.dtype) != kept]
        for value in values:
            flat[row] = changed = np.array(value).astype(flat.dtype)
            if (again := accepted_model(ours, whole=value == values[0])) is not None:
                accepted[name, row, value] = lambda again=again: work(again, tumble.MjData(again))
                if other.size and refused_by_the_reference(theirs, other, row, changed):
                    refused_there.append((name, row, value))
            flat[row] = kept
    return deadly(accepted), refused_there


def accepted_model(m, whole):
    """The model that our loader makes of a model's binary; None if the loader refuses it. Unless `whole`, only the loader's
    rules are applied, and a copy of the model is returned: reading a file takes five times as long.
    """
    try:
        tumble.validate(m)
    except tumble.InvalidModel:
        if whole:
            with pytest.raises(BinaryError):
                read_model(binary(m))
        return None
    return read_model(binary(m)) if whole else copy.copy(m)


def refused_by_the_reference(m, flat, row, value):
    """Whether the reference's loader refuses the reference's own binary after a number was changed."""
    kept, flat[row] = flat[row], value
    buffer = np.empty(mujoco.mj_sizeModel(m), np.uint8)
    mujoco.mj_saveModel(m, None, buffer)
    flat[row] = kept
    try:
        mujoco.MjModel.from_binary_path("m.mjb", {"m.mjb": buffer.tobytes()})
    except ValueError:
        return True
    return False


@pytest.mark.skipif(not hasattr(os, "fork"), reason="steps in processes of their own")
@pytest.mark.parametrize("name", INTEGERS)
def test_every_field_out_of_range(models, name):
    """In the first model that has the field, accepted changes do no harm, and the reference accepts them, too."""
    having = [model for model in models if model[0].array(name).size]
    if not having:
        pytest.skip("an octree, or what no model has")
    assert judged(*having[0], name) == ([], [])


@pytest.mark.skipif(not hasattr(os, "fork"), reason="steps in processes of their own")
@pytest.mark.parametrize("name", ["oct_depth", "oct_child", "mesh_octadr", "mesh_octnum"])
def test_octrees_out_of_range(name):
    """Changed octree fields are refused or harmless. Octrees are large, so only these fields are changed."""
    assert judged(*both(FIELD), name) == ([], [])


def test_the_reference_has_all_fields_but_ours():
    theirs = mujoco.MjModel.from_xml_string(SOLID)
    assert all(SCHEMAS["MjModel"].fields[name].ours for name in INTEGERS if not hasattr(theirs, name))


def test_every_integer_field_has_a_rule():
    for name in INTEGERS:
        assert SCHEMAS["MjModel"].fields[name].values, name


REFUSED = """geom_type flex_dim flex_interp flex_vertnum flex_edgeadr flex_edgenum flex_elemadr flex_elemnum flex_vertbodyid\
 flex_bvhadr flex_bvhnum
jnt_type body_parentid dof_parentid dof_Madr M_rownnz M_colind geom_dataid wrap_objid wrap_type actuator_trnid eq_obj1id\
 sensor_objid sensor_type
mesh_graph mesh_face bvh_child bvh_nodeid tree_dofnum sensor_adr skin_bonevertid
tendon_adr hfield_nrow tex_width site_bodyid""".split()


@pytest.mark.parametrize("name", REFUSED)
def test_fields_that_ended_the_process_are_refused(name):
    """Binaries, pickles, Models filled by hand and `validate` refuse such a field. The message names it, or the field that
    it contradicts.
    """
    refused = 0
    for text in MODELS.values():
        m = tumble.MjModel.from_xml_string(text)
        x = m.array(name)
        if not x.size:
            continue
        refused += 1
        # the last of these has no object
        x.reshape(-1)[0 if name in ("actuator_trnid", "sensor_objid") else -1] = 2**31 - 1
        for error, call in (
            (BinaryError, lambda m: read_model(binary(m))),
            (tumble.InvalidModel, lambda m: pickle.loads(pickle.dumps(m))),
            (tumble.InvalidModel, tumble.validate),
        ):
            with pytest.raises(error, match=name.split("_")[0]):
                call(m)
        by_hand = tumble.MjModel(**m.sizes())
        for f in m.schema.arrays:
            by_hand.array(f.name)[...] = m.array(f.name)
        with pytest.raises(tumble.InvalidModel, match=name.split("_")[0]):
            tumble.MjData(by_hand)
    assert refused


# paths may contain joints with several coordinates, of which the first is used
BALL_PATH = """<mujoco><worldbody><body><joint name="ball" type="ball"/><geom size=".1"/></body>
  <body pos="1 0 0"><freejoint name="free"/><geom size=".1"/></body></worldbody>
  <tendon><fixed stiffness="10" springlength=".1"><joint joint="ball" coef=".5"/><joint joint="free" coef="2"/></fixed></tendon>
</mujoco>"""


@pytest.mark.parametrize("text", [*MODELS.values(), BALL_PATH], ids=[*MODELS, "ball"])
def test_sound_models_are_trusted(text):
    """Validation accepts sound models that either package compiled."""
    tumble.validate(tumble.MjModel.from_xml_string(text))
    tumble.validate(to_engine_model(mujoco.MjModel.from_xml_string(text)))


@pytest.mark.parametrize("sizes", [{"nbody": "1"}, {"nbody": 1.5}, {"nq": -1}, {"nq": None}, {"nbody": 2**63}])
def test_sizes_of_wrong_kinds(sizes):
    with pytest.raises(TypeError):
        tumble.MjModel(**sizes)


@pytest.mark.parametrize("sizes", [{"nM": 2**61}, {"nB": 2**40}, {"nbvhstatic": 5}, {"nJmom": 7}, {"nmocap": 3}, {"nbody": 0}])
def test_sizes_that_do_not_fit_together(sizes):
    with pytest.raises((tumble.InvalidModel, MemoryError)):
        tumble.MjData(tumble.MjModel(**{"nbody": 1, **sizes}))


def test_robots_with_fused_bodies_are_trusted():
    """In their trees of boxes, nodes with children also name a geom, as in MuJoCo."""
    ball = '<link name="l{0}"><collision><origin xyz="{0} {1} 0"/><geometry><sphere radius=".1"/></geometry></collision></link>'
    fixed = '<joint name="j{0}" type="fixed"><parent link="l0"/><child link="l{0}"/></joint>'
    parts = "".join(ball.format(k, k * k % 3) + (fixed.format(k) if k else "") for k in range(5))
    m = tumble.MjModel.from_xml_string(f'<robot name="r">{parts}</robot>')
    assert m.nbody == 1 and (m.bvh_nodeid[(m.bvh_child > 0).all(1)] >= 0).any()
    assert np.array_equal(pickle.loads(pickle.dumps(m)).bvh_nodeid, m.bvh_nodeid)


def test_dofs_are_numbered_branch_by_branch():
    """Rows of a branch share scratch memory, whose size is nD."""
    for parents, sound in (([-1, 0, 1, 0, -1, 4], True), ([-1, 0, 0, 1], False), ([-1, -1, 0], False), ([], True)):
        m = SimpleNamespace(dof_parentid=np.array(parents, np.int32), nv=len(parents), nD=0)
        with contextlib.nullcontext() if sound else pytest.raises(tumble.InvalidModel, match="not on the branch"):
            validate_bodies.dof_parentid(m)
    m = SimpleNamespace(dof_parentid=np.array([-1, 0, 0], np.int32), nv=3, nD=7)
    validate_bodies.nD(m)
    m.nD = 6
    with pytest.raises(tumble.InvalidModel, match="nD is 6, which should be 7"):
        validate_bodies.nD(m)


@pytest.mark.parametrize(
    ("count", "first", "tree", "fault"),
    [
        ([2, 1], [0, 2], [0, 0, 1], ""),
        ([], [], [], ""),
        ([3, 0], [0, 3], [0, 0, 0], "tree_dofnum"),
        ([1, 1], [0, 1], [0, 1, 1], "tree_dofnum"),
        ([2, 1], [0, 1], [0, 0, 1], "tree_dofadr"),
        ([2, 1], [0, 2], [0, 1, 0], "dof_treeid"),
    ],
)
def test_dofs_of_a_tree_are_contiguous(count, first, tree, fault):
    """Islands copy the dofs of a tree in one piece."""
    m = SimpleNamespace(
        tree_dofnum=np.array(count, np.int32),
        tree_dofadr=np.array(first, np.int32),
        dof_treeid=np.array(tree, np.int32),
        ntree=len(count),
        nv=len(tree),
    )
    with pytest.raises(tumble.InvalidModel, match=fault) if fault else contextlib.nullcontext():
        validate_bodies.tree_dofnum(m)


def test_rows_of_the_inertia_follow_each_other():
    m = tumble.MjModel.from_xml_string(SOLID)
    m.M_rowadr[1] += 1
    with pytest.raises(tumble.InvalidModel, match="M_rowadr"):
        tumble.validate(m)
