"""Expands xacro files to URDF text with the package `xacro` of the extra `robots`. Packages are found as for meshes.

A xacro file is a program: its expressions are evaluated as Python, and their restrictions can be bypassed. So it runs only if
its author is trusted, and never when files are confined to a folder.
"""

import importlib.util
import os
import re
import threading
from collections.abc import Callable, Mapping
from typing import Any

from ...machine.regular import open_regular
from ..files.resources import OutsideError
from ..language.errors import SpecError
from .locate import Finder
from .urdf import ELSEWHERE, QUIET

EXTRA = "xacro files need the package `xacro`: pip install tumble[robots]"
_ARGUMENT = re.compile(rb"<xacro:arg\b([^<>]*)>")
_USED = re.compile(rb"\$\(arg\s+(\w+)\s*\)")
_COMMENT = re.compile(rb"<!--.*?(?:-->|\Z)", re.DOTALL)
_ATTRIBUTE = re.compile(rb"""\b(\w+)\s*=\s*(?:"([^"]*)"|'([^']*)')""")
# Tags that older releases of xacro read without the prefix `xacro:`, and elements that can contain such a tag.
_OLD = ("property", "include", "macro", "arg", "if", "unless", "insert_block")
_AROUND = ("robot", "link", "visual", "collision", "inertial")
# Tags of URDF that can occur in the same elements. They are never calls of macros, even if a macro has the same name.
_URDF = (*ELSEWHERE, *QUIET, "visual", "collision", "inertial", "origin", "geometry", "mass", "inertia", "contact")
# The `xacro` package stores its state in its module, so only one thread at a time can use it.
_LOCK = threading.Lock()


def is_xacro(path: str, data: bytes) -> bool:
    """Return whether a file is a xacro program: by its extension or, for a URDF, by the namespace at its start."""
    low = path.lower()
    if low.endswith(".xacro"):
        return True
    return b"xmlns:xacro" in data[:4096] and b"<xacro:" in data


def is_installed() -> bool:
    """Return whether the package `xacro` is installed. Without it, a .urdf file with a few xacro tags is read as plain URDF."""
    return importlib.util.find_spec("xacro") is not None


def arguments(data: bytes) -> dict[str, str | None]:
    """Return {name: default, or None} for the arguments that a xacro file declares or uses."""
    found: dict[str, str | None] = {}
    data = _COMMENT.sub(b"", data)
    for tag in _ARGUMENT.findall(data):
        attrs = {name.decode(): (one or two).decode("utf-8", "replace") for name, one, two in _ATTRIBUTE.findall(tag)}
        if "name" in attrs:
            found.setdefault(attrs["name"], attrs.get("default"))
    for name in _USED.findall(data):
        # The argument has no declaration here: another file declares it, or the caller has to give it.
        found.setdefault(name.decode(), None)
    return found


