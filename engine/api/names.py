"""Names and ids of model elements."""
from ..core.names import id2name, name2id


def mj_name2id(m, type, name):
    """Id of the object of a type (mjtObj) with a name, or -1."""
    return name2id(m, int(type), name)


def mj_id2name(m, type, id):
    """Name of an object, or None."""
    return id2name(m, int(type), int(id))
