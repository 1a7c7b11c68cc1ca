"""Labels of the view: no overlaps, those in front come first, existing ones stay, and the cost of a crowd is bounded by
the screen.
"""

import random
import time

from imgui_bundle import imgui

from tumble.ui import labels

AREA = (10.0, 20.0, 800.0, 560.0)
HEIGHT = 15.0
# time limit in seconds for a crowd; it takes about 4 ms on a quiet machine
SOON = 0.1


def crowd(count):
    rng = random.Random(5)
    return [labels.Text(rng.uniform(-50, 900), rng.uniform(-50, 650), f"joint {k}", rng.uniform(1, 10)) for k in range(count)]


def boxes(found):
    return [(x, y, x + imgui.calc_text_size(text).x, y + HEIGHT) for x, y, text in found]


def test_no_label_lies_on_another(gui):
    found = gui.frame(lambda: labels.placed(crowd(3000), set(), HEIGHT, AREA))
    all_boxes = gui.frame(lambda: boxes(found))
    assert len(found) > 100
    for k, a in enumerate(all_boxes):
        assert not [b for b in all_boxes[:k] if a[0] < b[2] and b[0] < a[2] and a[1] < b[3] and b[1] < a[3]]
        assert AREA[0] <= a[0] and a[2] <= AREA[0] + AREA[2]


def test_one_alone_is_at_the_right_of_its_point(gui):
    ((x, y, text),) = gui.frame(lambda: labels.placed([labels.Text(400, 300, "knee", 2)], set(), HEIGHT, AREA))
    assert text == "knee" and x > 400 and y < 300 < y + HEIGHT


def test_those_in_front_come_first_and_what_was_there_stays(gui):
    """Of five labels at a point with room for four, those shown before stay, and then the nearest come first."""
    pile = [labels.Text(400, 300, f"{depth}", depth) for depth in (5, 1, 4, 2, 3)]
    first = {text for _, _, text in gui.frame(lambda: labels.placed(pile, set(), HEIGHT, AREA))}
    assert first == {"1", "2", "3", "4"}
    then = {text for _, _, text in gui.frame(lambda: labels.placed(pile, {"5", "4"}, HEIGHT, AREA))}
    assert then == {"5", "4", "1", "2"}


def test_a_crowd_is_soon_placed(gui):
    many = crowd(20_000)

    def measured():
        begin = time.process_time()
        labels.draw(many, set(), AREA)
        return time.process_time() - begin

    assert min(gui.frame(measured) for _ in range(3)) < SOON
