"""Importing USD: a small scene for each kind of contents, written by the test itself, and what becomes of it."""

import os
import zipfile

import numpy as np
import pytest

import tumble as mj
from tumble.engine.description.files.resources import OutsideError

pytest.importorskip("pxr")
from pxr import Gf, Sdf, Usd, UsdGeom, UsdPhysics, UsdShade  # noqa: E402

TETRAHEDRON = [(0, 0, 0), (0.1, 0, 0), (0, 0.2, 0), (0, 0, 0.3)]
FACES = [0, 2, 1, 0, 1, 3, 0, 3, 2, 1, 2, 3]


class Scene:
    """A stage to write: bodies, colliders and joints below /robot."""

    def __init__(self, path, meter=1.0, kilogram=1.0, up="Z"):
        self.path = str(path)
        self.stage = Usd.Stage.CreateNew(self.path)
        UsdGeom.SetStageMetersPerUnit(self.stage, meter)
        UsdPhysics.SetStageKilogramsPerUnit(self.stage, kilogram)
        UsdGeom.SetStageUpAxis(self.stage, up)
        self.stage.SetDefaultPrim(UsdGeom.Xform.Define(self.stage, "/robot").GetPrim())

    def body(self, name, pos=(0, 0, 0), turn=None, scale=None, mass=1.0, inertia=(1, 1, 1), kind=UsdGeom.Xform):
        prim = kind.Define(self.stage, f"/robot/{name}")
        prim.AddTranslateOp().Set(Gf.Vec3d(*pos))
        if turn is not None:
            prim.AddOrientOp(UsdGeom.XformOp.PrecisionDouble).Set(Gf.Quatd(*turn))
        if scale is not None:
            prim.AddScaleOp().Set(Gf.Vec3f(*scale))
        UsdPhysics.RigidBodyAPI.Apply(prim.GetPrim())
        if mass is not None:
            api = UsdPhysics.MassAPI.Apply(prim.GetPrim())
            api.CreateMassAttr(mass)
            if inertia is not None:
                api.CreateDiagonalInertiaAttr(Gf.Vec3f(*inertia))
        return prim.GetPrim()

    def collider(self, kind, path, pos=(0, 0, 0), scale=None, **values):
        prim = kind.Define(self.stage, f"/robot/{path}")
        prim.AddTranslateOp().Set(Gf.Vec3d(*pos))
        if scale is not None:
            prim.AddScaleOp().Set(Gf.Vec3f(*scale))
        for name, value in values.items():
            prim.GetPrim().GetAttribute(name).Set(value)
        UsdPhysics.CollisionAPI.Apply(prim.GetPrim())
        return prim.GetPrim()

    def mesh(self, path, points=TETRAHEDRON, counts=(3, 3, 3, 3), faces=FACES):
        prim = UsdGeom.Mesh.Define(self.stage, f"/robot/{path}")
        prim.CreatePointsAttr([Gf.Vec3f(*p) for p in points])
        prim.CreateFaceVertexCountsAttr(list(counts))
        prim.CreateFaceVertexIndicesAttr(list(faces))
        prim.CreateSubdivisionSchemeAttr("none")
        return prim.GetPrim()

    def joint(self, kind, name, one, two, pos0=(0, 0, 0), pos1=(0, 0, 0), rot0=(1, 0, 0, 0), rot1=(1, 0, 0, 0), **values):
        joint = kind.Define(self.stage, f"/robot/{name}")
        for end, rel in ((one, joint.CreateBody0Rel()), (two, joint.CreateBody1Rel())):
            if end:
                rel.SetTargets([Sdf.Path(f"/robot/{end}")])
        joint.CreateLocalPos0Attr(Gf.Vec3f(*pos0))
        joint.CreateLocalPos1Attr(Gf.Vec3f(*pos1))
        joint.CreateLocalRot0Attr(Gf.Quatf(*rot0))
        joint.CreateLocalRot1Attr(Gf.Quatf(*rot1))
        for key, value in values.items():
            joint.GetPrim().GetAttribute(f"physics:{key}").Set(value)
        return joint.GetPrim()

    def opened(self, **options):
        self.stage.GetRootLayer().Save()
        spec = mj.import_model(self.path, **options)
        m = spec.compile()
        d = mj.MjData(m)
        mj.mj_step(m, d)
        assert np.isfinite(d.qpos).all()
        return spec, m, [e.rule for e in spec.import_report]


