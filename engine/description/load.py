"""Models straight from files or text, and which spec a model came from."""

from typing import Any

from ..core.model import MjModel
from .compile.driver import compile_spec
from .files.resources import Files
from .read.include import read_file
from .read.parse import parse_spec

# the spec of the model that was loaded last
_LAST = []


def load_model(filename=None, xml=None, assets=None, inside=None) -> MjModel:
    """A compiled MjModel from a file, or from XML text; with `inside` all files must lie in that directory."""
    files = Files(assets, inside)
    if xml is None:
        xml = read_file(filename, files)
    spec = parse_spec(xml, filename or "", files)
    m = compile_spec(spec, files)
    _LAST[:] = [spec]
    return m


def origin_of(m) -> Any:
    """The spec that a model was compiled from; of a binary one the spec of the last load, or None."""
    return m.storage.spec or next(iter(_LAST), None)
