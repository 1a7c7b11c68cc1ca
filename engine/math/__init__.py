"""Mathematics on scalars, tuples and plain arrays; independent of the Model.

vec      3-vectors and 3x3 matrices as tuples, contact frames       quat      quaternions, poses
spatial  6-vectors: motion, force, inertia in center-of-mass frame  dense     dot products, products with matrices
sparse   rows in compressed form, tree factorizations               order     sorting of integer keys
curves   impedance, muscle and activation curves                    eigen     eigenvectors of symmetric 3x3 matrices
simplex  nearest points of segments, triangles and tetrahedra       upward    factors of dense symmetric matrices
"""
