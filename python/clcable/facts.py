"""What worlds and devices tell about themselves."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ._call import text, triple
from ._clcable import ffi, lib

Vector = tuple[float, float, float]


@dataclass(frozen=True)
class Device:
    """A device that worlds can live on. `id` is what World and Batch take.

    >>> clcable.devices()[0].id
    'native'
    """

    id: str
    name: str
    platform: str
    version: str
    backend: str
    """"native" or "opencl"."""
    gpu: bool
    compute_units: int
    memory: int
    """Bytes; 0 = unknown."""

    @classmethod
    def _of(cls, c: Any) -> Device:
        backend = "native" if c.backend == lib.CAB_BACKEND_NATIVE else "opencl"
        return cls(
            text(c.id), text(c.name), text(c.platform), text(c.version), backend, c.gpu, c.compute_units, c.memory
        )


@dataclass(frozen=True)
class Info:
    """What a world is made of.

    >>> world.info.nodes
    41
    """

    device: Device
    cables: int
    """Copies counted."""
    sheets: int
    particles: int
    """A shared one counted once."""
    nodes: int
    """Rows of the arrays: a shared particle is listed with each of its cables."""
    segments: int
    frame: int
    """Frames done."""
    time: float
    """s."""
    device_bytes: int
    contact_bytes: int
    twists: bool
    """Some cable can carry a torque: it lies between clamps that hold its roll."""

    @classmethod
    def _of(cls, c: Any) -> Info:
        counts = (c.cables, c.sheets, c.particles, c.nodes, c.segments, c.frame, c.time)
        return cls(Device._of(c.device), *counts, c.device_bytes, c.contact_bytes, c.twists)


@dataclass(frozen=True)
class Cable:
    """A cable of a world.

    >>> middle = world.positions()[world.cable("a").rows][20]
    """

    name: str
    """"a", or "a[i,j,k]" of a copy."""
    rows: slice
    """Its rows in the arrays, from its start to its end."""
    radius: float
    """m."""
    length: float
    """At rest, m."""
    material: int
    """Index in the scene."""


@dataclass(frozen=True)
class Measures:
    """Errors and energies of the last frame, and the worst so far.

    >>> world.measure().stretch_worst < 0.01
    True
    """

    stretch_max: float
    """|l - l0| / l0 over segments."""
    stretch_mean: float
    stretch_worst: float
    penetration_max: float
    """m, the deepest overlap."""
    penetration_worst: float
    speed_max: float
    """m/s."""
    kinetic: float
    """J."""
    potential: float
    """J: gravity, bending, stretching."""
    contacts: int
    contacts_max: int
    rebuilds: int
    asleep: int
    calm: int
    """Frames in a row in which nothing was faster than 1 mm/s."""
    iterations_mean: float
    iterations_max: int

    @classmethod
    def _of(cls, c: Any) -> Measures:
        return cls(*(getattr(c, name) for name in cls.__dataclass_fields__))


@dataclass(frozen=True)
class Equilibrium:
    """What `World.settle()` has come to.

    >>> world.settle().settled
    True
    """

    settled: bool
    """All forces are balanced."""
    residual: float
    """N, the largest force on a particle that nothing balances."""
    body: int
    """What that particle belongs to: index of a cable; of a sheet the number of cables more."""
    iterations: int
    """Steps of Newton's method."""
    moved: float
    """m, how far the last of them has moved anything."""
    overlap: float
    """m, the deepest in a contact that is left."""
    slipped: bool
    """With friction between cables there was no end to it, so what did not rest began again without it."""
    broken: int
    """Attachments that have let go on the way."""

    @classmethod
    def _of(cls, c: Any) -> Equilibrium:
        return cls(*(getattr(c, name) for name in cls.__dataclass_fields__))


@dataclass(frozen=True)
class Event:
    """Something that has happened on the way.

    >>> [event.text for event in world.events if event.kind == "warning"]
    [...]
    """

    kind: str
    """"broke", "released", "mated", "warning" or "diverged"."""
    frame: int
    """At whose end; 0 = before the first."""
    time: float
    """s."""
    attachment: int | None
    """Index in the scene."""
    cable: int | None
    """Index in `World.cables`."""
    force: float
    """N, that the attachment bore."""
    text: str
    """Of a warning and of diverging."""

    @classmethod
    def _of(cls, c: Any) -> Event:
        attachment, cable = (index if index >= 0 else None for index in (c.attachment, c.cable))
        kind = text(lib.cab_event_kind_name(c.kind))
        return cls(kind, c.frame, c.time, attachment, cable, c.force, text(c.text))


