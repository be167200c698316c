"""Fingerprints of compiled functions: hashes of all source that goes into their machine code.

Numba compares a cached function with its own file only. But a kernel also contains its inlined helpers and
the values of the module-level constants that it reads, wherever they stand: change one of those and the
cached code is stale. On the other hand most edits of a file, a docstring or an unrelated function, leave
the machine code as it is, and need no compilation.

`SourceGraph` therefore starts from a function, follows every module-level name that it uses (helpers,
constants, classes, and what these use in turn, across ``from tengen... import`` lines), and hashes the
syntax trees of these definitions without docstrings, comments and positions. `FingerprintFile` keeps the
hashes under a hash of the raw sources, so that nothing is parsed as long as no file changes.
"""

from __future__ import annotations

import ast
import hashlib
import json
import os
import sys
import threading
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from functools import lru_cache
from pathlib import Path
from typing import Any, TypeAlias

PACKAGE = Path(__file__).parents[2]
"""The folder of the package."""

_NOT_FOLLOWED = "tengen.engine.kernels"
"""The decorators: what they do to a function is in `VERSION` and in the options that `jit` passes."""

BUILDERS = "_llvm"
"""What the name of the module that builds a module's intrinsics has besides."""

_LENGTH = 16
"""Hexadecimal digits of a fingerprint."""

VERSION = sys.version
"""The interpreter, whose syntax trees are hashed."""

_PARSING = threading.Lock()
"""Threads may compile at once; Python 3.11's parser fails now and then where two threads use it."""

Name: TypeAlias = tuple[str, str]
"""A module, and a name that it binds."""


class _Module:
    """The top-level statements of a module by the names that they bind, and its imports."""

    def __init__(self, tree: ast.Module) -> None:
        self.definitions: dict[str, list[ast.stmt]] = {}
        self.imports = dict(_imports(tree.body))
        for statement in tree.body:
            for name in _bound(statement):
                self.definitions.setdefault(name, []).append(statement)
        for statement in tree.body:
            # What is registered for a name, such as the data model of a type, belongs to that name.
            for name in _registered_for(statement) & self.definitions.keys():
                self.definitions[name].append(statement)


