"""The docstrings of modules, read from the source: those of constants too, which Python does not keep."""

from __future__ import annotations

import ast
import inspect
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

SOURCE = Path(__file__).parent.parent / "src"


@dataclass(frozen=True)
class Docstring:
    """A docstring without its indentation.

    Attributes:
        name: the name it describes, within the module: ``Board.push``; empty for the module itself.
        text: the text.
        line: its first line in the file, from 0.
    """

    name: str
    text: str
    line: int


def docstrings(path: Path) -> list[Docstring]:
    """Return the docstrings of a module, in order."""
    return list(_in_body(ast.parse(path.read_text("utf-8")), ""))


def _in_body(parent: ast.AST, name: str) -> Iterator[Docstring]:
    """Yield the docstrings within a module, a class or a function, its own first."""
    before: ast.AST = parent
    for node in ast.iter_child_nodes(parent):
        match node:
            case ast.Expr(ast.Constant(str(text))):
                described = f"{name}.{_target(before)}".strip(".")
                yield Docstring(described, inspect.cleandoc(text), node.lineno - 1)
            case ast.ClassDef() | ast.FunctionDef() | ast.AsyncFunctionDef():
                yield from _in_body(node, f"{name}.{node.name}".strip("."))
            case _:
                yield from _in_body(node, name)
        before = node


def _target(node: ast.AST) -> str:
    """Return the name that a statement assigns to, or nothing."""
    match node:
        case ast.Assign([ast.Name(name)]) | ast.AnnAssign(ast.Name(name)):
            return name
        case _:
            return ""


def module_path(name: str) -> Path:
    """Return the file of a module of the package."""
    path = SOURCE.joinpath(*name.split("."))
    return path / "__init__.py" if path.is_dir() else path.with_suffix(".py")
