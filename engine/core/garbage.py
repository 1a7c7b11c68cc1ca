"""The garbage collector, at rest while much is made of which nothing is garbage."""
import contextlib
import gc
from collections.abc import Iterator


@contextlib.contextmanager
def no_collection() -> Iterator[None]:
    """In this block, or in a function that is decorated with it, nothing looks for garbage in what is made; whoever has switched that off finds it so."""
    collects = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if collects:
            gc.enable()
