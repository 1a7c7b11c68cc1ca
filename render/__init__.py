"""Rendering in two parts, which share one object, the `MjvScene`.

    render.scene       what to draw: mjv_* functions and Mjv* records; uses only numpy, no graphics calls
    render.gl          how to draw it: the only package that imports OpenGL
    render.offscreen   Renderer: color, depth and segmentation images without a window (interface of mujoco.Renderer)
    render.gl.mjr      MjrContext, mjr_render, mjr_readPixels ...: for scripts that own their context
    render.gl.context  GLContext: headless contexts (EGL, OSMesa, hidden glfw window)
    render.studio      Studio: images for publication, each the mean of many samples; its settings are in render.look
    render.usd         USDExporter: scenes as USD files for other renderers
    render.null        NullRenderer: the interface of render.gl without drawing, for tests and machines without OpenGL

A window makes the calls below in the thread that owns the OpenGL context. The context needs OpenGL >= 3.3 core and a depth
buffer, but no stencil buffer; it can have any number of samples.

    from .scene import MjvScene, MjvCamera, MjvOption, MjvPerturb, mjv_updateScene, mjv_defaultFreeCamera
    from .gl.renderer import Renderer

    scene, cam, opt, pert = MjvScene(model, 100000), MjvCamera(), MjvOption(), MjvPerturb()
    mjv_defaultFreeCamera(model, cam)
    renderer = Renderer(model)                         # compiles shaders, uploads the model
    each frame:
        mjv_updateScene(model, data, opt, pert, cam, mjtCatBit.mjCAT_ALL, scene)    # reads Data, so needs its lock
        renderer.draw(scene, (x, y, width, height), framebuffer=0)                  # needs no lock, as it reads no Data
    new model:           renderer.upload(model); scene = MjvScene(model, 100000)
    changed asset:       renderer.update_mesh(i), update_hfield(i), update_texture(i)
    quality:             renderer.quality = render.gl.quality.LEVELS[k], or an Adapter fed with frame times
    look:                renderer.lighting = render.gl.lighting.PIXEL (windows) or CLASSIC (offscreen pictures, mjr_render)
    at the end:          renderer.close()

`draw` leaves OpenGL in the state that an ImGui backend expects: depth test, culling and blending off, no program or vertex
array bound, filled polygons, texture unit 0 active and the framebuffer bound. `model.vis` is read in every draw call, so
edits are visible at once. `renderer.draw_ids(scene, w, h)` returns segmentation ids and distances; `renderer.stats` counts
the last frame's draw calls.
"""
