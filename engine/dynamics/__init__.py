"""Smooth dynamics: stages from joint positions to accelerations without constraints. Reads Model, writes Data.

awake          which trees, bodies and dofs are awake            kinematics, com, camlight   poses, inertial frames, cameras, lights
tendon, wrap   tendon lengths and moments                        transmission                actuator lengths and moments
inertia        composite inertia, factorisation, solve           velocity                    body velocities, subtree momentum
passive, fluid springs, dampers, gravity compensation, fluid     rne, rne_post               bias forces, interaction forces
actuation      actuator forces                                   servos                      actuators with several controls
plastic        springs that yield                                energy                      potential and kinetic energy
"""
