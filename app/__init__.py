"""The interactive viewer: window, threads, commands.

    user   --> window --> keymap, gestures --> intents --> commands --> Simulation (worker thread)
                                                 |                          |
                                        view (main thread)          lock: one memcpy a frame
                                                 |                          |
                                                 +----> session.frame <-----+   scene -> GL, panels -> ImGui

Start         boot.py      the window, while the engine is imported     splash.py     shown until then
              opening.py   a session on a window                        window.py     glfw window, callbacks, HiDPI, drops
Session       session.py   the frame loop                               activity.py   when to draw, when to rest
              parts.py     the parts of a window                        observers.py  events with followers
              events.py    window -> intents                            interface.py  panels and their inputs
              document.py  the model file: load, watch, reload          display.py    the 3D view: renderer, quality, pictures
              filming.py   films of the window                          messages.py   console and notices
              settings.py  saved flags, layout and window size          memory.py     settings of each model file
              actions.py   intent -> action on window and view          trace.py      a record for tests and bug reports
              undo.py      undo and redo                                undo_rows.py  undo of requests to the view
              reverse.py   undo of requests to the simulation
              editing.py   edits of elements in the model file          files.py      writing of files
              drafts.py    copies of unsaved texts                      flags.py      flags of the view as one value
              recordings.py  session logs and motions on the timeline
              saving.py    saving of texts, and questions about them    edits.py      edits of elements as patches
              exports.py   pictures and tables, written in a thread
              shaping.py   collision shapes in place of mesh geoms
View          view.py      camera, options, perturbation, selection     looks.py      hidden, faded, isolated elements
              gestures.py  mouse in the 3D view                         keymap.py     the chord table; also feeds Help
              grip.py      the point that a pan or a pull holds         fly.py        flying with keys
              gui.py       ImGui on our window                          effort.py     quality chosen by frame times
              insets.py    other cameras' views, for panels             photo.py      studio pictures
              robot_actions.py  intent -> action on imported files
              staging.py   floor, lights and sky for models that have none
Simulation    worker.py    the physics thread                           simulation.py Model, Data and when to step
              commands.py  intent -> action on the simulation           host.py       who steps: the worker or a script
              pacing.py    frame pacer, clock, rate meters              lock.py       recursive lock, fair to the renderer
              state_history.py   ring of states                         noise.py      control noise
              logbook.py   every step and intent of a session           replay.py     `tumble replay`
              recorder.py  samples for plots                            settable.py   fields that intents may set
              warned.py    warnings of the engine                       puppet.py     pulls that move the joints
              posing.py    no gravity or springs, to pose a model
              begun.py     new contacts                                 needs.py      assets and classes of copied elements
              snapshot.py  the renderer's copy of Data                  channels.py   slots and queues between threads
Files         loading.py   compiling in the background                  reload.py     watch the files of a model
              thumbnails.py  pictures of model files for the chooser
              transfer.py  carry a state over to an edited model        config.py     settings kept between sessions
              film.py      writing films: ffmpeg, GIF, pictures         record.py     a film written in a thread
              addons.py    where plugins are                            plugins.py    runs plugins, again when saved
Doctor        doctor/       why a simulation becomes unstable: signs, causes, tried remedies
Commands      headless.py  bench, compile, info, warmup                 render.py     `tumble render`
              told.py      errors and progress of commands              dropin.py     run scripts written for `mujoco`
              kernels.py   `tumble cache`                               trust.py      which files a model may read
              arguments.py the table of commands and their arguments    completion.py completion for shells
              compare.py   `tumble diff`                                finding.py    `tumble.help`
              sweep.py     `tumble sweep`                               journey.py    camera motion during a film
              terminal.py  control characters in printed names
Browsers      web/         scenes, controls and players in browsers     serving.py    `tumble serve`, viewer.serve, tumble.show
Scripts       passive.py   the `mujoco.viewer` calls                    windows.py    the thread that draws scripts' windows
              passive_host.py  the exchange of a script with its window in `sync`
              additions.py     panels and keys of scripts and plugin files

Threads share messages, not objects. Data is guarded by one lock; the render thread draws its own copy.
"""
