"""The example with MuJoCo: an arm and a cable act on each other, at the rate of a picture and at that of a control loop."""

import numpy as np
import pytest
from environments import example

mujoco = pytest.importorskip("mujoco")
arm = example("arm")


@pytest.mark.parametrize("rate", [60, 1000])
def test_the_arm_routes_the_cable_and_plugs_it_in(rate):
    """The way is 0.85 m: 3.4 s at 0.25 m/s. The cable weighs 0.4 N, and the posts' friction takes some more: an exchange of forces that is
    not stable would show in them, and in the hand's way."""
    done = arm.run(rate, limit=5)
    assert done.mated and 3.2 < done.time < 4
    assert done.sides[0] > 0 > done.sides[1]
    assert 0.2 < done.force < 2
    assert done.off < 0.015  # SPEED kv/kp = 9 mm: what the servos lag behind
    assert done.stretch < 1e-4


def test_what_the_cable_pulls_with_moves_the_hand():
    """A hand that is pulled by 2 N gives way by J J^T f/kp, with J the Jacobian of its place and kp the stiffness of the servos. 2 %: what
    0.1 mm change of that, and what still swings."""
    held, pulled = arm.Arm(arm.HOME, 1e-3), arm.Arm(arm.HOME, 1e-3)
    force = np.array([2.0, 0, 0])
    for _ in range(3000):
        held.step(np.zeros(3))
        pulled.step(force)
    jacobian = np.zeros((3, 3))
    mujoco.mj_jacBody(held.model, held.data, jacobian, None, held.hand)
    assert pulled.place - held.place == pytest.approx(jacobian @ jacobian.T @ force / 4000, rel=0.02, abs=1e-6)
