"""Entry points: files and text → MjSpec → MjModel."""

import os

import numpy as np

from ..elements.spec import MjSpec
from ..files import resources
from ..files.providers import shown
from ..language.errors import SpecError
from ..language.xmltree import parse
from . import include
from .mjcf import read_mjcf


def spec_from_string(xml, include=None, assets=None):
    """An MjSpec from XML text. `include` maps names of included files to contents, `assets` those of assets."""
    if not isinstance(xml, (str, bytes)):
        raise TypeError(f"from_string(): incompatible function arguments: xml: needs text, got {type(xml).__name__}")
    return _editable(parse_spec(xml, "", resources.Files(include)), assets)


def spec_from_file(filename, include=None, assets=None):
    """An MjSpec from a file, whose name may also be one of `include`."""
    files = resources.Files(include)
    return _editable(parse_spec(read_file(filename, files), filename, files), assets)


def _editable(spec, assets):
    """A spec whose files are looked for anew each time it is compiled."""
    spec.files = None
    if assets is not None:
        spec.assets = assets
    return spec


def read_file(filename, files):
    """Bytes of the model file itself."""
    filename = os.fspath(filename)
    try:
        return files.read(filename)
    except OSError as e:
        raise SpecError(f"cannot open '{shown(filename)}': {e.strerror or e}") from None


# absurd sizes overflow on the way to the checks that name them
@np.errstate(all="ignore")
def parse_spec(xml, filename, files):
    """Text of MJCF or URDF → MjSpec. `filename` names it in errors and gives the directory of its assets."""
    filename = os.fspath(filename)
    root = parse(xml, filename)
    spec = MjSpec()
    spec.files = files
    spec.modelfiledir = resources.dirname(filename)
    kind = root.tag.lower()
    if kind == "mujoco":
        places = include.Places(files, spec.modelfiledir)
        include.expand(root, places, filename)
        read_mjcf(root, spec, places)
    elif kind == "robot":
        from .urdf import read_urdf
        read_urdf(root, spec)
    else:
        raise SpecError(f"unrecognized model type '{root.tag}'", root, "", root.tag, ("mujoco", "robot"))
    return spec


def load_model(filename=None, xml=None, assets=None, inside=None):
    """A compiled MjModel from a file, or from XML text; with `inside` all files must lie in that directory."""
    files = resources.Files(assets, inside)
    if xml is None:
        xml = read_file(filename, files)
    spec = parse_spec(xml, filename or "", files)
    from ..compile.driver import compile_spec
    m = compile_spec(spec, files)
    _LAST[:] = [spec]
    return m


# the spec of the model that was loaded last
_LAST = []


def origin_of(m):
    """The spec that a model was compiled from; of a binary one the spec of the last load, or None."""
    return m._extra.get("spec") or next(iter(_LAST), None)
