"""Which stages a model will use: a table of conditions, so that they can be compiled ahead, on all cores, before the first step.

A condition is an expression over the model's sizes, its options, the number of geoms of each type (`boxes`) and a few totals below.
A stage that a condition misses is not lost: it is compiled when it is first called.
"""
from ..core import plugin, stages
from ..core.enums import mjtDisableBit, mjtDyn, mjtEnableBit, mjtGain, mjtGeom, mjtIntegrator, mjtSolver, mjtTrn

CONDITIONS = """
reset_data            True
copy_data             True
step_many             True
forward_skip          True
forward_substep       rk4
forward_after_sleep   sleep
reset_sleep           sleep
euler                 euler
runge_kutta           rk4
implicit              implicit
derivative_velocity   implicit
derivative_bias       full_implicit
derivative_fluid      implicit and fluid
derivative_flex       implicit and nflex
kinematics            True
com_pos               True
camlight              ncam or nlight
flex_pos              nflex
flex_vel              nflex
flex_passive          nflex
flex_weights          nflex
contact_passive       nflex
flex_contact_rows     nflex
collide_flex          nflex
tendon                ntendon
tendon_spatial        spatial
tendon_vel            ntendon
tendon_passive        ntendon
tendon_armature       armature
tendon_bias           armature
transmission          nu
transmission_general  general
make_inertia          True
factor_inertia        True
diagonal_inertia      True
inverse_weights       True
com_vel               True
passive               True
fluid                 fluid
rne                   True
actuation             True
muscle_forces         muscles
energy_pos            energy
energy_vel            energy
smooth_acceleration   True
collision             contacts
broad_phase           contacts
collide_primitive     primitive
collide_box           box_pairs
collide_box_box       boxes > 1
collide_plane_mesh    planes and meshes
collide_convex        convex
ccd                   (convex or hfields) and native
ccd_multi             convex and native and multiccd
mpr                   (convex or hfields) and not native
collide_flex          nflex
collide_sdf           contacts and sdfs
call_plugins          nplugin
plugin_pid_rates      "mujoco.pid" in plugins
plugin_pid_forces     "mujoco.pid" in plugins
plugin_cable          "mujoco.elasticity.cable" in plugins
plugin_touch_grid     "mujoco.sensor.touch_grid" in plugins
sdf_bolt              "mujoco.sdf.bolt" in plugins
sdf_bowl              "mujoco.sdf.bowl" in plugins
sdf_gear              "mujoco.sdf.gear" in plugins
sdf_nut               "mujoco.sdf.nut" in plugins
sdf_torus             "mujoco.sdf.torus" in plugins
sdf_torus_gradient    contacts and "mujoco.sdf.torus" in plugins
sdf_distance          contacts and sdfs and nplugin
sdf_gradient          contacts and sdfs and nplugin
sdf_new_path          contacts and sdfs and nplugin
sdf_no_paths          contacts and sdfs and nplugin
collide_hfield        hfields
make_constraint       True
island                True
reference_constraint  True
solve_constraint      True
solve_newton          newton
hessian_dense         newton and not sparse
hessian_sparse        newton and sparse
equality_rows         neq
contact_rows          contacts
flex_contact_rows     nflex
tendon_friction_rows  ntendon
tendon_limit_rows     ntendon
solve_cg              cg
solve_pgs             pgs
force_cost            pgs
solve_noslip          noslip_iterations
project_constraint    pgs or noslip_iterations
wake_moved            sleep
wake_tendon           sleep
wake_collision        sleep
wake_equality         sleep
sleep_trees           sleep
sensor_pos            nsensor
sensor_vel            nsensor
sensor_acc            nsensor
"""
ROWS = [line.split(None, 1) for line in CONDITIONS.strip().splitlines()]
GEOMS = {"planes": mjtGeom.mjGEOM_PLANE, "hfields": mjtGeom.mjGEOM_HFIELD, "spheres": mjtGeom.mjGEOM_SPHERE,
         "capsules": mjtGeom.mjGEOM_CAPSULE, "ellipsoids": mjtGeom.mjGEOM_ELLIPSOID, "cylinders": mjtGeom.mjGEOM_CYLINDER,
         "boxes": mjtGeom.mjGEOM_BOX, "meshes": mjtGeom.mjGEOM_MESH, "sdfs": mjtGeom.mjGEOM_SDF}
