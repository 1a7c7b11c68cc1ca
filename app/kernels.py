"""`tumble cache`: the folders of compiled kernels, whether their files are whole, and a way to be rid of them."""

from __future__ import annotations

import argparse
from collections.abc import Callable

from ..engine.core import store


def cache(options: argparse.Namespace) -> int:
    """Show, check or clear; the status is 1 if a check found something."""
    bad = 0
    written = store.folder()
    for place in store.folders():
        if options.clear:
            print(f"{place}: {store.clear(place)} files removed")
            continue
        rows = store.check(place)
        size = sum(path.stat().st_size for path, _fault in rows if path.exists())
        print(f"{place}: {len(rows)} kernels, {size / 1e6:.1f} MB{'' if place == written else ', read only'}")
        faults = [(path, fault) for path, fault in rows if fault]
        bad += len(faults)
        for path, fault in faults if options.check else ():
            print(f"  {path.name}: {fault}; it is not used")
    if bad and not options.check:
        print(f"{bad} of them are not used; tumble cache --check tells which")
    return 1 if bad and options.check else 0


COMMANDS: dict[str, Callable[[argparse.Namespace], int]] = {"cache": cache}
