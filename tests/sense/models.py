"""A model with sensors of every kind on the bodies, tendons and actuators of the dynamics tests."""

from tests.dynamics.models import ACTUATORS, model

FRAMES = ("body", "block"), ("xbody", "arm"), ("geom", "ball"), ("site", "a1"), ("camera", "eye")


def frame_sensors():
    """Every kind of frame sensor on every kind of frame, alone and relative to every other."""
    rows = []
    for kind, name in FRAMES:
        for tag in ("framepos", "framequat", "framexaxis", "frameyaxis", "framezaxis", "framelinvel", "frameangvel"):
            rows.append(f'<{tag} objtype="{kind}" objname="{name}"/>')
            rows += [f'<{tag} objtype="{kind}" objname="{name}" reftype="{r}" refname="{n}"/>' for r, n in FRAMES]
        rows += [f'<{tag} objtype="{kind}" objname="{name}"/>' for tag in ("framelinacc", "frameangacc")]
    return "".join(rows)


PLAIN = """
  <accelerometer site="a1"/><velocimeter site="a1"/><gyro site="c0"/><force site="a1"/><torque site="w0"/>\
<magnetometer site="c0"/>
  <accelerometer site="world0"/><gyro site="world0"/>
  <camprojection site="a1" camera="eye"/><camprojection site="c0" camera="lens"/>
  <rangefinder site="a1"/><rangefinder site="world0"/><rangefinder site="c0" cutoff=".3"/><touch site="zone0"/>
  <jointpos joint="elbow"/><jointvel joint="lift"/><tendonpos tendon="straight"/><tendonvel tendon="pulley"/>
  <actuatorpos actuator="hinge"/><actuatorvel actuator="pull"/><actuatorfrc actuator="pull"/><jointactuatorfrc joint="elbow"/>
  <tendonactuatorfrc tendon="wrapped"/><tendonactuatorfrc tendon="sided"/>
  <ballquat joint="wrist"/><ballangvel joint="wrist"/>
  <jointlimitpos joint="elbow"/><jointlimitvel joint="elbow"/><jointlimitfrc joint="elbow"/>
  <jointlimitpos joint="lift"/><jointlimitvel joint="lift"/><jointlimitfrc joint="lift"/>
  <tendonlimitpos tendon="pulley"/><tendonlimitvel tendon="pulley"/><tendonlimitfrc tendon="pulley"/>
  <subtreecom body="arm"/><subtreelinvel body="arm"/><subtreeangmom body="block"/>
  <e_potential/><e_kinetic/><clock/><user dim="3" needstage="pos"/><user dim="2" needstage="acc"/>
  <insidesite site="zone0" objtype="body" objname="free"/><insidesite site="zone1" objtype="site" objname="a1"/>
  <insidesite site="zone2" objtype="geom" objname="ball"/><insidesite site="zone3" objtype="xbody" objname="free"/>
  <insidesite site="zone4" objtype="camera" objname="eye"/>
  <jointpos joint="elbow" cutoff=".01"/><gyro site="c0" cutoff=".2"/>\
<insidesite site="zone0" objtype="body" objname="free" cutoff=".5"/>
"""
ZONES = "".join(
    f'<site name="zone{k}" type="{t}" size=".6 .7 .8" pos="-.3 .1 1.4" euler="10 20 30"/>'
    for k, t in enumerate("sphere capsule ellipsoid cylinder box".split())
)
CAMERAS = """<camera name="lens" pos="0 -3 1" xyaxes="1 0 0 0 0 1" resolution="640 480" sensorsize=".0048 .0036"
    focal=".003 .0035" principal="0 0"/>"""


def sensing_model(sensors, jacobian="dense", options=""):
    xml = model(extra=ACTUATORS + f"<sensor>{sensors}</sensor>", jacobian=jacobian, options=options + ' magnetic="0 -.5 .1"')
    xml = xml.replace("<worldbody>", "<worldbody>" + ZONES + CAMERAS, 1)
    return xml.replace(
        '<site name="a0"', '<camera name="eye" pos=".1 .2 .3" euler="10 20 30" resolution="320 200"/><site name="a0"'
    )
