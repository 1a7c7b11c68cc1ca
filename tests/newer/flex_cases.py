"""Cases of flexes, of Newton with many contacts, and of singular inertias."""

import numpy as np

APART = '<contact selfcollide="none"/>'
EXACT = "<option tolerance='1e-14' {}/>"
FREE = '<body pos="{}"><freejoint/><geom {}/></body>'
# ends of rigid segments, in no order that a grid has
SCATTERED = np.random.default_rng(1).normal(size=(120, 3)) * (0.3, 0.3, 0.01)
LINE = f"""<body name="line"><freejoint/><inertial pos="0 0 0" mass="1" diaginertia="1 1 1"/><flexcomp name="line" type="direct"
  dim="1" rigid="true" radius=".05" point="{" ".join(f"{x:.4f}" for x in SCATTERED.ravel())}"
  element="{" ".join(map(str, range(120)))}">{APART}</flexcomp></body>"""
# a sheet with bumps
HEIGHTS = 0, 0.03, 0, 0.02, 0.05, 0.01, 0, 0.02, -0.03
SHEET = " ".join(f"{0.1 * (k % 3):.1f} {0.1 * (k // 3):.1f} {z}" for k, z in enumerate(HEIGHTS))
TRIANGLES = "0 1 3 1 4 3 1 2 4 2 5 4 3 4 6 4 7 6 4 5 7 5 8 7"
DAMPERS = '<edge damping=".3"/>' + APART
STIFF = '<elasticity young="1e3" poisson=".2" thickness=".01" damping=".01" elastic2d="{}"/>' + APART
SOFT = STIFF.format("none")
# a body that moves, to which a flex is pinned
ARM = """<body name="w" pos="0 0 1"><joint axis="0 1 0"/><geom size=".02"/><body name="v" pos=".1 0 0"><joint axis="0 0 1"/>
  <geom size=".02"/>{}</body></body>"""
TWINS = '<body><joint axis="0 1 0"/><joint axis="0 1 0"/><geom size=".1" pos=".3 0 0"/></body>'


def world(text, head=""):
    return f"<mujoco>{head}<worldbody>{text}</worldbody></mujoco>"


def grid(dim, count, inner=APART, more="", pos="0 0 0"):
    return f"""<flexcomp name="f" type="grid" dim="{dim}" count="{count}" spacing=".1 .1 .1" radius=".01" mass="1" pos="{pos}"
 {more}>{inner}</flexcomp>"""


def solid(kind, count, dof, inner=SOFT):
    return f"""<flexcomp name="f" type="{kind}" dim="3" count="{count}" spacing=".1 .1 .1" radius=".01" mass="1" dof="{dof}">
 {inner}</flexcomp>"""


def exact(text, options=""):
    return world(text, EXACT.format(options))


FLEX_CASES = {
    # contacts
    "flex_many": (exact('<geom type="plane" size="3 3 .1"/><geom type="box" size=".5 .5 .1" pos="0 0 -.1"/>' + LINE), ""),
    "flex_ends": (
        exact(
            grid(2, "4 4 1")
            + FREE.format(".03 .02 .045", 'type="capsule" size=".05 .1" euler="80 30 0"')
            + FREE.format("-.1 .08 .05", 'type="box" size=".05 .04 .06" euler="10 30 0"')
        ),
        "",
    ),
    "flex_solids": (
        exact(
            grid(3, "3 3 3")
            + FREE.format(".03 .02 .18", 'size=".1" margin=".02"')
            + FREE.format("-.08 .02 .12", 'type="capsule" size=".03 .1" euler="80 20 0"')
            + FREE.format(".05 -.12 .0", 'type="capsule" size=".02 .15" euler="20 80 0"')
        ),
        "",
    ),
    "flex_quadratic": (exact(grid(3, "4 4 4", more='dof="quadratic"') + FREE.format(".03 .02 .2", 'size=".06"')), ""),
    # forces and integrators
    "bent_sheet": (
        world(f"""<flexcomp name="f" type="direct" dim="2" radius=".01" mass="1" point="{SHEET}" element="{TRIANGLES}">
 <elasticity young="1e4" poisson=".2" thickness=".01" damping=".01" elastic2d="both"/>{APART}</flexcomp>"""),
        "",
    ),
    "edge_dampers": (world(grid(2, "4 4 1", DAMPERS), "<option integrator='implicitfast'/>"), ""),
    "edge_dampers_full": (world(grid(1, "4 1 1", DAMPERS), "<option integrator='implicit'/>"), ""),
    "bent_arm": (world(ARM.format(grid(2, "4 4 1", '<pin id="0 1"/>' + STIFF.format("both")))), ""),
    # trilinear and quadratic cells
    "cell_long": (world(solid("grid", "6 4 3", "trilinear")), "body_mass"),
    "cell_quadratic": (world(solid("grid", "6 5 5", "quadratic")), "body_mass"),
    "cell_round": (world(solid("ellipsoid", "4 4 4", "trilinear")), "body_mass"),
    "cell_round_quadratic": (world(solid("ellipsoid", "7 7 7", "quadratic")), "body_mass"),
    "cell_pinned": (world(solid("cylinder", "5 5 4", "trilinear", '<pin id="0 1"/>' + SOFT)), "body_mass"),
    "cell_surface": (
        world(f"""<flexcomp name="f" type="direct" dim="2" radius=".01" mass="1" dof="trilinear"
 element="0 2 1 0 1 3 0 3 2 1 2 3" point="0 0 0 .7 0 0 .1 .8 0 0 .2 .9">{APART}</flexcomp>"""),
        "body_mass",
    ),
    "cell_arm": (world(ARM.format(solid("grid", "4 4 4", "trilinear", '<pin id="0 1"/>' + SOFT))), "body_mass"),
    "cell_self": (
        world(solid("grid", "4 4 4", "trilinear", SOFT.replace(APART, '<contact selfcollide="auto"/>'))),
        "body_mass",
    ),
    # the solver Newton: a cloth, and many contacts that slide
    "cloth_newton": (
        exact(
            '<geom type="plane" size="2 2 .1"/>' + grid(2, "5 5 1", '<edge equality="true"/>' + APART, pos="0 0 .005"),
            "jacobian='sparse'",
        ),
        "",
    ),
    "cloth_cones": (
        exact(
            '<geom type="plane" size="2 2 .1"/>' + grid(2, "5 5 1", '<edge equality="true"/>' + APART, pos="0 0 .005"),
            "jacobian='sparse' cone='elliptic'",
        ),
        "",
    ),
    "sliding_cones": (
        exact(
            '<geom type="plane" size="2 2 .1"/><body pos="0 0 .09"><freejoint/>'
            + "".join(f'<geom size=".1" pos="{x} {y} 0"/>' for x in (-0.3, 0, 0.3) for y in (-0.3, 0, 0.3))
            + "</body>",
            "cone='elliptic' impratio='3'",
        ),
        "",
    ),
    # two joints on one axis
    "twin_joints": (world(TWINS), ""),
    "twin_joints_fast": (world(TWINS, "<option integrator='implicitfast'/>"), ""),
    "twin_joints_full": (world(TWINS, "<option integrator='implicit'/>"), ""),
}
