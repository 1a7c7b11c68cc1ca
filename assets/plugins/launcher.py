"""Object launcher: press Enter to fire a ball or a box from the camera into the scene.

Turn it on in the viewer's settings. For a launcher of your own, copy this file into your folder of plugins and change it. It
shows how a plugin file adds bodies to each model (`edit_spec`), and a panel and a key to the viewer (`extend_viewer`).
"""

import numpy as np

import tumble as mujoco
from tumble.viewer import Board

# {kind: geom type, radius of the bounding sphere and inertia of a body with size 1 and mass 1, volume in cubes of the size}
KINDS = {
    "ball": (mujoco.mjtGeom.mjGEOM_SPHERE, 1.0, 0.4, 4 / 3 * np.pi),
    "box": (mujoco.mjtGeom.mjGEOM_BOX, np.sqrt(3.0), 2 / 3, 8.0),
}
# bodies of each kind; the oldest is fired again when all are in use
COUNT = 6
# contact bits that match those of every geom that has any
EVERYTHING = (1 << 31) - 1
NAME = "shot {} {}"
ORANGE = (1.0, 0.55, 0.1, 1.0)


def edit_spec(spec: mujoco.MjSpec) -> None:
    """Add bodies that wait to be fired: invisible, without contacts and without weight."""
    for kind, (shape, *_) in KINDS.items():
        for i in range(COUNT):
            body = spec.worldbody.add_body(name=NAME.format(kind, i), gravcomp=1)
            body.add_freejoint()
            body.add_geom(type=shape, size=[0.01] * 3, mass=0.01, rgba=(*ORANGE[:3], 0), contype=0, conaffinity=0)


def resize(m: mujoco.MjModel, body: int, kind: str, size: float, mass: float) -> None:
    """Set size and mass of a waiting body, and the constants that the engine derives from them."""
    _, radius, inertia, _ = KINDS[kind]
    geom, dof, box = m.body_geomadr[body], m.body_dofadr[body], m.body_bvhadr[body]
    m.geom_size[geom], m.geom_rbound[geom] = size, radius * size
    m.geom_aabb[geom, 3:] = size
    if box >= 0:
        m.bvh_aabb[box, 3:] = size
    m.body_mass[body] = m.body_subtreemass[body] = m.dof_M0[dof : dof + 3] = mass
    m.body_inertia[body] = m.dof_M0[dof + 3 : dof + 6] = inertia * mass * size**2
    m.dof_invweight0[dof : dof + 6] = 1 / m.dof_M0[dof : dof + 6]
    m.body_invweight0[body] = m.dof_invweight0[[dof, dof + 3]]


class Launcher:
    """The panel of a window, and the bodies that it has fired: {body: simulation time}, oldest first."""

    def __init__(self, board: Board) -> None:
        self.board, self.fired = board, dict[int, float]()
        panel = board.add_panel("Object launcher")
        self.kind = panel.add_choice("Kind", tuple(KINDS))
        self.size = panel.add_slider("Size", 0.005, 1, 0.1, help="Radius of the ball, or half the side of the box, in meters")
        self.speed = panel.add_slider("Speed", 0, 20, 5, help="Meters per second, in the direction of the view")
        self.density = panel.add_slider("Density", 10, 8000, 500, help="Kilograms per cubic meter; water has 1000")
        self.life = panel.add_slider("Life", 0.5, 60, 10, help="Seconds after which an object vanishes")
        panel.add_button("Fire", self.fire, "Fire from the middle of the view; Enter does the same")
        panel.add_button("Remove all", self.clear)
        board.on_key("Enter", self.fire)
        board.on_load(self.fit)
        board.on_frame(self.expire)

    def fit(self) -> None:
        """Choose sizes and speeds that suit the new model."""
        extent, self.fired = float(self.board.m.stat.extent), {}
        self.size.high, self.size.value = 0.2 * extent, 0.03 * extent
        self.speed.high, self.speed.value = 20 * extent**0.5, 4 * extent**0.5

    def fire(self) -> None:
        """Fire an object from the camera."""
        m, d = self.board.m, self.board.d
        kind = tuple(KINDS)[self.kind.value]
        bodies = [mujoco.mj_name2id(m, mujoco.mjtObj.mjOBJ_BODY, NAME.format(kind, i)) for i in range(COUNT)]
        if bodies[0] < 0:
            raise ValueError("this model has no bodies for the launcher: binary models cannot be changed")

        body = next((body for body in bodies if body not in self.fired), None)
        if body is None:
            body = next(body for body in self.fired if body in bodies)
        size = self.size.value
        resize(m, body, kind, size, self.density.value * KINDS[kind][3] * size**3)

        # while paused, each object follows behind the one before
        ahead = 3 - 2.5 * list(self.fired.values()).count(d.time)
        place, toward = self.board.eye
        joint = m.body_jntadr[body]
        q, v = m.jnt_qposadr[joint], m.jnt_dofadr[joint]
        d.qpos[q : q + 7] = [*(place + ahead * size * toward), 1, 0, 0, 0]
        d.qvel[v : v + 6] = [*(self.speed.value * toward), 0, 0, 0]
        self.show(body, True)
        self.fired.pop(body, None)
        self.fired[body] = d.time
        # while paused, no step computes where the object is
        mujoco.mj_forward(m, d)

    def show(self, body: int, on: bool) -> None:
        """Let a body take part in the simulation, or wait."""
        m, d = self.board.m, self.board.d
        geom, v = m.body_geomadr[body], m.body_dofadr[body]
        # the masks of a body are those of all its geoms together
        m.geom_contype[geom] = m.geom_conaffinity[geom] = EVERYTHING if on else 0
        m.body_contype[body] = m.body_conaffinity[body] = m.geom_contype[geom]
        m.geom_rgba[geom, 3] = on
        m.body_gravcomp[body] = not on
        if not on:
            d.qvel[v : v + 6] = 0

    def expire(self) -> None:
        """Remove objects whose life has ended, and all objects after a reset."""
        now = self.board.d.time
        for body, time in list(self.fired.items()):
            if not 0 <= now - time < self.life.value:
                self.show(body, False)
                del self.fired[body]

    def clear(self) -> None:
        """Remove all objects."""
        for body in self.fired:
            self.show(body, False)
        self.fired = {}


def extend_viewer(board: Board) -> None:
    Launcher(board)
