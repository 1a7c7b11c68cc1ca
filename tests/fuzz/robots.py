"""Random cases of damaged robot descriptions and mesh files: they are imported, or refused with an error of the right type."""

import functools
import os
import pathlib
import re
import tempfile

import tumble
from tests.description.test_robot_meshes import FILES
from tests.description.test_robots import BOX, MESH, arm, stl

SDF = """<sdf version="1.7"><model name="m"><static>true</static><link name="a"><pose>0 0 1 0 0 0</pose>
<inertial><mass>1</mass><inertia><ixx>1</ixx><iyy>1</iyy><izz>1</izz></inertia></inertial>
<sensor name="s" type="camera"><camera><horizontal_fov>1</horizontal_fov><image><width>64</width><height>48</height></image>
</camera></sensor></link>
<link name="b"><pose relative_to="a">1 0 0 0 0 1.57</pose>
<visual name="v"><geometry><sphere><radius>.1</radius></sphere></geometry>
<material><diffuse>1 0 0 1</diffuse></material></visual>
<collision name="c"><geometry><box><size>1 2 3</size></box></geometry>
<surface><friction><ode><mu>.5</mu></ode></friction></surface></collision></link>
<frame name="f" attached_to="a"><pose relative_to="b">1 2 3 0 0 0</pose></frame>
<joint name="j" type="revolute"><parent>a</parent><child>b</child><pose>.5 0 0 0 0 0</pose>
<axis><xyz expressed_in="f">1 0 0</xyz>
<limit><lower>-1</lower><upper>1</upper><effort>3</effort></limit><dynamics><damping>1</damping></dynamics></axis></joint>
</model></sdf>"""
GAZEBO = (
    '<gazebo reference="upper"><mu1>0.3</mu1><sensor name="imu" type="imu"><pose>0 0 .1 0 0 0</pose></sensor></gazebo>'
    '<transmission><joint name="j"><hardwareInterface>x</hardwareInterface></joint></transmission>'
)
BINARY = ("binary.stl", "cut.stl", "part.glb", "part.3mf", "little.ply", "big.ply")
WORDS = (
    *(b"nan", b"inf", b"-1", b"0", b"1e400", b"1e308", b"99999999999", b"4294967295", b"2147483648", b"", b"x", b"1e-320"),
    *(b" ", b"\xff", b"\0", b"<", b">", b'"', b"{}", b"[]", b"null", b"true", b"world", b"a", b"j", b"::", b"..", b"/", b"#v"),
)
BYTES = (b"\xff" * 4, b"\0" * 4, b"\xff\xff\xff\x7f", b"\0\0\xc0\x7f", b"\0\0\x80\x7f")
TOKEN = re.compile(rb"[A-Za-z_]+|-?[\d.]+(?:e-?\d+)?|\s+|.", re.DOTALL)


@functools.cache
def corpus() -> dict[str, bytes]:
    """Valid files by name."""
    meshed = arm().replace(BOX, MESH.format("a.stl", "1 1 1"))
    return {**FILES, "m.sdf": SDF.encode(), "a.urdf": arm(GAZEBO).encode(), "b.urdf": meshed.encode()}


def of_text(rng, data: bytes) -> bytes:
    """A text with words replaced, removed and repeated."""
    words = TOKEN.findall(data)
    for _ in range(rng.choice((1, 1, 2, 3, 6))):
        at, count = rng.randrange(len(words)), rng.randrange(1, 40)
        kind = rng.randrange(4)
        if kind == 0:
            del words[at : at + count]
        elif kind == 1:
            words[at:at] = words[at : at + count]
        else:
            words[at] = rng.choice(WORDS if kind == 2 else words)
        if not words:
            break
    return b"".join(words)


def of_bytes(rng, data: bytes) -> bytes:
    """Bytes of which some are replaced or removed."""
    raw = bytearray(data)
    for _ in range(rng.choice((1, 1, 2, 4, 8))):
        at, kind = rng.randrange(len(raw)), rng.randrange(5)
        if kind < 2:
            raw[at] = rng.choice((0, 255, 127, 128, rng.randrange(256)))
        elif kind < 4:
            raw[at : at + 4] = rng.choice(BYTES)
        else:
            del raw[at : at + rng.randint(1, 20)]
        if not raw:
            break
    return bytes(raw)


def robots(rng):
    """A damaged file, imported with any options, and compiled."""
    name = rng.choice(sorted(corpus()))
    damaged = (of_bytes if name in BINARY or rng.random() < 0.2 else of_text)(rng, corpus()[name])
    with tempfile.TemporaryDirectory() as folder:
        path = pathlib.Path(folder) / f"x_{name}"
        path.write_bytes(damaged)
        (path.parent / "a.stl").write_bytes(stl())
        spec = tumble.import_model(
            path, inside=folder, actuators=rng.choice(("", "position", "motor")), fit=rng.choice(("", "", "auto"))
        )
        spec.compile()
        assert str(spec.import_report) and sorted(os.listdir(folder)) == ["a.stl", path.name]
