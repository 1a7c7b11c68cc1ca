"""Names and ids of model elements; version."""
from ..core.consts import mjVERSION_HEADER
from ..core.names import id2name, name2id
from .signature import public


@public("m type:i name:s", "int")
def mj_name2id(m, kind, name):
    """Id of the object of a type (mjtObj) with a name, or -1."""
    return name2id(m, kind, name)


@public("m type:i id:i", "str")
def mj_id2name(m, kind, index):
    """Name of an object, or None."""
    return id2name(m, kind, index)


@public("", "int")
def mj_version():
    """Version of the reference whose interface and numbers this engine has."""
    return mjVERSION_HEADER


@public("", "str")
def mj_versionString():
    """Return the current version of MuJoCo as a null-terminated string."""
    return "3.4.0"


__all__ = ["mj_id2name", "mj_name2id", "mj_version", "mj_versionString"]
