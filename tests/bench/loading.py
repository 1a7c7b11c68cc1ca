"""Loading, compiling and writing models, compared with MuJoCo: both engines alternate in one process; processor time.

    python -m tests.bench.loading [MODEL.xml ...] [--rounds N]

Without models: a pendulum, a cartpole (URDF), an ant, the humanoid, and edits of their specs. Each round loads a new text,
since a text that was loaded before is not compiled again; rows `again` load or compile the same one. Kernels are loaded before
anything is measured.
"""

import argparse
import itertools
import pathlib
import statistics
import time

import mujoco

import tumble

HUMANOID = pathlib.Path(__file__).resolve().parents[2] / "assets" / "models" / "humanoid.xml"
PENDULUM = """<mujoco><worldbody><body><joint type="hinge" axis="0 1 0"/>\
<geom type="capsule" size=".02" fromto="0 0 0 0 0 -.5"/>
  </body></worldbody></mujoco>"""


CARTPOLE = """<robot name="cartpole"><link name="rail"><collision><geometry><box size="4 .1 .1"/></geometry></collision></link>
  <link name="cart"><inertial><mass value="1"/><inertia ixx=".1" iyy=".1" izz=".1" ixy="0" ixz="0" iyz="0"/></inertial>
    <collision><geometry><box size=".4 .2 .2"/></geometry></collision></link>
  <link name="pole"><collision><origin xyz="0 0 .5"/><geometry><cylinder radius=".03" length="1"/></geometry></collision></link>
  <joint name="slide" type="prismatic"><parent link="rail"/><child link="cart"/><axis xyz="1 0 0"/>
    <limit lower="-2" upper="2" effort="100" velocity="10"/></joint>
  <joint name="hinge" type="continuous"><parent link="cart"/><child link="pole"/><axis xyz="0 1 0"/></joint></robot>"""
LEG = """<body pos="{0} {1} 0"><joint type="hinge" axis="0 0 1" range="-40 40" limited="true"/>
  <geom type="capsule" size=".08" fromto="0 0 0 {0} {1} 0"/><body pos="{0} {1} 0">
  <joint type="hinge" axis="-1 1 0" range="30 100"/>
  <geom type="capsule" size=".08" fromto="0 0 0 {0} {1} 0"/></body></body>"""
ANT = f"""<mujoco><option timestep=".01" integrator="RK4"/>
  <default><joint armature="1" damping="1"/><geom density="5"/></default>
  <worldbody><geom type="plane" size="40 40 40"/><light pos="0 0 3"/><body pos="0 0 .75"><freejoint/><geom size=".25"/>
  {"".join(LEG.format(x, y) for x in (0.2, -0.2) for y in (0.2, -0.2))}</body></worldbody></mujoco>"""


def loading(path):
    """Return a function that takes an engine and returns a function that loads a file."""
    return lambda engine: lambda: engine.MjModel.from_xml_path(str(path))


def first(text):
    """As `loading`: a text that was not loaded before."""
    number = itertools.count()
    return lambda engine: lambda: engine.MjModel.from_xml_string(f"{text}<!-- {next(number)} -->")


def again(text):
    """As `loading`: the same text in each round."""
    return lambda engine: lambda: engine.MjModel.from_xml_string(text)


def making(text):
    """As `loading`: a Data of a model."""

    def make(engine):
        m = engine.MjModel.from_xml_string(text)
        return lambda: engine.MjData(m)

    return make


def compiling(text):
    """As `loading`: a spec is recompiled after its first geom grew."""

    def make(engine):
        spec = engine.MjSpec.from_string(text)

        def edit():
            spec.geoms[-1].size[0] *= 1.0001
            spec.compile()

        return edit

    return make


def compiling_again(text):
    """As `loading`: a spec is recompiled without edits."""

    def make(engine):
        spec = engine.MjSpec.from_string(text)
        for _ in range(4):
            spec.compile()
        return spec.compile

    return make


def writing(text):
    """As `loading`: a compiled spec as text."""

    def make(engine):
        spec = engine.MjSpec.from_string(text)
        spec.compile()
        return spec.to_xml

    return make


def cases():
    """{name: function of an engine that returns the function to measure}"""
    humanoid = HUMANOID.read_text()
    texts = {"pendulum": PENDULUM, "cartpole.urdf": CARTPOLE, "ant": ANT, "humanoid": humanoid}
    rows = {f"{name}: from_xml_string": first(text) for name, text in texts.items()}
    rows |= {f"{name}: from_xml_string, again": again(text) for name, text in texts.items()}
    rows |= {f"{name}: edit, MjSpec.compile": compiling(text) for name, text in texts.items()}
    rows |= {f"{name}: MjSpec.compile, again": compiling_again(text) for name, text in texts.items()}
    return rows | {
        "pendulum: MjSpec.from_string": lambda engine: lambda: engine.MjSpec.from_string(PENDULUM),
        "pendulum: to_xml": writing(PENDULUM),
        "humanoid: to_xml": writing(humanoid),
        "humanoid: MjData": making(humanoid),
    }


def seconds(function):
    begin = time.process_time()
    function()
    return time.process_time() - begin


def compare(make, rounds):
    """Return (reference, own): milliseconds of each round, alternating."""
    theirs, own = make(mujoco), make(tumble)
    # warm up twice, because a text may be cached only when it is loaded for the second time
    for _ in range(2):
        theirs(), own()
    found = [(seconds(theirs), seconds(own)) for _ in range(rounds)]
    return [t * 1e3 for t, _ in found], [t * 1e3 for _, t in found]


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("models", nargs="*", type=pathlib.Path)
    parser.add_argument("--rounds", type=int, default=40)
    options = parser.parse_args()
    print(f"{'':36s}{'reference':>18s}{'here':>18s}   ratio      (medians, least; ms)")
    ratios = []
    for name, make in ({p.stem: loading(p) for p in options.models} or cases()).items():
        theirs, own = compare(make, options.rounds)
        ratios.append(statistics.median(own) / statistics.median(theirs))
        print(
            f"{name[-36:]:36s}{statistics.median(theirs):9.2f}{min(theirs):9.2f}{statistics.median(own):9.2f}"
            f"{min(own):9.2f}{ratios[-1]:8.2f}"
        )
    print(f"geometric mean of {len(ratios)} ratios: {statistics.geometric_mean(ratios):.2f}")


if __name__ == "__main__":
    main()
