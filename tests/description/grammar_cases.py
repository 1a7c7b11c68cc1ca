"""For every element of MJCF the attributes it is tried with: made up from the grammar, with words where a made-up one has no
sense.

A row is the element's path and its trials. A trial lists `attribute=value`; one that starts with `*` also has all other
attributes of the element but those behind a `-`. Children behind a `-` and siblings behind a `^` are taken out. SCENES holds,
for each path, the text in which the element stands.
"""

TREE = """<mujoco><default><default class="c"/><default class="d"><geom rgba="1 0 0 1"/></default></default>
  <asset><material name="mat"/><texture name="tex" type="cube" builtin="flat" width="4" height="4"/>
  <mesh name="tet" vertex="0 0 0 1 0 0 0 1 0 0 0 1"/><hfield name="hf" nrow="2" ncol="2" size="1 1 1 1"/></asset>
  <worldbody><body name="b" pos="0 0 1"><inertial pos="0 0 0" mass="1" diaginertia="1 1 1"/><joint name="x"/>
    <geom name="first" size=".1"/><site name="s0"/><camera name="v"/>
    <light name="l"/><frame><geom name="inside" size=".1" pos=".1 0 0"/></frame></body>
  <body name="f" pos="1 0 1"><freejoint name="free"/><geom size=".1" pos=".1 .2 .3"/><geom size=".1" pos=".2 0 0"/>
    <site name="s1" pos="1 0 0"/></body>
  <replicate count="2"><body name="r"><geom name="gr" size=".1"/></body></replicate></worldbody></mujoco>"""
FLEX = """<mujoco><asset><material name="mat"/></asset><worldbody>
    <flexcomp name="grid" type="grid" count="3 3 1" spacing=".1 .1 .1" dim="2" radius=".01" mass="1">
  <edge equality="true"/><elasticity young="100"/><contact selfcollide="none"/><pin id="0"/></flexcomp>
  <body name="v0"><joint/><geom size=".1"/></body><body name="v1" pos="1 0 0"><joint/><geom size=".1"/></body>
  <body name="v2" pos="0 1 0"><joint/><geom size=".1"/></body></worldbody>
  <deformable><flex name="tri" dim="2" body="v0 v1 v2" vertex="0 0 0 0 .1 0 0 0 .1" element="0 1 2">
    <contact selfcollide="none"/><edge/><elasticity/></flex>
  <skin name="sk" vertex="0 0 0 1 0 0 0 1 0" face="0 1 2"><bone body="v0" bindpos="0 0 0" bindquat="1 0 0 0" vertid="0 1 2"
    vertweight="1 1 1"/></skin>
  </deformable></mujoco>"""
CABLE = """<mujoco><extension><plugin plugin="mujoco.elasticity.cable"/></extension><asset><material name="mat"/></asset>\
<worldbody>
  <composite prefix="p" type="cable" count="5 1 1" curve="s 0 0" size="1" initial="none"><joint kind="main"/>\
<geom type="capsule" size=".02"/>
  <site/><plugin plugin="mujoco.elasticity.cable"><config key="bend" value="1e5"/></plugin></composite></worldbody></mujoco>"""
PLUGINS = """<extension><plugin plugin="mujoco.pid"><instance name="pid"><config key="kp" value="3"/></instance></plugin>
  <plugin plugin="mujoco.sensor.touch_grid"/></extension>"""
