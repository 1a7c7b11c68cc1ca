"""Many worlds of one model: `batch.Batch(model, nsim)`. A world is its state, a row of numbers, and what is bound; threads have a Data each.

fields       what can be bound, expanded, recorded, and errors for what cannot     rows       descriptions for compiled code
views        named access to a joint, a body, ... of all worlds                    models     models with fields of each world's own
functions    the caller's functions in the loop                                    chance     random numbers of worlds
lanes        steps of several worlds side by side, see `engine.lanes`
threads      ranges of worlds on threads                                           batch      Batch itself
vector       a vector environment of gymnasium's over a Batch, an extra        cluster    ranges of trajectories on many processes and machines
elsewhere    rollouts of a Batch on a cluster
sweeps       one model with many values of its numbers
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
