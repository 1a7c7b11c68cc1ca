"""Models with their files in one zip file."""
import os
import posixpath
import zipfile

from .files.providers import unpack
from .read.parse import spec_from_string
from .write.mjcf import write_mjcf


def to_zip(spec, file):
    """Write a spec, as XML, and its assets to a zip file, given by name or as a binary file object."""
    if isinstance(file, (str, os.PathLike)):
        folder = os.path.dirname(os.fspath(file))
        if folder:
            os.makedirs(folder, exist_ok=True)
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, contents in spec.assets.items():
            archive.writestr(zipfile.ZipInfo(name), contents)
        archive.writestr(zipfile.ZipInfo(f"{spec.modelname}.xml"), write_mjcf(spec))


def from_zip(file):
    """An MjSpec from a zip file that holds one XML file, and its assets beside or below it."""
    if not zipfile.is_zipfile(file):
        raise ValueError(f"File {file} is not a zip file.")
    xml, folder, assets = None, "", {}
    with zipfile.ZipFile(file) as archive:
        for info in archive.infolist():
            if info.is_dir():
                continue
            if info.filename.endswith(".xml"):
                xml, folder = unpack(archive, info), posixpath.dirname(info.filename)
            else:
                assets[info.filename] = unpack(archive, info)
    if xml is None:
        raise ValueError("No XML file found in zip file.")
    named = {posixpath.relpath(name, folder or "."): contents for name, contents in assets.items()}
    return spec_from_string(xml.decode(), assets=named)


__all__ = ["from_zip", "to_zip"]
