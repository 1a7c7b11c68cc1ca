"""Entry points of reading: files and text of MJCF or URDF become an MjSpec."""

import os
from typing import Any

import numpy as np

from ...machine.garbage import no_collection
from ...tables.compat_rows import bits
from ..elements.keyframes import order_of
from ..elements.spec import MjSpec
from ..files import resources
from ..files.resources import Files
from ..files.vfs import MjVfs, contents_of
from ..language.depth import deep_calls
from ..language.errors import SpecError
from ..language.xmltree import MAX_DEPTH, parse
from .include import Places, expand, model_in, read_file
from .mjcf import read_mjcf


def spec_from_string(
    xml: str,
    include: dict[str, Any] | None = None,
    assets: dict[str, bytes] | None = None,
    *,
    vfs: MjVfs | None = None,
    inside: str | None = None,
) -> MjSpec:
    """Return an MjSpec from XML text.

    `include` maps names of included files to contents, `assets` names of assets; `vfs`, an MjVfs, replaces both.
    `inside`: a directory, or an archive; files outside it are refused, now and when the spec is compiled. For untrusted models.
    """
    if not isinstance(xml, (str, bytes)):
        raise TypeError(f"from_string(): incompatible function arguments: xml: needs text, got {type(xml).__name__}")
    include, mounts = contents_of(vfs, include or assets) if vfs is not None else (include, None)
    return editable(parse_spec(xml, "", resources.Files(include, inside, mounts=mounts)), assets)


def spec_from_file(
    filename: str,
    include: dict[str, Any] | None = None,
    assets: dict[str, bytes] | None = None,
    *,
    vfs: MjVfs | None = None,
    inside: str | None = None,
) -> MjSpec:
    """Return an MjSpec from a file. The file may also be in `include`, or in a `vfs` (MjVfs).

    An archive (.mjz, .zip) has a model with its files. `inside` as in `from_string`.
    """
    include, mounts = contents_of(vfs, include or assets) if vfs is not None else (include, None)
    files = resources.Files(include, inside, mounts=mounts)
    filename = model_in(os.fspath(filename))
    return editable(parse_spec(read_file(filename, files), filename, files), assets)


def editable(spec: MjSpec, assets: dict[str, Any] | None) -> MjSpec:
    """Make a spec editable: every compilation looks up files again, and values of keyframes stay with their elements."""
    spec.files, spec.inside = None, spec.files.inside
    spec.default.complete()
    spec.key_order = order_of(spec)
    if assets is not None:
        spec.assets = assets
    return spec


# maximum number of nested Python calls per level of XML elements; replicate needs the most
CALLS = 6


# Garbage collection is paused, because almost all new objects are kept.
# Numeric warnings are off, because absurd sizes overflow before a check reports them.
@no_collection()
@deep_calls(CALLS * MAX_DEPTH)
@np.errstate(all="ignore")
def parse_spec(xml: str | bytes, filename: str | os.PathLike, files: Files, compat: str | None = None) -> MjSpec:
    """Return the MjSpec of MJCF or URDF text.

    `filename` names the text in errors and gives the directory of its assets; `compat`: a MuJoCo release, which overrides the
    text's.
    """
    filename = os.fspath(filename)
    root = parse(xml, filename)
    spec = MjSpec()
    spec.files = files
    if compat is not None:
        bits(compat)
        spec.compiler.raw["compat"] = compat
        spec.given.add("compat")
    spec.modelfiledir = resources.dirname(filename)
    kind = root.tag.lower()
    if kind == "mujoco":
        places = Places(files, spec.modelfiledir)
        text = xml if isinstance(xml, str) else xml.decode("latin-1")
        expand(root, places, filename, "include" in text.lower())
        read_mjcf(root, spec, places, parse_spec)
    elif kind == "robot":
        # imported late, which saves 0.4 ms for models in MJCF
        from .urdf import read_urdf

        read_urdf(root, spec)
    else:
        raise SpecError(f"unrecognized model type '{root.tag}'", root, "", root.tag, ("mujoco", "robot"))
    return spec
