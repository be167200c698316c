"""The Python modules of a site: Tengen's own, and the packages that they need, in one archive.

The archive has sources only, for the Python in the page has another version than the one that writes it.
What the page does not run is left out: compiled parts, tests, type stubs, programs, comments, docstrings.
"""

from __future__ import annotations

import ast
import re
import zipfile
from collections.abc import Iterator
from fnmatch import fnmatch
from importlib.metadata import Distribution, PackageNotFoundError, distribution
from io import BytesIO
from pathlib import Path, PurePosixPath

import tengen

ROOTS = ("fastapi", "platformdirs", "pydantic", "python-multipart", "sqlalchemy", "starlette")
"""The packages that the app in a page imports; what these require is found in their metadata."""

COMPILED = "pydantic-core"
"""The one package that is compiled; a wheel of it for the browser is a file of its own."""

_LEFT_OUT = (
    *("tengen/cli/*", "tengen/protocol/*", "tengen/terminal/*", "tengen/training/*", "tengen/__main__.py"),
    *("tengen/arena/report/*", "tengen/arena/tuning*", "tengen/assets/*.css", "tengen/assets/*.js"),
    *("tengen/web/static/*", "tengen/web/site/*", "tengen/web/start.py", "tengen/web/process.py"),
    *("tengen/web/database/migrations/*", "tengen/engine/kernels/ahead.py"),
    "tengen/engine/kernels/libraries/*",
    *("tengen/words/*/cli.json", "tengen/words/*/terminal.json", "tengen/words/*/training.json"),
    *("anyio/_backends/_trio.py", "anyio/pytest_plugin.py", "pydantic/v1/*", "pydantic/mypy.py"),
    *(f"sqlalchemy/dialects/{name}/*" for name in ("mssql", "mysql", "oracle", "postgresql")),
    *("sqlalchemy/ext/mypy/*", "sqlalchemy/testing/*", "sqlalchemy/ext/asyncio/*"),
    *("idna/uts46data.py", "fastapi/.agents/*", "*/tests/*", "*/__pycache__/*"),
)
"""Patterns of files that the page does not need."""

_OWN_DATA = (".py", ".json", ".jsonl", ".txt")
_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]*")
_LICENCE = re.compile(r"(licen[cs]e|copying|notice|authors)", re.IGNORECASE)
DATE = (1980, 1, 1, 0, 0, 0)
"""The date of all files in archives, which is always the same."""


def archive() -> bytes:
    """Return the archive of all modules: always the same bytes for the same modules."""
    packed = BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED, compresslevel=9) as file:
        for name, data in sorted(_modules()):
            entry = zipfile.ZipInfo(name, DATE)
            entry.compress_type = zipfile.ZIP_DEFLATED
            file.writestr(entry, without_comments(data) if name.endswith(".py") else data)
    return packed.getvalue()


def licences() -> Iterator[tuple[str, bytes]]:
    """Yield the licences of all packages, by names such as ``"pydantic/LICENSE"``."""
    for found in (*_required(), distribution(COMPILED)):
        for file in found.files or ():
            if _LICENCE.match(file.name) and ".dist-info" in str(file):
                path = Path(str(found.locate_file(file)))
                yield f"{found.name}/{file.name}", path.read_bytes()


def _modules() -> Iterator[tuple[str, bytes]]:
    own = Path(tengen.__file__).parent
    for path in own.rglob("*"):
        name = path.relative_to(own.parent).as_posix()
        if path.suffix in _OWN_DATA and path.is_file() and not _is_left_out(name):
            yield name, path.read_bytes()
    for found in _required():
        for file in found.files or ():
            name = PurePosixPath(file).as_posix()
            if name.endswith(".dist-info/METADATA"):
                yield name, _identity(found)
            elif _is_module(name) or name.endswith(".dist-info/entry_points.txt"):
                yield name, Path(str(found.locate_file(file))).read_bytes()


def _is_module(name: str) -> bool:
    """Return whether a file of an installed package is a module that the page needs."""
    return name.endswith(".py") and not name.startswith("..") and not _is_left_out(name)


def _identity(package: Distribution) -> bytes:
    """Return the metadata of a package by which others find it: its name and version."""
    name, version = package.metadata["Name"], package.version
    return f"Metadata-Version: 2.1\nName: {name}\nVersion: {version}\n".encode()


def _is_left_out(name: str) -> bool:
    return any(fnmatch(name, pattern) for pattern in _LEFT_OUT)


def _required() -> list[Distribution]:
    """Return the installed packages that the roots require, themselves included."""
    found: dict[str, Distribution] = {}
    waiting = list(ROOTS)
    while waiting:
        name = _normalised(waiting.pop())
        if name in found or name == COMPILED:
            continue
        try:
            found[name] = distribution(name)
        except PackageNotFoundError:
            continue  # for other systems, or other versions of Python
        required = [text for text in found[name].requires or () if "extra ==" not in text]
        waiting += [match[0] for text in required if (match := _NAME.match(text))]
    return [found[name] for name in sorted(found)]


def _normalised(name: str) -> str:
    return re.sub(r"[-_.]+", "-", name).lower()


def without_comments(source: bytes) -> bytes:
    """Return the source of a module without comments and docstrings; unchanged if it cannot be parsed."""
    try:
        tree = ast.parse(source)
    except SyntaxError:  # written for a later version of Python
        return source
    for node in ast.walk(tree):
        if not isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef):
            continue
        if ast.get_docstring(node, clean=False) is not None:
            node.body[:1] = [] if len(node.body) > 1 else [ast.Pass()]
    return ast.unparse(tree).encode()
