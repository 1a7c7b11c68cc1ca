"""Scripts that use features of later releases: run by 4.0.1 to record, and here with compat="4.0" to compare.

A script is a function of the module and a loader of texts; it returns {name: array}.
"""

import xml.etree.ElementTree as ET

import numpy as np

SHAPES = """<mujoco><option density="1"/><asset><hfield name="f" nrow="2" ncol="2" size="1 1 .2 .1" elevation="0 1 1 0"/>\
</asset>
  <worldbody><geom type="hfield" hfield="f" pos="0 0 -5"/><body name="a"><freejoint/><geom size=".1"/>\
<geom type="box" size=".1 .1 .1" pos=".3 0 0" fluidshape="ellipsoid" margin=".01"/>
  <geom type="capsule" size=".1 .2" pos="0 .3 0" contype="2"/><site pos=".1 0 0"/></body><body name="h" pos="1 0 0">\
<freejoint/><geom type="cylinder" size=".1 .2"
  fluidshape="ellipsoid"/></body><body name="k" pos="3 0 0"><joint name="j" axis="0 1 0"/><geom size=".1" pos=".2 0 0"/>\
<site name="s"/></body><site name="t" pos="3 0 1"/>
  </worldbody><tendon><spatial stiffness="1"><site site="s"/><site site="t"/></spatial></tendon>
  <equality><weld body1="a" body2="h"/><weld body1="a" body2="k" relpose="1 0 0 1 0 0 0"/></equality><actuator>\
<position joint="j" kp="9" dampratio="1"/></actuator></mujoco>"""
WIDE = (
    "bvh_aabb geom_aabb geom_rbound geom_size body_margin body_contype body_conaffinity geom_fluid geom_sameframe "
    "body_sameframe site_sameframe tendon_lengthspring "
    "actuator_biasprm dof_M0 tree_sleep_policy"
).split()


def wide_constants(mj, load):
    """Sizes, poses, margins, masks and references change, then mj_setConst."""
    m = load(SHAPES)
    d = mj.MjData(m)
    m.geom_size[1:] *= 1.3
    m.hfield_size[0] *= 1.5
    m.geom_pos[2] = 0, 0.2, 0.3
    m.geom_margin[3], m.geom_gap[1], m.geom_contype[1], m.geom_conaffinity[4] = 0.05, 0.01, 8, 4
    m.body_ipos[1], m.qpos0[0], m.site_pos[0], m.body_mass[3] = (0.1, 0, 0), 0.5, m.body_ipos[1], 7
    m.qpos_spring[-1] = 0.3
    mj.mj_setConst(m, d)
    stat = np.array([m.stat.meaninertia, m.stat.meanmass, m.stat.meansize, m.stat.extent, *m.stat.center])
    return {name: getattr(m, name) for name in WIDE} | {"eq_data": m.eq_data[:, :11], "stat": stat}


LOOKS = """<mujoco><visual><headlight ambient="1 1 1" diffuse="0 0 0" specular="0 0 0"/></visual><asset>
    <texture name="t" type="2d" builtin="flat" width="64" height="64"/>
  <material name="m" texture="t" texrepeat="{repeat}" texuniform="{uniform}"/></asset><worldbody>
    <geom type="{kind}" size="{size}" material="m"/>
  <camera pos="0 -4 0" xyaxes="1 0 0 0 0 1" projection="orthographic" fovy="4"/>
    <camera pos="0 0 4" projection="orthographic" fovy="4"/>
  <camera pos="-4 0 0" xyaxes="0 -1 0 0 0 1" projection="orthographic" fovy="4"/></worldbody></mujoco>"""
WRAPPED = (
    ("sphere", "1", "1 1", "false"),
    ("ellipsoid", "1.5 1 .8", ".5 1", "true"),
    ("capsule", ".5 1", "1 1", "false"),
    ("cylinder", ".7 1", "1 1", "true"),
    ("box", "1.5 1 .8", "1 1", "false"),
    ("box", "1.5 1 .8", ".6 .5", "true"),
    ("plane", "2 1 .1", "1 1", "false"),
    ("plane", "0 0 .1", ".2 .2", "true"),
)
# compared pixels, of 100 x 100
SAMPLES = (35, 45, 55, 65)


