"""The TABLE of passive forces in joint space: where each force and its derivative with respect to velocity are computed.

    name        its name; a leading `+`: ours, MuJoCo has no such force
    force       module of the kernel that computes it; for ours, its stage `force_<module>(m, d)` adds to qfrc_passive
    derivative  module of the kernel that adds d force / d qvel to qDeriv, for implicit integrators; for ours, the stage
                `derivative_<module>(m, d)` of the same file; `-`: the force does not depend on velocity
    needs       words of step.needs: which models have it

MuJoCo's forces are summed in its order by dynamics.passive and step.derivative; ours follow in the order of their rows.
Inverse dynamics takes all of them from qfrc_passive. A velocity-dependent force without a derivative would silently
make implicit integrators unstable. A test therefore differentiates every force numerically and names the row whose
derivative is missing or wrong.
"""

from typing import NamedTuple

FORCES = """
spring        dynamics.passive       -                      always
damper        dynamics.passive       step.derivative        always
gravcomp      dynamics.passive       -                      ngravcomp
fluid         dynamics.fluid         step.derivative_fluid  fluid
tendon        dynamics.tendon_force  step.derivative        ntendon
flex          dynamics.elastic       step.derivative_flex   nflex
flexcontact   constraint.flex        -                      nflex
"""
# maximum number of forces that only Tumble has
ROOM = 64


class ForceRow(NamedTuple):
    """One row; its fields are described above."""

    name: str
    force: str
    derivative: str
    needs: tuple
    ours: bool

    @property
    def force_stage(self) -> str:
        """Return the name of the stage that computes a force that only Tumble has."""
        return f"force_{self.force.rpartition('.')[2]}"

    @property
    def derivative_stage(self) -> str:
        """Return the name of the stage that computes the derivative of this force; empty if it has none."""
        return f"derivative_{self.derivative.rpartition('.')[2]}" if self.derivative else ""


def _parse(line: str) -> ForceRow:
    name, force, derivative, *needs = line.split()
    return ForceRow(name.lstrip("+"), force, derivative.strip("-"), tuple(needs), name.startswith("+"))


ROWS = [_parse(line) for line in FORCES.strip().splitlines()]
OURS = [row for row in ROWS if row.ours]
