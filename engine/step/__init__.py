"""The pipeline of a time step, from state to next state.

forward, again                   forward dynamics and whole steps; forward dynamics repeated within a step
integrate, implicit, free_body   integrators
derivative, derivative_bias, derivative_flex, derivative_fluid   derivatives of forces with respect to velocity
derivative_fd                    derivatives of steps and of inverse dynamics, by finite differences
inverse                          inverse dynamics
checks                           NaN, huge values, edited indices; automatic reset
reset, sleeping                  the initial state; trees that start asleep
state, coordinates               copies and packed states; differences and integration of configurations
setconst, reference, structure, shapes, weights, flex_weights   constants of a Model
length_range                     length ranges of actuators, by simulation
needs                            the stages that a model will use
rollout, worlds, world_queries   many trajectories; many worlds on few Data; Jacobians and ray casts in many worlds
"""