@pytest.fixture(params=["usda", "usdc"])
def scene(tmp_path, request):
    return Scene(tmp_path / f"robot.{request.param}")


def pose(m, name, qpos=()):
    d = mj.MjData(m)
    d.qpos[: len(qpos)] = qpos
    mj.mj_kinematics(m, d)
    return d.body(name).xpos.copy(), d.body(name).xmat.reshape(3, 3).copy()


def arm(scene, kind=UsdPhysics.RevoluteJoint, **values):
    """A fixed base and a link on a joint whose frames are turned and away from both origins."""
    scene.body("base", pos=(0, 0, 1))
    scene.body("upper", pos=(0.5, 0, 1.5))
    scene.joint(UsdPhysics.FixedJoint, "anchor", "", "base", pos0=(0, 0, 1))
    values = {"axis": "Y", "lowerLimit": -30.0, "upperLimit": 60.0} | values
    return scene.joint(kind, "hinge", "base", "upper", pos0=(0, 0, 0.5), pos1=(-0.5, 0, 0), **values)


def test_bodies_joints_and_limits(scene):
    arm(scene)
    _, m, rules = scene.opened()
    assert [m.body(k).name for k in range(m.nbody)] == ["world", "base", "upper"] and m.njnt == 1 and not rules
    assert m.jnt(0).name == "hinge" and m.jnt_type[0] == mj.mjtJoint.mjJNT_HINGE
    assert np.allclose(m.jnt_range[0], np.radians((-30, 60))) and m.jnt_limited[0]
    assert np.allclose(m.jnt_axis[0], (0, 1, 0)) and np.allclose(m.jnt_pos[0], (-0.5, 0, 0))


@pytest.mark.parametrize("angle", (0.0, 0.7))
def test_links_are_where_their_joints_put_them(scene, angle):
    arm(scene)
    _, m, _ = scene.opened()
    pos, mat = pose(m, "upper", [angle])
    # The hinge is at (0, 0, 1.5), and the link's origin half a meter from it.
    assert np.allclose(pos, (0.5 * np.cos(angle), 0, 1.5 - 0.5 * np.sin(angle)), atol=1e-6)
    assert np.allclose(mat[:, 0], (np.cos(angle), 0, -np.sin(angle)), atol=1e-6)


@pytest.mark.parametrize("angle", (0.0, -0.4))
def test_a_joint_whose_second_body_is_the_parent_turns_the_same_way(scene, angle):
    # The base is the second body; the joint's frames are turned.
    half = np.sqrt(0.5)
    scene.body("tip", pos=(0, 0, 1))
    scene.body("base")
    scene.joint(UsdPhysics.FixedJoint, "anchor", "", "base")
    frame = {"rot0": (half, 0, 0, half), "rot1": (half, 0, 0, half)}
    scene.joint(UsdPhysics.RevoluteJoint, "hinge", "tip", "base", pos1=(0, 0, 1), axis="X", **frame)
    _, m, _ = scene.opened()
    assert m.body("tip").parentid == m.body("base").id
    # X of the frames is y of the world. Turning the base by q relative to the tip turns the tip by -q.
    assert np.allclose(pose(m, "tip", [angle])[1][:, 0], (np.cos(-angle), 0, -np.sin(-angle)), atol=1e-6)


def test_the_pose_of_the_file_becomes_a_keyframe(scene):
    joint = arm(scene)
    angle = 0.3
    upper = scene.stage.GetPrimAtPath("/robot/upper")
    UsdGeom.Xformable(upper).ClearXformOpOrder()
    matrix = Gf.Matrix4d().SetRotate(Gf.Rotation(Gf.Vec3d(0, 1, 0), np.degrees(angle)))
    matrix.SetTranslateOnly(Gf.Vec3d(0.5 * np.cos(angle), 0, 1.5 - 0.5 * np.sin(angle)))
    UsdGeom.Xformable(upper).AddTransformOp().Set(matrix)
    _, m, rules = scene.opened()
    assert joint and np.allclose(m.key_qpos, angle, atol=1e-6) and not rules
    assert np.allclose(pose(m, "upper", m.key_qpos[0])[0], (0.5 * np.cos(angle), 0, 1.5 - 0.5 * np.sin(angle)), atol=1e-5)


