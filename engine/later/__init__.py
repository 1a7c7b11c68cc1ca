"""The same engine with the interface of the newest known MuJoCo release: names, members, enumeration values, array shapes.

    faces     objects of this interface and the engine      options   MjOption: flags with the newer values
    model       MjModel           fields    its later fields        data       MjData, MjContact
    metric      effective inertia     whitened   J M^(-1/2)         contacts   adhesion, surfaces
    mirror      arrays stored in another form                          kept       results into which scripts may write
    differing_fields   islands, rows of tendons, moments            states     packed states with histories
    specs       MjSpec                                                calls      functions and classes that take them

An object of this interface and its engine object share memory. The engine uses only its own object and its own values;
functions of this interface convert their arguments. `tables.face_rows` lists the names of each release.
"""
