"""Scripts about fixes that the reference's list of changes does not name: shapes, solvers and deformables. See `fixes`."""

import numpy as np


def fate(load, *args):
    """Return 1 if something is read, 0 if it is an error."""
    try:
        load(*args)
    except (ValueError, RuntimeError, TypeError):
        return 0
    return 1


# ---- convex shapes -----------------------------------------------------------------------------------------------------
CUBE = " ".join(f"{x} {y} {z}" for x in (-1, 1) for y in (-1, 1) for z in (-1, 1))


def pair_of(kinds, sizes, option="", mesh=""):
    """The XML of two free bodies with the given shapes. A mesh is a box of the given size."""
    assets, bodies = "", ""
    for k, (kind, size) in enumerate(zip(kinds, sizes, strict=True)):
        words = " ".join(f"{x:.17g}" for x in size)
        if kind == "mesh":
            assets += f'<mesh name="m{k}" scale="{words}" vertex="{CUBE}"/>'
            shape = f'type="mesh" mesh="m{k}"'
        else:
            shape = f'type="{kind}" size="{words}"'
        bodies += f'<body><freejoint/><geom {shape}/><inertial pos="0 0 0" mass="1" diaginertia="1 1 1"/></body>'
    return f'<mujoco><option gravity="0 0 0"{option}/><asset>{assets}</asset><worldbody>{bodies}</worldbody></mujoco>'


def turned(rng, angle):
    """Orientation near the identity."""
    found = np.concatenate([[1], 0.5 * angle * rng.normal(size=3)])
    return found / np.linalg.norm(found)


def touching(mj, m, poses):
    """(poses, contacts, 7): distances, positions and normals, NaN beyond the last contact."""
    d, rows = mj.MjData(m), np.full((len(poses), 8, 7), np.nan)
    for row, qpos in zip(rows, poses, strict=True):
        d.qpos[:] = qpos
        mj.mj_kinematics(m, d)
        mj.mj_collision(m, d)
        for place, con in zip(row, d.contact, strict=False):
            place[:] = con.dist, *con.pos, *con.frame[:3]
    return rows


def level_boxes(mj, load):
    """Boxes on top of each other, turned by almost nothing, of like sizes or of very unlike ones; as meshes."""
    found, rng = {}, np.random.default_rng(1)
    for name, sizes in (
        ("like", ((0.5,) * 3, (0.5,) * 3)),
        ("large", ((50, 50, 0.25), (0.1,) * 3)),
        ("small", ((0.5, 0.5, 0.1), (0.025,) * 3)),
    ):
        m, poses = load(pair_of(("mesh", "mesh"), sizes)), []
        for power in range(3, 12):
            for depth in (1e-2, 1e-4, 1e-6):
                place = (*(rng.normal(size=2) * 10.0**-power), sizes[0][2] + sizes[1][2] - depth)
                poses.append([0, 0, 0, *turned(rng, 10.0**-power), *place, *turned(rng, 10.0**-power)])
        found[name] = touching(mj, m, poses)
    return found


def plates_in_walls(mj, load):
    """Thin plates, turned about the vertical, whose edges reach into a wall; as meshes."""
    rng, poses = np.random.default_rng(2), []
    m = load(pair_of(("mesh", "mesh"), ((0.65, 0.48, 0.04), (0.1, 1.2, 1.4))))
    for _ in range(30):
        angle = rng.uniform(0, np.pi)
        poses.append(
            [rng.uniform(-0.5, -0.1), rng.uniform(-0.3, 0.3), rng.uniform(-1, 1), np.cos(angle), 0, 0, np.sin(angle)]
            + [0.0, 0, 0, 1, 0, 0, 0]
        )
    return {"contacts": touching(mj, m, poses)}


def thin_boxes(mj, load):
    """Distances of small thin boxes that are closer than the tolerance, or overlap as little."""
    rng, found = np.random.default_rng(3), []
    for _ in range(20):
        sizes = 10.0 ** rng.uniform(-4, -2, size=(2, 3))
        m = load(pair_of(("box", "box"), sizes))
        d = mj.MjData(m)
        turns = rng.normal(size=(2, 4))
        turns /= np.linalg.norm(turns, axis=1)[:, None]
        way = rng.normal(size=3)
        d.qpos[:] = [0, 0, 0, *turns[0], *(way / np.linalg.norm(way) * 0.1), *turns[1]]
        for gap in (1e-2, 8e-7, 1e-8, -1e-7):
            mj.mj_kinematics(m, d)
            ends = np.zeros(6)
            far = mj.mj_geomDistance(m, d, 0, 1, 1, ends)
            found.append(far)
            d.qpos[7:10] -= (ends[3:] - ends[:3]) / far * (far - gap) if far > 1e-5 else 0
            if far < 1e-5:
                break
    return {"distances": found}


