"""Batches: many environments, each by itself."""

import numpy as np
import pytest
from conftest import falling, hanging, rolled

import clcable

LENGTHS = [1.1, 1.2, 1.4, 1.7]
STIFFNESS = np.array([1e-4, 2e-4, 3e-4, 1e-3])


def varied(threads: int = 2, device: str = "native") -> clcable.Batch:
    vary = {"/cables/0/length": LENGTHS, "/materials/wire/bending_stiffness": STIFFNESS}
    return clcable.Batch(hanging(), 4, vary=vary, device=device, threads=threads)


def alone(i: int, device: str = "native") -> clcable.World:
    overrides = {"/cables/0/length": LENGTHS[i], "/materials/wire/bending_stiffness": STIFFNESS[i]}
    return clcable.World(hanging().with_overrides(overrides), device=device, threads=1)


@pytest.mark.parametrize("device", ["native", "opencl"])
def test_an_environment_is_its_scene_alone(device):
    if device == "opencl" and not any(d.backend == "opencl" for d in clcable.devices()):
        pytest.skip("no OpenCL device")
    batch = varied(device=device)
    x, v, t = batch.positions(), batch.velocities(), batch.tension()
    assert x.shape == v.shape == (4, 41, 3) and t.shape == (4, 41)
    assert len(batch) == batch.num_envs == 4
    batch.step(7)
    for i in range(4):
        world = alone(i, device)
        world.step(7)
        assert np.array_equal(x[i], world.positions())
        assert np.array_equal(v[i], world.velocities())
        assert np.array_equal(t[i], world.tension())
        assert batch.get_state([i]) == [world.get_state()]
        assert batch.measure(i) == world.measure()
        assert batch.info(i).frame == 7


def test_torque():
    rolls = np.array([0.5, -1, 2])
    batch = clcable.Batch(rolled(), 3, vary={"/attachments/1/roll": rolls}, device="native")
    torque = batch.torque()
    batch.step(2)
    assert torque.shape == (3, 22) and not torque[:, 17:].any()
    for env, roll in enumerate(rolls):
        assert torque[env, :17] == pytest.approx(np.full(17, 2e-4 * roll / 0.8), rel=1e-6)
        world = clcable.World(rolled(roll), device="native")
        world.step(2)
        assert np.array_equal(torque[env], world.torque())


def test_clamps_are_rolled():
    batch = clcable.Batch(rolled(), 3, device="native")
    world = clcable.World(rolled(), device="native")
    batch.set_rolls(1, [0.5, -1, 2], mask=[True, False, True])
    world.set_roll(1, 2)
    batch.step(3)
    world.step(3)
    for env, roll in enumerate((0.5, 1.5, 2)):
        assert batch.torque()[env, 5] == pytest.approx(2e-4 * roll / 0.8, rel=1e-6)
    assert np.array_equal(batch.torque()[2], world.torque())
    with pytest.raises(clcable.InputError, match="expected 3 numbers or one"):
        batch.set_rolls(1, [1, 2])
    with pytest.raises(clcable.InputError, match="/attachments/7/roll"):
        world.set_roll(7, 1)


def test_contact_stays_in_its_environment():
    """All lie at the same place."""
    batch = clcable.Batch(falling(), 3, vary={"/materials/wire/friction": [0, 0.3, 0.6]}, device="native")
    batch.step(60)
    for i, friction in enumerate([0, 0.3, 0.6]):
        world = clcable.World(falling().with_overrides({"/materials/wire/friction": friction}), device="native")
        world.step(60)
        assert np.array_equal(batch.positions()[i], world.positions())
        assert world.measure().contacts > 0


def test_paths_can_differ():
    paths = np.array([[[0, 0, 1], [1, y, 1]] for y in (0, 0.1, 0.2)])
    batch = clcable.Batch(hanging(), 3, vary={"/cables/0/path": paths}, device="native")
    assert batch.positions()[:, -1, 1] == pytest.approx([0, 0.1, 0.2], abs=1e-7)


def test_some_begin_again():
    batch = varied()
    x = batch.positions()
    assert np.shares_memory(x, batch.positions()) and not x.flags.writeable
    start = batch.positions(copy=True)
    batch.set_material("wire", linear_density=[0.1, 0.2, 0.3, 0.4])
    batch.step(5)
    batch.reset([True, False, True, False])
    assert np.array_equal(x[::2], start[::2]) and not np.array_equal(x[1], start[1])
    assert [m.linear_density for i in range(4) for m in batch.materials(i)] == [0.05, 0.2, 0.05, 0.4]
    batch.step(5)
    for i in (0, 2):
        world = alone(i)
        world.step(5)
        assert np.array_equal(x[i], world.positions())
    batch.reset()
    assert np.array_equal(x, start)


