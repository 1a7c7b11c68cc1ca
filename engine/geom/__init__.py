"""Shapes as data: geometry that knows no bodies.

    support           farthest points of convex shapes in a direction   ray_shape   rays against analytic shapes
    signed_distance   points against shapes and octrees                 octree        making those of meshes
    mesh_distance     points against triangles                          marching      triangles of a field's surface
    principal         axes of inertias
solids            TABLE of volumes, moments, bounds of geoms without meshes    added_mass   of ellipsoids in a fluid
"""
