"""Model files, and the expansion of `include`: the contents of the named file replace the element. Also finds asset files."""

import os
from collections.abc import Sequence

from ..files import resources
from ..files.providers import provider_of
from ..files.resources import Files
from ..language.errors import SpecError, shown
from ..language.xmltree import MAX_DEPTH, Node, parse

MAX_INCLUDES = 2000
# extensions of archives that contain a model with its files
ARCHIVES = (".mjz", ".zip")


class Places:
    """Directories of one load: the model's directory, directories that the compiler element names, and directories of included
    files."""

    def __init__(self, files: Files, modeldir: str = "") -> None:
        self.files = files
        self.modeldir = modeldir
        self.assetdir = self.meshdir = self.texturedir = ""
        # id of a node from an included file -> directory of that file
        self.origin = {}
        self.included = 0

    def dir_of(self, kind: str) -> str:
        """Return the directory, relative to the model's, that is searched first for assets of a kind."""
        own = {"mesh": self.meshdir, "texture": self.texturedir}.get(kind, "")
        return own or self.assetdir

    def asset(self, node: Node, attribute: str, kind: str) -> str:
        """Return the path of an asset file: the name as written if it exists in the model's directory, otherwise next to the
        including file."""
        name = node.attrs[attribute]
        if not name or resources.is_absolute(name):
            return name
        base = resources.join(self.modeldir, self.dir_of(kind))
        if self.files.exists(resources.join(base, name)):
            return name
        beside = self.origin.get(id(node))
        return resources.join(beside, name) if beside else name


def main_names(filename: str) -> tuple[str, ...]:
    """Return the names that a model in an archive may have, in order of preference."""
    stem = os.path.splitext(os.path.basename(filename))[0]
    return "model.xml", f"{stem}.xml", f"{stem}/{stem}.xml", f"{stem}/model.xml"


def model_in(filename: str) -> str:
    """Return the name of the model inside an archive (.mjz, .zip), relative to which its other files are found. Return other
    names unchanged.

    SpecError if the archive has no model.
    """
    if not filename.lower().endswith(ARCHIVES) or provider_of(filename) is not None or not os.path.isfile(filename):
        return filename
    places = main_names(filename)
    for place in places:
        name = f"zip:{filename}!{place}"
        if resources.Files().exists(name):
            return name
    raise SpecError(f"archive '{shown(filename)}' has no model; expected one of {', '.join(places)}")


def read_file(filename: str | os.PathLike, files: Files) -> bytes:
    """Return the bytes of the model file; SpecError if it cannot be read."""
    filename = os.fspath(filename)
    try:
        return files.read(filename)
    except OSError as e:
        error = SpecError(f"Error opening file '{shown(filename)}': {e.strerror or e}")
        # keep MuJoCo's words, for which scripts search in messages
        error.args = (f"ParseXML: {error.message}",)
        raise error from None


def expand(root: Node, places: Places, top: str, including: bool) -> None:
    """If `including`, replace all includes below `root`; `top` is the name of the file that contains `root`."""
    if including:
        _expand(root, places, "", {resources.reduce_path(top)}, (top,), 1)
    else:
        for node in root.all("compiler"):
            _folders(node, places)


def _folders(node: Node, places: Places) -> None:
    """Store the asset directories that a compiler element names."""
    for name in ("assetdir", "meshdir", "texturedir"):
        if name in node.attrs:
            setattr(places, name, node.attrs[name])


def _expand(node: Node, places: Places, base: str, included: set[str], chain: Sequence[str], depth: int) -> None:
    # the nesting depths of included files add up, so the sum may exceed the limit for a single file
    if depth > MAX_DEPTH + 1:
        raise SpecError(f"elements nested deeper than {MAX_DEPTH}", node)
    if node.tag == "compiler":
        _folders(node, places)
    if base:
        places.origin[id(node)] = base

    # if there are no includes here, only expand the children
    children = node.children
    for child in children:
        if child.tag.lower() == "include":
            break
    else:
        for child in children:
            _expand(child, places, base, included, chain, depth + 1)
        return

    # replace includes by the elements of their files
    fresh = []
    for child in children:
        if child.tag.lower() == "include":
            fresh += _load(child, places, base, included, chain, depth)
        else:
            _expand(child, places, base, included, chain, depth + 1)
            fresh.append(child)
    node.children = fresh


def _load(node: Node, places: Places, base: str, included: set[str], chain: Sequence[str], depth: int) -> list[Node]:
    """Return the expanded elements of an included file."""

    # check the element
    if node.children:
        raise SpecError("an include cannot have elements inside", node)
    for name in node.attrs:
        if name != "file":
            raise SpecError(f"unrecognized attribute '{name}'", node, name, name, ("file",))
    if "file" not in node.attrs:
        raise SpecError("required attribute 'file' is missing", node, "file")

    # locate the file: next to the model, or else next to the including file
    name = node.attrs["file"]
    path = resources.join(places.modeldir, name)
    if not places.files.exists(path) and base:
        path = resources.join(base, name)
    if path in included:
        raise SpecError(f"file '{name}' is already included", node, "file", name)

    places.included += 1
    if places.included > MAX_INCLUDES or len(chain) > 100:
        raise SpecError(f"too many included files, at '{name}' (a cycle?)", node, "file", name)

    # read the file
    try:
        data = places.files.read(path)
    except OSError as e:
        raise SpecError(f"Error opening file '{shown(path)}': {e.strerror or e}", node, "file", name) from None
    included.add(path)
    root = parse(data, path)
    if not root.children:
        raise SpecError(f"the included file '{name}' is empty", node, "file", name)
    _expand(root, places, resources.dirname(path), included, (*chain, path), depth)
    return root.children
