"""Numbers from measurements (docs/fit.md)."""

from __future__ import annotations

import math
import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from types import TracebackType
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import ArrayLike, NDArray

from . import _world
from ._call import Error, InputError, call, text
from ._clcable import ffi, lib
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
    """The tracks tell it: the deviation is less than a quarter of its range, and no other number could take its place."""
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


_SAMPLE = np.dtype([("t", "f8"), ("probe", "i4"), ("place", "f8", 3)], align=True)
"""A cab_track_sample."""


def _rows(probe: str, rows: ArrayLike, name: str) -> NDArray[np.float64]:
    """The rows of a probe that say something, checked."""
    place = f'{name}["{probe}"]'
    try:
        array = np.asarray(rows)
    except ValueError:
        raise InputError(f"{place}: expected rows t, x, y, z of the shape (n, 4), got rows that differ in length") from None
    if array.ndim != 2 or array.shape[1] != 4:
        raise InputError(f"{place}: expected rows t, x, y, z of the shape (n, 4), got {array.shape}")
    if array.dtype.kind not in "iuf":
        raise InputError(f"{place}: expected real numbers, got an array of {array.dtype}")
    array = array.astype(np.float64)
    for i in np.flatnonzero(~((array[:, 0] >= 0) & (array[:, 0] <= 1e9))):
        raise InputError(f"{place}[{i}]: expected a time of 0 s or later, up to 1e9 s, got {array[i, 0]}")
    for i in np.flatnonzero(np.isinf(array).any(axis=1)):
        raise InputError(f"{place}[{i}]: expected a place in m, or NaN where it was not measured, got {array[i, 1:].tolist()}")
    said: NDArray[np.float64] = array[~np.isnan(array[:, 1:]).all(axis=1)]
    return said


def _samples(tracks: Mapping[str, ArrayLike], name: str) -> NDArray[Any]:
    """What all probes say, by time."""
    found = []
    for index, (probe, rows) in enumerate(tracks.items()):
        if not isinstance(probe, str):
            raise InputError(f"{name}: expected names of probes, got {probe!r}")
        array = _rows(probe, rows, name)
        samples = np.zeros(len(array), _SAMPLE)
        samples["t"], samples["probe"], samples["place"] = array[:, 0], index, array[:, 1:]
        found.append(samples)
    joined = np.concatenate([np.zeros(0, _SAMPLE), *found])
    return joined[np.argsort(joined["t"], kind="stable")]


class _Clips:
    """Clips as C has them, and all that must live as long."""

    def __init__(self, pairs: list[tuple[Scene, Tracks]]) -> None:
        self.array = ffi.new("cab_fit_clip[]", len(pairs))
        self._kept: list[Any] = []
        for i, (scene, tracks) in enumerate(pairs):
            given = self._given(tracks, "tracks" if len(pairs) == 1 else f"tracks[{i}]")
            given.scene = self._keep(ffi.new("char[]", scene._name.encode()))
            self.array[i] = given

    def _keep(self, value: Any) -> Any:
        self._kept.append(value)
        return value

    def _given(self, tracks: Tracks, name: str) -> Any:
        if not isinstance(tracks, Mapping):
            path = self._keep(ffi.new("char[]", os.fsencode(tracks)))
            read = self._keep(ffi.gc(ffi.new("cab_tracks *"), lib.cab_tracks_free))
            call(lib.cab_tracks_read, path, read)
            return lib.cab_fit_clip_of(read, ffi.NULL, path)
        samples = self._keep(_samples(tracks, name))
        names = [self._keep(ffi.new("char[]", probe.encode())) for probe in tracks]
        clip = ffi.new("cab_fit_clip *")
        clip.file = self._keep(ffi.new("char[]", name.encode()))
        clip.probes, clip.probe_count = self._keep(ffi.new("char *[]", names)), len(names)
        clip.sample, clip.count = ffi.cast("cab_track_sample *", samples.ctypes.data), len(samples)
        return self._keep(clip)[0]


class _Job:
    """Makes the scenes of tries. What goes wrong in a callback is kept: C cannot take it on."""

    def __init__(self, scenes: list[Scene], pointers: list[str]) -> None:
        self.scenes = scenes
        self.texts = [scene._text(pointers) for scene in scenes]
        self.error: BaseException | None = None

    def made(self, clip: int, changes: list[str]) -> Any:
        return self.scenes[clip]._made(changes, self.texts[clip])


def _keep_error(kind: type[BaseException], error: BaseException, trace: TracebackType | None) -> None:
    if trace is not None:
        ffi.from_handle(trace.tb_frame.f_locals["user"]).error = error