def grazing_ellipsoids(mj, load):
    """Ellipsoids that hardly touch, with few iterations."""
    rng, poses = np.random.default_rng(4), []
    m = load(pair_of(("ellipsoid", "ellipsoid"), ((0.05, 0.07, 0.15),) * 2, ' ccd_iterations="35"'))
    d = mj.MjData(m)
    for _ in range(20):
        turns = rng.normal(size=(2, 4))
        turns /= np.linalg.norm(turns, axis=1)[:, None]
        way = rng.normal(size=3)
        d.qpos[:] = [0, 0, 0, *turns[0], *(way / np.linalg.norm(way) * 0.4), *turns[1]]
        mj.mj_kinematics(m, d)
        ends = np.zeros(6)
        far = mj.mj_geomDistance(m, d, 0, 1, 1, ends)
        d.qpos[7:10] -= (ends[3:] - ends[:3]) * (1 + 1e-5 / far)
        poses.append(d.qpos.copy())
    return {"contacts": touching(mj, m, poses)}


# ---- functions ---------------------------------------------------------------------------------------------------------
def lost_factors(mj, load):
    """Cholesky factors of matrices that lose a pivot, and the minimum of a bounded problem from its lower triangle."""
    rng, found = np.random.default_rng(5), {}
    for size in (3, 6):
        rows = rng.normal(size=(size, size - 1))
        mat = rows @ rows.T
        found[f"rank{size}"] = mj.mju_cholFactor(mat, 1e-3)
        found[f"factor{size}"] = np.tril(mat)
    n = 5
    half = rng.normal(size=(n, n))
    hess = half @ half.T + 0.1 * np.eye(n)
    hess[np.triu_indices(n, 1)] = np.nan
    answer, factor, index = np.zeros(n), np.zeros((n, n + 7)), np.zeros(n, np.int32)
    found["free"] = mj.mju_boxQP(answer, factor, index, hess, rng.normal(size=n), -np.full(n, 0.3), np.full(n, 0.3))
    return found | {"answer": answer}


# ---- flexes ------------------------------------------------------------------------------------------------------------
FLEX = """<mujoco><option integrator="Euler" gravity="0 0 0"/><worldbody><body name="b" pos=".1 .2 .3" quat=".8 .3 -.4 .2">
  <flexcomp name="f" {kind} mass="1" radius=".01" {turn}><elasticity young="1e4" poisson=".2" damping=".01" {more}/>
    <contact selfcollide="none" internal="false"/>{pin}</flexcomp></body></worldbody></mujoco>"""
CLOTH = 'type="grid" dim="2" count="4 3 1" spacing=".1 .1 .1"'
SOLID = 'type="grid" dim="3" count="3 3 3" spacing=".1 .1 .1"'
FLEXES = {
    "cell": (SOLID + ' dof="trilinear"', "", ""),
    "solid": (SOLID, "", ""),
    "stretch": (CLOTH, 'thickness=".01" elastic2d="stretch"', ""),
    "bend": (CLOTH, 'thickness=".01" elastic2d="bend"', ""),
    "both": (CLOTH, 'thickness=".01" elastic2d="both"', '<pin id="0 1"/>'),
}


def flexes_in_turned_bodies(mj, load):
    """Passive forces of flexes on turned bodies, and the state after one step."""
    found = {}
    for name, (kind, more, pin) in FLEXES.items():
        for turn in ("", 'quat=".5 .5 -.5 .5"'):
            text = FLEX.replace(' internal="false"', "").format(kind=kind, more=more, pin=pin, turn=turn)
            m, rng = load(text), np.random.default_rng(6)
            d = mj.MjData(m)
            d.qpos += 0.01 * rng.normal(size=m.nq)
            d.qvel += 0.1 * rng.normal(size=m.nv)
            mj.mj_forward(m, d)
            key = f"{name}{len(turn)}."
            found |= {key + "spring": d.qfrc_spring.copy(), key + "damper": d.qfrc_damper.copy()}
            found |= {key + "vert0": m.flex_vert0, key + "size": m.flex_size, key + "nodes": m.flex_node0}
            mj.mj_step(m, d)
            found[key + "qpos"] = d.qpos.copy()
    return found


