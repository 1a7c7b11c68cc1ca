"""Marching cubes: triangulates the zero surface of a field that is sampled on a grid.

Corner k of a cell is at (k & 1, k >> 1 & 1, k >> 2); its sign, negative inside, is bit k of the cell's case. Edges are numbered
along x (0-3), y (4-7), z (8-11), in each group by the other two coordinates. The table is that of
github.com/aparis69/MarchingCubeCpp (public domain): other tables cut ambiguous cells differently.
"""

import numpy as np

from ..machine.jit import kernel, stage
from ..machine.lang import array_at, bytes_at, floats_at, ints_at, invoke_field

# Triangles of each case; a triangle is given by three edges (hexadecimal digits).
CASES = """
- 048 509 495489 1a4 1801a8 1a4950 51a5a99a8 b15 5b1804 0b109b 14818bb89 a5ba45 05b0b88ba 40949aa9b 8ba89b 286 062046
950628 295256654 41a286 a62a21120 0958621a4 61a621251295 28615b 604620b15 b09b10628 46162916919b 5a45ba286
2a625a5ba052 286a9ba49409 2a629a9ba 927 048792 250275 827874475 1a4279 1801a8792 250275a41 827871175a81 b15279
0485b1279 7b1712210 48242112717b a5ba45279 7928ba80b05b ba7a407a0702 7827b8ba8 879867 904947746 086065567 467475
7867981a4 79661a916901 a41567506086 a51a65675 87986715b 15b746794904 08606bb6710b 17b147467 4ba45b698679
670ba0a605b0790 ba06707b0860a40 67b6ba 36a a36048 36a095 94895436a 341364 680603301 341364950 958836538513 36a5b1
15b48036a 0b109b6a3 6a3b89b18148 b36b65564 8368030b305b 6b360b09b406 6b368b89b 2a328a 4a3430032 a28a32509 34a394954293
841812213 013032 509213281841 529512132 2a328a5b1 b150320434a3 38a32819b109 9b4324294a34b14 5b4428b24b32 b05b30320
3249b4b34094284 32939b 792a36 2796a3048 527502a36 36a475487827 436413927 927301360680 164136075027 138758518278368
36a79215b 0486a379215b a362102717b1 36ab17127142482 2795645b6b36 2798060360535b3 02b64b40b36b27b 6838b387b827
37939aa98 a04a30390379 8a0a370a7075 34a374754 184178798371 937903013 758138378418508 137175 5b1a98a39379
15ba34304370790 8a7107087b17a37 37a74a7147b1 4539838437935b3 9070370b305b 08437b 7b3 73b 0483b7 5093b7 4954893b7
b7341a 81a80173b 1a4b73095 3b79a895a51a 173157 715731804 973930031 148187789317 3a4347745 80aa7307a057 a40a03309397
3973a9a89 286b73 062046b73 2869503b7 b73654625295 3b7a41286 73b1201a2a62 1a48629503b7 3b762a21a291951 173157862
246204357315 628031093973 469319149739629 8627457343a4 57a20a05a62a73a 2867393093a0a40 2969a693a973 3923b9 3923b9480
b50b03302 54b482b42b23 93b92341a 0a801a2b923b 41a3023b0b50 235a858251a53b5 592521123 804123152592 031023 814821231
3a4349945239 a852353a5925805 43a403023 23a2a8 63b6b88b9 63b6b00b9460 86383003b0b5 b63b56546 1a48b986b63b
016b969063b61a6 1a450b03b083863 a616516b563b 985863583531 319469639049159 608630310 314346 983453593a43863 3a6059
6383083403a4 3a6 6b76ab b6ab76048 6b76ab095 854895a76ab7 1b7174476 0680b6b761b0 9504764171b7 891761681b71951 a15a56657
0486576a5a15 7696a1961910 7618919714816a1 476457 068056576 940974764 897876 72878bb8a b7aa0470a720 095b8ab78728
ab25424a2952b72 4284121721b7 71b721201 0954181281b2b72 5191291721b7 872817157a18 20a57a72a15a04a 1078a7a17287097
14a297 872847457 205257 842472497409 972 26a2a99ab 4809ab92a26a 26a2a55ab025 542ab2b526a2482 4166921961b9
b960161b6806926 64b02b26b50b41b 2681b5 6a1612215259 0489252152616a1 a26a12102 a16126182148 259265645 058568526592
026064 268 8ab8b9 4904a9ab9 0b508b8ab ab5a54 1841b8b98 01b0b9 1b4b84b08b50 b51 5a159a98a 4a0a90a59a15 10818a 14a
459498 590 084 -
"""
_WORDS = [word.strip("-") for word in CASES.split()]
TRIANGLES = np.array([len(word) // 3 for word in _WORDS], np.uint8)
MOST = 5
EDGES = np.zeros((256, 3 * MOST), np.uint8)
for _k, _word in enumerate(_WORDS):
    EDGES[_k, : len(_word)] = [int(c, 16) for c in _word]
# axis of each edge of a cell, and offset of the edge's lower end
AXIS = np.repeat(np.arange(3), 4)
START = np.array(
    [
        (0, 0, 0),
        (0, 1, 0),
        (0, 0, 1),
        (0, 1, 1),
        (0, 0, 0),
        (1, 0, 0),
        (0, 0, 1),
        (1, 0, 1),
        (0, 0, 0),
        (1, 0, 0),
        (0, 1, 0),
        (1, 1, 0),
    ]
)


@stage("viiiiiii")
def sample_field(field, attributes, box, nx, ny, nz, out):
    """Sample a field `f(x, y, z, address of attributes)`, given by its function address, in a box (center, half sizes); write
    float32 (nz, ny, nx).
    """
    b, grid = array_at(box, 6), floats_at(out, nx * ny * nz)
    for k in range(nz):
        z = b[2] - b[5] + 2 * b[5] * k / (nz - 1)
        for j in range(ny):
            y = b[1] - b[4] + 2 * b[4] * j / (ny - 1)
            for i in range(nx):
                grid[(k * ny + j) * nx + i] = invoke_field(field, b[0] - b[3] + 2 * b[3] * i / (nx - 1), y, z, attributes)


@kernel
def new_vertex(grid, vert, slots, count, axis, x, y, z, nx, ny):
    """If the grid edge that starts at a point and follows an axis crosses the surface, append the crossing as a vertex. Return
    the vertex count."""
    at = (z * ny + y) * nx + x
    step = 1
    if axis > 0:
        step = nx if axis == 1 else nx * ny
    a, b = grid[at], grid[at + step]
    if (a < 0) == (b < 0):
        return count
    share = a / (a - b)
    vert[3 * count] = np.float32(x)
    vert[3 * count + 1] = np.float32(y)
    vert[3 * count + 2] = np.float32(z)
    vert[3 * count + axis] += share

    # Store the vertex's index. Lookups need only two neighboring layers, so layers alternate between two halves of the array.
    slots[3 * ((z % 2) * nx * ny + y * nx + x) + axis] = count
    return count + 1


@kernel
def add_normal(vert, normal, a, b, c):
    """Add a triangle's normal, whose length is twice the area, to the normals of its corners."""
    px, py, pz = vert[3 * a] - vert[3 * b], vert[3 * a + 1] - vert[3 * b + 1], vert[3 * a + 2] - vert[3 * b + 2]
    qx, qy, qz = vert[3 * c] - vert[3 * b], vert[3 * c + 1] - vert[3 * b + 1], vert[3 * c + 2] - vert[3 * b + 2]
    x, y, z = qy * pz - qz * py, qz * px - qx * pz, qx * py - qy * px
    for v in (a, b, c):
        normal[3 * v] += x
        normal[3 * v + 1] += y
        normal[3 * v + 2] += z


@stage("viiiiiiiiii")
def march(grid_at, nx, ny, nz, table_at, slots_at, vert_at, normal_at, face_at, nvert):
    """March through float32 samples (nz, ny, nx); writes float32 vertices and unscaled normals (nvert, 3), int32 triangles.

    Vertices are in units of the grid. Each cell adds the crossings on its edges that no earlier cell shares.
    """
    grid, table = floats_at(grid_at, nx * ny * nz), bytes_at(table_at, 256 * 16)
    slots = ints_at(slots_at, 6 * nx * ny)
    vert, normal, face = floats_at(vert_at, 3 * nvert), floats_at(normal_at, 3 * nvert), ints_at(face_at, 1 << 40)

    count = faces = 0
    for z in range(nz - 1):
        for y in range(ny - 1):
            for x in range(nx - 1):
                case = 0
                for k in range(8):
                    at = ((z + (k >> 2)) * ny + y + ((k >> 1) & 1)) * nx + x + (k & 1)
                    case |= (1 if grid[at] < 0 else 0) << k
                if case == 0 or case == 255:
                    continue

                # Find crossings on the cell's edges.
                for e in range(12):
                    ex, ey, ez = START[e, 0], START[e, 1], START[e, 2]
                    axis = AXIS[e]
                    # Skip edges that earlier cells have handled: those at a low side of the cell, except at the grid's
                    # boundary.
                    if (axis == 0 or ex or x == 0) and (axis == 1 or ey or y == 0) and (axis == 2 or ez or z == 0):
                        count = new_vertex(grid, vert, slots, count, axis, x + ex, y + ey, z + ez, nx, ny)

                # Add the triangles of this cell's case.
                for t in range(table[16 * case]):
                    for c in range(3):
                        e = table[16 * case + 1 + 3 * t + c]
                        at = ((z + START[e, 2]) % 2) * nx * ny + (y + START[e, 1]) * nx + x + START[e, 0]
                        face[3 * faces + c] = slots[3 * at + AXIS[e]]
                    add_normal(vert, normal, face[3 * faces], face[3 * faces + 1], face[3 * faces + 2])
                    faces += 1


def march_cubes(grid: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Return the zero surface of samples (nz, ny, nx) float32: vertices (n, 3) in units of the grid, unit normals (n, 3),
    triangles (m, 3).
    """
    nz, ny, nx = grid.shape
    inside = grid < 0
    nvert = sum(int((np.diff(inside, axis=k)).sum()) for k in range(3))

    # The case of a cell determines its number of triangles.
    case = np.zeros((nz - 1, ny - 1, nx - 1), np.uint8)
    for k in range(8):
        corner = inside[k >> 2 : nz - 1 + (k >> 2), (k >> 1) & 1 : ny - 1 + ((k >> 1) & 1), k & 1 : nx - 1 + (k & 1)]
        case |= corner.astype(np.uint8) << k

    vert, normal = np.zeros((nvert, 3), np.float32), np.zeros((nvert, 3), np.float32)
    face = np.zeros((int(TRIANGLES[case].sum()), 3), np.int32)
    slots = np.zeros(6 * nx * ny, np.int32)
    table = np.ascontiguousarray(np.concatenate((TRIANGLES[:, None], EDGES), 1))
    march(
        grid.ctypes.data,
        nx,
        ny,
        nz,
        table.ctypes.data,
        slots.ctypes.data,
        vert.ctypes.data,
        normal.ctypes.data,
        face.ctypes.data,
        nvert,
    )

    with np.errstate(all="ignore"):
        x, y, z = normal.T
        normal = normal / np.sqrt(x * x + y * y + z * z)[:, None]
    return vert, normal, face
