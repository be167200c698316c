"""Every name of the library's reference has an example; `tests.test_readme` runs them."""

from __future__ import annotations

import ast

import pytest
from documentation.reference import public_names

from tests.docstrings import Docstring, docstrings, module_path

PUBLIC = [name for names in public_names().values() for name in names]


def described(name: str) -> list[Docstring]:
    """The docstrings of a public name and of its members, from the module that defines it."""
    if module_path(name).exists():
        return docstrings(module_path(name))
    package, _, last = name.rpartition(".")
    module = module_path(package)
    found = [each for each in docstrings(module) if f"{each.name}.".startswith(f"{last}.")]
    if found:
        return found
    (place,) = {
        node.module
        for node in ast.walk(ast.parse(module.read_text("utf-8")))
        if isinstance(node, ast.ImportFrom) and last in (alias.name for alias in node.names)
    }
    return described(f"{place}.{last}")


@pytest.mark.parametrize("name", PUBLIC)
def test_a_public_name_has_an_example(name):
    own, *members = described(name)
    assert ">>> " in own.text
    for each in (own, *members):
        text, _, _ = each.text.partition("\nExamples:\n")
        assert ">>> " not in text, f"{each.name}: the site draws examples of a section of their own alone"
