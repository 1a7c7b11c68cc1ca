"""Small models that together use most of the language; each compiles to the reference's Model field by field."""

import numpy as np

MODELS = {}


def model(name, body, head=""):
    MODELS[name] = f"<mujoco>{head}<worldbody>{body}</worldbody></mujoco>"


model(
    "primitives",
    """
  <geom type="plane" size="1 1 .1"/>
  <body name="a" pos="0 0 1" euler="10 20 30"><freejoint/><geom size=".1"/>\
<geom type="capsule" fromto="0 0 0 .1 .2 .3" size=".05"/>
    <body pos=".3 0 0" axisangle="1 1 0 40"><joint type="hinge" axis="0 1 1" range="-30 60" damping=".1"/>
      <geom type="box" size=".1 .2 .3" pos=".1 0 0" xyaxes="1 1 0 0 0 1"/><site name="s" pos="0 .1 0" zaxis="1 1 1"/></body>\
</body>
  <body pos="1 0 1"><joint type="ball" range="0 40" limited="true"/><geom type="ellipsoid" size=".1 .2 .3" mass="2"/></body>
  <body pos="2 0 1"><joint type="slide" axis="1 0 0" armature=".3"/><geom type="cylinder" size=".1 .2" density="300"/></body>
  <light pos="0 0 3" dir="0 1 -1"/><camera name="c" pos="0 -2 1" fovy="30"/>""",
)

model(
    "defaults",
    """
  <body childclass="big"><joint/><geom/><geom class="small"/><body><geom size=".3" class="main"/><frame childclass="small">
    <geom/></frame></body></body>""",
    """<default><geom size=".05" rgba="1 0 0 1"/><default class="big"><geom size=".2"/><joint type="slide" damping="3"/>
      <default class="small"><geom size=".01 .02 .03" type="box" pos=".1 .05 -.02"/></default></default></default>""",
)

model(
    "frames",
    """
  <frame pos="1 2 3" euler="0 90 0"><frame pos=".1 0 0"><body name="b" pos="0 .1 0"><joint axis="1 0 0"/>\
<geom size=".1" pos=".1 0 0"/></body></frame>
    <geom size=".2" pos="0 0 1"/><camera name="c" pos="1 1 1"/><light name="l"/></frame>
  <replicate count="3" offset=".3 0 0" euler="0 0 20" sep="_"><body name="r"><joint name="j"/><geom name="g" size=".1"/>\
</body></replicate>""",
)

model(
    "inertia",
    """
  <body><joint/><inertial pos=".1 .2 .3" mass="2" fullinertia="1 1.2 .9 .05 .02 .01"/><geom size=".1"/></body>
  <body><joint/><inertial pos=".1 .2 .3" mass="2" diaginertia="1 1.2 .9" quat="1 2 3 4"/></body>
  <body><joint/><geom type="box" size=".1 .2 .3" group="3"/><geom size=".2" pos="1 0 0" shellinertia="true"/></body>""",
    """<compiler inertiagrouprange="0 2" balanceinertia="true" boundmass=".1" boundinertia=".01"/>""",
)

