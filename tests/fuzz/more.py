"""Kinds of random cases around the window and around soft things: intents, settings, flexes with
equalities, plugins with strange attributes.
"""

import dataclasses
import json
import pathlib
import tempfile

import numpy as np

import tumble
from tests.parity.fuzz_soft import random_soft_model
from tests.robust.test_trusted_models import MODELS
from tumble.app import commands
from tumble.app.config import SETTINGS, Config
from tumble.app.simulation import Simulation
from tumble.engine.tables import schema
from tumble.ui import intents as I

NUMBERS = (0, 1, -1, 2, 3, 7, 1e-12, 1e12, -1e300, float("nan"), float("inf"), 2**31 - 1, -(2**31), 2**63, "", "x", None, True)


# bytes for contacts and rows, about what the reference gives such models
ROOM = 16 << 20


def soft(rng):
    """A random model with flexes, cables, skins and equalities on them, which steps."""
    try:
        m = tumble.MjModel.from_xml_string(random_soft_model(rng.randrange(2**31)))
    except ValueError:
        return
    if m.nv < 150:
        d = tumble.MjData(m)
        # thousands of rows with a dense matrix between them are seconds of honest work
        d.memory_limit = ROOM
        try:
            tumble.mj_step(m, d, 2)
        except MemoryError as error:
            assert "more than the memory limit" in str(error), error


# ---- plugins -----------------------------------------------------------------------------------------------------------
PLUGINS = {
    "mujoco.pid": ("kp", "ki", "kd", "imax", "slewmax"),
    "mujoco.elasticity.cable": ("twist", "bend", "flat", "vmax"),
    "mujoco.sensor.touch_grid": ("size", "fov", "gamma", "nchannel"),
    "mujoco.sdf.bolt": ("radius",),
    "mujoco.sdf.gear": ("alpha", "diameter", "teeth"),
    "mujoco.sdf.nut": ("radius",),
    "mujoco.sdf.torus": ("radius1", "radius2"),
    "mujoco.sdf.bowl": ("height", "radius", "thickness"),
    "none.of.these": ("x",),
}
USES = {
    "actuator": '<actuator><plugin joint="j" plugin="{}" instance="p"/></actuator>',
    "sensor": '<sensor><plugin name="s" plugin="{}" instance="p" objtype="site" objname="s"/></sensor>',
    "": "",
}
RIG = """<mujoco><extension><plugin plugin="{plugin}"><instance name="p">{config}</instance></plugin></extension>
<asset>{asset}</asset><worldbody><geom type="plane" size="1 1 .1"/>
<body name="b" pos="0 0 .2">{element}<joint name="j" axis="0 1 0"/><geom size=".1"/>{geom}<site name="s"/></body>
<body pos=".05 0 .35"><freejoint/><geom type="box" size=".1 .1 .1"/></body></worldbody>{use}</mujoco>"""


def plugins(rng):
    """A plugin's attributes with few, many, strange or no numbers, in a place where it may or may not stand."""
    name = rng.choice(sorted(PLUGINS))
    texts = ("0", "1", ".1", ".1", ".2", "-1", "1e9", "nan", "inf", "7 7", "1 2 3", "", "x", "1e400", "4 4 4 4", "true")
    keys = [k for k in PLUGINS[name] if rng.random() < 0.6] + ["other"] * (rng.random() < 0.05)
    config = "".join(f'<config key="{k}" value="{rng.choice(texts)}"/>' for k in keys)
    shaped, strange = ".sdf." in name, rng.random() < 0.1
    use = rng.choice(sorted(USES)) if strange else "actuator" if "pid" in name else "sensor" if "sensor" in name else ""
    text = RIG.format(
        plugin=name,
        config=config,
        asset='<mesh name="m"><plugin instance="p"/></mesh>' if shaped else "",
        geom='<geom type="sdf" mesh="m"><plugin instance="p"/></geom>' if shaped else "",
        element='<plugin instance="p"/>' if strange or "cable" in name else "",
        use=USES[use].format(name),
    )
    m = tumble.MjModel.from_xml_string(text)
    tumble.mj_step(m, tumble.MjData(m), 2)


