"""Absurd sizes and damaged files end in a clear error, quickly and with little memory."""

import re
import struct
import time
import zlib

import numpy as np
import pytest

from tumble.engine import MjModel
from tumble.engine.description.compile import sizes, texture

resource = pytest.importorskip("resource")

# the guarantee is a second on an idle machine; test machines are shared
SOON = 5.0
# mebibytes by which the process may grow: far less than these models request
ROOM = 512


def world(text):
    return f"<mujoco><worldbody>{text}</worldbody></mujoco>"


def asset(text, inside=""):
    return f"<mujoco><asset>{text}</asset><worldbody>{inside}</worldbody></mujoco>"


def replicates(*counts):
    return (
        "".join(f'<replicate count="{n}" offset="1 0 0">' for n in counts) + '<geom size="1"/>' + "</replicate>" * len(counts)
    )


def chunk(kind, data):
    return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))


def png(width, height, *extra, pixels=b""):
    head = chunk(b"IHDR", struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0))
    return b"\x89PNG\r\n\x1a\n" + head + b"".join(extra) + chunk(b"IDAT", zlib.compress(pixels)) + chunk(b"IEND", b"")


GOOD = png(2, 2, pixels=(b"\0" + b"rgb" * 2) * 2)
TEXTURE, HFIELD = asset('<texture name="t" type="2d" file="f.png"/>'), asset('<hfield name="h" file="f.bin" size="1 1 1 1"/>')
SKIN = '<mujoco><deformable><skin name="s" file="f.skn"/></deformable></mujoco>'
VERT, FACE = np.array([0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1], "<f4"), np.array([0, 2, 1, 0, 1, 3, 0, 3, 2, 1, 2, 3], "<i4")
OBJ = "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\n"


def mesh(kind):
    return asset(f'<mesh name="m" file="f.{kind}"/>', '<body><freejoint/><geom type="mesh" mesh="m"/></body>')


def stl(count, vertex):
    return bytes(80) + struct.pack("<i", count) + struct.pack("<12fH", 0, 0, 0, *[vertex] * 9, 0) * 4


def msh(nv, nf, vert, face):
    return struct.pack("<iiii", nv, 0, 0, nf) + np.asarray(vert, "<f4").tobytes() + np.asarray(face, "<i4").tobytes()


