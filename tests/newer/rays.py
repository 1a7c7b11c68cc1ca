"""Rays that give normals, at shapes of all kinds: by 4.0.1, which records, and here, which is compared."""

import numpy as np

MODEL = """<mujoco><asset><mesh name='p' vertex='-.5 -.4 -.3 .6 -.4 -.3 0 .5 -.3 .1 0 .7'/>
  <hfield name='h' nrow='3' ncol='4' size='1 1 .3 .1' elevation='0 1 2 3 1 0 2 1 0 1 0 2'/></asset><worldbody>
    <geom type='plane' size='1 1 .1' euler='5 6 7'/>
  <geom type='sphere' size='.3' pos='3 0 0'/><geom type='capsule' size='.2 .3' pos='6 0 0' euler='10 20 30'/>
    <geom type='ellipsoid' size='.2 .3 .4' pos='9 0 0' euler='40 0 10'/>
  <geom type='cylinder' size='.2 .3' pos='12 0 0' euler='20 30 40'/>
    <geom type='box' size='.2 .3 .4' pos='15 0 0' euler='30 10 20'/>
  <geom type='mesh' mesh='p' pos='18 0 0' euler='10 30 50'/><geom type='hfield' hfield='h' pos='21 0 0' euler='5 10 0'/>
  <body name='b' pos='26 0 0'><flexcomp name='f' type='grid' count='3 3 1' spacing='.2 .2 .2' radius='.02' dim='2' mass='1'>
    <edge equality='true'/></flexcomp></body>
  <body name='k' pos='29 0 0'><flexcomp name='k' type='grid' count='3 3 3' spacing='.2 .2 .2' radius='.02' dim='3' mass='1'>
    <edge equality='true'/></flexcomp></body>
  </worldbody></mujoco>"""
# rays at each shape; every third one starts within
COUNT, INSIDE = 15, 3
SHOWN = ((True, False, False, False), (False, True, False, False), (False, False, True, False), (False, False, False, True))


def _rays(rng, centre):
    for k in range(COUNT):
        out = rng.normal(size=3)
        start = centre + out * (0.05 if k % INSIDE == 0 else 1.2 / np.linalg.norm(out))
        yield start, (centre + rng.uniform(-0.25, 0.25, 3) - start) * rng.uniform(0.5, 2)


def trace(mujoco, m, d) -> dict:
    """{function: (n, ...) of distance, what is hit, normal} of rays at every shape."""
    rng, found = np.random.default_rng(3), {name: [] for name in ("ray", "one", "many", "flex")}
    for g in range(m.ngeom):
        for start, along in _rays(rng, d.geom_xpos[g]):
            normal, hit = np.full(3, 7.0), np.full(1, -7, np.int32)
            x = mujoco.mj_ray(m, d, start, along, None, True, -1, hit, normal)
            found["ray"].append([x, hit[0], *normal])
            normal[:] = 7
            if m.geom_type[g] == mujoco.mjtGeom.mjGEOM_HFIELD:
                x = mujoco.mj_rayHfield(m, d, g, start, along, normal)
            elif m.geom_type[g] == mujoco.mjtGeom.mjGEOM_MESH:
                x = mujoco.mj_rayMesh(m, d, g, start, along, normal)
            else:
                x = mujoco.mju_rayGeom(d.geom_xpos[g], d.geom_xmat[g], m.geom_size[g], start, along, m.geom_type[g], normal)
            found["one"].append([x, g, *normal])
    along = rng.normal(size=(COUNT, 3)) * [1, 0.1, 0.1]
    dist, hit, normal = np.zeros(COUNT), np.zeros(COUNT, np.int32), np.full(3 * COUNT, 7.0)
    mujoco.mj_multiRay(m, d, np.array([10.5, 0, 0]), along.ravel(), None, True, -1, hit, dist, normal, COUNT, 1e10)
    found["many"] = np.column_stack([dist, hit, normal.reshape(-1, 3)])
    for f in range(m.nflex):
        centre = d.flexvert_xpos[m.flex_vertadr[f] :][: m.flex_vertnum[f]].mean(0)
        for start, along in _rays(rng, centre):
            for shown in SHOWN:
                normal, hit = np.full(3, 7.0), np.full(1, -7, np.int32)
                x = mujoco.mj_rayFlex(m, d, 0, *shown, f, start, along, hit, normal)
                found["flex"].append([x, hit[0], *normal])
    return {name: np.array(rows, float) for name, rows in found.items()}
