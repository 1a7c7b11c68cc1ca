"""Compiles models in the background. The current model keeps running until the new one is ready. Failures are reported as
messages."""

from __future__ import annotations

import os
import re
import threading
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from .. import engine as mj
from ..engine.description.files.resources import OutsideError, within
from ..engine.description.robots.overlaps import list_overlaps, overlapping
from ..engine.description.robots.packages import ARCHIVES as TARS
from ..engine.description.robots.packages import Found, SeveralModels, model_of_folder, split
from ..engine.description.robots.report import REPAIR
from ..engine.machine.regular import open_regular
from ..engine.machine.systems import release_memory, return_blocks
from ..ui.letters import is_plain, plain
from .channels import Letter, Queue
from .reload import Stamp, model_files, stamps_of
from .robots import ENDINGS as DESCRIPTIONS
from .robots import Imported, declared_by, imported, is_imported, keywords, report_of, usable, watched
from .trust import confinement, place_of_trust

# After this many seconds without a request, the old model, its pictures and its history have certainly been freed.
SETTLED = 3.0
# Arrays of this many bytes return their memory when a model is closed, because a window opens many models.
BLOCK = 1 << 20
# reason why a file is not opened
UNNAMED = "the name of this file, or of a folder around it, is not valid UTF-8: rename it to open the model"
ARCHIVES = (".zip", ".mjz")
ENDINGS = (".xml", ".mjcf", *DESCRIPTIONS, ".mjb", *ARCHIVES, *TARS)
# number of bytes read to find out whether a file with an unknown suffix may be XML
HEAD = 4096
_LINE = re.compile(r"\bline\s+(\d+)", re.IGNORECASE)
_PLACE = re.compile(r"^(?P<file>[^\n:]+\.(?:xml|mjcf|urdf)):(?P<line>\d+)")


@dataclass(frozen=True)
class Request:
    """A model to compile. `stored`: the import options of each path; see app.robots."""

    path: str
    keep_state: bool = False
    stored: Mapping[str, Any] = field(default_factory=dict)

    @property
    def options(self) -> dict[str, Any]:
        """The options of this file."""
        return usable(self.stored.get(self.path))


@dataclass(frozen=True)
class Loaded:
    """A compiled model, with one Data for the simulation and one for the renderer."""

    path: str
    model: Any
    data: Any
    copy: Any
    seconds: float
    files: tuple[str, ...]
    keep_state: bool
    warning: str = ""
    # state of the files before they were read
    stamps: Mapping[str, Stamp] = field(default_factory=dict)
    # data that the renderer uploads (render.gl.assets); None if the renderer must prepare it itself
    assets: Any = None
    # the arguments, options and report of an imported file
    imported: Imported | None = None
    # floor, lights and sky that the view adds (staging.Stage); None if the view must find them itself
    stage: Any = None


@dataclass(frozen=True)
class Failed:
    """The reason why a model did not load, and the location: file, line, column (0 if unknown), attribute, and the text there.

    `outside`: it requested a file, `wanted`, that it may read only if a folder, `trusts`, is trusted.
    """

    path: str
    message: str
    file: str
    line: int
    files: tuple[str, ...]
    column: int = 0
    attribute: str = ""
    found: str = ""
    outside: bool = False
    trusts: str = ""
    stamps: Mapping[str, Stamp] = field(default_factory=dict)
    imported: Imported | None = None
    # the models in a folder or archive, from which the user must choose
    choices: tuple[Found, ...] = ()
    # whether the path is a folder without a model
    empty: bool = False
    # the file that the model needs, but may not read until its folder is trusted; and other such files that exist
    wanted: str = ""
    more: tuple[str, ...] = ()


def place_of(error: Exception, path: str) -> tuple[str, int]:
    """Return the file and line that an error names; line 0 if it names none."""
    file, line = getattr(error, "file", None), getattr(error, "line", None)
    if file and line:
        return str(file), int(line)
    text = str(error)
    if found := _PLACE.match(text):
        return found["file"], int(found["line"])
    found = _LINE.search(text)
    return str(file or path), int(found[1]) if found else 0


def refused(error: BaseException | None) -> OutsideError | None:
    """Return the OutsideError among an error and its causes, which is raised if a model requests a file outside its folder.
    None if there is none."""
    while error is not None and not isinstance(error, OutsideError):
        error = error.__context__
    return error


def others_outside(path: str, files: tuple[str, ...], wanted: str) -> tuple[str, ...]:
    """Return the files of a model outside its folder, except `wanted`. A link counts as the file to which it leads."""
    folder = confinement(path)
    if folder is None:
        return ()
    real = dict.fromkeys(os.path.realpath(file) for file in files)
    return tuple(file for file in real if not within(file, folder) and file != os.path.realpath(wanted))


