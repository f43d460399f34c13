"""The example with MuJoCo: an arm and a cable act on each other, at the rate of a picture and at that of a control loop."""

import numpy as np
import pytest
from environments import example

mujoco = pytest.importorskip("mujoco")
arm = example("arm")


@pytest.mark.parametrize("rate", [60, 1000])
def test_the_arm_routes_the_cable_and_plugs_it_in(rate):
    """The way is 0.93 m: 3.7 s at 0.25 m/s. The cable weighs 0.4 N, and the posts' friction takes some more: an exchange of forces that is
    not stable would show in them, and in the hand's way. The hand pushes with what the socket rubs with at most, and the cable's pull; told as a
    mean over a frame, in which the plug goes by up to 4 of the 20 mm over which that changes by 4 N and back."""
    done = arm.run(rate, limit=5)
    assert done.mated and 3.4 < done.time < 4.2
    assert done.sides[0] > 0 > done.sides[1]
    assert 0.2 < done.pull < 2
    assert arm.PEAK - 0.8 < done.push < arm.PEAK + 0.8
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
