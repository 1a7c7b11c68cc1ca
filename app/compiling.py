"""Compiles kernels while the window is in use. What works depends on what is compiled:

nothing            interpreted kernels place and draw the model: camera, selection, panels and sliders work
what steps need    the model moves
everything         rare states and requests work, too
"""

from __future__ import annotations

import math
from collections.abc import Callable
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass
from typing import Any

from .. import engine as mj
from ..engine.calls.meanwhile import FIRST, LATER, Meanwhile, NotReady
from ..engine.core import stages
from ..engine.step.needs import COMMON, needed, stepped
from ..engine.tables import stage_rows
from .reload import model_files
from .robots import is_imported

# Stages that models with mesh files need while loading. Without this list they would be compiled one after another.
MESH_STAGES = ("mesh_polygons", "face_boxes", "leaf_trees", "mesh_measure", "mesh_normals", "mesh_weld", "hull_edges")
OBJ_STAGES = ("obj_read", "obj_count")
# Stages that the meshes of robot descriptions need while loading.
IMPORT_STAGES = ("wave_count", "wave_read", "cut_polygons", "stl_corners", "text_words", "text_numbers")


@dataclass(frozen=True)
class Progress:
    """Progress of compiling. `holding`: the model cannot step until more kernels are ready."""

    done: int
    total: int
    seconds_left: int | None
    holding: bool
    fault: str = ""


class Kernels:
    """Compiles kernels for one window. Before `start()`, each kernel is compiled when it is called, as in scripts."""

    def __init__(self, changed: Callable[[], object] = lambda: None) -> None:
        # called after each compiled stage, from a compiling thread
        self.changed = changed
        self.meanwhile: Meanwhile | None = None
        # known stages that a step of the current model needs
        self._required: set[str] = set()

    def start_waiting(self) -> None:
        """Compile all kernels that are called, on all cores, and wait for them."""
        self.meanwhile = Meanwhile(changed=self.changed, interpret=False).start()

    def start(self, path: str = "", steps: bool = True) -> None:
        """Start compiling the stages that loading a file needs and, if `steps`, those that most models need to step."""
        self.meanwhile = Meanwhile(changed=self.changed).start()
        endings = {file.rpartition(".")[2].lower() for file in model_files(path)} if path else set()
        if endings & {"obj", "stl", "msh"}:
            self.meanwhile.want(MESH_STAGES + (OBJ_STAGES if "obj" in endings else ()), FIRST)
        elif is_imported(path):
            self.meanwhile.want(MESH_STAGES + IMPORT_STAGES, FIRST)
        if steps:
            self.meanwhile.want(n for n in COMMON if n not in stage_rows.COMPILING)
            self.meanwhile.want((n for n in COMMON if n in stage_rows.COMPILING), LATER)

    def stop(self) -> None:
        if self.meanwhile:
            self.meanwhile.stop()

    def prepare(self, m: mj.MjModel, progress: Callable[[int, int, str], None] | None = None) -> None:
        """Start compiling all stages that a model needs, beginning with those for steps. Returns at once."""
        if self.meanwhile is None:
            mj.warmup(m, progress=progress)
            return
        first, names = stepped(m), needed(m)
        self.meanwhile.want(first)
        self.meanwhile.want((n for n in names if n not in first), LATER)
        for name in set(names).difference(self.meanwhile.waiting(names)):
            # Map compiled stages into memory here, so that the physics thread need not do it.
            stages.ensure(name)

    def wait(self, m: mj.MjModel) -> None:
        """Wait until all stages that a model needs are compiled. Raise RuntimeError with the traceback if one fails."""
        if self.meanwhile is None:
            return
        for name in needed(m):
            self.meanwhile.wait(name)
        if fault := next(iter(self.meanwhile.faults.values()), ""):
            raise RuntimeError(fault)

    @property
    def waited(self) -> float:
        """Return the seconds spent waiting for the compiler."""
        return self.meanwhile.waited if self.meanwhile else 0.0

    def adopt(self, m: mj.MjModel) -> None:
        """Record the stages that the model on screen needs to step."""
        self._required = set(stepped(m))

    def ready(self) -> bool:
        """Return whether the model on screen can be stepped."""
        if self.meanwhile is None or not self._required:
            return True
        self._required = set(self.meanwhile.waiting(self._required))
        return not self._required

    def compiled(self) -> AbstractContextManager[Any]:
        """Return a context in which a call of an uncompiled stage raises NotReady."""
        return self.meanwhile.compiled_only() if self.meanwhile else nullcontext()

    def missed(self, error: NotReady) -> None:
        """Record that a step needed a stage that was not compiled."""
        self._required.add(error.name)

    def progress(self) -> Progress | None:
        """Return the progress of compiling; None if there is nothing to compile."""
        work = self.meanwhile
        if work is None or not (work.workers.line or work.workers.busy or work.faults):
            return None
        fault = next(iter(work.faults.values()), "")
        left = work.seconds_left()
        return Progress(len(work.compiled), work.total, None if left is None else math.ceil(left), not self.ready(), fault)


__all__ = ["Kernels", "NotReady", "Progress"]
