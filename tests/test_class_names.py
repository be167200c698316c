"""No name of a class stands for two things."""

from __future__ import annotations

import ast
from collections import defaultdict
from pathlib import Path

import pytest

import tengen

PACKAGE = Path(tengen.__file__).parent


@pytest.mark.long
def test_every_class_has_a_name_of_its_own():
    modules: defaultdict[str, list[str]] = defaultdict(list)
    for path in sorted(PACKAGE.rglob("*.py")):
        module = path.relative_to(PACKAGE).as_posix()
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            if isinstance(node, ast.ClassDef):
                modules[node.name.lstrip("_")].append(module)
    assert {name: found for name, found in modules.items() if len(found) > 1} == {}
