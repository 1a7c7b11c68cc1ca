"""The manual's page on growth, and its charts, from the results that are kept."""

from __future__ import annotations

import json
import math
import pathlib
from typing import Any

import numpy as np

from tests.bench.growing import FAMILIES, Family
from tests.bench.keep import RESULTS

MANUAL = RESULTS.parents[2] / "assets" / "manual"
PAGE, CHART = MANUAL / "growth.md", MANUAL / "growth.svg"
# colors of the lines; also for eyes that do not tell red from green
COLORS = {"mujoco 3.4.0": "#c1440e", "mujoco 4.0.1": "#e8a33d", "tumble": "#3a7ca5", "tumble 4.0": "#8cbcd9"}
NAMES = {
    "mujoco 3.4.0": "MuJoCo 3.4.0",
    "mujoco 4.0.1": "MuJoCo 4.0.1",
    "tumble": "Tumble",
    "tumble 4.0": "Tumble with compat 4.0",
}
# size of a chart in pixels, including its margins; then the margins
WIDTH, HEIGHT, LEFT, BOTTOM, TOP, RIGHT = 350, 230, 56, 40, 26, 34
# number of the largest sizes to which the exponent is fitted
LARGEST = 3
UNITS = ((1.0, "s"), (1e-3, "ms"), (1e-6, "µs"), (1e-9, "ns"))

HEAD = """# How it grows

*Written by `python -m tests.bench.growth`. Do not edit this page.*

This page shows how the time for a step, or for loading a model, grows with the size of the model. With it, you can estimate how
large your model may become. The engines ran alternately on one core of a machine with {cores} cores of {processor}. The numbers
are medians of CPU time. {note}

```
{command}
```

Both axes of the charts are logarithmic. If the time is proportional to the size raised to a power, the line is straight, and
the power is its slope. The tables call this power the exponent: 1 means that a model of twice the size takes twice the time,
and 2 means that it takes four times the time. The exponents are those of the three largest sizes. The ratio is the time of
MuJoCo 3.4.0 divided by the time of Tumble. Compare MuJoCo 4.0.1 with Tumble in the release 4.0 (`import tumble.v4`), because
newer releases end some computations of the solver earlier.

![Time by size for each family of models](growth.svg)
"""


def kept() -> dict[str, Any]:
    """Return the results of the machine that was measured last."""
    return max((json.loads(p.read_text(encoding="utf-8")) for p in RESULTS.glob("*/growth.json")), key=lambda x: x["day"])


def time_text(seconds: float) -> str:
    scale, unit = next((row for row in UNITS if seconds >= row[0]), UNITS[-1])
    number = seconds / scale
    return f"{number:.0f} {unit}" if number >= 100 else f"{number:.3g} {unit}"


def exponent(rows: list[dict[str, Any]], engine: str) -> float:
    """Return the slope of time by size on logarithmic axes, over the largest sizes."""
    last = rows[-LARGEST:]
    return float(np.polyfit([math.log(r["size"]) for r in last], [math.log(r[engine]) for r in last], 1)[0])


def title(family: Family) -> str:
    return f"{family.grows[0].upper()}{family.grows[1:]}"


def table(family: Family, rows: list[dict[str, Any]], engines: list[str]) -> list[str]:
    """Return the part of the page on one family."""
    lines = [f"## {title(family)}", ""]
    lines += [f"| size | {' | '.join(NAMES[e] for e in engines)} | ratio |", "| --- " * (len(engines) + 2) + "|"]
    for r in rows:
        times = " | ".join(time_text(r[e]) for e in engines)
        lines.append(f"| {r['size']:,} | {times} | {r['mujoco 3.4.0'] / r['tumble']:.2f} |")
    powers = " | ".join(f"{exponent(rows, e):.2f}" for e in engines)
    return [*lines, f"| exponent | {powers} | |", ""]


def page() -> str:
    """Return the text of the page."""
    found = kept()
    engines = [e for e in COLORS if e in found["rows"][0]]
    lines = [HEAD.format(**found)]
    for family in FAMILIES:
        rows = [r for r in found["rows"] if r["family"] == family.name]
        lines += table(family, rows, engines) if rows else []
    return "\n".join(lines).rstrip() + "\n"


