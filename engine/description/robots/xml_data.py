"""XML files that contain data as text (COLLADA, 3MF), parsed to a tree without namespaces, entities or document types."""

import xml.etree.ElementTree as ET

from ...geom.mesh_read import MeshError
from ..language.xmltree import MAX_TAGS

UTF16 = (b"\xff\xfe", b"\xfe\xff")


def data_tree(data: bytes, what: str) -> ET.Element:
    """Return the root of an XML document; MeshError if it is not XML. Entities are refused, because with them a small document
    can expand to a huge one.
    """
    # Files in UTF-16 have a null byte in each letter.
    plain = data.replace(b"\0", b"") if b"\0" in data[:4] or data[:2] in UTF16 else data
    if b"<!ENTITY" in plain or b"<!DOCTYPE" in plain[:4096]:
        raise MeshError(f"document types and entities are not allowed in {what}")
    if plain.count(b"<") > MAX_TAGS:
        raise MeshError(f"the {what} file has more than {MAX_TAGS} tags")
    try:
        return ET.fromstring(data)
    except (ET.ParseError, ValueError, LookupError) as error:
        raise MeshError(f"the {what} file is not XML: {error}") from None


def local(element: ET.Element) -> str:
    """Return the tag of an element without its namespace."""
    return element.tag.rpartition("}")[2] if isinstance(element.tag, str) else ""


def children(element: ET.Element | None, *tags: str) -> list[ET.Element]:
    """Return children with any of these tags."""
    return [] if element is None else [e for e in element if local(e) in tags]


def child(element: ET.Element | None, *path: str) -> ET.Element | None:
    """Return the first child with the first tag, then its first child with the next tag, and so on; None if one is missing."""
    for tag in path:
        element = next((e for e in children(element, tag)), None)
        if element is None:
            return None
    return element


def by_id(root: ET.Element) -> dict[str, ET.Element]:
    """Return {id: element} for elements with an `id`."""
    return {e.attrib["id"]: e for e in root.iter() if "id" in e.attrib}
