"""Numbers from measurements."""

import math
import shutil
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

import clcable

EI, DAMPING, RATE = 8e-4, 0.4, 50
STIFFNESS = "/materials/wire/bending_stiffness"


def swing(stiffness: float = EI, damping: float = DAMPING) -> clcable.Scene:
    """A clamped cable of 0.6 m, led up and down at its start, with probes at its middle and end."""
    scene = clcable.Scene(method="direct", substeps=20, frame_rate=RATE, duration=2)
    scene.add_material("wire", radius=0.003, linear_density=0.05, bending_stiffness=stiffness, damping=damping)
    scene.add_cable("a", "wire", [[0, 0, 1], [0.6, 0, 1]], segments=16)
    t = np.linspace(0, 1, 40)
    scene.attach("a", "start", {"keyframes": np.stack([t, 0 * t, 0 * t, 1 + 0.1 * np.sin(6 * t)], axis=1)}, clamp=True)
    scene.add_probe("middle", "a", 0.5)
    scene.add_probe("end", "a", 1.0)
    return scene


def measured(scene: clcable.Scene, noise: float = 1e-3) -> dict[str, np.ndarray]:
    rng = np.random.default_rng(4)
    with clcable.World(scene, device="native") as world:
        rows: dict[str, list[list[float]]] = {"middle": [], "end": []}
        for frame in range(1, 2 * RATE + 1):
            world.step(1)
            for name, place in zip(rows, world.probes.positions, strict=True):
                rows[name].append([frame / RATE, *(place + noise * rng.standard_normal(3))])
    return {name: np.array(r) for name, r in rows.items()}


def command() -> Path:
    return Path(sys.executable).parent / "clcable"


needs_program = pytest.mark.skipif(
    not command().exists() or "without" in subprocess.run([command(), "fit", "--help"], capture_output=True, text=True).stdout,
    reason="this program has no fit",
)


@needs_program
def test_finds_what_the_scene_had() -> None:
    """With 1 mm of noise within 5 %, and within four of its deviations."""
    tracks = measured(swing())
    tracks["end"][3, 2] = math.nan  # not seen
    start = swing(1e-3, 1.0)
    found = clcable.fit(start, tracks, {STIFFNESS: (1e-5, 1e-2), "/materials/wire/damping": (0.01, 5)}, device="native")
    for pointer, known in ((STIFFNESS, EI), ("/materials/wire/damping", DAMPING)):
        value = found.values[pointer]
        assert value.told and not value.at_end and value.by_ratio
        assert abs(value.value / known - 1) < min(0.05, 4 * value.spread)
    assert found.warnings == () and found.runs > 100
    assert found.correlation.shape == (2, 2) and found.correlation[0, 0] == pytest.approx(1)
    # a normal deviation of 1 mm: a mean of 0.8 mm
    assert found.fitted[0].numbers == 2 * 80 * 3 - 1 and found.fitted[0].root_mean_square == pytest.approx(1e-3, rel=0.1)
    held = found.held_out[0]
    assert held is not None and held.mean == pytest.approx(0.8e-3, rel=0.2)
    with clcable.World(start.with_overrides(found.overrides), device="native") as world:
        assert world.materials[0].bending_stiffness == found.values[STIFFNESS].value


@needs_program
def test_several_clips_and_a_file(tmp_path: Path) -> None:
    """Two clips, one of them from a table; what has no influence is told."""
    lines = ["t,probe,x,y,z"]
    for name, rows in measured(swing(), 0).items():
        lines += [f"{t},{name},{x},{y},{z}" for t, x, y, z in rows]
    (tmp_path / "end.csv").write_text("\n".join(lines) + "\n")
    find = {STIFFNESS: (1e-4, 1e-2), "/materials/wire/friction": (0.1, 1.0)}
    found = clcable.fit([swing(1e-3), swing(1e-3)], [measured(swing(), 0), tmp_path / "end.csv"], find, tries=40, hold_out=0, device="native")
    assert found.values[STIFFNESS].value == pytest.approx(EI, rel=1e-3)
    assert not found.values["/materials/wire/friction"].told
    assert any("friction: these tracks do not tell it" in line for line in found.warnings)
    assert found.held_out == (None, None)


@needs_program
def test_what_cannot_be_is_one_line(tmp_path: Path) -> None:
    tracks = measured(swing(), 0)
    ranges = {STIFFNESS: (1e-5, 1e-2)}
    for wrong, said in (
        (lambda: clcable.fit(swing(), {"none": tracks["end"]}, ranges), "none"),
        (lambda: clcable.fit(swing(), {"end": tracks["end"][:, :3]}, ranges), r"shape \(n, 4\), got \(100, 3\)"),
        (lambda: clcable.fit(swing(), tracks, {STIFFNESS: (1e-2, 1e-5)}), "--find"),
        (lambda: clcable.fit(swing(), tracks, {STIFFNESS: (1e-2,)}), "two ends of a range"),
        (lambda: clcable.fit(swing(), tracks, {"/materials/wire/nothing": (1, 2)}), "nothing"),
        (lambda: clcable.fit([swing()], tracks, ranges), "a set of tracks for each"),
        (lambda: clcable.fit(swing(), tmp_path / "gone.csv", ranges), "gone.csv: cannot read it"),
    ):
        with pytest.raises(clcable.InputError, match=said) as caught:
            wrong()
        assert "\n" not in str(caught.value)


def test_without_a_program_it_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Path, "exists", lambda self: False)
    monkeypatch.setattr(shutil, "which", lambda name: None)
    with pytest.raises(clcable.DeviceError, match="fit: the program clcable is needed"):
        clcable.fit(swing(), {"end": np.zeros((2, 4))}, {STIFFNESS: (1e-5, 1e-2)})
