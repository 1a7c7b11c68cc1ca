"""The viewer for scripts: launch, launch_passive."""
import sys

from .app import passive

sys.modules[__name__] = passive
