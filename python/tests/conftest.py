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


def rolled(roll: float = 1.5) -> clcable.Scene:
    """A rod of 0.8 m and GJ = 2e-4 N m^2 between clamps, rolled at its end (rad), and one that does not twist."""
    scene = clcable.Scene(substeps=10, method="direct", gravity=(0, 0, 0))
    wire = {"radius": 0.001, "linear_density": 0.02, "bending_stiffness": 1e-4}
    scene.add_material("shaft", twisting_stiffness=2e-4, **wire)
    scene.add_material("wire", **wire)
    scene.add_cable("a", "shaft", [[0, 0, 1], [0.8, 0, 1]], segments=16)
    scene.add_cable("b", "wire", [[0, 1, 1], [0.8, 1, 1]], segments=4)
    scene.attach("a", "start", clamp=True)
    scene.attach("a", "end", clamp=True, roll=roll)
    return scene


@pytest.fixture
def scene() -> clcable.Scene:
    return hanging()


@pytest.fixture
def world(scene: clcable.Scene) -> clcable.World:
    return clcable.World(scene, device="native", threads=2)