def wrapped_textures(mj, load):
    """Axes along and down the image, at some pixels from three sides; the texture's colors encode the position in it."""
    found = {}
    for row, (kind, size, repeat, uniform) in enumerate(WRAPPED):
        m = load(LOOKS.format(kind=kind, size=size, repeat=repeat, uniform=uniform))
        place = np.arange(64) * 4
        image = np.stack(np.broadcast_arrays(place[None], place[:, None], np.full((64, 64), 255)), 2)
        m.tex_data = image.ravel().astype(np.uint8)
        d = mj.MjData(m)
        mj.mj_forward(m, d)
        with mj.Renderer(m, 100, 100) as renderer:
            for camera in range(3):
                renderer.update_scene(d, camera)
                seen = renderer.render()[np.ix_(SAMPLES, SAMPLES)].astype(float) / 255
                found[f"{row}{kind}{camera}"] = np.where(seen[..., 2:] > 0.5, seen[..., :2], 0)
    return found


KEYED = """<mujoco><worldbody><body name="{0}a"><joint name="{0}ja"/><geom size=".1"/></body><body name="b"><joint name="jb"/>
    <geom size=".1"/></body>
  <body name="c"><freejoint/><geom size=".1"/></body></worldbody><keyframe><key name="k" qpos="1 2 3 4 5 1 0 0 0"/>
    <key name="l" qpos="7"/><key name="n" qvel="1 2 3"/>
  </keyframe></mujoco>"""
DRESSED = """<mujoco><asset><material name="m"/><mesh name="q" vertex="0 0 0 1 0 0 0 1 0 0 0 1" material="m"/></asset>
    <worldbody><body name="b"><joint name="j"/>
  <geom type="mesh" mesh="q"/><site name="s"/><site name="t" pos="1 0 0"/><flexcomp name="f" count="3 3 1" spacing=".1 .1 .1"
    dim="2" radius=".01"><pin id="0"/></flexcomp></body>
  <body name="c"><joint name="k"/><geom size=".1"/></body></worldbody><tendon><spatial name="t" material="m"><site site="s"/>
    <site site="t"/></spatial></tendon>
  <equality><flex flex="f"/></equality><deformable><skin name="w" material="m" vertex="0 0 0 1 0 0 0 1 0" face="0 1 2">
    <bone body="b" bindpos="0 0 0" bindquat="1 0 0 0"
  vertid="0 1 2" vertweight="1 1 1"/></skin></deformable><actuator><motor name="mj" joint="j"/><motor name="mk" joint="k"/>
    </actuator></mujoco>"""


def edited_keys(mj, load):
    """Key frames, some of them short, after a body is deleted or added, after a part of another model or all of it is
    attached, and in a copy.
    """

    def deleted(spec):
        spec.delete(spec.body("a"))

    def added(spec):
        body = spec.worldbody.add_body(name="z")
        body.add_joint()
        body.add_geom(size=[0.1, 0, 0])

    def inside(spec):
        spec.body("a").add_frame().attach_body(mj.MjSpec.from_string(KEYED.format("x")).body("b"), "p_", "")

    def behind(spec):
        spec.attach(mj.MjSpec.from_string(KEYED.format("")), prefix="p_", frame=spec.worldbody.add_frame())

    found = {}
    for edit in (deleted, added, inside, behind):
        spec = mj.MjSpec.from_string(KEYED.format(""))
        edit(spec)
        m = spec.copy().compile()
        found |= {f"{edit.__name__}.{name}": getattr(m, name) for name in ("key_qpos", "key_qvel")}
        found[f"{edit.__name__}.names"] = [m.key(k).name for k in range(m.nkey)]
    return found


