"""Draws pictures of the examples: `python -m tumble.pictures [NAME ...]` draws them as in the viewer, at the times given in
their rows.

Also writes assets/manual/examples.md, which shows the pictures, and assets/manual/speed.svg, a chart of the table in
speed.md. A test checks that both match their tables.
"""

# pyright: reportMissingImports=false, reportAttributeAccessIssue=false
import pathlib
import re
import sys

from PIL import Image

from . import engine as mj
from .render.offscreen import Renderer
from .ui.examples import ASSETS, BY_NAME, EXAMPLES, PICTURE

PAGE = ASSETS / "manual" / "examples.md"
SPEED, CHART = ASSETS / "manual" / "speed.md", ASSETS / "manual" / "speed.svg"
# chart in pixels: height of a row, width of the names, length of a bar with ratio 1; and the ratio at which bars are cut
ROW, NAMES, UNIT, MOST = 20, 90, 130, 4.0
# each pixel is the mean of FINE x FINE rendered pixels; QUALITY: JPEG quality
FINE, QUALITY = 4, 88
COLUMNS = 3
HEAD = """# Examples

*Written by `make pictures` from the table in `ui/examples.py`. Do not edit this page.*

This page shows the {models} example models and the example scripts, and how to open them. To open an example model in the
viewer, choose *File > Examples*. On the command line, write the name of an example instead of a file name:
`tumble dominoes`, `tumble render rope rope.mp4 --duration 5`, `tumble info gears`. If the current folder contains a file
of the same name, Tumble opens this file instead of the example. The example models also work in MuJoCo. Their XML files
are in `assets/models`; each file begins with a comment that explains the model.
"""
TAIL = """
## Scripts

Tumble has {scripts} example scripts. Each script is also available as a notebook with the same code.

| script | what it shows |
| --- | --- |
"""


def scripts() -> list[str]:
    """Return a row for each example script: the file, its notebook, and its heading."""
    rows = []
    for path in sorted((ASSETS / "examples").glob("*.py")):
        heading = path.read_text().splitlines()[1].removeprefix("# # ")
        rows.append(f"| [{path.stem}.py](../examples/{path.name}), [notebook](../examples/{path.stem}.ipynb) | {heading} |")
    return rows


def chart() -> str:
    """Return the table of speed.md as an SVG bar chart: how many times faster than MuJoCo each example's step is."""
    found = re.findall(r"^\| (\w+) \| [\d.e+]+ \| [\d.e+]+ \| ([\d.]+) \|$", SPEED.read_text(), re.M)
    rows = sorted(((name, float(ratio)) for name, ratio in found), key=lambda row: -row[1])
    width, height = NAMES + round(UNIT * MOST) + 60, ROW * (len(rows) + 2)
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}" font-family="sans-serif" font-size="12">',
        f'<rect width="{width}" height="{height}" fill="#ffffff"/>',
    ]
    for k, (name, ratio) in enumerate(rows):
        top, long = ROW * k + 6, round(UNIT * min(ratio, MOST))
        parts.append(f'<text x="{NAMES - 8}" y="{top + 11}" text-anchor="end" fill="#333333">{name}</text>')
        parts.append(f'<rect x="{NAMES}" y="{top}" width="{long}" height="{ROW - 6}" fill="#3a7ca5"/>')
        parts.append(f'<text x="{NAMES + long + 6}" y="{top + 11}" fill="#333333">{ratio:.2f}</text>')

    # draw the line at ratio 1, which is MuJoCo's speed
    end, x = ROW * len(rows) + 4, NAMES + UNIT
    parts.append(f'<line x1="{x}" y1="2" x2="{x}" y2="{end}" stroke="#c1440e" stroke-width="1.5"/>')
    parts.append(f'<text x="{x}" y="{end + 16}" fill="#c1440e">1: as fast as MuJoCo 3.4.0; longer bars than 4 are cut</text>')
    return "\n".join([*parts, "</svg>", ""])


def count(number: int) -> str:
    """Return a number as text: small numbers as words, larger ones as digits."""
    words = "no one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen".split()
    return words[number] if number < len(words) else str(number)


def draw(name: str) -> Image.Image:
    """Return the picture of an example."""
    example = BY_NAME[name]
    m = mj.MjModel.from_xml_path(example.path)
    d = mj.MjData(m)
    mj.mj_step(m, d, round(example.seconds / m.opt.timestep))
    mj.mj_forward(m, d)
    width, height = (FINE * side for side in PICTURE)
    m.vis.global_.offwidth, m.vis.global_.offheight = width, height
    with Renderer(m, height, width, lighting="pixel") as renderer:
        renderer.update_scene(d)
        return Image.fromarray(renderer.render()).resize(PICTURE, Image.Resampling.BOX)


def page() -> str:
    """Return the manual page of examples."""
    programs = scripts()
    head = HEAD.format(models=count(len(EXAMPLES)))
    lines = [head, "| | | |", "| --- | --- | --- |"]
    for k in range(0, len(EXAMPLES), COLUMNS):
        row = EXAMPLES[k : k + COLUMNS]
        lines.append("| " + " | ".join(f"![{e.title}](../models/pictures/{e.name}.jpg)" for e in row) + " |")
        lines.append("| " + " | ".join(f"**{e.title}**: {e.text} (`{e.name}`)" for e in row) + " |")
    return "\n".join(lines) + "\n" + TAIL.format(scripts=count(len(programs))) + "\n".join(programs) + "\n"


def main() -> None:
    """Draw the named examples, or all; write the manual page."""
    for name in sys.argv[1:] or BY_NAME:
        path = pathlib.Path(BY_NAME[name].picture)
        path.parent.mkdir(exist_ok=True)
        draw(name).save(path, quality=QUALITY, optimize=True)
    PAGE.write_text(page(), encoding="utf-8")
    CHART.write_text(chart(), encoding="utf-8")


if __name__ == "__main__":
    main()
