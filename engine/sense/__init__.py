"""Sensors: stages that fill `sensordata` after positions, velocities and accelerations are known. They read dynamics and
constraints.

All sensor types are in tables.sensor_rows, one row per type. Three stages compute the simple types themselves. For each other
type, they call a separate stage, which the type's row names:

    catalog        types by name and number
    common         sleeping sensors, cutoffs, calls of the other stages
    position       sensor_pos, which calls camera, range, rays, inside, distance
    velocity       sensor_vel
    acceleration   sensor_acc, which calls touch, contact, tactile
    zones          points inside a site's shape
    history        delays and samples of controls and sensors (added after 3.4)
"""
