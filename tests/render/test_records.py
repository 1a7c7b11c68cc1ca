"""Instance records and bounds of shadows equal those of a simple implementation; cached data equals that of a new list."""

import numpy as np
import pytest

import tumble
from tests.tolerance import ROUND, close
from tumble.render import scene as mjv
from tumble.render.gl import frame, instances, record_kernels

CROWD = """<mujoco><asset><texture name="t" type="2d" builtin="checker" width="8" height="8"/>
    <material name="m" texture="t" reflectance=".3"/>
 <mesh name="wedge" vertex="0 0 0 1 0 0 0 1 0 0 0 1"/></asset>
 <worldbody><light pos="0 0 3" dir="0 0 -1"/><geom name="floor" type="plane" size="0 0 .1" material="m"/>
   <geom type="plane" size="1 2 .1" pos="0 0 -1"/>
 <replicate count="9" offset=".3 .1 0"><body pos="0 0 1"><freejoint/><geom type="box" size=".1 .2 .3"/>
   <geom size=".1" rgba="1 0 0 .5" pos="0 .3 0"/>
  <geom type="capsule" size=".05 .1" material="m" pos="0 -.3 0"/><geom type="cylinder" size=".05 .1" pos="0 -.6 0"/>
    <geom type="ellipsoid" size=".1 .2 .3" pos="1 0 0"/>
  <geom type="mesh" mesh="wedge" pos="2 0 0"/><site name="s" pos="0 0 1"/></body></replicate></worldbody>
 <tendon><spatial><site site="s0"/><site site="s1"/></spatial></tendon></mujoco>"""


@pytest.fixture
def crowd():
    m = tumble.MjModel.from_xml_string(CROWD)
    d = tumble.MjData(m)
    tumble.mj_forward(m, d)
    scn, cam = mjv.MjvScene(m, 400), mjv.MjvCamera()
    mjv.mjv_defaultFreeCamera(m, cam)

    def update():
        # an infinite plane follows the camera of the previous picture
        for _ in range(2):
            mjv.mjv_updateScene(m, d, mjv.MjvOption(), None, cam, 7, scn)
        return scn, scn.glcam.pos.mean(0).astype(float)

    return m, d, update


def stated(tables, scn, shape, behind, order):
    """Records without textures, in numpy."""
    g, out = scn.geom, np.zeros(len(order), instances.RECORD)
    out["m"][:, :, :3], out["m"][:, :, 3] = g.mat[order].reshape(-1, 3, 3), g.pos[order]
    scale, capsule = g.size[order].copy(), g.type[order] == instances.G["CAPSULE"]
    scale[(shape[order] >= tables.mesh0) & (shape[order] < tables.cut0)] = 1
    out["scale"][capsule, 3] = scale[capsule, 2]
    scale[capsule, 2] = 0.5 * (scale[capsule, 0] + scale[capsule, 1])
    scale[g.type[order] == instances.G["TRIANGLE"], 2] = 1
    out["scale"][:, :3] = np.maximum(scale, record_kernels.SMALLEST_SCALE)
    out["rgba"] = g.rgba[order]
    out["rgba"][:, 3] *= np.where(behind[order], record_kernels.BEHIND_ALPHA, 1)
    out["surface"] = np.stack([g.emission[order], g.specular[order], np.clip(g.shininess[order], 0, 1), g.segid[order]], 1)
    return out


def test_records_are_what_numpy_says(crowd):
    m, _d, update = crowd
    scn, head = update()
    made = instances.DrawList(instances.ModelTables(m))
    made.build(scn, head)
    rng, n = np.random.default_rng(4), scn.ngeom
    behind, order = rng.random(n) < 0.3, rng.permutation(n)[: n - 5]
    scn.geom.shininess[:3] = -1, 2, np.nan
    out = np.full(len(order), np.nan, np.dtype(("f4", 28)))
    shape, tables = made.looks[0], made.tables
    record_kernels.fill_records(scn.geom.located(), order, shape, behind, n, len(order), tables.mesh0, tables.cut0, out)
    assert out.tobytes() == stated(tables, scn, shape, behind, order).view("f4").tobytes()


def test_bounds_of_what_casts_shadows(crowd):
    _m, _d, update = crowd
    scn, _head = update()
    g, n = scn.geom, scn.ngeom
    g.pos[7] = np.inf
    keep = np.flatnonzero(
        (g.category[:n] != frame.DECOR)
        & (g.type[:n] != frame.PLANE)
        & (g.type[:n] < frame.ARROW)
        & (g.castshadow[:n] != 0)
        & np.isfinite(g.pos[:n]).all(1)
    )
    pos, r = g.pos[keep].astype(float), np.maximum(g.modelrbound[keep], g.size[keep].max(1)).astype(float)
    low, high = (pos - r[:, None]).min(0), (pos + r[:, None]).max(0)
    mid, radius = frame.caster_sphere(scn)
    close(mid, 0.5 * (low + high), ROUND, "centre")
    close([radius], [(np.linalg.norm(pos - mid, axis=1) + r).max()], ROUND, "radius")
    scn.ngeom = 1
    assert frame.caster_sphere(scn) is None, "a plane alone casts none"


def differences(one, other):
    return [
        what
        for what, a, b in (
            ("records", one.records[: one.count].tobytes(), other.records[: other.count].tobytes()),
            ("batches", one.batches, other.batches),
            ("order", one.order.tolist(), other.order.tolist()),
            ("mirror", one.mirror, other.mirror),
        )
        if a != b
    ]


@pytest.mark.parametrize("clear", (True, False), ids=("some seen through", "all opaque"))
def test_a_list_that_goes_on_says_what_a_new_one_says(crowd, clear):
    """An updated draw list equals a new one, whether shapes, batches, the order or nothing changed between two frames."""
    m, d, update = crowd
    if not clear:
        m.geom_rgba[:, 3] = 1
    tables, rng = instances.ModelTables(m), np.random.default_rng(2)
    kept = instances.DrawList(tables)
    for _ in range(40):
        d.qpos[:] += rng.normal(scale=0.1, size=m.nq)
        change, geom = rng.integers(8), rng.integers(m.ngeom)
        if change == 0:
            m.geom_matid[geom] = rng.integers(-1, m.nmat)
        elif change == 1:
            m.geom_rgba[geom, 3] = rng.choice([0.4, 1.0])
        elif change == 2:
            m.geom_group[geom] = rng.integers(0, 5)
        elif change == 3:
            m.mat_reflectance[:] = rng.choice([0.0, 0.5])
        elif change == 4:
            d.qpos[2] *= -1
        tumble.mj_kinematics(m, d)
        scn, head = update()
        first = kept.build(scn, head)
        before, reflectance = (first.records[: first.count].copy(), first.batches), scn.geom.reflectance[: scn.ngeom].copy()
        scn, head = update()
        fresh = instances.DrawList(tables).build(scn, head)
        assert before[1] == fresh.batches and not differences(kept, fresh)
        assert before[0].tobytes() == fresh.records[: fresh.count].tobytes()
        assert np.array_equal(reflectance, scn.geom.reflectance[: scn.ngeom]), "one mirror alone"
