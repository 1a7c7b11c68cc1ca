"""Edits of specs, written once for any package with the reference's interface: name → function(package) → spec."""

CHILD = """<mujoco model="child"><compiler angle="radian"/><default><geom rgba="1 0 0 1"/><default class="thin">
    <geom size=".02" density="400"/>
  <joint damping=".3"/></default></default>
  <asset><mesh name="tet" vertex="0 0 0 1 0 0 0 1 0 0 0 1" scale=".1 .1 .1"/>
    <texture name="tex" type="2d" builtin="checker" width="4" height="4"/>
    <material name="mat" texture="tex"/></asset>
  <worldbody><geom name="loose" size=".1" pos="0 0 -1"/><body name="arm" pos="0 0 .5" euler="0 .3 0" childclass="thin">
    <joint name="swing" axis="0 1 0"/>
    <geom name="rod" type="capsule" fromto="0 0 0 .3 0 0"/><geom name="tip" type="mesh" mesh="tet" material="mat"/>
      <site name="end" pos=".3 0 0"/>
    <frame name="shift" pos="0 .1 0" euler="0 0 .5"><body name="hand" pos=".3 0 0"><joint name="wrist" type="ball"/>
      <geom name="palm" class="thin"/>
      <camera name="eye" pos="0 0 .1"/><light name="lamp" mode="targetbody" target="arm"/></body></frame></body>
    <body name="base" pos="1 0 0" mocap="true"><geom name="stand" size=".05" contype="0" conaffinity="0"/></body></worldbody>
  <contact><pair geom1="rod" geom2="loose"/><exclude body1="arm" body2="hand"/></contact>
  <tendon><fixed name="pull"><joint joint="swing" coef="2"/></fixed><spatial name="rope" width=".01"><site site="end"/>
    <site site="end2"/></spatial></tendon>
  <equality><connect name="hold" body1="hand" body2="base" anchor="0 0 0"/></equality>
  <actuator><motor name="push" joint="swing" gear="3"/><general name="slow" tendon="pull" dyntype="integrator"/></actuator>
  <sensor><jointpos name="angle" joint="swing"/><framepos name="where" objtype="site" objname="end" reftype="body"
    refname="base"/></sensor>
  <custom><numeric name="n" data="1 2"/><text name="t" data="x"/><tuple name="u">
    <element objtype="body" objname="hand" prm="1"/></tuple></custom>
  <keyframe><key name="home" time="1" qpos=".1 1 0 0 0" qvel=".1 .2 .3 .4" act=".7" ctrl="1 2" mpos="1 2 3" mquat="0 1 0 0"/>
    <key name="rest" qpos=".2 1 0 0 0"/>
  </keyframe></mujoco>""".replace('<site site="end2"/>', '<geom geom="palm"/><site site="far"/>').replace(
    '<camera name="eye"', '<site name="far" pos="0 0 .2"/><camera name="eye"'
)

PARENT = """<mujoco model="parent"><compiler angle="degree" eulerseq="zyx"/><default><geom rgba="0 1 0 1"/>
    <default class="thin"><geom size=".03"/></default></default>
  <worldbody><geom name="floor" type="plane" size="1 1 .1"/><body name="trunk" pos="0 0 1" euler="10 20 30">
    <freejoint name="free"/><geom name="box" type="box"
    size=".1 .2 .3"/><site name="mount" pos=".1 0 0" euler="30 0 60"/><frame name="slot" pos="0 .3 0" euler="0 90 0"/></body>
      </worldbody>
  <sensor><subtreecom name="com" body="trunk"/></sensor><keyframe><key name="up" qpos="0 0 2 1 0 0 0"/></keyframe></mujoco>"""

EDITS = {}


def edit(function):
    EDITS[function.__name__] = function
    return function


