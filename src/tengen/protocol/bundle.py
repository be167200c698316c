"""The engine as a small native program that speaks the Gomocup protocol: the form that tournaments take.

It consists of the kernels, compiled ahead of time for two levels of processors, of which the program
chooses one when it starts; the parameters of all rules; and C sources (the folder ``native``) that do what
the rest of this package does in Python. It needs no other file and no Python.
"""

from __future__ import annotations

import subprocess
import sys
import tempfile
from collections.abc import Iterator, Sequence
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING

from tengen.extras import importing
from tengen.formats.files import check_writable, write_error, write_whole
from tengen.words import TengenError

if TYPE_CHECKING:
    from tengen.engine.kernels.ahead import Target

NAME = "pbrain-tengen"
"""The name of the program, as managers expect it."""

SOURCES = Path(__file__).parent / "native"
"""The folder of the C sources."""

WINDOWS = "windows-x86-64"
"""The target of the program for Windows."""


def write_bundle(folder: Path, targets: Sequence[str] = ()) -> list[Path]:
    """Build the program for this machine's system and, where the package ziglang is installed, for Windows.

    Args:
        folder: the folder to write to; made if there is none.
        targets: the targets to build it for instead (`tengen.engine.kernels.ahead.TARGETS`).

    Returns:
        The files written.

    Raises:
        MissingPackage: the compiler of the kernels is not installed.
        TengenError: there is no C compiler, or it has failed.
        FileError: the folder cannot be written to.
    """
    with importing("jit"):
        from tengen.engine.kernels.ahead import TARGETS, LinkError, c_compiler
    from tengen.engine.kernels.library import host

    names = list(targets) or ["-".join(host())]
    if not targets and find_spec("ziglang") is not None and WINDOWS not in names:
        names.append(WINDOWS)
    try:
        compilers = {name: c_compiler(TARGETS[name]) for name in names}
    except (KeyError, LinkError):
        raise TengenError("error.bundle.compiler") from None
    _check_target(folder)
    with tempfile.TemporaryDirectory() as temporary:
        _run([sys.executable, "-m", "tengen.protocol.native_objects", temporary, *names])
        programs = [_compiled(compilers[name], TARGETS[name], Path(temporary, name)) for name in names]
        return list(_copied(programs, folder))


def _check_target(folder: Path) -> None:
    """Make the folder, and check that files can be written there, before the long work."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise write_error(folder, error) from error
    check_writable(folder / NAME)


def _compiled(compiler: list[str], target: Target, build: Path) -> Path:
    """Compile the C sources and link the program, in the folder with the objects."""
    program = build / (f"{NAME}.exe" if target.name.startswith("windows") else NAME)
    options = ["-std=c11", "-O2", "-Wall", "-Wextra", f"-I{build}", f"-I{SOURCES}"]
    libraries = [] if target.name.startswith("windows") else ["-lpthread", "-lm"]
    inputs = [*sorted(SOURCES.glob("*.c")), *sorted(build.glob("*.o"))]
    _run([*compiler, *options, "-o", str(program), *map(str, inputs), *libraries])
    return program


def _run(command: list[str]) -> None:
    """Run a command.

    Raises:
        TengenError: it has failed.
    """
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode:
        lines = (done.stderr or done.stdout).strip().splitlines() or [str(done.returncode)]
        reason = next((line for line in lines if "error" in line.lower()), lines[-1])
        raise TengenError("error.bundle.build", reason=reason)


def _copied(programs: list[Path], folder: Path) -> Iterator[Path]:
    try:
        for program in programs:
            file = folder / program.name
            write_whole(file, program.read_bytes())  # the former program may be running
            file.chmod(0o755)
            yield file
    except OSError as error:
        raise write_error(folder, error) from error
