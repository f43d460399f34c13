"""Pictures and the viewer, by the program that comes with the module."""

from __future__ import annotations

import atexit
import shutil
import subprocess
import tempfile
from collections.abc import Callable
from pathlib import Path

from ._call import DeviceError
from .scene import Scene

Save = Callable[[str], None]
"""Writes a state into a file of this name."""


def program() -> str:
    """Where the program is: beside the module, else on the PATH."""
    own = Path(__file__).parent / "bin" / "clcable"
    found = str(own) if own.exists() else shutil.which("clcable")
    if not found:
        raise DeviceError("pictures need the program clcable, which is neither in the module nor on the PATH")
    return found


def _written(folder: str, scene: Scene, save: Save | None) -> list[str]:
    """The scene and the state in a folder, as words of a command."""
    scene.save(f"{folder}/scene.json")
    if save is None:
        return [f"{folder}/scene.json"]
    save(f"{folder}/now.state")
    return [f"{folder}/scene.json", "--resume", f"{folder}/now.state"]


def drawn(scene: Scene, frame: int, save: Save, words: list[str]) -> bytes:
    """A picture of a world at its frame, PNG."""
    with tempfile.TemporaryDirectory(prefix="clcable-") as folder:
        state = _written(folder, scene, save if frame > 0 else None)
        # a still picture is of the last frame; the start is the first one of a series
        out = f"{folder}/picture.png" if frame > 0 else f"{folder}/picture_%d.png"
        command = [program(), "render", *state, "--frames", str(max(frame, 1)), "--device", "native", "-o", out, "-q", *words]
        done = subprocess.run(command, capture_output=True, text=True)
        if done.returncode:
            raise DeviceError((done.stderr.strip().splitlines() or ["clcable render failed"])[-1])
        return Path(out.replace("%d", "0")).read_bytes()


def viewed(scene: Scene, frame: int, save: Save, words: list[str]) -> subprocess.Popen[bytes]:
    """A window of its own with a world at its frame; its files are there until Python ends."""
    folder = tempfile.mkdtemp(prefix="clcable-")
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    return subprocess.Popen([program(), "view", *_written(folder, scene, save if frame > 0 else None), *words])
