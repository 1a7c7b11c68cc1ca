"""The viewer for scripts (launch, launch_passive), with classes of the newer interface."""

# pyright: reportMissingImports=false, reportAttributeAccessIssue=false
from typing import Any

from ..app import passive as _passive
from ..engine.later.calls import wrapped as _wrapped


def __getattr__(name: str) -> Any:
    value = getattr(_passive, name)
    return _wrapped(value) if callable(value) and not isinstance(value, type) else value


def __dir__() -> list[str]:
    return [name for name in dir(_passive) if not name.startswith("_")]
