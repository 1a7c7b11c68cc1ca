"""Scripts about fixes that the reference's list of changes does not name: meshes, sensors, constraints, descriptions. See
`fixes`."""

import pathlib
import struct
import tempfile
import xml.etree.ElementTree as ET

import numpy as np

from .fixes_physics import CUBE, fate


# ---- meshes, skins, sensors --------------------------------------------------------------------------------------------
def flat_meshes(mj, load):
    """Meshes without volume, with a hull and without; and a hull for the inertia of a mesh that no geom uses."""
    found, text = (
        {},
        '<mujoco><asset><mesh name="m" {}/></asset><worldbody><geom type="mesh" mesh="m" {}/></worldbody></mujoco>',
    )
    sets = {
        "point": "1 1 1 1 1 1 1 1 1 1 1 1",
        "line": "0 0 0 1 0 0 2 0 0 3 0 0",
        "plane": "0 0 0 1 0 0 0 1 0 1 1 0 3 2 0",
        "thin": "0 0 0 1 0 0 0 1 0 1 1 1e-6 3 2 0",
        "thinner": "0 0 0 1 0 0 0 1 0 1 1 1e-12 3 2 0",
    }
    for name, points in sets.items():
        for kind, more in (("hull", ""), ("shell", 'contype="0" conaffinity="0"')):
            whole = f'vertex="{points}" face="0 1 2 1 3 2" inertia="shell"' if kind == "shell" else f'vertex="{points}"'
            found[f"{name}.{kind}"] = fate(load, text.format(whole, more))
    m = load(f'<mujoco><asset><mesh name="m" inertia="convex" vertex="{CUBE}"/></asset></mujoco>')
    return found | {"graph": m.mesh_graph, "graphadr": m.mesh_graphadr, "pos": m.mesh_pos, "polygons": m.mesh_polynum}


def skin(points=3, faces=((0, 1, 2),), ids=(0, 1, 2), weights=(1.0, 0.5, 0.25), counts=None, cut=None):
    """Bytes of a skin file."""
    sizes = counts or (points, 0, len(faces), 1)
    found = struct.pack("<4i", *sizes) + np.arange(3 * points, dtype=np.float32).tobytes()
    found += np.array(faces, np.int32).tobytes() + b"b".ljust(40, bytes(1))
    found += np.array([0, 0, 0, 1, 0, 0, 0], np.float32).tobytes() + struct.pack("<i", len(ids))
    found += np.array(ids, np.int32).tobytes() + np.array(weights, np.float32).tobytes()
    return found[:cut]


def skin_files(mj, load):
    """Skins from files: a sound one, and ones whose sizes do not fit."""
    text = (
        '<mujoco><worldbody><body name="b"><geom size=".1"/></body></worldbody><deformable><skin name="s" file="a.skn"/>'
        "</deformable></mujoco>"
    )
    found, big = {}, 2**31 - 1
    files = {
        "sound": skin(),
        "vertices": skin(counts=(big, 0, 1, 1)),
        "texture": skin(counts=(3, big, 1, 1)),
        "faces": skin(counts=(3, 0, big, 1)),
        "bones": skin(counts=(3, 0, 1, big)),
        "bone": skin(counts=(3, 0, 1, 2)),
        "negative": skin(counts=(3, 0, -1, 1)),
        "cut": skin(cut=-4),
        "short": skin(cut=40),
        "long": skin() + bytes(4),
    }
    for name, data in files.items():
        found[name] = fate(mj.MjModel.from_xml_string, text, {"a.skn": data})
    m = mj.MjModel.from_xml_string(text, {"a.skn": files["sound"]})
    return found | {k: getattr(m, k) for k in ("skin_vert", "skin_bonevertid", "skin_bonevertweight", "skin_face")}


FIELD = """<mujoco><asset><mesh name="m" builtin="{kind}" params="{params}"/></asset><worldbody>
  <body><freejoint/><geom type="sdf" mesh="m"/></body></worldbody></mujoco>"""


