"""The TABLE of columns: which attributes of a spec become which fields of the Model, and how these are scaled and converted
back.

A line that is not indented begins a kind of element: name, prefix of its fields in the Model, size that counts them, struct.
The rows below it have these columns:

    attribute   attribute of the spec, as in language.structs; `-`: none, a stage of the compiler makes the column
    column      column of the compiler's table that goes into the Model, `=` if it has the attribute's name; `-`: none
    field       field of the Model without its prefix, `=` where it has the column's name
    per         the field has one number for: `-` each element, `dof` each degree of freedom of a joint (then the prefix is
                `dof`), `out` each output of an actuator, `ctrl` each control
    back        which functions read the Model's numbers back: `copy` only copy_back; `save` also saving a spec with a given
                Model; `made` also saving a spec without one, which compiles the spec; `-` none
    live        action after a change of the field in a Model: `const` mj_setConst computes what depends on it
    dimension   how frames with a scale multiply it, see below; `-`: not at all, `*`: by a function of compile.scaling

A dimension is a product of `L` length, `M` mass, `s` coordinate (a length, or an angle, which is not scaled), `F` the force on
that coordinate and `x` the coordinate as forces see it. L, M and s scale in every frame, F and x in `similar` frames only.
`@12` limits the dimension to numbers 1 and 2 of a vector. Time is not scaled.

A row `* name attribute | sentence` adds a factor, an attribute that MuJoCo does not have: a number, 1 unless given, that
multiplies another attribute when the spec is compiled. Saving and copy_back divide by it. Fields of the Model that only Tumble
has get their attributes from language.ours; they have a row here only if it adds to that.
"""

from typing import Any, NamedTuple

import numpy as np

from ...tables.actuator_rows import TYPE