JOINT = '<body><joint name="j"/><geom size="1"/></body>'
FLEX = '<body name="b"><flexcomp name="f" type="grid" count="{}" dim="3" spacing="1 1 1" radius=".01"/></body>'
GMSH = '<body name="b"><flexcomp name="f" type="gmsh" file="f.msh" dim="3"/></body>'
KEYED = (
    '<mujoco><worldbody><body><joint/><geom size=".1"/></body><replicate count="{count}">{inside}</replicate></worldbody>'
    '<keyframe><key name="k" qpos="7"/></keyframe></mujoco>'
)
# name: (text, expected error, contents of the file f)
CASES = {
    "replicate": (world(replicates(10**9)), "line 1, .*'replicate', attribute 'count'"),
    "empty replicate": (world('<replicate count="2147483647"/>'), "copies"),
    "key frames of copies": (
        KEYED.format(count=100_000, inside=JOINT.replace(' name="j"', "")),
        "line 1, .*'replicate', attribute 'count'.*",
    ),
    "nested replicates": (world(replicates(1000, 1000, 1000)), "copies"),
    "deeply nested replicates": (world(replicates(*[3] * 30)), "copies"),
    "flexcomp bodies": (
        world(FLEX.format("300 300 1").replace('dim="3"', 'dim="2"')),
        "'flexcomp', attribute 'count': .*bodies",
    ),
    "flexcomps": (
        world("".join(FLEX.format("40 40 20").replace('"b"', f'"b{k}"').replace('"f"', f'"f{k}"') for k in range(50))),
        "'flexcomp', attribute 'count': .*bodies",
    ),
    "copies of a flexcomp": (
        world('<replicate count="2000">' + FLEX.format("20 20 2") + "</replicate>"),
        "'replicate', attribute 'count': more than 65533 bodies",
    ),
    "camera rays": (
        world('<camera name="c" resolution="65535 65535"/>').replace(
            "</mujoco>", '<sensor><rangefinder camera="c"/></sensor></mujoco>'
        ),
        "4294836225 pixels",
    ),
    "fine mesh": (asset('<mesh name="m" builtin="supersphere" params="2000 1 1"/>'), "'params': the resolution"),
    "composite": (
        world('<body><composite type="cable" count="1000000000 1 1" curve="s" size="1"><geom size=".1"/></composite></body>'),
        "'composite', attribute 'count'",
    ),
    "flexcomp": (world(FLEX.format("1000000000 1000 1000")), "'flexcomp', attribute 'count'"),
    "texture": (asset('<texture name="t" type="2d" builtin="gradient" width="40000" height="40000"/>'), "too large.*'t'"),
    "skybox": (asset('<texture name="t" type="skybox" builtin="gradient" width="30000" height="30000"/>'), "too large.*'t'"),
    "channels": (asset('<texture name="t" type="2d" builtin="flat" width="5" height="5" nchannel="1000000000"/>'), "channels"),
    "hfield": (asset('<hfield name="h" nrow="1000000000" ncol="1000000000" size="1 1 1 1"/>'), "'nrow'"),
    "made mesh": (asset('<mesh name="m" builtin="supersphere" params="1000000 1 1"/>'), "'params'"),
    "numeric": ('<mujoco><custom><numeric name="n" size="1000000000"/></custom></mujoco>', "between 1 and 500"),
    "user data": ('<mujoco><size nuser_geom="100000000"/></mujoco>', "'nuser_geom'"),
    "keys": ('<mujoco><size nkey="200000000"/></mujoco>', "'nkey'"),
    "memory": ('<mujoco><size memory="1000000000000000000"/></mujoco>', "memory"),
    "rows": ('<mujoco><size njmax="2000000000"/></mujoco>', "'njmax'"),
    "sensor": ('<mujoco><sensor><user dim="1000000000"/></sensor></mujoco>', "nsensordata|sensor"),
    "activations": (
        f'<mujoco><worldbody>{JOINT}</worldbody><actuator><general joint="j" dyntype="user" actdim="1000000000"/>'
        "</actuator></mujoco>",
        "GiB",
    ),
    "length range": (
        f'<mujoco><compiler><lengthrange mode="all" inttotal="1e9"/></compiler><worldbody>{JOINT}</worldbody>'
        '<actuator><motor joint="j"/></actuator></mujoco>',
        "inttotal",
    ),
    "number": (world('<geom size="1e999"/>'), "too large"),
    "depth": ("<mujoco><worldbody>" + "<body>" * 100000, "nested deeper"),
    "attributes": (world("<geom " + " ".join(f'a{i}="1"' for i in range(30000)) + "/>"), "unrecognized attribute 'a0'"),
    "model in itself": (
        '<mujoco><asset><model name="x" file="f.xml"/></asset></mujoco>',
        "each other",
        b'<mujoco><asset><model name="x" file="f.xml"/></asset></mujoco>',
    ),
    "PNG size": (TEXTURE, "60000 x 60000", png(60000, 60000)),
    "PNG pixels": (TEXTURE, "cannot decode", png(18000, 18000)),
    "PNG text": (TEXTURE, "cannot decode", png(2, 2, chunk(b"zTXt", b"k\0\0" + zlib.compress(bytes(1 << 26))))),
    "PNG checksum": (TEXTURE, "checksum", GOOD.replace(b"IDATx", b"IDATy")),
    "PNG cut": (TEXTURE, "cut off|no end", GOOD[:-6]),
    "hfield file": (HFIELD, "1000000000 x 1000000000", struct.pack("<ii", 10**9, 10**9)),
    "hfield file negative": (HFIELD, "-2 x -2", struct.pack("<ii", -2, -2) + bytes(16)),
    "hfield file NaN": (HFIELD, "not numbers", struct.pack("<iiffff", 2, 2, np.nan, 1, 2, 3)),
    "STL count": (mesh("stl"), "2000000000 faces", stl(2 * 10**9, 1)),
    "STL negative": (mesh("stl"), "-1 faces", stl(-1, 1)),
    "STL NaN": (mesh("stl"), "bounds", stl(4, np.nan)),
    "STL cut": (mesh("stl"), "bytes", stl(4, 1)[:-1]),
    "MSH count": (mesh("msh"), "bytes", msh(2 * 10**9, 2 * 10**9, VERT, FACE)),
    "MSH index": (mesh("msh"), "face 0 ", msh(4, 4, VERT, FACE * 1000)),
    "MSH negative index": (mesh("msh"), "face 0 ", msh(4, 4, VERT, FACE - 3)),
    "MSH NaN": (mesh("msh"), "finite", msh(4, 4, VERT * np.nan, FACE)),
    "OBJ index": (mesh("obj"), "face 4 ", (OBJ + "f 1 2 900000000\n").encode()),
    "OBJ NaN": (mesh("obj"), "finite", OBJ.replace("v 0 0 1", "v nan 0 1").encode()),
    "OBJ infinite": (mesh("obj"), "finite", OBJ.replace("v 0 0 1", "v 0 -Inf 1").encode()),
    "OBJ noise": (mesh("obj"), "'m'", np.random.default_rng(1).bytes(50000)),
    "skin count": (SKIN, "vertices.*'s'", struct.pack("<iiii", 2 * 10**9, 0, 2 * 10**9, 1)),
    "skin negative": (SKIN, "negative", struct.pack("<iiii", -1, -1, -1, -1)),
    "Gmsh count": (
        world(GMSH),
        "nodes",
        b"$MeshFormat\n4.1 0 8\n$EndMeshFormat\n$Nodes\n1 2000000000 1 2000000000\n3 1 0 2000000000\n1\n0 0 0\n"
        b"$EndNodes\n$Elements\n1 1 1 1\n3 1 4 1\n1 1 2 3 4\n$EndElements\n",
    ),
}


