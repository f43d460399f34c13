"""Everything public is described and typed."""

import inspect
import os
import subprocess
import sys

import clcable


def public(owner):
    for name, value in vars(owner).items():
        if not name.startswith("_"):
            yield name, value


def test_everything_has_a_docstring():
    bare = []
    for name in clcable.__all__:
        value = getattr(clcable, name)
        if not (inspect.isclass(value) or inspect.isfunction(value)):
            continue
        if not value.__doc__:
            bare.append(name)
        if not inspect.isclass(value) or not value.__module__.startswith("clcable"):
            continue
        for member, item in public(value):
            item = item.fget if isinstance(item, property) else getattr(item, "__func__", item)
            if inspect.isfunction(item) and not item.__doc__:
                bare.append(f"{name}.{member}")
    assert not bare


def test_all_names_what_there_is():
    named = {name for name, value in public(clcable) if not inspect.ismodule(value)} - {"lib", "text"}
    assert named == set(clcable.__all__)


def test_types(tmp_path):
    """The installed package, and a program that uses it."""
    (tmp_path / "use.py").write_text(
        "import clcable\n"
        "world = clcable.World(clcable.Scene.load('a.json', {'/time/substeps': 3}), device='native')\n"
        "reveal_type(world.positions(copy=True))\n"
        "reveal_type(world.measure().stretch_max)\n"
    )
    package = os.path.dirname(clcable.__file__)
    assert os.path.exists(os.path.join(package, "py.typed"))
    command = [sys.executable, "-m", "mypy", "--strict", "--cache-dir", str(tmp_path / "cache")]
    for what in (["-p", "clcable"], [str(tmp_path / "use.py")]):
        done = subprocess.run([*command, *what], capture_output=True, text=True, cwd=tmp_path)
        assert done.returncode == 0, done.stdout + done.stderr
    assert "ndarray" in done.stdout and '"float"' in done.stdout
