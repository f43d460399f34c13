"""Scenes that tests share."""

import os

import numpy as np
import pytest

import clcable

os.environ.setdefault("CLCABLE_IGNORE_TUNING", "1")  # what the user has tuned must not change which way a test goes
SOURCE = os.environ.get("CLCABLE_SOURCE", os.path.join(os.path.dirname(__file__), "..", ".."))


def hanging(substeps: int = 20, **settings: object) -> clcable.Scene:
    """A cable of 1.2 m between two points 1 m apart; the second attachment holds its end."""
    scene = clcable.Scene(substeps=substeps, **settings)
    scene.add_material("wire", radius=0.003, linear_density=0.05, bending_stiffness=1e-4, damping=2)
    scene.add_cable("a", "wire", np.array([[0, 0, 1], [1, 0, 1]]), segments=40, length=1.2)
    scene.attach("a", "start")
    scene.attach("a", "end")
    scene.add_load("a", 0.5)
    return scene


def falling() -> clcable.Scene:
    """Cables that fall onto a floor and onto each other."""
    scene = clcable.Scene(substeps=10)
    scene.add_material("wire", radius=0.005, linear_density=0.05, bending_stiffness=1e-3, friction=0.4)
    scene.add_cable("a", "wire", [[-0.1, 0, 0.01], [0.1, 0, 0.01]], segments=10)
    scene.add_cable("b", "wire", [[0, -0.1, 0.03], [0, 0.1, 0.03]], segments=10)
    scene.add_collider("plane", name="floor", point=[0, 0, 0], normal=[0, 0, 1])
    return scene


@pytest.fixture
def scene() -> clcable.Scene:
    return hanging()


@pytest.fixture
def world(scene: clcable.Scene) -> clcable.World:
    return clcable.World(scene, device="native", threads=2)
