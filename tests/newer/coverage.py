"""The TABLE of changes after release 3.4, and which of them this package has. The manual's page on releases is made from
these rows, by `python -m tests.newer.coverage`.

    release | change | state | evidence

there      implemented; each word of the evidence is a case or a script with numbers of 4.0.1 (`case:`, `script:`, `fix:`), a
           silent change that `compat` switches (`change:`), an attribute that is read (`word:`), a name of the package
           (`name:`), or a test of this folder (`test:file.function`)
refused    models that use it are refused by name: the evidence names the elements, attributes and words, a field of a spec
           (`field:`), or a test where other elements decide
open       not implemented yet; older models behave as in 3.4
outside    concerns other programs, packaging, building or files of the reference, its own memory, single precision, or added
           and removed again before 4.0
"""

import pathlib
from typing import NamedTuple

from tumble.engine.tables.compat_rows import ROWS as CHANGES

RELEASES = """
# Physics: integrators, passive forces, constraints, solver
3.13 | new integrator discrete (mjINT_DISCRETE) | there | case:discrete case:discrete_coupled case:discrete_sparse\
 case:discrete_cg case:discrete_apart case:discrete_resolved case:discrete_unsafe case:discrete_fluid case:discrete_driven\
 change:flex_implicit test:test_kept.test_flexes_that_no_implicit_step_takes_are_errors
3.7/3.8.1/3.11 | gyroscopic forces of free bodies | there | change:free_turn case:free_turn
4.0 | RK4 combines rotations in the right order | there | change:rk_turn case:rk4_turns change:rk_mean
3.7 | stiffness and damping as polynomials | there | case:polynomials case:polynomials_fast case:polynomials_tendon\
 case:polynomials_tendon_full
3.7 | velocity term (Jdot*v) of connect and weld constraints | there | change:jdot_bias case:connect_bodies case:connect_sites\
 case:weld_bodies case:weld_sites
3.9 | new flag diagexact; field efc_Y | there | word:option/flag/diagexact case:exact_pyramidal_sparse\
 case:exact_elliptic_dense
3.10 | efc_diagApprox renamed to efc_diagA | there | test:test_names.test_the_diagonal_has_its_later_name
3.8.1/3.9 | PGS: islands, and rows in shuffled order | there | change:pgs_momentum case:pgs case:pgs_elliptic
3.11 | PGS: Nesterov momentum with adaptive restart | there | change:pgs_momentum case:pgs_whole case:pgs_elliptic
3.10 | CG: Hager-Zhang search direction | there | change:solver_exit case:cg_default case:cg_whole
3.10 | convergence of the solvers in single precision | outside
3.11 | Newton stops by the Newton decrement | there | change:solver_exit case:newton_default case:newton_elliptic
3.11 | solvers stop without an iteration if the duality gap is small | there | change:solver_exit case:newton_default\
 case:cg_default
3.13 | Newton with elliptic cones refactors in place of rank-1 updates | there | case:sliding_cones\
 case:cloth_cones
3.14 | sparse Newton has a lower limit for pivots | there | change:lost_rows\
 test:test_names.test_lost_pivots_leave_zeros test:test_names.test_newton_solves_without_lost_rows
4.0 | sparse Newton for flexes | there | case:cloth_newton case:cloth_cones
3.17 | solver tolerance is relative to the trace of the inertia | there | change:trace_scale case:cg_whole\
 case:newton_default
3.11 | adhesion of contacts | there | word:body/geom/adhesion word:contact/pair/adhesion case:adhesive_pyramid\
 case:adhesive_elliptic case:adhesive_listed case:adhesive_discrete
3.11/4.0 | geom attribute surfacevel | there | word:body/geom/surfacevel case:surface_pyramid case:surface_elliptic\
 case:surface_frictionless
3.5 | margins and gaps of both geoms are added | there | change:margin_sum case:margins
3.9 | new meaning of margin and gap | there | change:gap_outside case:margins case:margin_negative case:margin_override\
 case:margin_pair
3.11 | body_margin includes the gap | there | change:gap_outside case:margins
4.0 | elasto-plastic joints and tendons | there | word:body/joint/springyield word:tendon/fixed/springyield\
 word:keyframe/key/plastic case:late_plastic case:late_plastic_rk4 case:late_plastic_full
3.12 | mocap bodies form their own weld groups | there | change:mocap_weld change:mocap_still case:mocap_child\
 case:mocap_world
3.14 | mj_rnePostConstraint includes torques of welds and forces of tendons | there | change:tendon_pull case:weld_torques\
 case:tendon_forces
4.0 | actuators at their force limit have no derivative | there | change:saturated case:saturated change:early_slope\
 test:test_kept.test_early_activations_in_derivatives
3.13/3.14 | lower limit for pivots; warning mjWARN_INERTIA | there | change:least_pivot case:twin_joints\
 test:test_names.test_singular_worlds_leave_their_lanes\
 case:twin_joints_fast case:twin_joints_full test:test_names.test_singular_inertias_are_warned_of
4.0 | new rule for tendons with side sites | there | change:side_winding case:side_sites
3.16/4.0 | stable wrapping of tendons | there | change:side_winding case:grazing
4.0 | accelerometers on static and mocap bodies | there | change:still_rate case:still_sensors
# Collision
4.0 | new flag speculative | there | word:option/flag/speculative case:ahead case:ahead_elliptic case:ahead_discrete\
 case:ahead_springless case:ahead_listed
3.8 | flag multiccd on by default | there | change:multiccd_on case:convex_pairs
3.11-3.17 | all contacts of convex shapes in one pass | there | change:multi_clip case:convex_pairs
3.12 | new collision of two boxes | there | change:box_clip case:boxes
3.13 | new collision of planes with meshes | there | change:plane_face test:test_convex.test_hulls_on_a_plane
3.12 | start points for the farthest vertex of a mesh (mesh_extrema) | there | test:test_fields.test_fields\
 test:test_convex.test_pairs
3.16 | contacts of parallel capsules | there | change:side_by_side case:side_by_side
4.0 | more stable convex collision (nativeccd) | there | change:last_face change:normal_cells test:test_convex.test_pairs\
 change:field_exact case:field_margins test:test_convex.test_distances_from_height_fields\
 test:test_kinds.test_shapes_with_one_center_touch
4.0 | exact collision of spheres and capsules with solid flexes | there | change:flex_solid case:flex_solids
3.5 | ray functions return normals | there | name:tumble.mj_rayFlex test:test_rays.test_normals\
 test:test_rays.test_normals_of_distance_fields
4.0 | corrected rays | there | change:field_lengths test:test_rays.test_normals_of_distance_fields test:test_rays.test_normals
3.8 | mj_maxContact | there | name:tumble.mj_maxContact test:test_calls.test_most_contacts_of_a_pair
3.9 | mjPreContact | there | name:tumble.v4.MjPreContact
3.6 | collision of flexes with signed distance fields | refused | test:test_compile.test_what_flexes_lack_is_named
3.11 | faster search for islands | there | test:test_names.test_islands_take_memory_in_proportion
3.5 | each collision sensor computes its own distance | there | case:distance_sensors
# Actuators and control
3.11 | actuators with several inputs and outputs | there | name:tumble.mj_actuatorInputName name:tumble.mj_resetCtrl case:pids\
 case:turns test:test_servos.test_actuators_have_their_controls_and_forces
3.11 | orientation actuator and its transmission | there | word:actuator/orientation/kp word:@gain/so3 case:turns\
 case:turns_rk4 case:turns_full
3.12 | pid actuator | there | word:actuator/pid/ki word:@dyn/pid case:pids case:pids_rk4 case:pids_full case:late_servos\
 case:scaled_servos
3.7/3.12 | dcmotor actuator | there | word:actuator/dcmotor/lugre word:@bias/dcmotor case:motors case:motors_rk4\
 case:motors_full
3.7 | armature and damping of actuators | there | word:actuator/motor/armature word:actuator/general/damping case:drives\
 case:drives_fast case:drives_full
3.5/3.14 | actuators with delay | there | word:actuator/general/delay name:tumble.mj_readCtrl case:late_controls case:late_rk4\
 test:test_history.test_controls_are_read
3.5 | sensors with delay, interval and history | there | word:sensor/clock/delay word:sensor/tactile/nsample\
 name:tumble.mj_readSensor case:late_sensors test:test_history.test_sensors_are_filled_and_read
3.11 | setpoints of rotations take the shorter way | there | change:near_setpoint case:setpoints
3.15 | dampratio uses the inertia that the actuator moves | there | change:dampratio_all case:dampratio
3.16 | each actuator shortcut has its own defaults | there | change:shortcut_own case:shortcut_classes change:damper_kept\
 test:test_kept.test_dampers_keep_the_damping_of_their_class
3.16 | declared inputs of actuators | there | word:actuator/general/input test:test_compile.test_what_a_control_is
3.16 | inheritrange for general actuators | there | word:actuator/general/inheritrange case:general_inherits
3.14 | actuatorfrclimited of tendons is automatic | there | change:tendon_auto case:tendon_limits
# Sensors and state
3.5 | range finders on cameras | there | word:sensor/rangefinder/camera word:sensor/rangefinder/data case:ray_images\
 test:test_history.test_range_finders_and_cameras_are_written
3.5 | outputs and projections of cameras | there | word:body/camera/output word:body/camera/projection case:ray_images
3.16 | contact sensors report linear and angular velocity | there | word:@condata/linvel word:@condata/angvel\
 case:contact_rates test:test_names.test_sums_of_forces_have_no_velocity
3.13 | sites of type mesh; mj_insideSite | refused | body/site/mesh
3.15 | sensor insidesite with enclosed | refused | sensor/insidesite/enclosed
3.9/3.13 | tactile sensors report depth, with a cutoff | there | change:tactile_depth word:sensor/tactile/cutoff case:tactile
4.0 | fields xiquat, geom_xquat, site_xquat | there | case:world_quats case:polynomials
3.5 | the argument that selects parts of the state is an int | there | test:test_names.test_negative_signatures_are_errors
3.14 | finite differences refuse models that may sleep | there | change:fd_awake\
 test:test_calls.test_differences_are_refused_if_trees_may_fall_asleep
# Sleep
3.9 | flexes may sleep | there | change:flex_rest test:test_sleep.test_flexes_sleep_and_wake_with_what_touches_them\
 test:test_sleep.test_what_sleeps_has_no_passive_forces_and_stays
3.11 | sleep_tolerance is 1e-3 by default | there | change:sleep_speed
3.16/3.17 | mj_setConst computes sleep policies; a warning if a tree cannot start asleep | there | script:wide_constants\
 test:test_compile.test_trees_that_cannot_sleep_at_first_start_awake
4.0 | corrected collision filter of sleeping trees | there | change:sleep_whole test:test_sleep.test_simulation\
 test:test_sleep.test_a_weld_to_a_mocap_body_wakes
# Deformables
3.4+/3.8 | trilinear and quadratic flexes with several cells | refused | body/flexcomp/cellcount deformable/flex/cellcount
3.6/3.8 | flexstrain equality | refused | equality/flexstrain @flexequality/strain
3.5->4.0 | flexvert equality | outside
3.8.1 | elastic2d for trilinear and quadratic flexes | refused | test:test_compile.test_what_flexes_lack_is_named
3.11-3.13 | effective metric of flexes | refused | test:test_compile.test_what_flexes_lack_is_named
3.12 | implicit passive contacts of flexes | refused | test:test_compile.test_what_flexes_lack_is_named
3.12 | geometric term in the stretch stiffness of flexes | refused |\
 test:test_compile.test_what_flexes_lack_is_named
3.14/4.0 | flag ipc | refused | option/flag/ipc
3.17/4.0 | elastic rods as one-dimensional flexes | refused | deformable/flex/elasticity/section\
 deformable/flex/elasticity/shear
4.0 | plastic flexes | refused | deformable/flex/elasticity/yield
4.0 | corrected elastic constants of flexes | there | change:flex_elastic change:cell_exact case:sheet_constants\
 case:solid_constants case:cell_long case:cell_quadratic
4.0 | quadrature with finite cells | there | change:cell_mesh change:cell_turn case:cell_round case:cell_round_quadratic\
 case:cell_pinned case:cell_surface case:cell_long
4.0 | barycentric weights of flex contacts | there | change:flex_weights case:flex_touch case:flex_quadratic
3.15 | stable Neo-Hookean material | refused | field:MjsFlex.elastic3d
3.15/4.0 | flexes attached to articulated bodies | there | change:bend_pinned case:bent_arm case:cell_arm
3.17 | self-collision of trilinear and quadratic flexes | there | change:cell_self case:cell_self
3.16 | contact reduction is limited to rigid, trilinear and quadratic flexes | there | change:flex_few case:flex_many
4.0 | composite and the cable plugin are removed | there | change:removed test:test_compile.test_what_was_removed
3.15 | attribute internal of flexes is removed | there | change:removed test:test_compile.test_what_was_removed
4.0 | materials of single flex elements | refused | test:test_compile.test_what_flexes_lack_is_named
4.0 | explicit damping of flex edges | there | change:edge_explicit case:edge_dampers case:edge_dampers_full
4.0 | flexes without pins are refused below bodies with joints | there | change:removed\
 test:test_compile.test_flexes_below_joints_are_pinned
3.10 | flexes made by a program (mjs_makeFlex, make_flex); lines in OBJ files | refused | body/flexcomp/mesh
3.12/3.17 | corrected saving and loading of flexes | there | change:nodes_kept word:deformable/flex/nodecoord\
 word:deformable/flex/dof script:saved_nodes test:test_saving.test_nodes_of_flexes_are_saved
# Compiler, MJCF, mjSpec
3.12 | one file with the schema of MJCF | outside
3.10 | compiler attribute conflict | there | word:compiler/conflict script:merged_settings\
 test:test_names.test_conflicts_of_settings_are_told
3.11 | specs can be attached to themselves; frames can be attached | there | word:body/attach/frame case:attach_self\
 test:test_compile.test_a_model_is_attached_to_itself_by_body_or_frame
3.16 | frames with scale; attributes scaling and massscale | there | word:body/frame/scale word:body/frame/scaling\
 word:body/frame/massscale script:scaled_frames test:test_compile.test_scaled_frames_are_saved_in_size
3.16 | attributes savecompiled and savecanonical | there | word:compiler/savecompiled word:compiler/savecanonical\
 script:written_as_it_is test:test_saving.test_texts test:test_saving.test_models\
 test:test_saving.test_frames_and_edits_are_kept test:test_saving.test_attached_parts_are_brought_to_the_same_units
3.14 | saved files keep frames | there | change:frames_kept script:kept_frames\
 test:test_saving.test_frames_survive_saving_of_what_was_compiled
3.16 | errors of copy_back and mj_saveLastXML are raised | there | script:copied_back change:stricter\
 test:test_compile.test_saving_says_what_it_cannot_say
3.16 | fusestatic, discardvisual and adoptinertial for specs | there | test:test_face.test_inertias_become_explicit\
 test:test_face.test_visual_elements_are_discarded test:test_face.test_static_bodies_are_fused
3.17 | attribute dedupassets | there | test:test_compile.test_equal_assets_become_one
3.17 | textures by reference | refused | compiler/passthrough asset/texture/embed
3.17 | default classes of textures | there | word:asset/texture/class word:default/texture script:texture_classes
3.17 | full paths of assets | there | change:paths_full
3.16 | built-in meshes: grid, box, cylinder, ellipsoid, square, disc | there | word:@meshbuiltin/grid word:@meshbuiltin/disc\
 case:built_meshes test:test_compile.test_meshes_are_made_in_scripts
3.17 | normals of polygons from all corners (Newell) | there | change:newell\
 test:test_calls.test_normals_of_polygons_are_those_of_their_outlines
3.10 | maxhullvert with Qhull option Q9 | there | change:hull_best case:coarse_hulls
3.11 | normals of scaled meshes | there | change:normals_scale case:small_inertias
3.11 | body attribute simple with false and auto | there | word:body/simple case:simple_bodies
3.11-3.17 | mj_setConst computes many more fields | there | change:const_wide script:wide_constants
3.16 | replicate does not copy keyframes | there | change:keys_whole test:test_names.test_key_frames_describe_all_replicas
3.16 | assets of a spec need names | there | change:asset_names test:test_names.test_assets_of_scripts_need_names
3.16 | settotalmass is deprecated; discarding geoms with mass is an error | there | change:visual_mass\
 test:test_compile.test_visual_geoms_without_mass_are_discarded test:test_compile.test_what_is_deprecated_is_told
3.7 | strippath for URDF | there | change:urdf_folders
3.7 | meshes with negative scale | there | change:mirror_faces case:mirrored
3.8 | asset paths of attached specs | there | test:test_names.test_attached_models_find_files_beside_them
3.13 | CDATA in custom texts | there | test:test_names.test_texts_of_sections
4.0 | new errors for invalid models | there | change:stricter test:test_compile.test_what_is_refused_since
4.0 | boundinertia repairs inertias that are not positive definite | there | change:bound_rescue case:bound_rescue
4.0 | solmix mixes the solref of pairs | there | change:pair_mix case:pair_mixed
4.0 | defaults of tendons; corrected saving of XML | there | word:default/tendon/armature change:flexcomp_turn\
 change:range_wins case:turned_flexcomps case:own_ranges case:tendon_classes test:test_compile.test_saved_texts_keep
3.16 | quaternions override Euler angles of a class; order of pairs | there | change:quat_own case:own_quats
3.6/3.8.1 | getCompiler, getOriginSpec | there | test:test_names.test_elements_have_the_compiler_that_they_were_read_with
3.9/3.10 | getTimer, numWarnings, getWarning | there | name:tumble.mjtCTimer\
 test:test_compile.test_parts_of_compiling_are_timed test:test_compile.test_what_is_deprecated_is_told
3.14 | faster editing of large specs | there | test:test_names.test_editing_takes_work_in_proportion
3.6 | ten_J is always sparse; its structure is in the model | there | test:test_face.test_jacobians_of_tendons_are_sparse
4.0 | field tendon_type | there | case:kinds_of_tendons case:world_quats
# I/O, plugins, errors, threads
3.7/3.10-3.15 | MJZ archives and their encoders | there | test:test_files.test_archives_stand_alone\
 test:test_calls.test_a_spec_is_encoded_as_its_file_is_named
3.5/3.8 | mounted virtual file systems | there | name:tumble.MjVfs name:tumble.mj_mountVFS\
 test:test_files.test_files_in_memory test:test_files.test_providers_are_mounted
3.16 | renamed resource providers; errors of decoders | there | name:tumble.mjp_registerProvider\
 test:test_files.test_providers_have_their_later_names
3.12 | MuJoCo's own texture format is removed | there | change:png_only test:test_compile.test_what_is_refused_since
3.10 | functions for logging | there | name:tumble.MjLogConfig name:tumble.mju_setLogHandler test:test_files.test_the_log
3.10 | thread pool in MjData | there | name:tumble.v4.mju_threadpool test:test_calls.test_data_with_threads
3.17 | batch API | there | name:tumble.batch.Batch
3.10 | removed names | there | change:round_away change:slope_rows test:test_calls.test_calls_without_what_was_removed\
 test:test_calls.test_a_camera_moves_without_a_scene
3.9 | C headers mjtype.h and mjassert.h, type mjtBool | outside
3.17 | mju_boxQP with an incremental factor | there | script:boxed_minima
4.0 | paths in UTF-8 on Windows | there | test:test_names.test_paths_of_any_script
3.5/3.12 | decoder for OpenUSD | outside
# Python
3.8/4.0 | Python 3.14; Python 3.10 is dropped | open
3.11/3.13 | Python 3.15 and free threading | open
4.0 | wheel split into core and studio | outside
3.5 | toolbox for system identification | outside
3.16 | assignment to opt, vis and stat | there | test:test_calls.test_options_are_assigned_in_place
3.17 | corrected access by name; arrays of the arena start with zeros | there | test:test_names.test_moments_by_name_are_dense
4.0 | manual and instructions for coding agents in the wheel | outside
# Rendering and Studio
3.12 | texture coordinates of primitives | there | change:uv_shapes script:wrapped_textures
3.12-4.0 | physically based renderer (Filament) | outside
4.0 | geom attribute castshadow; softness of lights; automatic headlight | there | change:headlight_auto\
 word:body/geom/castshadow word:body/light/softness test:test_compile.test_geoms_without_shadow_leave_light\
 test:test_compile.test_scenes_carry_textures_and_shadows
4.0 | haze and skybox in the physically based renderer | outside
3.5 | depth rendering flag | refused | test:test_calls.test_rendering_flags_have_their_later_places
3.5 | frustum of cameras with a resolution | there | change:frustum_shown script:camera_frustums
3.12 | bvactive is off by default | there | change:bv_hidden
3.7 | scenes grow as needed | there | change:scene_full test:test_compile.test_full_scenes_say_so_themselves
3.11 | the viewer has a slider for each control, over its ctrlrange | there | test:test_servos.test_controls_have_their_names
3.13/4.0 | sample program render; sample record is removed | outside
4.0 | MuJoCo Studio | outside
4.0 | web viewer of MuJoCo Studio | outside
4.0 | MuJoCo Live | outside
4.0.1 | mjs_getInStringVec; plugin libraries that cannot be loaded are skipped; contacts of cylinder edges | there |\
 change:library_skip case:cylinder_edges case:newton_sparse test:test_compile.test_libraries_that_cannot_be_loaded_are_left_out
4.0.1 | web viewer on Windows | outside
# Example models and guides
3.11-4.0 | new example models | outside
4.0 | guide to model tuning | there | test:test_guide.test_the_model_to_begin_with_is_sound\
 test:test_guide.test_each_fault_is_found test:test_guide.test_every_check_has_its_advice
# Other changes
3.5 | gravity compensation of nested bodies without joints | there | change:gravcomp_all case:gravcomp_nested
3.5 | usethread compiles meshes in threads | there | test:test_meshes.test_threads_make_the_same_meshes\
 test:test_meshes.test_the_first_fault_is_told
3.5 | optional vertid; getdir is removed from resource providers | there | test:test_files.test_a_vertex_need_not_be_asked_for\
 test:test_files.test_providers_are_mounted
3.6 | attached models keep spatial tendons without side sites | there | change:path_kept\
 test:test_names.test_attached_tendons_keep_geoms_without_side_sites
3.7 | OBJ and STL decoders in the core library; name in the plugin macro | outside
3.8.1 | mju_sym2dense; MjSpec.encode | there | name:tumble.mju_sym2dense\
 test:test_calls.test_a_symmetric_matrix_from_its_lower_triangle test:test_calls.test_a_spec_is_encoded_as_its_file_is_named
3.10 | matrices of islands are on the stack | outside
3.10 | safe loading in the system identification toolbox | outside
3.11 | fields flg_gravcomp, flg_surfacevel, flg_adhesion | there | case:gravcomp_nested case:surface_pyramid
3.11 | MjvGeom fields texid, texuniform, texrepeat, castshadow | there |\
 test:test_compile.test_scenes_carry_textures_and_shadows
3.11 | order in which files of MJZ archives are searched | there | test:test_files.test_the_model_of_an_archive_is_found
3.12/3.15 | faster metric of flexes | refused | test:test_compile.test_what_flexes_lack_is_named
3.13 | white color for materials without a metallic texture | outside
3.14 | bounds check of GMSH headers | there | test:test_names.test_short_files_of_gmsh_are_errors
3.14/3.17 | values in the history of controls; initial values of arena arrays | there | case:late_servos\
 test:test_servos.test_arrays_of_what_is_not_there_hold_nothing
3.16 | build with Bazel; physical dimensions in the XML reference | outside
3.16 | keyframes keep their values if trees are edited or attached | there | change:keys_whole script:edited_keys
3.16 | prefixes in attached skins, tendons and materials; attachment by reference; state after recompiling | there |\
 change:flex_named script:attached_names change:state_kept test:test_kept.test_recompiling_keeps_what_is_applied
3.16 | renamed functions and flags of the Filament renderer | outside
3.17 | memory of flexes from their topology; Newton falls back to CG if memory is full | outside
3.17 | memory leaks after errors are fixed; errors in the compiler's threads are reported | there |\
 test:test_compile.test_compiling_in_vain_keeps_no_memory
4.0 | mju_mat2Rot normalizes its initial quaternion and leaves saddle points | there | change:turn_escapes\
 test:test_names.test_rotations_leave_saddles
4.0 | bending of curved two-dimensional flexes | there | change:bend_rest case:bent_sheet
4.0 | parameters of dcmotor are checked | there | test:test_servos.test_what_does_not_fit_is_refused
4.0 | corrected MjSpec methods: delete, copy_back, find_child and set_to_muscle | there | script:copied_back\
 change:child_below test:test_compile.test_edits_of_classes_bodies_and_muscles
4.0 | depth and segmentation in the Filament renderer | outside
4.0 | mouse actions TURN_H and TURN_V; mjv_camera2GLCamera | there | name:tumble.mjv_camera2GLCamera\
 test:test_calls.test_a_camera_moves_without_a_scene test:test_calls.test_a_camera_as_opengl_takes_it
3.5-3.12 | MJX: Warp backend, batch rendering | outside
# Changes that the changelog does not list
3.7 | principal points of cameras in pictures | there | change:principal_up\
 test:test_kept.test_pictures_move_up_with_the_principal_point
4.0 | deletion of frames in a spec | there | change:frame_gone test:test_unlisted.test_frames_are_deleted_with_what_is_in_them
4.0 | fusestatic: rotated inertias, references to later bodies | there | change:fuse_exact\
 test:test_unlisted.test_fusing_keeps_inertia_and_only_what_is_referred_to
4.0 | specs with singular inertias | there | change:singular_told test:test_unlisted.test_singular_inertias_are_warnings
4.0 | flexcomp points that no element uses | there | change:flexcomp_used\
 test:test_unlisted.test_points_that_no_element_uses_have_no_mass
4.0 | channels of image files for cubes | there | change:cube_rgb test:test_unlisted.test_cubes_from_files_have_three_channels
4.0 | URDF: mimic joints, limits of continuous joints | there | change:urdf_joints test:test_unlisted.test_joints_of_urdf
3.5 | boxes and capsules that touch triangles of flexes | there | change:flex_corners case:flex_ends
4.0 | damping of stretched flexes is a damping force | there | change:flex_apart case:bent_sheet
4.0 | fitted primitives; cameras without a resolution | there | change:fitted_free change:camera_one\
 test:test_unlisted.test_fitted_geoms_and_cameras_without_resolution
3.5 | lengths of cameras in pixels override those in metres | there | change:lens_pixels fix:lenses
3.5 | nodes of trilinear and quadratic flexes of any type are pinned by their place | there | change:node_pins fix:loose_points
3.6 | flexes that move in a plane | there | word:@flexdof/2d fix:flat_flexes
3.7 | contacts do not store dofs that move both bodies | there | change:shared_dofs fix:contacts_within_trees
3.7 | warning of flexes that nothing holds together | there | change:loose_told\
 test:test_fixes.test_loose_flexes_are_told_of_since_3_7
3.8/3.11 | flexes in turned bodies | there | change:cell_frame change:flex_frames fix:flexes_in_turned_bodies
3.8 | elastic trilinear and quadratic flexes of few elements | refused |\
 test:test_fixes.test_elastic_cells_of_few_elements_are_refused
3.8.1 | depth of the trees of distance fields | refused | field:MjsMesh.octree_maxdepth
3.8.1 | insidesite for bodies without mass | there | change:inside_mass fix:flexes_inside_sites
3.9 | tactile sensors on bodies that cannot collide | there | change:tactile_solid fix:tactile_pads
3.12 | saved classes have positions and axes of joints | there | change:words_spared fix:words_that_are_saved
3.6-3.12 | convex shapes that hardly touch or are nearly level | there | fix:level_boxes fix:plates_in_walls fix:thin_boxes\
 fix:grazing_ellipsoids
3.5-3.11 | islands of more than two trees; flex contacts with torsional friction; free bodies in fluids; sensors after half a\
 step | there | fix:islands_of_many_trees fix:turning_flex_contacts fix:free_bodies_in_fluids fix:sensors_of_half_steps
3.5-3.13 | degenerate meshes, skin files, distance fields of meshes, fused cameras, heights copied back, files in memory,\
 attributes that exclude each other | there | fix:flat_meshes fix:skin_files fix:fields_of_meshes fix:fused_cameras fix:grounds\
 fix:flexes_from_memory fix:files_by_name fix:attached_paths fix:rules_of_attributes
3.5-3.12 | lost pivots of mju_cholFactor; mju_boxQP reads one triangle; edges of flexes; drawing of mocap bodies | there |\
 fix:lost_factors fix:edges_of_flexes fix:kinds_of_bodies
"""
STATES = {"there": "available", "refused": "refused by name", "open": "missing", "outside": "does not apply"}


