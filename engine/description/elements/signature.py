"""Signatures: hashes of a spec's structure. They tell whether a model was compiled from the current state of the spec.

The hashed text lists the elements in the order of the compiled model, as MuJoCo does: the tree of bodies with their
elements, then everything else. Field values do not count, except for joint widths and sensor types.
"""

import functools
from collections.abc import Iterable, Sequence
from typing import Any

from ..language.hashes import MASK, hash_of
from ..language.types import JOINT_NQ

# elements on a body: (type, tag in the hashed text)
ON_BODY = (("geom", "geom"), ("site", "site"), ("camera", "camera"), ("light", "light"))
# elements outside the tree: (type, tag, number of leading elements that are not counted)
OUTSIDE = (
    ("flex", "flex", 0),
    ("mesh", "mesh", 0),
    ("skin", "skin", 0),
    ("hfield", "heightfield", 0),
    ("texture", "texture", 0),
    ("material", "material", 0),
    ("pair", "pair", 0),
    ("exclude", "exclude", 0),
    ("equality", "equality", 1),
    ("tendon", "tendon", 0),
    ("actuator", "actuator", 0),
)
INDENT = 1024


# cached, because models with the same structure but different numbers are often made in sequence
@functools.lru_cache(16)
def hash_text(text: str) -> int:
    """Return the hash of an ASCII text, modulo the largest 64-bit number."""
    return hash_of(text.encode()) % MASK


@functools.lru_cache(1024)
def _body(depth: int, joints: Sequence[int], counts: Sequence[int]) -> str:
    """Return the opening tag of a body and the lines of its elements: the given joint types, and `counts` of the other
    types."""
    outer, inner = " " * min(2 * depth, INDENT), " " * min(2 * depth + 2, INDENT)
    parts = [outer, "<body>\n"]
    parts += [f"{inner}<joint>{JOINT_NQ[j]}</joint>\n" for j in joints]
    for (_, element), n in zip(ON_BODY, counts):
        parts.append(f"{inner}<{element}/>\n" * n)
    return "".join(parts)


@functools.lru_cache(1024)
def _close(depth: int) -> str:
    return " " * min(2 * depth, INDENT) + "</body>\n"


def of_tables(c: Any) -> int:
    """Return the signature of a compilation's tables, after static bodies were merged and visual elements discarded if
    requested."""
    n = c.body.n

    # collect the elements of each body
    joints, counts = [[] for _ in range(n)], [[0] * len(ON_BODY) for _ in range(n)]
    for b, kind in zip(c.joint.body.tolist(), c.joint.type.tolist()) if c.joint.n else ():
        joints[b].append(kind)
    for k, (kind, _) in enumerate(ON_BODY):
        table = getattr(c, kind)
        for b in table.body.tolist() if table.n else ():
            counts[b][k] += 1

    # visit the bodies in depth-first order, and close the tags of bodies that are complete
    parent, depth = c.body.parent.tolist(), [0] * n
    lines, waiting = ["\n"], []
    for i in range(n):
        depth[i] = depth[parent[i]] + 1 if i else 0
        while waiting and waiting[-1] >= depth[i]:
            lines.append(_close(waiting.pop()))
        lines.append(_body(depth[i], tuple(joints[i]), tuple(counts[i])))
        waiting.append(depth[i])
    lines += [_close(d) for d in reversed(waiting)]

    return _finish(
        lines, {kind: getattr(c, kind).n for kind, *_ in OUTSIDE}, c.sensor.type.tolist() if c.sensor.n else [], c.key.n
    )


def of_spec(spec: Any) -> int:
    """Return the signature of a spec in its current state."""

    # an entry (None, depth) of the list means the closing tag of the body at that depth
    lines, todo = ["\n"], [(spec.worldbody, 0)]
    while todo:
        body, depth = todo.pop()
        if body is None:
            lines.append(_close(depth))
            continue
        lines.append(
            _body(
                depth,
                tuple([j.raw["type"] for j in body.parts["joint"]]),
                tuple([len(body.parts[kind]) for kind, _ in ON_BODY]),
            )
        )

        todo.append((None, depth))
        todo += [(b, depth + 1) for b in reversed(body.parts["body"])]
    return _finish(
        lines,
        {kind: len(spec.parts[kind]) for kind, *_ in OUTSIDE},
        [s.raw["type"] for s in spec.parts["sensor"]],
        len(spec.parts["key"]),
    )


def _finish(lines: list[str], counts: dict[str, int], sensors: Iterable[int], keys: int) -> int:
    lines += [f"<{element}/>\n" * (counts[kind] - skipped) for kind, element, skipped in OUTSIDE if counts[kind] > skipped]
    lines += [f"<sensor>{kind}<sensor/>\n" for kind in sensors]
    lines.append("<key/>\n" * keys)
    return hash_text("".join(lines))