def fields_of_meshes(mj, load):
    """Trees and values of the signed distance fields of meshes, and their depth."""
    found = {}
    for kind, params in (("sphere", "2"), ("supertorus", "12 .5 1 1"), ("cone", "6 .5")):
        m = load(FIELD.format(kind=kind, params=params))
        names = ("oct_depth", "oct_child", "oct_aabb", "oct_coeff")
        found |= {f"{kind}.{name}": getattr(m, name)[::97] for name in names} | {f"{kind}.count": len(m.oct_depth)}
    return found


TOUCH = """<mujoco><asset><mesh name="pad" {pad}/></asset><worldbody><body><geom size=".1" {off}/></body>
  <body pos="0 0 1"><geom name="g" type="mesh" mesh="pad" {own}/></body><body pos="{ball}"><freejoint/><geom size=".3"/></body>
  </worldbody><sensor><tactile geom="g" mesh="pad"/></sensor></mujoco>"""
OFF = 'contype="0" conaffinity="0"'
PADS = {
    "made": 'builtin="sphere" params="0"',
    "normals": f'vertex="{CUBE}" normal="{CUBE}" face="0 1 2 1 3 2 4 6 5 5 6 7"',
    "plain": f'vertex="{CUBE}" face="0 1 2 1 3 2 4 6 5 5 6 7"',
}


def tactile_pads(mj, load):
    """Tactile sensors on meshes with and without tangents, where other bodies collide or not."""
    found = {}
    for name, pad in PADS.items():
        for off in ("", OFF):
            for own in ("", OFF):
                text = TOUCH.format(pad=pad, off=off, own=own, ball=".9 .4 1.3")
                key = f"{name}{int(not off)}{int(not own)}"
                found[key] = fate(load, text)
                if found[key]:
                    m = load(text)
                    d = mj.MjData(m)
                    d.qvel[:] = 1, 2, 3, 4, 5, 6
                    mj.mj_forward(m, d)
                    found[key] = d.sensordata.copy()
    return found


SWING = """<mujoco><worldbody><body pos="0 0 1"><joint axis="0 1 0"/><geom size=".1" pos=".3 0 0"/><site name="s" pos=".3 0 0"/>
  </body></worldbody><sensor><accelerometer site="s"/><force site="s"/><torque site="s"/></sensor></mujoco>"""


def sensors_of_half_steps(mj, load):
    """Sensors of the acceleration stage after each half of a step, when the first half computed them too."""
    m = load(SWING)
    d, found = mj.MjData(m), []
    for _ in range(3):
        mj.mj_step1(m, d)
        mj.mj_rnePostConstraint(m, d)
        mj.mj_step2(m, d)
        found.append(d.sensordata.copy())
        mj.mj_step(m, d)
        found.append(d.sensordata.copy())
    return {"sensors": found}


# ---- constraints, integration ------------------------------------------------------------------------------------------
JOINED = """<mujoco><option><flag island="enable"/></option><worldbody>{bodies}</worldbody><tendon>
  <fixed name="t">{parts}</fixed>
  <fixed name="u"><joint joint="j6" coef="1"/><joint joint="j7" coef="-1"/></fixed></tendon>
  <equality><tendon tendon1="t"/>
  <joint joint1="j1" joint2="j5"/><tendon tendon1="u"/></equality></mujoco>"""


def islands_of_many_trees(mj, load):
    """Islands of constraints that join more than two trees."""
    bodies = "".join(
        f'<body pos="{k} 0 0"><joint name="j{k}" axis="0 1 0"/><geom size=".1" pos=".2 0 0"/></body>' for k in range(9)
    )
    parts = "".join(f'<joint joint="j{k}" coef="{k + 1}"/>' for k in (0, 3, 1, 8))
    m = load(JOINED.format(bodies=bodies, parts=parts))
    d = mj.MjData(m)
    mj.mj_step(m, d)
    found = {"count": d.nisland, "trees": d.tree_island.copy(), "dofs": d.dof_island.copy(), "qvel": d.qvel.copy()}
    return found | {"rows": d.efc_island.copy()}