SPARSE_FROM = 60
COMMON_CONDITIONS = ("True", "euler", "ncam or nlight", "nu", "contacts", "primitive", "newton and not sparse")


def facts(m):
    """What conditions may refer to."""
    colliding = (m.geom_contype != 0) | (m.geom_conaffinity != 0)
    kinds = m.geom_type[colliding]
    f = m.sizes() | {name: getattr(m.opt, name) for name in m.opt.schema.fields}
    f |= {name: int((kinds == kind).sum()) for name, kind in GEOMS.items()}
    off, on = m.opt.disableflags, m.opt.enableflags
    round_or_flat = f["planes"] + f["spheres"] + f["capsules"]
    curved = f["ellipsoids"] + f["cylinders"] + f["meshes"]
    contacts = len(kinds) > 1 and not off & (mjtDisableBit.mjDSBL_CONTACT | mjtDisableBit.mjDSBL_CONSTRAINT)
    # the names of the plugins in use
    plugins = {plugin.at(int(slot)).name for slot in m.plugin if plugin.at(int(slot))} if m.nplugin else set()
    return f | {
        "plugins": plugins,
        "euler": m.opt.integrator == mjtIntegrator.mjINT_EULER, "rk4": m.opt.integrator == mjtIntegrator.mjINT_RK4,
        "implicit": m.opt.integrator >= mjtIntegrator.mjINT_IMPLICIT, "full_implicit": m.opt.integrator == mjtIntegrator.mjINT_IMPLICIT,
        "sleep": bool(on & mjtEnableBit.mjENBL_SLEEP), "energy": bool(on & mjtEnableBit.mjENBL_ENERGY),
        "fluid": m.opt.density > 0 or m.opt.viscosity > 0,
        "spatial": m.ntendon and (m.wrap_type[m.tendon_adr] != 1).any(), "armature": (m.tendon_armature != 0).any(),
        "general": (m.actuator_trntype >= mjtTrn.mjTRN_SLIDERCRANK).any() and
        (~((m.actuator_trntype <= mjtTrn.mjTRN_JOINTINPARENT) | (m.actuator_trntype == mjtTrn.mjTRN_TENDON))).any(),
        "muscles": ((m.actuator_gaintype >= mjtGain.mjGAIN_MUSCLE) | (m.actuator_dyntype >= mjtDyn.mjDYN_MUSCLE)).any(),
        "native": not off & mjtDisableBit.mjDSBL_NATIVECCD, "multiccd": bool(on & mjtEnableBit.mjENBL_MULTICCD),
        "contacts": contacts, "primitive": contacts and round_or_flat, "box_pairs": contacts and f["boxes"] and f["spheres"] + f["capsules"],
        "convex": contacts and curved and (curved > 1 or f["boxes"] + f["capsules"] + f["spheres"] > 0),
        "newton": m.opt.solver == mjtSolver.mjSOL_NEWTON, "cg": m.opt.solver == mjtSolver.mjSOL_CG, "pgs": m.opt.solver == mjtSolver.mjSOL_PGS,
        "sparse": m.opt.jacobian == 1 or (m.opt.jacobian == 2 and m.nv >= SPARSE_FROM),
    }


def needed(m):
    """Names of the stages that stepping m will call."""
    f = facts(m)
    return [name for name, condition in ROWS if name in stages.NUMBER and eval(condition, {"__builtins__": {}}, f)]


# what nearly every model needs, known before one is read
COMMON = [name for name, condition in ROWS if condition in COMMON_CONDITIONS]
