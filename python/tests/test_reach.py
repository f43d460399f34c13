"""The example: an environment as Gymnasium wants it, whose goals can be reached."""

import importlib.util
import os

import numpy as np
from conftest import SOURCE

path = os.path.join(SOURCE, "python", "examples", "reach.py")
spec = importlib.util.spec_from_file_location("reach", path)
reach = importlib.util.module_from_spec(spec)
spec.loader.exec_module(reach)


def run(env, policy, steps):
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


def test_the_rule_reaches_goals_and_chance_does_not():
    """An episode of 100 steps is 3.3 s; the hand's way to the farthest goal takes a second."""
    env = reach.Reach(8, segments=16, limit=100)
    reached, ended = run(env, reach.rule, 200)
    assert reached >= 8 and reached >= 0.9 * ended
    chance = np.random.default_rng(0)
    reached, ended = run(env, lambda _: chance.uniform(-1, 1, (8, 3)).astype(np.float32), 210)
    assert ended >= 16 and reached <= 0.2 * ended
    env.close()


def test_it_is_repeatable_and_resets_in_the_next_step():
    runs = []
    for _ in range(2):
        env = reach.Reach(4, segments=12, limit=5)
        observations = [env.reset(seed=7)[0]]
        for k in range(8):
            observation, reward, _, truncated, _ = env.step(np.full((4, 3), 0.3, np.float32))
            observations.append(observation)
            assert truncated.all() == (k == 4) and (k != 5 or (reward == 0).all())
        assert np.array_equal(observations[6][:, :3], np.zeros((4, 3)))  # the hand is at home again
        runs.append(observations)
        env.close()
    assert np.array_equal(runs[0], runs[1])