@dataclass(frozen=True)
class Judgement:
    """A figure that was beyond the bound that follows from the scene; of each kind there is one at most.

    >>> [judgement.text for judgement in world.judgements]
    [...]
    """

    judged: str
    """"stretch", "overlap", "energy" or "speed"."""
    unit: str
    """Of figure, bound and worst: "of its length", "radii", "of what moved", "m/s"."""
    diverged: bool
    """It ended the run."""
    cable: int | None
    """Index in `World.cables` (of a sheet the number of cables more): who it was first."""
    frame: int
    """At whose end it was first beyond."""
    time: float
    """s."""
    figure: float
    """How much it was then,"""
    bound: float
    """and what would have been right, at most."""
    worst: float
    """The figure at its worst since."""
    worst_frame: int
    text: str
    """A line: cable, figure, time, and what to change."""

    @classmethod
    def _of(cls, c: Any) -> Judgement:
        info = lib.cab_judged_info_of(c.judged)
        cable = c.cable if c.cable >= 0 else None
        numbers = (c.frame, c.time, c.figure, c.bound, c.worst, c.worst_frame)
        return cls(text(info.name), text(info.unit), bool(c.diverged), cable, *numbers, text(c.text))


@dataclass(frozen=True)
class Attachment:
    """A place that is held, or joined to another. An attachment of the scene makes one for each copy.

    >>> world.attachments[0].target
    (0.0, 0.0, 1.0)
    """

    attachment: int
    """Index in the scene."""
    body: int
    """Index of the cable; of a sheet the number of cables more."""
    node: int
    """Row of the arrays."""
    target_node: int | None
    """Joined: the row of what it is joined to."""
    target: Vector
    """Held: where it is held now, m."""
    clamped: bool
    soft: bool
    broken: bool
    force: Vector
    """On what is attached, mean over the last frame, N: of what can break, and of all after `World.settle()`, until the next
    frame; else 0."""

    @classmethod
    def _of(cls, c: Any) -> Attachment:
        joined = c.target_node if c.target_node >= 0 else None
        return cls(c.attachment, c.body, c.node, joined, triple(c.target), c.clamped, c.soft, c.broken, triple(c.force))


@dataclass(frozen=True)
class Load:
    """A load where it acts. A load of the scene makes one for each copy.

    >>> world.loads[0].node
    20
    """

    load: int
    """Index in the scene."""
    body: int
    """As of an attachment."""
    node: int
    """Row of the arrays."""
    mass: float
    """kg."""
    force: Vector
    """Now, N."""
    moment: Vector
    """N m."""

    @classmethod
    def _of(cls, c: Any) -> Load:
        return cls(c.load, c.body, c.node, c.mass, triple(c.force), triple(c.moment))


@dataclass(frozen=True, eq=False)
class Probes:
    """What the scene's probes say after the last frame: an entry for each, in the order of the scene, with copies x fastest.
    The arrays are the reader's own; they do not follow the world.

    >>> scene.add_probe("third", "a", 0.333)
    0
    >>> world = clcable.World(scene, device="native")
    >>> world.step()
    >>> world.probes.names
    ('third',)
    >>> world.probes.positions.shape
    (1, 3)
    >>> bool(world.probes.tension[0] > 0)
    True
    """

    names: tuple[str, ...]
    """"p", or "p[i,j,k]" on a copy."""
    cables: tuple[int, ...]
    """Indices in `World.cables`."""
    positions: NDArray[np.float64]
    """(probes, 3), m."""
    tension: NDArray[np.float64]
    """(probes,), N, of the segment in which it lies, positive when pulled."""
    moment: NDArray[np.float64]
    """(probes,), N m: bending moment, EI times curvature."""
    torque: NDArray[np.float64]
    """(probes,), N m: moment of twist, as `World.torque` has it."""

    @classmethod
    def _of(cls, listed: list[tuple[str, int]], readings: Any) -> Probes:
        """listed: names and cables."""
        rows = range(len(listed))
        positions = np.array([triple(readings[i].position) for i in rows]).reshape(len(listed), 3)
        keys = ("tension", "moment", "torque")
        numbers = {key: np.array([getattr(readings[i], key) for i in rows]) for key in keys}
        return cls(tuple(name for name, _ in listed), tuple(cable for _, cable in listed), positions, **numbers)


