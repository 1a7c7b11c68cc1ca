"""Wrong command lines produce one line with a suggestion and a status from the table, before any work is done. Also tests
output for programs and shells.
"""

import io
import json
import shlex
import subprocess

import pytest

from tests.app.models import PENDULUM
from tumble.app import told
from tumble.app.__main__ import main
from tumble.app.arguments import MODULES, parser
from tumble.ui.examples import BY_NAME

# errors in the command line itself: status 2, before any model is read
WORDS = (
    ("rendr", "did you mean the command 'render'"),
    ("rendr good.xml out.png", "no command 'rendr' (did you mean render?)"),
    ("infoo good.xml --json", "did you mean info?"),
    ("humanoi", "did you mean the example 'humanoid'"),
    ("--versio", "--version"),
    ("good.xml extra", "no argument extra"),
    ("view good.xml --puase", "did you mean --pause?"),
    ("view good.xml --compat 9.9", "--compat cannot be '9.9'"),
    ("render", "missing: model, output"),
    ("render good.xml", "missing: output"),
    ("render good.xml out", "without suffix"),
    ("render good.xml out.bmpx", "cannot write .bmpx"),
    ("render good.xml out.png extra", "no argument extra"),
    ("render good.xml out.png --size 12", "640x480"),
    ("render good.xml out.png --size axb", "640x480"),
    ("render good.xml out.png --size 99999x9", "16384"),
    ("render good.xml out.png --camra eye", "did you mean --camera?"),
    ("render good.xml out.png --kay 1", "did you mean --key?"),
    ("render good.xml out.png --fps -3", "--fps is -3"),
    ("render good.xml out.png --time soon", "--time: 'soon' is not a number"),
    ("render good.xml out.png --turntable", "--duration"),
    ("render good.xml out.png --light soft", "--light cannot be 'soft'"),
    ("render good.xml out.png --studio --depth", "not allowed with"),
    ("render good.xml out.png --duration 2", "frame_%04d.png"),
    ("bench", "missing: model"),
    ("bench good.xml --seconds soon", "--seconds: 'soon' is not a number"),
    ("bench good.xml --seconds 0", "--seconds is 0"),
    ("bench good.xml --noise -1", "--noise is -1"),
    ("bench good.xml --noize 1", "did you mean --noise?"),
    ("compile good.xml", "missing: output"),
    ("compile good.xml out.foo", "cannot write .foo"),
    ("import", "missing: model, output"),
    ("import robot.urdf", "missing: output"),
    ("import robot.urdf out --actuators servo", "--actuators cannot be 'servo'"),
    ("import robot.urdf out --package nonsense", "there is no folder 'nonsense'"),
    ("import robot.urdf out --arg size", "NAME:=VALUE"),
    ("serve good.xml --port x", "ports are numbers from 0 to 65535"),
    ("serve good.xml --port 99999", "ports are numbers from 0 to 65535"),
    ("info", "missing: model"),
    ("info good.xml --jsn", "did you mean --json?"),
    ("diff good.xml", "missing: other"),
    ("diff good.xml good.xml --most -1", "--most is -1"),
    ("doctor good.xml --seconds soon", "--seconds: 'soon' is not a number"),
    ("doctor good.xml --seconds -1", "--seconds is -1"),
    ("sweep good.xml", "missing: --vary, --record"),
    ("sweep good.xml --vary opt.timestep --record energy", "is not NAME=VALUES"),
    ("sweep good.xml --vary opt.timestep=a:b --record energy", "'a:b' is not a list"),
    ("sweep good.xml --vary opt.timestep=.1 --record energy --out x.docx", "cannot write .docx"),
    ("replay", "missing: log"),
    ("run", "needs a script"),
    ("run -m", "-m"),
    ("cache --chek", "did you mean --check?"),
    ("cache --check --clear", "not allowed with"),
    ("warmup extra", "no argument extra"),
    ("completion", "missing: shell"),
    ("completion tcsh", "one of 'bash', 'zsh', 'fish'"),
)
# faults of a model's contents are found only when it is read: status 2, too
CONTENTS = (
    ("render good.xml out.png --camera nope", "no camera 'nope'"),
    ("render good.xml out.png --key nope", "no key 'nope'"),
    ("doctor good.xml --key nope", "no keyframe 'nope'"),
    ("sweep good.xml --vary opt.timestep=.1 --record energy --key nope", "no keyframe 'nope'"),
    ("sweep good.xml --vary nonsense=1,2 --record energy", "'nonsense' is not the name"),
    ("sweep good.xml --vary opt.timestep=.1 --record nonsense", "nonsense"),
)
# faults of files: status 1
FILES = (
    ("gone.xml", "no such file: gone.xml"),
    ("info gone.xml", "no such file: gone.xml"),
    ("info /dev/null", "/dev/null"),
    ("info folder.png", "a folder is not a model"),
    ("info good.xml --plugins nowhere", "--plugins nowhere: there is no such folder"),
    ("import gone.urdf out", "no such file: gone.urdf"),
    ("import good.xml good.xml", "is a file"),
    ("compile good.xml no/out.xml", "there is no folder"),
    ("render good.xml no/out.png", "there is no folder"),
    ("render good.xml folder.png", "it is a folder"),
    ("sweep good.xml --vary opt.timestep=.1 --record energy --out no/x.csv", "there is no folder"),
    ("serve good.xml --play gone.npz", "no such file: gone.npz"),
    ("diff good.xml gone.xml", "no such file: gone.xml"),
    ("replay gone.zip", "gone.zip"),
    ("replay good.xml", "good.xml: not a session log"),
    ("run gone.py", "no such script: gone.py"),
    ("run -m no_such_module", "no module named no_such_module"),
)


