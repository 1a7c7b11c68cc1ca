"""The tables of starts save time in the search for farthest vertices. They change no result."""

import itertools

import numpy as np
import pytest

import tumble as mj
from tests.collide.scenes import turn
from tumble.engine.geom.support import NO, YES, cell_part
from tumble.engine.tables.scratch import AXIS_BITS, HAS_TABLE

POSES = 120
# the largest difference of two numbers of 32 bits, relative to the numbers
SINGLE = 1.2e-7


def pebble(count, rng):
    points = rng.normal(size=(count, 3))
    return points / np.linalg.norm(points, axis=1, keepdims=True) * (0.3, 0.24, 0.18)


def studded_brick(count, _rng):
    """A box with a grid of vertices on each side: many vertices are equally far."""
    ticks = np.linspace(-1, 1, count)
    return np.array([p for p in itertools.product(ticks, repeat=3) if max(map(abs, p)) == 1]) * (0.3, 0.2, 0.1)


def column(count, _rng):
    """A prism with many sides: whole edges are equally far."""
    angles = np.arange(count) * 2 * np.pi / count
    return np.array([(0.2 * np.cos(a), 0.2 * np.sin(a), z) for a in angles for z in (-0.3, 0.3)])


def plate(count, rng):
    """Almost flat, so that the numbers along its normal are much smaller than the others."""
    return pebble(count, rng) * (1, 1, 1e-4)


HULLS = {
    "pebble": (pebble, 40),
    "boulder": (pebble, 400),
    "brick": (studded_brick, 5),
    "column": (column, 24),
    "plate": (plate, 40),
}


def numbers(points):
    return " ".join(map(repr, points.ravel().tolist()))


def scene(first, second, option=""):
    rng = np.random.default_rng(3)
    assets = "".join(f'<mesh name="{n}" vertex="{numbers(f(count, rng))}"/>' for n, (f, count) in HULLS.items())
    body = '<body><freejoint/><geom type="mesh" mesh="{}" margin=".02"/></body>'
    return (
        f"""<mujoco>{option}<asset>{assets}</asset><worldbody>{body.format(first)}{body.format(second)}</worldbody></mujoco>"""
    )


def without_table(m):
    d = mj.MjData(m)
    d.storage.integers[d.schema.slot["hull_starts"]] = 0
    return d


def rows(d):
    return [(*c.geom, c.dist, *c.pos, *c.frame) for c in d.contact]


def same_contacts(m, rng):
    """Compare contacts with and without the table in random and aligned poses; return the number of contacts."""
    d, plain, found = mj.MjData(m), without_table(m), 0
    for _ in range(POSES):
        place = rng.normal(size=3) * rng.choice([0.02, 0.1, 0.2])
        pose = np.concatenate((place, turn(rng), np.zeros(3), turn(rng)))
        for x in d, plain:
            x.qpos[:] = pose
            mj.mj_forward(m, x)
        assert rows(d) == rows(plain)
        found += d.ncon
    return found


@pytest.mark.parametrize("pair", list(itertools.combinations_with_replacement(HULLS, 2)), ids="-".join)
@pytest.mark.parametrize("compat", ["3.4", "4.0"])
def test_contacts_do_not_depend_on_the_table(pair, compat):
    m = mj.MjModel.from_xml_string(scene(*pair), compat=compat)
    assert same_contacts(m, np.random.default_rng(0)) > POSES / 2


@pytest.mark.parametrize("name", HULLS)
@pytest.mark.parametrize("compat", ["3.4", "4.0"])
def test_nor_do_contacts_with_a_plane(name, compat):
    text = scene(name, name).replace("<worldbody>", '<worldbody><geom type="plane" size="1 1 1" euler="20 30 0"/>')
    m = mj.MjModel.from_xml_string(text, compat=compat)
    d, plain, found = mj.MjData(m), without_table(m), 0
    mj.mj_forward(m, d)
    rng, normal = np.random.default_rng(5), d.geom_xmat[0].reshape(3, 3)[:, 2].copy()
    for k in range(POSES):
        # in every third pose, a side of the first body is parallel to the plane
        pose = np.concatenate([(*(normal * rng.uniform(0.05, 0.3) + 0.1 * i), *turn(rng)) for i in range(2)])
        if k % 3 == 0:
            pose[3:7] = m.geom_quat[0]
        for x in d, plain:
            x.qpos[:] = pose
            mj.mj_forward(m, x)
        assert rows(d) == rows(plain)
        found += sum(c.geom[0] == 0 for c in d.contact)
    assert found > POSES / 2