LINKS = """<mujoco>PLUGINS
  <default><default class="c"/></default><asset><material name="mat"/></asset>
  <worldbody><body name="b0"><joint name="j0" axis="0 1 0" range="-1 1"/><geom name="g0" size=".1"/>
    <site name="s0" pos=".3 0 0"/><camera name="cam" resolution="4 3"/>
    <body name="b1" pos=".5 0 0"><joint name="j1" range="-1 1"/><geom name="g1" size=".1"/><site name="s1" pos="0 .2 0"/>
      </body></body>
  <body name="b2" pos="0 0 2"><joint name="ball" type="ball" range="0 1"/><geom name="g2" size=".1"/></body>
  <body name="m" mocap="true"/><site name="w" pos="0 0 1"/></worldbody>
  <contact><pair geom1="g0" geom2="g2"/><exclude body1="b0" body2="b2"/></contact>
  <deformable><flex name="tri" dim="2" body="b0 b1 b2" vertex="0 0 0 0 .1 0 0 0 .1" element="0 1 2"/></deformable>
  <equality><connect body1="b0" body2="b2" anchor="0 0 0"/><weld body1="b1" body2="b2"/><joint joint1="j0"/>
    <tendon tendon1="fix"/><flex flex="tri"/></equality>
  <tendon><spatial name="spa" range="0 9"><site site="w"/><site site="s0"/><geom geom="g1"/><site site="s1"/>
    <pulley divisor="2"/><site site="w"/><site site="s1"/></spatial>
    <fixed name="fix" range="-1 1"><joint joint="j0" coef="1"/></fixed></tendon>
  <actuator>ACTUATORS</actuator><sensor>SENSORS</sensor>
  <keyframe><key/></keyframe><custom><numeric name="n" data="1 2"/><text name="t" data="x"/><tuple name="u">
    <element objtype="body" objname="b0"/></tuple></custom>
  </mujoco>"""
ASSETS = """<mujoco><default><default class="c"/></default><asset>\
<texture name="tex" type="2d" builtin="checker" width="8" height="8"/>
  <texture name="new" type="2d" builtin="flat" width="8" height="8"/><material name="old"/>
  <material name="mat"><layer texture="tex" role="rgb"/></material><mesh name="tet" vertex="0 0 0 1 0 0 0 1 0 0 0 1"/>
  <hfield name="hf" nrow="2" ncol="3" size="1 1 1 1" elevation="0 1 2 3 4 5"/>
  <skin name="sk" vertex="0 0 0 1 0 0 0 1 0" face="0 1 2"><bone body="b" bindpos="0 0 0" bindquat="1 0 0 0" vertid="0 1 2"\
 vertweight="1 1 1"/></skin></asset>
  <worldbody><body name="b"><freejoint/><geom type="mesh" mesh="tet"/></body><geom type="hfield" hfield="hf"/></worldbody>\
</mujoco>"""
SETTINGS = """<mujoco><compiler><lengthrange/></compiler><option><flag/></option><size/><statistic/>
  <visual><global/><quality/><headlight/><map/><scale/><rgba/></visual>
  <worldbody><body name="b" pos="0 0 1"><joint name="j" range="-10 20" axis="0 1 0"/>
    <geom name="g" type="capsule" size=".1 .2" euler="10 20 30" group="4"/>
    <body name="s" pos="0 0 .5"><geom name="v" size=".1" contype="0" conaffinity="0"/></body></body>
    <body name="f" pos="1 0 1"><freejoint/><geom size=".1" pos=".1 .2 .3"/></body></worldbody>
  <actuator><muscle joint="j"/></actuator></mujoco>"""
DEFAULTS = """<mujoco><default><ELEMENT/></default><asset><texture name="tex" type="2d" builtin="flat" width="4" height="4"/>
    <material name="mat"/>
  <mesh name="tet" vertex="0 0 0 1 0 0 0 1 0 0 0 1"/><material name="second" emission=".7"/></asset>
  <worldbody><body name="b0"><joint name="j0" range="-1 1"/><geom name="g0" size=".1 .1 .1"/><geom type="mesh" mesh="tet"/>
    <site name="s0"/><camera/><light/>
    <body name="b1" pos=".5 0 0"><joint name="j1" damping="7"/><geom name="g1" size=".2 .2 .2" group="3"/>
      <site name="s1" pos="0 .2 0" group="4"/></body></body>
    <body name="free" pos="0 0 3"><freejoint/><geom size=".1 .1 .1"/></body></worldbody>
  <contact><pair geom1="g0" geom2="g1"/></contact><equality><joint joint1="j0" joint2="j1"/></equality>
  <tendon><fixed name="fix"><joint joint="j0" coef="1"/></fixed><spatial name="spa" group="2"><site site="s0"/>
    <site site="s1"/></spatial></tendon>
  <actuator>ACTUATORS</actuator></mujoco>"""
SCENES = (
    ("default", DEFAULTS),
    ("worldbody/composite", CABLE),
    ("worldbody/flexcomp", FLEX),
    ("worldbody", TREE),
    ("deformable", FLEX),
    ("asset", ASSETS),
    ("extension", LINKS),
    ("custom", LINKS),
    ("contact", LINKS),
    ("equality", LINKS),
    ("tendon", LINKS),
    ("actuator", LINKS),
    ("sensor", LINKS),
    ("keyframe", LINKS),
    ("", SETTINGS),
)

