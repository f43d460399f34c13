"""The example: an environment as Gymnasium wants it, whose goals can be reached."""

import numpy as np
from environments import by_chance, example, run

reach = example("reach")


def test_the_rule_reaches_goals_and_chance_does_not():
    """An episode of 100 steps is 3.3 s; the hand's way to the farthest goal takes a second."""
    env = reach.Reach(8, segments=16, limit=100)
    reached, ended = run(env, reach.rule, 200)
    assert reached >= 8 and reached >= 0.9 * ended
    reached, ended = run(env, by_chance(env), 210)
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