def attached_names(mj, load):
    """Names and materials of attached elements; two bodies of a model that is not consumed."""
    spec = mj.MjSpec()
    spec.attach(mj.MjSpec.from_string(DRESSED), prefix="p_", suffix="_s", frame=spec.worldbody.add_frame())
    m = spec.compile()
    found = {"materials": np.concatenate([m.tendon_matid, m.skin_matid, m.geom_matid]), "neq": [m.neq]}
    found["names"] = [
        mj.mj_id2name(m, kind, 0)
        for kind in (mj.mjtObj.mjOBJ_SKIN, mj.mjtObj.mjOBJ_FLEX, mj.mjtObj.mjOBJ_TENDON, mj.mjtObj.mjOBJ_MATERIAL)
    ]
    for deep in (False, True):
        spec, child = mj.MjSpec(), mj.MjSpec.from_string(DRESSED)
        spec.copy_during_attach = deep
        frame = spec.worldbody.add_frame()
        for name, prefix in (("b", "p_"), ("c", "q_")):
            frame.attach_body(child.body(name), prefix, "")
        m = spec.compile()
        found[f"drives{deep}"] = [m.actuator(i).name for i in range(m.nu)]
    return found


PAINTED = """<mujoco><default><texture type="2d" builtin="checker" rgb1="1 0 0" width="8" height="8"/><default class="a">
    <texture rgb1="0 1 0" rgb2=".5 .5 0" mark="edge"/>
  </default></default><asset><texture name="t"/><texture name="u" class="a"/>
    <texture name="v" class="a" rgb1="0 0 1" type="cube" height="0" width="6"/></asset></mujoco>"""


def texture_classes(mj, load):
    """Textures that start from classes, including those of a script; and their saved text."""
    spec = mj.MjSpec.from_string(PAINTED)
    own = spec.add_texture(name="w")
    own.classname = spec.find_default("a")
    m, again = spec.compile(), load(spec.to_xml())
    return {
        "data": m.tex_data,
        "type": m.tex_type,
        "width": m.tex_width,
        "height": m.tex_height,
        "saved": again.tex_data,
        "own": own.rgb1,
        "name": [spec.texture("u").classname.name],
    }


WRITTEN = """<mujoco><option gravity="0 0 -1"/><asset><material name="m" metallic=".2" roughness=".3" texuniform="true"/>\
</asset><default><geom friction=".5 .1 .2"/></default>
  <worldbody><frame pos="1 0 0" euler="0 30 0"><body name="b" pos="1 2 3" euler="10 0 0">\
<joint name="j" range="-10 20" stiffness="1 2"/><geom name="g" size=".1" material="m"/>
  <geom name="h" type="capsule" size=".1" fromto="0 0 0 1 0 0"/><site name="s" euler="1 2 3"/></body></frame><body name="c">\
<freejoint/><inertial pos="0 0 0" mass="1"
  diaginertia="1 1 1"/><geom size=".1"/></body><camera name="cam" fovy="30"/><light name="l"/></worldbody><actuator>\
<motor name="a" joint="j" gear="3"/></actuator>
  <tendon><fixed name="t" stiffness="3"><joint joint="j" coef="2"/></fixed></tendon><equality>\
<connect name="e" body1="b" anchor="0 0 0"/></equality>
  <sensor><jointpos name="v" joint="j"/></sensor><keyframe><key name="k" qvel="1 2 3 4 5 6 7"/></keyframe></mujoco>"""
# field, index of a number, new value
CHANGED = (
    ("geom_size", (0, 0), 2),
    ("geom_size", (1, 1), 2),
    ("geom_pos", (0, 1), 0.7),
    ("body_mass", (1,), 7),
    ("body_inertia", (2, 0), 1.5),
    ("jnt_range", (0, 1), 0.5),
    ("jnt_range", (0, 1), -0.5),
    ("jnt_stiffnesspoly", (0, 0), 4),
    ("mat_metallic", (0,), 0.7),
    ("mat_texuniform", (0,), 0),
    ("body_pos", (1, 0), 0.3),
    ("body_quat", (1, slice(None)), (0, 1, 0, 0)),
    ("site_pos", (0, 2), 0.4),
    ("actuator_gear", (0, 0), 5),
    ("cam_fovy", (0,), 50),
    ("geom_friction", (0, 0), 0.9),
    ("eq_data", (0, 0), 0.9),
    ("tendon_stiffness", (0,), 9),
    ("sensor_noise", (0,), 9),
    ("key_qvel", (0, 2), 0.3),
    ("qpos0", (0,), 0.6),
    ("qpos0", (1,), 0.6),
    ("dof_armature", (0,), 3),
    ("light_diffuse", (0, 0), 0.3),
    ("geom_contype", (0,), 6),
    ("dof_damping", (2,), 1),
)
KEPT = (
    "geom_size geom_pos geom_quat body_mass body_inertia body_pos body_quat jnt_range jnt_limited site_pos "
    "mat_metallic qpos0 eq_data key_qvel dof_armature dof_damping"
).split()


