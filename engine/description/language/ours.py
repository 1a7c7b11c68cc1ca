"""Attributes that exist only in Tumble. They come from two tables: column_rows has the attributes whose value multiplies
another attribute, and model_fields has the fields that only Tumble has, if they belong to one kind of element.

For example, a row `+site_gain f8 nsite | unit | sentence` of tables.model_fields gives every element of struct MjsSite a field
and an attribute `gain`, which the compiler copies into the Model.
"""

from collections.abc import Iterator
from typing import Any

from ...tables.schema import SCHEMAS
from .column_rows import FACTORS, KINDS

# prefix of model fields -> (size that counts them, struct of the elements)
OWNERS = {kind.prefix: (kind.size, kind.struct) for kind in KINDS.values() if kind.size != "-"}
# columns that the compiler computes from other fields, or that have defaults or keywords (see structs.py)
MADE = frozenset("history output shadowless ctrlspec relative ctrladr ctrlnum outadr outnum plasticnum softness".split())
WORDS = {"f8": "f", "f4": "f", "i4": "i", "u1": "bool"}


def _ours() -> Iterator[Any]:
    """Yield (prefix, struct, attribute name, model field) of each field that MuJoCo does not have."""
    for field in SCHEMAS["MjModel"].arrays:
        prefix, _, name = field.name.partition("_")
        size, struct = OWNERS.get(prefix, ("", ""))
        if field.ours and field.dims[0] == size and len(field.dims) <= 2 and field.dtype in WORDS:
            yield prefix, struct, name, field


# struct -> {attribute: kind in the grammar}
OUR_ATTRIBUTES: dict[str, dict[str, str]] = {}
# struct -> rows as in structs.py
OUR_ROWS: dict[str, list[str]] = {}
# prefix -> names of columns that the compiler copies into the Model unchanged
OUR_COLUMNS: dict[str, list[str]] = {}
for _prefix, _struct, _name, _field in _ours():
    _count = _field.dims[1] if len(_field.dims) > 1 else ""
    OUR_COLUMNS.setdefault(_prefix, []).append(_name)
    if _name in MADE:
        continue
    if f"{_field.name}poly" in SCHEMAS["MjModel"].fields:
        OUR_ATTRIBUTES.setdefault(_struct, {})[_name] = "poly"
    elif not _name.endswith("poly"):
        OUR_ATTRIBUTES.setdefault(_struct, {})[_name] = f"{WORDS[_field.dtype]}{_count}"
    OUR_ROWS.setdefault(_struct, []).append(f"+{_name} {_field.dtype}{f'[{_count}]' if _count else ''} | = {_field.name}")
# an attribute that multiplies others has no model field
for _factor in FACTORS:
    OUR_ATTRIBUTES.setdefault(_factor.struct, {})[_factor.name] = "f"
    OUR_ROWS.setdefault(_factor.struct, []).append(f"+{_factor.name} f8 1 | - | {_factor.sentence}")
