"""Names of model elements: id <-> name, and access by name such as `m.body("torso").mass` and `d.joint(0).qpos`."""

import weakref
from typing import Any

import numpy as np

from .enums import mjtObj
from .values import describe, read_integer, read_text

# element type: (object type, count, name address field, accessor names, Model prefixes, Data fields as `attribute=field`)
KINDS = {
    "body": (
        mjtObj.mjOBJ_BODY,
        "nbody",
        "name_bodyadr",
        "body",
        "body_",
        "xfrc_applied xpos xquat xmat xipos ximat subtree_com cinert crb cvel subtree_linvel subtree_angmom cacc cfrc_int "
        "cfrc_ext",
    ),
    "joint": (
        mjtObj.mjOBJ_JOINT,
        "njnt",
        "name_jntadr",
        "joint jnt",
        "dof_ jnt_ qpos",
        "cdof cdof_dot qLDiagInv qacc qacc_smooth qacc_warmstart qfrc_actuator qfrc_applied qfrc_bias qfrc_constraint "
        "qfrc_inverse qfrc_passive qfrc_smooth qpos qvel xanchor xaxis",
    ),
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
    "tendon": (
        mjtObj.mjOBJ_TENDON,
        "ntendon",
        "name_tendonadr",
        "tendon ten",
        "tendon_",
        "wrapadr=ten_wrapadr wrapnum=ten_wrapnum J_rownnz=ten_J_rownnz J_rowadr=ten_J_rowadr J_colind=ten_J_colind J=ten_J "
        "length=ten_length velocity=ten_velocity",
    ),
    "actuator": (
        mjtObj.mjOBJ_ACTUATOR,
        "nactuator",
        "name_actuatoradr",
        "actuator",
        "actuator_",
        "ctrl length=actuator_length moment=actuator_moment velocity=actuator_velocity force=actuator_force",
    ),
    "sensor": (mjtObj.mjOBJ_SENSOR, "nsensor", "name_sensoradr", "sensor", "sensor_", "data=sensordata"),
    "numeric": (mjtObj.mjOBJ_NUMERIC, "nnumeric", "name_numericadr", "numeric", "numeric_", None),
    "text": (mjtObj.mjOBJ_TEXT, "ntext", "name_textadr", "text", "text_", None),
    "tuple": (mjtObj.mjOBJ_TUPLE, "ntuple", "name_tupleadr", "tuple", "tuple_", None),
    "key": (mjtObj.mjOBJ_KEY, "nkey", "name_keyadr", "key keyframe", "key_", None),
    "plugin": (mjtObj.mjOBJ_PLUGIN, "nplugin", "name_pluginadr", "plugin", "plugin_", None),
}
BY_OBJECT = {row[0]: kind for kind, row in KINDS.items()} | {mjtObj.mjOBJ_XBODY: "body"}

# numbers of coordinates and of velocities of a joint, by its type
_WIDTH_Q, _WIDTH_V = np.array([7, 4, 1, 1]), np.array([6, 3, 1, 1])


def name_lists(m: Any) -> dict:
    """Return {element type: [name, ...]} of a model, made once."""
    storage = m.storage
    if not storage.names:
        buffer, names = m.names, {}
        for kind, row in KINDS.items():
            addresses = getattr(m, row[2]).tolist()
            names[kind] = [buffer[a : buffer.index(b"\0", a)].decode("utf-8", "replace") for a in addresses]
        ids = {kind: {n: k for k, n in reversed(list(enumerate(names[kind]))) if n} for kind in KINDS}

        # other threads may be asking too: `names`, by which they know that all tables exist, comes last, complete
        storage.ids.update(ids)
        storage.by_type.update({int(objtype): (names[kind], ids[kind]) for objtype, kind in BY_OBJECT.items()})
        storage.names.update(names)
    return storage.names


def id2name(m: Any, objtype: int, index: int) -> str | None:
    """Return the name of an object, or None."""
    kind = BY_OBJECT.get(objtype)
    if kind is None:
        return None
    found = name_lists(m)[kind]
    return found[index] or None if 0 <= index < len(found) else None


def name2id(m: Any, objtype: int, name: str) -> int:
    """Return the id of a named object, or -1."""
    kind = BY_OBJECT.get(objtype)
    if kind is None:
        return -1
    name_lists(m)
    return m.storage.ids[kind].get(name, -1)


def joint_slice(m: Any, index: int, velocity: bool) -> slice:
    """Return the slice of a joint's coordinates or velocities."""
    width = (_WIDTH_V if velocity else _WIDTH_Q)[m.jnt_type[index]]
    start = (m.jnt_dofadr if velocity else m.jnt_qposadr)[index]
    return slice(int(start), int(start + width))