def copied_back(mj, load):
    """A number of a model changes and is written back: whether that is possible, and the fields of the recompiled spec."""
    found = {}
    for k, (field, at, value) in enumerate(CHANGED):
        for setting in ("", "<compiler inertiafromgeom='true'/>"):
            spec = mj.MjSpec.from_string(WRITTEN.replace("<option", f"{setting}<option"))
            m = spec.compile()
            getattr(m, field)[at] = value
            try:
                spec.copy_back(m)
                m = spec.compile()
            except ValueError:
                found[f"{k}{bool(setting)}.refused"] = [field]
                continue
            values = [getattr(m, name) if name != "eq_data" else m.eq_data[:, :11] for name in (*KEPT, field)]
            found[f"{k}{bool(setting)}"] = np.concatenate([np.ravel(x).astype(float) for x in values])
    return found


RESIZED = """<mujoco><asset><mesh name="q" vertex="0 0 0 1 0 0 0 1 0 0 0 1"/></asset><worldbody><body name="w0">\
<joint name="jw" type="slide"/><geom
  size=".1"/><site name="sw" pos="0 0 3"/></body><frame pos="1 0 0" euler="0 0 10" {}>
  <body name="b" pos="1 2 3"><joint name="h" type="hinge" pos=".1 0 0" stiffness="2 3 4" damping=".5 .6 .7" armature=".1"\
 frictionloss=".2" range="-10
  20" margin=".3" actuatorfrcrange="-3 3" springref="5" ref="3" user="7"/>
  <geom name="g" type="capsule" size=".1 .2" pos=".1 .2 .3" margin=".01" gap=".02" solref="-100 -10" friction=".5 .1 .2"\
 fluidshape="ellipsoid"
  surfacevel="1 2 3 .4 .5 .6"/><site name="s" size=".1 .2 .3" pos=".3 0 0" type="box"/>
  <body name="c" pos=".5 0 0"><joint name="sl" type="slide" stiffness="2 3 4" damping=".5 .6 .7" armature=".1"\
 frictionloss=".2" range="-.1 .2"
  margin=".3" actuatorfrcrange="-3 3" springref="5" ref="3" /><geom mass="3" size=".2" type="sphere"/>\
<site name="s2" pos=".1 .1 0"/>
  <body name="d" pos=".5 0 0" gravcomp=".4"><joint name="ba" type="ball" stiffness="2" damping=".5" armature=".1" range="0\
 30"/><inertial pos=".1 0 0"
  mass="2" diaginertia="1 1 1.5"/><geom size=".1" type="mesh" mesh="q" density="500"/></body></body></body>
  <body name="f"><freejoint name="fj"/><geom type="box" size=".1 .2 .3" shellinertia="true"/></body>
  <camera name="cam" pos="1 0 0" focal=".01 .02" sensorsize=".03 .04" resolution="10 10" ipd=".07"/>\
<light name="l" pos="0 0 1" bulbradius=".05"
  attenuation="1 .5 .25" range="9"/><geom name="gw" type="plane" size="1 2 .1"/></frame></worldbody>
  <contact><pair geom1="g" geom2="gw" margin=".1" gap=".05" friction="1 1 .1 .1 .1" solref="-5 -6"/></contact>
  <tendon><spatial name="ts" stiffness="2 3" damping=".3" range=".1 .5" width=".02" armature=".4" frictionloss=".6"\
 margin=".1" springlength=".3"><site
  site="s"/><site site="s2"/></spatial><fixed name="tf" stiffness="2" damping=".3" range="-1 1"><joint joint="h" coef="2"/>\
</fixed><fixed name="tg"
  stiffness="2" damping=".3"><joint joint="sl" coef="2"/></fixed><fixed name="tx" stiffness="2"><joint joint="sl" coef="2"/>\
<joint joint="jw"
  coef="3"/></fixed></tendon>
  <equality><connect name="ec" body1="b" body2="f" anchor=".1 .2 .3" solref="-7 -8"/>\
<weld name="ew" body1="b" body2="f" anchor=".1 .2 .3" relpose="1 2
  3 1 0 0 0" torquescale=".7"/><joint name="ej" joint1="h" joint2="sl" polycoef="1 2 3 4 5"/>\
<joint name="ek" joint1="sl" polycoef="1 0 0 0 0"/><joint
  name="em" joint1="sl" joint2="jw" polycoef="1 2 3 4 5"/></equality>
  <actuator><motor name="m1" joint="h" gear="3" ctrlrange="-2 2" forcerange="-4 4"/>\
<motor name="m2" joint="sl" gear="3" ctrlrange="-2 2" forcerange="-4
  4"/><position name="p1" joint="h" kp="9" kv="2" ctrlrange="-2 2" forcerange="-4 4"/>\
<position name="p2" joint="sl" kp="9" kv="2" ctrlrange="-2
  2"/><velocity name="v1" joint="sl" kv="2"/><motor name="ms" site="s" gear="1 2 3 4 5 6"/>\
<motor name="mt" tendon="ts" gear="2"/><general name="ge"
  joint="sl" dyntype="integrator" gainprm="2" biastype="affine" biasprm="1 2 3" actrange="-1 1" actlimited="true"/>\
<muscle name="mu" tendon="ts"
  lengthrange=".1 .4" force="5"/><cylinder name="cy" joint="sl" area="2"/><position name="pd" joint="h" kp="3" dampratio="1"/>\
</actuator>
  <sensor><jointpos joint="sl" cutoff="3" noise=".1"/><force site="s" cutoff="3" noise=".1"/><gyro site="s" cutoff="3"/>\
<distance geom1="g" geom2="gw"
  cutoff="4"/><actuatorfrc actuator="m1" cutoff="3"/><user dim="1" cutoff="3"/></sensor>
  <keyframe><key name="k" qpos=".5 .1 .2 1 0 0 0 1 2 3 1 0 0 0" qvel=".1 .2 .3 .4 .5 .6 1 2 3 4 5 6" ctrl="1 2 3 4 5 6 7 8 9 1\
 2" act=".1 .2
  .3"/></keyframe></mujoco>"""
