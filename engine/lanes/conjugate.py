"""Directions of conjugate gradients for the problems of a pack, as in `solve.cg`: M is the preconditioner."""

from ..machine.jit import inline, kernel
from ..machine.lang import pack_at, pick, put_pack, spread
from ..tables.consts import mjMINVAL
from .factor import begin_hessian, cholesky, solve_factored
from .packed import DESCENT, GRADIENT, HESSIAN, OLD_DESCENT, OLD_GRADIENT, SEARCH, matrix, part


@inline
def keep(at, place, source, nv):
    """Copy a vector of dofs to another place."""
    x, y = part(at, place, nv), part(at, source, nv)
    for i in range(nv):
        put_pack(x, i, pack_at(y, i))


@kernel
def begin_directions(at, nv):
    """Factor the inertia; the first direction is that of steepest descent."""
    begin_hessian(at, nv)
    cholesky(at, matrix(at, HESSIAN, nv), nv)
    solve_factored(at, nv, DESCENT)
    keep(at, SEARCH, DESCENT, nv)


@inline
def keep_gradient(at, nv):
    """Keep the gradient and its descent, for the next `turn`."""
    keep(at, OLD_GRADIENT, GRADIENT, nv)
    keep(at, OLD_DESCENT, DESCENT, nv)


@kernel
def turn(at, nv):
    """Compute the next direction: steepest descent, and a fraction of the old direction."""
    solve_factored(at, nv, DESCENT)
    grad, descent, along = part(at, GRADIENT, nv), part(at, DESCENT, nv), part(at, SEARCH, nv)
    old_grad, old = part(at, OLD_GRADIENT, nv), part(at, OLD_DESCENT, nv)
    zero, least = spread(0.0), spread(mjMINVAL)
    change = before = zero
    for i in range(nv):
        change = change - pack_at(grad, i) * (pack_at(descent, i) - pack_at(old, i))
        before = before - pack_at(old_grad, i) * pack_at(old, i)
    beta = change / pick(before > least, before, least)
    beta = pick(beta > zero, beta, zero)
    for i in range(nv):
        put_pack(along, i, beta * pack_at(along, i) + pack_at(descent, i))