class Access:
    """An element of a model or data. Its attributes are the element's rows of arrays; each becomes a property of the class when
    it is first used."""

    __slots__ = ("__weakref__", "_struct", "id")
    _side = _kind = ""
    # index of the element; declared as a slot for fast reading
    id: int

    @property
    def name(self) -> str:
        model = self._struct if self._side == "model" else self._struct.model
        return (model.storage.names or name_lists(model))[self._kind][self.id]

    def _locate(self, name: str) -> Any:
        """Return the rows of an attribute; AttributeError if there is none."""
        table = attributes(type(self._struct), self._side, self._kind)
        if name not in table:
            raise AttributeError(
                f"{self._kind} object has no attribute {name!r}; in a {self._side} it has {', '.join(sorted(table))}"
            )
        return _rows(self._struct, self._side, self._kind, self.id, table[name])

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):
            raise AttributeError(name)
        value = self._locate(name)
        setattr(type(self), name, _attribute(type(self), name))
        return getattr(self, name) if isinstance(value, np.ndarray) else value

    def __setattr__(self, name: str, value: Any) -> None:
        if name in ("id", "name"):
            raise AttributeError(f"{name} of a {self._kind} cannot be changed")
        target = self._locate(name)
        if isinstance(target, np.ndarray) and target.size and target.base is None:
            raise AttributeError(f"{name} of a {self._kind} is computed when it is read, so it cannot be assigned")
        target[...] = value

    def __dir__(self) -> list[str]:
        return ["id", "name", *attributes(type(self._struct), self._side, self._kind)]

    def __repr__(self) -> str:
        names = sorted(["id", "name", *attributes(type(self._struct), self._side, self._kind)])
        return describe(type(self).__name__, [(n, getattr(self, n)) for n in names])


_set_struct, _set_id = vars(Access)["_struct"].__set__, vars(Access)["id"].__set__


def _attribute(cls: type, name: str) -> property:
    """Return the property of an attribute: it returns the same array at each access, unless the array is computed."""

    def read(self) -> Any:
        rows, key = self._struct.storage.rows, (cls, name, self.id)
        view = rows.get(key)
        if view is None:
            view = self._locate(name)
            if isinstance(view, np.ndarray) and view.base is not None:
                rows[key] = view
        return view

    return property(read)


# element types with data of two or three dimensions: (prefix, sizes)
SHAPES = {"texture": ("tex", ("height", "width", "nchannel")), "hfield": ("hfield", ("nrow", "ncol"))}

_TABLES = {}


def attributes(cls: Any, side: str, kind: str) -> dict:
    """Return {attribute: field} of an element type."""
    more = getattr(cls, "more_fields", {})
    key = side, kind, bool(more)
    if key not in _TABLES:
        _, count, _, _, prefixes, data_fields = KINDS[kind]
        table = {}
        # fields of Model by prefix
        if side == "model":
            for p in prefixes.split():
                for f in cls.schema.arrays:
                    if p == "qpos" and f.name in ("qpos0", "qpos_spring"):
                        table[f.name] = f
                    elif p != "qpos" and f.name.startswith(p) and f.dims[0] in (count, "nv", *BLOCKS):
                        short = f.name[len(p) :]
                        # If a joint and its dofs have a field of the same name, take the field of the dofs.
                        # Solver parameters are an exception.
                        if short not in table or short in ("solref", "solimp"):
                            table[short] = f
            if kind in SHAPES:
                table["data"] = cls.schema.fields[f"{prefixes}data"]
            if kind in ("numeric", "text", "tuple"):
                table |= {f.name[len(kind) + 1 :]: f for f in cls.schema.arrays if f.name.startswith(kind + "_")}

        # fields of Data by record list, and fields that MuJoCo does not have by prefix
        else:
            for spec in data_fields.split():
                short, _, field = spec.partition("=")
                table[short] = cls.schema.fields[field or short]
            for f in cls.schema.arrays:
                prefix = next((p for p in prefixes.split() if f.name.startswith(p)), None)
                if f.ours and prefix and f.dims[0] == count:
                    table[f.name[len(prefix) :]] = f
        lost = getattr(cls, "lost_fields", ())
        _TABLES[key] = {short: f for short, f in table.items() if f.name not in lost} | more.get(kind, {})
    return _TABLES[key]


# sizes that count controls and forces: field with the index of each actuator's first one, and field with their number
BLOCKS = {"nu": ("actuator_ctrladr", "actuator_ctrlnum"), "nout": ("actuator_outadr", "actuator_outnum")}
_SPANS = {
    "sensordata": ("sensor_adr", "sensor_dim"),
    "numeric_data": ("numeric_adr", "numeric_size"),
    "tuple_objtype": ("tuple_adr", "tuple_size"),
    "tuple_objid": ("tuple_adr", "tuple_size"),
    "tuple_objprm": ("tuple_adr", "tuple_size"),
}


