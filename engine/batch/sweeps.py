"""Sweeps: run a model with various parameter values. Each case is stepped and recorded, on this machine or on a cluster.

{"opt.timestep": [.001, .002], "geom:floor.friction": [.5, 1., 1.5]} ── 6 cases ──┬── model with values ── samples
                                                                                   ├── ...
names      opt.timestep   opt.gravity[2]   geom:floor.friction   joint:*.damping   dof_damping[3]   qpos[2]   actuator:m.ctrl
           options, attributes of one or of all elements of a type, fields of the Model or of the state

A case's random values depend only on the seed and on the case's index.
"""

from __future__ import annotations

import copy
import itertools
import math
import re
from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np

from ..api.simulate import mj_forward, mj_resetData, mj_resetDataKeyframe, mj_step
from ..api.support import mj_setConst
from ..core.data import MjData
from ..core.model import MjModel
from ..core.report import FatalError
from ..tables import named_access
from ..tables.enums import mjtEnableBit, mjtWarning
from ..tables.values import read_integer
from .cluster import as_cluster, check_alone
from .fields import MODEL_FIELDS, OPTION, STATE_FIELDS, did_you_mean, is_structure
from .views import KINDS, span_of

_NAME = re.compile(r"(?P<name>.*?)(\[(?P<index>\d+)\])?")
_ENERGY = int(mjtEnableBit.mjENBL_ENERGY)
# warnings after which the state is invalid
_BAD = [int(mjtWarning[f"mjWARN_BAD{n}"]) for n in ("QPOS", "QVEL", "QACC")]
# type of named elements: the size that counts them; sweeps say "keyframe", as the MJCF section does
_SWEPT = "body joint geom site camera light tendon actuator sensor equality material numeric pair".split()
_COUNTS = {kind: named_access.KINDS[kind][1] for kind in _SWEPT} | {"keyframe": named_access.KINDS["key"][1]}
# name that stands for all elements of a type
ALL = "*"


class Between(NamedTuple):
    """A random number for each case, uniform between two limits. `logarithmic`: uniform on a logarithmic scale."""

    low: float
    high: float
    logarithmic: bool = False

    def draw(self, chance: np.random.Generator) -> float:
        """Return one random number."""
        if self.logarithmic:
            return math.exp(chance.uniform(math.log(self.low), math.log(self.high)))
        return chance.uniform(self.low, self.high)


def read_values(text: str) -> list[float] | Between:
    """Parse values: `1,2,5`, `low:high:count` or `low:high:count:log`; for random values, `low..high` or `low..high:log`.

    Raise ValueError for anything else.
    """
    try:
        if ".." in text:
            low, _, rest = text.partition("..")
            high, _, kind = rest.partition(":")
            found = Between(float(low), float(high), kind == "log")
            if kind not in ("", "log") or not found.low < found.high or found.logarithmic and found.low <= 0:
                raise ValueError
            return found
        if ":" in text:
            low, high, count, *kind = text.split(":")
            if kind not in ([], ["log"]) or int(count) < 1:
                raise ValueError
            return [float(x) for x in (np.geomspace if kind else np.linspace)(float(low), float(high), int(count))]
        return [float(x) for x in text.split(",")]
    except ValueError:
        raise ValueError(
            f"{text!r} is not a list (1,2,5), range (low:high:count, low:high:count:log) or interval (low..high, low..high:log)"
        ) from None


# ---- names ---------------------------------------------------------------------------------------------------------------
class Place(NamedTuple):
    """The numbers that a name refers to, in the state or the Model: views of elements, or a scalar option."""

    parts: tuple[np.ndarray, ...]
    option: str = ""
    state: bool = False

    def write(self, m: MjModel, value: float) -> None:
        """Set all these numbers to a value."""
        if self.option:
            setattr(m.opt, self.option, type(getattr(m.opt, self.option))(value))
        for part in self.parts:
            part[0] = value


