"""A Gymnasium environment: plug a cable into a socket in a wall, by the hand that holds its plug.

    pip install clcable gymnasium
    python insert.py --envs 64 --steps 300

runs many environments side by side under a simple rule and tells how many plugs latched, and how fast it went.
"""

from __future__ import annotations

import numpy as np
from hand import HandEnv, play

import clcable

WALL = 0.45  # m: x of the wall's face; sockets open towards smaller x
DEPTH = 0.02  # m: of a socket
ROUND = 0.004  # m: as far from a socket's axis a plug goes in
SPREAD = np.array([0.0, 0.12, 0.1])  # m: sockets lie so far from MIDDLE, at most
MIDDLE = np.array([WALL + DEPTH, 0.0, 0.3])
HOME = np.array([0.2, 0.0, 0.25])
REACH = np.array([0.0, -0.2, 0.1]), np.array([WALL + DEPTH + 0.005, 0.2, 0.5])
SPEED = 0.3  # m/s of the hand, at most
GRIP = 2e-3  # m/N: of the hand on the plug
BEFORE = 0.05  # m: as far before a socket's mouth the rule lines up


def bench(segments: int = 32) -> clcable.Scene:
    """A cable that hangs from a hook to the plug at its other end."""
    scene = clcable.Scene(method="direct", substeps=10, contact={"cables": False, "self": False})
    scene.add_material("cord", radius=0.003, linear_density=0.04, bending_stiffness=3e-4, damping=2.0)
    scene.add_cable("cord", "cord", [[0, 0, 0.4], [0.05, 0, 0.15], HOME], segments=segments, length=0.7)
    scene.attach("cord", "start")
    scene.add(
        "connectors", name="plug", cable="cord", at="end", to=MIDDLE.tolist(), direction=[1, 0, 0], mass=0.02, compliance=GRIP,
        insertion_depth=DEPTH, capture_radius=ROUND, keyframes=[[0, *HOME]],
    )
    return scene


class Insert(HandEnv):
    """Observations: the socket's end against the hand and against the plug, the plug's velocity, and the grip's force on it, N. Reward:
    minus the plug's distance to the end of its socket, and 1 for latching. Each environment has a socket of its own, and a cable of its own
    stiffness and weight.
    """

    def __init__(self, num_envs: int = 64, segments: int = 32, frames: int = 2, limit: int = 120, seed: int = 0):
        """frames: of 1/60 s in a step. limit: steps in an episode."""
        chance = np.random.default_rng(seed)
        self._socket = MIDDLE + SPREAD * chance.uniform(-1, 1, (num_envs, 3))
        batch = clcable.Batch(
            bench(segments),
            num_envs,
            vary={
                "/connectors/0/to": self._socket,
                "/materials/cord/bending_stiffness": 3e-4 * chance.uniform(0.5, 2, num_envs),
                "/materials/cord/linear_density": 0.04 * chance.uniform(0.7, 1.4, num_envs),
            },
            device="native",
        )
        super().__init__(batch, HOME, REACH, 12, speed=SPEED, frames=frames, limit=limit, led=1)

    def _aim(self, mask: np.ndarray) -> None:
        """Sockets stay where they are."""

    def _observe(self) -> list[np.ndarray]:
        plug = self._nodes(-1)
        speed = np.nan_to_num(self._velocities[:, -1])
        return [self._socket - self._hand, self._socket - plug, speed, (self._hand - plug) / GRIP]

    def _judge(self) -> tuple[np.ndarray, np.ndarray]:
        mated = [any(e.kind == "mated" for e in self.batch.events(k)) for k in range(self.num_envs)]
        return np.array(mated), -np.linalg.norm(self._nodes(-1) - self._socket, axis=1)


def rule(observation: np.ndarray) -> np.ndarray:
    """The hand brings the plug onto the socket's line, BEFORE its mouth, then pushes it in, the slower the further it is off the line."""
    hand, plug = observation[:, :3], observation[:, 3:6]
    aside = np.linalg.norm(plug[:, 1:], axis=1)
    lined = aside < ROUND / 2
    way = hand + (plug - hand) * [0, 1, 1]  # across by where the plug is, which hangs below the hand
    way[:, 0] = np.where(lined, plug[:, 0] + 0.005, plug[:, 0] - DEPTH - BEFORE)
    way[:, 0] = np.where(plug[:, 0] < DEPTH, plug[:, 0] + 0.005, way[:, 0])
    return way / np.maximum(np.linalg.norm(way, axis=1, keepdims=True), 0.05)


if __name__ == "__main__":
    play(Insert, rule, __doc__.splitlines()[0])
