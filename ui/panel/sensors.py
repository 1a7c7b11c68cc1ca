"""Sensors panel: name, type and value of every sensor."""

import numpy as np
from imgui_bundle import imgui

from ... import engine as mj
from .. import plotting, reveal, widgets
from ..context import Context
from ..element_names import names


def draw(ctx: Context) -> None:
    m = ctx.m
    if not m.nsensor:
        widgets.muted(ctx, "No sensors")
        return

    kinds = [mj.mjtSensor(int(k)).name.removeprefix("mjSENS_").lower() for k in np.asarray(m.sensor_type).tolist()]

    # Label a sensor without a name by its type, which says more than `sensor` and a number.
    labels = [
        f"{kind} {i}" if label == f"sensor {i}" else label
        for i, (label, kind) in enumerate(zip(names(m, "sensor"), kinds, strict=True))
    ]
    shown = list(range(m.nsensor))
    if m.nsensor > 8:
        text = widgets.filter_box(ctx, "sensors")
        shown = [i for i in shown if widgets.matches(text, labels[i])]
    if not imgui.begin_table("##sensors", 2, imgui.TableFlags_.row_bg | imgui.TableFlags_.sizing_stretch_prop):
        return

    reveal.scroll(ctx, "sensors", shown, imgui.get_text_line_height() + 2 * imgui.get_style().cell_padding.y)
    for row in widgets.clip(len(shown)):
        i = shown[row]
        begin, count = int(m.sensor_adr[i]), int(m.sensor_dim[i])
        imgui.table_next_row()
        imgui.table_next_column()
        widgets.clipped(labels[i], imgui.get_content_region_avail().x)
        widgets.tooltip(f"{labels[i]}: {kinds[i]}")
        imgui.table_next_column()
        values = np.asarray(ctx.d.sensordata[begin : begin + count])
        with widgets.font(ctx.fonts.mono):
            more = f" .. ({count})" if count > 4 else ""
            imgui.text_unformatted("  ".join(f"{x + 0.0:.4g}" for x in values[:4]) + more)
        plotting.offer(ctx, f"sensor{i}", lambda: [(labels[i], plotting.numbered("sensordata", begin, count))])
        reveal.row(ctx, "sensors", i)

    imgui.end_table()
