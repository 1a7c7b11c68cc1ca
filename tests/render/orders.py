"""Renderer, window, passive viewer and mjr context in one process, in an order given by letters;
tests/render/test_orders.py runs it.

    python -m tests.render.orders rwpc wrcp ...     one child process for each order, forked from a process with the engine

For every order, each context draws twice more after all are made, then those that can be closed are closed.
"""

import os
import sys
import time
import traceback

import numpy as np

import tumble as mujoco

# small shadows and no samples: what is drawn is not the question
XML = """<mujoco><visual><quality shadowsize="64" offsamples="0"/></visual>
<worldbody><light pos="0 0 3"/><geom size="1" rgba="1 0 0 1"/><camera name="c" pos="0 0 3"/></worldbody></mujoco>"""
SIZE, SETTLE = 64, 0.2
RED, NOT_RED = 150, 120


def check(rgb, what):
    """The ball is red in the middle of a picture."""
    red, green, _ = rgb[rgb.shape[0] // 2, rgb.shape[1] // 2]
    assert red > RED and green < NOT_RED, f"{what}: {rgb[SIZE // 2, SIZE // 2]}"


def drawn(m, d, con, framebuffer):
    """(SIZE, SIZE, 3) of a scene drawn by mjr_render."""
    cam, scene, rect = mujoco.MjvCamera(), mujoco.MjvScene(m, 100), mujoco.MjrRect(0, 0, SIZE, SIZE)
    mujoco.mjv_defaultFreeCamera(m, cam)
    mujoco.mjv_updateScene(m, d, mujoco.MjvOption(), None, cam, mujoco.mjtCatBit.mjCAT_ALL, scene)
    mujoco.mjr_setBuffer(framebuffer, con)
    mujoco.mjr_render(rect, scene, con)
    out = np.zeros((SIZE, SIZE, 3), np.uint8)
    mujoco.mjr_readPixels(out, None, rect, con)
    return out


def renderer(m, d):
    """mujoco.Renderer."""
    r = mujoco.Renderer(m, SIZE, SIZE)

    def draw():
        r.update_scene(d, "c")
        check(r.render(), "renderer")

    return draw, r.close


def window(m, d):
    """A glfw window of the script with an MjrContext."""
    import glfw

    assert glfw.init()
    glfw.window_hint(glfw.VISIBLE, 0)
    handle = glfw.create_window(SIZE, SIZE, "window", None, None)
    assert handle, glfw.get_error()
    glfw.make_context_current(handle)
    con = mujoco.MjrContext(m, 100)

    def draw():
        glfw.make_context_current(handle)
        check(drawn(m, d, con, mujoco.mjtFramebuffer.mjFB_WINDOW), "window")
        glfw.swap_buffers(handle)
        glfw.poll_events()

    return draw, con.free


def passive(m, d):
    """mujoco.viewer.launch_passive."""
    from tumble import viewer

    handle = viewer.launch_passive(m, d)
    time.sleep(SETTLE)

    def draw():
        assert handle.is_running(), "the viewer has ended"
        handle.sync()

    return draw, handle.close


def context(m, d):
    """GLContext with an MjrContext; left to the end of the process."""
    gl = mujoco.GLContext(SIZE, SIZE)
    gl.make_current()
    con = mujoco.MjrContext(m, 100)

    def draw():
        gl.make_current()
        check(drawn(m, d, con, mujoco.mjtFramebuffer.mjFB_OFFSCREEN), "context")

    return draw, lambda: None


MAKERS = dict(r=renderer, w=window, p=passive, c=context)


def run(order, m, d):
    """Run one order; AssertionError if something is not drawn."""
    made = []
    for letter in order:
        made.append(MAKERS[letter](m, d))
        made[-1][0]()
    for draw, _ in made * 2:
        draw()
    for _, close in made:
        close()


def main(orders):
    """Print the orders that fail; exit status 1 if there is one."""
    m = mujoco.MjModel.from_xml_string(XML)
    d = mujoco.MjData(m)
    mujoco.mj_forward(m, d)
    failed = 0
    for order in orders:
        child = os.fork()
        if not child:
            try:
                run(order, m, d)
                sys.exit(0)
            except BaseException as error:
                status = 0 if isinstance(error, SystemExit) else 1
                if status:
                    traceback.print_exc()
                # end the process so that it frees the rest, like a script
                raise SystemExit(status) from None
        status = os.waitpid(child, 0)[1]
        if status:
            failed += 1
            print(f"{order}: {status}", flush=True)
    return int(bool(failed))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
