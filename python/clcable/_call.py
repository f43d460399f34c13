"""Calls into the library: errors as exceptions, text, vectors."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

import numpy as np

from ._clcable import ffi, lib


class Error(Exception):
    """What the library says, in one line. All of its errors but `MemoryError` are of this kind.

    >>> try:
    ...     clcable.World(scene, device="abacus")
    ... except clcable.Error as error:
    ...     print(type(error).__name__)
    InputError
    """


class InputError(Error, ValueError):
    """A value, a name or a file's content is wrong.

    `pointer` is the JSON pointer of what is wrong in the scene, such as "/cables/3/segments"; None where the
    message names none.

    >>> try:
    ...     scene.with_overrides({"/time/substeps": -1}).check()
    ... except clcable.InputError as error:
    ...     print(error.pointer)
    /time/substeps
    """

    def __init__(self, message: str, pointer: str | None = None) -> None:
        super().__init__(message)
        self.pointer = pointer


class UnsupportedError(InputError):
    """The value is right, but not built yet, or not to be had together with another."""


class DeviceError(Error, RuntimeError):
    """No such device, or a call of OpenCL failed; or the world has failed before."""


class FileError(Error, OSError):
    """A file could not be read or written."""


class ClosedError(Error, ValueError):
    """The world or batch has been closed, and nothing can be asked of it any more."""


class DivergedError(Error, RuntimeError):
    """The simulation left the range of sensible numbers. The world can be read, but steps no further."""


def _pointer_of(message: str, source: str | None) -> str | None:
    if source:
        message = message.replace(f"{source}: ", "", 1)
    found = re.match(r"(?:environment \d+: )?(/.*?): ", message)
    return found.group(1) if found else None


def check(status: int, error: Any, source: str | None = None) -> None:
    """Raises what a failed call says. `source` is the scene's name, with which messages begin."""
    if status == lib.CAB_OK:
        return
    message = text(error.message)
    if status == lib.CAB_ERROR_INPUT:
        raise InputError(message, _pointer_of(message, source))
    if status == lib.CAB_ERROR_UNSUPPORTED:
        raise UnsupportedError(message, _pointer_of(message, source))
    if status == lib.CAB_ERROR_MEMORY:
        raise MemoryError(message)
    if status == lib.CAB_ERROR_IO:
        raise FileError(message)
    raise (DivergedError if status == lib.CAB_ERROR_DIVERGED else DeviceError)(message)


def call(function: Any, *arguments: Any, source: str | None = None) -> None:
    """Calls a function whose last parameter is an error. Others may use Python meanwhile."""
    error = ffi.new("cab_error *")
    check(function(*arguments, error), error, source)


def text(data: Any) -> str:
    """A string of C."""
    return str(ffi.string(data), "utf-8")


def vector(values: Any, what: str) -> Any:
    """Three numbers as a cab_vec3."""
    array = np.asarray(values, dtype=float)
    if array.shape != (3,):
        raise InputError(f"{what}: expected three numbers, got an array of the shape {array.shape}")
    return {"x": array[0], "y": array[1], "z": array[2]}


def triple(v: Any) -> tuple[float, float, float]:
    """A cab_vec3 as three numbers."""
    return (v.x, v.y, v.z)


def all_of(function: Any, handle: Any, kind: str) -> Iterator[Any]:
    """What a function lists that fills at most so many and returns how many there are. An item must not be used after the loop
    over them: it lies in the array, which it does not keep alive."""
    count = function(handle, ffi.NULL, 0)
    rows = ffi.new(f"{kind}[]", max(count, 1))
    function(handle, rows, count)
    for i in range(count):
        yield rows[i]


def pointer_to(array: np.ndarray | None) -> Any:
    """Where an array of doubles lies; NULL for None."""
    return ffi.NULL if array is None else ffi.cast("double *", array.ctypes.data)


def packed(function: Any, *arguments: Any, source: str | None = None) -> bytes:
    """The bytes that a function allocates: its last parameters are where they lie, how many, an error."""
    state, size = ffi.new("void **"), ffi.new("size_t *")
    call(function, *arguments, state, size, source=source)
    try:
        return bytes(ffi.buffer(state[0], size[0]))
    finally:
        lib.free(state[0])
