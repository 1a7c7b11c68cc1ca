# %% [markdown]
# # A data set: pictures, distances and labels
#
# This script makes training data: objects fall at random places, and a camera takes a picture. For each pixel, it also records
# the distance and the geom that is visible there. You need no window.

# %%
import pathlib
import tempfile

import numpy as np
from PIL import Image

import tumble as mujoco
from tumble.ui.examples import located

COUNT, WIDTH, HEIGHT = 6, 160, 120
folder = pathlib.Path(tempfile.mkdtemp(prefix="data_set_"))

model = mujoco.MjModel.from_xml_path(located("arm"))
data = mujoco.MjData(model)
loose = [model.joint(name) for name in ("cube", "ball", "can", "brick1", "brick2")]
geom = mujoco.mjtObj.mjOBJ_GEOM
rng = np.random.default_rng(0)

# %% [markdown]
# For each sample, every object gets a new color and a new place, and falls for half a second. The camera looks from another
# place each time.

# %%
with mujoco.Renderer(model, HEIGHT, WIDTH) as renderer:
    for k in range(COUNT):
        mujoco.mj_resetData(model, data)
        for joint in loose:
            at = joint.qposadr[0]
            data.qpos[at : at + 3] = [rng.uniform(0.35, 0.65), rng.uniform(-0.3, 0.3), rng.uniform(0.1, 0.4)]
            data.qpos[at + 3 : at + 7] = rng.normal(size=4)
            model.geom_rgba[model.body_geomadr[joint.bodyid[0]], :3] = rng.uniform(0.2, 1, 3)
        mujoco.mj_step(model, data, 250)
        camera = mujoco.MjvCamera()
        camera.lookat[:] = [0.4, 0, 0.1]
        camera.distance, camera.azimuth, camera.elevation = 1.1, rng.uniform(120, 240), rng.uniform(-60, -25)

        renderer.update_scene(data, camera)
        Image.fromarray(renderer.render()).save(folder / f"{k:04d}.png")
        renderer.enable_depth_rendering()
        depth = renderer.render()
        renderer.disable_depth_rendering()
        renderer.enable_segmentation_rendering()
        labels = renderer.render()
        renderer.disable_segmentation_rendering()
        # a pixel's label is the number of its geom, -1 where there is none
        label = np.where(labels[..., 1] == geom, labels[..., 0], -1).astype(np.int16)
        np.savez_compressed(folder / f"{k:04d}.npz", depth=depth.astype(np.float32), label=label)
        print(f"sample {k}: {np.unique(label).size} geoms, distances {depth.min():.2f} to {np.median(depth):.2f} m (median)")

files = sorted(folder.iterdir())
print(f"{len(files)} files, {sum(f.stat().st_size for f in files) / 1e3:.0f} kB in the folder {folder.name}")
assert len(files) == 2 * COUNT
