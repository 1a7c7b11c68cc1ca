"""Watch panel: values of Data, Model or options, which the user selects by name."""

from dataclasses import dataclass, field

import numpy as np
from imgui_bundle import imgui

from .. import icons, plotting, reveal, widgets
from ..context import Context
from ..element_names import named_numbers, number_name
from ..fields import about

SHOWN = 24


@dataclass
class Watched:
    """The names of the watched values, as the user has typed them."""

    rows: list[str] = field(default_factory=lambda: ["qpos"])


def read(ctx: Context, text: str) -> np.ndarray | str:
    """Return the values with a name, such as `qpos`, `d.sensordata`, `m.geom_size`, `opt.gravity` or `energy[1]`. If the name
    is wrong, return an error message.
    """
    path, _, index = text.strip().partition("[")
    parts = path.strip().split(".")
    owner = {"d": ctx.d, "m": ctx.m}.get(parts[0])

    if owner is not None and len(parts) > 1:
        parts = parts[1:]
    elif parts[0] in ("opt", "vis", "stat"):
        owner = ctx.m
    else:
        owner = ctx.d

    for part in parts:
        # Reject private attributes, so that a typed name cannot access internal objects.
        if part.startswith("_") or not hasattr(owner, part):
            return "no such field"
        owner = getattr(owner, part)

    try:
        values = np.atleast_1d(np.asarray(owner, float))
    except (TypeError, ValueError):
        return "not a number"

    if not index:
        return values

    label = index.rstrip("] ")
    if label and not label.replace(",", "").replace(" ", "").lstrip("-").isdigit():
        places = named_numbers(ctx.m, path.strip(), label)
        return values.ravel()[places] if places else "no such index"

    try:
        spots = tuple(int(x) for x in index.rstrip("] ").split(","))
        picked = values.ravel()[spots[0]] if len(spots) == 1 else values[spots]
    except (ValueError, IndexError):
        return "no such index"

    return np.atleast_1d(picked)


def draw(ctx: Context) -> None:
    rows = ctx.scratch.of(Watched).rows
    for i, text in enumerate(list(rows)):
        with widgets.ident(i):
            style = imgui.get_style()
            imgui.set_next_item_width(-(imgui.calc_text_size(icons.CLOSE).x + 2 * style.frame_padding.x + style.item_spacing.x))
            changed, new = imgui.input_text_with_hint("##field", "qpos, sensordata[3], m.body_mass ...", text)
            widgets.tooltip(about(new))
            if changed:
                rows[i] = new
            plotting.offer(ctx, "field", lambda: [(new, plotted(ctx, new))])
            reveal.here(ctx, "watch", i)
            imgui.same_line()
            if widgets.button(icons.CLOSE, help="Stop watching"):
                rows.pop(i)
            _values(ctx, new, read(ctx, new))
    if widgets.button("+  Watch another", width=-1e-3):
        rows.append("")


def plotted(ctx: Context, text: str) -> tuple[str, ...]:
    """Return the plot channels for the watched values with this name."""
    path, _, index = text.strip().partition("[")
    values, label = read(ctx, text), index.rstrip("] ")
    if isinstance(values, str):
        return ()
    path = path.strip().removeprefix("d.")
    whole = read(ctx, path)
    if isinstance(whole, str) or whole.size == 1:
        return (path,)
    if not label:
        return plotting.numbered(path, 0, values.size)
    if label.isdigit():
        return (f"{path}[{label}]",)
    return tuple(f"{path}[{i}]" for i in named_numbers(ctx.m, path, label)[: plotting.MOST_TOGETHER])


def titles(ctx: Context, text: str, count: int) -> list[str]:
    """Return a title for each of the watched values with this name; empty where no title is known."""
    path, _, index = text.strip().partition("[")
    label = index.rstrip("] ")
    if label and not label.isdigit():
        places = named_numbers(ctx.m, path.strip(), label)
    else:
        places = [int(label)] if label else list(range(min(count, SHOWN)))
    return [number_name(ctx.m, path.strip(), i) for i in places[:SHOWN]] if len(places) <= max(count, 1) else []


def _values(ctx: Context, text: str, values: np.ndarray | str) -> None:
    """Draw the watched values. If they have titles, draw each on its own line."""
    if isinstance(values, str):
        widgets.muted(ctx, values)
        return
    found = titles(ctx, text, values.size)
    if not any(found):
        widgets.numbers(ctx, values, SHOWN)
        return
    for title, value in zip(found, values.ravel(), strict=False):
        widgets.value_line(ctx, title, f"{value:.6g}", 10.0)
    if values.size > SHOWN:
        widgets.muted(ctx, f"... {values.size} in all")
