"""The list "From a click to a search" in docs/web.md names modules, classes and methods that are there."""

from __future__ import annotations

import importlib
import re
from functools import reduce
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]


def steps(page: str) -> list[str]:
    """The numbered steps of the list."""
    text = (ROOT / "docs" / page).read_text("utf-8")
    last = text.rpartition("\n## ")[2]
    return re.findall(r"^\d\. (.*(?:\n   .*)*)", last, re.MULTILINE)


@pytest.mark.parametrize("page", ["web.md", "web.zh-CN.md"])
def test_each_step_is_a_module_with_what_is_said_of_it(page):
    found = steps(page)
    assert 5 < len(found) < 8
    for step in found:
        path, *names = re.findall(r"`([\w/]+\.py|[A-Z]\w+(?:\.\w+)*)`", step)
        module = importlib.import_module("tengen." + path.removesuffix(".py").replace("/", "."))
        for name in (name for name in names if not name.endswith(".py")):
            reduce(getattr, name.split("."), module)


@pytest.mark.parametrize("page", ["web.md", "web.zh-CN.md"])
def test_every_file_that_it_names_is_there(page):
    last = (ROOT / "docs" / page).read_text("utf-8").rpartition("\n## ")[2]
    files = [path.relative_to(ROOT).as_posix() for path in (ROOT / "src" / "tengen").rglob("*.*")]
    for name in re.findall(r"`([\w/]+\.(?:py|js))`", last):
        assert any(path.endswith(f"/{name}") for path in files), name
