"""OpenGL 3.3 core. The only package that imports OpenGL; see render/__init__.py for how it is used.

    calls.py      OpenGL's functions and constants, as the current context of a thread has them
    libraries.py  EGL, GLX, OSMesa: whose context is current         context.py    contexts without a window
    state.py      the door to OpenGL            programs.py   shaders from assets/shaders, uniforms
    buffers.py    vertex, instance, line and uniform storage          textures.py  model textures
    targets.py    framebuffers, shadow maps     quality.py    effort levels and their adaptation
    lighting.py   light at pixels or vertices                         materials.py metals, for render.studio
    record_kernels.py  what is done for every geom of a frame, compiled
    instances.py  scene -> sorted instance records                    frame.py     cameras, lights, shadow projections (numpy)
    renderer.py   order of passes               text.py       labels               image.py     pictures into arrays
    mjr.py        the mjr_* calls               mjr_context.py  MjrContext         figure.py    mjr_figure

A frame is a few dozen GL calls: geoms of equal shape and texture are one instanced call, their records come from a buffer texture.
"""
