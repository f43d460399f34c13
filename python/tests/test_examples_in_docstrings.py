"""Each public class has a docstring with an example, and the examples are true."""

import doctest
import inspect

import pytest
from conftest import hanging

import clcable

CLASSES = [name for name in clcable.__all__ if inspect.isclass(getattr(clcable, name))]
SHORT = {"ClosedError", "DeviceError", "DivergedError", "FileError", "UnsupportedError"}  # as their base shows


@pytest.mark.parametrize("name", CLASSES)
def test_examples_are_true(name):
    made = getattr(clcable, name)
    scene = hanging()
    scene.add_collider("plane", point=[0, 0, -3], normal=[0, 0, 1])
    names = {"clcable": clcable, "scene": scene, "world": clcable.World(scene, device="native")}
    examples = doctest.DocTestParser().get_doctest(inspect.getdoc(made) or "", names, name, None, None)
    assert examples.examples or name in SHORT
    said: list[str] = []
    doctest.DocTestRunner(optionflags=doctest.ELLIPSIS).run(examples, out=said.append)
    assert not said, "".join(said)
