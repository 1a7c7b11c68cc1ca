"""OpenGL 3.3 core. This is the only package that imports OpenGL; render/__init__.py shows how to use it.

    calls.py      OpenGL functions and constants of the calling thread's current context
    libraries.py  EGL, GLX, OSMesa: finds the current context        context.py    contexts without a window
    state.py      access to OpenGL, GL state    programs.py   shaders from assets/shaders, uniforms
    buffers.py    vertex, instance, line and uniform storage          textures.py  model textures
    targets.py    framebuffers, shadow maps     quality.py    quality levels and their adaptation
    gradient.py   a sky for models without one
    lighting.py   lighting per pixel or vertex                        materials.py metals, for render.studio
    record_kernels.py  compiled per-geom work of a frame
    instances.py  scene -> sorted instance records                    frame.py     cameras, lights, shadow projections (numpy)
    assets.py     triangles and tables of a model, without OpenGL
    renderer.py   draws a frame, pass by pass   text.py       labels               image.py     images as arrays
    mjr.py        the mjr_* calls               mjr_context.py  MjrContext         figure.py    mjr_figure

A frame takes a few dozen GL calls: geoms with the same shape and texture are drawn by one instanced call, which reads their
records from a buffer texture.
"""
