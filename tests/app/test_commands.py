"""The command line: an error is one clear line with a location, and the exit status says whether the user or the model is at
fault."""

import contextlib
import io
import os
import subprocess
import sys

import pytest

import tumble as mj
from tests.app.driver import ROOT
from tests.app.models import PENDULUM
from tumble.app.__main__ import COMMANDS, main
from tumble.app.compiling import Progress
from tumble.app.told import Bar

# seconds for a process that interprets uncompiled kernels, on a loaded machine
SECONDS = 120
BAD = '<mujoco>\n  <worldbody>\n    <geom sze="1"/>\n  </worldbody>\n</mujoco>\n'


@pytest.fixture
def place(tmp_path, monkeypatch):
    """A folder with a good model, a bad one, a folder with a model's name, junk, and a compiled model."""
    monkeypatch.chdir(tmp_path)
    for name, text in (("good.xml", PENDULUM), ("bad.xml", BAD), ("empty.xml", "")):
        (tmp_path / name).write_text(text)
    (tmp_path / "folder.xml").mkdir()
    (tmp_path / "junk.mjb").write_bytes(b"\0\1junk")
    return tmp_path


def told(capsys, *words):
    """(exit status, error stream) of a command."""
    capsys.readouterr()
    status = main([str(w) for w in words])
    return status, capsys.readouterr().err


@pytest.mark.parametrize("command", ["info", "bench", "compile", "render"])
@pytest.mark.parametrize(
    "model, text",
    [
        ("gone.xml", "no such file: gone.xml"),
        ("bad.xml", "bad.xml:3:5: element 'geom', attribute 'sze'"),
        ("folder.xml", "folder.xml"),
        ("junk.mjb", "junk.mjb"),
        ("empty.xml", "empty.xml"),
    ],
)
def test_models_that_are_none(place, capsys, command, model, text):
    """A file that is not a model gives status 1 and one line that names the file once."""
    words = [command, model] + {"compile": ["out.xml"], "render": ["out.png"]}.get(command, [])
    status, error = told(capsys, *words)
    assert status == 1 and error.startswith("tumble: ") and text in error and error.count(model) == 1, error
    assert error.count("\n") == 1
    assert not os.path.exists("out.xml") and not os.path.exists("out.png")


@pytest.mark.parametrize(
    "words, text",
    [
        (("bench", "good.xml", "--seconds", "-1"), "--seconds"),
        (("bench", "good.xml", "--seconds", "nan"), "--seconds"),
        (("bench", "good.xml", "--noise", "-1"), "--noise"),
        (("compile", "good.xml", "out.png"), ".mjb"),
        (("compile", "good.xml", "out"), "suffix"),
        (("render", "good.xml", "a.gif", "--duration", "-1"), "--duration"),
        (("render", "good.xml", "a.png", "--time", "nan"), "--time"),
        (("render", "good.xml", "a.png", "--distance", "0"), "--distance"),
        (("render", "good.xml", "a.png", "--size", "99999x9"), "16384"),
        (("render", "good.xml", "a.png", "--depth", "--segmentation"), "not allowed"),
        (("render", "good.xml", "a.png", "--key", "7"), "key '7'"),
        (("rendr",), "did you mean the command 'render'"),
        (("--nonsense",), "--nonsense"),
        (("info",), "model"),
        (("compile", "good.xml"), "output"),
    ],
)
def test_what_cannot_be_meant(place, capsys, words, text):
    status, error = told(capsys, *words)
    assert status == 2 and text in error.splitlines()[-1]
    assert sorted(p.name for p in place.iterdir()) == ["bad.xml", "empty.xml", "folder.xml", "good.xml", "junk.mjb"]


@pytest.mark.parametrize("suffix", [".xml", ".mjb", ".txt"])
def test_where_nothing_can_be_written(place, capsys, suffix):
    (place / f"taken{suffix}").mkdir()
    for path in (f"no/folder/out{suffix}", f"taken{suffix}"):
        status, error = told(capsys, "compile", "good.xml", path)
        assert status == 1 and error.startswith(f"tumble: cannot write {path}") and error.count("\n") == 1, error


def test_a_compiled_model_has_no_xml(place, capsys):
    assert told(capsys, "compile", "good.xml", "a.mjb") == (0, "")
    # the text of a previously loaded model is not mistaken for this model's
    mj.MjModel.from_xml_string("<mujoco/>")
    status, error = told(capsys, "compile", "a.mjb", "b.xml")
    assert status == 1 and "b.xml" in error and not os.path.exists("b.xml")
    assert told(capsys, "info", "a.mjb") == (0, "")


def test_info_of_a_sound_model_says_so(place, capsys):
    sound = (
        '<mujoco><worldbody><geom name="f" type="plane" size="1 1 1"/>'
        '<body name="b" pos="0 0 1"><freejoint name="j"/><geom name="g" size=".1"/></body></worldbody></mujoco>'
    )
    (place / "good.xml").write_text(sound)
    assert main(["info", "good.xml"]) == 0
    out = capsys.readouterr().out
    assert "1 body, 1 of them free, 6 degrees of freedom" in out and "no problems found" in out and "nbody" not in out
    assert main(["info", "good.xml", "--sizes"]) == 0
    assert "nbody 2" in capsys.readouterr().out


