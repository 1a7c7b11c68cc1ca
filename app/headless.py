"""Commands without a window: bench, compile, info, warmup."""

from __future__ import annotations

import argparse
import math
import os
import sys
import time
from collections.abc import Callable, Iterator
from typing import Any

from .. import engine as mj
from ..engine.description.save import export_xml
from ..ui.element_names import name
from ..ui.health import check
from ..ui.release import differences, other
from .compiling import Progress
from .noise import ControlNoise
from .told import Bar, as_json, fail, opened, writable, written


def bench(options: argparse.Namespace) -> int:
    """Measure steps per second and the real-time factor of a model, from its first keyframe or initial state."""
    if not 0 < options.seconds < math.inf:
        fail(f"--seconds is {options.seconds:g}; it must be positive")
    if not 0 <= options.noise < math.inf:
        fail(f"--noise is {options.noise:g}; it cannot be negative")
    with opened(options.model) as (m, d, _warning, _seconds):
        measure(m, d, options)
    return 0


def measure(m: mj.MjModel, d: mj.MjData, options: argparse.Namespace) -> None:
    """Step for a while and print the measurements."""
    # Start from the first keyframe, if there is one.
    if m.nkey:
        mj.mj_resetDataKeyframe(m, d, 0)
    noise = ControlNoise(m, seed=1)
    noise.std = options.noise
    begin = time.perf_counter()
    mj.mj_step(m, d)
    first = time.perf_counter() - begin

    # Step until the requested time has passed.
    count, batch, start = 0, 1, time.perf_counter()
    while (gone := time.perf_counter() - start) < options.seconds:
        if noise.active:
            noise.apply(m, d)
            mj.mj_step(m, d)
            count += 1
        else:
            # Step in batches of about a twentieth of a second, which makes the cost of reading the clock negligible.
            mj.mj_step(m, d, batch)
            count += batch
            batch = max(1, int(0.05 * count / max(gone, 1e-3)))
    gone = time.perf_counter() - start

    # Print the results.
    if options.json:
        speed = {"steps": count, "steps_per_second": count / gone, "seconds_per_step": gone / count}
        speed |= {"real_time_factor": count * m.opt.timestep / gone, "first_step": first}
        as_json({"model": options.model, **speed, "ncon": int(d.ncon), "nefc": int(d.nefc)})
        return
    rows = (
        ("model", os.path.basename(options.model)),
        ("first step", f"{1e3 * first:.1f} ms"),
        ("steps", f"{count}"),
        ("steps per second", f"{count / gone:,.0f}"),
        ("time per step", f"{1e6 * gone / count:.1f} us"),
        ("real-time factor", f"{count * m.opt.timestep / gone:.1f} x"),
        ("contacts", f"{int(d.ncon)}"),
        ("constraint rows", f"{int(d.nefc)}"),
    )
    print("\n".join(f"{name:18s} {text}" for name, text in rows))


def compile_(options: argparse.Namespace) -> int:
    """Compile a model and save it in the format given by the output's suffix."""
    suffix = os.path.splitext(options.output)[1].lower()
    if suffix not in FORMATS:
        fail(f"cannot write {suffix or 'a file without suffix'}; use {', '.join(FORMATS[:-1])} or {FORMATS[-1]}")
    writable(options.output)
    with opened(options.model, steps=False) as (m, _d, warning, _seconds):
        save(m, options.output, suffix)
    if warning:
        print(f"warning: {warning}", file=sys.stderr)
    print(f"saved {options.output}")
    return 0


def save(m: mj.MjModel, output: str, suffix: str) -> None:
    """Write a model in the format that belongs to a file suffix."""
    write: dict[str, Callable[[], Any]] = {
        ".xml": lambda: export_xml(output, m),
        ".mjb": lambda: mj.mj_saveModel(m, output, None),
        ".txt": lambda: mj.mj_printModel(m, output),
    }
    written(output, write[suffix])


FORMATS = (".xml", ".mjb", ".txt")
SIZES = (
    "nq",
    "nv",
    "nu",
    "na",
    "nbody",
    "njnt",
    "ngeom",
    "nsite",
    "ncam",
    "nlight",
    "nmesh",
    "nhfield",
    "ntex",
    "nmat",
    "npair",
    "nexclude",
    "neq",
    "ntendon",
    "nsensor",
    "nkey",
)


