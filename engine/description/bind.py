"""The loaders of MjModel: from_xml_path, from_xml_string."""

from collections.abc import Callable
from typing import Any

from ..core.model import MjModel


def _loader() -> Callable[..., Any]:
    # imported late, which saves 20 ms for programs that load no model
    from .load import load_model

    return load_model


def from_xml_path(
    filename: str,
    assets: dict[str, bytes] | None = None,
    *,
    inside: str | None = None,
    compat: str | None = None,
    vfs: Any = None,
) -> MjModel:
    """Return a model from an MJCF or URDF file. `assets` maps file names to contents; the file itself may be one of them.

    `inside`: a directory; files outside it are refused, even if file names, links or resource providers lead to them. For
    untrusted models.
    `compat`: the MuJoCo release whose silent changes apply, from "3.4" (the default) to "4.0"; see tables.compat_rows.
    `vfs`: an MjVfs that is searched first, instead of `assets`. The file may be an archive (.mjz, .zip) with a model and its
    files.
    """
    return _loader()(filename, assets=assets, inside=inside, compat=compat, vfs=vfs)


def from_xml_string(
    xml: str,
    assets: dict[str, bytes] | None = None,
    *,
    inside: str | None = None,
    compat: str | None = None,
    vfs: Any = None,
) -> MjModel:
    """Return a model from MJCF or URDF text. `assets` maps file names to contents; other arguments as in `from_xml_path`."""
    return _loader()(xml=xml, assets=assets, inside=inside, compat=compat, vfs=vfs)


MjModel.from_xml_path = staticmethod(from_xml_path)
MjModel.from_xml_string = staticmethod(from_xml_string)
