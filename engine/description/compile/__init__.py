"""MjSpec → MjModel, in stages that work on `table.Table` columns: numpy arrays over all elements of a kind.

`driver` has the stages in order. Each says in its docstring which columns it adds to the tables.

    scaling         frames that scale what stands in them
    scaling_rows    TABLES of dimensions, for that
    table           elements of a kind as columns
    structure       the tree in numbers: dofs, welds, whose inertia is diagonal
    resolve         ids, names, widths of user data; `Compilation` holds the tables
    materials       ids of materials, textures, meshes, height fields
    bvh             hierarchies of bounding volumes; those of bodies
    plugins         plugin instances
    distance_field  meshes of distance fields
    mesh            vertices, hulls, normals, mass properties of meshes
    images          PNG files
    texture         pixels of textures, elevations of height fields
    fit             primitives in the place of meshes
    placing         geoms, joints and bodies in numbers: checks, limits, inertial frames, compiled
    frames          poses in the frames of bodies, limits of joints
    inertia         masses and inertias of bodies, fluid coefficients
    fuse            static bodies into their parents, if asked for
    flex, skin      what bodies carry
    contacts, equality, tendon, actuator, sensors, custom      what refers to elements by name; key frames
    servos          what actuators with several controls or forces have of them
    history         how much of controls and sensors is kept for delays
    discard         what is only looked at left out, if asked for
    names           buffers of names and files
    sizes, pack     sizes of the Model, and its fields; `columns` copies those that are a table's column as it is
    constants       what kinematics at the reference pose determines
    timing          seconds of the parts
    recompile       anew, with the state of a simulation kept
"""
