"""Python for the browser: Pyodide's files, and the one compiled package that the app needs.

Pyodide comes from its npm package, of one version, which the page is tested with.
"""

from __future__ import annotations

import gzip
import json
import subprocess
import sys
import zipfile
from codecs import lookup
from collections.abc import Iterator
from fnmatch import fnmatch
from functools import cache
from importlib.metadata import version
from io import BytesIO
from pathlib import Path

from tengen.formats.encoding_table import ENCODINGS
from tengen.game.notation import shorten
from tengen.user_folders import cache_folder
from tengen.web.site.bytecode import bytecode
from tengen.web.site.errors import SiteError
from tengen.web.site.packages import COMPILED, DATE, without_comments

PYODIDE = "314.0.7"
"""The version of Pyodide; that of package.json."""

COMPILED_FILE = "pydantic_core/_pydantic_core.cpython-314-wasm32-emscripten.so"
"""The compiled part of pydantic-core."""

_PYTHON = "3.14"
_PLATFORM = "pyemscripten_2026_0_wasm32"
_FILES = ("pyodide.mjs", "pyodide.asm.mjs", "pyodide.asm.wasm", "pyodide-lock.json")
_STANDARD_LIBRARY = "python_stdlib.zip"
_PATIENCE = 300

_LEFT_OUT = (
    *(
        "_pyrepl/*",
        "unittest/*",
        "xmlrpc/*",
        "ensurepip/*",
        "idlelib/*",
        "tkinter/*",
        "venv/*",
        "wsgiref/*",
    ),
    *("curses/*", "dbm/*", "pydoc_data/*", "turtledemo/*", "lib2to3/*", "multiprocessing/*"),
    *("pdb.py", "doctest.py", "pydoc.py", "pickletools.py", "_pyio.py", "turtle.py", "_pydecimal.py"),
    *("cProfile.py", "profile.py", "pstats.py", "trace.py", "mailbox.py", "ftplib.py", "imaplib.py"),
    *(
        "smtplib.py",
        "poplib.py",
        "zipapp.py",
        "webbrowser.py",
        "tabnanny.py",
        "pyclbr.py",
        "antigravity.py",
    ),
    *("socketserver.py", "wave.py", "plistlib.py", "statistics.py"),
    *("bdb.py", "cmd.py", "code.py", "compileall.py", "filecmp.py", "fileinput.py", "getopt.py"),
    *("modulefinder.py", "optparse.py", "pty.py", "py_compile.py", "rlcompleter.py", "sched.py"),
    *("shelve.py", "symtable.py", "tracemalloc.py", "tty.py", "__hello__.py", "__phello__/*"),
    *("xml/dom/*", "this.py", "*/__main__.py", "json/tool.py"),
    *("asyncio/proactor_events.py", "asyncio/tools.py", "asyncio/windows_*.py"),
    *("concurrent/futures/interpreter.py", "concurrent/futures/process.py", "concurrent/interpreters/*"),
    *("logging/config.py", "logging/handlers.py"),
    *("importlib/_bootstrap.py", "importlib/_bootstrap_external.py"),  # compiled into Python
)
"""Patterns of modules of the standard library that the page does not need."""

_CODECS = {"__init__", "_win_cp_codecs", "aliases", "ascii", "charmap", "idna", "latin_1", "punycode"}
"""Modules of `encodings` that the page needs, besides those of Unicode and the encodings of files."""


def python_files(folder: Path) -> Iterator[tuple[str, bytes]]:
    """Yield the names and contents of the files of Pyodide, without the standard library.

    Args:
        folder: the folder of Pyodide.
    """
    for name in _FILES:
        yield name, (folder / name).read_bytes()
    yield "licences/NOTICE.txt", (Path(__file__).parent / "texts" / "NOTICE.txt").read_bytes()


def compiled_package(folder: Path) -> tuple[dict[str, bytes], bytes]:
    """Return the files of pydantic-core for the browser, by path, and its compiled part.

    The file of that part is empty: Python finds it by its name, but the page has linked it before.

    Args:
        folder: the folder of Pyodide.

    Raises:
        SiteError: there is none, or it is damaged.
    """
    file = find_wheel(folder)
    try:
        with zipfile.ZipFile(file) as wheel:
            files = {name: wheel.read(name) for name in wheel.namelist() if not name.endswith("/")}
        compiled = files[COMPILED_FILE]
    except (OSError, zipfile.BadZipFile, KeyError) as error:
        raise SiteError("error.site.damaged", file=shorten(str(file)), reason=str(error)) from error
    modules = {name: data for name, data in files.items() if name.endswith((".py", ".dist-info/METADATA"))}
    return modules | {COMPILED_FILE: b""}, compiled


