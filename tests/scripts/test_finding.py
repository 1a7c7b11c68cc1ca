"""`tumble.help`: search results for a word."""

import pytest

import tumble


@pytest.mark.parametrize(
    "words, name",
    [
        ("mj_step", "mj_step"),
        ("qpos", "data.qpos"),
        ("contact force", "mj_contactForce"),
        ("timestep", "model.opt.timestep"),
        ("friction", "<geom> friction"),
        ("bind", "batch.Batch.bind"),
        ("mjSOL_NEWTON", "mjtSolver.mjSOL_NEWTON"),
        ("launch_passive", "viewer.launch_passive"),
        ("explode", "What can I do if my model explodes, is unstable or has NaN values?"),
        ("jacobian", "mj_jac"),
    ],
)
def test_a_word_leads_to_its_thing(words, name):
    found = tumble.help(words)
    assert name in [row.name for row in found[:24]], found


def test_exact_names_come_first():
    assert tumble.help("xpos")[0].name == "data.xpos"
    assert tumble.help("mj_forward")[0].name == "mj_forward"


def test_rows_say_where_to_read_on():
    found = tumble.help("sensor")
    assert all((row.place.endswith(".md") and row.name) for row in found)
    assert "reference/" in repr(found) and repr(found).count("\n") <= 25


def test_nothing_found_is_said():
    assert repr(tumble.help("zzzzz")) == "nothing found"
    with pytest.raises(ValueError, match="no words to search for"):
        tumble.help(" ")
