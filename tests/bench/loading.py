"""Loading, compiling and writing models against the oracle: both engines in turns in one process, processor time.

    python -m tests.bench.loading [MODEL.xml ...] [--rounds N]

Without models: a pendulum, the humanoid, and edits of their specs. Kernels are loaded before anything is measured.
"""

import argparse
import pathlib
import statistics
import time

import mujoco

import tumble

HUMANOID = pathlib.Path(__file__).resolve().parents[2] / "assets" / "models" / "humanoid.xml"
PENDULUM = """<mujoco><worldbody><body><joint type="hinge" axis="0 1 0"/>\
<geom type="capsule" size=".02" fromto="0 0 0 0 0 -.5"/>
  </body></worldbody></mujoco>"""


def loading(path):
    """Function of an engine that makes a function which loads a file."""
    return lambda engine: lambda: engine.MjModel.from_xml_path(str(path))


def compiling(text):
    """As `loading`: a spec whose first geom grows is compiled anew."""

    def make(engine):
        spec = engine.MjSpec.from_string(text)

        def edit():
            spec.geoms[-1].size[0] *= 1.0001
            spec.compile()

        return edit

    return make


def writing(text):
    """As `loading`: a compiled spec as text."""

    def make(engine):
        spec = engine.MjSpec.from_string(text)
        spec.compile()
        return spec.to_xml

    return make


def cases():
    """{what: function of an engine that makes the function to measure}"""
    humanoid = HUMANOID.read_text()
    return {
        "pendulum: from_xml_string": lambda engine: lambda: engine.MjModel.from_xml_string(PENDULUM),
        "pendulum: MjSpec.from_string": lambda engine: lambda: engine.MjSpec.from_string(PENDULUM),
        "pendulum: edit, MjSpec.compile": compiling(PENDULUM),
        "pendulum: to_xml": writing(PENDULUM),
        "humanoid: from_xml_path": loading(HUMANOID),
        "humanoid: edit, MjSpec.compile": compiling(humanoid),
        "humanoid: to_xml": writing(humanoid),
    }


def seconds(function):
    begin = time.process_time()
    function()
    return time.process_time() - begin


def compare(make, rounds):
    """(reference, own): milliseconds of each round, in turns."""
    theirs, own = make(mujoco), make(tumble)
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
