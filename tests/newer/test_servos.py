"""Actuators with several controls, forces or activations: reading, saving, refusal and names. Cases test their numbers."""

import copy
import pickle

import numpy as np
import pytest

import tumble
from tumble.ui.element_names import control_names, number_name

from .cases import CASES

BODY = """<worldbody><body><joint name="h" range="-30 40"/><geom size=".1"/><body pos="0 0 1"><joint name="b" type="ball"/>\
<geom size=".1" pos=".1 0 0"/><site name="s"/></body>
  </body><site name="w"/></worldbody><tendon><fixed name="t"><joint joint="h" coef="2"/></fixed></tendon>"""
MIXED = """<actuator><pid name="p" joint="h" input="pos vel ff" ki="1" slewmax="2" posrange="-1 2"/>\
<orientation name="o" joint="b" input="quat"/><motor name="m" joint="h"/>
  <dcmotor name="d" joint="h" input="none" resistance="2"/></actuator><sensor><actuatorfrc actuator="o"/>\
<actuatorfrc actuator="m"/></sensor>"""


def load(actuators, head="", **options):
    return tumble.MjModel.from_xml_string(f"<mujoco>{head}{BODY}<actuator>{actuators}</actuator></mujoco>", **options)


def mixed():
    return tumble.MjModel.from_xml_string(f"<mujoco>{BODY}{MIXED}</mujoco>")


def test_actuators_have_their_controls_and_forces():
    """Actuators with several controls and forces have them in named access, initial values and the parts of the state."""
    m = mixed()
    d = tumble.MjData(m)
    assert (m.nu, m.nactuator, m.nout, m.na, m.nsensordata) == (8, 4, 6, 2, 4)
    assert list(d.ctrl) == [0, 0, 0, 1, 0, 0, 0, 0]
    d.ctrl[:] = range(8)
    tumble.mj_forward(m, d)
    assert [list(d.actuator(name).ctrl) for name in "pomd"] == [[0, 1, 2], [3, 4, 5, 6], [7], []]
    assert (
        d.actuator("o").moment.shape == (3, m.nv)
        and d.actuator("m").moment.shape == (m.nv,)
        and d.actuator("o").force.shape == (3,)
    )
    assert (
        m.actuator("p").ctrlrange.shape == (3, 2)
        and m.actuator("m").ctrlrange.shape == (2,)
        and m.actuator("o").gear.shape == (3, 6)
    )
    assert list(d.sensordata) == [*d.actuator("o").force, *d.actuator("m").force]
    tumble.mj_resetCtrl(m, d)
    assert list(d.ctrl) == [0, 0, 0, 1, 0, 0, 0, 0]
    plain = load("<motor joint='h'/><motor joint='h'/>")
    assert (plain.nu, plain.nactuator, plain.nout, list(plain.actuator_ctrladr), list(plain.actuator_outnum)) == (
        2,
        2,
        2,
        [0, 1],
        [1, 1],
    )


def test_controls_have_their_names():
    m = mixed()
    assert [tumble.mj_actuatorInputName(m, 0, k) for k in range(4)] == ["pos", "vel", "ff", None]
    assert [tumble.mj_actuatorInputName(m, i, 0) for i in (1, 2, 3, 4)] == ["qw", None, None, None]
    assert control_names(m) == ["p (pos)", "p (vel)", "p (ff)", "o (qw)", "o (qx)", "o (qy)", "o (qz)", "m"]
    assert [number_name(m, "actuator_force", k) for k in range(m.nout)] == ["p", "o (x)", "o (y)", "o (z)", "m", "d"]


@pytest.mark.parametrize("name", ["pids", "turns", "motors", "late_servos"])
def test_models_survive_text_copies_and_files(name, tmp_path):
    """A spec's text, pickles, copies and binary files hold the same model."""
    spec = tumble.MjSpec.from_string(CASES[name][0])
    m = spec.compile()
    tumble.mj_saveModel(m, str(tmp_path / "m.mjb"))
    for again in (
        pickle.loads(pickle.dumps(m)),
        copy.copy(m),
        tumble.MjModel.from_binary_path(str(tmp_path / "m.mjb")),
        tumble.MjModel.from_xml_string(spec.to_xml()),
    ):
        for f in m.schema.arrays:
            if f.name.startswith("actuator_"):
                # texts have six digits
                assert np.allclose(m.array(f.name), again.array(f.name), rtol=TEXT, atol=0), f.name
        assert (again.nu, again.nactuator, again.nout) == (m.nu, m.nactuator, m.nout)


