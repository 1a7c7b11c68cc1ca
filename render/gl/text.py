"""Text labels of geoms."""


class Labels:
    """Draws the labels of a scene."""

    def draw(self, scene, frame, rect):
        """Nothing to draw without labels."""

    def free(self):
        """Nothing held."""
