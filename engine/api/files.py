"""Files: binary models, models and data as text, the grammar of MJCF, and the files that a model file needs."""

import os
import xml.etree.ElementTree
from collections.abc import Iterator
from typing import Any

from ..core import binary, printing
from ..core.report import FatalError
from ..description.files.resources import Files
from ..description.language.schema import ROOT
from .signature import public


# ---- binary ------------------------------------------------------------------------------------------------------------
@public("m filename:s?=None buffer:Vb(nbyte)!?=None")
def mj_saveModel(m, filename, buffer):
    """Write a model to a binary file, or into `buffer` of mj_sizeModel bytes if it is given."""
    if buffer is not None:
        if buffer.size != binary.model_size(m):
            raise ValueError(f"buffer should have mj_sizeModel(m) = {binary.model_size(m)} bytes, got {buffer.size}")
        binary.write_model(m, buffer)
    elif filename is not None:
        binary.save_model(m, filename)
    else:
        raise ValueError("mj_saveModel: needs a file name or a buffer")


def from_binary_path(filename: Any, assets: Any = None) -> Any:
    """Return a model from a binary file. The file may also be one of the assets {name: contents}."""
    name = os.fspath(filename)
    if assets and name in assets:
        return binary.read_model(assets[name], name)
    try:
        return binary.load_model(name)
    except OSError as error:
        raise ValueError(f"Error opening file {name!r}: {error.strerror or error}") from None


# ---- text ----------------------------------------------------------------------------------------------------------------
def _write(filename: str, text: str) -> None:
    with open(filename, "w", encoding="utf-8") as f:
        f.write(text)


def _format(text: str) -> str:
    """Return a number format; FatalError if it is invalid."""
    try:
        return printing.check_format(text)
    except ValueError as error:
        raise FatalError(f"float format: {error}") from None


@public("m filename:s")
def mj_printModel(m, filename):
    """Write a model to a text file."""
    _write(filename, printing.model_text(m))


@public("m filename:s float_format:s")
def mj_printFormattedModel(m, filename, float_format):
    """Write a model to a text file, with numbers in a format such as '% -9.2g'."""
    _write(filename, printing.model_text(m, _format(float_format)))


@public("m d filename:s")
def mj_printData(m, d, filename):
    """Write an MjData to a text file."""
    _write(filename, printing.data_text(m, d))


@public("m d filename:s float_format:s")
def mj_printFormattedData(m, d, filename, float_format):
    """Write an MjData to a text file, with numbers in a format such as '% -9.2g'."""
    _write(filename, printing.data_text(m, d, _format(float_format)))


# ---- the modelling language ----------------------------------------------------------------------------------------------
def _schema_rows(elem: Any, depth: int, seen: frozenset[int]) -> Iterator[tuple[int, str, str, list[str]]]:
    """Yield (depth, name, multiplicity, attributes) of an element and its children; an element that contains itself is
    shown once."""
    yield depth, elem.name, elem.many or "!", list(elem.attrs)
    if id(elem.children) in seen:
        return
    for child in elem.children.values():
        yield from _schema_rows(child, depth + 1, seen | {id(elem.children)})


@public("flg_html:b flg_pad:b", "str")
def mj_printSchema(flg_html, flg_pad):
    """Return the elements and attributes of MJCF as text or an HTML table; flg_pad aligns columns (text) or indents (HTML)."""
    rows = list(_schema_rows(ROOT, 0, frozenset()))
    if flg_html:
        blank = "&nbsp;" if flg_pad else ""
        lines = [
            f'<tr><td style="padding-left:{15 * depth}px">{blank}{name}</td><td>{many}</td><td>{", ".join(attrs)}</td></tr>'
            for depth, name, many, attrs in rows
        ]
        return "\n".join(["<table>", *lines, "</table>", ""])
    width = max(2 * depth + len(name) for depth, name, _, _ in rows) if flg_pad else 0
    return "".join(
        f"{'  ' * depth + name:<{width}s} ({many}) {' '.join(attrs)}".rstrip() + "\n" for depth, name, many, attrs in rows
    )


# element: (compiler attributes that set the folder of its files, attributes with file names)
_FILES = {
    "mesh": (("meshdir", "assetdir"), ("file",)),
    "skin": (("meshdir", "assetdir"), ("file",)),
    "flexcomp": (("meshdir", "assetdir"), ("file",)),
    "hfield": (("assetdir",), ("file",)),
    "texture": (("texturedir", "assetdir"), ("file", "fileright", "fileup", "fileleft", "filedown", "filefront", "fileback")),
}


@public("filename:s", "list[str]")
def mju_getXMLDependencies(filename):
    """Return the names of all files that a model file needs: the file itself, models and includes with their own files, and
    assets."""
    found, waiting, read = {filename}, [filename], set()
    # the loop extends the list
    for name in waiting:
        # Read each file only once, even under several names. Compiling reports a file that includes itself.
        real = os.path.realpath(name)
        if real not in read:
            read.add(real)
            models, assets = _named_files(name)
            found |= {*models, *assets}
            waiting += models
    return sorted(found)


def _named_files(filename: str) -> tuple[list[str], list[str]]:
    """Return (model files, asset files) that a model file names directly."""
    try:
        root = xml.etree.ElementTree.fromstring(Files().read(filename))
    except (OSError, LookupError, ValueError, xml.etree.ElementTree.ParseError) as error:
        raise FatalError(f"mju_getXMLDependencies: Problem reading XML file '{filename}': {error}") from None
    folder, models, assets, compiler = os.path.dirname(filename), [], [], {}
    for node in root.iter("compiler"):
        compiler.update(node.attrib)
    for node in root.iter():
        if node.tag in ("include", "model") and (file := node.get("file")):
            models.append(os.path.join(folder, file))
        elif node.tag in _FILES:
            folders, attributes = _FILES[node.tag]
            prefix = next((compiler[f] for f in folders if compiler.get(f)), "")
            assets += [os.path.join(folder, prefix, file) for a in attributes if (file := node.get(a))]
    return models, assets


__all__ = [
    "from_binary_path",
    "mj_printData",
    "mj_printFormattedData",
    "mj_printFormattedModel",
    "mj_printModel",
    "mj_printSchema",
    "mj_saveModel",
    "mju_getXMLDependencies",
]
