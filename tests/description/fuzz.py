"""Mutations of models: a sound text in, a damaged one out, chosen by a seeded generator.

Two levels: the tree (elements dropped, doubled, swapped, moved, renamed; attributes garbled, removed, taken from
elsewhere) and the text (truncated, bytes changed, parts repeated). Numbers become huge, tiny, negative, NaN, empty or too
many.
"""

import random
import xml.etree.ElementTree as ET
from copy import deepcopy

# sound models with features that the small models of `models` lack
EXTRA = {
    "cloth": """<mujoco><worldbody><flexcomp name="f" type="grid" count="3 3 1" spacing=".1 .1 .1" dim="2" mass="1"
    radius=".01">
      <edge equality="true" damping=".1"/><contact selfcollide="none"/><pin id="0 2"/></flexcomp>
        <geom type="plane" size="1 1 .1" pos="0 0 -.3"/></worldbody></mujoco>""",
    "solid": """<mujoco><worldbody><flexcomp name="s" type="box" count="3 3 3" spacing=".1 .1 .1" dim="3" mass="1" radius=".01"
    rgba="1 0 0 1">
      <elasticity young="1e3" poisson=".2" damping=".01"/></flexcomp></worldbody></mujoco>""",
    "skin": """<mujoco><asset/><worldbody><body name="a"><joint/><geom size=".1"/></body><body name="b"><joint/>
    <geom size=".1"/></body></worldbody>
      <deformable><skin name="k" vertex="0 0 0 1 0 0 0 1 0" face="0 1 2">
        <bone body="a" bindpos="0 0 0" bindquat="1 0 0 0" vertid="0 1" vertweight="1 .5"/>
      <bone body="b" bindpos="1 0 0" bindquat="1 0 0 0" vertid="1 2" vertweight=".5 1"/></skin></deformable></mujoco>""",
    "muscle": """<mujoco><compiler autolimits="true"><lengthrange mode="muscle" interval="1" inttotal="3" timestep=".01"/>
    </compiler><worldbody>
      <site name="o" pos="0 0 .3"/><body name="arm"><joint name="elbow" axis="0 1 0" range="0 90"/>
        <geom name="bone" type="capsule" fromto="0 0 0 .3 0 0" size=".02"/>
      <geom name="wrap" type="cylinder" size=".04 .1" zaxis="0 1 0" contype="0"/><site name="side" pos="0 0 .1"/>
        <site name="i" pos=".2 0 .02"/></body></worldbody>
      <tendon><spatial name="t" limited="true" range="0 1" width=".01"><site site="o"/><geom geom="wrap" sidesite="side"/>
        <site site="i"/></spatial></tendon>
      <actuator><muscle tendon="t" name="m" ctrllimited="true" ctrlrange="0 1" timeconst=".01 .04" force="100"/></actuator>
      <sensor><actuatorfrc actuator="m"/><tendonvel tendon="t"/><rangefinder site="i"/>
        <contact geom1="bone" num="2" data="found force"/></sensor></mujoco>""",
    "pile": """<mujoco><size memory="2M" nuser_body="2"/><option solver="PGS" cone="elliptic" noslip_iterations="3"
    iterations="20"/><visual><map znear=".02"/>
      <global offwidth="320"/></visual><statistic extent="2" center="0 0 1"/><worldbody><geom type="plane" size="0 0 1"/>
        <body pos="0 0 .1" user="1 2"><freejoint/>
      <geom type="box" size=".1 .1 .1" condim="6" friction="1 .1 .01" solref=".01 1" priority="1"/></body>
        <body pos="0 0 .29" gravcomp=".5"><freejoint/><geom type="ellipsoid"
      size=".1 .1 .2" fluidshape="ellipsoid" margin=".01" gap=".005"/></body><body pos="0 .3 .29"><freejoint/>
        <geom type="cylinder" size=".1 .1"/></body></worldbody></mujoco>""",
    "robot": """<robot name="r"><link name="base"><inertial><mass value="2"/>
    <inertia ixx="1" iyy="1" izz="1" ixy="0" ixz="0" iyz="0"/></inertial></link>
      <link name="arm"><inertial><origin xyz="0 0 .1" rpy="0 .1 0"/><mass value="1"/>
        <inertia ixx=".1" iyy=".1" izz=".1" ixy="0" ixz="0" iyz="0"/></inertial>
      <collision><geometry><box size=".1 .1 .4"/></geometry></collision><visual><geometry><cylinder radius=".1" length=".3"/>
        </geometry></visual></link>
      <joint name="j" type="revolute"><parent link="base"/><child link="arm"/><origin xyz="0 0 .5"/><axis xyz="0 1 0"/>
        <limit lower="-1" upper="1" effort="5" velocity="1"/>
      <dynamics damping=".1" friction=".2"/></joint></robot>""",
}
NUMBERS = (
    "1e308",
    "-1e308",
    "1e-320",
    "nan",
    "inf",
    "-inf",
    "-1",
    "0",
    "1e9",
    "2147483647",
    "-2147483648",
    "99999999999999999999",
    "1e40",
    "",
)
WORDS = (
    "",
    "none",
    "true",
    "mesh",
    "hfield",
    "sdf",
    "flex",
    "xyz",
    "world",
    "../../../etc/passwd",
    "\u00e9\u4e2d",
    "a" * 5000,
    "0x1p3",
    "1_000",
    "1e",
    "--",
    "auto",
)


