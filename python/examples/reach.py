"""A Gymnasium environment: bring the free end of a hanging cable to a goal by moving the hand that holds the other end.

    pip install clcable gymnasium
    python reach.py --envs 64 --steps 300

runs many environments side by side under a simple rule and tells how many goals were reached, and how fast it went.
"""

from __future__ import annotations

import argparse
import time
from typing import Any

import gymnasium
import numpy as np
from gymnasium.vector import AutoresetMode, VectorEnv
from gymnasium.vector.utils import batch_space

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


class Reach(VectorEnv[np.ndarray, np.ndarray, np.ndarray]):
    """Actions: the hand's velocity, in shares of SPEED. Observations: hand, goal and tip against each other, the tip's
    velocity, SEEN nodes against the hand. Reward: minus the tip's distance to the goal, and 1 for reaching it.

    Each environment has a cable of its own stiffness, weight and damping. One that has ended begins again in its next
    step, whatever the action.
    """

    metadata = {"autoreset_mode": AutoresetMode.NEXT_STEP}

    def __init__(self, num_envs: int = 64, segments: int = 32, frames: int = 2, limit: int = 200, seed: int = 0):
        """frames: of 1/60 s in a step. limit: steps in an episode."""
        chance = np.random.default_rng(seed)
        self.batch = clcable.Batch(
            cable(segments),
            num_envs,
            vary={
                "/materials/cord/bending_stiffness": 2e-4 * chance.uniform(0.5, 2, num_envs),
                "/materials/cord/linear_density": 0.03 * chance.uniform(0.7, 1.4, num_envs),
                "/materials/cord/damping": chance.uniform(0.7, 1.5, num_envs),
            },
            device="native",
        )
        self.num_envs, self._frames, self._limit = num_envs, frames, limit
        self._positions, self._velocities = self.batch.positions(), self.batch.velocities()
        self._seen = np.linspace(0, segments, SEEN + 1).astype(int)[1:]
        self._hand = np.tile(HOME, (num_envs, 1))
        self._goal = np.zeros((num_envs, 3))
        self._steps = np.zeros(num_envs, dtype=int)
        self._ended = np.zeros(num_envs, dtype=bool)
        size = 3 * (4 + SEEN)
        self.single_observation_space = gymnasium.spaces.Box(-np.inf, np.inf, (size,), np.float32)
        self.single_action_space = gymnasium.spaces.Box(-1, 1, (3,), np.float32)
        self.observation_space = batch_space(self.single_observation_space, num_envs)
        self.action_space = batch_space(self.single_action_space, num_envs)

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[np.ndarray, dict[str, Any]]:
        """All begin again, with new goals."""
        super().reset(seed=seed)
        self._begin(np.ones(self.num_envs, dtype=bool))
        return self._observe(), {}

    def step(
        self, actions: np.ndarray
    ) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray, dict[str, Any]]:
        """Moves the hands; `reached` and `diverged` are in the info."""
        begins = self._ended
        self._begin(begins)
        way = np.clip(actions, -1, 1) * SPEED * self._frames * self.batch.frame_time
        moved = np.clip(self._hand + way, HOME - REACH, HOME + REACH)
        for frame in range(self._frames):  # a target is led there over one frame
            part = self._hand + (moved - self._hand) * (frame + 1) / self._frames
            self.batch.set_targets(0, part, mask=~begins)
            self.batch.step()
        self._hand = np.where(begins[:, None], self._hand, moved)
        self._steps += ~begins
        diverged = self.batch.diverged
        distance = np.linalg.norm(self._tip() - self._goal, axis=1)
        reached = ~begins & ~diverged & (distance < NEAR) & (np.linalg.norm(self._velocities[:, -1], axis=1) < SLOW)
        truncated = (self._steps >= self._limit) & ~reached | diverged
        self._ended = reached | truncated
        reward = np.where(begins | diverged, 0.0, reached - distance)
        return self._observe(), reward, reached, truncated, {"reached": reached, "diverged": diverged}

    def close_extras(self, **kwargs: Any) -> None:
        """Frees the batch."""
        self.batch.close()

    def _tip(self) -> np.ndarray:
        return np.nan_to_num(self._positions[:, -1])

    def _begin(self, mask: np.ndarray) -> None:
        if not mask.any():
            return
        self.batch.reset(mask)
        self._hand[mask] = HOME
        self._steps[mask] = 0
        count = int(mask.sum())
        around = self.np_random.uniform(-0.8, 0.8, (count, 3)) * REACH
        self._goal[mask] = HOME - [0, 0, LENGTH] + around

    def _observe(self) -> np.ndarray:
        tip = self._tip()
        nodes = np.nan_to_num(self._positions[:, self._seen]) - self._hand[:, None]
        speed = np.nan_to_num(self._velocities[:, -1])
        parts = [self._hand - HOME, self._goal - tip, tip - self._hand, speed, nodes.reshape(self.num_envs, -1)]
        return np.concatenate(parts, axis=1).astype(np.float32)


def rule(observation: np.ndarray) -> np.ndarray:
    """The hand goes where the tip would hang at the goal, and gives way to the swinging, which calms it."""
    lean = observation[:, 6:9] + [0, 0, LENGTH]
    way = observation[:, 3:6] + lean
    swing = lean + 0.2 * observation[:, 9:12]
    return np.clip(1.5 * way + swing * [1, 1, 0], -1, 1)


def main() -> None:
    """Runs the rule and tells what came out."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--envs", type=int, default=64)
    parser.add_argument("--steps", type=int, default=300)
    parser.add_argument("--segments", type=int, default=32)
    arguments = parser.parse_args()
    env = Reach(arguments.envs, arguments.segments)
    observation, _ = env.reset(seed=1)
    reached = ended = 0
    began = time.perf_counter()
    for _ in range(arguments.steps):
        observation, _, terminated, truncated, _ = env.step(rule(observation))
        reached += int(terminated.sum())
        ended += int((terminated | truncated).sum())
    took = time.perf_counter() - began
    print(f"{reached} of {ended} goals reached, {arguments.envs * arguments.steps / took:.0f} steps a second")
    env.close()


if __name__ == "__main__":
    main()
