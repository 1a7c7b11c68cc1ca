"""What is said of a name that nothing has, and of a memory that is too small: the
reference's words, at the beginning of ours.
"""

import mujoco
import pytest

import tumble

MODEL = """<mujoco>{}<worldbody><body name="b"><freejoint/><geom name="g" size=".1"/><site name="s"/><body name="c">
    <joint name="j"/><geom size=".1"/></body>
  </body>{}</worldbody>{}</mujoco>"""
BONE = '<bone body="no" bindpos="0 0 0" bindquat="1 0 0 0" vertid="0 1 2" vertweight="1 1 1"/>'
# what stands before the tree, at its end, and behind it
CASES = {
    "mesh": ("", '<geom type="mesh" mesh="no"/>', ""),
    "material": ("", '<site/><site material="no"/>', ""),
    "hfield": ("", '<geom type="hfield" hfield="no"/>', ""),
    "texture": ('<asset><material name="m" texture="no"/></asset>', "", ""),
    "camera": ("", '<camera mode="targetbody" target="no"/>', ""),
    "light": ("", '<light mode="targetbody" target="no"/>', ""),
    "light texture": ("", '<light texture="no"/>', ""),
    "pair": ("", "", '<contact><pair geom1="g" geom2="no"/></contact>'),
    "exclude": ("", "", '<contact><exclude body1="no" body2="c"/></contact>'),
    "connect": ("", "", '<equality><connect body1="b" body2="no" anchor="0 0 0"/></equality>'),
    "equality": ("", "", '<equality><joint joint1="no"/></equality>'),
    "motor": ("", "", '<actuator><motor joint="j"/><motor joint="no"/></actuator>'),
    "tendon motor": ("", "", '<actuator><motor tendon="no"/></actuator>'),
    "refsite": ("", "", '<actuator><motor site="s" refsite="no"/></actuator>'),
    "slidersite": ("", "", '<actuator><general cranksite="s" slidersite="no" cranklength="1"/></actuator>'),
    "sensor": ("", "", '<sensor><gyro site="no"/></sensor>'),
    "reference": ("", "", '<sensor><framepos objtype="body" objname="b" reftype="site" refname="no"/></sensor>'),
    "tuple": ("", "", '<custom><tuple name="t"><element objtype="geom" objname="no"/></tuple></custom>'),
    "fixed": ("", "", '<tendon><fixed><joint joint="j" coef="1"/><joint joint="no" coef="1"/></fixed></tendon>'),
    "path": ("", "", '<tendon><spatial><site site="s"/><site site="no"/></spatial></tendon>'),
    "wrapped": ("", "", '<tendon><spatial><site site="s"/><geom geom="no"/><site site="s"/></spatial></tendon>'),
    "sidesite": ("", "", '<tendon><spatial><site site="s"/><geom geom="g" sidesite="no"/><site site="s"/></spatial></tendon>'),
    "bone": ("", "", f'<deformable><skin vertex="0 0 0 1 0 0 0 1 0" face="0 1 2">{BONE}</skin></deformable>'),
    "flex": ("", "", '<deformable><flex name="f" dim="1" body="b no" vertex="0 0 0 1 0 0" element="0 1"/></deformable>'),
    "memory": ('<size memory="100"/>', "", ""),
}


def said(engine, xml):
    with pytest.raises(ValueError) as error:
        engine.MjModel.from_xml_string(xml)
    return str(error.value).split("\n")[0]


@pytest.mark.parametrize("name", CASES)
def test_the_first_line_begins_as_the_reference_s(name):
    xml = MODEL.format(*CASES[name])
    # where in the reference's source something happened is no part of it
    theirs = said(mujoco, xml).split(" at ")[0]
    assert said(tumble, xml).startswith(theirs)
