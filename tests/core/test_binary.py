"""Binary models: nothing is lost, damage is detected, and no file crashes the process."""

import hashlib
import json
import os
import random
import struct
import threading

import numpy as np
import pytest

import tumble
from tests.api.models import RIG
from tumble.app.files import write
from tumble.engine.core.binary import HEAD, MOST, OURS, VERSION, BinaryError, model_size, read_model, write_model
from tumble.engine.tables.schema import MODEL_SIZES


@pytest.fixture(scope="module")
def model():
    return tumble.MjModel.from_xml_string(RIG)


def contents(m):
    out = np.empty(model_size(m), np.uint8)
    write_model(m, out)
    return out


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="no pipes with names here")
@pytest.mark.parametrize("save", [tumble.mj_saveModel, lambda m, path: write(path, bytes(contents(m)))])
def test_links_and_pipes_are_kept(model, tmp_path, save):
    """A file that takes the place of a device would remove it."""
    (tmp_path / "link.mjb").symlink_to("real.mjb")
    (tmp_path / "real.mjb").write_bytes(b"old")
    os.mkfifo(tmp_path / "pipe.mjb")
    found: list[bytes] = []
    reader = threading.Thread(target=lambda: found.append((tmp_path / "pipe.mjb").read_bytes()), daemon=True)
    reader.start()
    for name in ("link.mjb", "pipe.mjb"):
        save(model, str(tmp_path / name))
    reader.join(10)
    whole = bytes(contents(model))
    assert found == [whole] and (tmp_path / "real.mjb").read_bytes() == whole
    assert (tmp_path / "link.mjb").is_symlink() and (tmp_path / "pipe.mjb").is_fifo()
    assert sorted(os.listdir(tmp_path)) == ["link.mjb", "pipe.mjb", "real.mjb"]


def test_every_field_comes_back(model, tmp_path):
    path = tmp_path / "rig.mjb"
    tumble.mj_saveModel(model, str(path))
    again = tumble.MjModel.from_binary_path(str(path))
    for f in model.schema.arrays:
        np.testing.assert_array_equal(again.array(f.name), model.array(f.name), err_msg=f.name)
    assert again.sizes() == model.sizes() and again.signature == model.signature
    assert (again.opt, again.vis, again.stat) == (model.opt, model.vis, model.stat)
    assert again.body("hand").name == "hand"
    assert path.stat().st_size == tumble.mj_sizeModel(model)


def test_buffer_and_assets(model):
    buffer = np.zeros(tumble.mj_sizeModel(model), np.uint8)
    tumble.mj_saveModel(model, None, buffer)
    again = tumble.MjModel.from_binary_path("in memory", {"in memory": buffer.tobytes()})
    np.testing.assert_array_equal(again.qpos0, model.qpos0)
    with pytest.raises(ValueError, match="mj_sizeModel"):
        tumble.mj_saveModel(model, None, np.zeros(10, np.uint8))
    with pytest.raises(ValueError, match="file name or a buffer"):
        tumble.mj_saveModel(model)


def test_missing_file():
    with pytest.raises(ValueError, match="nowhere"):
        tumble.MjModel.from_binary_path("nowhere.mjb")


@pytest.mark.parametrize("seed", range(60))
def test_damaged_files_are_errors(model, seed):
    """Changed, removed and repeated bytes always give a BinaryError, because of the checksum."""
    rng = random.Random(seed)
    raw = bytearray(contents(model).tobytes())
    kind = seed % 3
    if kind == 0:
        k = rng.randrange(len(raw))
        raw[k] ^= 1 << rng.randrange(8)
    elif kind == 1:
        raw = raw[: rng.randrange(len(raw))]
    else:
        k = rng.randrange(len(raw))
        raw[k:k] = bytes(rng.randrange(1, 100))
    with pytest.raises(BinaryError):
        read_model(bytes(raw), "damaged")


def test_indices_beyond_their_arrays_are_errors(model):
    m = tumble.MjModel.from_xml_string(RIG)
    m.geom_bodyid[1] = 10**6
    with pytest.raises(BinaryError, match="geom_bodyid"):
        read_model(contents(m).tobytes())


@pytest.mark.parametrize("size, value", [("nbody", -1), ("nq", 10**15), ("ngeom", 10**9), ("nmesh", 2**61)])
def test_impossible_sizes_under_a_right_checksum(model, size, value):
    raw = contents(model).tobytes()
    (length,) = struct.unpack_from("<I", raw, 12)
    table = json.loads(raw[HEAD : HEAD + length])
    table["sizes"][size] = value
    text = json.dumps(table, separators=(",", ":")).encode()
    body = text + raw[HEAD + length :]
    head = raw[:8] + struct.pack("<IIQ", VERSION, len(text), HEAD + len(body)) + hashlib.blake2b(body, digest_size=32).digest()
    with pytest.raises(BinaryError, match="impossible sizes"):
        read_model(head + body)


MANY = {
    "bodies": "<worldbody>" + "<body/>" * 5000 + "</worldbody>",
    "joints": "<worldbody>" + '<body><joint type="slide"/><geom size=".1"/></body>' * 2000 + "</worldbody>",
    "geoms": "<worldbody>" + '<geom size=".1"/>' * 5000 + "</worldbody>",
    "sites, sensors, tendons": "<worldbody>" + "".join(f'<site name="s{i}"/>' for i in range(1500)) + "</worldbody><tendon>"
    + '<spatial><site site="s0"/><site site="s1"/></spatial>' * 1500 + "</tendon><sensor>"
    + "".join(f'<framepos objtype="site" objname="s{i}"/>' for i in range(1500)) + "</sensor>",
    "actuators": '<worldbody><body><joint name="j"/><geom size=".1"/></body></worldbody><actuator>'
    + '<motor joint="j"/>' * 3000 + "</actuator>",
    "keys": '<worldbody><body><joint name="j" springyield="1"/><geom size=".1"/></body></worldbody><keyframe>'
    + "<key/>" * 5000 + "</keyframe>",
    "yielding tendons, keys": '<worldbody><site name="s"/><site name="t" pos="1 0 0"/></worldbody><tendon>'
    + '<spatial stiffness="1" springyield="1"><site site="s"/><site site="t"/></spatial>' * 500 + "</tendon><keyframe>"
    + "<key/>" * 2000 + "</keyframe>",
}  # fmt: skip


@pytest.mark.parametrize("text", MANY.values(), ids=MANY)
def test_models_with_many_elements_come_back(text):
    """Fields that MuJoCo does not have are left out of the file; they may be larger than its table and its padding."""
    m = tumble.MjModel.from_xml_string(f"<mujoco>{text}</mujoco>")
    again = read_model(contents(m))
    for f in m.schema.arrays:
        np.testing.assert_array_equal(again.array(f.name), m.array(f.name), err_msg=f.name)


def test_fields_left_out_are_a_small_part():
    """The reader's bound on sizes holds for models with a million elements of any one kind."""
    fields = tumble.MjModel.plan.fields
    for k in range(len(MODEL_SIZES)):
        count = tumble.MjModel.plan._bytes([10**6 * (i == k) for i in range(len(MODEL_SIZES))])
        written = sum(n for n, f in zip(count, fields, strict=True) if f.name not in OURS)
        assert sum(count) <= MOST * written
