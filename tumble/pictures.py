"""Pictures of the examples: `python -m tumble.pictures [NAME ...]` draws them as the window does, at the times in their
rows.

Also writes assets/manual/examples.md, which shows them; a test compares that page with the table.
"""

# pyright: reportMissingImports=false, reportAttributeAccessIssue=false
import pathlib
import sys

from PIL import Image

from . import engine as mj
from .render.offscreen import Renderer
from .ui.examples import ASSETS, BY_NAME, EXAMPLES, PICTURE

PAGE = ASSETS / "manual" / "examples.md"
# each pixel is the mean of FINE x FINE drawn pixels; quality of JPEG
FINE, QUALITY = 4, 88
COLUMNS = 3
HEAD = """# Examples

*Written by `make pictures` from the table in `ui/examples.py`; not to be edited.*

Fifteen models, each to show one thing. In the viewer they are under *File > Examples*; on the command line their names
stand for their files: `tumble dominoes`, `tumble render rope rope.mp4 --duration 5`, `tumble info gears`. A file of
that name in the current folder comes first. They use nothing but the language of the reference, so they run there as
well: `assets/models` has their XML, and each begins with a line on how it works.
"""
TAIL = """
## Scripts

Eight programs, each with its notebook (`make pictures` writes these from the scripts).

| script | what it shows |
| --- | --- |
"""


def scripts() -> list[str]:
    """Return rows of the example scripts: the file, its notebook, and its heading."""
    rows = []
    for path in sorted((ASSETS / "examples").glob("*.py")):
        heading = path.read_text().splitlines()[1].removeprefix("# # ")
        rows.append(f"| [{path.stem}.py](../examples/{path.name}), [notebook](../examples/{path.stem}.ipynb) | {heading} |")
    return rows


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
    """Return the manual's page of examples."""
    lines = [HEAD, "| | | |", "| --- | --- | --- |"]
    for k in range(0, len(EXAMPLES), COLUMNS):
        row = EXAMPLES[k : k + COLUMNS]
        lines.append("| " + " | ".join(f"![{e.title}](../models/pictures/{e.name}.jpg)" for e in row) + " |")
        lines.append("| " + " | ".join(f"**{e.title}**: {e.text} (`{e.name}`)" for e in row) + " |")
    return "\n".join(lines) + "\n" + TAIL + "\n".join(scripts()) + "\n"


def main() -> None:
    """Draw some or all examples, and write their page."""
    for name in sys.argv[1:] or BY_NAME:
        path = pathlib.Path(BY_NAME[name].picture)
        path.parent.mkdir(exist_ok=True)
        draw(name).save(path, quality=QUALITY, optimize=True)
    PAGE.write_text(page(), encoding="utf-8")


if __name__ == "__main__":
    main()
