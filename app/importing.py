"""`tumble import`: convert a robot description to a folder of clean MJCF, with a report. `tumble export`: write URDF."""

from __future__ import annotations

import argparse
import os
import sys

from ..engine.description.robots.export import write_urdf
from ..engine.description.robots.folder import write_folder
from ..engine.description.robots.overlaps import list_overlaps, overlapping
from ..engine.description.robots.packages import split
from .loading import is_outside, read_model
from .robots import imported
from .told import ADVICE, fail, written


def check_places(options: argparse.Namespace) -> None:
    """Exit if the model does not exist, or the output cannot be a folder."""
    if not os.path.exists(split(options.model)[0]):
        fail(f"no such file: {options.model}", 1)
    if os.path.isfile(options.output):
        fail(f"{options.output} is a file; the output must be a folder", 1)


def import_(options: argparse.Namespace) -> int:
    """Import a model, write the folder, and print the report; the status is 1 if parts of the model are missing."""
    check_places(options)
    made = {"repair": not options.strict, "free": options.free, "actuators": options.actuators}
    made |= {"fit": options.fit, "decompose": options.decompose}
    try:
        spec = imported(options.model, exclude_overlaps=options.exclude_overlaps, **made)
        if not options.exclude_overlaps:
            list_overlaps(spec.import_report, overlapping(spec.compile()).items(), False)
        found: list[str] = []
        os.makedirs(os.path.dirname(os.path.abspath(options.output)), exist_ok=True)
        written(options.output, lambda: found.append(write_folder(spec, options.output)))
    except (ValueError, OSError, ImportError) as error:
        return fail(f"{error}{ADVICE if is_outside(error) else ''}", 1)
    report = spec.import_report
    for entry in report if options.verbose else ():
        print(entry, file=sys.stderr)
    print(f"saved {found[0]}: {report.summary()}")
    return 0


def export(options: argparse.Namespace) -> int:
    """Write a model as URDF, and report what the format cannot express."""
    check_places(options)
    name = os.path.splitext(os.path.basename(os.path.abspath(options.model)))[0]
    try:
        m = read_model(options.model)
        os.makedirs(os.path.dirname(os.path.abspath(options.output)), exist_ok=True)
        found: list[tuple[str, list[str]]] = []
        written(options.output, lambda: found.append(write_urdf(m, options.output, name)))
    except (ValueError, OSError) as error:
        return fail(f"{error}{ADVICE if is_outside(error) else ''}", 1)
    (path, unsaid), *_ = found
    print(f"saved {path}")
    for what in unsaid:
        print(f"URDF cannot express: {what}")
    return 0


COMMANDS = {"import": import_, "export": export}
