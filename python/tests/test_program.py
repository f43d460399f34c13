"""The program that comes with the module."""

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

import clcable


def test_program(tmp_path: Path) -> None:
    """On the PATH and as a module: the same program, which runs a scene and finds those that came with it."""
    command = Path(sys.executable).parent / "clcable"
    if not command.exists():
        assert shutil.which("clcable") is None
        pytest.skip("the module has not been installed from its wheel")
    version = subprocess.run([command, "--version"], capture_output=True, text=True, check=True).stdout
    assert version == f"clcable {clcable.__version__}\n"
    scene = clcable.Scene(duration=0.1)
    scene.add_material("wire", radius=0.003, linear_density=0.05)
    scene.add_cable("a", "wire", [[0, 0, 1], [1, 0, 1]], segments=10)
    scene.save(tmp_path / "line.json")
    words = [sys.executable, "-m", "clcable", "run", "line.json", "--device", "native", "--report", "r.json"]
    subprocess.run(words, cwd=tmp_path, check=True, capture_output=True)
    assert json.loads((tmp_path / "r.json").read_text())["frames"] == 6
    words = [command, "bench", "hang-16", "--device", "native", "--frames", "1", "--quiet", "--json"]
    assert "hang-16" in subprocess.run(words, capture_output=True, text=True, check=True).stdout
    words = [command, "run", "line.json", "--device", "native", "--quiet", "-o", "line.npz", "-o", "line.vtkhdf"]
    subprocess.run(words, cwd=tmp_path, check=True)  # by libraries of the machine that building has, too
    assert np.load(tmp_path / "line.npz")["positions"].shape[1:] == (11, 3)
    wrong = subprocess.run([command, "run", "none.json"], cwd=tmp_path, capture_output=True, text=True)
    assert wrong.returncode == 2 and "none.json" in wrong.stderr


def test_pictures(tmp_path: Path) -> None:
    """`render`, where OpenGL is there; else one line says what is missing."""
    command = Path(sys.executable).parent / "clcable"
    if not command.exists() or "without the viewer" in subprocess.run([command, "render", "--help"], capture_output=True, text=True).stdout:
        pytest.skip("this program has no viewer")
    scene = clcable.Scene(duration=0.1)
    scene.add_material("wire", radius=0.01, linear_density=0.05)
    scene.add_cable("a", "wire", [[0, 0, 1], [1, 0, 1]], segments=10)
    scene.save(tmp_path / "line.json")
    words = [command, "render", "line.json", "--device", "native", "--frames", "1", "--size", "64x48", "-o", "line.png", "-q"]
    done = subprocess.run(words, cwd=tmp_path, capture_output=True, text=True)
    picture = tmp_path / "line.png"
    assert (done.returncode == 0 and picture.read_bytes().startswith(b"\x89PNG")) or (
        "EGL" in done.stderr and done.stderr.count("\n") == 1 and not picture.exists()
    ), done.stderr


def test_picture_of_a_world() -> None:
    """At the start and later, as it is then; a notebook shows it."""
    scene = clcable.Scene()
    scene.add_material("wire", radius=0.02, linear_density=0.05)
    scene.add_cable("a", "wire", [[0, 0, 1], [1, 0, 1]], segments=10)
    scene.attach("a", "start")
    world = clcable.World(scene, device="native")
    scene.add_material("another", radius=0.02, linear_density=0.05)  # not of this world
    try:
        start = world.picture((64, 48), quality="draft")
    except clcable.Error as error:
        assert any(word in str(error) for word in ("EGL", "viewer", "PATH")) and world._repr_png_() is None
        pytest.skip(str(error))
    world.step(20)
    later = world.picture((64, 48), quality="draft")
    assert start[:4] == later[:4] == b"\x89PNG" and start != later
    shown = world._repr_png_()
    assert shown is not None and shown.startswith(b"\x89PNG")
    with pytest.raises(clcable.Error, match="colour"):
        world.picture(colour="loud")


@pytest.fixture
def display(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """A screen of its own in memory, as of CI."""
    if not shutil.which("Xvfb"):
        pytest.skip("Xvfb is not installed")
    read, write = os.pipe()
    words = ["Xvfb", "-displayfd", str(write), "-screen", "0", "640x480x24", "-nolisten", "tcp"]
    server = subprocess.Popen(words, pass_fds=(write,), stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    os.close(write)
    with os.fdopen(read) as pipe:
        monkeypatch.setenv("DISPLAY", f":{pipe.readline().strip()}")
    monkeypatch.delenv("WAYLAND_DISPLAY", raising=False)
    yield
    server.terminate()
    server.wait()


def test_view_of_a_world(display: None, capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    """A window with the world as it is at the start and later, which shows pictures and ends; the world is as it was."""
    scene = clcable.Scene()
    scene.add_material("wire", radius=0.02, linear_density=0.05)
    scene.add_cable("a", "wire", [[0, 0, 1], [1, 0, 1]], segments=10)
    world = clcable.World(scene, device="native")
    words = ("--device", "native", "--size", "200x150", "--quality", "draft", "--pictures", "4")
    try:
        shown = world.view(*words)
    except clcable.Error as error:
        pytest.skip(str(error))
    code, said = shown.wait(300), capfd.readouterr().err
    if code and any(word in said for word in ("without the viewer", "GLX")):
        pytest.skip(said)
    assert code == 0 and "--resume" not in shown.args, said
    world.step(20)
    before = world.positions(copy=True)
    shown = world.view(*words)
    assert shown.wait(300) == 0 and "--resume" in shown.args, capfd.readouterr().err
    assert capfd.readouterr().err.count("error") == 0 and world.info.frame == 20 and (world.positions() == before).all()
    assert world.view("--colour", "loud").wait(60) == 2 and "loud" in capfd.readouterr().err
    monkeypatch.delenv("DISPLAY")
    assert world.view(*words).wait(60) == 1 and capfd.readouterr().err.count("\n") == 1  # says what to do instead
