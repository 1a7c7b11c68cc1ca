"""The TABLE of changes after release 3.4, and which of them this package has. The manual's page on releases is made
from these rows, by
`python -m tests.newer.coverage`.

    release | change | state | evidence

there      implemented; each word of the evidence is a case or a script with numbers of 4.0.1 (`case:`, `script:`), a silent
           change that `compat` switches (`change:`), or an
           attribute that is read (`word:`), a name of the package (`name:`), or a test of this folder (`test:file.function`)
refused    models that use it are refused by name: the evidence names the elements, attributes and words open       not
implemented yet; older models behave as in 3.4
outside    concerns other programs, packaging or building of the reference, single precision, or added and removed again before
           4.0
"""

import pathlib
from typing import NamedTuple

from tumble.engine.tables.compat_rows import ROWS as CHANGES

RELEASES = """
# Physics: integrators, passive forces, constraints, solver
3.13 | integrator discrete (mjINT_DISCRETE) | there | case:discrete case:discrete_coupled case:discrete_sparse\
 case:discrete_cg case:discrete_apart case:discrete_resolved case:discrete_unsafe case:discrete_fluid case:discrete_driven\
 change:flex_implicit test:test_kept.test_flexes_that_no_implicit_step_takes_are_errors
3.7/3.8.1/3.11 | free-body gyroscopic treatment | there | change:free_turn case:free_turn
4.0 | RK4 orientation order | there | change:rk_turn case:rk4_turns
3.7 | polynomial stiffness/damping | there | case:polynomials case:polynomials_fast case:polynomials_tendon\
 case:polynomials_tendon_full
3.7 | Jdot*v bias of connect/weld | there | change:jdot_bias case:connect_bodies case:connect_sites case:weld_bodies\
 case:weld_sites
3.9 | enable flag diagexact; efc_Y | there | word:option/flag/diagexact case:exact_pyramidal_sparse case:exact_elliptic_dense
3.10 | efc_diagApprox -> efc_diagA | there | test:test_names.test_the_diagonal_has_its_later_name
3.8.1/3.9 | PGS: islands, pseudo-random order | there | change:pgs_momentum case:pgs case:pgs_elliptic
3.11 | PGS: Nesterov + adaptive restart | there | change:pgs_momentum case:pgs_whole case:pgs_elliptic
3.10 | CG: Hager-Zhang direction | there | change:solver_exit case:cg_default case:cg_whole
3.10 | float32 convergence of primal solvers | outside
3.11 | Newton decrement stop | there | change:solver_exit case:newton_default case:newton_elliptic
3.11 | zero-iteration exit by duality gap | there | change:solver_exit case:newton_default case:cg_default
3.13 | Newton elliptic: refactor instead of rank-1 | open
3.14 | Newton sparse: clamped pivots | open
4.0 | Newton sparse on flexes | open
3.17 | termination scaled by trace of M | there | change:trace_scale case:cg_whole case:newton_default
3.11 | adhesion of contacts | there | word:body/geom/adhesion word:contact/pair/adhesion case:adhesive_pyramid\
 case:adhesive_elliptic case:adhesive_listed case:adhesive_discrete
3.11/4.0 | geom surfacevel | there | word:body/geom/surfacevel case:surface_pyramid case:surface_elliptic\
 case:surface_frictionless
3.5 | margin and gap summed | there | change:margin_sum case:margins
3.9 | margin/gap new semantics | there | change:gap_outside case:margins case:margin_negative case:margin_override\
 case:margin_pair
3.11 | body_margin includes gap | there | change:gap_outside case:margins
4.0 | elasto-plastic joints and tendons | there | word:body/joint/springyield word:tendon/fixed/springyield\
 word:keyframe/key/plastic case:late_plastic case:late_plastic_rk4 case:late_plastic_full
3.12 | mocap weld groups | there | change:mocap_weld change:mocap_still case:mocap_child case:mocap_world
3.14 | rnePostConstraint: weld torque, tendon forces | there | change:tendon_pull case:weld_torques case:tendon_forces
4.0 | saturated actuator has no implicit derivative | there | change:saturated case:saturated\
 change:early_slope test:test_kept.test_early_activations_in_derivatives
3.13/3.14 | pivot clamp and mjWARN_INERTIA | open
4.0 | sidesite homotopy rule | there | change:side_winding case:side_sites
3.16/4.0 | tendon wrap stability | there | change:side_winding case:grazing
4.0 | accelerometer on static/mocap bodies | there | change:still_rate case:still_sensors
# Collision
4.0 | enable flag speculative | there | word:option/flag/speculative case:ahead case:ahead_elliptic case:ahead_discrete\
 case:ahead_springless case:ahead_listed
3.8 | multiccd ON by default | there | change:multiccd_on case:convex_pairs
3.11-3.17 | single-shot multicontact | there | change:multi_clip case:convex_pairs
3.12 | box-box SAT rewritten | there | change:box_clip case:boxes
3.13 | plane-mesh rewritten | there | change:plane_face test:test_convex.test_hulls_on_a_plane
3.12 | mesh_extrema seeds | open
3.16 | capsule-capsule parallel axes | there | change:side_by_side case:side_by_side
4.0 | nativeccd stability | there | change:last_face change:normal_cells test:test_convex.test_pairs\
 test:test_kinds.test_shapes_with_one_center_touch
4.0 | analytic sphere/capsule vs 3D flex | open
3.5 | ray functions give normals | there | name:tumble.mj_rayFlex test:test_rays.test_normals\
 test:test_rays.test_normals_of_distance_fields
4.0 | ray fixes | there | change:field_lengths test:test_rays.test_normals_of_distance_fields test:test_rays.test_normals
3.8 | mj_maxContact | there | name:tumble.mj_maxContact test:test_calls.test_most_contacts_of_a_pair
3.9 | mjPreContact | there | name:tumble.v4.MjPreContact
3.6 | flex-SDF collision | open
3.11 | islands by union-find | there | test:test_names.test_islands_take_memory_in_proportion
3.5 | collision sensors not shared | there | case:distance_sensors
# Actuators and control
3.11 | MIMO actuators | there | name:tumble.mj_actuatorInputName name:tumble.mj_resetCtrl case:pids case:turns\
 test:test_servos.test_actuators_have_their_controls_and_forces
3.11 | orientation actuator, SO(3) transmission | there | word:actuator/orientation/kp word:@gain/so3 case:turns\
 case:turns_rk4 case:turns_full
3.12 | pid actuator | there | word:actuator/pid/ki word:@dyn/pid case:pids case:pids_rk4 case:pids_full case:late_servos\
 case:scaled_servos
3.7/3.12 | dcmotor actuator | there | word:actuator/dcmotor/lugre word:@bias/dcmotor case:motors case:motors_rk4\
 case:motors_full
3.7 | actuator armature and damping | there | word:actuator/motor/armature word:actuator/general/damping case:drives\
 case:drives_fast case:drives_full
3.5/3.14 | delays: actuator history | there | word:actuator/general/delay name:tumble.mj_readCtrl case:late_controls\
 case:late_rk4 test:test_history.test_controls_are_read
3.5 | sensor delay, interval, history | there | word:sensor/clock/delay word:sensor/tactile/nsample name:tumble.mj_readSensor\
 case:late_sensors test:test_history.test_sensors_are_filled_and_read
3.11 | setpoints wrap on rotational transmissions | there | change:near_setpoint case:setpoints
3.15 | dampratio by operational inertia | there | change:dampratio_all case:dampratio
3.16 | shortcut defaults per shortcut | there | change:shortcut_own case:shortcut_classes\
 change:damper_kept test:test_kept.test_dampers_keep_the_damping_of_their_class
3.16 | input declaration | there | word:actuator/general/input test:test_compile.test_what_a_control_is
3.16 | general inheritrange | there | word:actuator/general/inheritrange case:general_inherits
3.14 | tendon actuatorfrclimited auto | there | change:tendon_auto case:tendon_limits
# Sensors and state
3.5 | rangefinder on camera | there | word:sensor/rangefinder/camera word:sensor/rangefinder/data case:ray_images\
 test:test_history.test_range_finders_and_cameras_are_written
3.5 | camera output, projection | there | word:body/camera/output word:body/camera/projection case:ray_images
3.16 | contact sensor linvel, angvel | there | word:@condata/linvel word:@condata/angvel case:contact_rates\
 test:test_names.test_sums_of_forces_have_no_velocity
3.13 | site type mesh; mj_insideSite | refused | body/site/mesh
3.15 | insidesite enclosed | refused | sensor/insidesite/enclosed
3.9/3.13 | tactile raw depth; cutoff | there | change:tactile_depth word:sensor/tactile/cutoff case:tactile
4.0 | xiquat, geom_xquat, site_xquat | there | case:world_quats case:polynomials
3.5 | state signature int | there | test:test_names.test_negative_signatures_are_errors
3.14 | transitionFD/inverseFD refuse sleep | there | change:fd_awake\
 test:test_calls.test_differences_are_refused_if_trees_may_fall_asleep
# Sleep
3.9 | flexes may sleep | open
3.11 | sleep_tolerance 1e-3 | there | change:sleep_speed
3.16/3.17 | sleep policy in setConst; init failure warns | there | script:wide_constants\
 test:test_compile.test_trees_that_cannot_sleep_at_first_start_awake
4.0 | sleep filtering fixes | open
# Deformables
3.4+/3.8 | multi-cell trilinear/quadratic | refused | body/flexcomp/cellcount deformable/flex/cellcount
3.6/3.8 | flexstrain equality | refused | equality/flexstrain @flexequality/strain
3.5->4.0 | flexvert equality | outside
3.8.1 | elastic2d for interpolated dofs | open
3.11-3.13 | effective metric for flexes | open
3.12 | passive contacts implicit | open
3.12 | stretch stiffness geometric term | open
3.14/4.0 | flag ipc | refused | option/flag/ipc
3.17/4.0 | 1D rods (DER) | refused | deformable/flex/elasticity/section deformable/flex/elasticity/shear
4.0 | continuum plasticity | refused | deformable/flex/elasticity/yield
4.0 | elastic constants corrected | there | change:flex_elastic case:sheet_constants case:solid_constants
4.0 | finite-cell quadrature | open
4.0 | barycentric contact weights | open
3.15 | Stable Neo-Hookean | open
3.15/4.0 | articulated attachments | open
3.17 | self-collision of interpolated | open
3.16 | contact reduction only rigid/interpolated | open
4.0 | composite and cable plugin removed | there | change:removed test:test_compile.test_what_was_removed
3.15 | flex internal removed | there | change:removed test:test_compile.test_what_was_removed
4.0 | per-element materials | open
4.0 | edge damping explicit | open
4.0 | unpinned flex under jointed body refused | there | change:removed test:test_compile.test_flexes_below_joints_are_pinned
3.10 | mjs_makeFlex / body.make_flex; OBJ lines | refused | body/flexcomp/mesh
3.12/3.17 | flex save/load fixes | there | change:nodes_kept word:deformable/flex/nodecoord word:deformable/flex/dof\
 script:saved_nodes test:test_saving.test_nodes_of_flexes_are_saved
# Compiler, MJCF, mjSpec
3.12 | single schema file | outside
3.10 | compiler conflict | there | word:compiler/conflict script:merged_settings\
 test:test_names.test_conflicts_of_settings_are_told
3.11 | self attach; attach frame | there | word:body/attach/frame case:attach_self\
 test:test_compile.test_a_model_is_attached_to_itself_by_body_or_frame
3.16 | frame scale, scaling, massscale | there | word:body/frame/scale word:body/frame/scaling word:body/frame/massscale\
 script:scaled_frames test:test_compile.test_scaled_frames_are_saved_in_size
3.16 | savecompiled, savecanonical | there | word:compiler/savecompiled word:compiler/savecanonical script:written_as_it_is\
 test:test_saving.test_texts test:test_saving.test_models test:test_saving.test_frames_and_edits_are_kept\
 test:test_saving.test_attached_parts_are_brought_to_the_same_units
3.14 | frames survive save | there | change:frames_kept script:kept_frames\
 test:test_saving.test_frames_survive_saving_of_what_was_compiled
3.16 | copyBack/saveLastXML fail loudly | there | script:copied_back change:stricter\
 test:test_compile.test_saving_says_what_it_cannot_say
3.16 | fuseStatic, discardVisual, adoptInertial | there | test:test_face.test_inertias_become_explicit\
 test:test_face.test_visual_elements_are_discarded test:test_face.test_static_bodies_are_fused
3.17 | dedupAssets | there | test:test_compile.test_equal_assets_become_one
3.17 | textures by reference | refused | compiler/passthrough asset/texture/embed
3.17 | texture classes | there | word:asset/texture/class word:default/texture script:texture_classes
3.17 | resolved asset paths | there | change:paths_full
3.16 | mesh builtins grid box cylinder ellipsoid square disc | there | word:@meshbuiltin/grid word:@meshbuiltin/disc\
 case:built_meshes test:test_compile.test_meshes_are_made_in_scripts
3.17 | polygon normals by Newell | there | change:newell test:test_calls.test_normals_of_polygons_are_those_of_their_outlines
3.10 | maxhullvert with Qhull Q9 | there | change:hull_best case:coarse_hulls
3.11 | mesh normals as covectors | there | change:normals_scale case:small_inertias
3.11 | body simple=false/auto | there | word:body/simple case:simple_bodies
3.11-3.17 | mj_setConst computes much more | there | change:const_wide script:wide_constants
3.16 | replicate does not copy keyframes | there | change:keys_whole test:test_names.test_key_frames_describe_all_replicas
3.16 | spec assets need names | there | change:asset_names test:test_names.test_assets_of_scripts_need_names
3.16 | settotalmass deprecated; discardvisual+mass error | there | change:visual_mass\
 test:test_compile.test_visual_geoms_without_mass_are_discarded test:test_compile.test_what_is_deprecated_is_told
3.7 | URDF strippath respected | there | change:urdf_folders
3.7 | negative scale of meshes | there | change:mirror_faces case:mirrored
3.8 | asset paths of attached children | there | test:test_names.test_attached_models_find_files_beside_them
3.13 | custom text CDATA | there | test:test_names.test_texts_of_sections
4.0 | new rejections | there | change:stricter test:test_compile.test_what_is_refused_since
4.0 | boundinertia rescues indefinite inertia | there | change:bound_rescue case:bound_rescue
4.0 | pair solref mix by solmix | there | change:pair_mix case:pair_mixed
4.0 | tendon defaults; XML save fixes | there | word:default/tendon/armature change:flexcomp_turn change:range_wins\
 case:turned_flexcomps case:own_ranges case:tendon_classes test:test_compile.test_saved_texts_keep
3.16 | quat vs default euler; pairs order | there | change:quat_own case:own_quats
3.6/3.8.1 | getCompiler, getOriginSpec | there | test:test_names.test_elements_have_the_compiler_that_they_were_read_with
3.9/3.10 | getTimer, numWarnings/getWarning | there | name:tumble.mjtCTimer\
 test:test_compile.test_parts_of_compiling_are_timed test:test_compile.test_what_is_deprecated_is_told
3.14 | spec editing not quadratic | there | test:test_names.test_editing_takes_work_in_proportion
3.6 | ten_J always sparse, structure in mjModel | there | test:test_face.test_jacobians_of_tendons_are_sparse
4.0 | tendon_type | there | case:kinds_of_tendons case:world_quats
# I/O, plugins, errors, threads
3.7/3.10-3.15 | MJZ archives, encoders | there | test:test_files.test_archives_stand_alone\
 test:test_calls.test_a_spec_is_encoded_as_its_file_is_named
3.5/3.8 | mount VFS; contains* | there | name:tumble.MjVfs name:tumble.mj_mountVFS test:test_files.test_files_in_memory\
 test:test_files.test_providers_are_mounted
3.16 | provider renames; decoder errors | there | name:tumble.mjp_registerProvider\
 test:test_files.test_providers_have_their_later_names
3.12 | custom texture format removed | there | change:png_only test:test_compile.test_what_is_refused_since
3.10 | logging API | there | name:tumble.MjLogConfig name:tumble.mju_setLogHandler test:test_files.test_the_log
3.10 | thread pool in mjData | open
3.17 | batch API | there | name:tumble.batch.Batch
3.10 | removals | there | change:round_away change:slope_rows test:test_calls.test_calls_without_what_was_removed\
 test:test_calls.test_a_camera_moves_without_a_scene
3.9 | mjtBool; mjtype.h; mjassert.h | outside
3.17 | boxQP with incremental factor | open
4.0 | Windows UTF-8 paths | there | test:test_names.test_paths_of_any_script
3.5/3.12 | OpenUSD decoder plugin | outside
# Python
3.8/3.11/3.13/4.0 | Python 3.14, free threading, 3.15; 3.10 dropped | open
4.0 | wheel split core / studio | outside
3.5 | sysid toolbox | outside
3.16 | assign opt, vis, stat | there | test:test_calls.test_options_are_assigned_in_place
3.17 | named access fixes; arena arrays zeroed | there | test:test_names.test_moments_by_name_are_dense
4.0 | manual and agent skills in the wheel | outside
# Rendering and Studio
3.12 | UV coordinates of primitives | there | change:uv_shapes script:wrapped_textures
3.12-4.0 | Filament PBR renderer (mjrf) | outside
4.0 | geom castshadow; light softness (3.12); headlight auto | there | change:headlight_auto word:body/geom/castshadow\
 word:body/light/softness\
 test:test_compile.test_geoms_without_shadow_leave_light test:test_compile.test_scenes_carry_textures_and_shadows
4.0 | horizon haze/skybox in PBR; RND_POST_PROCESSING | outside
3.5 | depth rendering flag; frustum by resolution>1 | open
3.12 | bvactive default false | there | change:bv_hidden
3.7 | scene grows by itself | there | change:scene_full test:test_compile.test_full_scenes_say_so_themselves
3.11 | sliders per control; ctrlrange spans slider | there | test:test_servos.test_controls_have_their_names
3.13/4.0 | sample render; record removed | outside
4.0 | Studio: native, web, live | outside
4.0 | Studio WebViewer | outside
4.0 | MuJoCo Live | outside
4.0.1 | mjs_getInStringVec; plugin loader skips unloadable libraries; cylinder-edge multicontac... | there |\
 change:library_skip case:cylinder_edges case:newton_sparse test:test_compile.test_libraries_that_cannot_be_loaded_are_left_out
4.0.1 | web viewer on Windows | outside
# Example models and guides to test against
3.11-4.0 | models | open
4.0 | Model tuning guide | there | test:test_guide.test_the_model_to_begin_with_is_sound\
 test:test_guide.test_each_fault_is_found test:test_guide.test_every_check_has_its_advice
# Remaining small items (so that nothing of the changelog is left out)
3.5 | gravcomp on jointless nested bodies | there | change:gravcomp_all case:gravcomp_nested
3.5 | usethread really threads meshes | there | test:test_meshes.test_threads_make_the_same_meshes\
 test:test_meshes.test_the_first_fault_is_told
3.5 | vertid nullable; getdir removed from providers | there | test:test_files.test_a_vertex_need_not_be_asked_for\
 test:test_files.test_providers_are_mounted
3.6 | attach keeps spatial tendons without sidesite | there | change:path_kept\
 test:test_names.test_attached_tendons_keep_geoms_without_side_sites
3.7 | OBJ/STL decoders in core; vertcollide removed; plugin macro takes a name | outside
3.8.1 | mju_sym2dense; MjSpec.encode | there | name:tumble.mju_sym2dense\
 test:test_calls.test_a_symmetric_matrix_from_its_lower_triangle test:test_calls.test_a_spec_is_encoded_as_its_file_is_named
3.10 | island matrices on the stack | outside
3.10 | sysid loads with allow_pickle=False; polygon normals unit; mjz unnormalised paths | outside
3.11 | flg_gravcomp, flg_surfacevel, flg_adhesion | there | case:gravcomp_nested case:surface_pyramid
3.11 | mjvGeom texid, texuniform, texrepeat; 4.0 castshadow | there | test:test_compile.test_scenes_carry_textures_and_shadows
3.11 | mjz fallbacks, mount order | there | test:test_files.test_the_model_of_an_archive_is_found
3.12/3.15 | flex metric: prefactored 3x3 vertex blocks; efm_L dense; bending factor cross terms | open
3.13 | PBR without metallic texture: white fallback | outside
3.14 | GMSH header bounds check | there | test:test_names.test_short_files_of_gmsh_are_errors
3.14/3.17 | history stores ctrlnum values; unallocated arena arrays zero/-1 | there | case:late_servos\
 test:test_servos.test_arrays_of_what_is_not_there_hold_nothing
3.16 | Bazel build; physical dimensions in XML reference | outside
3.16 | keyframes keep place under tree edits and attach | there | change:keys_whole script:edited_keys
3.16 | attach: prefixes on skins/tendons/meshes materials; attach by reference; recompile state | there | change:flex_named\
 script:attached_names\
 change:state_kept test:test_kept.test_recompiling_keeps_what_is_applied
3.16 | mjrf renames; filament flag renames; VSM blur and msaa flag removed | outside
3.17 | flex arena sized from topology; Newton falls back to CG when out of memory | open
3.17 | error paths leak-free; threads of the compiler catch errors | there |\
 test:test_compile.test_compiling_in_vain_keeps_no_memory
4.0 | mju_mat2Rot normalises, leaves saddles | there | change:turn_escapes test:test_names.test_rotations_leave_saddles
4.0 | 2D flex curved reference bending weight | open
4.0 | dcmotor parameter validation | there | test:test_servos.test_what_does_not_fit_is_refused
4.0 | mjs_delete of defaults, copyBack of materials, findChild, setToMuscle NULLs | there | script:copied_back\
 change:child_below test:test_compile.test_edits_of_classes_bodies_and_muscles
4.0 | Filament depth/segmentation without tone mapping; finite zfar; readDepthMap; segid+1 | outside
4.0 | mouse actions TURN_H, TURN_V; mjv_camera2GLCamera | there | name:tumble.mjv_camera2GLCamera\
 test:test_calls.test_a_camera_moves_without_a_scene test:test_calls.test_a_camera_as_opengl_takes_it
3.5-3.12 | MJX: mjwarp backend, graph_mode, batch rendering, render returns data; naconmax | outside
# What the changelog does not list
3.7 | principal points of cameras in pictures | there | change:principal_up\
 test:test_kept.test_pictures_move_up_with_the_principal_point
4.0 | deleting a frame of a spec | there | change:frame_gone test:test_unlisted.test_frames_are_deleted_with_what_is_in_them
4.0 | fusestatic: turned inertias, references to later bodies | there | change:fuse_exact\
 test:test_unlisted.test_fusing_keeps_inertia_and_only_what_is_referred_to
4.0 | singular inertias when specs compile | there | change:singular_told test:test_unlisted.test_singular_inertias_are_warnings
4.0 | flexcomp points that no element uses | there | change:flexcomp_used\
 test:test_unlisted.test_points_that_no_element_uses_have_no_mass
4.0 | channels of cubes from files | there | change:cube_rgb test:test_unlisted.test_cubes_from_files_have_three_channels
4.0 | URDF mimic joints, limits of continuous joints | there | change:urdf_joints test:test_unlisted.test_joints_of_urdf
4.0 | fitted primitives, cameras without resolution | there | change:fitted_free change:camera_one\
 test:test_unlisted.test_fitted_geoms_and_cameras_without_resolution
"""
STATES = {"there": "here", "refused": "refused by name", "open": "not here", "outside": "not for this engine"}


