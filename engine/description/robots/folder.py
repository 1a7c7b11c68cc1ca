"""Saves an imported robot as a folder of clean MJCF: readable XML, meshes and textures, a keyframe, and the report.

NAME/  NAME.xml  report.md  assets/*.stl, *.obj, *.png
"""

import os
import re
from collections.abc import Callable
from typing import Any

import numpy as np

from ...tables.enums import mjtEq
from ..compile.driver import compile_spec
from ..elements.edit import copy_spec
from ..elements.spec import MjSpec
from ..language.free_names import free_name
from ..language.types import HINGE, SLIDE
from ..language.xml_text import singles
from ..write.mjcf import write_mjcf
from .shapes import COLLISION_GROUP, VISUAL_GROUP

ASSETS = "assets"
VISUAL, COLLISION, HOME = "visual", "collision", "home"
# Maximum number of faces in an STL file that MuJoCo reads.
MOST_STL = 200000
_BAD = re.compile(r"[^\w.-]+")
_BODY = re.compile(r'^( *)<body name="([^"]*)"', re.MULTILINE)
COUPLES = int(mjtEq.mjEQ_JOINT)


def safe_name(name: str, taken: set[str]) -> str:
    """Return a file name without problematic characters that differs from names already taken, ignoring case."""
    base = _BAD.sub("_", name).strip("._") or "mesh"
    new = free_name(base, lambda name: name.lower() in taken)
    taken.add(new.lower())
    return new


def write_folder(spec: MjSpec, folder: str, name: str = "", write: Callable[[str, bytes], None] | None = None) -> str:
    """Write an imported spec to a folder, which is created; return the path of its XML. `write(path, data)` writes a file."""
    write = write or plain_write
    out = copy_spec(spec)
    out.import_report = spec.import_report
    name = _BAD.sub("_", name or spec.modelname).strip("._") or "robot"
    os.makedirs(os.path.join(folder, ASSETS), exist_ok=True)
    m = compile_spec(out)
    if m.nq and not out.parts["key"]:
        out.add("key").set(name=HOME, qpos=home_of(out, m))
    files = _meshes(out) | _textures(out)
    for file, data in files.items():
        write(os.path.join(folder, ASSETS, file), data)
    _classes(out)
    out.assets.clear()
    out.assets.update({f"{ASSETS}/{file}": data for file, data in files.items()})
    out.compiler.raw.update(meshdir=ASSETS, texturedir=ASSETS)
    out.modelfiledir = ""
    path = os.path.join(folder, f"{name}.xml")
    write(path, commented(write_mjcf(out), spec).encode(errors="replace"))
    if spec.import_report is not None:
        write(os.path.join(folder, "report.md"), spec.import_report.markdown().encode(errors="replace"))
    return path


def plain_write(path: str, data: bytes) -> None:
    """Write a file."""
    with open(path, "wb") as file:
        file.write(data)


def home_of(spec: MjSpec, m: Any) -> np.ndarray:
    """Return the positions for a keyframe: the reference pose, moved into the limits, with mimic joints following."""
    qpos, at = np.array(m.qpos0), {}
    for k, joint in enumerate(spec.items("joint")):
        at[joint.label] = address = int(m.jnt_qposadr[k])
        if m.jnt_limited[k] and m.jnt_type[k] in (HINGE, SLIDE):
            qpos[address] = np.clip(qpos[address], *m.jnt_range[k])
    for e in spec.parts["equality"]:
        one, two = e.raw["name1"], e.raw["name2"]
        if e.raw["type"] == COUPLES and one in at:
            # in an equality, joint positions are relative to the reference positions of both joints
            lead = qpos[at[two]] - m.qpos0[at[two]] if two in at else 0.0
            qpos[at[one]] = m.qpos0[at[one]] + e.raw["data"][0] + e.raw["data"][1] * lead
    return qpos