def test_centimeters_grams_and_y_up(tmp_path):
    scene = Scene(tmp_path / "robot.usda", meter=0.01, kilogram=0.001, up="Y")
    prim = scene.body("base", pos=(10, 20, 30), mass=500.0, inertia=(1e4, 2e4, 2.5e4))
    UsdPhysics.MassAPI(prim).CreateCenterOfMassAttr(Gf.Vec3f(0, 5, 0))
    scene.collider(UsdGeom.Capsule, "base/shape", radius=2.0, height=10.0, axis="Y")
    UsdPhysics.Scene.Define(scene.stage, "/scene").CreateGravityMagnitudeAttr(500.0)
    scene.body("slider", pos=(10, 20, 30))
    scene.joint(UsdPhysics.PrismaticJoint, "slide", "base", "slider", axis="Y", lowerLimit=0.0, upperLimit=25.0)
    _, m, _ = scene.opened()
    assert np.allclose(m.opt.gravity, (0, 0, -5)) and np.isclose(m.body("base").mass[0], 0.5)
    pos, mat = pose(m, "base", m.qpos0)
    assert np.allclose(pos, (0.1, -0.3, 0.2)) and np.allclose(mat[:, 1], (0, 0, 1), atol=1e-7)
    assert np.allclose(m.body("base").ipos, (0, 0.05, 0)) and np.allclose(sorted(m.body("base").inertia), (1e-3, 2e-3, 2.5e-3))
    assert np.allclose(m.geom_size[0][:2], (0.02, 0.05)) and np.allclose(m.jnt_range[1], (0, 0.25))
    # The capsule is upright in the world.
    d = mj.MjData(m)
    mj.mj_kinematics(m, d)
    assert np.allclose(np.abs(d.geom_xmat[0].reshape(3, 3)[:, 2]), (0, 0, 1), atol=1e-7)


def test_masses_follow_from_densities_and_volumes(scene):
    prim = scene.body("base", mass=None)
    UsdPhysics.MassAPI.Apply(prim).CreateDensityAttr(500.0)
    scene.collider(UsdGeom.Cube, "base/box", pos=(0, 0, 1), scale=(0.1, 0.2, 0.3), size=1.0)
    _, m, rules = scene.opened()
    assert np.isclose(m.body("base").mass[0], 500 * 0.006) and np.allclose(m.body("base").ipos, (0, 0, 1), atol=1e-7)
    box = 3 / 12 * np.array((0.2**2 + 0.3**2, 0.1**2 + 0.3**2, 0.1**2 + 0.2**2))
    assert np.allclose(sorted(m.body("base").inertia), sorted(box)) and rules == ["defaults"]


def test_masses_of_colliders_and_principal_axes(scene):
    prim = scene.body("base", mass=None)
    for side in (-1, 1):
        ball = scene.collider(UsdGeom.Sphere, f"base/ball{side + 1}", pos=(side, 0, 0), radius=0.1)
        UsdPhysics.MassAPI.Apply(ball).CreateMassAttr(2.0)
    other = scene.body("other", inertia=(1, 2, 2.5))
    UsdPhysics.MassAPI(other).CreatePrincipalAxesAttr(Gf.Quatf(float(np.cos(0.2)), 0, 0, float(np.sin(0.2))))
    _, m, _ = scene.opened()
    assert prim and np.isclose(m.body("base").mass[0], 4) and np.allclose(m.body("base").ipos, 0, atol=1e-9)
    ball = 0.4 * 2 * 0.01
    assert np.allclose(sorted(m.body("base").inertia), (2 * ball, 2 * ball + 4, 2 * ball + 4))
    frame = np.zeros(9)
    mj.mju_quat2Mat(frame, m.body("other").iquat)
    tensor = frame.reshape(3, 3) @ np.diag(m.body("other").inertia) @ frame.reshape(3, 3).T
    turn = np.array([[np.cos(0.4), -np.sin(0.4), 0], [np.sin(0.4), np.cos(0.4), 0], [0, 0, 1]])
    assert np.allclose(tensor, turn @ np.diag((1, 2, 2.5)) @ turn.T, atol=1e-6)


