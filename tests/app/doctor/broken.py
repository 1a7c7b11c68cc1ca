"""Models that blow up, each with the one thing that was broken in it: BROKEN, name -> (text, kind of the
cause, names that may stand for it).
"""

from __future__ import annotations

FLOOR = '<geom name="floor" type="plane" size="5 5 .1"/>'


def model(world: str, rest: str = "", option: str = "", head: str = "") -> str:
    """A model of a world, with options and what follows the world."""
    return f"<mujoco><option {option}/>{head}<worldbody>{world}</worldbody>{rest}</mujoco>"


def link(
    name: str = "arm", joint: str = "", inside: str = "", mass: float = 1.0, pos: str = "0 0 1", size: float = 0.05
) -> str:
    """A bar on a hinge."""
    return (
        f'<body name="{name}" pos="{pos}"><joint name="{name}_joint" axis="0 1 0" {joint}/>'
        f'<geom name="{name}_bar" type="capsule" fromto="0 0 0 .5 0 0" size="{size}" mass="{mass}"/>{inside}</body>'
    )


def chain(last: str, joint: str = "", masses: tuple[float, float] = (1.0, 1.0)) -> str:
    """Two sound links, and another one on them."""
    return link("upper", joint, link("lower", joint, last, masses[1], ".5 0 0"), masses[0], "0 0 2")


def actuated(tag: str, world: str = "", option: str = "") -> str:
    """A chain of three links with an actuator on the last one, `tool`."""
    return model(
        world or chain(link("tool", 'damping=".1"', pos=".5 0 0"), 'damping="1"'), f"<actuator>{tag}</actuator>", option
    )


def ball(
    name: str = "ball", pos: str = "0 0 1", size: float = 0.1, more: str = "", joint: str = "<freejoint/>", mass: float = 1.0
) -> str:
    """A ball that moves freely."""
    return f'<body name="{name}" pos="{pos}">{joint}<geom name="{name}" size="{size}" mass="{mass}" {more}/></body>'


SOUND = chain("", 'damping=".5"')
SMALL = '<body name="finger" pos=".5 0 0"><joint name="finger_joint" axis="0 1 0"/><geom size=".002" mass="1e-7"/></body>'

