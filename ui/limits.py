"""The limits of the selected joints over the view: an arc or a line over each range, and a mark where the joint is now.

         ( high    The arc lies in the plane of rotation, around the joint's anchor. The mark points to the body's center of
        (          mass, or along one of the body's axes if the center is on the joint's axis.
anchor =====> mark (now)
        (
         ( low
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np
from imgui_bundle import ImVec2, imgui

from .. import engine as mj
from .context import Context
from .gizmo import on_screen
from .labels import SHADE, write
from .panel.joint import beyond

SLIDE, HINGE = int(mj.mjtJoint.mjJNT_SLIDE), int(mj.mjtJoint.mjJNT_HINGE)
# Radians between two points of an arc.
STEP = math.radians(4)
# Least and largest radius of an arc, and half the length of a tick, relative to the mean size of the model's bodies.
LEAST, MOST, TICK = 0.6, 2.5, 0.12
# Widths of the range and of the mark, and the distance of a text from its point, in text heights.
THIN, THICK, GAP = 0.11, 0.2, 0.3
# Colors of the range, and of the mark inside it. Both have a dark edge, which separates them from what is behind them.
RANGE, INSIDE = 0xFFF5CC40, 0xFFFFFFFF


@dataclass
class Drawn:
    """Whether limits are in the view, which must then follow the model in every picture."""

    any: bool = False


def draw(ctx: Context) -> None:
    """Draw the limits of the selected joint, or of the joints of the selected body."""
    drawn = ctx.scratch.of(Drawn)
    drawn.any = False
    # Before the first frame of a model, there is no camera.
    if not ctx.settings["limits"] or ctx.view.scn is None or ctx.view.scn.camera[0].frustum_near <= 0:
        return
    for j in chosen(ctx):
        found = range_of(ctx.m, ctx.d, j)
        if found is not None:
            drawn.any = True
            _draw(ctx, j, found)


def chosen(ctx: Context) -> list[int]:
    """Return the selected hinges and slides that have limits."""
    m, (kind, index) = ctx.m, ctx.view.element
    if kind == "joint":
        joints = range(index, index + 1)
    elif kind == "body" and 0 < index < m.nbody:
        joints = range(int(m.body_jntadr[index]), int(m.body_jntadr[index]) + int(m.body_jntnum[index]))
    else:
        return []
    return [j for j in joints if 0 <= j < m.njnt and m.jnt_limited[j] and int(m.jnt_type[j]) in (SLIDE, HINGE)]


@dataclass
class Range:
    """Points of a joint's range in the world: those from the lower to the upper limit, two points of each straight line at the
    limits, and the two ends of the mark at the joint's position.
    """

    path: np.ndarray
    sides: np.ndarray
    mark: np.ndarray


def range_of(m: Any, d: Any, j: int) -> Range | None:
    """Return the range of a hinge or slide; None if the state contains numbers that are not finite."""
    low, high = (float(x) for x in m.jnt_range[j])
    now = float(d.qpos[m.jnt_qposadr[j]])
    anchor, axis = np.array(d.xanchor[j]), np.array(d.xaxis[j])
    if not np.isfinite([now, low, high, *anchor, *axis]).all():
        return None
    size = max(float(m.stat.meansize), 1e-6)

    # The engine computes the anchor of a slide before it applies the slide's own motion.
    if int(m.jnt_type[j]) == SLIDE:
        # A tick crosses each end of the line, and the mark crosses the line.
        side, start = TICK * size * _across(axis), float(m.qpos0[m.jnt_qposadr[j]])
        low_end, high_end, here = (anchor + (x - start) * axis for x in (low, high, now))
        sides = np.array([point + way * side for point in (low_end, high_end) for way in (-1, 1)])
        return Range(np.array([low_end, high_end]), sides, np.array([here - 1.5 * side, here + 1.5 * side]))

    arm = _arm(m, d, j, anchor, axis, size)
    count = max(2, 1 + math.ceil(min(high - low, 4 * math.pi) / STEP))
    path = anchor + _turned(arm, axis, np.linspace(low, high, count) - now)
    return Range(path, np.array([anchor, path[0], anchor, path[-1]]), np.array([anchor, anchor + arm]))


def _draw(ctx: Context, j: int, found: Range) -> None:
    """Draw the range of a joint over the view."""
    m, em = ctx.m, ctx.em
    low, high = (float(x) for x in m.jnt_range[j])
    warning = beyond(float(ctx.d.qpos[m.jnt_qposadr[j]]), low, high)
    canvas = imgui.get_background_draw_list()
    x, y, w, h = ctx.view_rect
    canvas.push_clip_rect(ImVec2(x, y), ImVec2(x + w, y + h))
    # typed as Any, because ImGui's stubs require lists of a union type
    seen: list[list[Any]] = [[ImVec2(*at) for at in on_screen(ctx, points)] for points in (found.path, found.sides, found.mark)]
    path, sides, mark = seen

    for wider, shades in ((0.08, (SHADE, SHADE)), (0.0, (RANGE, ctx.theme.u32(warning) if warning else INSIDE))):
        for line in (path, sides[:2], sides[2:]):
            canvas.add_polyline(line, shades[0], (THIN + wider) * em, 0)
        canvas.add_polyline(mark, shades[1], (THICK + wider) * em, 0)
    for limit, at in ((low, path[:1]), (high, path[-1:])):
        for end in at:
            write(canvas, end.x + GAP * em, end.y - 0.5 * em, _text(limit, int(m.jnt_type[j]), ctx), RANGE)
    canvas.pop_clip_rect()


def _text(limit: float, kind: int, ctx: Context) -> str:
    """Return a limit with its unit."""
    if kind == SLIDE:
        return f"{limit:.4g} m"
    return f"{limit:.4g} rad" if ctx.settings["angles"] == "radians" else f"{math.degrees(limit):.4g}\N{DEGREE SIGN}"


def _arm(m: Any, d: Any, j: int, anchor: np.ndarray, axis: np.ndarray, size: float) -> np.ndarray:
    """Return the vector from a hinge's anchor to its mark: perpendicular to the axis, and fixed to the body."""
    body = int(m.jnt_bodyid[j])
    out = np.array(d.xipos[body]) - anchor
    out -= (out @ axis) * axis
    length = float(np.linalg.norm(out))
    if length < 1e-3 * size:
        # Of the body's axes, the one farthest from the joint's axis turns with the body, too.
        frame = np.array(d.xmat[body]).reshape(3, 3).T
        out = frame[int(np.argmin(np.abs(frame @ axis)))]
        out = out - (out @ axis) * axis
        length = float(np.linalg.norm(out))
    return out / length * min(max(length, LEAST * size), MOST * size)


def _across(axis: np.ndarray) -> np.ndarray:
    """Return a unit vector perpendicular to an axis."""
    out = np.cross(axis, np.eye(3)[int(np.argmin(np.abs(axis)))])
    return out / np.linalg.norm(out)


def _turned(arm: np.ndarray, axis: np.ndarray, angles: np.ndarray) -> np.ndarray:
    """Turn a vector about an axis perpendicular to it, by each of n angles. Return (n, 3)."""
    return np.cos(angles)[:, None] * arm + np.sin(angles)[:, None] * np.cross(axis, arm)
