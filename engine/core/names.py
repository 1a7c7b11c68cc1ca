"""Names of model elements: id <-> name, and access by name such as `m.body("torso").mass` and `d.joint(0).qpos`."""
import numpy as np

from .enums import mjtObj

# kind: (object type, count, name address field, accessor names, Model prefixes, Data fields as `attribute=field`)
KINDS = {
    "body": (mjtObj.mjOBJ_BODY, "nbody", "name_bodyadr", "body", "body_",
             "xfrc_applied xpos xquat xmat xipos ximat subtree_com cinert crb cvel subtree_linvel subtree_angmom cacc cfrc_int cfrc_ext"),
    "joint": (mjtObj.mjOBJ_JOINT, "njnt", "name_jntadr", "joint jnt", "jnt_ dof_ qpos", "xanchor xaxis"),
    "geom": (mjtObj.mjOBJ_GEOM, "ngeom", "name_geomadr", "geom", "geom_", "xpos=geom_xpos xmat=geom_xmat"),
    "site": (mjtObj.mjOBJ_SITE, "nsite", "name_siteadr", "site", "site_", "xpos=site_xpos xmat=site_xmat"),
    "camera": (mjtObj.mjOBJ_CAMERA, "ncam", "name_camadr", "camera cam", "cam_", "xpos=cam_xpos xmat=cam_xmat"),
    "light": (mjtObj.mjOBJ_LIGHT, "nlight", "name_lightadr", "light", "light_", "xpos=light_xpos xdir=light_xdir"),
    "flex": (mjtObj.mjOBJ_FLEX, "nflex", "name_flexadr", "flex", "flex_", ""),
    "mesh": (mjtObj.mjOBJ_MESH, "nmesh", "name_meshadr", "mesh", "mesh_", None),
    "skin": (mjtObj.mjOBJ_SKIN, "nskin", "name_skinadr", "skin", "skin_", None),
    "hfield": (mjtObj.mjOBJ_HFIELD, "nhfield", "name_hfieldadr", "hfield", "hfield_", None),
    "texture": (mjtObj.mjOBJ_TEXTURE, "ntex", "name_texadr", "texture tex", "tex_", None),
    "material": (mjtObj.mjOBJ_MATERIAL, "nmat", "name_matadr", "material mat", "mat_", None),
    "pair": (mjtObj.mjOBJ_PAIR, "npair", "name_pairadr", "pair", "pair_", None),
    "exclude": (mjtObj.mjOBJ_EXCLUDE, "nexclude", "name_excludeadr", "exclude", "exclude_", None),
    "equality": (mjtObj.mjOBJ_EQUALITY, "neq", "name_eqadr", "equality eq", "eq_", None),
    "tendon": (mjtObj.mjOBJ_TENDON, "ntendon", "name_tendonadr", "tendon ten", "tendon_",
               "wrapadr=ten_wrapadr wrapnum=ten_wrapnum J_rownnz=ten_J_rownnz J_rowadr=ten_J_rowadr J_colind=ten_J_colind J=ten_J "
               "length=ten_length velocity=ten_velocity"),
    "actuator": (mjtObj.mjOBJ_ACTUATOR, "nu", "name_actuatoradr", "actuator", "actuator_",
                 "ctrl length=actuator_length velocity=actuator_velocity force=actuator_force"),
    "sensor": (mjtObj.mjOBJ_SENSOR, "nsensor", "name_sensoradr", "sensor", "sensor_", "data=sensordata"),
    "numeric": (mjtObj.mjOBJ_NUMERIC, "nnumeric", "name_numericadr", "numeric", "numeric_", None),
    "text": (mjtObj.mjOBJ_TEXT, "ntext", "name_textadr", "text", "text_", None),
    "tuple": (mjtObj.mjOBJ_TUPLE, "ntuple", "name_tupleadr", "tuple", "tuple_", None),
    "key": (mjtObj.mjOBJ_KEY, "nkey", "name_keyadr", "key keyframe", "key_", None),
    "plugin": (mjtObj.mjOBJ_PLUGIN, "nplugin", "name_pluginadr", "plugin", "plugin_", None),
}
BY_OBJECT = {row[0]: kind for kind, row in KINDS.items()} | {mjtObj.mjOBJ_XBODY: "body"}

# joint arrays of varying width: size and address come from the joint's type
_WIDTH_Q, _WIDTH_V = np.array([7, 4, 1, 1]), np.array([6, 3, 1, 1])


def name_lists(m):
    """{kind: [name, ...]} of a model, made once."""
    if not m._names:
        buffer = m.names
        for kind, row in KINDS.items():
            addresses = getattr(m, row[2]).tolist()
            m._names[kind] = [buffer[a:buffer.index(b"\0", a)].decode("utf-8", "replace") for a in addresses]
        for kind in KINDS:
            m._extra[kind] = {n: k for k, n in reversed(list(enumerate(m._names[kind]))) if n}
    return m._names


def id2name(m, objtype, index):
    """Name of an object, or None."""
    kind = BY_OBJECT.get(objtype)
    if kind is None:
        return None
    found = name_lists(m)[kind]
    return found[index] or None if 0 <= index < len(found) else None