class Item(NamedTuple):
    """One row of RELEASES. `part` is the heading above it."""

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

This page shows how to run models and scripts that were written for MuJoCo 3.5 to 4.0. By default, Tumble computes the same\
 results as MuJoCo 3.4. The tables on this page list what later releases changed, and which of their features Tumble has. If\
 a model uses a feature that Tumble lacks, the error message names the feature and the release that introduced it.

## Choose a release

Some later releases of MuJoCo compute different results from the same model file. The setting `compat` selects the release\
 whose results you want, from `"3.4"` (the default) to `"4.0"`. There are three ways to set `compat`:

- for one model, pass it to the function that loads the model, for example `tumble.MjModel.from_xml_path(path,\
 compat="4.0")`;
- for all models that you load afterwards, set `tumble.compat = "4.0"` in a script, or use `--compat 4.0` on the command\
 line;
- in the model file, write `<compiler compat="4.0"/>`. This attribute exists only in Tumble. The other two settings take\
 precedence over this attribute.

To find out which release a model uses, read `model.compat`. To switch the release in the viewer, use *Physics > Compat*.\
 *Health* and `tumble info` list how your model would behave differently with 4.0 or, if it already uses 4.0, with 3.4.\
 `compat` does not affect elements and attributes that were added after release 3.4: they always behave as in the release\
 that added them.