TURNS = "axisangle=0 1 1 40;-quat;-xyaxes;-zaxis;-euler"
TURN = ["xyaxes=0 1 0 0 0 1", "zaxis=1 1 1", "euler=10 20 30", "quat=1 2 3 4"]
JOINT = "type=slide;range=-.2 .3;limited=true;actuatorfrclimited=true;actuatorfrcrange=-2 3;springdamper=.1 1;ref=.1"
GEOM = (
    "type=ellipsoid;condim=4;priority=-2;material=mat;-density;-shellinertia;-fromto;-hfield;-mesh;-fitscale;"
    "fluidshape=ellipsoid"
)
GEOMS = [
    "density=30",
    "shellinertia=true",
    "type=capsule;fromto=0 0 0 .1 .2 .3",
    "type=hfield;hfield=hf;-size",
    "type=box;mesh=tet;fitscale=1.5",
    "type=mesh;mesh=tet",
]
SITE = "type=box;material=mat;-fromto"
CAMERA = "orthographic=true;resolution=640 480;sensorsize=.02 .01;-fovy;-focalpixel;-principalpixel"
CAMERAS = ["fovy=30", "resolution=640 480;sensorsize=.02 .01;focalpixel=300 200;principalpixel=3 4"]
LIGHT = "type=point;castshadow=false;active=false;-directional;dir=1 0 -1;cutoff=30"
TENDON = "limited=true;range=.1 .9;springlength=.1 .4;material=mat;armature=0"
DRIVE = "joint=j0;forcelimited=true;forcerange=-2 3;ctrllimited=true;ctrlrange=-.5 .7;lengthrange=.1 .9"
OTHERS = "-jointinparent;-tendon;-slidersite;-cranksite;-cranklength;-site;-refsite"
TARGETS = [
    "jointinparent=ball",
    "tendon=fix;gear=3",
    "cranksite=s0;slidersite=s1;cranklength=.7",
    "site=s0;refsite=w;gear=1 2 3 4 5 6",
]
SENSOR = "cutoff=0"
PAIR = ["*geom1=g0;geom2=g1;-body1;-body2", "*body1=b0;body2=b1;-geom1;-geom2"]
CONTACT = "condim=4;priority=2"
FLEX_CONTACT = CONTACT + ";selfcollide=sap;passive=true;vertcollide=true"
MUSCLE = "scale=30;lmin=.4;lmax=1.7;vmax=1.6;fpmax=1.2;fvmax=1.3"