class _Package:
    """The xacro module during one import, changed so that it finds packages and opens files as this import does."""

    def __init__(self, xacro: Any, finder: Finder) -> None:
        self.xacro, self.finder = xacro, finder
        self.unprefixed: dict[str, None] = {}
        self.old: list[tuple[Any, str, Any]] = []

    def __enter__(self) -> Any:
        self._replace(self.xacro.substitution_args, "_eval_find", self.find)
        self._replace(self.xacro, "abs_filename_spec", self.named(self.xacro.abs_filename_spec))
        self._replace(self.xacro, "parse", self.parse(self.xacro.parse))
        self._replace(self.xacro, "load_yaml", self.noted(self.xacro.load_yaml))
        self._replace(self.xacro, "handle_macro_call", self.called(self.xacro.handle_macro_call))
        return self.xacro

    def __exit__(self, *_: object) -> None:
        for owner, name, value in reversed(self.old):
            setattr(owner, name, value)

    def _replace(self, owner: Any, name: str, value: Any) -> None:
        self.old.append((owner, name, getattr(owner, name)))
        setattr(owner, name, value)

    def find(self, package: str) -> str:
        """Return the folder of a package, for $(find package). For a missing one, return its name, so that its files are
        searched."""
        return next(iter(self.finder.roots(package)), f"package://{package}")

    def note(self, path: str) -> None:
        """Record a file that is read, so that it can be watched for changes."""
        self.finder.report.files[os.path.abspath(path)] = None

    def named(self, original: Callable[..., Any]) -> Callable[[str], str]:
        """Return a function that finds included files of a package in any of its folders."""

        def abs_filename_spec(name: str) -> str:
            path = original(name)
            if not os.path.isfile(path) and not any(c in path for c in "*?["):
                found = self.finder.find(name, None, "file")[0]
                return found or path
            return path

        return abs_filename_spec

    def parse(self, original: Callable[..., Any]):
        def parse(data: Any, filename: str | None = None):
            if data is None and filename is not None:
                self.note(filename)
            document = original(data, filename)
            for element in document.getElementsByTagName("*"):
                if element.tagName in _OLD:
                    self.prefix(element)
            return document

        return parse

    def prefix(self, element: Any) -> None:
        """Add the prefix `xacro:` to the tag of an element, unless its parent shows that it belongs to another language."""
        parent = element.parentNode.nodeName
        if parent in _AROUND or parent.startswith("xacro:"):
            self.unprefixed[element.tagName] = None
            element.tagName = element.nodeName = f"xacro:{element.tagName}"

    def called(self, original: Callable[..., bool]) -> Callable[..., bool]:
        """Return a function that also expands calls of macros without the prefix, as older releases did."""

        def handle_macro_call(node: Any, macros: Any, symbols: Any) -> bool:
            if ":" not in node.tagName and node.tagName in macros and node.tagName not in _URDF:
                self.prefix(node)
            return original(node, macros, symbols)

        return handle_macro_call

    def noted(self, original: Callable[..., Any]) -> Callable[[str], Any]:
        def load_yaml(filename: str | None) -> Any:
            path = self.xacro.abs_filename_spec(filename)
            self.note(path)
            return original(filename)

        return load_yaml


def expand(path: str, finder: Finder, values: Mapping[str, str]) -> bytes:
    """Return the URDF text of a xacro file; SpecError if it cannot be expanded, with the line if it is known."""
    if finder.inside is not None:
        raise OutsideError(f"{path}: a xacro file is a program; it runs only if its folder is trusted")
    try:
        # Imported late: the package takes 30 ms with YAML, and other models do not need it.
        xacro: Any = importlib.import_module("xacro")
        importlib.import_module("xacro.substitution_args")
    except ImportError:
        raise SpecError(f"{path}: {EXTRA}") from None
    with open_regular(path) as file:
        declared = arguments(file.read())
    if unknown := sorted(set(values) - set(declared)):
        finder.report.add(
            "xacro", None, f"arguments that the file does not declare: {', '.join(unknown)}", "they are passed on"
        )
    session = _Package(xacro, finder)
    with _LOCK, session as package:
        try:
            document = package.process_file(path, mappings=dict(values))
        except Exception as error:
            # Programs fail in many ways; the last file that the package read is the best guess of the location.
            lost = re.search(r"package://([^/'\"\s]+)", str(error))
            advice = f": package '{lost[1]}' was not found: give it with --package {lost[1]}=FOLDER" if lost else ""
            where = [f for f in getattr(package, "filestack", []) or [] if f]
            raise SpecError(f"{where[-1] if where else path}: xacro: {error or type(error).__name__}{advice}") from None
    if session.unprefixed:
        tags = ", ".join(f"<{tag}>" for tag in session.unprefixed)
        finder.report.add("xacro", None, f"tags without the prefix 'xacro:': {tags}", "they are expanded, as by old releases")
    shown = ", ".join(f"{k}={values.get(k, v if v is not None else '?')}" for k, v in declared.items())
    finder.report.add(
        "xacro", None, f"expanded by xacro {getattr(xacro, '__version__', '')}".rstrip(), f"arguments: {shown or 'none'}"
    )
    return document.toxml(encoding="utf-8")
