"""The renderer: a model is uploaded once; its scenes are then drawn into any framebuffer of the current context.

Order of a frame: draw list, shadow maps, mirror image; then, in the target, opaque geoms, sky and haze, transparent geoms twice
(near to far, far to near), lines, labels. Segmentation draws only flat colors instead.
"""

from collections.abc import Sequence
from time import perf_counter
from typing import Any

import numpy as np

from ...engine.core.model import MjModel
from ...engine.tables.enums import mjtRndFlag, mjtStereo
from ..scene import tessellate
from ..scene.abstract import MjvGLCamera, MjvScene, drawn
from ..scene.camera import head_in_model, mjv_averageCamera
from ..scene.surfaces import flex_mesh, skin_mesh
from . import frame
from .assets import Assets, prepare
from .buffers import FrameBlock, InstanceStore, LineStore, ShapeStore, SurfaceStore
from .frame import PLANE
from .gradient import NO_GRADIENT, Gradient
from .instances import CASTER, FAR_FIRST, PLAIN, TRANSPARENT, UNIT, DrawList
from .lighting import PIXEL, Lighting
from .materials import Surroundings, mark
from .programs import (
    CLIP_UNIT,
    CUBE_UNIT,
    FRAME_BINDING,
    INSTANCE_UNIT,
    MIRROR_UNIT,
    SHADOW_UNIT,
    SKY_UNIT,
    TEXTURE_UNIT,
    Program,
)
from .quality import Quality, from_model
from .state import GL, require_context, reverse_depth, toggle, whole_depth
from .targets import ShadowMaps, Target
from .text import Labels
from .textures import TextureStore, dummies

F_SHADOW, F_WIRE, F_MIRROR, F_ADD, F_SKY, F_FOG, F_HAZE, F_SEG, F_ID, F_CULL = (
    int(mjtRndFlag["mjRND_" + k])
    for k in ("SHADOW", "WIREFRAME", "REFLECTION", "ADDITIVE", "SKYBOX", "FOG", "HAZE", "SEGMENT", "IDCOLOR", "CULL_FACE")
)
STEREO_NONE = int(mjtStereo.mjSTEREO_NONE)
PROGRAMS = dict(
    geom=("geom", "geom"),
    depth=("depth", "depth"),
    id=("id", "id"),
    sky=("sky", "sky"),
    line=("line", "line"),
    lineid=("line", "id"),
)
# Programs that compute lighting. For per-vertex lighting, there is one program for each number of shadow maps.
LIT = ("geom", "line")
# Programs that position shapes.
PLACED = ("geom", "id")
SKY_DISTANCE = 0.7