class SourceGraph:
    """Definitions of a package and the names that they use.

    Args:
        package: the folder of the package ``tengen``, which may be a copy.
        base: what belongs to every fingerprint besides the source.
    """

    def __init__(self, package: Path = PACKAGE, base: str = VERSION) -> None:
        self._package = package
        self._base = base
        self._modules: dict[str, _Module | None] = {}
        self._uses: dict[Name, tuple[str, frozenset[Name]]] = {}

    def fingerprint(self, module: str, function: str) -> str:
        """Return the hash of a module-level function and of everything that it reaches."""
        digest = hashlib.sha256(self._base.encode())
        for name in sorted(self.reached(module, function)):
            digest.update(f"\0{name}\0{self._definition(name)[0]}".encode())
        return digest.hexdigest()[:_LENGTH]

    def fingerprints(self, module: str) -> dict[str, str]:
        """Return the fingerprint of each function of a module, by its name."""
        found = self._module(module)
        functions = {
            name
            for name, statements in (found.definitions if found else {}).items()
            if any(isinstance(each, ast.FunctionDef) for each in statements)
        }
        return {name: self.fingerprint(module, name) for name in sorted(functions)}

    def reached(self, module: str, function: str) -> set[Name]:
        """Return the names that a function depends on, itself among them."""
        reached: set[Name] = set()
        waiting = [self._origin((module, function))]
        while waiting:
            name = waiting.pop()
            if name not in reached:
                reached.add(name)
                waiting.extend(self._definition(name)[1])
        return reached

    def size(self, names: Iterable[Name]) -> int:
        """Return how many characters the syntax of definitions takes."""
        return sum(len(self._definition(name)[0]) for name in names)

    def _definition(self, name: Name) -> tuple[str, frozenset[Name]]:
        """Return the syntax of a definition as text, and the names that it uses."""
        if name not in self._uses:
            self._uses[name] = self._read(name)
        return self._uses[name]

    def _read(self, name: Name) -> tuple[str, frozenset[Name]]:
        module = self._module(name[0])
        statements = module.definitions.get(name[1], []) if module else []
        used: set[Name] = set()
        for statement in statements:
            local = dict(_imports(ast.walk(statement)))
            builders = f"{name[0]}{BUILDERS}"
            if _is_intrinsic(statement) and self._module(builders) is not None:
                used.add((builders, name[1]))
            for node in ast.walk(statement):
                if isinstance(node, ast.Name):
                    used |= self._resolved(name[0], node.id, local)
                elif isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name):
                    used |= self._attribute(name[0], node.value.id, node.attr, local)
        text = "\n".join(ast.dump(_without_docstrings(statement)) for statement in statements)
        return text, frozenset(used - {name})

    def _resolved(self, module: str, name: str, local: dict[str, Name]) -> set[Name]:
        """Return where a name that a module uses comes from; nothing for a builtin or a local variable."""
        found = self._module(module)
        imports = (found.imports if found else {}) | local
        if name in imports and not self._is_module(imports[name]):
            return {self._origin(imports[name])}
        return {(module, name)} if found and name in found.definitions else set()

    def _attribute(self, module: str, name: str, attribute: str, local: dict[str, Name]) -> set[Name]:
        """Return where ``name.attribute`` comes from, if `name` is an imported module of the package."""
        found = self._module(module)
        target = ((found.imports if found else {}) | local).get(name)
        if target is None or not self._is_module(target):
            return set()
        return {self._origin((".".join(filter(None, target)), attribute))}

    def _is_module(self, target: Name) -> bool:
        return not target[1] or self._module(".".join(target)) is not None

    def _origin(self, name: Name) -> Name:
        """Return the module that defines a name, through modules that only pass it on."""
        seen = set()
        while name not in seen:
            seen.add(name)
            found = self._module(name[0])
            if found is None or name[1] in found.definitions or name[1] not in found.imports:
                break
            name = found.imports[name[1]]
        return name

    def _module(self, name: str) -> _Module | None:
        """Return a module of the package; None for one that is followed no further."""
        if name not in self._modules:
            self._modules[name] = self._parsed(name)
        return self._modules[name]

    def _parsed(self, name: str) -> _Module | None:
        top, *parts = name.split(".")
        if top != "tengen" or name == _NOT_FOLLOWED or name.startswith(f"{_NOT_FOLLOWED}."):
            return None
        path = self._package.joinpath(*parts)
        for file in (path.with_suffix(".py"), path / "__init__.py") if parts else (path / "__init__.py",):
            if file.is_file():
                return _Module(ast.parse(file.read_bytes()))
        return None


def _imports(nodes: Iterator[ast.AST] | list[ast.stmt]) -> Iterator[tuple[str, Name]]:
    """Yield the local name of each import, and what it stands for."""
    for node in nodes:
        if isinstance(node, ast.ImportFrom) and node.module and not node.level:
            for alias in node.names:
                yield alias.asname or alias.name, (node.module, alias.name)
        elif isinstance(node, ast.Import):
            for alias in node.names:
                if alias.asname:
                    yield alias.asname, (alias.name, "")


def _bound(statement: ast.stmt) -> set[str]:
    """Return the names that a top-level statement defines or changes."""
    if isinstance(statement, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
        return {statement.name}
    if isinstance(statement, (ast.Import, ast.ImportFrom)) or _is_text(statement):
        return set()
    nodes = list(ast.walk(statement))
    stored = {node.id for node in nodes if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store)}
    inner = {node.name for node in nodes if isinstance(node, (ast.FunctionDef, ast.ClassDef))}
    # A call by itself may change what it names, and so may an assignment to a part of it.
    changed = [statement] if isinstance(statement, ast.Expr) else _targets(statement)
    return stored.union(inner, *map(_names, changed))


def _targets(statement: ast.stmt) -> list[ast.expr]:
    if isinstance(statement, ast.Assign):
        return statement.targets
    return [statement.target] if isinstance(statement, (ast.AugAssign, ast.AnnAssign)) else []


