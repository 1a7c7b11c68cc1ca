"""Converts robot descriptions, which often contain errors, to MjSpec, and reports every repair.

    file ─ xacro_files ─▶ urdf, sdf, usd ─▶ pieces (links, joints, shapes) ── tree ── build ──▶ MjSpec ── folder ──▶ clean MJCF

report          the table of repair rules, and the report of an import
pieces          a robot as links, joints and shapes
words           lenient reading of numbers and strings
packages        file name extensions, the folder of a package, the models in a folder
archives        files of an archive, unpacked during an import
locate          searches for files: package://, the environment, parent folders; refuses files that must not be read
parts           triangles of mesh files, and repairs that make any mesh usable
winding         triangles that face outward
xml_data, plain_meshes, wavefront, collada, gltf, threemf    mesh formats, one or a few in each file
meshes          the table of formats; images
inertias, solid physical inertias, and those of shapes
sensors         Gazebo's sensors, in URDF and SDF
urdf, sdf       readers of descriptions
usd             reader of scenes, with usd_layers (files), usd_shapes (geometry, colors), usd_masses, usd_joints
tree            joints as a tree
deviation       how far convex shapes are from the mesh that they replace
bodies          the separate bodies of a mesh, with small holes closed
decomposing     convex pieces, computed in another process with a time limit
fitting         boxes, cylinders, capsules and convex pieces in place of meshes
mesh_files      mesh files, read and repaired on all processors
shapes          geoms, meshes, materials, textures
attachments     SRDF files, Gazebo tags, transmissions: excludes, keyframes, sensors, actuators
build           pieces → MjSpec
xacro_files     xacro programs → URDF
overlaps        bodies that overlap in the reference pose
bare            a single mesh file, as a body on a floor
importing       the entry point
folder          an imported spec as a folder of MJCF
export          a model as URDF, and what URDF cannot express

A new mesh format is a row in `meshes.READERS` and a function from bytes to parts. A new repair is a row in `report.ROWS`, and
the code refers to it by name.
"""