class Renderer:
    """Draws scenes of one model. Needs a current OpenGL >= 3.3 context, the same for all calls.

    quality and lighting (a row of render.gl.lighting) can be replaced at any time. `stats` counts draw calls and instances of
    the last frame. `background` (r, g, b), or `gradient` (zenith, horizon) if given, is visible if the model has no sky.
    `studio` enables metallic and rough materials.
    """

    def __init__(self, model: MjModel | None = None, quality: Quality | None = None, lighting: Lighting = PIXEL) -> None:
        self.device, self.version = require_context()
        self.lighting = lighting
        # The shader programs; None after `close`.
        self.programs: dict[tuple, Program] | None = {}
        self.places = InstanceStore(4)
        self.shapes, self.instances, self.surfaces, self.lines = ShapeStore(), InstanceStore(7), SurfaceStore(), LineStore()
        self.block = FrameBlock(FRAME_BINDING)
        self.textures, self.shadows, self.labels = TextureStore(), ShadowMaps(), Labels()
        self.mirror_target, self.mirror_plain = Target(what="mirror"), Target(what="mirror, resolved")
        self.max_samples = int(GL.glGetIntegerv(GL.GL_MAX_SAMPLES))
        self.id_target = Target((GL.GL_RGBA8, GL.GL_R32F), what="id")
        self.whole_depth = whole_depth()
        self.frame = frame.FrameData(self.whole_depth)

        self.stats = dict(draws=0, instances=0, triangles=0)
        self.background = (0.0, 0.0, 0.0)
        self.gradient, self._gradient = NO_GRADIENT, Gradient()
        self.studio: Surroundings | None = None
        self._model: MjModel | None = None
        self._quality: Quality | None = quality
        self._shape_key: tuple | None = None
        self._flat = FLAT_SHAPES
        self._dummies = dummies()
        if model is not None:
            self.upload(model)

    def upload(self, model: MjModel, assets: Assets | None = None, whole: bool = True) -> None:
        """Replace the uploaded model by another one. `assets`: the result of `prepare`, if available. If `whole` is false, the
        caller must then call `write` until `waiting` is 0.
        """
        self._model = model
        if self._quality is None:
            self._quality = from_model(model)
        assets = assets or prepare(model)
        self.tables, self.skins = assets.tables, assets.skins
        self.list = DrawList(self.tables)
        self.shapes.set_assets(assets.shapes, assets.simple)
        self._shape_key = None
        self._fit_shapes()
        self.textures.begin(model)
        if whole:
            self.write()

    @property
    def waiting(self) -> int:
        """Number of shapes and textures that are not written yet."""
        return self.shapes.waiting + self.textures.waiting

    def write(self, seconds: float = float("inf")) -> None:
        """Write shapes, then textures, for about `seconds`."""
        until = perf_counter() + seconds
        if self.shapes.waiting:
            self.shapes.write(until)
            if perf_counter() > until:
                return
        self.textures.write(self.model, until)

    def _fit_shapes(self) -> None:
        """Upload unit shapes at the current quality."""
        q, haze = self.quality, float(self.model.vis.map.haze)
        cells = tessellate.cells_of(self.model) if self.lighting.classic else 0
        if self._shape_key == (q.slices, q.stacks, haze, cells, q.triangles):
            return
        self._shape_key = (q.slices, q.stacks, haze, cells, q.triangles)
        self.shapes.triangles = q.triangles
        unit, cut, t = tessellate.unit_shapes(q.slices, q.stacks, haze), [], self.tables
        if cells:
            pieces = tessellate.unit_shapes(q.slices, q.stacks, haze, cells)
            cut = [pieces[k] for k in UNIT] + [tessellate.lattice(x, y) for x, y in t.grids.values()]
        self.shapes.set_units([unit[k] for k in UNIT], cut)
        self._flat = FLAT_SHAPES | {t.cut0 + k for k in FLAT_SHAPES} | set(range(t.grid0, t.grid0 + len(t.grids)))

    def program(self, name: str) -> Program:
        """Make one of a frame's programs current, in the variant that the frame needs, and return it."""
        classic = self.lighting.classic and name in LIT + PLACED
        defines = (("CLASSIC", 1), ("CASTS", len(self.frame.layers) if name in LIT else 0)) if classic else ()
        if self.studio is not None and name == "geom":
            defines = (*defines, ("STUDIO", 1))
        key = name, defines
        assert self.programs is not None
        if key not in self.programs:
            self.programs[key] = Program(*PROGRAMS[name], defines)
        self.programs[key].use()
        return self.programs[key]

    @property
    def model(self) -> MjModel:
        """The model uploaded last."""
        assert self._model is not None
        return self._model

    @property
    def quality(self) -> Quality:
        """Quality of the frames; see render.gl.quality. The initial value is the quality that the model requests."""
        assert self._quality is not None
        return self._quality

    @quality.setter
    def quality(self, value: Quality) -> None:
        self._quality = value

    def update_mesh(self, i: int) -> None:
        """Upload mesh i of the model and its hull again."""
        self.shapes.replace(2 * i, tessellate.mesh(self.model, i))
        if (hull := tessellate.hull(self.model, i)) is not None:
            self.shapes.replace(2 * i + 1, hull)

    def update_hfield(self, i: int) -> None:
        """Upload height field i of the model again."""
        self.shapes.replace(2 * self.model.nmesh + i, tessellate.hfield(self.model, i))

    def update_texture(self, i: int) -> None:
        """Upload texture i of the model again."""
        self.textures.update(self.model, i)

    # ---- drawing

    def draw(self, scene: MjvScene, viewport: tuple[int, int, int, int], framebuffer: int = 0) -> None:
        """Draw a scene into viewport (x, y, width, height; pixels, origin bottom left) of a framebuffer.

        The framebuffer needs color and depth buffers. Only the viewport changes. GL state after the call: framebuffer bound,
        viewport set, depth test and culling off, no program, texture unit 0 active.
        """
        x, y, w, h = (int(v) for v in viewport)
        if w <= 0 or h <= 0:
            return
        self.begin(framebuffer, x, y, w, h, self.background)
        if (scene.glcam.frustum_near <= 0).any():
            if scene.ngeom:
                raise ValueError("the scene has geoms but no camera: update its camera first")
            return

        self._fit_shapes()
        self.stats.update(draws=0, instances=0, triangles=0)
        self._prepare(scene)
        if scene.stereo == STEREO_NONE:
            views = [(mjv_averageCamera(*scene.camera), (x, y, w, h))]
        else:
            views = [(scene.camera[0], (x, y, w // 2, h)), (scene.camera[1], (x + w // 2, y, w // 2, h))]
        for cam, rect in views:
            self._view(scene, cam, rect, framebuffer)
        if scene.framewidth:
            self._border(scene, (x, y, w, h))
        self.finish(framebuffer, x, y, w, h)

    def begin(self, framebuffer: int, x: int, y: int, w: int, h: int, color: Sequence[float] = (0, 0, 0)) -> None:
        """Bind a framebuffer and clear the viewport in it."""
        reverse_depth(True, self.whole_depth)
        GL.glBindFramebuffer(GL.GL_FRAMEBUFFER, framebuffer)
        GL.glViewport(x, y, w, h)
        GL.glScissor(x, y, w, h)
        GL.glEnable(GL.GL_SCISSOR_TEST)
        GL.glDepthMask(True)
        GL.glClearColor(*color, 0)
        GL.glClear(GL.GL_COLOR_BUFFER_BIT | GL.GL_DEPTH_BUFFER_BIT)
        GL.glDisable(GL.GL_SCISSOR_TEST)

    def finish(self, framebuffer: int, x: int, y: int, w: int, h: int) -> None:
        """Restore a simple GL state."""
        for cap in (GL.GL_DEPTH_TEST, GL.GL_CULL_FACE, GL.GL_BLEND, GL.GL_SCISSOR_TEST, GL.GL_CLIP_DISTANCE0):
            GL.glDisable(cap)
        reverse_depth(False, self.whole_depth)
        GL.glPolygonMode(GL.GL_FRONT_AND_BACK, GL.GL_FILL)
        GL.glDepthMask(True)
        GL.glBindVertexArray(0)
        GL.glUseProgram(0)
        GL.glActiveTexture(GL.GL_TEXTURE0)
        GL.glBindFramebuffer(GL.GL_FRAMEBUFFER, framebuffer)
        GL.glViewport(x, y, w, h)

    def _prepare(self, scene: MjvScene) -> None:
        """Build the draw list; upload what both eyes' views share."""
        self.head = head_in_model(scene)[0]
        classic, seg = self.lighting.classic, bool(drawn(scene)[F_SEG])
        self.list.build(scene, self.head, classic, classic and not seg)
        self._upload_surfaces(scene)
        if self.list.count > self.instances.limit:
            raise RuntimeError(
                f"{self.list.count} geoms do not fit into the buffer texture of this GPU ({self.instances.limit})"
            )
        if self.studio is not None:
            mark(self.list, scene.geom, self.model)
        self.instances.upload(self.list.records[: self.list.count])
        self.lines.upload(self.list.lines)
        self.stats["instances"] = self.list.count

    def _surroundings(self, program: Program) -> None:
        """Bind the shader inputs for reflections on metals."""
        if self.studio is not None:
            self.studio.tell(program)
            GL.glActiveTexture(GL.GL_TEXTURE0 + SKY_UNIT)
            GL.glBindTexture(
                GL.GL_TEXTURE_CUBE_MAP, self.textures.ids[self.textures.sky] if self.textures.sky >= 0 else self._dummies[1]
            )

    def _view(self, scene: MjvScene, cam: MjvGLCamera, rect: tuple[int, int, int, int], framebuffer: int) -> None:
        """Draw the view of one eye."""
        x, y, w, h = rect
        seg, q = bool(drawn(scene)[F_SEG]), self.quality
        shadows = bool(drawn(scene)[F_SHADOW]) and q.shadowsize > 0 and not seg
        self.frame.begin(scene, self.model, cam, (w, h), q, shadows, self.lighting.classic)
        self.block.upload(self.frame.block)
        GL.glActiveTexture(GL.GL_TEXTURE0 + TEXTURE_UNIT)
        GL.glBindTexture(GL.GL_TEXTURE_2D, self._dummies[0])
        GL.glActiveTexture(GL.GL_TEXTURE0 + CUBE_UNIT)
        GL.glBindTexture(GL.GL_TEXTURE_CUBE_MAP, self._dummies[1])
        self.instances.bind(INSTANCE_UNIT)
        self._place()
        GL.glEnable(GL.GL_DEPTH_TEST)
        GL.glDisable(GL.GL_BLEND)
        if seg:
            self._bind(framebuffer, rect)
            self._segment(scene)
            return

        # Draw the shadow maps and the mirror image, then the view itself.
        GL.glEnable(GL.GL_MULTISAMPLE)
        self.shadows.resize(max(q.shadowsize, 1), max(len(self.frame.layers), 1))
        for layer in range(len(self.frame.layers)):
            self._shadow(layer)
        mirror = self.list.mirror if drawn(scene)[F_MIRROR] and q.mirror > 0 else None
        if mirror is not None:
            mirror = self._mirror(scene, mirror, w, h)
        self._bind(framebuffer, rect)
        self._main(scene, mirror, rect)
        self._sky(scene, cam)
        self._clear(scene)
        self._draw_lines()
        self.labels.draw(scene, self.frame, rect)

    def _place(self, mirror: np.ndarray | None = None) -> None:
        """Upload the positions of shapes for this view, or for its mirror image if `mirror` (4, 4) is given."""
        if self.lighting.classic:
            self.places.upload(self.frame.clip_matrices(self.list.records[: self.list.count], mirror))
            self.places.bind(CLIP_UNIT)

    def _bind(self, framebuffer: int, rect: tuple[int, int, int, int]) -> None:
        GL.glBindFramebuffer(GL.GL_FRAMEBUFFER, framebuffer)
        GL.glViewport(*rect)

    def _culling(self, scene: MjvScene) -> None:
        toggle(GL.GL_CULL_FACE, drawn(scene)[F_CULL])
        GL.glCullFace(GL.GL_BACK)

    def _run(self, program: Program, batches: Sequence[Sequence[Any]]) -> None:
        """Draw batches with the current program; both sides of planes and triangles are drawn."""
        self.shapes.bind()
        bound, cull, two_sided = None, bool(GL.glIsEnabled(GL.GL_CULL_FACE)), False
        for tex, shape, first, count, _decor in batches:
            if tex >= 0 and tex != bound:
                self.textures.bind(tex, TEXTURE_UNIT, CUBE_UNIT)
                bound = tex
            flat = shape in self._flat
            if cull and flat != two_sided:
                toggle(GL.GL_CULL_FACE, not flat)
                two_sided = flat
            if shape < 0:
                self._run_surface(program, self.list.surfaces[shape], first)
                continue
            self._run_shape(program, shape, first, count)
        if two_sided:
            toggle(GL.GL_CULL_FACE, cull)

    def _run_shape(self, program: Program, shape: int, first: int, count: int) -> None:
        program.int("uBase", first)
        self.shapes.draw(shape, count)
        self.stats["draws"] += 1
        self.stats["triangles"] += count * self.shapes.rows[shape][0] // 3

    def _run_surface(self, program: Program, surface: dict[str, Any], first: int) -> None:
        """Draw a flex, including its vertices and edges, or a skin."""
        for shape, at, count in surface["parts"]:
            self._run_shape(program, shape, at, count)
        program.int("uBase", first)
        self.surfaces.draw(*surface["range"])
        self.stats["draws"] += 1
        self.shapes.bind()

    def _shadow(self, layer: int) -> None:
        """Draw the depth of all shadow casters, as seen from one light. Classic shadow maps clip at the camera's near plane,
        and floors cast shadows."""
        classic = self.lighting.classic
        self.shadows.begin(layer)
        p = self.program("depth")
        p.int("uLayer", layer)
        GL.glDisable(GL.GL_CULL_FACE)
        toggle(GL.GL_DEPTH_CLAMP, not classic)
        GL.glEnable(GL.GL_POLYGON_OFFSET_FILL)
        GL.glPolygonOffset(-1.5, -4.0)
        see = [b for b in self.list.batches[CASTER] + self.list.batches[TRANSPARENT] if not b.decor]
        if self.list.mirror is not None:
            see.append(self.list.mirror_batch)
        see = [(-1, self.tables.whole(s), *more) for _, s, *more in see if classic or s != FLOOR]
        self._run(p, see)
        GL.glDisable(GL.GL_POLYGON_OFFSET_FILL)
        GL.glDisable(GL.GL_DEPTH_CLAMP)

    def _mirror(self, scene: MjvScene, i: int, w: int, h: int) -> int | None:
        """Draw the scene's reflection in geom i. Return i, or None if the geom's front is not visible."""
        g = scene.geom
        normal = g.mat[i].reshape(3, 3)[:, 2].astype(float)
        pos = g.pos[i].astype(float)
        if scene.geoms[i].type != PLANE:
            pos = pos + normal * float(g.size[i, 2])
        if (self.head - pos) @ normal < 0:
            return None

        # Draw the mirrored view into a separate target.
        scale = self.quality.mirror
        mw, mh = max(int(w * scale), 1), max(int(h * scale), 1)
        self.mirror_target.resize(mw, mh, min(self.quality.samples, self.max_samples) if scale >= 1 else 0)
        self.begin(self.mirror_target.fbo, 0, 0, mw, mh)
        self.block.upload(self.frame.mirror(pos, normal, float(g.reflectance[i])))
        self._place(frame.reflection(pos, normal))
        p = self.program("geom")
        p.int("uReflect", 0)
        self.shadows.bind(SHADOW_UNIT, not self.lighting.classic)
        self._culling(scene)
        GL.glFrontFace(GL.GL_CW)
        GL.glEnable(GL.GL_CLIP_DISTANCE0)
        self._run(p, self.list.batches[CASTER] + self.list.batches[PLAIN])
        self._draw_lines()
        p.use()
        self._culling(scene)
        self._blend(scene, p)

        GL.glDisable(GL.GL_CLIP_DISTANCE0)
        GL.glFrontFace(GL.GL_CCW)
        self.block.upload(self.frame.block)
        self._place()
        self._resolve_mirror(mw, mh)
        return i

    def _resolve_mirror(self, w: int, h: int) -> None:
        """Resolve the samples of the mirror image; remember the texture that contains the result."""
        self.mirror_image = self.mirror_target
        if self.mirror_target.samples:
            self.mirror_image = self.mirror_plain
            self.mirror_plain.resize(w, h)
            GL.glBindFramebuffer(GL.GL_READ_FRAMEBUFFER, self.mirror_target.fbo)
            GL.glBindFramebuffer(GL.GL_DRAW_FRAMEBUFFER, self.mirror_plain.fbo)
            GL.glBlitFramebuffer(0, 0, w, h, 0, 0, w, h, GL.GL_COLOR_BUFFER_BIT, GL.GL_NEAREST)

    def _main(self, scene: MjvScene, mirror: int | None, rect: tuple[int, int, int, int]) -> None:
        """Draw opaque geoms."""
        p = self.program("geom")
        self._surroundings(p)
        GL.glPolygonMode(GL.GL_FRONT_AND_BACK, GL.GL_LINE if drawn(scene)[F_WIRE] else GL.GL_FILL)
        self.shadows.bind(SHADOW_UNIT, not self.lighting.classic)
        self._culling(scene)

        # Coincident surfaces add up the light of shadow-casting lights, so draw these lights in a separate, additive pass.
        for part in (1, 2) if self.list.coincident and self.frame.layers else (0,):
            toggle(GL.GL_BLEND, part == 2)
            GL.glBlendFunc(GL.GL_ONE, GL.GL_ONE)
            p.int("uPart", part)
            self._solid(p, mirror, rect)
        p.int("uPart", 0)
        GL.glDisable(GL.GL_BLEND)

    def _solid(self, p: Program, mirror: int | None, rect: tuple[int, int, int, int]) -> None:
        """Draw all opaque geoms, the mirror first."""
        if self.list.mirror is not None:
            GL.glActiveTexture(GL.GL_TEXTURE0 + MIRROR_UNIT)
            GL.glBindTexture(GL.GL_TEXTURE_2D, self.mirror_image.color[0] if mirror is not None else self._dummies[0])
            p.int("uReflect", int(mirror is not None))
            p.vec4("uOrigin", rect[0], rect[1], 0, 0)
            self._run(p, [self.list.mirror_batch])
        p.int("uReflect", 0)
        self._run(p, self.list.batches[CASTER] + self.list.batches[PLAIN])

    def _blend(self, scene: MjvScene, program: Program) -> None:
        """Draw transparent geoms from near to far; then, unless blending is additive, again from far to near."""
        if not self.list.batches[TRANSPARENT]:
            return
        GL.glDepthMask(False)
        GL.glEnable(GL.GL_BLEND)
        add = bool(drawn(scene)[F_ADD])
        # Coverage (alpha) always adds up, even if colors are blended in another way.
        GL.glBlendFuncSeparate(
            GL.GL_SRC_ALPHA, GL.GL_ONE if add else GL.GL_ONE_MINUS_SRC_ALPHA, GL.GL_ONE, GL.GL_ONE_MINUS_SRC_ALPHA
        )
        self._run(program, self.list.batches[TRANSPARENT])
        if not add:
            self._run(program, self.list.batches[FAR_FIRST])
        GL.glDisable(GL.GL_BLEND)
        GL.glDepthMask(True)

    def _clear(self, scene: MjvScene) -> None:
        """Draw transparent geoms; all lights shine on them, without shadows."""
        if not self.list.batches[TRANSPARENT]:
            return
        self.block.upload(self.frame.unshadowed())
        p = self.program("geom")
        self._culling(scene)
        self._blend(scene, p)
        self.block.upload(self.frame.block)

    def _draw_lines(self) -> None:
        """Draw lines, unlit."""
        if len(self.list.lines):
            GL.glPolygonMode(GL.GL_FRONT_AND_BACK, GL.GL_FILL)
            GL.glDisable(GL.GL_CULL_FACE)
            GL.glEnable(GL.GL_BLEND)
            GL.glBlendFunc(GL.GL_SRC_ALPHA, GL.GL_ONE_MINUS_SRC_ALPHA)
            self.program("line")
            self.lines.draw()
            GL.glDisable(GL.GL_BLEND)

    def _sky(self, scene: MjvScene, cam: MjvGLCamera) -> None:
        """Draw sky or gradient on a cylinder around the head, and haze where the sky meets the first infinite plane."""
        gradient = self.gradient if self.textures.sky < 0 else None
        if not drawn(scene)[F_SKY] or self.textures.sky < 0 and gradient is None:
            return
        far = SKY_DISTANCE * cam.frustum_far / (scene.scale if scene.enabletransform else 1)
        model = np.diag([far, far, far, 1.0])
        model[:3, 3] = self.head
        p = self.program("sky")
        GL.glPolygonMode(GL.GL_FRONT_AND_BACK, GL.GL_FILL)
        GL.glDisable(GL.GL_CULL_FACE)
        self._gradient.bind(gradient, CUBE_UNIT) if gradient else self.textures.bind(self.textures.sky, TEXTURE_UNIT, CUBE_UNIT)
        p.vec4("uHaze", 0, 0, 0, 0)
        p.mat4("uModel", model)
        self.shapes.bind()
        self.shapes.draw(UNIT.index("cylinder"), 1)
        if drawn(scene)[F_HAZE]:
            self._haze(scene, far, p, self.model.vis.rgba.haze[:3] if gradient is None else gradient[1])

    def _haze(self, scene: MjvScene, far: float, p: Program, color: Sequence[float]) -> None:
        g, n = scene.geom, scene.ngeom
        hit = np.flatnonzero((g.type[:n] == PLANE) & (g.size[:n, 0] == 0) & (g.size[:n, 1] == 0))
        if not len(hit):
            return
        i = int(hit[0])
        rot = g.mat[i].reshape(3, 3).astype(float)
        height = float((self.head - g.pos[i]) @ rot[:, 2]) / far
        if height < 0:
            return
        model = np.eye(4)
        model[:3, :3] = rot @ np.diag([far, far, far * height])
        model[:3, 3] = self.head - rot[:, 2] * height * far
        GL.glEnable(GL.GL_BLEND)
        GL.glBlendFunc(GL.GL_SRC_ALPHA, GL.GL_ONE_MINUS_SRC_ALPHA)
        p.vec4("uHaze", *color, 1)
        p.mat4("uModel", model)
        self.shapes.draw(UNIT.index("haze"), 1)
        GL.glDisable(GL.GL_BLEND)

    def _segment(self, scene: MjvScene) -> None:
        """Draw each segmentation id in one flat color, without transparency."""
        GL.glDisable(GL.GL_MULTISAMPLE)
        GL.glPolygonMode(GL.GL_FRONT_AND_BACK, GL.GL_FILL)
        self._culling(scene)
        every = [b for part in (CASTER, PLAIN, TRANSPARENT) for b in self.list.batches[part]]
        if self.list.mirror is not None:
            every.insert(0, self.list.mirror_batch)
        for name in ("id", "lineid"):
            p = self.program(name)
            p.int("uIdColor", int(drawn(scene)[F_ID]))
            if name == "id":
                self._run(p, every)
            elif len(self.list.lines):
                GL.glDisable(GL.GL_CULL_FACE)
                self.lines.draw()

    def draw_ids(self, scene: MjvScene, w: int, h: int) -> tuple[np.ndarray, np.ndarray]:
        """Render the ids and distances of a view of w x h pixels.

        Returns (h, w) int32 segmentation ids (-1: nothing) and (h, w) float32 distances along the view direction (inf:
        nothing), top row first.
        """
        old = np.array(drawn(scene))
        drawn(scene)[[F_SEG, F_ID]] = 1
        try:
            self.id_target.resize(w, h)
            self.draw(scene, (0, 0, w, h), self.id_target.fbo)
        finally:
            drawn(scene)[:] = old
        GL.glPixelStorei(GL.GL_PACK_ALIGNMENT, 1)
        GL.glReadBuffer(GL.GL_COLOR_ATTACHMENT0)
        rgba = np.frombuffer(GL.glReadPixels(0, 0, w, h, GL.GL_RGBA, GL.GL_UNSIGNED_BYTE), np.uint8).reshape(h, w, 4)
        GL.glReadBuffer(GL.GL_COLOR_ATTACHMENT1)
        dist = np.frombuffer(GL.glReadPixels(0, 0, w, h, GL.GL_RED, GL.GL_FLOAT), np.float32).reshape(h, w)
        ids = (rgba[..., :3].astype(np.int32) @ np.array([1, 256, 65536], np.int32)) - 1
        return ids[::-1].copy(), np.where(ids < 0, np.float32(np.inf), dist)[::-1].copy()

    def _upload_surfaces(self, scene: MjvScene) -> None:
        """Upload the vertices of flexes and skins for this frame."""
        parts, tris, base, first = [], [], 0, 0
        for s in self.list.surfaces.values():
            vert, ind = flex_mesh(scene, s["id"]) if s["flex"] else skin_mesh(scene, s["id"], self.skins)
            parts.append(vert)
            tris.append(ind + np.uint32(base))
            s["range"] = (first, len(ind))
            base, first = base + len(vert), first + len(ind)
        if parts and base:
            self.surfaces.upload(np.ascontiguousarray(np.vstack(parts), np.float32), np.concatenate(tris).astype(np.uint32))

    def _border(self, scene: MjvScene, rect: tuple[int, int, int, int]) -> None:
        """Draw a colored frame around the viewport."""
        x, y, w, h = rect
        k = int(scene.framewidth)
        GL.glClearColor(*(float(c) for c in scene.framergb), 0)
        GL.glEnable(GL.GL_SCISSOR_TEST)
        for r in ((x, y, w, k), (x, y + h - k, w, k), (x, y, k, h), (x + w - k, y, k, h)):
            GL.glScissor(*r)
            GL.glClear(GL.GL_COLOR_BUFFER_BIT)
        GL.glDisable(GL.GL_SCISSOR_TEST)

    def close(self) -> None:
        """Delete everything on the GPU; the context must still be current. Safe to call twice."""
        if self.programs is None:
            return
        for p in self.programs.values():
            p.free()
        for thing in (self.shapes, self.instances, self.places, self.surfaces, self.lines, self.block, self.textures):
            thing.free()
        for thing in (self.shadows, self.mirror_target, self.mirror_plain, self.id_target, self.labels, self._gradient):
            thing.free()
        GL.glDeleteTextures(2, list(self._dummies))
        self.programs = None


FLAT_SHAPES = frozenset(UNIT.index(k) for k in ("plane", "floor", "triangle"))
FLOOR = UNIT.index("floor")
