"""The example of insertion: a plug is brought to its socket and latches there."""

import numpy as np
from environments import by_chance, example, run

insert = example("insert")


def test_the_rule_plugs_in_and_chance_does_not():
    """The way to the mouth is about 0.1 m, of 0.2 m/s 6.7 mm a step, and the last of it is slower."""
    env = insert.Insert(4, segments=12, limit=80)
    reached, ended = run(env, insert.rule, 80)
    assert reached == ended >= 4
    reached, ended = run(env, by_chance(env), 80)
    assert ended == 4 and reached == 0
    env.close()


def test_what_goes_straight_ahead_misses():
    """Without a look aside the plug bumps against the box, and does not get into it."""
    env = insert.Insert(4, segments=12, limit=60, seed=1)
    env.reset(seed=1)
    ahead = np.tile([1.0, 0, 0], (4, 1)).astype(np.float32)
    for _ in range(40):
        observation, _, terminated, _, info = env.step(ahead)
        assert not terminated.any() and not info["diverged"].any()
    assert (observation[:, 3] == -1).all()
    assert (observation[:, 0] > -0.005).all()  # the grip gives way by some mm
    env.close()