# kind of geometry, its values, half extents, type of the geom
PRIMITIVES = {
    "cube": (UsdGeom.Cube, {"size": 0.4}, (0.2, 0.2, 0.2), "BOX"),
    "sphere": (UsdGeom.Sphere, {"radius": 0.3}, (0.3, 0.3, 0.3), "SPHERE"),
    "capsule": (UsdGeom.Capsule, {"radius": 0.1, "height": 0.6, "axis": "X"}, (0.4, 0.1, 0.1), "CAPSULE"),
    "cylinder": (UsdGeom.Cylinder, {"radius": 0.1, "height": 0.6, "axis": "Y"}, (0.1, 0.3, 0.1), "CYLINDER"),
    "cone": (UsdGeom.Cone, {"radius": 0.2, "height": 0.6, "axis": "Z"}, (0.2, 0.2, 0.3), "MESH"),
}


def extents(m, geom):
    """Half extents of a geom along the axes of the world, by rays from outside through its center."""
    d = mj.MjData(m)
    mj.mj_forward(m, d)
    found = []
    for k in range(3):
        start = d.geom_xpos[geom].copy() if m.geom_type[geom] != mj.mjtGeom.mjGEOM_MESH else np.zeros(3)
        start[k] = 10.0
        hit = np.zeros(1, np.int32)
        way = -np.eye(3)[k]
        length = mj.mj_ray(m, d, start, way, np.array([0, 0, 0, 1, 0, 0], np.uint8), 1, -1, hit)
        found.append(10.0 - length)
    return found


@pytest.mark.parametrize("name", PRIMITIVES)
def test_primitives_collide_with_their_extents(scene, name):
    kind, values, half, geom = PRIMITIVES[name]
    scene.body("base")
    scene.collider(kind, "base/shape", **values)
    _, m, _ = scene.opened()
    collision = [g for g in range(m.ngeom) if m.geom_contype[g]]
    assert len(collision) == 1 and m.geom_type[collision[0]] == mj.mjtGeom[f"mjGEOM_{geom}"]
    if geom == "MESH":
        # A cone's hull: its rim at the bottom, its tip at the top.
        vert = m.mesh_vert[: m.mesh_vertnum[0]]
        assert np.allclose(np.ptp(vert, axis=0), 2 * np.array(half), atol=1e-6)
    else:
        assert np.allclose(extents(m, collision[0]), half, atol=1e-6)


def test_uneven_scales_keep_the_extents(scene):
    scene.body("base")
    scene.collider(UsdGeom.Sphere, "base/ball", scale=(1, 2, 3), radius=0.1)
    scene.body("other", pos=(3, 0, 0))
    scene.collider(UsdGeom.Cylinder, "other/tube", scale=(1, 2, 1), radius=0.1, height=0.2)
    spec, m, rules = scene.opened()
    solid = [g for g in range(m.ngeom) if m.geom_contype[g]]
    assert m.geom_type[solid[0]] == mj.mjtGeom.mjGEOM_ELLIPSOID and np.allclose(m.geom_size[solid[0]], (0.1, 0.2, 0.3))
    assert m.geom_type[solid[1]] == mj.mjtGeom.mjGEOM_MESH and "scaled" in rules
    assert np.allclose(np.ptp(m.mesh_vert, axis=0).max(), 0.4, atol=1e-6)
    assert "other/tube" in str(spec.import_report)


def test_meshes_are_cut_and_colored(scene):
    scene.body("base")
    # A box of quads and of one face with five corners on its top.
    points = [(x, y, z) for z in (0, 0.3) for x, y in ((0, 0), (0.1, 0), (0.1, 0.2), (0, 0.2))] + [(0.05, 0, 0.3)]
    faces = [3, 2, 1, 0, 4, 8, 5, 6, 7, 0, 1, 5, 8, 4, 1, 2, 6, 5, 2, 3, 7, 6, 3, 0, 4, 7]
    prim = scene.mesh("base/part", points, (4, 5, 5, 4, 4, 4), faces)
    UsdGeom.Mesh(prim).CreateDisplayColorAttr([Gf.Vec3f(0.2, 0.4, 0.6)])
    UsdPhysics.CollisionAPI.Apply(prim)
    UsdPhysics.MeshCollisionAPI.Apply(prim).CreateApproximationAttr("convexHull")
    _, m, rules = scene.opened()
    assert m.nmesh == 1 and m.ngeom == 2 and m.mesh_facenum[0] == 14 and not rules
    assert np.allclose(m.mat_rgba[0], (0.2, 0.4, 0.6, 1))
    assert np.allclose(np.ptp(m.mesh_vert, axis=0), (0.1, 0.2, 0.3), atol=1e-6)


