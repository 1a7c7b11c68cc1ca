"""Gives MjModel its loaders: from_xml_path, from_xml_string."""

from ..core.model import MjModel


def from_xml_path(filename, assets=None, *, inside=None):
    """A model from an MJCF or URDF file. `assets` maps file names to contents; the file itself may be one of them.

    `inside`: a directory that no file may lie outside of, whatever names, links or providers say; for models from strangers.
    """
    from .read.load import load_model
    return load_model(filename, assets=assets, inside=inside)


def from_xml_string(xml, assets=None, *, inside=None):
    """A model from MJCF or URDF text. `assets` maps file names to contents; `inside` confines files as in `from_xml_path`."""
    from .read.load import load_model
    return load_model(xml=xml, assets=assets, inside=inside)


MjModel.from_xml_path = staticmethod(from_xml_path)
MjModel.from_xml_string = staticmethod(from_xml_string)