SIZED = """actuator_biasprm actuator_ctrlrange actuator_forcerange actuator_gainprm actuator_gear actuator_length0\
 actuator_lengthrange actuator_actrange body_inertia
  body_ipos body_mass body_pos cam_intrinsic cam_ipd cam_pos cam_sensorsize dof_M0 dof_armature dof_damping dof_dampingpoly\
 dof_frictionloss dof_solimp eq_solimp geom_aabb
  geom_fluid geom_friction geom_gap geom_margin geom_pos geom_rbound geom_size geom_solimp geom_surfacevel jnt_actfrcrange\
 jnt_margin jnt_pos jnt_range jnt_solimp jnt_stiffness
  jnt_stiffnesspoly key_act key_ctrl key_qpos key_qvel light_attenuation light_bulbradius light_pos light_range mesh_vert\
 pair_friction pair_gap pair_margin pair_solimp qpos0
  qpos_spring sensor_cutoff sensor_noise site_pos site_size tendon_armature tendon_damping tendon_frictionloss\
 tendon_invweight0 tendon_length0 tendon_lengthspring
  tendon_margin tendon_range tendon_solimp_lim tendon_stiffness tendon_stiffnesspoly tendon_width wrap_prm""".split()


def scaled_frames(mj, load):
    """Contents of a frame, and references to it, at other sizes and masses; nested frames. The spec keeps the written
    values.
    """
    found = {}
    for k, text in enumerate(
        (
            "scale='2' massscale='3'",
            "scale='2' massscale='3' scaling='geometry'",
            "scale='.5'",
            "massscale='4' scaling='geometry'",
        )
    ):
        spec = mj.MjSpec.from_string(RESIZED.format(text))
        m = spec.compile()
        values = [np.ravel(getattr(m, name)).astype(float) for name in SIZED] + [m.eq_data[:, :11].ravel()]
        found[f"{k}"], found[f"{k}.authored"] = np.concatenate(values), spec.geom("g").size
    inner = """<mujoco><worldbody><frame scale="2" pos="1 0 0"><frame pos="1 0 0" scale="3" scaling="geometry" massscale="5">
    <body><joint type="slide" damping="1"/><geom size=".1"/>
      <frame scale="2" massscale="2" pos="0 1 0"><body pos="0 0 1"><joint damping="1"/><geom size=".1"/></body></frame></body>
        </frame></frame></worldbody></mujoco>"""
    m = load(inner)
    found["inner"] = np.concatenate(
        [np.ravel(x) for x in (m.body_pos, m.body_mass, m.geom_size, m.dof_damping, m.body_inertia)]
    )
    return found


