"""The answer of ``tengen doctor`` with ``--json``: an installation, and what it lacks."""

from __future__ import annotations

from typing import Literal

from tengen.schemas.base import Schema
from tengen.schemas.sentence import Sentence

Part = Literal[
    "python", "package", "packages", "kernels", "data", "database", "port", "caches", "programs", "extras"
]
"""The parts of an installation in which something may be wrong."""


class PythonData(Schema):
    """The interpreter."""

    version: str
    implementation: str
    executable: str
    environment: str | None
    """The folder of the virtual environment; null outside of one."""


class PackageData(Schema):
    """Tengen itself."""

    version: str
    folder: str
    installed: Literal["package", "editable", "sources"]
    """How: as a package, editable, or not at all: Python finds the sources."""
    command: str | None
    """The command `tengen` that the shell finds; null for none."""


class RequirementData(Schema):
    """A package that is missing, or older than needed."""

    name: str
    needed: str
    found: str | None


class PackagesData(Schema):
    """The packages of a plain installation."""

    needed: int
    lacking: tuple[RequirementData, ...]


class LibraryData(Schema):
    """A library of kernels compiled ahead of time for this kind of processor."""

    target: str
    state: Literal["matches", "differs", "broken"]
    """Whether it was made from these sources; broken if it cannot be loaded."""


class KernelsData(Schema):
    """The engine's kernels."""

    used: str | None
    """The target of the library that runs, or `jit`; null if the engine cannot run."""
    libraries: tuple[LibraryData, ...]
    """Those that are there, the fastest first."""
    numba: str | None
    """The version of Numba, which compiles just in time."""


class ProcessorData(Schema):
    """The processor."""

    target: str
    """The system, and the level of its instructions, as targets of kernels are named."""
    cores: int
    """The cores that this process may use."""


class FolderData(Schema):
    """A folder that takes room."""

    name: str
    folder: str
    size: int
    """Its files, in bytes."""


class StorageData(Schema):
    """A folder that files are written to."""

    folder: str
    writable: bool
    free: int
    """Free bytes there; 0 where there is no such place."""


class DatabaseData(Schema):
    """The database of the games."""

    kind: Literal["sqlite", "postgresql"] | None
    """Null if the address names neither."""
    address: str
    """The file, or the URL without its password."""
    reachable: bool
    version: str | None
    """The version of its tables; null if there are none yet."""
    newest: str
    """The version of the tables that this program works with."""


class PortData(Schema):
    """The port of the web app."""

    port: int
    free: bool
    next: int | None
    """The port that is taken instead; null if `port` is free."""
    server: str | None
    """The address of the Tengen that runs already with the folder of the games."""


class ProgramData(Schema):
    """A program that some commands need."""

    name: str
    version: str | None
    """Null if it is missing."""


class ExtraData(Schema):
    """An extra of the package."""

    name: str
    lacking: tuple[RequirementData, ...]


class ProblemData(Schema):
    """Something that is wrong."""

    part: Part
    needed: bool
    """Whether a plain installation cannot do without."""
    sentence: Sentence


class InstallationData(Schema):
    """An installation: what is there, and what is missing."""

    ok: bool
    """Whether nothing is wrong that is needed."""
    problems: tuple[ProblemData, ...]
    python: PythonData
    package: PackageData
    packages: PackagesData
    kernels: KernelsData
    processor: ProcessorData
    cache: StorageData
    """The folder of the caches: that of `TENGEN_CACHE`, or the user's."""
    caches: tuple[FolderData, ...]
    """The folders in it."""
    data: StorageData
    """The folder of the games."""
    database: DatabaseData
    port: PortData
    programs: tuple[ProgramData, ...]
    extras: tuple[ExtraData, ...]