def _meshes(spec: MjSpec) -> dict[str, bytes]:
    """Return {file: contents} for meshes stored in the spec, and make the spec refer to these files."""
    files, taken = {}, set()
    for mesh in spec.parts["mesh"]:
        raw = mesh.raw
        if raw["file"] or not len(raw["uservert"]):
            continue
        textured = len(raw["usertexcoord"]) > 0
        kind = ".obj" if textured or len(raw["userface"]) // 3 > MOST_STL else ".stl"
        file = safe_name(mesh.label, taken) + kind
        files[file] = obj_of(raw) if kind == ".obj" else stl_of(raw)
        raw["file"] = file
        for field in ("uservert", "userface", "usernormal", "usertexcoord", "userfacenormal", "userfacetexcoord"):
            raw[field] = ()
    return files


def stl_of(raw: Any) -> bytes:
    """Return a binary STL of a mesh's arrays."""
    corners = np.asarray(raw["uservert"], np.float32).reshape(-1, 3)[np.asarray(raw["userface"]).reshape(-1, 3)]
    normal = np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0])
    length = np.linalg.norm(normal, axis=1, keepdims=True)
    rows = np.zeros(len(corners), [("normal", "<f4", 3), ("corners", "<f4", (3, 3)), ("more", "<u2")])
    rows["normal"] = np.divide(normal, length, out=np.zeros_like(normal), where=length > 0)
    rows["corners"] = corners
    return b"".ljust(80, b" ") + len(corners).to_bytes(4, "little") + rows.tobytes()


def obj_of(raw: Any) -> bytes:
    """Return the text of an OBJ file with a mesh's arrays; its numbers read back exactly."""
    lines = [f"v {x!r} {y!r} {z!r}" for x, y, z in singles(raw["uservert"]).reshape(-1, 3).tolist()]
    face = (np.asarray(raw["userface"]).reshape(-1, 3) + 1).tolist()
    coords = np.array(raw["usertexcoord"], np.float32).reshape(-1, 2)
    if len(coords):
        lines += [
            f"vt {u!r} {v!r}" for u, v in zip(singles(coords[:, 0]).tolist(), singles(np.float32(1) - coords[:, 1]).tolist())
        ]
        corners = (np.asarray(raw["userfacetexcoord"]).reshape(-1, 3) + 1).tolist()
        lines += [f"f {a}/{i} {b}/{j} {c}/{k}" for (a, b, c), (i, j, k) in zip(face, corners)]
    else:
        lines += [f"f {a} {b} {c}" for a, b, c in face]
    return ("\n".join(lines) + "\n").encode()


def _textures(spec: MjSpec) -> dict[str, bytes]:
    """Return {file: contents} for textures stored in the spec."""
    files = {}
    for texture in spec.parts["texture"]:
        file = texture.raw["file"]
        if file in spec.assets:
            files[file] = spec.assets[file]
    return files


def _classes(spec: MjSpec) -> None:
    """Add default classes for visual and collision geoms."""
    visual, collision = spec.add_default(VISUAL), spec.add_default(COLLISION)
    if visual is None or collision is None:
        return
    visual.own("geom").raw.update(contype=0, conaffinity=0, group=VISUAL_GROUP)
    collision.own("geom").raw.update(group=COLLISION_GROUP)
    for geom in spec.items("geom"):
        raw = geom.raw
        if raw["group"] == VISUAL_GROUP and not raw["contype"] and not raw["conaffinity"]:
            geom.default = visual
        elif raw["group"] == COLLISION_GROUP:
            geom.default = collision


def commented(text: str, spec: MjSpec) -> str:
    """Return the text with a comment above each body that names its line in the source file."""
    places = {b.label: b.place for b in spec.items("body") if getattr(b.place, "line", 0)}

    def comment(found: re.Match[str]) -> str:
        place = places.get(found[2])
        if place is None:
            return found[0]
        file = os.path.basename(place.file).replace("--", "- -")
        return f"{found[1]}<!-- {file}:{place.line} -->\n{found[0]}"

    return _BODY.sub(comment, text)
