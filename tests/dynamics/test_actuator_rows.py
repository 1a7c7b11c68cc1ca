"""The table of actuator models: names in its rows exist, and types without a row are refused wherever they could run."""

import importlib

import numpy as np
import pytest

import tumble
from tumble import batch, debug
from tumble.engine.description.compile.servos import CHECKS
from tumble.engine.description.language.keywords import KEYWORDS
from tumble.engine.dynamics import actuation, actuator_slopes, servos
from tumble.engine.tables import actuator_rows
from tumble.engine.tables.actuator_rows import FIRST_OF_OURS, PARAMETERS, ROWS, TYPE
from tumble.engine.tables.validate import InvalidModel

ENUMS = {"gain": tumble.mjtGain, "bias": tumble.mjtBias, "dyn": tumble.mjtDyn}
# the reference's numbers, which files contain
NUMBERS = {
    "gain": "fixed affine muscle user pid so3 dcmotor",
    "bias": "none affine muscle user so3 dcmotor",
    "dyn": "none integrator filter filterexact muscle user pid dcmotor",
}
XML = """
<mujoco>
  <worldbody><body><joint name="j" type="slide"/><geom size=".1"/></body></worldbody>
  <actuator><general joint="j" dyntype="filter" gainprm="1" biastype="affine"/></actuator>
</mujoco>"""
# numbers that no row has: between the reference's and ours, after the last of ours, and -1
UNKNOWN = [FIRST_OF_OURS - 1, actuator_rows.KINDS - 1, 10**6, -1]
WAYS = {
    "step": lambda m, d: tumble.mj_step(m, d),
    "forward": lambda m, d: tumble.mj_forward(m, d),
    "inverse": lambda m, d: tumble.mj_inverse(m, d),
}


@pytest.mark.parametrize("what", TYPE)
def test_numbers_of_the_reference_stay(what):
    built_in = [row for row in actuator_rows.of(what) if not row.ours]
    assert [row.name for row in sorted(built_in, key=lambda row: row.number)] == NUMBERS[what].split()
    assert [row.number for row in built_in] == list(range(len(built_in)))
    assert KEYWORDS[what] == {row.name: row.number for row in actuator_rows.of(what)}
    assert {e.name: int(e) for e in ENUMS[what]} == actuator_rows.members(what)


@pytest.mark.parametrize("row", ROWS, ids=lambda row: f"{row.what}-{row.name}")
def test_what_a_row_names_exists(row):
    module = importlib.import_module(f"tumble.engine.{row.kernel}")
    if row.ours:
        assert all(callable(getattr(module, stage)) for stage in row.stages.values())
    # combinations of several controls need a check
    assert (row.name in CHECKS) == row.servo or row.what != "gain"
    assert row.sentence and len({p.name for p in row.parameters}) == len(row.parameters)


def test_a_frame_scales_each_parameter_by_its_dimension():
    """If a frame scales lengths by 2 and masses by 16, forces grow 32 times."""
    for gain, bias in (("affine", "affine"), ("fixed", "none"), ("muscle", "muscle")):
        kinds, numbers = {"gain": gain, "bias": bias, "dyn": "filter"}, ".2 .9 -3"
        text = " ".join(f'{TYPE[what]}="{name}" {PARAMETERS[what]}="{numbers}"' for what, name in kinds.items())
        if gain == "muscle":
            text = 'gaintype="muscle" biastype="muscle" gainprm=".5 1 7 2 .5 2 1 1 2" biasprm=".5 1 7 2 .5 2 1 1 2"'
        xml = (
            '<mujoco><worldbody><frame{}><body><joint name="j" type="slide"/><geom size=".1"/></body></frame></worldbody>'
            f'<actuator><general joint="j" {text} lengthrange="-1 1"/></actuator></mujoco>'
        )
        plain, scaled = (tumble.MjModel.from_xml_string(xml.format(s)) for s in ("", ' scale="2 2 2" massscale="16"'))
        units = {"F": 32.0, "T": 64.0, "x": 2.0, "u": 1.0, "s": 2.0, "t": 1.0, "1": 1.0}
        for what, name in kinds.items():
            old, new = (getattr(m, f"actuator_{PARAMETERS[what]}")[0] for m in (plain, scaled))
            for k, p in enumerate(actuator_rows.BY_NAME[what, name].parameters):
                kept = p.sign == "+" and old[k] <= 0 or p.sign == "-" and old[k] >= 0
                factor = 1.0 if kept else np.prod([units[s] ** (1 if up else -1) for s, up in p.factors])
                assert np.isclose(new[k], old[k] * factor), (what, name, p)


