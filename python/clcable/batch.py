"""Batches: environments of one kind side by side."""

from __future__ import annotations

import json
import threading
from collections.abc import Mapping, Sequence
from types import TracebackType
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from . import _world, facts
from ._call import ClosedError, InputError, call, packed, pointer_to
from ._clcable import ffi, lib
from ._rows import Rows
from .scene import Scene, _as_keyframes, _keyframes, _led_by, _plain
from .world import _count


class Batch:
    """Environments of one scene, stepped together. Each is a world of its own: nothing reaches from one to another,
    and environment i gives the same numbers as its scene run alone, bit for bit.

    Arrays have the shape (environments, nodes, 3) and follow the batch as those of a world do.

    >>> batch = clcable.Batch(scene, 2, vary={"/materials/wire/bending_stiffness": [1e-4, 2e-4]}, device="native")
    >>> batch.step(5)
    >>> batch.positions().shape
    (2, 41, 3)
    """

    def __init__(
        self,
        scene: Scene,
        num_envs: int,
        *,
        vary: Mapping[str, ArrayLike] | None = None,
        device: str | None = None,
        threads: int = 0,
    ) -> None:
        """Makes `num_envs` environments of the scene.

        vary: values by JSON pointer, one for each environment: {"/materials/wire/bending_stiffness": [1e-4, 2e-4],
        "/cables/0/length": ...}. Anything of the scene but what the arrays are made of. Keyframes of an attachment,
        "/attachments/0/to/keyframes", as an array (environments, rows, 4) or a list of arrays (rows, 4), go to the library as
        they are. device: as of a world.
        threads: that share the environments; 0 = all cores.
        """
        if num_envs < 1:
            raise InputError(f"a batch: expected 1 environment or more, got {num_envs}")
        made, keep = _world.definition(device, threads)
        scenes = _scenes(scene, num_envs, vary or {})
        batch = ffi.new("cab_batch **")
        c_scenes = ffi.new("cab_scene *[]", scenes)
        call(lib.cab_batch_create, c_scenes, num_envs, made, batch, source=scene._name)
        self._frame_rate: float = lib.cab_scene_settings(scenes[0]).frame_rate
        del keep
        self._source = scene._name
        self._handle = ffi.gc(batch[0], lib.cab_batch_destroy)
        self._lock = threading.RLock()
        self._count = num_envs
        first = lib.cab_batch_world(self._handle, 0)
        self._cables = tuple(_world.cables(first))
        self._rows = Rows((num_envs, lib.cab_world_get_info(first).nodes))

    def _read(
        self,
        position: NDArray[np.float64] | None,
        velocity: NDArray[np.float64] | None,
        tension: NDArray[np.float64] | None,
        torque: NDArray[np.float64] | None,
    ) -> None:
        call(lib.cab_batch_read, self._open(), *map(pointer_to, (position, velocity, tension)))
        if torque is not None:
            call(lib.cab_batch_read_torque, self._open(), pointer_to(torque))

    def _open(self) -> Any:
        if self._handle is None:
            raise ClosedError("the batch is closed")
        return self._handle

    def _world(self, env: int) -> Any:
        if not 0 <= env < self._count:
            raise InputError(f"environment {env}: expected 0 to {self._count - 1}")
        return lib.cab_batch_world(self._open(), env)

    def _mask(self, mask: ArrayLike | None) -> tuple[Any, Any]:
        """As C takes it, and what must live as long."""
        if mask is None:
            return ffi.NULL, None
        array = np.ascontiguousarray(mask)
        if array.shape != (self._count,) or array.dtype != bool:
            raise InputError(
                f"mask: expected {self._count} booleans, got an array of {array.dtype}, shape {array.shape}"
            )
        return ffi.cast("bool *", array.ctypes.data), array

    def _vectors(self, values: ArrayLike, what: str) -> NDArray[np.float64]:
        array = np.asarray(values, dtype=float)
        try:
            return np.ascontiguousarray(np.broadcast_to(array, (self._count, 3)))
        except ValueError:
            shape = (self._count, 3)
            raise InputError(f"{what}: expected the shape {shape} or (3,), got {array.shape}") from None

    # -- time --

    def step(self, frames: int = 1) -> None:
        """Advances all environments but those that have diverged. Ctrl-C interrupts it between two frames."""
        with self._lock:
            try:
                for _ in range(_count(frames)):
                    call(lib.cab_batch_step, self._open(), 1, source=self._source)
            finally:
                if self._handle is not None:
                    self._rows.refresh(self._read)

    def reset(self, mask: ArrayLike | None = None) -> None:
        """Puts environments back to their start, those where `mask` is true; None = all."""
        c_mask, keep = self._mask(mask)
        with self._lock:
            call(lib.cab_batch_reset, self._open(), c_mask, source=self._source)
            self._rows.refresh(self._read)
        del keep

    @property
    def frame_time(self) -> float:
        """Length of a frame, s."""
        return 1 / self._frame_rate

    # -- arrays --

    def positions(self, copy: bool = False) -> NDArray[np.float64]:
        """Where nodes are: (environments, nodes, 3), m."""
        with self._lock:
            return self._rows.get("position", copy, self._read)

    def velocities(self, copy: bool = False) -> NDArray[np.float64]:
        """How fast nodes are: (environments, nodes, 3), m/s."""
        with self._lock:
            return self._rows.get("velocity", copy, self._read)

    def tension(self, copy: bool = False) -> NDArray[np.float64]:
        """Tension of the segment that starts at each node: (environments, nodes), N."""
        with self._lock:
            return self._rows.get("tension", copy, self._read)

    def torque(self, copy: bool = False) -> NDArray[np.float64]:
        """Moment of twist, as of a world: (environments, nodes), N m."""
        with self._lock:
            return self._rows.get("torque", copy, self._read)

    # -- facts --

    @property
    def num_envs(self) -> int:
        """Environments."""
        return self._count

    @property
    def cables(self) -> tuple[facts.Cable, ...]:
        """The cables of the first environment; names and rows are the same in all."""
        return self._cables

    def cable(self, name: str) -> facts.Cable:
        """The cable of this name: "a", or "a[i,j,k]" of a copy."""
        for cable in self._cables:
            if cable.name == name:
                return cable
        raise InputError(f'no cable is called "{name}"')

    @property
    def diverged(self) -> NDArray[np.bool_]:
        """Which environments have left the range of sensible numbers: (environments,) booleans, your own copy. They stay
        as they are until they are reset."""
        found = np.zeros(self._count, dtype=bool)
        with self._lock:
            lib.cab_batch_get_diverged(self._open(), ffi.cast("bool *", found.ctypes.data))
        return found

    def info(self, env: int = 0) -> facts.Info:
        """What an environment is made of, and how far it is."""
        with self._lock:
            return facts.Info._of(lib.cab_world_get_info(self._world(env)))

    def measure(self, env: int) -> facts.Measures:
        """Errors and energies of an environment's last frame."""
        with self._lock:
            return _world.measure(self._world(env))

    def events(self, env: int) -> list[facts.Event]:
        """All that has happened in an environment."""
        with self._lock:
            return _world.events(self._world(env))

    def bodies(self, env: int) -> facts.Bodies:
        """The scene's rigid bodies in an environment."""
        with self._lock:
            return _world.bodies(self._world(env))

    def sockets(self, env: int) -> facts.Sockets:
        """The scene's sockets in an environment."""
        with self._lock:
            return _world.sockets(self._world(env))

    def probes(self, env: int) -> facts.Probes:
        """What the scene's probes say in an environment."""
        with self._lock:
            return _world.probes(self._world(env))

    def materials(self, env: int) -> list[facts.Material]:
        """An environment's materials as they are now."""
        with self._lock:
            return [facts.Material._of(m) for m in _world.materials(self._world(env))]

    # -- changes, from the next frame on --

    def set_targets(self, attachment: int, points: ArrayLike, mask: ArrayLike | None = None) -> None:
        """Moves the targets of an attachment over the next frame: (environments, 3) or one point for all, m."""
        c_mask, keep = self._mask(mask)
        array = self._vectors(points, "set_targets")
        with self._lock:
            call(lib.cab_batch_set_targets, self._open(), attachment, pointer_to(array), c_mask)
        del keep

    def set_rolls(self, attachment: int, rolls: ArrayLike, mask: ArrayLike | None = None) -> None:
        """Rolls a clamp of cables with twisting_stiffness over the next frame: (environments,) or one for all, rad."""
        c_mask, keep = self._mask(mask)
        try:
            array = np.ascontiguousarray(np.broadcast_to(np.asarray(rolls, dtype=float), (self._count,)))
        except ValueError:
            raise InputError(f"set_rolls: expected {self._count} numbers or one") from None
        with self._lock:
            call(lib.cab_batch_set_rolls, self._open(), attachment, pointer_to(array), c_mask)
        del keep

    def set_loads(self, load: int, forces: ArrayLike, mask: ArrayLike | None = None) -> None:
        """Sets the forces of a load: (environments, 3) or one force for all, N."""
        c_mask, keep = self._mask(mask)
        array = self._vectors(forces, "set_loads")
        with self._lock:
            call(lib.cab_batch_set_loads, self._open(), load, pointer_to(array), c_mask)
        del keep

    def set_body_poses(
        self, body: str | int, positions: ArrayLike, rotations: ArrayLike = (1.0, 0.0, 0.0, 0.0), mask: ArrayLike | None = None
    ) -> None:
        """Leads a body whose motion is "given" over the next frame, as `World.set_body_pose`: positions (environments, 3) or one for
        all, m; rotations (environments, 4) or one for all; in environments where `mask` is true; None = all."""
        keep = self._mask(mask)[1]
        try:
            placed = np.broadcast_to(np.asarray(positions, dtype=float), (self._count, 3))
            turned = np.broadcast_to(np.asarray(rotations, dtype=float), (self._count, 4))
        except ValueError:
            raise InputError(f"set_body_poses: expected {self._count} poses or one") from None
        with self._lock:
            for env in range(self._count):
                if keep is None or keep[env]:
                    _world.set_body_pose(self._world(env), body, placed[env], turned[env])

    def set_material(self, name: str, mask: ArrayLike | None = None, **numbers: ArrayLike) -> None:
        """Changes numbers of a material (the fields of `Material`): one for each environment, or one for all. A reset
        gives the scene's back."""
        keep = self._mask(mask)[1]
        each = {}
        for key, values in numbers.items():
            try:
                each[key] = np.broadcast_to(np.asarray(values, dtype=float), (self._count,))
            except ValueError:
                raise InputError(f"set_material: {key}: expected {self._count} numbers or one") from None
        with self._lock:
            for env in range(self._count):
                if keep is None or keep[env]:
                    _world.set_material(self._world(env), name, {key: values[env] for key, values in each.items()})

    # -- states --

    def get_state(self, envs: Sequence[int] | None = None) -> list[bytes]:
        """The states of these environments (None = all), the solver's history included."""
        with self._lock:
            chosen = range(self._count) if envs is None else envs
            return [packed(lib.cab_batch_pack, self._open(), env) for env in chosen]

    def set_state(self, states: Sequence[bytes], envs: Sequence[int] | None = None) -> None:
        """Puts these environments (None = all) into states of environments with the same numbers."""
        chosen = range(self._count) if envs is None else envs
        if len(states) != len(chosen):
            raise InputError(f"set_state: {len(states)} states for {len(chosen)} environments")
        with self._lock:
            try:
                for env, state in zip(chosen, states, strict=True):
                    call(lib.cab_batch_unpack, self._open(), env, ffi.from_buffer(state), len(state))
            finally:
                self._rows.refresh(self._read)

    # -- end --

    def close(self) -> None:
        """Frees all environments at once. Arrays stay as they are."""
        with self._lock:
            if self._handle is not None:
                ffi.release(self._handle)
                self._handle = None

    def __enter__(self) -> Batch:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, value: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def __len__(self) -> int:
        return self._count

    def __repr__(self) -> str:
        return f"<clcable.Batch {self._source!r}: {self._count} environments>"