# path: trials
ROWS = {
    "compiler": [
        "*angle=radian;settotalmass=30;-discardvisual;-fusestatic;-strippath;coordinate=local;eulerseq=zyx;"
        "inertiafromgeom=auto;inertiagrouprange=0 4;"
        "meshdir=a;texturedir=b;-assetdir;boundmass=.001;boundinertia=.001;autolimits=true;usethread=false",
        "discardvisual=true",
        "fusestatic=true",
        "inertiafromgeom=true",
        "assetdir=x",
        "strippath=true",
        "alignfree=true",
        "fitaabb=true",
        "boundmass=100;boundinertia=50",
    ],
    "compiler/lengthrange": [
        "*mode=muscle;timestep=.01;tolrange=10;interval=1;inttotal=2;timeconst=1;accel=20;maxforce=0;uselimit=true;"
        "useexisting=false"
    ],
    "option": ["*integrator=implicit;cone=elliptic;jacobian=sparse;solver=CG;actuatorgroupdisable=1 3"],
    "option/flag": ["*", "constraint=disable;gravity=disable;energy=enable;multiccd=enable"],
    "size": ["*memory=3M;-njmax;-nstack;nconmax=20", "njmax=20;nconmax=30;nstack=20"],
    "visual/global": ["*realtime=.5;cameraid=0"],
    "visual/headlight": ["*active=0"],
    "visual/map": ["*znear=.02"],
    "default/mesh": ["*maxhullvert=20;inertia=exact"],
    "default/material": ["*texture=tex;texuniform=true"],
    "default/material/layer": ["texture=tex;role=normal"],
    "default/joint": ["*" + JOINT, "type=hinge;range=-20 30;ref=10;springref=20"],
    "default/geom": [f"*{GEOM};{TURNS}", GEOMS[0], *TURN],
    "default/site": [f"*{SITE};{TURNS}", *TURN],
    "default/camera": [f"*{CAMERA};mode=track;{TURNS}", *CAMERAS, *TURN],
    "default/light": ["*" + LIGHT + ";mode=track", "directional=true"],
    "default/pair": ["*condim=4"],
    "default/equality": ["*active=false"],
    "default/tendon": ["*" + TENDON.replace(";armature=0", ""), "springlength=.3"],
    "extension/plugin/instance/config": ["key=kd;value=2"],
    "custom/text": ["data=a b"],
    "custom/numeric": ["*size=4;data=1 .5 3"],
    "custom/tuple/element": ["*objtype=joint;objname=j0;prm=3"],
    "asset/mesh": [
        "*name=tet;class=c;-content_type;-file;vertex=0 0 0 1 0 0 0 1 0 0 0 1;normal=0 0 1 1 0 0 0 1 0 0 0 "
        "-1;texcoord=0 0 0 1 1 0 1 1;"
        "face=0 2 1 0 1 3 0 3 2 1 2 3;maxhullvert=10;inertia=exact;-builtin;-params;material=old;smoothnormal=true;scale=2 1 3",
        "builtin=cone;params=8 0.5;-vertex",
        "file=a.obj;content_type=model/obj;-vertex",
    ],
    "asset/hfield": [
        "*name=hf;-file;-content_type;nrow=2;ncol=3;size=1 2 3 4;elevation=6 5 4 3 2 1",
        "file=a.bin;content_type=image/vnd.mujoco.hfield;-nrow;-ncol;-elevation",
    ],
    "asset/skin": [
        "*name=sk;-file;material=old;vertex=0 0 0 1 0 0 0 2 0;texcoord=0 0 1 0 0 1;face=0 2 1",
        "file=a.skn;-vertex;-face;-bone",
    ],
    "asset/texture": [
        "*name=tex;type=2d;colorspace=sRGB;-content_type;-file;-gridsize;-gridlayout;-fileright;-fileleft;-fileup;"
        "-filedown;-filefront;-fileback;"
        "builtin=checker;mark=random;-hflip;-vflip;nchannel=4;width=8;height=6",
        "type=cube;builtin=gradient;mark=edge;width=6;height=36",
        "type=2d;file=a.png;content_type=image/png;hflip=true;vflip=true;-builtin;-width;-height",
        "type=cube;file=a.png;gridsize=2 2;gridlayout=RLUD;-builtin;-width;-height",
        "type=cube;fileright=a.png;fileleft=a.png;fileup=a.png;filedown=a.png;filefront=a.png;fileback=a.png;"
        "-builtin;-width;-height",
    ],
    "asset/material": ["*name=old;class=c;texture=tex;texuniform=true"],
    "asset/material/layer": ["texture=new;role=orm"],
    "deformable/flex": [
        "*name=tri;dim=2;body=v2 v0 v1;vertex=0 0 0 0 .2 0 0 0 .2;element=0 2 1;texcoord=0 0 1 0 0 "
        "1;elemtexcoord=0 2 1;-node;material=mat",
        "dim=3;node=v0 v1 v2 v0 v1 v2 v0 v1;body=v0 v0 v0 v0;vertex=0 0 0 1 0 0 0 1 0 0 0 1;element=0 1 2 3",
    ],
    "deformable/flex/contact": ["*" + FLEX_CONTACT],
    "deformable/flex/elasticity": ["*elastic2d=stretch;poisson=.2"],
    "deformable/flex/edge": ["damping=.3"],
    "deformable/skin/bone": ["*body=v1;vertid=2 1 0;vertweight=1 .5 1"],
    "asset/skin/bone": ["*body=world;vertid=2 1 0;vertweight=1 .5 1"],
    "deformable/skin": ["*name=sk;-file;material=mat;vertex=0 0 0 1 0 0 0 2 0;texcoord=0 0 1 0 0 1;face=0 2 1"],
    "contact/pair": ["*class=c;geom1=g1;geom2=g2;condim=6"],
    "contact/exclude": ["*body1=b1;body2=b2"],
    "equality/connect": ["*class=c;active=false;body1=b1;body2=b2;-site1;-site2", "site1=s0;site2=w;-body1;-body2;-anchor"],
    "equality/weld": [
        "*class=c;active=false;body1=b0;body2=b2;relpose=1 2 3 1 0 0 0;-site1;-site2",
        "site1=s0;site2=w;-body1;-body2",
    ],
    "equality/joint": ["*class=c;active=false;joint1=j0;joint2=j1"],
    "equality/tendon": ["*class=c;active=false;tendon1=fix;tendon2=spa"],
    "equality/flex": ["*class=c;active=false;flex=tri"],
    "tendon/spatial": [
        f"*name=spa;class=c;{TENDON};actuatorfrclimited=true;actuatorfrcrange=-2 3",
        "springlength=.3",
        "armature=.4;width=.1;-geom",
    ],
    "tendon/spatial/site": ["site=s1"],
    "tendon/spatial/geom": ["geom=g1;sidesite=w"],
    "tendon/fixed": [
        "*name=fix;class=c;limited=true;range=.1 .9;springlength=.1 .4;actuatorfrclimited=true;actuatorfrcrange=-2 3",
        "springlength=.3",
    ],
    "tendon/fixed/joint": ["joint=j1;coef=-2"],
    "keyframe/key": ["*time=3;qpos=.1 .2 .5 .5 .5 .5;qvel=1 2 3 4 5;act=.1;mpos=1 2 3;mquat=0 1 0 0;ctrl=.1"],
    "worldbody/body": ["*childclass=d;-mocap;sleep=never;" + TURNS, *TURN, "mocap=true;-joint;-sleep"],
    "worldbody/body/inertial": [
        "pos=1 2 3;mass=2;diaginertia=1 1.2 .9;quat=1 2 3 4",
        "pos=1 2 3;mass=2;fullinertia=1 1.2 .9 .05 .02 .01;-diaginertia",
        "pos=0 0 0;mass=1;diaginertia=1 1.2 .9;axisangle=1 1 1 30",
        *(f"pos=0 0 0;mass=1;diaginertia=1 1.2 .9;{t}" for t in TURN[:3]),
    ],
    "worldbody/body/joint": [
        "*class=c;" + JOINT,
        "type=ball;limited=true;range=0 90",
        "range=-10 20;ref=10;springref=20;armature=1",
        "type=slide;axis=1 2 3",
    ],
    "worldbody/body/freejoint": ["name=new;group=3;align=true;-joint", "align=false", "align=auto"],
    "worldbody/body/geom": [f"*class=c;{GEOM};{TURNS}", *GEOMS, *TURN],
    "worldbody/body/site": [f"*class=c;{SITE};{TURNS}", "type=capsule;fromto=0 0 0 .1 .2 .3", *TURN],
    "worldbody/body/camera": [f"*class=c;{CAMERA};mode=targetbody;target=f;{TURNS}", *CAMERAS, *TURN],
    "worldbody/body/light": ["*class=c;" + LIGHT + ";mode=targetbody;target=f;texture=tex", "directional=true"],
    "worldbody/body/frame": ["*name=fr;childclass=d;" + TURNS, *TURN],
    "worldbody/replicate": ["*count=3;childclass=d;sep=-;euler=0 0 20"],
    "worldbody/composite": [
        "*prefix=q;type=cable;count=4 1 1;initial=free;curve=cos(s) sin(s) s;-vertex;size=1 .1 2",
        "vertex=0 0 0 1 0 0 1 1 0 2 1 0;-curve;-count;-size",
    ],
    "worldbody/composite/joint": ["*kind=main;type=ball;-axis;-solreffix;-solimpfix;limited=true;range=0 50", "axis=0 0 1"],
    "worldbody/composite/geom": ["*type=capsule;condim=4;material=mat;size=.03", "density=30;type=box;size=.1 .01 .02"],
    "worldbody/composite/site": ["*material=mat"],
    "worldbody/composite/plugin": ["plugin=mujoco.elasticity.cable;-config"],
    "worldbody/composite/plugin/config": ["key=twist;value=3e4"],
    "worldbody/flexcomp": [
        "*name=grid;type=grid;count=3 3 1;spacing=.1 .2 .1;dim=2;dof=full;-file;-point;-element;texcoord=0 0 0 1 0 "
        "0 0 1 0 0 0 1 0 0 0 1 0 0;material=mat;"
        "rigid=false;-origin;-inertiabox;radius=.02;" + TURNS,
        *TURN,
        "type=direct;point=0 0 0 1 0 0 0 1 0;element=0 1 2;-count;-spacing;inertiabox=.01",
        "dim=3;count=3 3 3;dof=trilinear;origin=.1 .1 .1;-edge;-elasticity;-pin",
        "rigid=true;-edge;-elasticity",
        "dof=radial;type=ellipsoid;dim=3;count=4 4 4",
    ],
    "worldbody/flexcomp/edge": ["*equality=true;-stiffness;damping=.3", "equality=false;damping=.4"],
    "worldbody/flexcomp/elasticity": ["*elastic2d=both;poisson=.2;^edge;^pin"],
    "worldbody/flexcomp/contact": ["*" + FLEX_CONTACT + ";margin=.01;gap=.005"],
    "worldbody/flexcomp/pin": ["id=1 2", "range=1 3", "grid=0 0 1 1", "gridrange=0 0 1 1"],
    "sensor/camprojection": ["*site=s1;camera=cam"],
    "sensor/insidesite": ["*site=s1;objtype=body;objname=b1"],
    "sensor/contact": [
        "*geom1=g0;body2=b1;-geom2;-body1;-subtree1;-subtree2;-site;num=3;data=found force pos;reduce=netforce",
        "body1=b0;geom2=g1",
        "subtree1=b0;subtree2=b2",
        "site=s0",
    ],
    "sensor/distance": PAIR,
    "sensor/normal": PAIR,
    "sensor/fromto": PAIR,
    "sensor/user": ["*objtype=site;objname=s0;datatype=positive;needstage=vel;dim=3"],
    "sensor/plugin": ["*plugin=mujoco.sensor.touch_grid;-instance;objtype=site;objname=s0;-reftype;-refname"],
    "sensor/plugin/config": ["key=gamma;value=.5"],
    "actuator/plugin/config": ["key=kp;value=7"],
    "actuator/plugin": [
        f"*{DRIVE};{OTHERS};plugin=mujoco.pid;-instance;actlimited=true;actrange=-2 "
        "3;-actdim;dyntype=none;-actlimited;-actrange;actearly=true",
        "instance=pid;joint=j0;-plugin;-config",
    ],
    "actuator/general": [
        f"*class=c;{DRIVE};{OTHERS};-body;actlimited=true;actrange=-2 "
        "3;actdim=2;dyntype=user;gaintype=affine;biastype=affine;actearly=true",
        *TARGETS,
        "body=b0",
        "cranksite=s0;slidersite=s1;cranklength=.3",
    ],
    "actuator/position": [
        f"*class=c;{DRIVE};{OTHERS};-inheritrange;-dampratio",
        "dampratio=.7;joint=j0;-kv",
        "inheritrange=.8;joint=j0",
        "timeconst=.3;joint=j0",
        *TARGETS,
    ],
    "actuator/intvelocity": [
        f"*class=c;{DRIVE};{OTHERS};-inheritrange;-dampratio;actrange=-2 3",
        "dampratio=.7;joint=j0;-kv;actrange=0 1",
        "inheritrange=.8;joint=j0;-actrange",
        *(t + ";actrange=0 1" for t in TARGETS),
    ],
    "actuator/damper": [f"*class=c;{DRIVE};{OTHERS};-ctrllimited;ctrlrange=0 .7", *(t + ";ctrlrange=0 1" for t in TARGETS)],
    "actuator/cylinder": [f"*class=c;{DRIVE};{OTHERS};-diameter", "diameter=.3;joint=j0", *TARGETS],
    "actuator/muscle": [
        f"*class=c;{DRIVE};{OTHERS};range=.6 1.1;timeconst=.02 .05;{MUSCLE}",
        *(t + ";lengthrange=0 1" for t in TARGETS[:3]),
    ],
    "actuator/adhesion": [f"*class=c;{DRIVE};-joint;-ctrllimited;-lengthrange;ctrlrange=0 1;body=b1"],
}
for _name in ("motor", "velocity"):
    ROWS["actuator/" + _name] = [f"*class=c;{DRIVE};{OTHERS}", *TARGETS]
