"""Signed distance fields: meshes made of them, contacts, rays, touch, the paths of the descent; octrees of meshes."""

import functools

import mujoco
import numpy as np
import pytest

import tumble
from tests.collide.scenes import turn
from tests.tolerance import ITER, ROUND, close
from tumble.engine.geom import marching
from tumble.engine.geom.mesh_distance import mesh_distances

SHAPES = {
    "bolt": {"radius": 0.255},
    "bowl": {"height": 0.3, "radius": 0.6},
    "gear": {"teeth": 15, "innerdiameter": 0.4},
    "nut": {},
    "torus": {"radius1": 0.4},
}
# gradients by differences with a step of 1e-8 magnify rounding
FINITE_DIFFERENCE = 1e-6


def field(name, values=None):
    config = "".join(f'<config key="{k}" value="{v}"/>' for k, v in (SHAPES[name] if values is None else values).items())
    return f'<plugin plugin="mujoco.sdf.{name}">{config}</plugin>'


def scene(name, other="", values=None):
    return f"""<mujoco><extension><plugin plugin="mujoco.sdf.{name}"/></extension>\
<option sdf_iterations="8" sdf_initpoints="12"/>
      <asset><mesh name="m">{field(name, values)}</mesh></asset><worldbody>{other}
      <body><freejoint/><geom name="field" type="sdf" mesh="m">{field(name, values)}</geom></body></worldbody></mujoco>"""


def both(xml):
    ref, m = mujoco.MjModel.from_xml_string(xml), tumble.MjModel.from_xml_string(xml)
    return ref, mujoco.MjData(ref), m, tumble.MjData(m)


@functools.cache
def party(name):
    """A field among shapes that stand far from each other; making its mesh takes seconds."""
    return both(
        scene(
            name,
            f"""<geom type="sphere" size=".35"/><geom type="capsule" size=".15 .3" pos="9 0 0"/>
      <geom type="ellipsoid" size=".4 .2 .3" pos="18 0 0"/><geom type="cylinder" size=".2 .3" pos="27 0 0"/>
      <geom type="box" size=".3 .2 .25" pos="36 0 0"/><geom type="sdf" mesh="m" pos="45 0 0">{field(name)}</geom>""",
        )
    )


# ---- meshes of fields ----------------------------------------------------------------------------------------------------
@pytest.mark.parametrize("name", SHAPES)
def test_the_mesh_of_a_field_is_that_of_the_reference(name):
    ref, _, m, _ = party(name)
    for field_name in ("mesh_vertnum", "mesh_facenum", "mesh_face", "mesh_octnum", "noct", "plugin"):
        assert np.array_equal(getattr(m, field_name), getattr(ref, field_name)), field_name
    for field_name in ("mesh_vert", "mesh_normal"):
        close(getattr(m, field_name), getattr(ref, field_name), 1e-6, f"{field_name}: single precision")
    for field_name in ("body_mass", "body_inertia", "body_ipos", "geom_aabb", "geom_rbound", "geom_pos"):
        close(getattr(m, field_name), getattr(ref, field_name), 1e-9, field_name)


def test_a_sphere_from_marching_cubes():
    n, radius = 40, 0.8
    x = np.linspace(-1, 1, n)
    grid = (np.sqrt(x[:, None, None] ** 2 + x[:, None] ** 2 + x**2) - radius).astype(np.float32)
    vert, normal, face = marching.march_cubes(grid)
    point = vert * 2 / (n - 1) - 1
    # linear interpolation across a cell of width h errs by h^2 / 8r
    assert np.abs(np.linalg.norm(point, axis=1) - radius).max() < (2 / (n - 1)) ** 2 / radius
    assert (normal * point).sum(1).min() > 0.99 * radius
    edges = np.sort(np.concatenate((face[:, :2], face[:, 1:], face[:, ::2])), 1)
    _, count = np.unique(edges, axis=0, return_counts=True)
    # closed, and of the topology of a sphere
    assert (count == 2).all() and len(vert) - len(count) + len(face) == 2


@pytest.mark.parametrize(
    ("xml", "message"),
    [
        (scene("torus").replace('mesh name="m"', 'mesh name="m" scale="1 1 2"'), "scale cannot be combined"),
        (scene("torus", values={"radius1": "big"}), "invalid attribute value for 'radius1'"),
        (scene("torus", values={"radius2": "-1"}), "box"),
        (scene("torus", values={"radius3": "1"}), "did you mean 'radius"),
        (scene("torus").replace('<extension><plugin plugin="mujoco.sdf.torus"/></extension>', ""), "not activated"),
        (
            scene("torus")
            .replace(
                '<plugin plugin="mujoco.sdf.torus"/></ext',
                '<plugin plugin="mujoco.sdf.torus"/><plugin plugin="mujoco.pid"/></ext',
            )
            .replace(f'"m">{field("torus")}', '"m"><plugin plugin="mujoco.pid"/>'),
            "does not support signed distance fields",
        ),
        (scene("torus").replace("mujoco.sdf.torus", "mujoco.sdf.tours"), "did you mean 'mujoco.sdf.torus'"),
    ],
)
def test_meshes_of_fields_that_cannot_be_made(xml, message):
    with pytest.raises(ValueError, match=message) as error:
        tumble.MjModel.from_xml_string(xml)
    assert "line" in str(error.value)


def test_a_field_of_a_plugin_without_the_plugin_has_no_octree():
    xml = scene("nut", '<geom size=".3"/>').replace(f'mesh="m">{field("nut")}', 'mesh="m">')
    ref, m = mujoco.MjModel.from_xml_string(xml), tumble.MjModel.from_xml_string(xml)
    assert m.mesh_octadr[0] == ref.mesh_octadr[0] == -1
    for package, model in ((mujoco, ref), (tumble, m)):
        with pytest.raises(package.FatalError, match="Octree not found in mesh 0"):
            package.mj_forward(model, package.MjData(model))