@ffi.def_extern(name="clcable_fit_make", onerror=_keep_error, error=lib.CAB_ERROR_INPUT)  # type: ignore[untyped-decorator]
def _make(user: Any, clip: int, changes: Any, count: int, scene: Any, error: Any) -> int:
    made = ffi.from_handle(user).made(clip, [text(changes[k]) for k in range(count)])
    ffi.gc(made, None)  # from now on it is C's to free
    scene[0] = made
    return int(lib.CAB_OK)


@ffi.def_extern(name="clcable_fit_stop", onerror=_keep_error, error=True)  # type: ignore[untyped-decorator]
def _stop(user: Any) -> bool:
    return ffi.from_handle(user).error is not None


def _pairs(scenes: Scene | Sequence[Scene], tracks: Tracks | Sequence[Tracks]) -> list[tuple[Scene, Tracks]]:
    if isinstance(scenes, Scene):
        if isinstance(tracks, Mapping | str | os.PathLike):
            return [(scenes, tracks)]
        raise InputError("fit: expected one set of tracks for one scene")
    if isinstance(tracks, Mapping | str | os.PathLike) or len(scenes) != len(tracks) or len(scenes) == 0:
        raise InputError(f"fit: expected a set of tracks for each of the {len(scenes)} scenes")
    return list(zip(scenes, tracks, strict=True))


def _sought(find: Mapping[str, Sequence[float]]) -> tuple[Any, list[Any]]:
    """As C takes it, and what must live as long."""
    if not isinstance(find, Mapping) or not all(isinstance(pointer, str) for pointer in find):
        raise InputError(f"find: expected pointers with ranges, {{pointer: (from, to)}}, got {find!r}")
    names = [ffi.new("char[]", pointer.encode()) for pointer in find]
    sought = ffi.new("cab_fit_sought[]", max(len(find), 1))
    for one, name, (pointer, ends) in zip(sought, names, find.items(), strict=False):
        try:
            low, high = map(float, ends)
        except (TypeError, ValueError):
            raise InputError(f"find: {pointer}: expected two ends of a range, got {ends!r}", pointer) from None
        one.pointer, one.range.to, one.range.by_ratio = name, high, low > 0
        setattr(one.range, "from", low)
    return sought, names


def _off(off: Any) -> Off:
    return Off(off.numbers, off.mean, off.root)


def _read(found: Any, sought: Any, pointers: list[str], clips: int) -> Fit:
    values = {
        pointer: Found(v.value, v.spread, by_ratio=one.range.by_ratio, told=v.told, at_end=v.at_end)
        for v, one, pointer in zip(found.values, sought, pointers, strict=False)
    }
    size = len(pointers)
    correlation = np.array([[found.correlation[i][k] for k in range(size)] for i in range(size)])
    each = [found.clips[c] for c in range(clips)]
    held = tuple(_off(clip.held_out) if clip.held_out.numbers else None for clip in each)
    warnings = tuple(text(found.warnings[i].text) for i in range(found.warning_count))
    return Fit(values, correlation, tuple(_off(clip.fitted) for clip in each), held, found.runs, warnings)


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
    world. It is what the program `clcable fit` does.

        found = clcable.fit(scene, {"tip": rows}, {"/materials/wire/bending_stiffness": (1e-5, 1e-2)}, settle=True)
        scene = scene.with_overrides(found.overrides)

    InputError: a scene, tracks or a range cannot be; UnsupportedError: there is no cminpack.
    """
    pairs = _pairs(scene, tracks)
    if not 0 <= seed < 2**32:
        raise InputError(f"fit: seed: expected a number from 0 to {2**32 - 1}, got {seed}")
    if not 0 <= (tries or 0) <= lib.CAB_FIT_TRIES_MOST:
        raise InputError(f"fit: tries: expected a number from 0 to {lib.CAB_FIT_TRIES_MOST}, got {tries}")
    sought, names = _sought(find)
    clips, job = _Clips(pairs), _Job([one._copy() for one, _ in pairs], list(find))
    world, device_name = _world.definition(device, threads)
    made = ffi.new("cab_fit_def *", lib.cab_fit_default())
    made.sought, made.sought_count, made.clips, made.clip_count = sought, len(find), clips.array, len(pairs)
    made.hold_out, made.tries, made.seed, made.settle, made.world = hold_out, tries or 0, seed, settle, world[0]
    made.make, made.stop = lib.clcable_fit_make, lib.clcable_fit_stop
    made.user = user = ffi.new_handle(job)
    found = ffi.gc(ffi.new("cab_fit_found *"), lib.cab_fit_free)
    try:
        call(lib.cab_fit, made, found, source="fit")
    except Error:
        if job.error is None:
            raise
    if job.error is not None:
        raise job.error
    del names, device_name, user  # until here they must live
    if not found.any:
        raise Error("fit: nothing found: no try could be run")
    return _read(found, sought, list(find), len(pairs))