def _registered_for(statement: ast.stmt) -> set[str]:
    """Return the names that the decorators of a definition are called with."""
    if not isinstance(statement, (ast.FunctionDef, ast.ClassDef)):
        return set()
    calls = [each for each in statement.decorator_list if isinstance(each, ast.Call)]
    return {name for call in calls for argument in call.args for name in _names(argument)}


def _names(node: ast.AST) -> set[str]:
    return {each.id for each in ast.walk(node) if isinstance(each, ast.Name)}


def _is_intrinsic(statement: ast.stmt) -> bool:
    """Return whether a definition declares instructions that another module builds."""
    decorators = statement.decorator_list if isinstance(statement, ast.FunctionDef) else []
    return any(isinstance(each, ast.Name) and each.id == "intrinsic" for each in decorators)


def _is_text(node: ast.AST) -> bool:
    value = node.value if isinstance(node, ast.Expr) else None
    return isinstance(value, ast.Constant) and isinstance(value.value, str)


class _Stripped(ast.NodeTransformer):
    """Removes docstrings, of functions and classes as well as of the constants above them."""

    def visit_Expr(self, node: ast.Expr) -> Any:
        """Remove a statement that is only a text."""
        return None if _is_text(node) else node


def _without_docstrings(statement: ast.stmt) -> ast.AST:
    # The same tree is read again for other names: it is safe to change, for docstrings have no names.
    stripped: ast.AST = _Stripped().visit(statement)
    return stripped


def raw_digest(package: Path = PACKAGE) -> str:
    """Return a hash of all source files of a package.

    Raises:
        OSError: the source cannot be read.
    """
    digest = hashlib.sha256(VERSION.encode())
    for file in sorted(package.rglob("*.py")):
        data = file.read_bytes()
        digest.update(f"\0{file.relative_to(package).as_posix()}\0{len(data)}\0".encode())
        digest.update(data)
    return digest.hexdigest()[:_LENGTH]


class FingerprintFile:
    """The fingerprints of functions, computed at their first use and kept in a file.

    Args:
        folder: where the file is kept.
        base: what belongs to every fingerprint besides the source.
        package: the sources.
    """

    def __init__(self, folder: Path, base: str = VERSION, package: Path = PACKAGE) -> None:
        self._package = package
        self._raw = raw_digest(package)
        key = hashlib.sha256(f"{base}\0{self._raw}".encode()).hexdigest()[:_LENGTH]
        self._file = folder / f"fingerprints-{key}.json"
        self._known = self._kept()
        self._graph = SourceGraph(package, base)

    def of(self, function: Callable[..., Any]) -> str | None:
        """Return the fingerprint of a function.

        None if it is no module-level function of the package, or the sources have changed meanwhile.
        """
        return self.named(function.__module__, function.__qualname__)

    def named(self, module: str, name: str) -> str | None:
        """Return the fingerprint of a function by the names of its module and of itself; see `of`."""
        with _PARSING:
            if module not in self._known and raw_digest(self._package) == self._raw:
                with suppress(SyntaxError):  # somebody is editing
                    # Another process may have added other modules meanwhile.
                    self._known = self._kept() | {module: self._graph.fingerprints(module)}
                    self._keep()
            return self._known.get(module, {}).get(name)

    def _kept(self) -> dict[str, dict[str, str]]:
        try:
            kept: dict[str, dict[str, str]] = json.loads(self._file.read_text("utf-8"))
            self._file.touch()
        except (OSError, ValueError):
            return {}
        return kept

    def _keep(self) -> None:
        part = self._file.with_suffix(f".{os.getpid()}.part")
        with suppress(OSError):
            part.write_text(json.dumps(self._known), "utf-8")
            part.replace(self._file)


@lru_cache(maxsize=4)
def fingerprints_in(folder: Path, base: str) -> FingerprintFile:
    """Return the fingerprints that are kept in a folder, for this process's sources."""
    return FingerprintFile(folder, base)
