"""What can be asked of a world, alone or in a batch."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from . import facts
from ._call import InputError, all_of, call, text, triple, vector
from ._clcable import ffi, lib


def definition(device: str | Sequence[str] | None, threads: int, profile: bool = False) -> tuple[Any, Any]:
    """How to run a scene, and what must live as long."""
    made = ffi.new("cab_world_def *", lib.cab_world_default())
    words = [] if device is None else [device] if isinstance(device, str) else list(device)
    if device is not None and not words:
        raise InputError("device: expected a name, a list of names, or None, got an empty list")
    names = [ffi.new("char[]", word.encode()) for word in words]
    array = ffi.new("char *[]", names)
    if len(words) == 1:
        made.device = names[0]
    elif words:
        made.devices = ffi.cast("char const * const *", array)
        made.device_count = len(words)
    made.threads = threads
    made.profile = profile
    return made, (names, array)


def cables(world: Any) -> list[facts.Cable]:
    found = []
    for i in range(lib.cab_world_get_info(world).cables):
        c = lib.cab_world_get_cable(world, i)
        rows = slice(c.first_node, c.first_node + c.node_count)
        found.append(facts.Cable(text(c.name), rows, c.radius, c.length, c.material))
    return found


def measure(world: Any) -> facts.Measures:
    measures = ffi.new("cab_measures *")
    call(lib.cab_world_measure, world, measures)
    return facts.Measures._of(measures)


def settle(world: Any, iterations: int, residual: float, source: str) -> facts.Equilibrium:
    made = ffi.new("cab_settle_def *", {"iterations": iterations, "residual": residual})
    found = ffi.new("cab_equilibrium *")
    call(lib.cab_world_settle, world, made, found, source=source)
    return facts.Equilibrium._of(found)


def events(world: Any) -> list[facts.Event]:
    return [facts.Event._of(e) for e in all_of(lib.cab_world_get_events, world, "cab_event")]


def probes(world: Any) -> facts.Probes:
    listed = [(text(p.name), int(p.cable)) for p in all_of(lib.cab_world_get_probes, world, "cab_probe_info")]
    readings = ffi.new("cab_probe_reading[]", max(len(listed), 1))
    call(lib.cab_world_read_probes, world, readings)
    return facts.Probes._of(listed, readings)


def bodies(world: Any) -> facts.Bodies:
    infos = all_of(lib.cab_world_get_bodies, world, "cab_body_info")
    listed = [(text(b.name), float(b.mass), triple(b.center), [list(row) for row in b.inertia]) for b in infos]
    readings = ffi.new("cab_body_reading[]", max(len(listed), 1))
    call(lib.cab_world_read_bodies, world, readings)
    numbers = np.frombuffer(ffi.buffer(readings), dtype=np.float64).reshape(-1, 22)  # they are doubles alone
    return facts.Bodies._of(listed, numbers[: len(listed)])


def sockets(world: Any) -> facts.Sockets:
    names = [text(s.name) for s in all_of(lib.cab_world_get_sockets, world, "cab_socket_info")]
    readings = ffi.new("cab_socket_reading[]", max(len(names), 1))
    call(lib.cab_world_read_sockets, world, readings)
    return facts.Sockets._of(names, readings)


def find_body(world: Any, body: str | int) -> int:
    """The number of a body among `bodies`, which may be told by its name."""
    if not isinstance(body, str):
        return body
    names = [text(b.name) for b in all_of(lib.cab_world_get_bodies, world, "cab_body_info")]
    if body not in names:
        raise InputError(f'no body is called "{body}"')
    return names.index(body)


def set_body_pose(world: Any, body: str | int, position: ArrayLike, rotation: ArrayLike) -> None:
    """body: its name, or its number among `bodies`."""
    turned = np.asarray(rotation, dtype=float)
    if turned.shape != (4,):
        raise InputError("set_body_pose: expected a rotation of four numbers")
    pose = {"position": vector(position, "set_body_pose"), "rotation": turned.tolist()}
    call(lib.cab_world_set_body_pose, world, find_body(world, body), pose)


def materials(world: Any) -> list[Any]:
    """Their structs, in the order of the scene."""
    found: list[Any] = []
    while True:
        made = ffi.new("cab_material_def *")
        if not lib.cab_world_get_material(world, len(found), made):
            return found
        found.append(made)


def set_material(world: Any, name: str, numbers: dict[str, float]) -> None:
    """Changes some numbers of a material, the others stay."""
    for key in numbers:
        if key not in facts.MATERIAL_NUMBERS:
            raise InputError(f'material "{name}": no number is called "{key}"; {", ".join(facts.MATERIAL_NUMBERS)} are')
    for made in materials(world):
        if text(made.name) != name:
            continue
        for key, value in numbers.items():
            setattr(made, key, float(value))
        call(lib.cab_world_set_material, world, made)
        return
    raise InputError(f'no material is called "{name}"')