ARM = """<mujoco><option jacobian="sparse" cone="{}"/><worldbody><body><freejoint/><geom size=".1"/><body pos=".2 0 0">
  <joint axis="0 1 0"/><geom size=".1 .1" type="capsule"/><body pos=".25 0 0"><joint axis="0 0 1"/><geom size=".05 .1 .1"
  type="box"/></body><body pos="-.25 .1 0"><joint axis="0 0 1"/><geom size=".1"/></body></body></body></worldbody><contact>
  <pair geom1="{}" geom2="{}" condim="4"/></contact></mujoco>"""


def contacts_within_trees(mj, load):
    """Rows of contacts of bodies that share dofs: only those that differ are stored."""
    found = {}
    text = ARM.replace("<geom size=", '<geom name="@" size=')
    for name in "abcd":
        text = text.replace("@", name, 1)
    for cone in ("pyramidal", "elliptic"):
        for one, two in (("a", "d"), ("c", "d")):
            m = load(text.format(cone, one, two))
            d = mj.MjData(m)
            d.qvel[:] = np.random.default_rng(8).normal(size=m.nv)
            if one == "c":
                d.qpos[-2:] = 2.5, 0.4
            mj.mj_forward(m, d)
            key = f"{cone}{one}."
            found |= {key + "count": d.efc_J_rownnz.copy(), key + "column": d.efc_J_colind.copy(), key + "qacc": d.qacc.copy()}
    return found


def free_bodies_in_fluids(mj, load):
    """Free bodies in a fluid, by the integrators implicitfast and implicit."""
    text = """<mujoco><option integrator="{}" density="500" viscosity=".2" wind="1 2 3"/><worldbody><body><freejoint/>
      <geom type="ellipsoid" size=".1 .2 .3" {}/></body><body pos="2 0 0"><freejoint/><geom type="box" size=".1 .2 .3" {}/>
      <body><geom size=".1" pos=".4 0 0"/></body></body></worldbody></mujoco>"""
    found = {}
    for integrator in ("implicitfast", "implicit"):
        for shape in ("", 'fluidshape="ellipsoid"'):
            m = load(text.format(integrator, shape, shape))
            d = mj.MjData(m)
            d.qvel[:] = np.random.default_rng(9).normal(size=m.nv)
            mj.mj_step(m, d, 5)
            found[f"{integrator}{len(shape)}"] = np.concatenate([d.qpos, d.qvel])
    return found


# ---- descriptions ------------------------------------------------------------------------------------------------------
HELPED = """<mujoco><compiler fusestatic="{}"/><worldbody><body name="a" pos="0 0 1"><freejoint/><geom size=".1"/>
  <body pos="1 2 3" quat=".8 .3 -.4 .2"><geom type="box" size=".1 .2 .3" pos=".1 .2 .3"/>
  <camera name="c" pos=".1 0 0" quat=".5 .5 -.5 .5"/>
  <light name="l" pos="0 .2 0" dir="1 2 3"/><camera name="t" mode="targetbody" target="a"/><body pos="0 0 1"
  quat=".6 .8 0 0"><light name="k"/><geom size=".2" pos=".1 .2 .3"/></body></body></body></worldbody></mujoco>"""


def fused_cameras(mj, load):
    """Cameras and lights of bodies that are fused, and the inertia of what remains."""
    found = {}
    for word in ("false", "true"):
        m = load(HELPED.format(word))
        d = mj.MjData(m)
        mj.mj_forward(m, d)
        names = "cam_pos cam_quat cam_bodyid light_pos light_dir light_bodyid body_mass body_ipos body_inertia".split()
        found |= {word + name: getattr(m, name) for name in names} | {word + "seen": d.cam_xmat.copy()}
    return found


ADDED = """<mujoco><worldbody><body name="b"><joint/><geom name="g" size=".1"/><site name="s" pos="1 0 0"/><site name="t"
  pos="-1 0 0"/><site name="u" pos="0 1 0"/></body></worldbody><tendon><spatial name="w"><site site="s"/><geom geom="g"
  sidesite="u"/><site site="t"/></spatial></tendon></mujoco>"""


