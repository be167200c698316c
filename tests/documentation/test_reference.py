"""Every name of the library's reference has an example; `tests.test_readme` runs them."""

from __future__ import annotations

import ast

import pytest
from documentation.reference import public_names

from tests.docstrings import docstrings, module_path

PUBLIC = [name for names in public_names().values() for name in names]


def own_docstring(name: str) -> str:
    """The docstring of a public name, from the module that defines it."""
    if module_path(name).exists():
        return docstrings(module_path(name))[0].text
    package, _, last = name.rpartition(".")
    module = module_path(package)
    found = {each.name: each.text for each in docstrings(module)}
    if last in found:
        return found[last]
    (place,) = {
        node.module
        for node in ast.walk(ast.parse(module.read_text("utf-8")))
        if isinstance(node, ast.ImportFrom) and last in (alias.name for alias in node.names)
    }
    return own_docstring(f"{place}.{last}")


@pytest.mark.parametrize("name", PUBLIC)
def test_a_public_name_has_an_example(name):
    text, _, examples = own_docstring(name).partition("\nExamples:\n")
    assert ">>> " in examples
    assert ">>> " not in text, "the site draws examples of the section alone"
