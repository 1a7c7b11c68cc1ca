"""Smooth dynamics: the stages from joint positions to accelerations without constraints. Reads Model, writes Data.

awake                      trees, bodies and dofs that are awake      jacobian, objects    Jacobians, poses, velocities
kinematics, com, camlight  poses, inertial frames, cameras, lights    subtree              momentum of subtrees
tendon, tendon_rows, wrap  tendon lengths and Jacobians               transmission         actuator lengths and moments
inertia, products          composite inertia, factorization, solve    velocity             body velocities
passive, tendon_force      springs, dampers, gravity compensation     fluid, adhesion      fluids; contacts that pull
flex, elastic              flexes: geometry and forces                rne, rne_post        bias forces, interaction forces
actuation, actuator_models actuator forces                            servos               actuators with several controls
actuator_slopes            derivatives of actuator forces             extra, plastic       springs added after 3.4
force, tendon_wrench       forces on bodies to joint forces           acceleration, energy smooth acceleration, energies
metric                     effective inertia of implicit steps        softness, sparsity   solref; sparse Jacobians
"""
