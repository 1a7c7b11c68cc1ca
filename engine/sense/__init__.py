"""Sensors: stages that fill `sensordata` after positions, velocities and accelerations are known. Reads dynamics and constraints.

    catalog       what sensors there are: one row a type               common        sleeping sensors, cutoffs, limit rows
    position      stage sensor_pos and its rarer kinds                 velocity      stage sensor_vel
    acceleration  stage sensor_acc                                     zones         points inside a site's shape
    contact       contact sensors: matching, ordering, reduction       touch         touch sensors
"""