def test_preview_surfaces_purposes_and_visibility(scene):
    scene.body("base")
    material = UsdShade.Material.Define(scene.stage, "/robot/red")
    shader = UsdShade.Shader.Define(scene.stage, "/robot/red/shader")
    shader.CreateIdAttr("UsdPreviewSurface")
    shader.CreateInput("diffuseColor", Sdf.ValueTypeNames.Color3f).Set(Gf.Vec3f(1, 0, 0))
    material.CreateSurfaceOutput().ConnectToSource(shader.ConnectableAPI(), "surface")
    shown = scene.mesh("base/shown")
    UsdShade.MaterialBindingAPI.Apply(shown).Bind(material)
    UsdGeom.Imageable(scene.mesh("base/hidden")).MakeInvisible()
    guide = scene.collider(UsdGeom.Cube, "base/guide", size=0.2)
    UsdGeom.Imageable(guide).CreatePurposeAttr("guide")
    _, m, rules = scene.opened()
    # The guide collides without being visible; the hidden mesh is left out and named.
    assert m.ngeom == 2 and sorted(m.geom_contype) == [0, 1] and rules == ["skipped"]
    assert np.allclose(m.mat_rgba[0], (1, 0, 0, 1)) and m.mat(0).name == "red"


def test_links_may_be_nested_or_siblings(scene):
    scene.body("base", pos=(0, 0, 1), scale=(2, 2, 2))
    scene.body("base/upper", pos=(0, 0, 0.5))
    scene.joint(UsdPhysics.RevoluteJoint, "hinge", "base", "base/upper", pos0=(0, 0, 0.5), axis="Y")
    _, m, _ = scene.opened()
    assert m.body("upper").parentid == m.body("base").id and m.jnt_type[0] == mj.mjtJoint.mjJNT_FREE
    assert np.allclose(pose(m, "upper", m.qpos0)[0], (0, 0, 2))


def test_articulation_roots_choose_the_floating_base(scene):
    scene.body("arm", pos=(1, 0, 0))
    base = scene.body("base")
    scene.joint(UsdPhysics.RevoluteJoint, "hinge", "arm", "base", pos0=(-1, 0, 0), axis="Z")
    UsdPhysics.ArticulationRootAPI.Apply(base)
    _, m, _ = scene.opened()
    assert m.body("arm").parentid == m.body("base").id and m.nq == 8
    assert np.allclose(pose(m, "arm", m.qpos0)[0], (1, 0, 0))


# kind of the closing joint, number of equations
LOOPS = {UsdPhysics.FixedJoint: 6, UsdPhysics.SphericalJoint: 3, UsdPhysics.RevoluteJoint: 6}


@pytest.mark.parametrize("kind", LOOPS)
def test_joints_left_out_of_the_articulation_close_loops(scene, kind):
    arm(scene)
    scene.body("lower", pos=(0.5, 0, 0.5))
    scene.joint(UsdPhysics.RevoluteJoint, "knee", "base", "lower", pos0=(0, 0, -0.5), pos1=(-0.5, 0, 0), axis="Y")
    joint = scene.joint(kind, "close", "upper", "lower", pos0=(0, 0, -0.5), pos1=(0, 0, 0.5))
    joint.GetAttribute("physics:excludeFromArticulation").Set(True)
    _, m, rules = scene.opened()
    d = mj.MjData(m)
    mj.mj_forward(m, d)
    assert m.njnt == 2 and d.ne == LOOPS[kind] and rules == ["closing"] and m.nexclude == 1
    assert np.allclose(d.efc_pos[: d.ne], 0, atol=1e-6)