MODELS["links"] = """<mujoco><compiler angle="radian"/><option timestep=".004" integrator="implicitfast">
    <flag energy="enable" contact="disable"/></option>
  <worldbody><body name="a"><joint name="j" range="-1 1"/><geom name="g" size=".1" fromto="0 0 0 .5 0 0" type="capsule"/>
    <site name="s1"/>
    <body name="b" pos=".5 0 0"><joint name="k"/><geom name="h" size=".05" fromto="0 0 0 .5 0 0" type="cylinder"/>
      <site name="s2" pos=".3 0 .2"/></body></body>
    <body name="m" mocap="true"><geom size=".02" contype="0" conaffinity="0"/></body><site name="w" pos="0 0 .5"/></worldbody>
  <contact><pair geom1="g" geom2="h" condim="4"/><exclude body1="a" body2="b"/></contact>
  <equality><connect body1="b" body2="m" anchor=".1 0 0"/><weld body1="a" body2="b"/>
    <joint joint1="j" joint2="k" polycoef="0 2"/></equality>
  <tendon><spatial name="t" range="0 1"><site site="w"/><site site="s1"/><geom geom="h" sidesite="s2"/><site site="s2"/>
    </spatial>
    <fixed name="f"><joint joint="j" coef=".3"/><joint joint="k" coef="-1"/></fixed></tendon>
  <actuator><motor joint="j" ctrlrange="-1 1"/><position joint="k" kp="3" kv=".1"/><velocity tendon="f" kv="2"/>
    <general site="s2" refsite="s1" gear="1 0 0 0 1 0"/>
    <intvelocity joint="j" kp="1" actrange="-1 1"/><damper joint="k" kv="1" ctrlrange="0 1"/><cylinder joint="j" area=".1"/>
      <adhesion body="b" gain="2" ctrlrange="0 1"/></actuator>
  <sensor><jointpos joint="j"/><accelerometer site="s2"/><framequat objtype="body" objname="b" reftype="site" refname="w"/>
    <tendonpos tendon="t"/><subtreecom body="a"/>
    <user dim="3" needstage="vel"/><clock/><touch site="s1" cutoff="3"/></sensor>
  <keyframe><key name="k1" time="1" qpos=".1 .2" ctrl="1 2 3 4 5 .5 7 .8"/></keyframe>
  <custom><numeric name="n" size="4" data="1 2"/><text name="t" data="hello"/><tuple name="tu">
    <element objtype="body" objname="a" prm="2"/></tuple></custom></mujoco>"""

model(
    "assets",
    """
  <geom type="plane" size="1 1 .1" material="grid"/><body><freejoint/><geom type="mesh" mesh="tet" material="grid"/></body>
  <body pos="1 0 0"><freejoint/><geom type="mesh" mesh="cone"/></body><geom type="hfield" hfield="h" pos="0 0 -3"/>""",
    """<asset><texture name="c" type="2d" builtin="checker" width="16" height="16" rgb1="1 0 0" rgb2="0 1 0" mark="edge"/>
      <texture name="sky" type="skybox" builtin="gradient" width="8" height="48" rgb1=".3 .5 .7"/>
        <material name="grid" texture="c" texrepeat="3 3" reflectance=".2"/>
      <mesh name="tet" vertex="0 0 0 1 0 0 0 1 0 0 0 1" scale=".5 .6 .7"/>
        <mesh name="cone" builtin="supersphere" params="9 .7 1.3" scale=".2 .3 .4"/>
      <hfield name="h" nrow="3" ncol="4" size="1 1 .5 .1" elevation="0 1 2 3 4 5 6 7 8 9 1 2"/></asset>""",
)

CABLE = """<mujoco><extension><plugin plugin="mujoco.elasticity.cable"/></extension><worldbody>
    <composite prefix="p" type="cable" count="6 1 1"
  curve="s cos(s) 0" size="1 .2 1" initial="free"><plugin plugin="mujoco.elasticity.cable"><config key="bend" value="1e5"/>
    </plugin>
  <joint kind="main" damping=".1"/><geom type="capsule" size=".02"/></composite></worldbody></mujoco>"""
MODELS["cable"] = CABLE


def sheet(n, collapsed, seed=0):
    """A bumpy sheet of 2 n n triangles, some without area: their circumcentres are no numbers, so
    the steps of the median search show.
    """
    rng = np.random.default_rng(seed)
    x, y = np.meshgrid(range(n + 1), range(n + 1))
    vertex = np.stack([x, y, rng.uniform(0, 1, x.shape)], -1).ravel()
    i = (np.arange(n)[:, None] * (n + 1) + np.arange(n)).ravel()
    face = np.concatenate([np.stack([i, i + 1, i + n + 2], 1), np.stack([i, i + n + 2, i + n + 1], 1)])
    lost = rng.choice(len(face), collapsed, False)
    face[lost, 2] = face[lost, 1]
    numbers = [" ".join(f"{v:.4g}" for v in part.ravel()) for part in (vertex, face)]
    return f'<mesh name="sheet{n}" inertia="shell" vertex="{numbers[0]}" face="{numbers[1]}"/>'


