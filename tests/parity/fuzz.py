"""Random models from a seed: trees of joints, geoms and sites, with tendons, actuators, equalities, sensors and options."""

import numpy as np

HINGED = ("hinge", "slide")
GEOMS = ("sphere", "capsule", "box", "ellipsoid", "cylinder", "mesh")
DISABLE = (
    "constraint equality frictionloss limit contact spring damper gravity clampctrl warmstart filterparent "
    "actuation refsafe sensor "
    "midphase eulerdamp nativeccd island"
).split()
FRAME_SENSORS = "framepos framequat framexaxis frameyaxis framezaxis framelinvel frameangvel framelinacc frameangacc".split()
SITE_SENSORS = "touch accelerometer velocimeter gyro force torque magnetometer rangefinder".split()


class Maker:
    """Draws one model; what it has named so far can be referred to by later parts."""

    def __init__(self, seed):
        self.rng = np.random.default_rng(seed)
        self.names = {
            k: [] for k in "body top joint ball free geom site tendon fixed actuator wrap limitedjoint limitedtendon".split()
        }

    # ---- draws -----------------------------------------------------------------------------------------------------------
    def chance(self, p):
        return self.rng.random() < p

    def pick(self, values):
        return values[int(self.rng.integers(len(values)))]

    def number(self, low, high):
        return f"{self.rng.uniform(low, high):.4g}"

    def vector(self, n, scale=1.0):
        return " ".join(f"{x:.4g}" for x in self.rng.normal(0, scale, n))

    def some(self, p, text):
        """An attribute that is there with a probability; `text` is drawn either way, so that parts stay independent."""
        return f" {text}" if self.chance(p) else ""

    def name(self, kind):
        names = self.names[kind]
        names.append(f"{kind}{len(names)}")
        return names[-1]

    # ---- parts -----------------------------------------------------------------------------------------------------------
    def option(self):
        flags = (
            "".join(f' {n}="disable"' for n in DISABLE if self.chance(0.06))
            + self.some(0.2, 'energy="enable"')
            + self.some(0.1, 'fwdinv="enable"')
        )
        flags += self.some(0.08, 'override="enable"') + self.some(0.15, 'multiccd="enable"') + self.some(0.12, 'sleep="enable"')
        fluid = (
            f' density="{self.number(0, 200)}" viscosity="{self.number(0, 1)}" wind="{self.vector(3)}"'
            if self.chance(0.25)
            else ""
        )
        groups = self.some(0.1, 'actuatorgroupdisable="1"')
        return (
            f'<option timestep="{self.number(0.0005, 0.006)}" '
            f'integrator="{self.pick(["Euler", "RK4", "implicit", "implicitfast"])}" '
            f'cone="{self.pick(["pyramidal", "elliptic"])}" jacobian="{self.pick(["dense", "sparse", "auto"])}" '
            f'solver="{self.pick(["Newton", "Newton", "CG", "PGS"])}" impratio="{self.pick([1, 1, 3, 10])}" '
            f'gravity="{self.vector(2)} {self.number(-12, 2)}" '
            f'noslip_iterations="{self.pick([0, 0, 0, 5])}" iterations="{self.pick([100, 100, 5])}"{fluid}{groups}>'
            f"<flag{flags}/></option>"
        )

    def solver_parameters(self, prefix=""):
        ref = (
            f'solref{prefix}="{self.number(0.004, 0.05)} {self.number(0.3, 1.5)}"'
            if self.chance(0.7)
            else f'solref{prefix}="-{self.number(100, 2000)} -{self.number(5, 50)}"'
        )
        imp = (
            f'solimp{prefix}="{self.number(0.5, 0.9)} {self.number(0.9, 0.99)} {self.number(0.001, 0.02)} '
            f'{self.number(0.2, 0.8)} {self.number(1, 4)}"'
        )
        return self.some(0.3, ref) + self.some(0.3, imp)

    def pose(self, scale):
        return f'pos="{self.vector(3, scale)}"' + self.some(0.5, f'euler="{self.vector(3, 60)}"')

    def joint(self, kind):
        name = self.name("joint" if kind in HINGED else "ball")
        low, size = (-60, 90) if kind != "slide" else (-0.3, 0.5)
        limit = (
            f'limited="true" range="{self.number(low, 0)} {self.number(0.1 * size, size)}"'
            if kind != "ball"
            else f'limited="true" range="0 {self.number(20, 100)}"'
        )
        limit = self.some(0.4, limit)
        self.names["limitedjoint"] += [name] * bool(limit)
        return (
            f'<joint name="{name}" type="{kind}" axis="{self.vector(3)}" pos="{self.vector(3, 0.05)}"'
            + limit
            + self.some(0.3, f'damping="{self.number(0, 2)}"')
            + self.some(0.2, f'stiffness="{self.number(0, 20)}"')
            + self.some(0.2, f'frictionloss="{self.number(0, 1)}"')
            + self.some(0.3, f'armature="{self.number(0, 0.5)}"')
            + self.some(0.15, f'margin="{self.number(0, 0.05)}"')
            + self.some(0.15, 'actuatorgravcomp="true"')
            + (
                self.some(0.2, f'springref="{self.number(low, size)}" ref="{self.number(0.1 * low, 0.1 * size)}"')
                if kind != "ball"
                else ""
            )
            + (self.some(0.15, f'actuatorfrcrange="-{self.number(0.1, 3)} {self.number(0.1, 3)}"') if kind != "ball" else "")
            + self.solver_parameters("limit")
            + self.solver_parameters("friction")
            + "/>"
        )

    def geom(self):
        kind = self.pick(GEOMS)
        shape = (
            'type="mesh" mesh="wedge"'
            if kind == "mesh"
            else f'type="{kind}" size="{self.number(0.04, 0.15)} {self.number(0.04, 0.2)} {self.number(0.04, 0.15)}"'
        )
        name = self.name("wrap" if kind in ("sphere", "cylinder") else "geom")
        self.names["geom"] += [name] * (name not in self.names["geom"])
        return (
            f'<geom name="{name}" {shape} {self.pose(0.1)} density="{self.number(200, 3000)}"'
            + self.some(0.5, f'condim="{self.pick([1, 3, 4, 6])}"')
            + self.some(0.3, f'friction="{self.number(0.1, 1.5)} {self.number(0, 0.05)} {self.number(0, 0.01)}"')
            + self.some(0.15, f'margin="{self.number(0, 0.04)}"')
            + self.some(0.1, f'gap="{self.number(0, 0.02)}"')
            + self.some(0.15, f'priority="{self.pick([0, 1])}"')
            + self.some(0.15, f'solmix="{self.number(0, 2)}"')
            + self.some(0.15, f'contype="{self.pick([0, 1, 2])}" conaffinity="{self.pick([0, 1, 3])}"')
            + self.some(0.2, 'fluidshape="ellipsoid"')
            + self.solver_parameters()
            + "/>"
        )

    def site(self):
        kind = self.pick("sphere capsule ellipsoid cylinder box".split())
        return f'<site name="{self.name("site")}" type="{kind}" size="{self.number(0.05, 0.2)} .1 .1" {self.pose(0.15)}/>'

    def body(self, depth):
        top = depth == 0
        name = self.name("body")
        if top:
            self.names["top"].append(name)
        attributes = self.some(0.15, f'gravcomp="{self.number(0, 1.2)}"') + (self.some(0.06, 'mocap="true"') if top else "")
        parts = ""
        if 'mocap="true"' in attributes:
            pass
        elif top and self.chance(0.5):
            parts += f'<freejoint name="{self.name("free")}"/>'
        elif self.chance(0.85):
            kinds = [self.pick(HINGED) for _ in range(int(self.rng.integers(1, 4)))] if self.chance(0.7) else ["ball"]
            parts += "".join(self.joint(k) for k in kinds)
        if self.chance(0.15):
            parts += (
                f'<inertial mass="{self.number(0.1, 3)}" pos="{self.vector(3, 0.05)}" diaginertia=".02 .03 .04" '
                f'euler="{self.vector(3, 60)}"/>'
            )
        parts += self.geom() + "".join(self.geom() for _ in range(int(self.rng.integers(0, 2)))) + self.site()
        parts += self.some(
            0.3, f'<camera name="cam{name}" {self.pose(0.2)} mode="{self.pick(["fixed", "track", "trackcom"])}"/>'
        )
        if depth < 3:
            parts += "".join(self.body(depth + 1) for _ in range(int(self.rng.integers(0, 3 - (depth > 0)))))
        spread = 0.35 if top else 0.2
        lift = self.number(0.1, 0.9) if top else self.number(-0.2, 0.2)
        return (
            f'<body name="{name}" pos="{self.vector(2, spread)} {lift}" euler="{self.vector(3, 30)}"{attributes}>{parts}</body>'
        )

    def tendons(self):
        rows, joints, sites = [], self.names["joint"], self.names["site"]

        def common():
            return (
                self.some(0.3, f'stiffness="{self.number(1, 30)}"')
                + self.some(0.3, f'damping="{self.number(0.1, 2)}"')
                + self.some(0.25, f'limited="true" range="{self.number(-0.4, 0.2)} {self.number(0.3, 0.8)}"')
                + self.some(0.2, f'frictionloss="{self.number(0.1, 1)}"')
                + self.some(0.2, f'springlength="{self.number(0, 0.2)} {self.number(0.2, 0.6)}"')
                + self.some(0.2, f'armature="{self.number(0.01, 0.3)}"')
                + self.some(0.15, f'actuatorfrcrange="-{self.number(0.1, 3)} {self.number(0.1, 3)}"')
                + self.solver_parameters("limit")
                + self.solver_parameters("friction")
            )

        def row(kind, name, attributes, path):
            self.names["limitedtendon"] += [name] * ("limited" in attributes)
            return f'<{kind} name="{name}"{attributes}>{path}</{kind}>'

        for _ in range(int(self.rng.integers(0, 3)) if joints else 0):
            used = self.rng.choice(joints, size=min(len(joints), 3), replace=False)
            rows.append(
                row(
                    "fixed",
                    self.name("tendon"),
                    common(),
                    "".join(f'<joint joint="{j}" coef="{self.number(-2, 2)}"/>' for j in used),
                )
            )
        for _ in range(int(self.rng.integers(0, 3)) if len(sites) > 3 else 0):
            path = list(self.rng.permutation(sites)[:4])
            text = f'<site site="{path[0]}"/>'
            if self.chance(0.5) and self.names["wrap"]:
                text += f'<geom geom="{self.pick(self.names["wrap"])}"' + self.some(0.4, f'sidesite="{path[3]}"') + "/>"
            text += f'<site site="{path[1]}"/>'
            if self.chance(0.3):
                text += f'<pulley divisor="{self.pick([2, 3])}"/><site site="{path[2]}"/><site site="{path[0]}"/>'
            attributes = common()
            # the reference has no inertia of tendons that wrap
            attributes = attributes.replace("armature", "width") if "geom" in text else attributes
            rows.append(row("spatial", self.name("tendon"), attributes, text))
        return f"<tendon>{''.join(rows)}</tendon>" if rows else ""

    def transmission(self):
        n, kinds = self.names, []
        kinds += [f'joint="{self.pick(n["joint"])}"'] * 3 if n["joint"] else []
        kinds += [f'tendon="{self.pick(n["tendon"])}"'] * 2 if n["tendon"] else []
        kinds += (
            [
                f'joint="{self.pick(n["ball"])}" gear="{self.vector(3)}"',
                f'jointinparent="{self.pick(n["ball"])}" gear="{self.vector(3)}"',
            ]
            if n["ball"]
            else []
        )
        kinds += (
            [
                f'joint="{self.pick(n["free"])}" gear="{self.vector(6)}"',
                f'jointinparent="{self.pick(n["free"])}" gear="{self.vector(6)}"',
            ]
            if n["free"]
            else []
        )
        a, b = self.pick(n["site"]), self.pick(n["site"])
        kinds += [f'site="{a}" gear="{self.vector(6)}"']
        if a != b:
            kinds += [
                f'site="{a}" refsite="{b}" gear="{self.vector(6)}"',
                f'cranksite="{a}" slidersite="{b}" cranklength="{self.number(0.1, 1)}"',
            ]
        kinds += [f'body="{self.pick(n["body"])}"']
        return self.pick(kinds)

    def actuator(self):
        where, name = self.transmission(), self.name("actuator")
        common = (
            self.some(0.4, f'ctrllimited="true" ctrlrange="-{self.number(0.1, 1)} {self.number(0.1, 1)}"')
            + self.some(0.3, f'forcelimited="true" forcerange="-{self.number(0.1, 5)} {self.number(0.1, 5)}"')
            + self.some(0.15, f'group="{self.pick([0, 1, 2])}"')
        )
        if where.startswith("body"):
            return f'<adhesion name="{name}" {where} ctrlrange="0 1" gain="{self.number(1, 20)}"/>'
        early = self.some(0.3, 'actearly="true"')
        rows = [
            "<motor{}/>",
            f'<position kp="{self.number(1, 30)}" dampratio="{self.number(0.3, 1.2)}"{{}}/>',
            f'<position kp="{self.number(1, 30)}" kv="1" timeconst="{self.number(0, 0.1)}"{{}}/>',
            f'<velocity kv="{self.number(0.1, 3)}"{{}}/>',
            f'<intvelocity kp="{self.number(1, 9)}" actrange="-1 1"{{}}/>',
            f'<damper kv="{self.number(0.1, 3)}" ctrlrange="0 1"{{}}/>',
            f'<cylinder timeconst="{self.number(0.05, 1)}" area="{self.number(0.5, 2)}" bias="0 -1 -.5"{{}}/>',
            f'<muscle lengthrange=".1 1.3" force="{self.number(1, 30)}" tausmooth="{self.pick([0, 0.2])}"{{}}/>',
            f'<general dyntype="{self.pick(["none", "integrator", "filter", "filterexact"])}" '
            f'dynprm="{self.number(0.02, 1)}" gaintype="{self.pick(["fixed", "affine"])}" '
            f'gainprm="{self.vector(3)}" '
            f'biastype="{self.pick(["none", "affine"])}" biasprm="{self.vector(3)}"{early}{{}}/>',
        ]
        text = self.pick([r for r in rows if "muscle" not in r or where.startswith(("joint=", "tendon"))])
        if "damper" in text or "ctrlrange" in text:
            common = common.replace("ctrllimited", "forcelimited") if "forcelimited" not in common else ""
            common = "" if "ctrlrange" in common else common
        return text.format(f' name="{name}" {where}{common}')

    def equality(self):
        n, rows = self.names, []
        a, b = self.rng.permutation(n["body"] + ["world"])[:2]
        rows.append(f'<connect body1="{a}" body2="{b}" anchor="{self.vector(3, 0.1)}"')
        rows.append(
            f'<weld body1="{a}" body2="{b}" torquescale="{self.number(0.1, 2)}"'
            + self.some(0.5, f'relpose="{self.vector(3, 0.1)} 1 0 .1 0"')
        )
        if len(n["site"]) > 1:
            s, t = self.rng.permutation(n["site"])[:2]
            rows += [f'<connect site1="{s}" site2="{t}"', f'<weld site1="{s}" site2="{t}"']
        for kind, names in (("joint", n["joint"]), ("tendon", n["tendon"])):
            if names:
                s, t = self.pick(names), self.pick(names)
                rows += [
                    f'<{kind} {kind}1="{s}"'
                    + (f' {kind}2="{t}"' if s != t else "")
                    + f' polycoef="{self.vector(2, 0.3)} .1 0 0"'
                ] * 2
        return self.pick(rows) + self.some(0.15, 'active="false"') + self.solver_parameters() + "/>"

    def sensor(self):
        n = self.names
        frame = self.pick(["body", "xbody", "geom", "site"])

        def owner(kind):
            return self.pick(n["body" if kind == "xbody" else kind])

        ref = self.pick(["body", "xbody", "geom", "site"])
        tag = self.pick(FRAME_SENSORS)
        relative = self.some(0.4, f'reftype="{ref}" refname="{owner(ref)}"') if not tag.endswith("acc") else ""
        rows = [
            f'<{tag} objtype="{frame}" objname="{owner(frame)}"{relative}',
            f'<{self.pick(SITE_SENSORS)} site="{owner("site")}"',
        ] * 3
        rows += [f'<{t} body="{owner("body")}"' for t in ("subtreecom", "subtreelinvel", "subtreeangmom")] + [
            "<clock",
            "<e_potential",
            "<e_kinetic",
        ]
        g, h = owner("geom"), owner("geom")
        if g != h:
            rows += [f'<{t} geom1="{g}" geom2="{h}" cutoff="1"' for t in ("distance", "fromto")]
            rows += [
                f'<contact geom1="{g}" num="2" data="found force dist normal" '
                f'reduce="{self.pick(["none", "mindist", "maxforce", "netforce"])}"'
            ]
        for kind, tags in (
            ("joint", ["jointpos", "jointvel", "jointactuatorfrc"]),
            ("ball", ["ballquat", "ballangvel"]),
            ("tendon", ["tendonpos", "tendonvel", "tendonactuatorfrc"]),
            ("actuator", ["actuatorpos", "actuatorvel", "actuatorfrc"]),
        ):
            if n[kind]:
                rows += [f'<{t} {"joint" if kind == "ball" else kind}="{owner(kind)}"' for t in tags]
        for kind in ("joint", "tendon"):
            if n["limited" + kind]:
                rows += [f'<{kind}limit{t} {kind}="{owner("limited" + kind)}"' for t in ("pos", "vel", "frc")]
        row = self.pick(rows)
        return (
            row
            + ("" if "cutoff" in row or "<contact" in row or "quat" in row or "axis" in row else self.some(0.1, 'cutoff=".3"'))
            + "/>"
        )

    def several(self, make, low, high):
        return "".join(make() for _ in range(int(self.rng.integers(low, high))))

    def model(self):
        option = self.option()
        floor = '<geom name="floor" type="plane" size="4 4 .1"/>' if self.chance(0.8) else ""
        floor += '<geom type="hfield" hfield="hill" pos="0 0 -.1"/>' if self.chance(0.15) else ""
        bodies = self.several(lambda: self.body(0), 1, 5)
        tendons = self.tendons()
        actuators = self.several(self.actuator, 0, 6)
        equalities = self.several(self.equality, 0, 3)
        sensors = self.several(self.sensor, 0, 12)
        return f"""<mujoco><compiler angle="degree"/>{option}<size nuserdata="2"/>
<asset><mesh name="wedge" vertex="-.1 -.1 -.1 .12 -.1 -.08 -.1 .12 -.1 .09 .1 -.1 -.08 -.05 .1 .07 .02 .12"/>
<hfield name="hill" nrow="4" ncol="5" size="1 1 .2 .1" elevation="0 1 0 2 0 1 2 1 0 3 0 1 3 1 0 0 2 0 1 1"/></asset>
<worldbody>{floor}<light/>{bodies}</worldbody>{tendons}<actuator>{actuators}</actuator><equality>{equalities}</equality>\
<sensor>{sensors}</sensor></mujoco>"""


def random_model(seed):
    """MJCF text; the same for the same seed."""
    return Maker(seed).model()
