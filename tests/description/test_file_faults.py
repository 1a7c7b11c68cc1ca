"""Errors for faults in real files name the file; spellings that only MuJoCo rejects are read."""

import io
import struct
import zlib

import mujoco
import numpy as np
import pytest
from PIL import Image

import tumble

TET = b"v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\n"
CORNERS = "0 0 0", "1 0 0", "0 1 0", "0 0 1"
ASCII = (
    "solid t\n"
    + "".join(
        "facet normal 0 0 1\nouter loop\n" + "".join(f"vertex {CORNERS[k]}\n" for k in face) + "endloop\nendfacet\n"
        for face in ((0, 2, 1), (0, 1, 3), (0, 3, 2), (1, 2, 3))
    )
    + "endsolid t\n"
)
MESH = '<mujoco><asset><mesh name="pad" file="{}"/></asset><worldbody><geom type="mesh" mesh="pad"/></worldbody></mujoco>'
TEXTURE = '<mujoco><asset><texture name="t" {} file="{}"/></asset></mujoco>'


def mesh(mj, name, data):
    return mj.MjModel.from_xml_string(MESH.format(name), assets={name: data})


@pytest.mark.parametrize(
    ("name", "data"),
    (
        ("bom.obj", b"\xef\xbb\xbf" + TET),
        ("wide.obj", TET.decode().encode("utf-16")),
        ("capital.obj", TET.upper()),
        ("one.obj", TET.replace(b"v 0 0 1", b"V 0 0 1")),
        ("text.stl", ASCII.encode()),
        ("upper.stl", ASCII.upper().encode()),
        ("bom.stl", b"\xef\xbb\xbf" + ASCII.encode()),
    ),
)
def test_spellings_that_the_reference_refuses(name, data):
    with pytest.raises(ValueError):
        mesh(mujoco, name, data)
    same, m = mesh(mujoco, "t.obj", TET), mesh(tumble, name, data)
    assert sorted(map(tuple, m.mesh_vert.round(6).tolist())) == sorted(map(tuple, same.mesh_vert.round(6).tolist()))
    assert m.nmeshface == same.nmeshface


DAMAGED = {
    "cut.stl": (bytes(80) + struct.pack("<I", 9) + bytes(50), "584|534"),
    "facets.stl": (b"solid a\n" + b"facet normal 0 0 0\n" * 9, "0 vertices"),
    "letters.stl": (ASCII.replace("vertex 1 0 0", "vertex 1 a 0").encode(), "line 6"),
    "nan.obj": (TET.replace(b"v 0 1 0", b"v nan 1 0"), "vertex 2"),
    "index.obj": (TET.replace(b"f 1 2 4", b"f 1 2 9"), "face 1 refers to vertex 8"),
    "word.obj": (TET.replace(b"f 1 2 4", b"f a b c"), "line 6"),
    "few.obj": (b"v 0 0 0\n", "got 1"),
    "empty.obj": (b"", "got 0"),
    "size.msh": (struct.pack("<4i", 4, 0, 0, 4) + bytes(20), "36 bytes"),
}


@pytest.mark.parametrize("name", DAMAGED)
def test_damaged_meshes_are_named_with_the_place(name):
    data, place = DAMAGED[name]
    with pytest.raises(ValueError, match=place) as error:
        mesh(tumble, name, data)
    assert name in str(error.value)


@pytest.mark.parametrize("long", ("folder_" * 30 + "/" + "finger_" * 30 + ".obj", "x" * 200 + ".obj"))
def test_long_names_are_whole(long):
    with pytest.raises(ValueError) as error:
        tumble.MjModel.from_xml_string(MESH.format(long))
    assert long in str(error.value)


@pytest.mark.parametrize("form", ("JPEG", "GIF", "BMP", "TIFF", "WebP"))
@pytest.mark.parametrize("name", ("t.jpg", "t.png", "t"))
def test_other_images_are_refused_by_their_format(form, name):
    raw = io.BytesIO()
    Image.new("RGB", (8, 8), (200, 10, 10)).save(raw, form)
    with pytest.raises(ValueError, match=f"{form} image"):
        tumble.MjModel.from_xml_string(TEXTURE.format('type="2d"', name), assets={name: raw.getvalue()})