def _rows(struct: Any, side: str, kind: str, index: int, field: Any) -> Any:
    """Return the part of a field that belongs to an element."""
    model = struct if side == "model" else struct.model
    if field.text:
        start, size = int(model.text_adr[index]), int(model.text_size[index])
        return struct.text_data[start : start + size]

    # parts of arrays that do not have one row for each element
    x = getattr(struct, field.name)
    if side == "model" and kind in SHAPES and field.dims[0] in ("ntexdata", "nhfielddata"):
        prefix, sizes = SHAPES[kind]
        shape = tuple(int(getattr(model, f"{prefix}_{n}")[index]) for n in sizes)
        start = int(getattr(model, f"{prefix}_adr")[index])
        return x[start : start + int(np.prod(shape))].reshape(shape)
    if field.name == "actuator_moment":
        return _dense_moment(struct, index)
    if kind == "actuator" and field.dims[0] in BLOCKS:
        start, count = (int(getattr(model, n)[index]) for n in BLOCKS[field.dims[0]])
        return x[start] if count == 1 and x.ndim > 1 else x[start : start + count]
    if field.name in _SPANS:
        adr, count = (getattr(model, n)[index] for n in _SPANS[field.name])
        return x[adr : adr + count]
    if kind == "joint" and field.dims[0] in ("nq", "nv"):
        return x[joint_slice(model, index, field.dims[0] == "nv")]
    return x[index : index + 1] if x.ndim == 1 else x[index]


def _dense_moment(d: Any, index: int) -> np.ndarray:
    """Return the moment arms of an actuator as a dense array: (nv), or (number of forces, nv) if it has several forces. The
    result is a copy, because Data stores the moment arms in sparse form.
    """
    first, count = int(d.model.actuator_outadr[index]), int(d.model.actuator_outnum[index])
    rows = np.zeros((count, d.model.nv))
    for row, start, size in zip(
        rows, d.moment_rowadr[first : first + count], d.moment_rownnz[first : first + count], strict=True
    ):
        row[d.moment_colind[start : start + size]] = d.actuator_moment[start : start + size]
    # `_attribute` caches views; an array that owns its memory is not mistaken for one
    return rows[0].copy() if count == 1 else rows


# {name: class} of the views of elements
VIEWS: dict[str, type[Access]] = {}


def add_accessors(cls: Any, side: str, views: dict[str, type[Access]] = VIEWS) -> None:
    """Add the methods `body`, `joint`, `jnt`, ... to a struct; they take an id or a name. `views` gets their classes."""

    def add(kind: str, method: str, view: type) -> None:
        def access(self, name: Any = "") -> Any:
            storage = self.storage
            index = (
                (storage if side == "model" else self.model.storage).ids.get(kind, _NOTHING).get(name, -1)
                if type(name) is str
                else -1
            )
            if index < 0:
                index = _find(self if side == "model" else self.model, kind, name)

            # return the same object while any reference to it exists
            kept = storage.elements.get(view)
            if kept is None:
                kept = storage.elements[view] = {}
            if index in kept and (element := kept[index]()) is not None:
                return element
            element = _new(view)
            _set_struct(element, self)
            _set_id(element, index)
            kept[index] = weakref.ref(element)
            return element

        access.__name__, access.__doc__ = method, f"The {kind} of an id or a name."
        setattr(cls, method, access)

    for kind, row in KINDS.items():
        if side == "model" and kind not in ("plugin", "text", "flex") or side == "data" and row[5] and kind != "flex":
            # the class of keyframe views is named after `keyframe`, not `key`
            title = f"_Mj{side.capitalize()}{'Keyframe' if kind == 'key' else kind.capitalize()}Views"
            view = views[title] = type(title, (Access,), {"__slots__": (), "_side": side, "_kind": kind})
            for method in row[3].split():
                add(kind, method, view)


_new, _NOTHING = object.__new__, {}


def _find(model: Any, kind: str, name: Any) -> int:
    """Return the index of an element by its id or its name; KeyError or IndexError if there is none."""
    found = name_lists(model)[kind]
    if isinstance(name, (str, bytes, bytearray)):
        name = read_text(name)
        index = model.storage.ids[kind].get(name, -1)
        if index < 0:
            raise KeyError(f"Invalid name '{name}'. Valid names: {sorted(n for n in found if n)}")
        return index
    index = read_integer(name)
    if not 0 <= index < len(found):
        raise IndexError(f"Invalid index {index}. Valid indices from 0 to {len(found) - 1}")
    return index
