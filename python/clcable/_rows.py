"""Arrays of a world or of a batch that follow it."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]
KINDS = ("position", "velocity", "tension", "torque")


Read = Callable[[Array | None, Array | None, Array | None, Array | None], None]
"""Fills an array for each of KINDS, where there is one."""


class Rows:
    """Arrays that are filled when they are first asked for, and from then on after each step.

    It does not hold the function that reads, which belongs to who holds this: a cycle would keep a world in memory
    until cycles are looked for.
    """

    def __init__(self, shape: tuple[int, ...]) -> None:
        self._shape = shape
        self._arrays: dict[str, Array] = {}

    def get(self, kind: str, copy: bool, read: Read) -> Array:
        """The array itself, read-only; or a copy of it, which is the caller's."""
        array = self._arrays.get(kind)
        if array is None:
            array = np.zeros((*self._shape, 3) if kind in ("position", "velocity") else self._shape)
            read(*(array if k == kind else None for k in KINDS))
            self._arrays[kind] = array
        if copy:
            return array.copy()
        view = array.view()
        view.flags.writeable = False
        return view

    def refresh(self, read: Read) -> None:
        """Fills all that was ever asked for."""
        if self._arrays:
            read(*(self._arrays.get(k) for k in KINDS))