BROKEN: dict[str, tuple[str, str, tuple[str, ...]]] = {
    # springs that the time step cannot follow
    "spring of a hinge": (model(link(joint='stiffness="1e7" springref="30"')), "spring", ("arm_joint",)),
    "spring at the end of a chain": (
        model(chain(link("tool", 'stiffness="3e5" springref="20"', pos=".5 0 0"), 'damping="1"')),
        "spring",
        ("tool_joint",),
    ),
    "spring of a slide": (
        model(
            '<body pos="0 0 1"><joint name="lift" type="slide" stiffness="5e6" springref=".1"/><geom size=".1" '
            f'mass="1"/></body>{FLOOR}'
        ),
        "spring",
        ("lift",),
    ),
    "spring of a ball joint": (
        model(
            '<body name="head" pos="0 0 1"><joint name="neck" type="ball" stiffness="1e6"/><geom type="box" '
            'size=".1 .2 .05" pos=".1 0 0" mass="1"/></body>'
        ),
        "spring",
        ("neck",),
    ),
    "spring under RK4": (
        model(link(joint='stiffness="2e6" springref="30"'), option='integrator="RK4"'),
        "spring",
        ("arm_joint",),
    ),
    "spring with a long step": (
        model(link(joint='stiffness="3000" springref="30"'), option='timestep=".05"'),
        "spring",
        ("arm_joint",),
    ),
    "spring under implicitfast": (
        model(link(joint='stiffness="1e7" springref="30"'), option='integrator="implicitfast"'),
        "spring",
        ("arm_joint",),
    ),
    "spring that pushes away": (model(link(joint='stiffness="-4000"')), "runaway", ("arm_joint",)),
    # tendons
    "spring of a tendon": (
        model(
            chain(""),
            '<tendon><fixed name="cord" stiffness="5e6" springlength="0"><joint joint="upper_joint" coef="1"/>'
            '<joint joint="lower_joint" coef="-1"/></fixed></tendon>',
        ),
        "tendon",
        ("cord",),
    ),
    "spatial tendon": (
        model(
            '<site name="hook" pos="0 0 2"/>'
            + ball(more="", joint="<freejoint/>").replace("</body>", '<site name="eye"/></body>'),
            '<tendon><spatial name="rope" stiffness="5e6" springlength=".5"><site site="hook"/><site site="eye"/>'
            "</spatial></tendon>",
        ),
        "tendon",
        ("rope",),
    ),
    "damper of a tendon": (
        model(
            chain(""),
            '<tendon><fixed name="cord" damping="2e4"><joint joint="upper_joint" coef="1"/><joint '
            'joint="lower_joint" coef="-1"/></fixed></tendon>',
        ),
        "tendon",
        ("cord",),
    ),
    # servos
    "stiff servo": (
        actuated('<position name="servo" joint="tool_joint" kp="1e6"/>').replace("<actuator>", "<keyframe/><actuator>"),
        "servo",
        ("servo",),
    ),
    "servo on a light link": (
        model(
            chain(link("tool", "", pos=".5 0 0", mass=1e-3, size=0.005), 'damping="1"'),
            '<actuator><position name="servo" joint="tool_joint" kp="1000"/></actuator>',
        ),
        "servo",
        ("servo",),
    ),
    "servo with a gear": (actuated('<position name="servo" joint="tool_joint" kp="100" gear="100"/>'), "servo", ("servo",)),
    "servo of a tendon": (
        model(
            chain(""),
            '<tendon><fixed name="cord"><joint joint="upper_joint" coef="1"/><joint joint="lower_joint" coef="-1"/>'
            "</fixed></tendon>"
            '<actuator><position name="puller" tendon="cord" kp="1e6"/></actuator>',
        ),
        "servo",
        ("puller",),
    ),
    "servo with a long step": (
        actuated('<position name="servo" joint="tool_joint" kp="3000"/>', option='timestep=".02"'),
        "servo",
        ("servo",),
    ),
    "velocity feedback": (actuated('<velocity name="brake" joint="tool_joint" kv="1e3"/>'), "feedback", ("brake",)),
    "servo that is too damped": (
        actuated('<position name="servo" joint="tool_joint" kp="100" kv="500"/>'),
        "feedback",
        ("servo",),
    ),
    "feedback of the wrong sign": (
        actuated('<general name="amplifier" joint="tool_joint" biastype="affine" biasprm="0 5e3 0"/>'),
        "runaway",
        ("amplifier",),
    ),
    "velocity of the wrong sign": (
        actuated('<general name="amplifier" joint="tool_joint" biastype="affine" biasprm="0 0 50"/>'),
        "runaway",
        ("amplifier",),
    ),
    "slow filter": (
        actuated(
            '<general name="motor" joint="tool_joint" dyntype="filter" dynprm=".0005" gear="10" ctrlrange="0 0"/>'
        ).replace("</mujoco>", '<keyframe><key act="1"/></keyframe></mujoco>'),
        "filter",
        ("motor",),
    ),
    # dampers that are integrated explicitly
    "damping under RK4": (model(link(joint='damping="1000"'), option='integrator="RK4"'), "damping", ("arm_joint",)),
    "damping without eulerdamp": (
        model(link(joint='damping="1000"')).replace("<option />", '<option><flag eulerdamp="disable"/></option>'),
        "damping",
        ("arm_joint",),
    ),
    "damping that drives": (model(link(joint='damping="-20"')), "runaway", ("arm_joint",)),
    "viscous medium": (model(ball(size=0.05, mass=1e-3) + FLOOR, option='viscosity="50"'), "fluid", ("ball",)),
    "dense medium": (
        model(
            f'<body name="leaf" pos="0 0 1"><freejoint/><geom type="box" size=".2 .2 .001" mass="1e-3"/></body>{FLOOR}',
            option='density="5000" wind="20 0 0"',
        ),
        "fluid",
        ("leaf",),
    ),
    # inertia
    "finger without mass": (
        model(
            chain(SMALL, 'damping="1"'),
            '<actuator><motor name="flexor" joint="finger_joint" gear="5"/></actuator><keyframe><key ctrl="1"/></keyframe>',
        ),
        "inertia",
        ("finger", "finger_joint"),
    ),
    "finger on a servo": (
        model(
            chain(SMALL, 'damping="1"'),
            '<actuator><position name="flexor" joint="finger_joint" kp=".01"/></actuator><keyframe><key qpos="0 0 '
            '1"/></keyframe>',
        ),
        "inertia",
        ("finger", "finger_joint", "flexor"),
    ),
    "finger under a motor with a small gear": (
        model(
            chain(SMALL, 'damping="1"'),
            '<actuator><motor name="flexor" joint="finger_joint" gear=".01"/></actuator><keyframe><key ctrl="1"/></keyframe>',
        ),
        "inertia",
        ("finger", "finger_joint"),
    ),
    # forces
    "strong motor": (
        actuated('<motor name="motor" joint="tool_joint" gear="1e7"/>').replace(
            "</mujoco>", '<keyframe><key ctrl="1"/></keyframe></mujoco>'
        ),
        "force",
        ("motor",),
    ),
    "gravity in other units": (
        model(SOUND + ball(pos="3 0 1") + FLOOR, option='gravity="0 0 -9.81e7"'),
        "gravity",
        ("gravity",),
    ),
    "control that is no number": (
        actuated('<motor name="motor" joint="tool_joint"/>').replace(
            "</mujoco>", '<keyframe><key ctrl="1e20"/></keyframe></mujoco>'
        ),
        "control",
        ("motor",),
    ),
    # states
    "keyframe with a huge speed": (
        model(SOUND, '<keyframe><key name="start" qvel="0 1e12"/></keyframe>'),
        "state",
        ("lower_joint",),
    ),
    "keyframe far away": (
        model(ball() + FLOOR, '<keyframe><key name="start" qpos="0 0 1e11 1 0 0 0"/></keyframe>'),
        "state",
        ("ball",),
    ),
    "fast spin": (
        model(
            '<body name="rod" pos="0 0 1"><freejoint/><geom type="capsule" size=".01 .5" mass="1"/></body>',
            '<keyframe><key qvel="0 0 0 300 10 3000"/></keyframe>',
            'gravity="0 0 0"',
        ),
        "spin",
        ("rod",),
    ),
    # contacts
    "overlapping boxes": (
        model(
            "".join(
                f'<body name="box{i}" pos="0 0 {0.5 + 0.002 * i}"><freejoint/><geom name="box{i}" type="box" '
                'size=".3 .3 .3" mass="1"/></body>'
                for i in range(2)
            )
            + FLOOR,
            option='timestep=".005"',
        ).replace('mass="1"', 'mass="1" solref="-1e8 -10"'),
        "contact",
        ("box0", "box1", "floor"),
    ),
    "stiff contact": (model(ball(pos="0 0 .2", more='solref="-1e9 -100"') + FLOOR), "contact", ("ball", "floor")),
    "contact without refsafe": (
        model(ball(pos="0 0 2", more='solref=".00001 1" priority="1"') + FLOOR).replace(
            "<option />", '<option><flag refsafe="disable"/></option>'
        ),
        "contact",
        ("ball", "floor"),
    ),
    "two stiff contacts": (
        model(ball(pos="0 0 .2", more='solref="-1e9 -100"') + ball("other", pos="0 .05 .5", more='solref="-1e9 -100"') + FLOOR),
        "contact",
        ("ball", "other", "floor"),
    ),
    # constraints
    "stiff weld": (
        model(
            ball("left") + ball("right", pos=".5 0 1.3") + FLOOR,
            '<equality><weld name="glue" body1="left" body2="right" solref="-1e9 -1"/></equality>',
        ),
        "constraint",
        ("glue",),
    ),
    "connect without refsafe": (
        model(chain(""), '<equality><connect name="pin" body1="lower" anchor=".5 0 0" solref=".00005 1"/></equality>').replace(
            "<option />", '<option><flag refsafe="disable"/></option>'
        ),
        "constraint",
        ("pin",),
    ),
    "stiff joint equality": (
        model(
            chain(""),
            '<equality><joint name="gears" joint1="upper_joint" joint2="lower_joint" polycoef="1 1 0 0 0" '
            'solref="-1e9 -1"/></equality>',
        ),
        "constraint",
        ("gears",),
    ),
    "stiff limit": (model(link(joint='range="20 60" limited="true" solreflimit="-1e10 -1"')), "limit", ("arm_joint",)),
    "limit without refsafe": (
        model(link(joint='range="-60 -20" limited="true" solreflimit=".0001 1"')).replace(
            "<option />", '<option><flag refsafe="disable"/></option>'
        ),
        "limit",
        ("arm_joint",),
    ),
    # flexes and adhesion
    "stiff cloth": (
        model(
            '<flexcomp name="cloth" type="grid" count="4 4 1" spacing=".1 .1 .1" pos="0 0 1" radius=".01" '
            'mass=".01" dim="2"><elasticity young="1e10" thickness=".01" elastic2d="both"/><contact '
            'selfcollide="none"/></flexcomp>'
        ),
        "flex",
        ("cloth",),
    ),
    "stiff jelly": (
        model(
            '<flexcomp name="jelly" type="grid" count="3 3 3" spacing=".1 .1 .1" pos="0 0 1" radius=".01" mass="1" '
            'dim="3"><elasticity young="1e9" poisson=".2"/><contact selfcollide="none"/></flexcomp>' + FLOOR
        ),
        "flex",
        ("jelly",),
    ),
    # two at once, and others' integrators
    "stiff servo under RK4": (
        actuated('<position name="servo" joint="tool_joint" kp="1e6"/>', option='integrator="RK4"'),
        "servo",
        ("servo",),
    ),
    "stiff servo under implicit": (
        actuated('<position name="servo" joint="tool_joint" kp="1e6"/>', option='integrator="implicit"'),
        "servo",
        ("servo",),
    ),
    "damper that drives a slide": (
        model('<body pos="0 0 1"><joint name="lift" type="slide" damping="-30"/><geom size=".1" mass="1"/></body>'),
        "runaway",
        ("lift",),
    ),
    "one of two springs": (
        model(link("soft", 'stiffness="50"', pos="0 1 1") + link("hard", 'stiffness="2e6" springref="20"', pos="0 -1 1")),
        "spring",
        ("hard_joint",),
    ),
    "one of many servos": (
        model(
            "".join(link(f"arm{i}", 'damping=".5"', pos=f"0 {i} 1") for i in range(6)),
            "<actuator>"
            + "".join(f'<position name="servo{i}" joint="arm{i}_joint" kp="{2e6 if i == 4 else 50}"/>' for i in range(6))
            + "</actuator>",
        ),
        "servo",
        ("servo4",),
    ),
    "stiff limit of a tendon": (
        model(
            chain(""),
            '<tendon><fixed name="cord" limited="true" range=".5 1" solreflimit="-1e10 -1"><joint '
            'joint="upper_joint" coef="1"/><joint joint="lower_joint" coef="-1"/></fixed></tendon>',
        ),
        "limit",
        ("cord",),
    ),
}
