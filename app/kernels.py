"""`tumble cache`: shows the kernels that came with the package and those compiled on this machine. It checks their files, and
can remove those compiled here.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable

from ..engine.machine import archive, store


def cache(options: argparse.Namespace) -> int:
    """Show, check or clear the kernels; the exit status is 1 if a check found a fault."""
    bad = 0 if options.clear else packed(options.check)
    written = store.folder()
    for place in store.folders():
        if options.clear:
            print(f"{place}: {store.clear(place)} files removed")
            continue
        rows = store.check(place)
        size = sum(path.stat().st_size for path, _fault in rows if path.is_file())
        print(f"{place}: {len(rows)} kernels, {size / 1e6:.1f} MB{'' if place == written else ', read only'}")
        faults = [(path, fault) for path, fault in rows if fault]
        bad += len(faults)
        for path, fault in faults if options.check else ():
            print(f"  {path.name}: {fault}; it is not used")
    if bad and not options.check:
        print(f"{bad} of them are not used; `tumble cache --check` lists them")
    return 1 if bad and options.check else 0


def packed(check: bool) -> int:
    """Show the kernel archives that came with the package, the one in use first. Return the number of faulty files."""
    rows, used = archive.check(), [found.path for found in archive.chosen()]
    for path, contents, fault in sorted(rows, key=lambda row: (used + [row[0]]).index(row[0])):
        use = ", in use" if used[:1] == [path] else "" if path in used else ", not for this processor or these settings"
        print(f"{path}: {contents or 'no kernels'}{use}")
        if fault and check:
            print(f"  {path.name}: {fault}; it is not used")
    return sum(bool(fault) for _path, _contents, fault in rows)


COMMANDS: dict[str, Callable[[argparse.Namespace], int]] = {"cache": cache}
