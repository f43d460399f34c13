"""Numbers from measurements, by the program that comes with the module (docs/fit.md)."""

from __future__ import annotations

import csv
import json
import math
import os
import shutil
import subprocess
import tempfile
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ._call import DivergedError, Error, InputError
from .pictures import program
from .scene import Scene

Tracks: TypeAlias = Mapping[str, ArrayLike] | str | os.PathLike[str]
"""Where probes were measured: {probe: rows t, x, y, z}, s and m, NaN = not measured; or a table (.csv) with columns t, probe, x, y, z."""


@dataclass(frozen=True)
class Found:
    """A number that was found.

    >>> clcable.Found(8e-4, 0.01, by_ratio=True, told=True, at_end=False).value
    0.0008
    """

    value: float
    spread: float
    """Standard deviation, or where it is sought by its ratio (`by_ratio`) a share of the value; inf: the tracks do not tell it at all."""
    by_ratio: bool
    told: bool
    """The tracks tell it: the deviation is less than a quarter of its range."""
    at_end: bool
    """It lies at an end of its range, and may lie beyond."""


@dataclass(frozen=True)
class Off:
    """By how much a scene is off its tracks.

    >>> clcable.Off(numbers=300, mean=8e-4, root_mean_square=1e-3).mean
    0.0008
    """

    numbers: int
    """Coordinates that are compared."""
    mean: float
    """m a coordinate, without signs."""
    root_mean_square: float
    """m."""


@dataclass(frozen=True)
class Fit:
    """What `fit()` has found.

    >>> import numpy
    >>> stiffness = clcable.Found(8e-4, 0.01, by_ratio=True, told=True, at_end=False)
    >>> off = clcable.Off(300, 8e-4, 1e-3)
    >>> clcable.Fit({"/materials/wire/bending_stiffness": stiffness}, numpy.eye(1), (off,), (None,), 120, ()).overrides
    {'/materials/wire/bending_stiffness': 0.0008}
    """

    values: dict[str, Found]
    """By pointer, in the order in which they were asked for."""
    correlation: NDArray[np.float64]
    """Of the values, -1 to 1; near either, two can hardly be told apart."""
    fitted: tuple[Off, ...]
    """Of each clip, what was fitted."""
    held_out: tuple[Off | None, ...]
    """Of each clip, its last part, which was not; None: nothing was held out."""
    runs: int
    warnings: tuple[str, ...]
    """What the tracks do not tell, ends of ranges, and what cannot be told apart: a line each."""

    @property
    def overrides(self) -> dict[str, float]:
        """The values for `Scene.with_overrides`: the scene with what was found."""
        return {pointer: found.value for pointer, found in self.values.items()}


def _write_tracks(tracks: Tracks, place: Path) -> None:
    if not isinstance(tracks, Mapping):
        try:
            shutil.copyfile(tracks, place)
        except OSError as error:
            raise InputError(f"{os.fspath(tracks)}: cannot read it: {error.strerror}") from None
        return
    with place.open("w", newline="", encoding="utf-8") as file:
        table = csv.writer(file)
        table.writerow(["t", "probe", "x", "y", "z"])
        for probe, rows in tracks.items():
            array = np.asarray(rows, dtype=float)
            if array.ndim != 2 or array.shape[1] != 4:
                raise InputError(f'tracks["{probe}"]: expected rows t, x, y, z of the shape (n, 4), got {array.shape}')
            for t, *xyz in array.tolist():
                table.writerow([repr(t), probe, *("" if math.isnan(value) else repr(value) for value in xyz)])


def _pairs(scenes: Scene | Sequence[Scene], tracks: Tracks | Sequence[Tracks]) -> list[tuple[Scene, Tracks]]:
    if isinstance(scenes, Scene):
        if isinstance(tracks, Mapping | str | os.PathLike):
            return [(scenes, tracks)]
        raise InputError("fit: expected one set of tracks for one scene")
    if isinstance(tracks, Mapping | str | os.PathLike) or len(scenes) != len(tracks) or len(scenes) == 0:
        raise InputError(f"fit: expected a set of tracks for each of the {len(scenes)} scenes")
    return list(zip(scenes, tracks, strict=True))