# ---- contacts ------------------------------------------------------------------------------------------------------------
OTHERS = ("sphere", "capsule", "ellipsoid", "cylinder", "box", "field")


@pytest.mark.parametrize("other", OTHERS)
@pytest.mark.parametrize("name", SHAPES)
def test_contacts_of_a_field_are_those_of_the_reference(name, other):
    ref, ref_data, m, d = party(name)
    rng, contacts, home = np.random.default_rng(1), 0, ref.geom_pos[OTHERS.index(other)]
    for _ in range(12):
        ref_data.qpos[:3], ref_data.qpos[3:7] = home + rng.normal(size=3) * 0.4, turn(rng)
        d.qpos[:] = ref_data.qpos
        mujoco.mj_fwdPosition(ref, ref_data)
        tumble.mj_fwdPosition(m, d)
        assert d.ncon == ref_data.ncon
        contacts += d.ncon
        for k in ("dist", "pos", "frame", "geom"):
            close(getattr(d.contact, k), np.asarray(getattr(ref_data.contact, k)), FINITE_DIFFERENCE, k)
    assert contacts > 10


def test_rays_see_a_field():
    ref, ref_data, m, d = party("torus")
    for package, model, data in ((mujoco, ref, ref_data), (tumble, m, d)):
        data.qpos[:] = 1, 5, 0, 1, 0, 0, 0
        package.mj_kinematics(model, data)
    hits, geom = 0, np.zeros(1, np.int32)
    for x in np.linspace(-0.8, 0.8, 15):
        start, along = np.array([1 + x, 5.1, 2.0]), np.array([0, 0, -1.0])
        mine = tumble.mj_ray(m, d, start, along, None, 1, -1, geom)
        close(mine, mujoco.mj_ray(ref, ref_data, start, along, None, 1, -1, geom), ITER, "distance")
        # the ray meets the torus where the distance from its circle is the small radius
        if mine > 0:
            hits += 1
            close(np.hypot(np.hypot(x, 0.1) - 0.4, 2 - mine), 0.15, ITER, "point on the surface")
    assert 0 < hits < 15


def test_the_paths_of_the_descent():
    ref, ref_data, m, d = party("nut")
    scenes = []
    for package, model, data in ((mujoco, ref, ref_data), (tumble, m, d)):
        data.qpos[:] = 0.5, 0.1, 0, 1, 0, 0.1, 0
        package.mj_forward(model, data)
        option, result = package.MjvOption(), package.MjvScene(model, 1000)
        option.flags[package.mjtVisFlag.mjVIS_SDFITER] = 1
        package.mjv_updateScene(model, data, option, None, package.MjvCamera(), 7, result)
        scenes.append(result)
    theirs, mine = scenes
    assert mine.ngeom == theirs.ngeom > 2 * 12
    for k in range(mine.ngeom):
        assert mine.geoms[k].type == theirs.geoms[k].type
        for name in ("pos", "size", "rgba"):
            close(getattr(mine.geoms[k], name), getattr(theirs.geoms[k], name), 1e-5, f"{name}: scenes are in single precision")


# ---- octrees of meshes ------------------------------------------------------------------------------------------------------
CUBE = "-1 -1 -1  1 -1 -1  -1 1 -1  1 1 -1  -1 -1 1  1 -1 1  -1 1 1  1 1 1"
MESHES = {
    "cube": f'<mesh name="m" vertex="{CUBE}"/>',
    "wedge": '<mesh name="m" vertex="0 0 0  2 0 .1  0 1 0  .3 .2 .6  1.9 .1 .7" />',
    "sphere": '<mesh name="m" builtin="sphere" params="2" scale=".3 .4 .5"/>',
    "torus": '<mesh name="m" builtin="supertorus" params="12 .3 1 1" inertia="exact"/>',
}


@pytest.mark.parametrize("name", MESHES)
def test_the_octree_of_a_mesh_is_that_of_the_reference(name):
    xml = f'<mujoco><asset>{MESHES[name]}</asset><worldbody><body><geom type="sdf" mesh="m"/></body></worldbody></mujoco>'
    ref, _, m, _ = both(xml)
    assert m.noct == ref.noct > 500
    for field_name in ("mesh_octadr", "mesh_octnum", "oct_child", "oct_depth"):
        assert np.array_equal(getattr(m, field_name), getattr(ref, field_name)), field_name
    close(m.oct_aabb, ref.oct_aabb, ROUND, "oct_aabb")
    close(m.oct_coeff, ref.oct_coeff, 1e-7, "oct_coeff: the vertices of the mesh are in single precision")


def test_distances_from_a_cube():
    from tumble.engine.description.compile.bvh import grow_tree

    vert = np.array(CUBE.split(), float).reshape(-1, 3)
    face = np.array(
        [
            [0, 2, 3],
            [0, 3, 1],
            [4, 5, 7],
            [4, 7, 6],
            [0, 1, 5],
            [0, 5, 4],
            [2, 6, 7],
            [2, 7, 3],
            [0, 4, 6],
            [0, 6, 2],
            [1, 3, 7],
            [1, 7, 5],
        ]
    )
    corners = vert[face]
    tree = grow_tree(corners.min(1), corners.max(1), corners.mean(1))
    x = np.random.default_rng(0).uniform(-2, 2, (500, 3))
    q = np.abs(x) - 1
    exact = np.linalg.norm(np.maximum(q, 0), axis=1) + np.minimum(q.max(1), 0)
    close(mesh_distances(x, vert, face, tree), exact, ROUND, "distance")
