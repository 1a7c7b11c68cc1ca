"""Writes scenes to USD files for other renderers: `USDExporter` has the interface of `mujoco.usd.exporter`. Needs usd-core.

    exporter = USDExporter(model, camera_names=["side"])
    each frame:     exporter.update_scene(data)
    at the end:     exporter.save_scene("usda")          # mujoco_usdpkg/frames/frame_<n>.usda, textures in assets

Every geom of a scene becomes a Mesh below an Xform, whose transform has a sample for each update. Tendons change size, so
their points also have samples.
"""

from __future__ import annotations

import importlib
import os
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
from PIL import Image

from ..engine.api.mju_quat import mju_euler2Quat, mju_quat2Mat
from ..engine.core.data import MjData
from ..engine.core.model import MjModel
from ..engine.tables.enums import mjtCamera, mjtCatBit, mjtGeom, mjtObj, mjtTexture, mjtTextureRole
from .offscreen import check_size
from .scene import MjvCamera, MjvOption, MjvScene, mjv_averageCamera, mjv_defaultFreeCamera, mjv_updateScene, tessellate
from .scene.abstract import MjvGeom
from .scene.label_texts import name_of

# In the original package, `usd` is a package that contains a module `exporter`; this file acts as both.
__path__: list[str] = []
exporter = sys.modules[__name__]
FILE_TYPES = ("usd", "usda", "usdc")
RATE = 60.0
# Numbers of segments of round shapes, around the axis and from pole to pole; half size and half thickness of infinite planes.
SLICES, STACKS, WIDE, THIN = 32, 16, 50.0, 0.0005
RGB_ROLE, TEX_2D = int(mjtTextureRole.mjTEXROLE_RGB), int(mjtTexture.mjTEXTURE_2D)
GEOM, TENDON = int(mjtObj.mjOBJ_GEOM), int(mjtObj.mjOBJ_TENDON)
PLANE, SPHERE, CAPSULE, ELLIPSOID, CYLINDER, BOX, MESH = (
    int(mjtGeom["mjGEOM_" + k]) for k in ("PLANE", "SPHERE", "CAPSULE", "ELLIPSOID", "CYLINDER", "BOX", "MESH")
)
# Corners of a box (x changes fastest, then z, then y), and its triangles.
CORNERS = np.array([(x, y, z) for y in (-1, 1) for z in (-1, 1) for x in (-1, 1)], float)
BOX_FACES = np.array(
    [4, 7, 5, 4, 6, 7, 0, 2, 4, 2, 6, 4, 0, 1, 2, 1, 3, 2, 1, 5, 7, 1, 7, 3, 2, 3, 7, 2, 7, 6, 0, 4, 1, 1, 4, 5]
)
# Radius of lights; focal length, focus distance, aperture and clipping range of cameras.
RADIUS, FOCAL_LENGTH, FOCUS, APERTURE, CLIPPING = 0.3, 12, 400, 12, (1e-4, 1e6)


def pxr(name: str) -> Any:
    """Import a module of usd-core. If it is missing, the ImportError tells what to install."""
    try:
        return importlib.import_module("pxr." + name)
    except ModuleNotFoundError as error:
        raise ImportError("scenes are written as USD by usd-core: pip install 'tumble[usd]'") from error


def surface(geom: MjvGeom, model: MjModel) -> tuple[np.ndarray, np.ndarray]:
    """Return points (n, 3) and triangle corners (3 k,) of a geom in its own frame. Raise NotImplementedError for geom types
    that exist only as decor."""
    kind, size = int(geom.type), np.array(geom.size, float)
    if kind == MESH:
        k = int(geom.dataid) // 2
        first, count = int(model.mesh_vertadr[k]), int(model.mesh_vertnum[k])
        faces, n = int(model.mesh_faceadr[k]), int(model.mesh_facenum[k])
        return np.asarray(model.mesh_vert[first : first + count]), np.asarray(model.mesh_face[faces : faces + n]).ravel()

    # Boxes, and planes as thin boxes.
    if kind in (BOX, PLANE):
        if kind == PLANE:
            size = np.array([*np.where(size[:2] > 0, size[:2], WIDE), THIN])
        return CORNERS * size, BOX_FACES

    # Make round shapes, and scale them.
    if kind in (SPHERE, ELLIPSOID):
        shape, scale = tessellate.sphere(SLICES, STACKS), size if kind == ELLIPSOID else size[:1]
    elif kind == CYLINDER:
        shape, scale = tessellate.cylinder(SLICES), size[[0, 0, 2]]
    elif kind == CAPSULE:
        shape, scale = tessellate.sphere(SLICES, STACKS), size[:1]
    else:
        raise NotImplementedError(f"geoms of type {mjtGeom(kind).name} cannot be written as USD")
    points = shape[0][:, :3].astype(float) * scale
    if kind == CAPSULE:
        points[:, 2] += np.sign(np.round(points[:, 2], 12)) * size[2]
    return points, shape[1].astype(int)