# ---- what the window asks for ------------------------------------------------------------------------------------------
FIELDS = [
    f"{owner}.{f}"
    for owner, name in (("m", "MjModel"), ("d", "MjData"), ("opt", "MjOption"), ("vis", "MjVisual"), ("stat", "MjStatistic"))
    for f in (f.name for f in schema.SCHEMAS[name].fields.values() if f.group not in schema.INTERNAL)
]
# they write files
SILENT = [
    c for c in vars(I).values() if isinstance(c, type) and issubclass(c, I.SimIntent) and c not in (I.SimIntent, I.SaveFile)
]


def value(rng):
    """A number, a word, nothing, or an array of numbers."""
    return np.array([rng.gauss(0, 1) for _ in range(rng.choice((0, 1, 3, 4)))]) if rng.random() < 0.4 else rng.choice(NUMBERS)


def intent(rng):
    """Any intent that the simulation hears, with any values."""
    kind = rng.choice(SILENT)
    if kind is I.Step:
        return I.Step(rng.randrange(-5, 5))
    index = rng.choice((None, 0, 1, -1, 10**6, slice(0, 2), slice(-3, 10**9), (0, 0), (5, 10**7)))
    given = {
        "path": lambda: rng.choice(FIELDS),
        "index": lambda: index,
        "name": lambda: rng.choice(("disableflags", "enableflags", "busy_wait", "pause_update", "x")),
        "values": lambda: {n: value(rng) for n in ("select", "active", "refpos", "scale", "localpos") if rng.random() < 0.5},
    }
    return kind(**{f.name: given.get(f.name, lambda: value(rng))() for f in dataclasses.fields(kind)})


def intents(rng):
    """Twenty intents with steps between them; what is wrong with one is told to the person, as the physics thread
    does, and the next is carried out.
    """
    sim = Simulation()
    m = tumble.MjModel.from_xml_string(MODELS[rng.choice(sorted(MODELS))])
    sim.adopt(m, tumble.MjData(m))
    for _ in range(20):
        try:
            commands.apply(sim, intent(rng), lambda kind, value: None)
            sim.single_step()
            sim.idle()
        except Exception:  # noqa: BLE001, S110
            continue
    sim.status()


# ---- settings ------------------------------------------------------------------------------------------------------------
def thing(rng, depth=0):
    """Anything that JSON can hold."""
    kind = rng.randrange(8)
    if kind == 0 and depth < 3:
        return [thing(rng, depth + 1) for _ in range(rng.randrange(4))]
    if kind == 1 and depth < 3:
        return {rng.choice(("x", "", "view", "path", "1")): thing(rng, depth + 1) for _ in range(rng.randrange(4))}
    return rng.choice(
        (None, True, False, 0, 1, -1, 10**30, 0.5, 1e308, float("nan"), float("inf"), "", "dark", "x" * 300, "\ud800")
    )


def settings(rng):
    """A file of settings with values of any kind, and with damaged bytes: settings are read,
    changed and written, whatever it holds.
    """
    rows = {row.name: thing(rng) for row in SETTINGS if rng.random() < 0.5}
    raw = bytearray(json.dumps(rows).encode())
    if rng.random() < 0.3:
        for _ in range(rng.randint(1, 4)):
            raw[rng.randrange(len(raw))] = rng.randrange(256)
    with tempfile.TemporaryDirectory() as folder:
        path = pathlib.Path(folder) / "settings.json"
        path.write_bytes(raw)
        config = Config(path)
        for row in SETTINGS:
            config[row.name] = thing(rng)
        config.save()
        again = Config(path)
        assert not again.damage
        for row in SETTINGS:
            assert repr(again[row.name]) == repr(config[row.name]) or not row.saved or config.dirty, row.name
