"""Functions and displays of MuJoCo's viewers, row by row, and their counterparts here. TABLE: the ids are those of the three
parts of an inventory.

A: simulate and `mujoco.viewer`; B: visual options; C: scene, renderer, cameras. A line is `ids | where | tests`:
`where` is `module:name` (or `module`), `tests` are `file::function`. A second column that begins with `-` names a
substitute.
"""

COUNTS = {"A": 176, "B": 71, "C": 65}

TABLE = """
A001-A004      | app.commands:SAVE_NAMES            | app/test_simulation.py::test_saving_writes_every_kind
A005           | app.actions:_quit                  | app/test_viewer_files.py::test_quit_saves_the_settings
A006           | app.display:write_picture          | app/test_viewer.py::test_screenshot
A007-A010      | ui.overlay:draw                    | app/test_viewer.py::test_overlays_and_panels\
 app/test_viewer.py::test_sensor_bars_are_on_the_screen
A011           | app.simulation:Simulation          | app/test_simulation.py::test_pause_update_feeds_the_solver
A012           | app.window:Window                  | app/test_viewer_keys.py::test_full_screen_and_back
A013           | app.window:Window                  | ui/test_widgets.py::test_options_reach_their_settings\
 app/test_actions.py::test_switches_reach_the_window
A014           | app.worker:Worker                  | ui/test_widgets.py::test_options_reach_their_settings\
 app/test_actions.py::test_busy_waiting_never_sleeps
A015-A017      | ui.panel.option:draw               | ui/test_panels.py::test_themes_and_sizes\
 ui/test_panels.py::test_spacing_has_room ui/test_widgets.py::test_options_reach_their_settings
A018-A021      | ui.panel.simulation:draw           | app/test_viewer.py::test_pause_step_back_reset\
 app/test_viewer_files.py::test_edit_and_reload_by_key
A022           | app.commands:key_element           | app/test_simulation.py::test_copied_state_is_a_keyframe_that_loads
A023-A025      | ui.panel.simulation:_keys          | app/test_simulation.py::test_reset_and_keyframes
A026-A027      | app.noise:ControlNoise             | app/test_simulation.py::test_noise_settles_at_the_asked_deviation
A028           | app.state_history:History                | app/test_simulation.py::test_step_back_and_forward_again
A029           | - came after 3.4; a step runs on one core, `rollout` takes a number of threads |
A030-A032      | ui.panel.watch:read                | ui/test_widgets.py::test_watch_reads_any_field
A033-A048      | ui.panel.physics:ALGORITHM         | ui/test_panels.py::test_physics_tables_name_every_option\
 ui/test_widgets.py::test_every_physics_row
A049-A050      | ui.panel.physics:PHYSICAL          | ui/test_panels.py::test_physics_rows_edit_their_fields
A051-A052      | ui.panel.physics:_flags            | app/test_simulation.py::test_flags\
 ui/test_widgets.py::test_every_check_box
A053           | ui.panel.physics:OVERRIDE          | ui/test_panels.py::test_physics_rows_edit_their_fields
A054           | ui.panel.physics:_actuator_groups  | ui/test_widgets.py::test_group_toggles
A055           | ui.panel.rendering:draw            | app/test_viewer.py::test_cameras ui/test_widgets.py::test_every_choice
A056-A057      | ui.panel.rendering:draw            | app/test_viewer.py::test_labels_frames_speed\
 ui/test_widgets.py::test_every_choice
A058           | app.view:View                      | app/test_view.py::test_copied_camera_looks_the_same
A059,A063      | ui.panel.rendering:draw            | ui/test_panels.py::test_rendering_shows_every_flag
A060-A061      | ui.panel.rendering:draw            | ui/test_widgets.py::test_every_integer_slider\
 app/test_actions.py::test_tree_depth_is_that_of_the_boxes
A062           | ui.images:image_sensors            | ui/test_images.py::test_image_sensors_are_found_and_read
A064-A069      | ui.panel.visualization:ROWS        | ui/test_panels.py::test_visualization_rows_edit_their_fields
A070-A076      | ui.panel.group:draw                | ui/test_widgets.py::test_group_toggles\
 app/test_actions.py::test_groups_show_and_hide_their_kind
A077-A078      | - came after 3.4; the console keeps all messages and filters them |
A079           | ui.panel.joint:draw                | ui/test_panels.py::test_joint_sliders_move_their_joints
A080           | ui.panel.control:draw              | ui/test_panels.py::test_control_sliders_use_the_range
A081           | ui.panel.equality:draw             | ui/test_widgets.py::test_equality_checks
A082           | ui.panels:_section                 | ui/test_widgets.py::test_sections_open_together_by_a_double_click
A083           | app.keymap:default_actions         | app/test_viewer.py::test_sections_open_by_letter\
 app/test_actions.py::test_panels_open_alone_and_side_by_side
A084           | ui.panel.physics:_node             | ui/test_widgets.py::test_parts_of_a_section_open_and_close
A085           | - chords are in tooltips and menus, with the mouse resting on the item |\
 ui/test_widgets.py::test_tooltips_say_what_it_does_and_name_the_chord
A086           | ui.widgets:number                  | ui/test_widgets.py::test_typed_numbers_are_committed_clamped_and_given_up
A087           | ui.sliders:slider                  | ui/test_widgets.py::test_a_slider_follows_the_mouse_and_takes_typed_values
A088           | ui.panels:_side                    | ui/test_widgets.py::test_panels_scroll
A089           | ui.widgets:disabled                | ui/test_widgets.py::test_joint_sliders_rest_while_it_runs
A090           | app.events:Events                  | app/test_viewer_keys.py::test_typing_into_a_field_moves_nothing
A091           | - panels are drawn with the frame |
A092-A094      | app.keymap:default_actions         | app/test_viewer.py::test_pause_step_back_reset
A095-A096      | app.keymap:default_actions         | app/test_viewer.py::test_labels_frames_speed
A097           | app.keymap:default_actions         | app/test_viewer.py::test_pause_step_back_reset
A098           | app.keymap:default_actions         | app/test_viewer.py::test_overlays_and_panels
A099-A100      | app.keymap:default_actions         | app/test_viewer.py::test_cameras
A101           | app.view:View                      | app/test_viewer_mouse.py::test_parent_of_the_selected_body
A102           | app.keymap:default_actions         | app/test_viewer.py::test_overlays_and_panels\
 app/test_viewer_keys.py::test_full_screen_and_back
A103           | app.keymap:default_actions         | app/test_viewer.py::test_labels_frames_speed
A104           | app.keymap:default_actions         | app/test_viewer_keys.py::test_every_chord\
 app/test_viewer.py::test_what_a_flag_does_is_on_the_screen
A105-A107      | app.keymap:default_actions         | app/test_viewer_keys.py::test_every_chord
A108-A111      | app.gestures:Gestures              | app/test_viewer.py::test_camera_drags\
 app/test_gestures.py::test_drag_moves_the_camera_in_view_heights
A112-A113      | app.gestures:Gestures              | app/test_viewer.py::test_camera_drags\
 app/test_gestures.py::test_wheel_zooms_two_percent_a_click
A114           | app.view:View                      | app/test_viewer_mouse.py::test_select_pull_and_let_go
A115-A116      | app.view:View                      | app/test_viewer_mouse.py::test_look_at_and_track
A117-A120      | app.gestures:Gestures              | app/test_viewer_mouse.py::test_each_pull_and_turn
A121           | app.gestures:Gestures              | app/test_viewer_mouse.py::test_alt_swaps_the_buttons
A122           | app.gestures:Gestures              | app/test_viewer_mouse.py::test_select_pull_and_let_go
A123           | app.events:Events                  | app/test_viewer_files.py::test_drop_a_file
A124           | ui.overlay:_welcome                | ui/test_panels.py::test_without_a_model_there_are_ways_to_one
A125           | ui.computing:_loading              | ui/test_overlay.py::test_a_banner_while_loading
A126           | ui.overlay:_message                | ui/test_panels.py::test_a_load_error_is_shown_with_its_place
A127-A128      | ui.overlay:_status                 | ui/test_overlay.py::test_factor_and_pause_texts
A129           | ui.overlay:help_groups             | ui/test_overlay.py::test_help_names_every_chord_and_gesture
A130           | ui.overlay:info_rows               | ui/test_overlay.py::test_info_names_what_simulate_names
A131           | ui.overlay:_user                   | ui/test_overlay.py::test_texts_figures_and_images_of_a_script\
 app/test_passive_window.py::test_images_figures_and_geoms_are_where_the_script_says
A132-A135      | ui.plots:profiler                  | ui/test_overlay.py::test_profiler_rows\
 ui/test_overlay.py::test_the_profiler_shows_its_four_figures
A136           | ui.plots:sensors                   | ui/test_overlay.py::test_sensor_groups\
 ui/test_overlay.py::test_sensor_bars_are_the_values
A137           | app.lock:FairLock                  | app/test_lock.py::test_renderer_is_not_starved
A138-A140      | app.pacing:SyncClock               | app/test_pacing.py::test_misalignment\
 app/test_pacing.py::test_budget_leaves_time_for_drawing
A141           | app.pacing:RateMeter               | app/test_pacing.py::test_meter_measures_the_rate_over_its_window
A142           | app.pacing:SPEEDS                  | app/test_pacing.py::test_speed_table
A143           | app.pacing:nearest_speed           | app/test_pacing.py::test_speed_table
A144           | app.worker:Worker                  | app/test_simulation.py::test_worker_runs_in_real_time
A145           | app.simulation:Simulation          |\
 app/test_simulation.py::test_pause_stops_time_and_pull_of_the_mouse_is_applied
A146           | app.noise:ControlNoise             | app/test_simulation.py::test_noise_pulls_to_a_keyframe_and_stays_in_range
A147           | app.simulation:Simulation          | app/test_simulation.py::test_divergence_stops_when_automatic_reset_is_off
A148           | app.state_history:History                | app/test_simulation.py::test_stepping_from_the_past_drops_the_future
A149           | ui.telemetry:Telemetry             | ui/test_overlay.py::test_profiler_rows
A150           | app.document:Document              | app/test_viewer_files.py::test_a_compiler_warning_pauses
A151           | app.pacing:RateMeter               | app/test_pacing.py::test_meter_measures_the_rate_over_its_window
A152           | - libraries of compiled C plugins cannot be loaded; plugins are Python, callbacks of user sensors run |
A153-A155      | app.loading:compile_file           | app/test_viewer_files.py::test_formats\
 app/test_viewer_files.py::test_drop_a_file
A156           | app.document:Document              | app/test_viewer_files.py::test_a_broken_edit_and_its_repair
A157           | app.loading:Loader                 | app/test_parts.py::test_of_several_waiting_requests_the_last_wins
A158           | app.session:Session                | app/test_viewer_files.py::test_many_reloads_cost_nothing
A159-A160      | app.config:SETTINGS                | app/test_memory.py::test_every_setting_reaches_the_window_and_stays\
 app/test_viewer_keys.py::test_everything_set_is_there_again
A161-A162      | app.passive:launch                 | app/test_scripts.py::test_launch_with_a_loader
A163-A168      | app.passive:Handle                 | app/test_scripts.py::test_a_passive_script_runs_on_this_engine
A169           | app.passive:Handle                 | app/test_scripts.py::test_assets_are_shown_again
A170-A172      | app.passive:Handle                 | app/test_scripts.py::test_one_tuple_or_a_list\
 app/test_scripts.py::test_images_must_fit_their_viewport
A173           | app.passive:Handle                 | app/test_scripts.py::test_a_passive_script_runs_on_this_engine
A174           | app.passive:key_adapter            | app/test_scripts.py::test_key_callbacks_with_and_without_modifiers
A175           | - lifted: pause, step, history, reload and joint sliders work in a passive viewer too |\
 app/test_passive.py::test_pause_step_and_history app/test_passive.py::test_reload_runs_the_loader
A176           | - one loop for both: noise, divergence and pause update work the same everywhere |

B001-B031      | render.scene.options:VIS_FLAGS     | render/test_scene.py::test_each_flag\
 app/test_viewer_keys.py::test_every_chord
B032-B038      | render.scene.options:RND_FLAGS     | render/test_pictures.py::test_colours_shadow_and_sky\
 app/test_viewer_keys.py::test_every_chord app/test_actions.py::test_effects_reach_the_scene
B039,B043      | - of 4.0; a depth picture is made by `tumble render --depth` | app/test_render.py::test_pictures_of_every_kind
B040-B042      | render.scene.options:RND_FLAGS     | app/test_keymap.py::test_segment_has_a_key_of_its_own\
 render/test_pictures.py::test_segmentation_and_distance_of_a_ball_from_above
B044-B060      | render.scene.options:LABELS        | render/test_scene.py::test_each_label_with_everything_shown
B061-B068      | render.scene.options:FRAMES        | render/test_scene.py::test_each_frame
B069-B071      | render.scene.options:MjvOption     | render/test_scene.py::test_defaults_equal_the_reference

C001-C007      | render.gl.instances                | render/test_parts.py::test_draw_list_groups_equal_things_and_keeps_all\
 render/test_parts.py::test_unit_shapes_are_closed_and_face_outward
C008           | - drawing hooks belong to compiled C plugins; scripts add geoms of their own |\
 app/test_view.py::test_geoms_of_a_script_are_drawn_last
C009           | render.scene.surfaces              | render/test_scene.py::test_each_flag
C010-C032      | render.scene.decor:TABLE           | render/test_scene.py::test_each_flag\
 render/test_scene.py::test_each_frame render/test_scene.py::test_each_label_with_everything_shown
C033           | app.passive:Geoms                   | app/test_view.py::test_geoms_of_a_script_are_drawn_last
C034           | - OpenGL 3.3 core with instancing |
C035-C036      | render.gl.frame                    | render/test_parts.py::test_shadow_map_covers_all_casters
C037           | render.gl.renderer:Renderer        | render/test_pictures.py::test_mirror_shows_the_ball_in_the_floor
C038-C040      | render.gl.renderer:Renderer        | render/test_pictures.py::test_colours_shadow_and_sky
C041-C043      | render.scene.bodies:material       | render/test_scene.py::test_each_flag
C044           | - no limit on textures and materials; assets are uploaded again one by one |\
 app/test_scripts.py::test_assets_are_shown_again
C045           | render.scene.tessellate            | render/test_parts.py::test_unit_shapes_are_closed_and_face_outward
C046-C047      | render.gl.renderer:Renderer        | render/test_parts.py::test_draw_list_groups_equal_things_and_keeps_all
C048-C049      | render.gl.renderer:Renderer        |\
 render/test_pictures.py::test_segmentation_and_distance_of_a_ball_from_above render/test_mjr.py::test_depth_in_both_mappings
C050           | render.gl.renderer:Renderer        | app/test_view.py::test_stereo_shows_two_eyes
C051           | render.offscreen:Renderer          | render/test_pictures.py::test_too_large_images_name_the_clause
C052-C053      | render.gl.mjr                      | render/test_mjr.py::test_rectangles_text_overlays_and_pixels
C054           | ui.plots:user_figure               | ui/test_overlay.py::test_texts_figures_and_images_of_a_script\
 app/test_passive_window.py::test_images_figures_and_geoms_are_where_the_script_says
C055           | render.gl.renderer:Renderer        | app/test_view.py::test_a_border_is_drawn
C056           | - colours are not converted either; the samples of the window follow `vis.quality` and the machine |
C057-C063      | render.scene.camera                | render/test_scene.py::test_cameras\
 render/test_scene.py::test_camera_moves_equal_the_reference
C064           | render.scene.camera                | render/test_scene.py::test_room_transform_goes_there_and_back
C065           | render.scene.pick:mjv_select       | render/test_scene.py::test_selection_hits_what_the_reference_hits
"""


def spread(text: str) -> list[str]:
    """`A001-A003,A007` -> every id."""
    out: list[str] = []
    for part in text.replace(" ", "").split(","):
        first, _, last = part.partition("-")
        low, high = int(first[1:]), int((last or first)[1:])
        out += [f"{first[0]}{number:03d}" for number in range(low, high + 1)]
    return out


def rows() -> list[tuple[list[str], str, list[str]]]:
    """(ids, where, tests) of every line."""
    out = []
    for line in TABLE.strip().splitlines():
        if line.strip():
            ids, where, tests = ([c.strip() for c in line.split("|")] + [""])[:3]
            out.append((spread(ids), where, tests.split()))
    return out