def _variants(count: int, vary: Mapping[str, ArrayLike]) -> list[list[str]]:
    """The overrides of each environment."""
    variants: list[list[str]] = [[] for _ in range(count)]
    for pointer, values in vary.items():
        rows = _plain(values if isinstance(values, np.ndarray | list | tuple) else np.asarray(values), "vary", pointer)
        if not isinstance(rows, list) or len(rows) != count:
            got = len(rows) if isinstance(rows, list) else rows
            raise InputError(f"vary: {pointer}: expected {count} values, got {got}", pointer)
        for variant, value in zip(variants, rows, strict=True):
            variant.append(f"{pointer}={json.dumps(value)}")
    return variants


def _motions(count: int, vary: Mapping[str, Any]) -> dict[int, list[NDArray[np.float64]]]:
    """Of what varies, keyframes that are arrays, or could be: of each environment, by attachment."""
    motions = {}
    for pointer, values in vary.items():
        index = _led_by(pointer)
        if index is None or not isinstance(values, np.ndarray | list | tuple):
            continue
        arrays = [_as_keyframes(rows) for rows in values]
        if any(rows is None for rows in arrays):
            continue
        if len(arrays) != count:
            raise InputError(f"vary: {pointer}: expected {count} values, got {len(arrays)}", pointer)
        motions[index] = [_keyframes(rows, f"vary: environment {env}", pointer) for env, rows in enumerate(arrays)]
    return motions


def _scenes(scene: Scene, count: int, vary: Mapping[str, Any]) -> list[Any]:
    """The library's scenes of all environments; errors tell of which."""
    motions = _motions(count, vary)
    written = {pointer: values for pointer, values in vary.items() if _led_by(pointer) not in motions}
    read = scene._text(written)
    made = []
    for env, more in enumerate(_variants(count, written)):
        try:
            made.append(scene._made(more, read, {index: rows[env] for index, rows in motions.items()}))
        except InputError as error:
            raise type(error)(f"environment {env}: {error}", error.pointer) from None
    return made
