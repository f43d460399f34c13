"""The example of routing: a cable is laid past pegs on the sides that are asked for."""

import numpy as np
from environments import by_chance, example, run

route = example("route")


def test_the_rule_routes_cables_and_chance_does_not():
    """The way past the pegs is about 1.1 m: 66 steps of 1/30 s at 0.5 m/s."""
    env = route.Route(4, segments=32, limit=90)
    reached, ended = run(env, route.rule, 90)
    assert reached == ended == 4
    reached, ended = run(env, by_chance(env), 90)
    assert ended == 4 and reached == 0
    env.close()


def test_a_peg_that_is_passed_on_the_other_side_is_told():
    """The rule is told the other side of the middle peg: the cable lies there, and the task is not done."""
    env = route.Route(2, segments=32, limit=90)
    observation, _ = env.reset(seed=5)
    asked = env._side.copy()
    for _ in range(80):
        told = observation.copy()
        told[:, 3 + 5 + 3] *= -1  # the side of the second peg
        observation, _, terminated, _, _ = env.step(route.rule(told))
        assert not terminated.any()
    assert np.array_equal(env.passed(), asked * [1, -1, 1])
    env.close()