DYED = """<mujoco><asset><material name="m"/></asset><worldbody><flexcomp name="f" type="grid" dim="2" count="3 3 1" mass="1"
  spacing=".1 .1 .1" material="m"><edge equality="true"/></flexcomp></worldbody></mujoco>"""


def attached_paths(mj, load):
    """What tendons of attached models pass, elements of an attached model that are deleted, and materials of its flexes."""
    child, parent = mj.MjSpec.from_string(ADDED), mj.MjSpec()
    geom = child.body("b").geoms[0]
    parent.attach(child, prefix="x_", frame=parent.worldbody.add_frame())
    tendon = parent.tendon("x_w")
    found = {"targets": [part.target.name for part in tendon.path], "side": tendon.path[1].sidesite.name}

    def deleted():
        child.delete(geom)

    found |= {"deleted": fate(deleted), "paths": parent.compile().wrap_objid}

    child, parent = mj.MjSpec.from_string(DYED), mj.MjSpec()
    parent.attach(child, prefix="x_", frame=parent.worldbody.add_frame())
    return found | {"materials": parent.compile().flex_matid}


def grounds(mj, load):
    """Rows of a height field that a script changes in the model: in the spec, and saved."""
    spec = mj.MjSpec.from_string(
        '<mujoco><asset><hfield name="h" nrow="2" ncol="3" size="1 1 1 1" elevation="1 2 3 4 5 6"/>'
        '</asset><worldbody><geom type="hfield" hfield="h"/></worldbody></mujoco>'
    )
    m = spec.compile()
    found = {"read": m.hfield_data.copy(), "own": np.array(spec.hfields[0].userdata)}
    m.hfield_data[:] = 0, 0.1, 0.2, 0.3, 0.4, 1
    spec.copy_back(m)
    found["back"] = np.array(spec.hfields[0].userdata)
    saved = ET.fromstring(spec.to_xml()).find(".//hfield")
    return found | {"saved": np.array(saved.get("elevation").split(), float), "again": spec.compile().hfield_data}


CAMERAS = {
    "length": {"focal_length": [0.1, 0.2], "sensor_size": [0.02, 0.03], "resolution": [100, 200]},
    "pixel": {"focal_pixel": [50, 60], "sensor_size": [0.02, 0.03], "resolution": [100, 200]},
    "principal": {"focal_pixel": [50, 60], "principal_pixel": [3, 4], "sensor_size": [0.02, 0.03], "resolution": [100, 200]},
    "two": {"focal_pixel": [50, 60], "focal_length": [0.1, 0.2], "sensor_size": [0.02, 0.03], "resolution": [100, 200]},
    "doubled": {"principal_pixel": [5, 6], "principal_length": [0.1, 0.2], "sensor_size": [0.02, 0.03], "resolution": [9, 9]},
    "unsized": {"focal_pixel": [50, 60], "resolution": [100, 200]},
    "unresolved": {"focal_pixel": [50, 60], "sensor_size": [0.02, 0.03]},
    "sized": {"sensor_size": [0.02, 0.03], "resolution": [100, 200]},
    "plain": {"resolution": [100, 200]},
}


def lenses(mj, load):
    """Cameras that a script describes."""
    found = {}
    for name, fields in CAMERAS.items():
        spec = mj.MjSpec()
        camera = spec.worldbody.add_camera()
        for field, value in fields.items():
            setattr(camera, field, value)
        found[name] = np.array(fate(spec.compile))
        if found[name]:
            m = spec.compile()
            found[name] = np.concatenate(
                [m.cam_intrinsic.ravel(), m.cam_sensorsize.ravel(), m.cam_fovy, m.cam_resolution.ravel()]
            )
    return found


URDF = '<robot name="r"><link name="a"><inertial><mass value="2"/><inertia ixx="1" iyy="1" izz="1" ixy="0" ixz="0" iyz="0"/>\
</inertial></link></robot>'


