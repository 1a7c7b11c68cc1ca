"""The stages that are compiled in advance for a model are those that it uses: the last column of the table of stages, compared
with runs."""

import json
import os
import pathlib
import subprocess
import sys

import mujoco
import pytest

from tests.collide import scenes as pairs
from tests.collide.test_flex import flex_scene
from tests.collide.test_hfield import field_scene as heights
from tests.collide.test_sdf import field_scene as fields
from tests.constraint import scenes as constrained
from tests.constraint.test_sleep import INIT
from tests.constraint.test_sleep import SCENE as SLEEPERS
from tests.description.models import MODELS as DESCRIBED
from tests.dynamics import models as dynamics
from tests.newer.case_models import SPRINGS, world
from tests.newer.cases import CASES as NEWER
from tests.parity.fuzz import random_model
from tests.parity.test_step import MODELS as STEPPED
from tests.plugins import test_shipped as plugged
from tests.sense.models import PLAIN, frame_sensors, sensing_model
from tests.sense.test_sensors import TACTILE
from tumble.engine.step.needs import WORDS
from tumble.engine.tables.schema import MODEL_SIZES
from tumble.engine.tables.stage_rows import ROWS

ROOT = pathlib.Path(__file__).resolve().parents[2]
HERE = pathlib.Path(__file__).parent
RANDOM = 40

MUSCLE = """<mujoco><option timestep=".005"/><worldbody><body><joint name="j" axis="0 1 0" range="-50 50"/>
    <geom size=".05" pos=".2 0 0"/><site name="s" pos=".2 0 .05"/></body>
  <site name="w" pos="-.1 0 .3"/></worldbody><tendon><spatial name="t"><site site="w"/><site site="s"/></spatial></tendon>
  <actuator><muscle tendon="t"/></actuator></mujoco>"""
ONE = (
    '<mujoco><option {option}><flag {flags}/></option><worldbody><geom type="plane" size="3 3 .1"/>'
    '<body pos="0 0 .1"><joint name="s" type="slide" axis="0 0 1" limited="true" range="-1 1" frictionloss=".1" damping="1"/>'
    '<geom name="g" size=".1"/><geom name="h" size=".1" pos="1 0 0"/><site name="p"/>'
    '<body pos="0 0 .5"><joint axis="0 1 0"/><geom name="box" type="box" size=".1 .1 .1"/></body></body></worldbody>'
    "<sensor>{sensors}</sensor></mujoco>"
)
OPTIONS = (
    [f'integrator="{i}"' for i in ("Euler", "RK4", "implicit", "implicitfast")]
    + [f'solver="{s}"' for s in ("PGS", "CG", "Newton")]
    + [
        'jacobian="sparse"',
        'noslip_iterations="3"',
        'density="2"',
        'integrator="implicit" viscosity=".1"',
        'integrator="implicitfast" density="1"',
    ]
)
FLAGS = (
    [
        f'{f}="disable"'
        for f in "constraint equality frictionloss limit contact actuation sensor nativeccd eulerdamp island".split()
    ]
    + [f'{f}="enable"' for f in "energy fwdinv invdiscrete multiccd sleep".split()]
    + [
        'spring="disable" damper="disable"',
        'sleep="enable" energy="enable"',
        'fwdinv="enable" invdiscrete="enable"',
        'energy="enable" sensor="disable"',
    ]
)
SENSORS = [f'<{t} site="p"/>' for t in "touch accelerometer velocimeter gyro force torque magnetometer rangefinder".split()] + [
    '<distance geom1="g" geom2="box"/>',
    '<normal geom1="g" geom2="h"/>',
    '<fromto body1="world" geom2="box"/>',
    '<contact geom1="g" num="2" data="found force"/>',
    '<subtreelinvel body="world"/>',
    '<subtreeangmom body="world"/>',
    "<e_potential/>",
    "<e_kinetic/>",
    "<clock/>",
    '<user dim="1" needstage="vel"/>',
    '<user dim="1" needstage="pos"/>',
    '<user dim="1" needstage="acc"/>',
    '<insidesite site="p" objtype="geom" objname="g"/>',
    '<jointpos joint="s"/>',
    '<framelinacc objtype="site" objname="p"/>',
    '<frameangacc objtype="site" objname="p"/>',
]
FIELD = """<mujoco><extension><plugin plugin="mujoco.sdf.{name}"><instance name="i"/></plugin></extension><asset>
    <mesh name="m"><plugin instance="i"/></mesh></asset>
  <worldbody>{ground}<body pos="0 0 .2"><freejoint/><geom type="sdf" mesh="m"><plugin instance="i"/></geom></body>
  <site name="eye" pos="0 0 3" euler="180 0 0"/></worldbody><sensor><rangefinder site="eye"/></sensor></mujoco>"""


def at_4(xml):
    """A model under all silent changes of later releases."""
    return xml.replace("<mujoco>", '<mujoco><compiler compat="4.0"/>', 1)


# surfaces that move below objects on them
SLIDING = at_4(NEWER["surface_elliptic"][0].replace('pos="0 0 .13"', 'pos="0 0 .09"'))


