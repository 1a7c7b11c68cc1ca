"""Models with their files in one zip file."""

import os
import posixpath
import zipfile
from contextlib import nullcontext

from ..machine.regular import open_regular
from .compile.driver import compile_spec
from .elements.spec import MjSpec
from .files.providers import MAX_MEMBER, open_archive, unpack
from .files.resources import Files, is_absolute
from .language.errors import SpecError
from .read.include import main_names
from .read.parse import editable, parse_spec
from .write.mjcf import write_mjcf

# bytes of all members of an archive together
MAX_ARCHIVE = 1 << 31


def to_zip(spec, file) -> None:
    """Write a spec, as XML, and its assets to a zip file, given by name or as a binary file object."""
    if isinstance(file, (str, os.PathLike)):
        folder = os.path.dirname(os.fspath(file))
        if folder:
            os.makedirs(folder, exist_ok=True)
    write_zip(spec, file, None)


def write_mjz(spec, file, model) -> None:
    """An archive that stands alone, into a folder that exists: model.xml and all files that compiling the spec reads, by their names below its folder.

    The numbers are those of a model that the spec compiled to, unless it is None. SpecError for a file that has no such name.
    """
    files = spec.open_files()
    compile_spec(spec, files)
    found, home = dict(spec.assets), spec.modelfiledir
    for path in dict.fromkeys(files.used):
        name = path[len(home) :] if path.startswith(home) else path
        if is_absolute(name) or name.startswith(".."):
            raise SpecError(f"'{path}' lies outside the model's folder and has no name in an archive")
        found[name] = files.read(path)
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, contents in found.items():
            archive.writestr(zipfile.ZipInfo(name), contents)
        archive.writestr(zipfile.ZipInfo("model.xml"), write_mjcf(spec, model))


def write_zip(spec, file, model) -> None:
    """As to_zip, into a folder that exists; the numbers are those of a model that the spec compiled to, unless it is None."""
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, contents in spec.assets.items():
            archive.writestr(zipfile.ZipInfo(name), contents)
        archive.writestr(zipfile.ZipInfo(f"{spec.modelname}.xml"), write_mjcf(spec, model))


def from_zip(file, *, inside=None) -> MjSpec:
    """An MjSpec from a zip file, by its name or as a binary file object, that holds an XML file, and beside or below it its assets and what it includes.

    Of several XML files the model is the one of a usual name (`main_names`), else the last.

    `inside`: a directory outside of which no other file is read; the name of the archive itself allows its members alone. ValueError if it is no such
    archive.
    """
    named = isinstance(file, (str, os.PathLike))
    try:
        with open_regular(file) if named else nullcontext(file) as opened:
            if not zipfile.is_zipfile(opened):
                raise ValueError(f"File {file} is not a zip file.")
            texts, assets = _members(opened, file)
    except FileNotFoundError:
        raise ValueError(f"File {file} is not a zip file.") from None
    except OSError as error:
        raise ValueError(f"{file}: {error.strerror or error}") from None
    if not texts:
        raise ValueError("No XML file found in zip file.")
    main = next((name for name in main_names(str(file)) if name in texts), None) or list(texts)[-1]
    xml, folder = texts.pop(main), posixpath.dirname(main)
    below = {posixpath.relpath(name, folder or "."): contents for name, contents in (texts | assets).items()}
    return editable(parse_spec(xml, "", Files(below, inside, folders=())), below)


def _members(file, title):
    """({name: text} of the XML files, {name: contents} of all other members) of an open archive."""
    texts, assets, left = {}, {}, MAX_ARCHIVE
    with open_archive(file, title) as archive:
        for info in archive.infolist():
            if info.is_dir():
                continue
            name = info.filename.replace("\\", "/")
            if name.startswith("/") or ".." in name.split("/") or name[1:2] == ":":
                raise OSError(f"member '{info.filename}' does not lie in the archive")
            contents = unpack(archive, info, min(left, MAX_MEMBER))
            left -= len(contents)
            (texts if name.endswith(".xml") else assets)[name] = contents
    return texts, assets


__all__ = ["from_zip", "to_zip"]
