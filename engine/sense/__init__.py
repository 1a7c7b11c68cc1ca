"""Sensors: stages that fill `sensordata` after positions, velocities and accelerations are known. Reads dynamics and constraints.

What sensors there are is said in tables.sensor_rows, one row a type, for all that must know. Three stages compute those that are quick to
read themselves, and call a stage of its own for each other one, as its row says:

    catalog        types by name and number                            common        sleeping sensors, cutoffs, calls of the others
    position       sensor_pos                                          camera range rays inside distance called by it
    velocity       sensor_vel
    acceleration   sensor_acc                                          touch contact tactile             called by it
                                                                       zones         points inside a site's shape
    history        delays and samples of controls and sensors, of later releases
"""