class _Placed:
    """A Mesh below an Xform, which follows a geom."""

    def __init__(self, stage: Any, name: str, geom: MjvGeom, model: MjModel, texture: str | None) -> None:
        self._sdf, self._gf, self._geom = pxr("Sdf"), pxr("Gf"), pxr("UsdGeom")
        path = f"/World/Mesh_Xform_{name}"
        self._xform = self._geom.Xform.Define(stage, path)
        self._transform, _ = self._xform.AddTransformOp(), self._xform.AddScaleOp()
        self._mesh, self._last = self._geom.Mesh.Define(stage, f"{path}/Mesh_{name}"), -2
        points, corners = surface(geom, model)
        self._mesh.GetPointsAttr().Set(points)
        self._mesh.GetFaceVertexCountsAttr().Set([3] * (len(corners) // 3))
        self._mesh.GetFaceVertexIndicesAttr().Set(corners.tolist())
        if int(geom.type) != MESH:
            self._mesh.GetPrim().GetAttribute("subdivisionScheme").Set("none")
        if texture is not None:
            self._map_texture(geom, model, points, corners)
        self._material(stage, name, geom, texture)

    def _map_texture(self, geom: MjvGeom, model: MjModel, points: np.ndarray, corners: np.ndarray) -> None:
        """Set the texture coordinates of corners: the mesh's coordinates if it has any, else the point's position in the
        shape's bounding box."""
        k = int(geom.dataid) // 2 if int(geom.type) == MESH else -1
        if k >= 0 and model.mesh_texcoordadr[k] >= 0:
            first, count = int(model.mesh_texcoordadr[k]), int(model.mesh_texcoordnum[k])
            face, n = int(model.mesh_faceadr[k]), int(model.mesh_facenum[k])
            where, index = (
                np.asarray(model.mesh_texcoord[first : first + count]),
                np.maximum(np.asarray(model.mesh_facetexcoord[face : face + n]).ravel(), 0),
            )
        else:
            size = np.abs(points[:, :2]).max(0)
            repeat = np.array(model.mat_texrepeat[geom.matid], float) * (size if model.mat_texuniform[geom.matid] else 1)
            where, index = (points[corners, :2] / np.where(size > 0, size, 1) + 1) / 2 * repeat, np.arange(len(corners))

        coordinates = self._geom.PrimvarsAPI(self._mesh).CreatePrimvar(
            "UVMap", self._sdf.ValueTypeNames.TexCoord2fArray, self._geom.Tokens.faceVarying
        )
        coordinates.Set(np.asarray(where, np.float32))
        coordinates.SetIndices(pxr("Vt").IntArray(index.tolist()))

    def _material(self, stage: Any, name: str, geom: MjvGeom, texture: str | None) -> None:
        """Add a preview surface with the geom's color or texture."""
        shade, types = pxr("UsdShade"), self._sdf.ValueTypeNames
        path = self._sdf.Path(f"/World/_materials/Material_{name}")
        material = shade.Material.Define(stage, path)
        surface_shader = shade.Shader.Define(stage, path.AppendPath("Principled_BSDF"))
        surface_shader.CreateIdAttr("UsdPreviewSurface")

        # Set a color, or a texture and its coordinates.
        colour = surface_shader.CreateInput("diffuseColor", types.Color3f)
        if texture is None:
            colour.Set(tuple(float(c) for c in geom.rgba[:3]))
        else:
            image, reader = (shade.Shader.Define(stage, path.AppendPath(part)) for part in ("Image_Texture", "uvmap"))
            colour.ConnectToSource(image.ConnectableAPI(), "rgb")
            image.CreateIdAttr("UsdUVTexture")
            image.CreateInput("file", types.Asset).Set(texture)
            for key, value in (("sourceColorSpace", "sRGB"), ("wrapS", "repeat"), ("wrapT", "repeat")):
                image.CreateInput(key, types.Token).Set(value)
            image.CreateInput("st", types.Float2).ConnectToSource(reader.ConnectableAPI(), "result")
            image.CreateOutput("rgb", types.Float3)
            reader.CreateIdAttr("UsdPrimvarReader_float2")
            reader.CreateInput("varname", types.Token).Set("UVMap")
            reader.CreateOutput("result", types.Float2)

        # Set the geom's other surface properties.
        for key, value in (("opacity", geom.rgba[3]), ("metallic", geom.shininess), ("roughness", 1.0 - geom.shininess)):
            surface_shader.CreateInput(key, types.Float).Set(float(value))
        material.CreateSurfaceOutput().ConnectToSource(surface_shader.ConnectableAPI(), "surface")
        self._mesh.GetPrim().ApplyAPI(shade.MaterialBindingAPI)
        shade.MaterialBindingAPI(self._mesh).Bind(material)

    def update(self, geom: MjvGeom, frame: int, model: MjModel) -> None:
        """Set the geom's pose at a frame. Hide the geom in the earlier frames from which it was absent."""
        self._transform.Set(transform(geom.pos, geom.mat), frame)
        visible = geom.rgba[3] > 0
        if visible and frame - self._last > 1:
            # The geom was absent from earlier frames.
            self.show(False, max(0, self._last))
            self.show(True, frame)
        if visible:
            self._last = frame
        if int(geom.objtype) == TENDON:
            self._mesh.GetPointsAttr().Set(surface(geom, model)[0], frame)

    def show(self, visible: bool, frame: int) -> None:
        """Show or hide the geom in a frame and all later ones."""
        self._xform.GetVisibilityAttr().Set("inherited" if visible else "invisible", frame)

    def end(self) -> None:
        """Hide the geom after the last frame that had it."""
        self.show(False, self._last + 1)


def transform(pos: Sequence[float] | np.ndarray, mat: npt.ArrayLike) -> Any:
    """Return a position and a rotation matrix as a USD matrix, which is applied to row vectors."""
    out = np.eye(4)
    out[:3, :3] = np.reshape(mat, (3, 3)).T
    out[3, :3] = pos
    return pxr("Gf").Matrix4d(out.tolist())


class USDExporter:
    """Writes a simulation as a USD stage; see the top of this file. The model's offscreen buffer limits the size of
    images."""

    def __init__(
        self,
        model: MjModel,
        height: int = 480,
        width: int = 480,
        max_geom: int = 10000,
        output_directory: str = "mujoco_usdpkg",
        output_directory_root: str = "./",
        light_intensity: int = 10000,
        camera_names: Sequence[str] | None = None,
        specialized_materials_file: Any = None,
        verbose: bool = True,
    ) -> None:
        check_size(model, width, height)
        self.model, self.height, self.width, self.max_geom = model, height, width, max_geom
        self.output_directory, self.output_directory_root = output_directory, output_directory_root
        self.light_intensity, self.camera_names, self.verbose = light_intensity, camera_names, verbose
        self.specialized_materials_file = specialized_materials_file

        self.frame_count = self.updates = 0
        self.geom_names: set[str] = set()
        self.geom_refs: dict[str, _Placed] = {}
        self.usd_lights, self.usd_cameras = [], []
        self._scene, self._scene_option = MjvScene(model, max_geom), MjvOption()
        self._begin()

        # Make folders and textures.
        self.output_directory_path = os.path.join(output_directory_root, output_directory)
        self.frames_directory, self.assets_directory = (
            os.path.join(self.output_directory_path, part) for part in ("frames", "assets")
        )
        for folder in (self.frames_directory, self.assets_directory):
            os.makedirs(folder, exist_ok=True)
        self._say(f"Writing output frames and assets to {self.output_directory_path}")
        self.texture_files = self._write_textures()

    def _say(self, text: str) -> None:
        if self.verbose:
            print(text)

    @property
    def usd(self) -> str:
        """The stage as USD text."""
        return self.stage.GetRootLayer().ExportToString()

    @property
    def scene(self) -> MjvScene:
        """The scene of the last update."""
        return self._scene

    def _begin(self) -> None:
        """Create an empty stage."""
        geom = pxr("UsdGeom")
        self.stage = pxr("Usd").Stage.CreateInMemory()
        geom.SetStageUpAxis(self.stage, geom.Tokens.z)
        self.stage.SetStartTimeCode(0)
        self.stage.SetTimeCodesPerSecond(RATE)
        self.stage.SetDefaultPrim(geom.Xform.Define(self.stage, "/World").GetPrim())

    def _write_textures(self) -> list[str]:
        """Write the images of all textures, upside down as USD requires. Return their paths relative to the frames."""
        m, out = self.model, []
        for i in range(m.ntex):
            first, shape = int(m.tex_adr[i]), [int(n[i]) for n in (m.tex_height, m.tex_width, m.tex_nchannel)]
            name = f"texture_{i}.png"
            pixels = np.asarray(m.tex_data[first : first + int(np.prod(shape))], np.uint8).reshape(shape)[::-1]
            Image.fromarray(np.ascontiguousarray(pixels)).save(os.path.join(self.assets_directory, name))
            out.append(os.path.join(os.path.relpath(self.assets_directory, self.frames_directory), name))
        self._say(f"Completed writing {m.ntex} textures to {self.assets_directory}")
        return out

    def update_scene(self, data: MjData, scene_option: MjvOption | None = None) -> None:
        """Add the state of a Data as the next frame."""
        self.frame_count += 1
        self._see(data, -1, scene_option)

        # Lights and cameras are created at the first update.
        if not self.updates:
            self._begin()
            lights = [self._scene.lights[i] for i in range(self._scene.nlight)]
            self.usd_lights = [self._light(str(i), RADIUS) if np.any(light.pos) else None for i, light in enumerate(lights)]
            self.usd_cameras = [self._camera(name) for name in self.camera_names or ()]

        # Geoms.
        for i in range(self._scene.ngeom):
            geom = self._scene.geoms[i]
            name = self._get_geom_name(geom)
            if name not in self.geom_names:
                self.geom_names.add(name)
                self.geom_refs[name] = _Placed(self.stage, name, geom, self.model, self._texture(geom))
            self.geom_refs[name].update(geom, self.updates, self.model)

        # Lights.
        for i, lamp in zip(range(self._scene.nlight), self.usd_lights):
            light = self._scene.lights[i]
            if lamp is not None and np.any(light.pos):
                self._shine(lamp, light.pos, self.light_intensity, light.diffuse, self.updates)

        # Cameras.
        for name, op in zip(self.camera_names or (), self.usd_cameras):
            self._see(data, name, scene_option)
            eye = mjv_averageCamera(self._scene.camera[0], self._scene.camera[1])
            op.Set(
                transform(eye.pos, np.stack([np.cross(eye.forward, eye.up), eye.up, -np.asarray(eye.forward)], 1)), self.updates
            )
        self.updates += 1

    def _see(self, data: MjData, camera: str | int, option: MjvOption | None) -> None:
        """Update the scene, seen from a camera given by name; -1 is the free camera."""
        view = MjvCamera()
        if camera == -1:
            mjv_defaultFreeCamera(self.model, view)
        else:
            names = [name_of(self.model, mjtObj.mjOBJ_CAMERA, i) for i in range(self.model.ncam)]
            if camera not in names:
                raise ValueError(f"The camera '{camera}' does not exist.")
            view.type, view.fixedcamid = int(mjtCamera.mjCAMERA_FIXED), names.index(camera)
        mjv_updateScene(self.model, data, option or self._scene_option, None, view, int(mjtCatBit.mjCAT_ALL), self._scene)

    def _texture(self, geom: MjvGeom) -> str | None:
        """Return the path of a geom's texture, or None if it has a plain color."""
        k = int(self.model.mat_texid[geom.matid][RGB_ROLE]) if geom.matid >= 0 else -1
        return self.texture_files[k] if k >= 0 else None

    def _light(self, name: str, radius: float) -> tuple[Any, Any]:
        path, geom = f"/World/Light_Xform_{name}", pxr("UsdGeom")
        place = geom.Xform.Define(self.stage, path)
        light = pxr("UsdLux").SphereLight.Define(self.stage, f"{path}/Light_{name}")
        light.GetRadiusAttr().Set(radius)
        light.GetTreatAsPointAttr().Set(False)
        light.GetNormalizeAttr().Set(True)
        return place.AddTranslateOp(), light

    @staticmethod
    def _shine(
        lamp: tuple[Any, Any],
        pos: Sequence[float] | np.ndarray,
        intensity: float,
        color: Sequence[float] | np.ndarray,
        frame: int,
    ) -> None:
        place, light = lamp
        gf = pxr("Gf")
        place.Set(gf.Vec3d([float(x) for x in pos]), frame)
        light.GetIntensityAttr().Set(intensity if np.any(pos) else 0)
        light.GetColorAttr().Set(gf.Vec3d([float(x) for x in color]))

    def _camera(self, name: str) -> Any:
        path, geom = f"/World/Camera_Xform_{name}", pxr("UsdGeom")
        place = geom.Xform.Define(self.stage, path)
        camera = geom.Camera.Define(self.stage, f"{path}/Camera_{name}")
        camera.CreateFocalLengthAttr().Set(FOCAL_LENGTH)
        camera.CreateFocusDistanceAttr().Set(FOCUS)
        camera.GetHorizontalApertureAttr().Set(APERTURE)
        camera.GetClippingRangeAttr().Set(pxr("Gf").Vec2f(*CLIPPING))
        return place.AddTransformOp()

    def add_light(
        self,
        pos: Sequence[float] | np.ndarray,
        intensity: float,
        radius: float = 1.0,
        color: Sequence[float] | np.ndarray = (0.3, 0.3, 0.3),
        obj_name: str = "light_1",
        light_type: str = "sphere",
    ) -> None:
        """Add a light: a sphere at a position, or a dome around everything."""
        if light_type == "sphere":
            self._shine(self._light(obj_name, radius), pos, intensity, color, 0)
        elif light_type == "dome":
            path = f"/World/Light_Xform_{obj_name}"
            pxr("UsdGeom").Xform.Define(self.stage, path)
            dome = pxr("UsdLux").DomeLight.Define(self.stage, f"{path}/Light_{obj_name}")
            dome.GetNormalizeAttr().Set(True)
            dome.GetIntensityAttr().Set(intensity)
            dome.GetExposureAttr().Set(0.0)
            dome.GetColorAttr().Set(pxr("Gf").Vec3d([float(x) for x in color]))

    def add_camera(
        self, pos: Sequence[float] | np.ndarray, rotation_xyz: Sequence[float] | np.ndarray, obj_name: str = "camera_1"
    ) -> None:
        """Add a camera at a position, rotated by Euler angles about x, y and z (radians)."""
        quat, mat = np.zeros(4), np.zeros(9)
        mju_euler2Quat(quat, np.asarray(rotation_xyz, float), "xyz")
        mju_quat2Mat(mat, quat)
        self._camera(obj_name).Set(transform(pos, mat), 0)

    def save_scene(self, filetype: str = "usd") -> None:
        """Write the stage to the file frames/frame_<number of updates>.<filetype>; the file type is usd, usda (text) or
        usdc."""
        if filetype not in FILE_TYPES:
            raise AssertionError(f"file type {filetype!r} is not one of {', '.join(FILE_TYPES)}")
        self.stage.SetEndTimeCode(self.frame_count)
        for placed in self.geom_refs.values():
            placed.end()
        name = f"frame_{self.frame_count}.{filetype}"
        self.stage.Export(str(Path(self.frames_directory) / name))
        self._say(f"Completed writing {name}")

    def _get_geom_name(self, geom: MjvGeom) -> str:
        """Return a unique name for a geom of the scene: its name, its id, and whether it is a geom or a tendon."""
        name = f"{name_of(self.model, mjtObj(int(geom.objtype)), int(geom.objid)) or 'None'}_id{geom.objid}"
        if int(geom.objtype) == GEOM:
            return name + "_geom"
        return f"{name}_tendon_segid{geom.segid}" if int(geom.objtype) == TENDON else name
