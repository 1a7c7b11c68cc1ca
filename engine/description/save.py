"""Saving models as MJCF: mj_saveLastXML, mj_saveXML, mj_saveXMLString."""

import os
import sys

from ..core.model import MjModel
from ..core.report import FatalError
from ..tables.compat_rows import holds
from .copyback import copy_back
from .elements.edit import copy_spec
from .elements.spec import MjSpec
from .language.errors import SpecError
from .load import origin_of
from .write.mjcf import write_mjcf


def mj_saveLastXML(filename: str, m: MjModel) -> None:
    """Write a model as MJCF, with its current numbers. An empty file name writes to standard output.

    The structure comes from the spec the model was compiled from; for a binary model, from the spec loaded last. FatalError if
    there is none, if the sizes or names of `m` differ from what the spec compiles to, or if the file cannot be written.
    """
    spec = origin_of(m)
    if spec is None:
        raise FatalError("No XML model loaded")
    if holds("stricter", m.compat_bits):
        # changes that the text cannot express raise an error before anything is written
        try:
            copy_back(copy_spec(spec), m)
        except SpecError as error:
            raise FatalError(str(error)) from error
    _write(filename, _text(spec, m))


def export_xml(filename: str, m: MjModel) -> None:
    """Write a model like mj_saveLastXML, with file references that work from the output folder, wherever the model came
    from."""
    spec = origin_of(m)
    if spec is None:
        raise FatalError("the model does not come from XML or from a spec")
    _write(filename, _text(spec, m, os.path.dirname(os.path.abspath(filename))))


def mj_saveXML(s: MjSpec, filename: str) -> None:
    """Compile a spec and write it as MJCF; FatalError if that fails."""
    _write(filename, mj_saveXMLString(s))


def mj_saveXMLString(s: MjSpec) -> str:
    """Compile a spec and return its canonical MJCF; FatalError if that fails."""
    return _text(s, None)


def _text(spec: MjSpec, m: MjModel | None, folder: str | None = None) -> str:
    try:
        if m is not None and not spec.compiler.raw["savecompiled"]:
            spec = copy_spec(spec)
            copy_back(spec, m)
            m = None
        return write_mjcf(spec, m, folder)
    except SpecError as error:
        raise FatalError(str(error)) from error


def _write(filename: str, text: str) -> None:
    if not filename:
        sys.stdout.write(text)
        return
    try:
        with open(filename, "w", encoding="utf-8", newline="\n") as f:
            f.write(text)
    except OSError as error:
        raise FatalError(f"cannot write '{filename}': {error.strerror or error}") from error