def place_of(m: MjModel, d: MjData, text: str) -> Place:
    """Return the numbers in Model and Data that a name refers to. Raise ValueError or KeyError if the name is unknown or the
    numbers cannot be varied."""
    match = _NAME.fullmatch(text)
    assert match is not None
    name, index = match["name"], int(match["index"] or 0)

    # the name is an element's attribute, a field of the state, or a Model field
    kind, _, rest = name.partition(":")
    if rest:
        element, _, attribute = rest.rpartition(".")
        found = [_of_element(m, d, kind, each, attribute) for each in _elements(m, kind, element)]
        parts, state = [p for p, _ in found], any(s for _, s in found)
    elif name in STATE_FIELDS:
        parts, attribute, state = [getattr(d, name)], name, True
    elif name in MODEL_FIELDS:
        attribute = name.removeprefix(OPTION)
        value = getattr(m.opt if name.startswith(OPTION) else m, attribute)
        if not isinstance(value, np.ndarray):
            return Place((), attribute)
        parts, state = [value], False
    else:
        raise ValueError(f"{text!r} is not the name of a value{did_you_mean(name, {*MODEL_FIELDS, *STATE_FIELDS})}")

    # fields that define the model's structure cannot be varied; an index must be in range
    if any(is_structure(attribute, p) for p in parts):
        raise ValueError(f"{text!r} determines how the model is built, so it cannot be varied")
    short = min((p.size for p in parts), default=0)
    if index >= short:
        raise ValueError(f"{text!r} has {short} numbers, counted from 0")
    return Place(tuple(p.reshape(-1)[index : index + 1] for p in parts), state=state)


def _elements(m: MjModel, kind: str, name: str) -> list[Any]:
    """Return the elements of a type that a name refers to: one element, or all."""
    if kind not in _COUNTS:
        raise ValueError(f"{kind!r} is not one of {', '.join(sorted(_COUNTS))}")
    return [*range(getattr(m, _COUNTS[kind]))] if name == ALL else [name]


def _of_element(m: MjModel, d: MjData, kind: str, element: Any, attribute: str) -> tuple[np.ndarray, bool]:
    """Return (view of the numbers of an element's attribute, whether they belong to the state)."""
    part = getattr(getattr(m, kind)(element), attribute, None)
    if isinstance(part, np.ndarray):
        return part, False
    table = named_access.attributes(MjData, "data", kind) if kind in KINDS else {}
    if attribute not in table or table[attribute].name not in STATE_FIELDS:
        raise ValueError(f"{attribute!r} is not a value of a {kind} that can be varied")
    return getattr(getattr(d, kind)(element), attribute), True


# ---- cases ---------------------------------------------------------------------------------------------------------------
class Plan(NamedTuple):
    """Settings common to all cases: names of varied numbers, names of recorded numbers, sample times in s, keyframe (-1:
    none)."""

    varied: tuple[str, ...]
    recorded: tuple[str, ...]
    times: tuple[float, ...]
    key: int


class Result(NamedTuple):
    """A sweep's results.

    `values` {name: (ncase)}; `time` (nsample) in s; `records` {name: (ncase, nsample, n)}, NaN after a failure;
    `failed` (ncase): time in s of the first missing sample, NaN if there is none; `errors` {case: the engine's
    message}.
    """

    values: dict[str, np.ndarray]
    time: np.ndarray
    records: dict[str, np.ndarray]
    failed: np.ndarray
    errors: dict[int, str]


def cases_of(vary: Mapping[str, Sequence[float] | Between], samples: int = 1, seed: int = 0) -> np.ndarray:
    """Return an array (ncase, nname) of values: all combinations of listed values, repeated `samples` times if there are
    random values. Raise ValueError if nothing varies."""
    if not vary or any(not isinstance(v, Between) and not len(v) for v in vary.values()):
        raise ValueError("a sweep needs a name, and values for each name")
    random = any(isinstance(v, Between) for v in vary.values())
    rows = []
    for case, row in enumerate(
        itertools.product(*([v] if isinstance(v, Between) else list(v) for v in vary.values()), range(samples if random else 1))
    ):
        chance = np.random.default_rng([seed, case])
        rows.append([x.draw(chance) if isinstance(x, Between) else float(x) for x in row[:-1]])
    return np.array(rows)


def run_cases(models: list[MjModel], plan: Plan, values: np.ndarray) -> list[tuple[np.ndarray, float, str]]:
    """Run some of the cases in a worker; return [(samples (nsample, n), time of failure or NaN, error)]."""
    return [_run_case(models[0], plan, row) for row in values]