# rounding of numbers in texts
TEXT = 1e-5


def test_classes_hand_on_what_their_shortcut_set():
    """A class of pid servos gives its gains only to pid servos, and is saved as `general`."""
    head = (
        "<default><pid kp='7' ki='2' imax='.3' input='pos' kv='.5'/><default class='c'><dcmotor motorconst='.1' "
        "resistance='2' controller='1 0 3' input='pos'/></default></default>"
    )
    m = load(
        "<pid joint='h'/><pid joint='h' kp='2'/><motor joint='h'/><dcmotor class='c' joint='h' controller='5'/>"
        "<orientation joint='b'/>",
        head,
        compat="4.0",
    )
    assert (
        m.actuator_ctrlnum.tolist() == [1, 1, 1, 1, 3]
        and m.actuator_biasprm[:3, 1].tolist() == [-7, -2, 0]
        and m.actuator_gainprm[:2, 0].tolist() == [2, 2]
    )
    assert (
        m.actuator_gainprm[3, [4, 6]].tolist() == [5, 3]
        and m.actuator_gainprm[4, 0] == 1
        and m.actuator_dynprm[:2, 0].tolist() == [0.3, 0.3]
    )
    spec = tumble.MjSpec.from_string(
        f"<mujoco>{head}{BODY}<actuator><pid joint='h'/><dcmotor class='c' joint='h'/></actuator></mujoco>"
    )
    again = tumble.MjModel.from_xml_string(spec.to_xml())
    assert np.array_equal(again.actuator_gainprm, spec.compile().actuator_gainprm) and again.actuator_ctrlspec.tolist() == [
        1,
        1,
    ]


def test_scripts_set_servos():
    spec = tumble.MjSpec.from_string(
        f"<mujoco>{BODY}<actuator><motor joint='h'/><motor joint='b'/><motor joint='h'/></actuator></mujoco>"
    )
    one, two, three = spec.actuators
    one.set_to_pid(3, kv=0.2, ki=1, imax=0.5, ctrlspec=7)
    one.velrange = [-1, 1]
    two.set_to_orientation(2, dampratio=1, ctrlspec=2)
    three.set_to_dcmotor([0.1, 0.2], 2.0, inductance=[0.1, 0], lugre=[1, 2, 3, 4, 5])
    m = spec.compile()
    assert (
        m.actuator_ctrlnum.tolist() == [3, 4, 1]
        and m.actuator_actnum.tolist() == [1, 0, 2]
        and m.actuator_ctrllimited.tolist() == [0, 1, 0, 0, 0, 0, 0, 0]
    )
    assert m.actuator_gainprm[2, 1] == pytest.approx(np.sqrt(0.02)) and m.actuator_dynprm[2, 0] == pytest.approx(0.05)
    with pytest.raises(ValueError, match="resistance R must be positive"):
        three.set_to_dcmotor([0.1, 0.2], 0.0)
    with pytest.raises(ValueError, match="kv and dampratio"):
        one.set_to_pid(3, kv=1, dampratio=1)


def test_changes_are_written_back():
    spec = tumble.MjSpec.from_string(f"<mujoco>{BODY}{MIXED}</mujoco>")
    m = spec.compile()
    m.actuator_ctrlrange[1], m.actuator_ctrlrange[7], m.actuator_gear[1:4] = (-3, 4), (-5, 6), (2, 0, 0, 0, 0, 0)
    spec.copy_back(m)
    assert (
        list(spec.actuators[0].velrange) == [-3, 4]
        and list(spec.actuators[2].ctrlrange) == [-5, 6]
        and spec.actuators[1].gear[0] == 2
    )
    m = spec.compile()
    m.actuator_gear[2, 0] = 9
    with pytest.raises(ValueError, match="actuator_gear of actuator 'o' differs"):
        spec.copy_back(m)


