"""An object in another process, whose Python has another release of the reference; its methods are called by lines of JSON."""

from __future__ import annotations

import json
import subprocess
import sys
from typing import Any


class Other:
    """The object that `file` serves when it is run with --serve. A method that raises ends in a RuntimeError with its text."""

    def __init__(self, python: str, file: str) -> None:
        self.process = subprocess.Popen(
            [python, file, "--serve"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, bufsize=1
        )

    def __getattr__(self, method: str) -> Any:
        def ask(*words: Any) -> Any:
            assert self.process.stdin and self.process.stdout
            print(json.dumps([method, *words]), file=self.process.stdin, flush=True)
            answer, error = json.loads(self.process.stdout.readline())
            if error:
                raise RuntimeError(error)
            return answer

        return ask


def serve(thing: Any) -> None:
    """The other process: call methods of an object until the input ends."""
    for line in sys.stdin:
        method, *words = json.loads(line)
        try:
            answer, error = getattr(thing, method)(*words), ""
        except Exception as failure:
            answer, error = None, str(failure)[:200] or type(failure).__name__
        print(json.dumps([answer, error]), flush=True)
