"""Many worlds of one model: `batch.Batch(model, nsim)`. A world is its state (a row of numbers) and its bound fields; each
thread has a Data.

fields       what can be bound, expanded and recorded, and errors for the rest     rows       descriptions for compiled code
views        named access to a joint, a body, ... of all worlds                    models     models with fields that differ
between worlds
functions    the caller's functions in the loop                                    chance     random numbers of worlds
lanes        steps of several worlds in one vector, see `engine.lanes`             threads    ranges of worlds on threads
batch        Batch itself                                                          arguments  checks of a call's arguments
vector       a gymnasium vector environment over a Batch, an extra                 expansion  values of model fields for
each world
cluster      ranges of trajectories on many processes and machines                 parcels    large arrays between processes
elsewhere    rollouts of a Batch on a cluster                                      sweeps     one model with many values of
its fields
"""

from ..core.turns import BatchInUse
from .batch import Batch
from .chance import normal, uniform
from .cluster import Cluster, ClusterError
from .fields import DATA_FIELDS, MODEL_FIELDS
from .functions import Function, SlowFunction
from .lanes import LanesWarning
from .sweeps import Between, sweep
from .threads import SimulationError
from .views import Named

__all__ = [
    "Batch",
    "BatchInUse",
    "Between",
    "Cluster",
    "ClusterError",
    "DATA_FIELDS",
    "Function",
    "LanesWarning",
    "MODEL_FIELDS",
    "Named",
    "SimulationError",
    "SlowFunction",
    "normal",
    "sweep",
    "uniform",
]