def png(pixels, bits, kind, shade=None):
    """A PNG of samples (rows, columns, channels) without filters."""

    def chunk(name, data):
        return struct.pack(">I", len(data)) + name + data + struct.pack(">I", zlib.crc32(name + data))

    h, w, _ = pixels.shape
    rows = []
    for row in pixels.reshape(h, -1):
        wide = row.astype(">u2").tobytes()
        small = np.packbits(np.unpackbits(row.astype(np.uint8)[:, None], axis=1)[:, 8 - min(bits, 8) :]).tobytes()
        rows.append(b"\0" + (wide if bits == 16 else small))
    shade = b"" if shade is None else chunk(b"tRNS", struct.pack(f">{len(shade)}H", *shade))
    return (
        b"\x89PNG\r\n\x1a\n"
        + chunk(b"IHDR", struct.pack(">IIBBBBB", w, h, bits, kind, 0, 0, 0))
        + shade
        + chunk(b"IDAT", zlib.compress(b"".join(rows)))
        + chunk(b"IEND", b"")
    )


@pytest.mark.parametrize("channels", (1, 3, 4))
@pytest.mark.parametrize(("bits", "kind"), ((1, 0), (2, 0), (4, 0), (8, 0), (16, 0), (8, 2), (16, 2)))
def test_transparent_shades(bits, kind, channels):
    pixels = np.random.default_rng(bits).integers(0, 2**bits, (6, 7, 3 if kind else 1))
    pixels[:, ::2] = pixels[0, 0]
    # a shade that is nearly the transparent one: of 16 bits only the last differs
    pixels[1, 1] = pixels[0, 0] ^ 1
    data = png(pixels, bits, kind, pixels[0, 0].tolist())
    text = TEXTURE.format(f'type="2d" nchannel="{channels}"', "g.png")
    reference, m = (mj.MjModel.from_xml_string(text, assets={"g.png": data}) for mj in (mujoco, tumble))
    assert np.array_equal(m.tex_data, reference.tex_data)


@pytest.mark.parametrize("attributes", ("", 'gridsize="3 4" gridlayout=".U..LFRB.D.."', 'gridsize="1 2" gridlayout="UD"'))
@pytest.mark.parametrize("channels", (1, 3, 4))
def test_cubes_have_the_channels_that_they_say(attributes, channels):
    rows, columns = (1, 1) if not attributes else (3, 4) if "3 4" in attributes else (1, 2)
    data = png(np.full((4 * rows, 4 * columns, 4), (200, 100, 50, 255)), 8, 6)
    m = tumble.MjModel.from_xml_string(
        TEXTURE.format(f'type="cube" nchannel="{channels}" {attributes}', "g.png"), assets={"g.png": data}
    )
    assert m.ntexdata == m.tex_width[0] * m.tex_height[0] * channels
    found = set(map(tuple, m.tex_data.reshape(-1, channels).tolist()))
    assert (200, 100, 50, 255)[:channels] in found and found <= {
        (200, 100, 50, 255)[:channels],
        (204, 204, 204, 255)[:channels],
    }


FLEXCOMP = """<mujoco><worldbody><body name="b"><flexcomp name="f" type="direct" dim="2" mass="1" {} point="9 9 9 0 0 0 1 0 0\
 0 1 0 0 0 1"
  element="1 3 2 1 2 4 1 4 3 2 3 4"><contact selfcollide="none"/>{}</flexcomp></body></worldbody></mujoco>"""


@pytest.mark.parametrize(
    ("attributes", "inside", "nv"),
    (('dof="full"', "", 12), ('dof="trilinear"', "", 24), ('dof="quadratic"', "", 81), ("", '<pin id="2"/>', 9)),
)
def test_flexcomps_with_points_that_no_element_uses(attributes, inside, nv):
    m = tumble.MjModel.from_xml_string(FLEXCOMP.format(attributes, inside))
    assert (m.nv, m.nflexvert) == (nv, 4)


@pytest.mark.parametrize("saved", ("true", "false"))
def test_sizes_beside_a_memory_are_read_again(saved):
    spec = tumble.MjSpec.from_string(f"""<mujoco><compiler savecompiled="{saved}"/><size njmax="500" nconmax="100"/>\
<size memory="2M"/>
      <worldbody><geom size="1"/></worldbody></mujoco>""")
    m, again = spec.compile(), tumble.MjModel.from_xml_string(spec.to_xml())
    assert (again.narena, again.njmax, again.nconmax) == (m.narena, 500, 100)


@pytest.mark.parametrize("target", ('site="s"', 'body="b"', 'cranksite="s" slidersite="s" cranklength="1"'))
@pytest.mark.parametrize("name", ("damping", "armature"))
def test_only_joints_and_tendons_take_damping_of_actuators(target, name):
    with pytest.raises(ValueError, match=f"{name} requires joint or tendon transmission"):
        tumble.MjModel.from_xml_string(f"""<mujoco><worldbody><body name="b"><joint/><geom size=".1"/><site name="s"/></body>\
</worldbody>
          <actuator><general {target} {name}="1"/></actuator></mujoco>""")