def test_targets_and_loads_by_environment():
    batch = varied()
    points = np.array([[1, 0.02 * i, 1] for i in range(4)])
    batch.set_targets(1, points)
    batch.set_loads(0, (0, 0, 0.2), mask=[False, True, False, False])
    batch.step(3)
    assert batch.positions()[:, -1, 1] == pytest.approx(points[:, 1], abs=1e-6)
    for i in range(4):
        world = alone(i)
        world.set_target(1, points[i])
        if i == 1:
            world.set_load(0, (0, 0, 0.2))
        world.step(3)
        assert np.array_equal(batch.positions()[i], world.positions())


def test_materials_by_environment():
    batch = varied()
    batch.set_material("wire", damping=[1, 2, 3, 4], mask=[True, True, True, False])
    assert [batch.materials(i)[0].damping for i in range(4)] == [1, 2, 3, 2]


def test_one_diverges():
    batch = varied()
    batch.set_loads(0, (1e30, 0, 0), mask=[False, True, False, False])
    batch.step(3)
    assert batch.diverged.tolist() == [False, True, False, False]
    assert batch.events(1)[-1].kind == "diverged"
    world = alone(2)
    world.step(3)
    assert np.array_equal(batch.positions()[2], world.positions())
    batch.reset(batch.diverged)
    assert not batch.diverged.any()
    batch.step(3)
    world = alone(1)
    world.step(3)
    assert np.array_equal(batch.positions()[1], world.positions())


def test_states():
    batch = varied()
    batch.step(4)
    states = batch.get_state()
    then = batch.positions(copy=True)
    batch.step(4)
    end = batch.positions(copy=True)
    batch.set_state([states[2], states[0]], [2, 0])
    assert np.array_equal(batch.positions()[[0, 2]], then[[0, 2]])
    batch.set_state(states)
    batch.step(4)
    assert np.array_equal(batch.positions(), end)
    with pytest.raises(clcable.InputError):  # of another length
        batch.set_state([states[0]], [1])
    with pytest.raises(clcable.InputError, match="2 states for 4"):
        batch.set_state(states[:2])


def test_what_broke_becomes_whole():
    scene = hanging()
    scene.document["attachments"][1]["break_force"] = 0.01
    batch = clcable.Batch(scene, 2, device="native")
    start, before = batch.positions(copy=True), batch.get_state()
    batch.step(20)
    end = batch.positions(copy=True)
    assert end[0, -1, 2] < 0.9
    batch.reset([True, False])
    batch.set_state([before[1]], [1])
    assert np.array_equal(batch.positions(), start)
    batch.step(20)
    assert np.array_equal(batch.positions(), end)


def test_probes_are_those_of_a_world_alone():
    scene = hanging(method="direct")
    scene.add_probe("third", "a", 1 / 3)
    lengths = [1.2, 1.3, 1.4]
    batch = clcable.Batch(scene, 3, vary={"/cables/0/length": lengths}, device="native")
    batch.step(7)
    for env, length in enumerate(lengths):
        alone = clcable.World(scene.with_overrides({"/cables/0/length": length}), device="native")
        alone.step(7)
        together, one = batch.probes(env), alone.probes
        assert together.names == one.names == ("third",)
        for key in ("positions", "tension", "moment", "torque"):
            assert np.array_equal(getattr(together, key), getattr(one, key))


def test_wrong_arguments():
    batch = varied()
    with pytest.raises(clcable.InputError, match="4 booleans"):
        batch.reset([True, False])
    with pytest.raises(clcable.InputError, match="4 booleans"):
        batch.reset([1, 0, 1, 0])
    with pytest.raises(clcable.InputError, match=r"\(4, 3\)"):
        batch.set_targets(1, np.zeros((3, 3)))
    with pytest.raises(clcable.InputError) as caught:
        batch.set_targets(9, (0, 0, 0))
    assert caught.value.pointer == "/attachments/9"
    with pytest.raises(clcable.InputError, match="expected 4 values, got 2"):
        clcable.Batch(hanging(), 4, vary={"/cables/0/length": [1, 2]})
    with pytest.raises(clcable.InputError, match="expected 4 values, got 2") as scalar:
        clcable.Batch(hanging(), 4, vary={"/cables/0/length": 2})
    assert scalar.value.pointer == "/cables/0/length"
    with pytest.raises(clcable.InputError, match="environment 1: ") as wrong:
        clcable.Batch(hanging(), 2, vary={"/cables/0/length": [1.2, 1e9]}, device="native")
    assert wrong.value.pointer == "/cables/0/length"
    with pytest.raises(clcable.InputError, match="as many nodes"):
        clcable.Batch(hanging(), 2, vary={"/cables/0/segments": [5, 6]}, device="native")
    with pytest.raises(clcable.InputError, match="1 environment or more"):
        clcable.Batch(hanging(), 0)
    with pytest.raises(clcable.InputError, match="0 to 3"):
        batch.measure(4)
    batch.close()
    with pytest.raises(ValueError, match="closed"):
        batch.step()
    with pytest.raises(ValueError, match="closed"):
        batch.diverged
