"""Counts third-party models that agree with 4.0.1: in compiled fields, and in one step from a disturbed state.

    PYTHON40 tests/newer/record_agreement.py FOLDER OUT       # with the Python of an environment that has mujoco-core==4.0.1
    python -m tests.newer.compare_agreement FOLDER OUT        # [--only TEXT] [--verbose]

FOLDER has index.json: a list of {"id", "path", "tags"}; models with flexes, skins or plugins are left out. OUT receives a
file of arrays for each model. Models that differ are listed by their first differing field, in the order of the pipeline.

The release is also run from states that differ by rounding only. Where it then disagrees with itself (corners of a regular
polygon that tie, axes of a sphere's inertia), an error of at most ten times that disagreement counts as agreement; the number
without this rule is given, too.
"""

import collections
import json
import pathlib
import zlib
from typing import Any

import numpy as np

LEFT_OUT = {"flex", "skin", "plugin"}
FORWARD = (
    "xpos xquat xipos geom_xpos site_xpos ten_length actuator_length actuator_velocity cvel ncon con_geom con_dist "
    "con_pos nefc efc_type efc_pos "
    "efc_margin efc_vel qfrc_bias qfrc_spring qfrc_damper qfrc_passive actuator_force act_dot qfrc_actuator "
    "qfrc_smooth qacc_smooth efc_D efc_aref "
    "efc_force qfrc_constraint qacc sensordata"
).split()
STATE = ("qpos", "qvel", "act")
# sizes of buffers, orders decided by a hull or a volume hierarchy, names, paths, and fields whose layout 4.0 changed
UNCOMPARED = set(
    """nbuffer narena signature names_map npaths paths mesh_pathadr nM nC nD nB nJmom mesh_graph mesh_polynormal bvh_aabb\
 bvh_child bvh_depth
    bvh_nodeid nnames_map mesh_polyvert mesh_polyvertadr mesh_polyvertnum mesh_polymap mesh_polymapadr mesh_polymapnum\
 mesh_graphadr nmeshgraph nmeshpoly
    nmeshpolyvert nmeshpolymap mesh_polyadr mesh_polynum ngravcomp mapM2M mapD2M mapM2D nuserdata eq_data body_margin\
 tex_pathadr""".split()
)
STATISTICS = ("meaninertia", "meanmass", "meansize", "extent", "center")
LARGE = 20000
# largest error relative to the largest number of a field; numbers below the floor count as zero
COMPILED, SMOOTH, SOLVED, STEP, FLOOR = 1e-6, 1e-8, 1e-7, 1e-7, 1e-3
# number of runs from perturbed states; perturbation in units in the last place; allowed multiple of the runs' disagreement
RERUNS, ULPS, ALLOWED = 8, 2, 10
# flags with other numbers in 4.0
OVER_MULTICCD, SLEEP, NO_MULTICCD = 16, 32, 1 << 19


def file_of(out, model):
    """Return the path of a model's arrays."""
    return pathlib.Path(out) / (model["id"].replace("/", "__") + ".npz")


def models(folder, only=""):
    """Rows of the list that count."""
    rows = json.loads((pathlib.Path(folder) / "index.json").read_text())
    return [row for row in rows if not LEFT_OUT & set(row["tags"]) and only in row["id"]]


def fields(m):
    """{name: array} of a Model's numbers."""
    found = {}
    for name in dir(m):
        x = getattr(m, name) if not name.startswith("_") else None
        if isinstance(x, (int, float)) or isinstance(x, np.ndarray) and x.size < LARGE:
            found[f"m.{name}"] = np.array(x)
    return found | {f"stat.{name}": np.array(getattr(m.stat, name)) for name in STATISTICS}


def results(mj, m, d):
    """{name: array} after a forward evaluation, then after a step."""
    mj.mj_forward(m, d)
    found = {f"f.{n}": np.array(getattr(d.contact, n[4:]) if n.startswith("con_") else getattr(d, n)) for n in FORWARD}
    mj.mj_step(m, d)
    return found | {f"s.{n}": np.array(getattr(d, n)) for n in STATE}


def start(mj, m):
    """A Data at the first keyframe or qpos0."""
    d = mj.MjData(m)
    if m.nkey:
        mj.mj_resetDataKeyframe(m, d, 0)
    return d


def disagreement(mujoco, m, given, first, rng):
    """{name: largest error of a result} of runs from states that differ in their last digits."""
    found = dict.fromkeys(first, 0.0)
    for _ in range(RERUNS):
        d = start(mujoco, m)
        for n, x in given.items():
            jitter = rng.integers(-ULPS, ULPS + 1, x.shape) if n in ("in.qpos", "in.qvel") else 0
            getattr(d, n[3:])[:] = x + jitter * np.spacing(x)
        for n, x in results(mujoco, m, d).items():
            found[n] = max(found[n], error(x, first[n]))
    return {f"noise.{n}": np.array(x) for n, x in found.items()}