NOTED = """<mujoco model="x"><compiler savecompiled="false" savecanonical="{}" eulerseq="XYZ" alignfree="true"/><default>
    <geom rgba="1 0 0 1"/><site euler="0 0 40"/>
  <default class="a"><geom size=".1 .2 .3" friction=".7 .8 .9"/><joint damping="2" range="0 30"/><default class="c">
    <camera fovy="30"/></default></default></default>
  <asset><mesh name="q" vertex="0 0 0 1 0 0 0 1 0 0 0 1" scale="1 2 3"/></asset>
  <worldbody><geom name="w" type="plane" size="1 1 .1"/><frame name="f" pos="1 2 3" euler="10 20 30">
    <geom type="box" size=".1 .2 .3" euler="1 2 3"/>
  <body name="b" childclass="a" axisangle="0 0 1 45"><joint name="j" axis="0 1 0" ref="3"/>
    <joint name="k" type="slide" axis="0 1 0" range="0 30" ref="3"/>
  <geom type="capsule" fromto="0 0 0 .1 .2 .3" size=".05"/><site name="s" zaxis="1 1 1"/><site size=".1 .2 .3" type="box"/>
    <camera xyaxes="1 0 0 0 1 0" class="c"/>
  <frame euler="0 0 5" childclass="c"><geom type="mesh" mesh="q"/><frame pos="0 0 1"><camera name="d"/></frame></frame>
    <geom size=".2"/></body></frame>
  <geom type="ellipsoid" fromto="0 0 0 0 0 1" size=".05"/><light pos="0 0 1" dir="1 0 0"/>
  <body name="e" pos="0 0 5"><inertial pos=".1 0 0" mass="1" fullinertia="2 2.5 3 .1 .2 .3"/><freejoint name="fj"/>
    <geom size=".1" pos=".2 0 0"/></body>
  <body name="h" pos="0 0 9"><inertial pos=".1 0 0" mass="1" diaginertia="1 1 1.5" euler="0 0 20"/>
    <joint type="ball" range="0 50"/><geom size=".1" pos=".2 0 0"/></body>
  </worldbody></mujoco>"""
# compared parts of a text
LOOKED_AT = ("default", "asset", "worldbody")


def _listed(node, path, names, values):
    """The attributes of a node and its descendants: names with their words, numbers."""
    for name, text in sorted(node.attrib.items()):
        try:
            values += [float(word) for word in text.split()]
            text = f"{len(text.split())} numbers"
        except ValueError:
            pass
        names.append(f"{path}/{node.tag} {name} {text}")
    for child in node:
        names.append(f"{path}/{node.tag}/{child.tag}")
        _listed(child, f"{path}/{node.tag}", names, values)


def written_as_it_is(mj, load):
    """Texts of a spec that say what was written: in its own notation, or in the canonical one."""
    found = {}
    for canonical in ("false", "true"):
        spec = mj.MjSpec.from_string(NOTED.format(canonical))
        spec.compile()
        names, values = [], []
        for section in ET.fromstring(spec.to_xml()):
            if section.tag in LOOKED_AT:
                _listed(section, "", names, values)
        found[f"{canonical}.names"], found[f"{canonical}.values"] = np.array(names), np.array(values)
    return found


