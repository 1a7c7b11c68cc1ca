"""Mathematics on scalars, tuples and plain arrays. Knows no Model.

vec      3-vectors and 3x3 matrices as tuples, contact frames       quat      quaternions, poses
spatial  6-vectors: motion, force, inertia in centre-of-mass frame  dense     dot products, dense factorisations
sparse   rows in compressed form, tree factorisations               order     sorts, union-find, flood fill
curves   impedance, muscle and activation curves                    random    reproducible streams
"""
