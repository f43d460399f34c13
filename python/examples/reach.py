"""A Gymnasium environment: bring the free end of a hanging cable to a goal by moving the hand that holds the other end.

    pip install clcable gymnasium
    python reach.py --envs 64 --steps 300

runs many environments side by side under a simple rule and tells how many goals were reached, and how fast it went.
"""

from __future__ import annotations

import numpy as np
from hand import HandEnv, play

import clcable

LENGTH = 0.6  # m
SEEN = 8  # nodes of the cable in an observation
REACH = np.array([0.5, 0.5, 0.3])  # m: how far the hand goes from HOME, to each side
HOME = np.array([0.0, 0.0, 1.0])
SPEED = 1.0  # m/s of the hand, at most
NEAR = 0.02  # m from the goal, and slower than SLOW: reached
SLOW = 0.1  # m/s


def cable(segments: int = 32) -> clcable.Scene:
    """A cable that hangs from a hand. The method keeps lengths and takes large time steps."""
    scene = clcable.Scene(method="direct", substeps=8, contact={"cables": False, "self": False})
    scene.add_material("cord", radius=0.003, linear_density=0.03, bending_stiffness=2e-4, damping=1.0)
    scene.add_cable("cord", "cord", [HOME, HOME - [0, 0, LENGTH]], segments=segments)
    scene.attach("cord", "start")
    return scene


class Reach(HandEnv):
    """Observations: hand, goal and tip against each other, the tip's velocity, SEEN nodes against the hand. Reward: minus the tip's
    distance to the goal, and 1 for reaching it. Each environment has a cable of its own stiffness, weight and damping.
    """

    def __init__(self, num_envs: int = 64, segments: int = 32, frames: int = 2, limit: int = 200, seed: int = 0):
        """frames: of 1/60 s in a step. limit: steps in an episode."""
        chance = np.random.default_rng(seed)
        batch = clcable.Batch(
            cable(segments),
            num_envs,
            vary={
                "/materials/cord/bending_stiffness": 2e-4 * chance.uniform(0.5, 2, num_envs),
                "/materials/cord/linear_density": 0.03 * chance.uniform(0.7, 1.4, num_envs),
                "/materials/cord/damping": chance.uniform(0.7, 1.5, num_envs),
            },
            device="native",
        )
        reach = (HOME - REACH, HOME + REACH)
        super().__init__(batch, HOME, reach, 3 * (4 + SEEN), speed=SPEED, frames=frames, limit=limit)
        self._rows = np.linspace(0, segments, SEEN + 1).astype(int)[1:]
        self._goal = np.zeros((num_envs, 3))

    def _aim(self, mask: np.ndarray) -> None:
        around = self.np_random.uniform(-0.8, 0.8, (int(mask.sum()), 3)) * REACH
        self._goal[mask] = HOME - [0, 0, LENGTH] + around

    def _observe(self) -> list[np.ndarray]:
        tip = self._nodes(-1)
        nodes = self._nodes(self._rows) - self._hand[:, None]
        speed = np.nan_to_num(self._velocities[:, -1])
        return [self._hand - HOME, self._goal - tip, tip - self._hand, speed, nodes]

    def _judge(self) -> tuple[np.ndarray, np.ndarray]:
        distance = np.linalg.norm(self._nodes(-1) - self._goal, axis=1)
        slow = np.linalg.norm(self._velocities[:, -1], axis=1) < SLOW
        return (distance < NEAR) & slow, -distance


def rule(observation: np.ndarray) -> np.ndarray:
    """The hand goes where the tip would hang at the goal, and gives way to the swinging, which calms it."""
    lean = observation[:, 6:9] + [0, 0, LENGTH]
    way = observation[:, 3:6] + lean
    swing = lean + 0.2 * observation[:, 9:12]
    return np.clip(1.5 * way + swing * [1, 1, 0], -1, 1)


if __name__ == "__main__":
    play(Reach, rule, __doc__.splitlines()[0])