@edit
def scaled_to_a_total_mass(mj):
    spec = mj.MjSpec.from_string(PARENT)
    spec.compiler.settotalmass = 5
    spec.worldbody.add_frame().attach_body(mj.MjSpec.from_string(CHILD).body("arm"), "p", "")
    return spec


@edit
def built(mj):
    spec = mj.MjSpec()
    spec.option.timestep = 0.003
    spec.compiler.degree = 0
    main = spec.default
    main.geom.rgba = [0.1, 0.2, 0.3, 1]
    small = spec.add_default("small", main)
    small.geom.size = [0.05, 0, 0]
    small.joint.damping = 0.4
    body = spec.worldbody.add_body(name="a", pos=[0, 0, 1], euler=[0.1, 0.2, 0.3])
    body.add_joint(small, name="j", axis=[0, 1, 0], range=[-1, 1], limited=mj.mjtLimited.mjLIMITED_TRUE)
    body.add_geom(small, name="g")
    body.add_site(name="s", pos=[0.1, 0, 0])
    child = body.add_body(small, name="b", pos=[0.3, 0, 0], gravcomp=0.5)
    child.add_joint(name="k", type=mj.mjtJoint.mjJNT_SLIDE)
    child.add_geom(name="h", type=mj.mjtGeom.mjGEOM_BOX, size=[0.1, 0.1, 0.1], mass=2, zaxis=[0, 1, 1])
    child.add_camera(name="c", fovy=30, xyaxes=[1, 0, 0, 0, 0, 1])
    child.add_light(name="l", dir=[0, 1, -1])
    spec.worldbody.add_body(name="m", mocap=True).add_geom(size=[0.1, 0, 0], contype=0, conaffinity=0)
    tendon = spec.add_tendon(name="t", range=[0, 1])
    tendon.wrap_joint("j", 1.5)
    tendon.wrap_joint("k", -2)
    spec.add_actuator(name="p", target="j", trntype=mj.mjtTrn.mjTRN_JOINT).set_to_position(kp=3, kv=0.2)
    spec.add_actuator(name="q", target="t", trntype=mj.mjtTrn.mjTRN_TENDON, ctrlrange=[-1, 1])
    spec.add_sensor(name="x", type=mj.mjtSensor.mjSENS_JOINTPOS, objtype=mj.mjtObj.mjOBJ_JOINT, objname="j", cutoff=2)
    spec.add_equality(name="e", type=mj.mjtEq.mjEQ_WELD, objtype=mj.mjtObj.mjOBJ_BODY, name1="b", name2="m")
    spec.add_pair(name="pair", geomname1="g", geomname2="h", condim=1)
    spec.add_exclude(name="ex", bodyname1="a", bodyname2="b")
    spec.add_key(name="key", qpos=[0.1, 0.2], ctrl=[1, 2])
    spec.add_numeric(name="num", data=[1, 2, 3], size=4)
    spec.add_text(name="text", data="hello")
    spec.add_tuple(name="tup", objtype=[int(mj.mjtObj.mjOBJ_BODY)], objname=["a"], objprm=[2.0])
    return spec


@edit
def body_into_a_frame(mj):
    parent, child = mj.MjSpec.from_string(PARENT), mj.MjSpec.from_string(CHILD)
    parent.frame("slot").attach_body(child.body("arm"), "l_", "_x")
    return parent


@edit
def body_at_a_site(mj):
    parent, child = mj.MjSpec.from_string(PARENT), mj.MjSpec.from_string(CHILD)
    parent.site("mount").attach_body(child.body("arm"), "s-")
    return parent


@edit
def frame_onto_a_body(mj):
    parent, child = mj.MjSpec.from_string(PARENT), mj.MjSpec.from_string(CHILD)
    child.light("lamp").targetbody = "hand"
    parent.body("trunk").attach_frame(child.frame("shift"), prefix="f/")
    return parent


