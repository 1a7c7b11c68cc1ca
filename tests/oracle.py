"""MuJoCo as the reference: conversion of its models and states, for tests and benchmarks only."""

import mujoco
import numpy as np

from tumble.engine.core.data import MjData
from tumble.engine.core.model import MjModel
from tumble.engine.tables.schema import MODEL_SIZES, OUR_SIZES


def to_engine_model(ref):
    """MjModel with the arrays of the reference's compiled model; our own fields, which it lacks, are zero."""
    m = MjModel(**{n: getattr(ref, n) for n in MODEL_SIZES if n not in OUR_SIZES})
    for f in m.schema.arrays:
        if f.ours:
            continue
        value = getattr(ref, f.name)
        if f.text:
            value = np.frombuffer(value, np.uint8) if isinstance(value, bytes) else np.asarray(value).view(np.uint8)
        m.array(f.name)[...] = np.asarray(value).reshape(m.array(f.name).shape)
    m.signature = int(ref.signature)
    for f in theirs(m.opt):
        setattr(m.opt, f, getattr(ref.opt, f))
    for f in theirs(m.stat):
        setattr(m.stat, f, getattr(ref.stat, f))
    for f in theirs(m.vis):
        group, name = f.split("__")
        value = getattr(getattr(ref.vis, "global_" if group == "global" else group), name)
        if np.size(value):
            setattr(m.vis, f, value)
    return m


def theirs(struct):
    """Names of a struct's fields that the reference has."""
    return [name for name, f in struct.schema.fields.items() if not f.ours]


STATE = (
    "qpos qvel act ctrl qfrc_applied xfrc_applied mocap_pos mocap_quat qacc_warmstart eq_active userdata tree_asleep".split()
)


def load_pair(source):
    """(reference model, reference data, model, data) of an XML string or path."""
    ref = mujoco.MjModel.from_xml_string(source) if source.lstrip().startswith("<") else mujoco.MjModel.from_xml_path(source)
    m = to_engine_model(ref)
    return ref, mujoco.MjData(ref), m, MjData(m)


def copy_state(ref_data, d):
    """Give d the state of the reference's data."""
    for n in STATE:
        d.array(n)[...] = getattr(ref_data, n)
    d.time = ref_data.time
