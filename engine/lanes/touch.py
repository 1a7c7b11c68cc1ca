"""Vectorized tests of which worlds may have contacts, and between which bodies. They compare the bounding spheres, then the
bounding boxes, of all pairs of geoms that can collide.

Pairs that these tests separate never touch. `collide_pairs` tests the remaining pairs, world by world. Boxes: S.
Gottschalk, M. C. Lin, D. Manocha, OBBTree, 1996.
"""

import itertools
from collections.abc import Iterable, Iterator, Sequence
from typing import Any, NamedTuple

from ..collide.broad import STILL
from ..collide.filter import OVERRIDE, PLANE, bodies_apart, masks_meet, mix_margin, spheres_apart, weld_and_parent
from ..machine.interpret import interpreted
from ..tables.enums import mjtDisableBit
from .symbols import LEFT, Untraceable, is_lane
from .trace import Tracer

_NO_CONTACT = int(mjtDisableBit.mjDSBL_CONTACT) | int(mjtDisableBit.mjDSBL_CONSTRAINT)
_NO_FILTER = int(mjtDisableBit.mjDSBL_FILTERPARENT)
# MOST_BOXED: maximum number of geom pairs for box tests. MOST_PAIRS: maximum number for sphere tests; with more pairs, every
# world searches for contacts.
MOST_BOXED, MOST_PAIRS = 600, 2000
# number of body pairs whose bits are stored in one number; float64 represents that many bits exactly
BITS = 48
# boxes count as separated only if the gap exceeds rounding errors
ROUNDING = 1e-9


class Pair(NamedTuple):
    """Two geoms that may touch within a margin. `bodies`: signature of their two bodies in the broad phase, or -1 for pairs
    listed in the Model."""

    geom1: int
    geom2: int
    margin: Any
    bodies: int


def candidates(m: Any) -> list[Pair]:
    """Return the pairs of geoms that no filter excludes, in order of their bodies."""
    if m.opt.disableflags & _NO_CONTACT:
        return []
    if m.opt.enableflags & OVERRIDE or m.nflex:
        raise Untraceable("margins are overridden")

    # apply the body filters, then the contype and conaffinity filters
    weld, apart, meet, margin_of = map(interpreted, (weld_and_parent, bodies_apart, masks_meet, mix_margin))
    groups = [weld(m, b) for b in range(m.nbody)]
    excluded = {m.exclude_signature[k] for k in range(m.nexclude)}
    skip = m.opt.disableflags & _NO_FILTER == 0
    found = [Pair(m.pair_geom1[k], m.pair_geom2[k], m.pair_margin[k] + abs(m.pair_gap[k]), -1) for k in range(m.npair)]
    for b1, b2 in itertools.combinations(range(m.nbody), 2):
        signature = (b1 << 16) + b2
        if signature in excluded or apart(*groups[b1], False, *groups[b2], False, skip):
            continue
        if m.compat_bits & STILL and m.body_dofnum[groups[b1][0]] == 0 and m.body_dofnum[groups[b2][0]] == 0:
            continue
        for i, j in itertools.product(*[range(m.body_geomadr[b], m.body_geomadr[b] + m.body_geomnum[b]) for b in (b1, b2)]):
            if meet(m.geom_contype[i], m.geom_conaffinity[i], m.geom_contype[j], m.geom_conaffinity[j]):
                found.append(
                    Pair(i, j, margin_of(m, m.geom_margin[i], m.geom_margin[j], m.geom_gap[i], m.geom_gap[j]), signature)
                )
    return found


def signatures(pairs: Iterable[Pair]) -> list[int]:
    """Return the body-pair signatures of geom pairs, in increasing order."""
    return sorted({p.bodies for p in pairs} - {-1})


