"""The documentation site: it lists every page, it builds without a network, and its search answers common questions."""

import html
import importlib
import json
import pathlib
import re

import pytest

from tumble import site

HERE = pathlib.Path(__file__).parent
# number of results that a user reads
FIRST = 5
MOST_SECONDS = 60


def words():
    """(query, pages that answer it)."""
    for line in (HERE / "search_words.txt").read_text().splitlines():
        if not line.startswith("#"):
            text, _, pages = line.rpartition(": ")
            yield text, pages.split()


def test_every_page_of_the_manual_is_listed_once():
    listed = [page for pages in site.SECTIONS.values() for page, _ in pages]
    there = {path.relative_to(site.MANUAL).as_posix() for path in site.MANUAL.rglob("*.md")} | {"contributing.md"}
    assert len(listed) == len(set(listed)) and set(listed) == there


def test_pages_begin_with_what_a_reader_can_do():
    """The first paragraph is about the reader or the subject, and is not a list, program or picture."""
    for path in site.MANUAL.glob("*.md"):
        paragraphs = [p for p in path.read_text().split("\n\n")[1:] if not p.startswith("*Written by")]
        assert not paragraphs[0].startswith(("#", "|", "```", "![", "- ")), path.name


@pytest.fixture(scope="module")
def found(tmp_path_factory):
    """query -> addresses of pages, best first, according to the site's search."""
    pytest.importorskip("material")
    pytest.importorskip("mkdocs")
    lunr = pytest.importorskip("lunr")
    assert site.main() == 0
    rows = json.loads((site.SITE / "search" / "search_index.json").read_text())["docs"]
    boost = {row["location"]: row.pop("boost", 1.0) for row in rows}
    stop_words = set(importlib.import_module("lunr.stop_word_filter").WORDS)
    for row in rows:
        row["text"] = " ".join(terms(html.unescape(re.sub(r"<[^>]*>", " ", row["text"]))))
        row["title"] = " ".join(terms(html.unescape(row["title"])))
    index = lunr.lunr(ref="location", fields=[{"field_name": "title", "boost": 10}, "text"], documents=rows)

    def search(text):
        asked = " ".join(f"{term}^2 {term}*" for term in terms(text) if term not in stop_words)
        results = sorted(index.search(asked), key=lambda row: -row["score"] * boost[row["ref"]])
        places = [row["ref"].partition("#")[0].replace(".html", ".md") for row in results]
        return list(dict.fromkeys(place.replace("index.md", "README.md") for place in places))[:FIRST]

    return search


def terms(text):
    """The words of a text, as the site's search splits them."""
    return [word for word in re.split(site.SEPARATOR, text.lower()) if word]


def test_search_leads_to_the_page(found):
    lost = {text: found(text) for text, pages in words() if not set(pages) & set(found(text))}
    assert not lost, lost
