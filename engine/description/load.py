"""Loading models from files or text; and the spec from which a model was compiled."""

import os
from functools import partial
from typing import Any, cast

from ..core import report
from ..core.model import MjModel
from ..machine.garbage import Held, no_collection
from ..tables.compat_rows import undecided
from ..tables.values import read_text
from . import again
from .compile.driver import compile_spec
from .elements.spec import MjSpec
from .files.providers import ARCHIVES
from .files.resources import Files
from .files.vfs import MjVfs, contents_of
from .language.errors import SpecError
from .read.include import model_in, read_file
from .read.parse import parse_spec

# text appended to errors of a URDF that MuJoCo refuses as well
HINT = "tumble.import_model(path), or `tumble import`, opens robot descriptions like this one and reports what it repairs"
# holds the last spec that was loaded
_LAST: list[Held] = []


@no_collection()
def load_model(
    filename: str | os.PathLike | None = None,
    xml: str | bytes | None = None,
    assets: dict[str, Any] | None = None,
    inside: str | os.PathLike | None = None,
    compat: str | None = None,
    vfs: MjVfs | None = None,
) -> MjModel:
    """Return a compiled MjModel from a file, or from XML text.

    `inside`: a directory that all files must lie in; `compat`: a MuJoCo release, see tables.compat_rows.
    """
    assets, mounts = contents_of(vfs, given_assets(assets))
    files = Files(assets, inside, mounts=mounts)
    with ARCHIVES.during_load():
        if xml is not None:
            xml = read_text(xml)
        else:
            filename = model_in(read_text(os.fspath(cast(str, filename))))
            xml = read_file(filename, files)
        # look for an earlier load of the same text; the text itself is compared, not its file
        first = len(files.seen)
        make = partial(_spec_again, xml, filename or "", assets, inside, compat)
        key = None if mounts else again.key_of(xml, assets, filename, compat)
        m = again.known(key)
        if m is None:
            told = report.count()
            try:
                spec = parse_spec(xml, filename or "", files, compat)
                m = compile_spec(spec, files)
            except SpecError as error:
                if filename and os.fspath(filename).lower().endswith(".urdf"):
                    # MuJoCo's words come first, because scripts search for them
                    error.args = (f"{error}\n{HINT}",)
                raise
            # only this model refers to the spec
            held = m.storage.held = Held(spec)
            alone = files.repeatable and report.count() == told and not spec.warnings
            again.remember(key, m, files.seen[first:] if alone else None)
        else:
            held = m.storage.held = again.Remade(make)
    _LAST[:] = [held]
    return m


def _spec_again(
    xml: str | bytes, filename: str | os.PathLike, assets: dict[str, Any] | None, inside: Any, compat: str | None
) -> MjSpec:
    """Return the spec of a model that was copied from an earlier load. The spec is compiled, so that its elements have their
    ids."""
    files = Files(assets, inside)
    with undecided():
        spec = parse_spec(xml, filename, files, compat)
        compile_spec(spec, files)
    return spec


def given_assets(assets: dict[str, Any] | None) -> dict[str, Any] | None:
    """Return {name: contents} unchanged; TypeError unless names are strings and contents are bytes (or strings, a Tumble
    extension)."""
    if assets is None:
        return None
    for name, contents in assets.items():
        if not isinstance(contents, (bytes, str)):
            raise TypeError(f"assets: {name!r} needs bytes, got {type(contents).__name__}")
    return {read_text(name): contents for name, contents in assets.items()}


def origin_of(m: MjModel) -> Any:
    """Return the spec from which a model was compiled. For a binary model, return the last spec loaded, or None."""
    held = m.storage.held or next(iter(_LAST), None)
    return held.see() if held is not None else None
