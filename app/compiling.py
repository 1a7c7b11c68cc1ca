"""Kernels that are compiled while the window works: what the model can do already, and how far the rest is.

nothing            the model is placed and drawn by interpreted kernels: camera, selection, panels and sliders work
what steps need    it moves
everything         also what only some states or requests call
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

# what a model with mesh files needs before it is there: it would ask for one after the other
MESH_STAGES = ("mesh_polygons", "leaf_trees", "mesh_measure", "mesh_normals", "mesh_weld", "hull_edges")
OBJ_STAGES = ("obj_read", "obj_count")
# what the meshes of a robot's description need
IMPORT_STAGES = ("wave_count", "wave_read", "cut_polygons", "stl_corners", "text_words", "text_numbers")


@dataclass(frozen=True)
class Progress:
    """What of the kernels is compiled. `holding`: no step can be done before more of them are."""

    done: int
    total: int
    seconds_left: int | None
    holding: bool
    fault: str = ""


class Kernels:
    """What compiles for one window. Without `start()` nothing does, and everything is there: a script's own process compiles
    what it calls.
    """

    def __init__(self, changed: Callable[[], object] = lambda: None) -> None:
        # called from a thread after each stage that is compiled
        self.changed = changed
        self.meanwhile: Meanwhile | None = None
        # stages that a step of the model on screen needs, as far as is known
        self._required: set[str] = set()

    def start_waiting(self) -> None:
        """Have what is called compiled by all cores, and wait for it."""
        self.meanwhile = Meanwhile(changed=self.changed, interpret=False).start()

    def start(self, path: str = "", steps: bool = True) -> None:
        """Have what the model of a file needs before it is there compiled; then what nearly every model needs for its
        `steps`.
        """
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
        """Have what a model needs compiled, first what steps need. Returns at once."""
        if self.meanwhile is None:
            mj.warmup(m, progress=progress)
            return
        first, names = stepped(m), needed(m)
        self.meanwhile.want(first)
        self.meanwhile.want((n for n in names if n not in first), LATER)
        for name in set(names).difference(self.meanwhile.waiting(names)):
            # mapped here, so that the physics thread does not have to
            stages.ensure(name)

    def wait(self, m: mj.MjModel) -> None:
        """Wait until all that a model needs is compiled. RuntimeError with the traceback of what does not compile."""
        if self.meanwhile is None:
            return
        for name in needed(m):
            self.meanwhile.wait(name)
        if fault := next(iter(self.meanwhile.faults.values()), ""):
            raise RuntimeError(fault)

    @property
    def waited(self) -> float:
        """Seconds that were spent waiting for the compiler."""
        return self.meanwhile.waited if self.meanwhile else 0.0

    def adopt(self, m: mj.MjModel) -> None:
        """This model is on screen now."""
        self._required = set(stepped(m))

    def ready(self) -> bool:
        """Whether the model on screen can be stepped."""
        if self.meanwhile is None or not self._required:
            return True
        self._required = set(self.meanwhile.waiting(self._required))
        return not self._required

    def compiled(self) -> AbstractContextManager[Any]:
        """A block in which what is not compiled raises NotReady."""
        return self.meanwhile.compiled_only() if self.meanwhile else nullcontext()

    def missed(self, error: NotReady) -> None:
        """A step would have needed one more stage."""
        self._required.add(error.name)

    def progress(self) -> Progress | None:
        """How far compiling is; None if there is nothing to do."""
        work = self.meanwhile
        if work is None or not (work.workers.line or work.workers.busy or work.faults):
            return None
        fault = next(iter(work.faults.values()), "")
        left = work.seconds_left()
        return Progress(len(work.compiled), work.total, None if left is None else math.ceil(left), not self.ready(), fault)


__all__ = ["Kernels", "NotReady", "Progress"]
