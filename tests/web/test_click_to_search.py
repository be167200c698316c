"""The list "From a click to a search" in docs/web.md names modules, classes and methods that are there."""

from __future__ import annotations

import importlib
import re
from functools import reduce
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
PAGES = {"web.md": "From a click to a search", "web.zh-CN.md": "从点击到搜索"}


def section(page: str) -> str:
    """What stands under the heading."""
    text = (ROOT / "docs" / page).read_text("utf-8")
    return text.partition(f"\n## {PAGES[page]}\n")[2].partition("\n## ")[0]


def steps(page: str) -> list[str]:
    """The numbered steps of the list."""
    return re.findall(r"^\d\. (.*(?:\n   .*)*)", section(page), re.MULTILINE)


@pytest.mark.parametrize("page", PAGES)
def test_each_step_is_a_module_with_what_is_said_of_it(page):
    found = steps(page)
    assert 5 < len(found) < 8
    for step in found:
        path, *names = re.findall(r"`([\w/]+\.py|[A-Z]\w+(?:\.\w+)*)`", step)
        module = importlib.import_module("tengen." + path.removesuffix(".py").replace("/", "."))
        for name in (name for name in names if not name.endswith(".py")):
            reduce(getattr, name.split("."), module)


@pytest.mark.parametrize("page", PAGES)
def test_every_file_that_it_names_is_there(page):
    files = [path.relative_to(ROOT).as_posix() for path in (ROOT / "src" / "tengen").rglob("*.*")]
    names = re.findall(r"`([\w/]+\.(?:py|js))`", section(page))
    assert names
    for name in names:
        assert any(path.endswith(f"/{name}") for path in files), name
