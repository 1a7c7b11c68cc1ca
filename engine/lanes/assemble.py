"""Assembles a model's step: traces its parts, adds parts that run world by world, and lists the fields to copy between them.

Builder.build      the parts of a step in their order; each adds rows to the program
Builder.program    the finished rows; copy rows (`border`) take the place of fields' names
"""

from __future__ import annotations

import copy
import dataclasses
import functools
import math
from collections.abc import Iterable, Sequence
from typing import Any

from ..api.state import COMPONENTS
from ..constraint.project import is_dual
from ..core import stages
from ..machine import memory
from ..machine.interpret import interpreted
from ..step import needs
from ..tables import actuator_rows, stage_rows
from ..tables.schema import SCHEMAS
from . import order, reach
from .arrange import loaded
from .fields import OF_MODEL, Layout, length
from .order import ROWS, SOLUTION, SOLVED, Part
from .problems import takes
from .run import (
    AHEAD,
    ALONE,
    ALWAYS,
    ASK,
    BARE,
    BUSY,
    CALL,
    CLOSED,
    CODE,
    CONTACTS,
    EACH,
    IN,
    LEAVES,
    LISTED,
    NEEDED,
    OPENED,
    OUT,
    PASS,
    ROW,
    STAYS,
    STEP_ALONE,
    TOGETHER,
    TOUCHED,
)
from .run import ROWS as ONLY_WITH_ROWS
from .symbols import LEFT, Untraceable
from .touch import MOST_BOXED, MOST_PAIRS, MayTouch, candidates, signatures, words_of
from .trace import Trace, trace

_DATA = SCHEMAS["MjData"]
# float fields of the state, including inputs; their values may be in lane memory
STATE = [field for _, field, _ in COMPONENTS if _DATA.fields[field].dtype == "f8"]
# name prefixes of the stages of Tumble's additional actuator models
_MODELS = tuple(f"{what}_" for what in actuator_rows.TYPE)
# fields from which limit and friction rows are computed
_LIMITS = frozenset(("qpos", "ten_length", "ten_J"))
# counts that are 0 in a world without contacts and constraint rows
_NONE = ("ncon", "ne", "nf", "nl", "nefc", "nisland")
# key in `Program.scalar` of the reason why every world must search for contacts or rows
ROWS_PART = "rows"
# Fields that scripts often read. They are always kept, so that reading one does not need a new translation.
COMMON = frozenset(("xpos", "xquat", "site_xpos", "sensordata", "energy", "qacc", "actuator_force"))
INPUTS = ("ctrl", "qfrc_applied", "xfrc_applied", "mocap_pos", "mocap_quat")
# Model fields that decide which stages a step needs. If one differs between worlds, the step has all these stages.
_DECIDING = frozenset(
    ("tendon_armature", "dof_frictionloss", "tendon_frictionloss", "actuator_lengthrange", "opt.density", "opt.viscosity")
)
# Model fields that decide which geoms may touch
_OF_PAIRS = frozenset(("geom_margin", "geom_gap", "pair_margin", "pair_gap"))
# In a Layout, the bits that mark body pairs have this name.
_PAIRS = "pairs of bodies"


@dataclasses.dataclass
class Program:
    """The input of `run.run_lanes`. `first`: {field in lane memory: its first element}. `stored`: fields that lanes write,
    including the state."""

    width: int
    size: int
    first: dict[str, int]
    stored: list[str]
    rows: list[list[int]]
    count: int
    border: list[list[int]]
    state_rows: int
    control_rows: int
    # {part that runs world by world: why it is not traced}
    scalar: dict[str, str]
    traced: list[str]
    # {field: [(element, value)]} of integers that traced parts assume
    known: dict[str, list]
    # fields that are not kept because nothing reads them
    left_out: list[str]
    # signatures of the body pairs that may touch, and the element of their first bit
    pairs: list[int]
    pairs_at: int
    address: int = 0

    @functools.cached_property
    def own(self) -> dict[str, int]:
        """Model fields that differ between worlds: {field: its first element in lane memory}."""
        return {n.removeprefix(OF_MODEL): k for n, k in self.first.items() if n.startswith(OF_MODEL)}

    def border_of(self, names: Iterable[str], model: Any) -> list[list[int]]:
        """Return copy rows (see `border_row`) for those fields in `names` whose newest values are in lane memory."""
        return [_border_row(self.first[n], n, model) for n in dict.fromkeys(names) if n in self.stored]


