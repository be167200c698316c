"""The examination of an installation: what is there, missing or broken. It changes nothing."""

from __future__ import annotations

import json
import os
import platform
import shutil
import socket
import subprocess
import sys
import tempfile
from collections.abc import Iterable, Iterator
from contextlib import suppress
from dataclasses import dataclass, field
from importlib import metadata
from pathlib import Path
from typing import Any, Literal

import tengen
from tengen import user_folders
from tengen.cli.printing import one_line
from tengen.executors import processors
from tengen.extras import importing
from tengen.schemas.installation import (
    DatabaseData,
    ExtraData,
    FolderData,
    InstallationData,
    KernelsData,
    LibraryData,
    PackageData,
    PackagesData,
    Part,
    PortData,
    ProblemData,
    ProcessorData,
    ProgramData,
    PythonData,
    RequirementData,
    StorageData,
)
from tengen.schemas.sentence import Sentence
from tengen.web.transport.settings import DATABASE_FILE, PORT, ServerSettings, without_password
from tengen.words import Message, TengenError

with importing():
    from packaging.requirements import Requirement

_PROGRAMS: dict[str, tuple[tuple[str, ...], ...]] = {
    "node": (("node", "--version"),),
    "zig": ((sys.executable, "-m", "ziglang", "version"), ("zig", "version")),
    "cc": (("cc", "-dumpversion"), ("gcc", "-dumpversion"), ("clang", "-dumpversion")),
}
"""The programs that some commands need, each with commands that print its version."""

_COMBINED = ("all", "dev", "docs")
"""Extras that stand for others, or that serve only those who work on Tengen itself."""

_NEXT_PORTS = 20
_ROOM = 16_000_000
"""Bytes that have to be free: a new database with some hundred games, or half of the compiled kernels."""

_MEGABYTE = 1_000_000
_PATIENCE = 10.0
"""Seconds until a program has told its version."""


