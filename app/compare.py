"""`tumble diff`: values that differ between two compiled models, and elements that only one of them has."""

from __future__ import annotations

import argparse
from typing import Any

from .. import engine as mj
from ..ui.examples import located
from .told import as_json, fail, opened
from .transfer import COMPARED, Change, differences, keys


def diff(options: argparse.Namespace) -> int:
    """Compare two models; the exit status is 0 if they are the same, 3 if they differ."""
    if options.most < 0:
        fail(f"--most is {options.most}; it cannot be negative")
    with opened(options.model, steps=False) as (one, _d, _warning, _seconds):
        pass
    with opened(located(options.other), steps=False) as (other, _d, _warning, _seconds):
        pass
    only = {"removed": elements(one) - elements(other), "added": elements(other) - elements(one)}
    changes = differences(one, other)
    if options.json:
        as_json({what: sorted(labels) for what, labels in only.items()} | {"changed": [values(c) for c in changes]})
        return 3 if changes or any(only.values()) else 0

    # Elements come first, then values, largest changes first.
    for what, sign in (("removed", "-"), ("added", "+")):
        for kind, label in sorted(only[what]):
            print(f"{sign} {kind} {label}")
    shown = changes[: options.most or None]
    for change in shown:
        print(f"  {change.kind} {change.name}: {change.field} {change.text}")
    if len(changes) > len(shown):
        print(f"  and {len(changes) - len(shown)} more; `--most 0` prints all")
    if not changes and not any(only.values()):
        print("the compiled models are the same")
        return 0
    return 3


def elements(m: mj.MjModel) -> set[tuple[str, str]]:
    """Return (kind, label) of all elements. The label of an element without a name is its position in the tree."""
    return {
        (kind, str(label))
        for kind, (size, parent) in COMPARED.items()
        for label in keys(m, kind, getattr(m, size), getattr(m, parent) if parent else None)
    }


def values(change: Change) -> dict[str, Any]:
    """Return a change as a dictionary for `--json`."""
    return {"kind": change.kind, "element": change.name, "field": change.field, "change": change.text, "relative": change.size}


COMMANDS = {"diff": diff}