# combinations that 4.0.1 refuses, too
FAULTS = {
    "<pid joint='h' input='vel pos'/>": "in this order",
    "<pid joint='h' input='none'/>": "inputs of a pid servo",
    "<pid joint='h' ki='1' input='vel'/>": "need the input pos",
    "<pid joint='h' slewmax='-1'/>": "slewmax cannot be negative",
    "<pid joint='h' ki='-1'/>": "positive ki or slewmax",
    "<pid joint='h' ki='1' imax='-1'/>": "cannot be negative",
    "<pid joint='h' kv='-1'/>": "kv cannot be negative",
    "<pid joint='h' kv='1' dampratio='1'/>": "kv and dampratio",
    "<pid joint='h' inheritrange='1' posrange='1 2'/>": "posrange and",
    "<orientation joint='h'/>": "a ball joint or a site",
    "<orientation site='s'/>": "needs a refsite",
    "<orientation joint='b' forcerange='-1 1'/>": "must be 0",
    "<orientation tendon='t'/>": "tendon",
    "<general joint='b' gaintype='so3'/>": "must both be 'so3'",
    "<general joint='b' gaintype='so3' biastype='so3'/>": "gainprm",
    "<general joint='h' gaintype='pid'/>": "biastype 'affine'",
    "<general joint='h' dyntype='pid'/>": "requires gaintype 'pid'",
    "<general joint='h' gaintype='pid' biastype='affine' gainprm='3'/>": "needs dyntype 'pid'",
    "<general joint='h' input='pos vel'/>": "one input",
    "<general joint='h' gaintype='pid' biastype='affine' gainprm='3' dyntype='pid' actdim='2'/>": "actdim is 2",
    "<dcmotor joint='h'/>": "motor constant K",
    "<dcmotor joint='h' motorconst='-.1 .2' resistance='2'/>": "non-negative",
    "<dcmotor joint='h' motorconst='.1'/>": "resistance R",
    "<dcmotor joint='h' motorconst='.1' resistance='2' inductance='-1'/>": "inductance must be",
    "<dcmotor joint='h' motorconst='.1' resistance='2' inductance='0 -1'/>": "time constant",
    "<dcmotor joint='h' motorconst='.1' resistance='2' thermal='1'/>": "thermal capacitance",
    "<dcmotor joint='h' motorconst='.1' resistance='2' thermal='-1 2'/>": "thermal resistance",
    "<dcmotor joint='h' motorconst='.1' resistance='2' controller='1'/>": "one of the inputs",
    "<dcmotor joint='h' motorconst='.1' resistance='2' controller='0 2' input='vel'/>": "the input pos",
    "<dcmotor joint='h' input='none' resistance='2' nsample='3'/>": "needs a control",
    "<dcmotor joint='h' motorconst='.1' resistance='2' forcerange='-1 1'/>": "forcerange",
    "<general joint='h' gaintype='dcmotor' biastype='dcmotor' dyntype='dcmotor' gainprm='2 .1'/>": "actearly",
}


@pytest.mark.parametrize("text", FAULTS)
def test_what_does_not_fit_is_refused(text):
    with pytest.raises(ValueError, match=FAULTS[text]):
        load(text)


def test_what_does_not_fit_in_a_file_is_refused():
    """Numbers of controls, forces and activations that do not match the type of an actuator never reach compiled code."""
    state = mixed().__getstate__()
    for field, row, value in (
        ("actuator_ctrlnum", 0, 4),
        ("actuator_outnum", 1, 1),
        ("actuator_ctrladr", 1, 5),
        ("actuator_outadr", 1, 4),
        ("actuator_ctrlspec", 1, 7),
        ("actuator_trntype", 1, 0),
        ("actuator_gaintype", 2, 5),
        ("sensor_dim", 0, 1),
        ("actuator_dyntype", 3, 0),
    ):
        bad = copy.deepcopy(state)
        bad["arrays"][field][row] = value
        with pytest.raises(ValueError, match=field.partition("_")[0]):
            tumble.MjModel.__new__(tumble.MjModel).__setstate__(bad)


