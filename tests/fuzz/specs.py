"""Random programs of edits on specs, run here and on the reference: the same edits are refused, and the compiled models
are equal.

The reference runs in its own process, because edits can crash it. Its faults are listed in
`tests.description.test_reference_faults`: programs leave it out, or `explained` names it.
"""

import os
import pickle

import mujoco
import numpy as np

import tumble
from tests.description.edits import CHILD, PARENT
from tests.tolerance import SOLVE, difference

LISTS = {"body": "bodies", "key": "keys", "equality": "equalities"}
# buffers, and volumes: the reference keeps those of deleted geoms
SKIPPED = (
    "narena",
    "nbuffer",
    "nnames_map",
    "nbvh",
    "nbvhstatic",
    "nbvhdynamic",
    "bvh_",
    "body_bvh",
    "signature",
    "names",
    "paths",
    "oct_",
)
NAMED = ("body", "joint", "geom", "site", "tendon", "actuator", "sensor")


def elements(spec, kind):
    return list(getattr(spec, LISTS.get(kind, kind + "s")))


def pick(spec, kind, k):
    found = elements(spec, kind)
    return found[k % len(found)] if found else None


# ---- edits: each draws its numbers first, so that a program is the same for both packages ------------------------------


def add_body(rng, n):
    k, pos, moves, size = (
        rng.randrange(99),
        [rng.gauss(0, 1) for _ in range(3)],
        rng.choice((None, 2, 3)),
        rng.uniform(0.05, 0.3),
    )

    def run(mj, spec):
        body = pick(spec, "body", k).add_body(name=f"b{n}", pos=pos)
        body.add_geom(name=f"g{n}", size=[size, 0, 0])
        if moves is not None:
            body.add_joint(name=f"j{n}", type=mj.mjtJoint(moves), axis=[0, 1, 0], damping=size)
        return spec

    return run


def add_geom(rng, n):
    k, kind, size = rng.randrange(99), rng.choice((2, 3, 4, 5, 6)), [rng.uniform(0.05, 0.5) for _ in range(3)]

    def run(mj, spec):
        pick(spec, "body", k).add_geom(name=f"g{n}", type=mj.mjtGeom(kind), size=size, euler=[10.0 * n, 20, 30])
        return spec

    return run


def add_site(rng, n):
    k, pos = rng.randrange(99), [rng.gauss(0, 1) for _ in range(3)]

    def run(mj, spec):
        pick(spec, "body", k).add_site(name=f"s{n}", pos=pos)
        return spec

    return run


def add_links(rng, n):
    k, how = rng.randrange(99), rng.randrange(4)

    def run(mj, spec):
        joint, site, one, two = pick(spec, "joint", k), pick(spec, "site", k), pick(spec, "body", k), pick(spec, "body", k + 1)
        if how == 0 and joint is not None and joint.name and int(joint.type) in (2, 3):
            spec.add_actuator(name=f"a{n}", target=joint.name, trntype=mj.mjtTrn.mjTRN_JOINT).set_to_position(kp=3)
        elif how == 1 and site is not None and site.name:
            spec.add_sensor(name=f"x{n}", type=mj.mjtSensor.mjSENS_FRAMEPOS, objtype=mj.mjtObj.mjOBJ_SITE, objname=site.name)
        elif how == 2 and one.name != two.name and one.name and two.name:
            spec.add_equality(
                name=f"e{n}", type=mj.mjtEq.mjEQ_WELD, objtype=mj.mjtObj.mjOBJ_BODY, name1=one.name, name2=two.name
            )
        elif how == 3 and joint is not None and joint.name and int(joint.type) in (2, 3):
            spec.add_tendon(name=f"t{n}").wrap_joint(joint.name, 2.0)
        return spec

    return run


def delete(rng, n):
    kind, k = rng.choice(NAMED), rng.randrange(99)

    def run(mj, spec):
        found = pick(spec, kind, k)
        if found is not None and found.name != "world":
            spec.delete(found)
        return spec

    return run