COLUMNS = """
frame    frame    -         MjsFrame
  pos              -                -                -     -     -      L
body     body     nbody     MjsBody
  -                parent           parentid         -     -     -      -
  -                rootid           =                -     -     -      -
  -                weldid           =                -     -     -      -
  -                treeid           =                -     -     -      -
  -                dofnum           =                -     -     -      -
  -                jntnum           =                -     -     -      -
  pos              =                =                -     save  const  L
  quat             =                =                -     save  const  -
  ipos             =                =                -     save  const  L
  iquat            =                =                -     save  const  -
  mass             =                =                -     made  const  M
  inertia          =                =                -     made  const  L*L*M
  gravcomp         =                =                -     copy  const  -
  -                margin           =                -     -     -      -
  -                contype          =                -     -     -      -
  -                conaffinity      =                -     -     -      -
  simple           =                =                -     -     -      -
  -                sameframe        =                -     -     -      -
  fullinertia      -                -                -     -     -      L*L*M
joint    jnt      njnt      MjsJoint
  type             =                =                -     -     -      -
  -                qposadr          =                -     -     -      -
  -                dofadr           =                -     -     -      -
  -                body             bodyid           -     -     -      -
  group            =                =                -     -     -      -
  limited          is_limited       limited          -     -     -      -
  actfrclimited    is_actfrclimited actfrclimited    -     -     -      -
  actgravcomp      =                =                -     -     -      -
  solref_limit     =                solref           -     save  -      -
  solimp_limit     =                solimp           -     save  -      s@2
  pos              =                =                -     save  const  L
  axis             =                =                -     save  const  -
  stiffness        =                =                -     save  const  F/x
  range            =                =                -     save  -      s
  actfrcrange      =                =                -     copy  -      F
  margin           =                =                -     save  -      s
  solref_friction  =                solref           dof   save  -      -
  solimp_friction  =                solimp           dof   save  -      s@2
  frictionloss     =                =                dof   save  -      F
  armature         =                =                dof   save  const  F/x
  damping          =                =                dof   save  const  F/x
  dampingpoly      =                =                dof   copy  -      F/x/x@0 F/x/x/x@1
  stiffnesspoly    =                =                -     copy  -      F/x/x@0 F/x/x/x@1
  ref              -                -                -     -     -      s
  springref        -                -                -     -     -      s
  springyield      =                =                -     -     -      s
geom     geom     ngeom     MjsGeom
  type             =                =                -     -     -      -
  contype          =                =                -     -     -      -
  conaffinity      =                =                -     -     -      -
  condim           =                =                -     -     -      -
  -                body             bodyid           -     -     -      -
  material         matid            =                -     -     -      -
  group            =                =                -     -     -      -
  priority         =                =                -     -     -      -
  solmix           =                =                -     save  -      -
  solref           =                =                -     save  -      -
  solimp           =                =                -     save  -      L@2
  size             =                =                -     save  const  *
  -                aabb             =                -     -     -      -
  -                rbound           =                -     -     -      -
  pos              =                =                -     save  const  L
  quat             =                =                -     save  const  -
  friction         =                =                -     save  -      L@12
  margin           =                =                -     save  -      L
  gap              =                =                -     save  -      L
  -                fluid            =                -     -     -      -
  rgba             =                =                -     save  -      -
  surfacevel       =                =                -     copy  -      L@012
  fromto           -                -                -     -     -      L
  mass             -                -                -     -     -      M
  density          -                -                -     -     -      *
  adhesion         =                =                -     -     -      -
site     site     nsite     MjsSite
  type             =                =                -     -     -      -
  -                body             bodyid           -     -     -      -
  material         matid            =                -     -     -      -
  group            =                =                -     -     -      -
  size             =                =                -     save  -      *
  pos              =                =                -     save  const  L
  quat             =                =                -     save  const  -
  rgba             =                =                -     save  -      -
  fromto           -                -                -     -     -      L
camera   cam      ncam      MjsCamera
  mode             =                =                -     -     -      -
  -                body             bodyid           -     -     -      -
  targetbody       target           targetbodyid     -     -     -      -
  pos              =                =                -     save  const  L
  quat             =                =                -     save  const  -
  orthographic     =                =                -     -     -      -
  fovy             =                =                -     save  -      -
  ipd              =                =                -     save  -      L
  resolution       =                =                -     save  -      -
  sensor_size      =                sensorsize       -     -     -      L
  intrinsic        =                =                -     -     -      -
  focal_length     -                -                -     -     -      L
  principal_length -                -                -     -     -      L
light    light    nlight    MjsLight
  mode             =                =                -     -     -      -
  -                body             bodyid           -     -     -      -
  targetbody       target           targetbodyid     -     -     -      -
  type             =                =                -     -     -      -
  texture          texid            =                -     -     -      -
  castshadow       =                =                -     -     -      -
  bulbradius       =                =                -     -     -      L
  intensity        =                =                -     -     -      -
  range            =                =                -     -     -      L
  active           =                =                -     -     -      -
  pos              =                =                -     save  const  L
  dir              =                =                -     save  const  -
  attenuation      =                =                -     save  -      1/L@1 1/L/L@2
  cutoff           =                =                -     save  -      -
  exponent         =                =                -     save  -      -
  ambient          =                =                -     save  -      -
  diffuse          =                =                -     save  -      -
  specular         =                =                -     save  -      -
material mat      nmat      MjsMaterial
  textures         texid            =                -     -     -      -
  texuniform       =                =                -     copy  -      -
  texrepeat        =                =                -     save  -      -
  emission         =                =                -     save  -      -
  specular         =                =                -     save  -      -
  shininess        =                =                -     save  -      -
  reflectance      =                =                -     save  -      -
  metallic         =                =                -     copy  -      -
  roughness        =                =                -     copy  -      -
  rgba             =                =                -     save  -      -
pair     pair     npair     MjsPair
  condim           =                dim              -     -     -      -
  geomname1        geom1            =                -     -     -      -
  geomname2        geom2            =                -     -     -      -
  -                signature        =                -     -     -      -
  solref           =                =                -     save  -      -
  solreffriction   =                =                -     save  -      -
  solimp           =                =                -     save  -      L@2
  margin           =                =                -     save  -      L
  gap              =                =                -     save  -      L
  friction         =                =                -     save  -      L@234
exclude  exclude  nexclude  MjsExclude
  -                signature        =                -     -     -      -
equality eq       neq       MjsEquality
  type             =                =                -     -     -      -
  name1            obj1             obj1id           -     -     -      -
  name2            obj2             obj2id           -     -     -      -
  objtype          =                =                -     -     -      -
  active           =                active0          -     -     -      -
  solref           =                =                -     save  -      -
  solimp           =                =                -     save  -      *
  data             =                =                -     save  const  *
tendon   tendon   ntendon   MjsTendon
  material         matid            =                -     -     -      -
  group            =                =                -     -     -      -
  limited          is_limited       limited          -     -     -      -
  actfrclimited    is_actfrclimited actfrclimited    -     -     -      -
  width            =                =                -     save  -      L
  solref_limit     =                solref_lim       -     save  -      -
  solimp_limit     =                solimp_lim       -     save  -      s@2
  solref_friction  =                solref_fri       -     save  -      -
  solimp_friction  =                solimp_fri       -     save  -      s@2
  range            =                =                -     save  -      s
  actfrcrange      =                =                -     save  -      F
  margin           =                =                -     save  -      s
  stiffness        =                =                -     save  const  F/x
  damping          =                =                -     save  const  F/x
  armature         =                =                -     save  const  F/x
  frictionloss     =                =                -     save  -      F
  springlength     =                lengthspring     -     -     -      *
  rgba             =                =                -     save  -      -
  stiffnesspoly    =                =                -     copy  -      F/x/x@0 F/x/x/x@1
  dampingpoly      =                =                -     copy  -      F/x/x@0 F/x/x/x@1
  springyield      =                =                -     -     -      s
actuator actuator nactuator MjsActuator
  trntype          =                =                -     -     -      -
KINDS
  target           trnid            =                -     -     -      -
  actdim           =                actnum           -     -     -      -
  group            =                =                -     -     -      -
  forcelimited     is_forcelimited  forcelimited     -     -     -      -
  actlimited       is_actlimited    actlimited       -     -     -      -
  dynprm           =                =                -     save  -      *
  gainprm          =                =                -     save  const  *
  biasprm          =                =                -     save  const  *
  actearly         =                =                -     -     -      -
  forcerange       =                =                -     save  -      F
  actrange         =                =                -     save  -      *
  cranklength      =                =                -     save  const  *
  gear             =                =                out   save  const  *
  lengthrange      =                =                out   made  -      s
  ctrlrange        =                =                ctrl  save  -      *
  armature         =                =                -     copy  -      F/x
  damping          =                =                -     copy  -      F/x
  dampingpoly      =                =                -     copy  -      F/x/x@0 F/x/x/x@1
  velrange         -                -                -     -     -      *
  ffrange          -                -                -     -     -      *
sensor   sensor   nsensor   MjsSensor
  type             =                =                -     -     -      -
  datatype         =                =                -     -     -      -
  needstage        =                =                -     -     -      -
  objtype          =                =                -     -     -      -
  -                objid            =                -     -     -      -
  reftype          =                =                -     -     -      -
  -                refid            =                -     -     -      -
  intprm           =                =                -     -     -      -
  dim              =                =                -     -     -      -
  cutoff           =                =                -     save  -      *
  noise            =                =                -     save  -      *
"""
# add rows for the types of gain, bias and dynamics
COLUMNS = COLUMNS.replace("KINDS\n", "".join(f"  {name} = = - - - -\n" for name in TYPE.values()))
# {`per` of a row: prefix of its field}, for fields with a number for each degree of freedom, output or control
PREFIXES = {"dof": "dof", "out": "actuator", "ctrl": "actuator"}
SYMBOLS = frozenset("LMsFx")


