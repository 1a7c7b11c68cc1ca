"""Contacts: a live table to sort, filter and freeze, with the chosen contact drawn in the view; constraint rows; and the rules
by which two geoms do or do not collide.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import numpy as np
from imgui_bundle import imgui

from ... import engine as mj
from .. import icons, plotting, touch, widgets
from ..board import arrows, lines
from ..context import Context
from ..element_names import name, names
from ..intents import PlaceCamera, SelectElement

# Title, fraction of the width, and help; in the order of touch.CONTACT_COLUMNS.
COLUMNS = (
    ("Geom 1", 2.2, ""),
    ("Geom 2", 2.2, ""),
    ("Distance", 1.2, "In units of length; negative where they overlap"),
    ("Normal", 1.0, "Force along the normal"),
    ("Tangential", 1.1, "Size of the friction force"),
    ("Cone", 0.8, "Used share of the friction cone; at 1 the contact slides"),
    ("Dim", 0.6, "Dimension of the contact: 1, 3, 4 or 6"),
    ("Island", 0.7, "Index of the constraint island; - for none"),
)
ROWS = (
    ("Row", 0.5, ""),
    ("Kind", 1.6, ""),
    ("Of", 2.4, ""),
    ("Position", 1.1, "Violation: negative if a limit or contact is violated"),
    ("Velocity", 1.1, ""),
    ("Wanted", 1.1, "Reference acceleration"),
    ("Force", 1.1, ""),
    ("State", 1.1, "State of the row's cost function"),
    ("Island", 0.7, ""),
)
TABLE = imgui.TableFlags_.row_bg | imgui.TableFlags_.scroll_y | imgui.TableFlags_.resizable | imgui.TableFlags_.borders_inner_v
# Number of sides of a friction cone; height of the cone and distance of the camera, in multiples of stat.meansize.
SIDES, CONE, NEAR = 24, 1.5, 8.0
GREEN, RED = (0.3, 0.9, 0.4, 0.9), (1.0, 0.3, 0.2, 1.0)


def draw(ctx: Context) -> None:
    if not imgui.begin_tab_bar("##contacts"):
        return
    for title, page in (("Contacts", _contacts), ("Constraint rows", _rows), ("Why?", _why)):
        if imgui.begin_tab_item(title)[0]:
            page(ctx)
            imgui.end_tab_item()
    imgui.end_tab_bar()


def _begin(columns: tuple, ident: str, sortable: bool) -> bool:
    flags = TABLE | (imgui.TableFlags_.sortable | imgui.TableFlags_.sort_tristate if sortable else 0)
    if not imgui.begin_table(ident, len(columns), flags):
        return False
    imgui.table_setup_scroll_freeze(0, 1)
    for title, share, _help in columns:
        imgui.table_setup_column(title, imgui.TableColumnFlags_.width_stretch, share)
    widgets.headers([help for _title, _share, help in columns])
    return True


@dataclass
class Table:
    """The model, the contacts that a frozen table shows, and the chosen contact."""

    m: Any = None
    frozen: touch.Contacts | None = None
    chosen: Any = None


@dataclass
class Marks:
    """Shapes to be drawn in the next frame of the view."""

    shapes: tuple = ()


@dataclass
class Pair:
    """The two geoms to compare."""

    geoms: list[int] = field(default_factory=lambda: [0, 1])


def _contacts(ctx: Context) -> None:
    state = ctx.scratch.of(Table)
    if state.m is not ctx.m:
        # Stored contacts have no meaning for another model.
        state.m, state.frozen, state.chosen = ctx.m, None, None
    found = state.frozen or touch.contacts(ctx.m, ctx.d)
    if imgui.small_button(f"{icons.PLAY}  Live" if state.frozen else f"{icons.PAUSE}  Freeze"):
        state.frozen = None if state.frozen else found
    widgets.tooltip("Freeze the table while the simulation continues")
    at = found.find(state.chosen)
    imgui.same_line()
    imgui.begin_disabled(at < 0)
    if imgui.small_button(f"{icons.CAMERA}  Fly there"):
        ctx.emit(fly(ctx.m, found, at))
    imgui.end_disabled()
    imgui.same_line()
    text = widgets.filter_box(ctx, "contacts", "Filter by geom")
    rows = touch.matching(ctx.m, found, text)
    frozen = f", frozen at {found.time:.3f} s" if state.frozen else ""
    widgets.muted(ctx, f"{len(rows)} of {len(found)} contacts, {int(ctx.d.nefc)} constraint rows{frozen}")
    if at >= 0:
        ctx.scratch.of(Marks).shapes = shapes(ctx.m, found, at)

    if _begin(COLUMNS, "##contacts", True):
        specs = imgui.table_get_sort_specs()
        if specs is not None and specs.specs_count:
            by = specs.get_specs(0)
            rows = touch.ordered(
                found, rows, touch.CONTACT_COLUMNS[by.column_index], by.get_sort_direction() == imgui.SortDirection.descending
            )
        for row in widgets.clip(len(rows)):
            _contact(ctx, state, found, int(rows[row]), at)
        imgui.end_table()


def _contact(ctx: Context, state: Table, found: touch.Contacts, k: int, at: int) -> None:
    """Draw a row of the table. A click chooses the contact, a double click moves the camera to it."""
    imgui.table_next_row()
    if k == at:
        imgui.table_set_bg_color(imgui.TableBgTarget_.row_bg0, ctx.theme.u32("accent_dim"))
    values = {column: found.columns[column][k] for column in touch.CONTACT_COLUMNS[2:]}
    texts = (
        f"{values['dist']:.3e}",
        f"{values['normal']:.4g}",
        f"{values['tangential']:.4g}",
        f"{100 * values['use']:.0f} %",
        f"{values['dim']}",
        f"{values['island']}" if values["island"] >= 0 else "-",
    )

    for column, geom in enumerate(found.geom[k].tolist()):
        imgui.table_next_column()
        if widgets.choosable(name(ctx.m, "geom", geom) or "flex", f"{k}.{column}", k == at):
            state.chosen = found.key(k)
            if (found.geom[k] >= 0).all():
                # The tab `Why?` then shows the rules for these two geoms.
                ctx.scratch.of(Pair).geoms[:] = found.geom[k].tolist()
            if geom >= 0:
                ctx.emit(SelectElement("geom", geom))
        if imgui.is_item_hovered() and imgui.is_mouse_double_clicked(0):
            ctx.emit(fly(ctx.m, found, k))
        if geom >= 0:
            plotting.offer(ctx, f"{k}.{column}", lambda: plotting.of_geom(ctx.m, geom))

    for text in texts:
        imgui.table_next_column()
        with widgets.font(ctx.fonts.mono):
            imgui.text_unformatted(text)


def fly(m: Any, found: touch.Contacts, k: int) -> PlaceCamera:
    """Return an intent that moves the camera near a contact and points it there."""
    free = int(mj.mjtCamera.mjCAMERA_FREE)
    return PlaceCamera(
        {
            "type": free,
            "fixedcamid": -1,
            "trackbodyid": -1,
            "lookat": np.array(found.pos[k]),
            "distance": NEAR * float(m.stat.meansize),
        }
    )


def shapes(m: Any, found: touch.Contacts, k: int) -> tuple:
    """Return a contact's friction cone as lines and its force as an arrow, both on the side of the second geom."""
    pos, frame, scale = found.pos[k], found.frame[k], float(m.stat.meansize)
    angle = np.linspace(0, 2 * np.pi, SIDES + 1)
    height, wide = CONE * scale, CONE * scale * float(found.mu[k])
    rim = pos + height * frame[0] + wide * (np.cos(angle)[:, None] * frame[1] + np.sin(angle)[:, None] * frame[2])
    ribs = np.stack([np.broadcast_to(pos, (SIDES // 4, 3)), rim[:-1:4]], 1).reshape(-1, 3)
    out = [lines(rim, 1.5, GREEN), lines(ribs, 1.5, GREEN, strip=False)]
    force = found.force[k] @ frame
    if (size := float(np.linalg.norm(force))) > touch.LEAST_FORCE:
        weight = max(float(m.body_subtreemass[0]) * float(np.linalg.norm(m.opt.gravity)), 1e-6)
        # The arrow must extend beyond the cone, whatever the force is.
        length = scale * CONE * (1.2 + min(1.0, size / weight))
        out.append(arrows([pos], [pos + length * force / size], 0.08 * scale, RED))
    return tuple(out)


def _rows(ctx: Context) -> None:
    d, count = ctx.d, int(ctx.d.nefc)
    islands = int(d.nisland)
    widgets.muted(ctx, f"{count} rows" + (f" in {islands} islands" if islands else ""))
    if not _begin(ROWS, "##rows", False):
        return

    for k in widgets.clip(count):
        kind, what = touch.row_label(ctx.m, d, k)
        imgui.table_next_row()
        numbers = (d.efc_pos[k], d.efc_vel[k], d.efc_aref[k], d.efc_force[k])
        island = int(d.efc_island[k]) if islands else -1
        for text in (
            f"{k}",
            kind,
            what,
            *(f"{float(x):.4g}" for x in numbers),
            touch.STATES.get(int(d.efc_state[k]), ""),
            f"{island}" if island >= 0 else "-",
        ):
            imgui.table_next_column()
            widgets.clipped(text, imgui.get_content_region_avail().x)

    imgui.end_table()


def _why(ctx: Context) -> None:
    """Draw the choice of two geoms, and the engine's rules for their collision."""
    labels = names(ctx.m, "geom")
    if len(labels) < 2:
        widgets.muted(ctx, "The model has fewer than two geoms")
        return

    pair = ctx.scratch.of(Pair).geoms
    # A reload may have removed the chosen geoms.
    pair[:] = [min(g, len(labels) - 1) for g in pair]
    for k, title in enumerate(("First geom", "Second geom")):
        widgets.row(title, 5.5)
        spare = imgui.get_content_region_avail().x - widgets.em(7)
        imgui.set_next_item_width(spare)
        if (new := widgets.choice(title, pair[k], labels)) is not None:
            pair[k] = new
        imgui.same_line()
        kind, index = ctx.view.element
        chosen = index if kind == "geom" else ctx.view.geom
        imgui.begin_disabled(chosen < 0)
        if imgui.small_button(f"selected##{k}"):
            pair[k] = chosen
        imgui.end_disabled()
        widgets.tooltip("The geom that is selected in the view")

    if pair[0] == pair[1]:
        widgets.muted(ctx, "A geom does not collide with itself")
        return

    rules = touch.why(ctx.m, ctx.d, *pair)
    imgui.spacing()
    good = touch.collide(rules)
    imgui.text_colored(
        ctx.theme["good" if good else "bad"], "They collide when they are near enough." if good else "They never collide:"
    )

    for rule in rules:
        icon, color = {True: (icons.CHECK, "good"), False: (icons.CLOSE, "bad"), None: (icons.INFO, "muted")}[rule.verdict]
        imgui.text_colored(ctx.theme[color], icon)
        imgui.same_line(widgets.em(2))
        imgui.push_text_wrap_pos(0.0)
        imgui.text_unformatted(f"{rule.title}: {rule.text}")
        imgui.pop_text_wrap_pos()
