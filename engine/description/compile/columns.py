"""Copies table columns into fields of a Model, in one compiled pass for each type of element.

A plan lists, for a class of elements, which gathered numbers go to which field, with both types. Columns that a stage
has replaced are copied individually instead.
"""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from ...core.model import MjModel
from ...machine.jit import inline, kernel, stage
from ...machine.lang import array_at, bytes_at, floats_at, ints_at, longs_at
from ...machine.storage import address_of
from .table import Table, blocks

# Columns of a copy plan. BLOCK, START: source block and byte offset. SPREAD: whether the offset is multiplied by the number of
# elements. STEP: distance between elements in the block, in values. COUNT: values per element. SOURCE, TARGET: types of column
# and field. SLOT: index of the cell with the field's address.
BLOCK, START, SPREAD, STEP, COUNT, SOURCE, TARGET, SLOT, WORDS = range(9)
DOUBLE, SINGLE, INT, BYTE = range(4)
KINDS = {"f8": DOUBLE, "f4": SINGLE, "i4": INT, "u1": BYTE}
CELLS = MjModel.schema.cells


@stage("viiiiiiii")
def copy_columns(model_at, row_at, rows, block_at, blocks, width, index_at, n):
    """reads addresses of blocks of columns with `width` elements each; writes the fields of a Model that the rows of a plan
    name.

    The fields receive the first n elements, or the n elements that an index lists.
    """
    cell, r, block = longs_at(model_at, CELLS), longs_at(row_at, WORDS * rows), longs_at(block_at, blocks)
    for j in range(rows):
        at = WORDS * j
        source = block[r[at + BLOCK]] + r[at + START] * (width if r[at + SPREAD] else 1)
        if r[at + SOURCE] == DOUBLE:
            copy_numbers(source, cell[r[at + SLOT]], r[at + STEP], r[at + COUNT], r[at + TARGET] == SINGLE, index_at, n, width)
        else:
            copy_integers(
                source, cell[r[at + SLOT]], r[at + SOURCE], r[at + TARGET], r[at + STEP], r[at + COUNT], index_at, n, width
            )


@inline
def from_of(index, index_at, i):
    return index[i] if index_at else i


@kernel
def copy_numbers(source_at, target_at, step, count, single, index_at, n, width):
    """Copy a column of float64."""
    source, index, target, short = (
        array_at(source_at, step * width),
        longs_at(index_at, n),
        array_at(target_at, n * count),
        floats_at(target_at, n * count),
    )
    for i in range(n):
        k = step * from_of(index, index_at, i)
        if single:
            for q in range(count):
                short[count * i + q] = source[k + q]
        else:
            for q in range(count):
                target[count * i + q] = source[k + q]


@kernel
def copy_integers(source_at, target_at, kind, into, step, count, index_at, n, width):
    """Copy a column of integers or flags."""
    ints, flags, index = ints_at(source_at, step * width), bytes_at(source_at, step * width), longs_at(index_at, n)
    words, marks = ints_at(target_at, n * count), bytes_at(target_at, n * count)
    for i in range(n):
        k = step * from_of(index, index_at, i)
        for q in range(count):
            value = ints[k + q] if kind == INT else flags[k + q]
            if into == INT:
                words[count * i + q] = value
            else:
                marks[count * i + q] = value


class Plan(NamedTuple):
    """A plan for copying columns to fields: its rows of integers, and their address; the {column: field} that it copies; and
    the pairs (field, column) that must be copied in another way.
    """

    rows: np.ndarray
    address: int
    columns: dict
    others: tuple


def make_plan(cls: type, pairs: Sequence[tuple[str, str]]) -> Plan:
    """Return the plan for copying columns of a class of elements to fields; `pairs`: (field, column)."""
    found, taken, wanted = [], {}, dict((column, field) for field, column in pairs)
    for b, block in enumerate(blocks(cls)):
        for name, first, last in block.columns:
            field = MjModel.schema.fields.get(wanted.get(name, ""))
            dtype = np.dtype(block.dtype)

            # the plan copies only columns with the right number of values and compatible types
            if (
                field is None
                or dtype.str[1:] not in KINDS
                or field.numpy.str[1:] not in KINDS
                or (dtype.kind == "f") != (field.numpy.kind == "f")
                or int(np.prod(field.dims[1:], dtype=int)) != last - first
            ):
                continue
            found.append(
                (
                    b,
                    first * dtype.itemsize,
                    not block.vectors,
                    block.width if block.vectors else 1,
                    last - first,
                    KINDS[dtype.str[1:]],
                    KINDS[field.numpy.str[1:]],
                    MjModel.schema.slot[field.name],
                )
            )
            taken[name] = field.name
    rows = np.array(found, np.int64).reshape(-1, WORDS)
    return Plan(rows, address_of(rows) if len(rows) else 0, taken, tuple(pair for pair in pairs if pair[1] not in taken))


# {(class of elements, name of the pairs): plan}
PLANS: dict[tuple, Plan] = {}


def copy(m: MjModel, table: Table, name: str, pairs: Sequence[tuple[str, str]], index: np.ndarray | None = None) -> dict:
    """Write columns of a table to fields of a Model. Return {field: values} for columns that a stage has replaced or added.

    `pairs`: (field, column); `name` identifies them in the cache of plans. `index`: the element from which each row of the
    fields comes; without it, row k comes from element k.
    """

    key = table.cls, name
    made = PLANS.get(key)
    if made is None:
        made = PLANS[key] = make_plan(table.cls, pairs)
    if not table.blocks:
        return {field: getattr(table, column) if index is None else getattr(table, column)[index] for field, column in pairs}
    # find columns that a stage has replaced; the others are unchanged since they were gathered
    replaced = [
        (made.columns[column], column) for column in table.__dict__.keys() & made.columns.keys() if not table.gathered(column)
    ]

    rest = {}
    for field, column in (*made.others, *replaced):
        values = getattr(table, column)
        rest[field] = values if index is None else values[index]

    # copy the other columns in one pass
    if len(rest) < len(pairs):
        places = np.array(table.addresses)
        copy_columns(
            m.storage.address,
            made.address,
            len(made.rows),
            places,
            len(places),
            table.n,
            0 if index is None else index,
            table.n if index is None else len(index),
        )
    return rest
