"""Thousands of damaged models: each compiles and steps, or is refused with an error that
names the place; none crashes or hangs.
"""

import os
import time
import warnings

import pytest

import tumble
from tests.description import fuzz
from tests.description.models import MODELS
from tumble.engine.core.report import FatalError
from tumble.engine.description.language.errors import SpecError

TOTAL = int(os.environ.get("TUMBLE_FUZZ", "4000"))
SEED = int(os.environ.get("TUMBLE_FUZZ_SEED", "20250"))
CHUNKS = 8
# the bound that an editor user would still sit out
SECONDS = 5.0
STEPPED = 30
# what one damaged model may add to the process for good
GROWTH = 300e6


def corpus():
    texts = [*MODELS.values(), *fuzz.EXTRA.values()]
    for text in texts:
        tumble.MjModel.from_xml_string(text)
    return texts


def resident():
    with open("/proc/self/statm") as f:
        return int(f.read().split()[1]) * os.sysconf("SC_PAGE_SIZE")


def verdict(text):
    """'ok', 'refused', or what is wrong with the way the text was handled."""
    try:
        model = tumble.MjModel.from_xml_string(text)
        # a heap of copies of one body is sound, and slow
        if model.nbody <= STEPPED:
            data = tumble.MjData(model)
            for _ in range(2):
                tumble.mj_step(model, data)
    except SpecError as error:
        return "refused" if error.line or error.element else f"an error without a place: {error}"
    except FatalError as error:
        # a model whose memory clause is too small for its data
        return "refused" if "memory" in str(error) or "stack" in str(error) else f"fatal: {error}"
    except Exception as error:
        return f"{type(error).__name__}: {error}"
    return "ok"


@pytest.mark.parametrize("chunk", range(CHUNKS))
def test_damaged_models_are_compiled_or_refused_with_a_place(chunk, capsys):
    texts, counts, start = corpus(), {"ok": 0, "refused": 0}, resident()
    seed, total = SEED + chunk, TOTAL // CHUNKS
    with warnings.catch_warnings():
        warnings.simplefilter("error", RuntimeWarning)
        for k, text in enumerate(fuzz.stream(seed, total, texts)):
            began = time.process_time()
            word = verdict(text)
            spent = time.process_time() - began
            assert word in counts, f"seed {seed}, model {k}: {word}\n{text[:3000]}"
            assert spent < SECONDS, f"seed {seed}, model {k}: {spent:.1f} s\n{text[:3000]}"
            counts[word] += 1
    with capsys.disabled():
        print(f"\nfuzz: seed {seed}, {total} models, {counts['ok']} compiled and stepped, {counts['refused']} refused", end="")
    assert counts["ok"] > total // 20 and counts["refused"] > total // 4, "the mutations must leave both kinds"
    assert resident() - start < GROWTH
