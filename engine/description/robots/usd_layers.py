"""USD files and the files they refer to → a stage in memory. Needs the package usd-core.

Each file is found and read in the same way as all other files of a robot, and copied into an anonymous layer. References
between files are replaced by the names of these layers before anything is composed, so USD itself opens no file of the robot.
"""

import importlib
import importlib.util
import os
import re
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from typing import Any

import numpy as np

from ..language.errors import MAX_PATH, SpecError
from .archives import members, unpacked
from .locate import Finder
from .packages import USD_ENDINGS
from .report import ImportReport

EXTRA = "USD files need the package `usd-core`: pip install 'tumble[usd]'"
# Limits: files, bytes of all files, prims of the composed scene, and nesting of blocks and references.
MOST_FILES, MOST_BYTES, MOST_PRIMS, MOST_DEPTH = 2000, 1 << 30, 200000, 256
# First bytes of binary files, of text files and of zip archives.
CRATE, TEXT, ZIP = b"PXR-USDC", b"#usda", b"PK\x03\x04"
ARCHIVE = ".usdz"
# A file in an archive: archive.usdz[file.usda]
_MEMBER = re.compile(r"(.+\.usdz)\[(.+)\]", re.IGNORECASE)
# time limit (s) and program for reading an untrusted binary file in another process with limited memory
MOST_SECONDS = 30
APART = """
import sys
try:
    import resource
    resource.setrlimit(resource.RLIMIT_AS, (1 << 33, resource.getrlimit(resource.RLIMIT_AS)[1]))
except (ImportError, ValueError, OSError):
    pass
from pxr import Sdf
layer = Sdf.Layer.OpenAsAnonymous(sys.argv[1])
def read(path):
    spec = layer.GetObjectAtPath(path)
    for key in spec.ListInfoKeys() if spec else ():
        try:
            spec.GetInfo(key)
        except TypeError:
            # The value was read, and Python has no type for it.
            continue
layer.Traverse("/", read)
"""
# Maximum number of USD's messages in the report. _SOURCE: location of an error in USD's own source code. _STAGE, _ANONYMOUS:
# parts of a message that mean nothing to users. _PARSER: location of an error in a text file.
MOST_MESSAGES = 20
_SOURCE = re.compile(r"in file \S+ : '(?:Corrupt asset <[^>]*>: )?(.*)'")
_STAGE = re.compile(r"\(\w+ stage on stage .*")
_ANONYMOUS = re.compile(r"anon:0x[0-9a-f]+:?")
_PARSER = re.compile(r":(\d+):\d+: (.*)")


def pxr(name: str) -> Any:
    """Import a module of usd-core, which is not needed by other descriptions."""
    return importlib.import_module("pxr." + name)