def is_outside(error: BaseException | None) -> bool:
    """Return whether a model requested a file outside its folder."""
    return refused(error) is not None


def compile_file(
    path: str,
    progress: Callable[[int, int, str], None] | None = None,
    prepare: Callable[..., Any] = mj.warmup,
    options: Mapping[str, Any] | None = None,
    editor: Callable[[], Callable[[Any], None] | None] | None = None,
) -> tuple[Any, Any, Any, str]:
    """Return the model, Data for the simulation, Data for the renderer, and the warning. app.trust limits what files are read.

    `prepare(m, progress=...)` compiles missing kernels that stepping this model needs, so that the physics thread never has to.
    `progress(done, total, name)` receives its progress. `options`: of an import, see app.robots. `editor()` returns a function
    that changes the spec before it is compiled, or None.
    """
    m = read_model(path, options, editor() if editor is not None else None)
    prepare(m, progress=progress)
    if (report := report_of(m)) is not None:
        list_overlaps(report, overlapping(m).items(), False)
    warning = str(getattr(m, "compile_warning", "") or "") or repairs(m)
    d = mj.MjData(m)
    # The profiler needs the timers of stages.
    d.timing = 1
    return m, d, mj.MjData(m), warning


def repairs(m: mj.MjModel) -> str:
    """Return the repairs of an import as one line; empty if there are none."""
    report = report_of(m)
    serious = [e for e in report or () if e.severity != "note"]
    if not serious:
        return ""
    first = serious[0]
    # The description of a repair may be only in `done`, for example for a mesh.
    what = f"{first.found}: {first.done}" if first.severity == REPAIR and first.done else first.found
    return f"Imported with {report.summary()}: {what}" + (f"; {len(serious) - 1} more" if len(serious) > 1 else "")


def read_model(path: str, options: Mapping[str, Any] | None = None, edit: Callable[[Any], None] | None = None) -> mj.MjModel:
    """Read a model from a file of any supported type. `options`: of an import, see app.robots. `edit` changes the spec before
    it is compiled; binary models have none. The error for any other file lists the supported types."""
    if not os.path.exists(split(path)[0]):
        raise FileNotFoundError(f"no such file: {path}")
    if os.path.isdir(path):
        path = model_of_folder(path)
    ending = os.path.splitext(path)[1].lower()

    # Binary models and archives contain all their parts.
    if ending == ".mjb":
        return mj.MjModel.from_binary_path(path)
    if ending in ARCHIVES and not is_imported(path):
        # An archive reads only its own members, unless its folder is trusted.
        return compiled(mj.MjSpec.from_zip(path, inside=path if confinement(path) else None), edit)
    if is_imported(path):
        return compiled(imported(path, **keywords(options or {})), edit)

    if ending not in ENDINGS:
        with open_regular(path) as file:
            if not file.read(HEAD).lstrip(b"\xef\xbb\xbf \t\r\n").startswith(b"<"):
                raise ValueError(
                    f"{os.path.basename(path)} is not a model; supported files are MJCF (.xml, .mjcf), "
                    "URDF (.urdf, .xacro), SDF (.sdf), "
                    "meshes (.stl, .obj, .dae, .glb and others), binary models (.mjb) "
                    "and archives (.zip, .tar.gz, .mjz)"
                )

    if edit is not None:
        return compiled(mj.MjSpec.from_file(path, inside=confinement(path)), edit)
    # without an edit, a text that was loaded before is not compiled again
    return mj.MjModel.from_xml_path(path, inside=confinement(path))


def compiled(spec: mj.MjSpec, edit: Callable[[Any], None] | None) -> mj.MjModel:
    """Return the model of a spec after an edit."""
    if edit is not None:
        edit(spec)
    return spec.compile()


def give_back() -> None:
    """Return unused memory held by the C library to the system, because changing models fragment it."""
    release_memory()


class Cancelled(Exception):
    """The user no longer wants this model."""