@pytest.mark.parametrize("flag", ['nativeccd="disable"', 'multiccd="enable"'])
@pytest.mark.parametrize("pair", [("pebble", "brick"), ("column", "plate")], ids="-".join)
def test_nor_with_other_convex_functions(pair, flag):
    m = mj.MjModel.from_xml_string(scene(*pair, f"<option><flag {flag}/></option>"))
    assert same_contacts(m, np.random.default_rng(1)) > POSES / 2


def test_nor_after_vertices_were_edited():
    m = mj.MjModel.from_xml_string(scene("boulder", "column"))
    same_contacts(m, np.random.default_rng(2))
    # the table is filled; a shear changes which vertices are farthest
    m.mesh_vert[:, 0] += 0.8 * m.mesh_vert[:, 2]
    assert same_contacts(m, np.random.default_rng(2)) > POSES / 2


def test_nor_after_a_hull_was_replaced_by_a_smaller_one():
    m = mj.MjModel.from_xml_string(scene("boulder", "column"))
    same_contacts(m, np.random.default_rng(2))
    boulder, pebbles = (m.mesh(n).id for n in ("boulder", "pebble"))
    at, end, other = m.mesh_graphadr[boulder], m.mesh_vertadr[boulder], m.mesh_vertadr[pebbles]
    graph = m.mesh_graph[m.mesh_graphadr[pebbles] :]
    n, faces = graph[:2]
    m.mesh_graph[at : at + 2 + 3 * n + 6 * faces] = graph[: 2 + 3 * n + 6 * faces]
    m.mesh_vert[end : end + n] = m.mesh_vert[other : other + n]
    assert same_contacts(m, np.random.default_rng(2)) > POSES / 2


def test_hulls_with_neighbors_at_one_point_have_no_table():
    """A climb that ends at such a point may miss farther vertices, and where it ends depends on its start."""
    m = mj.MjModel.from_xml_string(scene("boulder", "boulder"))
    k = m.mesh("boulder").id
    graph, first = m.mesh_graph[m.mesh_graphadr[k] :], m.mesh_vertadr[k]
    n = graph[0]
    # move each fourth vertex of the hull to its first neighbor
    vertices, lists = first + graph[2 + n : 2 + 2 * n], graph[2 + 2 * n :]
    for v in range(0, n, 4):
        m.mesh_vert[vertices[v]] = m.mesh_vert[vertices[lists[graph[2 + v]]]]
    assert same_contacts(m, np.random.default_rng(7)) > POSES / 2
    table = m.__dict__["_hull_starts"][k]
    assert table[HAS_TABLE] == NO and set(table[:HAS_TABLE]) == {0, NO}


@pytest.mark.parametrize("part", [cell_part, cell_part.function])
def test_every_number_has_a_cell(part):
    assert [part(x) for x in (-np.inf, -1e300, -1.0, -0.5, 0.0, 0.9, 1.0, 1e300, np.inf)] == [0, 0, 0, 2, 4, 7, 7, 7, 7]
    assert part(np.nan) == 0


@pytest.mark.parametrize("name", HULLS)
def test_entries_are_the_farthest_vertices_of_their_cells(name):
    m = mj.MjModel.from_xml_string(scene(name, name))
    same_contacts(m, np.random.default_rng(4))
    k = m.mesh(name).id
    table = m.__dict__["_hull_starts"][k]
    entries = table[:HAS_TABLE]
    assert 0 < np.count_nonzero(entries) < HAS_TABLE
    assert not m.__dict__["_hull_starts"][[i for i in range(m.nmesh) if i != k]].any()
    assert table[HAS_TABLE] == YES

    at, n = m.mesh_graphadr[k], m.mesh_graph[m.mesh_graphadr[k]]
    corners = m.mesh_vert[m.mesh_vertadr[k] + m.mesh_graph[at + 2 + n : at + 2 + 2 * n]].astype(float)
    for cell in np.flatnonzero(entries):
        parts = np.array([cell >> 2 * AXIS_BITS, cell >> AXIS_BITS, cell]) & (1 << AXIS_BITS) - 1
        heights = corners @ (parts - 0.5 * ((1 << AXIS_BITS) - 1))
        assert heights[table[cell] - 1] >= heights.max() - SINGLE * np.abs(corners).max() * (1 << AXIS_BITS)


def test_all_datas_of_a_model_share_its_table():
    m = mj.MjModel.from_xml_string(scene("pebble", "pebble"))
    d, other = mj.MjData(m), mj.MjData(m)
    slot = d.schema.slot["hull_starts"]
    assert d.storage.integers[slot] == other.storage.integers[slot] == m.__dict__["_hull_starts"].ctypes.data
    none = mj.MjModel.from_xml_string("<mujoco/>")
    assert mj.MjData(none).storage.integers[slot] == 0 and "_hull_starts" not in none.__dict__