def _run_case(model: MjModel, plan: Plan, row: Sequence[float]) -> tuple[np.ndarray, float, str]:
    """Run one case; see `run_cases`."""
    m = copy.copy(model)
    if "energy" in plan.recorded:
        m.opt.enableflags |= _ENERGY
    d = MjData(m)

    # find the numbers to record, and those to vary
    spans = [span_of(d, name) for name in plan.recorded]
    samples = np.full((len(plan.times), sum(n for _, _, n in spans)), np.nan)
    places = [place_of(m, d, name) for name in plan.varied]

    # set values of the Model before the reset, and values of the state after it
    try:
        for place, value in zip(places, row, strict=True):
            if not place.state:
                place.write(m, value)
        if any(place.parts and not place.state for place in places):
            mj_setConst(m, d)
        if plan.key >= 0:
            mj_resetDataKeyframe(m, d, plan.key)
        else:
            mj_resetData(m, d)
        for place, value in zip(places, row, strict=True):
            if place.state:
                place.write(m, value)
        return samples, _record(m, d, plan, spans, samples), ""
    except (FatalError, ValueError) as error:
        return samples, 0.0, f"{type(error).__name__}: {error}"


def _record(m: MjModel, d: MjData, plan: Plan, spans: Any, samples: np.ndarray) -> float:
    """Fill `samples`; return the time at which the simulation became unstable, or NaN."""
    done = 0
    for k, at in enumerate(plan.times):
        # count steps from the start, so that rounding errors of the intervals do not accumulate
        until = round(at / m.opt.timestep)
        if until > done:
            mj_step(m, d, until - done)
            done = until
        elif not until:
            mj_forward(m, d)
        if any(d.warning[w].number for w in _BAD):
            return at
        samples[k] = np.concatenate([np.reshape(getattr(d, field), -1)[start : start + n] for field, start, n in spans] or [[]])
    return math.nan


def sweep(
    model: MjModel,
    vary: Mapping[str, Sequence[float] | Between],
    *,
    duration: float,
    record: Sequence[str],
    interval: float = 0.0,
    samples: int = 1,
    seed: int = 0,
    key: int = -1,
    cluster: Any = None,
    progress: Callable[[int, int], object] | None = None,
) -> Result:
    """Step a model with various parameter values, and record results.

    vary: {name: numbers, or Between}. All combinations of listed values are run; for each, `Between` values are drawn `samples`
    times, from `seed`. A name without an index refers to the first number of its field. duration: simulated time in s.
    interval: time between samples in s (default: duration / 100). record: names as in Batch.observe; `energy` enables its
    computation. key: keyframe to start from. cluster: as in rollout; results are bit-identical to a run without it. A case
    that becomes unstable ends early. Raise ValueError or KeyError for unknown names or impossible values.
    """
    # check the arguments
    interval = interval or duration / 100
    if not 0 < interval <= duration < math.inf:
        raise ValueError(f"needs 0 < interval <= duration, got {interval:g} and {duration:g}")
    if not -1 <= key < model.nkey:
        raise ValueError(f"keyframe {key}: the model has {model.nkey}")
    values = cases_of(vary, read_integer(samples, 1, 2**31), read_integer(seed, 0, 2**63 - 1))
    plan = Plan(tuple(vary), tuple(record), tuple(k * interval for k in range(round(duration / interval) + 1)), key)
    # report wrong names here once, instead of in each worker
    d = MjData(model)
    for name in vary:
        place_of(model, d, name)
    spans = [span_of(d, name) for name in record]

    # run the cases
    found = _run(model, plan, values, cluster, progress)
    table = np.stack([s for s, _, _ in found])
    ends = np.cumsum([0, *(n for _, _, n in spans)])
    return Result(
        {n: values[:, k] for k, n in enumerate(vary)},
        np.array(plan.times),
        {n: table[:, :, a:b] for n, a, b in zip(record, ends, ends[1:], strict=False)},
        np.array([f for _, f, _ in found]),
        {k: e for k, (_, _, e) in enumerate(found) if e},
    )


def _run(
    model: MjModel, plan: Plan, values: np.ndarray, cluster: Any, progress: Callable[[int, int], object] | None
) -> list[Any]:
    """Run all cases, on this machine or on a cluster; see `run_cases`."""
    found: list[Any] = []
    if cluster is None:
        for row in values:
            found.append(_run_case(model, plan, row))
            if progress is not None:
                progress(len(found), len(values))
        return found
    check_alone()
    workers, own = as_cluster(cluster)
    try:
        for _, stop, part in workers.spread(run_cases, [model], len(values), lambda a, b: (plan, values[a:b])):
            found += part
            if progress is not None:
                progress(stop, len(values))
    finally:
        if own:
            workers.close()
    return found