def _border_row(first: int, name: str, model: Any) -> list[int]:
    """Return the copy row of a field. It tells `run` how to copy the field between lane memory and Datas."""
    field = _DATA.fields[name]
    return [first, _DATA.slot[name], _count(field, model), 0 if field.dims else 1]


def _count(field: Any, model: Any) -> int:
    """Return the number of values in a field."""
    return math.prod([length(dim, model) for dim in field.dims])


class Builder:
    """Builds a Program part by part. `own`: Model fields that differ between worlds."""

    def __init__(self, model: Any, own: frozenset[str]) -> None:
        self.model, self.layout, self.own_fields = model, Layout(), own
        # `rules`: the model that decides which stages a step needs; `used`: these stages
        self.rules = _most_general(model, own)
        self.used = needs.needed(self.rules)
        self.integers: dict = {}

        # the parts added so far
        self.traces: list[Trace] = []
        self.rows: list[list[int]] = []
        self.bodies: list[tuple[list[int], list]] = []
        self.scalar: dict[str, str] = {}
        self.traced: list[str] = []
        # fields of Data whose newest values are in lane memory after the parts added so far
        self.newer: set[str] = set(STATE)
        # Fields whose copies in the Datas are up to date at this point of the step. given: in all worlds; given_with_rows: in
        # worlds with constraint rows.
        self.given: set[str] = set()
        self.given_with_rows: set[str] = set()
        # signatures of the body pairs in the order of their bits, and the element of the first bit
        self.pairs: list[int] = []
        self.pairs_at = 0
        # own: fields whose newest values are in the Datas; again: the subset that later rows need back in lane memory
        self.own: set[str] = set()
        self.again: set[str] = set()

    def lanes(self, part: Part, counts: Any = None) -> bool:
        """Trace a part; return False if it cannot be traced."""
        kernel = part.kernel or stages.find(part.name)
        try:
            made = trace(kernel, self.model.storage.address, self.layout, self.integers, counts, own=self.own_fields)
        except Untraceable as error:
            if not part.scalar:
                raise
            self.scalar[part.name] = str(error)
            return False
        self.rows.append([CODE, len(self.traces), 0, 0])
        self.traces.append(made)
        self.traced.append(part.name)
        written = self._names(made.stores)
        self.newer |= written
        self.given -= written
        self.given_with_rows -= written
        self.own -= written
        return True

    def _names(self, elements: Any) -> set[str]:
        """Return the names of the fields that contain any of the elements."""
        found = set()
        for name in self.layout.first:
            # elements for internal marks belong to no field
            if name in _DATA.fields and any(e in elements for e in self.layout.span(name)):
                found.add(name)
        return found

    def each(self, body: list[Any], who: int = STAYS) -> None:
        """Add rows that run for each lane. They refer to fields by name; at the end, copy rows replace the names."""
        for op, *values in body:
            if op == OUT:
                self.again |= values[0] & self.own
            elif op == IN:
                self.own |= values[0]
        row = [EACH, 0, 0, who]
        if body:
            self.rows.append(row)
            self.bodies.append((row, body))

    def alone(self, part: Part, only_with_rows: bool = False) -> None:
        """Add a stage that runs world by world."""
        nested = self._inside(part.name)
        reads = set().union(*(reach.named(n) for n in nested)) & self.newer
        writes = set().union(*(reach.written(n) for n in nested))
        given = self.given_with_rows if only_with_rows else self.given
        self.each(
            [
                *([(ONLY_WITH_ROWS,)] if only_with_rows else []),
                (OUT, reads - given),
                (CALL, stage_rows.stage_id(part.name)),
                (IN, writes),
            ]
        )
        self.given_with_rows |= reads
        if not only_with_rows:
            self.given |= reads

    def _inside(self, name: str) -> list[str]:
        """Return the names of a stage and of the stages that it may run."""
        more = {
            "tendon": ["tendon_spatial"],
            "transmission": ["transmission_general"],
            "actuation": ["muscle_forces", *(n for n in self.used if n.startswith(_MODELS))],
            "passive": ["tendon_passive", "fluid", "extra_forces"],
            "make_inertia": ["tendon_armature", "drive_inertia"],
        }
        return order.measuring(self.used) if name.startswith("sensor_") else [name, *more.get(name, [])]

    def strip(self, kept: frozenset[str]) -> list[str]:
        """Remove operations whose results are read neither by traced parts, nor by world-by-world stages, nor by users (fields
        `kept`). Return the fields that are no longer stored, entirely or in part."""
        # fields that are always needed
        names = (
            COMMON | kept | set(STATE) | {n for _, body in self.bodies for op, *values in body if op == OUT for n in values[0]}
        )
        always = set()
        for name in self.layout.first:
            if name not in _DATA.fields or name in names:
                always |= set(self.layout.span(name))
        dropped: set[int] = set()
        # removing a store can make loads unnecessary, and without these loads, other stores can be removed
        while True:
            needed = always | {LEFT}
            for t in self.traces:
                needed |= loaded(t)
            unread = {e for t in self.traces for e in t.stores} - needed
            if not unread:
                return sorted(self._names(dropped))
            dropped |= unread
            for t in self.traces:
                t.stores = {e: value for e, value in t.stores.items() if e in needed}

    def _with_ahead(self, body: Sequence[tuple]) -> list[tuple[Any, ...]]:
        """Return per-lane rows, preceded by copies that can be made for all lanes at once. OUT and AHEAD rows get their
        level."""
        if any(op == STEP_ALONE for op, *_ in body):
            return [(op, *values, ALONE) if op == OUT else (op, *values) for op, *values in body]
        level, rows = ALWAYS, []
        ahead: dict[int, set[str]] = {ALWAYS: set(), BUSY: set()}
        for op, *values in body:
            if op == OUT:
                values = [values[0], level]
                ahead[level] |= values[0]
            rows.append((op, *values))
            if op in (NEEDED, ONLY_WITH_ROWS, TOUCHED, CONTACTS, BARE, CLOSED):
                level = BUSY
        return [*((AHEAD, names, at) for at, names in ahead.items() if names), *rows]

    # ---- assembling ------------------------------------------------------------------------------------------------------
    def program(self, width: int, kept: frozenset[str]) -> Program:
        """Return the finished program; all parts must have been added."""
        model, back = self.model, COMMON | kept | set(STATE) | self.again
        left_out = self.strip(kept)
        for t in self.traces:
            back |= self._names(t.loads)
        # Copy back only those fields that lanes need, although world-by-world parts write more.
        lost = {n for _, body in self.bodies for op, *values in body if op == IN for n in values[0]} - back
        left_out = sorted({*left_out, *(lost & self.newer)})
        stored = sorted({n for n in self.newer if n in self.layout.first and n not in left_out})
        border = [_border_row(self.layout.first[n], n, model) for n in INPUTS if n in self.layout.first]
        control_rows = len(border)
        border += [_border_row(self.layout.first[n], n, model) for n in STATE if n in self.layout.first and n not in INPUTS]
        state_rows, rows = len(border), [list(r) for r in self.rows]
        for row, body in self.bodies:
            first = len(rows)
            for op, *values in self._with_ahead(body):
                if op in (AHEAD, OUT, IN):
                    names = sorted(n for n in values[0] if n in self.layout.first and (op != IN or n in back))
                    start = len(border)
                    border += [_border_row(self.layout.first[n], n, model) for n in names]
                    rows.append([op, start, len(border), 0 if op == IN else values[1]])
                else:
                    rows.append([op, *values, *[0] * (ROW - 1 - len(values))])
            # an EACH row occurs several times if the step runs forward dynamics several times
            for k in [k for k, r in enumerate(self.rows) if r is row]:
                rows[k][1:3] = first, len(rows)

        # integers that traced parts assume
        known: dict[str, list] = {}
        for (name, k), value in self.integers.items():
            if _DATA.fields[name].dims:
                known.setdefault(name, []).append((k, int(value)))
        return Program(
            width,
            self.layout.size,
            self.layout.first,
            stored,
            rows,
            len(self.rows),
            border,
            state_rows,
            control_rows,
            self.scalar,
            self.traced,
            known,
            left_out,
            self.pairs,
            self.pairs_at,
        )

    def build(self) -> None:
        """Add the parts of a step in order."""
        model = self.model
        counts: dict[str, int] = dict.fromkeys(_NONE, 0)
        self.lanes(Part("check_state", order.Beginning, False))
        first = len(self.rows)
        self._add(order.before_contacts(self.rules), counts)
        if order.acts_at_contacts(self.rules):
            self._rows_then_solution(counts)
        else:
            self._add(order.before_solution(self.rules), counts)
            self._rows_and_solution()
        forward, given = self.rows[first:], set(self.given)
        for part in order.after_rows(model):
            if not self.lanes(part, counts):
                self.alone(part)
            elif self.traces[-1].asked:
                # the trace of this part assumes that there are no contacts and rows
                self.alone(part, only_with_rows=True)

        # Runge-Kutta substeps repeat forward dynamics
        substeps, (count, forget) = order.substeps(model), ([(CALL, k) for k in ids] for ids in order.scratch(model))
        for part in substeps[:-1]:
            self.lanes(part)
            self.each(count)
            self.rows += forward
            self.given, self.given_with_rows = set(given), set(given)
            self._add(order.after_substep(model), counts)
        for part in substeps[-1:]:
            self.lanes(part)
        self.each(forget)
        self.each([(OUT, set(STATE)), *forget, (STEP_ALONE,)], LEAVES)
        integrator = order.integrator(model)
        if integrator.alone:
            reads = self._unseen(order.integrating(self.used))
            self.each([(OUT, reads), (CALL, stage_rows.stage_id(integrator.name)), (IN, set(STATE))])
        elif self.lanes(integrator) and LEFT in self.traces[-1].stores:
            raise Untraceable("the integrator warns")
        self.each([(IN, set(STATE))], LEAVES)

    def _add(self, parts: Sequence[Part], counts: dict[str, int]) -> None:
        """Add parts; those that cannot be traced run world by world."""
        for part in parts:
            if part.alone or not self.lanes(part, counts):
                self.alone(part)

    def _unseen(self, names: Sequence[str]) -> set[str]:
        """Return the fields that stages read and whose newest values are only in lane memory."""
        return set().union(*map(reach.named, names)) & self.newer - self.given

    def _rows(self) -> tuple[list, set[str], set[str], set[str], bool]:
        """Return per-lane rows that find contacts and make constraint rows; the fields copied for all worlds, for those with
        contacts, and for those with rows; and whether every world searches for contacts."""
        touched, needed = self._needed()
        touch = self._unseen((order.touching_listed if self.pairs else order.touching)(self.used)) - order.AHEAD_ALONE
        rows = self._unseen(order.making(self.used))
        look = [(LISTED,), (CALL, stage_rows.stage_id(order.LISTED))] if self.pairs else [(CALL, stage_rows.stage_id(ROWS[0]))]
        # Without contacts, rows are limits and friction, which need few fields; equality rows need as many as contacts.
        few = rows if self.model.neq else rows & _LIMITS
        body: list = []
        if touched is not None and needed is not None:
            body.append((NEEDED, touched, needed))
        body += [*([] if touched is None else [(TOUCHED, touched, 1 + len(look))]), (OUT, touch), *look]
        body += [(OUT, few - touch if touched is None else few), (CONTACTS, 1), (OUT, rows - few - touch)]
        return [*body, (CALL, stage_rows.stage_id(ROWS[1]))], touch, rows, few, touched is None

    def _rows_and_solution(self) -> None:
        """Add the parts for contacts, rows and the solver."""
        solver = self._unseen(order.solving(self.used))
        body, touch, rows, few, everywhere = self._rows()
        # fields that so far have been copied to the Datas only for worlds with contacts
        missing = rows - few - touch if everywhere else (touch | rows) - few
        if not self.model.nsensor:
            missing &= solver
        self._solve([*body, (ONLY_WITH_ROWS,), (BARE, 1), (OUT, missing), (OUT, solver - few - touch - rows)])
        self.given |= touch if everywhere else set()
        self.given_with_rows |= self.given | few | missing | solver

    def _rows_then_solution(self, counts: dict[str, int]) -> None:
        """Add the parts for contacts and rows, then those whose actuators act at contacts, and the solver."""
        self.each(self._rows()[0])
        self._add(order.before_solution(self.rules), counts)
        solver = self._unseen(order.solving(self.used))
        self._solve([(ONLY_WITH_ROWS,), (OUT, solver)])
        self.given_with_rows |= self.given | solver

    def _solve(self, body: list) -> None:
        """Add per-lane rows that end with the solution, in vectors if possible."""
        body = [*body, (CALL, stage_rows.stage_id(ROWS[2]))]
        if interpreted(is_dual)(memory.as_model(self.model.storage.address)):
            body.append((CALL, stage_rows.stage_id("project_constraint")))
        body.append((CALL, stage_rows.stage_id(SOLUTION[0])))
        if takes(self.model):
            self.each([(PASS,), *body, (CALL, stage_rows.stage_id("begin_solution")), (OPENED,)])
            self.rows.append([TOGETHER, 0, 0, 0])
            self.each([(CLOSED,), (CALL, stage_rows.stage_id("end_solution")), (IN, set(SOLVED))])
        else:
            self.each([*body, (CALL, stage_rows.stage_id(SOLUTION[1])), (IN, set(SOLVED))])

    def _question(self, kernel: Any, name: str, kept: Iterable[int] = ()) -> int | None:
        """Trace a test, which becomes the last item of `traces`. Return the element that is nonzero in worlds where the test
        may succeed; None if the test is untraceable. The elements in `kept` are also stored."""
        first, size, model = dict(self.layout.first), self.layout.size, self.model
        counts = dict.fromkeys((*_NONE, "maxuse_con", "maxuse_efc"), 0)
        try:
            made = trace(kernel, model.storage.address, self.layout, dict(self.integers), counts, True, self.own_fields)
        except Untraceable as error:
            self.layout.first, self.layout.size = first, size
            self.scalar[ROWS_PART] = str(error)
            return None
        element = self.layout.place(name, 1)
        made.stores = {element: made.stores.get(LEFT, 0.0)} | {e: made.stores[e] for e in kept}
        self.traces.append(made)
        return element

    def _always(self, element: Any) -> bool:
        """Return whether the last trace sets an element to nonzero in every state."""
        answer = self.traces[-1].stores[element]
        return isinstance(answer, float) and answer != 0

    def _contacts(self) -> int | None:
        """Add the test for contacts; list body pairs where possible. Return the element of lane memory that marks worlds with
        possible contacts; None if every world must search for contacts."""
        pairs, reason = None, "margins differ from world to world"
        try:
            if self.own_fields.isdisjoint(_OF_PAIRS):
                pairs = candidates(memory.as_model(self.model.storage.address))
                reason = f"{len(pairs)} pairs of geoms may touch"
        except Untraceable as error:
            reason = str(error)
        if pairs is None or len(pairs) > MOST_PAIRS:
            self.scalar[ROWS_PART] = reason
            return None
        first = self.layout.place(_PAIRS, words_of(pairs))
        # if most worlds have contacts, testing boxes saves little: then only spheres are tested
        kinds = (True, False) if len(pairs) <= MOST_BOXED else (False,)
        found = [self._question(MayTouch(pairs, first, boxes), "need of contacts", self.layout.span(_PAIRS)) for boxes in kinds]
        if None in found:
            return None
        self.rows.append([ASK, len(self.traces) - len(kinds), len(self.traces) - 1, 0])
        self.pairs, self.pairs_at = signatures(pairs), first
        return None if self._always(found[0]) else found[0]

    def _needed(self) -> tuple[int | None, int | None]:
        """Return two elements of lane memory: one marks worlds that may have contacts, the other worlds that may have other
        constraint rows. None instead of an element: every world must be searched."""
        contacts = self._contacts()
        # testing for other rows is useless if every world searches for contacts
        rows = None if contacts is None else self._question(stages.find("make_constraint"), "need of rows")
        if rows is not None and self._always(rows):
            self.traces.pop()
            return contacts, None
        if rows is not None:
            self.rows.append([CODE, len(self.traces) - 1, 0, 0])
        return contacts, rows


def _most_general(model: Any, own: frozenset[str]) -> Any:
    """Return a copy of the model in which every _DECIDING field that differs between worlds is nonzero."""
    deciding = own & _DECIDING
    if not deciding:
        return model
    made = copy.copy(model)
    for name in deciding:
        part, _, field = name.rpartition(".")
        if part:
            setattr(getattr(made, part), field, 1.0)
        else:
            made.array(field)[...] = 1.0
    return made
