"""Sensors: stages that fill `sensordata` after positions, velocities and accelerations are known. They read dynamics and
constraints.

All sensor types are in tables.sensor_rows, one row a type. Three stages compute the simple types themselves and call a stage of
its own for each other type, as its row says:

    catalog        types by name and number
    common         sleeping sensors, cutoffs, calls of the other stages
    position       sensor_pos, which calls camera, range, rays, inside, distance
    velocity       sensor_vel
    acceleration   sensor_acc, which calls touch, contact, tactile
    zones          points inside a site's shape
    history        delays and samples of controls and sensors, of later releases
"""
