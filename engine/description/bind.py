"""Gives MjModel its loaders: from_xml_path, from_xml_string."""

from ..core.model import MjModel


def _loader():
    # 20 ms for the language's tables and the compiler, which programs pay that load a model
    from .load import load_model

    return load_model


def from_xml_path(filename, assets=None, *, inside=None, compat=None, vfs=None) -> MjModel:
    """A model from an MJCF or URDF file. `assets` maps file names to contents; the file itself may be one of them.

    `inside`: a directory that no file may lie outside of, whatever names, links or providers say; for models from strangers.
    `compat`: the release of MuJoCo whose silent changes hold, from "3.4" (the default) to "4.0"; see tables.compat_rows.
    `vfs`: an MjVfs, in which names are looked for first, instead of `assets`. A file may be an archive (.mjz, .zip) of a model with its files.
    """
    return _loader()(filename, assets=assets, inside=inside, compat=compat, vfs=vfs)


def from_xml_string(xml, assets=None, *, inside=None, compat=None, vfs=None) -> MjModel:
    """A model from MJCF or URDF text. `assets` maps file names to contents; `inside`, `compat` and `vfs` as in `from_xml_path`."""
    return _loader()(xml=xml, assets=assets, inside=inside, compat=compat, vfs=vfs)


MjModel.from_xml_path = staticmethod(from_xml_path)
MjModel.from_xml_string = staticmethod(from_xml_string)