def test_histories_that_do_not_fit_are_refused():
    state = tumble.MjModel.from_xml_string(CASES["late_servos"][0]).__getstate__()
    for change in ({"nhistory": 7}, {"nhistory": 10**6}):
        bad = copy.deepcopy(state)
        bad["scalars"].update(change)
        with pytest.raises(ValueError, match="nhistory"):
            tumble.MjModel.__new__(tumble.MjModel).__setstate__(bad)
    bad = copy.deepcopy(state)
    bad["arrays"]["actuator_history"][0] = 10**6, 0
    with pytest.raises(ValueError, match="nhistory"):
        tumble.MjModel.__new__(tumble.MjModel).__setstate__(bad)


def test_key_frames_survive_edits():
    """Values of keys are stored by element while the tree changes: for an actuator, all of its controls and activations."""
    more = "<keyframe><key name='k' qpos='.1 1 0 0 0 .2' ctrl='1 2 3 1 0 0 0 8' act='5 6'/></keyframe>"
    body = BODY.replace('<site name="w"/>', '<site name="w"/><body name="x"><joint name="x"/><geom size=".1"/></body>')
    spec = tumble.MjSpec.from_string(f"<mujoco>{body}{MIXED}{more}</mujoco>")
    spec.compile()
    spec.delete(spec.body("x"))
    m = spec.compile()
    assert list(m.key_ctrl[0]) == [1, 2, 3, 1, 0, 0, 0, 8] and list(m.key_act[0]) == [5, 6] and m.key_qpos[0, 0] == 0.1


def test_motors_without_their_activations_stand_still():
    """A motor whose activations are missing after a change of parameters has no force, and reads nothing beyond the array."""
    m = load("<dcmotor joint='h' motorconst='.1' resistance='2'/>")
    d = tumble.MjData(m)
    m.actuator_dynprm[0, :] = 1
    d.ctrl[0], d.qvel[0] = 1, 1
    tumble.mj_step(m, d)
    assert d.actuator_force[0] == 0 and np.isfinite(d.qpos).all()


def test_arrays_of_what_is_not_there_hold_nothing():
    """Arrays of contacts, rows and islands of a model without any are empty or zero, even in reused memory."""
    busy = tumble.MjModel.from_xml_string(CASES["exact_pyramidal_sparse"][0])
    tumble.mj_step(busy, tumble.MjData(busy))
    m = tumble.MjModel.from_xml_string(f"<mujoco><option gravity='0 0 0'/>{BODY}</mujoco>")
    d = tumble.MjData(m)
    tumble.mj_step(m, d)
    assert (d.nefc, d.nisland, d.ncon) == (0, 0, 0)
    names = [name for name in dir(d) if name.startswith(("efc_", "island_", "map_", "iefc_", "iLD", "iM", "ifrc", "iacc"))]
    assert len(names) > 30 and all(not np.any(getattr(d, name)) for name in names)


def test_motors_are_not_scaled():
    motor = "<actuator><dcmotor joint='h' motorconst='.1' resistance='2'/></actuator>"
    text = (
        "<mujoco><worldbody><frame scale='2 2 2' {how}><body><joint name='h'/><geom size='.1'/></body></frame>"
        "</worldbody>{motor}</mujoco>"
    )
    with pytest.raises(ValueError, match="DC motor cannot be scaled"):
        tumble.MjModel.from_xml_string(text.format(how="", motor=motor))
    assert tumble.MjModel.from_xml_string(text.format(how="scaling='geometry'", motor=motor)).actuator_gainprm[0, 1] == 0.1


def test_motors_without_controls_are_drawn():
    m = tumble.MjModel.from_xml_string("""<mujoco><worldbody><body><joint name="j"/><geom size=".1"/></body></worldbody>
      <actuator><dcmotor joint="j" input="none" motorconst="1" resistance="1"/></actuator></mujoco>""")
    d, option, scene = tumble.MjData(m), tumble.MjvOption(), tumble.MjvScene(m, 20)
    tumble.mj_forward(m, d)
    drawn = []
    for shown in (0, 1):
        option.flags[tumble.mjtVisFlag.mjVIS_ACTUATOR] = shown
        tumble.mjv_updateScene(m, d, option, None, tumble.MjvCamera(), tumble.mjtCatBit.mjCAT_ALL, scene)
        drawn.append(scene.ngeom)
    assert m.nu == 0 and drawn[1] == drawn[0] + 1
