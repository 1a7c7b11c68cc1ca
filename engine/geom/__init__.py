"""Shapes as data: geometry that knows no bodies.

    support     farthest points of convex shapes in a direction
"""
