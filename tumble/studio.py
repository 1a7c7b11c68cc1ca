"""Renders images for publication: environment light, soft shadows, metals, depth of field, transparent backgrounds, any size.

with tumble.studio.Studio(model) as studio:
    studio.update_scene(data, camera="side")
    image = studio.picture(3840, 2160)                                              # (2160, 3840, 3) uint8
    cut = studio.picture(1920, 1080, Look(transparent=True, ground=False))          # (1080, 1920, 4) uint8
"""

# pyright: reportMissingImports=false, reportAttributeAccessIssue=false
from .render.look import PLAIN, Look
from .render.studio import Studio

__all__ = ["PLAIN", "Look", "Studio"]