# settings of a model, and of one that is attached to it
OPPOSED = (
    ("<option timestep='.002'/>", "<option timestep='.001'/>"),
    ("<option timestep='.001'/>", "<option timestep='.002'/>"),
    (
        "",
        """<option timestep='.005' iterations='3' gravity='0 0 -1' integrator='RK4' density='3' o_margin='.2'\
 actuatorgroupdisable='2'><flag contact='disable'
            energy='enable'/></option><visual><map znear='.3' zfar='4'/><global realtime='.5'/></visual>\
<size nuserdata='4' nuser_body='3' memory='1M'/>""",
    ),
    (
        """<option iterations='5' gravity='0 0 -2' integrator='implicit' actuatorgroupdisable='1'><flag limit='disable'/>\
</option><visual><map znear='.1' zfar='9'/></visual>
            <size nuserdata='5' memory='2M'/>""",
        """<option iterations='30'><flag contact='disable' energy='enable'/></option><visual><map znear='.03' zfar='40'/>\
</visual>
            <size nuserdata='4' nuser_body='3' memory='3M'/>""",
    ),
    ("<option gravity='0 0 -2'/>", "<option gravity='0 0 -1'/>"),
    ("<option gravity='0 0 -9.81'/>", "<option gravity='0 0 -1'/>"),
    ("<option><flag contact='disable'/></option>", "<option><flag contact='enable' limit='disable'/></option>"),
    ("<visual><rgba fog='1 0 0 1'/></visual>", "<visual><rgba fog='0 1 0 1'/></visual><statistic extent='3'/>"),
    ("<option cone='elliptic' solver='CG'/>", "<option cone='pyramidal' solver='CG'/>"),
    ("<option solver='CG'/>", "<option solver='CG' tolerance='1e-9'/>"),
)
MERGED = "timestep iterations disableflags gravity integrator disableactuator o_margin density cone solver tolerance".split()


def merged_settings(mj, load):
    """Settings of a model after another one was attached to it, by its compiler's rule for conflicts; nothing if that
    is an error.
    """
    found = {}
    for policy in ("warning", "merge", "error"):
        for k, (mine, theirs) in enumerate(OPPOSED):
            spec = mj.MjSpec.from_string(
                f"<mujoco><compiler conflict='{policy}'/>{mine}<worldbody><frame name='f'/></worldbody></mujoco>"
            )
            child = mj.MjSpec.from_string(f"<mujoco>{theirs}<worldbody><body name='b'/></worldbody></mujoco>")
            try:
                spec.frame("f").attach_body(child.body("b"), "x", "")
            except ValueError:
                found[f"{policy}{k}"] = np.zeros(0)
                continue
            m = spec.compile()
            # only the flag of energies: other flags have changed their meaning
            more = [
                m.opt.enableflags & 2,
                m.vis.map.znear,
                m.vis.map.zfar,
                m.vis.global_.realtime,
                m.nuserdata,
                m.nuser_body,
                spec.memory,
            ]
            found[f"{policy}{k}"] = np.concatenate(
                [np.ravel(getattr(m.opt, name)).astype(float) for name in MERGED] + [np.array(more, float)]
            )
    return found


HUNG = """<mujoco><worldbody><body name='b' pos='0 0 1'><joint/><geom size='.01'/>
    <flexcomp name='f' type='grid' count='6 6 6' spacing='.03 .03 .03' dim='3' mass='1' dof='{}'
  radius='.01' pos='0 0 .18'><pin id='0 1 2 3'/><contact selfcollide='none'/><elasticity young='1e4' poisson='.2'/></flexcomp>
    </body></worldbody></mujoco>"""


