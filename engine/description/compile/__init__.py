"""Compiles an MjSpec to an MjModel, in stages that work on the columns of a `table.Table`: numpy arrays over all elements of
one type.

`driver` lists the stages in order. The docstring of each file says which columns it adds to the tables.

    scaling         frames that scale their contents
    scaling_rows    TABLES of dimensions for scaling
    table           elements of a kind as columns
    structure       the tree: dofs, welds, diagonal inertias
    resolve         ids, names, widths of user data; `Compilation` holds the tables
    materials       ids of materials, textures, meshes, height fields
    bvh             bounding volume hierarchies of bodies
    plugins         plugin instances
    distance_field  meshes of signed distance fields
    mesh            vertices, hulls, normals, mass properties of meshes
    images          PNG files
    texture         pixels of textures, elevations of height fields
    fit             primitives fitted to meshes
    placing         compiled checks, limits and inertial frames of geoms, joints and bodies
    frames          poses in the frames of bodies, limits of joints
    inertia         masses and inertias of bodies, fluid coefficients
    fuse            merging of static bodies into their parents (fusestatic)
    flex, skin      deformables
    contacts, equality, tendon, actuator, sensors, custom      elements that refer to others by name; keyframes
    servos          actuators with several controls or forces
    history         sizes of the control and sensor histories that delays need
    discard         removal of visual elements (discardvisual)
    name_buffers    buffers of names and files
    sizes, pack     sizes of the Model, and its fields; `columns` copies unchanged columns into fields
    constants       fields that follow from kinematics at the reference pose
    repeat          copies of the model of a spec that is compiled again without edits
    timing          seconds that the parts of a compilation take
    recompile       compilation that keeps the state of a running simulation
"""
