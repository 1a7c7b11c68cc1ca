"""A model and its data for tests that count calls of user functions."""

from collections.abc import Iterator
from typing import Any

import tumble


def quiet(xml: str) -> Iterator[tuple[Any, Any]]:
    """The body of a fixture: Model and Data whose kernels are loaded, for a step that waits
    for one begins again and calls again.
    """
    m = tumble.MjModel.from_xml_string(xml)
    d = tumble.MjData(m)
    tumble.mj_step(m, d)
    tumble.mj_resetData(m, d)
    yield m, d
    tumble.mj_resetCallbacks()