@pytest.fixture(scope="module")
def kernels():
    """Everything that a load needs is compiled or mapped before the timing starts."""
    scene = (
        mesh("obj")
        .replace("</mujoco>", '<actuator><motor joint="j"/></actuator></mujoco>')
        .replace("<freejoint/>", '<joint name="j" type="slide" range="0 1"/>')
    )
    m = MjModel.from_xml_string(
        scene.replace("<mujoco>", '<mujoco><compiler><lengthrange mode="all" uselimit="true"/></compiler>'),
        {"f.obj": OBJ.encode()},
    )
    MjModel.from_xml_string(
        mesh("stl"),
        {
            "f.stl": bytes(80)
            + struct.pack("<i", 4)
            + b"".join(bytes(12) + VERT.reshape(4, 3)[face].tobytes() + b"\0\0" for face in FACE.reshape(4, 3))
        },
    )
    return m


@pytest.mark.usefixtures("kernels")
@pytest.mark.parametrize("name", CASES)
def test_absurd_input_is_an_error_at_once(name):
    text, pattern, *contents = CASES[name]
    files = {name: contents[0] for name in re.findall(r'file="([^"]+)"', text)} if contents else None
    before, start = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss, time.perf_counter()
    with pytest.raises(ValueError, match=f"(?s){pattern}"):
        MjModel.from_xml_string(text, files)
    assert time.perf_counter() - start < SOON
    assert (resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before) / 1024 < ROOM


def test_attaching_does_not_multiply_without_end():
    levels = 12
    files = {
        f"m{k}.xml": asset(
            f'<model name="x{k}" file="m{k + 1}.xml"/>',
            '<body name="b">' + "".join(f'<attach model="x{k}" prefix="{i}"/>' for i in range(8)) + "</body>",
        )
        for k in range(levels)
    }
    files[f"m{levels}.xml"] = world('<body name="b"><geom size="1"/></body>')
    with pytest.raises(ValueError, match="copies"):
        MjModel.from_xml_string(files.pop("m0.xml"), files)


def test_a_model_may_use_the_same_file_twice():
    files = {"arm.xml": world('<body name="arm"><joint name="j"/><geom size="1"/></body>')}
    m = MjModel.from_xml_string(
        asset(
            '<model name="a" file="arm.xml"/><model name="b" file="arm.xml"/>',
            '<attach model="a" prefix="l"/><attach model="b" prefix="r"/>',
        ),
        files,
    )
    assert m.njnt == 2


def test_what_does_not_fit_names_the_largest_array(monkeypatch):
    monkeypatch.setattr(sizes, "MAX_BYTES", 1 << 20)
    with pytest.raises(ValueError, match=r"GiB.*'geom_user'"):
        MjModel.from_xml_string(
            '<mujoco><size nuser_geom="60000"/><worldbody><geom size="1"/><geom size="2"/><geom size="3"/></worldbody></mujoco>'
        )


def test_gradients_do_not_depend_on_how_they_are_computed(monkeypatch):
    from tumble.engine.description.files.cache import ASSETS

    text = asset(
        '<texture name="a" type="2d" builtin="gradient" width="37" height="23" rgb1="1 0 0" rgb2="0 1 .5"/>'
        '<texture name="b" type="skybox" builtin="gradient" width="19" height="19" rgb1="1 0 0" rgb2="0 1 .5"/>'
    )
    ASSETS.clear()
    whole = MjModel.from_xml_string(text).tex_data.copy()
    ASSETS.clear()
    monkeypatch.setattr(texture, "BLOCK", 100)
    np.testing.assert_array_equal(MjModel.from_xml_string(text).tex_data, whole)
    assert len(set(whole.tolist())) > 20