for _name in ("general", "motor", "position", "velocity", "intvelocity", "damper", "cylinder", "muscle", "adhesion"):
    ROWS["default/" + _name] = [
        ROWS["actuator/" + _name][0].replace("class=c;", "") + ";-joint;-body;-lengthrange;-cranklength",
        "cranklength=.3;ctrlrange=0 1" + (";actrange=0 1" if _name == "intvelocity" else ""),
    ]
ROWS["default/adhesion"].pop()
ROWS["default/general"] += [
    ROWS["default/general"].pop(0) + ";dyntype=none;-actdim;-actlimited;-actrange",
    "dyntype=integrator;actlimited=true;actrange=-2 3;actdim=1",
]
ROWS["default/position"] += ["dampratio=.7", "inheritrange=.8"]
ROWS["default/intvelocity"] += ["dampratio=.7;actrange=0 1", "inheritrange=.8"]
ROWS["default/cylinder"] += ["diameter=.3"]
for _name in ("touch accelerometer velocimeter gyro force torque magnetometer rangefinder").split():
    ROWS["sensor/" + _name] = ["*site=s1"]
for _name in ("pos", "vel", "limitpos", "limitvel", "limitfrc"):
    ROWS["sensor/joint" + _name] = ["*joint=j1"]
    ROWS["sensor/tendon" + _name] = ["*tendon=spa"]
