"""Tables of fields, stages, elements, types and constants, with one row for each. Code that lists, checks, reads, writes or
computes these things loops over the rows.

```
     to add ...                  a row of
     a stage                     stage_rows       which module computes it, and which models need it
     a type of sensor            sensor_rows      a type of equality    equality_rows
     a type of geom              geom_rows        a passive force       force_rows
     an actuator's gain, bias or dynamics         actuator_rows
     a solver                    solver_rows      a silent change of a later release     compat_rows
     a name of some releases     face_rows        an enumeration of the newest one       later_enums
     a field of Model, Data      model_fields, data_fields, option_fields
                                        │
     enums, consts                     ▼                            named_access   types of elements that have names
     integers of MuJoCo         schema     where each field is stored      units, values      what numbers mean
                                        │                            scratch    cells of work arrays
                                        ▼
     validate ─ validate_bodies, validate_assets, validate_objects, validate_terms      what compiled code may trust
```

The lowest layer: it imports nothing of the project, and not numba.
"""
