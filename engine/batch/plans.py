"""The common parts of a batch's calls, computed once. They are recomputed only after a change: a field bound or expanded, a
function added, models set. Repeated single-step calls therefore pay only for the step."""

from __future__ import annotations

from collections.abc import Sequence
from operator import is_

import numpy as np

from ..step import worlds
from .copy_rows import Table, address
from .expansion import Expansion
from .functions import enter_functions, fields_named
from .lanes import NOT_KEPT, fields_of


class Plan:
    """The parts of a batch's call descriptions that are common to all its calls.

    parts: the objects that the plan depends on: rows of recorded results, functions, rows of expanded fields, flags of ended
    worlds, and addresses of models. A change replaces the object. cells: the description of a call, except for the cells that
    vary from call to call. named: fields that functions use, before and after steps. bound: fields that each call copies.
    looked: named and bound fields. alone: why steps cannot run on lanes, or ''.
    """

    __slots__ = ("alone", "bound", "cells", "looked", "named", "parts", "table")

    def __init__(self, parts: tuple, memory: tuple, expansion: Expansion, own_models: bool) -> None:
        """`memory`: states, warnings, and addresses of the Data of a persistent batch."""
        self.parts = parts
        bound, functions, inputs, ended, models = parts
        state, warning, datas = memory

        # fields that the calls read, and why their steps cannot run on lanes
        self.bound = fields_of(bound)
        self.named = [fields_named(functions, when) for when in (worlds.BEFORE, worlds.AFTER)]
        self.looked = frozenset(self.bound).union(*self.named)
        reasons = {
            "simulations have models of their own": own_models,
            "the batch is persistent": datas is not None,
            "functions are not compiled, or call code that cannot be inspected": any(f.named is None for _, f in functions),
        }
        self.alone = next((text for text, holds in reasons.items() if holds), not_kept(self.looked))

        # make the description of a call
        cells = self.cells = np.zeros(worlds.CELLS, np.int64)
        cells[worlds.SAVES], cells[worlds.DONE] = 1, address(ended)
        cells[worlds.STATE], cells[worlds.WARNING], cells[worlds.NSTATE] = address(state), address(warning), state.shape[1]
        cells[worlds.MODELS], cells[worlds.DATAS] = address(models), address(datas)
        cells[worlds.INPUTS], cells[worlds.NINPUT], cells[worlds.ACCEPT] = address(inputs), len(inputs), expansion.callback
        cells[worlds.OUTPUTS], cells[worlds.NOUTPUT] = address(bound), len(bound)
        cells[worlds.HOOKS], cells[worlds.NHOOK], self.table = enter_functions(functions)

    def holds(self, parts: tuple) -> bool:
        """Return whether the plan is still valid for a batch with these parts."""
        return all(map(is_, parts, self.parts))

    def with_tables(self, tables: Sequence[Table]) -> tuple[list[list[str]], frozenset[str], str]:
        """Return (fields of each table's rows, all fields that are read, why steps cannot run on lanes) for a call that also
        records into `tables`."""
        seen = [self.bound, *(fields_of(x.rows) for x in tables)]
        if not tables:
            return seen, self.looked, self.alone
        looked = self.looked.union(*seen[1:])
        return seen, looked, self.alone or not_kept(looked)


def not_kept(looked: frozenset[str]) -> str:
    """Return why steps cannot run on lanes if these fields are read; empty if they can."""
    return "a field that the batch reads is not kept on lanes" if NOT_KEPT & looked else ""
