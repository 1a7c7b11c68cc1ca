"""Scripts that use what later releases added: run by 4.0.1, which records, and here with compat="4.0", which is compared.

A script: a function of the module and of a loader of texts; returns {name: array}.
"""
import numpy as np

SHAPES = """<mujoco><option density="1"/><asset><hfield name="f" nrow="2" ncol="2" size="1 1 .2 .1" elevation="0 1 1 0"/></asset>
  <worldbody><geom type="hfield" hfield="f" pos="0 0 -5"/><body name="a"><freejoint/><geom size=".1"/><geom type="box" size=".1 .1 .1" pos=".3 0 0" fluidshape="ellipsoid" margin=".01"/>
  <geom type="capsule" size=".1 .2" pos="0 .3 0" contype="2"/><site pos=".1 0 0"/></body><body name="h" pos="1 0 0"><freejoint/><geom type="cylinder" size=".1 .2"
  fluidshape="ellipsoid"/></body><body name="k" pos="3 0 0"><joint name="j" axis="0 1 0"/><geom size=".1" pos=".2 0 0"/><site name="s"/></body><site name="t" pos="3 0 1"/>
  </worldbody><tendon><spatial stiffness="1"><site site="s"/><site site="t"/></spatial></tendon>
  <equality><weld body1="a" body2="h"/><weld body1="a" body2="k" relpose="1 0 0 1 0 0 0"/></equality><actuator><position joint="j" kp="9" dampratio="1"/></actuator></mujoco>"""
WIDE = ("bvh_aabb geom_aabb geom_rbound geom_size body_margin body_contype body_conaffinity geom_fluid geom_sameframe body_sameframe site_sameframe tendon_lengthspring "
        "actuator_biasprm dof_M0 tree_sleep_policy").split()


def wide_constants(mj, load):
    """Sizes, poses, margins, masks and references change, then mj_setConst."""
    m = load(SHAPES)
    d = mj.MjData(m)
    m.geom_size[1:] *= 1.3
    m.hfield_size[0] *= 1.5
    m.geom_pos[2] = 0, 0.2, 0.3
    m.geom_margin[3], m.geom_gap[1], m.geom_contype[1], m.geom_conaffinity[4] = 0.05, 0.01, 8, 4
    m.body_ipos[1], m.qpos0[0], m.site_pos[0], m.body_mass[3] = (0.1, 0, 0), 0.5, m.body_ipos[1], 7
    m.qpos_spring[-1] = 0.3
    mj.mj_setConst(m, d)
    stat = np.array([m.stat.meaninertia, m.stat.meanmass, m.stat.meansize, m.stat.extent, *m.stat.center])
    return {name: getattr(m, name) for name in WIDE} | {"eq_data": m.eq_data[:, :11], "stat": stat}


LOOKS = """<mujoco><visual><headlight ambient="1 1 1" diffuse="0 0 0" specular="0 0 0"/></visual><asset><texture name="t" type="2d" builtin="flat" width="64" height="64"/>
  <material name="m" texture="t" texrepeat="{repeat}" texuniform="{uniform}"/></asset><worldbody><geom type="{kind}" size="{size}" material="m"/>
  <camera pos="0 -4 0" xyaxes="1 0 0 0 0 1" projection="orthographic" fovy="4"/><camera pos="0 0 4" projection="orthographic" fovy="4"/>
  <camera pos="-4 0 0" xyaxes="0 -1 0 0 0 1" projection="orthographic" fovy="4"/></worldbody></mujoco>"""
WRAPPED = (("sphere", "1", "1 1", "false"), ("ellipsoid", "1.5 1 .8", ".5 1", "true"), ("capsule", ".5 1", "1 1", "false"), ("cylinder", ".7 1", "1 1", "true"),
           ("box", "1.5 1 .8", "1 1", "false"), ("box", "1.5 1 .8", ".6 .5", "true"), ("plane", "2 1 .1", "1 1", "false"), ("plane", "0 0 .1", ".2 .2", "true"))
# pixels that are looked at, of 100 x 100
SAMPLES = (35, 45, 55, 65)


def wrapped_textures(mj, load):
    """Along and down the image, of what is seen at some pixels from three sides: the texture's colours say where they stand in it."""
    found = {}
    for row, (kind, size, repeat, uniform) in enumerate(WRAPPED):
        m = load(LOOKS.format(kind=kind, size=size, repeat=repeat, uniform=uniform))
        place = np.arange(64) * 4
        image = np.stack(np.broadcast_arrays(place[None], place[:, None], np.full((64, 64), 255)), 2)
        m.tex_data = image.ravel().astype(np.uint8)
        d = mj.MjData(m)
        mj.mj_forward(m, d)
        with mj.Renderer(m, 100, 100) as renderer:
            for camera in range(3):
                renderer.update_scene(d, camera)
                seen = renderer.render()[np.ix_(SAMPLES, SAMPLES)].astype(float) / 255
                found[f"{row}{kind}{camera}"] = np.where(seen[..., 2:] > 0.5, seen[..., :2], 0)
    return found


SCRIPTS = {script.__name__: script for script in (wide_constants, wrapped_textures)}
