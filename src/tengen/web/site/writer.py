"""The writer of a site: all files, the list of them for the service worker, and compressed copies."""

from __future__ import annotations

import gzip
import hashlib
import json
import shutil
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path, PurePosixPath
from typing import Any

from tengen import __version__, extras
from tengen.formats.files import shown, write_error, write_whole
from tengen.user_folders import cache_folder
from tengen.web.site import packages
from tengen.web.site.bytecode import bytecode
from tengen.web.site.engine_files import engine_files
from tengen.web.site.engine_levels import engine_levels
from tengen.web.site.errors import SiteError
from tengen.web.site.page_files import page_files
from tengen.web.site.python_files import compiled_package, find_pyodide, python_files, standard_library
from tengen.words import Message

LIST = "files.json"
"""The list of the files of a site, by which a folder is known as one."""

PACKAGES, OWN, MIGRATING = "packages.tar.xz", "tengen.tar.xz", "migrating.tar.xz"
"""The archives of Python modules: for every visit, and for a database of an earlier version."""

LIBRARY = "standard_library.zip.gzip"
"""The part of the standard library that Python needs to start; no host decompresses files of this name."""

COMPILED_PART = "pydantic_core.wasm"
"""The compiled part of pydantic-core."""

_SERVICE_WORKER = "service_worker.js"
_VERSION = b'const VERSION = "";'
_WORTHWHILE = {".bin", ".css", ".html", ".js", ".json", ".mjs", ".svg", ".txt", ".wasm", ".webmanifest"}
_LEAST = 500
QUALITY = 11
"""The quality of compression by Brotli, which takes a minute at its best."""

Progress = Callable[[Message], None]


@dataclass(frozen=True, slots=True)
class SiteReport:
    """The size of a site, in files and bytes.

    Attributes:
        files: the number of files, without compressed copies.
        size: their bytes.
        compressed: their bytes as a browser gets them from a host that uses the smallest copies.
        python: the part of that which is Python: Pyodide, Tengen and its packages.
    """

    files: int
    size: int
    compressed: int
    python: int


def write_site(out: Path, pyodide: Path | None, progress: Progress) -> SiteReport:
    """Write a site into a folder that is new, empty or a site; that stays until the new one is complete.

    Args:
        out: the folder.
        pyodide: the folder of Pyodide; None to look for it.
        progress: called with what is done next.

    Raises:
        SiteError: the folder has something else in it, or something is missing.
        MissingPackage: a package of the extra ``site`` is not installed.
        FileError: the folder cannot be written.
    """
    with extras.importing("site"):
        import brotli  # noqa: F401 - before the long work
    _check_target(out)
    folder = find_pyodide(pyodide)
    target = out.absolute()
    part = target.with_name(f".{target.name}.part")
    try:
        if part.exists():
            shutil.rmtree(part)
        part.mkdir(parents=True)
        try:
            report = _write(part, folder, progress)
            _swap(part, target)
        finally:
            shutil.rmtree(part, ignore_errors=True)
    except OSError as error:
        raise write_error(out, error) from error
    return report


def is_site(folder: Path) -> bool:
    """Return whether a folder is a site that was written before."""
    try:
        return "tengen" in json.loads((folder / LIST).read_bytes())
    except (OSError, ValueError, TypeError):
        return False


def _check_target(out: Path) -> None:
    try:
        if out.exists() and (not out.is_dir() or (any(out.iterdir()) and not is_site(out))):
            raise SiteError("error.site.folder", folder=shown(out))
    except OSError as error:
        raise write_error(out, error) from error


def _files(pyodide: Path, progress: Progress) -> Iterator[tuple[str, bytes]]:
    """Yield all files of a site but the list and the service worker, which stand on the others."""
    progress(Message("site.progress.pages"))
    yield from page_files()
    progress(Message("site.progress.kernels"))
    for name, data in engine_files():
        yield f"engine/{name}", data
    yield "engine/levels.json", _json(engine_levels())
    progress(Message("site.progress.python"))
    for name, data in python_files(pyodide):
        yield f"python/{name}", data
    package, compiled = compiled_package(pyodide)
    yield f"python/{COMPILED_PART}", compiled
    library, later = standard_library(pyodide)
    yield f"python/{LIBRARY}", library
    progress(Message("site.progress.packages"))
    modules = packages.modules()
    compiled_modules = bytecode(modules | package, pyodide).files | later
    for archive, own in ((PACKAGES, False), (OWN, True)):
        files = {name: data for name, data in compiled_modules.items() if packages.is_own(name) is own}
        yield f"python/{archive}", packages.archive(files)
    yield f"python/{MIGRATING}", packages.archive(packages.migration_modules(modules))
    for name, data in packages.licences():
        yield f"python/licences/{name}", data


def _write(folder: Path, pyodide: Path, progress: Progress) -> SiteReport:
    """Write all files into a folder."""
    files = dict(sorted(_files(pyodide, progress)))
    worker = files.pop(_SERVICE_WORKER)
    listed = {name: [len(data), _digest(data)] for name, data in files.items()}
    version = _digest(json.dumps([listed, _digest(worker)]).encode())
    assert _VERSION in worker
    files[_SERVICE_WORKER] = worker.replace(_VERSION, _VERSION.replace(b'""', f'"{version}"'.encode()))
    described = {"tengen": __version__, "version": version, "files": listed}
    files[LIST] = _json(described)
    sizes: dict[str, int] = {}
    for done, (name, data) in enumerate(files.items()):
        progress(Message("site.progress.compressing", {"done": done, "total": len(files)}))
        file = folder / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(data)
        sizes[name] = len(data)
        for suffix, compressed in _copies(name, data):
            file.with_name(file.name + suffix).write_bytes(compressed)
            sizes[name] = min(sizes[name], len(compressed))
    python = sum(size for name, size in sizes.items() if name.startswith("python/"))
    return SiteReport(len(files), sum(map(len, files.values())), sum(sizes.values()), python)


def _copies(name: str, data: bytes) -> Iterator[tuple[str, bytes]]:
    """Yield the compressed copies of a file, where they are worthwhile, by the ends of their names."""
    if PurePosixPath(name).suffix not in _WORTHWHILE or len(data) <= _LEAST:
        return
    yield ".gz", gzip.compress(data, 9, mtime=0)
    yield ".br", _brotli(data)


def _brotli(data: bytes) -> bytes:
    """Return data compressed by Brotli, which takes long, and is therefore kept in Tengen's cache."""
    import brotli

    file = cache_folder() / f"brotli-{QUALITY}" / hashlib.sha256(data).hexdigest()
    if file.is_file():
        return file.read_bytes()
    compressed: bytes = brotli.compress(data, quality=QUALITY, lgwin=24)
    file.parent.mkdir(parents=True, exist_ok=True)
    write_whole(file, compressed)
    return compressed


def _json(data: Any) -> bytes:
    return json.dumps(data, separators=(",", ":")).encode()


def _digest(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()


def _swap(part: Path, target: Path) -> None:
    """Put a complete folder in the place of an old one."""
    old = target.with_name(f".{target.name}.old")
    if old.exists():
        shutil.rmtree(old)
    if target.exists():
        target.rename(old)
    part.rename(target)
    shutil.rmtree(old, ignore_errors=True)
