"""Compiled functions of plugins, as users write them who want to avoid the interpreter in a step."""

from tumble.engine.machine.jit import stage
from tumble.engine.machine.lang import array_at, store


@stage("vMDii")
def drag_forces(m, d, instance, capability):
    """A drag on the first dof."""
    d.qfrc_passive[0] -= array_at(d.plugin_data[instance], 1)[0] * d.qvel[0]


@stage("ffffi")
def half_static(x, y, z, attributes):
    """A slab below z = 0."""
    return max(max(z, max(abs(x), abs(y)) - 0.5), -0.2 - z)


@stage("fMDifff")
def half_field(m, d, instance, x, y, z):
    """A slab below z = 0."""
    return max(max(z, max(abs(x), abs(y)) - 0.5), -0.2 - z)


@stage("vMDifffi")
def half_gradient(m, d, instance, x, y, z, out):
    """Upwards."""
    store(array_at(out, 3), 0, (0.0, 0.0, 1.0))
