"""Worlds: scenes in motion."""

from __future__ import annotations

import os
import subprocess
import threading
from collections.abc import Sequence
from types import TracebackType
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from . import _world, facts, pictures
from ._call import ClosedError, Error, InputError, all_of, call, packed, pointer_to, text, triple, vector
from ._clcable import ffi, lib
from ._rows import Rows
from .scene import Scene


class World:
    """A scene on a device.

    Arrays have a row for each node: cable by cable (`cables` tells which), then sheet by sheet. They are views of
    memory that belongs to NumPy, filled anew by each step: an array that was asked for once always shows where
    things are now, and stays valid when the world is gone. They are read-only; `copy=True` gives one of your own.

    A world may be used by several threads, one at a time: each call waits for the one before. Other threads run
    while it steps.

    >>> world = clcable.World(scene, device="native")
    >>> x = world.positions()
    >>> world.step(10)
    >>> lowest = x[:, 2].min()  # now, after the step
    """

    def __init__(
        self, scene: Scene, *, device: str | Sequence[str] | None = None, threads: int = 0, profile: bool = False
    ) -> None:
        """Puts a scene on a device; what is held is at its targets, segments have their lengths.

        device: "native", "opencl", "opencl:P.D" or a part of a device's name; None: an OpenCL GPU, else
        native. A sequence of such words: these devices share the cables (docs/cluster.md). threads: of native; 0 = all cores. profile: time every stage, which is slower.
        """
        made, keep = _world.definition(device, threads, profile)
        world = ffi.new("cab_world **")
        self._scene = scene._copy()  # as it is now: it may change
        c_scene = self._scene._made()
        settings = lib.cab_scene_settings(c_scene)
        self._frame_rate: float = settings.frame_rate
        self._duration: float = settings.duration
        self._source = scene._name
        call(lib.cab_world_create, c_scene, made, world, source=self._source)
        del keep
        self._handle = ffi.gc(world[0], lib.cab_world_destroy)
        self._lock = threading.RLock()
        self._cables = tuple(_world.cables(self._handle))
        self._rows = Rows((lib.cab_world_get_info(self._handle).nodes,))

    def _read(
        self,
        position: NDArray[np.float64] | None,
        velocity: NDArray[np.float64] | None,
        tension: NDArray[np.float64] | None,
        torque: NDArray[np.float64] | None,
    ) -> None:
        call(lib.cab_world_read, self._open(), *map(pointer_to, (position, velocity, tension)))
        if torque is not None:
            call(lib.cab_world_read_torque, self._open(), pointer_to(torque))

    def _open(self) -> Any:
        if self._handle is None:
            raise ClosedError("the world is closed")
        return self._handle

    # -- time --

    def step(self, frames: int = 1) -> None:
        """Advances by so many frames. Can be interrupted by Ctrl-C, between two frames.

        DivergedError: the simulation left the range of sensible numbers; then the world can still be read.
        """
        with self._lock:
            try:
                for _ in range(_count(frames)):
                    call(lib.cab_world_step, self._open(), 1, source=self._source)
            finally:
                if self._handle is not None:
                    self._rows.refresh(self._read)

    def settle(self, iterations: int = 0, residual: float = 0) -> facts.Equilibrium:
        """Puts everything to rest: solves for the places at which all forces are balanced, and goes on from there without
        velocity. Time stands still. Where no rest is found, `settled` is false, and things are where it has come to.

        iterations: the most steps; 0 = 2000. residual: a force that may be left on a particle, N; 0 = 0.001.
        """
        with self._lock:
            try:
                return _world.settle(self._open(), _count(iterations, "settle: expected 0 iterations"), residual, self._source)
            finally:
                if self._handle is not None:
                    self._rows.refresh(self._read)

    @property
    def frame(self) -> int:
        """Frames done."""
        return self.info.frame

    @property
    def time(self) -> float:
        """s, since the start."""
        return self.info.time

    @property
    def frame_time(self) -> float:
        """Length of a frame, s."""
        return 1 / self._frame_rate

    @property
    def frames(self) -> int:
        """Frames of the scene's whole duration."""
        return max(1, round(self._duration * self._frame_rate))

    # -- arrays --

    def positions(self, copy: bool = False) -> NDArray[np.float64]:
        """Where nodes are: (nodes, 3), m."""
        with self._lock:
            return self._rows.get("position", copy, self._read)

    def velocities(self, copy: bool = False) -> NDArray[np.float64]:
        """How fast nodes are: (nodes, 3), m/s."""
        with self._lock:
            return self._rows.get("velocity", copy, self._read)

    def tension(self, copy: bool = False) -> NDArray[np.float64]:
        """Tension of the segment that starts at each node: (nodes,), N, positive when pulled; 0 at a cable's last node
        and in sheets."""
        with self._lock:
            return self._rows.get("tension", copy, self._read)

    def torque(self, copy: bool = False) -> NDArray[np.float64]:
        """Moment of twist in the segment that starts at each node, at a cable's last node in the one that ends there: (nodes,), N m,
        positive where what comes after is turned right-handed about the tangent. 0 where nothing holds the roll at both sides
        (clamps), in materials without twisting_stiffness and in sheets."""
        with self._lock:
            return self._rows.get("torque", copy, self._read)

    def arcs(self) -> NDArray[np.float64]:
        """How far along its cable each node is: (nodes,), m at rest from the cable's start; 0 in sheets."""
        with self._lock:
            arcs = np.zeros(lib.cab_world_get_info(self._open()).nodes)
            lib.cab_world_get_arcs(self._open(), pointer_to(arcs))
            return arcs

    # -- facts --

    @property
    def info(self) -> facts.Info:
        """What the world is made of, and how far it is."""
        with self._lock:
            return facts.Info._of(lib.cab_world_get_info(self._open()))

    @property
    def cables(self) -> tuple[facts.Cable, ...]:
        """The cables, in the order of the scene, copies with x fastest."""
        return self._cables

    def cable(self, name: str) -> facts.Cable:
        """The cable of this name: "a", or "a[i,j,k]" of a copy."""
        for cable in self._cables:
            if cable.name == name:
                return cable
        raise InputError(f'no cable is called "{name}"')

    def measure(self) -> facts.Measures:
        """Errors and energies of the last frame."""
        with self._lock:
            return _world.measure(self._open())

    @property
    def events(self) -> list[facts.Event]:
        """All that has happened so far, in the order of time; warnings about the scene first."""
        with self._lock:
            return _world.events(self._open())

    @property
    def judgements(self) -> list[facts.Judgement]:
        """What was beyond the bounds that follow from the scene so far: the run's judgement of itself."""
        with self._lock:
            found = all_of(lib.cab_world_get_judgements, self._open(), "cab_judgement")
            return [facts.Judgement._of(j) for j in found]

    @property
    def attachments(self) -> list[facts.Attachment]:
        """What is held and joined now, in the order of the scene."""
        with self._lock:
            found = all_of(lib.cab_world_get_attachments, self._open(), "cab_attachment_info")
            return [facts.Attachment._of(a) for a in found]

    @property
    def loads(self) -> list[facts.Load]:
        """Loads as they are now, in the order of the scene."""
        with self._lock:
            return [facts.Load._of(e) for e in all_of(lib.cab_world_get_loads, self._open(), "cab_load_info")]

    @property
    def probes(self) -> facts.Probes:
        """What the scene's probes say now: their names, and arrays of positions, tension, bending moment and torque. Each time it
        is asked for it is read anew.

        >>> world.probes.positions.shape
        (2, 3)
        """
        with self._lock:
            return _world.probes(self._open())

    @property
    def bodies(self) -> facts.Bodies:
        """The scene's rigid bodies as they are now: their names, and arrays of mass, inertia, positions, rotations, velocities,
        angular velocities, and forces and torques that cables put on them. Each time it is asked for it is read anew.

        >>> world.bodies.positions.shape
        (4, 3)
        """
        with self._lock:
            return _world.bodies(self._open())

    @property
    def sockets(self) -> facts.Sockets:
        """The scene's sockets as they are now: whether their plugs are in them, how deep, and what they put on them. Each time it is
        asked for it is read anew.

        >>> len(world.sockets.names)
        0
        """
        with self._lock:
            return _world.sockets(self._open())

    @property
    def materials(self) -> list[facts.Material]:
        """Materials as they are now, in the order of the scene."""
        with self._lock:
            return [facts.Material._of(m) for m in _world.materials(self._open())]

    @property
    def stage_times(self) -> dict[str, float]:
        """Seconds spent in each stage so far; all 0 without `profile`."""
        with self._lock:
            seconds = ffi.new("double[]", lib.CAB_STAGE_COUNT)
            lib.cab_world_get_times(self._open(), seconds)
            return {text(lib.cab_stage_name(i)): seconds[i] for i in range(lib.CAB_STAGE_COUNT)}

    # -- changes, from the next frame on --

    def set_target(self, attachment: int, point: ArrayLike) -> None:
        """Moves the target of an attachment over the next frame to `point` (m), where it stays."""
        with self._lock:
            call(lib.cab_world_set_target, self._open(), attachment, vector(point, "set_target"))

    def set_roll(self, attachment: int, roll: float) -> None:
        """Rolls a clamp of a cable with twisting_stiffness over the next frame to `roll` (rad), where it stays."""
        with self._lock:
            call(lib.cab_world_set_roll, self._open(), attachment, float(roll))

    def set_load(self, load: int, force: ArrayLike) -> None:
        """Sets the force of a load (N); its keyframes count no more."""
        with self._lock:
            call(lib.cab_world_set_load, self._open(), load, vector(force, "set_load"))

    def set_collider(
        self, collider: int, position: ArrayLike, rotation: ArrayLike = (1.0, 0.0, 0.0, 0.0)
    ) -> None:
        """Moves a collider over the next frame to a pose relative to where the scene puts it: m, and a quaternion
        w, x, y, z of any length but 0."""
        turned = np.asarray(rotation, dtype=float)
        if turned.shape != (4,):
            raise InputError("set_collider: expected a rotation of four numbers")
        pose = {"position": vector(position, "set_collider"), "rotation": turned.tolist()}
        with self._lock:
            call(lib.cab_world_set_collider, self._open(), collider, pose)

    def set_body_pose(
        self, body: str | int, position: ArrayLike, rotation: ArrayLike = (1.0, 0.0, 0.0, 0.0)
    ) -> None:
        """Leads a body whose motion is "given" over the next frame to a pose in space, as `bodies` has it: where the origin of its own axes
        is, m, and how they are turned, a quaternion w, x, y, z of any length but 0. There it stays until it gets another one. body: its name,
        "b" or "b[i,j,k]" of a copy, or its number among `bodies`."""
        with self._lock:
            _world.set_body_pose(self._open(), body, position, rotation)

    def collider(self, collider: int) -> facts.Pose:
        """Where a collider is now."""
        pose = ffi.new("cab_pose *")
        with self._lock:
            if not lib.cab_world_get_collider(self._open(), collider, pose):
                raise InputError(f"/colliders/{collider}: there is no such collider", f"/colliders/{collider}")
        return facts.Pose(triple(pose.position), tuple(pose.rotation))

    def set_material(self, name: str, **numbers: float) -> None:
        """Changes numbers of a material (the fields of `Material`); the others stay."""
        with self._lock:
            _world.set_material(self._open(), name, numbers)

    def set_gravity(self, gravity: ArrayLike) -> None:
        """Changes gravity, m/s²."""
        with self._lock:
            call(lib.cab_world_set_gravity, self._open(), vector(gravity, "set_gravity"))

    def set_wind(self, wind: ArrayLike) -> None:
        """Changes the velocity of the air, m/s."""
        with self._lock:
            call(lib.cab_world_set_wind, self._open(), vector(wind, "set_wind"))

    def pull(self, node: int, point: ArrayLike, stiffness: float = 0.0) -> None:
        """Pulls a node (a row of the arrays) towards a point as a hand does, until `let_go()`.

        stiffness: N/m; 0 = by the mass of what hangs on it.
        """
        with self._lock:
            call(lib.cab_world_pull, self._open(), node, vector(point, "pull"), stiffness)

    def pull_body(self, body: str | int, at: ArrayLike, point: ArrayLike, stiffness: float = 0.0) -> None:
        """Pulls a place of a rigid body, `at` in its own axes, towards a point as a hand does, until `let_go()`, and instead of a node.
        body: its name, "b" or "b[i,j,k]" of a copy, or its number among `bodies`.

        stiffness: N/m; 0 = by the mass of what hangs on it.
        """
        with self._lock:
            world = self._open()
            number = _world.find_body(world, body)
            call(lib.cab_world_pull_body, world, number, vector(at, "pull_body"), vector(point, "pull_body"), stiffness)

    def let_go(self) -> None:
        """Ends the pull."""
        with self._lock:
            call(lib.cab_world_let_go, self._open())

    # -- states --

    def get_state(self) -> bytes:
        """All that the next frame depends on, the solver's history included."""
        with self._lock:
            return packed(lib.cab_world_pack, self._open())

    def set_state(self, state: bytes) -> None:
        """Puts the world into a state of the same scene; it goes on bit for bit as the other did.

        InputError: the state is damaged, of another scene, or from before something broke here.
        """
        with self._lock:
            call(lib.cab_world_unpack, self._open(), ffi.from_buffer(state), len(state))
            self._rows.refresh(self._read)

    def save(self, path: str | os.PathLike[str]) -> None:
        """Writes the state to a file, whole or not at all."""
        with self._lock:
            call(lib.cab_world_save, self._open(), os.fspath(path).encode())

    def resume(self, path: str | os.PathLike[str]) -> None:
        """Puts the world into the state of a file, as `set_state` does."""
        with self._lock:
            call(lib.cab_world_load, self._open(), os.fspath(path).encode(), source=os.fspath(path))
            self._rows.refresh(self._read)

    def continue_from(self, other: World) -> None:
        """Goes on where another world of the same scene with other settings is. This one must be new."""
        with self._lock, other._lock:
            call(lib.cab_world_continue, self._open(), other._open(), source=self._source)
            self._rows.refresh(self._read)

    # -- pictures --

    def picture(self, size: tuple[int, int] = (640, 480), **options: str) -> bytes:
        """What the world looks like now, as PNG. options: those of `clcable render`, such as colour="tension", view="front",
        quality="high". A notebook shows a world by it.

        DeviceError: OpenGL is not there, or the program.
        """
        words = [word for key, value in options.items() for word in (f"--{key.replace('_', '-')}", value)]
        with self._lock:
            return pictures.drawn(self._scene, self.info.frame, self.save, ["--size", f"{size[0]}x{size[1]}", *words])

    def _repr_png_(self) -> bytes | None:
        try:
            return self.picture()
        except (Error, MemoryError):
            return None  # the text will do

    def view(self, *words: str) -> subprocess.Popen[bytes]:
        """Opens the viewer, a program of its own that goes on from here, and returns its process: `.wait()` waits until it is closed. What
        is done there does not come back. words: options of `clcable view`, such as "--paused".
        """
        with self._lock:
            return pictures.viewed(self._scene, self.info.frame, self.save, list(words))

    # -- end --

    def close(self) -> None:
        """Frees the world at once. Arrays stay as they are. Nothing else can be asked of it then."""
        with self._lock:
            if self._handle is not None:
                ffi.release(self._handle)
                self._handle = None

    def __enter__(self) -> World:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, value: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def __repr__(self) -> str:
        if self._handle is None:
            return "<clcable.World, closed>"
        info = self.info
        return f"<clcable.World {self._source!r} on {info.device.id}: {info.nodes} nodes, frame {info.frame}>"


def _count(count: int, what: str = "step: expected 0 frames") -> int:
    if count < 0:
        raise InputError(f"{what} or more, got {count}")
    return count
