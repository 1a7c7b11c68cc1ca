"""A model and its assets in one zip file."""

import os
import posixpath
import zipfile
from contextlib import nullcontext
from typing import Any

from ..core.model import MjModel
from ..machine.regular import open_regular
from .compile.driver import compile_spec
from .elements.spec import MjSpec
from .files.providers import MAX_MEMBER, open_archive, unpack
from .files.resources import Files, is_absolute
from .language.errors import SpecError
from .read.include import main_names
from .read.parse import editable, parse_spec
from .write.mjcf import write_mjcf

# limit of the total size of an archive's members, in bytes
MAX_ARCHIVE = 1 << 31
# characters that separate the folders of a path on some system
SEPARATORS = str.maketrans({sign: "_" for sign in "/\\:\0"})
# name of the member that marks an archive as a session log
LOG_PART = "items.jsonl"


def to_zip(spec: MjSpec, file: Any) -> None:
    """Write a spec, as XML, and its assets to a zip file, given as a name or as a binary file object."""
    if isinstance(file, (str, os.PathLike)):
        folder = os.path.dirname(os.fspath(file))
        if folder:
            os.makedirs(folder, exist_ok=True)
    write_zip(spec, file, None)


def write_mjz(spec: MjSpec, file: Any, model: MjModel | None) -> None:
    """Write a self-contained archive: model.xml, and all files that compiling the spec reads, with names relative to the
    model's folder.

    The archive's folder must exist. With `model`, which must have been compiled from the spec, the XML contains the model's
    numbers. SpecError for a file outside the model's folder.
    """
    files = spec.open_files()
    compile_spec(spec, files)
    found, home = dict(spec.assets), spec.modelfiledir
    for path in dict.fromkeys(files.used):
        name = path[len(home) :] if path.startswith(home) else path
        if is_absolute(name) or name.startswith(".."):
            raise SpecError(f"'{path}' is outside the model's folder, so it cannot be added to an archive")
        found[name] = files.read(path)
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, contents in found.items():
            archive.writestr(zipfile.ZipInfo(name), contents)
        archive.writestr(zipfile.ZipInfo("model.xml"), write_mjcf(spec, model))


def write_zip(spec: MjSpec, file: Any, model: MjModel | None) -> None:
    """Write a spec, as XML, and its assets to a zip file in an existing folder. With `model`, the XML contains the model's
    numbers."""
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, contents in spec.assets.items():
            archive.writestr(zipfile.ZipInfo(name), contents)
        # a model's name may contain separators, but the member must not leave the archive
        name = spec.modelname.translate(SEPARATORS)
        archive.writestr(zipfile.ZipInfo(f"{name}.xml"), write_mjcf(spec, model))


def from_zip(file: Any, *, inside: str | None = None) -> MjSpec:
    """Return the MjSpec in a zip file, given as a name or as a binary file object, with its assets and included files.

    If there are several XML files, the model is the one with a usual name (`main_names`), otherwise the last. `inside`: a
    directory; files outside it are refused. If this is the path of the archive itself, only files in the archive are allowed.
    ValueError if the file is not such an archive.
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
        if LOG_PART in assets:
            raise ValueError(
                f"{file} is a session log, not a model: `tumble {file}` plays it, `tumble replay {file}` repeats it."
            )
        raise ValueError("No XML file found in zip file.")
    main = next((name for name in main_names(str(file)) if name in texts), None) or list(texts)[-1]
    xml, folder = texts.pop(main), posixpath.dirname(main)
    below = {posixpath.relpath(name, folder or "."): contents for name, contents in (texts | assets).items()}
    return editable(parse_spec(xml, "", Files(below, inside, folders=())), below)


def _members(file: Any, title: Any) -> tuple[dict[str, bytes], dict[str, bytes]]:
    """Return ({name: text} of the XML files, {name: contents} of the other members) of an open archive."""
    texts, assets, left = {}, {}, MAX_ARCHIVE
    with open_archive(file, title) as archive:
        for info in archive.infolist():
            # `is_dir` of some Python releases fails for an empty name
            if not info.filename or info.is_dir():
                continue
            name = info.filename.replace("\\", "/")
            if name.startswith("/") or ".." in name.split("/") or name[1:2] == ":":
                raise OSError(f"member '{info.filename}' does not lie in the archive")
            contents = unpack(archive, info, min(left, MAX_MEMBER))
            left -= len(contents)
            (texts if name.endswith(".xml") else assets)[name] = contents
    return texts, assets


__all__ = ["from_zip", "to_zip"]
