"""What the Gymnasium environments of this folder share: many worlds side by side, in each a hand that leads a place of a cable or a body."""

from __future__ import annotations

import argparse
import time
from collections.abc import Callable
from typing import Any

import gymnasium
import numpy as np
from gymnasium.vector import AutoresetMode, VectorEnv
from gymnasium.vector.utils import batch_space

import clcable


class HandEnv(VectorEnv[np.ndarray, np.ndarray, np.ndarray]):
    """Actions: the hand's velocity along x, y, z, in shares of `speed`. An environment that has ended begins again in its next step,
    whatever the action. What a task is, its subclass says: `_aim`, `_observe`, `_judge`.
    """

    metadata = {"autoreset_mode": AutoresetMode.NEXT_STEP}

    def __init__(
        self,
        batch: clcable.Batch,
        home: np.ndarray,
        reach: tuple[np.ndarray, np.ndarray],
        size: int,
        *,
        speed: float,
        frames: int,
        limit: int,
    ):
        """batch: of scenes whose attachment 0 is what the hand leads, unless `_lead` says otherwise. home: of the hand, m. reach: lowest and highest x, y, z of the
        hand, m. size: numbers in an observation. speed: of the hand, m/s. frames: in a step. limit: steps in an episode."""
        self.batch, self.num_envs = batch, batch.num_envs
        self._home, self._reach = home, reach
        self._speed, self._frames, self._limit = speed, frames, limit
        self._positions, self._velocities = batch.positions(), batch.velocities()
        self._hand = np.tile(home, (self.num_envs, 1))
        self._steps = np.zeros(self.num_envs, dtype=int)
        self._ended = np.zeros(self.num_envs, dtype=bool)
        self.single_observation_space = gymnasium.spaces.Box(-np.inf, np.inf, (size,), np.float32)
        self.single_action_space = gymnasium.spaces.Box(-1, 1, (3,), np.float32)
        self.observation_space = batch_space(self.single_observation_space, self.num_envs)
        self.action_space = batch_space(self.single_action_space, self.num_envs)

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[np.ndarray, dict[str, Any]]:
        """All begin again, with new goals."""
        super().reset(seed=seed)
        self._begin(np.ones(self.num_envs, dtype=bool))
        return self._seen(), {}

    def step(
        self, actions: np.ndarray
    ) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray, dict[str, Any]]:
        """Moves the hands. `reached` and `diverged` are in the info."""
        begins = self._ended
        self._begin(begins)
        way = np.clip(actions, -1, 1) * self._speed * self._frames * self.batch.frame_time
        moved = np.clip(self._hand + way, *self._reach)
        for frame in range(self._frames):  # a target is led there over one frame
            part = self._hand + (moved - self._hand) * (frame + 1) / self._frames
            self._lead(part, ~begins)
            self.batch.step()
        self._hand = np.where(begins[:, None], self._hand, moved)
        self._steps += ~begins
        diverged = self.batch.diverged
        reached, reward = self._judge()
        reached = reached & ~begins & ~diverged
        truncated = (self._steps >= self._limit) & ~reached | diverged
        self._ended = reached | truncated
        reward = np.where(begins | diverged, 0.0, reward + reached)
        return self._seen(), reward, reached, truncated, {"reached": reached, "diverged": diverged}

    def close_extras(self, **kwargs: Any) -> None:
        """Frees the batch."""
        self.batch.close()

    def _lead(self, places: np.ndarray, mask: np.ndarray) -> None:
        """Leads the hands of the environments of `mask` there over the next frame, m."""
        self.batch.set_targets(0, places, mask=mask)

    def _aim(self, mask: np.ndarray) -> None:
        """New goals of the environments of `mask`, from `self.np_random`."""
        raise NotImplementedError

    def _observe(self) -> list[np.ndarray]:
        """Arrays (environments, some numbers), of which an observation is put together."""
        raise NotImplementedError

    def _judge(self) -> tuple[np.ndarray, np.ndarray]:
        """Who has done the task, and the reward of the step without the 1 for that."""
        raise NotImplementedError

    def _nodes(self, rows: Any) -> np.ndarray:
        """Places of nodes; of what has diverged, 0."""
        return np.nan_to_num(self._positions[:, rows])

    def _begin(self, mask: np.ndarray) -> None:
        if not mask.any():
            return
        self.batch.reset(mask)
        self._hand[mask] = self._home
        self._steps[mask] = 0
        self._aim(mask)

    def _seen(self) -> np.ndarray:
        return np.concatenate([part.reshape(self.num_envs, -1) for part in self._observe()], axis=1).astype(np.float32)


def play(make: Callable[[int], HandEnv], rule: Callable[[np.ndarray], np.ndarray], what: str) -> None:
    """The program of an example: runs a rule in many environments and tells how many reached their goals."""
    parser = argparse.ArgumentParser(description=what)
    parser.add_argument("--envs", type=int, default=64)
    parser.add_argument("--steps", type=int, default=300)
    arguments = parser.parse_args()
    env = make(arguments.envs)
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