def record(mujoco, folder, out):
    """Write the results of 4.0.1 for all models; models that it refuses have no file."""
    for row in models(folder):
        try:
            m = mujoco.MjModel.from_xml_path(str(pathlib.Path(folder) / row["path"]))
        except ValueError as error:
            print(row["id"], str(error)[:100])
            continue
        d, rng = start(mujoco, m), np.random.default_rng(zlib.crc32(row["id"].encode()))
        speed, q = rng.normal(size=m.nv) * 0.1, np.array(d.qpos)
        mujoco.mj_integratePos(m, q, rng.normal(size=m.nv) * 0.02, 1.0)
        d.qpos[:], d.qvel[:], d.ctrl[:] = q, speed, rng.uniform(-0.5, 0.5, size=m.nu)
        given = {f"in.{n}": np.array(getattr(d, n)) for n in ("qpos", "qvel", "ctrl", "act")}
        flags = {f"opt.{n}": np.array(getattr(m.opt, n)) for n in ("enableflags", "disableflags")}
        first = results(mujoco, m, d)
        noise: Any = disagreement(mujoco, m, given, first, rng)
        np.savez(file_of(out, row), **fields(m), **flags, **given, **first, **noise)


def error(a, b):
    """Largest difference relative to the largest number; inf for different shapes."""
    a, b = np.asarray(a, float).ravel(), np.asarray(b, float).ravel()
    if a.shape != b.shape:
        return np.inf
    gap = np.abs(a - b)
    gap = gap[~(np.isnan(a) & np.isnan(b))]
    return float(gap.max() / max(np.abs(b[np.isfinite(b)]).max(initial=0), FLOOR)) if gap.size else 0.0


def flags_differ(m, kept):
    """Whether options differ, by the meaning of their bits."""
    on, off = m.opt.enableflags, m.opt.disableflags
    later = (on & (OVER_MULTICCD - 1)) | (OVER_MULTICCD if on & SLEEP else 0), off | (0 if on & OVER_MULTICCD else NO_MULTICCD)
    return later != (int(kept["opt.enableflags"]), int(kept["opt.disableflags"]))


def within(name, got, kept, limit, noisy):
    """Whether a result agrees; with `noisy`, as well as the release agrees with itself."""
    allowed = ALLOWED * float(kept.get(f"noise.{name}", 0)) if noisy else 0.0
    return error(got[name], kept[name]) < max(limit, allowed)


def compare_model(tumble, path, kept):
    """(names of compiled fields that differ, first quantity that differs or None, whether the step agrees, whether it does
    to rounding)."""
    m = tumble.MjModel.from_xml_path(str(path), compat="4.0")
    found = fields(m)
    wrong = [k for k in kept if k in found and k[2:] not in UNCOMPARED and not error(found[k], kept[k]) < COMPILED]
    wrong += ["flags"] * flags_differ(m, kept)
    d = start(tumble, m)
    for n in ("qpos", "qvel", "ctrl", "act"):
        getattr(d, n)[:] = kept[f"in.{n}"]
    got = results(tumble, m, d)
    order = [n for n in FORWARD if f"f.{n}" in kept]
    late = order[order.index("efc_force") :] if "efc_force" in order else []
    first = next((n for n in order if not within(f"f.{n}", got, kept, SOLVED if n in late else SMOOTH, True)), None)
    return wrong, first, *(all(within(f"s.{n}", got, kept, STEP, noisy) for n in STATE) for noisy in (True, False))


def compare(tumble, folder, out, only, verbose):
    """Print how many models agree, and the first difference of the others."""
    counts, causes, compiled = collections.Counter(), collections.defaultdict(list), collections.Counter()
    for row in models(folder, only):
        if not file_of(out, row).exists():
            continue
        kept = dict(np.load(file_of(out, row)))
        if "error" in kept:
            continue
        counts["models"] += 1
        try:
            wrong, first, agrees, exactly = compare_model(tumble, pathlib.Path(folder) / row["path"], kept)
        except ValueError as error_here:
            causes[f"refused: {error_here}"[:100]].append(row["id"])
            continue
        compiled.update(wrong)
        counts["fields"] += not wrong
        counts["step"] += agrees
        counts["exact"] += exactly
        if not agrees or verbose and first:
            causes[f"{first}{'' if agrees else ', and the step'}"].append(row["id"])
    n = max(1, counts["models"])
    print(
        f"{n} models: {counts['step']} agree in a step ({counts['step'] / n:.3f}; {counts['exact']} without allowing for "
        f"rounding), {counts['fields']} in compiled fields ({counts['fields'] / n:.3f})"
    )
    print("compiled fields that differ:", dict(compiled.most_common()))
    for cause, ids in sorted(causes.items(), key=lambda item: -len(item[1])):
        print(f"{len(ids):4} {cause}", *ids, sep="\n       ")
