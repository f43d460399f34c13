"""What the examples that plug in share: a hand that grips a plug, and a box with a socket."""

from __future__ import annotations

from typing import Any

import numpy as np

import clcable

FRONT = 0.055  # m: the plug's point before the hand


def grip(scene: clcable.Scene, hand: np.ndarray, compliance: float) -> np.ndarray:
    """Adds the bodies "hand", which goes where it is led, and "plug", along x before it, and the socket "grip" that holds one to the other and gives
    way by `compliance`, m/N. Returns the middle of the plug's back."""
    scene.add_body("hand", hand, motion="given")
    rod = {"shape": "box", "center": [0, 0, 0], "half_extents": [0.02, 0.008, 0.006]}
    scene.add_body("plug", hand + [FRONT - 0.02, 0, 0], density=1200, shapes=[rod])
    scene.add_socket(
        "grip",
        {"body": "plug", "point": [-0.02, 0, 0], "axis": [-1, 0, 0]},
        {"body": "hand", "point": [FRONT - 0.04, 0, 0], "axis": [-1, 0, 0]},
        0.02,
        compliance=compliance,
    )
    return hand + [FRONT - 0.04, 0, 0]


def outlet(scene: clcable.Scene, mouth: np.ndarray, depth: float, peak: float, **more: Any) -> None:
    """Adds the body "box", and in it the socket "X1" into which the plug goes along x, so deep (m) and against so much friction (N) half way. more: as of
    `Scene.add_socket()`."""
    box = {"shape": "box", "center": [0.03, 0, 0], "half_extents": [0.03, 0.03, 0.025]}
    scene.add_body("box", mouth, motion="fixed", shapes=[box])
    scene.add_socket(
        "X1",
        {"body": "plug", "point": [0.02, 0, 0], "axis": [1, 0, 0]},
        {"body": "box", "point": [depth, 0, 0], "axis": [1, 0, 0]},
        depth,
        friction=[[0, 0.5], [depth / 2, peak], [depth, 1]],
        **more,
    )
