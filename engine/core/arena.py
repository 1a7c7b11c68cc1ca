"""What the reference keeps of its arena: a block of `narena` bytes with contacts and constraint rows from below, scratch from above.

Contacts, rows and islands that find no room there are left out, and counted as warnings. Here nothing lies in such a block; a Data whose
`limit_arena` is set counts the same bytes (`parena`, `pstack`) and leaves out the same. The order of arrays, their types and alignment
are facts of MuJoCo 3.4.0 (`mjxmacro.h`, `engine_memory.c`). Scratch is counted as far as it lies below an allocation in the arena: that
of collision, of islands, of AR from dense Jacobians, and of Runge-Kutta steps.
"""

from ..machine.jit import inline, kernel
from ..tables.enums import mjtWarning
from .counts import count_warning
from .stages import LIMITED

CONTACTFULL, CNSTRFULL = int(mjtWarning.mjWARN_CONTACTFULL), int(mjtWarning.mjWARN_CNSTRFULL)
# bytes of a contact, and how many a pair of geoms has to have room for
CONTACT, PAIR_CONTACTS = 576, 50
# bytes of a mark on the stack
FRAME = 24
# bytes of scratch of a Runge-Kutta step for each number of qpos, qvel and act: four states, the slopes at each, and their sum
RK_Q, RK_V, RK_ACT = 8 * 4, 8 * (4 * 2 + 2), 8 * (4 * 2 + 1)
MEGABYTE = 1 << 20


def default_bytes(size, nstack=-1) -> int:
    """Size of the arena of a model that asks for none: the reference's estimate, rounded up to megabytes. size(name) is a size."""
    nconmax, njmax = (given if (given := size(n)) != -1 else usual for n, usual in (("nconmax", 100), ("njmax", 500)))
    nv = size("nv")
    if nstack != -1:
        count = 8 * nstack
    else:
        rows = njmax + size("neq") + nv
        many = sum(map(size, ("nq", "nv", "nu", "na", "nbody", "njnt", "ngeom", "nsite", "neq", "ntendon", "nwrap")))
        count = 8 * max(1000, 5 * rows * rows + 20 * many)
    count += nconmax * CONTACT + njmax * (8 * 4 + 14 * 8) + nv * 12 + njmax * nv * 24 + njmax * njmax * 12
    return -(-count // MEGABYTE) * MEGABYTE


def least_bytes(size, rk4) -> int:
    """Bytes without which a model's constants or its first step overflow the reference's stack."""
    nv, nbody, n = size("nv"), size("nbody"), size("nbody") + size("nflex")
    constants = FRAME + 8 * 13 * nv + 4 * (size("ncam") + size("nlight"))
    step = max(FRAME + 8 * 12 * nbody, FRAME + 4 * (n * (n - 1) // 2))
    if rk4:
        step += FRAME + RK_Q * size("nq") + RK_V * nv + RK_ACT * size("na")
    return max(constants, step)


def asked(model) -> bool:
    """Whether a model was given a size of the arena, in its file or by a program: it has another one than it had otherwise."""
    kept = model.__dict__.get("arena_asked")
    if kept is None:
        cells, slot = model.storage.integers, model.schema.size_slot
        # sizes of a model are never changed
        kept = model.__dict__["arena_asked"] = model.narena != default_bytes(lambda name: cells[slot[name]])
    return kept


def tell_unasked(model) -> None:
    """Note that a new model has the arena that it has when nobody asks for one."""
    model.__dict__["arena_asked"] = False


@inline
def limited(d):
    return d.full & LIMITED != 0


@inline
def aligned(at, size):
    """The next multiple of a power of two."""
    return (at + size - 1) & -size


@inline
def pushed(d, count, size):
    """Top of the stack after `count` more bytes, aligned to `size`, counted from the end of the arena."""
    if count == 0:
        return d.pstack
    return d.narena - ((d.narena - d.pstack - count) & -size)


@inline
def push(d, count, size):
    """Count scratch."""
    d.pstack = pushed(d, count, size)
    d.maxuse_stack = max(d.maxuse_stack, d.pstack)
    d.maxuse_arena = max(d.maxuse_arena, d.pstack + d.parena)


@inline
def fits(d, end):
    """Whether the arena has room up to `end`."""
    return end <= d.narena - d.pstack


@inline
def keep(d, end):
    """Count the arena as used up to `end`."""
    d.parena = end
    d.maxuse_arena = max(d.maxuse_arena, d.pstack + end)


@inline
def refused(d, count):
    """Whether the arena has no room for `count` more contacts, which is a warning then."""
    if not limited(d):
        return False
    end = (d.ncon + count) * CONTACT
    if fits(d, end):
        d.maxuse_arena = max(d.maxuse_arena, d.pstack + end)
        return False
    count_warning(d, CONTACTFULL, d.ncon)
    return True


@kernel
def rows_end(m, d, nefc, nJ):
    """Where constraint rows end that begin after the contacts."""
    at = d.ncon * CONTACT + 4 * (5 * nefc + nJ)
    at = aligned(at, 8) + 8 * (nJ + 10 * nefc) + 4 * m.ntendon
    at = aligned(at, 8) + 8 * 3 * nefc + 4 * nefc
    return aligned(at, 8) + 8 * nefc


@kernel
def islands_end(m, d):
    """Where the arrays of islands end that begin after the rows."""
    n, nidof, nefc = d.nisland, d.nidof, d.nefc
    at = d.parena + 4 * (2 * m.ntree + 5 * n + 3 * m.nv)
    at = aligned(at, 8) + 8 * 2 * nidof + 4 * (2 * nidof + m.nC)
    at = aligned(at, 8) + 8 * (2 * m.nC + 2 * nidof) + 4 * (8 * nefc + 4 * n + d.nJ)
    at = aligned(at, 8) + 8 * (d.nJ + 4 * nefc) + 4 * nefc
    return aligned(at, 8) + 8 * (nefc + nidof)


@kernel
def no_room(d):
    """A warning that rows have no room."""
    count_warning(d, CNSTRFULL, d.narena)


@kernel
def forget_rows(d):
    """Without room for what is made of rows there are none."""
    no_room(d)
    d.nefc = d.nisland = 0
    d.parena = d.ncon * CONTACT
    for k in range(d.ncon):
        d.contact_efc_address[k] = -1