RUB = """<mujoco><option jacobian="{jacobian}" cone="{cone}"/><worldbody><geom type="box" size=".5 .5 .1" condim="{dim}"/>
  <body name="arm" pos="0 0 .2"><joint axis="0 1 0"/><geom size=".02" contype="0" conaffinity="0" mass="1"/>
  <flexcomp name="f" type="grid" dim="{flat}" count="3 3 {high}" spacing=".1 .1 .1" pos="0 0 -.09" mass=".1" radius=".02">
  <contact condim="{dim}" selfcollide="none"/><edge equality="true"/><pin id="0"/></flexcomp></body></worldbody></mujoco>"""


def turning_flex_contacts(mj, load):
    """Jacobians of contacts of flexes with friction against turning and rolling, sparse and dense."""
    found = {}
    for dim in (1, 3, 4, 6):
        for flat in (2, 3):
            for jacobian in ("dense", "sparse"):
                m = load(RUB.format(jacobian=jacobian, cone="elliptic", dim=dim, flat=flat, high=1 if flat == 2 else 2))
                d = mj.MjData(m)
                d.qvel[:] = np.random.default_rng(7).normal(size=m.nv)
                mj.mj_forward(m, d)
                rows = np.zeros((d.nefc, m.nv))
                if jacobian == "sparse":
                    mj.mju_sparse2dense(rows, d.efc_J, d.efc_J_rownnz, d.efc_J_rowadr, d.efc_J_colind)
                else:
                    rows[:] = d.efc_J.reshape(rows.shape)
                found[f"{dim}{flat}{jacobian}"] = rows[d.efc_type >= int(mj.mjtConstraint.mjCNSTR_CONTACT_FRICTIONLESS)]
    return found


HELD = """<mujoco><worldbody><site name="s" type="box" size=".3 .3 .3"/><body name="b">{joint}<flexcomp name="f" type="grid"
  dim="3" count="3 3 3" spacing=".1 .1 .1" mass="1" dof="{dof}"><contact selfcollide="none"/>{pin}</flexcomp></body></worldbody>
  <sensor><insidesite site="s" objtype="body" objname="b"/></sensor></mujoco>"""