def test_drives_become_actuators_on_request(scene):
    drive = UsdPhysics.DriveAPI.Apply(arm(scene), "angular")
    drive.CreateStiffnessAttr(2.0)
    drive.CreateDampingAttr(0.5)
    drive.CreateMaxForceAttr(7.0)
    _, m, rules = scene.opened()
    assert m.nu == 0 and rules == ["drives"] and np.allclose(m.jnt_actfrcrange[0], (-7, 7))
    _, m, rules = scene.opened(actuators="position")
    degree = 180 / np.pi
    assert m.nu == 1 and not rules and np.allclose(m.actuator_gainprm[0][0], 2 * degree)
    assert np.allclose(m.actuator_biasprm[0][:3], (0, -2 * degree, -0.5 * degree)) and np.allclose(
        m.actuator_forcerange, (-7, 7)
    )
    assert np.allclose(scene.opened(actuators="velocity")[1].actuator_gainprm[0][0], 0.5 * degree)


def test_filters_and_friction(scene):
    scene.body("one")
    two = scene.body("two", pos=(0, 0, 0.1))
    shape = scene.collider(UsdGeom.Cube, "one/shape", size=0.4)
    scene.collider(UsdGeom.Cube, "two/shape", size=0.4)
    material = UsdShade.Material.Define(scene.stage, "/robot/rubber")
    UsdPhysics.MaterialAPI.Apply(material.GetPrim()).CreateDynamicFrictionAttr(0.8)
    UsdShade.MaterialBindingAPI.Apply(shape).Bind(material, UsdShade.Tokens.weakerThanDescendants, "physics")
    _, m, _ = scene.opened()
    d = mj.MjData(m)
    mj.mj_forward(m, d)
    solid = [g for g in range(m.ngeom) if m.geom_contype[g]]
    assert d.ncon > 0 and np.isclose(m.geom_friction[solid[0]][0], 0.8) and np.isclose(m.geom_friction[solid[1]][0], 1)
    UsdPhysics.FilteredPairsAPI.Apply(two).CreateFilteredPairsRel().SetTargets(["/robot/one"])
    _, m, _ = scene.opened()
    d = mj.MjData(m)
    mj.mj_forward(m, d)
    assert d.ncon == 0 and m.nexclude == 1


def test_geometry_without_a_body_is_fixed_to_the_world(scene):
    scene.body("base", pos=(0, 0, 1))
    scene.collider(UsdGeom.Plane, "ground", axis="Z")
    scene.collider(UsdGeom.Cube, "base/shape", size=0.2)
    _, m, _ = scene.opened()
    d = mj.MjData(m)
    mj.mj_step(m, d, 1000)
    assert abs(d.body("base").xpos[2] - 0.1) < 1e-3


# function that adds something to an arm; rule and words of the report
UNREAD = {
    "light": (lambda s, j: Sdf.CreatePrimInLayer(s.stage.GetRootLayer(), "/robot/lamp").__setattr__("typeName", "SphereLight"),
              "unsupported", "SphereLight"),
    "break": (lambda s, j: j.GetAttribute("physics:breakForce").Set(10.0), "unsupported", "breakForce"),
    "schema": (lambda s, j: j.AddAppliedSchema("PhysxJointAPI"), "unsupported", "PhysxJointAPI"),
    "kinematic": (lambda s, j: s.stage.GetPrimAtPath("/robot/base").GetAttribute("physics:kinematicEnabled").Set(True),
                  "unsupported", "kinematic"),
    "instancer": (lambda s, j: UsdGeom.PointInstancer.Define(s.stage, "/robot/many"), "unsupported", "PointInstancer"),
    "lost": (lambda s, j: j.GetRelationship("physics:body1").SetTargets(["/robot/nobody"]), "unknown_link", "nobody"),
    "same": (lambda s, j: j.GetRelationship("physics:body1").SetTargets(["/robot/base"]), "unsupported", "with itself"),
    "disabled": (lambda s, j: j.GetAttribute("physics:jointEnabled").Set(False), "unsupported", "a joint is disabled"),
    "group": (lambda s, j: UsdPhysics.CollisionGroup.Define(s.stage, "/robot/g"), "unsupported", "PhysicsCollisionGroup"),
    "distance": (lambda s, j: UsdPhysics.DistanceJoint.Define(s.stage, "/robot/rope"), "unsupported", "PhysicsDistanceJoint"),
}  # fmt: skip


