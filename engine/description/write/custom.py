"""The MJCF sections extension (plugins) and custom (numerics, texts and tuples)."""

from ..language.kinds import KIND_OF
from ..language.xml_text import number, numbers
from ..language.xmltree import Node
from .writer import Writer, add, drop_empty, put, write_config


def extension(w: Writer, root: Node) -> None:
    """Write the plugins in use, with their named instances."""
    if not w.spec.active_plugins:
        return
    node, at = add(root, "extension"), {}
    for p in w.spec.plugins:
        if p.name:
            name = p.raw["plugin_name"]
            if name not in at:
                at[name] = add(node, "plugin")
                at[name].attrs["plugin"] = name
            instance = add(at[name], "instance")
            instance.attrs["name"] = p.name
            write_config(instance, p)
    for name in w.spec.active_plugins:
        if name not in at:
            add(node, "plugin").attrs["plugin"] = name


def custom(w: Writer, root: Node) -> None:
    section, m = add(root, "custom"), w.m
    for i, e in enumerate(w.c.numeric.elems):
        start, n = int(m.numeric_adr[i]), int(m.numeric_size[i])
        add(section, "numeric").attrs.update(name=e.name, size=str(n), data=numbers(m.numeric_data[start : start + n].tolist()))
    for e in w.c.text.elems:
        add(section, "text").attrs.update(name=e.name, data=e.raw["data"])
    for i, e in enumerate(w.c.tuple.elems):
        node, start = add(section, "tuple"), int(m.tuple_adr[i])
        node.attrs["name"] = e.name
        for k, (kind, name) in enumerate(zip(e.raw["objtype"], e.raw["objname"])):
            item, prm = add(node, "element"), float(m.tuple_objprm[start + k])
            item.attrs.update(objtype=KIND_OF[int(kind)], objname=name)
            put(item, "prm", number(prm) if prm else "")
    drop_empty(root, section)