class Layers:
    """Reads files into anonymous layers, each file once."""

    def __init__(self, finder: Finder, report: ImportReport, stack: ExitStack) -> None:
        self.finder, self.report, self.stack = finder, report, stack
        self.sdf = pxr("Sdf")
        self.folder = stack.enter_context(tempfile.TemporaryDirectory(prefix="tumble-"))
        self.empty = self.sdf.Layer.CreateAnonymous("lost.usda")
        # {path: layer}; {path of an archive: (its folder, its first file)}
        self.layers: dict[str, Any] = {}
        self.archives: dict[str, tuple[str, str]] = {}
        # {temporary folder: its name in messages}
        self.titles: dict[str, str] = {}
        self.todo: list[tuple[Any, Finder]] = []
        self.bytes = 0

    def open(self, path: str) -> Any:
        """Return the layer of a file, with all files that it refers to."""
        layer = self._layer(path, "", self.finder)
        while self.todo:
            self._connect(*self.todo.pop())
        return layer

    def _layer(self, path: str, member: str, finder: Finder) -> Any:
        """Return the layer of a file, or of a member of a .usdz archive (the first one, if no name is given)."""
        data = finder.read(path)
        if not (data.startswith(ZIP) and path.lower().endswith(ARCHIVE)):
            return self._loaded(path, data, finder)
        if path not in self.archives:
            folder = self.stack.enter_context(unpacked(path))
            self.titles[folder + os.sep] = f"{path}!"
            self.archives[path] = folder, next((name for name, _, _ in members(path)), "")
        folder, first = self.archives[path]
        file = os.path.normpath(os.path.join(folder, *(member or first).split("/")))
        inner = Finder(file, self.report, (), folder, {}, top=folder)
        # A member of an archive can refer to files of this archive only.
        return self._loaded(file, inner.read(file), inner)

    def _loaded(self, path: str, data: bytes, finder: Finder) -> Any:
        path = os.path.realpath(path)
        if path in self.layers:
            return self.layers[path]
        self.bytes += len(data)
        if self.bytes > MOST_BYTES or len(self.layers) >= MOST_FILES:
            raise ValueError(f"{path}: a scene of more than {MOST_FILES} files or {MOST_BYTES >> 30} GB is not opened")
        if not data.startswith((CRATE, TEXT)):
            raise ValueError(f"{self._title(path)}: it is not a USD file")
        if data.startswith(TEXT) and nesting(data) > MOST_DEPTH:
            raise ValueError(f"{self._title(path)}: blocks are nested deeper than {MOST_DEPTH}")
        copy = os.path.join(self.folder, f"{len(self.layers)}{'.usdc' if data.startswith(CRATE) else '.usda'}")
        with open(copy, "wb") as file:
            file.write(data)
        try:
            if self.finder.inside is not None and data.startswith(CRATE):
                try_apart(copy, self._title(path))
            layer = self.sdf.Layer.OpenAsAnonymous(copy)
        except RuntimeError as error:
            found = _PARSER.search(str(error))
            why = f"line {found[1]}: {found[2]}" if found else "it is damaged"
            raise ValueError(f"{self._title(path)}: the USD file cannot be read: {why}") from None
        finally:
            os.remove(copy)
        if layer is None:
            raise ValueError(f"{self._title(path)}: the USD file cannot be read")
        self.layers[path] = layer
        self.todo.append((layer, finder))
        return layer

    def _title(self, path: str) -> str:
        """Return the name of a file for messages."""
        for folder, title in self.titles.items():
            path = path.replace(folder, title)
        return path

    def _connect(self, layer: Any, finder: Finder) -> None:
        """Load the files that a layer refers to, and replace their names by those of the loaded layers."""
        for name in layer.GetCompositionAssetDependencies():
            layer.UpdateCompositionAssetDependency(name, self._target(name, finder).identifier)

        # Clips name files by templates, which USD would open itself.
        def drop(path: Any) -> None:
            prim = layer.GetPrimAtPath(path) if path.IsPrimPath() or path.IsPrimVariantSelectionPath() else None
            for key in ("clips", "clipSets"):
                if prim is not None and prim.HasInfo(key):
                    prim.ClearInfo(key)
                    self.report.add("unsupported", None, f"value clips of '{path}'", "they are not used")

        layer.Traverse("/", drop)

    def _target(self, name: str, finder: Finder) -> Any:
        """Return the layer to which a reference refers; an empty layer if its file is missing or of another type."""
        found = _MEMBER.fullmatch(name) if len(name) <= MAX_PATH else None
        file, member = (found[1], found[2]) if found else (name, "")
        if not file.lower().endswith(USD_ENDINGS) or "`" in file:
            self.report.add("unsupported", None, f"a reference to '{name}'", "it is not a plain USD file and is left out")
            return self.empty
        path, tried = finder.find(file, None, "file")
        if not path:
            places = f"{len(tried)} paths were tried: {', '.join(tried[:12])}"
            self.report.add("lost_layer", None, f"the USD file '{name}' was not found", places)
            return self.empty
        inner = Finder(path, self.report, finder.packages, finder.inside, finder.environ, top=finder.top)
        inner.folders = finder.folders
        return self._layer(path, member, inner)

    # ---- size of the scene

    def count(self, layer: Any) -> int:
        """Return an upper bound of the number of prims after composition. It is computed without composing, because a small
        file can refer to itself so often that the scene does not fit in memory.
        """
        known: dict[tuple[str, Any], int] = {}
        layers = {each.identifier: each for each in self.layers.values()}
        depth = [0]

        def of_prim(layer: Any, path: Any) -> int:
            key = layer.identifier, path
            if key in known:
                return known[key]
            # USD reports cycles as errors. Stop following them here.
            known[key] = 0
            depth[0] += 1
            if depth[0] > MOST_DEPTH:
                raise ValueError(f"{self.finder.file}: references are nested deeper than {MOST_DEPTH}")
            spec = layer.GetPrimAtPath(path)
            if spec is None or not spec:
                # The prim comes from a reference of one of its ancestors.
                above = path.GetParentPath()
                total = of_prim(layer, above) if above and above != self.sdf.Path.absoluteRootPath else 0
            else:
                total = 1 + sum(of_prim(layer, child.path) for child in spec.nameChildren)
                for choices in spec.variantSets.values():
                    total += sum(of_prim(layer, variant.primSpec.path) for variant in choices.variants.values())
                total += sum(of_target(layer, name, at) for name, at in arcs(spec))
            depth[0] -= 1
            known[key] = min(total, MOST_PRIMS + 1)
            return known[key]

        def of_target(layer: Any, name: str, path: Any) -> int:
            target = layers.get(name) if name else layer
            if target is None:
                return 0
            if path:
                return sum(of_prim(each, path) for each in stack_of(target))
            return sum(of_prim(each, root.path) for each in stack_of(target) for root in each.rootPrims)

        def stack_of(layer: Any) -> list[Any]:
            found, todo = {}, [layer]
            while todo:
                each = todo.pop()
                if each.identifier not in found:
                    found[each.identifier] = each
                    todo += [layers[name] for name in each.subLayerPaths if name in layers]
            return list(found.values())

        return of_target(layer, "", None)