def _off(value: dict[str, Any] | None) -> Off | None:
    return Off(**value) if value else None


def _read(report: dict[str, Any], warnings: list[str]) -> Fit:
    values = {
        v["pointer"]: Found(v["found"], math.inf if v["spread"] is None else v["spread"], v["by_ratio"], v["told"], v["at_end"])
        for v in report["values"]
    }
    clips = report["clips"]
    correlation = np.array([[0.0 if c is None else c for c in row] for row in report["correlation"]])
    fitted = tuple(Off(**clip["fitted"]) for clip in clips)
    return Fit(values, correlation, fitted, tuple(_off(clip["held_out"]) for clip in clips), report["runs"], tuple(warnings))


def _failed(code: int, lines: list[str], folder: str) -> Error:
    said = (lines or [f"clcable fit ended with {code}"])[-1].removeprefix("clcable: ").replace(f"{folder}/", "")
    return InputError(said) if code == 2 else DivergedError(said) if "diverged" in said else Error(said)


def fit(
    scene: Scene | Sequence[Scene],
    tracks: Tracks | Sequence[Tracks],
    find: Mapping[str, Sequence[float]],
    *,
    tries: int | None = None,
    seed: int = 1,
    hold_out: float = 0.2,
    settle: bool = False,
    device: str | None = None,
    threads: int = 0,
) -> Fit:
    """Finds numbers of a scene by which its probes come nearest to where they were measured.

    scene: the experiment, with a probe at each place that was measured; several, with as many tracks, are fitted together. find:
    {pointer: (from, to)}, up to 12; with `from` above 0 by ratios. tries: spread evenly over the ranges before the best are followed; 64 a
    number. hold_out: the last part of each clip's time is not fitted. settle: the cables hung at rest before. device, threads: as of a
    world. The numbers are those of the program `clcable fit`, which does it.

        found = clcable.fit(scene, {"tip": rows}, {"/materials/wire/bending_stiffness": (1e-5, 1e-2)}, settle=True)
        scene = scene.with_overrides(found.overrides)

    InputError: a scene, tracks or a range cannot be; Error: a run failed, or the program has no cminpack.
    """
    pairs = _pairs(scene, tracks)
    words = ["--seed", str(seed), "--hold-out", repr(float(hold_out))]
    words += ["--threads", str(threads)] if threads else []
    words += ["--tries", str(tries)] if tries is not None else []
    words += ["--device", device] if device is not None else []
    words += ["--settle"] if settle else []
    for pointer, ends in find.items():
        if len(ends) != 2:
            raise InputError(f"find: {pointer}: expected two ends of a range, got {len(ends)} numbers", pointer)
        words += ["--find", f"{pointer}={float(ends[0])!r}:{float(ends[1])!r}"]
    with tempfile.TemporaryDirectory(prefix="clcable-") as folder:
        files: list[str] = []
        for i, (one, measured) in enumerate(pairs):
            name = f"{folder}/scene{i or ''}.json"
            one.save(name)
            _write_tracks(measured, Path(f"{folder}/tracks{i or ''}.csv"))
            files += [name, f"{folder}/tracks{i or ''}.csv"]
        report = Path(folder) / "report.json"
        command = [program("fit"), "fit", *files, *words, "--report", str(report)]
        done = subprocess.run(command, capture_output=True, text=True)
        lines = [line for line in done.stderr.splitlines() if line.startswith("clcable: ")]
        if done.returncode:
            raise _failed(done.returncode, lines, folder)
        said = [line.split("warning: ", 1)[1].replace(f"{folder}/", "") for line in lines if "warning: " in line]
        return _read(json.loads(report.read_text(encoding="utf-8")), said)