@edit
def whole_spec_at_a_frame(mj):
    parent, child = mj.MjSpec.from_string(PARENT), mj.MjSpec.from_string(CHILD)
    parent.attach(child, frame=parent.worldbody.add_frame(pos=[0, 0, 1], euler=[0, 0, 90]), prefix="w_")
    return parent


@edit
def two_specs_at_a_site(mj):
    parent = mj.MjSpec.from_string(PARENT)
    parent.worldbody.add_site(name="spot", pos=[0, 1, 0], zaxis=[0, 1, 1])
    for k in range(2):
        parent.attach(mj.MjSpec.from_string(CHILD), site="spot" if k else parent.site("spot"), suffix=f"_{k}")
    return parent


@edit
def the_same_spec_copied_twice(mj):
    parent, child = mj.MjSpec.from_string(PARENT), mj.MjSpec.from_string(CHILD)
    parent.copy_during_attach = True
    for k in range(2):
        frame = parent.worldbody.add_frame(pos=[0, k, 0])
        frame.attach_body(child.body("arm"), f"{k}_")
    return parent


@edit
def child_of_a_child(mj):
    grand, parent, child = mj.MjSpec.from_string(PARENT), mj.MjSpec.from_string(PARENT), mj.MjSpec.from_string(CHILD)
    parent.attach(child, frame=parent.worldbody.add_frame(pos=[0, 0, 1]), prefix="in_")
    grand.attach(parent, frame=grand.worldbody.add_frame(pos=[0, 1, 0]), prefix="out_")
    return grand


@edit
def copied_within_itself(mj):
    spec = mj.MjSpec.from_string(CHILD)
    spec.copy_during_attach = True
    spec.worldbody.add_frame(pos=[0, 1, 0]).attach_body(spec.body("arm"), "again_")
    return spec


@edit
def deleted_body(mj):
    spec = mj.MjSpec.from_string(CHILD)
    spec.delete(spec.tuple("u"))
    spec.delete(spec.body("hand"))
    return spec


@edit
def deleted_tree(mj):
    spec = mj.MjSpec.from_string(CHILD)
    spec.delete(spec.tuple("u"))
    spec.delete(spec.body("arm"))
    return spec


@edit
def deleted_after_compiling(mj):
    spec = mj.MjSpec.from_string(CHILD)
    spec.compile()
    spec.delete(spec.body("base"))
    return spec


@edit
def deleted_elements(mj):
    spec = mj.MjSpec.from_string(CHILD)
    for element in (
        *spec.sensors,
        *spec.pairs,
        *spec.keys,
        spec.geom("loose"),
        spec.actuator("push"),
        spec.tendon("rope"),
        spec.light("lamp"),
        spec.tuple("u"),
        spec.text("t"),
    ):
        spec.delete(element)
    return spec


@edit
def detached_and_attached(mj):
    parent, child = mj.MjSpec.from_string(PARENT), mj.MjSpec.from_string(CHILD)
    for key in child.keys:
        child.delete(key)
    parent.attach(child, frame=parent.worldbody.add_frame(pos=[0, 0, 1], euler=[0, 0, 90]), prefix="w_")
    parent.delete(parent.body("w_hand"))
    parent.attach(mj.MjSpec.from_string(CHILD), frame=parent.worldbody.add_frame(pos=[1, 0.5, 1]), prefix="v_")
    parent.delete(parent.tuple("w_u"))
    return parent


@edit
def copied(mj):
    spec = mj.MjSpec.from_string(CHILD)
    copy = spec.copy()
    spec.body("arm").pos = [9, 9, 9]
    spec.delete(spec.body("hand"))
    copy.body("hand").add_geom(copy.find_default("thin"), name="new", pos=[0.1, 0.1, 0.1])
    return copy


@edit
def copied_after_attaching(mj):
    parent, child = mj.MjSpec.from_string(PARENT), mj.MjSpec.from_string(CHILD)
    parent.attach(child, frame=parent.worldbody.add_frame(pos=[0, 0, 1], euler=[0, 0, 90]), prefix="w_")
    return parent.copy()


