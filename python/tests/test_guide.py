"""docs/python.md: every block of Python runs, and prints what stands below it."""

import contextlib
import io
import os
import re
import shutil

import clcable
from conftest import SOURCE

GUIDE = os.path.join(SOURCE, "docs", "python.md")


def test_the_guide(tmp_path, monkeypatch):
    shutil.copytree(os.path.join(SOURCE, "scenes"), tmp_path / "scenes")
    monkeypatch.chdir(tmp_path)
    with open(GUIDE, encoding="utf-8") as file:
        blocks = re.findall(r"```python\n(.*?)```(?:\n```text\n(.*?)```)?", file.read(), re.S)
    assert len(blocks) >= 8
    names: dict[str, object] = {}
    for code, expected in blocks:
        printed = io.StringIO()
        with contextlib.redirect_stdout(printed):
            exec(compile(code, GUIDE, "exec"), names)
        assert printed.getvalue() == expected, code


def test_the_readme(tmp_path, monkeypatch):
    """The three lines at the head of README.md."""
    (tmp_path / "scenes").symlink_to(os.path.join(SOURCE, "scenes"))
    monkeypatch.chdir(tmp_path)
    with open(os.path.join(SOURCE, "README.md"), encoding="utf-8") as file:
        code = re.search(r"```python\n(.*?)```", file.read(), re.S).group(1)
    names: dict[str, object] = {"clcable": clcable}
    exec(compile(code, "README.md", "exec"), names)
    assert names["world"].frame == 60 and names["positions"].shape == (len(names["tensions"]), 3)
