"""A model and its data for tests that count calls of user functions."""
from collections.abc import Iterator
from typing import Any

import engine


def quiet(xml: str) -> Iterator[tuple[Any, Any]]:
    """The body of a fixture: Model and Data whose kernels are loaded, for a step that waits for one begins again and calls again."""
    m = engine.MjModel.from_xml_string(xml)
    d = engine.MjData(m)
    engine.mj_step(m, d)
    engine.mj_resetData(m, d)
    yield m, d
    engine.mj_resetCallbacks()
