"""Arrays of a world or of a batch that follow it."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

KINDS = ("position", "velocity", "tension")


class Rows:
    """Arrays that are filled when they are first asked for, and from then on after each step.

    `read` takes an array or None for each of KINDS and fills them.
    """

    def __init__(self, shape: tuple[int, ...], read: Callable[..., None]) -> None:
        self._shape = shape
        self._read = read
        self._arrays: dict[str, np.ndarray] = {}

    def get(self, kind: str, copy: bool) -> np.ndarray:
        """The array itself, read-only; or a copy of it, which is the caller's."""
        array = self._arrays.get(kind)
        if array is None:
            array = np.zeros(self._shape if kind == "tension" else (*self._shape, 3))
            self._read(*(array if k == kind else None for k in KINDS))
            self._arrays[kind] = array
        if copy:
            return array.copy()
        view = array.view()
        view.flags.writeable = False
        return view

    def refresh(self) -> None:
        """Fills all that was ever asked for."""
        if self._arrays:
            self._read(*(self._arrays.get(k) for k in KINDS))