# ---- types without a row -------------------------------------------------------------------------------------------------
@pytest.mark.parametrize("number", UNKNOWN)
@pytest.mark.parametrize("what", TYPE)
def test_an_unknown_kind_is_refused_when_a_spec_is_compiled(what, number):
    spec = tumble.MjSpec.from_string(XML)
    with pytest.raises(TypeError, match=TYPE[what]):
        setattr(spec.actuators[0], TYPE[what], number)
    # bypass the check at assignment
    spec.actuators[0].raw[TYPE[what]] = number
    with pytest.raises(ValueError, match=f"{TYPE[what]} {number} is not one of"):
        spec.compile()


@pytest.mark.parametrize("what", TYPE)
def test_an_unknown_word_is_refused(what):
    with pytest.raises(ValueError, match=TYPE[what]):
        tumble.MjModel.from_xml_string(f'<mujoco><actuator><general {TYPE[what]}="sulky"/></actuator></mujoco>')


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("what", TYPE)
def test_an_unknown_kind_is_refused_by_compiled_code(what, way):
    m = tumble.MjModel.from_xml_string(XML)
    d = tumble.MjData(m)
    tumble.mj_step(m, d)
    for number in UNKNOWN:
        getattr(m, f"actuator_{TYPE[what]}")[0] = number
        with pytest.raises(InvalidModel, match=TYPE[what]):
            WAYS[way](m, d)


@pytest.mark.parametrize("what", TYPE)
def test_an_unknown_kind_is_refused_by_interpreted_code(what):
    m = tumble.MjModel.from_xml_string(XML)
    d = tumble.MjData(m)
    with debug.interpreted("actuation", "muscle_forces", "step_many"):
        tumble.mj_step(m, d)
        getattr(m, f"actuator_{TYPE[what]}")[0] = UNKNOWN[0]
        with pytest.raises(InvalidModel, match=TYPE[what]):
            tumble.mj_step(m, d)


@pytest.mark.filterwarnings("ignore:no lanes")
@pytest.mark.parametrize("lanes", [True, False])
@pytest.mark.parametrize("what", TYPE)
def test_an_unknown_kind_is_refused_by_batches(what, lanes):
    """A batch refuses an unknown type in the model of one world and in the model that all worlds share."""
    m, name = tumble.MjModel.from_xml_string(XML), f"actuator_{TYPE[what]}"
    worlds = batch.Batch(m, 8, 1, lanes=lanes)
    worlds.step()
    worlds.expand(name)[3] = UNKNOWN[0]
    with pytest.raises(InvalidModel, match=name):
        worlds.step()
    getattr(m, name)[0] = UNKNOWN[0]
    with pytest.raises(InvalidModel, match=name):
        batch.Batch(m, 8, 1, lanes=lanes).step()


@pytest.mark.parametrize("what", TYPE)
def test_an_unknown_kind_is_refused_when_a_file_is_loaded(what, tmp_path):
    m, path = tumble.MjModel.from_xml_string(XML), str(tmp_path / "m.mjb")
    getattr(m, f"actuator_{TYPE[what]}")[0] = UNKNOWN[0]
    tumble.mj_saveModel(m, path, None)
    with pytest.raises(ValueError, match=TYPE[what]):
        tumble.MjModel.from_binary_path(path)


@pytest.mark.parametrize("kernel", [actuation.muscle_forces, servos.servo_forces, actuator_slopes.velocity_slope])
def test_kernels_name_each_kind(kernel):
    """No branch is a catch-all for unnamed types: an unknown type has no force."""
    m = tumble.MjModel.from_xml_string(XML)
    d = tumble.MjData(m)
    d.ctrl[0], d.qvel[0] = 1, 1
    tumble.mj_forward(m, d)
    # bypasses the checks of the Model
    m.peek(f"actuator_{TYPE['gain']}")[0] = m.peek(f"actuator_{TYPE['bias']}")[0] = FIRST_OF_OURS - 1
    d.actuator_force[:] = 0
    interpreted = importlib.import_module("tumble.engine.machine.interpret").interpreted(kernel)
    assert interpreted(m, d, *([0] if kernel.__name__ == "velocity_slope" else [])) in (None, 0.0)
    assert d.actuator_force[0] == 0
