"""Random edits of the text of models, each compared with the same edit of the compiled model's spec.

python -m tests.description.rewriting FOLDER EDITS [SEED]     models of a folder, and how many edits of all of them
"""

import os
import shutil
import sys
import tempfile
from collections import Counter
from pathlib import Path

import numpy as np

import tumble as mj
from tumble.engine.description.compile.driver import compile_spec
from tumble.engine.description.language.errors import SpecError
from tumble.engine.description.rewrite import origin, patch, pose
from tumble.engine.tables.schema import SCHEMAS

# of a place or direction in the compiled model, against the motion that was asked for: eight digits are written
WRITTEN = 1e-6
ARRAYS = tuple(f.name for f in SCHEMAS["MjModel"].arrays)
# kind: (attribute, field of the spec's element, how many numbers, least, largest)
ATTRIBUTES = {
    "geom": (
        ("rgba", "rgba", 4, 0, 1),
        ("friction", "friction", 3, 0.1, 2),
        ("margin", "margin", 1, 0, 0.1),
        ("solimp", "solimp", 5, 0.1, 0.9),
    ),
    "joint": (("damping", "damping", 1, 0, 5), ("armature", "armature", 1, 0, 1), ("frictionloss", "frictionloss", 1, 0, 1)),
    "site": (("rgba", "rgba", 4, 0, 1), ("size", "size", 3, 0.01, 0.1)),
    "camera": (("fovy", "fovy", 1, 20, 80), ("ipd", "ipd", 1, 0.01, 0.1)),
    "light": (("diffuse", "diffuse", 3, 0, 1), ("specular", "specular", 3, 0, 1)),
    "body": (("gravcomp", "gravcomp", 1, 0, 1),),
    "actuator": (("ctrlrange", "ctrlrange", 2, 0, 1), ("gear", "gear", 6, 0, 1)),
    "material": (("rgba", "rgba", 4, 0, 1), ("shininess", "shininess", 1, 0, 1)),
}
POSES = {
    "geom": ("geom_pos", "geom_quat", "geom_bodyid"),
    "site": ("site_pos", "site_quat", "site_bodyid"),
    "camera": ("cam_pos", "cam_quat", "cam_bodyid"),
    "body": ("body_pos", "body_quat", "body_parentid"),
}
ARROWS = {"joint": ("jnt_pos", "jnt_axis", "jnt_bodyid"), "light": ("light_pos", "light_dir", "light_bodyid")}
TURNS = ("quat", "axisangle", "xyaxes", "zaxis", "euler")


class Text:
    """A model whose files are edited."""

    def __init__(self, path):
        self.path = str(path)
        self.compile()

    def compile(self):
        """The model of the files as they are now."""
        self.m = mj.MjModel.from_xml_path(self.path)


def number(rng, low, high, digits=3):
    return round(float(rng.uniform(low, high)), digits)


def element_edit(rng, text, kind, where):
    """(changes of attributes, the same for the spec)."""
    name, field, count, low, high = ATTRIBUTES[kind][rng.integers(len(ATTRIBUTES[kind]))]
    if name not in where.elem.attrs:
        raise SpecError("has no such attribute")
    values = [number(rng, low, high) for _ in range(count)]
    if name == "ctrlrange":
        values = sorted(values)
    return {name: " ".join(map(str, values))}, {field: values if count > 1 else values[0]}


def gizmo_edit(rng, text, kind, index, where):
    """(changes of attributes, the same for the spec, check of the compiled model)."""
    m = text.m
    spec = m.storage.spec
    row = (POSES | ARROWS)[kind]
    carrier = next(b for b in spec.all_bodies() if b.index == int(getattr(m, row[2])[index]))
    turn = rng.normal(size=4) if rng.random() < 0.6 else np.array((1.0, 0, 0, 0))
    move = (
        (tuple(rng.uniform(-0.2, 0.2, 3).tolist()) if rng.random() < 0.8 else (0.0,) * 3),
        tuple((turn / np.linalg.norm(turn)).tolist()),
    )
    changes = pose.moved(where, carrier, move)
    before, second = np.array(getattr(m, row[0])[index]), np.array(getattr(m, row[1])[index])
    roll = kind in ("geom", "site") and "fromto" in changes and changes["fromto"]

    def check(new):
        close(getattr(new, row[0])[index], rotate(move[1], before) + move[0], row[0])
        if kind == "joint" and m.jnt_type[index] == mj.mjtJoint.mjJNT_BALL:
            return
        if kind in ARROWS:
            close(getattr(new, row[1])[index], rotate(move[1], second), row[1])
            return
        wanted, found = np.zeros(4), np.array(getattr(new, row[1])[index])
        mj.mju_mulQuat(wanted, np.array(move[1]), second)
        if roll:
            # shapes that are round about their length
            close(axis(found), axis(wanted), "axis")
        else:
            close(found * np.sign(found @ wanted), wanted, row[1])

    return changes, spoken(changes), check


def rotate(quat, v):
    out = np.zeros(3)
    mj.mju_rotVecQuat(out, np.array(v, float), np.array(quat, float))
    return out


def axis(quat):
    return rotate(quat / np.linalg.norm(quat), (0, 0, 1))


def close(a, b, what):
    gap = float(np.abs(np.asarray(a) - b).max()) / max(1.0, float(np.abs(b).max()))
    assert gap <= WRITTEN, f"{what}: {a} is not {b}"