class Dimension(NamedTuple):
    """The dimension of a quantity, as powers of length (L), mass (M), coordinate (s), force on the coordinate (F), and
    coordinate as forces see it (x). `at`: indices of the numbers that have this dimension, None for all."""

    length: int
    mass: int
    coordinate: int
    force: int
    reach: int
    at: tuple[int, ...] | None

    @property
    def linear(self) -> bool:
        """Whether the dimension depends only on lengths and masses, not on the moved joint or tendon."""
        return not (self.coordinate or self.force or self.reach)


class ColumnRow(NamedTuple):
    """One row of COLUMNS. `attribute`, `column` and `field` are empty if the row has none; `field` includes its prefix."""

    kind: str
    attribute: str
    column: str
    field: str
    per: str
    back: str
    live: str
    dimensions: tuple[Dimension, ...]


class Factor(NamedTuple):
    """An attribute that Tumble adds, and that multiplies another attribute."""

    kind: str
    struct: str
    name: str
    attribute: str
    sentence: str


class Kind(NamedTuple):
    """A kind of element: prefix of its fields, the size that counts them, struct, rows."""

    name: str
    prefix: str
    size: str
    struct: str
    rows: list[ColumnRow]


def _dimension(text: str) -> Dimension:
    product, _, at = text.partition("@")
    powers, sign = dict.fromkeys("LMsFx", 0), 1
    for symbol in product:
        if symbol in "*/":
            sign = 1 if symbol == "*" else -1
        elif symbol in SYMBOLS:
            powers[symbol] += sign
        elif symbol != "1":
            raise ValueError(f"dimension {text}: unknown symbol {symbol}")
    length, mass, coordinate, reach, force = (powers[symbol] for symbol in "LMsxF")
    return Dimension(length, mass, coordinate, force, reach, tuple(map(int, at)) if at else None)