def files_by_name(mj, load):
    """Files with the ending urdf as specs, and the files that a file depends on."""
    with tempfile.TemporaryDirectory() as name:
        path = pathlib.Path(name)
        (path / "a.urdf").write_text(URDF)
        (path / "b.xml").write_text('<mujocoinclude><asset><mesh file="m.stl"/></asset></mujocoinclude>')
        (path / "c.xml").write_text('<mujoco><include file="b.xml"/></mujoco>')
        found = {"bodies": len(mj.MjSpec.from_file(str(path / "a.urdf")).bodies)}
        files = mj.mju_getXMLDependencies(str(path / "c.xml"))
        return found | {"files": sorted(pathlib.Path(file).name for file in files)}


PLAIN = """<mujoco><default><joint pos="1 2 3" axis="0 1 0"/><default class="d"><joint axis="1 0 0"/></default></default>
  <worldbody><body name="a"><joint name="j"/><geom name="ga" size=".1"/></body>
  <body name="b"><joint name="k" pos="0 0 0" axis="0 0 1"/>
  <geom name="gb" size=".1"/></body><body name="e"><joint name="l" class="d"/><geom size=".1"/></body></worldbody><equality>
  <weld body1="a" body2="b"/><joint joint1="j" joint2="k"/><weld body1="a" body2="e" torquescale="2" anchor="1 0 0"/><connect
  body1="a" body2="e" anchor="0 0 1"/></equality></mujoco>"""


SHEET = """<mujoco><worldbody><flexcomp name="f" type="grid" dim="2" count="3 3 1" spacing=".1 .1 .1" mass="1">
  <elasticity young="1e4" thickness=".01" elastic2d="{}"/><contact selfcollide="none"/></flexcomp></worldbody>
  </mujoco>"""


def words_that_are_saved(mj, load):
    """Which attributes of joints and constraints are saved, where they are those of the class or not."""
    found = []
    spec = mj.MjSpec.from_string(PLAIN)
    spec.compile()
    root = ET.fromstring(spec.to_xml())
    for elem in root.iter():
        if elem.tag in ("joint", "weld", "connect"):
            found.append(" ".join(sorted(f"{k}={v}" for k, v in elem.attrib.items())))
    for bent in ("stretch", "bend", "both"):
        spec = mj.MjSpec.from_string(SHEET.format(bent))
        spec.compile()
        flex = ET.fromstring(spec.to_xml()).find(".//flex")
        found.append(flex.find("elasticity").get("elastic2d"))
    return {"words": found}


