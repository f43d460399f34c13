"""Scenes: what there is, and how it is to be simulated."""

from __future__ import annotations

import json
import math
import os
import re
import tempfile
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any, Literal, TypeAlias

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ._call import InputError, call, text
from ._clcable import ffi, lib

Overrides: TypeAlias = Mapping[str, Any] | Iterable[str]
"""Changes of a scene: {pointer: value}, or strings "POINTER=VALUE" as `clcable run --set` takes them."""

Place: TypeAlias = Literal["start", "end"] | float | Mapping[str, Any]
"""A place along a cable: "start", "end", a fraction of the length (0 to 1), or {"particle": i}; of a sheet
{"particle": i} or {"corner": [0, 1]}."""


def _plain(value: Any, name: str, pointer: str) -> Any:
    """Numbers, strings, lists and dictionaries as JSON has them; arrays of NumPy become lists."""
    if isinstance(value, Mapping):
        return {str(key): _plain(item, name, f"{pointer}/{key}") for key, item in value.items()}
    if isinstance(value, np.ndarray | np.generic):
        return _plain(value.tolist(), name, pointer)
    if isinstance(value, list | tuple):
        return [_plain(item, name, f"{pointer}/{i}") for i, item in enumerate(value)]
    if isinstance(value, float) and not math.isfinite(value):
        raise InputError(f"{name}: {pointer}: expected a finite number, got {value}", pointer)
    if value is None or isinstance(value, str | bool | int | float):
        return value
    if isinstance(value, os.PathLike):
        return os.fspath(value)
    raise InputError(f"{name}: {pointer}: {type(value).__name__} cannot be in a scene", pointer)


Keyframes: TypeAlias = dict[int, NDArray[np.float64]]
"""Rows t, x, y, z of attachments, by their index."""


def _keyframes(rows: Any, name: str, pointer: str) -> NDArray[np.float64]:
    """A copy of keyframes that does not change any more."""
    given = np.asarray(rows)
    if given.dtype.kind not in "iuf":
        raise InputError(f"{name}: {pointer}: expected keyframes of real numbers, got an array of {given.dtype}", pointer)
    array = np.array(given, dtype=np.float64, order="C")
    if array.ndim != 2 or array.shape[1] != 4 or len(array) < 1:
        raise InputError(f"{name}: {pointer}: expected keyframes of the shape (n, 4), got {array.shape}", pointer)
    wrong = np.argwhere(~np.isfinite(array))
    if len(wrong):
        row, column = wrong[0]
        place = f"{pointer}/{row}/{column}"
        raise InputError(f"{name}: {place}: expected a finite number, got {array[row, column]}", place)
    array.setflags(write=False)
    return array


def _as_keyframes(rows: Any) -> NDArray[np.float64] | None:
    """Keyframes that are an array, or could be one: reading 5,000 rows as text takes 40 times as long as the rest of a world. None: there
    is something else, of which the library tells what is wrong."""
    if isinstance(rows, np.ndarray):
        return rows
    if not isinstance(rows, list | tuple) or not all(isinstance(row, list | tuple) and len(row) == 4 for row in rows):
        return None
    if not {type(number) for row in rows for number in row} <= {int, float} or not rows:
        return None
    try:
        array = np.array(rows, dtype=np.float64)
    except OverflowError:
        return None
    return array if bool((np.abs(array) < 1e15).all()) else None


def _copied(value: Any) -> Any:
    """A document that nobody else has, arrays included."""
    if isinstance(value, dict):
        return {key: _copied(item) for key, item in value.items()}
    if isinstance(value, np.ndarray) and value.flags.writeable:
        return value.copy()
    return [_copied(item) for item in value] if isinstance(value, list) else value


def _override_list(overrides: Overrides, name: str) -> list[str]:
    if isinstance(overrides, str):
        raise InputError('overrides: expected a dictionary or a list of "POINTER=VALUE"')
    if isinstance(overrides, Mapping):
        return [f"{pointer}={json.dumps(_plain(value, name, pointer))}" for pointer, value in overrides.items()]
    return list(overrides)


