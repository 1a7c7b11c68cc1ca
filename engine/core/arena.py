"""MuJoCo's arena, simulated by counting bytes: a block of `narena` bytes. Contacts and constraint rows fill it from below,
scratch from above.

MuJoCo drops contacts, rows and islands that do not fit into its arena and counts a warning. We allocate no such block. If
the `limit_arena` of a Data is set, we count the same bytes (`parena`, `pstack`) and drop the same elements. The order,
types and alignment of the arrays are those of MuJoCo 3.4.0 (`mjxmacro.h`, `engine_memory.c`). Scratch counts only where it
limits a later allocation: collision, islands, AR from dense Jacobians, and Runge-Kutta steps.
"""

from collections.abc import Callable

from ..machine.jit import inline, kernel
from ..tables.enums import mjtWarning
from .counts import count_warning
from .stages import LIMITED
from .struct import Struct

CONTACTFULL, CNSTRFULL = int(mjtWarning.mjWARN_CONTACTFULL), int(mjtWarning.mjWARN_CNSTRFULL)
# CONTACT: bytes of a contact. PAIR_CONTACTS: number of contacts that must fit for each pair of geoms.
CONTACT, PAIR_CONTACTS = 576, 50
# bytes of a stack frame mark
FRAME = 24
# Scratch bytes of a Runge-Kutta step for each element of qpos, qvel and act: four states, four slopes, the sum of slopes.
RK_Q, RK_V, RK_ACT = 8 * 4, 8 * (4 * 2 + 2), 8 * (4 * 2 + 1)
MEGABYTE = 1 << 20


def default_bytes(size: Callable[[str], int], nstack: int = -1) -> int:
    """Return the arena size in bytes for a model that sets no size: MuJoCo's estimate, rounded up to megabytes. `size(name)`
    returns a size of the model."""
    nconmax, njmax = (given if (given := size(n)) != -1 else usual for n, usual in (("nconmax", 100), ("njmax", 500)))
    nv = size("nv")

    # an explicit stack size replaces the estimate from the model's sizes
    if nstack != -1:
        count = 8 * nstack
    else:
        rows = njmax + size("neq") + nv
        many = sum(map(size, ("nq", "nv", "nu", "na", "nbody", "njnt", "ngeom", "nsite", "neq", "ntendon", "nwrap")))
        count = 8 * max(1000, 5 * rows * rows + 20 * many)

    # contacts, constraint rows and matrices are added to the stack
    count += nconmax * CONTACT + njmax * (8 * 4 + 14 * 8) + nv * 12 + njmax * nv * 24 + njmax * njmax * 12
    return -(-count // MEGABYTE) * MEGABYTE


def least_bytes(size: Callable[[str], int], rk4: bool) -> int:
    """Return the arena size in bytes below which MuJoCo's stack overflows while computing the constants or the first step."""
    nv, nbody, n = size("nv"), size("nbody"), size("nbody") + size("nflex")
    constants = FRAME + 8 * 13 * nv + 4 * (size("ncam") + size("nlight"))
    step = max(FRAME + 8 * 12 * nbody, FRAME + 4 * (n * (n - 1) // 2))
    if rk4:
        step += FRAME + RK_Q * size("nq") + RK_V * nv + RK_ACT * size("na")
    return max(constants, step)


def asked(model: Struct) -> bool:
    """Return whether the file or a program has set a model's arena size to something other than the default."""
    kept = model.__dict__.get("arena_asked")
    if kept is None:
        cells, slot = model.storage.integers, model.schema.size_slot
        # the sizes of a model never change, so cache the answer
        kept = model.__dict__["arena_asked"] = model.narena != default_bytes(lambda name: cells[slot[name]])
    return kept


def tell_unasked(model: Struct) -> None:
    """Record that a new model has the default arena size."""
    model.__dict__["arena_asked"] = False


@inline
def limited(d):
    return d.full & LIMITED != 0


@inline
def aligned(at, size):
    """Round up to the next multiple of a power of two."""
    return (at + size - 1) & -size


@inline
def pushed(d, count, size):
    """Return the top of the stack, counted from the arena's end, after `count` more bytes aligned to `size`."""
    if count == 0:
        return d.pstack
    return d.narena - ((d.narena - d.pstack - count) & -size)


@inline
def push(d, count, size):
    """Count `count` bytes of scratch as used on the stack."""
    d.pstack = pushed(d, count, size)
    d.maxuse_stack = max(d.maxuse_stack, d.pstack)
    d.maxuse_arena = max(d.maxuse_arena, d.pstack + d.parena)


@inline
def fits(d, end):
    """Return whether the arena has memory up to the byte `end`."""
    return end <= d.narena - d.pstack


@inline
def keep(d, end):
    """Mark the arena as used up to the byte `end`."""
    d.parena = end
    d.maxuse_arena = max(d.maxuse_arena, d.pstack + end)


@inline
def has_room(d, count):
    """Return whether `count` more contacts fit into the arena; if they do, record how full it gets."""
    if not limited(d):
        return True
    end = (d.ncon + count) * CONTACT
    if not fits(d, end):
        return False
    d.maxuse_arena = max(d.maxuse_arena, d.pstack + end)
    return True


@inline
def refused(d, count):
    """Return whether `count` more contacts do not fit into the arena; if they do not, count a warning."""
    if has_room(d, count):
        return False
    count_warning(d, CONTACTFULL, d.ncon)
    return True


@kernel
def rows_end(m, d, nefc, nJ):
    """Return the byte at which constraint rows would end if they followed the contacts."""
    at = d.ncon * CONTACT + 4 * (5 * nefc + nJ)
    at = aligned(at, 8) + 8 * (nJ + 10 * nefc) + 4 * m.ntendon
    at = aligned(at, 8) + 8 * 3 * nefc + 4 * nefc
    return aligned(at, 8) + 8 * nefc


@kernel
def islands_end(m, d):
    """Return the byte at which the islands' arrays would end if they followed the constraint rows."""
    n, nidof, nefc = d.nisland, d.nidof, d.nefc
    at = d.parena + 4 * (2 * m.ntree + 5 * n + 3 * m.nv)
    at = aligned(at, 8) + 8 * 2 * nidof + 4 * (2 * nidof + m.nC)
    at = aligned(at, 8) + 8 * (2 * m.nC + 2 * nidof) + 4 * (8 * nefc + 4 * n + d.nJ)
    at = aligned(at, 8) + 8 * (d.nJ + 4 * nefc) + 4 * nefc
    return aligned(at, 8) + 8 * (nefc + nidof)


@kernel
def no_room(d):
    """Count a warning: constraint rows do not fit."""
    count_warning(d, CNSTRFULL, d.narena)


@kernel
def forget_rows(d):
    """Drop all constraint rows, because the arrays derived from them do not fit."""
    no_room(d)
    d.nefc = d.nisland = 0
    d.parena = d.ncon * CONTACT
    for k in range(d.ncon):
        d.contact_efc_address[k] = -1
