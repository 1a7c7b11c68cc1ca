"""Builds the documentation as a website: `python -m tumble.site` makes build/site from the manual. It needs no network, and
warnings are errors.

assets/manual, assets/models/pictures, assets/examples, CONTRIBUTING.md
    ──▶  build/docs/pages   copies of these files, with links adapted to this folder
    ──▶  build/site         HTML by MkDocs with the theme Material (extra `docs`), and a search index
"""

# pyright: reportMissingImports=false, reportAttributeAccessIssue=false
import json
import pathlib
import shutil
import subprocess
import sys
from importlib.util import find_spec
from typing import Any

ROOT = pathlib.Path(__file__).resolve().parents[1]
MANUAL = ROOT / "assets" / "manual"
BUILD = ROOT / "build" / "docs"
SITE = ROOT / "build" / "site"
# {heading: (page, its name in the navigation)}; every page of the manual is listed exactly once
SECTIONS = {
    "Get started": (
        ("README.md", "Overview"),
        ("install.md", "Install"),
        ("tutorial.md", "Tutorial"),
        ("examples.md", "Examples"),
        ("faq.md", "Questions"),
    ),
    "Guides": (
        ("viewer.md", "The viewer"),
        ("library.md", "The library"),
        ("robots.md", "Robots"),
        ("learning.md", "Learning and control"),
        ("tuning.md", "Tuning a model"),
        ("pictures.md", "Pictures to publish"),
        ("browser.md", "Browsers and notebooks"),
        ("plugins.md", "Plugins"),
        ("coming_from_mujoco.md", "Coming from MuJoCo"),
        ("releases.md", "Releases after 3.4"),
    ),
    "Concepts": (
        ("theory.md", "What is computed"),
        ("lanes.md", "Lanes"),
        ("limits.md", "Limits"),
        ("promises.md", "Promises"),
        ("speed.md", "How fast"),
        ("growth.md", "How it grows"),
    ),
    "Reference": (
        ("reference/README.md", "Index"),
        ("reference/functions.md", "Functions"),
        ("reference/classes.md", "Classes"),
        ("reference/methods.md", "Methods"),
        ("reference/enumerations.md", "Enumerations"),
        ("reference/mjcf.md", "MJCF"),
        ("reference/spec.md", "MjSpec"),
        ("reference/model.md", "MjModel"),
        ("reference/data.md", "MjData"),
        ("reference/options.md", "Options"),
        ("reference/commands.md", "Commands"),
        ("reference/environment.md", "Environment"),
    ),
    "Inside": (
        ("architecture.md", "Architecture"),
        ("recipes.md", "Recipes"),
        ("debugging.md", "Debugging"),
        ("contributing.md", "Contributing"),
        ("citing.md", "How to cite"),
    ),
}
# separators of words in the search; names such as mj_step stay whole
SEPARATOR = r"[\s\-,:;!?=\[\]()\"'`/.<>{}|&]+"
# {page: search weight, if it is not 1}; long lists get lower weights, tables of fields higher ones
BOOSTS = {
    "reference/functions.md": 0.5,
    "reference/classes.md": 0.3,
    "reference/methods.md": 0.3,
    "recipes.md": 0.5,
    "reference/model.md": 0.6,
    "reference/spec.md": 0.4,
    "reference/data.md": 2.4,
    "reference/options.md": 1.5,
}
# folders outside the manual that pages link to: (folder in the checkout, folder in the site)
BESIDE = (("assets/models/pictures", "models/pictures"), ("assets/examples", "examples"))
# (link in the checkout, its target in the site)
LINKS = (
    ("](../models/pictures/", "](models/pictures/"),
    ("](../examples/", "](examples/"),
    ("](../../CONTRIBUTING.md", "](contributing.md"),
    ("](assets/manual/", "]("),
)


def gather() -> pathlib.Path:
    """Copy the pages and their pictures to build/docs/pages; return this folder."""
    pages = BUILD / "pages"
    shutil.rmtree(BUILD, ignore_errors=True)
    shutil.copytree(MANUAL, pages)
    for source, target in BESIDE:
        shutil.copytree(ROOT / source, pages / target)
    shutil.copyfile(ROOT / "CONTRIBUTING.md", pages / "contributing.md")

    # search weights put guides before reference pages
    for page, boost in BOOSTS.items():
        path = pages / page
        path.write_text(f"---\nsearch:\n  boost: {boost}\n---\n" + path.read_text(encoding="utf-8"), encoding="utf-8")

    # adapt links that lead out of the manual's folder
    for path in pages.glob("*.md"):
        text = path.read_text(encoding="utf-8")
        for old, new in LINKS:
            text = text.replace(old, new)
        path.write_text(text, encoding="utf-8")
    return pages


def settings(pages: pathlib.Path) -> dict[str, Any]:
    """Return the settings for MkDocs. The site works offline: no web fonts, no analytics, no external resources."""
    return {
        "site_name": "Tumble",
        "site_description": "A physics engine for robots, bodies and muscles in contact, and a viewer to work in",
        "docs_dir": str(pages),
        "site_dir": str(SITE),
        "use_directory_urls": False,
        "theme": {
            "name": "material",
            "font": False,
            "features": ["navigation.sections", "navigation.top", "search.suggest", "search.highlight", "content.code.copy"],
            "palette": [
                {"media": "(prefers-color-scheme: light)", "scheme": "default", "toggle": toggle("dark")},
                {"media": "(prefers-color-scheme: dark)", "scheme": "slate", "toggle": toggle("light")},
            ],
        },
        "plugins": [{"search": {"separator": SEPARATOR}}],
        "markdown_extensions": [
            "tables",
            "attr_list",
            {"toc": {"permalink": True}},
            "pymdownx.superfences",
            "pymdownx.highlight",
            {"pymdownx.arithmatex": {"generic": True}},
        ],
        "validation": {"links": {"not_found": "warn", "anchors": "warn", "unrecognized_links": "warn"}},
        "nav": [{title: [{name: page} for page, name in pages_]} for title, pages_ in SECTIONS.items()],
    }


def toggle(to: str) -> dict[str, str]:
    """Return the settings of the button that switches between light and dark."""
    return {"icon": "material/weather-night" if to == "dark" else "material/weather-sunny", "name": f"Change to {to}"}


def main() -> int:
    """Build the site; return the exit status."""
    if find_spec("material") is None or find_spec("mkdocs") is None:
        print("tumble: the site is built by mkdocs-material: pip install 'tumble[docs]'", file=sys.stderr)
        return 1
    pages = gather()
    config = BUILD / "mkdocs.yml"
    # JSON is valid YAML
    config.write_text(json.dumps(settings(pages), indent=1), encoding="utf-8")
    return subprocess.call([sys.executable, "-m", "mkdocs", "build", "--strict", "--quiet", "--config-file", str(config)])


if __name__ == "__main__":
    sys.exit(main())
