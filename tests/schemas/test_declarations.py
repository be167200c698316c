"""The types that the page's JavaScript is checked by are those of the models."""

from __future__ import annotations

from tests.schemas.declarations import COMMANDS, FILE, Declarations, models, modules


def test_the_declarations_are_those_of_the_models():
    assert FILE.read_text("utf-8") == Declarations().text(), "write them anew: make types"


def test_a_type_has_a_name_of_its_own():
    names = [model.__name__.removesuffix("Data") for model in models()]
    assert len(names) == len(set(names))
    assert "Record" not in names, "TypeScript's own is needed"
    assert {module.__name__.rpartition(".")[2] for module in modules()} > COMMANDS
