"""The interactive viewer: window, threads, commands.

    person --> window --> keymap, gestures --> intents --> commands --> Simulation (worker thread)
                                                 |                          |
                                        view (main thread)          lock: one memcpy a frame
                                                 |                          |
                                                 +----> session.frame <-----+   scene -> GL, panels -> ImGui

window.py     glfw window, callbacks, HiDPI, drops       keymap.py    the chord table; also feeds Help
gestures.py   mouse in the 3D view                       view.py      camera, options, perturbation, selection
session.py    the frame loop                             boot.py      the window while the engine is imported
gui.py        ImGui on our window                        effort.py    how much work a frame may be
trace.py      a record for tests and bug reports
worker.py     the physics thread                         simulation.py  Model, Data and when to step
pacing.py     frame pacer, clock that ties simulation    lock.py      recursive lock that lets the renderer in
              time to wall time, rate meters             channels.py  slots and queues between threads
history.py    ring of states                             noise.py     control noise
commands.py   intent -> action on the simulation         actions.py   intent -> action on window and view
loading.py    compile aside, last good model stays       reload.py    watch the files of a model
transfer.py   carry a state over to an edited model      snapshot.py  the renderer's copy of Data
config.py     settings kept between sessions             memory.py    what is kept of each model file
headless.py   bench, compile, info, warmup               render.py    `tumble render`
film.py       writing films: ffmpeg, GIF, pictures       record.py    a film of the window
passive.py    the `mujoco.viewer` calls                  dropin.py    run scripts written for `mujoco`

Threads share messages, not objects. Data is guarded by one lock; the render thread draws its own copy.
"""