def rename(rng, n):
    kind, k = rng.choice(NAMED), rng.randrange(99)

    def run(mj, spec):
        found = pick(spec, kind, k)
        if found is not None and found.name != "world":
            found.name = f"r{n}"
        return spec

    return run


def change(rng, n):
    k, value = rng.randrange(99), rng.uniform(0.1, 1)

    def run(mj, spec):
        pick(spec, "geom", k).margin = value
        pick(spec, "body", k).gravcomp = value
        return spec

    return run


def attach(rng, n):
    k, how = rng.randrange(99), rng.randrange(2)

    def run(mj, spec):
        child = mj.MjSpec.from_string(CHILD)
        body = pick(spec, "body", k)
        if how:
            body.add_frame().attach_body(child.body("arm"), f"p{n}_", "")
        else:
            body.attach_frame(child.frame("shift"), f"f{n}_", "")
        return spec

    return run


def copied(rng, n):
    return lambda mj, spec: spec.copy()


EDITS = (add_body, add_body, add_geom, add_site, add_links, add_links, delete, delete, rename, change, attach, copied)


# ---- outcomes of a program ---------------------------------------------------------------------------------------------


def outcome(mj, edits):
    """({field: value}, error): the compiled spec, or the reason why it does not compile."""
    spec = mj.MjSpec.from_string(PARENT)
    log = []
    for run in edits:
        try:
            spec = run(mj, spec)
            log.append("")
        except Exception as error:  # noqa: BLE001
            log.append(str(error))
    try:
        m = spec.compile()
    except ValueError as error:
        return log, None, str(error)
    names = [n for n in dir(m) if n[0] != "_" and not n.startswith(SKIPPED)]
    values = {n: getattr(m, n) for n in names}
    return (
        log,
        {n: np.array(v) for n, v in values.items() if isinstance(v, (np.ndarray, int)) and np.asarray(v).dtype.kind in "iufb"},
        "",
    )


def apart(edits):
    """`outcome` on the reference, in a child; None if it crashed."""
    out, into = os.pipe()
    child = os.fork()
    if child == 0:
        os.close(out)
        with os.fdopen(into, "wb") as file:
            pickle.dump(outcome(mujoco, edits), file)
        os._exit(0)
    os.close(into)
    with os.fdopen(out, "rb") as file:
        raw = file.read()
    os.waitpid(child, 0)
    return pickle.loads(raw) if raw else None  # noqa: S301


def explained(log, theirs) -> bool:
    """Whether the reference is at fault: a step that it made went wrong, or a deletion failed silently and duplicated
    its keys.
    """
    return "QACC" in theirs or "repeated name" in theirs and "in key" in theirs


def specs(rng):
    """Run a program of edits, here and on the reference."""
    edits = [rng.choice(EDITS)(rng, n) for n in range(rng.choice((1, 3, 6, 12, 24)))]
    log, mine, error = outcome(tumble, edits)
    found = apart(edits)
    if found is None:
        raise ValueError("the reference crashes")
    their_log, theirs, their_error = found
    if explained(their_log, their_error):
        raise ValueError(their_error)
    assert [bool(text) for text in log] == [bool(text) for text in their_log], (log, their_log)
    assert (mine is None) == (theirs is None), (error, their_error)
    if mine is None:
        raise ValueError(error)
    lost = {"key_ctrl", "key_act"} if delete_after_attach(edits) else set()
    for name in (mine.keys() & theirs.keys()) - lost:
        assert mine[name].shape == theirs[name].shape, (name, mine[name].shape, theirs[name].shape)
        assert difference(mine[name], theirs[name]) <= SOLVE, name


def delete_after_attach(edits) -> bool:
    """Whether something was deleted after keys were attached with a part of another spec: the reference then forgets
    their controls.
    """
    kinds = [run.__qualname__.partition(".")[0] for run in edits]
    return "attach" in kinds and "delete" in kinds[kinds.index("attach") :]
