"""Numbers from measurements."""

import json
import math
import signal
import subprocess
import sys
import threading
import time
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


def has_fit() -> bool:
    try:
        clcable.fit(swing(), {"end": np.zeros((2, 4))}, {STIFFNESS: (2, 1)})
    except clcable.UnsupportedError:
        return False
    except clcable.InputError:
        return True
    return True


needs_fit = pytest.mark.skipif(not has_fit(), reason="this build has no fit")


@needs_fit
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


@needs_fit
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


@needs_fit
def test_what_cannot_be_is_one_line(tmp_path: Path) -> None:
    tracks = measured(swing(), 0)
    ranges = {STIFFNESS: (1e-5, 1e-2)}
    early, far, late = tracks["end"].copy(), tracks["end"].copy(), tracks["end"].copy()
    early[3, 0], far[4, 2], late[5, 0] = -1, math.inf, math.nan
    (tmp_path / "bad.csv").write_text("t,probe,x,y,z\n0,end,a,0,0\n")
    for wrong, said in (
        (lambda: clcable.fit(swing(), {"none": tracks["end"]}, ranges), 'tracks: probe "none": expected one that scene has'),
        (lambda: clcable.fit(swing(), {"end": tracks["end"][:, :3]}, ranges), r"shape \(n, 4\), got \(100, 3\)"),
        (lambda: clcable.fit(swing(), {"end": early}, ranges), r'tracks\["end"\]\[3\]: expected a time of 0 s or later, up to 1e9 s, got -1'),
        (lambda: clcable.fit(swing(), {"end": late}, ranges), r'tracks\["end"\]\[5\]: expected a time of 0 s or later, up to 1e9 s, got nan'),
        (lambda: clcable.fit(swing(), {"end": far}, ranges), r'tracks\["end"\]\[4\]: expected a place in m'),
        (lambda: clcable.fit(swing(), {"end": tracks["end"].astype(str)}, ranges), "expected real numbers"),
        (lambda: clcable.fit(swing(), {}, ranges), "tracks: expected a place that was measured, or more"),
        (lambda: clcable.fit(swing(), {"end": np.full((2, 4), [0, math.nan, math.nan, math.nan])}, ranges), "expected a place that was measured"),
        (lambda: clcable.fit(swing(), {"end": [[0, math.nan, math.nan, 1]]}, {STIFFNESS: (1, 2), "/materials/wire/damping": (1, 2)}), "at least as many"),
        (lambda: clcable.fit(swing(), tracks, {}), "expected 1 to 12 numbers that are sought, got 0"),
        (lambda: clcable.fit(swing(), tracks, {STIFFNESS: (1e-2, 1e-5)}), "expected a range from less to more, got 0.01 to 1e-05"),
        (lambda: clcable.fit(swing(), tracks, {STIFFNESS: (1e-2, math.nan)}), "expected a range from less to more"),
        (lambda: clcable.fit(swing(), tracks, {STIFFNESS: (1e-2,)}), "two ends of a range"),
        (lambda: clcable.fit(swing(), tracks, {STIFFNESS: 1e-2}), "two ends of a range, got 0.01"),
        (lambda: clcable.fit(swing(), tracks, {STIFFNESS: ("a", "b")}), "two ends of a range"),
        (lambda: clcable.fit(swing(), tracks, [STIFFNESS]), "expected pointers with ranges"),
        (lambda: clcable.fit(swing(), tracks, {3: (1, 2)}), "expected pointers with ranges"),
        (lambda: clcable.fit(swing(), {3: tracks["end"]}, ranges), "tracks: expected names of probes, got 3"),
        (lambda: clcable.fit(swing(), {"end": [[0, 1, 2, 3], [1, 2]]}, ranges), r'tracks\["end"\]: expected rows t, x, y, z'),
        (lambda: clcable.fit(swing(), {"end": [[1e12, 0, 0, 0]]}, ranges), r'tracks\["end"\]\[0\]: expected a time of 0 s or later, up to 1e9 s'),
        (lambda: clcable.fit(swing(), tracks, {"wire": (1, 2)}), "expected a pointer such as"),
        (lambda: clcable.fit(swing(), tracks, {"/time/substeps": (1, 2)}), "not one of the whole scene"),
        (lambda: clcable.fit(swing(), tracks, {"/materials/wire/nothing": (1, 2)}), "^scene: /materials/wire/nothing"),
        (lambda: clcable.fit(swing(), tracks, ranges, hold_out=0.95), "hold_out: expected a share of the time from 0 to 0.9"),
        (lambda: clcable.fit(swing(), tracks, ranges, tries=-1), "tries: expected a number from 0 to 1000000, got -1"),
        (lambda: clcable.fit(swing(), tracks, ranges, tries=2**40), "tries: expected a number from 0 to 1000000"),
        (lambda: clcable.fit(swing(), tracks, ranges, seed=-1), "seed: expected a number from 0"),
        (lambda: clcable.fit(swing(), tracks, ranges, device="abacus"), "abacus"),
        (lambda: clcable.fit([swing()], tracks, ranges), "a set of tracks for each"),
        (lambda: clcable.fit(swing(), tmp_path / "bad.csv", ranges), "bad.csv: line 2: expected a number for x, got 'a'"),
    ):
        with pytest.raises(clcable.InputError, match=said) as caught:
            wrong()
        assert "\n" not in str(caught.value)
    with pytest.raises(clcable.FileError, match="gone.csv"):
        clcable.fit(swing(), tmp_path / "gone.csv", ranges)


