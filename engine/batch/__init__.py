"""Many worlds of one model: `batch.Batch(model, nsim)`. A world is stored as a row of state values and a row of each bound
field. Each thread has one Data.

batch        the class Batch                                       plans      data that successive calls share
fields       what can be bound, expanded and recorded              copy_rows  call descriptions for compiled code
arguments    checks of a call's arguments                          views      named access to elements of all worlds
models       models with fields that differ between worlds         expansion  values of model fields for each world
functions    the caller's functions in the loop                    chance     random numbers of worlds
lanes        vectorized steps of several worlds                    threads    runs ranges of worlds on threads
vector       a gymnasium vector environment over a Batch           sweeps     runs a model with many values of its fields
cluster      ranges of trajectories on processes and machines      parcels    sends large arrays between processes
elsewhere    rollouts of a Batch on a cluster
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
