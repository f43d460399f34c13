"""A Gymnasium environment: plug a cable's plug into a socket, by the hand that grips it.

    pip install clcable gymnasium
    python insert.py --envs 64 --steps 300

runs many environments side by side under a simple rule and tells how many plugs were plugged in, and how fast it went.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from hand import HandEnv, play
from plug import grip, outlet

import clcable

HOME = np.array([0.0, 0.0, 0.3])  # of the hand, m
REACH = np.array([-0.05, -0.1, 0.2]), np.array([0.12, 0.1, 0.4])
MOUTH = np.array([0.15, 0.0, 0.3])  # of the socket, on the average
ASIDE = 0.04  # m: how far the mouth is from there along y and z, at most
DEPTH = 0.012  # m
SPEED = 0.2  # m/s of the hand, at most
NEAR = 0.0015  # m from the axis: less than the socket catches
PEAK = 4.0  # N, of the socket's friction


def bench(segments: int = 24) -> clcable.Scene:
    """A hand that holds a plug by a grip, which gives way like a wrist; the plug's cable; a box with a socket."""
    scene = clcable.Scene(method="direct", substeps=10, contact={"cables": False, "self": False})
    scene.add_material("lead", radius=0.003, linear_density=0.06, bending_stiffness=2e-4, damping=2.0)
    back = grip(scene, HOME, 1e-4) + [0, 0, -0.006]
    outlet(scene, MOUTH, DEPTH, PEAK)
    lead = [back, back + [-0.06, 0.05, -0.1], back + [-0.16, 0.05, -0.1], back + [-0.26, 0, 0]]
    scene.add_cable("lead", "lead", lead, segments=segments, curve="catmull-rom")
    scene.attach("lead", "start", {"body": "plug", "point": [-0.02, 0, -0.006]})
    scene.attach("lead", "end")
    return scene


class Insert(HandEnv):
    """Observations: the mouth against the plug's point; how deep the plug is in the socket, in DEPTH, -1 outside; the force on it there, in PEAK. Reward:
    minus the distance of its point from home, and 1 when it is mated. Each environment has its box in another place.
    """

    def __init__(self, num_envs: int = 64, segments: int = 24, frames: int = 2, limit: int = 100, seed: int = 0):
        """frames: of 1/60 s in a step. limit: steps in an episode."""
        chance = np.random.default_rng(seed)
        self._mouth = MOUTH + chance.uniform(-1, 1, (num_envs, 3)) * [0, ASIDE, ASIDE]
        batch = clcable.Batch(bench(segments), num_envs, vary={"/bodies/2/position": self._mouth}, device="native")
        super().__init__(batch, HOME, REACH, 7, speed=SPEED, frames=frames, limit=limit)
        self._tip = np.zeros((num_envs, 3))
        self._depth, self._mated = np.zeros(num_envs), np.zeros(num_envs, dtype=bool)
        self._force = np.zeros((num_envs, 3))

    def _lead(self, places: np.ndarray, mask: np.ndarray) -> None:
        self.batch.set_body_poses("hand", places, mask=mask)

    def _aim(self, mask: np.ndarray) -> None:
        """The goal stays where the box is."""

    def _look(self) -> None:
        """Where the plugs are."""
        for env in range(self.num_envs):
            sockets, bodies = self.batch.sockets(env), self.batch.bodies(env)
            self._tip[env] = bodies.positions[1] + _turned(bodies.rotations[1], np.array([0.02, 0, 0]))
            self._mated[env] = sockets.phases[1] == "mated"
            self._depth[env] = sockets.depths[1] / DEPTH if sockets.phases[1] != "out" else -1
            self._force[env] = sockets.forces[1] / PEAK

    def _observe(self) -> list[np.ndarray]:
        self._look()
        return [self._mouth - self._tip, self._depth[:, None], self._force]

    def _judge(self) -> tuple[np.ndarray, np.ndarray]:
        self._look()
        return self._mated.copy(), -np.linalg.norm(self._mouth + [DEPTH, 0, 0] - self._tip, axis=1)


def _turned(quaternion: np.ndarray, v: np.ndarray) -> Any:
    across = np.cross(quaternion[1:], v)
    return v + 2 * (quaternion[0] * across + np.cross(quaternion[1:], across))


def rule(observation: np.ndarray) -> np.ndarray:
    """The hand brings the plug before the mouth, and goes in when it is in line."""
    way = observation[:, :3].copy()
    in_line = np.linalg.norm(way[:, 1:], axis=1) < NEAR
    inside = observation[:, 3] > 0
    way[:, 0] = np.where(inside | in_line, 0.05, way[:, 0] - 0.01)
    way[inside, 1:] = 0
    return np.clip(way / (SPEED / 30), -1, 1)


if __name__ == "__main__":
    play(Insert, rule, __doc__.splitlines()[0])
