"""What tells that a simulation blows up: numbers that are huge or none, energy from nowhere, geoms that are suddenly deep in
each other.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from ... import engine as mj
from ...ui.names import dof_name, name, owner, qpos_joint, qpos_name

_W = mj.mjtWarning
BAD = {
    int(_W.mjWARN_BADQPOS): "qpos",
    int(_W.mjWARN_BADQVEL): "qvel",
    int(_W.mjWARN_BADQACC): "qacc",
    int(_W.mjWARN_BADCTRL): "ctrl",
}
# energy above this multiple of what gravity could give, and of the most there was, comes from nowhere
ENERGY = 300.0
# shares of the smaller geom's size: so deep, and so much deeper than at the last look
DEEP, DEEPER = 1.0, 0.5
# seconds of simulation, and looks, for which it stays so: an impact on a contact of usual softness is over sooner, however hard
STAYS, LOOKS = 0.2, 3


@dataclass(frozen=True)
class Sign:
    """`kind`: qpos, qvel, qacc or ctrl (huge or no number), energy, depth; `about`: kind and id of an element, `dof` if it is
    about one.
    """

    kind: str
    time: float
    about: tuple[str, int]
    text: str
    dof: int = -1

    @property
    def bad(self) -> bool:
        """The simulation is lost, not only doubtful."""
        return self.kind != "depth"


@dataclass
class Sudden:
    """Two that are deep in each other at once: geoms and flexes of the contact, since when, and at how many looks it was still
    so.
    """

    pair: tuple[int, ...]
    since: float
    looks: int = 0


class Signs:
    """Looks at one Data, from a state on. Arrays that it works in are made once."""

    def __init__(self, m: mj.MjModel, d: mj.MjData) -> None:
        self.m, self.d = m, d
        gravity = max(float(np.linalg.norm(m.opt.gravity)), 1.0)
        mass, rotors, extent = float(np.sum(m.body_mass)), float(np.sum(m.dof_armature)), max(float(m.stat.extent), 1e-6)
        self.fall, self.rest = 0.5 * mass * gravity**2, mass * gravity * extent + 0.5 * rotors * gravity / extent
        self.product = np.zeros(m.nv)
        self.rbound = np.asarray(m.geom_rbound)
        self.begin()

    def begin(self) -> None:
        """Another state: nothing is known of what was before."""
        self.start = float(self.d.time)
        self.most = self.kinetic() + self.stored()
        self.depth = self.deepest()[0]
        self.sudden: Sudden | None = None
        self.counts = [int(self.d.warning[kind].number) for kind in BAD]

    def stored(self) -> float:
        """Energy in springs, and in actuators that hold a position: what may come out again."""
        m, d = self.m, self.d
        shown = np.array(d.energy)
        mj.mj_energyPos(m, d)
        potential = float(d.energy[0]) + float(np.asarray(m.body_mass) @ (np.asarray(d.xipos) @ np.asarray(m.opt.gravity)))
        # whoever asked for energies has them as they were
        d.energy[:] = shown
        hold = -np.asarray(m.actuator_biasprm, float)[:, 1] if m.nactuator else np.zeros(0)
        held = np.asarray(d.actuator_force, float)[np.asarray(m.actuator_outadr)][hold > 0] ** 2 / hold[hold > 0]
        total = max(0.0, potential) + 0.5 * float(np.sum(held))
        return total if math.isfinite(total) else 0.0

    def kinetic(self) -> float:
        """Energy of motion, with the inertia of the last step."""
        if not self.m.nv:
            return 0.0
        mj.mj_mulM(self.m, self.d, self.product, self.d.qvel)
        return 0.5 * float(self.product @ self.d.qvel)

    def pairs(self) -> np.ndarray:
        """Both geoms and both flexes of each contact (ncon, 4); -1 where it is of the other kind."""
        contact, count = self.d.contact, int(self.d.ncon)
        return np.hstack([np.asarray(part).reshape(-1, 2)[:count] for part in (contact.geom, contact.flex)])

    def deepest(self, pair: tuple[int, ...] | None = None) -> tuple[float, int]:
        """Depth of the deepest contact, of all or of a pair, as a share of the smaller geom's size, and its number (-1:
        none).
        """
        count = int(self.d.ncon)
        if not count:
            return 0.0, -1
        dist, pairs = np.array(self.d.contact.dist)[:count], self.pairs()
        if pair is not None:
            dist[(pairs != pair).any(axis=1)] = math.inf
        k = int(dist.argmin())
        sizes = [float(self.rbound[g]) for g in pairs[k, :2] if g >= 0 and self.rbound[g] > 0]
        return (-float(dist[k]) / min(sizes), k) if dist[k] < 0 and sizes else (0.0, -1)

    def look(self) -> Sign | None:
        """What has happened since the last look; None if nothing has."""
        for i, (kind, word) in enumerate(BAD.items()):
            number = int(self.d.warning[kind].number)
            if number != self.counts[i]:
                self.counts[i] = number
                return self._bad(word, int(self.d.warning[kind].lastinfo))
        return self.energy() or self.pressed()

    def energy(self) -> Sign | None:
        """More energy of motion than gravity could have given, by far, and than there was."""
        now = self.kinetic()
        if not math.isfinite(now):
            return None
        bound = ENERGY * (self.most + self.rest + self.fall * max(0.0, float(self.d.time) - self.start) ** 2)
        self.most = max(self.most, now)
        if now <= bound:
            return None
        dof = int(np.argmax(np.abs(self.product * self.d.qvel)))
        joint = int(self.m.dof_jntid[dof])
        text = f"energy of motion leaps to {now:.3g} J, most of it at {dof_name(self.m, dof)}"
        return Sign("energy", float(self.d.time), ("joint", joint), text, dof)

    def pressed(self) -> Sign | None:
        """A contact that has become deep at once, and stays so."""
        depth, k = self.deepest()
        before, self.depth = self.depth, depth
        if self.sudden is not None:
            deep, of_pair = self.deepest(self.sudden.pair)
            if deep > DEEP:
                return self._stays(self.sudden, of_pair)
            self.sudden = None
        if depth > DEEP and depth - before > DEEPER:
            self.sudden = Sudden(tuple(self.pairs()[k].tolist()), float(self.d.time))
        return None

    def _stays(self, sudden: Sudden, k: int) -> Sign | None:
        """The sign of a deep contact, once it has been so for long enough."""
        now = float(self.d.time)
        sudden.looks += 1
        if sudden.looks < LOOKS or now - sudden.since < STAYS:
            return None
        self.sudden = None
        about = [("geom", g) for g in sudden.pair[:2] if g >= 0]
        titles = [geom_title(self.m, g) for _kind, g in about] + [
            f"flex {name(self.m, 'flex', f)}" for f in sudden.pair[2:] if f >= 0
        ]
        return Sign(
            "depth", now, about[0], f"{' and '.join(titles)} are {-float(self.d.contact[k].dist):.3g} m deep in each other"
        )

    def _bad(self, word: str, number: int) -> Sign:
        m, now = self.m, float(self.d.time)
        if word == "ctrl":
            return Sign(
                word, now, ("actuator", number), f"the control of actuator {name(m, 'actuator', number)} is huge or no number"
            )
        if word == "qpos":
            return Sign(
                word, now, ("joint", qpos_joint(m, number)), f"the position of {qpos_name(m, number)} is huge or no number"
            )
        what = {"qvel": "velocity", "qacc": "acceleration"}[word]
        return Sign(
            word, now, ("joint", int(m.dof_jntid[number])), f"the {what} of {dof_name(m, number)} is huge or no number", number
        )


def geom_title(m: mj.MjModel, geom: int) -> str:
    """`geom foot`, or by its body where it has no name: `geom 3 of body shin`."""
    own = mj.mj_id2name(m, mj.mjtObj.mjOBJ_GEOM, geom)
    return f"geom {own}" if own else f"geom {geom} of body {name(m, 'body', owner(m, 'geom', geom))}"
