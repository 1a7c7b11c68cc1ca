"""The display flags of the view as one value: visible elements, effects, groups, labels and frames.

Flags last only as long as their window, because a key pressed by accident can change one. The command *Start new windows with
these flags* stores them in the settings. Windows of scripts do not read these settings.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from ..render import scene as mjv
from .config import Config

if TYPE_CHECKING:
    from .view import View

KINDS = ("geom", "site", "joint", "tendon", "actuator", "flex", "skin")
MODES = ("label", "frame", "bvh_depth", "flex_layer")
# maximum number of digits of an index
LONGEST = 4
# Settings from which new windows take their flags.
FLAGS = ("vis_flags", "render_flags", "groups", *MODES)


def _groups() -> tuple[tuple[int, ...], ...]:
    opt = mjv.MjvOption()
    return tuple(_bits(getattr(opt, f"{kind}group")) for kind in KINDS)


def _modes() -> tuple[int, ...]:
    opt = mjv.MjvOption()
    return tuple(int(getattr(opt, name)) for name in MODES)


def _bits(values: Any) -> tuple[int, ...]:
    return tuple(int(bool(x)) for x in values)


@dataclass(frozen=True)
class Flags:
    """All display flags; the defaults are those of a new window. `groups` follows the order of KINDS, `modes` that of MODES."""

    elements: tuple[int, ...] = field(default_factory=lambda: _bits(mjv.MjvOption().flags))
    effects: tuple[int, ...] = field(default_factory=lambda: tuple(int(row[1]) for row in mjv.mjRNDSTRING))
    groups: tuple[tuple[int, ...], ...] = field(default_factory=_groups)
    modes: tuple[int, ...] = field(default_factory=_modes)


def flags_of(view: View) -> Flags:
    """Return the flags of a view."""
    groups = tuple(_bits(getattr(view.opt, f"{kind}group")) for kind in KINDS)
    modes = tuple(int(getattr(view.opt, name)) for name in MODES)
    return Flags(_bits(view.opt.flags), tuple(int(x) for x in view.render_flags), groups, modes)


def put_flags(view: View, flags: Flags) -> None:
    """Set a view's flags."""
    view.opt.flags[:] = flags.elements
    view.render_flags[:] = flags.effects
    for kind, bits in zip(KINDS, flags.groups, strict=True):
        getattr(view.opt, f"{kind}group")[:] = bits
    for name, value in zip(MODES, flags.modes, strict=True):
        setattr(view.opt, name, value)


def rows_of(view: View) -> dict[str, Any]:
    """Return those flags of a view that differ from the defaults, in the form of the settings."""
    now, usual = flags_of(view), Flags()

    def changed(values: tuple[int, ...], before: tuple[int, ...]) -> dict[str, int]:
        return {str(i): value for i, value in enumerate(values) if value != before[i]}

    groups = {
        kind: sum(bit << i for i, bit in enumerate(bits))
        for kind, bits, before in zip(KINDS, now.groups, usual.groups, strict=True)
        if bits != before
    }
    return {
        "vis_flags": changed(now.elements, usual.elements),
        "render_flags": changed(now.effects, usual.effects),
        "groups": groups,
        **dict(zip(MODES, now.modes, strict=True)),
    }


def restore(view: View, config: Config) -> None:
    """Set a new window's flags from the settings."""
    for name, flags in (("vis_flags", view.opt.flags), ("render_flags", view.render_flags)):
        for index, value in config[name].items():
            if index.isdecimal() and len(index) <= LONGEST and int(index) < len(flags):
                flags[int(index)] = int(bool(value))

    # Labels and frames are indices into lists. A stored index may be too large if another version had longer lists.
    counts = {"label": len(mjv.mjLABELSTRING), "frame": len(mjv.mjFRAMESTRING)}
    for name in MODES:
        setattr(view.opt, name, config[name] % counts[name] if name in counts else config[name])

    for kind, bits in config["groups"].items():
        if kind in KINDS:
            groups = getattr(view.opt, f"{kind}group")
            groups[:] = [bits >> i & 1 for i in range(len(groups))]