@needs_fit
def test_finds_what_the_program_finds(tmp_path: Path) -> None:
    """To the last digit, from the same scene and tracks in files; keyframes are an array here and text there."""
    program = Path(clcable.__file__).parent / "bin" / "clcable"
    if not program.exists():
        pytest.skip("no program beside the module")
    tracks = measured(swing())
    swing(1e-3, 1.0).save(tmp_path / "guess.json")
    lines = [f"{t!r},{probe},{x!r},{y!r},{z!r}" for probe, rows in tracks.items() for t, x, y, z in rows.tolist()]
    (tmp_path / "tracks.csv").write_text("\n".join(["t,probe,x,y,z", *lines]))
    words = ["--find", f"{STIFFNESS}=1e-5:1e-2", "--find", "/materials/wire/damping=0.01:5", "--tries", "24", "--settle", "--report", "r.json"]
    subprocess.run([program, "fit", "guess.json", "tracks.csv", *words, "--device", "native", "-q"], cwd=tmp_path, check=True)
    report = json.loads((tmp_path / "r.json").read_text())
    find = {STIFFNESS: (1e-5, 1e-2), "/materials/wire/damping": (0.01, 5)}
    for given in (tracks, tmp_path / "tracks.csv"):
        found = clcable.fit(swing(1e-3, 1.0), given, find, tries=24, settle=True, device="native")
        assert [v.value for v in found.values.values()] == [v["found"] for v in report["values"]]
        assert [v.spread for v in found.values.values()] == [v["spread"] for v in report["values"]]
        assert found.correlation.tolist() == report["correlation"] and found.runs == report["runs"]
        assert vars(found.fitted[0]) == report["clips"][0]["fitted"]


@needs_fit
def test_what_goes_wrong_in_between_is_passed_on(monkeypatch: pytest.MonkeyPatch) -> None:
    """An interrupt ends the search: it is not lost in C, and the module goes on."""
    tracks = measured(swing(), 0)
    made = clcable.Scene._made
    count = 0

    def interrupted(self: clcable.Scene, *words: object, **more: object) -> object:
        nonlocal count
        count += 1
        if count == 5:
            raise KeyboardInterrupt
        return made(self, *words, **more)  # type: ignore[arg-type]

    monkeypatch.setattr(clcable.Scene, "_made", interrupted)
    with pytest.raises(KeyboardInterrupt):
        clcable.fit(swing(), tracks, {STIFFNESS: (1e-5, 1e-2)}, tries=8, device="native")
    monkeypatch.undo()
    assert clcable.fit(swing(), tracks, {STIFFNESS: (1e-5, 1e-2)}, tries=8, device="native").values[STIFFNESS].value == pytest.approx(EI, rel=1e-3)


def test_ctrl_c_ends_it() -> None:
    """A signal between two frames, in the main thread."""
    if not has_fit():
        pytest.skip("this build has no fit")
    tracks = measured(swing(), 0)
    timer = threading.Timer(1, signal.raise_signal, [signal.SIGINT])
    timer.start()
    began = time.monotonic()
    with pytest.raises(KeyboardInterrupt):
        clcable.fit(swing(), tracks, {STIFFNESS: (1e-5, 1e-2)}, tries=1_000_000, device="native")
    assert time.monotonic() - began < 60  # the rest of one frame of 256 tries, on a slow machine


def test_the_module_loads_no_cminpack_before_it_is_needed() -> None:
    """A machine without it can use all else."""
    if not Path("/proc/self/maps").exists():
        pytest.skip("needs /proc")
    code = "import clcable; print('cminpack' in open('/proc/self/maps').read())"
    done = subprocess.run([sys.executable, "-P", "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "False"
