"""Models straight from files or text, and which spec a model came from."""

import os
from typing import Any, cast

from ..core.garbage import Held, no_collection
from ..core.model import MjModel
from ..core.values import read_text
from .compile.driver import compile_spec
from .files.providers import ARCHIVES
from .files.resources import Files
from .files.vfs import contents_of
from .language.errors import SpecError
from .read.include import model_in, read_file
from .read.parse import parse_spec

# what follows the error of a URDF that is refused as the reference refuses it
HINT = "tumble.import_model(path), or `tumble import`, opens robot descriptions like this one and reports what it repairs"
# the spec of the model that was loaded last
_LAST: list[Held] = []


@no_collection()
def load_model(filename=None, xml=None, assets=None, inside=None, compat=None, vfs=None) -> MjModel:
    """A compiled MjModel from a file, or from XML text; with `inside` all files must lie in that directory; `compat`: a release, see core.compat_rows."""
    assets, mounts = contents_of(vfs, given_assets(assets))
    files = Files(assets, inside, mounts=mounts)
    with ARCHIVES.during_load():
        if xml is not None:
            xml = read_text(xml)
        else:
            filename = model_in(read_text(os.fspath(cast(str, filename))))
            xml = read_file(filename, files)
        try:
            spec = parse_spec(xml, filename or "", files, compat)
            m = compile_spec(spec, files)
        except SpecError as error:
            if filename and filename.lower().endswith(".urdf"):
                # scripts look for the reference's words, which come first
                error.args = (f"{error}\n{HINT}",)
            raise
    # nobody else has the spec
    m.storage.held = Held(spec)
    _LAST[:] = [m.storage.held]
    return m


def given_assets(assets) -> dict[str, Any] | None:
    """{name: contents} as it was given; TypeError unless names are texts and contents are bytes (or text, which is ours)."""
    if assets is None:
        return None
    for name, contents in assets.items():
        if not isinstance(contents, (bytes, str)):
            raise TypeError(f"assets: {name!r} needs bytes, got {type(contents).__name__}")
    return {read_text(name): contents for name, contents in assets.items()}


def origin_of(m) -> Any:
    """The spec that a model was compiled from; of a binary one the spec of the last load, or None."""
    held = m.storage.held or next(iter(_LAST), None)
    return held.see() if held is not None else None
