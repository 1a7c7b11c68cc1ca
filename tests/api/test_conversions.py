"""Objects that MuJoCo accepts as a number or a text are accepted here; objects that it rejects are rejected."""

import mujoco
import numpy as np
import pytest

import tumble

XML = """<mujoco><worldbody><body name="b"><freejoint name="j"/><geom name="g" size=".1"/></body></worldbody>
<actuator><motor name="a" joint="j"/></actuator></mujoco>"""
VALUES = {
    "float32": np.float32(3),
    "float64": np.float64(3.5),
    "int64": np.int64(2),
    "uint8": np.uint8(2),
    "bool": True,
    "numpy bool": np.bool_(True),
    "array": np.array(3.0),
    "integer array": np.array(2),
    "one in an array": np.array([2.0]),
    "one integer in an array": np.array([2]),
    "list": [2],
    "text": "g",
    "bytes": b"g",
    "bytearray": bytearray(b"g"),
    "numpy text": np.str_("g"),
    "numpy bytes": np.bytes_(b"g"),
    "text array": np.array("g"),
    "none": None,
    "complex": 2j,
    "float": 3.5,
    "whole float": 3.0,
    "large": 2**40,
}


def setter(what, name, part=lambda owner: owner):
    """Set a part of an object that stays alive, as the reference requires."""

    def use(module, value):
        owner = what(module)
        thing = part(owner)
        setattr(thing, name, value)
        return getattr(thing, name)

    return use


def model(module):
    return module.MjModel.from_xml_string(XML)


def spec(module):
    return module.MjSpec.from_string(XML)


def kept(owner, use):
    return use(owner)


USES = {
    "geom.condim": setter(spec, "condim", lambda s: s.geoms[0]),
    "geom.mass": setter(spec, "mass", lambda s: s.geoms[0]),
    "geom.name": setter(spec, "name", lambda s: s.geoms[0]),
    "body.mocap": setter(spec, "mocap", lambda s: s.bodies[1]),
    "modelname": setter(spec, "modelname"),
    "memory": setter(spec, "memory"),
    "key.time": setter(spec, "time", lambda s: s.add_key()),
    "target": setter(spec, "target", lambda s: s.actuators[0]),
    "integrator": setter(model, "integrator", lambda m: m.opt),
    "timestep": setter(model, "timestep", lambda m: m.opt),
    "offwidth": setter(model, "offwidth", lambda m: m.vis.global_),
    "time": setter(lambda M: M.MjData(model(M)), "time"),
    "fixedcamid": setter(lambda M: M.MjvCamera(), "fixedcamid"),
    "distance": setter(lambda M: M.MjvCamera(), "distance"),
    "title": setter(lambda M: M.MjvFigure(), "title"),
    "dist": setter(lambda M: M.MjContact(), "dist"),
    "dim": setter(lambda M: M.MjContact(), "dim"),
    "width": setter(lambda M: M.MjrRect(0, 0, 1, 1), "width"),
    "m.geom": lambda M, v: model(M).geom(v).id,
    "s.geom": lambda M, v: kept(spec(M), lambda s: s.geom(v).name),
    "add_geom": lambda M, v: kept(spec(M), lambda s: s.worldbody.add_geom(name=v).name),
    "condim=": lambda M, v: kept(spec(M), lambda s: s.worldbody.add_geom(condim=v).condim),
    "name of an asset": lambda M, v: M.MjModel.from_xml_string(XML, {v: b""}).nq,
    "asset": lambda M, v: M.MjModel.from_xml_string(XML, {"a": v}).nq,
    "mj_stateSize": lambda M, v: M.mj_stateSize(model(M), v),
    "mju_min": lambda M, v: M.mju_min(v, 9.0),
    "mj_step": lambda M, v: M.mj_step(model(M), M.MjData(model(M)), v) if not isinstance(v, int) or v < 9 else 0,
    "MjvScene": lambda M, v: M.MjvScene(model(M), v).maxgeom if not isinstance(v, int) or v < 9 else 0,
}


def outcome(use, module, value):
    try:
        return use(module, value)
    except (TypeError, ValueError, KeyError, IndexError) as error:
        return next(kind for kind in (KeyError, IndexError, ValueError, TypeError) if isinstance(error, kind))


@pytest.mark.parametrize("use", USES)
@pytest.mark.parametrize("value", VALUES)
def test_the_same_counts(value, use):
    if use == "asset" and isinstance(VALUES[value], str):
        pytest.skip("text as contents is ours")
    # null pointers, which the reference dereferences, so only this package is tested
    if VALUES[value] is None and use in ("m.geom", "title"):
        pytest.skip("ends the reference's process")
    theirs, ours = (outcome(USES[use], module, VALUES[value]) for module in (mujoco, tumble))
    assert theirs == ours and type(theirs) is type(ours)


class Held(np.ndarray):
    """An array that rejects assignments."""

    def __setitem__(self, key, value):
        raise AssertionError("written through __setitem__")


@pytest.mark.parametrize(
    ("name", "shape", "arguments"),
    [
        ("mju_mulQuat", 4, ([1.0, 0, 0, 0], [0, 1.0, 0, 0])),
        ("mju_quat2Mat", 9, ([1.0, 0, 0, 0],)),
        ("mju_cross", 3, ([1.0, 0, 0], [0, 1.0, 0])),
        ("mju_rotVecQuat", 3, ([1.0, 2, 3], [1.0, 0, 0, 0])),
        ("mju_axisAngle2Quat", 4, ([1.0, 0, 0], 0.5)),
        ("mju_mat2Quat", 4, (np.eye(3).ravel(),)),
    ],
)
def test_outputs_are_written_into_memory(name, shape, arguments):
    plain, held = np.zeros(shape), np.zeros(shape).view(Held)
    getattr(mujoco, name)(plain, *arguments)
    getattr(tumble, name)(held, *arguments)
    assert np.array_equal(plain, np.asarray(held))


def test_outputs_of_a_model_are_written_into_memory():
    """Functions write Jacobians, states and differences into result arrays of any class."""
    for module, kind in ((mujoco, np.ndarray), (tumble, Held)):
        m = model(module)
        d = module.MjData(m)
        module.mj_step(m, d, 3)
        out = {
            "jac": np.zeros((3, m.nv)),
            "state": np.zeros(module.mj_stateSize(m, 1 << 1)),
            "vel": np.zeros(m.nv),
            "M": np.zeros((m.nv, m.nv)),
            "six": np.zeros(6),
        }
        out = {name: x.view(kind) for name, x in out.items()}
        module.mj_jacBody(m, d, out["jac"], None, 1)
        module.mj_getState(m, d, out["state"], 1 << 1)
        module.mj_differentiatePos(m, out["vel"], 0.1, m.qpos0, d.qpos)
        module.mj_fullM(m, out["M"], d.qM)
        module.mj_objectVelocity(m, d, module.mjtObj.mjOBJ_BODY, 1, out["six"], 0)
        kept = {name: np.asarray(x).copy() for name, x in out.items()}
        if module is mujoco:
            first = kept
    assert all(np.allclose(first[name], kept[name], rtol=0, atol=1e-12) for name in first)
