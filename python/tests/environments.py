"""Runs the examples that are Gymnasium environments."""

import importlib
import os
import sys

import numpy as np
from conftest import SOURCE


def example(name):
    folder = os.path.join(SOURCE, "python", "examples")
    if folder not in sys.path:
        sys.path.insert(0, folder)
    return importlib.import_module(name)


def run(env, policy, steps):
    """How many goals were reached, and how many episodes ended."""
    observation, _ = env.reset(seed=3)
    reached = ended = 0
    for _ in range(steps):
        observation, reward, terminated, truncated, info = env.step(policy(observation))
        assert observation in env.observation_space
        assert reward.shape == (env.num_envs,) and np.isfinite(reward).all()
        assert not (terminated & truncated).any() and not info["diverged"].any()
        reached += int(terminated.sum())
        ended += int((terminated | truncated).sum())
    return reached, ended


def by_chance(env):
    chance = np.random.default_rng(0)
    return lambda _: chance.uniform(-1, 1, (env.num_envs, 3)).astype(np.float32)
