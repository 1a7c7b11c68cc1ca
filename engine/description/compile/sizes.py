"""Sizes of the Model, and checks that memory suffices.

reads  actuator: ctrlnum outnum trnid; body: tree; joint: nq nv plasticnum; numeric: length;
       tendon: plasticnum wrap; tuple: objid
"""

from collections.abc import Callable

import numpy as np

from ...core.arena import default_bytes, least_bytes
from ...core.data import NO_CAPACITY, MjData
from ...core.model import MjModel
from ...tables.enums import mjtIntegrator
from ...tables.equality_rows import BY_NUMBER
from ...tables.schema import MODEL_SIZES
from ..elements.spec import MjSpec, setting
from ..language.arrays import among
from ..language.errors import SpecError
from ..language.hashes import LOAD
from ..language.types import TRN_JOINT, TRN_JOINTINPARENT
from .name_buffers import NAMED, SHORT
from .resolve import Compilation

# sizes of a model that has no elements
NONE = dict.fromkeys(MODEL_SIZES, 0)
# {size: type of element that the size counts}
COUNTS = tuple(("n" + SHORT.get(kind, kind), kind) for kind in NAMED)
# (size, type of element, number of items in each element of the type)
CONTENTS: tuple[tuple[str, str, Callable], ...] = (
    ("na", "actuator", lambda c: c.actuator.actdim.tolist()),
    ("nu", "actuator", lambda c: c.actuator.ctrlnum.tolist()),
    ("nout", "actuator", lambda c: c.actuator.outnum.tolist()),
    ("nhfielddata", "hfield", lambda c: map(len, c.hfield_data)),
    ("ntexdata", "texture", lambda c: [len(t.data) for t in c.textures]),
    ("nwrap", "tendon", lambda c: map(len, c.tendon.wrap)),
    ("nsensordata", "sensor", lambda c: c.sensor.dim.tolist()),
    ("nnumericdata", "numeric", lambda c: c.numeric.length),
    ("ntextdata", "text", lambda c: [len(t.encode()) + 1 for t in c.text.data]),
    ("ntupledata", "tuple", lambda c: map(len, c.tuple.objid)),
    ("npluginattr", "plugin", lambda c: map(len, c.plugin_attr)),
    ("nemax", "equality", lambda c: [BY_NUMBER[t].rows for t in c.equality.type.tolist()]),
)
NARENA = MODEL_SIZES.index("narena")
RK4 = int(mjtIntegrator.mjINT_RK4)
# upper limits, in bytes: for a Model or Data, and for MuJoCo's arena
MAX_BYTES, MAX_ARENA = 1 << 32, 1 << 46


def sizes(c: Compilation) -> list[int]:
    """Return the sizes of the Model, in the schema's order."""
    s = NONE.copy()
    for size, kind in COUNTS:
        if kind in c.filled:
            s[size] = getattr(c, kind).n

    for short, width in c.nuser.items():
        s["nuser_" + short] = width
    if c.joint.n:
        s["nq"] = sum(c.joint.nq.tolist())
    s["nv"] = c.nv
    s["ntree"] = c.ntree
    s["nmocap"] = int(np.count_nonzero(c.body.mocap))
    s["nM"], s["nC"], s["nB"] = c.nM, c.nC, c.nB

    # each off-diagonal element of M is in two rows of D
    s["nD"] = 2 * c.nM - c.nv

    # sizes of the contents of assets and elements
    _bvh_sizes(c, s)
    for group in (c.mesh_pack, c.flex_pack, c.skin_pack):
        s.update(group["sizes"])
    for size, kind, count in CONTENTS:
        if kind in c.filled and getattr(c, kind).n:
            s[size] = sum(count(c))

    s["nnames"] = len(c.names_buffer)
    s["npaths"] = max(1, len(c.paths_buffer))
    s["nnames_map"] = LOAD * (len(c.name_adr) - 1)
    s["nuserdata"], s["njmax"], s["nconmax"] = (c.spec.raw[n] for n in ("nuserdata", "njmax", "nconmax"))
    s["nJmom"] = _moment_size(c)
    s["ngravcomp"] = int(np.count_nonzero(c.body.gravcomp > 0)) if c.body.given("gravcomp") else 0
    s["nplastic"] = sum([sum(table.plasticnum.tolist()) for table in (c.joint, c.tendon) if table.n])
    s["npluginstate"] = sum(c.plugin_state) + c.histories.numbers + s["nplastic"]
    s["narena"] = arena_bytes(c.spec, s)
    return list(s.values())


def _bvh_sizes(c: Compilation, s: dict[str, int]) -> None:
    body = sum([len(t.nodeid) for t in c.body.tree if t is not None])
    mesh = sum([len(m.tree.nodeid) for m in c.meshes if m.tree is not None])
    s["nbvhstatic"] = body + mesh + c.surplus_nodes
    s["nbvhdynamic"] = sum([len(f.tree.nodeid) for f in c.flexes if f.tree is not None])
    s["nbvh"] = s["nbvhstatic"] + s["nbvhdynamic"]
    s["noct"] = sum([len(m.octree) for m in c.meshes if m.octree is not None])


def _moment_size(c: Compilation) -> int:
    """Return an upper bound of the number of nonzeros in the actuator moments."""
    a = c.actuator
    if not a.n:
        return 0
    on_joint = among(a.trntype, (TRN_JOINT, TRN_JOINTINPARENT))
    others = int(a.outnum.sum()) - int(a.outnum[on_joint].sum())
    return int(c.joint.nv[a.trnid[on_joint, 0]].sum()) + others * c.nv


def arena_bytes(spec: MjSpec, s: dict[str, int]) -> int:
    """Return the size of MuJoCo's arena: as given, or as MuJoCo estimates it."""
    if spec.raw["memory"] == -1:
        return default_bytes(s.__getitem__, spec.raw["nstack"])
    least = least_bytes(s.__getitem__, setting(spec, "option").integrator == RK4)
    if spec.raw["memory"] < least:
        raise SpecError(
            f"engine error: mj_stackAlloc: out of memory, stack overflow\n"
            f"  max = {spec.raw['memory']} (the memory of the size element), "
            f"requested = {least} by a step"
        )
    return spec.raw["memory"]


def check_room(sizes: list[int]) -> None:
    """Raise SpecError if a Model with these sizes (in the schema's order) or its Data is too large; the error names the largest
    array.
    """
    if sizes[NARENA] > MAX_ARENA:
        raise SpecError(f"{sizes[NARENA]} bytes of memory are more than can be addressed")
    # the sizes of a Data are those of its Model, followed by its own
    for cls, mine in ((MjModel, sizes), (MjData, [*sizes, *NO_CAPACITY])):
        count = cls.plan.bytes(mine)
        if count > MAX_BYTES:
            worst, most = cls.plan.largest(mine)
            raise SpecError(
                f"{cls.__name__} would take {count / 2**30:.3g} GiB, {most / 2**30:.3g} of them for "
                f"'{worst}'; the limit is {MAX_BYTES / 2**30:.3g} GiB"
            )
