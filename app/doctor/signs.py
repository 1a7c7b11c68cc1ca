"""Symptoms of an unstable simulation: huge or NaN values, unexplained energy gain, geoms that suddenly overlap deeply."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from ... import engine as mj
from ...ui.element_names import dof_name, name, owner, qpos_joint, qpos_name

_W = mj.mjtWarning
BAD = {
    int(_W.mjWARN_BADQPOS): "qpos",
    int(_W.mjWARN_BADQVEL): "qvel",
    int(_W.mjWARN_BADQACC): "qacc",
    int(_W.mjWARN_BADCTRL): "ctrl",
}
# Kinetic energy is unexplained if it exceeds this multiple of the sum of earlier energy and the energy that gravity could add.
ENERGY = 300.0
# Limits of a contact's depth relative to the size of the smaller geom, and of its increase since the last check.
DEEP, DEEPER = 1.0, 0.5
# A deep contact is a symptom only if it lasts this many simulated seconds and this many checks. Ordinary hard impacts end
# sooner.
STAYS, LOOKS = 0.2, 3


@dataclass(frozen=True)
class Sign:
    """A symptom of instability. `kind`: qpos, qvel, qacc or ctrl (huge or NaN), energy, depth. `about`: kind and id of an
    element. `dof`: the degree of freedom, if there is one.
    """

    kind: str
    time: float
    about: tuple[str, int]
    text: str
    dof: int = -1

    @property
    def bad(self) -> bool:
        """Whether the simulation is certainly wrong, rather than only suspicious."""
        return self.kind != "depth"


@dataclass
class Sudden:
    """A contact that suddenly became deep: the ids of its geoms and flexes, the time when it became deep, and the number of
    checks that confirmed it.
    """

    pair: tuple[int, ...]
    since: float
    looks: int = 0


class Signs:
    """Checks one Data for symptoms of instability, starting at its current state. It allocates its arrays once."""

    def __init__(self, m: mj.MjModel, d: mj.MjData) -> None:
        self.m, self.d = m, d
        gravity = max(float(np.linalg.norm(m.opt.gravity)), 1.0)
        mass, rotors, extent = float(np.sum(m.body_mass)), float(np.sum(m.dof_armature)), max(float(m.stat.extent), 1e-6)
        self.fall, self.rest = 0.5 * mass * gravity**2, mass * gravity * extent + 0.5 * rotors * gravity / extent
        self.product = np.zeros(m.nv)
        self.rbound = np.asarray(m.geom_rbound)
        self.begin()

    def begin(self) -> None:
        """Forget earlier states. Call this after the state was replaced."""
        self.start = float(self.d.time)
        self.most = self.kinetic() + self.stored()
        self.depth = self.deepest()[0]
        self.sudden: Sudden | None = None
        self.counts = [int(self.d.warning[kind].number) for kind in BAD]

    def stored(self) -> float:
        """Return the energy in springs and position actuators, which may become kinetic energy."""
        m, d = self.m, self.d
        shown = np.array(d.energy)
        mj.mj_energyPos(m, d)
        potential = float(d.energy[0]) + float(np.asarray(m.body_mass) @ (np.asarray(d.xipos) @ np.asarray(m.opt.gravity)))
        # Restore the energies that are shown to the user.
        d.energy[:] = shown
        hold = -np.asarray(m.actuator_biasprm, float)[:, 1] if m.nactuator else np.zeros(0)
        held = np.asarray(d.actuator_force, float)[np.asarray(m.actuator_outadr)][hold > 0] ** 2 / hold[hold > 0]
        total = max(0.0, potential) + 0.5 * float(np.sum(held))
        return total if math.isfinite(total) else 0.0

    def kinetic(self) -> float:
        """Return the kinetic energy, with the inertia of the last step."""
        if not self.m.nv:
            return 0.0
        mj.mj_mulM(self.m, self.d, self.product, self.d.qvel)
        return 0.5 * float(self.product @ self.d.qvel)

    def pairs(self) -> np.ndarray:
        """Return the two geoms and two flexes of each contact (ncon, 4); -1 where there is none."""
        contact, count = self.d.contact, int(self.d.ncon)
        return np.hstack([np.asarray(part).reshape(-1, 2)[:count] for part in (contact.geom, contact.flex)])

    def deepest(self, pair: tuple[int, ...] | None = None) -> tuple[float, int]:
        """Return the depth of the deepest contact, relative to the size of its smaller geom, and the index of this contact (-1:
        none). If `pair` is given, search only the contacts of this pair.
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
        """Return a symptom that appeared since the last check, or None."""
        for i, (kind, word) in enumerate(BAD.items()):
            number = int(self.d.warning[kind].number)
            if number != self.counts[i]:
                self.counts[i] = number
                return self._bad(word, int(self.d.warning[kind].lastinfo))
        return self.energy() or self.pressed()

    def energy(self) -> Sign | None:
        """Return a symptom if the kinetic energy is far above the sum of the earlier energy and what gravity could have
        added.
        """
        now = self.kinetic()
        if not math.isfinite(now):
            return None
        bound = ENERGY * (self.most + self.rest + self.fall * max(0.0, float(self.d.time) - self.start) ** 2)
        self.most = max(self.most, now)
        if now <= bound:
            return None
        dof = int(np.argmax(np.abs(self.product * self.d.qvel)))
        joint = int(self.m.dof_jntid[dof])
        text = f"kinetic energy jumps to {now:.3g} J, most of it at {dof_name(self.m, dof)}"
        return Sign("energy", float(self.d.time), ("joint", joint), text, dof)

    def pressed(self) -> Sign | None:
        """Return a symptom if a contact suddenly became deep and stays deep."""
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
        """Return the symptom for a deep contact once it has lasted long enough."""
        now = float(self.d.time)
        sudden.looks += 1
        if sudden.looks < LOOKS or now - sudden.since < STAYS:
            return None
        self.sudden = None
        about = [("geom", g) for g in sudden.pair[:2] if g >= 0]
        titles = [geom_title(self.m, g) for _kind, g in about] + [
            f"flex {name(self.m, 'flex', f)}" for f in sudden.pair[2:] if f >= 0
        ]
        return Sign("depth", now, about[0], f"{' and '.join(titles)} overlap by {-float(self.d.contact[k].dist):.3g} m")

    def _bad(self, word: str, number: int) -> Sign:
        m, now = self.m, float(self.d.time)
        if word == "ctrl":
            return Sign(
                word, now, ("actuator", number), f"the control of actuator {name(m, 'actuator', number)} is huge or NaN"
            )
        if word == "qpos":
            return Sign(word, now, ("joint", qpos_joint(m, number)), f"the position of {qpos_name(m, number)} is huge or NaN")
        what = {"qvel": "velocity", "qacc": "acceleration"}[word]
        return Sign(
            word, now, ("joint", int(m.dof_jntid[number])), f"the {what} of {dof_name(m, number)} is huge or NaN", number
        )


def geom_title(m: mj.MjModel, geom: int) -> str:
    """Return `geom foot`; a geom without a name is named after its body: `geom 3 of body shin`."""
    own = mj.mj_id2name(m, mj.mjtObj.mjOBJ_GEOM, geom)
    return f"geom {own}" if own else f"geom {geom} of body {name(m, 'body', owner(m, 'geom', geom))}"