@dataclass(slots=True)
class Examination:
    """An examination, which collects problems while it goes from part to part.

    Args:
        data: the folder of the games.
        database: the URL of the database; empty for a file in that folder.
    """

    data: Path
    database: str
    _problems: list[ProblemData] = field(default_factory=list)

    def result(self) -> InstallationData:
        """Examine every part."""
        requirements = list(_requirements())
        parts: dict[str, Any] = {
            "python": _python(),
            "package": self._package(),
            "packages": self._packages(requirements),
            "kernels": self._kernels(),
            "processor": self._processor(),
            "cache": self._cache(),
            "caches": tuple(_caches()),
            "data": self._storage(),
            "database": self._database(),
            "port": self._port(),
            "programs": tuple(ProgramData(name=name, version=_version_of(name)) for name in _PROGRAMS),
            "extras": tuple(_extras(requirements)),
        }
        ok = not any(problem.needed for problem in self._problems)
        return InstallationData(ok=ok, problems=tuple(self._problems), **parts)

    def _report(self, part: Part, message: Message, *, needed: bool = True) -> None:
        self._problems.append(ProblemData(part=part, needed=needed, sentence=Sentence.of(message)))

    def _package(self) -> PackageData:
        installed: Literal["package", "editable", "sources"] = "sources"
        version = tengen.__version__
        folder = Path(tengen.__file__).parent
        with suppress(metadata.PackageNotFoundError):
            found = metadata.distribution("tengen")
            installed = "editable" if _is_editable(found) else "package"
            if found.version != version:
                message = Message(
                    "doctor.problem.version", {"installed": found.version, "version": version}
                )
                self._report("package", message, needed=False)
        if installed == "sources":
            self._report("package", Message("doctor.problem.sources"), needed=False)
        return PackageData(
            version=version, folder=str(folder), installed=installed, command=shutil.which("tengen")
        )

    def _packages(self, requirements: Iterable[Requirement]) -> PackagesData:
        plain = [
            each for each in requirements if each.marker is None or each.marker.evaluate({"extra": ""})
        ]
        lacking = tuple(_lacking(plain))
        for each in lacking:
            key = "doctor.problem.package" if each.found is None else "doctor.problem.package.old"
            values = {"package": each.name, "needed": each.needed, "found": each.found or ""}
            self._report("packages", Message(key, values))
        return PackagesData(needed=len(plain), lacking=lacking)

    def _kernels(self) -> KernelsData:
        numba = _installed("numba")
        try:
            from tengen.engine.kernels import library
        except ImportError as error:
            self._report("kernels", Message("doctor.problem.kernels.import", {"reason": _reason(error)}))
            return KernelsData(used=None, libraries=(), numba=numba)
        libraries = tuple(_libraries())
        asked = os.environ.get(library.VARIABLE, "")
        matching = next((each.target for each in libraries if each.state == "matches"), None)
        used = None if asked == "jit" else matching
        if asked not in ("", "aot", "jit"):
            self._report("kernels", Message("error.kernels.variable", {"value": repr(asked)}))
            return KernelsData(used=None, libraries=libraries, numba=numba)
        if used is None and asked == "aot":
            self._report("kernels", Message("error.kernels.none"))
        elif used is None:
            used = self._just_in_time(numba)
            if libraries and matching is None:
                self._report("kernels", Message("doctor.problem.kernels.differ"), needed=False)
        return KernelsData(used=used, libraries=libraries, numba=numba)

    def _just_in_time(self, numba: str | None) -> str | None:
        """Return ``jit`` if kernels can be compiled just in time; report why not, or why it takes long."""
        if numba is None:
            self._report("kernels", Message("doctor.problem.kernels.none"))
            return None
        try:
            import numba as _  # noqa: F401 - a broken installation shows here
        except Exception as error:  # of any kind, from native libraries too
            self._report("kernels", Message("doctor.problem.kernels.import", {"reason": _reason(error)}))
            return None
        return "jit"

    def _processor(self) -> ProcessorData:
        with suppress(ImportError):
            from tengen.engine.kernels.library import target_names

            return ProcessorData(target=target_names()[0], cores=processors())
        return ProcessorData(target=platform.machine(), cores=processors())

    def _cache(self) -> StorageData:
        """Examine the folder of the caches, without which everything works, but slowly."""
        folder = user_folders.cache_folder()
        return self._checked("caches", folder, Message("doctor.problem.cache"), needed=False)

    def _storage(self) -> StorageData:
        """Examine the folder of the games, which a server with PostgreSQL does not use."""
        needed = not self.database.startswith("postgres")
        return self._checked("data", self.data, Message("doctor.problem.data"), needed=needed)

    def _checked(self, part: Part, folder: Path, without: Message, *, needed: bool) -> StorageData:
        """Return whether files can be written to a folder; report it if not.

        Args:
            part: the part that needs the folder.
            folder: the folder, which may have to be made.
            without: the sentence about what cannot be done without it.
            needed: whether a plain installation cannot do without.
        """
        writable, free = _is_writable(folder), _free(folder)
        values: dict[str, Any] = {"folder": str(folder), "without": without}
        if not writable:
            self._report(part, Message("doctor.problem.folder", values), needed=needed)
        elif free < _ROOM:
            values |= {"free": free / _MEGABYTE, "least": _ROOM // _MEGABYTE}
            self._report(part, Message("doctor.problem.room", values), needed=needed)
        return StorageData(folder=str(folder), writable=writable, free=free)

    def _database(self) -> DatabaseData:
        kind: Literal["sqlite", "postgresql"] | None = None
        address, found, newest, reachable = without_password(self.database), None, "", False
        try:
            settings = ServerSettings(data=self.data, database=self.database)
            kind = "sqlite" if settings.is_sqlite else "postgresql"
            address = address or str(self.data / DATABASE_FILE)
            from tengen.web.database.connection import schema_version, sqlite_file

            version = schema_version(settings)
            found, newest, reachable = version.found, version.newest, True
            if settings.is_sqlite:
                self._check_file(sqlite_file(settings))
        except TengenError as error:
            self._report("database", error.message)
        except (ImportError, OSError, ValueError) as error:
            self._report("database", Message("doctor.problem.database", {"reason": _reason(error)}))
        return DatabaseData(kind=kind, address=address, reachable=reachable, version=found, newest=newest)

    def _check_file(self, file: Path) -> None:
        """Report a database file to which nothing can be written."""
        blocked = None
        if file.exists() and not os.access(file, os.W_OK):
            blocked = file
        elif self.database and not (file.parent.is_dir() and _is_writable(file.parent)):
            blocked = file.parent
        if blocked is not None:
            values = {"folder": str(blocked), "without": Message("doctor.problem.database.file")}
            self._report("database", Message("doctor.problem.folder", values))

    def _port(self) -> PortData:
        if _is_free(PORT):
            return PortData(port=PORT, free=True, next=None, server=None)
        server = None
        with suppress(OSError):
            server = (self.data / "server.url").read_text("utf-8").strip() or None
        following = next((port for port in range(PORT + 1, PORT + _NEXT_PORTS) if _is_free(port)), None)
        if server is None:
            self._report("port", Message("doctor.problem.port", {"port": str(PORT)}), needed=False)
        return PortData(port=PORT, free=False, next=following, server=server)


def _python() -> PythonData:
    return PythonData(
        version=platform.python_version(),
        implementation=platform.python_implementation(),
        executable=sys.executable,
        environment=sys.prefix if sys.prefix != sys.base_prefix else None,
    )


def _is_editable(installed: metadata.Distribution) -> bool:
    origin = json.loads(installed.read_text("direct_url.json") or "{}")
    return bool(origin.get("dir_info", {}).get("editable"))


def _requirements() -> Iterator[Requirement]:
    """Yield all that the installed package says it needs, for its extras too."""
    with suppress(metadata.PackageNotFoundError):
        yield from map(Requirement, metadata.requires("tengen") or ())


def _installed(package: str) -> str | None:
    """Return the version of an installed package; None if it is missing."""
    try:
        return metadata.version(package)
    except metadata.PackageNotFoundError:
        return None


def _lacking(requirements: Iterable[Requirement]) -> Iterator[RequirementData]:
    """Yield the requirements that are not met."""
    for each in requirements:
        found = _installed(each.name)
        if found is None or not each.specifier.contains(found, prereleases=True):
            yield RequirementData(name=each.name, needed=str(each.specifier), found=found)


def _extras(requirements: Iterable[Requirement]) -> Iterator[ExtraData]:
    with suppress(metadata.PackageNotFoundError):
        of_extras = [
            each for each in requirements if each.marker and not each.marker.evaluate({"extra": ""})
        ]
        names = metadata.metadata("tengen").get_all("Provides-Extra") or []
        for extra in sorted(set(names) - set(_COMBINED)):
            yield ExtraData(name=extra, lacking=tuple(_lacking(_of_extra(extra, of_extras))))


def _of_extra(extra: str, requirements: Iterable[Requirement]) -> Iterator[Requirement]:
    """Yield what an extra needs, with the extras that it stands for."""
    for each in requirements:
        if each.marker is None or not each.marker.evaluate({"extra": extra}):
            continue
        if each.name == "tengen":
            for other in sorted(each.extras):
                yield from _of_extra(other, requirements)
        else:
            yield each


def _libraries() -> Iterator[LibraryData]:
    """Yield the libraries of kernels for this processor, the fastest first."""
    from tengen.engine.kernels.library import Library, file_of, target_names

    with tempfile.TemporaryDirectory() as fingerprints:
        for target in target_names():
            if not file_of(target).exists():
                continue
            try:
                matches = Library(file_of(target)).matches(Path(fingerprints))
            except (OSError, ValueError):
                yield LibraryData(target=target, state="broken")
            else:
                yield LibraryData(target=target, state="matches" if matches else "differs")


def _caches() -> Iterator[FolderData]:
    """Yield the folders of what can be computed anew."""
    root = user_folders.cache_folder()
    with suppress(OSError):  # no folder, or none that can be read
        for folder in sorted(root.iterdir()):
            if folder.is_dir():
                yield FolderData(name=folder.name, folder=str(folder), size=_size(folder))


def _size(folder: Path) -> int:
    """Return the size of the files in a folder, in bytes."""
    total = 0
    for file in folder.rglob("*"):
        with suppress(OSError):  # removed meanwhile
            total += file.lstat().st_size if file.is_file() else 0
    return total


def _existing(folder: Path) -> Path:
    """Return a folder, or the nearest one above that exists; a link that leads nowhere does as well."""
    full = folder.absolute()
    return next(each for each in (full, *full.parents) if os.path.lexists(each))


def _is_writable(folder: Path) -> bool:
    """Return whether files can be written to a folder, which may have to be made.

    It is tried, with a folder that is removed again: what a system allows cannot be told from permissions.
    """
    with suppress(OSError, ValueError):
        nearest = _existing(folder)
        with tempfile.TemporaryDirectory(prefix=".tengen-", dir=nearest) as tried:
            Path(tried, folder.absolute().relative_to(nearest)).mkdir(parents=True, exist_ok=True)
        return True
    return False


def _free(folder: Path) -> int:
    """Return the free bytes where a folder is, or would be made; 0 where there can be none."""
    with suppress(OSError, ValueError):
        return shutil.disk_usage(_existing(folder)).free
    return 0


def _is_free(port: int) -> bool:
    """Return whether a port of this machine can be listened on."""
    try:
        socket.create_server(("127.0.0.1", port)).close()
    except OSError:
        return False
    return True


def _version_of(program: str) -> str | None:
    """Return the version of a program; None if it is not there."""
    for command in _PROGRAMS[program]:
        with suppress(OSError, subprocess.SubprocessError):
            done = subprocess.run(
                command,
                capture_output=True,
                text=True,
                check=True,
                stdin=subprocess.DEVNULL,
                timeout=_PATIENCE,
            )
            return done.stdout.strip().removeprefix("v")
    return None


def _reason(error: BaseException) -> str:
    """Return an error in one line."""
    return one_line(f"{type(error).__name__}: {error}")
