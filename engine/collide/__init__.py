"""Pairs of shapes become contacts.

    driver      the stage `collision`: pairs of bodies -> pairs of geoms -> contacts, in the order of the model's ids
    broad       pairs of bodies that may touch: sweep and prune along the main axis of the scene
    filter      masks, bounding spheres, welded and sleeping bodies, excluded pairs
    mid         pairs of geoms of two bodies: search of two bounding-volume trees
    table       THE table: which family of functions takes a pair of geom types
    contact     one pair of geoms: margin, family, parameters, rows of Data
    manifold    the rows that pair functions fill: distance, position, normal, tangent

Pair functions see two shapes and a margin, never the model; each family has one stage that fetches shapes and calls them:

    primitive   planes, spheres, capsules, cylinders          box         sphere and capsule against box
    box_face    two boxes, in later releases; ccd_clip: several contacts of convex pairs there
    box_box     two boxes                                     plane_mesh  plane against mesh
    hfield      height field against a convex shape         sdf         signed distance fields
    plane_solid plane against any solid of geom.support; the reference's solids have functions of their own in `plane`
    convex      everything else that is convex: `ccd` (`gjk` and `epa`, on the shapes of geom.support), `ccd_multi` for several
                contacts at once, `mpr` where the native functions are disabled

Flexes: `flex` searches, `flex_pairs` collides elements and vertices, `triangle` holds their own pair functions.
Beside contacts: `distance` of two geoms, `ray` and `ray_mesh`, `ray_normal` of surfaces that rays hit.

Called by step.forward; reads poses that dynamics.kinematics wrote; writes contact rows, their count and `bvh_active`.
"""