class Loader:
    """Compiles one model at a time in a thread. If several requests wait, only the last one counts."""

    def __init__(self, compile_: Callable[..., Any] = compile_file) -> None:
        self.results: Queue[Loaded | Failed] = Queue()
        self._compile = compile_
        # Function that prepares what the window draws: data for the renderer, and the stage (opening.prepare); set once the
        # renderer has been imported.
        self.draw: Callable[[Any], tuple[Any, Any]] | None = None
        self._wanted: Letter[Request] = Letter()
        self._wake = threading.Event()
        # Guards what is being compiled, and by which thread.
        self._turn = threading.Lock()
        self._stop = False
        self._busy = ""
        self._begun = 0.0
        self.detail = ""
        self._thread: threading.Thread | None = None
        # threads whose model was cancelled
        self._left: set[threading.Thread] = set()

    @property
    def busy(self) -> str:
        """Path of the model that is being compiled; empty when idle."""
        waiting = self._wanted.peek()
        return self._busy or (waiting.path if waiting else "")

    @property
    def seconds(self) -> float:
        """How long the model has been compiled; 0 when idle."""
        return time.perf_counter() - self._begun if self._busy else 0.0

    def request(self, path: str, keep_state: bool = False, stored: Mapping[str, Any] | None = None) -> None:
        """Request a model; `stored`: the import options of each path. Returns at once."""
        path = os.path.abspath(path)
        if not is_plain(path):
            self.results.put(Failed(plain(path), UNNAMED, plain(path), 0, ()))
            return
        self._wanted.put(Request(path, keep_state, stored or {}))
        if self._thread is None:
            self._thread = threading.Thread(target=self._run, name="loader", daemon=True)
            self._thread.start()
        self._wake.set()

    def cancel(self) -> str:
        """Give up the model that is being compiled, and one that waits. Return its path; empty if there is none.

        Its thread cannot be stopped in a compiled function. It ends when it has the model or compiles kernels, and its result
        is dropped. Later requests get another thread, so they need not wait.
        """
        with self._turn:
            path = self.busy
            self._wanted.take()
            if self._busy and self._thread is not None:
                self._left.add(self._thread)
                self._thread = None
            self._busy = self.detail = ""
        return path

    def stop(self) -> None:
        self._stop = True
        self._wake.set()
        if self._thread:
            self._thread.join(5.0)

    def _run(self) -> None:
        return_blocks(BLOCK)
        used, own = False, threading.current_thread()
        while not self._stop:
            if not self._wake.wait(SETTLED if used else None):
                # After a while without requests, the old model is free; return its memory to the system.
                give_back()
                used = False
                continue
            self._wake.clear()
            with self._turn:
                request = None if self._stop else self._wanted.take()
                if request is None:
                    continue
                self._busy, self._begun = request.path, time.perf_counter()
            used, result = True, self._load(request)
            with self._turn:
                if own in self._left:
                    # The model was cancelled; another thread serves the next requests.
                    self._left.discard(own)
                    return
                self.results.put(result)
                self._busy = ""

    def _progress(self, done: int, total: int, name: str = "") -> None:
        if threading.current_thread() in self._left:
            raise Cancelled
        self.detail = f"compiling kernels, {done} of {total}"

    def _load(self, request: Request) -> Loaded | Failed:
        begin, self.detail = time.perf_counter(), ""
        # List the files before compiling, so that an edit during compilation is noticed.
        files = model_files(request.path)
        stamps = stamps_of(files)
        try:
            if os.path.isdir(request.path):
                # From here on, the request names the file in place of its folder.
                request = replace(request, path=model_of_folder(request.path, os.path.basename(request.path)))
                files = model_files(request.path)
                stamps = stamps_of(files)
            own = {"options": request.options} if request.options else {}
            m, d, copy, warning = self._compile(request.path, self._progress, **own)
            assets, stage = self.draw(m) if self.draw is not None else (None, None)
        except Exception as error:
            file, line = place_of(error, request.path)
            column = int(getattr(error, "column", 0) or 0)
            attribute, given = (str(getattr(error, name, "") or "") for name in ("attribute", "found"))
            text = str(error).strip() or type(error).__name__
            outside = refused(error)
            trusts = place_of_trust(request.path) if outside else ""
            about = self._about(request, None)
            choices = error.found if isinstance(error, SeveralModels) else ()
            empty = isinstance(error, SeveralModels) and not choices and os.path.isdir(request.path)
            more = (column, attribute, given, outside is not None, trusts, stamps, about, choices, empty)
            if outside is None:
                return Failed(request.path, text, file, line, files, *more)
            others = others_outside(request.path, files, outside.wanted) if outside.wanted else ()
            return Failed(request.path, text, file, line, files, *more, wanted=outside.wanted, more=others)
        seconds = time.perf_counter() - begin
        about, found = self._about(request, m), watched(m, files)
        return Loaded(request.path, m, d, copy, seconds, found, request.keep_state, warning, stamps, assets, about, stage)

    @staticmethod
    def _about(request: Request, m: Any) -> Imported | None:
        """Return the arguments, options and report of an imported file; None for other models."""
        report = report_of(m)
        if report is None and (m is not None or not os.path.exists(split(request.path)[0]) or not is_imported(request.path)):
            return None
        return Imported(request.path, declared_by(request.path, report), request.options, report)
