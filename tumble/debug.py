"""Debugging inside a simulation: run stages as plain Python functions, or replace them with your own.

    tumble.debug.interpreted("collision")          breakpoints and `print` work in this stage; others stay compiled
    tumble.debug.replace("solve_newton", mine)     your function, Python or compiled, is called instead of the stage
    tumble.debug.compiled("solve_newton")          the machine code of the replaced stage, as a function
    tumble.debug.restore()                         undoes all changes

The first two calls take effect at once, until `restore()` or the end of a `with` block. `names()` lists the stages. The
environment variable TUMBLE_INTERPRET=all or TUMBLE_INTERPRET=collision,rne interprets stages for a whole program. See
debugging.md in the manual.
"""

# pyright: reportMissingImports=false, reportAttributeAccessIssue=false
from .engine.core.debug import Change, compiled, interpreted, names, replace, restore

__all__ = ["Change", "compiled", "interpreted", "names", "replace", "restore"]
