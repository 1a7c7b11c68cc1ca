"""Axis-aligned bounding boxes of boxes that are transformed into other frames (compiled)."""

from ..machine.jit import stage
from ..machine.lang import array_at, load, store
from ..math.quat import rotate
from ..math.vec import add3, sub3

# columns of an input row: center and half sizes of the box, pose of its frame, pose of the target frame
ROW, BOX, POSE, FRAME = 20, 0, 6, 13
# columns of a result: lower corner, upper corner, position of the box's frame
OUT = 9


@stage("viii")
def turned_boxes(row_at, n, out_at):
    """Compute the bounding box of each row in its target frame.

    reads n rows, writes n results; poses are position and quaternion.
    """
    rows, out = array_at(row_at, ROW * n), array_at(out_at, OUT * n)
    for i in range(n):
        at = ROW * i
        center, half = load(rows, at + BOX, 3), load(rows, at + BOX + 3, 3)
        low, high = sub3(center, half), add3(center, half)
        quat, back = load(rows, at + POSE + 3, 4), load(rows, at + FRAME + 3, 4)
        back = back[0], -back[1], -back[2], -back[3]
        shift = sub3(load(rows, at + POSE, 3), load(rows, at + FRAME, 3))
        for k in range(8):
            corner = high[0] if k & 1 else low[0], high[1] if k & 2 else low[1], high[2] if k & 4 else low[2]
            corner = rotate(back, add3(rotate(quat, corner), shift))
            for axis in range(3):
                out[OUT * i + axis] = min(out[OUT * i + axis], corner[axis]) if k > 0 else corner[axis]
                out[OUT * i + 3 + axis] = max(out[OUT * i + 3 + axis], corner[axis]) if k > 0 else corner[axis]
        store(out, OUT * i + 6, rotate(back, shift))