RULED = (
    '<size memory="1M" nstack="5"/>',
    '<size memory="1M" njmax="5"/>',
    '<asset><texture name="a" builtin="flat" file="a.png" width="9" height="9"/></asset>',
    '<asset><mesh name="a" builtin="sphere" params="1" vertex="0 0 0 1 0 0 0 1 0 0 0 1"/></asset>',
    '<asset><mesh name="a" builtin="sphere" params="1" file="a.obj"/></asset>',
    '<worldbody><body><joint/><inertial pos="0 0 0" mass="1" fullinertia="1 1 1 0 0 0" euler="1 2 3"/></body></worldbody>',
    '<worldbody><camera fovy="40" sensorsize=".1 .1" resolution="9 9" focal=".1 .1"/></worldbody>',
    '<worldbody><light directional="true" type="spot"/></worldbody>',
    '<worldbody><light directional="true"/></worldbody>',
    '{two}<equality><connect site1="s" site2="t" body1="a" anchor="0 0 0"/></equality>',
    '{two}<equality><connect site1="s" site2="t"/></equality>',
    '{two}<equality><connect site1="s"/></equality>',
    '{two}<equality><connect body1="a"/></equality>',
    '{two}<equality><connect body1="a" anchor="0 0 0"/></equality>',
    '{two}<equality><connect site1="s" site2="t" anchor="0 0 0"/></equality>',
    '{two}<equality><weld site1="s" body1="a"/></equality>',
    '{two}<equality><weld site1="s" site2="t" relpose="0 0 0 1 0 0 0"/></equality>',
    '{two}<equality><weld site1="s" site2="t" anchor="0 0 0"/></equality>',
    '{two}<equality><weld body2="a"/></equality>',
    '{two}<equality><weld body1="a"/></equality>',
    "{two}<equality><weld/></equality>",
    '{two}<sensor><rangefinder site="s" camera="c"/></sensor>',
    "{two}<sensor><rangefinder/></sensor>",
    '{two}<sensor><distance geom1="g" body1="a" geom2="h" cutoff="1"/></sensor>',
    '{two}<sensor><distance geom2="h" cutoff="1"/></sensor>',
    '{two}<sensor><normal geom1="g" cutoff="1"/></sensor>',
    '{two}<sensor><fromto geom1="g" geom2="h" body2="b" cutoff="1"/></sensor>',
    '{two}<sensor><distance geom1="g" geom2="h" cutoff="1"/></sensor>',
    '{two}<sensor><contact geom1="g" body1="a"/></sensor>',
    '{two}<sensor><contact site="s" subtree1="a"/></sensor>',
    '{two}<sensor><contact geom2="g" subtree2="a"/></sensor>',
    "{two}<sensor><contact/></sensor>",
    '{two}<sensor><user objtype="body" dim="1"/></sensor>',
    '{two}<sensor><user objname="a" dim="1"/></sensor>',
    '{two}<sensor><user objtype="body" objname="a" dim="1"/></sensor>',
    '{two}<sensor><framepos objtype="body" objname="a" reftype="body"/></sensor>',
    '{two}<sensor><framepos objtype="body" objname="a" refname="b"/></sensor>',
    '{two}<sensor><framepos objtype="body" objname="a" reftype="body" refname="b"/></sensor>',
    '<worldbody><attach body="a" frame="f"/></worldbody>',
    '<extension><plugin plugin="mujoco.sdf.bowl"><instance name="a"/></plugin></extension><worldbody><geom type="sdf">'
    '<plugin instance="b"/></geom></worldbody>',
    '<asset><texture name="a" type="2d" file="a.ktx"/></asset>',
    '{two}<actuator><general body="a" dyntype="dcmotor" gaintype="dcmotor" biastype="dcmotor" actearly="false"/></actuator>',
)
TWO = """<worldbody><camera name="c" resolution="9 9"/><body name="a"><joint/><geom name="g" size=".1"/><site name="s"/></body>
  <body name="b"><joint/><geom name="h" size=".1"/><site name="t"/></body></worldbody>"""


def rules_of_attributes(mj, load):
    """Attributes that exclude or need each other."""
    return {"fates": [fate(load, f"<mujoco>{text.format(two=TWO)}</mujoco>") for text in RULED]}


SEEN = """<mujoco><worldbody><geom size=".1"/><body mocap="true"><geom size=".1"/><body pos="0 0 1"><geom size=".1"/><site/>
  <body><geom size=".2"/></body></body></body><body pos="0 1 0"><geom size=".1"/></body><body pos="0 2 0"><joint/>
  <geom size=".1"/></body></worldbody></mujoco>"""


def kinds_of_bodies(mj, load):
    """Whether geoms are drawn as static or dynamic ones."""
    m, found = load(SEEN), {}
    d, option = mj.MjData(m), mj.MjvOption()
    mj.mj_forward(m, d)
    for name in ("STATIC", "DYNAMIC", "ALL"):
        scene = mj.MjvScene(m, 50)
        mj.mjv_updateScene(m, d, option, None, mj.MjvCamera(), int(getattr(mj.mjtCatBit, f"mjCAT_{name}")), scene)
        found[name] = [[g.objtype, g.objid, g.category] for g in scene.geoms[: scene.ngeom]]
    return found


SCRIPTS = (
    flat_meshes,
    skin_files,
    fields_of_meshes,
    tactile_pads,
    sensors_of_half_steps,
    islands_of_many_trees,
    contacts_within_trees,
    free_bodies_in_fluids,
    fused_cameras,
    attached_paths,
    grounds,
    lenses,
    files_by_name,
    words_that_are_saved,
    rules_of_attributes,
    kinds_of_bodies,
)
