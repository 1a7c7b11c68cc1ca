"""Robots as people have them → MjSpec."""
