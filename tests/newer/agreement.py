"""Counts models of others that agree with 4.0.1: in compiled fields, and in one step from a disturbed state.

    PYTHON40 tests/newer/record_agreement.py FOLDER OUT       # with the Python of an environment that has mujoco-core==4.0.1
    python -m tests.newer.compare_agreement FOLDER OUT        # [--only TEXT] [--verbose]

FOLDER has index.json: a list of {"id", "path", "tags"}; models with flexes, skins or plugins are left out. OUT gets a file of
arrays for each model.
What differs is listed by its first field in the order of the pipeline.
"""

import collections
import json
import pathlib
import zlib

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
# sizes of buffers, orders that a hull or a tree of volumes decides, names, paths, and fields whose layout 4.0 changed
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
# largest error over the largest number of a field; numbers below the floor count as none
COMPILED, SMOOTH, SOLVED, STEP, FLOOR = 1e-6, 1e-8, 1e-7, 1e-7, 1e-3
# flags that 4.0 numbers otherwise
OVER_MULTICCD, SLEEP, NO_MULTICCD = 16, 32, 1 << 19


def file_of(out, model):
    """Where a model's arrays are kept."""
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


def record(mujoco, folder, out):
    """Write what 4.0.1 makes of all models; those that it refuses have no file."""
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
        np.savez(file_of(out, row), **fields(m), **flags, **given, **results(mujoco, m, d))


def error(a, b):
    """Largest difference over the largest number; inf for other shapes."""
    a, b = np.asarray(a, float).ravel(), np.asarray(b, float).ravel()
    if a.shape != b.shape:
        return np.inf
    gap = np.abs(a - b)
    gap = gap[~(np.isnan(a) & np.isnan(b))]
    return float(gap.max() / max(np.abs(b[np.isfinite(b)]).max(initial=0), FLOOR)) if gap.size else 0.0


def flags_differ(m, kept):
    """Whether options are switched otherwise, by what the bits mean."""
    on, off = m.opt.enableflags, m.opt.disableflags
    later = (on & (OVER_MULTICCD - 1)) | (OVER_MULTICCD if on & SLEEP else 0), off | (0 if on & OVER_MULTICCD else NO_MULTICCD)
    return later != (int(kept["opt.enableflags"]), int(kept["opt.disableflags"]))


def compare_model(tumble, path, kept):
    """(names of compiled fields that differ, first quantity that differs or None, whether the step agrees)."""
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
    first = next((n for n in order if not error(got[f"f.{n}"], kept[f"f.{n}"]) < (SOLVED if n in late else SMOOTH)), None)
    return wrong, first, all(error(got[f"s.{n}"], kept[f"s.{n}"]) < STEP for n in STATE)


def compare(tumble, folder, out, only, verbose):
    """Print how many models agree, and what differs first in the others."""
    counts, causes, compiled = collections.Counter(), collections.defaultdict(list), collections.Counter()
    for row in models(folder, only):
        if not file_of(out, row).exists():
            continue
        kept = dict(np.load(file_of(out, row)))
        if "error" in kept:
            continue
        counts["models"] += 1
        try:
            wrong, first, agrees = compare_model(tumble, pathlib.Path(folder) / row["path"], kept)
        except ValueError as error_here:
            causes[f"refused: {error_here}"[:100]].append(row["id"])
            continue
        compiled.update(wrong)
        counts["fields"] += not wrong
        counts["step"] += agrees
        if not agrees or verbose and first:
            causes[f"{first}{'' if agrees else ', and the step'}"].append(row["id"])
    n = max(1, counts["models"])
    print(
        f"{n} models: {counts['step']} agree in a step ({counts['step'] / n:.3f}), {counts['fields']} in compiled "
        f"fields ({counts['fields'] / n:.3f})"
    )
    print("compiled fields that differ:", dict(compiled.most_common()))
    for cause, ids in sorted(causes.items(), key=lambda item: -len(item[1])):
        print(f"{len(ids):4} {cause}", *ids, sep="\n       ")
