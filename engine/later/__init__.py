"""The face of the newest known release over the same engine: names, members, numbers of enumerations, shapes of fields.

    faces       objects of this face and of the engine              options    MjOption: flags with later numbers
    model       MjModel           fields    its later fields        data       MjData, MjContact
    metric      effective inertia     whitened   J M^(-1/2)         contacts   adhesion, surfaces
    rows        islands, rows of tendons, moments                   states     packed states with histories
    specs       MjSpec                                                calls      functions and classes that take them

An object of the face and its object of the engine share their memory: the engine works with its own, which has its numbers,
and functions of the face hand it over. `tables.face_rows` says which names which release has.
"""
