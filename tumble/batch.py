"""Simulates many worlds of one model."""

# pyright: reportMissingImports=false, reportAttributeAccessIssue=false
import importlib
import importlib.abc
import sys
from collections.abc import Sequence
from importlib.machinery import ModuleSpec
from types import ModuleType
from typing import Any

from .engine import batch


class Parts(importlib.abc.MetaPathFinder, importlib.abc.Loader):
    """Imports `tumble.batch.x` as the engine's module `batch.x`: a second copy of the module would define its classes again."""

    def find_spec(self, name: str, path: Sequence[str] | None = None, target: Any = None) -> ModuleSpec | None:
        return ModuleSpec(name, self) if name.startswith(__name__ + ".") else None

    def create_module(self, spec: ModuleSpec) -> ModuleType:
        module = importlib.import_module(batch.__name__ + spec.name.removeprefix(__name__))
        self.spec = module.__spec__
        return module

    def exec_module(self, module: ModuleType) -> None:
        # the import system has replaced the module's spec by one with its second name: restore the original
        module.__spec__ = self.spec


sys.meta_path.insert(0, Parts())
sys.modules[__name__] = batch
