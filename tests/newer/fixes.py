"""Scripts about fixes that the reference's list of changes does not name: run by 4.0.1 to record, and here with `tumble.v4` to
compare. As in `scripts`, a script is a function of the module and a loader of texts, and returns {name: array}.
"""

from . import fixes_models, fixes_physics

FIXES = {script.__name__: script for script in (*fixes_physics.SCRIPTS, *fixes_models.SCRIPTS)}