def spoken(changes):
    """The fields of a spec's element that attributes of poses and sizes stand for."""
    fields = {}
    if any(name in TURNS and value is not None for name, value in changes.items()):
        # another form in place of what was there
        fields["alt.axisangle"] = [np.nan] * 4
    for name, value in changes.items():
        if value is None:
            if name == "fromto":
                fields["fromto"] = [np.nan] * 6
            continue
        numbers = [float(x) for x in value.split()]
        if name in TURNS[1:]:
            fields.pop("alt.axisangle")
            fields[f"alt.{name}"] = numbers
        else:
            fields[name] = numbers
    return fields


def set_fields(element, fields):
    """Write numbers into fields of an element of a spec; shorter lists leave the rest."""
    for name, value in fields.items():
        owner, _, last = name.rpartition(".")
        owner = getattr(element, owner) if owner else element
        if name.startswith("alt.") and np.isnan(value[0]):
            element.raw["alt"] = (0, ())
        elif isinstance(value, list):
            array = np.array(getattr(owner, last), float)
            array[: len(value)] = value
            setattr(owner, last, array)
        elif np.shape(getattr(owner, last)):
            array = np.array(getattr(owner, last), float)
            array[0] = value
            setattr(owner, last, array)
        else:
            setattr(owner, last, value)


def same_models(a, b):
    """All fields of two models are equal to the bit."""
    for name in ARRAYS:
        x, y = np.asarray(getattr(a, name)), np.asarray(getattr(b, name))
        assert x.shape == y.shape and np.array_equal(x, y, equal_nan=x.dtype.kind == "f"), f"{name} differs"


def one_edit(rng, text):
    """One random edit: what was edited; a reason in parentheses where nothing could be."""
    m = text.m
    gizmo = rng.random() < 0.5
    counts = {
        "geom": m.ngeom,
        "joint": m.njnt,
        "site": m.nsite,
        "camera": m.ncam,
        "light": m.nlight,
        "body": m.nbody,
        "actuator": m.nu,
        "material": m.nmat,
    }
    kinds = [kind for kind, n in counts.items() if n > (kind == "body") and (not gizmo or kind in POSES or kind in ARROWS)]
    kind = kinds[rng.integers(len(kinds))]
    index = int(rng.integers(kind == "body", counts[kind]))
    check = None
    try:
        where = origin.origin_of(m, kind, index)
        if gizmo and kind in ("geom", "site") and rng.random() < 0.3:
            changes = pose.scaled(where, tuple(number(rng, 0.8, 1.3) for _ in range(3)))
            fields = spoken(changes)
        elif gizmo:
            changes, fields, check = gizmo_edit(rng, text, kind, index, where)
        else:
            changes, fields = element_edit(rng, text, kind, where)
    except SpecError as error:
        return f"({str(error)[-60:]})"
    # the same edit of the spec, for all elements that the text stands for
    for element in m.storage.spec.items(kind):
        if element.index in where.ids:
            set_fields(element, fields)
    # what the compiler refuses, it refuses both times
    try:
        wanted, refused = compile_spec(m.storage.spec), ""
    except ValueError as error:
        wanted, refused = None, str(error)
    old, tag = origin.source_of(where)
    patches = patch.set_attributes(old, tag, changes)
    new = patch.apply(old, patches)
    assert patch.apply(new, patch.reverse(patches)) == old, "taking back gives another text"
    # nothing but this tag changed
    rest = len(old) - tag.inside
    assert new[: tag.begin] == old[: tag.begin] and new[len(new) - rest :] == old[tag.inside :], "other text changed"
    assert new[tag.begin : len(new) - rest].count(b"\n") <= old[tag.begin : tag.inside].count(b"\n")
    Path(where.file).write_bytes(new)
    try:
        text.compile()
        assert wanted is not None, f"only the edited model is refused: {refused}"
    except ValueError as error:
        assert wanted is None, f"only the text is refused: {error}"
        Path(where.file).write_bytes(old)
        text.compile()
        return f"(refused: {refused[-50:]})"
    same_models(text.m, wanted)
    if check is not None and changes:
        check(text.m)
    return f"{'gizmo' if gizmo else 'element'} {kind} {' '.join(changes)}"


def run(paths, edits, seed=0, tell=None):
    """Random edits of files, one after the other, as many of each model: what was done how often, and what failed."""
    done, failed = Counter(), []
    rng = np.random.default_rng(seed)
    share = -(-edits // max(1, len(paths)))
    for path in paths:
        text = Text(path)
        made = tries = 0
        while made < share and tries < 4 * share:
            tries += 1
            try:
                what = one_edit(rng, text)
            except AssertionError as error:
                failed.append((str(path), str(error)[:300]))
                break
            done[what] += 1
            made += what[:1] != "("
        if tell:
            tell(f"{path}: {made} edits")
    return done, failed


def main():
    edits, seed = int(sys.argv[2]), int(sys.argv[3]) if len(sys.argv) > 3 else 0
    with tempfile.TemporaryDirectory() as scratch:
        # the files are written to
        folder = shutil.copytree(sys.argv[1], Path(scratch) / "models")
        over(folder, edits, seed)


def over(folder, edits, seed):
    """Edits of up to 60 models of a folder that may be written to."""
    paths = []
    for path in sorted(folder.rglob("*.xml")):
        try:
            if Text(path).m.nbody > 1:
                paths.append(path)
        except (ValueError, OSError) as error:
            print(f"not loaded: {path}: {str(error)[:80]}")
    paths = [paths[i] for i in np.linspace(0, len(paths) - 1, min(60, len(paths))).astype(int)]
    done, failed = run(paths, edits, seed, lambda line: print(line, flush=True))
    for what, count in done.most_common():
        print(f"{count:6d}  {what}")
    made = sum(count for what, count in done.items() if what[:1] != "(")
    print(f"{made} edits of {len(paths)} models, {len(failed)} failures")
    for path, error in failed:
        print(os.path.basename(path), error)


if __name__ == "__main__":
    main()
