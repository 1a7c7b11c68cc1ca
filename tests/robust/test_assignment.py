"""Assignable arrays: assigned values are copied into the memory that compiled code knows, or refused."""

import warnings

import numpy as np
import pytest

import tumble
from tumble import batch, rollout

TEXT = """
<mujoco>
  <asset>
    <texture name="t" type="2d" builtin="flat" width="4" height="4"/><material name="a" texture="t"/>
    <mesh name="m" vertex="0 0 0 1 0 0 0 1 0 0 0 1"/>
  </asset>
  <worldbody>
    <light/><camera name="c"/><geom type="plane" size="1 1 1"/>
    <body name="b" pos="0 0 .05"><freejoint/><geom name="g" size=".1"/><site name="s"/></body>
    <body mocap="true"/>
    <body><joint name="j" axis="0 1 0"/><geom size=".1" pos=".3 0 0"/></body>
    <body><geom type="mesh" mesh="m"/></body>
    <flexcomp name="f" type="grid" count="3 3 1" spacing=".1 .1 .1" radius=".01" pos="0 0 2" mass="1"/>
  </worldbody>
  <actuator><motor name="u" joint="j"/></actuator>
  <sensor><jointpos joint="j" name="q"/></sensor>
  <keyframe><key time="1"/></keyframe>
</mujoco>"""


def in_model():
    m = tumble.MjModel.from_xml_string(TEXT)
    d = tumble.MjData(m)
    tumble.mj_step(m, d)
    parts = [getattr(m.vis, "global_" if g == "global" else g) for g in m.vis.groups]
    lists = [x for group in (d.contact, d.warning, d.timer, d.solver) for x in (group, group[0])]
    elements = [getattr(x, kind)(0) for x in (m, d) for kind in "body geom joint site camera light actuator sensor".split()]
    return [m, d, m.opt, m.stat, m.vis, *parts, *lists, *elements, tumble.MjContact(), tumble.MjLROpt()]


def in_scene():
    m = tumble.MjModel.from_xml_string(TEXT)
    d, opt, cam, scene = tumble.MjData(m), tumble.MjvOption(), tumble.MjvCamera(), tumble.MjvScene(m, 100)
    tumble.mj_forward(m, d)
    tumble.mjv_updateScene(m, d, opt, tumble.MjvPerturb(), cam, int(tumble.mjtCatBit.mjCAT_ALL), scene)
    own = [scene, scene.geom, scene.light, scene.glcam, scene.surface, scene.geoms[0], scene.lights[0], scene.camera[0]]
    return [
        *own,
        opt,
        cam,
        tumble.MjvPerturb(),
        tumble.MjvFigure(),
        tumble.MjrRect(0, 0, 1, 1),
        tumble.MjvGeom(),
        tumble.MjvLight(),
        tumble.MjvGLCamera(),
    ]


def in_batch():
    m = tumble.MjModel.from_xml_string(TEXT)
    b = batch.Batch(m, 5, lanes=False)
    b.step()
    b.expand("body_mass")
    named = [getattr(b, kind)(0) for kind in "body geom joint site actuator".split()]
    return [b, *named, b.before_step(lambda m, d, i, x: None, np.zeros(5)), rollout.Rollout(nthread=1)]


def in_spec():
    s = tumble.MjSpec.from_string(TEXT)
    return [
        s,
        s.option,
        s.visual,
        s.stat,
        s.worldbody,
        s.body("b"),
        s.geom("g"),
        s.default,
        *(
            getattr(s, kind)[0]
            for kind in "meshes joints actuators sensors textures materials keys sites cameras lights".split()
        ),
    ]


def wrong_values(x):
    """Values that do not fit an array, or might be mistaken for it."""
    if x.dtype.kind in "fiub":
        yield x.astype(np.float32)
    yield np.zeros(1, np.int8)
    yield np.zeros((3, *x.shape, 2))
    yield from (None, "x", [{}], np.array(["x"]), 1j)


def arrays(thing):
    for name in dir(thing):
        if name.startswith("_"):
            continue
        try:
            value = getattr(thing, name)
        except (AttributeError, ValueError, IndexError, TypeError, tumble.FatalError):
            continue
        if isinstance(value, np.ndarray):
            yield name, value


@pytest.mark.parametrize("things", (in_model, in_scene, in_batch, in_spec))
def test_every_array_keeps_memory_type_and_shape(things):
    """Elements of a batch get their own arrays when they are first assigned, and keep them from then on."""
    bad, count = [], 0
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        for thing in things():
            for name, before in arrays(thing):
                count += 1
                try:
                    setattr(thing, name, np.array(before))
                except (TypeError, ValueError, AttributeError):
                    pass
                before = getattr(thing, name)
                for value in wrong_values(before):
                    try:
                        setattr(thing, name, value)
                    except (TypeError, ValueError, AttributeError):
                        pass
                    after = getattr(thing, name)
                    if (
                        not isinstance(after, np.ndarray)
                        or (after.dtype, after.shape) != (before.dtype, before.shape)
                        or before.size
                        and before.base is not None
                        and not np.shares_memory(before, after)
                    ):
                        bad.append((type(thing).__name__, name, repr(value)[:40]))
    assert bad == [] and count > 20


def test_state_of_a_batch_is_assigned_in_place():
    b = batch.Batch(tumble.MjModel.from_xml_string(TEXT), 5, nthread=2, lanes=False)
    first = b.state.copy()
    b.step(nstep=3)
    held, qpos, later = b.state, b.qpos, b.state.copy()
    b.state = first.astype(np.float32)
    assert b.state is held and np.shares_memory(b.state, qpos) and np.allclose(qpos, b.template.model.qpos0, atol=1e-6)
    b.state = first
    b.step(nstep=3)
    assert b.state.tobytes() == later.tobytes()
    b.warning = 0
    b.qpos = b.template.model.qpos0
    for name, value, error in (
        ("state", np.zeros((2, 3)), ValueError),
        ("state", "x", TypeError),
        ("warning", 0.5, TypeError),
        ("status", 0, AttributeError),
        ("model", None, AttributeError),
        ("xpos", 0, ValueError),
        ("qpos", 1j, TypeError),
    ):
        with pytest.raises(error):
            setattr(b, name, value)
    # compiled code does not see changes of a returned array's shape
    b.state.shape = (-1,)
    b.step()
    assert b.error(0) == ""


def test_what_compiled_code_may_not_write():
    """A function in the loop may read an array in read-only memory, but is refused if it writes to it."""
    m = tumble.MjModel.from_xml_string(TEXT)
    b, out = batch.Batch(m, 4, nthread=1, lanes=False), np.zeros(4)
    gains = np.frombuffer(np.arange(4.0).tobytes())

    def reads(m, d, i, gains, out):
        out[i] = 2 * gains[i]

    def writes(m, d, i, gains, out):
        gains[i] = 1.0

    b.before_step(reads, gains, out)
    b.step()
    assert out.tolist() == [0, 2, 4, 6]
    with pytest.raises(ValueError, match="writes to an array, but .* read-only: 0"):
        b.before_step(writes, gains, out)
    b.before_step(writes, np.zeros(4), out)
    b.step()