@pytest.mark.parametrize("name", UNREAD)
def test_what_is_not_read_is_named(scene, name):
    joint = arm(scene)
    change, rule, words = UNREAD[name]
    for active in Usd.PrimRange(scene.stage.GetPseudoRoot()):
        active.SetInstanceable(False) if active.IsInstanceable() else None
    change(scene, joint)
    if name == "light":
        scene.stage.GetPrimAtPath("/robot/lamp").SetSpecifier(Sdf.SpecifierDef)
    report = scene.opened()[0].import_report
    assert [e for e in report if e.rule == rule and words in e.found], str(report)


def test_equal_findings_are_one_row(scene):
    for k in range(3):
        scene.body(f"b{k}", pos=(k, 0, 0))
        UsdGeom.Points.Define(scene.stage, f"/robot/b{k}/cloud")
    report = scene.opened()[0].import_report
    assert len(report) == 1 and "Points: '/robot/b0/cloud' and 2 more" in str(report)


def test_equal_names_are_told_apart(scene):
    for side in ("left", "right"):
        UsdGeom.Xform.Define(scene.stage, f"/robot/{side}")
        scene.body(f"{side}/hand")
    _, m, rules = scene.opened()
    assert m.body("left/hand").id and m.body("right/hand").id and rules == ["renamed"]


# ---- files


def part_of(folder, name="part.usda"):
    """A file with a body that others refer to."""
    part = Scene(folder / name)
    part.body("base")
    part.collider(UsdGeom.Cube, "base/shape", size=0.2)
    part.stage.GetRootLayer().Save()


def referring(folder, target, payload=False):
    scene = Scene(folder / "robot.usda")
    prim = UsdGeom.Xform.Define(scene.stage, "/robot/copy").GetPrim()
    if payload:
        prim.GetPayloads().AddPayload(target)
    else:
        prim.GetReferences().AddReference(target)
    return scene


@pytest.mark.parametrize("payload", (False, True))
def test_references_and_payloads_are_followed(tmp_path, payload):
    (tmp_path / "parts").mkdir()
    part_of(tmp_path / "parts")
    scene = referring(tmp_path, "parts/part.usda", payload)
    spec, m, rules = scene.opened(inside=str(tmp_path))
    assert m.body("base").id and not rules
    assert str(tmp_path / "parts/part.usda") in spec.import_report.files


def test_instances_share_their_mesh(tmp_path):
    part = Scene(tmp_path / "part.usda")
    part.mesh("shape")
    part.stage.GetRootLayer().Save()
    scene = Scene(tmp_path / "robot.usda")
    for k in range(3):
        scene.body(f"b{k}", pos=(k, 0, 0))
        prim = UsdGeom.Xform.Define(scene.stage, f"/robot/b{k}/visual").GetPrim()
        prim.GetReferences().AddReference("part.usda")
        prim.SetInstanceable(True)
    _, m, rules = scene.opened()
    assert m.nmesh == 1 and m.ngeom == 3 and not rules


@pytest.mark.parametrize("way", ("reference", "payload", "sublayer", "link"))
def test_a_reference_cannot_leave_its_folder(tmp_path, way):
    (tmp_path / "home").mkdir()
    part_of(tmp_path, "secret.usda")
    target = "../secret.usda"
    if way == "link":
        os.symlink(tmp_path / "secret.usda", tmp_path / "home/part.usda")
        target = "part.usda"
    scene = referring(tmp_path / "home", target, way == "payload") if way != "sublayer" else Scene(tmp_path / "home/robot.usda")
    if way == "sublayer":
        scene.stage.GetRootLayer().subLayerPaths.append(target)
    with pytest.raises(OutsideError, match="secret|part"):
        scene.opened(inside=str(tmp_path / "home"))
    assert scene.opened()[1].body("base").id


def test_a_lost_reference_is_named(tmp_path):
    scene = referring(tmp_path, "lost.usda")
    scene.body("base")
    spec, m, rules = scene.opened()
    assert m.body("base").id and rules.count("lost_layer") == 1 and "lost.usda" in str(spec.import_report)