def flexes_inside_sites(mj, load):
    """Whether a body without mass, whose flex moves away, is inside a site."""
    found = []
    for dof in ("full", "trilinear"):
        m = load(HELD.format(joint="", dof=dof, pin=""))
        d = mj.MjData(m)
        for far in (0.0, 0.2, 0.5):
            d.qpos[:] = np.tile([far, 0, 0], m.nq // 3)
            mj.mj_forward(m, d)
            found.append(d.sensordata[0])
    return {"inside": found}


LOOSE = """<mujoco><worldbody><body name="b"><flexcomp name="f" type="direct" dim="3" mass="1" dof="{dof}" radius=".01"
  point="0 0 0 .5 .5 .5 1 0 .1 0 1 0 1 1 .2 .9 .9 .9 .2 .3 1" element="0 2 3 6 2 4 3 6">
  <contact selfcollide="none"/>{pin}</flexcomp></body></worldbody></mujoco>"""


SURFACE = 'type="direct" dim="2" point="0 0 0 1 0 0 0 1 0 0 0 1" element="0 2 1 0 1 3 1 2 3 2 0 3"'
LUMP = """<mujoco><worldbody><body name="b"><flexcomp name="f" {kind} mass="1" dof="trilinear" spacing=".1 .1 .1" radius=".01">
  <contact selfcollide="none"/>{pin}</flexcomp></body></worldbody></mujoco>"""


def loose_points(mj, load):
    """Points of a flexcomp that no element uses, with nodes that are pinned by their place in the grid."""
    found = {}
    for name, dof, pin in (
        ("free", "trilinear", ""),
        ("pinned", "trilinear", '<pin gridrange="0 0 0 1 0 1"/>'),
        ("grid", "trilinear", '<pin grid="0 0 0 1 1 1"/>'),
        ("full", "full", ""),
        ("point", "trilinear", '<pin id="2 6"/>'),
        ("quadratic", "quadratic", '<pin gridrange="0 0 0 2 2 0"/><pin id="6"/>'),
    ):
        m = load(LOOSE.format(dof=dof, pin=pin))
        found |= {f"{name}.{k}": getattr(m, k) for k in ("flex_vert", "flex_vertbodyid", "flex_nodebodyid", "body_mass")}
    for name, kind in (
        ("box", 'type="box" count="3 3 3" dim="3"'),
        ("shell", SURFACE),
        ("ball", 'type="ellipsoid" count="4 4 4" dim="3"'),
    ):
        pin = '<pin grid="1 0"/>' if name == "shell" else '<pin grid="1 0 1"/>'
        m = load(LUMP.format(kind=kind, pin=pin))
        found |= {f"{name}.{k}": getattr(m, k) for k in ("flex_vertbodyid", "flex_nodebodyid", "body_mass")}
    for name, dof, pin in (("beyond", "trilinear", '<pin grid="2 0 0"/>'), ("rows", "full", '<pin grid="0 0 0"/>')):
        found[name] = fate(load, LOOSE.format(dof=dof, pin=pin))
    return found


FLAT = """<mujoco><worldbody><body name="b" quat=".8 .3 -.4 .2"><flexcomp name="f" type="grid" dim="2" count="3 3 1" mass="1"
  spacing=".1 .1 .1" dof="2d" quat="{}">{}<contact selfcollide="none"/></flexcomp></body></worldbody></mujoco>"""
SHEETS = (
    '<edge equality="true"/>',
    '<elasticity young="1e4" thickness=".01" elastic2d="stretch" damping=".1"/>',
    '<elasticity young="1e4" thickness=".01" elastic2d="bend"/><pin id="0"/>',
)


def flat_flexes(mj, load):
    """Flexes that move in a plane only."""
    found = {}
    for k, text in enumerate(SHEETS):
        for turn in ("1 0 0 0", ".8 .3 -.4 .2"):
            m, rng = load(FLAT.format(turn, text)), np.random.default_rng(10)
            d = mj.MjData(m)
            d.qpos += 0.01 * rng.normal(size=m.nq)
            d.qvel += 0.1 * rng.normal(size=m.nv)
            mj.mj_step(m, d, 3)
            key = f"{k}{turn[0]}."
            found |= {
                key + "joints": m.jnt_type,
                key + "axes": m.jnt_axis,
                key + "qpos": d.qpos.copy(),
                key + "qvel": d.qvel.copy(),
            }
    return found


def edges_of_flexes(mj, load):
    """Jacobians of the edges of a flex take the memory of their own dofs."""
    m = load(FLEX.format(kind=CLOTH, more='thickness=".01"', pin='<pin id="0 1"/>', turn="").replace(' internal="false"', ""))
    d = mj.MjData(m)
    mj.mj_forward(m, d)
    names = "flexedge_J_rownnz flexedge_J_rowadr flexedge_J_colind".split()
    found = {name: np.ravel(getattr(m, name)) for name in names if hasattr(m, name)}
    return found | {"J": np.ravel(d.flexedge_J), "length": d.flexedge_length}


GRID = "$MeshFormat\n2.2 0 8\n$EndMeshFormat\n$Nodes\n4\n1 0 0 0\n2 1 0 0\n3 0 1 0\n4 0 0 1\n$EndNodes\n$Elements\n1\n\
1 4 0 1 2 3 4\n$EndElements\n"


def flexes_from_memory(mj, load):
    """A file of GMSH that is in memory only."""
    text = '<mujoco><worldbody><flexcomp name="f" type="gmsh" file="a.msh" dim="3" mass="1"/></worldbody></mujoco>'
    m = mj.MjModel.from_xml_string(text, {"a.msh": GRID.encode()})
    return {"vert": m.flex_vert, "elem": m.flex_elem, "pos": m.body_pos}


SCRIPTS = (
    level_boxes,
    plates_in_walls,
    thin_boxes,
    grazing_ellipsoids,
    lost_factors,
    flexes_in_turned_bodies,
    turning_flex_contacts,
    flexes_inside_sites,
    loose_points,
    flat_flexes,
    edges_of_flexes,
    flexes_from_memory,
)
