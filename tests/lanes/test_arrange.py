"""The order of a trace's operations: it computes what the trace says, whatever elements are overwritten, and stores early."""

import types

import numpy as np
import pytest

from tumble.engine.lanes.arrange import FAR, arranged, live

ELEMENTS = 40
OPERATIONS = {"fadd": np.add, "fmul": np.multiply, "fsub": np.subtract}


def random_trace(seed, count):
    """A trace of loads and operations on earlier values and constants, which overwrites half of the elements."""
    rng = np.random.default_rng(seed)
    rows = [("load", (k,)) for k in range(ELEMENTS)]
    for _ in range(count):
        inputs = [int(rng.integers(len(rows))) if rng.random() < 0.9 else float(rng.normal()) for _ in range(2)]
        rows.append((str(rng.choice([*OPERATIONS])), tuple(inputs)))
    # some elements get the old value of another one, and some a constant
    values = [int(x) for x in rng.integers(0, len(rows), ELEMENTS // 2)]
    values[:6] = [1, 0, 3, 2, 1.5, -2.5]
    return types.SimpleNamespace(rows=rows, stores=dict(enumerate(values)))


def computed(row, results):
    name, operands = row
    return OPERATIONS[name](*(results[x] if isinstance(x, int) else x for x in operands))


def expected(trace, memory):
    """Lane memory after a trace: all loads come before all stores."""
    results, after = [], memory.copy()
    for row in trace.rows:
        results.append(memory[row[1][0]] if row[0] == "load" else computed(row, results))
    for element, value in trace.stores.items():
        after[element] = results[value] if isinstance(value, int) else value
    return after


def carried_out(rows, memory):
    """Lane memory after arranged rows, one after the other."""
    results, after = {}, memory.copy()
    for k, (name, operands) in enumerate(rows):
        if name == "load":
            results[k] = after[operands[0]]
        elif name == "store":
            element, value = operands
            after[element] = results[value] if isinstance(value, int) else value
        else:
            results[k] = computed((name, operands), results)
    return after


@pytest.mark.parametrize("seed", range(20))
def test_the_order_changes_no_bit(seed):
    trace = random_trace(seed, 60 * (seed + 1))
    memory = np.random.default_rng(seed).normal(size=ELEMENTS)
    with np.errstate(all="ignore"):
        assert carried_out(arranged(trace), memory).tobytes() == expected(trace, memory).tobytes()


def test_only_what_is_needed_is_computed_and_each_operation_once():
    trace = random_trace(3, 600)
    names = [name for name, _ in arranged(trace)]
    needed = [name for (name, _), used in zip(trace.rows, live(trace), strict=True) if used]
    assert [names.count(n) for n in OPERATIONS] == [needed.count(n) for n in OPERATIONS]
    assert len(needed) < len(trace.rows) and names.count("store") == len(trace.stores)


def test_a_result_is_stored_at_once_and_loaded_again_when_it_is_used_late():
    # element 0 becomes 2 x; then come many operations on y, then one that uses the stored value
    rows = [("load", (0,)), ("fadd", (0, 0)), ("load", (1,))]
    for _ in range(2 * FAR):
        rows.append(("fmul", (len(rows) - 1, 2)))
    rows.append(("fadd", (len(rows) - 1, 1)))
    made = arranged(types.SimpleNamespace(rows=rows, stores={0: 1, 2: len(rows) - 1}))
    assert made[2] == ("store", (0, 1))
    assert made.count(("load", (0,))) == 2