def axis(low: float, high: float) -> tuple[int, int]:
    """Return the powers of ten that enclose a range."""
    return math.floor(math.log10(low)), math.ceil(math.log10(high))


def drawing(family: Family, rows: list[dict[str, Any]], engines: list[str], x: int, y: int) -> list[str]:
    """Return a chart, as elements of SVG, at a position in the picture."""
    sizes, times = [r["size"] for r in rows], [r[e] for r in rows for e in engines]
    (x0, x1), (y0, y1) = axis(min(sizes), max(sizes)), axis(min(times), max(times))
    wide, high = WIDTH - LEFT - RIGHT, HEIGHT - TOP - BOTTOM

    def place(size: float, seconds: float) -> tuple[float, float]:
        return (
            x + LEFT + wide * (math.log10(size) - x0) / (x1 - x0),
            y + TOP + high * (1 - (math.log10(seconds) - y0) / (y1 - y0)),
        )

    parts = [f'<text x="{x + LEFT}" y="{y + 16}" font-weight="bold" fill="#333333">{title(family)}</text>']
    for power in range(x0, x1 + 1):
        a, b = place(10**power, 10**y0), place(10**power, 10**y1)
        parts.append(f'<line x1="{a[0]:.1f}" y1="{a[1]:.1f}" x2="{b[0]:.1f}" y2="{b[1]:.1f}" stroke="#e4e4e4"/>')
        parts.append(f'<text x="{a[0]:.1f}" y="{a[1] + 15:.1f}" text-anchor="middle" fill="#666666">{10**power:,}</text>')
    for power in range(y0, y1 + 1):
        a, b = place(10**x0, 10.0**power), place(10**x1, 10.0**power)
        parts.append(f'<line x1="{a[0]:.1f}" y1="{a[1]:.1f}" x2="{b[0]:.1f}" y2="{b[1]:.1f}" stroke="#e4e4e4"/>')
        parts.append(
            f'<text x="{a[0] - 6:.1f}" y="{a[1] + 4:.1f}" text-anchor="end" fill="#666666">{time_text(10.0**power)}</text>'
        )
    for engine in engines:
        points = [place(r["size"], r[engine]) for r in rows]
        line = " ".join(f"{a:.1f},{b:.1f}" for a, b in points)
        parts.append(f'<polyline points="{line}" fill="none" stroke="{COLORS[engine]}" stroke-width="2"/>')
        parts += [f'<circle cx="{a:.1f}" cy="{b:.1f}" r="2.5" fill="{COLORS[engine]}"/>' for a, b in points]
    return parts


def chart() -> str:
    """Return the picture: two charts a row, and a legend above."""
    found = kept()
    engines = [e for e in COLORS if e in found["rows"][0]]
    drawn = [f for f in FAMILIES if any(r["family"] == f.name for r in found["rows"])]
    width, height = 2 * WIDTH, 30 + HEIGHT * math.ceil(len(drawn) / 2)
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}" font-family="sans-serif" font-size="11">',
        f'<rect width="{width}" height="{height}" fill="#ffffff"/>',
    ]
    for k, engine in enumerate(engines):
        left = LEFT + 130 * k
        parts.append(f'<line x1="{left}" y1="14" x2="{left + 24}" y2="14" stroke="{COLORS[engine]}" stroke-width="3"/>')
        parts.append(f'<text x="{left + 30}" y="18" fill="#333333">{NAMES[engine]}</text>')
    for k, family in enumerate(drawn):
        rows = [r for r in found["rows"] if r["family"] == family.name]
        parts += drawing(family, rows, engines, WIDTH * (k % 2), 30 + HEIGHT * (k // 2))
    return "\n".join([*parts, "</svg>", ""])


def write() -> list[pathlib.Path]:
    """Write the page and its chart."""
    PAGE.write_text(page(), encoding="utf-8")
    CHART.write_text(chart(), encoding="utf-8")
    return [PAGE, CHART]
