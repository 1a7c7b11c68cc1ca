"""The pipeline of a time step, from state to next state.

again, checks, coordinates, derivative, derivative_bias, derivative_fd, derivative_flex, derivative_fluid, flex_weights,
forward, free_body, implicit, integrate, inverse, length_range, needs, reference, reset, rollout, setconst, shapes, sleeping,
state, structure, weights, world_queries, worlds.
"""