def saved_nodes(mj, load):
    """Interpolated flexes attached to a body, saved and loaded again: positions of nodes and vertices, also when bent."""
    found = {}
    for order in ("trilinear", "quadratic"):
        spec = mj.MjSpec.from_string(HUNG.format(order))
        spec.compile()
        m = load(spec.to_xml())
        d = mj.MjData(m)
        d.qpos[:] = np.linspace(-0.02, 0.03, m.nq)
        mj.mj_forward(m, d)
        found[order] = np.concatenate([np.ravel(x) for x in (m.flex_node, m.flex_vert, d.flexvert_xpos)])
    return found


NESTED = """<mujoco><worldbody><frame name="f" pos="1 2 3" euler="10 20 30"><geom size=".1" pos="0 0 1"/>
    <body name="b" pos=".1 0 0" euler="0 0 7"><joint/>
  <geom type="capsule" size=".1" fromto="0 0 0 0 0 1"/><frame pos="0 1 0"><joint axis="0 1 0" pos=".1 .2 .3"/><geom size="1"/>
    <light pos="0 0 1" dir="1 0 0"/>
  <camera euler="1 2 3"/></frame></body></frame><frame pos="1 0 0"><geom size=".2"/><frame euler="0 0 3">
    <site euler="1 2 3" pos="1 2 3"/></frame></frame></worldbody></mujoco>"""


def kept_frames(mj, load):
    """Positions of elements in the text of a compiled spec."""
    spec = mj.MjSpec.from_string(NESTED)
    spec.compile()
    names = []
    _listed(ET.fromstring(spec.to_xml()).find("worldbody"), "", names, [])
    return {"places": np.array([name for name in names if " " not in name])}


def boxed_minima(mj, load):
    """Quadratic functions with bounds for all variables, some or none: minima, free variables and factors."""
    found, rng = {}, np.random.default_rng(7)
    for k in range(40):
        n = int(rng.integers(1, 12))
        root, g = rng.normal(size=(n, n)), rng.normal(size=n) * 3
        low, high, start = -rng.uniform(0.01, 1, n), rng.uniform(0.01, 1, n), rng.normal(size=n) * (k % 3)
        factor, free = np.zeros((n, n + 7)), np.zeros(n, np.int32)
        bounds = low if k % 5 else None, high if k % 7 else None
        count = mj.mju_boxQP(start, factor, free if k % 2 else None, root @ root.T + np.eye(n), g, *bounds)
        rows = np.tril(factor.ravel()[: count * count].reshape(count, count))
        found[str(k)] = np.concatenate([[count], start, free[:count], rows.ravel()])
    return found


VIEWED = """<mujoco><worldbody><geom size=".1"/><camera pos="0 0 1" euler="10 20 30" {}/></worldbody></mujoco>"""
VIEWS = (
    "",
    'resolution="1 1"',
    'resolution="2 1"',
    'resolution="640 480"',
    'resolution="640 480" focal=".01 .01" sensorsize=".02 .015"',
    'resolution="640 480" projection="orthographic" fovy="2"',
)


def camera_frustums(mj, load):
    """Frustums that are drawn for cameras: types, sizes and poses of their parts."""
    found = {}
    for k, text in enumerate(VIEWS):
        m = load(VIEWED.format(text))
        d, scene, option = mj.MjData(m), mj.MjvScene(m, 50), mj.MjvOption()
        option.flags[int(mj.mjtVisFlag.mjVIS_CAMERA)] = 1
        mj.mj_forward(m, d)
        mj.mjv_updateScene(m, d, option, None, mj.MjvCamera(), int(mj.mjtCatBit.mjCAT_ALL), scene)
        parts = [g for g in scene.geoms[: scene.ngeom] if g.objtype == mj.mjtObj.mjOBJ_CAMERA]
        # geoms of a scene are in single precision, so compare four decimals
        found[str(k)] = np.array([[g.type, *g.size, *g.pos, *g.mat.ravel(), *g.rgba] for g in parts]).round(4)
    return found


SCRIPTS = {
    script.__name__: script
    for script in (
        wide_constants,
        wrapped_textures,
        edited_keys,
        attached_names,
        texture_classes,
        copied_back,
        scaled_frames,
        written_as_it_is,
        merged_settings,
        saved_nodes,
        kept_frames,
        boxed_minima,
        camera_frustums,
    )
}
