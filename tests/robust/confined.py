"""Models that name a file outside their folder: for every attribute that names a file, in every container, with every form of
name.
"""

import os
import pathlib
import struct
import zipfile

from tumble.engine.description.language.schema import ROOT

OBJ = b"v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nvn 0 0 1\nvt .5 .5\nf 1 3 2\nf 1 2 4\nf 2/1/1 3/1/1 4/1/1\nf 1 4 3\n"
HFIELD = struct.pack("<2i4f", 2, 2, 0, 1, 0, 1)
SKIN = (
    struct.pack("<4i", 3, 0, 1, 1)
    + struct.pack("<9f", 0, 0, 0, 1, 0, 0, 0, 1, 0)
    + struct.pack("<3i", 0, 1, 2)
    + b"world".ljust(40, b"\0")
    + struct.pack("<7fi", 0, 0, 0, 1, 0, 0, 0, 3)
    + struct.pack("<3i3f", 0, 1, 2, 1, 1, 1)
)
PNG = bytes.fromhex(
    "89504e470d0a1a0a0000000d4948445200000001000000010802000000907753de0000000c"
    "49444154789c63f8cfc0000003010100c9fe92ef0000000049454e44ae426082"
)
PART = "<mujoco><worldbody><geom name='secret' size='2'/></worldbody></mujoco>"
# contents of a file that an attribute of an element may name, and its extension
CONTENTS = {
    "mesh": (OBJ, ".obj"),
    "hfield": (HFIELD, ".bin"),
    "skin": (SKIN, ".skn"),
    "texture": (PNG, ".png"),
    "model": (PART.encode(), ".xml"),
    "flexcomp": (OBJ, ".obj"),
    "include": (PART.encode(), ".xml"),
}
ELEMENTS = {
    "mesh": "<asset><mesh name='x' {}/></asset>",
    "hfield": "<asset><hfield name='x' size='1 1 1 1' {}/></asset>",
    "skin": "<asset><skin name='x' {}/></asset>",
    "texture": "<asset><texture name='x' type='{}' {}/></asset>",
    "model": "<asset><model name='x' {}/></asset>",
    "flexcomp": "<worldbody><body name='x'><flexcomp name='x' type='mesh' dim='2' mass='1' {}/></body></worldbody>",
    "include": "<include {}/>",
}
URDF = """<robot name='r'><mujoco><compiler strippath='false'/></mujoco>
<link name='l'><collision><geometry><mesh filename='{}'/></geometry></collision></link></robot>"""
CONTAINERS = ("xml", "zip", "mjz", "urdf", "attached", "nested")
WAYS = ("absolute", "dots", "symlink", "member", "device", "pipe")


def file_attributes() -> list[tuple[str, str]]:
    """(element, attribute) of all attributes that name files."""
    found, seen, todo = [("include", "file")], set(), [ROOT]
    while todo:
        elem = todo.pop()
        for tag, child in elem.children.items():
            if id(child) not in seen:
                seen.add(id(child))
                todo.append(child)
                found += [(tag, name) for name, attr in child.attrs.items() if getattr(attr, "kind", "") == "file"]
    return sorted(set(found))


def text_of(tag, attribute, name) -> str:
    """MJCF whose one file is named by an attribute of an element."""
    given = f"{attribute}='{name}'"
    if tag == "texture":
        return f"<mujoco>{ELEMENTS[tag].format('2d' if attribute == 'file' else 'cube', given)}</mujoco>"
    return f"<mujoco>{ELEMENTS[tag].format(given)}</mujoco>"


def named(house, tag, way) -> str:
    """The name of an outside file, written in a given way; `own` is a file of the model's folder."""
    contents, ending = CONTENTS[tag]
    if way == "own":
        (house / "models" / f"own{ending}").write_bytes(contents)
        return f"own{ending}"
    secret = house / "secret" / f"part{ending}"
    secret.write_bytes(contents)
    if way == "dots":
        return f"../secret/part{ending}"
    if way == "symlink":
        (house / "models" / f"link{ending}").symlink_to(secret)
        return f"link{ending}"
    if way == "member":
        with zipfile.ZipFile(house / "secret" / "other.zip", "w") as z:
            z.writestr(f"part{ending}", contents)
        return f"zip:{house}/secret/other.zip!part{ending}"
    if way == "pipe":
        os.mkfifo(house / "models" / f"pipe{ending}")
        return f"pipe{ending}"
    return "/dev/zero" if way == "device" else str(secret)


def contained(house, text, container):
    """The path of a model with a text, in a container."""
    folder = house / "models"
    if container in ("zip", "mjz"):
        path = folder / f"m.{container}"
        with zipfile.ZipFile(path, "w") as z:
            z.writestr("model.xml", text)
        return path
    path = folder / "m.xml"
    if container == "attached":
        (folder / "inner.xml").write_text(text.replace("</mujoco>", "<worldbody><body name='b'/></worldbody></mujoco>"))
        text = (
            "<mujoco><asset><model name='a' file='inner.xml'/></asset><worldbody><attach model='a' body='b' "
            "prefix='p'/></worldbody></mujoco>"
        )
    elif container == "nested":
        (folder / "inner.xml").write_text(text)
        (folder / "middle.xml").write_text("<mujoco><include file='inner.xml'/></mujoco>")
        text = "<mujoco><include file='middle.xml'/></mujoco>"
    elif container == "urdf":
        path = folder / "m.urdf"
    path.write_text(text)
    return path


def build(house: pathlib.Path, tag, attribute, container, way, before="") -> pathlib.Path:
    """The path of a model in the folder `models` that names a file in its sibling folder `secret`; `before` is
    prepended to relative names.
    """
    for folder in ("models", "secret"):
        (house / folder).mkdir(exist_ok=True)
    name = named(house, tag, way)
    if not name.startswith(("/", "zip:")):
        name = before + name
    return contained(house, URDF.format(name) if container == "urdf" else text_of(tag, attribute, name), container)
