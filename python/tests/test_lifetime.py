"""Memory, threads and signals."""

import gc
import os
import signal
import subprocess
import sys
import threading
import time
import tracemalloc
import weakref

import numpy as np
import pytest
from conftest import falling, hanging

import clcable


def resident() -> int:
    """Bytes of memory that the process holds."""
    with open("/proc/self/statm") as file:
        return int(file.read().split()[1]) * os.sysconf("SC_PAGE_SIZE")


def test_views_outlive_the_world():
    world = clcable.World(hanging(), device="native")
    x = world.positions()[::2]
    world.step(3)
    kept = x.copy()
    gone = weakref.ref(world)
    del world
    gc.collect()
    assert gone() is None
    assert np.array_equal(x, kept)


def test_no_cycles_keep_worlds(scene):
    """Freed by counting references alone, so at once."""
    gc.disable()
    try:
        world = clcable.World(scene, device="native")
        batch = clcable.Batch(scene, 2, device="native")
        world.positions(), batch.positions()
        gone = weakref.ref(world._handle), weakref.ref(batch._handle)
        del world, batch
        assert [handle() for handle in gone] == [None, None]
    finally:
        gc.enable()


@pytest.mark.parametrize("kind", ["world", "batch", "state", "error"])
def test_nothing_leaks(kind):
    """Many times the same: Python's memory and the process's stay. A world holds 0.3 MB, so 200 that leak are 60 MB."""
    scene = falling()
    kept = clcable.World(scene, device="native", threads=1)

    def once() -> None:
        if kind == "world":
            with clcable.World(scene, device="native", threads=1) as world:
                world.positions()
                world.step()
                _ = world.events, world.attachments, world.measure()
        elif kind == "batch":
            batch = clcable.Batch(scene, 3, device="native", threads=1)
            batch.positions()
            batch.step()
            batch.reset()
        elif kind == "state":
            kept.set_state(kept.get_state())
            kept.step()
        else:
            with pytest.raises(clcable.InputError):
                clcable.World(scene.with_overrides({"/cables/0/segments": 0}), device="native")

    for _ in range(20):
        once()
    gc.collect()
    tracemalloc.start()
    before, held = tracemalloc.get_traced_memory()[0], resident()
    for _ in range(200):
        once()
    gc.collect()
    grown = tracemalloc.get_traced_memory()[0] - before
    tracemalloc.stop()
    assert grown < 50_000  # caches of regular expressions and the like
    assert resident() - held < 8_000_000


def test_others_run_while_it_steps():
    """A thread counts while a long frame is stepped."""
    scene = hanging(substeps=100_000)
    world = clcable.World(scene, device="native", threads=1)
    counted, done = [0], threading.Event()

    def count() -> None:
        while not done.is_set():
            counted[0] += 1
            time.sleep(0.001)

    thread = threading.Thread(target=count)
    thread.start()
    start = counted[0]
    began = time.monotonic()
    world.step()
    took, during = time.monotonic() - began, counted[0] - start
    done.set()
    thread.join()
    assert took > 0.05  # else it would say nothing
    assert during > 10


def test_threads_take_turns():
    """A world that two threads step does each step once, whole."""
    scene = hanging()
    world, alone = (clcable.World(scene, device="native", threads=1) for _ in range(2))
    threads = [threading.Thread(target=world.step, args=(50,)) for _ in range(2)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    alone.step(100)
    assert world.frame == 100
    assert np.array_equal(world.positions(), alone.positions())


def test_closing_waits_for_the_step():
    world = clcable.World(hanging(substeps=20_000), device="native", threads=1)
    thread = threading.Thread(target=world.step)
    thread.start()
    world.close()
    thread.join()
    assert "closed" in repr(world)


@pytest.mark.parametrize("what", ["World(scene, device='native')", "Batch(scene, 3, device='native')"])
def test_ctrl_c(what):
    program = f"""
import sys
sys.path.insert(0, {os.path.dirname(__file__)!r})
import clcable
from conftest import hanging
scene = hanging()
x = clcable.{what}
rows = x.positions()
print("go", flush=True)
try:
    x.step(10**9)
except KeyboardInterrupt:
    frame = (x.info() if callable(x.info) else x.info).frame
    assert frame > 0 and (rows == x.positions(copy=True)).all()
    x.step()
    print("interrupted")
"""
    with subprocess.Popen([sys.executable, "-c", program], stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout.readline() == "go\n"
        time.sleep(0.3)
        process.send_signal(signal.SIGINT)
        assert process.communicate(timeout=60)[0] == "interrupted\n"
    assert process.returncode == 0
