r"""Memory of a pack of constraint problems: one vector holds a number of each problem.

A problem (see `solve.primal`) is an island of a world, or a whole world. PACK problems share memory; a pack holds one element
of a vector or matrix for each of these problems:

    J[r, i] of problems 0 to 7    pack r nv + i of the Jacobian      nv, n: dofs and rows of the largest of them
    H[i, j]                       pack `spot`(i, j) of matrix H      only tiles up to the diagonal are stored, one after another
    row r                         jar, D, low, high, loss, ...       smaller problems get extra rows and dofs without effect

If cones are elliptic, the rows of a problem are sorted: first those that have a cost of their own, then the contacts, each of
which has as many rows as the largest contact. ORDER has the number of each row in its problem:

    row          0      1      2      3   4   5   6      7   8   9   10
    problem 0    limit  limit  .      contact 0   .      .   .   .   .
    problem 1    limit  limit  limit  contact 0   .      contact 1

A row's cost is quadratic between `low` and `high`, and linear with slope `loss` beyond:

                         low          high
    equality            -inf           inf          \\          /   cost of friction loss
    friction loss       -R loss        R loss         \\.____./
    limits, contacts    -inf           0               |    |
                                                      low  high
"""

from ..machine.jit import inline
from ..machine.lang import array_at, longs_at
from ..machine.layout import PACK

# rows and columns of a tile: the parts of matrices that are left out if they are zero (`pattern`)
TILE = 4
# limits on dofs, rows and Jacobian size of a problem, in whole tiles; larger problems are solved individually
MOST_DOFS, MOST_ROWS, MOST_NUMBERS = 128, 256, 16384
# rows of the largest contact
LARGEST = 6
# Offsets, counted in packs: dof matrices, the Jacobian, its changed rows, dof vectors, row vectors. `gather` writes PACK packs
# at a time, so each size is a multiple of PACK.
MATRIX = MOST_DOFS * (MOST_DOFS + TILE) // 2
INERTIA, HESSIAN, FACTOR, JACOBIAN, CHANGED = 0, MATRIX, 2 * MATRIX, 3 * MATRIX, 3 * MATRIX + MOST_NUMBERS
DOFS = CHANGED + MOST_NUMBERS
# DESCENT: the last solution of the factored system, of which conjugate gradients also keep the one before, and its gradient
ACC, SMOOTH_ACC, SMOOTH_FORCE, MA, GRADIENT, SEARCH, MV, FORCE, DESCENT, OLD_DESCENT, OLD_GRADIENT = range(
    DOFS, DOFS + 11 * MOST_DOFS, MOST_DOFS
)
ROWS = DOFS + 11 * MOST_DOFS
D, LOW, HIGH, LOSS, JAR, JV, ROW_FORCE, STATE, WEIGHT, GAIN, Q0, Q1, Q2 = range(ROWS, ROWS + 13 * MOST_ROWS, MOST_ROWS)
# ORDER: the number of each row in its problem, as integers. Of elliptic contacts, FRICTION has the regularized friction (mu) in
# the first row, and the coefficients in the others; SIZES has the number of rows, in the first one.
ORDER, FRICTION, SIZES, END = range(ROWS + 13 * MOST_ROWS, ROWS + 17 * MOST_ROWS, MOST_ROWS)
SCALE = END
# statistics of a solver iteration: improvement, gradient, slope, active rows, changed rows, evaluations, updates
TOLD = SCALE + 1
# second derivatives of a cone
CONE = TOLD + 7
# a pack of zeros, which nothing writes, and a pack for the last numbers of each problem's vector
ZEROS = CONE + LARGEST * LARGEST
ENDS = ZEROS + 1
# masks of tiles, as integers, PACK of them in the memory of a pack: of rows of tiles, then of groups of TILE rows
BY_TILE, BY_GROUP = MOST_DOFS // TILE // PACK, MOST_ROWS // TILE // PACK
INERTIA_TILES, FACTOR_TILES, COLUMN_TILES, GROUP_TILES = range(ENDS + PACK, ENDS + PACK + 4 * BY_TILE, BY_TILE)
CHANGED_TILES = GROUP_TILES + BY_GROUP
GROUP_LANES = CHANGED_TILES + BY_GROUP
SIZE = GROUP_LANES + MOST_NUMBERS // TILE // TILE // PACK
# states of a row, or of an elliptic contact (in its first row), stored as numbers in packs; MIDDLE: friction is at its bound
INSIDE, BELOW, ABOVE, MIDDLE = 1.0, 2.0, 3.0, 4.0


@inline
def part(at, place, count):
    """Return `count` packs of the solver memory at address `at`, starting at offset `place`."""
    return array_at(at + 8 * PACK * place, PACK * count)


@inline
def words(at, place, count):
    """Return `count` integers of the solver memory, such as masks of tiles."""
    return longs_at(at + 8 * PACK * place, count)


@inline
def tile_spot(t, u):
    """Return the first pack of tile (t, u), u <= t, of a symmetric or triangular matrix."""
    return TILE * TILE * (t * (t + 1) // 2 + u)


@inline
def spot(i, k):
    """Return the pack of element (i, k) of such a matrix."""
    return tile_spot(i // TILE, k // TILE) + TILE * (i % TILE) + k % TILE


@inline
def matrix(at, place, nv):
    """Return the packs of a symmetric or triangular matrix."""
    return part(at, place, tile_spot(tiles_of(nv), 0))


@inline
def tiles_of(nv):
    """Return the number of tiles of nv dofs. The last one may be incomplete."""
    return (nv + TILE - 1) // TILE


@inline
def padded(n):
    """Return n, rounded up to whole tiles."""
    return TILE * tiles_of(n)


@inline
def has_room(nv, n):
    """Return whether a problem with nv dofs and n rows fits into the solver memory."""
    return nv <= MOST_DOFS and n <= MOST_ROWS and padded(nv) * padded(n) <= MOST_NUMBERS
