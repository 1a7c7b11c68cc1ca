"""Contacts: a live row per contact, with its pair, distance and forces."""

import numpy as np
from imgui_bundle import imgui

from ... import engine as mj
from .. import plotting, widgets
from ..context import Context
from ..intents import SelectBody
from ..names import name

# title, share of the width, help
COLUMNS = (("Geom 1", 2.2, ""), ("Geom 2", 2.2, ""), ("Distance", 1.2, "In units of length; negative where they overlap"),
           ("Normal", 1.0, "Force along the normal"), ("Tangential", 1.0, "Size of the friction force"),
           ("Dim", 0.5, "Dimension of the contact: 1, 3, 4 or 6"))


def draw(ctx: Context) -> None:
    m, d = ctx.m, ctx.d
    count = int(d.ncon)
    text = widgets.filter_box(ctx, "contacts", "Filter by geom")
    pairs = np.asarray(d.contact.geom).reshape(-1, 2)[:count].tolist()
    rows = [k for k in range(count) if not text or widgets.matches(text, " ".join(_labels(m, pairs[k])))]
    widgets.muted(ctx, f"{len(rows)} of {count} contacts, {int(d.nefc)} constraint rows")
    flags = (imgui.TableFlags_.row_bg | imgui.TableFlags_.scroll_y | imgui.TableFlags_.resizable
             | imgui.TableFlags_.borders_inner_v)
    if not imgui.begin_table("##contacts", len(COLUMNS), flags):
        return
    imgui.table_setup_scroll_freeze(0, 1)
    for title, share, _help in COLUMNS:
        imgui.table_setup_column(title, imgui.TableColumnFlags_.width_stretch, share)
    widgets.headers([help for _title, _share, help in COLUMNS])
    force = np.zeros(6)
    for row in widgets.clip(len(rows)):
        k = rows[row]
        pair, labels = pairs[k], _labels(m, pairs[k])
        mj.mj_contactForce(m, d, k, force)
        imgui.table_next_row()
        cells = (*labels, f"{d.contact[k].dist:.3e}", f"{force[0]:.4g}", f"{np.hypot(force[1], force[2]):.4g}", f"{d.contact[k].dim}")
        for column, cell in enumerate(cells):
            imgui.table_next_column()
            if column < 2:
                if widgets.choosable(cell, f"{k}.{column}") and pair[column] >= 0:
                    ctx.emit(SelectBody(int(m.geom_bodyid[pair[column]])))
                if pair[column] >= 0:
                    plotting.offer(ctx, f"{k}.{column}", plotting.of_geom(m, pair[column]))
            else:
                with widgets.font(ctx.fonts.mono):
                    imgui.text_unformatted(cell)
    imgui.end_table()


def _labels(m, pair: list[int]) -> list[str]:
    return [name(m, "geom", g) or "flex" for g in pair]