def _box(m: Any, d: Any, g: int) -> tuple[list[Any], list[list[Any]], list[Any]]:
    """Return (center, axes, half sizes) of a geom's bounding box in the world."""
    mat = [d.geom_xmat[g, k] for k in range(9)]
    local = [m.geom_aabb[g, k] for k in range(6)]
    centre = [d.geom_xpos[g, k] + sum((mat[3 * k + c] * local[c] for c in range(3)), 0.0) for k in range(3)]
    return centre, [[mat[3 * r + c] for r in range(3)] for c in range(3)], local[3:]


def _dot(a: Sequence[Any], b: Sequence[Any]) -> Any:
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]


def _boxes_apart(one: Any, other: Any, margin: Any) -> Any:
    """Return whether a face normal of one of the boxes separates them."""
    (p, u, a), (q, v, b) = one, other
    gap = [y - x for x, y in zip(p, q, strict=True)]
    turn = [[_dot(x, y) for y in v] for x in u]
    size = [[abs(t) for t in row] for row in turn]
    extra = margin + ROUNDING
    apart: Any = False
    for k in range(3):
        apart = apart | (abs(_dot(gap, u[k])) > a[k] + extra + sum((b[c] * size[k][c] for c in range(3)), 0.0))
        apart = apart | (abs(_dot(gap, v[k])) > b[k] + extra + sum((a[c] * size[c][k] for c in range(3)), 0.0))
    return apart


class MayTouch:
    """Traces the contact test of a model: `kernel(m, d)` marks worlds that may have contacts, and writes which pairs of
    bodies may touch.

    The pairs are stored as bits of numbers, BITS pairs in each, starting at element `first`. `boxes`: also test bounding boxes.
    The tracer calls this Python code directly; it is not a kernel that is read as source.
    """

    def __init__(self, pairs: Sequence[Pair], first: int, boxes: bool) -> None:
        self.pairs, self.first, self.boxes = pairs, first, boxes

    def trace_with(self, tracer: Tracer, m: Any, d: Any) -> None:
        """Trace the test."""
        found: Any = False
        bodies: dict[int, Any] = dict.fromkeys(signatures(self.pairs), False)
        for pair, together in zip(self.pairs, self._together(tracer, m, d), strict=True):
            found = found | together
            if pair.bodies >= 0:
                bodies[pair.bodies] = bodies[pair.bodies] | together
        tracer.tape.write(LEFT, _chosen(tracer, found, 1.0))
        for word, touching in enumerate(_words(list(bodies.values()))):
            total: Any = 0.0
            for bit, together in enumerate(touching):
                total = total + _chosen(tracer, together, float(1 << bit))
            tracer.tape.write(self.first + word, total)

    def _together(self, tracer: Tracer, m: Any, d: Any) -> Iterator[Any]:
        """For each pair of geoms, yield whether the geoms may touch."""
        spheres, boxes = tracer.read(spheres_apart), {}
        for i, j, margin, _ in self.pairs:
            together = _not(spheres(m, d, i, j, margin))
            bounded = m.geom_type[i] != PLANE and m.geom_type[j] != PLANE and m.geom_rbound[i] > 0 and m.geom_rbound[j] > 0
            if self.boxes and together is not False and bounded:
                for g in (i, j):
                    if g not in boxes:
                        boxes[g] = _box(m, d, g)
                together = together & _not(_boxes_apart(boxes[i], boxes[j], margin))
            yield together


def _words(values: list[Any]) -> list[list[Any]]:
    """Split values into groups of BITS; each group is stored in one number, one bit per value."""
    return [values[k : k + BITS] for k in range(0, len(values), BITS)]


def words_of(pairs: Iterable[Pair]) -> int:
    """Return the number of elements that store the bits of all pairs of bodies."""
    return -(-len(signatures(pairs)) // BITS)


def _not(x: Any) -> Any:
    return x.inverted() if is_lane(x) else not x


def _chosen(tracer: Tracer, mask: Any, value: Any) -> Any:
    """Return `value` where the mask is true, else 0."""
    return tracer.tape.number("select", mask, value, 0.0) if is_lane(mask) else value if mask else 0.0
