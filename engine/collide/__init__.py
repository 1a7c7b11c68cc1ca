"""Collision detection: turns pairs of shapes into contacts.

    driver      the stage `collision`: pairs of bodies -> pairs of geoms -> contacts, in the order of the model's ids
    broad       pairs of bodies that may touch: their boxes along the scene's principal axes overlap
    sweep       boxes that overlap, found by sweep and prune
    filter      masks, bounding spheres, welded and sleeping bodies, excluded pairs
    mid         pairs of geoms of two bodies: descends two bounding volume trees
    table       the pair table: which family of functions collides a pair of geom types
    bounds      bounding boxes of two geoms that prove the geoms apart
    apart       planes that separated two convex geoms in the last step
    contact     one pair of geoms: margin, family, parameters, rows of Data
    manifold    the rows that pair functions fill: distance, position, normal, tangent

Pair functions see two shapes and a margin, never the model. Each family has one stage that fetches the shapes and calls them:

    primitive   planes, spheres, capsules, cylinders (functions in `plane` and `sphere_capsule`)
    box         sphere and capsule against box
    box_box     two boxes; box_face since MuJoCo 3.12
    plane_mesh  plane against mesh
    plane_solid plane against any other solid of geom.support
    hfield      height field against a convex shape
    sdf         signed distance fields
    convex      all other convex pairs: `ccd` (`gjk` and `epa`, on the shapes of geom.support), `ccd_multi` and `ccd_clip`
                for several contacts at once, `mpr` where the native functions are disabled

Flexes: `flex` searches, `flex_pairs` collides elements and vertices, `triangle` and `tetrahedron` hold their special pair
functions, `flex_few` limits the number of contacts.

Contacts ahead of time (flag `speculative`): `swept` finds fast geoms, `ahead` finds where they will touch, `occlusion` drops
contacts behind a third geom, `arrest` computes the distance that is passed to the solver.

Other queries: `distance` of two geoms; `ray` and `ray_mesh` cast rays; `ray_normal` computes surface normals at their hits.

Functions return -1 or False "if the step must stop": memory is short, or a needed stage is not loaded yet. The engine then
allocates the memory or loads the stage, and repeats the collision stage.

Called by step.forward; reads poses that dynamics.kinematics wrote; writes contact rows, their count and `bvh_active`.
"""
