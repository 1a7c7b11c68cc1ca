"""The table of decor generators, in drawing order; one row for each type of decor. Decor is everything except model geoms and
sites.

Each generator takes a `Build` and checks whether its flag, label or frame is on.
"""

from . import decor_contact, decor_debug, decor_model

# Types drawn even if the decor category is hidden, because they represent parts of the model.
ALWAYS = (decor_model.tendons, decor_model.slidercranks)

TABLE = (
    decor_debug.geom_frames,
    decor_debug.site_frames,
    decor_debug.body_bvh,
    decor_debug.flex_bvh,
    decor_debug.mesh_bvh,
    decor_debug.mesh_octree,
    decor_contact.tactile,
    decor_model.inertia,
    decor_debug.perturbation,
    decor_debug.world_body_frames,
    decor_debug.selection_point,
    decor_debug.body_labels,
    decor_model.joints,
    decor_model.actuators,
    decor_debug.island_labels,
    decor_debug.cameras,
    decor_debug.lights,
    decor_model.com,
    decor_model.autoconnect,
    decor_contact.rangefinders,
    decor_contact.external_forces,
    decor_contact.constraints,
    decor_contact.contacts,
)