def name2id(m, objtype, name):
    """Id of a named object, or -1."""
    kind = BY_OBJECT.get(objtype)
    if kind is None:
        return -1
    name_lists(m)
    return m._extra[kind].get(name, -1)


def joint_slice(m, index, velocity):
    """Where a joint's coordinates or velocities lie."""
    width = (_WIDTH_V if velocity else _WIDTH_Q)[m.jnt_type[index]]
    start = (m.jnt_dofadr if velocity else m.jnt_qposadr)[index]
    return slice(int(start), int(start + width))


class Access:
    """An element of a model or data: attributes are its rows of the arrays."""

    __slots__ = ("_index", "_kind", "_side", "_struct")

    def __init__(self, struct, side, kind, index):
        for k, v in (("_struct", struct), ("_side", side), ("_kind", kind), ("_index", index)):
            object.__setattr__(self, k, v)

    @property
    def id(self):
        return self._index

    @property
    def name(self):
        model = self._struct if self._side == "model" else self._struct.model
        return name_lists(model)[self._kind][self._index]

    def _locate(self, name):
        table = _attributes(type(self._struct), self._side, self._kind)
        if name not in table:
            raise AttributeError(f"a {self._kind} of a {self._side} has no attribute {name!r}; it has {', '.join(sorted(table))}")
        return _rows(self._struct, self._side, self._kind, self._index, table[name])

    def __getattr__(self, name):
        if name.startswith("__"):
            raise AttributeError(name)
        return self._locate(name)

    def __setattr__(self, name, value):
        self._locate(name)[...] = value

    def __dir__(self):
        return ["id", "name", *_attributes(type(self._struct), self._side, self._kind)]

    def __repr__(self):
        table = _attributes(type(self._struct), self._side, self._kind)
        shown = "".join(f"\n  {n}: {self._locate(n)!r}" for n in sorted(table))
        return f"<{self._side} {self._kind} {self._index} {self.name!r}{shown}\n>"


_TABLES = {}


def _attributes(cls, side, kind):
    """{attribute: field} of an element kind."""
    key = side, kind
    if key not in _TABLES:
        _, count, _, _, prefixes, data_fields = KINDS[kind]
        table = {}
        if side == "model":
            for p in prefixes.split():
                for f in cls.schema.arrays:
                    if p == "qpos" and f.name in ("qpos0", "qpos_spring"):
                        table[f.name] = f
                    elif p != "qpos" and f.name.startswith(p) and f.dims[0] in (count, "nv"):
                        table[f.name[len(p):]] = f
            if kind in ("numeric", "text", "tuple"):
                table |= {f.name[len(kind) + 1:]: f for f in cls.schema.arrays if f.name.startswith(kind + "_")}
        else:
            for spec in data_fields.split():
                short, _, field = spec.partition("=")
                table[short] = cls.schema.fields[field or short]
            if kind == "joint":
                table |= {n: cls.schema.fields[n] for n in cls.schema.fields
                          if cls.schema.fields[n].dims[:1] in (("nq",), ("nv",)) and cls.schema.fields[n].group == "main"
                          and (n.startswith(("q", "cdof")))}
        _TABLES[key] = table
    return _TABLES[key]


_SPANS = {"sensordata": ("sensor_adr", "sensor_dim"), "numeric_data": ("numeric_adr", "numeric_size"),
          "tuple_objtype": ("tuple_adr", "tuple_size"), "tuple_objid": ("tuple_adr", "tuple_size"), "tuple_objprm": ("tuple_adr", "tuple_size")}


def _rows(struct, side, kind, index, field):
    model = struct if side == "model" else struct.model
    if field.text:
        start, size = int(model.text_adr[index]), int(model.text_size[index])
        return struct.text_data[start:start + size]
    x = getattr(struct, field.name)
    if field.name in _SPANS:
        adr, count = (getattr(model, n)[index] for n in _SPANS[field.name])
        return x[adr:adr + count]
    if kind == "joint" and field.dims[0] in ("nq", "nv"):
        return x[joint_slice(model, index, field.dims[0] == "nv")]
    return x[index:index + 1] if x.ndim == 1 else x[index]


def add_accessors(cls, side):
    """Give a struct its methods `body`, `joint`, `jnt`, ... taking an id or a name."""
    def add(kind, method):
        def access(self, key=None, /):
            model = self if side == "model" else self.model
            found = name_lists(model)[kind]
            if isinstance(key, (int, np.integer)) or key is None and len(found) == 1:
                index = int(key or 0)
                if not 0 <= index < len(found):
                    raise IndexError(f"Invalid {kind} index {index}. Valid indices from 0 to {len(found) - 1}")
            else:
                index = model._extra[kind].get(key, -1)
                if index < 0:
                    raise KeyError(f"Invalid name '{key}'. Valid names: {sorted(n for n in found if n)}")
            return Access(self, side, kind, index)
        access.__name__, access.__doc__ = method, f"The {kind} of an id or a name."
        setattr(cls, method, access)
    for kind, row in KINDS.items():
        if side == "model" and kind not in ("plugin", "text", "flex") or side == "data" and row[5] and kind != "flex":
            for method in row[3].split():
                add(kind, method)
