"""Many worlds of one model: `batch.Batch(model, nsim)`. A world is its state, a row of numbers, and what is bound; threads have a Data each.

    fields       what can be bound, expanded, recorded, and errors for what cannot     rows       descriptions for compiled code
    views        named access to a joint, a body, ... of all worlds                    models     models with fields of each world's own
    threads      ranges of worlds on threads                                           batch      Batch itself
"""
from .batch import Batch
from .fields import DATA_FIELDS, MODEL_FIELDS
from .threads import SimulationError
from .views import Named

__all__ = ["Batch", "DATA_FIELDS", "MODEL_FIELDS", "Named", "SimulationError"]
