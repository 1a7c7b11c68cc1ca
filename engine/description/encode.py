"""MjSpec.encode: a spec, or its compiled model, in the format that a file's name selects."""

import os

from ..core import binary, printing
from ..core.model import MjModel
from ..core.report import FatalError
from .archive import write_mjz
from .elements.elements import need
from .elements.spec import MjSpec
from .language.errors import SpecError
from .write.mjcf import write_mjcf

# {content type: file name extension}
TYPES = {"text/xml": ".xml", "application/zip": ".zip"}


def encode(spec: MjSpec, filename: str, model: MjModel | None = None, content_type: str | None = None) -> int:
    """Write a spec to a file and return the size in bytes (since MuJoCo 3.8).

    Formats: MJCF (.xml), an archive with all files (.mjz, .zip), a binary model (.mjb), text (.txt). `model`: a model compiled
    from the spec; its numbers are written, and the last two formats need it. `content_type`: "text/xml" or "application/zip"
    if the name has no extension. FatalError if the format is unknown, the model is missing or the file cannot be written.
    """
    if model is not None:
        need("encode", model, MjModel)
    name = os.fspath(filename)
    write = FORMS.get(TYPES.get(content_type, "") if content_type else os.path.splitext(name)[1].lower())
    if write is None:
        raise FatalError("no encoder found")
    try:
        write(spec, name, model)
        return os.path.getsize(name)
    except SpecError as error:
        raise FatalError(str(error)) from error
    except OSError as error:
        raise FatalError(f"Error writing resource '{name}': {error.strerror or error}") from error


def _xml(spec: MjSpec, name: str, model: MjModel | None) -> None:
    _text(name, write_mjcf(spec, model))


def _text(name: str, text: str) -> None:
    with open(name, "w", encoding="utf-8", newline="\n") as f:
        f.write(text)


def _compiled(model: MjModel | None, form: str) -> MjModel:
    if model is None:
        raise FatalError(f"model is required for {form} encoding")
    return model


FORMS = {
    ".xml": _xml,
    ".mjz": write_mjz,
    ".zip": write_mjz,
    ".mjb": lambda spec, name, model: binary.save_model(_compiled(model, "MJB"), name),
    ".txt": lambda spec, name, model: _text(name, printing.model_text(_compiled(model, "TXT"))),
}