def texts():
    """{name: XML or path} of the models of the tests, of the assets, and of some for every word of the table."""
    found = {path.name: str(path) for path in (ROOT / "assets" / "models").glob("*.xml")}
    found |= {f"described {name}": xml for name, xml in DESCRIBED.items()} | {
        f"stepped {name}": xml for name, xml in STEPPED.items()
    }
    found |= {f"option {o}": ONE.format(option=o, flags="", sensors="") for o in OPTIONS}
    found |= {f"flag {f}": ONE.format(option="", flags=f, sensors=SENSORS[2] + SENSORS[15]) for f in FLAGS}
    found |= {f"sleep {o}": ONE.format(option=o, flags='sleep="enable" fwdinv="enable"', sensors="") for o in OPTIONS}
    found |= {f"sensor {s}": ONE.format(option="", flags="", sensors=s) for s in SENSORS}
    found |= {
        f"pair {a} {b} {n}": pairs.pair_scene(a, b, flags=f'nativeccd="{n}" multiccd="{m}"')
        for k, a in enumerate([*pairs.SIZES, "prism"])
        for b in [*pairs.SIZES, "prism"][max(k, 1) :]
        for n, m in (("enable", "enable"), ("disable", "disable"))
    }
    found |= {f"field {k}": fields(k) for k in ("sphere", "sdf")} | {
        f"heights {f}": heights("box", 0, f) for f in ("", "nativeccd='disable'")
    }
    found |= {
        f"plugin {n} {bool(g)}": FIELD.format(name=n, ground=g)
        for n in "bolt bowl gear nut torus".split()
        for g in ("", '<geom size=".4"/>')
    }
    found |= {
        f"flex {d} {f}": flex_scene(d, "none", f) for d in (1, 2) for f in ("", "nativeccd='disable'", "contact='disable'")
    }
    found |= {"flex touching": flex_scene(2, "none").replace('pos="0 0 0.5"', 'pos="0 0 .3"')}
    found |= {"flex implicit": flex_scene(2, "none").replace("<option", '<option integrator="implicit"')}
    found |= {
        "legs": constrained.legs(),
        "legs sparse": constrained.legs(option='jacobian="sparse"'),
        "pile": constrained.pile(),
        "sleepers": SLEEPERS.format(tolerance=1e-2),
        "initial sleepers": INIT.format(policy='sleep="init"'),
        "muscle": MUSCLE,
        "tendons": dynamics.model(),
        "actuators": dynamics.model(extra=dynamics.ACTUATORS),
        "light actuators": dynamics.model(extra=dynamics.LIGHT_ACTUATORS),
        "sensors": sensing_model(PLAIN + frame_sensors()),
        "tactile": TACTILE.replace("SHAPE", "box"),
        "cable": DESCRIBED["cable"],
        "pid": plugged.pid_scene("slew"),
        "grid": plugged.grid_scene(plugged.LOOK),
    }
    found |= {f"newer {n}": at_4(xml) for n, (xml, _) in NEWER.items()}
    found |= {"newer touching": SLIDING, "newer energy": world(SPRINGS, head="<option><flag energy='enable'/></option>")}
    return found | {f"random {k}": xml for k in range(RANDOM) if accepted(xml := random_model(k))}


def accepted(xml):
    try:
        mujoco.MjModel.from_xml_string(xml)
    except ValueError:
        return False
    return True


@pytest.fixture(scope="module")
def runs():
    """{name: (stages used, stages predicted)}"""
    done = subprocess.run(
        [sys.executable, str(HERE / "stage_use.py")],
        input=json.dumps(texts()),
        capture_output=True,
        text=True,
        env=os.environ | {"PYTHONPATH": str(ROOT)},
        check=False,
    )
    assert done.returncode == 0, done.stderr[-3000:]
    # warnings of the compiler come before the result
    return json.loads(done.stdout.splitlines()[-1])


def test_what_a_run_uses_was_foreseen(runs):
    late = {name: sorted(set(used) - set(foreseen)) for name, (used, foreseen) in runs.items()}
    assert not {name: late[name] for name in late if late[name]}


def test_what_is_foreseen_is_used_unless_its_row_says_that_it_depends(runs):
    depends = {row.name for row in ROWS if row.depends}
    idle = {name: sorted(set(foreseen) - set(used) - depends) for name, (used, foreseen) in runs.items()}
    assert not {name: idle[name] for name in idle if idle[name]}


@pytest.mark.parametrize("row", [row for row in ROWS if row.needed], ids=lambda row: row.name)
def test_some_run_uses_each_stage_that_models_need_and_some_does_not(row, runs):
    having = [name for name, (used, _) in runs.items() if row.name in used]
    # the reference's geoms have special functions against planes
    assert having or row.name in ("unpack_state", "collide_plane_solid")
    assert len(having) < len(runs) or row.needed == ("always",)


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row.name)
def test_words_are_known(row):
    for text in row.needed:
        for atom in text.split("|"):
            name = atom.lstrip("!").partition(":")[0]
            assert name in WORDS or name in MODEL_SIZES, name