A script that was written for MuJoCo 4.0 also needs the API of that release. In the script, write `import tumble.v4 as\
 mujoco`, or start the script with `tumble run --compat 4.0 script.py`. The functions, members, array shapes and enumerations\
 are then those of MuJoCo 4.0.1. Simulation results are those of 4.0, unless the model file selects another release. The\
 module `tumble` itself always has the API of MuJoCo 3.4. You can use both modules in one program. If `model` is an MjModel\
 of `tumble.v4`, you can access the same model through the API of 3.4 as `model.plain`, which shares its memory.

## What `compat` switches

Each change in this table applies if `compat` is the release in the first column or a later release. The word *before*\
 introduces the behavior of earlier releases.

"""


def page(changes) -> str:
    """Text of the manual's page, from these rows and those of `compat`."""
    lines = ["| release | change |", "| --- | --- |", *(f"| {c.version} | {c.sentence} |" for c in sorted(changes, key=order))]
    counts = {state: sum(row.state == state for row in ROWS) for state in STATES}
    lines += [
        "",
        "## What is available",
        "",
        f"MuJoCo's changelog lists {len(ROWS)} changes from release 3.5 to 4.0.1. The tables below show for each change "
        f"whether Tumble has it. Tumble has {counts['there']} of the changes, and lacks {counts['open']}. Another "
        f"{counts['refused']} changes are marked *refused by name*: if a model uses one of them, loading the model raises an "
        f"error that names the feature. The remaining {counts['outside']} changes do not apply to Tumble, because they concern "
        "other programs, MuJoCo's build, packages, files and memory, or single precision, or because a later release removed "
        "them again.",
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
