"""Label texts: an element's name, or its type and number."""

import numpy as np

from ...engine.core.model import MjModel
from ...engine.tables.enums import mjtObj

# {element type: (word for elements without a name, field with the addresses of names)}
KINDS = {
    "BODY": ("body", "name_bodyadr"),
    "JOINT": ("joint", "name_jntadr"),
    "GEOM": ("geom", "name_geomadr"),
    "SITE": ("site", "name_siteadr"),
    "CAMERA": ("camera", "name_camadr"),
    "LIGHT": ("light", "name_lightadr"),
    "FLEX": ("flex", "name_flexadr"),
    "SKIN": ("skin", "name_skinadr"),
    "TENDON": ("tendon", "name_tendonadr"),
    "ACTUATOR": ("actuator", "name_actuatoradr"),
    "EQUALITY": ("equality", "name_eqadr"),
    "SENSOR": ("sensor", "name_sensoradr"),
}
BY_OBJ = {int(mjtObj["mjOBJ_" + k]): v for k, v in KINDS.items()}


def names_blob(m: MjModel) -> bytes:
    """Return all names in the model as bytes, separated by zero bytes."""
    return bytes(m.names)


def name_at(blob: bytes, adr: int) -> str:
    """Return the text at an address; empty if there is none."""
    return blob[adr : blob.index(b"\0", adr)].decode(errors="replace")


def name_of(m: MjModel, objtype: int, i: int) -> str:
    """Return the name of element i of a type; empty if it has none."""
    return name_at(names_blob(m), int(getattr(m, BY_OBJ[int(objtype)][1])[i]))


def labels_of(m: MjModel, objtype: int, ids: np.ndarray) -> dict[int, str]:
    """Return the labels of elements with these ids, as {row: text}."""
    word, field = BY_OBJ[int(objtype)]
    adr, blob = getattr(m, field), names_blob(m)
    return {row: (name_at(blob, int(adr[i])) or f"{word} {i}")[:99] for row, i in enumerate(ids)}