def test_other_formats_are_not_opened_by_references(tmp_path):
    scene = referring(tmp_path, "part.obj")
    scene.body("base")
    assert "unsupported" in scene.opened()[2]


def test_archives_are_read_and_closed(tmp_path):
    part_of(tmp_path)
    scene = referring(tmp_path, "part.usda")
    scene.stage.GetRootLayer().Save()
    with zipfile.ZipFile(tmp_path / "robot.usdz", "w") as archive:
        archive.write(tmp_path / "robot.usda", "robot.usda")
        archive.write(tmp_path / "part.usda", "part.usda")
    spec = mj.import_model(tmp_path / "robot.usdz", inside=str(tmp_path))
    assert spec.compile().body("base").id and list(spec.import_report.files) == [str(tmp_path / "robot.usdz")]
    # A member of an archive cannot refer to files beside the archive.
    (tmp_path / "other").mkdir()
    with zipfile.ZipFile(tmp_path / "other/robot.usdz", "w") as archive:
        archive.writestr("robot.usda", (tmp_path / "robot.usda").read_text().replace("part.usda", "../part.usda"))
    try:
        report = mj.import_model(tmp_path / "other/robot.usdz").import_report
        assert [e for e in report if e.rule == "lost_layer"]
    except OutsideError as error:
        assert "robot.usdz!" in str(error)


# contents of a file, words of the error
DAMAGED = {
    "empty": (b"", "not a USD file"),
    "text": (b"#usda 1.0\ndef garbage {{{", r"robot\.usda: the USD file cannot be read: line 2"),
    "binary": (b"PXR-USDC" + bytes(200), "cannot be read"),
    "other": (b"<robot/>", "not a USD file"),
    "nested": (b"#usda 1.0\n" + b'def "a" {\n' * 5000 + b"}" * 5000, "nested deeper"),
}  # fmt: skip


@pytest.mark.parametrize("name", DAMAGED)
def test_damaged_files_are_refused_by_name(tmp_path, name):
    data, words = DAMAGED[name]
    path = tmp_path / "robot.usda"
    path.write_bytes(data)
    with pytest.raises(ValueError, match=words) as error:
        mj.import_model(path)
    assert "robot.usda" in str(error.value) and "anon:" not in str(error.value)


def test_scenes_that_multiply_are_refused(tmp_path):
    # Ten prims that refer to ten others, ten times.
    text = '#usda 1.0\ndef "p0" {}\n'
    for k in range(1, 10):
        text += f'def "p{k}" {{\n' + "".join(f'def "c{i}" (references = </p{k - 1}>) {{}}\n' for i in range(10)) + "}\n"
    (tmp_path / "robot.usda").write_text(text)
    with pytest.raises(ValueError, match="more than 200000 prims"):
        mj.import_model(tmp_path / "robot.usda")


def test_strict_imports_refuse_repairs_only(scene):
    arm(scene)
    assert scene.opened(repair=False)[1].njnt == 1
    scene.collider(UsdGeom.Cube, "upper/shape", size=-1.0)
    with pytest.raises(ValueError, match="not positive"):
        scene.opened(repair=False)


def test_messages_of_usd_are_in_the_report(tmp_path, capfd):
    scene = referring(tmp_path, "lost.usda")
    scene.body("base")
    scene.stage.GetRootLayer().Save()
    capfd.readouterr()
    report = mj.import_model(scene.path).import_report
    assert "</robot/copy>" in str(report.of("composition")[0]) and "anon:" not in str(report)
    assert not capfd.readouterr().err


def test_cut_binary_files_are_refused(tmp_path):
    scene = Scene(tmp_path / "whole.usdc")
    arm(scene)
    scene.stage.GetRootLayer().Save()
    data = (tmp_path / "whole.usdc").read_bytes()
    for share in (0.3, 0.9):
        (tmp_path / "cut.usdc").write_bytes(data[: int(len(data) * share)])
        with pytest.raises(ValueError, match=r"cut\.usdc: the USD file cannot be read"):
            mj.import_model(tmp_path / "cut.usdc", inside=str(tmp_path))
