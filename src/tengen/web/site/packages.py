"""The Python modules of a site: Tengen's own, and the packages that they need.

They are sources, for the Python in the page has another version than the one that writes it. What the page
does not run is left out: compiled parts, tests, type stubs, programs, comments, docstrings.
"""

from __future__ import annotations

import ast
import lzma
import re
import tarfile
from collections.abc import Iterable, Iterator, Mapping
from fnmatch import fnmatch
from importlib.metadata import Distribution, PackageNotFoundError, distribution
from io import BytesIO
from pathlib import Path, PurePosixPath

import tengen
from tengen.web.browser.app_worker import EMPTY
from tengen.web.browser.storage import empty_database
from tengen.web.pages import STATIC

ROOTS = ("fastapi", "platformdirs", "pydantic", "python-multipart", "sqlalchemy", "starlette")
"""The packages that the app in a page imports; what these require is found in their metadata."""

MIGRATING = ("alembic", "sqlalchemy")
"""The packages for a database that an earlier version of a site has left."""

COMPILED = "pydantic-core"
"""The one package that is compiled; a wheel of it for the browser is a file of its own."""

_LEFT_OUT = (
    *("tengen/cli/*", "tengen/protocol/*", "tengen/terminal/*", "tengen/training/*", "tengen/__main__.py"),
    *("tengen/arrays.py", "tengen/engine/batch/*", "tengen/environments/*"),
    *("tengen/arena/[!_g]*", "tengen/assets/*.css", "tengen/assets/*.js", "tengen/web/static/*"),
    *(
        "tengen/web/site/*",
        "tengen/web/lobby/*",
        "tengen/web/tournaments/*",
        "tengen/web/transport/security/*",
    ),
    *(f"tengen/web/{name}.py" for name in ("app", "lock", "pages", "process", "server_api", "start")),
    *("tengen/engine/kernels/ahead.py", "tengen/engine/kernels/libraries/*"),
    *("tengen/words/*/cli.json", "tengen/words/*/terminal.json", "tengen/words/*/training.json"),
    *("anyio/_backends/_trio.py", "anyio/pytest_plugin.py", "pydantic/v1/*", "pydantic/mypy.py"),
    *(f"sqlalchemy/dialects/{name}/*" for name in ("mssql", "mysql", "oracle")),
    *("sqlalchemy/ext/mypy/*", "sqlalchemy/testing/*", "sqlalchemy/ext/asyncio/*", "alembic/testing/*"),
    *("idna/uts46data.py", "fastapi/.agents/*", "*/tests/*", "*/__pycache__/*"),
)
"""Patterns of files that the page does not need."""

_FOR_MIGRATING = ("sqlalchemy/dialects/postgresql/*", "sqlalchemy/ext/*", "sqlalchemy/orm/*")
"""Patterns of files that it needs only for a database of an earlier version."""

_REPLACED = {"anyio/to_interpreter.py": b"run_sync = current_default_interpreter_limiter = None\n"}
"""Modules that import what the page's Python has not, and what is there instead: nobody calls it."""

_OWN_DATA = (".py", ".json", ".jsonl", ".txt")
_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]*")
_LICENCE = re.compile(r"(licen[cs]e|copying|notice|authors)", re.IGNORECASE)
_PRESET = 6 | lzma.PRESET_EXTREME
"""The preset of compression: the next one takes twice the memory to decompress, 16 MiB."""

DATE = (1980, 1, 1, 0, 0, 0)
"""The date of all files in archives, which is always the same."""


def modules() -> dict[str, bytes]:
    """Return the content of all modules and data files, by path."""
    found = {
        name: data
        for name, data in (*_own(), *_of_packages(_required(ROOTS)))
        if not _matches(name, _FOR_MIGRATING)
    }
    return found | {f"tengen/web/browser/{EMPTY.name}": empty_database()}


def is_own(name: str) -> bool:
    """Return whether a file among the modules is Tengen's own."""
    return name.startswith("tengen/")


def migration_modules(others: Iterable[str]) -> dict[str, bytes]:
    """Return what a database of an earlier version needs besides the files of these paths."""
    present = set(others)
    return {name: data for name, data in _of_packages(_required(MIGRATING)) if name not in present}


def archive(files: Mapping[str, bytes]) -> bytes:
    """Return a compressed archive of files, always the same bytes for the same files."""
    return lzma.compress(tar(files), preset=_PRESET)


def tar(files: Mapping[str, bytes]) -> bytes:
    """Return an archive of files by tar, always the same bytes for the same files."""
    packed = BytesIO()
    with tarfile.open(fileobj=packed, mode="w", format=tarfile.USTAR_FORMAT) as target:
        for name, data in sorted(files.items()):
            entry = tarfile.TarInfo(name)
            entry.size = len(data)
            target.addfile(entry, BytesIO(data))
    return packed.getvalue()


def licences() -> Iterator[tuple[str, bytes]]:
    """Yield the licences of all packages and pages' libraries, by names such as ``"pydantic/LICENSE"``."""
    for found in (*_required((*ROOTS, *MIGRATING)), distribution(COMPILED)):
        for file in found.files or ():
            if _LICENCE.match(file.name) and ".dist-info" in str(file):
                path = Path(str(found.locate_file(file)))
                yield f"{found.name}/{file.name}", path.read_bytes()
    for path in sorted((STATIC / "vendor").glob("*/LICENSE")):
        yield f"{path.parent.name}/{path.name}", path.read_bytes()


def _own() -> Iterator[tuple[str, bytes]]:
    """Yield Tengen's modules and data files."""
    own = Path(tengen.__file__).parent
    for path in own.rglob("*"):
        name = path.relative_to(own.parent).as_posix()
        if path.suffix in _OWN_DATA and path.is_file() and not _matches(name, _LEFT_OUT):
            yield name, _reduced(name, path.read_bytes())


def _of_packages(packages: Iterable[Distribution]) -> Iterator[tuple[str, bytes]]:
    """Yield the modules of packages, and what others find them by."""
    for found in packages:
        for file in found.files or ():
            name = PurePosixPath(file).as_posix()
            if name.endswith(".dist-info/METADATA"):
                yield name, _identity(found)
            elif _is_module(name) or name.endswith(".dist-info/entry_points.txt"):
                yield name, _reduced(name, Path(str(found.locate_file(file))).read_bytes())


def _reduced(name: str, data: bytes) -> bytes:
    data = _REPLACED.get(name, data)
    return without_comments(data) if name.endswith(".py") else data


def _is_module(name: str) -> bool:
    """Return whether a file of an installed package is a module that the page needs."""
    return name.endswith(".py") and not name.startswith("..") and not _matches(name, _LEFT_OUT)


def _identity(package: Distribution) -> bytes:
    """Return the metadata of a package by which others find it: its name and version."""
    name, version = package.metadata["Name"], package.version
    return f"Metadata-Version: 2.1\nName: {name}\nVersion: {version}\n".encode()


def _matches(name: str, patterns: Iterable[str]) -> bool:
    return any(fnmatch(name, pattern) for pattern in patterns)


def _required(roots: Iterable[str]) -> list[Distribution]:
    """Return the installed packages that some require, themselves included."""
    found: dict[str, Distribution] = {}
    waiting = list(roots)
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