def try_apart(copy: str, title: str) -> None:
    """Read all values of a binary file in another process; ValueError if that fails. Damaged files can crash USD's reader, or
    keep it busy for hours.
    """
    try:
        done = subprocess.run([sys.executable, "-c", APART, copy], capture_output=True, timeout=MOST_SECONDS, check=False)
    except subprocess.TimeoutExpired:
        raise ValueError(f"{title}: the USD file cannot be read within {MOST_SECONDS} s") from None
    if done.returncode:
        raise ValueError(f"{title}: the USD file cannot be read: it is damaged")


def nesting(data: bytes) -> int:
    """Return the nesting depth of the blocks of a text."""
    found = np.frombuffer(data, np.uint8)
    steps = np.isin(found, (40, 91, 123)).astype(np.int8) - np.isin(found, (41, 93, 125))
    return int(np.cumsum(steps, dtype=np.int32).max(initial=0))


def arcs(spec: Any) -> Iterator[tuple[str, Any]]:
    """Yield (identifier of a layer, or empty for the same layer; path) of all prims from which a prim takes contents."""
    for items in (spec.referenceList, spec.payloadList):
        for item in items.GetAddedOrExplicitItems():
            yield item.assetPath, item.primPath
    for items in (spec.inheritPathList, spec.specializesList):
        for path in items.GetAddedOrExplicitItems():
            yield "", path


@contextmanager
def opened(path: str, finder: Finder, report: ImportReport) -> Iterator[Any]:
    """Yield the stage of a USD file. ValueError or OSError if it cannot be read, OutsideError if it must not be."""
    if importlib.util.find_spec("pxr") is None:
        raise SpecError(f"{path}: {EXTRA}")
    usd, utils = pxr("Usd"), pxr("UsdUtils")
    with ExitStack() as stack:
        layers = Layers(finder, report, stack)
        # Messages of USD are part of the report, instead of lines on the console.
        messages = utils.CoalescingDiagnosticDelegate()
        try:
            layer = layers.open(path)
            if layers.count(layer) > MOST_PRIMS:
                raise ValueError(f"{path}: a scene of more than {MOST_PRIMS} prims is not opened")
            yield usd.Stage.Open(layer)
            told(messages, report, {each.identifier: file for file, each in layers.layers.items()})
        except (RuntimeError, TypeError) as error:
            # Values are read when they are needed, so damage and wrong types may be detected late.
            raise ValueError(
                f"{path}: the USD file is damaged, or a value has another type than its schema: {brief(error)}"
            ) from None
        except (ValueError, OSError) as error:
            for folder, title in layers.titles.items():
                error.args = tuple(a.replace(folder, title) if isinstance(a, str) else a for a in error.args)
            raise
        for folder, title in layers.titles.items():
            report.moved(folder, title)
            report.files = {file: None for file in report.files if not file.startswith(folder)}


def brief(error: Exception) -> str:
    """Return the message of an error without locations in USD's source code."""
    found = _SOURCE.search(str(error))
    return found[1] if found else str(error).strip()


def told(messages: Any, report: ImportReport, names: dict[str, str]) -> None:
    """Add USD's messages to the report, each text once. `names`: {identifier of a layer: its file}."""
    texts: dict[str, None] = {}
    for message in messages.TakeUncoalescedDiagnostics():
        text = _STAGE.sub("", message.commentary).strip()
        for name, file in names.items():
            text = text.replace(name, file)
        texts[_ANONYMOUS.sub("", text)] = None
    for text in list(texts)[:MOST_MESSAGES]:
        report.add("composition", None, text, "")
    if len(texts) > MOST_MESSAGES:
        report.add("composition", None, f"{len(texts) - MOST_MESSAGES} more messages of USD", "")