def _row(kind: Kind, words: list[str]) -> ColumnRow:
    attribute, column, field, per, back, live, *dimensions = words
    attribute = "" if attribute == "-" else attribute
    column = {"=": attribute, "-": ""}.get(column, column)
    suffix = {"=": column, "-": ""}.get(field, field)
    if per not in ("-", *PREFIXES) or back not in ("-", "save", "made", "copy") or live not in ("-", "const"):
        raise ValueError(f"column {kind.name}.{column}: invalid per, back or live")
    return ColumnRow(
        kind.name,
        attribute,
        column,
        suffix and f"{PREFIXES.get(per, kind.prefix)}_{suffix}",
        per.strip("-"),
        back.strip("-"),
        live.strip("-"),
        tuple(_dimension(text) for text in dimensions if text not in ("-", "*")),
    )


def _read() -> tuple[dict[str, Kind], list[Factor]]:
    kinds: dict[str, Kind] = {}
    factors, kind = [], Kind("", "", "", "", [])
    for line in COLUMNS.strip().splitlines():
        left, _, sentence = line.partition("|")
        words = left.split()
        if line[0] != " ":
            name, prefix, size, struct = words
            kind = kinds[words[0]] = Kind(name, prefix, size, struct, [])
        elif words[0] == "*":
            factors.append(Factor(kind.name, kind.struct, words[1], words[2], sentence.strip()))
        else:
            kind.rows.append(_row(kind, words))
    return kinds, factors


KINDS, FACTORS = _read()
ROWS = [row for kind in KINDS.values() for row in kind.rows]
BY_ATTRIBUTE = {(row.kind, row.attribute): row for row in ROWS if row.attribute}
# (kind, column): name of the attribute that multiplies it
FACTOR_OF = {}
for _factor in FACTORS:
    _target = BY_ATTRIBUTE.get((_factor.kind, _factor.attribute))
    if _target is None or _target.per not in ("", "dof") or _target.back not in ("save", "copy"):
        raise ValueError(f"{_factor.kind}.{_factor.name} multiplies {_factor.attribute}, but there is no such column")
    FACTOR_OF[_factor.kind, _target.column] = _factor.name


def taken_back(*marks: str) -> list[ColumnRow]:
    """Return the rows that have one number per element, and one of the given marks in the column `back`."""
    return [row for row in ROWS if row.back in marks and row.per == ""]


def per(what: str) -> list[ColumnRow]:
    """Return the rows with one number for each degree of freedom, output or control."""
    return [row for row in ROWS if row.per == what and row.field]


def constants() -> frozenset[str]:
    """Return the fields of the Model that mj_setConst reads."""
    return frozenset(row.field for row in ROWS if row.live == "const")


# ---- factors -------------------------------------------------------------------------------------------------------------
def multiplied(table: Any, column: str) -> Any:
    """Return the product of a column and the attribute that multiplies it; None if it has no such attribute, or if all factors
    are 1."""
    name = FACTOR_OF.get((table.kind, column))
    factor = None if name is None else np.asarray(getattr(table, name), float)
    if factor is None or not (factor != 1).any():
        return None
    values = getattr(table, column)
    return values * factor.reshape(-1, *[1] * (values.ndim - 1))


def divided(table: Any, column: str, values: np.ndarray) -> np.ndarray:
    """Undo the multiplication of a column by a factor. Return the column itself where its product equals `values`, and where
    the factor is 0."""
    product = multiplied(table, column)
    if product is None:
        return values
    factor = np.asarray(getattr(table, FACTOR_OF[table.kind, column]), float).reshape(-1, *[1] * (values.ndim - 1))
    same = (product == values) | (factor == 0)
    return np.where(same, getattr(table, column), values / np.where(factor == 0, 1.0, factor))
