"""Debugging a simulation from inside: stages as plain Python functions, and your own functions in their place.

    tumble.debug.interpreted("collision")          breakpoints and `print` work in this stage, the others stay compiled
    tumble.debug.replace("solve_newton", mine)     your function, Python or compiled, is called instead of the stage
    tumble.debug.compiled("solve_newton")          the machine code that it replaces, as a function
    tumble.debug.restore()                         everything as it was

The first two take effect at once, until `restore()` or the end of a `with` block. `names()` lists the stages. TUMBLE_INTERPRET=all or
TUMBLE_INTERPRET=collision,rne in the environment does the first for a whole program. The manual has a page about it: debugging.md.
"""

# pyright: reportMissingImports=false, reportAttributeAccessIssue=false
from .engine.core.debug import Change, compiled, interpreted, names, replace, restore

__all__ = ["Change", "compiled", "interpreted", "names", "replace", "restore"]
