"""Indices written while a Model is in use cause an error that names field and row, or a valid step."""

import copy
import os
import pickle

import numpy as np
import pytest

import tumble
from tests.robust.test_trusted_models import INTEGERS, MODELS, deadly, some_rows, strange, work
from tumble.engine.core import debug
from tumble.engine.tables import validate
from tumble.engine.tables.validate import INDICES

BALL = (
    '<mujoco><asset><material name="a"/><material name="b"/></asset><worldbody><body><freejoint/><geom size=".1" '
    'material="a"/></body></worldbody></mujoco>'
)


def ball():
    m = tumble.MjModel.from_xml_string(BALL)
    return m, tumble.MjData(m)


def after(m, d):
    """Output of a process that steps an edited model, before it ends."""
    tumble.mj_step(m, d)
    work(m, d)


@pytest.mark.skipif(not hasattr(os, "fork"), reason="steps in processes of their own")
@pytest.mark.parametrize("text", MODELS.values(), ids=MODELS)
def test_every_field_out_of_range(text):
    m = tumble.MjModel.from_xml_string(text)
    d = tumble.MjData(m)
    work(m, d)
    edits = {}
    for name in INTEGERS:
        flat = getattr(m, name).reshape(-1)
        for row in some_rows(flat)[-1:]:
            edits |= {(name, row, value): lambda a=(flat, row, value): edited(m, d, *a) for value in strange(flat)[:2]}
    assert deadly(edits) == []


def edited(m, d, flat, row, value):
    """Step a model while one of its numbers is changed."""
    kept, flat[row] = flat[row], np.array(value).astype(flat.dtype)
    try:
        after(m, d)
    finally:
        flat[row] = kept


CALLS = {
    "step": lambda m, d: tumble.mj_step(m, d),
    "steps": lambda m, d: tumble.mj_step(m, d, 3),
    "forward": tumble.mj_forward,
    "inverse": tumble.mj_inverse,
    "kinematics": tumble.mj_kinematics,
    "data": lambda m, d: tumble.MjData(m),
    "reset": tumble.mj_resetData,
    "constants": tumble.mj_setConst,
    "validate": lambda m, d: tumble.validate(m),
    "pickle": lambda m, d: pickle.loads(pickle.dumps(m)),
    "copy": lambda m, d: tumble.MjData(copy.copy(m)),
}


@pytest.mark.parametrize("call", CALLS.values(), ids=CALLS)
def test_an_edit_is_named(call):
    """Every call detects an edit until it is reverted, also in an array that was returned long ago."""
    m, d = ball()
    parents, joints = m.dof_parentid, m.jnt(0)
    call(m, d)
    for change, back, name in (
        (lambda: parents.__setitem__(3, 77), lambda: parents.__setitem__(3, 2), r"dof_parentid\[3\] is 77"),
        (lambda: setattr(joints, "type", 9), lambda: setattr(joints, "type", 0), r"jnt_type\[0\] is 9"),
    ):
        change()
        for _ in range(2):
            with pytest.raises(tumble.InvalidModel, match=name):
                call(m, d)
        back()
        call(m, d)


@pytest.mark.parametrize("name", ["step_many", "forward_skip"])
def test_what_replaces_a_stage_need_not_look(name):
    """Even a step that is called only once is checked."""
    m, d = ball()
    parents, calls = m.dof_parentid, []
    call, result = (tumble.mj_step, 1) if name == "step_many" else (tumble.mj_forward, None)
    with debug.replace(name, lambda m, d, *args: (calls.append(d.status), result)[1]):
        call(m, d)
        assert calls == [0]
        parents[3] = 77
        if name == "step_many":
            with pytest.raises(tumble.InvalidModel, match="dof_parentid"):
                call(m, d)
    with pytest.raises(tumble.InvalidModel, match="dof_parentid"):
        call(m, d)
    parents[3] = 2
    call(m, d)


def test_what_nobody_has_is_not_watched():
    """A model that is stepped without access to its indices costs no comparison; validation returns no arrays."""
    m, d = ball()
    tumble.validate(m)
    tumble.mj_step(m, d)
    assert not set(m.storage.watched) - {"name_bodyadr"}, m.storage.watched.keys()
    m.geom_pos[0] = 1
    assert "geom_pos" not in INDICES


def test_rules_that_stand_alone():
    """A change of one field alone is checked without other checks reading that field unchecked."""
    m = validate.Reader(tumble.MjModel.from_xml_string(MODELS["solid"]))
    for function in validate.SPECIAL.values():
        function(m)
    read = {f.name for f in m.model.schema.arrays if f.name in m.__dict__}
    assert read and not [n for n in read if m.model.schema.fields[n].values in validate.ALONE]


def test_edits_that_fit_are_accepted():
    m, d = ball()
    m.geom_matid[0] = 1
    tumble.mj_step(m, d)
    m.geom_matid[0] = 2
    with pytest.raises(tumble.InvalidModel, match="geom_matid"):
        tumble.mj_step(m, d)
    m.geom_matid[0] = -1
    m.geom_type[0] = int(tumble.mjtGeom.mjGEOM_BOX)
    tumble.mj_step(m, d, 2)
    assert np.isfinite(d.qpos).all()
