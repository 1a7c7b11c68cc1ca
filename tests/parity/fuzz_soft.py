"""Random models with deformable things: flexes of every dimension and kind, cables, skins, and equalities on them."""

from tests.parity.fuzz import Maker

GRIDS = {1: "{n} 1 1", 2: "{n} {m} 1", 3: "{n} {m} 2"}


class SoftMaker(Maker):
    """Draws one model around one to three flexes."""

    def flex(self, k):
        dim = self.pick((1, 2, 2, 3))
        rigid = self.chance(0.1)
        grid = GRIDS[dim].format(n=self.pick((2, 3, 4)), m=self.pick((2, 3)))
        dof = self.pick(("full", "radial", "trilinear")) if dim == 3 and not rigid else "full"
        young = self.chance(0.5) and dim > 1 and not rigid
        elastic = (
            f'<elasticity young="{self.number(1e2, 1e4)}" poisson="{self.number(0, 0.4)}" damping="{self.number(0, 0.02)}" '
            + (
                f'elastic2d="{self.pick(("none", "stretch", "bend", "both"))}" thickness="{self.number(0.001, 0.01)}"'
                if dim == 2
                else ""
            )
            + "/>"
            if young
            else ""
        )
        tied = not young and dof == "full" and not rigid and self.chance(0.5)
        edge = ('<edge equality="true" damping=".05"/>' if tied else '<edge damping=".1"/>') if dim < 3 or dof == "full" else ""
        contact = (
            "<contact "
            f'selfcollide="{"none" if dof == "trilinear" else self.pick(("none", "narrow", "bvh", "sap", "auto"))}" '
            f'internal="{self.pick(("true", "false"))}" '
            f'condim="{self.pick((1, 3, 4))}" margin="{self.pick((0, 0.01))}" solref="{self.number(0.005, 0.03)} 1" '
            'conaffinity="1"/>'
        )
        pin = f'<pin id="{self.pick(("0", "0 1", "1"))}"/>' if self.chance(0.3) and dof == "full" and not rigid else ""
        place = (
            f'pos="{self.number(-0.2, 0.2)} {self.number(-0.2, 0.2)} {self.number(-0.05, 0.4)}" '
            f'euler="{self.number(0, 40)} {self.number(0, 40)} 0"'
        )
        return (
            f'<flexcomp name="flex{k}" type="grid" count="{grid}" spacing=".1 .1 .1" '
            f'radius="{self.number(0.01, 0.04)}" dim="{dim}" mass="{self.number(0.1, 1)}" '
            f'dof="{dof}" rigid="{"true" if rigid else "false"}" {place}>{elastic}{edge}{contact}{pin}</flexcomp>',
            dim,
            dof,
            rigid,
        )

    def soft_model(self):
        option, flexes = self.option(), [self.flex(k) for k in range(int(self.rng.integers(1, 4)))]
        bodies = self.several(lambda: self.body(0), 1, 3)
        floor = '<geom name="floor" type="plane" size="4 4 .1"/>' if self.chance(0.8) else ""
        cable = (
            (
                '<composite prefix="w" type="cable" curve="s" count="5 1 1" size=".5" offset=".3 .3 .3" '
                'initial="none"><plugin plugin="mujoco.elasticity.cable">'
                '<config key="twist" value="1e4"/><config key="bend" value="1e4"/></plugin><joint kind="main" damping=".01"/>'
                '<geom type="capsule" size=".01" density="500"/></composite>'
            )
            if self.chance(0.3)
            else ""
        )
        equality = ""
        loose = [k for k, f in enumerate(flexes) if f[2] == "full" and not f[3]]
        if loose:
            k = self.pick(loose)
            sites = [f"flex{k}_0", f"flex{k}_1"]
            target = self.pick(self.names["body"])
            equality = f'<connect body1="{sites[1]}" body2="{target}" anchor="0 0 0"/>' if self.chance(0.4) else ""
            if self.chance(0.3):
                equality += f'<weld body1="{target}" body2="{sites[1]}"/>'
        skin = ""
        if self.chance(0.3):
            a = self.pick(self.names["body"])
            skin = (
                f'<skin name="k" vertex="0 0 0 1 0 0 0 1 0" face="0 1 2"><bone body="{a}" bindpos="0 0 0" '
                'bindquat="1 0 0 0" vertid="0 1 2" '
                'vertweight="1 1 1"/></skin>'
            )
        extension = '<extension><plugin plugin="mujoco.elasticity.cable"/></extension>' if cable else ""
        return f"""<mujoco><compiler angle="degree"/>{option}{extension}
<asset><mesh name="wedge" vertex="-.1 -.1 -.1 .12 -.1 -.08 -.1 .12 -.1 .09 .1 -.1 -.08 -.05 .1 .07 .02 .12"/></asset>
<worldbody>{floor}{bodies}{"".join(f[0] for f in flexes)}{cable}</worldbody><deformable>{skin}</deformable>
<equality>{equality}{self.several(self.equality, 0, 2)}</equality>
<sensor>{self.several(self.sensor, 0, 4)}</sensor></mujoco>"""


def random_soft_model(seed):
    """MJCF text; the same for the same seed."""
    return SoftMaker(seed).soft_model()
