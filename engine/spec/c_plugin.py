"""Plugins: which instance each element uses, its attributes as text, its state."""

import numpy as np


def resolve_plugins(c):
    """Attribute texts and state sizes of all plugin instances."""
    c.plugin_attr, c.plugin_state, c.plugin_slot = [], [], []


def pack_plugins(c, m):
    """Plugin ids of bodies, geoms, actuators and sensors."""
    for name in ('body', 'geom', 'actuator', 'sensor'):
        getattr(m, name + '_plugin')[:] = -1


def sensor_plugin(c, s, i, e):
    """Dimension of a plugin sensor."""
    s.dim[i] = 0


_ = np
