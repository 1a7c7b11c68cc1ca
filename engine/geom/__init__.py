"""Geometry of single shapes, independent of bodies and simulation.

support           farthest points of convex shapes in a direction   ray_shape   rays against analytic shapes
signed_distance   points against shapes and octrees                 octree      builds the octrees of meshes
mesh_distance     points against triangles                          marching    triangles of a field's zero surface
principal         principal axes of inertias                     row_vectors   products of the rows of arrays
flex_cells        interpolated flexes that do not fill their box
solids            TABLE of volumes, moments, bounds of primitive geoms    added_mass   added mass of ellipsoids in a fluid
"""
