"""Defines which Data fields can be bound and which Model fields can differ between worlds, and the errors for all others."""

import difflib
from collections.abc import Iterable

import numpy as np

from ..api.state import COMPONENTS
from ..tables.schema import GROWING, INTERNAL, SCHEMAS

_DATA, _MODEL, _OPTION = SCHEMAS["MjData"], SCHEMAS["MjModel"], SCHEMAS["MjOption"]
# {field: its state component, as a bit of mjtState}
STATE_FIELDS = {field: int(bit) for bit, field, _ in COMPONENTS}
# scalars of Data that can be bound; their arrays are int32
COUNTS = frozenset("ncon ne nf nl nefc nJ nA nisland nidof".split())
# arrays of Data that cannot be bound: memory use of threads, and arrays that scripts receive as lists of records
_UNBOUND = {
    "maxuse_threadstack",
    "warning_lastinfo",
    "warning_number",
    "timer_duration",
    "timer_number",
    "solver_gradient",
    "solver_improvement",
    "solver_lineslope",
    "solver_nactive",
    "solver_nchange",
    "solver_neval",
    "solver_nupdate",
}
# arrays of constant size in Tumble, which MuJoCo allocates in its arena
_ISLANDS = set(
    """dof_island iLD iLDiagInv iM iM_colind iM_rowadr iM_rownnz iacc iacc_smooth ifrc_constraint ifrc_smooth island_dofadr
                  island_idofadr island_iefcadr island_itreeadr island_ne island_nefc island_nf island_ntree island_nv
                  map_dof2idof map_idof2dof map_itree2tree tendon_efcadr tree_island""".split()
)
# prefixes of asset fields, which all worlds share
_ASSETS = ("mesh_", "skin_", "hfield_", "tex_", "oct_", "bvh_", "name_", "names", "paths", "text_data")
# exceptions: asset fields that can differ between worlds (bounding boxes, and the hash table of names)
_OWN = {"bvh_aabb", "names_map"}
# prefix of options in the names of fields that can differ between worlds
OPTION = "opt."


def _model_fields() -> frozenset[str]:
    """Return the names of model fields that can differ between worlds."""
    arrays = {
        f.name
        for f in _MODEL.arrays
        if not f.ours and (f.name in _OWN or f.name.startswith("name_") or not f.name.startswith(_ASSETS))
    }
    return frozenset(arrays | {OPTION + f.name for f in _OPTION.fields.values() if not f.ours})


# arrays whose size changes from step to step
_ARENA = {f.name for f in _DATA.arrays if f.group in ("contact", "constraint")} | _ISLANDS
DATA_FIELDS = frozenset(
    {f.name for f in _DATA.arrays if f.group not in GROWING | INTERNAL} - _UNBOUND - _ISLANDS | COUNTS | set(STATE_FIELDS)
)
MODEL_FIELDS = _model_fields()


def did_you_mean(name: str, known: Iterable[str]) -> str:
    """Return ' (did you mean ...?)' with the most similar names; empty if there are none."""
    near = difflib.get_close_matches(name, sorted(known))
    return f" (did you mean {', '.join(map(repr, near))}?)" if near else ""


def not_bindable(name: str) -> ValueError:
    """Return a ValueError that explains why a field cannot be bound."""
    if name in MODEL_FIELDS:
        return ValueError(f"{name} is an MjModel field: use expand({name!r})")
    if name in _ARENA:
        return ValueError(f"{name} is in the arena, whose size changes from step to step, and cannot be bound")
    field = _DATA.fields.get(name)
    if field is not None and not field.dims and field.group not in INTERNAL:
        return ValueError(f"{name} is not one of the MjData scalars bind() accepts: {', '.join(sorted(COUNTS))}")
    if OPTION + name in MODEL_FIELDS:
        return ValueError(f"{name} is not an MjData array field; {name} is an MjOption field: use expand('{OPTION}{name}')")
    return ValueError(f"{name} is not an MjData array field{did_you_mean(name, DATA_FIELDS)}")


def not_expandable(name: str) -> ValueError:
    """Return a ValueError that explains why a field cannot differ between worlds."""
    if name in DATA_FIELDS:
        return ValueError(f"{name} is an MjData field: use bind({name!r})")
    if name in _MODEL.fields and _MODEL.fields[name].dims:
        return ValueError(f"{name} is asset data, shared by all simulations, and cannot be expanded")
    if OPTION + name in MODEL_FIELDS:
        return ValueError(
            f"{name} is not an expandable MjModel field; {name} is an MjOption field: use expand('{OPTION}{name}')"
        )
    return ValueError(f"{name} is not an expandable MjModel field{did_you_mean(name, MODEL_FIELDS)}")


def is_output(name: str) -> ValueError:
    """Return a ValueError that explains why a bound field cannot be written."""
    return ValueError(
        f"{name} is computed by every call and cannot be written; write state fields (qpos, ctrl, ...) or expand model fields"
    )


def is_structure(field: str, values: np.ndarray) -> bool:
    """Return whether a Model field contains addresses, counts, ids or types, which are the same in every world."""
    return values.dtype.kind in "iu" and field.endswith(("adr", "num", "id", "type")) and not field.endswith("contype")
