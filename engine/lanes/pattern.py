r"""Which tiles of the matrices of a pack of problems may contain nonzeros. Other tiles are neither written nor read.

A tile has TILE rows and columns. A mask of tiles is an integer whose bit u stands for dofs TILE u to TILE u + 3:

    INERTIA_TILES[t]    tiles of row t of the inertia, up to its diagonal
    GROUP_TILES[g]      tiles of rows TILE g to TILE g + 3 of the Jacobian
    FACTOR_TILES[t]     tiles of row t of the Hessian and its factor, up to the diagonal

The factor L has H = L' L: it is computed from the last dof to the first, as the inertia's in `math.sparse`. Then the Hessian
of a tree whose branches are not connected by contacts has no fill-in:

    trunk  x                x
    leg 1  x x              x x            dofs of leg 2 are eliminated first. They change the trunk's part of H,
    leg 2  x . x       L =  x . x          but not that of leg 1.

In a pack, row r may be a contact of leg 1 in one problem, and of leg 2 in another. Thus GROUP_LANES also has, for each tile of
the Jacobian, in which problems it has nonzeros: only tiles with nonzeros in the same problem are coupled.
"""

from ..machine.jit import inline, kernel
from ..machine.lang import bits_of, highest_bit, pack_at, put_pack, spread, trailing_zeros
from .packed import (
    CHANGED_TILES,
    COLUMN_TILES,
    FACTOR_TILES,
    GROUP_LANES,
    GROUP_TILES,
    INERTIA,
    INERTIA_TILES,
    JACOBIAN,
    TILE,
    matrix,
    part,
    spot,
    tile_spot,
    tiles_of,
    words,
)

# in problems with at most so many dofs, zero tiles are not searched for
FEW_DOFS = 16


@inline
def lower(mask, t):
    """Return the tiles of a mask that come before tile t."""
    return mask & ((1 << t) - 1)


@kernel
def begin_inertia(at, nv):
    """Make the inertia a unit matrix: that of dofs without coupling."""
    M, tiles, one = matrix(at, INERTIA, nv), words(at, INERTIA_TILES, tiles_of(nv)), spread(1.0)
    for t in range(tiles_of(nv)):
        tiles[t] = 0
        mark_inertia(M, tiles, TILE * t, TILE * t)
    for i in range(nv):
        put_pack(M, spot(i, i), one)


@inline
def mark_inertia(M, tiles, i, k):
    """Record that element (i, k) of the inertia may be nonzero. The tile's first element clears the tile."""
    t, u = i // TILE, k // TILE
    if tiles[t] >> u & 1 == 0:
        tiles[t] |= 1 << u
        for x in range(tile_spot(t, u), tile_spot(t, u) + TILE * TILE):
            put_pack(M, x, spread(0.0))


@kernel
def begin_jacobian(at, nv, n):
    """Record that no tile of the Jacobian has nonzeros. `n`: rows, in whole tiles."""
    lanes = words(at, GROUP_LANES, n // TILE * tiles_of(nv))
    for i in range(n // TILE * tiles_of(nv)):
        lanes[i] = 0


@inline
def mark_jacobian(J, lanes, nv, r, k, lane):
    """Record that element (r, k) of the Jacobian may be nonzero in a lane. The tile's first element clears the tile."""
    g, t = r // TILE, k // TILE
    at = g * tiles_of(nv) + t
    if lanes[at] == 0:
        for row in range(TILE * g, TILE * g + TILE):
            for x in range(row * nv + TILE * t, row * nv + min(TILE * t + TILE, nv)):
                put_pack(J, x, spread(0.0))
    lanes[at] |= 1 << lane


@kernel
def scan_jacobian(at, nv, n):
    """writes GROUP_LANES: searches the Jacobian for nonzeros; all its elements must have been written. `n`: rows, in whole
    tiles."""
    tiles, zero = tiles_of(nv), spread(0.0)
    J, lanes = part(at, JACOBIAN, n * nv), words(at, GROUP_LANES, n // TILE * tiles)
    for g in range(n // TILE):
        for t in range(tiles):
            found = zero != zero
            for r in range(TILE * g, TILE * g + TILE):
                for k in range(TILE * t, min(TILE * t + TILE, nv)):
                    found = found | (pack_at(J, r * nv + k) != zero)
            lanes[g * tiles + t] = bits_of(found)


@kernel
def take_all(at, nv, n):
    """Take all tiles as nonzero, because searching for zeros in a small problem takes longer than it saves. `n`: rows, in whole
    tiles."""
    tiles = tiles_of(nv)
    factor, column = words(at, FACTOR_TILES, tiles), words(at, COLUMN_TILES, tiles)
    groups = words(at, GROUP_TILES, n // TILE)
    for t in range(tiles):
        factor[t], column[t] = (2 << t) - 1, (1 << tiles) - (1 << t)
    for g in range(n // TILE):
        groups[g] = (1 << tiles) - 1


@kernel
def find_pattern(at, nv, n):
    """writes GROUP_TILES, FACTOR_TILES and COLUMN_TILES, where bit t of element u is bit u of FACTOR_TILES[t]."""
    tiles = tiles_of(nv)
    inertia, factor = words(at, INERTIA_TILES, tiles), words(at, FACTOR_TILES, tiles)
    groups, lanes = words(at, GROUP_TILES, n // TILE), words(at, GROUP_LANES, n // TILE * tiles)
    for t in range(tiles):
        factor[t] = inertia[t]

    # A row of the Jacobian couples its dofs.
    for g in range(n // TILE):
        mask, first = 0, g * tiles
        for t in range(tiles):
            if lanes[first + t] != 0:
                mask |= 1 << t
        groups[g] = mask
        rest = mask
        while rest != 0:
            t = highest_bit(rest)
            rest ^= 1 << t
            new = rest & ~factor[t]
            while new != 0:
                u = trailing_zeros(new)
                new &= new - 1
                if lanes[first + t] & lanes[first + u] != 0:
                    factor[t] |= 1 << u

    # Eliminating a dof couples all dofs that are coupled with it.
    t = tiles - 1
    while t >= 0:
        rest = lower(factor[t], t)
        while rest != 0:
            u = highest_bit(rest)
            rest ^= 1 << u
            factor[u] |= rest
        t -= 1

    column = words(at, COLUMN_TILES, tiles)
    for u in range(tiles):
        column[u] = 0
    for t in range(tiles):
        rest = factor[t]
        while rest != 0:
            column[trailing_zeros(rest)] |= 1 << t
            rest &= rest - 1


@kernel
def begin_changed(at, n):
    """Record that the changed rows of the Jacobian have no nonzeros. `n`: rows, in whole tiles."""
    changed = words(at, CHANGED_TILES, n // TILE)
    for g in range(n // TILE):
        changed[g] = 0
