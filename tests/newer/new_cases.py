"""Cases of what later releases added: elements, attributes, solvers. See `cases`."""

from tests.newer.case_models import (
    APART,
    BALLS,
    BLOCKS,
    BUILT,
    COUPLED,
    CUBE,
    DRIVEN,
    DRIVES,
    EXACT,
    FELT,
    GRAZED,
    LINKS,
    MOTORS,
    OVERRIDE,
    PIDS,
    PLASTIC,
    POLYNOMIALS,
    PRISM,
    SHORTCUTS,
    SIDES,
    SPRINGS,
    STIFF,
    TENDONS,
    TURNS,
    YIELDED,
    YIELDING,
    balls,
    discrete,
    fast,
    world,
)

NEW_CASES = {
    "general_inherits": (
        world(
            LINKS.replace('axis="0 1 0"', 'axis="0 1 0" range="-70 40"'),
            "<actuator><general joint='jb' inheritrange='.8' gainprm='5' biastype='affine' biasprm='0 -5 -1'/></actuator>",
        ),
        "actuator_ctrlrange actuator_ctrllimited",
    ),
    "tendon_classes": (
        world(
            LINKS,
            "<tendon><fixed><joint joint='jb' coef='2'/></fixed></tendon>",
            "<default><tendon armature='.2' actuatorfrclimited='true' actuatorfrcrange='-3 4'/></default>",
        ),
        "tendon_armature tendon_actfrclimited tendon_actfrcrange",
    ),
    "simple_bodies": (world(LINKS.replace('<body name="c"', '<body name="c" simple="false"')), "body_simple dof_simplenum"),
    "polynomials": (world(SPRINGS), POLYNOMIALS),
    "polynomials_fast": (world(SPRINGS, head="<option integrator='implicitfast'/>"), POLYNOMIALS),
    "polynomials_tendon": (world(LINKS, TENDONS), "tendon_stiffnesspoly tendon_dampingpoly tendon_stiffness tendon_damping"),
    "polynomials_tendon_full": (world(LINKS, TENDONS, "<option integrator='implicit'/>"), "tendon_dampingpoly"),
    "drives": (world(LINKS, DRIVES), DRIVEN),
    "drives_fast": (world(CUBE, DRIVES, "<option integrator='implicitfast'/>"), DRIVEN),
    "drives_full": (world(LINKS, DRIVES, "<option integrator='implicit'/>"), DRIVEN),
    "surface_pyramid": (
        balls("surfacevel='.3 .2 .5 0 0 .4'", "surfacevel='0 .1 0 .3 0 0' condim='4'", "condim='6'"),
        "geom_surfacevel flg_gravcomp flg_surfacevel flg_adhesion",
    ),
    "surface_elliptic": (
        balls(
            "surfacevel='.3 .2 .5 0 0 .4'",
            "surfacevel='0 .1 0 .3 0 0' condim='4'",
            "condim='6'",
            head="<option cone='elliptic'/>",
        ),
        "geom_surfacevel",
    ),
    "world_quats": (
        world(
            LINKS.replace('name="sb"', 'name="sb" euler="30 20 70"').replace(
                '<geom type="box"', '<geom euler="3 2 7" type="box"'
            )
        ),
        "body_iquat tendon_type",
    ),
    "kinds_of_tendons": (
        world(
            LINKS,
            "<tendon><fixed><joint joint='jb' coef='2'/></fixed><spatial><site site='sa'/><site site='sc'/></spatial></tendon>",
        ),
        "tendon_type",
    ),
    "tendon_limits": (
        world(
            LINKS,
            "<tendon>"
            + "".join(
                f"<fixed {text}><joint joint='jb' coef='2'/></fixed>"
                for text in (
                    "actuatorfrcrange='-1 1'",
                    "actuatorfrcrange='-1 1' actuatorfrclimited='false'",
                    "",
                    "actuatorfrcrange='-1 1' class='off'",
                    "actuatorfrcrange='-1 1' class='on'",
                )
            )
            + "</tendon>",
            "<default><default class='off'><tendon actuatorfrclimited='false'/></default><default class='on'>"
            "<tendon actuatorfrclimited='auto'/></default></default>",
        ),
        "tendon_actfrclimited tendon_actfrcrange",
    ),
    "own_quats": (
        world(
            "<geom quat='1 1 0 0' size='.1'/><geom size='.1'/><site quat='1 1 0 0'/><camera quat='1 1 0 0'/><geom "
            "euler='10 20 30' size='.1'/>",
            "<contact><pair geom1='c' geom2='a'/><pair geom1='b' geom2='a'/><pair geom1='a' geom2='c'/></contact>",
            "<default><geom euler='0 0 90'/><site euler='0 0 90'/><camera euler='0 10 90'/></default>",
        ).replace(
            "</worldbody>",
            "<body><geom name='a' size='.1'/></body><body><freejoint/><geom name='b' size='.1'/></body><body><freejoint/>"
            "<geom name='c' size='.1'/></body></worldbody>",
        ),
        "geom_quat site_quat cam_quat pair_geom1 pair_geom2 pair_signature",
    ),
    "contact_rates": (
        world(
            """<geom name="f" type="plane" size="1 1 .1" euler="5 0 0"/><body pos="0 0 .09"><freejoint/>\
<geom name="g" type="box" size=".1 .2 .1"/></body>
      <body name="b" pos=".17 0 .12"><freejoint/><geom name="h" size=".1"/></body>""",
            "<sensor>"
            + "".join(
                f"<contact {text}/>"
                for text in (
                    "geom1='g' data='found pos normal tangent linvel angvel' num='3' reduce='mindist'",
                    "geom1='f' data='found pos tangent linvel angvel' num='3' reduce='mindist'",
                    "geom1='g' data='linvel'",
                    "geom1='g' data='force angvel'",
                    "body1='b' data='linvel' num='4'",
                    "body2='b' data='angvel' reduce='maxforce'",
                )
            )
            + "</sensor>",
            EXACT,
        ),
        "sensor_needstage sensor_dim sensor_intprm",
    ),
    "ray_images": (
        world(
            """<geom type="plane" size="9 9 .1"/><geom type="hfield" hfield="h" pos="-2.013 1.017 .05"/>
      <body pos="0 0 3"><joint type="slide" axis="0 0 1"/><geom size=".05" pos="0 0 .2"/>
      <camera name="c" resolution="17 11" fovy="80"/><camera name="s" resolution="5 4" sensorsize=".02 .01" focalpixel="4 6"\
 principalpixel=".5 1"/>
      <camera name="o" resolution="9 7" projection="orthographic" fovy="5" output="depth normal"/>\
<site name="t" euler="170 5 0"/></body>
      <body pos="1.2 0 .4" euler="10 20 30"><freejoint/><geom type="box" size=".3 .2 .4"/></body>\
<body pos="0 1 .4" euler="80 20 30"><freejoint/>
      <geom type="capsule" size=".2 .4"/></body><body pos="0 -1 .4" euler="70 20 30"><freejoint/>\
<geom type="cylinder" size=".3 .4"/></body>
      <body pos="-1 -1 .4" euler="10 20 30"><freejoint/><geom type="ellipsoid" size=".3 .2 .4"/></body>\
<body pos="1.1 -1.1 .4" euler="10 20 30"><freejoint/>
      <geom type="mesh" mesh="p"/></body><body pos="0 0 .6"><freejoint/><geom size=".3"/></body>""",
            "<sensor>"
            + "".join(
                f"<rangefinder camera='{c}' data='{data}'/>"
                for c, data in (
                    ("c", "dist dir origin point normal depth"),
                    ("s", "dist dir"),
                    ("o", "origin depth"),
                    ("o", "dist point normal depth"),
                )
            )
            + "<rangefinder camera='s' cutoff='2'/>"
            "<rangefinder site='t' data='dist point normal depth'/></sensor>",
            """<asset><hfield name="h" nrow="3" ncol="4" size="1 1 .3 .1" elevation="0 1 2 3 1 0 2 1 0 1 0 2"/></asset>\
<option gravity="0 0 0"/>"""
            + PRISM,
        ),
        "sensor_objtype sensor_intprm sensor_dim sensor_datatype cam_output cam_projection",
    ),
    "late_controls": (
        world(
            LINKS,
            """<actuator><motor joint="jb" nsample="3" delay=".004"/><position joint="jb" kp="2" nsample="5" delay=".0071"
    interp="linear"
      ctrlrange="-.3 .4"/><general joint="jb" dyntype="filter" dynprm=".1" nsample="4" delay=".0053" interp="cubic"/>
        <motor joint="jb" nsample="2"/></actuator>""",
        ),
        "nhistory actuator_history actuator_delay actuator_historyadr",
    ),
    "late_sensors": (
        world(
            LINKS,
            "<actuator><motor joint='jb' nsample='2' delay='.003'/></actuator><sensor><jointpos joint='jb'/><clock "
            "nsample='3'/>"
            "<gyro site='sb' nsample='3' delay='.004'/><accelerometer site='sb' nsample='2' interval='.005'/>"
            "<framepos objtype='site' objname='sb' "
            "nsample='4' delay='.007' interval='.005 -.003' interp='linear'/><clock nsample='5' delay='.0053' interp='cubic'/>"
            "<jointvel joint='jb' nsample='3' interval='.001' cutoff='.3'/></sensor>",
        ),
        "nhistory sensor_history sensor_delay sensor_interval sensor_historyadr",
    ),
    "late_rk4": (
        world(
            LINKS,
            "<actuator><motor joint='jb' nsample='2' delay='.003'/></actuator><sensor><gyro site='sb' nsample='3' "
            "delay='.004'/></sensor>",
            "<option integrator='RK4'/>",
        ),
        "nhistory",
    ),
    "built_meshes": (
        world(
            "".join(
                f"<body pos='{k} 0 0'><freejoint/><geom type='mesh' mesh='m{k}' contype='0' conaffinity='0'/></body>"
                for k in range(len(BUILT))
            ),
            head="<compiler balanceinertia='true'/><asset>"
            + "".join(f"<mesh name='m{k}' builtin='{kind}' params='{params}'/>" for k, (kind, params) in enumerate(BUILT))
            + "</asset>",
        ),
        "mesh_vert mesh_face mesh_normal mesh_pos mesh_quat geom_size body_inertia",
    ),
    "attach_self": (
        world(
            """<body name='a' pos='1 0 0'><joint name='j'/><geom size='.1'/></body><body name='o'><frame euler='10 20 30'>\
<frame name='f' pos='0 1 0'
      euler='0 0 30'><geom class='c' name='g'/><body name='k'><joint name='kj'/><geom size='.1' pos='1 2 3'/></body></frame>\
</frame></body><frame pos='0 0 1'>
      <attach body='a' prefix='x_'/></frame><attach frame='f' prefix='y_'/><body pos='3 2 1'><attach frame='f' prefix='zz'/>\
</body>""",
            "<actuator><motor joint='j'/><motor joint='kj'/></actuator><sensor><jointpos joint='j'/></sensor>",
            "<default><default class='c'><geom size='.3'/></default></default>",
        ),
        "body_parentid body_pos body_quat geom_size actuator_trnid",
    ),
    "mirrored": (
        world(
            """<body><freejoint/><geom type='mesh' mesh='a'/></body><body pos='9 0 0'><freejoint/><geom type='mesh' mesh='b'/>\
</body>""",
            head="".join(
                f"""<asset><mesh name='{name}' vertex='0 0 0 1 0 0 0 1 0 0 0 1' {more}/></asset>"""
                for name, more in (
                    (
                        "a",
                        "face='0 2 1 0 1 3 0 3 2 1 2 3' normal='0 0 -1 1 0 0 0 1 0 0 0 1' texcoord='0 0 0 1 1 0 1 "
                        "1' scale='-1 2 3' inertia='exact'",
                    ),
                    ("b", "scale='-1 -2 -3'"),
                )
            ),
        ),
        "mesh_vert mesh_face mesh_facenormal mesh_facetexcoord mesh_normal mesh_pos mesh_quat body_inertia",
    ),
    "turned_flexcomps": (
        world("""<frame pos='1 2 3' euler='90 0 0'><frame pos='0 0 .3' axisangle='1 2 3 40'>
    <flexcomp name='f' type='grid' count='3 2 2' spacing='.1 .1 .1'
      dim='3' mass='1' pos='.1 .2 .3' euler='10 0 0'><edge equality='true'/><contact selfcollide='none'/></flexcomp></frame>
        </frame>"""),
        "body_pos",
    ),
    "own_ranges": (
        world(
            LINKS.replace('axis="0 1 0"', 'axis="0 1 0" range="-70 40"'),
            """<actuator><position joint='jb' class='p' inheritrange='.5'/>
      <position class='q' joint='jb' ctrlrange='-1 2'/><intvelocity class='i' joint='jb' inheritrange='.5'/>
        <intvelocity class='k' joint='jb' actrange='-1 2'/></actuator>""",
            """<default><default class='p'><position ctrlrange='-2 3'/></default><default class='q'>
    <position inheritrange='.7'/></default><default class='i'>
      <intvelocity actrange='-2 3'/></default><default class='k'><intvelocity inheritrange='.7'/></default></default>""",
        ),
        SHORTCUTS,
    ),
    "cylinder_edges": (
        world(
            """<geom type="box" size="2 2 .1"/>"""
            + "".join(
                f"""<body pos="{x} {y} {z}" euler="{turn}"><freejoint/><geom type="cylinder" size=".2 .3"/></body>"""
                for x, y, z, turn in (
                    (0, 0, 0.395, "0 0 0"),
                    (0.9, 0, 0.29, "90 0 0"),
                    (-0.9, 0, 0.44, "45 0 0"),
                    (0.25, 0.2, 0.93, "90 10 0"),
                    (2.1, 0, 0.2, "90 0 90"),
                )
            ),
            head="<option tolerance='1e-14' ccd_tolerance='1e-12' ccd_iterations='300'/>",
        ),
        "",
    ),
    "newton_sparse": (
        world(
            "".join(
                f"<body name='s{k}' pos='{k * 0.3} 0 {0.09 + 0.01 * k}'><freejoint/><geom size='.1'/></body>" for k in range(8)
            )
            + "<geom type='plane' size='9 9 1'/>",
            "<equality>"
            + "".join(f"<connect body1='s{k}' body2='s{(k + 3) % 8}' anchor='.1 0 .05'/>" for k in range(7))
            + "</equality>",
            "<option jacobian='sparse' cone='elliptic' tolerance='1e-14'/>",
        ),
        "",
    ),
    "side_by_side": (
        world(
            "<geom type='capsule' size='.1 1' euler='10 20 30'/>"
            + "".join(
                f"<body pos='{pos}' euler='{turn}'><freejoint/><geom type='capsule' size='.1 .7'/></body>"
                for pos, turn in (
                    (".1 .05 .1", "10 20 30"),
                    ("-.1 .1 .2", "10.0001 20 30"),
                    (".3 -.9 1.6", "190 -20 -30"),
                    (".2 0 .1", "40 50 60"),
                )
            ),
            head=EXACT + "<default><geom contype='1' conaffinity='1'/></default>",
        ),
        "",
    ),
    "sheet_constants": (
        world("""<flexcomp name='f' type='grid' count='4 4 1' spacing='.1 .1 .1' radius='.01' dim='2' mass='1'>
      <elasticity young='1e4' poisson='.3' thickness='.01' elastic2d='both'/><contact selfcollide='none'/></flexcomp>"""),
        "flex_stiffness flex_bending",
    ),
    "solid_constants": (
        world("""<flexcomp name='f' type='grid' count='3 3 3' spacing='.1 .1 .1' radius='.01' dim='3' mass='1'>
      <elasticity young='1e4' poisson='.3'/><contact selfcollide='none'/></flexcomp>"""),
        "",
    ),
    "setpoints": (
        world(
            LINKS.replace('type="ball"', 'type="ball" damping=".1"'),
            "<actuator>"
            + "".join(
                f"<general {text} gainprm='2' biastype='affine' biasprm='.1 -2 -.1' ctrlrange='{low} {low + 1}'/>"
                for low in (3, 9, -40)
                for text in (
                    "joint='ja' gear='0 .3 .5'",
                    "jointinparent='ja' gear='0 .3 .5'",
                    "site='sc' refsite='sb' gear='0 0 0 0 .2 .7'",
                    "site='sc' refsite='sb' gear='0 1 0 0 .2 .7'",
                    "joint='jb'",
                    "joint='ja' gear='.2 0 .1' dyntype='filter' dynprm='.1'",
                    "joint='ja' gear='.2 0 .1' dyntype='filterexact' dynprm='.1' actearly='true'",
                    "joint='ja' gear='.03 0 .01' dyntype='integrator'",
                    "joint='ja' gear='.01' dyntype='integrator' actearly='true' actlimited='true' actrange='.2 .5'",
                )
            )
            + "</actuator>",
            "<option timestep='.01'/>",
        ),
        "",
    ),
    "tactile": (
        world(
            """<body><geom type='box' size='.2 .2 .05'/><geom name='t' type='mesh' mesh='t' pos='0 0 .09' contype='0'\
 conaffinity='0' mass='0'/></body>
      <body pos='0 0 .11'><freejoint/><geom size='.1'/></body><body pos='.05 .02 .13'><freejoint/>\
<geom type='capsule' size='.1 .1' euler='90 0 0'/></body>
      <body pos='-.1 .02 .12'><freejoint/><geom type='box' size='.1 .1 .1'/></body>""",
            "<sensor><tactile geom='t' mesh='t'/><tactile geom='t' mesh='t' cutoff='.02'/></sensor>",
            EXACT + "<asset><mesh name='t' builtin='plate' params='7 7' scale='.2 .2 .05'/></asset>",
        ),
        "",
    ),
    "weld_torques": (
        world(
            LINKS,
            "<equality><weld body1='b' body2='c' anchor='.1 .2 0' torquescale='.7'/><weld site1='sa' site2='sc'/>"
            "</equality><sensor>"
            + "".join(f"<force site='{s}'/><torque site='{s}'/>" for s in ("sa", "sb", "sc"))
            + "</sensor>",
            EXACT,
        ),
        "",
    ),
    "tendon_forces": (
        world(
            LINKS
            + """<body pos='0 0 1.1'><geom name='w' size='.02'/></body><body pos='.1 .3 1'><joint axis='1 0 0'/>\
<geom name='v' type='cylinder' size='.03 .2'/>
      <site name='sd' pos='.1 0 .1'/></body><site name='se' pos='.5 .5 1.5'/>""",
            """<tendon><spatial name='t' range='.1 .2' stiffness='3 4 5' damping='.2 .1 .3' springlength='.1'
      frictionloss='.1'><site site='sb'/><geom geom='v'/><site site='sc'/><pulley divisor='2'/><site site='sd'/>\
<site site='sa'/><geom geom='w'/><site site='se'/><pulley divisor='3'/>
      <site site='sb'/><site site='sd'/></spatial><spatial name='u' range='3 4' armature='.3'><site site='sa'/>\
<site site='sd'/><site site='sc'/></spatial>
      <spatial name='x'><site site='sb'/><site site='se'/></spatial><fixed name='y' stiffness='4'><joint joint='jb' coef='2'/>\
</fixed></tendon>
      <equality><tendon tendon1='x' tendon2='u' polycoef='.1 .7 .3 .2 .1'/><tendon tendon1='t'/></equality><actuator>\
<motor tendon='t' gear='2' damping='.2'/>
      <position tendon='u' kp='3' armature='.1'/></actuator><sensor>"""
            + "".join(f"<force site='{s}'/><torque site='{s}'/>" for s in ("sa", "sb", "sc", "sd"))
            + "</sensor>",
            EXACT,
        ),
        "",
    ),
    **{
        f"exact_{cone}_{jacobian}": (
            world(
                BALLS.format(floor="", one="condim='1'", two="condim='4'")
                + LINKS.replace('axis="0 1 0"', 'axis="0 1 0" range="5 6" frictionloss="1"').replace(
                    'pos="0 .5 1"', 'pos="3 .5 1"'
                ),
                "<equality><weld body1='b' body2='c'/></equality>",
                f"<option cone='{cone}' jacobian='{jacobian}' impratio='3' tolerance='1e-14'><flag "
                "diagexact='enable'/></option>",
            ),
            "",
        )
        for cone, jacobian in (("pyramidal", "sparse"), ("elliptic", "dense"))
    },
    "side_sites": (
        world(
            "".join(
                f"""<geom name='g{k}' type='{kind}' size='.1 .2' pos='{k} 0 0' euler='{turn}'/>\
<site name='s{k}' pos='{k + 0.01 * k - 0.1} .2 .03'/>"""
                + "".join(
                    f"""<body pos='{k + x} {y} {z}'><joint type='slide' axis='1 2 3'/>\
<geom size='.01' contype='0' conaffinity='0'/><site name='e{k}_{n}'/></body>"""
                    for n, (x, y, z) in enumerate(
                        (
                            (-0.3, 0.02, 0),
                            (0.3, 0.05, 0.1),
                            (-0.25, 0.3, -0.05),
                            (0.2, -0.2, 0.02),
                            (0.05, -0.3, 0),
                            (-0.1, -0.35, 0.1),
                        )
                    )
                )
                for k, (kind, turn) in enumerate(
                    (("sphere", "0 0 0"), ("cylinder", "5 10 0"), ("sphere", "30 0 0"), ("cylinder", "80 10 0"))
                )
            ),
            "<tendon>"
            + "".join(
                f"""<spatial stiffness='3'><site site='e{k}_{i}'/><geom geom='g{k}' sidesite='s{k}'/><site site='e{k}_{j}'/>\
</spatial>"""
                for k in range(4)
                for i in range(6)
                for j in range(6)
                if i != j
            )
            + "</tendon>",
        ),
        "",
    ),
    # strings that nearly touch, or only just
    "grazing": (
        world(
            "".join(
                f"<geom name='g{k}' type='{kind}' size='.1 .5' pos='0 0 {k}'/><site name='s{k}' pos='{side} {k + 0.03}'/>"
                + "".join(
                    f"""<body pos='{x} {0.1 * (1 + sign * 10.0**-eps)} {k}'><joint type='slide' axis='0 1 0'/>\
<joint type='slide' axis='1 0 0'/><geom size='.01' contype='0' conaffinity='0'/>
      <site name='e{k}_{eps}_{sign}_{n}'/></body>"""
                    for eps in (3, 6, 9, 12)
                    for sign in (-1, 1)
                    for n, x in enumerate((-0.4, 0.7))
                )
                for k, (kind, side) in enumerate(GRAZED)
            ),
            "<tendon>"
            + "".join(
                f"<spatial stiffness='3'><site site='e{k}_{eps}_{sign}_0'/><geom geom='g{k}' {SIDES[k]}/><site "
                f"site='e{k}_{eps}_{sign}_1'/></spatial>"
                for k in range(len(GRAZED))
                for eps in (3, 6, 9, 12)
                for sign in (-1, 1)
            )
            + "</tendon>",
            "<option gravity='0 0 0'/>",
        ),
        "",
    ),
    **{
        f"{name}{end}": (world(LINKS, text, head), BLOCKS)
        for name, text in (("pids", PIDS), ("turns", TURNS), ("motors", MOTORS))
        for end, head in (("", ""), ("_rk4", "<option integrator='RK4'/>"), ("_full", "<option integrator='implicit'/>"))
    },
    "late_servos": (
        world(
            LINKS,
            """<actuator><pid joint="jb" kp="3" kv=".4" ki="2" nsample="3" delay=".004"/>
    <motor joint="jb" nsample="2" delay=".002"/>
      <orientation joint="ja" kp="3" kv=".4" nsample="4" delay=".0053" interp="linear"/>
        <pid joint="jb" input="pos vel ff" nsample="5" delay=".007" interp="cubic"
      velrange="-.3 .4"/></actuator>""",
        ),
        f"{BLOCKS} nhistory actuator_history actuator_historyadr",
    ),
    "discrete": (discrete(), ""),
    "discrete_coupled": (discrete(more=COUPLED), ""),
    "discrete_sparse": (discrete(more=COUPLED, options="jacobian='sparse' cone='elliptic'"), ""),
    "discrete_cg": (discrete(more=COUPLED, options="solver='CG'"), ""),
    "discrete_apart": (discrete(more=COUPLED, flags="<flag island='disable' damper='disable'/>"), ""),
    "discrete_resolved": (
        discrete(
            more=COUPLED, options="o_solref='.003 .7' o_solimp='.3 .97 .05 .5 2' cone='elliptic' impratio='3'", flags=OVERRIDE
        ),
        "",
    ),
    "discrete_unsafe": (
        discrete(
            more=COUPLED,
            options="o_solref='.001 1' o_solimp='.99 .9999 .001 .5 2'",
            flags="<flag override='enable' refsafe='disable' spring='disable'/>",
        ),
        "",
    ),
    "discrete_fluid": (
        discrete(STIFF.replace('mass="1"', 'mass="1" fluidshape="ellipsoid"'), options="density='100' viscosity='.5'"),
        "",
    ),
    **{
        f"late_plastic{end}": (world(YIELDING, YIELDED, head), PLASTIC)
        for end, head in (
            ("", ""),
            ("_rk4", "<option integrator='RK4'/>"),
            ("_full", "<option integrator='implicit' timestep='.01'/>"),
        )
    },
    "scaled_servos": (
        "<mujoco><worldbody><frame scale='2 2 2'>"
        + """<body pos='0 0 1'><joint name='s' type='slide' range='-1 1' stiffness='2' springyield='.1'/><geom size='.1'/>
      <site name='w'/><body pos='0 .1 1'><joint name='h' stiffness='2' springyield='10'/><geom size='.1'/><body pos='.2 0 .1'>
        <joint name='b' type='ball'/><geom size='.1' pos='.1 0 0'/>
      <site name='e' pos='.1 0 0'/></body></body></body>"""
        + """</frame></worldbody><actuator><pid joint='s' kp='3' kv='1' ki='2' imax='.5' slewmax='3' posrange='-1 1'\
 velrange='-2 2'
      input='pos vel ff' ffrange='-3 3'/><pid joint='h' kp='3' kv='1' ki='2' posrange='-1 1' dampratio='.3'/>\
<orientation joint='b' kp='2' kv='.3' forcerange='0 3'/>
      <orientation site='e' refsite='w' kp='2' dampratio='.3' forcerange='0 3'/></actuator></mujoco>""".replace(
            "kv='1' ki='2' posrange='-1 1' d", "ki='2' posrange='-1 1' d"
        ),
        f"{BLOCKS} jnt_springyield jnt_stiffness",
    ),
    "discrete_driven": (discrete(LINKS, DRIVES), ""),
    "last_face": (
        world(
            "".join(
                f"<body><freejoint/><geom name='b{k}' type='box' size='.1 .07 .12' pos='{pos}' euler='{turn}'/></body>"
                for k, (pos, turn) in enumerate(APART)
            )
            + "<geom name='a' type='box' size='.1 .07 .12'/>",
            "<sensor>"
            + "".join(
                f"<distance geom1='a' geom2='b{k}' cutoff='9'/><normal geom1='a' geom2='b{k}' cutoff='9'/>"
                for k in range(len(APART))
            )
            + "</sensor>",
            "<option><flag contact='disable'/></option>",
        ),
        "",
    ),
    "ahead": (fast(), ""),
    "ahead_elliptic": (
        fast("cone='elliptic'", "margin='.01' solref='.5 1'", "gap='.005' solref='-90 -2' solimp='.9 .99 .01'"),
        "",
    ),
    "ahead_discrete": (fast("integrator='discrete'", two="solref='.01 1'"), ""),
    "ahead_springless": (fast("", "solref='0 -4'", "solref='0 -4'"), ""),
    "ahead_listed": (
        fast(
            end="<contact><exclude body1='e' body2='f'/><pair geom1='g' geom2='h' solref='.4 1' margin='.002' "
            "condim='1'/></contact>"
        ),
        "",
    ),
    "adhesive_pyramid": (
        balls("adhesion='20' condim='4'", "adhesion='-3' margin='.05' condim='6'", "adhesion='7' gap='.06'", FELT),
        "geom_adhesion flg_adhesion",
    ),
    "adhesive_elliptic": (
        balls(
            "adhesion='20' gap='.1'",
            "adhesion='30' priority='1' condim='4'",
            "adhesion='7' condim='1'",
            FELT,
            "<option cone='elliptic' jacobian='sparse'/>",
        ),
        "",
    ),
    "adhesive_listed": (
        balls(
            "adhesion='20'",
            "name='g' adhesion='30'",
            "adhesion='7'",
            "<contact><pair geom1='g' geom2='floor' adhesion='50' gap='.2'/></contact>",
        ),
        "pair_adhesion",
    ),
    "adhesive_discrete": (
        balls(
            "adhesion='20'", "adhesion='30'", "adhesion='7' gap='.05'", head="<option integrator='discrete' iterations='500'/>"
        ),
        "",
    ),
    "surface_frictionless": (balls("surfacevel='.3 .2 .5 0 0 .4' condim='1'", "condim='1'"), "geom_surfacevel"),
}