@edit
def compiled_twice(mj):
    parent, child = mj.MjSpec.from_string(PARENT), mj.MjSpec.from_string(CHILD)
    parent.attach(child, frame=parent.worldbody.add_frame(pos=[0, 0, 1], euler=[0, 0, 90]), prefix="w_")
    parent.compile()
    parent.body("w_hand").add_site(name="extra", pos=[0, 0, 0.1])
    parent.body("w_base").add_geom(size=[0.1, 0, 0])
    return parent


@edit
def frames_in_frames(mj):
    spec = mj.MjSpec()
    body = spec.worldbody.add_body(name="b")
    outer = body.add_frame(name="outer", pos=[1, 2, 3], euler=[0, 0, 90])
    inner = outer.add_frame(name="inner", pos=[0.1, 0, 0], axisangle=[1, 0, 0, 30])
    inner.add_geom(size=[0.1, 0, 0], pos=[0, 0, 1])
    inner.add_body(name="c", pos=[0, 1, 0]).add_geom(size=[0.2, 0, 0])
    late = body.add_site(name="late", pos=[0, 0, 1])
    late.set_frame(inner)
    body.add_frame(outer, name="third").add_joint(axis=[1, 0, 0])
    return spec


@edit
def body_into_frame(mj):
    spec = mj.MjSpec.from_string("""<mujoco><worldbody><body name="a" pos="1 2 3" quat="1 1 0 0"><geom size=".1"/>\
<joint name="j"/>
      <frame pos="1 0 0"/><geom name="g" size=".2"/><body name="b" pos=".1 0 0"><geom size=".1"/></body></body></worldbody>\
</mujoco>""")
    for joint in spec.joints:
        spec.delete(joint)
    spec.body("a").to_frame()
    return spec


@edit
def made_meshes(mj):
    spec = mj.MjSpec()
    makers = {
        "make_wedge": dict(resolution=[7, 8], fov=[90, 45], gamma=0.3),
        "make_cone": dict(nedge=5, radius=0.5),
        "make_hemisphere": dict(resolution=3),
        "make_sphere": dict(subdivision=1),
        "make_supertorus": dict(resolution=8, radius=0.5, s=0.7, t=1.2),
        "make_supersphere": dict(resolution=9, e=1.5, n=0.8),
        "make_plate": dict(resolution=[4, 5]),
    }
    for name, arguments in makers.items():
        getattr(spec.add_mesh(name=name), name)(**arguments)
    return spec


@edit
def settings_of_both(mj):
    parent, child = mj.MjSpec.from_string(PARENT), mj.MjSpec()
    child.compiler.eulerseq = ["x", "y", "z"]
    child.compiler.degree = 0
    child.compiler.autolimits = 0
    body = child.worldbody.add_body(name="b", euler=[0.1, 0.2, 0.3])
    body.add_geom(size=[0.1, 0, 0])
    body.add_joint(name="j", range=[10, 20], limited=mj.mjtLimited.mjLIMITED_TRUE)
    parent.attach(child, frame="slot", prefix="")
    return parent


@edit
def plugins_of_both(mj):
    xml = """<mujoco><extension><plugin plugin="mujoco.pid"><instance name="i"><config key="kp" value="4"/></instance></plugin>
    </extension><worldbody>
      <body name="b"><joint name="j"/><geom size=".1"/></body></worldbody><actuator>
        <plugin joint="j" plugin="mujoco.pid" instance="i"/>
      <plugin joint="j" plugin="mujoco.pid"><config key="kd" value="2"/></plugin></actuator></mujoco>"""
    parent = mj.MjSpec.from_string(PARENT)
    for k in range(2):
        parent.attach(mj.MjSpec.from_string(xml), frame="slot", prefix=f"{k}_")
    return parent