@pytest.fixture
def place(tmp_path, monkeypatch):
    """A folder with a good model, a second model, and a folder whose name looks like a picture."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "good.xml").write_text(PENDULUM)
    (tmp_path / "folder.png").mkdir()
    return tmp_path


def refused(capsys, line, status, text):
    """Check that a command line ends with a status and one line that holds a text."""
    capsys.readouterr()
    assert main(shlex.split(line)) == status
    out, error = capsys.readouterr()
    assert text in error and error.count("\n") == 1 and error.startswith("tumble") and not out, error


@pytest.mark.parametrize("line, text", WORDS)
def test_wrong_words_are_told_before_any_model_is_read(place, capsys, monkeypatch, line, text):
    monkeypatch.setattr(told, "compile_file", lambda *args, **named: pytest.fail("the model was read"))
    refused(capsys, line, 2, text)
    assert sorted(p.name for p in place.iterdir()) == ["folder.png", "good.xml"]


@pytest.mark.parametrize("line, text", CONTENTS)
def test_what_a_model_does_not_have(place, capsys, line, text):
    refused(capsys, line, 2, text)
    assert sorted(p.name for p in place.iterdir()) == ["folder.png", "good.xml"]


@pytest.mark.parametrize("line, text", FILES)
def test_files_that_are_not_there(place, capsys, line, text):
    refused(capsys, line, 1, text)
    assert sorted(p.name for p in place.iterdir()) == ["folder.png", "good.xml"]


def test_output_is_looked_at_before_the_work(place, capsys, monkeypatch):
    monkeypatch.setattr(told, "compile_file", lambda *args, **named: pytest.fail("the model was read"))
    for line in ("compile good.xml no/a.xml", "render good.xml no/a.png"):
        refused(capsys, line, 1, "there is no folder")


# ---- for programs --------------------------------------------------------------------------------------------------------
def test_results_as_json(place, capsys):
    assert main(["info", "good.xml", "--json"]) == 0
    info = json.loads(capsys.readouterr().out)
    assert info["nbody"] == 3 and isinstance(info["health"], list)
    assert main(["bench", "good.xml", "--seconds", "0.05", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["steps"] > 0
    sweep = "sweep good.xml --vary opt.timestep=.001,.002 --record energy --duration .01 --json"
    assert main(shlex.split(sweep)) == 0
    assert json.loads(capsys.readouterr().out)["vary"] == {"opt.timestep": [0.001, 0.002]}
    assert main(shlex.split("doctor good.xml --seconds 0.1 --json")) == 0
    assert json.loads(capsys.readouterr().out)["sign"] is None


def test_differences_of_two_models(place, capsys):
    (place / "other.xml").write_text(PENDULUM.replace("<worldbody>", '<worldbody><site name="new" pos="0 0 1"/>', 1))
    assert main(["diff", "good.xml", "good.xml"]) == 0
    assert "the same" in capsys.readouterr().out
    assert main(["diff", "good.xml", "other.xml"]) == 3
    assert "+ site new" in capsys.readouterr().out
    assert main(["diff", "other.xml", "good.xml", "--json"]) == 3
    assert json.loads(capsys.readouterr().out)["removed"] == [["site", "new"]]


# ---- progress ------------------------------------------------------------------------------------------------------------
def test_progress_is_told_after_a_while_and_not_when_quiet(monkeypatch):
    now = [0.0]
    monkeypatch.setattr(told.time, "perf_counter", lambda: now[0])
    stream = io.StringIO()
    count = told.Count("pictures", stream)
    count(1, 10)
    assert stream.getvalue() == ""
    now[0] = 6.0
    count(5, 10)
    assert stream.getvalue() == "tumble: 5 of 10 pictures, about 6 s left\n"
    now[0] = 20.0
    monkeypatch.setenv("TUMBLE_QUIET", "1")
    count(9, 10)
    assert stream.getvalue().count("\n") == 1


# ---- shells --------------------------------------------------------------------------------------------------------------
@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_completion_knows_all_commands_and_options(capsys, shell):
    assert main(["completion", shell]) == 0
    out = capsys.readouterr().out
    for word in (*MODULES, *BY_NAME):
        assert word in out
    assert ("-l camera" if shell == "fish" else "--camera") in out


def test_bash_completes(capsys, tmp_path):
    assert main(["completion", "bash"]) == 0
    (tmp_path / "complete").write_text(capsys.readouterr().out)
    asked = 'source ./complete; COMP_WORDS=(tumble render --cam); COMP_CWORD=2; _tumble; echo "${COMPREPLY[@]}"'
    done = subprocess.run(["bash", "-c", asked], cwd=tmp_path, capture_output=True, text=True, timeout=60)
    assert done.stdout.split() == ["--camera"], done.stderr


def test_every_command_has_a_page_of_help(capsys):
    for command in MODULES:
        with pytest.raises(SystemExit) as stop:
            parser().parse_args([command, "--help"])
        assert stop.value.code == 0 and len(capsys.readouterr().out) > 100