def _given(**keys: Any) -> dict[str, Any]:
    return {key: value for key, value in keys.items() if value is not None}


@ffi.def_extern()  # type: ignore[untyped-decorator]
def clcable_warn(user: Any, message: Any) -> None:
    ffi.from_handle(user).append(text(message))


class Scene:
    """What there is: materials, cables, what holds them and what they touch. SI units, z up.

    A scene is a document as in the scene format (docs/scene.md): begin with an empty one and add to it, load a
    file, or take a dictionary or JSON text. Names of materials, cables, sheets and colliders must be there before
    they are used. All else is read by the library when a world is made of it, or by `check()`: only then is it known
    whether it is right. Nothing that is left out (None) goes into the document.

    >>> scene = clcable.Scene(method="direct")
    >>> scene.add_material("wire", radius=0.002, linear_density=0.05, bending_stiffness=1e-4)
    'wire'
    >>> scene.add_cable("a", "wire", path=[(0, 0, 1), (1, 0, 1)])
    0
    >>> scene.attach("a", "start")
    0
    >>> scene.check()
    []
    """

    def __init__(
        self,
        *,
        gravity: ArrayLike | None = None,
        wind: ArrayLike | None = None,
        duration: float | None = None,
        frame_rate: float | None = None,
        substeps: int | None = None,
        max_substeps: int | None = None,
        iterations: int | None = None,
        method: str | Mapping[str, Any] | None = None,
        contact: Mapping[str, Any] | None = None,
    ) -> None:
        """An empty scene.

        gravity: m/s², (0, 0, -9.81). wind: m/s, 0. duration: s, 1. frame_rate: frames a second, 60. substeps: in
        a frame, 20. max_substeps: in a frame with something fast near what it may touch, 0 = always
        substeps, -1 = by "direct" as many as it needs, else 0. iterations: in a substep, 1. method: "xpbd", "direct", ... or a dictionary with its name and
        its parameters. contact: {"cables": True, "self": True, ...}.
        """
        time = _given(
            duration=duration,
            frame_rate=frame_rate,
            substeps=substeps,
            max_substeps=max_substeps,
            iterations=iterations,
        )
        self._name = "scene"
        self._overrides: list[str] = []
        self._document: dict[str, Any] = {"clcable": 1, "materials": {}, "cables": []}
        for key, value in _given(gravity=gravity, wind=wind, method=method, contact=contact).items():
            self._document[key] = _plain(value, self._name, f"/{key}")
        if time:
            self._document["time"] = _plain(time, self._name, "/time")

    # -- from elsewhere --

    @classmethod
    def load(cls, path: str | os.PathLike[str], overrides: Overrides = ()) -> Scene:
        """Reads a scene file. FileError: it cannot be read; InputError: its content is wrong."""
        path = os.fspath(path)
        made = ffi.new("cab_scene **")
        listed = _override_list(overrides, path)
        call(lib.cab_scene_load, path.encode(), *_texts(listed), made, source=path)
        lib.cab_scene_destroy(made[0])
        scene = cls()
        scene._name = path
        scene._overrides = listed
        scene._document = json.loads(Path(path).read_text(encoding="utf-8-sig"))
        return scene

    @classmethod
    def from_dict(
        cls,
        document: Mapping[str, Any],
        overrides: Overrides = (),
        *,
        name: str = "scene",
        folder: str | os.PathLike[str] = "",
    ) -> Scene:
        """A scene of a dictionary, which is copied. Arrays of NumPy may stand for lists.

        name: what messages begin with. folder: where files that the scene names are looked for.
        """
        scene = cls()
        scene._name = os.path.join(folder, name)
        scene._document = _plain(document, scene._name, "")
        scene._overrides = _override_list(overrides, scene._name)
        scene._made()
        return scene

    @classmethod
    def from_json(
        cls,
        document: str,
        overrides: Overrides = (),
        *,
        name: str = "scene",
        folder: str | os.PathLike[str] = "",
    ) -> Scene:
        """A scene of JSON text."""
        scene = cls()
        scene._name = os.path.join(folder, name)
        scene._overrides = _override_list(overrides, scene._name)
        scene._made(read=(document.encode(), {}))
        scene._document = json.loads(document)
        return scene

    def with_overrides(self, overrides: Overrides) -> Scene:
        """The same scene with changes; this one stays as it is."""
        scene = Scene()
        scene._name = self._name
        scene._document = _copied(self._document)
        scene._overrides = self._overrides + _override_list(overrides, self._name)
        return scene

    # -- building --

    def add_material(
        self,
        name: str,
        *,
        radius: float,
        linear_density: float,
        stretching_stiffness: float | None = None,
        bending_stiffness: float | Sequence[float] | None = None,
        bending_damping: float | None = None,
        twisting_stiffness: float | None = None,
        damping: float | None = None,
        friction: float | None = None,
        air_drag: float | None = None,
        rest_shape: Literal["straight", "path"] | None = None,
        **more: Any,
    ) -> str:
        """Adds a material, or puts another in the place of the one with this name. Returns the name.

        radius: m. linear_density: kg/m. stretching_stiffness: EA, N; inextensible. bending_stiffness: EI, N m²; 0; or two,
        about both axes of the section. bending_damping: tau, s; 0. twisting_stiffness: GJ, N m²; 0. damping: 1/s, of velocity; 0. friction: Coulomb's coefficient; 0.3. air_drag: coefficient of a cylinder; 0.
        rest_shape: "straight", or "path": as it lies at the start. more: further keys of the scene format.
        """
        keys = _given(
            radius=radius,
            linear_density=linear_density,
            stretching_stiffness=stretching_stiffness,
            bending_stiffness=bending_stiffness,
            bending_damping=bending_damping,
            twisting_stiffness=twisting_stiffness,
            damping=damping,
            friction=friction,
            air_drag=air_drag,
            rest_shape=rest_shape,
            **more,
        )
        self._document.setdefault("materials", {})[name] = _plain(keys, self._name, f"/materials/{name}")
        return name

    def add_cable(
        self,
        name: str,
        material: str,
        path: ArrayLike,
        *,
        segments: int | ArrayLike | None = None,
        length: float | None = None,
        curve: Literal["polyline", "catmull-rom"] | None = None,
        velocity: ArrayLike | Mapping[str, Any] | None = None,
        copies: Sequence[int] | None = None,
        spacing: ArrayLike | None = None,
        **more: Any,
    ) -> int:
        """Adds a cable, or a grid of equal ones. Returns its index.

        path: control points, m, (n, 3). segments: how many equal ones, or the length of each, m; one for each 20 mm. length: at rest, m; that of the path. curve:
        "polyline". velocity: at the start, m/s, of all or (segments + 1, 3) of each particle, {"along": [[fraction, x, y, z], ...]}, or
        {"path": where it was, "before": so many seconds ago}; 0. copies: along x, y, z. spacing: of copies, m. more: further
        keys of the scene format.
        """
        placed = _given(count=copies, spacing=spacing)
        keys = _given(segments=segments, length=length, curve=curve, velocity=velocity, copies=placed or None)
        self._expect("materials", material, f"/cables/{len(self._document.get('cables', []))}/material")
        return self.add("cables", name=name, material=material, path=path, **keys, **more)

    def add_sheet(self, name: str, material: str, **keys: Any) -> int:
        """Adds a sheet: cloth, a net. `keys` as in the scene format. Returns its index."""
        self._expect("materials", material, f"/sheets/{len(self._document.get('sheets', []))}/material")
        return self.add("sheets", name=name, material=material, **keys)

    def attach(
        self,
        cable: str | None,
        at: Place = "start",
        to: Literal["here"] | ArrayLike | Mapping[str, Any] = "here",
        *,
        clamp: bool | None = None,
        break_force: float | None = None,
        compliance: float | None = None,
        release_distance: float | None = None,
        **more: Any,
    ) -> int:
        """Holds a place of a cable, or joins it to another. Returns the index, by which `set_target` calls it.

        to: "here", a point (m), {"cable": name, "at": place}, {"collider": name}, {"body": name, "point": m}, {"keyframes": [[t, x, y, z], ...]}. Keyframes
        that are an array of NumPy, (n, 4), go to the library as they are: thousands of rows of a measured motion cost next to nothing.
        cable: None with sheet=name. clamp: hold the direction, too. break_force: N; never. compliance: m/N; 0 = hard. release_distance: of a soft
        one, m; never.
        """
        keys = _given(
            clamp=clamp, break_force=break_force, compliance=compliance, release_distance=release_distance, **more
        )
        pointer = f"/attachments/{len(self._document.get('attachments', []))}"
        self._expect_body(cable, more.get("sheet"), pointer)
        if isinstance(to, Mapping):
            self._expect_body(to.get("cable"), to.get("sheet"), f"{pointer}/to")
            if isinstance(to.get("collider"), str):
                self._expect("colliders", to["collider"], f"{pointer}/to/collider")
            if isinstance(to.get("body"), str):
                self._expect("bodies", to["body"], f"{pointer}/to/body")
        rows = to.get("keyframes") if isinstance(to, Mapping) else None
        if not isinstance(rows, np.ndarray):
            return self.add("attachments", **_given(cable=cable), at=at, to=to, **keys)
        array = _keyframes(rows, self._name, f"{pointer}/to/keyframes")
        led: dict[str, Any] = {**to, "keyframes": []} if isinstance(to, Mapping) else {}
        index = self.add("attachments", **_given(cable=cable), at=at, to=led, **keys)
        self._document["attachments"][index]["to"]["keyframes"] = array
        return index

    def add_load(
        self,
        cable: str | None,
        at: Place = "end",
        *,
        mass: float | None = None,
        force: ArrayLike | Mapping[str, Any] | None = None,
        moment: ArrayLike | None = None,
        **more: Any,
    ) -> int:
        """Adds a weight (kg), a force (N) or, at an end, a moment (N m). Returns the index, by which `set_load`
        calls it. cable: None with sheet=name."""
        self._expect_body(cable, more.get("sheet"), f"/loads/{len(self._document.get('loads', []))}")
        keys = _given(cable=cable, mass=mass, force=force, moment=moment, **more)
        return self.add("loads", at=at, **keys)

    def add_probe(self, name: str, cable: str, at: Place) -> int:
        """Watches a place of a cable, between two particles too: `World.probes` tells its position, tension, bending moment and
        torque. Nothing that is simulated depends on it. Returns the index.

        >>> scene.add_probe("quarter", "a", 0.25)
        0
        """
        self._expect("cables", cable, f"/probes/{len(self._document.get('probes', []))}/cable")
        return self.add("probes", name=name, cable=cable, at=at)

    def add_collider(self, shape: str, *, name: str | None = None, **keys: Any) -> int:
        """Adds a rigid part: "plane" (point, normal), "sphere" (center, radius), "capsule" and "cylinder" (from, to, radius), "sheave" (from, to, radius, groove, flange, angle), "box"
        (center, half_extents, rotation), "mesh" (file). `from` is a word of Python: write from_. Returns the index.
        """
        if "from_" in keys:
            keys["from"] = keys.pop("from_")
        return self.add("colliders", shape=shape, **_given(name=name), **keys)

    def add_body(
        self,
        name: str,
        position: ArrayLike,
        *,
        shapes: Sequence[Mapping[str, Any]] | None = None,
        mass: float | None = None,
        density: float | None = None,
        rotation: ArrayLike | None = None,
        velocity: ArrayLike | None = None,
        spin: ArrayLike | None = None,
        motion: Literal["free", "fixed", "given"] | Mapping[str, Any] | None = None,
        copies: Sequence[int] | None = None,
        spacing: ArrayLike | None = None,
        **more: Any,
    ) -> int:
        """Adds a rigid body, on which cables end by `attach(..., to={"body": name, "point": [x, y, z]})`, or a grid of equal ones.
        Method direct. Returns its index.

        position: of the origin of its own axes, m. shapes: what it is made of, in its own axes. mass: kg, or density: kg/m³ of the shapes.
        rotation: quaternion w, x, y, z. velocity: of its centre, m/s; 0. spin: rad/s; 0. motion: "free", {"hinge": ...},
        {"slider": ...} or {"ball": ...}; led, without a mass: "fixed", {"keyframes": [[t, x, y, z, qw, qx, qy, qz], ...]} or
        "given" (`World.set_body_pose`). copies: along x, y, z. spacing: of copies, m. more: further keys of the scene format, such
        as inertia, center, damping.

        >>> scene.add_body("plug", [0, 0, 1], mass=0.2, shapes=[{"shape": "sphere", "center": [0, 0, 0], "radius": 0.05}])
        0
        """
        placed = _given(count=copies, spacing=spacing)
        keys = _given(
            shapes=shapes,
            mass=mass,
            density=density,
            rotation=rotation,
            velocity=velocity,
            spin=spin,
            motion=motion,
            copies=placed or None,
        )
        return self.add("bodies", name=name, position=position, **keys, **more)

    def add_socket(
        self,
        name: str,
        plug: Mapping[str, Any],
        to: Mapping[str, Any],
        depth: float,
        *,
        capture_radius: float | None = None,
        capture_angle: float | None = None,
        friction: float | ArrayLike | None = None,
        compliance: float | None = None,
        keyed: bool | None = None,
        latch: bool | None = None,
        pull_out_force: float | None = None,
    ) -> int:
        """Adds a socket, into which a plug goes. Returns its index.

        plug, to: {"body": name, "point": m, "axis": direction, "up": direction}, in the body's own axes; `to` without a body is in space.
        Of the plug the foremost point, of the socket where that comes to, and in which direction it goes in. depth: m, from the mouth to
        there. capture_radius: m, how far beside the axis it is caught; 0.002. capture_angle: rad; 0.2. friction: N, or [[depth, N], ...];
        0. compliance: m/N, of guides, stop and latch; 1e-6. keyed: it does not turn about the axis; True. latch: it is held when it is home; True. pull_out_force: N, at which the latch
        gives way; never.

        >>> scene.add_body("box", [0.1, 0, 1], motion="fixed")
        1
        >>> scene.add_socket("X1", {"body": "plug", "axis": [1, 0, 0]}, {"body": "box", "axis": [1, 0, 0]}, 0.01)
        0
        """
        pointer = f"/sockets/{len(self._document.get('sockets', []))}"
        for side, key in ((plug, "plug"), (to, "to")):
            if isinstance(side.get("body"), str):
                self._expect("bodies", side["body"], f"{pointer}/{key}/body")
        keys = _given(
            capture_radius=capture_radius,
            capture_angle=capture_angle,
            friction=friction,
            compliance=compliance,
            keyed=keyed,
            latch=latch,
            pull_out_force=pull_out_force,
        )
        return self.add("sockets", name=name, plug=plug, to=to, depth=depth, **keys)

    def add(self, section: str, **keys: Any) -> int:
        """Adds an item with these keys to a list of the document, such as "constraints". Returns its index."""
        items = self._document.setdefault(section, [])
        items.append(_plain(keys, self._name, f"/{section}/{len(items)}"))
        return len(items) - 1

    def _expect(self, section: str, name: str, pointer: str) -> None:
        """Raises unless a material, cable, sheet, collider or body of this name is in the scene by now. Of a copy, "a[1,0,0]",
        counts what stands before the bracket."""
        there = self._document.get(section, [])
        names = list(there) if isinstance(there, Mapping) else [i["name"] for i in there if "name" in i]
        if name in names or name.split("[")[0] in names:
            return
        known = ", ".join(f'"{n}"' for n in names[:8]) + (", ..." if len(names) > 8 else "")
        kind = "body" if section == "bodies" else section.removesuffix("s")
        raise InputError(f'{self._name}: {pointer}: no {kind} is called "{name}"; there is {known or "none yet"}', pointer)

    def _expect_body(self, cable: str | None, sheet: str | None, pointer: str) -> None:
        """Raises unless the cable, or the sheet, that something belongs to is there by now."""
        if cable is not None:
            self._expect("cables", cable, f"{pointer}/cable")
        if sheet is not None:
            self._expect("sheets", sheet, f"{pointer}/sheet")

    # -- reading --

    @property
    def document(self) -> dict[str, Any]:
        """The document itself, to be read or changed; overrides are not in it, they come on top."""
        return self._document

    @property
    def overrides(self) -> tuple[str, ...]:
        """Changes that are made to the document when it is read, as "POINTER=VALUE"."""
        return tuple(self._overrides)

    def to_json(self) -> str:
        """The document as text, without the overrides."""
        return json.dumps(_plain(self._document, self._name, ""), indent=2)

    def save(self, path: str | os.PathLike[str]) -> None:
        """Writes a scene file, overrides put in. What is written can be read: it is checked before."""
        folder = os.path.dirname(self._name) or "."
        with tempfile.NamedTemporaryFile("w", suffix=".json", dir=folder, encoding="utf-8") as file:
            file.write(self.to_json())
            file.flush()
            place = os.fspath(path).encode()
            call(lib.cab_scene_save, file.name.encode(), *_texts(self._overrides), place, source=file.name)

    def check(self) -> list[str]:
        """Checks all that can be checked without a device: names, joints, loads. Returns warnings."""
        warnings: list[str] = []
        user = ffi.new_handle(warnings)
        call(lib.cab_scene_check, self._made(), lib.clcable_warn, user, source=self._name)
        return warnings

    def __repr__(self) -> str:
        return f"<clcable.Scene {self._name!r}: {len(self._document.get('cables', []))} cables>"

    def _copy(self) -> Scene:
        """As it is now."""
        scene = Scene()
        scene._name, scene._document, scene._overrides = self._name, _copied(self._document), self._overrides
        return scene

    def _text(self, pointers: Iterable[str] = ()) -> tuple[bytes, Keyframes]:
        """Its text, and keyframes of attachments, which are arrays beside it. pointers: what is changed in the text, which has all that it
        needs for it."""
        changed = [*(override.split("=", 1)[0] for override in self._overrides), *pointers]
        arrays: Keyframes = {}
        listed = self._document.get("attachments", [])
        attachments = list(listed) if isinstance(listed, list) else []
        for i, item in enumerate(attachments):
            to = item.get("to") if isinstance(item, dict) else None
            inside = f"/attachments/{i}/"
            if not isinstance(to, dict) or any(f"{p}/".startswith(inside) or inside.startswith(f"{p}/") for p in changed):
                continue
            rows = _as_keyframes(to.get("keyframes"))
            if rows is None:
                continue
            arrays[i] = _keyframes(rows, self._name, f"{inside}to/keyframes")
            attachments[i] = {**item, "to": {**to, "keyframes": rows[:1].tolist()}}
        document = {**self._document, "attachments": attachments} if arrays else self._document
        return json.dumps(_plain(document, self._name, "")).encode(), arrays

    def _made(
        self, more: Sequence[str] = (), read: tuple[bytes, Keyframes] | None = None, led: Keyframes | None = None
    ) -> Any:
        """The library's scene of it, freed when nobody holds it any more. more: overrides. read: what _text() gave. led: other
        keyframes."""
        data, arrays = read or self._text()
        made = ffi.new("cab_scene **")
        overrides = _texts([*self._overrides, *more])
        call(lib.cab_scene_parse, self._name.encode(), data, len(data), *overrides, made, source=self._name)
        scene = ffi.gc(made[0], lib.cab_scene_destroy)
        for index, rows in {**arrays, **(led or {})}.items():
            frames = ffi.cast("cab_keyframe *", rows.ctypes.data)
            call(lib.cab_scene_set_keyframes, scene, index, frames, len(rows), source=self._name)
        return scene


_LED = re.compile(r"/attachments/(0|[1-9][0-9]{0,8})/to/keyframes")


def _led_by(pointer: str) -> int | None:
    """The attachment whose keyframes this is."""
    found = _LED.fullmatch(pointer)
    return int(found[1]) if found else None


def _texts(strings: Sequence[str]) -> tuple[Any, int]:
    """An array of strings of C, which keeps them alive, and how many they are."""
    kept = [ffi.new("char[]", string.encode()) for string in strings]
    array = ffi.gc(ffi.new("char *[]", [*kept, ffi.NULL]), lambda _: kept.clear())
    return array, len(kept)