def mutate(text, rng, others):
    """One to four faults in a model; `others` are sound models to take parts from."""
    if rng.random() < 0.15:
        return damage_text(text, rng)
    root = ET.fromstring(text)
    for _ in range(rng.choice((1, 1, 1, 2, 2, 3, 4))):
        rng.choice(TREE)(root, rng, others)
    out = ET.tostring(root, "unicode")
    return damage_text(out, rng) if rng.random() < 0.05 else out


def damage_text(text, rng):
    """Cut, repeat, overwrite or shuffle pieces of the text itself."""
    n = len(text)
    a, b = sorted((rng.randrange(n), rng.randrange(n)))
    kind = rng.randrange(5)
    if kind == 0:
        return text[:a]
    if kind == 1:
        return text[:a] + text[b:]
    if kind == 2:
        return text[:b] + text[a:]
    if kind == 3:
        return text[:a] + rng.choice("<>&\"'/=\0 \x7f") + text[a + 1 :]
    return text[:a] + "".join(chr(rng.randrange(1, 256)) for _ in range(8)) + text[a:]


def nodes(root):
    """All elements except the root, with their parents."""
    return [(parent, child) for parent in root.iter() for child in parent]


def pick(root, rng):
    return rng.choice(nodes(root) or [(root, root)])


def attribute(root, rng):
    """An element with attributes and one of their names, or None."""
    having = [e for e in root.iter() if e.attrib]
    if not having:
        return None, None
    e = rng.choice(having)
    return e, rng.choice(sorted(e.attrib))


def drop(root, rng, others):
    parent, child = pick(root, rng)
    if parent is not child:
        parent.remove(child)


def double(root, rng, others):
    parent, child = pick(root, rng)
    if parent is not child:
        for _ in range(rng.choice((1, 1, 2, 20))):
            parent.append(twin(child))


def twin(e):
    return deepcopy(e)


def swap(root, rng, others):
    (_, a), (_, b) = pick(root, rng), pick(root, rng)
    a.tag, b.tag = b.tag, a.tag


def move(root, rng, others):
    parent, child = pick(root, rng)
    target = rng.choice(list(root.iter()))
    if parent is not child and target not in list(child.iter()):
        parent.remove(child)
        target.insert(rng.randint(0, len(target)), child)


def graft(root, rng, others):
    """A part of another model, inserted anywhere."""
    _, part = pick(ET.fromstring(rng.choice(others)), rng)
    target = rng.choice(list(root.iter()))
    target.append(twin(part))


def number(root, rng, others):
    """One number of one attribute becomes absurd."""
    e, name = attribute(root, rng)
    if e is not None:
        words = e.get(name).split() or [""]
        words[rng.randrange(len(words))] = rng.choice(NUMBERS)
        e.set(name, " ".join(words))


def count(root, rng, others):
    """Too few or too many values."""
    e, name = attribute(root, rng)
    if e is not None:
        words = e.get(name).split()
        e.set(name, " ".join(words * rng.choice((2, 3, 50)) if rng.random() < 0.5 else words[:-1]))


def word(root, rng, others):
    e, name = attribute(root, rng)
    if e is not None:
        e.set(name, rng.choice(WORDS))


def remove(root, rng, others):
    e, name = attribute(root, rng)
    if e is not None:
        del e.attrib[name]


def exchange(root, rng, others):
    """The value of one attribute under the name of another one."""
    (a, n), (b, k) = attribute(root, rng), attribute(root, rng)
    if a is not None and b is not None:
        va, vb = a.get(n), b.get(k)
        a.set(n, vb)
        b.set(k, va)


def borrow(root, rng, others):
    """An attribute of another element, unchanged."""
    (a, n), e = attribute(root, rng), rng.choice(list(root.iter()))
    if a is not None:
        e.set(n, a.get(n))


def misspell(root, rng, others):
    parent, child = pick(root, rng)
    child.tag = child.tag[:-1] or "x"


TREE = (drop, double, swap, move, graft, number, number, number, count, word, word, remove, exchange, borrow, misspell)


def stream(seed, total, corpus):
    """`total` damaged texts, the same for the same seed."""
    rng = random.Random(seed)
    for _ in range(total):
        yield mutate(rng.choice(corpus), rng, corpus)