class Item(NamedTuple):
    """One row; see above. `part` is the heading over it."""

    part: str
    version: str
    what: str
    state: str
    evidence: tuple[str, ...]


def _rows():
    found, part = [], ""
    for line in RELEASES.strip().splitlines():
        if line.startswith("#"):
            part = line[2:]
            continue
        version, what, state, *evidence = (text.strip() for text in line.split(" | "))
        found.append(Item(part, version, what, state, tuple(" ".join(evidence).split())))
    return found


ROWS = _rows()
PAGE = pathlib.Path(__file__).resolve().parents[2] / "assets/manual/releases.md"
HEAD = """# Releases after 3.4

Tumble computes what MuJoCo 3.4 computes. Models of later releases are read as far as the table below says; what is not\
 simulated is refused by name, with the
release that has it, and never ignored.

Where a later release computes other numbers from the same file, `compat` says which release counts, from `"3.4"`, the\
 default, to `"4.0"`:

- `tumble.MjModel.from_xml_path(path, compat="4.0")`, and `from_xml_string`, for one model;
- `tumble.compat = "4.0"`, or `--compat 4.0` on the command line, for all models that are loaded from then on;
- `<compiler compat="4.0"/>` in a file, an attribute of ours, where nothing of the above is given.

Scripts that were written for 4.0 run with its names: `import tumble.v4 as mujoco`, or `tumble run --compat 4.0 script.py`.\
 Then functions, members, shapes of fields and numbers of enumerations are those of 4.0.1, and models get its numbers unless\
 their files say another release. `import tumble` stays the face of 3.4; both work on the same engine, and an object of one\
 face shares its memory with that of the other (`model.plain`).

`model.compat` says what holds; *Physics > Compat* in the viewer switches it, and *Health* and `tumble info` say what the\
 model would do otherwise under the other release. Elements and attributes of later releases mean what they mean there\
 whatever `compat` says.

## What `compat` switches

"""


def page(changes) -> str:
    """Text of the manual's page, from these rows and those of `compat`."""
    lines = ["| release | change |", "| --- | --- |", *(f"| {c.version} | {c.sentence} |" for c in sorted(changes, key=order))]
    counts = {state: sum(row.state == state for row in ROWS) for state in STATES}
    lines += [
        "",
        "## What of later releases is here",
        "",
        f"Of {len(ROWS)} changes {counts['there']} are here, {counts['refused']} are refused by name, "
        f"{counts['open']} are not here, "
        f"{counts['outside']} are not for this engine.",
    ]
    part = ""
    for row in ROWS:
        if row.part != part:
            part = row.part
            lines += ["", f"### {part}", "", "| release | what | |", "| --- | --- | --- |"]
        lines.append(f"| {row.version} | {row.what} | {STATES[row.state]} |")
    return HEAD + "\n".join(lines) + "\n"


def order(change) -> tuple[int, ...]:
    """Releases in the order of their numbers."""
    return tuple(map(int, change.version.split(".")))


if __name__ == "__main__":
    PAGE.write_text(page(CHANGES))
