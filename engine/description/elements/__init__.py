"""The editable model: what it holds, and what changes it.

    element         base of all elements; plugin references, compiler settings
    shortcuts       what `motor`, `position`, ... set on an actuator
    servo_shortcuts those that later releases added
    elements        the classes of all elements, made from the rows of `language.structs`
    signature       hash of the structure
    spec            MjSpec: the tree, the lists, default classes, settings
    keyframes       values of key frames kept by element while the tree changes
    references      names from one element to others: renamed, looked up
    edit            delete, copy, bodies into frames
    conflicts       global settings of attached models
    attach          subtrees under other bodies, from the same or another spec
    mesh_shapes     meshes from a few parameters
    dedup           equal assets become one

`description.spec` gives MjSpec and elements the methods that read, compile and write.
"""