@dataclass(frozen=True, eq=False)
class Bodies:
    """The scene's rigid bodies after the last frame: an entry for each, in the order of the scene, with copies x fastest. The
    arrays are the reader's own; they do not follow the world.

    >>> scene = clcable.Scene(method="direct")
    >>> scene.add_material("wire", radius=0.003, linear_density=0.05)
    'wire'
    >>> scene.add_cable("a", "wire", [[0, 0, 1], [0, 0, 0.5]])
    0
    >>> scene.add_body("plug", [0, 0, 0.5], mass=0.2, shapes=[{"shape": "sphere", "center": [0, 0, 0], "radius": 0.05}])
    0
    >>> scene.attach("a")
    0
    >>> scene.attach("a", "end", {"body": "plug"})
    1
    >>> bodies = clcable.World(scene, device="native").bodies
    >>> bodies.names, bodies.positions.tolist(), bodies.rotations.tolist()
    (('plug',), [[0.0, 0.0, 0.5]], [[1.0, 0.0, 0.0, 0.0]])
    >>> bool(abs(bodies.inertia[0, 0, 0] - 0.4 * 0.2 * 0.05**2) < 1e-12)
    True
    """

    names: tuple[str, ...]
    """"b", or "b[i,j,k]" of a copy."""
    mass: NDArray[np.float64]
    """(bodies,), kg, without what ends on it."""
    centers: NDArray[np.float64]
    """(bodies, 3), m: of mass, in its own axes."""
    inertia: NDArray[np.float64]
    """(bodies, 3, 3), kg m²: about that centre, in its own axes."""
    positions: NDArray[np.float64]
    """(bodies, 3), m: of the origin of its own axes."""
    rotations: NDArray[np.float64]
    """(bodies, 4): of its own axes, unit quaternions w, x, y, z."""
    velocities: NDArray[np.float64]
    """(bodies, 3), m/s: of that origin."""
    spins: NDArray[np.float64]
    """(bodies, 3), rad/s: angular velocity, in the axes of space."""
    forces: NDArray[np.float64]
    """(bodies, 3), N: with which cables pull and press on it, friction included, a mean over the last frame. What hangs on their ends counts,
    gravity on the body itself does not. 0 before the first frame."""
    torques: NDArray[np.float64]
    """(bodies, 3), N m: of these forces about the origin of its own axes, in the axes of space; the same mean."""

    @classmethod
    def _of(cls, listed: list[tuple[str, float, Vector, Any]], readings: NDArray[np.float64]) -> Bodies:
        """listed: names, mass, centres, inertia. readings: (bodies, 22), rows of cab_body_reading."""
        count = len(listed)
        position, rotation, center, velocity, spin, force, torque = np.split(readings, [3, 7, 10, 13, 16, 19], axis=1)
        return cls(
            tuple(name for name, *_ in listed),
            np.array([mass for _, mass, *_ in listed], dtype=float),
            np.array([center for *_, center, _ in listed], dtype=float).reshape(count, 3),
            np.array([inertia for *_, inertia in listed], dtype=float).reshape(count, 3, 3),
            position.copy(),
            rotation.copy(),
            velocity + np.cross(spin, position - center),
            spin.copy(),
            force.copy(),
            torque.copy(),
        )


PHASES = ("out", "guided", "mated", "released")
"""What a plug is to its socket: outside of it, on its way in it, home and latched, pulled out of the latch and still in it."""


@dataclass(frozen=True, eq=False)
class Sockets:
    """The scene's sockets after the last frame: an entry for each, in the order of the scene. The arrays are the reader's own.

    >>> world.sockets.phases
    ()
    """

    names: tuple[str, ...]
    """"X1", or "X1[k]" of the k-th of several copies."""
    phases: tuple[str, ...]
    """Of each one of `PHASES`."""
    frames: NDArray[np.int64]
    """(sockets,): the number of the frame at whose end it was found in that phase; 0 = at the start."""
    depths: NDArray[np.float64]
    """(sockets,), m: how deep the plug is in it, from its mouth; negative in front of it."""
    forces: NDArray[np.float64]
    """(sockets, 3), N: on the plug, a mean over the last frame; the socket's body bears the opposite."""
    torques: NDArray[np.float64]
    """(sockets, 3), N m: the same about the plug's point."""
    pulls: NDArray[np.float64]
    """(sockets,), N: what the latch bears against pulling out, likewise."""

    @classmethod
    def _of(cls, names: list[str], readings: Any) -> Sockets:
        rows = [readings[i] for i in range(len(names))]
        return cls(
            tuple(names),
            tuple(PHASES[int(r.phase)] for r in rows),
            np.array([r.frame for r in rows], dtype=np.int64),
            np.array([r.depth for r in rows], dtype=float),
            np.array([triple(r.force) for r in rows], dtype=float).reshape(-1, 3),
            np.array([triple(r.torque) for r in rows], dtype=float).reshape(-1, 3),
            np.array([r.pull for r in rows], dtype=float),
        )


@dataclass(frozen=True)
class Pose:
    """Where a collider is, relative to where the scene puts it.

    >>> world.collider(0).rotation
    (1.0, 0.0, 0.0, 0.0)
    """

    position: Vector
    """m."""
    rotation: tuple[float, float, float, float] = (1.0, 0.0, 0.0, 0.0)
    """Quaternion w, x, y, z."""


@dataclass(frozen=True)
class Material:
    """The numbers of a material that can change on the way.

    >>> world.materials[0].linear_density
    0.05
    """

    name: str
    linear_density: float
    """kg/m."""
    stretching_stiffness: float
    """N; inf = inextensible."""
    bending_stiffness: float
    """N m²."""
    twisting_stiffness: float
    """N m²."""
    damping: float
    """1/s."""
    air_drag: float
    air_drag_along: float
    friction: float
    min_bend_radius: float
    """m; for reports only."""
    bending_damping: float
    """s."""

    @classmethod
    def _of(cls, c: Any) -> Material:
        return cls(text(c.name), *(getattr(c, name) for name in MATERIAL_NUMBERS))


MATERIAL_NUMBERS = tuple(name for name in Material.__dataclass_fields__ if name != "name")


def devices() -> list[Device]:
    """All devices, "native" first."""
    count = lib.cab_devices(ffi.NULL, 0)
    infos = ffi.new("cab_device_info[]", count)
    lib.cab_devices(infos, count)
    return [Device._of(infos[i]) for i in range(count)]
