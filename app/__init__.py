"""The interactive viewer: window, threads, commands.

    person --> window --> keymap, gestures --> intents --> commands --> Simulation (worker thread)
                                                 |                          |
                                        view (main thread)          lock: one memcpy a frame
                                                 |                          |
                                                 +----> session.frame <-----+   scene -> GL, panels -> ImGui

Start         boot.py      the window, while the engine is imported     splash.py    what it shows until then
              opening.py   a session on a window                        window.py    glfw window, callbacks, HiDPI, drops
Session       session.py   the frame loop                               activity.py  when to draw, when to rest
              parts.py     what a window is made of, by type            observers.py one event, and those who follow it
              events.py    window -> intents                            interface.py panels, and what they see
              document.py  the model file: load, watch, reload          display.py   the 3D view: renderer, effort, pictures
              filming.py   films of the window                          messages.py  console and notices
              settings.py  what outlives a session                      memory.py    what is kept of each model file
              actions.py   intent -> action on window and view          trace.py     a record for tests and bug reports
              undo.py      what was done, to take it back     undo_rows.py  how requests to the view are taken back
              reverse.py   how requests to the simulation are taken back
              editing.py   edits of elements in their text    files.py      files that are written
              drafts.py    unsaved texts, for after a crash   flags.py      flags of the view as one value
View          view.py      camera, options, perturbation, selection     looks.py     what is hidden, faded, isolated
              gestures.py  mouse in the 3D view                         keymap.py    the chord table; also feeds Help
              grip.py      the point that a pan or a pull holds         fly.py       the camera flies by keys
              gui.py       ImGui on our window                          effort.py    how much work a frame may be
              insets.py    what other cameras see, for panels           photo.py     pictures of the studio, beside the frames
Simulation    worker.py    the physics thread                           simulation.py  Model, Data and when to step
              commands.py  intent -> action on the simulation           host.py      who steps: the worker or a script
              pacing.py    frame pacer, clock, rate meters              lock.py      recursive lock that lets the renderer in
              history.py   ring of states                               noise.py     control noise
              logbook.py   every step and intent of a session           replay.py    `tumble replay`
              recorder.py  what is plotted, sampled between steps       settable.py  which fields intents may set
              warned.py    what the engine warned about
              snapshot.py  the renderer's copy of Data                  channels.py  slots and queues between threads
Files         loading.py   compile aside, last good model stays         reload.py    watch the files of a model
              transfer.py  carry a state over to an edited model        config.py    settings kept between sessions
              film.py      writing films: ffmpeg, GIF, pictures         record.py    a film written on a thread of its own
              addons.py    where plugins are               plugins.py    which run, and run again when saved
Doctor        doctor/       why a simulation blew up: signs, causes, remedies that were tried
Commands      headless.py  bench, compile, info, warmup                 render.py    `tumble render`
              told.py      one line that says what is wrong             dropin.py    run scripts written for `mujoco`
              kernels.py   `tumble cache`                             trust.py     which files a model may read
              arguments.py what commands are given, a row each        completion.py completion for shells
              compare.py   `tumble diff`                              finding.py   `tumble.help`
              sweep.py     `tumble sweep`                               journey.py   how a camera goes during a film
Browsers      web/          scenes, controls and players in browsers     serving.py   `tumble serve`, viewer.serve, tumble.show
Scripts       passive.py   the `mujoco.viewer` calls                windows.py   the thread that draws the windows of scripts
              passive_host.py  a script's steps, and what it exchanges with its window in `sync`

Threads share messages, not objects. Data is guarded by one lock; the render thread draws its own copy.
"""
