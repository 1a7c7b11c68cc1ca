"""Kinds of elements and the object types (mjtObj) that number them."""

# kind: (mjtObj value, text in object type attributes)
KINDS = {
    "body": (1, "body"), "xbody": (2, "xbody"), "joint": (3, "joint"), "dof": (4, "dof"), "geom": (5, "geom"), "site": (6, "site"),
    "camera": (7, "camera"), "light": (8, "light"), "flex": (9, "flex"), "mesh": (10, "mesh"), "skin": (11, "skin"),
    "hfield": (12, "hfield"), "texture": (13, "texture"), "material": (14, "material"), "pair": (15, "pair"),
    "exclude": (16, "exclude"), "equality": (17, "equality"), "tendon": (18, "tendon"), "actuator": (19, "actuator"),
    "sensor": (20, "sensor"), "numeric": (21, "numeric"), "text": (22, "text"), "tuple": (23, "tuple"), "key": (24, "key"),
    "plugin": (25, "plugin"), "frame": (100, "frame"), "default": (101, "default"), "model": (102, "model"),
}
KIND_OF = {number: kind for kind, (number, _) in KINDS.items()}
OBJECTS = {text: number for number, text in KINDS.values()}


def kind_of(what):
    """The kind's name of an mjtObj or a name."""
    if isinstance(what, str):
        if what not in KINDS:
            raise ValueError(f"unknown kind of element '{what}'")
        return what
    return KIND_OF[int(what)]