def find_pyodide(given: Path | None) -> Path:
    """Return the folder of Pyodide: a given one, or that of npm in the present folder.

    Raises:
        SiteError: it is not there, or in another version.
    """
    folder = given or Path("node_modules", "pyodide")
    if not all((folder / name).is_file() for name in (*_FILES, _STANDARD_LIBRARY)):
        raise SiteError("error.site.pyodide", folder=shorten(str(folder)), version=PYODIDE)
    try:
        found = str(json.loads((folder / "package.json").read_bytes())["version"])
    except (OSError, ValueError, KeyError, TypeError):
        found = "?"
    if found != PYODIDE:
        raise SiteError("error.site.version", folder=shorten(str(folder)), found=found, version=PYODIDE)
    return folder


def find_wheel(folder: Path) -> Path:
    """Return pydantic-core's wheel for the browser, of the version that is installed here.

    It lies beside Pyodide, or in Tengen's cache; if not, it is downloaded into that.

    Raises:
        SiteError: it is not there, and cannot be downloaded.
    """
    wanted = version(COMPILED)
    pattern = f"{COMPILED.replace('-', '_')}-{wanted}-*-{_PLATFORM}.whl"
    cache = cache_folder() / "wheels"
    for place in (folder, cache):
        for file in sorted(place.glob(pattern)):
            return file
    cache.mkdir(parents=True, exist_ok=True)
    command = [
        *(sys.executable, "-m", "pip", "download", "--quiet", "--disable-pip-version-check", "--no-deps"),
        *("--only-binary=:all:", "--platform", _PLATFORM, "--python-version", _PYTHON),
        *("--implementation", "cp", "--abi", f"cp{_PYTHON.replace('.', '')}"),
        *("--dest", str(cache), f"{COMPILED}=={wanted}"),
    ]
    try:
        done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=_PATIENCE)
        reason = done.stderr.strip().rpartition("\n")[2]
    except (OSError, subprocess.TimeoutExpired) as error:
        reason = str(error)
    for file in sorted(cache.glob(pattern)):
        return file
    raise SiteError("error.site.wheel", package=f"{COMPILED} {wanted}", reason=shorten(reason, 200))


@cache
def _codecs_of_files() -> set[str]:
    """Return the modules of `encodings` that the encodings of files are in."""
    return {lookup(one.codec).name.replace("-", "_") for one in ENCODINGS}


def _is_needed(name: str) -> bool:
    """Return whether the page needs a file of the standard library."""
    package, _, module = name.removesuffix(".py").partition("/")
    if package == "encodings":
        return module in _codecs_of_files() | _CODECS or "utf_" in module or "unicode" in module
    return not any(fnmatch(name, pattern) for pattern in _LEFT_OUT)


def standard_library(folder: Path) -> tuple[bytes, dict[str, bytes]]:
    """Return the standard library without what the page does not need, in two parts.

    The first is what Python imports at its start, or all where that is not known: an archive by zip,
    compressed as a whole by gzip. The other one is files, by path.

    Args:
        folder: the folder of Pyodide.
    """
    with zipfile.ZipFile(folder / _STANDARD_LIBRARY) as source:
        names = [name for name in source.namelist() if not name.endswith("/") and _is_needed(name)]
        files = {name: source.read(name) for name in names}
    compiled = bytecode(
        {name: without_comments(data) if name.endswith(".py") else data for name, data in files.items()},
        folder,
    )
    first: dict[str, bytes] = {}
    later: dict[str, bytes] = {}
    for name, data in sorted(compiled.files.items()):
        is_first = not compiled.started or name.partition("/")[0].partition(".")[0] in compiled.started
        (first if is_first else later)[name] = data
    archive = BytesIO()
    with zipfile.ZipFile(archive, "w") as target:
        for name, data in first.items():
            target.writestr(zipfile.ZipInfo(name, DATE), data)
    return gzip.compress(archive.getvalue(), 9, mtime=0), later
