"""What docstrings refer to by its full name is there."""

from __future__ import annotations

import importlib
import re
from typing import Any

import pytest

from tests.docstrings import SOURCE, docstrings

_NAME = re.compile(r"`~?(tengen(?:\.\w+)+)(?:\(\))?`")


def _named() -> list[tuple[str, str]]:
    """The names, each with the file that refers to it."""
    return sorted(
        {
            (path.relative_to(SOURCE).as_posix(), name)
            for path in SOURCE.rglob("*.py")
            for docstring in docstrings(path)
            for name in _NAME.findall(docstring.text)
        }
    )


@pytest.mark.parametrize(("file", "name"), _named())
def test_it_is_there(file, name):
    found, rest = _module(name)
    for attribute in rest:
        if not hasattr(found, attribute):
            # One that only instances have is described by their class.
            assert re.search(rf"^\s+{attribute}: ", found.__doc__ or "", re.MULTILINE), (file, name)
            break
        found = getattr(found, attribute)


def _module(name: str) -> tuple[Any, list[str]]:
    """The module that a name begins with, and the parts of the name after it."""
    parts = name.split(".")
    for count in range(len(parts), 0, -1):
        try:
            return importlib.import_module(".".join(parts[:count])), parts[count:]
        except ModuleNotFoundError:
            continue
    raise AssertionError(name)