def info(options: argparse.Namespace) -> int:
    """Print the contents of a model, its warnings, and likely problems."""
    with opened(options.model, steps=False) as (m, d, warning, seconds):
        found = check(m)
        mj.mj_forward(m, d)
    if options.json:
        sizes = {name: int(getattr(m, name)) for name in SIZES}
        health = [
            {"level": f.level, "kind": f.kind, "name": name(m, f.kind, f.index), "index": f.index, "text": f.text}
            for f in found
        ]
        whole = {"timestep": m.opt.timestep, "mass": float(m.body_mass.sum()), "extent": float(m.stat.extent)}
        as_json({"model": options.model, "seconds": seconds, **whole, **sizes, "warning": warning, "health": health})
        return 0

    # The whole output fits on one screen.
    print(f"{options.model}: compiled in {seconds:.2f} s")
    for title, text in summary(m, d):
        print(f"  {title:14s}{text}")
    if options.sizes:
        print("  " + "  ".join(f"{size} {getattr(m, size)}" for size in SIZES if getattr(m, size)))
    if warning:
        print(f"warning: {warning}")
    for finding in found:
        print(f"{finding.level}: {finding.kind} {name(m, finding.kind, finding.index)}: {finding.text}")
    if not found:
        print("health: no problems found")
    for change in differences(m) if options.compat else ():
        print(f"otherwise with compat {other(m)}: {change.sentence} ({change.version})")
    return 0


def counted(number: int, word: str, many: str = "") -> str:
    """Return a count with its noun, as in `3 bodies`; empty for 0."""
    return f"{number} {word if number == 1 else many or word + 's'}" if number else ""


def summary(m: mj.MjModel, d: mj.MjData) -> Iterator[tuple[str, str]]:
    """Yield (title, text) of a model's main properties. `d` is in its initial state, after mj_forward."""
    free = int((m.jnt_type == mj.mjtJoint.mjJNT_FREE).sum())
    dofs = counted(m.nv, "degree of freedom", "degrees of freedom")
    yield (
        "bodies",
        ", ".join(filter(None, (counted(m.nbody - 1, "body", "bodies"), counted(free, "of them free", "of them free"), dofs))),
    )
    driven = counted(m.nu, "control"), counted(m.nsensor, "sensor"), counted(m.ntendon, "tendon"), counted(m.na, "activation")
    yield "driven by", ", ".join(filter(None, driven)) or "nothing"
    solid = (m.geom_contype != 0) | (m.geom_conaffinity != 0)
    shapes = counted(m.ngeom, "geom"), counted(int(solid.sum()), "collides", "collide"), counted(m.nmesh, "mesh", "meshes")
    soft = counted(m.nflex, "flex", "flexes"), counted(m.neq, "equality", "equalities"), counted(m.nkey, "keyframe")
    yield "made of", ", ".join(filter(None, (*shapes, *soft)))
    yield "mass", f"{float(m.body_mass.sum()):.6g} kg, extent {float(m.stat.extent):.4g} m"
    kinds: Any = (mj.mjtIntegrator, m.opt.integrator), (mj.mjtSolver, m.opt.solver), (mj.mjtCone, m.opt.cone)
    integrator, solver, cone = (kind(value).name.split("_")[-1].lower() for kind, value in kinds)
    yield "a step", f"{1e3 * m.opt.timestep:g} ms, integrator {integrator}, solver {solver}, {cone} cones"
    contacts, rows = counted(int(d.ncon), "contact") or "no contacts", counted(int(d.nefc), "constraint row")
    yield "at the start", ", ".join(filter(None, (contacts, rows)))


def warmup(_options: argparse.Namespace) -> int:
    """Compile every kernel that is not cached."""
    begin, bar = time.perf_counter(), Bar()
    mj.warmup(progress=lambda done, total, name: bar.show(Progress(done, total, None, False)), everything=True)
    bar.close()
    print(f"ready in {time.perf_counter() - begin:.1f} s")
    return 0


COMMANDS = {"bench": bench, "compile": compile_, "info": info, "warmup": warmup}
