"""Pairs of bodies that overlap in the reference pose: most are covers and housings that were never meant to collide."""

from collections.abc import Collection, Iterable

from ...core import stages
from ...core.data import MjData
from ...core.model import MjModel
from ...tables.enums import mjtStage
from ..elements.spec import MjSpec
from .report import ImportReport

# Overlaps below this depth, in meters, are rounding errors.
LEAST = 1e-7


def overlapping(m: MjModel) -> dict[tuple[str, str], float]:
    """Return {(body, body): depth in meters} of bodies that overlap in the reference pose, deepest first."""
    d = MjData(m)
    stages.call("forward_skip", m, d, int(mjtStage.mjSTAGE_NONE), 0)
    pairs: dict[tuple[str, str], float] = {}
    for contact in d.contact[: d.ncon]:
        if contact.dist >= -LEAST or min(contact.geom) < 0:
            continue
        one, two = sorted(m.body(int(m.geom_bodyid[g])).name for g in contact.geom)
        pairs[one, two] = max(pairs.get((one, two), 0.0), -float(contact.dist))
    return dict(sorted(pairs.items(), key=lambda row: -row[1]))


def list_overlaps(report: ImportReport, pairs: Iterable[tuple[tuple[str, str], float]], excluded: bool) -> None:
    """Add overlapping pairs to a report."""
    for (one, two), depth in pairs:
        done = "they do not collide" if excluded else "`--exclude-overlaps` turns off their collisions"
        found = f"'{one}' and '{two}' overlap by {1e3 * depth:.3g} mm in the reference pose"
        report.add("overlap", None, found, done)
        report.overlaps[one, two] = depth


def exclude(spec: MjSpec, pairs: Collection[tuple[str, str]]) -> None:
    """Turn off the collisions of pairs of bodies. Pairs with a body that the robot does not have are skipped."""
    known = {body.label for body in spec.items("body")}
    for one, two in pairs:
        if {one, two} <= known | {"world"}:
            spec.add_exclude(bodyname1=one, bodyname2=two)
