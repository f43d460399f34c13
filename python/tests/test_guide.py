"""docs/python.md: every block of Python runs, and prints what stands below it."""

import contextlib
import io
import os
import re
import shutil

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