ROWS["sensor/jointactuatorfrc"], ROWS["sensor/tendonactuatorfrc"] = ["*joint=j1"], ["*tendon=spa"]
for _name in ("pos", "vel", "frc"):
    ROWS["sensor/actuator" + _name] = ["*actuator=act"]
for _name in ("ballquat", "ballangvel"):
    ROWS["sensor/" + _name] = ["*joint=ball;cutoff=0"]
for _name in ("pos", "quat", "xaxis", "yaxis", "zaxis", "linvel", "angvel", "linacc", "angacc"):
    ROWS["sensor/frame" + _name] = [
        "*objtype=geom;objname=g1;cutoff=0" + (";reftype=site;refname=w" if "acc" not in _name else "")
    ]
for _name in ("com", "linvel", "angmom"):
    ROWS["sensor/subtree" + _name] = ["*body=b1"]
# what needs parts that are not made in a test of texts alone, with the test that has them
ELSEWHERE = {
    "default/texture": "of later releases: tests/newer",
    "extension/plugin": "every use of a plugin",
    "extension/plugin/instance": "every use of an instance",
    "custom/tuple": "its elements",
    "worldbody/body/plugin": "cables: test_write",
    "worldbody/body/plugin/config": "cables: test_write",
    "asset/model": "attached models: test_write",
    "worldbody/body/attach": "attached models: test_write",
    "asset/mesh/plugin": "fields: test_write",
    "worldbody/body/geom/plugin": "fields: test_write",
    "asset/mesh/plugin/config": "fields: test_write",
    "worldbody/body/geom/plugin/config": "fields: test_write",
    "sensor/tactile": "fields: test_write",
    "worldbody/composite/skin": "of types that are gone",
    "body": "not read: test_parity",
    "frame": "not read: test_parity",
    "replicate": "not read: test_parity",
    "worldbody/flexcomp/plugin": "of types that are gone",
    "worldbody/flexcomp/plugin/config": "of types that are gone",
}
LEFT = {
    "deformable/skin": {"file"},
    "default/geom": {"shellinertia", "fromto", "hfield", "mesh", "fitscale"},
    "default/site": {"fromto"},
    "worldbody/flexcomp": {"file"},
    "worldbody/composite/joint": {"solreffix", "solimpfix"},
    "worldbody/composite/geom": {"priority"},
    "worldbody/composite/plugin": {"instance"},
    "deformable/flex/edge": {"stiffness"},
    "sensor/plugin": {"instance", "reftype", "refname"},
    "actuator/plugin": {
        "actlimited",
        "actrange",
        "actdim",
        "jointinparent",
        "tendon",
        "slidersite",
        "cranksite",
        "cranklength",
        "site",
    },
    "worldbody/flexcomp/edge": {"stiffness"},
}