model(
    "sheets", '<geom type="mesh" mesh="sheet4"/><geom type="mesh" mesh="sheet8"/>', f"<asset>{sheet(4, 5)}{sheet(8, 5)}</asset>"
)


def robot(joints):
    """A URDF chain; one letter for each joint: f fixed, c continuous. Every third link has no shape."""
    parts = []
    for i in range(len(joints) + 1):
        shape = (
            f'<collision><origin xyz="0 0 .{i}"/><geometry><box size=".1 .2 .{i + 1}"/></geometry></collision>' if i % 3 else ""
        )
        parts.append(
            f'<link name="l{i}"><inertial><mass value="{i + 1}"/><inertia ixx=".1" iyy=".2" izz=".15" ixy="0" ixz="0" iyz="0"/>'
            f"</inertial>{shape}{shape.replace('xyz=', 'xyz=' if i % 2 else 'rpy=')}</link>"
        )
    for i, kind in enumerate(joints):
        parts.append(
            f'<joint name="j{i}" type="{ {"f": "fixed", "c": "continuous"}[kind] }"><parent link="l{i}"/><child '
            f'link="l{i + 1}"/>'
            f'<origin xyz=".{i} .2 0" rpy="0 .{i} .1"/><axis xyz="0 1 0"/></joint>'
        )
    return f'<robot name="chain">{"".join(parts)}</robot>'


# links that are fused: volumes of merged bodies, with traces of those before, which are not there when it is read back
FUSED = robot("fcffcffff")

SLIDER = '<body name="b" pos="1 0 0"><joint type="slide" ref=".5"/><geom size=".1"/></body>'
# infinite planes that are turned: boxes so large that the way of turning them shows
model(
    "walls",
    "".join(
        f'<geom type="plane" size="0 0 1" pos="{x} 0 0" zaxis="{x} {y} .3"/>' for x, y in ((1, 0), (-1, 0.2), (0.3, -1), (0, 1))
    ),
)

FLOATER = '<body name="f" pos="0 0 3"><freejoint/><geom size=".2"/></body>'
STONE = '<body name="stone" mocap="true" pos="0 0 5" euler="0 0 90"><geom size=".1"/></body>'
# key frames of models that grow by copies, and keys of fewer numbers than the state: (bodies, keys)
KEYS = {
    "copied": (f'<replicate count="3">{SLIDER}</replicate>', '<key name="k" qpos="1" qvel="2"/><key time="3"/>'),
    "behind": (f'{FLOATER}<replicate count="2">{SLIDER}</replicate>', '<key name="k" qpos="1 2 3 1 0 0 0 9"/>'),
    "before": (f'<replicate count="2">{SLIDER}</replicate>{FLOATER}', '<key name="k" qpos="5"/>'),
    "twice": (
        f'<replicate count="2"><replicate count="2" sep="-">{SLIDER}</replicate></replicate>',
        '<key name="k" qpos="1"/>',
    ),
    "stones": (f'<replicate count="2">{STONE}</replicate>', '<key name="k" mpos="1 2 3"/>'),
    "short": (
        SLIDER + '<body><joint ref="90"/><geom size=".1"/></body>' + STONE + STONE.replace("stone", "other"),
        '<key qpos="1" mpos="1 2 3" mquat="1 0 0 0"/>',
    ),
}
for _name, (_bodies, _keys) in KEYS.items():
    MODELS["keys_" + _name] = f"<mujoco><worldbody>{_bodies}</worldbody><keyframe>{_keys}</keyframe></mujoco>"

# bodies at the top are for files that others include: no one reads them
MODELS["top"] = '<mujoco><body name="unread"><geom size="1"/></body><frame/><worldbody><body name="read"/></worldbody></mujoco>'

model(
    "pinhole",
    '<camera focal="16777217 1" sensorsize="1 1" resolution="100 100"/><camera focal=".3 .7" sensorsize=".2 .3" '
    'resolution="9 7"/>',
)
