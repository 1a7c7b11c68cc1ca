"""Models with their files in one zip file."""
import os
import posixpath
import zipfile

from .compile.driver import compile_spec
from .elements.spec import MjSpec
from .files.providers import MAX_MEMBER, unpack
from .files.resources import is_absolute
from .language.errors import SpecError
from .read.parse import spec_from_string
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
        name = path[len(home):] if path.startswith(home) else path
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


def from_zip(file) -> MjSpec:
    """An MjSpec from a zip file that holds one XML file, and its assets beside or below it."""
    if not zipfile.is_zipfile(file):
        raise ValueError(f"File {file} is not a zip file.")
    try:
        xml, folder, assets = _members(file)
    except (zipfile.BadZipFile, NotImplementedError, OSError) as error:
        raise ValueError(f"{file}: {error}") from None
    if xml is None:
        raise ValueError("No XML file found in zip file.")
    named = {posixpath.relpath(name, folder or "."): contents for name, contents in assets.items()}
    return spec_from_string(xml.decode(), assets=named)


def _members(file):
    """(XML text or None, its folder, {name: contents} of all other members)."""
    xml, folder, assets, left = None, "", {}, MAX_ARCHIVE
    with zipfile.ZipFile(file) as archive:
        for info in archive.infolist():
            if info.is_dir():
                continue
            name = info.filename.replace("\\", "/")
            if name.startswith("/") or ".." in name.split("/") or name[1:2] == ":":
                raise OSError(f"member '{info.filename}' does not lie in the archive")
            contents = unpack(archive, info, min(left, MAX_MEMBER))
            left -= len(contents)
            if name.endswith(".xml"):
                xml, folder = contents, posixpath.dirname(name)
            else:
                assets[name] = contents
    return xml, folder, assets


__all__ = ["from_zip", "to_zip"]