def test_every_command_tells_what_it_does(capsys):
    for command in COMMANDS:
        assert main([command, "--help"]) == 0
        out = capsys.readouterr().out
        assert f"usage: tumble {command}" in out and len(out.splitlines()) > 3
    assert main(["--help"]) == 0
    out = capsys.readouterr().out
    assert all(f"\n    {command}" in out for command in COMMANDS) and "examples:" in out
    assert main(["--version"]) == 0 and capsys.readouterr().out.startswith("tumble ")


def tumble(*words, folder, **more):
    return subprocess.run(
        [sys.executable, "-m", "tumble", *words],
        cwd=folder,
        env=dict(os.environ, PYTHONPATH=str(ROOT)),
        text=True,
        capture_output=True,
        timeout=300,
        **more,
    )


@pytest.mark.parametrize(
    "body, status, out, err",
    [
        ("sys.exit(3)", 3, "", ""),
        ("sys.exit('it is over')", 1, "", "it is over"),
        ("print(sys.argv[1:], mujoco.mj_versionString())", 0, "['-x', '1']", ""),
        ("raise ValueError('no')", 1, "", "ValueError: no"),
        ("sys.exit()", 0, "", ""),
    ],
)
def test_scripts_end_as_under_python(tmp_path, body, status, out, err):
    (tmp_path / "s.py").write_text(f"import sys, mujoco\n{body}\n")
    done = tumble("run", "s.py", "-x", "1", folder=tmp_path)
    assert done.returncode == status and out in done.stdout and err in done.stderr, done


def test_a_reader_that_has_had_enough(tmp_path):
    """`tumble info model.xml | head -1` prints nothing about broken pipes."""
    (tmp_path / "m.xml").write_text(PENDULUM)
    read, write = os.pipe()
    os.close(read)
    done = subprocess.run(
        [sys.executable, "-u", "-m", "tumble", "info", "m.xml"],
        cwd=tmp_path,
        env=dict(os.environ, PYTHONPATH=str(ROOT)),
        stdout=write,
        stderr=subprocess.PIPE,
        text=True,
        timeout=300,
    )
    os.close(write)
    assert done.returncode == 0 and not done.stderr


class Stream(io.StringIO):
    """An output stream that claims to be a terminal, or not."""

    def __init__(self, terminal):
        super().__init__()
        self.terminal = terminal

    def isatty(self):
        return self.terminal


@pytest.mark.parametrize("terminal", (True, False))
def test_compiling_kernels_says_how_far_it_is(terminal):
    """A terminal gets one bar that is redrawn in place, a log gets whole lines. Nothing is written if nothing is compiled."""
    stream = Stream(terminal)
    bar = Bar(stream)
    bar.close()
    assert not stream.getvalue()
    bar.show(Progress(0, 4, None, True))
    bar.show(Progress(2, 4, 3, True))
    bar.show(None)
    text = stream.getvalue()
    assert text.endswith(" s\n") and "0 of 4" in text
    assert ("2 of 4, about 3 s" in text) == terminal == text.startswith("\r[....")
    bar.close()
    assert stream.getvalue() == text


def test_info_needs_no_compiler(tmp_path, monkeypatch):
    """The contents of a model are reported before any kernel is compiled."""
    monkeypatch.setenv("TUMBLE_CACHE_DIR", str(tmp_path / "kernels"))
    (tmp_path / "model.xml").write_text(PENDULUM)
    code = (
        "import sys; from tumble.app.__main__ import main; status = main(['info', 'model.xml']); "
        "assert 'numba' not in sys.modules; sys.exit(status)"
    )
    done = subprocess.run(
        [sys.executable, "-P", "-c", code],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        timeout=SECONDS,
        env=dict(os.environ, PYTHONPATH=str(ROOT)),
    )
    assert done.returncode == 0 and "degrees of freedom" in done.stdout, done.stderr


@pytest.mark.parametrize("encoding", ["ascii", "cp1252", "utf-8"])
def test_names_that_the_terminal_lacks_are_printed(place, monkeypatch, encoding):
    written = io.BytesIO()
    monkeypatch.setattr("sys.stdout", io.TextIOWrapper(written, encoding, errors="strict"))
    assert main(["compile", "good.xml", os.fsdecode("模型".encode() + b"\xff.xml")]) == 0
    sys.stdout.flush()
    assert b"saved " in written.getvalue()


def test_names_cannot_command_the_terminal(place):
    """The control characters of a name are printed as numbers."""
    (place / "evil.xml").write_text("<mujoco><actuator><motor joint='\x9b31m'/></actuator></mujoco>", encoding="utf-8")
    reader, writer = os.openpty()
    shown = subprocess.run(
        [sys.executable, "-m", "tumble", "info", "evil.xml"],
        cwd=place,
        stdout=writer,
        stderr=writer,
        timeout=SECONDS,
        env=dict(os.environ, PYTHONPATH=str(ROOT)),
    )
    os.close(writer)
    text = b""
    # the reader of a terminal gets an error at its end
    with contextlib.suppress(OSError):
        while part := os.read(reader, 4096):
            text += part
    os.close(reader)
    assert shown.returncode == 1 and b"\\x9b31m" in text and "\x9b".encode() not in text, text