@edit
def fused(mj):
    spec = mj.MjSpec.from_string(CHILD)
    spec.delete(spec.tendon("rope"))
    spec.compiler.fusestatic = 1
    spec.worldbody.add_body(name="still", pos=[1, 2, 3])
    return spec


@edit
def keys_grow(mj):
    spec = mj.MjSpec.from_string(CHILD)
    spec.worldbody.add_body(name="late", pos=[0, 0, 3]).add_joint(name="f", ref=0.3)
    spec.body("late").add_geom(size=[0.1, 0, 0])
    return spec


@edit
def resized_text(mj):
    spec = mj.MjSpec.from_string(CHILD)
    spec.body("arm").name = "limb"
    spec.light("lamp").targetbody = "limb"
    spec.excludes[0].bodyname1 = "limb"
    spec.nkey = 5
    spec.nuserdata = 3
    spec.geom("rod").userdata = [1, 2, 3]
    spec.modelname = "other"
    return spec


@edit
def child_classes(mj):
    spec = mj.MjSpec.from_string(CHILD)
    body = spec.worldbody.add_body(name="c", childclass="thin", pos=[0, 0, 2])
    body.add_geom()
    body.add_joint(name="cj")
    below = body.add_body(name="d", pos=[0.2, 0, 0])
    below.add_geom(spec.default, size=[0.3, 0, 0])
    below.add_frame(name="cf", pos=[0, 0, 0.1]).add_geom()
    spec.geom("rod").classname = spec.default
    return spec


@edit
def flexes_and_skins(mj):
    xml = """<mujoco><worldbody><flexcomp name="cloth" type="grid" count="3 3 1" spacing=".1 .1 .1" radius=".01">
    <edge equality="true"/></flexcomp>
      <body name="bone"><joint/><geom size=".1"/></body></worldbody><deformable>
        <skin name="skin" vertex="0 0 0 1 0 0 0 1 0" face="0 1 2"><bone body="bone"
      bindpos="0 0 0" bindquat="1 0 0 0" vertid="0 1 2" vertweight="1 1 1"/></skin></deformable></mujoco>"""
    parent = mj.MjSpec.from_string(PARENT)
    parent.attach(mj.MjSpec.from_string(xml), frame=parent.worldbody.add_frame(pos=[0, 0, 2]), prefix="f_")
    return parent


@edit
def files_as_data(mj):
    spec = mj.MjSpec()
    spec.add_texture(name="t", type=mj.mjtTexture.mjTEXTURE_2D, width=2, height=2, nchannel=3).data = bytes(range(12))
    material = spec.add_material(name="m", rgba=[1, 0, 0, 1])
    material.textures[mj.mjtTextureRole.mjTEXROLE_RGB] = "t"
    spec.add_hfield(name="h", size=[1, 1, 1, 0.1], nrow=2, ncol=3, userdata=[0, 1, 2, 3, 4, 5])
    spec.add_mesh(
        name="v", uservert=[0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1], userface=[0, 2, 1, 0, 1, 3, 0, 3, 2, 1, 2, 3], material="m"
    )
    spec.worldbody.add_geom(type=mj.mjtGeom.mjGEOM_MESH, meshname="v")
    spec.worldbody.add_geom(type=mj.mjtGeom.mjGEOM_HFIELD, hfieldname="h")
    return spec


@edit
def plugin_of_a_body(mj):
    spec = mj.MjSpec()
    spec.activate_plugin("mujoco.elasticity.cable")
    plugin = spec.add_plugin(name="p", plugin_name="mujoco.elasticity.cable", active=True)
    plugin.config = {"twist": "10", "bend": "1"}
    body = spec.worldbody.add_body(name="b")
    body.plugin = plugin
    body.plugin.name = "p"
    body.plugin.active = True
    body.add_geom(type=mj.mjtGeom.mjGEOM_BOX, size=[1, 1, 1])
    return spec
